"""The fold of a tournament, and what is decided on it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from mudserver.errors import UserError
from mudserver.tourneys.events import (
    AnyTourneyEvent,
    Fate,
    RoundDelayed,
    RoundDrawn,
    SeatDone,
    TableDone,
    TableOpened,
    TourneyClosed,
    TourneyDropped,
    TourneyEntered,
    TourneyOpened,
    TourneyStarted,
    decode,
    encode,
)
from mudserver.tourneys.points import UNIT
from mudserver.tourneys.tourney import EXPIRES_MS, PlaceKey, Tourney

START_MS = 1_000_000
MINUTE_MS = 60_000
OPENED = TourneyOpened(
    1000, "p1", "Winter Cup", "elimination", ("preset=short",), 2, 2, START_MS, 8, 180, 180, 1200,
    True,
)  # fmt: skip
PEOPLE = ("p1", "p2", "p3", "p4")


def folded(*events: AnyTourneyEvent) -> Tourney:
    tourney = Tourney(3)
    tourney.apply_each([OPENED, *events])
    return tourney


def entered(*people: str) -> list[AnyTourneyEvent]:
    return [TourneyEntered(2000, person) for person in people]


def begun(*people: str) -> Tourney:
    """In round 1, with two of *people* at each table."""
    tables = tuple(zip(people[::2], people[1::2], strict=False))
    sits_out = people[-1] if len(people) % 2 else ""
    drawn = RoundDrawn(START_MS, 1, tables, sits_out)
    return folded(*entered(*people), TourneyStarted(START_MS), drawn)


def done(
    place: int, people: Sequence[str], fates: Sequence[Fate] = ("stayed", "stayed"), number: int = 1
) -> TableDone:
    seats = [SeatDone(it, at, fate) for it, at, fate in zip(people, (1, 2), fates, strict=True)]
    return TableDone(START_MS + MINUTE_MS * place, number, place, "finished", tuple(seats))


def test_records_read_as_they_were_written() -> None:
    events = (OPENED, *entered("p1"), done(1, ("p1", "p2")), TourneyClosed(5, "staff", "p9", "x"))
    assert decode(encode(events)) == events


def test_people_enter_once_and_withdraw_without_a_trace_before_the_start() -> None:
    tourney = folded(*entered("p1"))
    with pytest.raises(UserError, match="already"):
        tourney.enter("p1", 1)
    tourney.apply_each(tourney.withdraw("p1", 1))
    assert [] == tourney.entries
    with pytest.raises(UserError, match="do not play"):
        tourney.withdraw("p1", 1)


def test_nobody_enters_a_full_or_running_tournament() -> None:
    full = folded(*entered(*(f"p{number}" for number in range(8))))
    with pytest.raises(UserError, match="full"):
        full.enter("p99", 1)
    with pytest.raises(UserError, match="has started"):
        begun(*PEOPLE).enter("p99", 1)


def test_it_starts_with_four_people_at_its_time() -> None:
    tourney = folded(*entered("p1", "p2", "p3"))
    assert tourney.due(START_MS - 1) is None
    assert "start" == tourney.due(START_MS)
    with pytest.raises(UserError, match="needs 4 people"):
        tourney.start("p1", 1)
    tourney.apply_each(entered("p4"))
    tourney.apply_each(tourney.start("", START_MS))
    assert "round" == tourney.due(START_MS)


def test_a_round_is_drawn_once() -> None:
    tourney = begun(*PEOPLE)
    assert [] == tourney.draw(RoundDrawn(START_MS, 1, (("p1", "p4"), ("p2", "p3"))))
    assert [] == tourney.draw(RoundDrawn(START_MS, 2, (("p1", "p4"), ("p2", "p3"))))


def test_each_place_gets_one_table() -> None:
    tourney = begun(*PEOPLE)
    assert [1, 2] == tourney.missing_places()
    opened = tourney.open_table(PlaceKey(3, 1, 2), 17, 5)
    assert [TableOpened(5, 1, 2, 17)] == opened
    tourney.apply_each(opened)
    assert [1] == tourney.missing_places()
    with pytest.raises(UserError):
        tourney.open_table(PlaceKey(3, 1, 2), 18, 5)


def test_the_next_round_follows_a_break_after_the_last_result() -> None:
    tourney = begun(*PEOPLE)
    tourney.apply_each(tourney.finish(done(2, ("p3", "p4"))))
    assert tourney.next_ms is None
    tourney.apply_each(tourney.finish(done(1, ("p1", "p2"))))
    next_ms = START_MS + 2 * MINUTE_MS + 180_000
    assert next_ms == tourney.next_ms == tourney.wake_ms
    assert tourney.due(next_ms - 1) is None
    assert "round" == tourney.due(next_ms)


def test_a_result_counts_once() -> None:
    tourney = begun(*PEOPLE)
    tourney.apply_each(tourney.finish(done(1, ("p1", "p2"))))
    assert [] == tourney.finish(done(1, ("p2", "p1")))


def test_who_leaves_is_dropped_and_has_the_last_place() -> None:
    tourney = begun(*PEOPLE)
    events = tourney.finish(done(1, ("p1", "p2"), ("left", "stayed")))
    assert TourneyDropped(START_MS + MINUTE_MS, "p1", "left") in events
    tourney.apply_each(events)
    assert ["p2", "p3", "p4"] == tourney.active
    points = {it.person: it.points // UNIT for it in tourney.standings()}
    assert {"p1": 0, "p2": 60, "p3": 0, "p4": 0} == points


def test_who_does_not_come_twice_is_dropped() -> None:
    tourney = begun(*PEOPLE)
    tourney.apply_each(tourney.finish(done(1, ("p1", "p2"), ("stayed", "noshow"))))
    tourney.apply_each(tourney.finish(done(2, ("p3", "p4"))))
    assert {} == tourney.dropped
    tourney.apply(RoundDrawn(2 * START_MS, 2, (("p1", "p3"), ("p2", "p4"))))
    tourney.apply_each(tourney.finish(done(2, ("p2", "p4"), ("noshow", "stayed"), number=2)))
    assert {"p2": "noshow"} == tourney.dropped


def test_the_organiser_takes_somebody_dropped_back_in() -> None:
    tourney = begun(*PEOPLE)
    tourney.apply_each(tourney.drop("p2", "bob", "organiser", "p1", 5))
    with pytest.raises(UserError, match="bob does not play"):
        tourney.drop("p2", "bob", "organiser", "p1", 5)
    tourney.apply_each(tourney.seat("p2", "bob", "p1", 6))
    assert list(PEOPLE) == tourney.active == tourney.entries


def test_who_is_taken_out_before_the_start_comes_back_by_the_organiser_alone() -> None:
    tourney = folded(*entered(*PEOPLE, "p5"))
    tourney.apply_each(tourney.drop("p5", "eve", "organiser", "p1", 5))
    assert list(PEOPLE) == tourney.active == tourney.entries
    with pytest.raises(UserError, match="taken you out"):
        tourney.enter("p5", 6)
    tourney.apply_each(tourney.seat("p5", "eve", "p1", 7))
    assert [*PEOPLE, "p5"] == tourney.active == tourney.entries
    tourney.apply_each(tourney.withdraw("p5", 8))
    tourney.apply_each(tourney.enter("p5", 9))  # nobody keeps out who went alone
    assert "p5" in tourney.active


def test_who_can_not_play_does_not_count_for_a_start() -> None:
    tourney = folded(*entered(*PEOPLE, "p5"))
    with pytest.raises(UserError, match=r"needs 4 people\. 3 play"):
        tourney.start("p1", 5, {"p2": "deleted", "p3": "banned"})
    tourney.apply_each(tourney.start("p1", 5, {"p3": "banned"}))
    assert ["p1", "p2", "p4", "p5"] == tourney.active == [it.person for it in tourney.standings()]
    assert {"p3": "banned"} == tourney.dropped


def test_a_week_without_a_server_closes_it_and_less_does_not() -> None:
    tourney = begun(*PEOPLE)
    [event] = tourney.give_back(START_MS, START_MS + EXPIRES_MS - 1)
    assert isinstance(event, RoundDelayed)
    tourney.apply_each(tourney.give_back(START_MS, START_MS + EXPIRES_MS))
    assert "outage" == tourney.closed.why


def test_nobody_is_entered_by_others():
    tourney = begun(*PEOPLE)
    with pytest.raises(UserError, match="was not taken out"):
        tourney.seat("p9", "zoe", "p1", 5)
    tourney.apply_each(tourney.withdraw("p2", 5))
    with pytest.raises(UserError, match="was not taken out"):
        tourney.seat("p2", "bob", "p1", 6)


def test_a_round_ends_at_its_limit_and_time_without_a_server_is_given_back() -> None:
    tourney = begun(*PEOPLE)
    limit_ms = START_MS + 1_200_000
    assert limit_ms == tourney.limit_ms == tourney.wake_ms
    assert "end tables" == tourney.due(limit_ms)
    tourney.apply(RoundDelayed(limit_ms, 90_000))
    assert tourney.due(limit_ms) is None
    assert limit_ms + 90_000 == tourney.limit_ms
    assert "expire" == tourney.due(limit_ms + 90_000 + EXPIRES_MS)


def test_tables_that_were_cut_off_share_what_there_is() -> None:
    tourney = begun(*PEOPLE)
    tourney.apply_each(tourney.finish(tourney.without_result(1, 9, "limit")))
    points = {it.person: it.points // UNIT for it in tourney.standings()}
    assert {"p1": 30, "p2": 30, "p3": 0, "p4": 0} == points
    assert [0] == list({it.wins for it in tourney.standings()})


def test_a_game_that_a_fault_has_ended_is_played_again_once() -> None:
    tourney, key = begun(*PEOPLE), PlaceKey(3, 1, 2)
    tourney.apply_each([TableOpened(9, 1, 1, 40), TableOpened(9, 1, 2, 41)])
    assert [] == tourney.lose_table(key, 40, 9) == tourney.lose_table(PlaceKey(3, 2, 2), 41, 9)
    tourney.apply_each(tourney.lose_table(key, 41, 9))
    assert [2] == tourney.missing_places() and tourney.waits_for_game("p3")
    assert [] == tourney.lose_table(key, 41, 9)
    tourney.apply_each(tourney.open_table(key, 42, 9))
    late = msgspec.structs.replace(done(2, ("p3", "p4")), game="41.1")
    assert [] == tourney.finish(late)
    for event in (again := tourney.lose_table(key, 42, 9)):
        tourney.apply(event)
    assert ["aborted"] == [it.end for it in again if isinstance(it, TableDone)]
    points = {it.person: it.points // UNIT for it in tourney.standings()}
    assert {"p3": 30, "p4": 30, "p1": 0, "p2": 0} == points
    assert [] == tourney.lose_table(key, 42, 9)


def test_who_sits_out_has_the_points_of_a_shared_first_place() -> None:
    tourney = begun(*PEOPLE, "p5")
    [row] = [it for it in tourney.standings() if it.person == "p5"]
    assert 30 * UNIT == row.points and row.games == 0
    assert 1 == next(it for it in tourney.entrants() if it.person == "p5").sat_out


def test_equal_points_are_ordered_by_those_of_the_people_met() -> None:
    tourney = begun("p1", "p2", "p3", "p4", "p5", "p6")
    for place, people in enumerate((("p1", "p2"), ("p3", "p4"), ("p5", "p6")), 1):
        tourney.apply_each(tourney.finish(done(place, people)))
    tourney.apply(RoundDrawn(2 * START_MS, 2, (("p1", "p3"), ("p2", "p5"), ("p4", "p6"))))
    for place, people in enumerate((("p1", "p3"), ("p5", "p2"), ("p4", "p6")), 1):
        tourney.apply_each(tourney.finish(done(place, people, number=2)))
    rows = [(it.place, it.person, it.points // UNIT, it.met_points // UNIT) for it in
            tourney.standings()]  # fmt: skip
    assert rows == [
        (1, "p1", 120, 60), (2, "p5", 120, 0), (3, "p3", 60, 180), (4, "p4", 60, 60),
        (5, "p2", 0, 240), (6, "p6", 0, 180),
    ]  # fmt: skip


def test_after_the_last_round_it_is_over() -> None:
    tourney = begun(*PEOPLE)
    for number, places in ((1, ((1, ("p1", "p2")), (2, ("p3", "p4")))), (2, ())):
        if number == 2:
            tourney.apply(RoundDrawn(2 * START_MS, 2, (("p1", "p3"), ("p2", "p4"))))
            places = ((1, ("p1", "p3")), (2, ("p2", "p4")))
        for place, people in places:
            tourney.apply_each(tourney.finish(done(place, people, number=number)))
    assert not tourney.has_next_round and tourney.next_ms is None
    assert "round" == tourney.due(3 * START_MS)
    tourney.apply_each(tourney.close("finished", "", "", 9))
    assert tourney.due(9 * START_MS) is None and tourney.wake_ms is None
    with pytest.raises(UserError, match="is over"):
        tourney.close("organiser", "p1", "again", 9)
