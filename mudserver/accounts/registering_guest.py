"""What a guest takes along into the account that this guest registers.

Rule 1: it is written in the record that opens the account: a crash loses all of it or nothing.
Rule 2: what an account cannot have stays behind: other guests that were ignored, and settings that
        are the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mudserver.accounts.events import (
    AccountEvent,
    ChannelSet,
    Ignored,
    LessonFinished,
    LessonReached,
    PreferenceSet,
)
from mudserver.accounts.learned import LearnedLesson
from mudserver.accounts.person import is_guest_id
from mudserver.accounts.preferences import PREFERENCES


@dataclass(frozen=True)
class RegisteringGuest:
    id: str
    preferences: Mapping[str, str] = field(default_factory=dict)  # of the session
    ignored: Mapping[str, str] = field(default_factory=dict)  # names by id
    lessons: Mapping[str, LearnedLesson] = field(default_factory=dict)  # by variant
    channels: Mapping[str, bool] = field(default_factory=dict)  # joined, or left, by name
    ignored_by: tuple[str, ...] = ()  # ids of accounts: they keep that in the same transaction

    def events(self, account_id: str, at_ms: int) -> list[AccountEvent]:
        """What the account has of the guest from its beginning."""
        kept: list[AccountEvent] = [
            PreferenceSet(account_id, key, value, at_ms)
            for key, value in self.preferences.items()
            if key in PREFERENCES and value != PREFERENCES[key].default
        ]
        kept += [
            Ignored(account_id, other, name, at_ms)
            for other, name in self.ignored.items()
            if not is_guest_id(other)
        ]
        kept += [
            ChannelSet(account_id, channel, is_on, at_ms)
            for channel, is_on in self.channels.items()
        ]
        for variant, learned in self.lessons.items():
            version = learned.version
            if learned.is_finished:
                kept.append(LessonFinished(account_id, variant, version, at_ms))
            if learned.title:
                step, title = learned.step, learned.title
                kept.append(LessonReached(account_id, variant, version, step, title, at_ms))
        return kept
