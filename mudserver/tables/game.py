"""One game at a table: the fold of its facts, its clock, and what each reader may know of it.

Rule 1: `Game.apply` is the only mutator; it reads no clock and draws no chance.
Rule 2: the state of the variant stays in this file and in `game_facts.py`.  Other files get views
        and redacted events.
Rule 3: a reader is a seat, or None for every watcher.  A reader's view and legal moves are worked
        out at most once per state, and an event is redacted at most once per reader.
Rule 4: a deadline is an absolute UTC time in ms, of the server's own clock, and it is in the
        journal.  [TIME-1]
Rule 5: a clock either runs (it has a deadline), or is stopped (it has the time that is left, and
        when it runs again at the latest), or there is none.
Rule 6: time during which the server was down is given back, up to a full window.  A stepped system
        clock can neither end a window nor stretch it.  [TIME-2, TIME-6]
Rule 7: a copy is another game from then on.  It shares with this one only what readers know of each
        play, which no later play changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from mudserver.tables import records as f
from mudserver.tables.levels import stored_level
from mudserver.tables.missed_turns import count_decision, may_be_extended, turn_of
from mudserver.tables.options import TableOptions
from mudserver.tables.pause_state import Pause
from mudserver.tables.plans import Plans
from mudserver.tables.seats import (
    Occupant,
    for_next_game,
    handed_over,
    returned,
    seat_of,
    substituted,
    with_person_replaced,
)
from mudserver.tables.substituted_seats import LostSeat, renamed_for, turns_of_substitute
from mudserver.tables.summary import Reading
from variants.catalogue import AnyVariant
from variants.contract import AmbiguousInput, Refusal, Seat, Window, may_act
from variants.kit.text import Style, StyledLine

PLAIN = Style()


class WindowClock(NamedTuple):
    """The clock of one open window; times are UTC.  All None: there is no clock."""

    deadline_ms: int | None = None  # of a running clock
    left_ms: int | None = None  # of a stopped clock
    until_ms: int | None = None  # when a stopped clock runs again at the latest
    seat: int | None = None  # the seat that a stopped clock waits for
    cut_ms: int = 0  # by how much the window is shorter, because who is asked was late


class KnownEvent(NamedTuple):
    """An event as one reader knows it."""

    event: Any
    mark: str  # who decided, on the first event of a play that has words; "" for a person
    is_own: bool = False  # it was decided for the reader's seat
    number: int = 0  # of the events of this game that the reader knows, from 1
    at_ms: int = 0  # UTC


class Game:
    def __init__(
        self,
        number: int,
        variant: AnyVariant,
        options: TableOptions,
        occupants: Sequence[Occupant],
        started: f.Started,
        at_ms: int = 0,
    ) -> None:
        self.started_ms = at_ms
        self.number, self.variant, self.options = number, variant, options
        self.is_rated, self.why_unrated = started.rated, started.why_unrated
        self.seats = [
            for_next_game(o, name, is_next_deal=started.deal > 1)
            for o, name in zip(occupants, started.names, strict=True)
        ]
        self.began_with = list(self.seats)  # with the ids and names of now
        self.sitters = {o.person or o.replaced_person for o in self.seats} - {""}
        """Ids of all who have, or had, a seat in this game or match."""
        self.lost: dict[int, LostSeat] = {}  # by seat that substitutes have, or had
        self.held_from: dict[int, int] = {}  # by seat: the first play of its last substitute
        self.seed, self.position, self.data = started.seed, 0, started.data
        self.commitment = started.commitment
        self.clock = WindowClock()
        self.turn = ""  # the game's own turn  [G-09]
        self.begins_turn = False  # the open window is the first one of its turn
        self.windows = 0  # opened so far
        self.opened_ms = at_ms  # when the open one was, UTC
        self.answers: dict[int, int] = {}  # decisions in the open window, by seat
        self.interrupted_left_ms: dict[str, int] = {}  # of interrupted windows, by key
        self.result: f.Ended | None = None
        self.result_sequence = self.ended_ms = 0  # of its record; UTC
        self.is_aborted = False
        self.offer: f.Offered | None = None  # the open one
        self.agreed: set[int] = set()  # seats, to the open offer
        self.offers_made: list[tuple[str, str]] = []  # kind and person; bounded by `offers.py`
        self.offered_ms = self.offer_ended_ms = 0  # when the last one was made and ended, UTC
        self.pause: Pause | None = None  # the game is paused by agreement
        self.pause_count = 0
        self.awaited = frozenset[int]()  # seats whose people are not back since an outage
        self.awaited_until_ms = 0  # so long the game waits for them when they are asked, UTC
        self.plans = Plans()  # moves kept for later
        self.is_replayed = False  # it is over, and seen again
        self.at_ms = self.sequence = 0  # of the record that is being applied
        self.plays: list[f.Dealt | f.Played] = []  # first to last; bounded by decision_bound
        self.play_sequences: list[int] = []  # of their records
        self.play_times_ms: list[int] = []  # of their records, UTC
        self.state: Any = None
        self._views: dict[Seat | None, Any] = {}
        self._window: Window | None = None
        self._has_looked = False  # whether _window belongs to this state
        self._moves: dict[Seat, tuple[str, ...]] = {}  # by seat, of this state and these names
        self._known: dict[Seat | None, list[tuple[KnownEvent, ...]]] = {}  # by reader, by play
        self._sealed_plays: set[int] = set()  # answers of computers to windows that stayed open
        self.hides_missing = False  # how many answers the open sealed window lacks  [G-11]
        self._untold_plays: set[int] = set()  # answers to such windows that stayed open
        self._untold_count = 0  # of them, to the window that is open now

    # -- the fold ------------------------------------------------------------------------------

    def follow(self, before: Game) -> None:
        """This is the next deal of a match: its limits of offers are the match's."""
        self.offers_made, self.offer_ended_ms = list(before.offers_made), before.offer_ended_ms
        self.sitters |= before.sitters

    def copy(self) -> Game:
        """The game as it is now."""
        other = copy(self)
        other.seats, other.began_with = list(self.seats), list(self.began_with)
        other.sitters, other.lost = set(self.sitters), dict(self.lost)
        other.held_from = dict(self.held_from)
        other.answers, other.agreed = dict(self.answers), set(self.agreed)
        other.interrupted_left_ms = dict(self.interrupted_left_ms)
        other.offers_made, other.plays = list(self.offers_made), list(self.plays)
        other.play_sequences = list(self.play_sequences)
        other.play_times_ms = list(self.play_times_ms)
        other._views, other._moves, other.plans = {}, {}, self.plans.copy()
        other._sealed_plays, other._untold_plays = set(self._sealed_plays), set(self._untold_plays)
        return other

    def apply(self, fact: f.AnyFact) -> None:
        self._moves.clear()
        self.plans.note(fact, self.at_ms)
        hands = f.WentAway | f.CameBack | f.HandedOver | f.SeatReturned | f.Substituted
        if isinstance(fact, hands):
            self._hide_missing(fact.seat)
        match fact:
            case f.Dealt() | f.Played():
                self._apply_play(fact)
            case f.Asked(key=key, deadline_ms=deadline_ms):
                self.clock, self.hides_missing = WindowClock(deadline_ms, cut_ms=fact.cut_ms), False
                self._views.clear()
                self.interrupted_left_ms.pop(key, None)
                if fact.holds:
                    self.interrupted_left_ms[fact.holds] = fact.left_ms
                self.windows, self.answers = self.windows + 1, {}
                self._untold_count = 0
                self.opened_ms = self.at_ms
                self._open_window()
            case f.ClockStopped(seat=seat, left_ms=left_ms, until_ms=until_ms):
                self.clock = WindowClock(None, left_ms, until_ms, seat, self.clock.cut_ms)
            case f.ClockRuns(deadline_ms=deadline_ms, seat=seat, paused_ms=paused_ms):
                self.clock = WindowClock(deadline_ms, cut_ms=self.clock.cut_ms)
                used_ms = self.seats[seat].paused_ms + paused_ms
                self._change(seat, paused_ms=used_ms)
            case f.TimeGivenBack(deadline_ms=deadline_ms, until_ms=until_ms):
                self.clock = self.clock._replace(deadline_ms=deadline_ms, until_ms=until_ms)
                if self.offer is not None and fact.offer_until_ms is not None:
                    self.offer = replace(self.offer, until_ms=fact.offer_until_ms)
                if self.pause is not None and fact.pause_until_ms is not None:
                    self.pause = replace(self.pause, until_ms=fact.pause_until_ms)
                    self.awaited_until_ms = max(self.awaited_until_ms, fact.pause_until_ms)
                if fact.awaited_until_ms is not None:
                    self.awaited = frozenset(fact.awaited)
                    self.awaited_until_ms = fact.awaited_until_ms
            case f.WentAway(seat=seat):
                self._change(seat, is_away=True)
            case f.CameBack(seat=seat):
                turns = self.seats[seat].turns.came_back(self.may_be_extended(seat))
                self._change(seat, is_away=False, turns=turns)
            case f.TimeExtended(seat=seat, deadline_ms=deadline_ms):
                self._change(seat, turns=self.seats[seat].turns.typed(deadline_ms is not None))
                if deadline_ms is not None:
                    self.clock = WindowClock(deadline_ms)
            case f.HandedOver(seat=seat):
                level = stored_level(self.variant, fact.player, fact.level)
                self.seats[seat] = handed_over(self.seats[seat], fact, level, self.at_ms)
            case f.SeatReturned():
                self._return_seat(fact)
            case f.Substituted():
                self._substitute(fact)
            case f.PersonReplaced(old=old, new=new):
                self.seats = with_person_replaced(self.seats, fact)
                self.began_with = with_person_replaced(self.began_with, fact)
                self.sitters = {new if it == old else it for it in self.sitters}
                self.offers_made = [(k, new if by == old else by) for k, by in self.offers_made]
            case f.Gone(seat=seat):
                left = self.seats[seat].person or ""
                self._change(seat, person=None, is_away=False, is_vacant=True, replaced_person=left)
            case f.Ended():
                self.result, self.result_sequence = fact, self.sequence
                self.ended_ms = self.at_ms
                self._end()
            case f.Aborted():
                self.is_aborted = True
                self._end()
            case f.Offered(kind=kind, seat=seat):
                self.offer, self.agreed, self.offered_ms = fact, set(), self.at_ms
                self.offers_made.append((kind, self.seats[seat].person or ""))
            case f.Agreed(seat=seat):
                self.agreed.add(seat)
            case f.OfferEnded():
                self.offer, self.offer_ended_ms = None, self.at_ms
            case f.Paused():
                self._pause(fact)
            case f.Resumed(deadline_ms=deadline_ms):
                self.awaited -= {*(self.pause.asked if self.pause is not None else ())}
                self.pause = None
                self.clock = WindowClock(deadline_ms, cut_ms=self.clock.cut_ms)

    def _end(self) -> None:
        self.clock, self.offer, self.pause = WindowClock(), None, None

    def _pause(self, fact: f.Paused) -> None:
        offered, is_outage = self.offer, fact.kind == "outage"
        asked = fact.asked
        if not is_outage:
            assert offered is not None, "a pause is offered first"
            asked = (offered.seat, *offered.asked)
            self.offer, self.offer_ended_ms = None, self.at_ms
        is_adjourned = fact.kind != "pause"
        self.pause = Pause(asked, self.at_ms, fact.until_ms, is_adjourned, is_outage)
        self.pause_count += not is_adjourned
        self.clock = WindowClock(left_ms=fact.left_ms, cut_ms=self.clock.cut_ms)
        if fact.seat is not None:
            self._change(fact.seat, paused_ms=self.seats[fact.seat].paused_ms + fact.paused_ms)

    def _hide_missing(self, seat: int) -> None:
        """[G-11] Whoever decides for *seat* is another from now on: the number of answers that an
        open sealed window lacks, or no change of it, would tell whether the seat had answered."""
        window = self.window
        if window is not None and window.is_sealed and seat in window.seats:
            self.hides_missing = True
            self._views.clear()

    def note_back(self, person: str) -> None:
        """Nobody waits for the person any more: not a fact, a restart waits again."""
        if self.awaited and (seat := self.seat_of(person)) is not None:
            self.awaited -= {seat}

    def _apply_play(self, fact: f.Dealt | f.Played) -> None:
        if isinstance(fact, f.Played):
            self.awaited -= {fact.seat} if fact.by == "person" else set()
            self._count(Seat(fact.seat), fact.by)
            self.answers[fact.seat] = self.answers.get(fact.seat, 0) + 1
        is_by_computer = isinstance(fact, f.Played) and fact.by in ("away", "computer")
        before = self.window if is_by_computer or self.hides_missing else None
        state, evolve = self.state, self.variant.evolve
        for event in fact.events:
            state = evolve(state, event)
        self.state, self.position = state, fact.position
        self.plays.append(fact)
        self.play_sequences.append(self.sequence)
        self.play_times_ms.append(self.at_ms)
        self._views.clear()
        self._has_looked = False
        after = self.window if before is not None and before.is_sealed else None
        if before is not None and after is not None and before.key == after.key:
            # Others are still to answer.
            if is_by_computer:
                self._sealed_plays.add(len(self.plays) - 1)
            if self.hides_missing:
                self._untold_plays.add(len(self.plays) - 1)
                self._untold_count += 1

    def _count(self, seat: Seat, by: f.DecidedBy) -> None:
        occupant, window = self.seats[seat], self.window
        assert window is not None, "nothing can be decided after the end"
        is_absent = occupant.is_decided_by_computer
        turns = count_decision(occupant.turns, by, window, is_absent=is_absent)
        self._change(seat, turns=turns)

    def _open_window(self) -> None:
        """[G-09] A window has opened: perhaps a turn has ended, and who is asked has less time."""
        window = self.window
        assert window is not None, "a window has opened"
        turn, before = turn_of(window), self.turn
        self.turn, self.begins_turn = turn, turn != before
        if before and self.begins_turn:
            for seat, occupant in enumerate(self.seats):
                self._change(seat, turns=occupant.turns.turn_ended(before))
        for seat in window.seats:
            self._change(seat, turns=self.seats[seat].turns.window_opened(window))

    def _return_seat(self, fact: f.SeatReturned) -> None:
        before = self.seats[fact.seat]
        turns = before.turns
        if before.is_away:
            turns = turns.came_back(self.may_be_extended(fact.seat))
        self.seats[fact.seat] = returned(before, fact, turns)

    def _substitute(self, fact: f.Substituted) -> None:
        seat, before = fact.seat, self.seats[fact.seat]
        fate: Literal["left", "forfeit"] = "forfeit" if before.has_forfeited else "left"
        self.lost.setdefault(seat, LostSeat(fate, len(self.plays)))
        self.held_from[seat] = len(self.plays)
        self.sitters.add(fact.person)
        self.seats = renamed_for(self.seats, fact)
        turns = turns_of_substitute(before, self.may_be_extended(seat))
        self.seats[seat] = substituted(before, fact, turns)

    def _change(self, seat: int, **changes: Any) -> None:
        self.seats[seat] = replace(self.seats[seat], **changes)

    # -- reading -------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.result is not None or self.is_aborted

    @property
    def waits_for_resume(self) -> bool:
        """Whether it is adjourned until its people have typed `resume`."""
        pause = self.pause
        return pause is not None and pause.is_adjourned and not pause.is_outage

    def people_asked_to_go_on(self) -> list[str]:
        """With the paused game; where all who have adjourned it have left, those who are in it."""
        assert self.pause is not None, "it goes on"
        asked = [self.seats[seat].person for seat in self.pause.asked]
        if self.waits_for_resume and not any(asked):
            asked = [o.person for n, o in enumerate(self.seats) if not self.is_out(Seat(n))]
        return [person for person in asked if person is not None]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(occupant.name for occupant in self.seats)

    @property
    def window(self) -> Window | None:
        """The open window; None: the game is over."""
        if self.is_over:
            return None
        if not self._has_looked:
            self._window, self._has_looked = self.variant.open_window(self.view(None)), True
        return self._window

    def full_ms(self, window: Window) -> int | None:
        """A whole window on its clock; None: no clock runs at this table.  [TIME-5]"""
        seconds = self.options.clocks.get(window.clock_name)
        return None if seconds is None else seconds * 1000

    def open_ms(self) -> int | None:
        """How long the open window lasts from its opening; None: no clock runs."""
        full_ms = None if self.window is None else self.full_ms(self.window)
        return None if full_ms is None else full_ms - self.clock.cut_ms

    @property
    def told_decisions(self) -> int:
        """How many decisions everybody has heard of: those in an open window whose missing answers
        are not told count when it has ended.  [G-11]"""
        dealt = sum(isinstance(play, f.Dealt) for play in self.plays[:1])
        return len(self.plays) - dealt - self._untold_count

    def is_out(self, seat: Seat) -> bool:
        return seat in self.variant.eliminated_seats(self.view(None))

    @property
    def has_hints(self) -> bool:
        """Whether those who play can ask for hints; hints=alone: if a single person has played."""
        people = [o for o in self.seats if o.person or o.replaced_person or o.is_vacant]
        hints = self.options.hints
        return hints == "on" or (hints == "alone" and len(people) == 1)

    def seat_of(self, person: str) -> Seat | None:
        return seat_of(self.seats, person)

    def view(self, reader: Seat | None) -> Any:
        if reader not in self._views:
            view = self.variant.observe(self.state, reader)
            self._views[reader] = self.variant.hide_missing(view) if self.hides_missing else view
        return self._views[reader]

    def may_act(self, seat: Seat) -> bool:
        """Whether this seat still has something to decide in the open window."""
        window = self.window
        if window is None or self.pause is not None or seat not in window.seats:
            return False
        return may_act(self.variant, window, self.view(seat))

    def may_be_extended(self, seat: int) -> bool:
        """Whether the owner of *seat*, who types, can have the full time of the open window."""
        return self.pause is None and may_be_extended(self.window, seat)

    def question_id(self, seat: Seat) -> str | None:
        """What *seat* is asked, in this game: never the same twice; None: it is not asked.

        The number of windows is public; how often a seat has answered, its owner alone is told.
        """
        if not self.may_act(seat):
            return None
        return f"{self.number}.{self.windows}.{self.answers.get(seat, 0)}"

    def takes_empty(self, seat: Seat) -> bool:
        """Whether an empty input line is a play of *seat* now."""
        return self.window is not None and self.window.accepts_empty_line and self.may_act(seat)

    def reads(self, seat: Seat, line: str) -> Reading:
        """What becomes of *line* if *seat* types it now."""
        view, names = self.view(seat), self.names
        try:
            action = self.variant.parse(line, view, names)
        except AmbiguousInput:
            return Reading("asked")
        except Refusal as refusal:
            is_guess = refusal.is_guess or bool(refusal.suggestion)
            return Reading("", is_guess=is_guess, has_move=refusal.has_move)
        try:
            self.variant.check(view, action)
        except Refusal:
            return Reading("forbidden")
        return Reading("legal", self.variant.phrase(action, view, names))

    def moves(self, seat: Seat) -> tuple[str, ...]:
        """The legal moves of *seat*, as they are typed.  Every Tab needs this long list."""
        if self.window is None or self.pause is not None or seat not in self.window.seats:
            return ()
        if seat not in self._moves:
            names, phrase, view = self.names, self.variant.phrase, self.view(seat)
            actions = self.variant.legal_actions(view)
            self._moves[seat] = tuple([phrase(action, view, names) for action in actions])
        return self._moves[seat]

    def unanswered_seats(self) -> list[Seat]:
        """The seats that have not answered a sealed window; their number is public.  [G-11]"""
        window = self.window
        if window is None or not window.is_sealed:
            return []
        return [seat for seat in window.seats if self.may_act(seat)]

    def passes_itself(self, seat: Seat, window: Window) -> bool:
        """[G-12] Whether the seat passes by itself in this window, as its owner chose.

        The hand plays no part.  For an away seat a computer decides, as in any other window.
        """
        occupant = self.seats[seat]
        is_asked = seat in window.seats and not window.counts_timeouts
        return is_asked and occupant.has_autopass and not occupant.is_decided_by_computer

    def automatic_turns(self) -> list[tuple[Seat, str]]:
        """(seat, level) of the seats that owe an answer to the open window without typing it:
        computer players, and with the level "" the seats that pass by themselves."""
        window, found = self.window, list[tuple[Seat, str]]()
        if window is None:
            return []
        for seat in window.seats:
            occupant = self.seats[seat]
            if occupant.is_decided_by_computer:
                found.append((seat, occupant.level or self.variant.stand_in))
            elif self.passes_itself(seat, window):
                found.append((seat, ""))
        return [(seat, level) for seat, level in found if self.may_act(seat)]

    def answer(self, reader: Seat | None, text: str, style: Style) -> Sequence[StyledLine]:
        """The game's answer to a question that is not a play.  Refusal: *text* is no question."""
        seen = [known.event for known in self.known_events(reader)]
        return self.variant.answer(text, self.view(reader), seen, self.names, style)

    # -- events --------------------------------------------------------------------------------

    def known_events(
        self, reader: Seat | None, first: int = 0, last: int | None = None
    ) -> list[KnownEvent]:
        """What *reader* knows of plays *first* (0 is the deal) to *last* (None: to now)."""
        self.know(reader)
        end = len(self.plays) if last is None else min(last + 1, len(self.plays))
        return [known for play in self._known[reader][first:end] for known in play]

    def know(self, reader: Seat | None, most: int | None = None) -> bool:
        """Work out what *reader* knows of *most* plays more (None: of all); whether that is all."""
        plays = self._known.setdefault(reader, [])
        done = len(plays)
        if done >= len(self.plays):
            return True
        count = self._known_count(reader)
        end = len(self.plays) if most is None else min(done + most, len(self.plays))
        for number, play in enumerate(self.plays[done:end], done):
            if number in self._untold_plays:
                known = self._redact_untold(play, number in self._sealed_plays, reader)
            else:
                known = self._redact_play(play, number in self._sealed_plays, reader)
            at_ms = self.play_times_ms[number]
            known = tuple(
                [each._replace(number=n, at_ms=at_ms) for n, each in enumerate(known, count + 1)]
            )
            plays.append(known)
            count += len(known)
        return len(plays) >= len(self.plays)

    def known_count(self, reader: Seat | None) -> int:
        """How many events of this game *reader* knows."""
        self.know(reader)
        return self._known_count(reader)

    def _known_count(self, reader: Seat | None) -> int:
        plays = self._known.get(reader, [])
        for number in range(min(len(plays), len(self.plays)) - 1, -1, -1):
            if plays[number]:
                return plays[number][-1].number
        return 0

    def _redact_untold(
        self, play: f.Dealt | f.Played, is_sealed: bool, reader: Seat | None
    ) -> tuple[KnownEvent, ...]:
        """Of an answer that nobody else hears of while the window is open.  [G-11]"""
        if isinstance(play, f.Dealt) or play.seat != reader:
            return ()
        hide = self.variant.hide_missing
        known = self._redact_play(play, is_sealed, reader)
        return tuple(each._replace(event=hide(each.event)) for each in known)

    def _is_secret(self, play: f.Played, is_sealed: bool) -> bool:
        """Whether only the owner of the seat learns who decided: that it passes by itself or that a
        move was kept for later, which a replay says, or that a computer has answered for it while
        others still had to answer.  [G-11]"""
        return is_sealed or (play.by in ("autopass", "later") and not self.is_replayed)

    def _redact_play(
        self, play: f.Dealt | f.Played, is_sealed: bool, reader: Seat | None
    ) -> tuple[KnownEvent, ...]:
        redact, found = self.variant.redact, list[KnownEvent]()
        mark = ""
        if isinstance(play, f.Played) and (
            reader == play.seat or not self._is_secret(play, is_sealed)
        ):
            mark = "" if play.by == "person" else play.by
        is_own = isinstance(play, f.Played) and play.seat == reader
        for event in play.events:
            known = redact(event, reader)
            if known is None:
                continue
            has_words = (
                mark and self.variant.describe_event(known, reader, self.names, PLAIN) is not None
            )
            found.append(KnownEvent(known, mark if has_words else "", is_own))
            mark = "" if has_words else mark
        return tuple(found)


# -- time given back -----------------------------------------------------------------------------


def remaining_ms(end_ms: int, since_ms: int | None, full_ms: int) -> int:
    """What was left until *end_ms* when the server was last known alive, 0..*full_ms*.

    Args:
        since_ms: UTC; None: unknown, then the whole *full_ms* is given back.
    """
    return full_ms if since_ms is None else max(0, min(full_ms, end_ms - since_ms))


def give_time_back(
    clock: WindowClock, since_ms: int | None, now_ms: int, full_ms: int, pause_ms: int
) -> tuple[int | None, int | None]:
    """(deadline_ms, until_ms) after the server was down from *since_ms* to *now_ms*."""
    deadline_ms, until_ms = clock.deadline_ms, clock.until_ms
    if deadline_ms is not None:
        deadline_ms = now_ms + remaining_ms(deadline_ms, since_ms, full_ms)
    if until_ms is not None:
        until_ms = now_ms + remaining_ms(until_ms, since_ms, pause_ms)
    return deadline_ms, until_ms
