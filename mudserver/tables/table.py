"""The state of one table, without I/O: who is there, the game on it, and each reader's view.

Rule 1: a table settles one request at a time, in the order of its queue.  `runner.py` holds the
        queue, so two answers in one millisecond have the order of the journal.  [TIME-4]
Rule 2: `decide.py` reads this state and changes nothing; `commit.py` changes it.  Between the two
        the runner writes the record, so nobody sees what a crash could take back.
Rule 3: recovery is the same commit, fed from the journal (`replay.py`), its deliveries dropped.
Rule 4: what leaves this file is a view, a redacted event or a public sentence;
        `notifications.py` decides who is sent which.
Rule 5: the number of records and their bytes are bounded.  From half of either bound on, no further
        game starts; at all of it, the table closes and a running game ends without a result.  A
        start of the server replays all records, memory holds a game for as long as it runs, and
        all open tables together must not fill the journal.
Rule 6: people are warned of that end, and only at a play: when something private was written is
        nobody's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from mudserver.accounts.person import Person
from mudserver.config.schema import TablesConfig
from mudserver.messages import EventMessage, ViewMessage
from mudserver.tables import records as f
from mudserver.tables.correspondence import ANSWER_MS, away_wait_ms
from mudserver.tables.countdown import RATED_PEOPLE_MIN, Countdown
from mudserver.tables.game import Game, WindowClock
from mudserver.tables.game_facts import ChanceFactory
from mudserver.tables.game_views import event_messages, id_of, question_of, view_message
from mudserver.tables.held_back import HeldBack
from mudserver.tables.levels import stored_level
from mudserver.tables.match import Match
from mudserver.tables.options import TableOptions
from mudserver.tables.pause_state import GoingOn
from mudserver.tables.readiness import Readiness
from mudserver.tables.seat_bars import SeatBars
from mudserver.tables.seats import (
    Occupant,
    rotated_to,
    seat_of,
    with_autopass,
    with_distinct_names,
)
from mudserver.tables.substituted_seats import offered_before
from mudserver.tables.summary import (
    NO_TOURNEY,
    ClockStatus,
    SeatStatus,
    TablePeople,
    TourneyTable,
)
from mudserver.tables.texts import change_text
from variants.catalogue import AnyVariant
from variants.contract import Seat
from variants.kit.chance import SeededChance

WARNING_FRACTIONS = (4, 20, 200)  # warn when a quarter, a twentieth, a two-hundredth is left
BYTES_MAX = 10_485_760  # of one table's records, where nothing else is said
ALONE_WARNING_MS = 60_000  # from the warning to the end of a table with one person
FORFEIT_AFTER_RESTART_MS = 300_000  # who forfeits when offline too long has this after a restart
KEPT_MS = 10_000  # so long a seat is kept for somebody who comes from another server
PLAY_BYTES = 500  # of a play's record, roughly


class Table:
    def __init__(
        self,
        number: int,
        variant: AnyVariant,
        config: TablesConfig,
        make_chance: ChanceFactory = SeededChance,
        bytes_max: int = BYTES_MAX,
    ) -> None:
        self.bytes_max = bytes_max  # of the records
        self.number, self.variant, self.config = number, variant, config
        self.make_chance = make_chance
        self.is_program: Callable[[str], bool] = lambda person: False  # for what is shown
        # -- state, applied from facts
        self.sequence = 0
        self.told_sequence = 0  # of the last record of which everybody here was told
        self.is_closed = False
        self.host = ""  # id of the person who opened it
        self.owner = ""  # id of the person who owns it
        self.seek_ms = 0  # as of `f.Opened`
        self.kept_for, self.kept_until_ms = "", 0  # who is on the way to a seat here, UTC
        self.tourney = NO_TOURNEY
        self.seated: list[str] = []  # ids of those who stay for the next game, longest first
        self.seat_since_ms: dict[str, int] = {}  # UTC, by the ids in `seated`
        self.readiness = Readiness()
        self.bars = SeatBars()
        self.countdown: Countdown | None = None  # of a table that `play` opened
        self.invitations: dict[str, f.Invited] = {}  # by person; bounded by `waiting.py`
        self.at_ms = 0  # of the record that is being applied
        self.changed_ms = 0  # of the last one that was written, UTC
        self.options: TableOptions
        self.roster: list[Occupant] = []  # those who stay for the next game
        self.game: Game | None = None  # the running or the last one
        self.match: Match | None = None  # the one that this game belongs to
        self.warnings_sent = 0  # that the table becomes full
        self.bytes = 0  # of all records; who appends or replays one counts it first
        self.sitters: set[str] = set()  # people who have had a seat, two at most
        self.had_account = False  # at a seat
        # -- presence: lost when the process ends
        self.online: set[str] = set()
        self.offline_since_ms: dict[str, int] = {}  # seated people only
        self.watchers: dict[str, str] = {}  # names by id
        self.behind: Table | None = None  # as watchers see it, in a game with a delay: `behind.py`
        self.held_back = HeldBack()  # what is not shown there yet
        self.is_behind = False  # this is such a table: its people know another one
        self.guest_sources: dict[str, str] = {}  # of the guests in `seated`, by id
        self.offered: dict[int, int] = {}  # seats to take over, as told; and when each was left
        self.may_search = False  # there is a place for a computer player that searches
        self.code = ""  # of a private table; "": public, or not known since a restart
        self.going_on = GoingOn()
        self.looked_up_ms = 0  # up to when lists of moves kept for later are looked up, UTC
        self.empty_since_ms: int | None = None
        self.alone_until_ms: int | None = None  # one person and no game: then it closes
        self.is_closing_told = False

    # -- reading -------------------------------------------------------------------------------

    @property
    def is_slow(self) -> bool:
        """Whether nobody has to be connected: by correspondence, or adjourned."""
        return self.sequence > 0 and (self.options.is_correspondence or self.is_adjourned)

    @property
    def is_adjourned(self) -> bool:
        pause = self.game.pause if self.game is not None else None
        return pause is not None and pause.is_adjourned

    @property
    def is_playing(self) -> bool:
        return self.game is not None and not self.game.is_over

    @property
    def empty_until_ms(self) -> int | None:
        """When a table without a game closes, because nobody is there, UTC; None: it does not."""
        if self.empty_since_ms is None or self.is_playing:
            return None
        if self.is_slow:
            return max(self.empty_since_ms, self.changed_ms + ANSWER_MS)
        return self.empty_since_ms + int(self.config.empty_s * 1000)

    @property
    def is_between_deals(self) -> bool:
        """Whether one deal of a match is over and the next one has not begun."""
        return self.match is not None and self.match.is_pausing

    @property
    def goes_on(self) -> bool:
        """Whether a game runs, or the next deal of a match follows by itself."""
        return self.is_playing or self.is_between_deals

    @property
    def deals_left(self) -> int:
        """How many deals of the match follow the running or last one."""
        return 0 if self.match is None or self.game is None else self.match.deals_left

    @property
    def starts_ms(self) -> int | None:
        """When the game starts by itself, UTC; None: it starts when everybody is ready."""
        if self.is_between_deals:
            return self._next_deal_ms()
        if self.countdown is None or self.countdown.is_stopped or not self.seated:
            return None
        return None if self.waits_for_account else self.countdown.start_ms(self.config.play_wait_s)

    @property
    def waits_for_account(self) -> bool:
        """Whether `play GAME rated` has opened it, and too few people sit here."""
        is_rated = self.countdown is not None and self.options.rated == "on"
        return is_rated and len(self.seated) < RATED_PEOPLE_MIN

    @property
    def is_private(self) -> bool:
        """Whether one needs a code or an invitation, and no list shows the table."""
        return bool(self.options.code_hash)

    @property
    def phase(self) -> Literal["waiting", "playing", "over", "closed"]:
        if self.is_closed:
            return "closed"
        return "waiting" if self.game is None else "playing" if self.goes_on else "over"

    @property
    def seats(self) -> list[Occupant]:
        if self.game is not None and self.is_playing:
            return self.game.seats
        return self.match.seats if self.match is not None and self.is_between_deals else self.roster

    def people(self) -> set[str]:
        """Ids of everybody who sits or watches here."""
        return {o.person for o in self.roster if o.person is not None} | self.watchers.keys()

    def people_in_room(self) -> list[str]:
        """Ids of those who read what is said to the table: who has gone elsewhere does not."""
        people = self.people()
        return sorted(people & self.online | self.watchers.keys() if self.is_slow else people)

    def readers(self) -> list[str]:
        """Ids of those who are told here what all at the table are told."""
        seated = set() if self.is_behind else (self.people() - self.watchers.keys()) & self.online
        return sorted(seated | (self.watchers.keys() if self.behind is None else set()))

    def people_here(self) -> TablePeople:
        players = frozenset(o.person for o in self.seats if o.person is not None)
        left = (o.replaced_person for o in self.seats if self.goes_on)
        absent = frozenset(person for person in left if person)
        has_kibitz = self.options.kibitz == "on"
        return TablePeople(
            *(self.host, players, absent, self.is_playing, has_kibitz),
            self.options.rated == "on",
        )

    @property
    def window_key(self) -> str:
        """Another text is another decision that the table waits for; "": it waits for none."""
        if self.game is None or self.game.window is None:
            return ""
        return f"{self.number} {self.game.number} {self.game.window.key}"

    @property
    def game_id(self) -> str:
        """Of the running or last game: never used again; "": there was none."""
        return "" if self.game is None else id_of(self.game, self.number)

    def question_of(self, person: str) -> str | None:
        """The id of the question that the person is asked; None: none is."""
        return self.question_at(self.seat_of(person)) if self.is_playing else None

    def question_at(self, seat: Seat | None) -> str | None:
        """The same, by seat; None: a watcher."""
        return None if self.game is None else question_of(self.game, self.number, seat)

    def seat_of(self, person: str) -> Seat | None:
        """Where a person sits now; None: nowhere here."""
        return None if self.is_behind else seat_of(self.seats, person)

    def game_seat_of(self, person: str) -> tuple[Game, Seat] | None:
        """The running or last game, and where the person sits in it; None: nowhere."""
        seat = self.reader_of(person)
        return None if self.game is None or seat is None else (self.game, seat)

    def seen_by(self, person: str) -> Table:
        """The table as the person sees it; who watches may see an earlier one."""
        return self if self.behind is None or self.seat_of(person) is not None else self.behind

    @property
    def shown(self) -> Table:
        """The table as everybody sees it who has no seat here."""
        return self if self.behind is None else self.behind

    def seat_name(self, seat: int) -> str:
        return self.seats[seat].name

    def person_name(self, person: str) -> str:
        return next((o.name for o in self.seats if o.person == person), "")

    def is_away(self, person: str) -> bool:
        seat = self.seat_of(person) if self.goes_on else None
        return seat is not None and self.seats[seat].is_away

    def left_seat_of(self, person: str) -> Seat | None:
        """The seat of the running game or match that this person left; None: there is none."""
        left = self.people_left()
        return Seat(left.index(person)) if person and person in left else None

    def people_left(self) -> list[str | None]:
        """By seat of the running game or match: who has left it to a computer player, if so."""
        return [o.replaced_person for o in self.seats] if self.goes_on else []

    def keeps_seat(self, now_ms: int) -> bool:
        """Whether a seat is kept for somebody who is on the way."""
        return bool(self.kept_for) and now_ms < self.kept_until_ms

    def given_up(self, person: str) -> tuple[int, int] | None:
        """What this person gives up by leaving now; None: nothing.

        Returns:
            The number of the running game (of a match: of its first deal), and how many further
            deals alone: 0 where a game runs that the person is still in.
        """
        seat, game = self.seat_of(person), self.game
        is_in = self.is_playing and not self.is_out(person)
        if seat is None or game is None or not (is_in or (self.goes_on and self.deals_left)):
            return None
        first = game.number if self.match is None else game.number - self.match.deal + 1
        return first, 0 if is_in else self.deals_left

    def binds(self, person: str) -> bool:
        """Whether the person has to leave the game, or the match, before sitting elsewhere."""
        if self.seat_of(person) is None or self.is_slow:
            return False
        return self.goes_on and not (self.is_out(person) and not self.deals_left)

    def wants_to_know_of_typing(self, person: str) -> bool:
        """Whether anything that this person types ends an absence or gives time.  [G-09]"""
        game, seat = self.game, self.seat_of(person)
        if self.is_between_deals:
            return self.is_away(person)
        if game is None or seat is None or not self.is_playing:
            return False
        occupant = game.seats[seat]
        return occupant.is_away or occupant.turns.may_have_time(game.turn)

    def away_wait_s(self, seat: int) -> float:
        """How long a computer player leaves the first decision of a turn to a seat's absent owner.

        At most a third of the window.  By correspondence, in every window, a quarter of it from its
        opening on.
        """
        game = self.game
        if game is None or game.seats[seat].person is None or not game.seats[seat].is_away:
            return 0.0
        if self.is_slow:
            waits_ms = game.opened_ms + away_wait_ms(game.open_ms() or 0) - self.at_ms
            return max(0, waits_ms) / 1000
        if not game.begins_turn or self.options.pace != "person":
            return 0.0
        open_ms, wait_s = game.open_ms(), self.config.away_wait_s
        return wait_s if open_ms is None else min(wait_s, open_ms / 3_000)

    @property
    def goes_on_ms(self) -> int | None:
        """When the paused game goes on, as things are, UTC; None: it is not paused."""
        pause = self.game.pause if self.game is not None else None
        return None if pause is None else self.going_on.ends_ms(pause)

    def asked_to_pause(self) -> list[str]:
        """Those who have agreed to the pause and are connected, or adjourned the game."""
        game = self.game
        if game is None or game.pause is None:
            return []
        return [it for it in game.people_asked_to_go_on() if self.is_adjourned or it in self.online]

    def waited_for(self) -> list[str]:
        """Those of them who have not wanted to go on."""
        return [it for it in self.asked_to_pause() if it not in self.going_on.people]

    def is_out(self, person: str) -> bool:
        """Whether this person only watches the rest of the running game.  [G-05]"""
        seat = self.seat_of(person) if self.is_playing else None
        return seat is not None and self.game is not None and self.game.is_out(seat)

    @property
    def searching_levels(self) -> list[str]:
        """Of the computer players here that search."""
        levels = [occupant.level for occupant in (*self.seats, *self.roster)]
        return [level for level in levels if level in self.variant.searching]

    @property
    def deadline_ms(self) -> int | None:
        """When the open window ends, UTC; None: no clock runs."""
        return self.game.clock.deadline_ms if self.game is not None else None

    @property
    def is_full(self) -> bool:
        """Whether the table has all the records it may have and must close."""
        return self.sequence >= self.config.records_max or self.bytes >= self.bytes_max

    @property
    def is_too_full_for_game(self) -> bool:
        """Whether there is no room for the records of a further game."""
        records_max = self.config.records_max
        return self.sequence >= records_max // 2 or self.bytes >= self.bytes_max // 2

    @property
    def plays_left(self) -> int:
        """How many plays it may still have, roughly."""
        bytes_left = self.bytes_max - self.bytes
        return min(self.config.records_max - self.sequence, bytes_left // PLAY_BYTES)

    @property
    def worth(self) -> int:
        """What its records are worth once it has closed: see `Journal.rank`."""
        if not self.had_account:
            return 0
        return min(2, len(self.sitters))

    @property
    def warnings_due(self) -> int:
        """How many times people must have been warned by now that the table becomes full."""
        plays_max = min(self.config.records_max, self.bytes_max // PLAY_BYTES)
        return sum(self.plays_left <= plays_max // part for part in WARNING_FRACTIONS)

    def automatic_turns(self) -> list[tuple[Seat, str]]:
        """(seat, level) of the seats that owe an answer without typing it."""
        return self.game.automatic_turns() if self.game is not None and self.is_playing else []

    def view_for(self, person: str, why: str = "look") -> ViewMessage | None:
        """The view of *person*, seated or not; None: there was no game yet."""
        table = self.seen_by(person)
        return None if table.game is None else table.view_message(table.reader_of(person), why)

    def history_for(self, person: str) -> list[EventMessage]:
        """The events of the running or last game, as this person knows them, first to last."""
        table = self.seen_by(person)
        return [] if table.game is None else table.event_messages(table.reader_of(person), 0)

    def seat_status(self, person: str) -> SeatStatus:
        """Where *person* is here."""
        seat = self.seat_of(person)
        return SeatStatus(
            self.number,
            self.variant.name,
            self.is_playing,
            seat,
            None if seat is None else self.seats[seat].has_autopass,
            is_watching=person in self.watchers,
            given_up=self.given_up(person),
            is_bound=self.binds(person),
            is_slow=self.is_slow,
            tourney=self.tourney.tourney,
        )

    def clock_status(self, person: str) -> ClockStatus | None:
        """The clock as *person* is told of it; None: no game runs."""
        table = self.seen_by(person)
        game, reader = table.game, table.reader_of(person)
        window = game.window if game is not None and self.is_playing else None
        if game is None or window is None:
            return None
        clock = WindowClock() if table.is_behind else game.clock
        return ClockStatus(
            is_asked=reader is not None and game.may_act(reader),
            others=tuple(game.seats[seat].name for seat in window.seats if seat != reader),
            deadline_ms=clock.deadline_ms,
            window_ms=None if table.is_behind else game.open_ms(),
            paused_for="" if clock.seat is None else game.seats[clock.seat].name,
            until_ms=clock.until_ms,
            is_paused=game.pause is not None,
            behind=table.options.delay if table.is_behind else 0,
        )

    # -- the steps of a commit -----------------------------------------------------------------

    def begin(self, record: f.Record) -> None:
        """The first step.  A record with facts must be the next one of this table."""
        self.at_ms = record.at_ms
        if record.facts:
            assert record.sequence == self.sequence + 1, (record.sequence, self.sequence)
            self.sequence, self.changed_ms = record.sequence, record.at_ms

    def finish(self, record: f.Record) -> None:
        """The last step, when everything in *record* is applied."""
        if record.has_play:
            self.warnings_sent = max(self.warnings_sent, self.warnings_due)
        self.online &= self.people()
        self.guest_sources = {
            person: source for person, source in self.guest_sources.items() if person in self.seated
        }
        self._note_going_on(record.at_ms)
        if not all(isinstance(fact, f.UNTOLD) for fact in record.facts):
            self.told_sequence = record.sequence
        if self.goes_on or self.online:
            self.empty_since_ms = None
        elif self.empty_since_ms is None:
            self.empty_since_ms = record.at_ms
        is_kept = self.goes_on or self.is_slow or self.waits_for_account
        if is_kept or len(self.people()) != 1:
            self.alone_until_ms = None
        elif record.facts or self.alone_until_ms is None:
            self._wait_alone(record.at_ms)

    def apply(self, fact: f.AnyFact) -> None:
        if text := change_text(fact):
            self.readiness.note_change(text)
        match fact:
            case f.Opened(person=person, options=options):
                self.host, self.owner, self.options = person, person, options
                self.tourney = TourneyTable(fact.tourney, fact.round, fact.place)
                self.seek_ms, self.kept_for = fact.seek_ms, fact.kept_for
                self.kept_until_ms = self.at_ms + KEPT_MS
            case f.OwnerIs(person=person):
                self.owner = person
            case f.Readied(person=person, is_ready=is_ready):
                self.readiness.set_mark(person, is_ready, self.at_ms)
            case f.OptionsSet(options=options):
                self.options, self.countdown = options, None
            case f.Sat(person=person, name=name, is_play=is_play):
                self._seat(fact, with_distinct_names(self.roster, name))
                self._count_down(is_play)
                self.invitations.pop(person, None)
                if person == self.kept_for:
                    self.kept_for = ""
            case f.AutopassSet(person=person, is_on=is_on):
                self.roster = with_autopass(self.roster, person, is_on)
                if self.game is not None:
                    self.game.seats = with_autopass(self.game.seats, person, is_on)
                if self.match is not None:
                    self.match.seats = with_autopass(self.match.seats, person, is_on)
            case f.Stood(person=person, is_gone=is_gone):
                self._remove_person(person)
                if not is_gone:
                    self.bars.note_stood(person, self.at_ms)
            case f.Unseated(person=person, until_ms=until_ms):
                self.bars.note_unseated(person, self.guest_sources.get(person, ""), until_ms)
                self._remove_person(person)
            case f.Invited(person=person, by=by):
                self.invitations[person] = fact
                if by == self.owner:
                    self.bars.lift(person)
            case f.InvitationEnded(person=person):
                self.invitations.pop(person, None)
            case f.ComputerSat(name=name):
                level = stored_level(self.variant, fact.player, fact.level)
                self.roster.append(Occupant(name, level=level))
            case f.ComputerLeft(seat=seat):
                del self.roster[seat]
            case f.Started():
                self._begin_game(fact)
            case f.SeatReturned(person=person, name=name) | f.Substituted(person=person, name=name):
                is_new = isinstance(fact, f.Substituted)
                self._seat(fact, with_distinct_names(self.roster, name) if is_new else self.roster)
                if self.match is not None and self.game is not None and self.is_between_deals:
                    self.match.take_seat(fact)
                    self.game.sitters.add(person)
                else:
                    self._apply_to_game(fact)
            case f.HandedOver(seat=seat) if self.match is not None and self.is_between_deals:
                self._remove_person(self.match.seats[seat].person)
                self.match.hand_over(self.variant, fact, self.at_ms)
            case f.CameBack(seat=seat) if self.match is not None and self.is_between_deals:
                self.match.come_back(seat)
            case f.Abandoned():
                self.game = self.match = None
            case f.TimeGivenBack() if not self.is_playing:
                pass  # written nevertheless: it proves that the journal takes records again
            case f.Closed():
                self.is_closed = True
                self.roster, self.watchers, self.game = [], {}, None
                self.seated = []
            case _:
                self._apply_to_game(fact)

    def note_restart(self, now_ms: int) -> None:
        """After a replay: everybody counts as offline since *now_ms*, or a little later."""
        since_ms = now_ms
        if self.is_playing and self.options.absence == "forfeit":
            since_ms += max(0, FORFEIT_AFTER_RESTART_MS - int(self.config.offline_s * 1000))
        self.offline_since_ms = {o.person: since_ms for o in self.roster if o.person is not None}
        self.empty_since_ms = None if self.goes_on else now_ms
        self.offered = offered_before(self.seats, now_ms)
        if self.changed_ms < self.kept_until_ms:  # nobody could come since then
            self.kept_until_ms = now_ms + KEPT_MS
        if self.match is not None and self.is_between_deals:
            self.match.begin_pause(now_ms)
            self.match.is_restarted = True
            self.readiness.clear()
        if self.countdown is not None:
            self.countdown.restart(now_ms)
        if self.alone_until_ms is not None:
            self._wait_alone(now_ms)

    def adopt_presence(self, other: Table) -> None:
        """Take over who is here from the table object that this one replaces."""
        self.online, self.watchers = other.online, other.watchers
        self.offline_since_ms, self.empty_since_ms = other.offline_since_ms, other.empty_since_ms
        self.alone_until_ms, self.is_closing_told = other.alone_until_ms, other.is_closing_told
        self.guest_sources, self.code = other.guest_sources, other.code
        self.going_on, self.offered = other.going_on, other.offered
        if self.behind is not None:
            self.behind.watchers = dict(other.watchers)
            self.held_back.adopt_lines(other.held_back)
        self.bars.adopt_sources(other.bars)
        self.readiness.is_hurry_told = other.readiness.is_hurry_told

    def _apply_to_game(self, fact: f.AnyFact) -> None:
        assert self.game is not None, fact
        if isinstance(fact, f.HandedOver | f.Gone):
            self._remove_person(self.game.seats[fact.seat].person)
        if isinstance(fact, f.Resumed):
            self._forget_paused_time()
        was_adjourned = self.is_adjourned
        self.game.at_ms, self.game.sequence = self.at_ms, self.sequence
        self.game.apply(fact)
        if was_adjourned and not self.is_adjourned:
            self._note_absent()
        if isinstance(fact, f.Aborted):
            self.match = None
        if isinstance(fact, f.Ended) and self.match is not None:
            self.match.end_deal(self.variant, fact, self.game.seats, self.at_ms)

    def _begin_game(self, fact: f.Started) -> None:
        self.readiness.clear()
        self.countdown = None
        if fact.deal <= 1:
            self.roster = rotated_to(self.roster, fact.names)
            self.match = Match(fact.match, self.options.deals) if fact.deal else None
        seats = self.roster
        if self.match is not None:
            seats = self.match.seats or seats
            self.match.begin_deal(fact.deal, len(seats))
        before = self.game
        self.game = Game(fact.game, self.variant, self.options, seats, fact, self.at_ms)
        if self.match is not None and fact.deal > 1 and before is not None:
            self.game.follow(before)

    def _next_deal_ms(self) -> int | None:
        """When the next deal begins by itself, UTC; None: when everybody who is here is ready."""
        match = self.match
        is_here = not self.online.isdisjoint(self.seated)
        if match is None or match.is_stopped or not self.options.clocks or not is_here:
            return None
        return match.pause_since_ms + self.options.between * 1000

    def _count_down(self, is_play: bool) -> None:
        """Somebody has sat down."""
        is_second = len(self.seated) == RATED_PEOPLE_MIN and self.options.rated == "on"
        if self.countdown is not None and is_second:
            self.countdown.restart(self.at_ms)
        elif self.countdown is not None:
            self.countdown.last_sat_ms = self.at_ms
        elif is_play and self.sequence == 1:
            self.countdown = Countdown(self.at_ms, self.at_ms)

    def _note_going_on(self, at_ms: int) -> None:
        if self.game is None or self.game.pause is None:
            self.going_on = GoingOn()
        else:
            asked = set(self.asked_to_pause())
            self.going_on.note(self.game.pause, asked, self.online, at_ms)

    def _forget_paused_time(self) -> None:
        """The time of a pause does not count as time offline."""
        assert self.game is not None and self.game.pause is not None
        began_ms = self.game.pause.since_ms
        for person, since_ms in self.offline_since_ms.items():
            self.offline_since_ms[person] = since_ms + self.at_ms - max(since_ms, began_ms)

    def _note_absent(self) -> None:
        """The table is live again: who went elsewhere meanwhile is offline here."""
        for person in self.seated:
            if person not in self.online:
                self.offline_since_ms.setdefault(person, self.at_ms)

    def _wait_alone(self, now_ms: int) -> None:
        self.alone_until_ms = now_ms + int(self.config.alone_s * 1000)
        self.is_closing_told = False

    # -- what a reader may know ----------------------------------------------------------------

    def reader_of(self, person: str) -> Seat | None:
        """The seat whose view a person gets; None: the watchers' view."""
        return None if self.game is None or self.is_behind else self.game.seat_of(person)

    def event_messages(
        self, reader: Seat | None, first: int, last: int | None = None
    ) -> list[EventMessage]:
        """What *reader* knows of plays *first* to *last* (None: to now) of the game."""
        assert self.game is not None
        return event_messages(self.game, self.number, reader, first, last)

    def view_message(self, reader: Seat | None, why: str) -> ViewMessage:
        """The view of *reader*.  There must be a game."""
        assert self.game is not None
        match = None if self.match is None else self.match.status()
        has_clock = not self.is_behind
        return view_message(self.game, self.number, match, reader, why, has_clock=has_clock)

    def seated_guests(self) -> Iterator[Person]:
        """Guests who have a seat, online or not."""
        for o in self.seats:
            if o.is_guest and o.person is not None:
                yield Person(o.person, o.name, is_guest=True)

    def moves_for_view(self, message: ViewMessage) -> tuple[str, ...] | None:
        """What the seat of *message* may type, if the game still stands as the message shows it."""
        game = self.game
        # A reader that lags may hold a view of an earlier game: compare the names before the view.
        if game is None or message.seat is None or game.names != message.names:
            return None
        seat = Seat(message.seat)
        return game.moves(seat) if game.view(seat) is message.view else None

    # -- inside --------------------------------------------------------------------------------

    def _seat(self, fact: f.Sat | f.SeatReturned | f.Substituted, others: list[Occupant]) -> None:
        newest = Occupant(fact.name, fact.person, fact.is_guest, has_autopass=fact.has_autopass)
        self.roster = [*others, newest]
        self.seated.append(fact.person)
        self.seat_since_ms[fact.person] = self.at_ms
        if not self.is_behind:  # there the person may have left the seat again
            self.watchers.pop(fact.person, None)
        self.had_account = self.had_account or not fact.is_guest
        if len(self.sitters) < 2:
            self.sitters.add(fact.person)

    def _remove_person(self, person: str | None) -> None:
        self.roster = [o for o in self.roster if o.person is None or o.person != person]
        self.seated = [each for each in self.seated if each != person]
        self.seat_since_ms.pop(person or "", None)
        self.offline_since_ms.pop(person or "", None)
