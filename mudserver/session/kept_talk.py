"""What a capsule carries of talk, which a report can quote, and of what everybody was told.

Rule 1: only what its reader has been shown, with the ids that tell a speaker from whoever has the
        name later.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from mudserver import messages as m
from mudserver.session.backlog import Batch, batches_of
from mudserver.wall.capsule import (
    NAME_CHARS_MAX,
    TALK_CHARS_MAX,
    TOLD_CHARS_MAX,
    TOLD_MAX,
    Talk,
    Told,
)


def kept_talk(shown: Iterable[tuple[int, m.TalkMessage]]) -> tuple[Talk, ...]:
    """Args: shown: With UTC times in ms, oldest first."""
    return tuple([_talk(at_ms, message) for at_ms, message in shown])


def kept_notices(
    shown: Iterable[tuple[int, m.Notice | m.QuotedNotice]], public: Container[m.Message]
) -> tuple[Told, ...]:
    """Those of *shown* that are *public*: no other may be in a capsule.  Without long ones."""
    told = [_told(at_ms, it) for at_ms, it in shown if it in public]
    return tuple([it for it in told if len(it.text) <= TOLD_CHARS_MAX][-TOLD_MAX:])


def told_again(told: Iterable[Told]) -> list[Batch]:
    """As messages that have been shown."""
    return [batch for it in told for batch in batches_of([_notice(it)], it.at_ms)]


def _told(at_ms: int, message: m.Notice | m.QuotedNotice) -> Told:
    if isinstance(message, m.Notice):
        return Told(at_ms, message.text)
    return Told(at_ms, message.words, message.head[:32], message.speaker[:NAME_CHARS_MAX])


def _notice(told: Told) -> m.Message:
    if told.head:
        return m.QuotedNotice(told.head, told.speaker, told.text)
    return m.Notice(told.text)


def shown_again(chat: Iterable[Talk], reader: str) -> list[Batch]:
    """The same as messages that have been shown.  Args: reader: The name of the person."""
    return [batch for it in chat for batch in batches_of([_message(it, reader)], it.at_ms)]


def tells_of(chat: Iterable[Talk]) -> list[tuple[int, m.TellMessage]]:
    """The private messages among them, with UTC times in ms."""
    told = [(it.at_ms, _message(it, "")) for it in chat if it.kind == "tell"]
    return [(at_ms, it) for at_ms, it in told if isinstance(it, m.TellMessage)]


def lines_of(chat: Iterable[Talk]) -> list[tuple[int, m.SayMessage | m.EmoteMessage]]:
    """What of it was said in the lobby and in channels, with UTC times in ms."""
    said = [(it.at_ms, _message(it, "")) for it in chat if not it.place]
    return [(at_ms, it) for at_ms, it in said if not isinstance(it, m.TellMessage)]


def _talk(at_ms: int, message: m.TalkMessage) -> Talk:
    text = message.text[:TALK_CHARS_MAX]
    who = message.who[:NAME_CHARS_MAX]
    if isinstance(message, m.TellMessage):
        return Talk(at_ms, who, "tell", text, message.speaker,
                    to=message.to or "", listener=message.listener)  # fmt: skip
    kind = "say" if isinstance(message, m.SayMessage) else "emote"
    # By place, which is quicker: 50 of each session are made while everybody waits.
    return Talk(at_ms, who, kind, text, message.speaker, message.table or 0, message.channel,
                "", "", message.is_watcher, bool(message.mention))  # fmt: skip


def _message(talk: Talk, reader: str) -> m.TalkMessage:
    if talk.kind == "tell":
        return m.TellMessage(talk.who, talk.text, talk.to or None, talk.speaker, talk.listener)
    make = m.EmoteMessage if talk.kind == "emote" else m.SayMessage
    mention = reader if talk.is_mention else ""
    return make(talk.who, talk.text, talk.place or None, talk.speaker, talk.is_watcher,
                talk.channel, mention)  # fmt: skip
