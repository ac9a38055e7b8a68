"""What a game tells people beside its plays: answers at a table, errands anywhere in the house.

Rule 1: a question changes nothing, is not written down, and is answered to who asked it, from
        what that person sees and has heard; the queue of the table is not asked.
Rule 2: an answer is bounded, whatever the rule book makes of the line; an errand in pages too, and
        the house runs only so many of them at a time, whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from mudserver.accounts import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.messages import AnswerMessage
from mudserver.rate_limit import TokenBucket
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Refusal, UtilityCommand
from variants.kit.chance import SeededChance
from variants.kit.text import Style, StyledLine, quantity, styled_line

ROWS_MAX = 100  # of one answer or page; the rest is counted
PAGES_MAX = 5  # of one errand
UTILITY_COMMANDS_PER_S, UTILITY_COMMANDS_BURST = 1.0, 10  # of the whole house: they take its time


class Queries:
    """Args: table_of: the table where a person sits or watches."""

    def __init__(
        self,
        table_of: Callable[[Person], Table | None],
        catalogue: Catalogue,
        clock: Clock,
        make_seed: Callable[[], bytes],
    ) -> None:
        self._table_of, self._clock, self._make_seed = table_of, clock, make_seed
        self.utility_commands = [
            errand for game in catalogue.values() for errand in game.utility_commands
        ]
        self._bucket = TokenBucket(
            UTILITY_COMMANDS_PER_S, UTILITY_COMMANDS_BURST, clock.monotonic()
        )

    def questions(self, person: Person) -> Mapping[str, str]:
        """What can be asked at the person's table: a line of help by verb."""
        table = self._table_of(person)
        return {} if table is None else table.variant.questions

    def answer_question(self, person: Person, text: str, style: Style) -> AnswerMessage:
        """HouseError: no game was played here yet, or the rule book makes no question of it."""
        table = self._table_of(person)
        game = None if table is None else table.game
        if game is None:
            raise UserError("No game has been played here yet. start begins one.")
        try:
            return bounded_answer(game.answer(game.seat_of(person.id), text, style))
        except Refusal as refusal:
            raise UserError(refusal.format(game.names)) from refusal

    def find_utility_command(self, text: str) -> tuple[UtilityCommand, str] | None:
        """The errand that a line names with its first words, and what follows them."""
        words = text.split()
        for errand in self.utility_commands:
            count = len(errand.name_words)
            if tuple(word.lower() for word in words[:count]) == errand.name_words:
                return errand, " ".join(words[count:])
        return None

    def run_utility_command(
        self, command: UtilityCommand, text: str, style: Style
    ) -> Iterator[AnswerMessage]:
        """Pages one by one, so that others are served between them.

        Raises:
            HouseError: The rule book makes nothing of the line, or the house is busy.
        """
        if not self._bucket.try_consume(self._clock.monotonic()):
            raise UserError("The house is busy with this just now. Please wait a few seconds.")
        try:
            found = command.make_pages(text, style, SeededChance(self._make_seed()))
            for page in islice(found, PAGES_MAX):
                yield bounded_answer(page)
        except Refusal as refusal:
            raise UserError(refusal.format(())) from refusal


def bounded_answer(lines: Sequence[StyledLine]) -> AnswerMessage:
    shown = tuple(lines[:ROWS_MAX])
    if left := len(lines) - len(shown):
        shown += (styled_line((f"... and {quantity(left, 'more row')}", "dim")),)
    return AnswerMessage(shown)
