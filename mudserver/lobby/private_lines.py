"""What one person tells another: the messages on both sides, wherever the two are."""

from __future__ import annotations

from typing import NamedTuple

from mudserver.accounts.person import Person
from mudserver.lobby import texts
from mudserver.messages import Notice, QuotedNotice, TellMessage
from mudserver.outbox import Deliveries


class PrivateLine(NamedTuple):
    """A line that its speaker may say."""

    speaker: Person
    listener: Person
    text: str


class Attention(NamedTuple):
    """What the speaker is told of somebody who has just been told something."""

    away: str = ""  # what the person says of being away
    idle_s: float = 0.0  # 0: not for long

    def notices(self, line: PrivateLine) -> Deliveries:
        name, speaker = line.listener.name, line.speaker.id
        if self.away:
            return [(speaker, QuotedNotice(texts.IS_AWAY.format(name), name, self.away))]
        if self.idle_s:
            return [(speaker, Notice(texts.IDLE.format(name, span(self.idle_s))))]
        return []


def private_message(line: PrivateLine) -> TellMessage:
    """What the listener reads."""
    speaker = line.speaker
    return TellMessage(speaker.name, line.text, None, speaker.id, line.listener.id)


def told_private(line: PrivateLine) -> Deliveries:
    """What the speaker reads."""
    speaker, listener = line.speaker, line.listener
    told = TellMessage(speaker.name, line.text, listener.name, speaker.id, listener.id)
    return [(speaker.id, told)]


def span(seconds: float) -> str:
    minutes = int(seconds // 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // 1440} days"
