"""The facade: all that sessions and commands may do with lobby, tables and people.

Rule 1: nothing here waits.  What needs the journal goes to a table's queue or to `AccountService`,
        and the answer comes through the outbox.
Rule 2: every refusal is a `UserError` with a sentence; it changes nothing.
Rule 3: lists show public facts only.  [SEC-7]
Rule 4: an answer is a value: a message, a number, a summary.  No `Table`, `Game`, account or
        presence leaves this file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from secrets import token_bytes

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.data_messages import MovesData, OptionsData
from mudserver.errors import UserError
from mudserver.host_pages import HostPages
from mudserver.lobby.presence import PresenceSummary
from mudserver.messages import LocationMessage, Message, Notice, Page, ViewMessage
from mudserver.outbox import Deliveries, Inbox
from mudserver.service import moves as move_lists
from mudserver.service import pages, texts
from mudserver.service.argument_completions import argument_completions
from mudserver.service.clock_text import describe_clock, describe_wait
from mudserver.service.game_history import history_messages
from mudserver.service.game_questions import GameQuestions
from mudserver.service.game_starter import GameStarter
from mudserver.service.going_on import GoingOn
from mudserver.service.later_moves import LaterMoves
from mudserver.service.notices import Notices
from mudserver.service.notify_settings import NotifySettings
from mudserver.service.numbered_moves import NumberedMoves
from mudserver.service.online_people import Become, EndSession
from mudserver.service.own_games import OwnGames
from mudserver.service.place_talk import PlaceTalk
from mudserver.service.program_service import ProgramService
from mudserver.service.rules_page import game_page
from mudserver.service.seeking import Seeking
from mudserver.service.service_parts import ServiceParts
from mudserver.service.substitutes import Substitutes
from mudserver.service.table_lists import TableLists
from mudserver.service.utility_turns import UtilityTurns
from mudserver.service.watching import Watching
from mudserver.source_budgets import LOCAL, Kind
from mudserver.tables import requests
from mudserver.tables.offer_texts import NOT_PAUSED, PAUSED
from mudserver.tables.offers import parse_kind
from mudserver.tables.summary import Reading, TableSummary
from mudserver.tables.texts import NO_SEAT, NO_TABLE, STILL_RESTORING
from variants.catalogue import Catalogue
from variants.contract import lists_all_actions
from variants.kit.text import join_words


class GameService:
    """Args: fingerprint: of the SSH host key; "": the server has none."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        catalogue: Catalogue,
        parts: ServiceParts,
        fingerprint: str = "",
        make_seed: Callable[[], bytes] = lambda: token_bytes(32),
    ) -> None:
        self._config, self._clock, self.catalogue = config, clock, catalogue
        self._outbox, self._online, self.moderation, self.sanctions = parts[:4]
        self.reports, self.admission, self.news, self._account_service = parts[4:8]
        self._lobby, self.relations, self.mail, self.channels = parts[8:12]
        self._tables, self.guest_seats, self._budgets, self.lessons = parts[12:16]
        self.hints, self.reviews, self.names, self.host_pages, self.export = parts[16:21]
        self.deletion, self.results, self.replays, self.exports = parts[21:25]
        self.new_guests, self.walks, self.tells, self.inviting, self.directory = parts[25:30]
        self.tourneys = parts.tourneys
        self.game_questions = GameQuestions(self._tables, catalogue, clock, make_seed)
        self._numbered_moves = NumberedMoves(catalogue)
        self._fingerprint, self._started_ms = fingerprint, clock.now_ms()
        self._utility_turns = UtilityTurns(clock)
        here = clock, self._lobby, self._tables, self._online, self._outbox
        self.talk = PlaceTalk(*here, self.channels)
        who = self.relations, self._online.is_program
        self.substitutes = Substitutes(self._tables, self.results.rated, *who, self._submit_to)
        self.programs = ProgramService(
            *(config, clock, self._outbox, self._tables, self._account_service, self.relations),
            self.directory,
        )
        listed = self._tables, self.directory, self.programs, catalogue
        self.table_lists = TableLists(*listed, clock, parts.outbox)
        watched = self._tables, self.table_lists, self.results.rated, self._lobby
        self.watching = Watching(*watched, clock, self._check_may_join, self._submit_to)
        own = self._tables, self._outbox, clock.now_ms, next(iter(catalogue))
        self.own_games = OwnGames(*own, self._online.has_count)
        self.notices = Notices(
            self._tables, self.own_games, self._account_service, self._outbox, clock, parts.outside
        )
        self.notify = NotifySettings(clock, self._account_service, parts.outside)
        self.seeking = Seeking(
            *(clock, catalogue, self._lobby, self._online, self._tables, self._outbox),
            *(self.relations, self._account_service.streams.accounts, self._budgets),
            *(parts.asking, self.charge_talk, self.guest_seats.send_code),
        )
        self.going_on = GoingOn(
            *(self._outbox, self._tables, self._lobby, self.channels, clock),
            *(self.lessons.choices, self.seeking.restore),
        )
        self.later_moves = LaterMoves(self._tables, self.submit_request)
        self._starter = GameStarter(
            *(catalogue, self._outbox, self._account_service, self._tables, self.lessons.choices),
            *(self._submit_to, self._avoids, self.directory, self._lobby.elsewhere),
        )

    def reconfigure(self, config: Config, host_pages: HostPages) -> None:
        """Apply other limits to future logins; nobody who is online has to leave."""
        self._config, self.host_pages = config, host_pages
        self.programs.reconfigure(config)
        self._online.reconfigure(config.people)

    # -- login and end of a session --------------------------------------------------------------

    def enter(
        self,
        person: Person,
        inbox: Inbox,
        end_session: EndSession,
        peer: str,
        *,
        is_program: bool = False,
        preference: Callable[[str], str] = lambda key: "",
        become: Become = lambda person: None,
        since_ms: int | None = None,
        session: str = "",
    ) -> bool:
        """Log a person in.  The newest session of a person ends the one before.

        Args:
            since_ms: UTC, of a session that goes on in this process; nobody is told.
            session: Its id.
        Returns: whether one was ended, and not a program's.
        Raises:
            UserError: The server is full, the address has too many guests, or the session goes on
                and there is a later one.
        """
        is_silent = since_ms is not None
        if since_ms is not None and self._online.has_later(person.id, since_ms, session):
            raise UserError(self.elsewhere_text(person))
        before = self._online.enter(
            *(person, end_session, peer),
            since_ms=self._clock.now_ms() if since_ms is None else since_ms,
            has_seat=is_silent or self._tables.table_of(person.id) is not None,
            goes_on=is_silent,
            is_program=is_program,
            preference=preference,
            become=become,
            session=session,
        )
        self._outbox.attach(person.id, inbox)
        self.channels.enter(person)
        announced = self._lobby.enter(person, self._now(), is_silent=is_silent)
        if before is not None:
            is_moving = not is_silent or before.session == session  # else it moved long ago
            before.end_session(*([] if is_moving else [self.elsewhere_text(person)]))
        else:
            told = self.relations.on_enter(person, announced)
            self._deliver([] if is_silent else told)
            self._lobby.set_location(person.id, self._tables.table_of(person.id))
        return before is not None and not before.is_program

    def leave(self, person: Person, inbox: Inbox, *, is_silent: bool = False) -> None:
        """A session ends.  If a newer one has taken over, the person stays online.

        Args: is_silent: it goes on at another server; nobody is told.
        """
        if not self._outbox.is_attached(person.id, inbox):
            return
        if is_silent:
            self.walks.leave_table(person)
        self._outbox.detach(person.id, inbox)
        if left := self._online.leave(person.id):
            self.moderation.targets.note_left(person, left.source)
        self._numbered_moves.forget(person.id)
        self.channels.leave(person.id)
        self.lessons.forget(person.id)
        self.replays.forget(person.id)
        self._tables.on_disconnect(person.id)
        announced = self._lobby.leave(person.id, self._now(), is_silent=is_silent)
        told = self.relations.on_leave(person, announced, is_silent=is_silent)
        self._deliver([] if is_silent else told)

    def elsewhere_text(self, person: Person) -> str:
        """What a person reads in a session that gives way to a newer one."""
        return texts.LOGGED_IN_ELSEWHERE + texts.SEAT_MOVES * self.has_seat(person)

    def is_first_visit(self, person: Person, *, is_registered: bool) -> bool:
        """Whether the welcome is for somebody new: just registered, or a guest without a seat."""
        return is_registered or (person.is_guest and self._tables.table_of(person.id) is None)

    def welcome_page(self, person: Person) -> Page:
        """What a newcomer reads first."""
        return pages.welcome_page(self.server_name, person.name)

    def send_welcome(
        self, person: Person, *, is_first: bool, has_pages: bool, is_greeted: bool = False
    ) -> None:
        """Send the welcome, and the person's view of the table if a seat is waiting.

        Args:
            is_first: It is for somebody new.
            has_pages: Somebody new gets a page; else one line, as programs always do.
            is_greeted: The person has read `Welcome back` already.
        """
        table, is_restoring = self._tables.table_of(person.id), False
        if table is None:  # the person's table may be among those that come
            is_restoring = bool(self._tables.restorer.pending_count())
        counts = self.online_count(), self.table_count()
        where = pages.where_to_begin(*counts, table, is_restoring=is_restoring)
        if is_first and has_pages:
            self.send_to(person.id, self.welcome_page(person))
            if is_restoring:
                self.send_to(person.id, Notice(STILL_RESTORING))
        else:
            welcome = f"{'Welcome' if is_first else 'Welcome back'}, {person.name}. "
            self.send_to(person.id, Notice(where if is_greeted else welcome + where))
        moves = self.own_games.greeting(person) if table is None else ""
        waiting = "" if is_first else self.lessons.suggestion(person, invites=not is_greeted)
        for text in (moves, waiting if has_pages else ""):
            if text:
                self.send_to(person.id, Notice(text))
        if table is None:
            self.send_to(person.id, LocationMessage(None))
        for text in self.tourneys.greetings(person):
            self.send_to(person.id, Notice(text))
        self._tables.on_reconnect(person.id)

    def _deliver(self, deliveries: Deliveries) -> None:
        self._outbox.send_each(deliveries)

    def source_of(self, person_id: str) -> str:
        """The source of a person's session; "": the person is not online."""
        return self._online.source_of(person_id)

    def charge_talk(self, person_id: str, listener_id: str = "") -> None:
        """Count a line for the source of its speaker.

        Args:
            listener_id: Who alone hears it; "": everybody in the same place.

        Raises:
            UserError: Nothing is left, or the speaker is muted.
        """
        self.check_may_talk(person_id, listener_id)
        self._budgets.take(Kind.TALK, self.source_of(person_id) or LOCAL)

    def check_may_talk(self, person_id: str, listener_id: str = "") -> None:
        """UserError: the person is muted.  Args: listener_id: who alone reads it; "": several."""
        if online := self._online.get(person_id):
            self.sanctions.check_may_talk(online.person, online.source, listener_id)

    async def wait_for_utility_turn(self, person: Person) -> None:
        """Return when a utility command of *person* may run.  UserError: too many were asked."""
        online = self._online.get(person.id)
        if online is not None:
            self._utility_turns.charge(online.rate_limit_key)
            self._budgets.take(Kind.UTILITY, online.source)
            await self._utility_turns.wait(online.source)

    def charge_change(self, person: Person) -> None:
        """Count a change of the account.  UserError: too many in a short time."""
        self._account_service.charge_change(person, self.source_of(person.id) or LOCAL)

    # -- chat ------------------------------------------------------------------------------------

    def send_to(self, person_id: str, message: Message) -> None:
        """Send one person a message, in order with all other messages to them."""
        self._outbox.send(person_id, message)

    def set_away(self, person: Person, text: str) -> None:
        """The person is away, and says why; "": no more."""
        self._lobby.set_away(person.id, text)

    def lobby_count(self) -> int:
        """People in the lobby."""
        return self._lobby.lobby_count_all()

    # -- people ----------------------------------------------------------------------------------

    def online_count(self) -> int:
        """On all servers."""
        return self._lobby.count_all()

    def who_page(self, person: Person, whom: str = "") -> Page:
        """See `Relations.who_page`."""
        return self.relations.who_page(person, whom)

    def list_people(self) -> list[PresenceSummary]:
        return self._lobby.people()

    def on_input(self, person: Person) -> None:
        """The person typed something: no longer idle, and back in an away seat."""
        self._lobby.on_input(person.id, self._now())
        self._tables.on_input(person.id)

    # -- tables ----------------------------------------------------------------------------------

    def table_of(self, person: Person) -> int | None:
        return self._tables.table_of(person.id)

    def keeps_seat(self, person: Person) -> bool:
        """Whether a seat in a game, or in a match, waits for the person."""
        return self._tables.lists.keeps_seat(person.id)

    def is_playing(self, person: Person) -> bool:
        return self._tables.is_playing(person.id)

    def has_seat(self, person: Person) -> bool:
        """Whether the person sits at a table, with or without a game."""
        status = self._tables.seat_status(person.id)
        return status is not None and status.seat is not None

    def is_game_running(self, person: Person) -> bool:
        """Whether a game runs at the person's table, with or without that person in it."""
        status = self._tables.seat_status(person.id)
        return status is not None and status.is_playing

    def clock_text(self, person: Person) -> str:
        """Whose clock runs at the person's table, and what it has left."""
        return describe_clock(self._tables.clock_status(person.id), self._clock.now_ms())

    def wait_text(self, person: Person) -> str:
        """What the others have left for whom the person has waited for a while; "": nothing."""
        return describe_wait(self._tables.clock_status(person.id), self._clock.now_ms())

    def is_game_word(self, person: Person, word: str) -> bool:
        """Whether *word* is a play of the game at the person's table."""
        status = self._tables.seat_status(person.id)
        return status is not None and word in self.catalogue[status.variant].verbs

    def check_tables_restored(self) -> None:
        """UserError: some tables are not restored yet, and the person may belong to one."""
        self._tables.restorer.check_restored()

    def table_count(self) -> int:
        """All open tables of all servers, restored or not."""
        return self.table_lists.count()

    def list_tables(self) -> list[TableSummary]:
        """Those of this server."""
        return self._tables.lists.summaries()

    def open_table(self, person: Person, game: str, options: str, has_autopass: bool) -> None:
        """See `GameStarter.open_table`."""
        self._starter.open_table(person, game, options, has_autopass)
        self.guest_seats.send_code(person)

    def play_game(
        self,
        person: Person,
        game: str | None,
        preset: str | None,
        computers: str,
        go: Callable[[int, str], bool],
        **how: bool,
    ) -> None:
        """See `GameStarter.play`."""
        how["is_program"] = self._online.is_program(person.id)
        if self._starter.play(person, game, preset, computers, go=go, **how):
            self.guest_seats.send_code(person)

    def practise(
        self, person: Person, game: str, typed: Sequence[str], computers: str, has_autopass: bool
    ) -> None:
        """See `GameStarter.practise`."""
        self._starter.practise(person, game, typed, computers, has_autopass)
        self.guest_seats.send_code(person)

    def _avoids(self, person: str, people: Iterable[str]) -> bool:
        """Whether one of *people* ignores the person or is ignored."""
        ignores = self.relations.is_ignoring
        return any(ignores(person, other) or ignores(other, person) for other in people)

    def table_with_code(self, person: Person, code: str) -> int:
        """The private table, of whichever server, that *code* opens.  UserError: none."""
        return self._tables.table_with_code(person.id, code, self.directory.code_hashes())

    def sit(self, person: Person, number: int, has_autopass: bool, code: str = "") -> None:
        request = requests.Sit(
            person.id,
            person.name,
            person.is_guest,
            has_autopass,
            code=code,
            is_program=self._online.is_program(person.id),
        )
        is_opening = self._tables.table_of(person.id) == number and not self._tables.lists.find(
            number
        )
        self._submit_to(number, request)
        if not is_opening:  # who opens a table was shown the code
            self.guest_seats.send_code(person)

    def newcomers(self) -> dict[str, dict[str, float]]:
        """See `AccountService.newcomers`."""
        return self._account_service.newcomers()

    def may(self, person: Person, command: str) -> bool:
        """Whether *command* works for the person at the own table now."""
        return self._tables.may(person.id, command)

    # -- offers and invitations ------------------------------------------------------------------

    def offer(self, person: Person, kind: str) -> None:
        """UserError: there is no such *kind* of offer."""
        parsed = parse_kind(kind)
        if parsed == "adjourn":
            self.own_games.check_may_adjourn(person)
        self.submit_request(requests.Offer(person.id, parsed))

    def go_on(self, person: Person, number: int | None) -> None:
        """Go on with the paused game at the person's table, or show a guest's code again.

        UserError: there is neither, or the person sits at another table than *number*.
        """
        own = {it.number for it in self._tables.lists.slow_games(person.id)}
        if number in own and number != self._tables.table_of(person.id):
            self.own_games.go(person, number)
        status, clock = self._tables.seat_status(person.id), self._tables.clock_status(person.id)
        is_here = status is not None and status.seat is not None
        is_paused = clock is not None and clock.is_paused
        if number is not None and not (is_here and status is not None and status.table == number):
            raise UserError(NO_SEAT.format(number, ""), "not_seated")
        if is_here and (number is not None or is_paused):
            self.submit_request(requests.GoOn(person.id))
        elif is_here and person.is_guest:
            self.guest_seats.send_code(person)
        else:
            raise UserError(NOT_PAUSED)

    def answer_offer(self, person: Person, *, is_accepted: bool) -> bool:
        """Answer the open offer of the person's table.  False: there is none to answer.

        UserError: the offer that the person may mean has only just ended.
        """
        if kind := self._tables.asked_to_agree(person.id, self._clock.now_ms()):
            if is_accepted and kind == "adjourn":
                self.own_games.check_may_adjourn(person)
            self.submit_request(requests.AnswerOffer(person.id, is_accepted))
            return True
        return False

    def table_left(self, person: Person) -> int:
        """Where a seat waits that the person has left.  UserError: nowhere, or at several."""
        if self.is_playing(person):
            raise UserError("You have your seat. look shows the table.")
        others = self.directory.tables_left(person.id)
        tables = sorted({*self._tables.lists.tables_left(person.id), *others})
        if not tables:
            self.check_tables_restored()
            raise UserError("No seat waits for you. For a free one type tables", "not_found")
        if len(tables) > 1:
            which = join_words(list(map(str, tables)), "or")
            raise UserError(texts.SEATS_WAIT.format(which), "ambiguous", tables=tables)
        return tables[0]

    def given_up(self, person: Person) -> tuple[tuple[int, int], int] | None:
        """What the person gives up by leaving the table now; None: nothing.

        Returns:
            (table, game), and how many deals of a match: see `Table.given_up`.
        """
        status = self._tables.seat_status(person.id)
        if status is None or status.given_up is None:
            return None
        game, deals = status.given_up
        return (status.table, game), deals

    def has_autopass(self, person: Person) -> bool | None:
        """Whether the person's seat passes by itself; None: no seat.  [G-12]"""
        status = self._tables.seat_status(person.id)
        return None if status is None else status.has_autopass

    def set_autopass(self, person: Person, is_on: bool) -> bool:
        """Ask the person's table to set it; the table answers.  False: no seat, now or soon."""
        number, status = self._tables.table_of(person.id), self._tables.seat_status(person.id)
        if number is None or (status is not None and status.is_watching):
            return False
        self._submit_to(number, requests.SetAutopass(person.id, is_on))
        return True

    def options_page(self, person: Person) -> Page:
        """The options of the person's table, as they can be typed.  UserError: at no table."""
        number, options = self._tables.options_of(person.id)
        data = OptionsData(number, {it.partition("=")[0]: it.partition("=")[2] for it in options})
        return Page(f"Options of table {number}", tuple(options), data=data)

    def monotonic(self) -> float:
        """Seconds on the clock that limits are counted by."""
        return self._clock.monotonic()

    _now = monotonic

    def submit_request(self, request: requests.Request) -> None:
        """Hand a request to the table of its person.  UserError: at no table, or too many."""
        number = self._tables.table_of(request.person)
        self._tables.restorer.check_restored(number)
        if number is None:
            raise UserError(NO_TABLE, "not_seated")
        self._submit_to(number, request)

    def _submit_to(self, number: int, request: requests.Request) -> None:
        if isinstance(request, requests.Sit | requests.Watch | requests.Substitute):
            self._check_may_join(number, request.person)
        online = self._online.get(request.person)
        key = online.rate_limit_key if online is not None else ""
        self._tables.submit(number, request, key)

    def _check_may_join(self, number: int, person_id: str) -> None:
        """UserError: who opened the table ignores the person, who has no seat there."""
        here = self._tables.lists.people_at(number)
        if here is not None and person_id not in here.players | here.absent:
            self.relations.check_may_join(person_id, here.opener)

    def play(self, person: Person, line: str, question: str = "") -> None:
        """Args: question: the id of the one that is answered; "": whatever is open."""
        self.submit_request(requests.Play(person.id, line, question))

    def accepts_empty_line(self, person: Person) -> bool:
        """Whether an empty line is a play of this person now."""
        return self._tables.accepts_empty_line(person.id)

    def reads(self, person: Person, line: str) -> Reading | None:
        """How the game reads a line of the person's seat; None: nobody can say now."""
        return self._tables.reads(person.id, line)

    def window_key(self, person: Person) -> str:
        """Another text is another decision at the person's table; "": there is none."""
        return self._tables.window_key(person.id)

    def view_of(self, person: Person) -> Message:
        """What `look` shows.  UserError: the person is at no table."""
        return self._tables.look(person.id)

    def send_view(self, person: Person) -> None:
        self.send_to(person.id, self._tables.look(person.id))

    def legal_moves(self, person: Person) -> Sequence[str]:
        """What the person may type now, each move exactly as it is typed; empty without a game."""
        options = self._tables.turn_options(person.id)
        return () if options is None else options.moves

    def tourney_of(self, person: Person) -> int:
        """Number of the tournament that the person's table belongs to; 0: to none."""
        place = self._tables.seat_status(person.id)
        return 0 if place is None else place.tourney

    def listed_moves(self, message: ViewMessage) -> move_lists.ListedMoves:
        """What the reader of *message* may type."""
        game = self.catalogue[message.variant]
        return move_lists.listed_moves(message, game, self._tables.moves_for_view)

    def _no_game(self, person: Person) -> str:
        tourney = self.tourney_of(person)
        return texts.NO_GAME_OF_TOURNEY.format(tourney) if tourney else texts.NO_GAME_NOW

    def moves_page(self, person: Person, prefix: str = "", *, is_numbered: bool = False) -> Page:
        message = self._tables.look(person.id)
        if not isinstance(message, ViewMessage) or not message.asked:
            if isinstance(message, ViewMessage) and message.is_paused:
                raise UserError(PAUSED, "stopped")
            raise UserError(self._no_game(person), "no_game")
        variant, moves = self.catalogue[message.variant], self.legal_moves(person)
        if not moves:
            rows = [move_lists.waiting_row(message), *move_lists.questions_row(variant)]
            return Page(texts.NO_MOVES_NOW, tuple(rows), data=MovesData((), False))
        is_all = lists_all_actions(variant, message.view)
        rows = move_lists.moves_rows(moves, prefix, is_all=is_all)
        listed = tuple([row.removeprefix("- ") for row in rows if row.startswith("- ")])
        data = MovesData(listed, not is_all or len(listed) < len(moves))
        if is_numbered and (options := self._tables.turn_options(person.id)) is not None:
            rows = self._numbered_moves.number_rows(person.id, options, rows)
        return Page("You can type", (*rows, *move_lists.questions_row(variant)), data=data)

    def move_by_number(self, person: Person, number: str) -> str | None:
        """The move beside a number in the person's last numbered list; None: no list has it.

        Raises:
            UserError: The list is out of date.
        """
        if not self._numbered_moves.has_list(person.id):
            return None
        options = self._tables.turn_options(person.id)
        return self._numbered_moves.move_by_number(person.id, options, number)

    def history(self, person: Person, since: int = 0) -> list[Message]:
        """See `history_messages`; empty: no game was played at the person's table yet."""
        return history_messages(self._tables.history(person.id), since)

    def record_page(self, person: Person) -> Page:
        rows = tuple(self._tables.export_game(person.id).splitlines())
        return Page("The record of this game", rows, is_to_copy=True, has_whole_rows=True)

    def game_page(self, person: Person, word: str, name: str | None) -> Page:
        """`rules` or `tips` of the named game, or of that at the person's table."""
        status = self._tables.seat_status(person.id)
        return game_page(word, name or (status.variant if status else ""), self.catalogue)

    # -- the server ------------------------------------------------------------------------------

    @property
    def server_name(self) -> str:
        return self._config.server.name

    def argument_completions(
        self, person: Person, param: str, given: Sequence[str]
    ) -> Iterable[str]:
        numbers = [it.number for it in self.table_lists.board()[0]] if param == "TABLE" else []
        names, status = self._lobby.online_names(), self._tables.seat_status(person.id)
        own_game = "" if status is None else status.variant
        return argument_completions(param, given, names, numbers, self.catalogue, own_game)

    def about_page(self, version: str) -> Page:
        minutes = (self._clock.now_ms() - self._started_ms) // 60_000
        people, tables = self.online_count(), self.table_count()
        return pages.server_page(
            self.server_name, version, minutes, people, tables, self._fingerprint
        )

    def set_fingerprint(self, fingerprint: str) -> None:
        """The SSH host key is that of a door."""
        self._fingerprint = fingerprint

    def announce_in_lobby(self, text: str, but: Collection[str] = ()) -> None:
        """Public news from the tables, for everybody in the lobby.  Args: but: without them."""
        self._deliver(self._lobby.announce_in_lobby(text, but))

    def broadcast(self, text: str) -> None:
        """Tell everybody who is online, in the lobby and at the tables."""
        notice = Notice(text)
        self._outbox.note_public(notice, self._clock.now_ms())
        self._deliver(self._lobby.broadcast(notice))

    def set_location(self, person_id: str, table: int | None) -> None:
        self.channels.move(person_id, table)
        self._lobby.set_location(person_id, table)
        self.names.on_move(person_id, table)

    def flush_held_notices(self) -> None:
        """Send the arrivals and departures that the lobby has held back; called by a timer."""
        self._deliver(self._lobby.flush_held_notices(self._now()))
