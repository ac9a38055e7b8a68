"""Messages become styled lines, once for everybody who reads the same way.

Rule 1: nothing is added here that the message does not hold; there is no look behind it.
Rule 2: what a message looks like depends on the message, the reader's style and the tick's time,
        so that one painting serves all readers of one look.
"""

from __future__ import annotations

from dataclasses import dataclass

from mudserver import messages as m
from mudserver.ui.look import Look
from mudserver.ui.page import laid_out
from variants.catalogue import CATALOGUE
from variants.kit.text import Line, Span, Style, line, series

MARKS = {"time": " (time)", "computer": "", "away": " (away)"}


@dataclass(frozen=True, slots=True)
class Reader:
    """How one person reads: all that painting may depend on."""

    style: Style
    look: Look


def lines_of(message: m.Message, reader: Reader, now_ms: int, is_fresh: bool) -> list[Line]:
    """The message as lines.  *is_fresh*: a window opened that this reader was not shown yet."""
    match message:
        case m.Notice(text):
            return [line(text)]
        case m.Refused(text):
            return [line(text)]
        case m.Announced(text):
            return [line((f"-- {text}", "dim"))]
        case m.Said(who, text):
            return [line((f"{who}: ", "strong"), text)]
        case m.Emoted(who, text):
            return [line((f"* {who} ", "strong"), text)]
        case m.Told(who, text, to):
            head = f"You tell {to}: " if to else f"{who} tells you: "
            return [line((head, "strong"), text)]
        case m.Page(title, rows):
            style = reader.style
            return [line((title, "title")), *laid_out(rows, style.width, style.is_linear)]
        case m.Happened():
            return _happened(message, reader)
        case m.Shown():
            return _shown(message, reader, now_ms, is_fresh)
        case m.GameOver(_, text):
            return [line((text, "strong"))]
    return []


def _happened(message: m.Happened, reader: Reader) -> list[Line]:
    variant = CATALOGUE[message.variant]
    told = variant.tell(message.event, message.seat, message.names, reader.style)  # type: ignore[arg-type]
    if told is None:
        return []
    mark = MARKS.get(message.mark, "")
    return [(*told, Span(mark, "dim"))] if mark else [told]


def _shown(message: m.Shown, reader: Reader, now_ms: int, is_fresh: bool) -> list[Line]:
    is_asked_for, is_mine = message.why != "changed", message.seat in message.asked
    rows: list[Line] = []
    if is_asked_for or (is_mine and is_fresh):
        rows += [] if reader.style.is_linear else [()]
        rows += CATALOGUE[message.variant].render(message.view, message.names, reader.style)
    # A computer player has answered before anybody has read that it is to play.
    is_worth_it = is_fresh and set(message.asked) != set(message.by_computer)
    if message.asked and (is_asked_for or is_worth_it):
        rows.append(_status(message, now_ms, is_mine))
    return rows


def _status(message: m.Shown, now_ms: int, is_mine: bool) -> Line:
    left = ""
    if message.deadline_ms is not None:
        left = f"{max(0, round((message.deadline_ms - now_ms) / 1000))} s"
    if is_mine:
        return line(left and f"You have {left}. ", ("moves", "key"), " lists what you can type.")
    names = [message.names[seat] for seat in message.asked]
    verb = "is" if len(names) == 1 else "are"
    return line((f"{series(names)} {verb} {message.asks}{left and f' ({left})'}.", "dim"))
