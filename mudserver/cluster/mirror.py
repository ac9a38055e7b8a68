"""What each server shows of itself to the others, and what it knows of them.

Rule 1: changes are told as they come, some together.  Every ROUND_S, when the bus is there again,
        and when another server says hello, all is told anew: what was lost is made good by it.
Rule 2: a server lives as long as its lease in the database; of one that does not nothing is shown,
        also when it still tells of itself.  Where one comes or goes all others are asked anew.
Rule 3: people are told once of a coming or going, wherever they are; a walk is neither.
Rule 4: at most TABLES_AT_ONCE are told at once, for the bus holds so many payloads and drops the
        rest.  A round ends when all have been told, and the next one waits for that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import msgspec

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.cluster import events as e
from mudserver.cluster.access import access_of, own_of
from mudserver.cluster.clock_check import ClockCheck
from mudserver.cluster.directory import Directory
from mudserver.cluster.exchange import Exchange
from mudserver.cluster.missed import Missed
from mudserver.errors import JournalWriteError
from mudserver.journal import Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.presence import PresenceElsewhere
from mudserver.logs import log_exception
from mudserver.tables.manager import TableManager
from mudserver.version import version

LOOK_S = 2.0  # between two looks at who lives
ROUND_S = 60.0  # between two rounds, without a reason
ANSWER_S = 1.0  # at least, between two rounds that were asked for
TABLES_S = 0.1  # so long changes of tables are gathered
TABLES_AT_ONCE = 200

log = logging.getLogger(__name__)


class OwnPeople(NamedTuple):
    """What is known here of the people who are here."""

    since_ms: Callable[[str], int]  # since when a person's session is there, UTC
    is_program: Callable[[str], bool]
    readers: Callable[[], dict[str, int]] = dict  # of channels, by name


class Mirror:
    """Args: on_person: Told of somebody on another server: who, and whether here or gone."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        exchange: Exchange,
        directory: Directory,
        lobby: Lobby,
        tables: TableManager,
        people: OwnPeople,
        on_person: Callable[[Person, bool], None],
    ) -> None:
        self._journal, self._clock, self._exchange = journal, clock, exchange
        self._directory, self._lobby, self._tables = directory, lobby, tables
        self._people, self._on_person = people, on_person
        self._clock_check = ClockCheck(journal, clock)
        self.is_leaving = False  # this server gives up what it has
        self._missed = Missed(clock, lobby, on_person)
        self._round, self._round_at = 0, -ROUND_S
        self._round_people: int | None = None  # who were told in the round that has not ended
        self._round_due: TimerHandle | None = None
        self._changed: dict[str, bool] = {}  # people who are told next, and whether as news
        self._tables_changed = dict[int, None]()
        tables.lists.elsewhere = directory.own_of
        self._told = dict[int, bytes]()  # tables as the others know them: a hash of each
        self._tables_due: TimerHandle | None = None
        if exchange.is_possible:
            lobby.on_change = self._note_person
            exchange.on_connected = self._greet
            exchange.on(e.Hello, lambda server, event: self._tell_all_soon())
            exchange.on(e.Beat, self._hear_beat)
            exchange.on(e.Leaving, lambda server, event: self._hear_leaving(server))
            exchange.on(e.PersonHere, self._hear_person)
            exchange.on(e.PersonGone, self._hear_gone)
            exchange.on(e.TableHere, self._hear_table)
            exchange.on(e.TableGone, lambda server, it: directory.remove_table(server, it.number))
            exchange.on(e.RoundEnd, self._hear_round)
            exchange.on(e.TablesGiven, self._hear_given)
            exchange.on(e.SessionLeft, self._hear_left)
            exchange.on(e.SessionTaken, lambda server, event: directory.left.remove(event))
            directory.left.tell = exchange.tell

    async def run(self) -> None:
        """Look who lives, and tell all now and then, as long as there may be others."""
        while self._exchange.is_possible:
            try:
                await self._look()
                if self._clock.monotonic() - self._round_at >= ROUND_S:
                    self._tell_all()
            except Exception as bug:  # it must not be the last look
                log_exception(log, "look at the other servers failed", bug)
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        try:
            live = await self._journal.live_servers()
            lag_s = await self._journal.follow_lag_s() if len(live) > 1 else 0.0
            await self._clock_check.look()
        except JournalWriteError as exc:
            log.debug("no look at the other servers err=%s", exc)
            return
        metrics.FOLLOW_LAG.value = lag_s
        others = [it for it in live if it.name != self._directory.own]
        known = [it.name for it in self._directory.servers()]
        self._exchange.has_others = bool(others)
        self._directory.note_live(live)
        self._missed.note(self._lobby.elsewhere.keep_only([it.name for it in others]))
        self._tell_beat(lag_s)
        if known != [it.name for it in live]:
            self._greet()

    # -- telling -----------------------------------------------------------------------------------

    def begin_to_leave(self) -> None:
        """This server gives up what it has: the others count on it no more."""
        self.is_leaving = True
        self._tell_beat(metrics.FOLLOW_LAG.value)

    def tell_given(self, server: str, numbers: Sequence[int]) -> None:
        """Tables are that other server's now.  The others keep them in their lists meanwhile."""
        for number in numbers:
            self._told.pop(number, None)
        self._exchange.tell(e.TablesGiven(server, tuple(numbers), self._clock.now_ms()))

    def _tell_beat(self, lag_s: float) -> None:
        beat = e.Beat(
            *(len(self._lobby), self._tables.lists.count(), lag_s),
            *(self._clock_check.offset_s, version(), self.is_leaving),
            readers=self._people.readers(),
        )
        self._directory.note_beat(self._directory.own, beat)
        self._exchange.tell(beat)

    def _greet(self) -> None:
        """Something may have been lost, in both directions."""
        self._exchange.tell(e.Hello())
        self._tell_all_soon()

    def _tell_all_soon(self) -> None:
        if self._round_due is None:
            wait_s = max(0.0, self._round_at + ANSWER_S - self._clock.monotonic())
            self._round_due = self._clock.call_later(wait_s, self._tell_all)

    def _tell_all(self) -> None:
        if self._round_due is not None:
            self._round_due.cancel()
            self._round_due = None
        self._round_at = self._clock.monotonic()
        if not self._exchange.has_others:
            return
        if self._round_people is not None:
            self._tell_all_soon()
            return
        self._round += 1
        people = [presence.person.id for presence in self._lobby.all_here()]
        for person_id in people:
            self._changed.setdefault(person_id, False)
        self._told.clear()
        self._tables_changed |= dict.fromkeys(self._tables.lists.numbers())
        self._tell_people()
        self._round_people = len(people)
        self._tell_tables()

    def _end_round(self, people: int) -> None:
        self._round_people = None
        left = self._directory.left.tell_all(self._round)
        self._exchange.tell(e.RoundEnd(self._round, people, len(self._told), left))

    def leave(self) -> None:
        """The server ends.  What its people do from now on is told by the server that has them."""
        self._exchange.tell(e.Leaving())
        self._exchange.close()

    def _note_person(self, person_id: str, is_news: bool) -> None:
        self._missed.note_own(person_id, is_news=is_news)
        if not self._exchange.has_others:
            return
        if not self._changed:
            self._clock.call_soon(self._tell_people)
        self._changed[person_id] = is_news or self._changed.get(person_id, False)

    def _tell_people(self) -> None:
        changed, self._changed = self._changed, {}
        now, tell = self._clock.monotonic(), self._exchange.tell
        for person_id, is_news in changed.items():
            presence = self._lobby.here(person_id)
            if presence is None:
                tell(e.PersonGone(person_id, is_news))
                continue
            who = presence.person
            tell(e.PersonHere(
                *(who.id, who.name, who.is_guest, self._people.is_program(who.id)),
                *(self._people.since_ms(who.id), presence.table, presence.away),
                *(int(presence.idle_s(now) // 60), self._round, is_news),
                seeks=presence.seeks,
            ))  # fmt: skip

    def note_table(self, number: int) -> None:
        """The table may be another than it was."""
        if not self._exchange.has_others:
            return
        self._tables_changed[number] = None
        self._directory.forget_table(number)
        if self._tables_due is None:
            self._tables_due = self._clock.call_later(TABLES_S, self._tell_tables)

    def _tell_tables(self) -> None:
        if self._tables_due is not None:
            self._tables_due.cancel()
            self._tables_due = None
        for number in list(islice(self._tables_changed, TABLES_AT_ONCE)):
            del self._tables_changed[number]
            told = self._told.get(number)
            lists = self._tables.lists
            table = lists.find(number) or lists.parked(number)
            if table is None:
                if self._told.pop(number, None) is not None:
                    self._exchange.tell(e.TableGone(number))
                continue
            row = lists.shown_row(number)
            now = e.TableHere(number, row, self._round, access_of(table), own_of(table))
            digest = blake2b(msgspec.json.encode(now), digest_size=8).digest()
            if digest != told:
                self._told[number] = digest
                self._exchange.tell(now)
        if self._tables_changed:
            self._tables_due = self._clock.call_later(TABLES_S, self._tell_tables)
        elif self._round_people is not None:
            self._end_round(self._round_people)

    # -- hearing -----------------------------------------------------------------------------------

    def _hear_beat(self, server: str, beat: e.Beat) -> None:
        self._directory.note_beat(server, beat)

    def _hear_person(self, server: str, event: e.PersonHere) -> None:
        if not self._directory.is_alive(server):
            return
        people, person = self._lobby.elsewhere, Person(event.id, event.name, event.is_guest)
        is_new = not people.is_known(event.id) and self._lobby.here(event.id) is None
        is_news = self._missed.take_left(event.id) or event.is_news
        idle_since = self._clock.monotonic() - 60.0 * event.idle_min
        people.put(PresenceElsewhere(
            *(person, server, event.since_ms, idle_since, event.table, event.away),
            *(event.is_program, event.round, event.seeks),
        ))  # fmt: skip
        if is_news and is_new:
            self._on_person(person, True)

    def _hear_gone(self, server: str, event: e.PersonGone) -> None:
        gone = self._lobby.elsewhere.remove(server, event.id)
        if gone is not None:
            self._lobby.elsewhere.missed.pop(event.id, None)
        is_gone = event.id not in self._lobby.elsewhere and self._lobby.here(event.id) is None
        if gone is not None and event.is_news and is_gone:
            self._on_person(gone.person, False)

    def _hear_leaving(self, server: str) -> None:
        others = [it.name for it in self._directory.servers() if it.name != server]
        self._directory.left.keep_only(others)
        self._missed.note(self._lobby.elsewhere.keep_only(others))

    def _hear_table(self, server: str, event: e.TableHere) -> None:
        if self._directory.is_alive(server) and not self._tables.lists.has(event.number):
            self._directory.put_table(server, event)

    def _hear_given(self, server: str, event: e.TablesGiven) -> None:
        if event.server == self._directory.own:
            streams = [TABLE_STREAMS.name(number) for number in event.numbers]
            self._journal.note_given(streams, event.at_ms)

    def _hear_left(self, server: str, event: e.SessionLeft) -> None:
        if self._directory.is_alive(server):
            self._directory.left.put(server, event)

    def _hear_round(self, server: str, event: e.RoundEnd) -> None:
        self._lobby.elsewhere.end_round(server, event.round, event.people)
        self._directory.end_round(server, event.round, event.tables)
        self._directory.left.end_round(server, event.round, event.sessions)
