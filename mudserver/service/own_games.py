"""One's own games by correspondence: the list of them, and how one goes from table to table.

Rule 1: what is listed are public facts, and what the person's own seat is asked: never who has
        answered in secret.  [G-11]
Rule 2: the lobby is a place to wait in: who goes there keeps the seat.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.accounts.person import Person
from mudserver.data_messages import YourMovesData
from mudserver.errors import UserError
from mudserver.messages import Page
from mudserver.tables.manager import TableManager
from mudserver.tables.summary import SlowGame
from variants.kit.text import duration, join_words

IN_LOBBY = "You are in the lobby."
HERE = "You are at table {}. look shows it."
STAYS = "To leave table {}: leave"
NO_GAMES = "You play no game by correspondence. To open one: open {} correspondence"
PLAYING = "You play at table {} now. Finish that game, or leave it."
WAITS = " Table {} waits: {} left."
NOT_YOURS = "You have no seat at table {0}. To take one: sit {0}. To watch: watch {0}"


class OwnGames:
    def __init__(self, tables: TableManager, now_ms: Callable[[], int], suggested: str) -> None:
        """Args: suggested: The game that is named to who has none."""
        self._tables, self._now_ms, self._suggested = tables, now_ms, suggested

    def go(self, person: Person, number: int | None) -> Page | None:
        """Go to a table of one's own.

        Args:
            number: None: where the person is to move and has the shortest time.

        Returns:
            The person's games, if there is nowhere to go; None: the table shows itself.

        Raises:
            UserError: A live game runs, or the table is none of the person's.
        """
        here = self._tables.table_of(person.id)
        if number is None:
            games = self.games(person.id)
            others = [it.number for it in games if it.is_asked and it.number != here]
            if not others:
                return self.page(person)
            number = others[0]
        if number == here:
            raise UserError(HERE.format(number))
        if number not in self._tables.places.all_of(person.id):
            self._tables.check_open(number)
            raise UserError(NOT_YOURS.format(number), "not_seated")
        self._check_may_go(person, number)
        self._tables.go(person.id, number)
        return None

    def to_lobby(self, person: Person) -> None:
        """UserError: the person is there, or at a table that has to be left."""
        place = self._tables.seat_status(person.id)
        if place is None:
            raise UserError(IN_LOBBY)
        if place.seat is None or not place.is_slow:
            raise UserError(STAYS.format(place.table), tables=(place.table,))
        self._tables.leave_other(person.id)

    def games(self, person: str) -> list[SlowGame]:
        """All of a person, first those that wait for a move of theirs, the shortest time first."""

        def key(it: SlowGame) -> tuple[bool, int, int]:
            return not it.is_asked, (it.deadline_ms or 0) if it.is_asked else 0, it.number

        return sorted(self._tables.slow_games(person), key=key)

    def page(self, person: Person) -> Page:
        """All games by correspondence of the person."""
        games = self.games(person.id)
        data = YourMovesData(self._tables.own_games(person.id))
        if not games:
            return Page("Your games", (NO_GAMES.format(self._suggested),), data=data)
        rows = [f"{it.number} {it.variant}\t{self.state(it)}" for it in games]
        rows += ["", "To go there: go TABLE. go alone: to the first one"]
        return Page("Your games", tuple(rows), data=data)

    def state(self, game: SlowGame) -> str:
        """`your move, 6 h left`, `bob to play`."""
        if game.phase != "playing":
            return "the game is over" if game.phase == "over" else "waits for its players"
        if not game.is_asked:
            return f"{join_words(game.others)} to play"
        return f"your move, {self._left(game)} left"

    def _left(self, game: SlowGame) -> str:
        return duration(max(0, (game.deadline_ms or 0) - self._now_ms()) / 1000)

    def _check_may_go(self, person: Person, number: int) -> None:
        """UserError: a live game runs where the person is."""
        place = self._tables.seat_status(person.id)
        if place is None or not place.is_bound:
            return
        waiting = [it for it in self.games(person.id) if it.number == number and it.is_asked]
        more = WAITS.format(number, self._left(waiting[0])) if waiting else ""
        raise UserError(PLAYING.format(place.table) + more, tables=(place.table,))
