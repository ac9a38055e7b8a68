"""The end of a game as a full screen shows it: who won, every place, and what can be typed next.

Rule 1: it says what the message `over` says to everybody, marks the reader, and says to the reader
        alone what decided the game.
"""

from __future__ import annotations

from mudserver import messages as m
from mudserver.ui.width import cell_width
from variants.contract import Seat
from variants.kit.english import capitalize, join_spans, subject
from variants.kit.text import Role, Span, StyledLine, styled_line
from variants.kit.wrap import wrap_parts

NEXT = (
    ("rematch", "the same table again"),
    ("review", "your own decisions"),
    ("record", "proof of the shuffle"),
    ("leave", "to the lobby"),
)
"""What can be typed, and what it leads to."""


def end_lines(
    over: m.GameOver, last: m.ViewMessage, cols: int, explained: m.EndExplained | None = None
) -> list[StyledLine]:
    """The winners and why, a row a place, and what to type.  Nothing without places.

    Args:
        last: What its reader sees of the end.
        explained: What decided it for the reader; None: nothing can be said.
    """
    if not over.places:
        return []
    reader = None if last.seat is None else Seat(last.seat)
    has_next = last.match is not None and last.match.deal < last.match.deals
    winners = [Seat(seat) for seat, place in enumerate(over.places) if place == 1]
    named = join_spans([subject(seat, reader, over.names) for seat in winners])
    wins = " wins." if len(winners) == 1 and winners[0] != reader else " win."
    why = styled_line(f"{over.reason[:1].upper()}{over.reason[1:]}.") if over.reason else ()
    title = (*capitalize(tuple(named)), Span(wins, "title"))
    rows = [*wrap_parts(styled_line("  "), [title, why] if why else [title], cols, "  "), ()]
    wide = max(map(cell_width, over.names))
    for seat in sorted(range(len(over.places)), key=lambda seat: over.places[seat]):
        points = over.scores[seat] if over.scores else None
        gap = " " * (wide - cell_width(over.names[seat]))
        says = "" if points is None else f"{gap}  {points:>4}"
        role: Role = "you" if seat == reader else "strong"
        place = Span(f"  {over.places[seat]}.  ")
        level = last.levels[seat] if last.levels else None
        who = f" (computer, {level})" if level else ""
        rows.append((place, Span(over.names[seat], role), Span(says), Span(who, "dim")))
    if explained is not None:
        words: list[StyledLine] = [(Span(word, "strong"),) for word in explained.reason.split()]
        rows += [(), *wrap_parts(styled_line("  "), words, cols)]
    left_out = {"rematch": has_next, "review": explained is None or not explained.more}
    keys = [
        styled_line("  ", (f"{word:<9}", "key"), where)
        for word, where in NEXT
        if not left_out.get(word)
    ]
    return [*rows, (), *keys]
