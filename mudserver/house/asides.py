"""What a game tells people beside its plays: answers at a table, errands anywhere in the house.

Rule 1: a question changes nothing, is not written down, and is answered to who asked it, from
        what that person sees and has heard; the queue of the table is not asked.
Rule 2: an answer is bounded, whatever the rule book makes of the line; an errand in pages too, and
        the house runs only so many of them at a time, whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from mudserver.budget import Budget
from mudserver.clock import Clock
from mudserver.errors import HouseError
from mudserver.messages import Answered
from mudserver.people import Person
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Errand, Refusal
from variants.kit.chance import SeededChance
from variants.kit.text import Line, Style, counted, line

ROWS_MAX = 100  # of one answer or page; the rest is counted
PAGES_MAX = 5  # of one errand
ERRANDS_PER_S, ERRANDS_BURST = 1.0, 10  # of the whole house: they take its time


class Asides:
    """Args: table_of: the table where a person sits or watches."""

    def __init__(
        self,
        table_of: Callable[[Person], Table | None],
        catalogue: Catalogue,
        clock: Clock,
        make_seed: Callable[[], bytes],
    ) -> None:
        self._table_of, self._clock, self._make_seed = table_of, clock, make_seed
        self.errands = [errand for game in catalogue.values() for errand in game.errands]
        self._budget = Budget(ERRANDS_PER_S, ERRANDS_BURST, clock.monotonic())

    def questions(self, person: Person) -> Mapping[str, str]:
        """What can be asked at the person's table: a line of help by verb."""
        table = self._table_of(person)
        return {} if table is None else table.variant.questions

    def answer(self, person: Person, text: str, style: Style) -> Answered:
        """HouseError: no game was played here yet, or the rule book makes no question of it."""
        table = self._table_of(person)
        game = None if table is None else table.game
        if game is None:
            raise HouseError("No game has been played here yet. start begins one.")
        try:
            return bounded(game.answer(game.seat_of(person.id), text, style))
        except Refusal as refusal:
            raise HouseError(refusal.say(game.names)) from refusal

    def errand(self, text: str) -> tuple[Errand, str] | None:
        """The errand that a line names with its first words, and what follows them."""
        words = text.split()
        for errand in self.errands:
            count = len(errand.words)
            if tuple(word.lower() for word in words[:count]) == errand.words:
                return errand, " ".join(words[count:])
        return None

    def pages(self, errand: Errand, text: str, style: Style) -> Iterator[Answered]:
        """Pages one by one, so that others are served between them.

        Raises:
            HouseError: The rule book makes nothing of the line, or the house is busy.
        """
        if not self._budget.take(self._clock.monotonic()):
            raise HouseError("The house is busy with this just now. Please wait a few seconds.")
        try:
            found = errand.pages(text, style, SeededChance(self._make_seed()))
            for page in islice(found, PAGES_MAX):
                yield bounded(page)
        except Refusal as refusal:
            raise HouseError(refusal.say(())) from refusal


def bounded(lines: Sequence[Line]) -> Answered:
    shown = tuple(lines[:ROWS_MAX])
    if left := len(lines) - len(shown):
        shown += (line((f"... and {counted(left, 'more row')}", "dim")),)
    return Answered(shown)
