"""The facade: what a visit may do with the rooms behind, one sentence each.

Rule 1: nothing here waits.  What needs the journal goes to a table's queue or the registrar, and
        the answer comes by post.
Rule 2: every refusal is a `UserError` with a sentence; it changes nothing.
Rule 3: lists show public facts only [SEC-7].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from secrets import token_bytes
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.accounts import Person
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.game_files import find_variant
from mudserver.lobby.lobby import Deliveries, Lobby
from mudserver.messages import LocationMessage, Message, Notice, Page, ViewMessage
from mudserver.outbox import Inbox, Outbox
from mudserver.service import pages
from mudserver.service.account_service import AccountService
from mudserver.service.admission import check_capacity
from mudserver.service.argument_completions import argument_completions
from mudserver.service.moves import moves_rows, questions_row, waiting_row
from mudserver.service.numbered_moves import NumberedMoves
from mudserver.service.queries import Queries
from mudserver.service.resume_codes import ResumeCodes
from mudserver.service.rules_page import rules_page
from mudserver.tables import requests as ask
from mudserver.tables.game import Game
from mudserver.tables.manager import NO_TABLE, TableManager
from mudserver.tables.restore import STILL_RESTORING
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Seat, lists_all_actions
from variants.kit.text import quantity

HISTORY_MAX = 1_000  # events


class OnlinePerson(NamedTuple):
    """One who is in."""

    end_session: Callable[[], None]  # of the visit
    peer: str
    guest_slot: int | None  # of a guest, among those from there; None: an account

    def rate_limit_key(self, person_id: str) -> str:
        """Whose changes at tables are counted: a guest is somebody new at every visit."""
        return person_id if self.guest_slot is None else f"{self.peer} {self.guest_slot}"


class GameService:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        outbox: Outbox,
        account_service: AccountService,
        lobby: Lobby,
        table_manager: TableManager,
        resume_codes: ResumeCodes,
        catalogue: Catalogue,
        fingerprint: str = "",
        make_seed: Callable[[], bytes] = lambda: token_bytes(32),
    ) -> None:
        self.config, self.clock, self.outbox = config, clock, outbox
        self.account_service, self.lobby, self.table_manager = account_service, lobby, table_manager
        self._resume_codes, self.catalogue, self._fingerprint = resume_codes, catalogue, fingerprint
        self.queries = Queries(self._table, catalogue, clock, make_seed)
        self._numbered_moves = NumberedMoves()
        self._suggested_game = next(iter(catalogue))  # offered to who does not know the house yet
        self._started_ms = clock.now_ms()
        self._online: dict[str, OnlinePerson] = {}  # by person id

    def reconfigure(self, config: Config) -> None:
        """Other limits from now on; of the people who are in, nobody has to go."""
        self.config = config

    # -- coming and going ------------------------------------------------------------------------

    def enter(
        self, person: Person, inbox: Inbox, end_session: Callable[[], None], peer: str
    ) -> None:
        """The newest visit of a person takes over; the one before is ended."""
        before = self._online.pop(person.id, None)
        if before is None:
            self._check_capacity(person, peer)
        self._online[person.id] = OnlinePerson(
            end_session, peer, self._free_guest_slot(peer) if person.is_guest else None
        )
        self.outbox.attach(person.id, inbox)
        if before is not None:
            before.end_session()
        else:
            self._deliver(self.lobby.enter(person, self._now()))
            self.lobby.set_location(person.id, self.table_manager.table_of(person.id))

    def _check_capacity(self, person: Person, peer: str) -> None:
        here = [(who, where.peer) for who, where in self._online.items()]
        check_capacity(person, peer, here, self.config.people)
        if person.is_guest:
            self.account_service.check_memory()

    def _free_guest_slot(self, peer: str) -> int:
        taken = {here.guest_slot for here in self._online.values() if here.peer == peer}
        return next(place for place in range(len(taken) + 1) if place not in taken)

    def leave(self, person: Person, inbox: Inbox) -> None:
        """One visit ends.  If a newer one has taken over, the person stays."""
        if not self.outbox.is_attached(person.id, inbox):
            return
        self.outbox.detach(person.id, inbox)
        self._online.pop(person.id, None)
        self._numbered_moves.forget(person.id)
        self.table_manager.on_disconnect(person.id)
        self._deliver(self.lobby.leave(person.id, self._now()))

    def send_welcome(self, person: Person) -> None:
        """The first words, and the own view if a seat is waiting."""
        people, tables = len(self._online), self.table_manager.open_count()
        here = "You are the only one here" if people == 1 else f"{people} people are here"
        games = "no table is open" if not tables else f"{quantity(tables, 'table')} open"
        table = self.table_manager.table_of(person.id)
        seats = " tables to find a seat," if tables else ""
        where = f"Type help to begin,{seats} or open {self._suggested_game} to play."
        if table is not None:
            where = f"Your place is at table {table}."
        elif (
            self.table_manager.restorer.pending_count()
        ):  # nobody can tell yet who has a seat where
            where = STILL_RESTORING
        self.outbox.send(person.id, Notice(f"Welcome, {person.name}. {here}; {games}. {where}"))
        if table is not None:
            self.table_manager.on_reconnect(person.id)
        else:
            self.outbox.send(person.id, LocationMessage(None))

    def new_guest(self) -> Person:
        """Somebody without a name of their own, under a name that nobody here has."""
        taken = set(self.lobby.online_names()) | {
            p.name for p in self.table_manager.offline_guests()
        }
        return self.account_service.new_guest(
            taken, is_complete=not self.table_manager.restorer.pending_count()
        )

    def guest_for_resume_code(self, guest: Person, code: str) -> Person:
        """The guest who left a seat behind and was shown *code*."""
        if not guest.is_guest:
            raise UserError("Your seat belongs to your name; you need no code.")
        self.table_manager.restorer.check_restored()
        for person in self.table_manager.offline_guests():
            if self._resume_codes.matches(person.id, code):
                return person
        raise UserError("No seat waits for that code. Codes end when the game ends.")

    def _deliver(self, deliveries: Deliveries) -> None:
        for addresses, message in deliveries:
            self.outbox.send_all(addresses, message)

    def _now(self) -> float:
        return self.clock.monotonic()

    # -- talking ---------------------------------------------------------------------------------

    def say(self, person: Person, text: str) -> None:
        self._deliver(self.lobby.say(person.id, text, self._now()))

    def emote(self, person: Person, text: str) -> None:
        self._deliver(self.lobby.emote(person.id, text, self._now()))

    def tell(self, person: Person, name: str, text: str) -> None:
        self._deliver(self.lobby.tell(person.id, name, text, self._now()))

    def reply(self, person: Person, text: str) -> None:
        self._deliver(self.lobby.reply(person.id, text, self._now()))

    def profile_page(self, name: str) -> Page:
        """What is public about somebody who is in, or who has an account."""
        account = self.account_service.accounts.find(name)
        if account is None:
            return pages.guest_profile_page(self.lobby.find(name))
        return pages.account_profile_page(account, self.lobby.presence(account.id))

    def who_page(self) -> Page:
        return self.lobby.who_page(self._now())

    def on_input(self, person: Person) -> None:
        """The person typed something: not idle, and back in an away seat."""
        self.lobby.on_input(person.id, self._now())
        self.table_manager.on_input(person.id)

    # -- tables ----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        return self.table_manager.table_of(person.id)

    def is_playing(self, person: Person) -> bool:
        return self.table_manager.is_playing(person.id)

    def is_game_running(self, person: Person) -> bool:
        """Whether a game runs at the person's table, whoever plays in it."""
        table = self._table(person)
        return table is not None and table.is_playing

    def is_game_word(self, person: Person, word: str) -> bool:
        """Whether the game at the person's table means its own thing by this very *word*."""
        table = self._table(person)
        return table is not None and word in table.variant.verbs

    def tables_page(self) -> Page:
        late = self.table_manager.restorer.pending_count()
        return pages.tables_page(self.table_manager.list_tables(), late, self._suggested_game)

    def open_table(
        self, person: Person, variant: str, options: Mapping[str, str], has_autopass: bool
    ) -> None:
        self.table_manager.open_table(person, variant, options, has_autopass)
        self._send_resume_code(person)

    def sit(self, person: Person, number: int, has_autopass: bool) -> None:
        self._submit_to(number, ask.Sit(person.id, person.name, person.is_guest, has_autopass))
        self._send_resume_code(person)

    def _send_resume_code(self, person: Person) -> None:
        """A guest proves nothing on the way in; a code is the way back into the seat."""
        if person.is_guest:
            code = self._resume_codes.code_for(person.id)
            self.outbox.send(
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
        number, table = self.table_manager.table_of(person.id), self._table(person)
        if number is None or (table is not None and person.id in table.watchers):
            return False
        self._submit_to(number, ask.SetAutopass(person.id, is_on))
        return True

    def watch(self, person: Person, number: int) -> None:
        self._submit_to(number, ask.Watch(person.id, person.name))

    def submit_request(self, request: ask.Request) -> None:
        """Hand a request to the table where its person is."""
        number = self.table_manager.table_of(request.person)
        self.table_manager.restorer.check_restored(number)
        if number is None:
            raise UserError(NO_TABLE)
        self._submit_to(number, request)

    def _submit_to(self, number: int, request: ask.Request) -> None:
        here = self._online.get(request.person)
        self.table_manager.submit(
            number, request, here.rate_limit_key(request.person) if here is not None else ""
        )

    def play(self, person: Person, line: str) -> None:
        self.submit_request(ask.Play(person.id, line))

    def accepts_empty_line(self, person: Person) -> bool:
        """Whether an empty line is a play of this person now."""
        if (place := self._game_and_seat(person)) is None:
            return False
        game, seat = place
        return game.takes_empty(seat)

    def send_view(self, person: Person) -> None:
        self.outbox.send(person.id, self.table_manager.look(person.id))

    def legal_moves(self, person: Person) -> Sequence[str]:
        """What the own view allows now, each exactly as it can be typed; nothing without a game."""
        if (place := self._game_and_seat(person)) is None:
            return ()
        game, seat = place
        return game.moves(seat)

    def moves_page(self, person: Person, prefix: str = "", *, is_numbered: bool = False) -> Page:
        shown = self.table_manager.look(person.id)
        if not isinstance(shown, ViewMessage) or not shown.asked:
            raise UserError("No game runs here now. start begins one.")
        variant, plays = self.catalogue[shown.variant], self.legal_moves(person)
        if not plays:
            return Page("You can play nothing now.", (waiting_row(shown), *questions_row(variant)))
        rows = moves_rows(plays, prefix, is_all=lists_all_actions(variant, shown.view))
        if is_numbered and (table := self._table(person)) is not None:
            rows = self._numbered_moves.number_rows(person.id, table, rows)
        return Page("You can type", (*rows, *questions_row(variant)))

    def move_by_number(self, person: Person, number: str) -> str | None:
        """The play beside a number of the list that was read aloud last; None: it is in none."""
        table = self._table(person)
        return (
            None if table is None else self._numbered_moves.move_by_number(person.id, table, number)
        )

    def history(self, person: Person) -> list[Message]:
        """What happened, the last HISTORY_MAX of it: that much fits a box."""
        happened = self.table_manager.history(person.id)
        heard: list[Message] = [replace(event, is_past=True) for event in happened[-HISTORY_MAX:]]
        if len(happened) > HISTORY_MAX:
            so = f"These are the last {HISTORY_MAX:,} of {len(happened):,} events"
            heard.insert(0, Notice(f"{so}; when the game is over, record has them all."))
        return heard

    def record_page(self, person: Person) -> Page:
        rows = tuple(self.table_manager.export_game(person.id).splitlines())
        return Page("The record of this game", rows, is_to_copy=True)

    def rules_page(self, person: Person, name: str | None) -> Page:
        table = self._table(person)
        if name is not None:
            variant = find_variant(name, self.catalogue)
        elif table is not None:
            variant = table.variant
        else:
            rows = [f"{v.name}\t{v.summary}" for v in self.catalogue.values()]
            return Page("Games", (*rows, "See also: rules GAME, open GAME"))
        return rules_page(variant)

    def _table(self, person: Person) -> Table | None:
        number = self.table_manager.table_of(person.id)
        return None if number is None else self.table_manager.find(number)

    def _game_and_seat(self, person: Person) -> tuple[Game, Seat] | None:
        table = self._table(person)
        return None if table is None else table.game_seat_of(person.id)

    # -- the house -------------------------------------------------------------------------------

    def argument_completions(self, param: str, given: Sequence[str]) -> Iterable[str]:
        numbers = (
            [row.number for row in self.table_manager.list_tables()] if param == "TABLE" else []
        )
        return argument_completions(
            param, given, self.lobby.online_names(), numbers, self.catalogue
        )

    def about_page(self, version: str) -> Page:
        minutes = (self.clock.now_ms() - self._started_ms) // 60_000
        people, tables = len(self._online), self.table_manager.open_count()
        name = self.config.server.name
        return pages.server_page(name, version, minutes, people, tables, self._fingerprint)

    def announce_in_lobby(self, text: str) -> None:
        """Public news from the tables, for the lobby."""
        self._deliver(self.lobby.announce_in_lobby(text))

    def broadcast(self, text: str) -> None:
        """Tell everybody who is in, wherever they are."""
        self._deliver(self.lobby.broadcast(text))

    def set_location(self, person_id: str, table: int | None) -> None:
        self.lobby.set_location(person_id, table)

    def flush_held_notices(self) -> None:
        """Now and then: what the lobby has held back."""
        self._deliver(self.lobby.flush_held_notices(self._now()))
