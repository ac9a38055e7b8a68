"""All tables: opening, finding, listing, restoring and closing them.

Rule 1: nothing here waits, except `close`.  Requests go to a table's queue, answers come through
        the outbox.
Rule 2: lists show public facts only.  [SEC-7]
Rule 3: the number of a table is never used again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from math import inf
from random import Random
from typing import Literal

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.bots.interface import BotClient
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.journal import Journal
from mudserver.journal.numbers import Numbers
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.messages import EventMessage, Notice, ViewMessage
from mudserver.outbox import Outbox
from mudserver.source_budgets import LOCAL, Hold, Kind, SourceBudgets
from mudserver.tables import advice, codec, notifications, texts
from mudserver.tables import requests as r
from mudserver.tables.charges import SourceOf, TableCharges
from mudserver.tables.countdown_messages import what_it_waits_for
from mudserver.tables.decide import decide
from mudserver.tables.game import Game
from mudserver.tables.game_facts import ChanceFactory
from mudserver.tables.last_games import LastGames
from mudserver.tables.leaving import LeavingTables
from mudserver.tables.lost_seats import LostSeats
from mudserver.tables.matching import PassedOver, best_table, may_sit
from mudserver.tables.offers import asked_now
from mudserver.tables.open_tables import OpenTables
from mudserver.tables.openings import Announce, Openings, announce_nothing
from mudserver.tables.options import TableOptions, parse_typed_options
from mudserver.tables.parked import Parked
from mudserver.tables.parking import Left, Parking
from mudserver.tables.permissions import RULES, is_allowed
from mudserver.tables.places import Places
from mudserver.tables.planned import OwnPlan, own_plan
from mudserver.tables.private_codes import PrivateCodes
from mudserver.tables.rated_start import WhyUnrated, never_rated
from mudserver.tables.records import Closed, Ended, OfferKind, Record, Stood
from mudserver.tables.replaced_person import NOBODY_HAS_CHANGED, PeopleNow, knows, missing
from mudserver.tables.restore import TableRestorer
from mudserver.tables.result import export_game
from mudserver.tables.round_tables import RoundTables
from mudserver.tables.runner import TableRunner
from mudserver.tables.searching_tables import SearchingTables
from mudserver.tables.services import (
    AppendOpened,
    AppendResult,
    TableServices,
    opened_alone,
    record_alone,
)
from mudserver.tables.summary import (
    ClockStatus,
    Reading,
    SeatStatus,
    TurnOptions,
)
from mudserver.tables.table import BYTES_MAX, Table
from mudserver.tables.table_limits import TableLimits, check_journal_room
from mudserver.tables.waiting import WrongCode
from variants.catalogue import AnyVariant, Catalogue
from variants.contract import Seat
from variants.kit.chance import SEED_BYTES, SeededChance
from variants.kit.text import Style, StyledLine

log = logging.getLogger(__name__)

EXPERT_TABLES_MAX = 8  # where nothing else is said

OnRestored = Callable[[int, int | None], None]
"""Told of a table of another process, and of when that was last alive, UTC ms."""


class TableManager:
    """All tables of one server.  Make it in a running event loop."""

    def __init__(
        self,
        journal: Journal,
        outbox: Outbox,
        clock: Clock,
        bots: BotClient,
        config: TablesConfig,
        *,
        catalogue: Catalogue,
        rng: Random | None = None,
        budgets: SourceBudgets,
        source_of: SourceOf,
        make_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        make_chance: ChanceFactory = SeededChance,
        bytes_max: int = BYTES_MAX,
        expert_tables_max: int = EXPERT_TABLES_MAX,
        announce: Announce = announce_nothing,
        on_move: Callable[[str, int | None], None] = lambda person, number: None,
        append_result: AppendResult | None = None,
        append_opened: AppendOpened | None = None,
        why_unrated: WhyUnrated = never_rated,
        people: PeopleNow = NOBODY_HAS_CHANGED,
        is_program: Callable[[str], bool] = lambda person: False,
        on_change: Callable[[int], None] = lambda number: None,
    ) -> None:
        self._is_program, self._on_change = is_program, on_change
        self.on_restored: OnRestored = lambda number, alive_ms: None
        self._journal, self._clock, self._config = journal, clock, config
        self._catalogue, self._make_chance, self._bytes_max = catalogue, make_chance, bytes_max
        self._rng = rng or Random(secrets.randbits(64))
        self._runners: dict[int, TableRunner] = {}
        self.parking = Parking(
            *(journal, clock, self._runners, self._make_table, self._fetched),
            lambda number, people: self.places.note_parked(number, people),
            people,
        )
        self.parking.on_closed = on_change
        self.places = Places(self._runners, outbox, on_move, self.parking.__contains__)
        self._services = TableServices(
            *(journal, outbox, clock, bots, config, make_seed, on_move, budgets),
            *(source_of, SearchingTables(expert_tables_max)),
            append_result or record_alone(journal),
            append_opened or opened_alone(journal),
            *(why_unrated, people),
            is_elsewhere=self.places.is_elsewhere,
        )
        self.leaving = LeavingTables(
            *(self._runners, self.parking, self.places, self._services.searching)
        )
        self._returning: dict[str, r.Reconnect] = {}  # while tables are restored, by person
        self.limits, self.codes = TableLimits(config), PrivateCodes(budgets)
        self._passed_over, self._lost_seats = PassedOver(clock), LostSeats()
        self._last_games, self.openings = LastGames(), Openings(announce)
        self._numbers = Numbers(journal, TABLE_STREAMS.prefix)
        self.restorer = TableRestorer(
            *(journal, clock, self._make_table, self._take_up, self.parking.load),
            lambda number: number in self._runners or number in self.parking,
        )
        self.rounds = RoundTables(
            *(self._services, self.places, self._runners, self.parking, self._numbers.take),
            lambda number, name: self._new_table(number, find_variant(name, catalogue)),
            self._runner,
        )
        self.lists = OpenTables(
            *(self._runners, self.parking, self.places, self.restorer.pending_count),
            clock.now_ms,
        )

    # -- start and end -------------------------------------------------------------------------

    async def restore(self, within_s: float = inf) -> None:
        """Restore every open table from the journal.  Call it before the listeners open.

        Each table's first request gives its clock back the time that the server was down.

        Args:
            within_s: Seconds; later tables are restored in the background.

        Raises:
            JournalCorruptError: A chain does not verify.
        """
        await self._numbers.fill()
        await self.restorer.start(within_s)

    def _make_table(self, number: int, first: bytes) -> Table:
        return self._new_table(number, self._catalogue[codec.variant_name(first)])

    def _new_table(self, number: int, game: AnyVariant) -> Table:
        return Table(number, game, self._config, self._make_chance, self._bytes_max)

    def _take_up(self, table: Table) -> None:
        """A table is replayed: let people find it."""
        table.note_restart(self._clock.now_ms())
        table.config, table.bytes_max = self._config, self._bytes_max  # reloaded meanwhile, perhaps
        runner = self._runner(table)
        self._services.searching.note(table)
        self.places.take_up(table)
        alive_ms = self.restorer.alive_ms(table)
        self.on_restored(table.number, alive_ms)
        runner.submit(r.GiveBackTime("", alive_ms))
        for request in missing(table, self._services.people):
            runner.submit(request)
        for person in sorted(it for it in runner.known_people if self.table_of(it) == table.number):
            self._services.on_move(person, runner.table.number)
            if self._services.outbox.has_inbox(person):  # online, and waiting for this table
                runner.submit(self._returning.pop(person, r.Reconnect(person)))
        self._on_change(table.number)  # before its first record is written
        runner.start()

    def _fetched(self, table: Table, row: Parked, left: Left) -> None:
        """A parked table is in memory again: its people have their places still."""
        table.note_restart(self._clock.now_ms())
        table.config, table.bytes_max, table.code = self._config, self._bytes_max, left.code
        table.offline_since_ms.update(row.offline_ms)
        runner = self._runner(table, charges=left.charges)
        self._services.searching.note(table)
        self._on_change(table.number)  # before anything is decided there
        runner.submit(r.Tick(""))
        for request in missing(table, self._services.people):
            runner.submit(request)
        runner.start()

    async def fetch(self, number: int) -> None:
        """Have the table in memory, if it is parked.  Errors: as of `Parking.fetch`."""
        await self.parking.fetch(number)

    def reconfigure(self, config: TablesConfig, bytes_max: int = BYTES_MAX) -> None:
        """Apply other limits, to open tables too.

        Args:
            bytes_max: Of the records of one table.
        """
        self._bytes_max = bytes_max
        self._config = self._services.config = config
        self.limits.reconfigure(config)
        for runner in self._runners.values():
            runner.table.bytes_max = bytes_max
            runner.reconfigure(config)

    def busy(self) -> set[int]:  # where requests wait
        return {number for number, runner in self._runners.items() if runner.is_busy}

    def is_settling(self, person: str) -> bool:  # the own table has not answered all yet
        return (runner := self.places.runner_of(person)) is not None and runner.is_busy

    async def close(self) -> None:
        """Settle what is queued at every table, then stop them."""
        await asyncio.gather(self.restorer.close(), self.parking.close(), self._numbers.close())
        await asyncio.gather(*(runner.close() for runner in list(self._runners.values())))

    # -- requests ------------------------------------------------------------------------------

    def open_table(
        self,
        person: Person,
        variant_name: str,
        typed: Mapping[str, str],
        has_autopass: bool = False,
        *,
        is_play: bool = False,
        is_practice: bool = False,
        taken: r.TakenSeek = r.NO_SEEK,
    ) -> int:
        """Queue the opening of a table with *person* at it; returns its number.

        Raises:
            UserError: No such game, a wrong option, too many tables or games, or a running game
                elsewhere.
        """
        variant = find_variant(variant_name, self._catalogue)
        options = parse_typed_options(variant, typed)
        if options.is_correspondence and is_play:
            word = "practice" if is_practice else "play"
            raise UserError(texts.PLAY_IS_LIVE.format(word, variant.name))
        if options.is_correspondence and person.is_guest:
            raise UserError(texts.GUESTS_PLAY_LIVE)
        self.restorer.check_restored(self.table_of(person.id))
        check_journal_room(person, self._journal.level())
        if source := self._services.source_of(person.id):
            self._services.budgets.check_debt(Kind.DECISIONS, source)
        kind = Kind.CORRESPONDENCE if options.is_correspondence else Kind.TABLES
        place = self._services.budgets.hold(kind, source or LOCAL)
        try:
            self._check_open(person, is_slow=options.is_correspondence)
            number = self._numbers.take()
            self.leave_other(person.id)
        except UserError:
            place.release()
            raise
        runner = self._runner(self._new_table(number, variant), source, place)
        runner.table.host = person.id
        self.places.expect(person.id, number)
        who = person.id, person.name, dict(typed), person.is_guest, has_autopass
        first = r.Open(*who, is_play=is_play, is_practice=is_practice, taken=taken)
        runner.submit(self._completed(runner, first))
        runner.start()
        return number

    def sit_when_open(self, number: int, request: r.Sit) -> None:
        """Have somebody else sit down at a table that is about to be open.

        The caller has asked `check_may_go` and `limits`.
        """
        runner = self._runners[number]
        self.leave_other(request.person, number)
        self.places.expect(request.person, number)
        self.openings.expect(number, request.person)
        runner.submit(self._completed(runner, request))

    def _check_open(self, person: Person, *, is_slow: bool) -> None:
        now_s = self._clock.monotonic()
        try:
            if is_slow:
                opened = sum(game.is_opener for game in self.lists.slow_games(person.id))
                seats, open_now = self.lists.slow_seats(person.id), self.lists.slow_count()
                self.limits.check_correspondence(person, seats, opened, open_now, now_s)
                return
            tables = [(n, it.table) for n, it in self._runners.items() if not it.table.is_slow]
            hosts = {number: table.host for number, table in tables}
            self.limits.check_open(person, hosts, now_s)
        except UserError:
            metrics.REFUSALS.increment("tables")
            raise

    def submit(self, number: int, request: r.Request, rate_limit_key: str = "") -> None:
        """Hand a request to a table.

        Args:
            rate_limit_key: On which plays and changes at tables are counted; "": the person.

        Raises:
            UserError: No such table, too many changes or plays, a running game elsewhere, or
                (sit, watch) a refusal of the table.
        """
        if number in self.parking:
            again = partial(self._submit_fetched, number, request)
            return self.parking.fetch_later(number, again)
        runner = self._runners.get(number)
        # Input typed ahead, while the own table is still being opened.
        is_own = self.places.is_expected(request.person, number)
        if runner is None or not (runner.table.sequence or is_own):
            self.restorer.check_restored()
            raise UserError(texts.NO_SUCH_TABLE.format(number), "not_found")
        if isinstance(request, r.MarkAnswered):
            return runner.submit(request)
        key, now_s = rate_limit_key or request.person, self._clock.monotonic()
        if isinstance(request, r.RATE_LIMITED_REQUESTS):
            self.limits.check_change(key, now_s)
        self.limits.count(key, now_s, is_play=isinstance(request, r.Play))
        if isinstance(request, r.Sit | r.Watch | r.Substitute):
            self.restorer.check_restored(self.table_of(request.person))
            # Deciding changes nothing, so try it before the person leaves the first table.
            request = self._completed(runner, request)
            takes_over = isinstance(request, r.Substitute)  # no seat, if there is one already
            if not takes_over and self.places.has_further(request.person, number):
                return self.go(request.person, number)
            if runner.table.sequence:  # else it answers when it is open
                self._try(runner.table, request)
                if runner.table.is_slow and not isinstance(request, r.Watch):
                    self.limits.check_seats(self.lists.slow_seats(request.person))
            self.leave_other(request.person, number)
            self.places.expect(request.person, number)
        runner.submit(self._completed(runner, request))

    def _submit_fetched(self, number: int, request: r.Request) -> None:
        with suppress(UserError):  # it has closed meanwhile
            self.submit(number, request)

    def replace_person(self, old: str, person: Person) -> None:
        """The person of id *old* is *person* now, at each table that remembers *old*."""
        for number in self.parking.rows.knowing(old):
            self.submit(number, r.ReplacePerson(old, person.id, person.name))
        self._last_games.replace_person(old, person.id)
        here = self.places.replace_person(old, person.id)
        for number, runner in self._runners.items():
            if number == here or knows(runner.table, old):
                runner.submit(r.ReplacePerson(old, person.id, person.name))

    def give_up_seat(self, person: str, why: Literal["banned", "deleted"] = "banned") -> None:
        """The person has to go: a computer player takes over a running game."""
        for number in self.places.all_of(person):
            with suppress(UserError):  # a seat at a table that is closing
                self.submit(number, r.Leave(person, why=why))

    def go(self, person: str, number: int) -> None:
        """To another table where the person has a seat.  UserError: as of `check_may_go`."""
        self.leave_other(person, number)
        self.places.return_to(person, number)

    def check_open(self, number: int) -> None:
        """UserError: there is no such table."""
        if number not in self._runners and number not in self.parking:
            self.restorer.check_restored()
            raise UserError(texts.NO_SUCH_TABLE.format(number), "not_found")

    def close_table(self, number: int, reason: str) -> None:
        """UserError: there is no such table."""
        request = r.CloseByStaff("", reason)
        if number not in self.parking:
            return self.submit(number, request)
        again = partial(self._submit_fetched, number, request)
        self.parking.fetch_later(number, again, Closed("moderator", reason=reason))

    def _try(self, table: Table, request: r.Request) -> None:
        """Decide *request* and drop the answer.  UserError: it would be refused."""
        source = self._services.source_of(request.person) or LOCAL
        if isinstance(request, r.Sit | r.Watch) and request.code:
            self.codes.check(source)
        try:
            decide(table, request, self._clock.now_ms())
        except WrongCode:
            self.codes.note_wrong(source)
            raise

    def table_with_code(self, person: str, code: str, others: Iterable[tuple[int, str]]) -> int:
        """As `PrivateCodes.find`, among the tables here and *others*."""
        self.restorer.check_restored()
        source = self._services.source_of(person) or LOCAL
        return self.codes.find(source, code, chain(self.lists.code_hashes(), others))

    # -- play ----------------------------------------------------------------------------------

    def best_table(self, request: r.Sit, typed: TableOptions, variant: str,
                   avoids: Callable[[Collection[str]], bool]) -> int | None:  # fmt: skip
        """The table where *request* sits down best; None: none.

        Args:
            typed: The options that the table must have.
            avoids: Whether the person shall not sit with one of these people.
        """

        def is_avoided(number: int, table: Table) -> bool:
            return self._passed_over.has(request.person, number) or avoids(
                [*table.seated, table.host]
            )

        now_ms = self._clock.now_ms()
        return best_table(self.lists.in_memory(), request, typed, variant, is_avoided, now_ms)

    def pass_over(self, person: str, *, is_rated: bool) -> str:
        """May the person go from a waiting table where others sit, or from one that waits for more
        people than the person wants to: `play` finds another one.  UserError: in a game.

        Returns:
            What the person's table waits for, if it is not to be left; "": it may be, or none.
        """
        number = self.table_of(person)
        table = None if number is None else self.lists.find(number)
        if number is None or table is None or table.seat_of(person) is None or table.is_slow:
            return ""
        if table.binds(person):
            raise UserError(texts.IN_A_GAME.format(number), tables=(number,))
        waits_for = what_it_waits_for(table, self._clock.now_ms(), is_rated=is_rated)
        if waits_for or table.is_playing:
            return waits_for
        self._passed_over.note(person, number)
        return ""

    def last_game(self, person: str) -> str:
        """The game of the person's table, or the one finished last since the start; "": none."""
        number = self.table_of(person)
        table = None if number is None else self.lists.find(number)
        return self._last_games.of(person) if table is None else table.variant.name

    def _completed(self, runner: TableRunner, request: r.Request) -> r.Request:
        """*request* with what its sender does not say."""
        if isinstance(request, r.Start):
            return replace(request, seen=runner.seen_changes(request.person))
        if isinstance(request, r.Open | r.Sit | r.Substitute) and request.is_guest:
            return replace(request, source=self._services.source_of(request.person))
        return request

    def on_disconnect(self, person: str) -> None:
        """The person's last session has ended."""
        self._returning.pop(person, None)
        if (runner := self.places.runner_of(person)) is not None:
            runner.submit(r.Disconnect(person))

    def on_reconnect(
        self, person: str, *, is_silent: bool = False, seen: int | None = None
    ) -> None:
        """A new session of the person: the location and the own view follow through the outbox,
        or what became of the seat meanwhile.  Args: as of `requests.Reconnect`."""
        self.places.return_to(person)
        request = r.Reconnect(person, is_silent, seen)
        if (runner := self.places.runner_of(person)) is not None:
            runner.submit(request)
        elif lost := self._lost_seats.take(person):
            self._services.outbox.send(person, Notice(lost))
        elif self.restorer.pending_count():  # the table may be among them
            self._returning[person] = request
        for number in self.parking.rows.live_of(self.places.all_of(person)):
            self.parking.fetch_later(number, partial(self.places.return_to, person))

    def table_at(self, person: str) -> Table | None:
        """The person's table, to be read; None: there is none, or the journal does not have it."""
        runner = self.places.runner_of(person)
        return None if runner is None or not runner.table.sequence else runner.table

    def on_input(self, person: str) -> None:
        """The person typed anything: nobody who types is away.  [G-09]"""
        runner = self.places.runner_of(person)
        if runner is not None and runner.table.wants_to_know_of_typing(person):
            runner.submit(r.OwnerTyped(person))

    # -- reading without the queue -------------------------------------------------------------

    def table_of(self, person: str) -> int | None:
        """Where the person is, or is going."""
        return self.places.number_of(person)

    def may(self, person: str, command: str) -> bool:
        """Whether *command* works for the person at the own table now, as far as the list says."""
        table = self.table_at(person)
        if table is None or table.is_closed:
            return False
        return command not in RULES or is_allowed(table, person, command)

    def asked_to_agree(self, person: str, now_ms: int) -> OfferKind | None:
        """The offer at the person's table that waits for the person's answer; None: none does.

        UserError: it has ended just now.
        """
        table = self.table_at(person)
        return None if table is None else asked_now(table, person, now_ms)

    def is_playing(self, person: str) -> bool:
        """Whether the person has a seat in a running game."""
        table = self.places.table_of(person)
        return table is not None and table.is_playing and table.seat_of(person) is not None

    def is_in_rated_game(self, person: str) -> bool:
        """Whether the person has a seat in a running game that counts for ratings."""
        place = self._game_and_seat(person)
        return place is not None and not place[0].is_over and place[0].is_rated

    def seat_status(self, person: str) -> SeatStatus | None:
        """Where the person is.  None: at no table, or the journal does not have it yet."""
        table = self.table_at(person)
        return None if table is None else table.seat_status(person)

    def options_of(self, person: str) -> tuple[int, list[str]]:
        """The person's table and its options, each as it is typed.  UserError: at no table."""
        table = self._require_table(person)
        return table.number, table.options.assignments()

    def accepts_empty_line(self, person: str) -> bool:
        """Whether an empty line is a play of this person now; of who is away it only ends that."""
        place = self._game_and_seat(person)
        if place is None or place[0].seats[place[1]].is_away:
            return False
        return place[0].takes_empty(place[1])

    def window_key(self, person: str) -> str:
        """What the person's table waits for (`Table.window_key`); "": nothing, or no table."""
        return "" if (table := self.table_at(person)) is None else table.seen_by(person).window_key

    def reads(self, person: str, line: str) -> Reading | None:
        """How the game reads a line of a seat.  None: no seat in a game, or what has been typed
        before is not settled yet, so that nobody can say."""
        runner, place = self.places.runner_of(person), self._game_and_seat(person)
        if runner is None or place is None or runner.is_busy:
            return None
        game, seat = place
        return game.reads(seat, line)

    def turn_options(self, person: str) -> TurnOptions | None:
        """What the person's seat sees and may type.  None: no seat in a game."""
        table, place = self.table_at(person), self._game_and_seat(person)
        if table is None or place is None:
            return None
        game, seat = place
        window = None if game.window is None else game.window.key
        return TurnOptions(
            *(table.number, table.variant.name, game.number, window),
            *(seat, game.view(seat), game.names, game.moves(seat)),
        )

    def clock_status(self, person: str) -> ClockStatus | None:
        """The clock of the game at the person's table; None: no game runs there."""
        table = self.table_at(person)
        return None if table is None else table.clock_status(person)

    def moves_for_view(self, message: ViewMessage) -> tuple[str, ...] | None:
        """What the seat of *message* may type, if its game still stands as the message shows it."""
        table = self.lists.find(message.table)
        return None if table is None else table.moves_for_view(message)

    def has_game(self, person: str) -> bool:
        """Whether a game is played, or was played last, at the person's table."""
        table = self.table_at(person)
        return table is not None and table.game is not None

    def answer_question(self, person: str, text: str, style: Style) -> Sequence[StyledLine]:
        """What the game answers.  UserError: no game yet, or it does not know the question."""
        return advice.answer_question(self.table_at(person), person, text, style)

    def advised_seat(self, person: str) -> advice.AdvisedSeat:
        """What a hint for the person starts from.  UserError: there is none."""
        return advice.advised_seat(self.table_at(person), person)

    def own_decisions(self, person: str) -> tuple[str, Iterator[advice.OwnDecision]]:
        """What a review looks at.  UserError: there is no finished game."""
        return advice.own_decisions(self.table_at(person), person)

    def has_hints(self, person: str) -> bool:
        """Whether the person's seat has hints in the running game."""
        place = self._game_and_seat(person)
        return place is not None and not place[0].is_over and place[0].has_hints

    def look(self, person: str, why: str = "look") -> ViewMessage | Notice:
        """The own view, or a line about the table before its first game.  UserError: no table."""
        table = self._require_table(person)
        return table.view_for(person, why) or Notice(notifications.describe_table(table, person))

    def history(self, person: str) -> list[EventMessage]:
        """The running or last game, as the person knows it.  UserError: at no table."""
        return self._require_table(person).history_for(person)

    def export_game(self, person: str) -> str:
        """The finished game at the person's table as JSON lines; UserError: there is none."""
        return export_game(self._require_table(person).game)

    def own_plan(self, person: str) -> OwnPlan:
        """The moves that the person keeps for later.  UserError: none can be kept there."""
        return own_plan(self._require_table(person), person)

    def can_sit(self, number: int, request: r.Sit) -> bool:
        """Whether the table takes who would sit down there."""
        if (runner := self._runners.get(number)) is None:  # parked: a game runs
            return False
        return may_sit(runner.table, self._completed(runner, request), self._clock.now_ms())

    # -- inside --------------------------------------------------------------------------------

    def _runner(
        self,
        table: Table,
        source: str = "",
        place: Hold | None = None,
        charges: TableCharges | None = None,
    ) -> TableRunner:
        """Args: as for `TableCharges`, or what it was before."""
        table.is_program = self._is_program
        rng, services = Random(self._rng.getrandbits(64)), self._services
        if charges is None:
            charges = TableCharges(services.budgets, services.source_of, source, place)
        runner = self._runners[table.number] = TableRunner(
            *(table, services, charges, rng, self._on_settled, self._on_parked)
        )
        return runner

    def _game_and_seat(self, person: str) -> tuple[Game, Seat] | None:
        table = self.table_at(person)
        return None if table is None else table.game_seat_of(person)

    def _require_table(self, person: str) -> Table:
        table = self.places.table_of(person)
        self.restorer.check_restored(self.table_of(person))
        if table is None or table.sequence == 0:
            raise UserError(texts.NO_TABLE, "not_seated")
        return table

    def check_may_go(self, person: str) -> None:
        """UserError: the person may not leave the own table for another one without `leave`."""
        other = self.table_of(person)
        is_passed_over = other is not None and self._passed_over.has(person, other)
        self.places.check_may_go(person, is_passed_over)

    def leave_other(self, person: str, number: int | None = None) -> None:
        """Leave the own table, unless it is *number*.  UserError: as of `check_may_go`."""
        if (other := self.table_of(person)) is not None and other != number:
            self.check_may_go(person)
            self.places.leave(person)

    def _follow_presence(self, runner: TableRunner, person: str) -> None:
        """The person may have come or gone before the table knew the new id."""
        is_here, is_known = self._services.outbox.has_inbox(person), person in runner.table.online
        if person in runner.known_people and is_here != is_known:
            runner.submit(r.Reconnect(person) if is_here else r.Disconnect(person))

    def _on_parked(self, runner: TableRunner, row: Parked) -> None:
        self.parking.keep(runner, row)
        self._on_change(row.number)

    def _on_settled(self, runner: TableRunner, request: r.Request, record: Record | None) -> None:
        table, number = runner.table, runner.table.number
        self.places.settle(runner, request)
        if isinstance(request, r.ReplacePerson):
            self._follow_presence(runner, request.new)
        if record is not None:
            for fact in record.facts:
                if isinstance(fact, Ended):
                    self._last_games.note(table.seated, table.variant.name)
                if isinstance(fact, Stood) and not fact.is_gone:
                    self._passed_over.note(fact.person, number)
                self._lost_seats.note(table, fact, self._services.outbox.has_inbox)
        self.openings.tell(table, record)
        if table.is_closed:
            self._runners.pop(number, None)
            self.rounds.note_closed(table)
        self.parking.note(runner)
        self._on_change(number)
