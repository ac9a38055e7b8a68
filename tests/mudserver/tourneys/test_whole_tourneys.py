"""Whole tournaments of all sizes as folds, with people who leave, never come and go in between."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from mudserver.tourneys.events import (
    AnyTourneyEvent,
    Fate,
    RoundDrawn,
    SeatDone,
    TableDone,
    TourneyEntered,
    TourneyOpened,
    TourneyStarted,
    decode,
    encode,
)
from mudserver.tourneys.pairing import draw_round
from mudserver.tourneys.points import SHARED_WIN, WIN
from mudserver.tourneys.standings import points_of
from mudserver.tourneys.tourney import NOSHOWS_MAX, Tourney

FATES: tuple[Fate, ...] = ("stayed",) * 16 + ("left", "noshow", "noshow")


class Season:
    """One tournament, driven by hand; every record is kept as it would be stored."""

    def __init__(self, seed: int, entries: int, seats: int, rounds: int) -> None:
        self.rng, self.bodies = Random(seed), list[bytes]()
        self.tourney = Tourney(seed)
        opened = TourneyOpened(
            1, "p0", "Cup", "words", (), rounds, seats, 0, 128, 60, 60, 3600, False
        )
        people = [f"p{number}" for number in range(entries)]
        self.write(opened)
        for person in people:
            self.write(*self.tourney.enter(person, 2))
        self.write(*self.tourney.start("p0", 3))

    def write(self, *events: AnyTourneyEvent) -> None:
        self.bodies.append(encode(events))
        self.tourney.apply_each(events)

    def folded(self) -> Tourney:
        """What a server finds that starts now."""
        again = Tourney(self.tourney.number)
        for body in self.bodies:
            again.apply_each(decode(body))
        return again

    def play(self) -> None:
        while self.tourney.has_next_round:
            entrants, number = self.tourney.entrants(), len(self.tourney.rounds) + 1
            drawn = draw_round(self.tourney.number, number, entrants, self.tourney.opened.seats)
            again = draw_round(
                self.tourney.number, number, self.folded().entrants(), self.tourney.opened.seats
            )
            assert drawn == again, "whoever draws it"
            event = RoundDrawn(10 * number, number, *drawn)
            self.write(*self.tourney.draw(event))
            for place in self.rng.sample(range(1, len(drawn.tables) + 1), len(drawn.tables)):
                self.write(*self.tourney.finish(self.done(number, place)))
        self.write(*self.tourney.close("finished", "", "", 1_000))

    def done(self, number: int, place: int) -> TableDone:
        people = self.tourney.rounds[-1].people_at(place)
        places = [self.rng.randrange(1, len(people) + 1) for _ in people]
        places = [1 + sum(other < it for other in places) for it in places]  # some are shared
        fates = [self.rng.choice(FATES) for _ in people]
        seats = [SeatDone(*each) for each in zip(people, places, fates, strict=True)]
        return TableDone(10 * number + 1, number, place, "finished", tuple(seats), f"{place}.1")


def total(done: TableDone) -> int:
    """What a table is worth: the places of those who stayed, in 1/UNIT."""
    seats, stayed = len(done.seats), sum(it.fate == "stayed" for it in done.seats)
    return sum(WIN * (seats - 1 - at) // (seats - 1) for at in range(stayed))


@pytest.mark.parametrize(
    ("entries", "seats", "rounds"),
    [(4, 2, 3), (4, 4, 9), (5, 2, 5), (7, 3, 4), (13, 2, 9), (24, 4, 5), (63, 8, 3), (127, 2, 3),
     (128, 4, 3), (128, 7, 2)],
)  # fmt: skip
def test_every_place_is_filled_once_and_points_add_up(entries, seats, rounds):
    season = Season(entries * 10 + seats, entries, seats, rounds)
    season.play()
    tourney, again = season.tourney, season.folded()
    assert tourney.standings() == again.standings() and entries == len(again.entries)
    sat_out, points = Counter[str](), 0
    for each in tourney.rounds:
        people = [it for table in each.drawn.tables for it in table]
        assert len(people) == len({*people}) and each.is_over
        sizes = {len(table) for table in each.drawn.tables}
        assert max(sizes) <= seats and max(sizes) - min(sizes) <= 1
        assert len(each.drawn.tables) == -(-len(people) // seats), "the fewest tables"
        if person := each.drawn.sits_out:
            assert seats == 2 and person not in people
            sat_out[person] += 1
        points += sum(total(done) for done in each.results.values())
        for done in each.results.values():
            assert total(done) == sum(points_of(done.seats))
    points += SHARED_WIN * sat_out.total()
    assert points == sum(it.points for it in tourney.standings())
    stayed = [it for it in tourney.entries if it not in tourney.dropped]
    if stayed:  # nobody twice before all who were there as long
        assert max(sat_out[it] for it in stayed) - min(sat_out[it] for it in stayed) <= 1


def test_who_left_or_never_came_twice_is_in_no_later_round():
    season = Season(3, 40, 4, 6)
    season.play()
    tourney = season.tourney
    gone, noshows = set[str](), Counter[str]()
    for each in tourney.rounds:
        assert not gone & {it for table in each.drawn.tables for it in table}
        for done in each.results.values():
            for seat in done.seats:
                noshows[seat.person] += seat.fate == "noshow"
                if seat.fate == "left" or noshows[seat.person] >= NOSHOWS_MAX:
                    gone.add(seat.person)
    assert gone == set(tourney.dropped) and gone
    assert {TourneyEntered, TourneyStarted} <= {
        type(event) for body in season.bodies for event in decode(body)
    }
