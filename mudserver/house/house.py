"""The facade: what a visit may do with the rooms behind, one sentence each.

Rule 1: nothing here waits.  What needs the journal goes to a table's queue or the registrar, and
        the answer comes by post.
Rule 2: every refusal is a `HouseError` with a sentence; it changes nothing.
Rule 3: lists show public facts only [L7].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mudserver.clock import Clock
from mudserver.config import Config
from mudserver.errors import HouseError
from mudserver.house.registrar import Registrar
from mudserver.house.tokens import Tokens
from mudserver.lobby.parlour import Parlour
from mudserver.messages import Message, Notice, Page, Seated
from mudserver.people import Person
from mudserver.post import Box, Post
from mudserver.tables.hall import Hall

VISITS_OF_GUESTS = "guest"


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
            raise HouseError(
                f"{limits.guests_per_source_max} guests are here from your address already. "
                "Come in with a name of your own."
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
        games = "no table is open" if not tables else f"{_count(tables, 'table')} open"
        where = "Type help to begin, or open elimination to play."
        self.post.send(person.id, Notice(f"Welcome, {person.name}. {here}; {games}. {where}"))
        if self.hall.table_of(person.id) is not None:
            self.hall.returned(person.id)
        else:
            self.post.send(person.id, Seated(None))

    def resume(self, guest: Person, code: str) -> Person:
        """The guest who left a seat behind and was shown *code* [G1]."""
        if not guest.is_guest:
            raise HouseError("Your seat belongs to your name; you need no code.")
        for person in self.hall.guests_offline():
            if self._tokens.fits(person.id, code):
                return person
        raise HouseError("No seat waits for that code. Codes end when the game ends.")

    def _deliver(self, mail: Iterable[tuple[str, Message]]) -> None:
        for address, message in mail:
            self.post.send(address, message)

    def _now(self) -> float:
        return self.clock.monotonic()

    # -- talking ---------------------------------------------------------------------------------

    def say(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.say(person.id, text, self._now(), self._around(person)))

    def emote(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.emote(person.id, text, self._now(), self._around(person)))

    def tell(self, person: Person, name: str, text: str) -> None:
        self._deliver(self.parlour.tell(person.id, name, text, self._now()))

    def answer_tell(self, person: Person, text: str) -> None:
        self._deliver(self.parlour.reply(person.id, text, self._now()))

    def who(self) -> Page:
        return self.parlour.who(self._now())

    def heard(self, person: Person) -> None:
        """The person typed something: not idle, and back in an away seat."""
        self.parlour.heard(person.id, self._now())

    # -- tables ----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        return self.hall.table_of(person.id)

    def is_playing(self, person: Person) -> bool:
        return self.hall.is_playing(person.id)
