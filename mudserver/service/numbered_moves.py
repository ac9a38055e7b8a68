"""Numbers for plays: who had `moves` read aloud plays by the number of a row.

Rule 1: a number is the play that was read beside it, in the newest list that its reader was given,
        as long as the same window is open and the same plays are possible.  Later it is refused
        once, so that nothing is played that was not meant; then it is the game's again.
Rule 2: a number that is in no list is the game's own affair from the start.  Where the game reads
        a number of the list as another play, the list says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mudserver.errors import UserError
from mudserver.tables.game import Game
from mudserver.tables.table import Table
from variants.contract import Refusal, Seat
from variants.kit.text import join_words

MOVE_ROW_PREFIX = "- "  # how a row of `moves` begins that says what to type
NUMBER_DIGITS_MAX = 3  # digits


class _NumberedList(NamedTuple):
    moves: tuple[str, ...]  # as they were read, from 1
    position: object  # equal as long as the list is right


class NumberedMoves:
    """The newest list of each person who is in."""

    def __init__(self) -> None:
        self._lists: dict[str, _NumberedList] = {}  # by person id

    def number_rows(self, person: str, table: Table, rows: Sequence[str]) -> list[str]:
        """*rows* of `moves` with numbers, which the person may type from now on."""
        plays = tuple(
            [row.removeprefix(MOVE_ROW_PREFIX) for row in rows if row.startswith(MOVE_ROW_PREFIX)]
        )
        read = [f"{number}: {play}" for number, play in enumerate(plays, 1)]
        read += [row for row in rows if not row.startswith(MOVE_ROW_PREFIX)]
        read.append("To play one of these, type its number.")
        if (place := table.game_seat_of(person)) is not None:
            self._lists[person] = _NumberedList(plays, _position(table, *place))
            read += _conflict_rows(plays, *place)
        return read

    def move_by_number(self, person: str, table: Table, number: str) -> str | None:
        """The play that a number stands for; None: it is in no list.

        Raises:
            HouseError: The list is out of date; it is forgotten.
        """
        known, place = self._lists.get(person), table.game_seat_of(person)
        at = int(number) if len(number) <= NUMBER_DIGITS_MAX else 0
        if known is None or place is None or not 1 <= at <= len(known.moves):
            return None
        play = known.moves[at - 1]
        if known.position != _position(table, *place):
            self.forget(person)
            raise UserError(
                f"{at} was {play} in a list that is out of date. "
                "Type moves for what you can play now."
            )
        return play

    def forget(self, person: str) -> None:
        self._lists.pop(person, None)


def _position(table: Table, game: Game, seat: Seat) -> object:
    window = None if game.window is None else game.window.key
    return table.number, game.number, window, game.moves(seat)


def _conflict_rows(plays: Sequence[str], game: Game, seat: Seat) -> list[str]:
    """A row about what the game itself means by numbers of the list, where that is another play."""
    meant = {str(n): _move_as_game_reads_it(str(n), game, seat) for n, _ in enumerate(plays, 1)}
    others = {n: other for (n, other), play in zip(meant.items(), plays, strict=True)
              if other is not None and other != play}  # fmt: skip
    if not others:
        return []
    called, is_ = join_words(list(others)), "is" if len(others) == 1 else "are"
    full = join_words(list(others.values()))
    return [f"What the game itself calls {called} {is_} {full}: here that is typed in full."]


def _move_as_game_reads_it(text: str, game: Game, seat: Seat) -> str | None:
    """What the game makes of a line, typed in full; None: nothing that can be played now."""
    variant, view, names = game.variant, game.view(seat), game.names
    try:
        action = variant.parse(text, view, names)
        variant.check(view, action)
    except Refusal:
        return None
    return variant.phrase(action, view, names)
