"""One account: what is kept of it, and the events that concern it alone.

Rule 1: `apply` and `restore` change this account only.  What also changes a list of all accounts,
        such as a name, a proven key or a role, is in `accounts.py`.
Rule 2: most accounts have no code, no friend, no lesson: they share empty values, and a new one
        replaces them.  Those that have chosen the same preferences share these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from msgspec.structs import replace

from mudserver.accounts import codes, names
from mudserver.accounts.events import (
    AccountEvent,
    Befriended,
    ChannelSet,
    CodeEnded,
    CodeIssued,
    CodePurpose,
    DeletionAsked,
    DeletionWithdrawn,
    GamePlayed,
    HoldEnded,
    Ignored,
    LessonFinished,
    LessonReached,
    NewsSeen,
    NotifySet,
    PasswordSet,
    PreferenceSet,
    ProfileSet,
    ProgramDeclared,
    Renamed,
    RoleNoted,
    Seen,
    StoredAccount,
    StoredCode,
    StoredDeletion,
    StoredHold,
    StoredKey,
    StoredRoleNote,
    StoredWarning,
    Unfriended,
    Unignored,
    Warned,
    WarningRead,
)
from mudserver.accounts.learned import LearnedLesson
from mudserver.accounts.notify_choice import NO_NOTICES, NotifyChoice
from mudserver.accounts.person import Person
from mudserver.accounts.played import LAST_GAMES, PlayedGame, PlayedVariant
from mudserver.accounts.preferences import PREFERENCES
from mudserver.accounts.roles import Role

DAY_MS = 86_400_000
WARNINGS_MAX = 20  # that are remembered
ROLE_NOTES_MAX = 20  # likewise
PREFERENCES_SHARED = 1_024  # different choices that are shared at once
DAYS_SHARED = 1_024  # likewise days, each with how often something was done
NO_CODES: Mapping[CodePurpose, StoredCode] = MappingProxyType({})
NEVER_ISSUED: Mapping[CodePurpose, tuple[int, ...]] = MappingProxyType({})
NO_GAMES: Mapping[str, PlayedVariant] = MappingProxyType({})
NOBODY: Mapping[str, str] = MappingProxyType({})
NO_PREFERENCES: Mapping[str, str] = MappingProxyType({})
NO_LESSONS: Mapping[str, LearnedLesson] = MappingProxyType({})
NO_CHANNELS: Mapping[str, bool] = MappingProxyType({})
NO_HOLDS: Mapping[str, StoredHold] = MappingProxyType({})


@dataclass(slots=True)
class Account:
    id: str
    name: str
    opened_ms: int
    password_hash: str | None = None
    keys: tuple[StoredKey, ...] = ()  # oldest first
    preferences: Mapping[str, str] = field(default_factory=lambda: NO_PREFERENCES)
    """Those that differ from the default."""
    codes: Mapping[CodePurpose, StoredCode] = field(default_factory=lambda: NO_CODES)
    issued_ms: Mapping[CodePurpose, tuple[int, ...]] = field(  # the last few
        default_factory=lambda: NEVER_ISSUED
    )
    seen_ms: int = 0  # when a login was last written
    password_used_ms: int = 0  # when one by the password was
    played: Mapping[str, PlayedVariant] = field(default_factory=lambda: NO_GAMES)  # by variant
    last_games: tuple[PlayedGame, ...] = ()  # oldest first
    games_on_day: tuple[int, int] = (0, 0)  # (UTC day since 1970, games), of the last one
    lessons: Mapping[str, LearnedLesson] = field(default_factory=lambda: NO_LESSONS)  # by variant
    lessons_on_day: tuple[int, int] = (0, 0)  # (UTC day, events), of the last one
    role: Role = "player"
    warnings: tuple[StoredWarning, ...] = ()  # the last few, oldest first
    news_seen: int = 0  # the highest number that the person has seen
    ignored: Mapping[str, str] = field(default_factory=lambda: NOBODY)  # names by account id
    friends: tuple[str, ...] = ()  # account ids
    profile: str = ""
    is_program: bool = False  # declared
    was: str = ""  # id of the guest who registered; "": nobody was
    held: Mapping[str, StoredHold] = field(default_factory=lambda: NO_HOLDS)
    """Former names that nobody else can have, by `names.claim_key`, oldest first."""
    renamed_ms: int = 0  # when its owner last changed the name; 0: never
    given_ms: int = 0  # when the staff last gave it a name; 0: never
    given_reason: str = ""
    deletion: StoredDeletion | None = None  # None: nobody has asked for it
    channels: Mapping[str, bool] = field(default_factory=lambda: NO_CHANNELS)  # joined, or left
    invite: str = ""  # SHA-256 of the invitation that was used; "": none was
    role_notes: tuple[StoredRoleNote, ...] = ()  # since the last login, oldest first
    notify: NotifyChoice = NO_NOTICES

    @property
    def person(self) -> Person:
        return Person(self.id, self.name, is_guest=False)

    @property
    def fingerprints(self) -> list[str]:
        """Of the keys, oldest first."""
        return [key.fingerprint for key in self.keys]

    def key(self, fingerprint: str) -> StoredKey | None:
        return next((key for key in self.keys if key.fingerprint == fingerprint), None)

    def apply(self, fact: AccountEvent) -> None:
        """What *fact* changes in the account alone."""
        match fact:
            case PasswordSet(hash=hashed):
                self.password_hash = hashed
            case Seen(how=how, at_ms=at_ms):
                self.seen_ms, self.role_notes = at_ms, ()
                if how == "password":
                    self.password_used_ms = at_ms
            case CodeIssued() | CodeEnded():
                self._apply_to_codes(fact)
            case GamePlayed(game=game):
                self.last_games = (*self.last_games, game)[-LAST_GAMES:]
                day, count = self.games_on_day
                today = game.at_ms // DAY_MS
                self.games_on_day = (today, count + 1 if day == today else 1)
            case LessonReached(variant=variant, version=version, at_ms=at_ms):
                was = self.lessons.get(variant)
                is_finished = bool(was and was.is_finished)
                learned = LearnedLesson(version, fact.step, fact.title, is_finished)
                self._set_learned(variant, learned, at_ms)
            case LessonFinished(variant=variant, version=version, at_ms=at_ms):
                self._set_learned(variant, LearnedLesson(version, is_finished=True), at_ms)
            case Warned(number=number, reason=reason, at_ms=at_ms):
                warned = StoredWarning(number, reason, at_ms, report=fact.report)
                self.warnings = (*self.warnings, warned)[-WARNINGS_MAX:]
            case RoleNoted(note=note):
                self.role_notes = (*self.role_notes, note)[-ROLE_NOTES_MAX:]
            case WarningRead(number=number):
                self.warnings = tuple(
                    replace(it, is_read=True) if it.number == number else it for it in self.warnings
                )
            case Ignored(other=other, name=name):
                self.ignored = {**self.ignored, other: name}
            case Unignored(other=other):
                self.ignored = {k: name for k, name in self.ignored.items() if k != other}
            case Befriended(other=other):
                self.friends = (*self.friends, other)
            case Unfriended(other=other):
                self.friends = tuple(it for it in self.friends if it != other)
            case Renamed() | HoldEnded():
                self._apply_to_names(fact)
            case ProfileSet(text=text):
                self.profile = text
            case ProgramDeclared(is_on=is_on):
                self.is_program = is_on
            case DeletionAsked(due_ms=due_ms, by=by, reason=reason):
                self.deletion = StoredDeletion(due_ms, by, reason)
            case DeletionWithdrawn():
                self.deletion = None
            case ChannelSet(channel=channel, is_on=is_on):
                self.channels = {**self.channels, channel: is_on}
            case NotifySet(topic=topic, events=events, zone=zone, seeks=seeks):
                quiet = fact.quiet_from, fact.quiet_to
                self.notify = NotifyChoice(topic, events, *quiet, zone, seeks)
            case NewsSeen(number=number):
                self.news_seen = number
            case PreferenceSet(key=key, value=value):
                chosen = {**self.preferences, key: value}
                if key in PREFERENCES and value == PREFERENCES[key].default:
                    del chosen[key]
                self.preferences = _shared(tuple(chosen.items()))

    def _apply_to_codes(self, fact: CodeIssued | CodeEnded) -> None:
        if isinstance(fact, CodeEnded):
            live = {k: code for k, code in self.codes.items() if code.hash != fact.hash}
            self.codes = live or NO_CODES
            return
        purpose = fact.purpose
        code = StoredCode(fact.hash, purpose, fact.expires_ms, fact.fingerprint, fact.label)
        issued_ms = (*self.issued_ms.get(purpose, ()), fact.at_ms)
        self.codes = {**self.codes, purpose: code}
        self.issued_ms = {**self.issued_ms, purpose: issued_ms[-codes.CODES_PER_HOUR :]}

    def _apply_to_names(self, fact: Renamed | HoldEnded) -> None:
        if isinstance(fact, HoldEnded):
            self.held = {k: hold for k, hold in self.held.items() if k != fact.key} or NO_HOLDS
            return
        self.name = fact.name
        if fact.held_until_ms is not None:
            hold = StoredHold(fact.before, fact.held_until_ms, fact.by)
            self.held = {**self.held, names.claim_key(fact.before): hold}
        if fact.by == self.id:
            self.renamed_ms = fact.at_ms
        else:
            self.given_ms, self.given_reason = fact.at_ms, fact.reason

    def _set_learned(self, variant: str, learned: LearnedLesson, at_ms: int) -> None:
        self.lessons = {**self.lessons, variant: learned}
        day, count = self.lessons_on_day
        today = at_ms // DAY_MS
        self.lessons_on_day = (today, count + 1 if day == today else 1)

    # -- snapshots -----------------------------------------------------------------------------

    def stored(self) -> StoredAccount:
        """The whole account, for a snapshot."""
        return StoredAccount(
            self.name,
            self.opened_ms,
            self.password_hash,
            self.keys,
            dict(self.preferences),
            tuple(self.codes.values()),
            dict(self.issued_ms),
            self.seen_ms,
            self.password_used_ms,
            dict(self.played),
            self.last_games,
            self.games_on_day,
            dict(self.lessons),
            self.lessons_on_day,
            self.role,
            self.warnings,
            self.news_seen,
            dict(self.ignored),
            self.friends,
            self.profile,
            self.was,
            dict(self.held),
            self.renamed_ms,
            self.given_ms,
            self.given_reason,
            self.deletion,
            dict(self.channels),
            self.invite,
            self.is_program,
            self.role_notes,
            self.notify,
        )

    def restore(self, stored: StoredAccount) -> None:
        """What a snapshot says of the account alone."""
        self.name, self.was, self.invite = stored.name, stored.was, stored.invite
        self.renamed_ms = stored.renamed_ms
        self.given_ms, self.given_reason = stored.given_ms, stored.given_reason
        self.held = dict(stored.held) or NO_HOLDS
        self.password_hash = stored.password_hash
        self.preferences = _shared(tuple(stored.preferences.items()))
        self.codes = {code.purpose: code for code in stored.codes} or NO_CODES
        self.issued_ms = dict(stored.issued_ms) or NEVER_ISSUED
        self.seen_ms, self.password_used_ms = stored.seen_ms, stored.password_used_ms
        self.last_games, self.games_on_day = stored.last_games, _one(stored.games_on_day)
        self.lessons = dict(stored.lessons) or NO_LESSONS
        self.lessons_on_day = _one(stored.lessons_on_day)
        self.warnings, self.news_seen = stored.warnings, stored.news_seen
        self.role_notes = stored.role_notes
        self.ignored = dict(stored.ignored) or NOBODY
        self.friends, self.profile = stored.friends, stored.profile
        self.is_program, self.notify = stored.is_program, stored.notify
        self.deletion = stored.deletion
        self.channels = dict(stored.channels) or NO_CHANNELS


@lru_cache(maxsize=DAYS_SHARED)
def _one(on_day: tuple[int, int]) -> tuple[int, int]:
    """One object for all accounts of which this is true; most have not played for long."""
    return on_day


@lru_cache(maxsize=PREFERENCES_SHARED)
def _shared(chosen: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """One mapping for all accounts that have chosen the same."""
    return dict(chosen) if chosen else NO_PREFERENCES
