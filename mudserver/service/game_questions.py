"""Questions to the game at a table, and utility commands that a game offers everywhere.

Rule 1: a question changes nothing and is not recorded.  The answer goes to the person who asked and
        follows from what that person has seen; it does not pass the table's queue.
Rule 2: an answer is bounded in rows, a utility command in pages, too.  One rate limit covers the
        utility commands of all people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import NotUnderstood, UserError
from mudserver.messages import AnswerMessage
from mudserver.service import texts
from mudserver.tables.summary import SeatStatus
from variants.catalogue import AnyVariant, Catalogue
from variants.contract import AmbiguousInput, Refusal, UtilityCommand
from variants.kit.chance import SeededChance
from variants.kit.text import Style, StyledLine, join_words, quantity, styled_line

ROWS_MAX = 150  # of one answer or page; a last row counts the others
PRINTED_QUESTIONS = ("cards", "card")  # answered without a game, too
PAGES_MAX = 5  # of one utility command


class QuestionTables(Protocol):
    """What is needed of `TableManager`."""

    def seat_status(self, person: str) -> SeatStatus | None: ...
    def has_game(self, person: str) -> bool: ...
    def answer_question(self, person: str, text: str, style: Style) -> Sequence[StyledLine]: ...


class GameQuestions:
    def __init__(
        self,
        tables: QuestionTables,
        catalogue: Catalogue,
        clock: Clock,
        make_seed: Callable[[], bytes],
    ) -> None:
        self._tables, self._catalogue = tables, catalogue
        self._clock, self._make_seed = clock, make_seed
        self.utility_commands = [
            command for game in catalogue.values() for command in game.utility_commands
        ]
        self._utility_by_word: dict[str, list[UtilityCommand]] = {}  # the first of the name
        for command in self.utility_commands:
            self._utility_by_word.setdefault(command.name_words[0], []).append(command)

    def questions(self, person: Person) -> Mapping[str, str]:
        """What can be asked at the person's table: a line of help for each question word."""
        status = self._tables.seat_status(person.id)
        return {} if status is None else self._catalogue[status.variant].questions

    def answer_printed(self, person: Person, text: str, style: Style) -> AnswerMessage | None:
        """What `cards GAME` or `card NAME` says without a game; None: it is for the own table.

        Raises:
            UserError: No game, or no card of any game, has that name.
        """
        verb, *words = text.split()
        if verb not in PRINTED_QUESTIONS:
            return None
        if answer := self.answer_of_box(text, style):
            return answer
        status = self._tables.seat_status(person.id)
        if status is not None and self._tables.has_game(person.id):
            return None
        elif status is not None:
            games = [self._catalogue[status.variant]]
        elif words and verb == "card":
            games = list(self._catalogue.values())
        else:
            raise UserError(
                texts.CARDS_OF_WHICH.format(join_words(list(self._catalogue), "or")), "ambiguous"
            )
        return self._printed(games, text, style)

    def answer_of_box(self, text: str, style: Style) -> AnswerMessage | None:
        """What `cards GAME` says, wherever it is typed; None: the line names no game.

        Raises:
            UserError: The game does not know the words behind its name.
        """
        verb, *words = text.split()
        game = self._catalogue.get(words[0].lower()) if verb == "cards" and words else None
        return None if game is None else self._printed([game], " ".join([verb, *words[1:]]), style)

    def _printed(self, games: Sequence[AnyVariant], text: str, style: Style) -> AnswerMessage:
        rows, refused = self._printed_by(games, text, style)
        if rows:
            return bounded_answer(rows)
        if refused is None:
            raise UserError(texts.NO_CARDS.format(games[0].name), "not_found")
        raise NotUnderstood(refused.format(()), refused.suggestion, "not_understood")

    def _printed_by(
        self, games: Sequence[AnyVariant], text: str, style: Style
    ) -> tuple[list[StyledLine], Refusal | None]:
        """The rows of all games that know it; the refusal that offers something, or the last."""
        rows: list[StyledLine] = []
        refused: Refusal | None = None
        for game in games:
            try:
                rows += game.printed(text, style) if game.printed else ()
            except Refusal as refusal:
                is_better = refused is not None and _offers(refused)
                refused = refused if is_better else refusal
        return rows, refused

    def phrases(self, person: Person) -> Mapping[str, str]:
        """What people say for a question at the person's table."""
        status = self._tables.seat_status(person.id)
        return (
            {}
            if status is None or not status.is_playing
            else self._catalogue[status.variant].question_phrases
        )

    def answer_question(self, person: Person, text: str, style: Style) -> AnswerMessage:
        """UserError: no game was played here yet, or the rule book does not know the question."""
        return bounded_answer(self._tables.answer_question(person.id, text, style))

    def find_utility_command(self, text: str) -> tuple[UtilityCommand, str] | None:
        """The command that a line names with its first words, and the words after them."""
        words = text.split()
        for command in self._utility_by_word.get(words[0].lower(), ()) if words else ():
            count = len(command.name_words)
            if tuple([word.lower() for word in words[:count]]) == command.name_words:
                return command, " ".join(words[count:])
        return None

    def run_utility_command(
        self, command: UtilityCommand, text: str, style: Style
    ) -> Iterator[AnswerMessage]:
        """Yield the pages one by one, so that others are served between them.

        Raises:
            UserError: The rule book does not understand the line.
        """
        try:
            pages = command.make_pages(text, style, SeededChance(self._make_seed()))
            for page in islice(pages, PAGES_MAX):
                yield bounded_answer(page)
        except Refusal as refusal:
            raise UserError(refusal.format(()), "not_understood") from refusal


def _offers(refusal: Refusal) -> bool:
    """Whether it says what may have been meant."""
    return bool(refusal.suggestion) or isinstance(refusal, AmbiguousInput)


def bounded_answer(lines: Sequence[StyledLine]) -> AnswerMessage:
    rows = tuple(lines[:ROWS_MAX])
    if left := len(lines) - len(rows):
        rows += (styled_line((f"... and {quantity(left, 'more row')}", "dim")),)
    return AnswerMessage(rows)
