"""One tournament: a fold over its events, and the decisions that lead to new ones.

Rule 1: `apply` accepts every event and is the only method that changes anything.
Rule 2: whoever drives a tournament asks `due`, appends what it says, and asks again: after a crash
        at any record the same follows.
Rule 3: standings come from finished games alone.
Rule 4: a game that a fault of the server has ended is played again, once.  Then its people share
        what there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from mudserver.errors import UserError
from mudserver.tourneys import texts
from mudserver.tourneys.events import (
    AnyTourneyEvent,
    ClosedWhy,
    DroppedWhy,
    Ending,
    RoundDelayed,
    RoundDrawn,
    SeatDone,
    TableDone,
    TableLost,
    TableOpened,
    TourneyClosed,
    TourneyDropped,
    TourneyEntered,
    TourneyOpened,
    TourneyStarted,
    TourneyWithdrawn,
)
from mudserver.tourneys.pairing import Entrant
from mudserver.tourneys.standings import Score, Standing, scores, standings

ENTRIES_MIN = 4
NOSHOWS_MAX = 2  # then somebody is dropped
START_MS = 30 * 86_400_000  # so far ahead a tournament can be opened
EXPIRES_MS = 7 * 86_400_000  # after something was due that nobody has done, it closes by itself

OUTAGE_MS = 60_000  # shorter ones move no limit
NOBODY: Mapping[str, DroppedWhy] = {}

Phase = Literal["open", "running", "closed"]
Due = Literal["start", "round", "end tables", "expire"]


class PlaceKey(NamedTuple):
    """A table of a tournament, before it has a number."""

    tourney: int
    round: int  # from 1
    place: int  # from 1


class Round:
    """One round, as far as it has gone."""

    def __init__(self, drawn: RoundDrawn) -> None:
        self.drawn, self.number = drawn, drawn.number
        self.tables: dict[int, int] = {}  # numbers of tables, by place from 1
        self.results: dict[int, TableDone] = {}  # by place from 1
        self.lost: dict[int, int] = {}  # tables that a fault has closed, by place from 1
        self.lost_ms = self.lost_until_ms = 0  # while the server was not there

    @property
    def places(self) -> range:
        return range(1, len(self.drawn.tables) + 1)

    @property
    def is_over(self) -> bool:
        return len(self.results) == len(self.drawn.tables)

    def people_at(self, place: int) -> tuple[str, ...]:
        return self.drawn.tables[place - 1]

    def place_of(self, person: str) -> int | None:
        """None: the person does not play in the round."""
        return next((it for it in self.places if person in self.people_at(it)), None)

    @property
    def ended_ms(self) -> int:
        """UTC; only of one that is over."""
        return max((it.at_ms for it in self.results.values()), default=self.drawn.at_ms)


class Tourney:
    def __init__(self, number: int) -> None:
        self.number = number
        self.opened: TourneyOpened
        self.phase: Phase = "open"
        self.entries: list[str] = []  # ids, in the order of entering; who is dropped later stays
        self.entered_ms: dict[str, int] = {}  # when each of them entered last, UTC
        self.dropped: dict[str, DroppedWhy] = {}
        self.rounds: list[Round] = []
        self.closed: TourneyClosed | None = None
        self.started_ms = 0  # UTC; 0: not yet

    # -- reading -------------------------------------------------------------------------------

    @property
    def is_slow(self) -> bool:
        """Whether it is played by correspondence."""
        return self.opened.move_s > 0

    @property
    def game(self) -> str:
        """As people read it: `words`, `words by correspondence`."""
        return f"{self.opened.variant}{' by correspondence' * self.is_slow}"

    @property
    def round(self) -> Round | None:
        """The running or last one; None: none was drawn."""
        return self.rounds[-1] if self.rounds else None

    @property
    def active(self) -> list[str]:
        """Who plays in the next round."""
        return [it for it in self.entries if it not in self.dropped]

    def count_without(self, gone: Mapping[str, DroppedWhy]) -> int:
        """How many play in the next round.  Args: as of `start`."""
        return sum(it not in gone for it in self.active)

    @property
    def is_in_round(self) -> bool:
        return self.phase == "running" and self.round is not None and not self.round.is_over

    def results(self) -> Iterator[TableDone]:
        for each in self.rounds:
            yield from each.results.values()

    def scores(self) -> dict[str, Score]:
        sat_out = [it.drawn.sits_out for it in self.rounds if it.drawn.sits_out]
        return scores(self.entries, self.results(), sat_out)

    def standings(self) -> list[Standing]:
        return standings(self.scores())

    def entrants(self) -> list[Entrant]:
        """For the next round."""
        found = self.scores()
        return [
            Entrant(it, found[it].points, found[it].met, found[it].sat_out) for it in self.active
        ]

    def missing_places(self) -> list[int]:
        """Places of the running round that have no table yet."""
        now = self.round
        if self.phase != "running" or now is None:
            return []
        return [it for it in now.places if it not in now.tables and it not in now.results]

    def waits_for_game(self, person: str) -> bool:
        """Whether the person is to play in it, and has no table of it now."""
        if self.phase == "closed" or person not in self.active:
            return False
        now = self.round if self.is_in_round else None
        place = None if now is None else now.place_of(person)
        return now is None or place is None or place not in now.tables or place in now.results

    def open_places(self) -> list[int]:
        """Places of the running round whose games are not over."""
        now = self.round
        if self.phase != "running" or now is None:
            return []
        return [it for it in now.places if it not in now.results]

    @property
    def limit_ms(self) -> int | None:
        """When the running round ends at the latest, UTC; None: no round runs."""
        now = self.round
        if not self.is_in_round or now is None:
            return None
        return now.drawn.at_ms + self.opened.round_max_s * 1000 + now.lost_ms

    @property
    def has_next_round(self) -> bool:
        """Whether a round follows the running or last one, as things are."""
        return len(self.rounds) < self.opened.rounds and len(self.active) >= 2

    @property
    def next_ms(self) -> int | None:
        """When the start or the next round is due, UTC; None: not known yet, or none follows."""
        if self.phase == "open":
            return self.opened.start_ms or None
        return self._follows_ms if self.has_next_round else None

    @property
    def _follows_ms(self) -> int | None:
        """When it goes on after the last round, or ends, UTC; None: not yet."""
        if self.phase != "running" or self.is_in_round:
            return None
        if self.round is None:
            return self.started_ms
        return self.round.ended_ms + (self.opened.break_s * 1000 if self.has_next_round else 0)

    @property
    def expires_ms(self) -> int | None:
        """When it closes by itself because nothing goes on, UTC; None: it is closed."""
        if self.phase == "closed":
            return None
        start_ms = self.opened.start_ms or self.opened.at_ms + START_MS
        waits_ms = start_ms if self.phase == "open" else self.limit_ms or self._follows_ms
        return (waits_ms or self.started_ms) + EXPIRES_MS

    def due(self, now_ms: int) -> Due | None:
        """What has to be done now, besides opening tables; None: nothing."""
        if self.expires_ms is None:
            return None
        if self.expires_ms <= now_ms:
            return "expire"
        if self.phase == "open":
            is_time = 0 < self.opened.start_ms <= now_ms
            return "start" if is_time else None
        if (limit_ms := self.limit_ms) is not None:
            return "end tables" if limit_ms <= now_ms else None
        return "round" if self._follows_ms is not None and self._follows_ms <= now_ms else None

    @property
    def wake_ms(self) -> int | None:
        """When `due` has something new to say, UTC; None: never by itself."""
        if self.phase == "open" and self.opened.start_ms:
            return self.opened.start_ms
        return self.limit_ms or self._follows_ms or self.expires_ms

    # -- decisions -----------------------------------------------------------------------------

    def enter(self, person: str, at_ms: int) -> list[AnyTourneyEvent]:
        """UserError: too late, too many, or there already."""
        self._check_open()
        if person in self.entries:
            raise UserError(texts.ENTERED_ALREADY.format(self.number), "illegal")
        if self.dropped.get(person) == "organiser":
            raise UserError(texts.TAKEN_OUT.format(self.number), "not_allowed")
        self._check_room()
        return [TourneyEntered(at_ms, person)]

    def withdraw(self, person: str, at_ms: int) -> list[AnyTourneyEvent]:
        """Before the start without a trace, later from the next round on."""
        self._check_not_closed()
        if person not in self.active:
            raise UserError(texts.NOT_ENTERED.format(self.number), "illegal")
        if self.phase == "open":
            return [TourneyWithdrawn(at_ms, person)]
        return [TourneyDropped(at_ms, person, "withdrawn")]

    def start(
        self, by: str, at_ms: int, gone: Mapping[str, DroppedWhy] = NOBODY
    ) -> list[AnyTourneyEvent]:
        """Args: gone: who has entered and can't play, and why.

        UserError: too few have entered, or it runs.
        """
        if self.phase != "open":
            raise UserError(texts.STARTED_ALREADY.format(self.number), "illegal")
        if (count := self.count_without(gone)) < ENTRIES_MIN:
            raise UserError(texts.TOO_FEW.format(ENTRIES_MIN, count), "illegal")
        return [*self.drop_gone(gone, at_ms), TourneyStarted(at_ms, by)]

    def drop_gone(self, gone: Mapping[str, DroppedWhy], at_ms: int) -> list[AnyTourneyEvent]:
        """Args: as of `start`."""
        self._check_not_closed()
        return [TourneyDropped(at_ms, it, gone[it]) for it in self.active if it in gone]

    def drop(
        self, person: str, name: str, why: DroppedWhy, by: str, at_ms: int
    ) -> list[AnyTourneyEvent]:
        """UserError: the person does not play in it."""
        self._check_not_closed()
        if person not in self.active:
            raise UserError(texts.DOES_NOT_PLAY.format(name, self.number), "not_found")
        return [TourneyDropped(at_ms, person, why, by)]

    def seat(self, person: str, name: str, by: str, at_ms: int) -> list[AnyTourneyEvent]:
        """Take somebody back in who was dropped, and has not withdrawn.

        UserError: nobody like that, or too many people.
        """
        self._check_not_closed()
        if person in self.active:
            raise UserError(texts.PLAYS_ALREADY.format(name, self.number), "illegal")
        if self.dropped.get(person, "withdrawn") == "withdrawn":
            raise UserError(texts.WAS_NOT_DROPPED.format(name, self.number), "not_allowed")
        self._check_room()
        return [TourneyEntered(at_ms, person, by)]

    def close(self, why: ClosedWhy, by: str, reason: str, at_ms: int) -> list[AnyTourneyEvent]:
        """UserError: it is closed."""
        self._check_not_closed()
        return [TourneyClosed(at_ms, why, by, reason)]

    def draw(self, drawn: RoundDrawn) -> list[AnyTourneyEvent]:
        """[rule 2] Nothing, if the round was drawn meanwhile, or none follows."""
        is_next = self.phase == "running" and not self.is_in_round
        is_same = drawn.number == len(self.rounds) + 1
        return [drawn] if is_next and is_same else []

    def give_back(self, alive_ms: int, at_ms: int) -> list[AnyTourneyEvent]:
        """The server was not there since *alive_ms*; nothing, if that was short or is counted.

        After EXPIRES_MS without it the tournament closes.
        """
        if self.phase == "running" and at_ms - alive_ms >= EXPIRES_MS:
            return self.close("outage", "", "", at_ms)
        now = self.round
        if now is None or not self.is_in_round:
            return []
        lost_ms = at_ms - max(alive_ms, now.lost_until_ms, now.drawn.at_ms)
        return [RoundDelayed(at_ms, lost_ms)] if lost_ms >= OUTAGE_MS else []

    def open_table(self, key: PlaceKey, table: int, at_ms: int) -> list[AnyTourneyEvent]:
        """UserError: the place has a table, or needs none any more."""
        now = self.round
        if now is None or now.number != key.round or key.place not in self.missing_places():
            raise UserError(texts.HAS_TABLE, "illegal")
        return [TableOpened(at_ms, key.round, key.place, table)]

    def finish(self, done: TableDone) -> list[AnyTourneyEvent]:
        """The result of a table, and who is dropped because of it; nothing, if it has one, or if
        the tournament is closed."""
        if self.phase == "closed" or not 1 <= done.round <= len(self.rounds):
            return []
        played = self.rounds[done.round - 1]
        if done.place in played.results or done.place not in played.places:
            return []
        if done.game and done.game.startswith(f"{played.lost.get(done.place)}."):
            return []  # the place has another table
        events: list[AnyTourneyEvent] = [done]
        before = self.scores()
        for seat in done.seats:
            if seat.person not in self.active:
                continue
            if seat.fate == "left":
                events.append(TourneyDropped(done.at_ms, seat.person, "left"))
            noshows = before[seat.person].noshows + 1
            if seat.fate == "noshow" and noshows >= NOSHOWS_MAX:
                events.append(TourneyDropped(done.at_ms, seat.person, "noshow"))
        return events

    def lose_table(self, key: PlaceKey, table: int, at_ms: int) -> list[AnyTourneyEvent]:
        """[rule 4] Nothing, if the place has a result or another table."""
        now = self.round
        if now is None or now.number != key.round or now.tables.get(key.place) != table:
            return []
        if self.phase != "running" or key.place in now.results:
            return []
        if key.place in now.lost:
            return self.finish(self.without_result(key.place, at_ms, "aborted"))
        return [TableLost(at_ms, key.round, key.place, table)]

    def without_result(self, place: int, at_ms: int, end: Ending) -> TableDone:
        """What a table of the running round is worth whose game has none: all of its people share
        what there is."""
        now = self.round
        assert now is not None
        seats = tuple(SeatDone(it, 1) for it in now.people_at(place))
        return TableDone(at_ms, now.number, place, end, seats)

    def _check_open(self) -> None:
        self._check_not_closed()
        if self.phase != "open":
            raise UserError(texts.RUNS.format(self.number), "illegal")

    def _check_not_closed(self) -> None:
        if self.phase == "closed":
            raise UserError(texts.CLOSED.format(self.number), "illegal")

    def _check_room(self) -> None:
        if len(self.active) >= self.opened.entries_max:
            raise UserError(texts.FULL.format(self.number, self.opened.entries_max), "full")

    # -- the fold ------------------------------------------------------------------------------

    def apply_each(self, events: Sequence[AnyTourneyEvent]) -> None:
        for event in events:
            self.apply(event)

    def apply(self, event: AnyTourneyEvent) -> None:
        match event:
            case TourneyOpened():
                self.opened = event
            case TourneyEntered(person=person):
                if person not in self.entries:
                    self.entries.append(person)
                self.entered_ms[person] = event.at_ms
                self.dropped.pop(person, None)
            case TourneyWithdrawn(person=person):
                self.entries.remove(person)
            case TourneyStarted():
                self.phase, self.started_ms = "running", event.at_ms
            case RoundDrawn():
                self.rounds.append(Round(event))
            case TableOpened(round=number, place=place, table=table):
                self.rounds[number - 1].tables[place] = table
            case TableLost(round=number, place=place, table=table):
                self.rounds[number - 1].lost[place] = table
                self.rounds[number - 1].tables.pop(place, None)
            case TableDone(round=number, place=place):
                self.rounds[number - 1].results[place] = event
            case TourneyDropped(person=person, why=why):
                self.dropped[person] = why
                if self.phase == "open":
                    self.entries.remove(person)
            case RoundDelayed(lost_ms=lost_ms):
                self.rounds[-1].lost_ms += lost_ms
                self.rounds[-1].lost_until_ms = event.at_ms
            case TourneyClosed():
                self.phase, self.closed = "closed", event
