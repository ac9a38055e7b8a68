"""All tables: opening, finding, listing, restoring and closing them.

Rule 1: nothing here waits, but `close`.  Requests go to a table's queue, answers come by post.
Rule 2: a person is at one table at a time, in a seat or watching.  Who goes to another leaves the
        first, unless a game runs there: that seat has to be left in so many words.
Rule 3: lists show public facts only.  [L7]
Rule 4: a number is never used twice.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from random import Random
from typing import NamedTuple

from mudserver import tally
from mudserver.clock import Clock
from mudserver.config import Tables as Settings
from mudserver.errors import HouseError, JournalBroken
from mudserver.games import game_called
from mudserver.journal import Stored
from mudserver.messages import Happened, Notice, Shown
from mudserver.people import Person
from mudserver.post import Post
from mudserver.tables import codec, telling
from mudserver.tables import requests as r
from mudserver.tables.draft import SEED_BYTES, MakeChance
from mudserver.tables.export import exported
from mudserver.tables.facts import Record
from mudserver.tables.folding import pieces
from mudserver.tables.means import Bots, Journal, Means
from mudserver.tables.openers import FULL, Openers
from mudserver.tables.options import chosen
from mudserver.tables.restoring import Restoring
from mudserver.tables.runner import Runner
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Refusal
from variants.kit.chance import SeededChance

log = logging.getLogger(__name__)

STREAMS = "table/"
NO_TABLE = "You are at no table. tables shows them; sit NUMBER joins one."


class TableRow(NamedTuple):
    """A table as everybody may see it."""

    number: int
    variant: str
    phase: str  # "waiting", "playing", "over"
    people: str  # who sits there
    free: int  # seats
    watchers: int


class Hall:
    """Made in a running event loop."""

    def __init__(
        self,
        journal: Journal,
        post: Post,
        clock: Clock,
        bots: Bots,
        settings: Settings,
        *,
        catalogue: Catalogue,
        rng: Random | None = None,
        make_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        make_chance: MakeChance = SeededChance,
        news: Callable[[str], None] = lambda text: None,
        moved: Callable[[str, int | None], None] = lambda person, number: None,
    ) -> None:
        self._journal, self._clock, self._settings = journal, clock, settings
        self._catalogue, self._make_chance, self._news = catalogue, make_chance, news
        self._moved = moved
        self._rng = rng or Random(secrets.randbits(64))
        self._means = Means(journal, post, clock, bots, settings, make_seed)
        self._runners: dict[int, Runner] = {}
        self._where: dict[str, int] = {}  # person -> table, as committed
        self._bound: dict[str, int] = {}  # person -> table, on the way there
        self._openers = Openers(settings)
        self._last_number = journal.last_number(STREAMS)
        self.restoring = Restoring(journal, clock, self._set_up)

    # -- the house's day -----------------------------------------------------------------------

    def restore(self, within_s: float = inf) -> None:
        """Set up every open table as the journal has it.  Before the doors open.

        Each table's first request gives its clock the time back that the server was away.  A
        table that cannot be folded is logged and left in the journal for a better server.

        Args:
            within_s: What is not set up by then is set up while people come in.

        Raises:
            JournalBroken: A chain does not verify.
        """
        self.restoring.begin(self._journal.streams(STREAMS, is_open=True), within_s)

    def _set_up(self, stream: str, stored: Sequence[Stored]) -> Iterator[None]:
        """Fold a table, a piece between two steps; nobody finds it before the last one."""
        if not stored:
            raise JournalBroken("an open stream without records")
        variant = self._catalogue[codec.variant_name(stored[0].body)]
        number = int(stream.removeprefix(STREAMS))
        table = Table(number, variant, self._settings, self._make_chance)
        yield from pieces(table, stored)
        table.recover((), self._clock.now_ms())
        table.settings = self._settings  # there may be other ones by now
        runner = self._runner(table)
        self._where.update((person, number) for person in table.people())
        runner.submit(r.GiveBackTime("", self._journal.last_alive_ms))
        for person in sorted(runner.known):
            if self._means.post.is_open(person):  # in already, and waiting for this table
                self._moved(person, runner.table.number)
                runner.submit(r.Returned(person))
        runner.start()

    def take(self, settings: Settings) -> None:
        """Other limits, for open tables too."""
        self._settings = self._means.settings = settings
        self._openers.take(settings)
        for runner in self._runners.values():
            runner.take(settings)

    async def close(self) -> None:
        """Settle what is queued at every table, then stop them.  Nothing is half written."""
        await self.restoring.close()
        await asyncio.gather(*(runner.close() for runner in list(self._runners.values())))

    # -- opening and asking --------------------------------------------------------------------

    def open_table(
        self,
        person: Person,
        variant_name: str,
        typed: Mapping[str, str],
        has_autopass: bool = False,
    ) -> int:
        """Queue the opening of a table with *person* at it; returns its number.

        Raises:
            HouseError: No such game, a wrong option, too many tables, or a running game elsewhere.
        """
        variant = game_called(variant_name, self._catalogue)
        try:
            chosen(variant, typed)
        except Refusal as refusal:
            raise HouseError(refusal.say(())) from refusal
        self.restoring.check(self.table_of(person.id))
        if self._journal.is_full():
            tally.REFUSALS.add("size")
            raise HouseError(FULL)
        try:
            self._openers.check(person, self._hosts(), self._clock.monotonic())
        except HouseError:
            tally.REFUSALS.add("tables")
            raise
        self._leave_other(person.id, None)
        self._last_number = number = self._last_number + 1
        runner = self._runner(Table(number, variant, self._settings, self._make_chance))
        runner.table.host = person.id
        self._bound[person.id] = number
        first = r.Open(person.id, person.name, dict(typed), person.is_guest, has_autopass)
        runner.submit(first)
        runner.start()
        return number

    def submit(self, number: int, request: r.Request, payer: str = "") -> None:
        """Hand a request to a table.

        Args:
            payer: Whose changes at tables are counted; "": those of the person who asks.

        Raises:
            HouseError: No such table, too many changes, or (sit, watch) what the table would say,
                or a running game elsewhere.
        """
        runner = self._runners.get(number)
        is_own = self._bound.get(request.person) == number  # lines typed ahead of the opening
        if runner is None or not (runner.table.sequence or is_own):
            self.restoring.check()
            raise HouseError(f"There is no table {number}. tables lists those there are.")
        if isinstance(request, r.CHANGES):
            self._openers.check_change(payer or request.person, self._clock.monotonic())
        if isinstance(request, r.Sit | r.Watch):
            self.restoring.check(self.table_of(request.person))
            # Deciding changes nothing, so it can be tried before the first table is left.
            runner.table.decide(request, self._clock.now_ms())
            self._leave_other(request.person, number)
            self._bound[request.person] = number
        runner.submit(request)

    def dropped(self, person: str) -> None:
        """The person's last visit has ended."""
        if (runner := self._runner_of(person)) is not None:
            runner.submit(r.Dropped(person))

    def returned(self, person: str) -> None:
        """The person is in, on a new visit: the place and the full own view come by post."""
        if (runner := self._runner_of(person)) is not None:
            runner.submit(r.Returned(person))

    def heard(self, person: str) -> None:
        """The person typed something, anything: back in an away seat.  [G-09]"""
        runner = self._runner_of(person)
        if runner is not None and runner.table.is_away(person):
            runner.submit(r.Back(person))

    # -- asking without a queue ----------------------------------------------------------------

    def find(self, number: int) -> Table | None:
        """The table itself, to read.  None: there is none, or the journal does not have it yet."""
        runner = self._runners.get(number)
        return runner.table if runner is not None and runner.table.sequence else None

    def table_of(self, person: str) -> int | None:
        """Where the person is, or is going."""
        number = self._bound.get(person, self._where.get(person))
        return number if number in self._runners else None

    def is_playing(self, person: str) -> bool:
        """Whether the person has a seat in a running game."""
        table = self._table_of(person)
        return table is not None and table.is_playing and table.seat_of(person) is not None

    def look(self, person: str, why: str = "look") -> Shown | Notice:
        """The person's own view, or a line about the table before its first game.

        Raises:
            HouseError: The person is at no table.
        """
        table = self._here(person)
        return table.view_for(person, why) or Notice(telling.about(table))

    def history(self, person: str) -> list[Happened]:
        """The running or last game as the person has heard it.  HouseError: at no table."""
        return self._here(person).history_for(person)

    def export(self, person: str) -> str:
        """The finished game at the person's table as JSON lines; HouseError if there is none."""
        game = self._here(person).game
        if game is None:
            raise HouseError("No game has been played at this table yet.")
        return exported(game)

    def rows(self) -> list[TableRow]:
        """Every table, by number."""
        return [
            TableRow(
                number,
                table.variant.name,
                table.phase,
                telling.listed(table.seats),
                0 if table.is_playing else table.options.seats - len(table.roster),
                len(table.watchers),
            )
            for number, table in sorted(self._tables())
        ]

    def open_count(self) -> int:
        return len(self._runners) + self.restoring.left()

    def guests_offline(self) -> Iterator[Person]:
        """Guests whose seat waits for them."""
        for _, table in self._tables():
            for o in table.seats:
                if o.is_guest and o.person is not None and o.person not in table.online:
                    yield Person(o.person, o.name, is_guest=True)

    # -- inside --------------------------------------------------------------------------------

    def _runner(self, table: Table) -> Runner:
        rng = Random(self._rng.getrandbits(64))
        runner = self._runners[table.number] = Runner(table, self._means, rng, self._settled)
        return runner

    def _runner_of(self, person: str) -> Runner | None:
        number = self.table_of(person)
        return None if number is None else self._runners[number]

    def _table_of(self, person: str) -> Table | None:
        runner = self._runner_of(person)
        return None if runner is None else runner.table

    def _here(self, person: str) -> Table:
        table = self._table_of(person)
        self.restoring.check(self.table_of(person))
        if table is None or table.sequence == 0:
            raise HouseError(NO_TABLE)
        return table

    def _tables(self) -> Iterator[tuple[int, Table]]:
        """Those that exist for everybody: the journal has them."""
        for number, runner in self._runners.items():
            if runner.table.sequence > 0:
                yield number, runner.table

    def _leave_other(self, person: str, number: int | None) -> None:
        other = self.table_of(person)
        if other is None or other == number:
            return
        table = self._runners[other].table
        if self.is_playing(person) and not table.is_out(person):
            raise HouseError(
                f"You play at table {other}. To give your seat there to a computer player: leave"
            )
        self._runners[other].submit(r.Stand(person))

    def _hosts(self) -> dict[int, str]:
        return {number: runner.table.host for number, runner in self._runners.items()}

    def _settled(self, runner: Runner, request: r.Request, record: Record | None) -> None:
        table, number = runner.table, runner.table.number
        if self._bound.get(request.person) == number and isinstance(
            request, r.Open | r.Sit | r.Watch
        ):
            del self._bound[request.person]
        here = set() if table.is_closed else table.people()
        for person in runner.known - here:
            if self._where.get(person) == number:
                del self._where[person]
                self._moved(person, self.table_of(person))
        for person in here - runner.known:
            self._where[person] = number
            self._moved(person, number)
        runner.known = here
        if record is not None:
            for fact in record.facts:
                if text := telling.news(table, fact):
                    self._news(text)
        if table.is_closed:
            self._runners.pop(number, None)
