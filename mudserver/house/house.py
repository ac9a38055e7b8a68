"""The facade: what a visit may do with the rooms behind, one sentence each.

Rule 1: nothing here waits.  What needs the journal goes to a table's queue or the registrar, and
        the answer comes by post.
Rule 2: every refusal is a `HouseError` with a sentence; it changes nothing.
Rule 3: lists show public facts only [L7].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from mudserver.clock import Clock, date_of
from mudserver.config import Config
from mudserver.errors import HouseError
from mudserver.house.registrar import Registrar
from mudserver.house.suggest import suggestions
from mudserver.house.tokens import Tokens
from mudserver.lobby.parlour import Parlour
from mudserver.messages import Happened, Message, Notice, Page, Seated, Shown
from mudserver.people import Person
from mudserver.post import Box, Post
from mudserver.tables import requests as ask
from mudserver.tables.hall import Hall, game_called
from mudserver.tables.table import Table
from variants.catalogue import CATALOGUE
from variants.kit.text import counted, series

FIRST_GAME = next(iter(CATALOGUE))  # what the house offers to who does not know it yet


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
        fingerprint: str = "",
    ) -> None:
        self.config, self.clock, self.post = config, clock, post
        self.registrar, self.parlour, self.hall = registrar, parlour, hall
        self._tokens, self._fingerprint = tokens, fingerprint
        self._open_since_ms = clock.now_ms()
        self._ends: dict[str, tuple[Callable[[], None], str]] = {}  # by person id: end, peer

    # -- coming and going ------------------------------------------------------------------------

    def enter(self, person: Person, box: Box, end: Callable[[], None], peer: str) -> None:
        """The newest visit of a person takes over; the one before is ended [G2]."""
        before = self._ends.pop(person.id, None)
        if before is None:
            self._check_room(person, peer)
        self._ends[person.id] = (end, peer)
        self.post.open(person.id, box)
        if before is not None:
            before[0]()
        else:
            self._deliver(self.parlour.enter(person, self._now()))
            self.parlour.moved(person.id, self.hall.table_of(person.id))

    def _check_room(self, person: Person, peer: str) -> None:
        limits = self.config.people
        if len(self._ends) >= limits.sessions_max:
            raise HouseError("The house is full just now. Please come back a little later.")
        if not person.is_guest:
            return
        guests = [where for who, (_, where) in self._ends.items() if who.startswith("g")]
        if len(guests) >= limits.guests_max:
            raise HouseError("All guest places are taken. Come in with a name of your own.")
        if guests.count(peer) >= limits.guests_per_source_max:
            most = counted(limits.guests_per_source_max, "guest")
            raise HouseError(
                f"At most {most} may come from one address. Come in with a name of your own."
            )

    def leave(self, person: Person, box: Box) -> None:
        """One visit ends.  If a newer one has taken over, the person stays."""
        if not self.post.is_box(person.id, box):
            return
        self.post.close(person.id, box)
        self._ends.pop(person.id, None)
        self.hall.dropped(person.id)
        self._deliver(self.parlour.leave(person.id, self._now()))

    def welcome(self, person: Person) -> None:
        """The first words, and the own view if a seat is waiting."""
        people, tables = len(self._ends), self.hall.open_count()
        here = "You are the only one here" if people == 1 else f"{people} people are here"
        games = "no table is open" if not tables else f"{counted(tables, 'table')} open"
        table = self.hall.table_of(person.id)
        begin = f"Type help to begin, or open {FIRST_GAME} to play."
        where = begin if table is None else f"Your place is at table {table}."
        self.post.send(person.id, Notice(f"Welcome, {person.name}. {here}; {games}. {where}"))
        if table is not None:
            self.hall.returned(person.id)
        else:
            self.post.send(person.id, Seated(None))

    def new_guest(self) -> Person:
        """Somebody without a name of their own, under a name that nobody here has."""
        taken = set(self.parlour.names()) | {p.name for p in self.hall.guests_offline()}
        return self.registrar.guest(taken)

    def resume(self, guest: Person, code: str) -> Person:
        """The guest who left a seat behind and was shown *code* [G1]."""
        if not guest.is_guest:
            raise HouseError("Your seat belongs to your name; you need no code.")
        for person in self.hall.guests_offline():
            if self._tokens.fits(person.id, code):
                return person
        raise HouseError("No seat waits for that code. Codes end when the game ends.")

    def _deliver(self, mail: Iterable[tuple[str, Message]]) -> None:
        self.post.deliver(mail)

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
            presence = self.parlour.find(name)
            return Page(presence.person.name, ("a guest, here now",))
        since = f"known here since {date_of(account.opened_ms)}"
        presence_or_none = self.parlour.presence(account.id)
        if presence_or_none is None:
            return Page(account.name, (since, "not here now"))
        table = presence_or_none.table
        where = "in the lobby" if table is None else f"at table {table}"
        return Page(account.name, (since, f"here now, {where}"))

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

    def claims(self, person: Person, word: str) -> bool:
        """Whether the game at the person's table means its own thing by *word*."""
        table = self._table(person)
        return table is not None and any(v.startswith(word) for v in table.variant.verbs)

    def tables_page(self) -> Page:
        rows = []
        for row in self.hall.rows():
            state = row.phase + (f", {counted(row.free, 'free seat')}" if row.free else "")
            watchers = f"; {counted(row.watchers, 'watcher')}" if row.watchers else ""
            rows.append(f"{row.number}\t{row.variant}, {state}: {row.people}{watchers}")
        return Page("Tables", tuple(rows) or (f"None yet. To open one: open {FIRST_GAME}",))

    def open_table(self, person: Person, variant: str, options: Mapping[str, str]) -> None:
        self.hall.open_table(person, variant, options)
        self._say_code(person)

    def sit(self, person: Person, number: int) -> None:
        self.hall.submit(number, ask.Sit(person.id, person.name, person.is_guest))
        self._say_code(person)

    def _say_code(self, person: Person) -> None:
        """A guest proves nothing on the way in; a code is the way back into the seat [G1]."""
        if person.is_guest:
            code = self._tokens.code(person.id)
            self.post.send(
                person.id,
                Notice(f"If your line drops, come in as guest again and type: resume {code}"),
            )

    def watch(self, person: Person, number: int) -> None:
        self.hall.submit(number, ask.Watch(person.id, person.name))

    def ask_table(self, request: ask.Request) -> None:
        """Hand a request to the table where its person is."""
        number = self.hall.table_of(request.person)
        if number is None:
            raise HouseError("You are at no table. tables shows them; sit NUMBER joins one.")
        self.hall.submit(number, request)

    def play(self, person: Person, line: str) -> None:
        self.ask_table(ask.Play(person.id, line))

    def takes_empty(self, person: Person) -> bool:
        """Whether an empty line is a play of this person now."""
        table = self._table(person)
        game = table.game if table is not None and table.is_playing else None
        window = game.window if game is not None else None
        if game is None or window is None or not window.takes_empty:
            return False
        return game.seat_of(person.id) in window.seats

    def look(self, person: Person) -> None:
        self.post.send(person.id, self.hall.look(person.id))

    def moves(self, person: Person) -> list[str]:
        """What the own view allows now, each exactly as it can be typed."""
        shown = self.hall.look(person.id)
        if not isinstance(shown, Shown) or shown.seat not in shown.asked:
            return []
        variant = CATALOGUE[shown.variant]
        actions = variant.legal_actions(shown.view)
        return [variant.phrase(action, shown.view, shown.names) for action in actions]

    def moves_page(self, person: Person) -> Page:
        shown = self.hall.look(person.id)
        if not isinstance(shown, Shown) or not shown.asked:
            raise HouseError("No game runs here now. start begins one.")
        rows = [f"- {move}" for move in self.moves(person)]
        if not rows:
            names = series([shown.names[seat] for seat in shown.asked])
            return Page("You can play nothing now.", (f"The table waits for {names}.",))
        if not CATALOGUE[shown.variant].lists_all:
            rows.append("... and more: these are samples; rules says what else there is.")
        return Page("You can type", tuple(rows))

    def history(self, person: Person) -> list[Happened]:
        return self.hall.history(person.id)

    def record(self, person: Person) -> Page:
        return Page("The record of this game", tuple(self.hall.export(person.id).splitlines()))

    def rules(self, person: Person, name: str | None) -> Page:
        table = self._table(person)
        if name is not None:
            variant = game_called(name, CATALOGUE)
        elif table is not None:
            variant = table.variant
        else:
            rows = [f"{v.name}\t{v.summary}" for v in CATALOGUE.values()]
            return Page("Games", (*rows, "See also: rules GAME, open GAME"))
        rows = [*_spaced(variant.guide), "", f"Options, as in: open {variant.name} seats=4"]
        rows += [f"{o.name}={'|'.join(o.choices)}\t{o.help} ({o.default})" for o in variant.options]
        rows += [f"{key}=SECONDS\tthe clock ({s})" for key, s in variant.clocks.items()]
        rows += [f"seats={variant.seats[-1]}\thow many may sit down, from {variant.seats[0]} on"]
        return Page(variant.title, (*rows, "", "See also: moves, help open"))

    def _table(self, person: Person) -> Table | None:
        number = self.hall.table_of(person.id)
        return None if number is None else self.hall.find(number)

    # -- the house -------------------------------------------------------------------------------

    def suggestions(self, param: str, given: Sequence[str]) -> Iterable[str]:
        numbers = [row.number for row in self.hall.rows()] if param == "TABLE" else []
        return suggestions(param, given, self.parlour.names(), numbers)

    def about(self, version: str) -> Page:
        minutes = (self.clock.now_ms() - self._open_since_ms) // 60_000
        people = counted(len(self._ends), "person", "people")
        tables = counted(self.hall.open_count(), "table")
        rows = [f"mudserver {version}, open for {_span(minutes)}", f"{people} in, {tables}"]
        if self._fingerprint:
            rows.append(f"SSH host key {self._fingerprint}")
        return Page(self.config.server.name, tuple(rows))

    def news(self, text: str) -> None:
        """Public news from the tables, for the lobby."""
        self._deliver(self.parlour.announce(text))

    def moved(self, person_id: str, table: int | None) -> None:
        self.parlour.moved(person_id, table)

    def tick(self) -> None:
        """Now and then: what the lobby has held back."""
        self._deliver(self.parlour.tick(self._now()))


def _span(minutes: int) -> str:
    """The two largest units that are not nought: `3 days, 2 hours`."""
    parts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    said = [counted(number, unit) for number, unit in parts if number]
    return ", ".join(said[:2]) or "less than a minute"


def _spaced(paragraphs: Iterable[str]) -> list[str]:
    """Rows with an empty one between paragraphs, but none between terms."""
    rows: list[str] = []
    for text in paragraphs:
        if rows and not ("\t" in text and "\t" in rows[-1]):
            rows.append("")
        rows.append(text)
    return rows
