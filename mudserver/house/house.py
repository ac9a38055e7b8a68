"""The facade: what a visit may do with the rooms behind, one sentence each.

Rule 1: nothing here waits.  What needs the journal goes to a table's queue or the registrar, and
        the answer comes by post.
Rule 2: every refusal is a `HouseError` with a sentence; it changes nothing.
Rule 3: lists show public facts only [L7].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from secrets import token_bytes
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.clock import Clock
from mudserver.config import Config
from mudserver.errors import HouseError
from mudserver.games import game_called
from mudserver.house import public
from mudserver.house.asides import Asides
from mudserver.house.capacity import check_place
from mudserver.house.numbers import Numbers
from mudserver.house.plays import askable, rows_of, waiting
from mudserver.house.registrar import Registrar
from mudserver.house.rulebook import page_of
from mudserver.house.suggest import suggestions
from mudserver.house.tokens import Tokens
from mudserver.lobby.parlour import Mail, Parlour
from mudserver.messages import Message, Notice, Page, Seated, Shown
from mudserver.people import Person
from mudserver.post import Box, Post
from mudserver.tables import requests as ask
from mudserver.tables.game import Game
from mudserver.tables.hall import NO_TABLE, Hall
from mudserver.tables.restoring import LATE
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Seat, all_listed
from variants.kit.text import counted

HISTORY_MAX = 1_000  # events


class Here(NamedTuple):
    """One who is in."""

    end: Callable[[], None]  # of the visit
    peer: str
    place: int | None  # of a guest, among those from there; None: an account

    def payer(self, person_id: str) -> str:
        """Whose changes at tables are counted: a guest is somebody new at every visit."""
        return person_id if self.place is None else f"{self.peer} {self.place}"


class House:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        post: Post,
        registrar: Registrar,
        parlour: Parlour,
        hall: Hall,
        tokens: Tokens,
        catalogue: Catalogue,
        fingerprint: str = "",
        make_seed: Callable[[], bytes] = lambda: token_bytes(32),
    ) -> None:
        self.config, self.clock, self.post = config, clock, post
        self.registrar, self.parlour, self.hall = registrar, parlour, hall
        self._tokens, self.catalogue, self._fingerprint = tokens, catalogue, fingerprint
        self.asides = Asides(self._table, catalogue, clock, make_seed)
        self._numbers = Numbers()
        self._first_game = next(iter(catalogue))  # offered to who does not know the house yet
        self._open_since_ms = clock.now_ms()
        self._here: dict[str, Here] = {}  # by person id

    def take(self, config: Config) -> None:
        """Other limits from now on; of the people who are in, nobody has to go."""
        self.config = config

    # -- coming and going ------------------------------------------------------------------------

    def enter(self, person: Person, box: Box, end: Callable[[], None], peer: str) -> None:
        """The newest visit of a person takes over; the one before is ended [G2]."""
        before = self._here.pop(person.id, None)
        if before is None:
            self._check_room(person, peer)
        self._here[person.id] = Here(end, peer, self._free_place(peer) if person.is_guest else None)
        self.post.open(person.id, box)
        if before is not None:
            before.end()
        else:
            self._deliver(self.parlour.enter(person, self._now()))
            self.parlour.moved(person.id, self.hall.table_of(person.id))

    def _check_room(self, person: Person, peer: str) -> None:
        here = [(who, where.peer) for who, where in self._here.items()]
        check_place(person, peer, here, self.config.people)
        if person.is_guest:
            self.registrar.check_room()

    def _free_place(self, peer: str) -> int:
        taken = {here.place for here in self._here.values() if here.peer == peer}
        return next(place for place in range(len(taken) + 1) if place not in taken)

    def leave(self, person: Person, box: Box) -> None:
        """One visit ends.  If a newer one has taken over, the person stays."""
        if not self.post.is_box(person.id, box):
            return
        self.post.close(person.id, box)
        self._here.pop(person.id, None)
        self._numbers.forget(person.id)
        self.hall.dropped(person.id)
        self._deliver(self.parlour.leave(person.id, self._now()))

    def welcome(self, person: Person) -> None:
        """The first words, and the own view if a seat is waiting."""
        people, tables = len(self._here), self.hall.open_count()
        here = "You are the only one here" if people == 1 else f"{people} people are here"
        games = "no table is open" if not tables else f"{counted(tables, 'table')} open"
        table = self.hall.table_of(person.id)
        seats = " tables to find a seat," if tables else ""
        where = f"Type help to begin,{seats} or open {self._first_game} to play."
        if table is not None:
            where = f"Your place is at table {table}."
        elif self.hall.restoring.left():  # nobody can tell yet who has a seat where
            where = LATE
        self.post.send(person.id, Notice(f"Welcome, {person.name}. {here}; {games}. {where}"))
        if table is not None:
            self.hall.returned(person.id)
        else:
            self.post.send(person.id, Seated(None))

    def new_guest(self) -> Person:
        """Somebody without a name of their own, under a name that nobody here has."""
        taken = set(self.parlour.names()) | {p.name for p in self.hall.guests_offline()}
        return self.registrar.guest(taken, is_sure=not self.hall.restoring.left())

    def resume(self, guest: Person, code: str) -> Person:
        """The guest who left a seat behind and was shown *code* [G1]."""
        if not guest.is_guest:
            raise HouseError("Your seat belongs to your name; you need no code.")
        self.hall.restoring.check()
        for person in self.hall.guests_offline():
            if self._tokens.fits(person.id, code):
                return person
        raise HouseError("No seat waits for that code. Codes end when the game ends.")

    def _deliver(self, mail: Mail) -> None:
        for addresses, message in mail:
            self.post.send_all(addresses, message)

    def _now(self) -> float:
        return self.clock.monotonic()

    # -- talking ---------------------------------------------------------------------------------

    def say(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.say(person.id, text, self._now()))

    def emote(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.emote(person.id, text, self._now()))

    def tell(self, person: Person, name: str, text: str) -> None:
        self._deliver(self.parlour.tell(person.id, name, text, self._now()))

    def answer_tell(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.reply(person.id, text, self._now()))

    def finger(self, name: str) -> Page:
        """What is public about somebody who is in, or who has an account."""
        account = self.registrar.book.find(name)
        if account is None:
            return public.of_guest(self.parlour.find(name))
        return public.of_account(account, self.parlour.presence(account.id))

    def who(self) -> Page:
        return self.parlour.who(self._now())

    def heard(self, person: Person) -> None:
        """The person typed something: not idle, and back in an away seat."""
        self.parlour.heard(person.id, self._now())
        self.hall.heard(person.id)

    # -- tables ----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        return self.hall.table_of(person.id)

    def is_playing(self, person: Person) -> bool:
        return self.hall.is_playing(person.id)

    def is_game_here(self, person: Person) -> bool:
        """Whether a game runs at the person's table, whoever plays in it."""
        table = self._table(person)
        return table is not None and table.is_playing

    def claims(self, person: Person, word: str) -> bool:
        """Whether the game at the person's table means its own thing by this very *word*."""
        table = self._table(person)
        return table is not None and word in table.variant.verbs

    def tables_page(self) -> Page:
        late = self.hall.restoring.left()
        return public.of_tables(self.hall.rows(), late, self._first_game)

    def open_table(
        self, person: Person, variant: str, options: Mapping[str, str], has_autopass: bool
    ) -> None:
        self.hall.open_table(person, variant, options, has_autopass)
        self._say_code(person)

    def sit(self, person: Person, number: int, has_autopass: bool) -> None:
        self._submit(number, ask.Sit(person.id, person.name, person.is_guest, has_autopass))
        self._say_code(person)

    def _say_code(self, person: Person) -> None:
        """A guest proves nothing on the way in; a code is the way back into the seat [G1]."""
        if person.is_guest:
            code = self._tokens.code(person.id)
            self.post.send(
                person.id,
                Notice(f"If your line drops, come in as guest again and type: resume {code}"),
            )

    def has_autopass(self, person: Person) -> bool | None:
        """Whether the person's seat passes by itself; None: no seat.  [G-12]"""
        table = self._table(person)
        seat = table.seat_of(person.id) if table is not None else None
        return None if table is None or seat is None else table.seats[seat].has_autopass

    def set_autopass(self, person: Person, is_on: bool) -> bool:
        """Have the seat's table keep it, and say so.  False: the person is on the way to none."""
        number, table = self.hall.table_of(person.id), self._table(person)
        if number is None or (table is not None and person.id in table.watchers):
            return False
        self._submit(number, ask.Autopass(person.id, is_on))
        return True

    def watch(self, person: Person, number: int) -> None:
        self._submit(number, ask.Watch(person.id, person.name))

    def ask_table(self, request: ask.Request) -> None:
        """Hand a request to the table where its person is."""
        number = self.hall.table_of(request.person)
        self.hall.restoring.check(number)
        if number is None:
            raise HouseError(NO_TABLE)
        self._submit(number, request)

    def _submit(self, number: int, request: ask.Request) -> None:
        here = self._here.get(request.person)
        self.hall.submit(number, request, here.payer(request.person) if here is not None else "")

    def play(self, person: Person, line: str) -> None:
        self.ask_table(ask.Play(person.id, line))

    def takes_empty(self, person: Person) -> bool:
        """Whether an empty line is a play of this person now."""
        if (place := self._place(person)) is None:
            return False
        game, seat = place
        return game.takes_empty(seat)

    def look(self, person: Person) -> None:
        self.post.send(person.id, self.hall.look(person.id))

    def moves(self, person: Person) -> Sequence[str]:
        """What the own view allows now, each exactly as it can be typed; nothing without a game."""
        if (place := self._place(person)) is None:
            return ()
        game, seat = place
        return game.moves(seat)

    def moves_page(self, person: Person, begun: str = "", *, is_read_aloud: bool = False) -> Page:
        shown = self.hall.look(person.id)
        if not isinstance(shown, Shown) or not shown.asked:
            raise HouseError("No game runs here now. start begins one.")
        variant, plays = self.catalogue[shown.variant], self.moves(person)
        if not plays:
            return Page("You can play nothing now.", (waiting(shown), *askable(variant)))
        rows = rows_of(plays, begun, is_all=all_listed(variant, shown.view))
        if is_read_aloud and (table := self._table(person)) is not None:
            rows = self._numbers.read_out(person.id, table, rows)
        return Page("You can type", (*rows, *askable(variant)))

    def numbered(self, person: Person, number: str) -> str | None:
        """The play beside a number of the list that was read aloud last; None: it is in none."""
        table = self._table(person)
        return None if table is None else self._numbers.play(person.id, table, number)

    def history(self, person: Person) -> list[Message]:
        """What happened, the last HISTORY_MAX of it: that much fits a box."""
        happened = self.hall.history(person.id)
        heard: list[Message] = [replace(event, is_past=True) for event in happened[-HISTORY_MAX:]]
        if len(happened) > HISTORY_MAX:
            so = f"These are the last {HISTORY_MAX:,} of {len(happened):,} events"
            heard.insert(0, Notice(f"{so}; when the game is over, record has them all."))
        return heard

    def record(self, person: Person) -> Page:
        rows = tuple(self.hall.export(person.id).splitlines())
        return Page("The record of this game", rows, is_to_copy=True)

    def rules(self, person: Person, name: str | None) -> Page:
        table = self._table(person)
        if name is not None:
            variant = game_called(name, self.catalogue)
        elif table is not None:
            variant = table.variant
        else:
            rows = [f"{v.name}\t{v.summary}" for v in self.catalogue.values()]
            return Page("Games", (*rows, "See also: rules GAME, open GAME"))
        return page_of(variant)

    def _table(self, person: Person) -> Table | None:
        number = self.hall.table_of(person.id)
        return None if number is None else self.hall.find(number)

    def _place(self, person: Person) -> tuple[Game, Seat] | None:
        table = self._table(person)
        return None if table is None else table.place_of(person.id)

    # -- the house -------------------------------------------------------------------------------

    def suggestions(self, param: str, given: Sequence[str]) -> Iterable[str]:
        numbers = [row.number for row in self.hall.rows()] if param == "TABLE" else []
        return suggestions(param, given, self.parlour.names(), numbers, self.catalogue)

    def about(self, version: str) -> Page:
        minutes = (self.clock.now_ms() - self._open_since_ms) // 60_000
        people, tables = len(self._here), self.hall.open_count()
        name = self.config.server.name
        return public.of_house(name, version, minutes, people, tables, self._fingerprint)

    def news(self, text: str) -> None:
        """Public news from the tables, for the lobby."""
        self._deliver(self.parlour.announce(text))

    def proclaim(self, text: str) -> None:
        """Tell everybody who is in, wherever they are."""
        self._deliver(self.parlour.proclaim(text))

    def moved(self, person_id: str, table: int | None) -> None:
        self.parlour.moved(person_id, table)

    def tick(self) -> None:
        """Now and then: what the lobby has held back."""
        self._deliver(self.parlour.tick(self._now()))
