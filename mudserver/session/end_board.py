"""The end of a game as a full screen shows it: who won, every place, and what can be typed next.

Rule 1: it says what the message `over` says to everybody, marks the reader, and says to the reader
        alone what decided the game.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    over: m.GameOver,
    last: m.ViewMessage,
    cols: int,
    explained: m.EndExplained | None = None,
    summary: m.GameSummary | None = None,
    held: Sequence[StyledLine] = (),
    tourney: int = 0,
) -> list[StyledLine]:
    """The winners and why, a row a place, what was held, and what to type.  Nothing without places.

    Args:
        last: What its reader sees of the end.
        explained: What decided it for the reader; None: nothing can be said.
        held: What was left in the hands, in *cols* - 2 columns.
        tourney: Number of the tournament that it was a game of; 0: of none.
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
    length = styled_line((summary.length, "dim")) if summary is not None else ()
    first = [part for part in (title, why, length) if part]
    rows = [*wrap_parts(styled_line("  "), first, cols, "  "), ()]
    computers = [f" (computer, {level})" if level else "" for level in last.levels or ()]
    whos = computers or [""] * len(over.names)
    wide = max(cell_width(name + who) for name, who in zip(over.names, whos, strict=True))
    for seat in sorted(range(len(over.places)), key=lambda seat: over.places[seat]):
        name, who = over.names[seat], whos[seat]
        points = over.scores[seat] if over.scores else None
        role: Role = "you" if seat == reader else "strong"
        gap = " " * (wide - cell_width(name + who))
        told = [
            styled_line((name, role), (who, "dim"), gap if over.scores else ""),
            styled_line(f"{'' if points is None else points:>3}") if over.scores else (),
            styled_line((summary.notes[seat], "dim")) if summary is not None else (),
        ]
        place = styled_line(f"  {over.places[seat]}.  ")
        rows += wrap_parts(place, [part for part in told if part], cols, "  ")
    if explained is not None:
        words: list[StyledLine] = [(Span(word, "strong"),) for word in explained.reason.split()]
        rows += [(), *wrap_parts(styled_line("  "), words, cols)]
    if held:
        rows += [(), *[styled_line("  ", *line) for line in held]]
    left_out = {
        "rematch": has_next or tourney > 0,
        "review": explained is None or not explained.more,
    }
    then = [(f"tourney {tourney}", "what comes next")] if tourney else []
    offered = [*then, *((word, where) for word, where in NEXT if not left_out.get(word))]
    wide = max(9, *(len(word) + 2 for word, _ in offered))
    keys = [styled_line("  ", (f"{word:<{wide}}", "key"), where) for word, where in offered]
    return [*rows, (), *keys]
