"""Random lives of a running game: people offer, agree, pause, leave, come back, drop out and take
over seats.

What always holds: nothing that needs everybody's consent happens without it; a paused game is
still; whatever people do, the game goes on to its end when they are gone.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from mudserver.errors import UserError
from mudserver.tables import records as f
from mudserver.tables import requests as r
from tests.mudserver.tables.driver import NAMES, Driver, seen
from tests.toys.multistep.game import MULTISTEP
from variants.contract import Refusal

ACTS, LIVES = 80, 2_000
PAUSE_MS, LEAST_MS = 3_600_000, 15_000


def an_act(rng: Random, who: str) -> r.Request:
    kind = rng.choice(["draw", "abort", "pause", "pause"])
    return rng.choice(
        [
            *[r.Offer(who, kind)] * 4,
            *[r.AnswerOffer(who, True)] * 12,
            r.AnswerOffer(who, False),
            *[r.GoOn(who)] * 3,
            *[r.Play(who, rng.choice(["step", "step", "ask Bob", "answer", "fall"]))] * 5,
            r.Leave(who),
            *[r.Sit(who, NAMES[who])] * 2,
            *[r.Substitute("d", NAMES["d"])] * 2,
            r.OwnerTyped(who),
            *[r.Disconnect(who), r.Reconnect(who)] * 2,
        ]
    )  # fmt: skip


class Life:
    def __init__(self, number: int) -> None:
        self.rng, self.happened = Random(number), Counter[str]()
        options = {"absence": self.rng.choice(["computer", "pause", "forfeit"])}
        options["clocks"] = self.rng.choice(["on", "on", "off"])
        self.driver = Driver(options, variant=MULTISTEP).sits("b", "c")
        if self.rng.random() < 0.3:
            self.driver.does(r.AddBot("a"))
        self.driver.all_start()
        self.needed: set[str] = set()  # whose consent the open offer needs
        self.agreed: set[str] = set()
        self.paused_at_ms: int | None = None

    def goes(self) -> Counter[str]:
        for _ in range(ACTS):
            if not self.driver.table.is_playing:
                return self.happened
            chance = self.rng.random()
            if chance < 0.05:
                self.restarts()
            elif chance < 0.35:
                for record in self.driver.passes(self.rng.choice([1, 4, 4, 20, 61, 130, 3_700])):
                    self.check(record, "")
            else:
                has_come = self.driver.table.seat_of("d") is not None
                self.does(an_act(self.rng, self.rng.choice("abcd" if has_come else "abc")))
            if self.paused_at_ms is not None:
                assert self.driver.now_ms < self.paused_at_ms + PAUSE_MS
                assert self.driver.table.deadline_ms is None
        self.everybody_goes()
        return self.happened

    def restarts(self) -> None:
        before = seen(self.driver.table, *"abcd")
        self.driver.table = self.driver.restarted()
        assert seen(self.driver.table, *"abcd") == before
        self.check(self.driver.does(r.GiveBackTime("", self.driver.now_ms)), "")

    def does(self, request: r.Request) -> None:
        try:
            record = self.driver.does(request)
        except (UserError, Refusal):
            self.happened["refused"] += 1
            return
        if isinstance(request, r.AnswerOffer) and request.is_accepted:
            self.agreed.add(request.person)
        self.check(record, request.person)

    def check(self, record: f.Record, by: str) -> None:
        was_paused = self.paused_at_ms is not None
        for fact in record.facts:
            match fact:
                case f.Offered(kind=kind):
                    self.needed, self.agreed = self.people_for(kind), {by}
                case f.Aborted() | f.Paused() | f.Ended(end="draw"):
                    assert self.needed and self.needed <= self.agreed, (fact, self.needed)
                case f.OfferEnded():
                    self.needed = set()
                case f.Resumed(deadline_ms=deadline_ms):
                    assert deadline_ms is None or deadline_ms >= record.at_ms + LEAST_MS
                case f.Played() | f.WentAway():
                    assert not was_paused, fact
            self.happened[type(fact).__name__] += 1
            if isinstance(fact, f.Paused):
                self.paused_at_ms = record.at_ms
            elif isinstance(fact, f.Resumed | f.Ended | f.Aborted | f.Closed):
                self.paused_at_ms = None

    def people_for(self, kind: str) -> set[str]:
        game = self.driver.table.game
        assert game is not None
        out = game.variant.eliminated_seats(game.view(None))
        seats = {n for n in range(len(game.seats)) if kind == "abort" or n not in out}
        if kind == "draw":
            assert all(game.seats[n].person is not None for n in seats)
        if kind == "pause":
            seats = {n for n in seats if not game.seats[n].is_away}
        return {person for n in seats if (person := game.seats[n].person) is not None}

    def everybody_goes(self) -> None:
        """The clock plays the game to its end; where there is none, the computer players do."""
        driver = self.driver
        for person in "abcd" if driver.table.is_playing else "":
            self.check(driver.does(r.Disconnect(person)), "")
        for _ in range(400):
            if not driver.table.is_playing:
                return
            for seat, _ in driver.table.automatic_turns():
                self.check(driver.does(r.ComputerPlay("", seat, driver.window, None, 5)), "")
                break
            for record in driver.passes(60):
                self.check(record, "")
        raise AssertionError("the game goes on for ever")


@pytest.mark.parametrize("number", range(25))
def test_no_life_of_a_game_ends_or_stops_it_without_everybody(number: int) -> None:
    assert Life(number).goes()


def test_these_lives_have_seen_it_all():
    happened = sum((Life(number).goes() for number in range(60)), Counter[str]())
    wanted = ("Aborted", "Paused", "Resumed", "SeatReturned", "Substituted", "OfferEnded",
              "WentAway", "refused")  # fmt: skip
    assert [] == [name for name in wanted if not happened[name]]


@pytest.mark.prove
def test_no_life_of_thousands_ends_or_stops_a_game_without_everybody() -> None:
    for number in range(25, LIVES):
        Life(number).goes()
