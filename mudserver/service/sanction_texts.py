"""What is said of mutes and bans, and of their ends."""

from __future__ import annotations

from mudserver.clock import format_minute_in_zone
from mudserver.messages import Message, QuotedNotice, SanctionedMessage, WarnedMessage
from mudserver.moderation import texts
from mudserver.moderation.sanctions import Sanction


def until_text(until_ms: int | None, zone: str = "UTC") -> str:
    """`until 2026-11-22 13:40 UTC`, or `for ever`.  Args: zone: of the reader."""
    return "for ever" if until_ms is None else f"until {format_minute_in_zone(until_ms, zone)}"


def muted_message(sanction: Sanction, zone: str = "UTC") -> QuotedNotice:
    """What somebody reads who is muted."""
    head = texts.YOU_ARE_MUTED.format(until_text(sanction.until_ms, zone), sanction.number)
    return QuotedNotice(head, "staff", sanction.reason)


def ban_sentences(sanction: Sanction, appeal: str, zone: str = "UTC") -> tuple[QuotedNotice, str]:
    """What somebody reads who is banned.  Args: appeal: how to appeal; "": the usual sentence."""
    head = texts.YOU_ARE_BANNED.format(until_text(sanction.until_ms, zone), sanction.number)
    said = QuotedNotice(head, f"#{sanction.number}", sanction.reason)
    return said, appeal or texts.APPEAL.format(sanction.number)


def warning_messages(number: int, reason: str) -> list[Message]:
    """A warning in a sentence, and for programs."""
    said = QuotedNotice(texts.WARNING.format(number), "staff", reason)
    return [said, WarnedMessage(number, reason)]


def sanctioned_message(sanction: Sanction) -> SanctionedMessage:
    """A mute or ban for programs."""
    return SanctionedMessage(sanction.kind, sanction.number, sanction.until_ms, sanction.reason)


def name_message(name: str, reason: str) -> QuotedNotice:
    """What somebody reads whom the staff has given another name."""
    return QuotedNotice(texts.YOUR_NAME.format(name), "staff", reason)


def in_force_text(sanction: Sanction, named: str, zone: str = "UTC") -> str:
    """Why a second one of the kind is refused.  Args: named: on whom it is."""
    told = texts.IS_MUTED if sanction.kind == "mute" else texts.IS_BANNED
    until = until_text(sanction.until_ms, zone)
    return told.format(named, until, sanction.number, sanction.number)
