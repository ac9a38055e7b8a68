"""The lobby as a full screen shows it: who plays what, who seeks a game, and who is here.

Rule 1: it shows public facts only, those of `tables`, `seeks` and `who`.  [SEC-7]
Rule 2: where rows run short, the last ones say how many more there are and what lists them.
"""

from __future__ import annotations

from collections.abc import Sequence

from mudserver.lobby.presence import PresenceSummary
from mudserver.service.own_games import OwnRow
from mudserver.service.seeking import SeekShown
from mudserver.tables.summary import TableSummary
from mudserver.ui.width import cell_width, end_fitting
from variants.kit.text import Role, Span, StyledLine, quantity, styled_line
from variants.kit.wrap import wrap_parts

WIDE_COLS = 72  # from here a table is one row
PEOPLE_ROWS_MAX = 3
PERSON_CELLS_MIN = 4  # a name of two letters, and the comma behind it


def lobby_lines(
    tables: Sequence[TableSummary],
    people: Sequence[PresenceSummary],
    name: str,
    cols: int,
    rows_max: int,
    lessons: Sequence[tuple[str, str]] = (),
    own: Sequence[OwnRow] = (),
    seeks: Sequence[SeekShown] = (),
    more: int = 0,
) -> list[StyledLine]:
    """The board.

    Args:
        name: Of the reader.
        rows_max: At most so many rows.
        lessons: Of each game that has one, where the reader is in it.
        own: The reader's games by correspondence, above other tables; with those a third of the
            rows at most.
        seeks: Games that people offer, below the tables; a third of the rows at most.
        more: So many tables are not in *tables*.
    """
    above = {it.number for it in own}
    shown = [it for it in tables if not (it.is_private or it.number in above)]
    shown.sort(key=lambda it: not it.free_seats)
    below = [*_seek_lines(seeks, cols, max(2, rows_max // 3)), *_people_lines(people, name, cols)]
    room = rows_max // 3 if shown or more else rows_max - len(below)
    rows = _own_lines(own, cols, max(2, room))
    rows += [_title("Other tables", cols)] if own and shown else []
    for at, table in enumerate(shown):
        lines = _table_lines(table, cols)
        if len(rows) + len(lines) + len(below) + 1 > rows_max:
            rows.append(_more_tables(len(shown) - at + more))
            break
        rows += lines
    else:
        rows += [_more_tables(more)] if more else []
    if not shown and not own:
        rows.append(styled_line(" None yet. To start a game, type ", ("play", "key")))
    starts = _start_lines(lessons, cols)
    has_room = len(rows) + len(starts) + len(below) <= rows_max
    return [*rows, *(starts if has_room else []), *below]


def _more_tables(count: int) -> StyledLine:
    return styled_line(f" {count} more", "   ", ("tables", "key"))


def _own_lines(own: Sequence[OwnRow], cols: int, rows_max: int) -> list[StyledLine]:
    """The reader's games, which have the title of the board."""
    rows: list[StyledLine] = []
    for at, it in enumerate(own):
        lines = _own_line(it, cols)
        if len(rows) + len(lines) > rows_max - (at + 1 < len(own)):
            rows.append(styled_line(f" {len(own) - at} more", "   ", ("go", "key")))
            break
        rows += lines
    return rows


def _own_line(it: OwnRow, cols: int) -> list[StyledLine]:
    to_type = f"go {it.number}"
    role: Role = "strong" if it.is_asked else ""
    if cols < WIDE_COLS:
        head = f" {it.number} {it.variant}"
        gap = " " * max(2, cols - cell_width(head) - len(to_type) - 1)
        state = Span(f"   {_cut(it.state, cols - 4)}", role)
        return [(Span(head), Span(gap), Span(to_type, "key")), (state,)]
    head = f" {it.number:>3}  {it.variant:<13}"
    state = Span(_fitted(it.state, cols - cell_width(head) - len(to_type) - 3), role)
    return [(Span(head), state, Span("  "), Span(to_type, "key"))]


def _seek_lines(seeks: Sequence[SeekShown], cols: int, rows_max: int) -> list[StyledLine]:
    """Games that people offer, under a title."""
    if not seeks:
        return []
    rows = [_title("Games that people seek", cols)]
    for at, it in enumerate(seeks):
        lines = _seek_line(it, cols)
        if len(rows) + len(lines) > rows_max - (at + 1 < len(seeks)):
            rows.append(styled_line(f" {len(seeks) - at} more", "   ", ("seeks", "key")))
            break
        rows += lines
    return rows


def _seek_line(it: SeekShown, cols: int) -> list[StyledLine]:
    to_type = "seek off" if it.is_own else f"accept {it.number}"
    name = "you" if it.is_own else it.name
    head = f" {it.number:>3}  {name:<17} "
    if cols >= WIDE_COLS:
        room = cols - len(head) - len(to_type) - 3
        return [(Span(head), Span(_fitted(it.text, room)), Span("  "), Span(to_type, "key"))]
    head = f" {it.number} {name}"
    gap = " " * max(2, cols - len(head) - len(to_type) - 1)
    return [
        (Span(head), Span(gap), Span(to_type, "key")),
        (Span(f"   {_cut(it.text, cols - 4)}"),),
    ]


def _start_lines(lessons: Sequence[tuple[str, str]], cols: int) -> list[StyledLine]:
    """What can be begun at once: a game or its lesson, a row each; only where a row has room."""
    if cols < WIDE_COLS or not lessons:
        return []
    wide = max(len(game) for game, _ in lessons)
    rows = [
        styled_line(" ", (f"play {game:<{wide}}", "key"), "    ",
                    (f"learn {game:<{wide}}", "key"), f"  {says}")
        for game, says in lessons
    ]  # fmt: skip
    return [_title("Start something", cols), *rows]


def _title(text: str, cols: int) -> StyledLine:
    head = f"── {text} "
    return (Span(head + "─" * max(0, cols - len(head)), "panel"),)


def _table_lines(table: TableSummary, cols: int) -> list[StyledLine]:
    free, verb = "", "watch"
    if table.free_seats:
        free, verb = quantity(table.free_seats, "free seat"), "sit"
    elif table.to_take_over:
        # Who watches reads what to type, and which seat it is.
        free, verb = "to take over", "substitute" if cols >= WIDE_COLS else "watch"
    to_type = f"{verb} {table.number}"
    people = ("by correspondence: " if table.is_slow else "") + (table.people or "nobody")
    if cols >= WIDE_COLS:
        head = (Span(f" {table.number:>3}  "), Span(f"{table.variant:<13}", "strong"),
                Span(f"{table.phase:<9}{free:<13}"))  # fmt: skip
        used = 6 + 13 + 9 + 13
        room = cols - used - len(to_type) - 3
        return [(*head, Span(_fitted(people, room)), Span("  "), Span(to_type, "key"))]
    says = free or table.phase
    head = (Span(f" {table.number} "), Span(table.variant, "strong"), Span(f", {says}"))
    gap = " " * max(2, cols - 3 - len(f"{table.number}{table.variant}{says}{to_type}") - 2)
    return [(*head, Span(gap), Span(to_type, "key")), (Span(f"   {_cut(people, cols - 4)}"),)]


def _people_lines(people: Sequence[PresenceSummary], name: str, cols: int) -> list[StyledLine]:
    rows = [_title(f"People ({len(people)})", cols)]
    most = PEOPLE_ROWS_MAX * cols // PERSON_CELLS_MIN + 1  # more of them have no room
    parts = [_person(it, name) for it in people[:most]]
    wrapped = wrap_parts(styled_line(" "), parts, cols, ", ")
    if len(wrapped) <= PEOPLE_ROWS_MAX:
        return rows + wrapped
    more = styled_line(" and more: ", ("who", "key"))
    return [*rows, *wrapped[: PEOPLE_ROWS_MAX - 1], more]


def _person(it: PresenceSummary, name: str) -> StyledLine:
    where = "" if it.table is None else f" at {it.table}"
    if it.name == name:
        return (Span("you", "you"), Span(where)) if where else (Span("you", "you"),)
    return (Span(f"{it.name}{where}"),)


def _fitted(text: str, room: int) -> str:
    text = _cut(text, room)
    return text + " " * max(0, room - cell_width(text))


def _cut(text: str, room: int) -> str:
    return text if cell_width(text) <= room else text[: end_fitting(text, room - 3)] + "..."
