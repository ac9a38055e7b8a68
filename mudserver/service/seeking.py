"""Games that people offer without a table (`seek`), and how somebody takes one (`accept NUMBER`).

Rule 1: an offer is presence (`lobby/seek.py`).  It ends with its person's session, after SEEK_MS,
        and when somebody takes it; it goes along where the session goes.
Rule 2: an offer is gone in the same moment in which its table opens: of two who take it one has it.
        Its table names it, so that it does not stand again by what a session was before a crash.
Rule 3: who has a seat at a live table offers no live game.  A game by correspondence can be offered
        from there, and is taken when its person is free to go to the new table.
Rule 4: that it is taken is told when its people sit at the table: a crash may have taken it back.
Rule 5: what is told are names and options, as `tables` shows them.  Whom the person ignores reads
        of the offer and cannot take it, as a table can be read of and not be joined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.person import Person
from mudserver.clock import Clock, TimerHandle
from mudserver.cluster.asking import Asking
from mudserver.cluster.events import AskToTake, Told
from mudserver.data_messages import SeekRow, SeeksData
from mudserver.errors import REFUSAL_CODES, RefusalCode, UserError
from mudserver.game_files import find_variant
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.seek import NUMBERS, SEEK_MS, SEEKS_OF_ONE_MAX, Seek
from mudserver.messages import Message, Notice, Page, RingingAnnouncement
from mudserver.outbox import Outbox
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.service import seek_texts as texts
from mudserver.service.online_people import OnlinePeople
from mudserver.service.relations import Relations
from mudserver.service.seek_news import SeekNews, seek_data
from mudserver.service.seek_options import (
    SeekOptions,
    check_guest,
    check_takes,
    line_of,
    read_seek_line,
)
from mudserver.source_budgets import LOCAL, Hold, Kind, SourceBudgets
from mudserver.tables import requests
from mudserver.tables.manager import TableManager
from mudserver.tables.texts import SITS_ELSEWHERE
from variants.catalogue import Catalogue
from variants.kit.text import duration, quantity

SEEKS_MAX = 10  # of one person in SEEKS_S
SEEKS_S = 600.0
PEOPLE_MAX = 10_000  # whose offers are counted
NEWS_MS = 10_000  # an offer of another server is told that is no older


class SeekShown(NamedTuple):
    """An offer of a list."""

    number: int
    text: str  # `words short rated`
    name: str
    is_own: bool  # of the reader


class _Own(NamedTuple):
    """What an offer of this server holds."""

    person: str
    place: Hold
    timer: TimerHandle


class _Taken(NamedTuple):
    """An offer whose table is not written yet."""

    sitting: tuple[Person, ...]  # who of the two sits down here
    told: tuple[tuple[str, Message], ...]  # to whom, when they do


class _Found(NamedTuple):
    person: Person
    seek: Seek
    server: str  # "": this one


class Seeking:
    def __init__(
        self,
        clock: Clock,
        catalogue: Catalogue,
        lobby: Lobby,
        online: OnlinePeople,
        tables: TableManager,
        outbox: Outbox,
        relations: Relations,
        accounts: Accounts,
        budgets: SourceBudgets,
        asking: Asking,
        charge_talk: Callable[[str], None],
        send_code: Callable[[Person], None],
    ) -> None:
        """
        Args:
            charge_talk: Counts a line of somebody.  UserError: nothing is left.
            send_code: Shows a guest how to come back to the seat.
        """
        self._clock, self._catalogue, self._lobby = clock, catalogue, lobby
        self._online, self._tables, self._outbox = online, tables, outbox
        self._relations, self._budgets, self._asking = relations, budgets, asking
        self._charge_talk, self._send_code = charge_talk, send_code
        self._news = SeekNews(clock, lobby, online, outbox, accounts, self._offered)
        self._buckets = KeyedTokenBuckets(SEEKS_MAX / SEEKS_S, SEEKS_MAX, PEOPLE_MAX)
        self._shown: dict[str, tuple[Seek, ...]] = {}  # of all servers, by person
        self._own: dict[Seek, _Own] = {}  # of people here
        self._told = set[Seek]()  # of the last NEWS_MS, without their numbers
        self._taken: dict[int, _Taken] = {}  # by table
        # Two servers that share people hardly give the same number at once.
        own = asking.exchange.own
        self._last_number = crc32(f"{own} {clock.now_ms()}".encode()) % NUMBERS if own else 0
        lobby.on_seeks = lobby.elsewhere.on_seeks = self._note_person
        asking.exchange.on(AskToTake, self._hear)

    # -- offering --------------------------------------------------------------------------------

    def seek(self, person: Person, game: str, line: str) -> None:
        """Offer a game.  Args: line: a preset, and options.

        Raises:
            UserError: There is no such game or option, the person plays, or offers too much.
        """
        variant, is_program = find_variant(game, self._catalogue), self._is_program(person.id)
        read = read_seek_line(variant, line, is_program=is_program)
        check_guest(person, read.options)
        table = self._tables.table_of(person.id)
        if table is not None and not read.is_slow and self._has_live_seat(person.id):
            raise UserError(SITS_ELSEWHERE.format(table), tables=(table,))
        own, shown = self._of(person.id), line_of(variant, read)
        if same := [it for it in own if (it.variant, it.line) == (variant.name, shown)]:
            raise UserError(texts.SAME.format(same[0].number))
        if len(own) >= SEEKS_OF_ONE_MAX:
            raise UserError(texts.TOO_MANY.format(quantity(len(own), "game")), "limit")
        place = self._budgets.hold(Kind.SEEKS, self._online.source_of(person.id) or LOCAL)
        try:
            self._charge(person)
        except UserError:
            place.release()
            raise
        # Offers of one person are told apart by it: two lines that are pasted come in one moment.
        since_ms = max([self._clock.now_ms(), *[it.since_ms + 1 for it in own]])
        seek = Seek(self._free_number(), variant.name, shown, since_ms)
        self._hold(person.id, seek, place)
        self._lobby.set_seeks(person.id, (*own, seek))
        said = texts.YOU_SEEK.format(seek.text, seek.number, duration(SEEK_MS / 1000))
        self._outbox.send(person.id, Notice(said))
        self._outbox.send(person.id, seek_data(self._row(person, seek, read)))

    def stop(self, person: Person) -> None:
        """End all offers of the person.  UserError: there are none."""
        if not self._of(person.id):
            raise UserError(texts.OFF_ALREADY.format(self._suggested), "not_found")
        self._lobby.set_seeks(person.id, ())
        self._outbox.send(person.id, Notice(texts.OFF))

    def page(self, person: Person) -> Page:
        """All offers that the person can read of, by number."""
        rows = list[str]()
        for it in self.shown(person):
            told = texts.YOURS.format(it.text) if it.is_own else f"{it.text}, {it.name}"
            rows.append(f"{it.number}\t{told}")
        found = [self._row(it.person, it.seek, self._read(it.seek)) for it in self._read_by(person)]
        shown = [*rows, "", texts.HOW] if rows else [texts.NONE.format(self._suggested)]
        return Page(texts.TITLE, tuple(shown), data=SeeksData(tuple(found)))

    def shown(self, person: Person) -> list[SeekShown]:
        """The same for a list."""
        return [
            SeekShown(it.seek.number, it.seek.text, it.person.name, it.person.id == person.id)
            for it in self._read_by(person)
        ]

    def restore(self, person: Person, seeks: tuple[Seek, ...]) -> None:
        """The session of *person*, who is here, goes on with these; nobody is told."""
        now_ms, found = self._clock.now_ms(), list[Seek]()
        if self._of(person.id):
            return  # of a session that is newer
        taken = {it.seek.number for it in self._all() if it.person.id != person.id}
        for seek in seeks[:SEEKS_OF_ONE_MAX]:
            if seek.until_ms <= now_ms or not self._is_readable(seek):
                continue
            if self._has_table(person.id, seek):
                continue
            number = self._free_number() if seek.number in taken else seek.number
            found.append(seek._replace(number=number))
        if not found:
            return
        self._last_number = max(self._last_number, *[it.number for it in found])
        self._shown[person.id] = tuple(found)
        self._lobby.set_seeks(person.id, tuple(found))
        self._end_live(person.id)

    def note_table(self, number: int) -> None:
        """The table may be another than it was: perhaps somebody sits there who offers a game, or
        has taken one."""
        self._tell_taken(number)
        if (table := self._tables.lists.find(number)) is not None and table.seek_ms:
            self._end_taken(table.host, table.variant.name, table.seek_ms)
        for person_id in dict.fromkeys([own.person for own in self._own.values()]):
            if self._tables.table_of(person_id) == number:
                self._end_live(person_id)

    # -- taking ----------------------------------------------------------------------------------

    def has(self, number: int) -> bool:
        """Whether there is an offer of that number."""
        return any(it.seek.number == number for it in self._all())

    def is_here(self, number: int) -> bool:
        """Whether an offer is of somebody on this server.  UserError: there is none."""
        return not self._find(number).server

    def take(self, person: Person, number: int, *, has_autopass: bool) -> None:
        """Sit down with who offers the game.

        Raises:
            UserError: The offer is gone, or for others; one of the two cannot go to a table.
        """
        found = self._find(number)
        is_program = self._is_program(person.id)
        read = self._check_taker(found, person, is_program=is_program)
        self._check_may_come(person, read)
        table = self._open(found, read)
        name, is_guest = person.name, person.is_guest
        sit = requests.Sit(person.id, name, is_guest, has_autopass, is_program=is_program)
        self._tables.sit_when_open(table, sit)
        said = texts.YOU_TAKE.format(found.person.name, found.seek.text, table)
        told = (person.id, Notice(said)), self._taken_by(found, person, table)
        self._taken[table] = _Taken((person, found.person), told)

    async def take_elsewhere(self, person: Person, number: int) -> tuple[str, int]:
        """Have the server of the offer open its table: that server, and the table.

        UserError: as of `take`, or that server does not answer.
        """
        found = self._find(number)
        is_program = self._is_program(person.id)
        read = self._check_taker(found, person, is_program=is_program)
        self._check_may_come(person, read)
        who = person.id, person.name, person.is_guest, is_program
        told = await self._asking.ask(lambda n: AskToTake(found.server, n, number, *who))
        if told is None:
            raise UserError(texts.NOT_REACHED.format(found.person.name), "busy")
        if told.refusal:
            codes: dict[str, RefusalCode] = {it: it for it in REFUSAL_CODES}
            raise UserError(told.refusal, codes.get(told.code, "not_allowed"))
        return found.server, told.table

    def check_way(self, number: int, *, has_way: bool) -> None:
        """UserError: the connection leads to no other server."""
        if not has_way:
            raise UserError(texts.NO_WAY.format(self._find(number).person.name), "not_found")

    def _hear(self, server: str, ask: AskToTake) -> None:
        """Somebody on another server takes an offer of somebody here, and comes."""
        if ask.server != self._asking.exchange.own:
            return
        person, table, refusal, code = Person(ask.person, ask.name, ask.is_guest), 0, "", ""
        try:
            found = self._find(ask.seek)
            if found.server:
                raise UserError(texts.GONE, "expired")
            read = self._check_taker(found, person, is_program=ask.is_program)
            table = self._open(found, read, kept_for=person.id)
            self._tables.openings.expect(table, person.id)
            told = self._taken_by(found, person, table)
            self._taken[table] = _Taken((found.person,), (told,))
        except UserError as exc:
            refusal, code = str(exc), exc.code
        self._asking.answer(Told(server, ask.number, refusal, code, table=table))

    def _check_taker(self, found: _Found, person: Person, *, is_program: bool) -> SeekOptions:
        """UserError: the offer is not for *person*."""
        number, read = found.seek.number, self._read(found.seek)
        if found.person.id == person.id:
            raise UserError(texts.OWN.format(number))
        check_takes(number, read.options, person, is_program=is_program)
        is_ignored = self._relations.is_ignoring(found.person.id, person.id)
        if is_ignored or self._lobby.ignores(found.person.id, person):
            raise UserError(texts.CANNOT_TAKE, "declined")
        return read

    def _check_may_come(self, person: Person, read: SeekOptions) -> None:
        """UserError: the person has to stay elsewhere, or plays too many such games."""
        self._tables.check_may_go(person.id)
        if read.is_slow:
            self._tables.limits.check_seats(self._tables.lists.slow_seats(person.id))

    def _open(self, found: _Found, read: SeekOptions, *, kept_for: str = "") -> int:
        """Open the table of an offer, which is gone then.

        Args:
            kept_for: Who comes to it from another server.

        UserError: that is not possible.
        """
        person, seek = found.person, found.seek
        if self._has_table(person.id, seek):
            self._end_taken(person.id, seek.variant, seek.since_ms)
            raise UserError(texts.GONE, "expired")
        try:
            self._tables.check_may_go(person.id)
        except UserError as exc:
            raise UserError(texts.BUSY.format(person.name), "busy") from exc
        online = self._online.get(person.id)
        has_autopass = online is not None and online.preference("autopass") == "on"
        try:
            how = seek.variant, read.typed, has_autopass
            taken = requests.TakenSeek(kept_for, seek.since_ms)
            table = self._tables.open_table(person, *how, taken=taken)
        except UserError as exc:
            raise UserError(texts.NO_TABLE.format(person.name), "full") from exc
        self._lobby.set_seeks(person.id, tuple([it for it in self._of(person.id) if it != seek]))
        return table

    def _taken_by(self, found: _Found, taker: Person, table: int) -> tuple[str, Message]:
        text = texts.TAKEN.format(taker.name, found.seek.number, found.seek.text, table)
        return found.person.id, RingingAnnouncement(text)

    def _tell_taken(self, number: int) -> None:
        """[rule 4]"""
        taken = self._taken.get(number)
        if taken is None:
            return
        if self._tables.lists.find(number) is None:  # it could not be opened, or has closed
            del self._taken[number]
            return
        if not all(self._has_seat_at(number, it.id) for it in taken.sitting):
            return
        del self._taken[number]
        for person_id, message in taken.told:
            self._outbox.send(person_id, message)
        for person in taken.sitting:
            self._send_code(person)

    def _has_seat_at(self, number: int, person_id: str) -> bool:
        status = self._tables.seat_status(person_id)
        return status is not None and status.table == number and status.seat is not None

    # -- inside ----------------------------------------------------------------------------------

    @property
    def _suggested(self) -> str:
        return next(iter(self._catalogue))

    def _of(self, person_id: str) -> tuple[Seek, ...]:
        here = self._lobby.here(person_id)
        return () if here is None else here.seeks

    def _all(self) -> list[_Found]:
        found = list[_Found]()
        for person_id, seeks in self._shown.items():
            here, there = self._lobby.here(person_id), self._lobby.elsewhere.get(person_id)
            if here is not None:
                found += [_Found(here.person, seek, "") for seek in seeks]
            elif there is not None:
                readable = filter(self._is_readable, seeks)
                found += [_Found(there.person, seek, there.server) for seek in readable]
        return found

    def _read_by(self, person: Person) -> list[_Found]:
        """Those of people whom the person does not ignore, by number."""
        found = [it for it in self._all() if not self._lobby.ignores(person.id, it.person)]
        return sorted(found, key=lambda it: it.seek.number)

    def _find(self, number: int) -> _Found:
        """UserError: there is no offer of that number."""
        found = [it for it in self._all() if it.seek.number == number]
        if not found:
            raise UserError(texts.GONE, "expired")
        if len(found) > 1:
            raise UserError(texts.TWICE.format(number), "ambiguous")
        return found[0]

    def _offered(self, seek: Seek) -> tuple[Person, SeekRow] | None:
        found = next((it for it in self._all() if it.seek == seek), None)
        if found is None:
            return None
        return found.person, self._row(found.person, seek, self._read(seek))

    def _read(self, seek: Seek) -> SeekOptions:
        return read_seek_line(self._catalogue[seek.variant], seek.line)

    def _is_readable(self, seek: Seek) -> bool:
        """Whether this release has that game and those options."""
        try:
            return seek.variant in self._catalogue and bool(self._read(seek))
        except UserError:
            return False

    def _row(self, person: Person, seek: Seek, read: SeekOptions) -> SeekRow:
        options = read.options.by_name()
        what = seek.variant, options, read.is_rated, seek.until_ms
        return SeekRow(seek.number, person.id, person.name, *what)

    def _is_program(self, person_id: str) -> bool:
        return self._online.is_program(person_id)

    def _has_live_seat(self, person_id: str) -> bool:
        """Whether the person has a seat at the own table, or will have it in a moment."""
        status = self._tables.seat_status(person_id)
        return status is None or (status.seat is not None and not status.is_slow)

    def _charge(self, person: Person) -> None:
        """UserError: too many in a short time, or the person is muted."""
        online = self._online.get(person.id)
        key = person.id if online is None else online.rate_limit_key
        if not self._buckets.has(key, self._clock.monotonic()):
            raise UserError(texts.TOO_OFTEN, "limit")
        self._charge_talk(person.id)
        self._buckets.try_consume(key, self._clock.monotonic())

    def _free_number(self) -> int:
        """Not one of a short while ago: who types it late takes nothing else."""
        taken = {it.number for seeks in self._shown.values() for it in seeks}
        for _ in range(NUMBERS):
            self._last_number = self._last_number % NUMBERS + 1
            if self._last_number not in taken:
                break
        return self._last_number

    def _hold(self, person_id: str, seek: Seek, place: Hold) -> None:
        # A millisecond later, so that the clock shows it.
        timer = self._clock.call_at_ms(seek.until_ms + 1, lambda: self._expire(seek))
        self._own[seek] = _Own(person_id, place, timer)

    def _expire(self, seek: Seek) -> None:
        person_id = self._own[seek].person
        self._lobby.set_seeks(person_id, tuple([it for it in self._of(person_id) if it != seek]))
        what = seek.number, seek.text, duration(SEEK_MS / 1000), seek.text
        self._outbox.send(person_id, Notice(texts.ENDED.format(*what)))

    def _end_live(self, person_id: str) -> None:
        """Live games are offered no more by who has a seat at a live table."""
        own, number = self._of(person_id), self._tables.table_of(person_id)
        if not own or number is None:
            return
        slow = tuple([it for it in own if self._read(it).is_slow])
        status = self._tables.seat_status(person_id)
        if slow != own and status is not None and self._has_live_seat(person_id):
            self._lobby.set_seeks(person_id, slow)
            told = person_id, Notice(texts.YOU_SIT)
            if (taken := self._taken.get(number)) is not None:  # first it is told whose doing it is
                self._taken[number] = taken._replace(told=(*taken.told, told))
            else:
                self._outbox.send(*told)

    def _has_table(self, person_id: str, seek: Seek) -> bool:
        """Whether the offer was taken, as far as is known here of games by correspondence.

        Offers of live games end as long as their person sits at the table.
        """
        games = self._tables.lists.slow_games(person_id)
        return any((it.variant, it.seek_ms) == (seek.variant, seek.since_ms) for it in games)

    def _end_taken(self, person_id: str, variant: str, since_ms: int) -> None:
        """The offer has its table: it stands no more, if it did after a crash."""
        own = self._of(person_id)
        left = tuple([it for it in own if (it.variant, it.since_ms) != (variant, since_ms)])
        if left != own:
            self._lobby.set_seeks(person_id, left)

    def _note_person(self, person_id: str) -> None:
        """Somebody, here or elsewhere, may offer other games than before."""
        here, there = self._lobby.here(person_id), self._lobby.elsewhere.get(person_id)
        presence = here or there
        now = () if presence is None else presence.seeks
        was = self._shown.pop(person_id, ())
        self._settle_own(person_id, () if here is None else now)
        others = {seek for seeks in self._shown.values() for seek in seeks}
        if now:
            self._shown[person_id] = now
        for seek in was:
            if seek not in now and seek not in others:
                self._news.tell_gone(seek, person_id)
        for seek in now:
            is_known = seek in was or seek in others
            if presence is not None and not is_known and self._is_news(seek):
                row = self._row(presence.person, seek, self._read(seek))
                self._news.tell(presence.person, seek, row)

    def _is_news(self, seek: Seek) -> bool:
        """Whether nobody here was told of an offer, which is no older than NEWS_MS.

        One whose person is on the way to another server is gone, and there again.
        """
        now_ms, key = self._clock.now_ms(), seek._replace(number=0)
        self._told = {it for it in self._told if now_ms - it.since_ms < NEWS_MS}
        is_late = now_ms - seek.since_ms >= NEWS_MS
        if is_late or key in self._told or not self._is_readable(seek):
            return False
        self._told.add(key)
        return True

    def _settle_own(self, person_id: str, now: tuple[Seek, ...]) -> None:
        """Hold what the person offers here, and give back what is over."""
        for seek in now:
            if seek not in self._own:  # of a session that goes on, granted before
                source = self._online.source_of(person_id) or LOCAL
                self._hold(person_id, seek, self._budgets.hold_again(Kind.SEEKS, source))
            elif self._own[seek].person != person_id:  # called so from now on
                self._own[seek] = self._own[seek]._replace(person=person_id)
        for seek, own in list(self._own.items()):
            if own.person == person_id and seek not in now:
                del self._own[seek]
                own.timer.cancel()
                own.place.release()
