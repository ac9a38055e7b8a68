"""One's own games by correspondence: the list of them, and how one goes from table to table.

Rule 1: what is listed are public facts, and what the person's own seat is asked: never who has
        answered in secret.  [G-11]
Rule 2: the lobby is a place to wait in: who goes there keeps the seat.
Rule 3: somebody who is elsewhere is told that a move is theirs, once in TOLD_EVERY_MS and again
        after a move of theirs; the prompt says it, too.  What was told by the process before is
        not told again.  That a game is over they are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from mudserver.accounts.person import Person
from mudserver.data_messages import YourMovesData
from mudserver.errors import UserError
from mudserver.messages import CallNotice, MovesWait, Notice, Page
from mudserver.outbox import Outbox
from mudserver.tables.manager import TableManager
from mudserver.tables.notices import DAY_MS, EXPIRY_DAYS
from mudserver.tables.offer_texts import ADJOURNED_MAX, TOO_MANY_ADJOURNED, adjourned_for
from mudserver.tables.summary import GameNow, SlowGame
from mudserver.tables.texts import GUESTS_PLAY_LIVE
from variants.kit.text import duration, join_words

IN_LOBBY = "You are in the lobby."
SEE_GAMES = "To see your games: go"
YOUR_MOVE = "It is your move at table {} ({}), {} left. To go there: go {}"
CALL = "It is your move at table {} ({}); {}."
OVER = "Your game at table {} ({}) is over."
SEE_END = " To see how it ended: go {}"
NEXT = "Next: table {}, {}. To go there: go"
LISTED_MAX = 5  # in one sentence
TOLD_EVERY_MS = 600_000
HERE = "You are at table {}. look shows it."
STAYS = "To leave table {}: leave"
NO_GAMES = "You play no game by correspondence. To open one: open {} correspondence"
PLAYING = "You play at table {} now. Finish that game, or leave it."
WAITS = " Table {} waits: {} left."
RESUME_HOW = ". To go on with an adjourned game: resume TABLE"
NOT_YOURS = "You have no seat at table {0}. To watch: watch {0}. For free seats: tables open"
YOU_ADJOURNED = "Your game at table {0} ({1}) is adjourned{2}. To go on: resume {0}"
YOU_ADJOURNED_MORE = "You have {} adjourned games{}. To see them: go"
LEFT = "You have left table {0}. To take your seat back: return {0}"


class OwnRow(NamedTuple):
    """A game of a list."""

    number: int  # of its table
    variant: str
    state: str  # `your move, 6 h left`, `bob to play`
    is_asked: bool


class OwnGames:
    def __init__(
        self,
        tables: TableManager,
        outbox: Outbox,
        now_ms: Callable[[], int],
        suggested: str,
        counts_moves: Callable[[str], bool] = lambda person: False,
    ) -> None:
        """Args:
        suggested: The game that is named to who has none.
        counts_moves: Whether the terminal of that person says how many games wait.
        """
        self._counts_moves = counts_moves
        self.on_end: Callable[[GameNow, Iterable[str]], None] = lambda game, people: None
        self._tables, self._outbox = tables, outbox
        self._now_ms, self._suggested = now_ms, suggested
        self._seen: dict[int, GameNow] = {}  # by table in memory, at the last look
        self._told_ms: dict[str, int] = {}  # when somebody was told, UTC; of the last TOLD_EVERY_MS

    def next_of(self, person: Person) -> int | None:
        """Another table, where the person is to move and has the shortest time; None: none."""
        here = self._tables.table_of(person.id)
        return next((it.number for it in self._asked_of(person.id) if it.number != here), None)

    def go(self, person: Person, number: int | None) -> Page | None:
        """Go to a table of one's own, which is in memory.

        Args:
            number: None: there is nowhere to go.

        Returns:
            The person's games, if there is nowhere to go; None: the table shows itself.

        Raises:
            UserError: A live game runs, the table is none of the person's, or a guest asks.
        """
        if person.is_guest:
            raise UserError(GUESTS_PLAY_LIVE)
        if number is None:
            return self.page(person)
        if number == self._tables.table_of(person.id):
            raise UserError(HERE.format(number))
        if number not in self._tables.places.all_of(person.id):
            self._tables.check_open(number)
            if number in self._tables.lists.tables_left(person.id):
                raise UserError(LEFT.format(number), "not_seated")
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

    def check_may_adjourn(self, person: Person) -> None:
        """UserError: the person has adjourned too many games."""
        adjourned = len(self._adjourned_of(person.id))
        if adjourned >= ADJOURNED_MAX:
            raise UserError(TOO_MANY_ADJOURNED.format(adjourned), "limit")

    def _adjourned_of(self, person: str) -> list[SlowGame]:
        return [it for it in self.games(person) if it.adjourned_for]

    def games(self, person: str) -> list[SlowGame]:
        """All of a person, first those that wait for a move of theirs, the shortest time first."""

        def key(it: SlowGame) -> tuple[bool, int, int]:
            return not it.is_asked, (it.deadline_ms or 0) if it.is_asked else 0, it.number

        return sorted(self._tables.lists.slow_games(person), key=key)

    def rows(self, person: Person) -> list[OwnRow]:
        """The same for a list."""
        return [
            OwnRow(it.number, it.variant, self.state(it), it.is_asked)
            for it in self.games(person.id)
        ]

    def states(self, person: Person) -> dict[int, str]:
        """What each of them waits for, by number of the table."""
        return {row.number: row.state for row in self.rows(person)}

    def page(self, person: Person) -> Page:
        """All games by correspondence of the person.  UserError: they may not be restored yet."""
        games = self.rows(person)
        data = YourMovesData(self._tables.lists.own_games(person.id))
        if not games:
            self._tables.restorer.check_restored()
            return Page("Your games", (NO_GAMES.format(self._suggested),), data=data)
        rows = [f"{it.number}\t{it.variant}, {it.state}" for it in games]
        is_adjourned = any(it.adjourned_for for it in self.games(person.id))
        rows += ["", "To go there: go TABLE" + RESUME_HOW * is_adjourned]
        return Page("Your games", tuple(rows), data=data)

    def state(self, game: SlowGame) -> str:
        """`your move, 6 h left`, `bob to play`."""
        if game.phase != "playing":
            return "the game is over" if game.phase == "over" else "waits for its players"
        if game.adjourned_for:
            ends = f", {soon}" if (soon := self._ends_soon([game])) else ""
            return adjourned_for(game.adjourned_for) + ends
        offer = ", an offer waits for your answer" if game.has_offer else ""
        if not game.is_asked:
            return f"{join_words(game.others)} to play{offer}"
        return f"your move, {self._left(game)} left{offer}"

    # -- your move -------------------------------------------------------------------------------

    def greeting(self, person: Person) -> str:
        """What is read at login; "": nothing waits."""
        return f"{self._moves(person)} {self._adjourned(person)}".strip()

    def in_lobby(self, person: Person) -> str:
        """What somebody reads there who types what belongs to a game; "": who has none.

        At which of several it was meant to be is never guessed.
        """
        if not self._tables.lists.has_others(person.id) or not self.games(person.id):
            return ""
        return f"{IN_LOBBY} {self._moves(person) or SEE_GAMES}"

    def _adjourned(self, person: Person) -> str:
        games = self._adjourned_of(person.id)
        if len(games) == 1:
            ends = f" and {soon}" if (soon := self._ends_soon(games)) else ""
            return YOU_ADJOURNED.format(games[0].number, games[0].variant, ends)
        ends = f"; the first {soon}" if (soon := self._ends_soon(games)) else ""
        return YOU_ADJOURNED_MORE.format(len(games), ends) if games else ""

    def _ends_soon(self, games: Iterable[SlowGame]) -> str:
        """`ends in 6 days`, of the adjourned game that ends first, in its last week; "": later."""
        left_ms = min([it.ends_ms - self._now_ms() for it in games if it.ends_ms], default=None)
        if left_ms is None or left_ms > EXPIRY_DAYS[0] * DAY_MS:
            return ""
        return f"ends in {duration(max(0, left_ms) / 1000)}"

    def _moves(self, person: Person) -> str:
        asked = self._asked_of(person.id)
        if not asked:
            return ""
        shown = [f"{it.number} ({it.variant}, {self._left(it)} left)" for it in asked[:LISTED_MAX]]
        if len(asked) == 1:
            return f"Your move at table {shown[0]}. go takes you there."
        more = [f"{len(asked) - LISTED_MAX} more"] if len(asked) > LISTED_MAX else []
        listed = ", ".join([*shown, *more])
        return f"Your move at {len(asked)} tables: {listed}. go takes you to the first."

    def turn_word(self, person: Person | None) -> str:
        """What the prompt says of other tables: `your move at 31`; "": nothing waits there."""
        if person is None or not self._tables.lists.has_others(person.id):
            return ""
        numbers = self._asked_elsewhere(person.id)
        if len(numbers) > 1:
            return f"your move at {len(numbers)} tables"
        return f"your move at {numbers[0]}" if numbers else ""

    def waiting_elsewhere(self, person: Person | None) -> int:
        """At how many other tables the person is to move."""
        if person is None or not self._tables.lists.has_others(person.id):
            return 0
        return len(self._asked_elsewhere(person.id))

    def _asked_elsewhere(self, person: str) -> list[int]:
        """Other tables than the own one, where the person is to move."""
        here = self._tables.table_of(person)
        return [it for it in self._tables.lists.asked_at(person) if it != here]

    def note_change(self, number: int) -> None:
        """The table may be another than it was: perhaps somebody is to move who is elsewhere."""
        now, before = self._tables.lists.game_at(number), self._seen.pop(number, None)
        if now is not None:
            self._seen[number] = now
        if before is None:  # the table is new here: what stood before was told
            for person in sorted(now.asked if now is not None and now.is_new else ()):
                self.tell_of_move(person, number)
            return
        if before.is_slow and before.is_playing and number not in self._tables.parking:
            is_over = now is None or not now.is_playing or now.game != before.game
            if is_over:
                here = before.here if now is None else before.here | now.here
                self.on_end(before, before.people - before.here)
                self._tell_of_end(before, before.people - here, is_there=now is not None)
        if now is None or not now.is_slow:
            return
        for person in sorted(now.asked - before.asked):
            self.tell_of_move(person, number)
        for person in sorted(before.asked - now.asked):
            self._tell_count(person)
            if self._tables.table_of(person) == number:
                self._told_ms.pop(person, None)
                self._tell_next(person, number)

    def _tell_of_end(self, game: GameNow, people: frozenset[str], *, is_there: bool) -> None:
        """Args: people: who are elsewhere; is_there: The table is open still."""
        text = OVER.format(game.table, game.variant) + (SEE_END.format(game.table) * is_there)
        call = OVER.format(game.table, game.variant)
        for person in sorted(it for it in people if self._outbox.has_inbox(it)):
            self._outbox.send(person, CallNotice(text, call))

    def tell_of_move(self, person: str, number: int) -> None:
        """The person is to move at that table, of whichever server."""
        if self._tables.table_of(person) == number or not self._outbox.has_inbox(person):
            return
        now_ms = self._now_ms()
        self._told_ms = {p: ms for p, ms in self._told_ms.items() if now_ms - ms < TOLD_EVERY_MS}
        if person in self._told_ms:
            self._tell_count(person)
            return
        game = next((it for it in self.games(person) if it.number == number), None)
        if game is None:  # it came here meanwhile
            return
        self._told_ms[person] = now_ms
        left = self._left(game)
        text = YOUR_MOVE.format(number, game.variant, left, number)
        self._outbox.send(person, CallNotice(text, CALL.format(number, game.variant, left)))

    def _tell_count(self, person: str) -> None:
        """Other games wait for the person than before, and no sentence says so."""
        if self._outbox.has_inbox(person) and self._counts_moves(person):
            self._outbox.send(person, MovesWait())

    def _tell_next(self, person: str, number: int) -> None:
        """The person has moved at a table; others wait."""
        others = [it for it in self._asked_of(person) if it.number != number]
        if others and self._outbox.has_inbox(person):
            self._outbox.send(person, Notice(NEXT.format(others[0].number, others[0].variant)))

    def _asked_of(self, person: str) -> list[SlowGame]:
        return [it for it in self.games(person) if it.is_asked]

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
