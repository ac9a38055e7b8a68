"""Notices of games by correspondence and of adjourned ones: who is told what, when and where.

Rule 1: each event of a table is told once.  What is due is computed from the tables: a start tells
        what its predecessor may not have sent, so a crash loses nobody more than one notice and
        repeats at most one.
Rule 2: a terminal shows what the lobby and the tables do not say anyway: time that runs out, offers
        elsewhere, adjourned games that end.  Outside goes everything that the person has asked for.
Rule 3: who is at the table reads there what happens; only time that runs out is told there, too.
Rule 4: at the time of telling it must still be true.
Rule 5: outside a person is told once in a while by all servers of a journal together: each tells
        the others when it has, as far as they hear it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Protocol

import msgspec

from mudserver.accounts.notify_choice import NO_NOTICES, NotifyChoice, NotifyEvent
from mudserver.clock import Clock, TimerHandle, hour_begins_ms, hour_in_zone
from mudserver.messages import CallNotice
from mudserver.outbox import Outbox
from mudserver.service import notice_texts as texts
from mudserver.service.account_service import AccountService
from mudserver.service.joined_notices import JoinedNotices, PlacedNotice
from mudserver.service.own_games import OwnGames
from mudserver.tables.due_times import DueTimes
from mudserver.tables.manager import TableManager
from mudserver.tables.notices import Event, TableNotice, notices_of, over
from mudserver.tables.parked import Parked
from mudserver.tables.summary import GameNow

AGAIN_MS = 600_000  # before the end of a process: what it may not have sent is told again
DUE_AT_ONCE = 200  # tables, and people, in one turn of the loop
IN_TERMINALS = frozenset({"half", "tenth", "offered", "expires"})
READ_AT_THE_TABLE = frozenset({"move", "invited", "offered", "over"})
KINDS: dict[Event, NotifyEvent] = {
    "move": "moves",
    "half": "moves",
    "tenth": "moves",
    "offered": "moves",
    "expires": "moves",
    "invited": "invitations",
    "over": "results",
}

Key = tuple[str, str, str]


class OutsideNotice(msgspec.Struct, frozen=True):
    """What the host's command reads."""

    name: str  # of the account
    topic: str
    event: str  # as `tables.notices.Event`, `several` or `test`
    table: int | None  # None: several, or none
    variant: str  # "": several, or none
    text: str


class Outside(Protocol):
    """What sends notices outside."""

    @property
    def is_on(self) -> bool: ...
    def put(self, notice: OutsideNotice) -> None:
        """Never waits, never fails."""


class Notices:
    """It has the tables tell it which of them another process has had, and which games end."""

    def __init__(
        self,
        tables: TableManager,
        own_games: OwnGames,
        accounts: AccountService,
        outbox: Outbox,
        clock: Clock,
        outside: Outside,
    ) -> None:
        self._tables, self._accounts, self._outbox = tables, accounts.streams.accounts, outbox
        self._clock, self._outside = clock, outside
        self._in_terminals, self._going_out = JoinedNotices(), JoinedNotices(self._not_before)
        self._told: dict[int, set[Key]] = {}  # of tables in memory, by number
        self._fetched = set[int]()  # parked tables that come back just now
        self._alive_ms: dict[int, int] = {}  # of tables of another process, until the first look
        self._due = DueTimes(tables.parking.db, "notices")  # when a table has something to tell
        self._timer: TimerHandle | None = None
        self._wakes_ms = 0
        self.on_sent: Callable[[str, int], None] = lambda person, at_ms: None
        tables.on_restored, tables.parking.on_load = self.note_restored, self.note_loaded
        tables.parking.on_fetch = self._fetched.add
        own_games.on_end = self.note_end

    # -- tables --------------------------------------------------------------------------------

    def note_restored(self, number: int, alive_ms: int | None) -> None:
        """A table of another process is here.  Args: alive_ms: When that was last alive, UTC."""
        self._alive_ms[number] = self._clock.now_ms() if alive_ms is None else alive_ms

    def note_loaded(self, row: Parked, alive_ms: int | None) -> None:
        """The same of a table that it has parked."""
        now_ms = self._clock.now_ms()
        placed = _placed(row.number, row.summary.variant, row.notices)
        self._take_up(placed, now_ms if alive_ms is None else alive_ms, now_ms)
        self._expect(row.number, row.notices, now_ms)

    def note_change(self, number: int) -> None:
        """The table may be another than it was."""
        table = self._tables.lists.find(number)
        if table is None:
            self._note_gone(number)
            return
        found, told = notices_of(table), self._told.get(number)
        since_ms = self._alive_ms.pop(number, None)
        if not found and told is None:
            return
        now_ms, placed = self._clock.now_ms(), _placed(number, table.variant.name, found)
        if since_ms is not None:
            self._take_up(placed, since_ms, now_ms)
        else:
            known = self._told_while_parked(number, found, now_ms) if told is None else told
            here = frozenset(table.people_in_room())
            for each in placed:
                if each.notice.due_ms <= now_ms and each.notice.key not in known:
                    self._tell(each, now_ms, here)
        self._told[number] = {it.key for it in found if it.due_ms <= now_ms}
        self._expect(number, found, now_ms)

    def note_end(self, game: GameNow, people: Iterable[str]) -> None:
        """A game is over; perhaps its table is gone, or no longer one of which people are told."""
        table, now_ms = self._tables.lists.find(game.table), self._clock.now_ms()
        if table is not None and table.options.is_correspondence:
            return  # it says so itself
        about = f"{game.table}.{game.game}"
        found = [over(person, about, now_ms) for person in sorted(people)]
        for each in _placed(game.table, game.variant, found):
            self._tell(each, now_ms, frozenset())
        self._wake_in_time()

    def _note_gone(self, number: int) -> None:
        """It is parked, or closed."""
        self._told.pop(number, None)
        if number not in self._tables.parking:
            self._fetched.discard(number)
            self._due.set(number, None)

    def _told_while_parked(
        self, number: int, found: Iterable[TableNotice], now_ms: int
    ) -> set[Key]:
        """Of a table that is looked at for the first time, or again."""
        if number not in self._fetched:
            return set()
        self._fetched.discard(number)
        next_ms = self._due.get(number)
        return {
            it.key
            for it in found
            if it.due_ms <= now_ms and (next_ms is None or it.due_ms < next_ms)
        }

    def _take_up(self, placed: Iterable[PlacedNotice], since_ms: int, now_ms: int) -> None:
        """Args: since_ms: Until then another process has told of it, or was about to."""
        for each in placed:
            due_ms, person = each.notice.due_ms, each.notice.person
            if since_ms < due_ms <= now_ms:
                self._tell_in_terminal(each, now_ms)
            # What waits for the end of quiet hours, of now or of then, was not sent.
            quiet_ms = min(self._quiet_since_ms(person, it) for it in (since_ms, now_ms))
            if min(since_ms - AGAIN_MS, quiet_ms) < due_ms <= now_ms:
                self._tell_outside(each, now_ms)

    # -- one notice ----------------------------------------------------------------------------

    def _tell(self, placed: PlacedNotice, now_ms: int, here: frozenset[str]) -> None:
        """Args: here: Who is at the table."""
        if placed.notice.person in here and placed.notice.event in READ_AT_THE_TABLE:
            return
        self._tell_in_terminal(placed, now_ms)
        self._tell_outside(placed, now_ms)

    def _tell_in_terminal(self, placed: PlacedNotice, now_ms: int) -> None:
        notice = placed.notice
        if notice.event in IN_TERMINALS and self._outbox.has_inbox(notice.person):
            self._in_terminals.add(placed, now_ms)

    def _tell_outside(self, placed: PlacedNotice, now_ms: int) -> None:
        if self._outside.is_on and self._wants(self._choice(placed.notice.person), placed):
            self._going_out.add(placed, now_ms)

    def _choice(self, person: str) -> NotifyChoice:
        account = self._accounts.by_id(person)
        return NO_NOTICES if account is None else account.notify

    @staticmethod
    def _wants(choice: NotifyChoice, placed: PlacedNotice) -> bool:
        return bool(choice.topic) and KINDS[placed.notice.event] in choice.events

    def _not_before(self, person: str, ms: int) -> int:
        choice = self._choice(person)
        if not _is_quiet(choice, ms):
            return ms
        return hour_begins_ms(ms, choice.quiet_to, choice.zone, is_next=True)

    def _quiet_since_ms(self, person: str, ms: int) -> int:
        """When the quiet hours of *ms* have begun, UTC; it is in none: *ms*."""
        choice = self._choice(person)
        if not _is_quiet(choice, ms):
            return ms
        return hour_begins_ms(ms, choice.quiet_from, choice.zone, is_next=False)

    def _still(self, placed: PlacedNotice) -> PlacedNotice | None:
        """What is true of it now; None: nothing.  [rule 4]"""
        if placed.notice.event == "over":
            return placed
        table, row = self._tables.lists.find(placed.table), self._tables.lists.parked(placed.table)
        found = notices_of(table) if table is not None else row.notices if row is not None else ()
        now = next((it for it in found if it.key == placed.notice.key), None)
        return None if now is None else placed._replace(notice=now)

    # -- telling -------------------------------------------------------------------------------

    def _show(self, person: str, waiting: Iterable[PlacedNotice], now_ms: int) -> None:
        """In the terminal."""
        true = [it for each in waiting if (it := self._still(each)) is not None]
        if not true or not self._outbox.has_inbox(person):
            return
        said, here = texts.sentences(true, now_ms), self._tables.table_of(person)
        how = "" if {it.table for it in true} == {here} else texts.what_to_type(true)
        self._outbox.send(person, CallNotice(said + how, said))
        self._in_terminals.note_told(person, now_ms)

    def _send(self, person: str, waiting: Iterable[PlacedNotice], now_ms: int) -> None:
        """Outside."""
        account, choice = self._accounts.by_id(person), self._choice(person)
        wanted = [it for it in waiting if self._wants(choice, it)]
        true = [it for each in wanted if (it := self._still(each)) is not None]
        if account is None or not true:
            return
        places = {(it.table, it.variant) for it in true}
        events = {it.notice.event for it in true}
        event = events.pop() if len(events) == 1 else "several"
        table, variant = places.pop() if len(places) == 1 else (None, "")
        text = texts.sentences(true, now_ms)
        self._outside.put(OutsideNotice(account.name, choice.topic, event, table, variant, text))
        self._going_out.note_told(person, now_ms)
        self.on_sent(person, now_ms)

    def note_sent(self, person: str, at_ms: int) -> None:
        """Another server has told the person outside."""
        self._going_out.note_told(person, at_ms)

    # -- time ----------------------------------------------------------------------------------

    def _expect(self, number: int, found: Iterable[TableNotice], now_ms: int) -> None:
        """Look at the table again when it has something to tell."""
        next_ms = min([it.due_ms for it in found if it.due_ms > now_ms], default=None)
        self._due.set(number, next_ms)
        self._wake_in_time()

    def _wake_in_time(self) -> None:
        times = [self._in_terminals.next_ms, self._going_out.next_ms, self._due.next_ms]
        next_ms = min([it for it in times if it is not None], default=None)
        if next_ms is None or (self._timer is not None and self._wakes_ms <= next_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        # Half a millisecond later, so that the clock shows it.
        self._wakes_ms, self._timer = next_ms, self._clock.call_at_ms(next_ms + 0.5, self._wake)

    def _wake(self) -> None:
        self._timer = None
        now_ms = self._clock.now_ms()
        for _ in range(DUE_AT_ONCE):
            if (found := self._due.take(now_ms)) is None:
                break
            self._look(*found, now_ms)
        for person, waiting in islice(self._in_terminals.take(now_ms), DUE_AT_ONCE):
            self._show(person, waiting, now_ms)
        for person, waiting in islice(self._going_out.take(now_ms), DUE_AT_ONCE):
            self._send(person, waiting, now_ms)
        self._wake_in_time()

    def _look(self, number: int, due_ms: int, now_ms: int) -> None:
        """The time has come for a notice of the table."""
        row = self._tables.lists.parked(number)
        if row is None:
            self.note_change(number)
            return
        for each in _placed(number, row.summary.variant, row.notices):
            if due_ms <= each.notice.due_ms <= now_ms:
                self._tell(each, now_ms, frozenset())
        self._expect(number, row.notices, now_ms)


def _is_quiet(choice: NotifyChoice, ms: int) -> bool:
    return choice.has_quiet_hours and choice.is_quiet_at(hour_in_zone(ms, choice.zone))


def _placed(number: int, variant: str, notices: Iterable[TableNotice]) -> list[PlacedNotice]:
    return [PlacedNotice(number, variant, it) for it in notices]
