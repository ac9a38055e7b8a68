"""Messages become styled lines, once for everybody who reads the same way.

Rule 1: nothing is added here that the message does not hold; there is no look behind it.
Rule 2: read aloud, what is new comes first: the sentence that somebody is asked, then the board.
Rule 3: what a message looks like depends on the message, the reader's style and the tick's time,
        so that one painting serves all readers of one look.
"""

from __future__ import annotations

from dataclasses import dataclass

from mudserver import messages as m
from mudserver.clock import time_in
from mudserver.tables import telling
from mudserver.ui.look import Look
from mudserver.ui.page import laid_out
from variants.catalogue import AnyVariant, Catalogue
from variants.kit.text import Line, Span, Style, line, series

_WITH_TIME = m.TALK | {m.Told}
MARKS = {"time": " (time)", "computer": "", "away": " (away)", "autopass": " (autopass)"}


@dataclass(frozen=True, slots=True)
class Reader:
    """How one person reads: all that painting may depend on."""

    style: Style
    look: Look
    zone: str = ""  # the time zone of the time before talk and events; "": there is none


def lines_of(
    message: m.Message, reader: Reader, now_ms: int, is_fresh: bool, games: Catalogue
) -> list[Line]:
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
        case m.Answered(lines):
            return list(lines)
        case m.Happened():
            return _happened(message, reader, games[message.variant])
        case m.Shown():
            return _shown(message, reader, now_ms, is_fresh, games[message.variant])
        case m.GameOver(_, text):
            return [line((text, "strong"))]
    return []


def timed(message: m.Message, lines: list[Line], reader: Reader, now_ms: int) -> list[Line]:
    """*lines* with the reader's local time before talk and events, where that is wanted."""
    is_now = isinstance(message, m.Happened) and not message.is_past
    if not (lines and reader.zone and (is_now or type(message) in _WITH_TIME)):
        return lines
    at = Span(f"{time_in(now_ms, reader.zone)} ", "dim")
    return [(at, *lines[0]), *lines[1:]]


def _happened(message: m.Happened, reader: Reader, variant: AnyVariant) -> list[Line]:
    told = variant.tell(message.event, message.seat, message.names, reader.style)  # type: ignore[arg-type]
    if told is None:
        return []
    mark = MARKS.get(message.mark, "")
    return [(*told, Span(mark, "dim"))] if mark else [told]


def _shown(
    message: m.Shown, reader: Reader, now_ms: int, is_fresh: bool, variant: AnyVariant
) -> list[Line]:
    is_asked_for, is_mine = message.why != "changed", message.seat in message.asked
    board, status = list[Line](), list[Line]()
    if is_asked_for or (is_mine and is_fresh and not message.passes_itself):
        board += variant.render(message.view, message.names, reader.style)
    elif is_mine and not is_fresh and len(message.asked) == 1:
        return list(variant.brief(message.view, message.names, reader.style))
    # A computer player has answered before anybody has read that it is to play.
    is_worth_it = is_fresh and set(message.asked) != set(message.by_computer)
    if message.asked and (is_asked_for or is_worth_it):
        status.append(_status(message, now_ms, is_mine))
    if reader.style.is_linear:  # the news first: who listens need not wait for the board to end
        return status + board
    return [(), *board, *status] if board else status


def _status(message: m.Shown, now_ms: int, is_mine: bool) -> Line:
    left = ""
    if message.deadline_ms is not None:
        left = f"{max(0, round((message.deadline_ms - now_ms) / 1000))} s"
    if message.passes_itself:
        about = "You pass by yourself in a moment (autopass), unless you type first."
        return line((about, "dim"))
    in_time = left and f" ({left})"
    is_begun = 0 < message.missing < len(message.asked)
    missing = telling.missing(message.missing) if is_begun else ""
    if message.has_answered:
        return line((f"You have answered; {missing}{in_time}.", "dim"))
    if is_mine:
        what = f"You have {left} {message.asks}. " if left else f"You are {message.asks}. "
        others = f" {missing}." if missing else ""
        return line(what, ("moves", "key"), f" lists what you can type.{others}")
    names = [message.names[seat] for seat in message.asked]
    verb = "is" if len(names) == 1 else "are"
    others = f"; {missing}" if missing else ""
    return line((f"{series(names)} {verb} {message.asks}{in_time}{others}.", "dim"))
