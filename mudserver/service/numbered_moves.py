"""Numbered `moves` for screen-reader users: a bare number plays that row of the last list.

Rule 1: a number stands for its row in the person's newest list, as long as the same window is open
        and the same moves are possible.  After that it is refused once, so that nothing unwanted
        is played; from then on the game reads it.
Rule 2: a number that is in no list is left to the game.  Where the game reads a number of the list
        as another move, a row of the list says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mudserver.errors import UserError
from mudserver.service import texts
from mudserver.tables.summary import TurnOptions
from variants.catalogue import Catalogue
from variants.contract import Refusal
from variants.kit.text import join_words

MOVE_ROW_PREFIX = "- "  # the start of a row of `moves` that says what to type
NUMBER_DIGITS_MAX = 3


class _NumberedList(NamedTuple):
    moves: tuple[str, ...]  # number 1 is the first
    position: object  # the list is valid while this stays equal


class NumberedMoves:
    """The newest list of each person who is online."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._lists: dict[str, _NumberedList] = {}  # by person id

    def number_rows(self, person: str, options: TurnOptions, rows: Sequence[str]) -> list[str]:
        """The *rows* of `moves` with numbers, which the person may type from now on."""
        moves = tuple(
            [row.removeprefix(MOVE_ROW_PREFIX) for row in rows if row.startswith(MOVE_ROW_PREFIX)]
        )
        numbered = [f"{number}: {move}" for number, move in enumerate(moves, 1)]
        numbered += [row for row in rows if not row.startswith(MOVE_ROW_PREFIX)]
        numbered.append(texts.NUMBERS_HOW)
        self._lists[person] = _NumberedList(moves, _position(options))
        return numbered + self._conflict_rows(moves, options)

    def has_list(self, person: str) -> bool:
        return person in self._lists

    def move_by_number(self, person: str, options: TurnOptions | None, number: str) -> str | None:
        """The move that a number stands for; None: no list has it, or no game runs.

        Raises:
            UserError: The list is out of date; it is forgotten.
        """
        known = self._lists.get(person)
        index = int(number) if len(number) <= NUMBER_DIGITS_MAX else 0
        if known is None or options is None or not 1 <= index <= len(known.moves):
            return None
        move = known.moves[index - 1]
        if known.position != _position(options):
            self.forget(person)
            raise UserError(texts.NUMBER_OUTDATED.format(index, move), "stale")
        return move

    def forget(self, person: str) -> None:
        self._lists.pop(person, None)

    def _conflict_rows(self, moves: Sequence[str], options: TurnOptions) -> list[str]:
        """A row about the numbers of the list that the game reads as another move."""
        readings = {str(n): self._move_as_game_reads_it(str(n), options)
                    for n, _ in enumerate(moves, 1)}  # fmt: skip
        others = {n: other for (n, other), move in zip(readings.items(), moves, strict=True)
                  if other is not None and other != move}  # fmt: skip
        if not others:
            return []
        full = join_words(list(others.values()))
        return [texts.NUMBER_IN_GAME.format(join_words(list(others)), full)]

    def _move_as_game_reads_it(self, text: str, options: TurnOptions) -> str | None:
        """The move that the game reads in *text*, in full; None: no move that is possible now."""
        variant, view, names = self._catalogue[options.variant], options.view, options.names
        try:
            action = variant.parse(text, view, names)
            variant.check(view, action)
        except Refusal:
            return None
        return variant.phrase(action, view, names)


def _position(options: TurnOptions) -> object:
    return options.table, options.game_number, options.window, options.moves
