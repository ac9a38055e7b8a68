"""Whole runs of the server that differ only in secrets are the same on the wire.

[SEC-1, SEC-2, SEC-5, SEC-6, SEC-7, SEC-11]

What is compared is everything: virtual times and bytes at every terminal (prompts, bells, Tab,
refusals, screens after a lost line, after a second login and after the server died), the lobby,
the operator's log, and where a door holds the terminals what that is told: capsules above all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

from mudserver import metrics, source_budgets
from mudserver.config import schema
from tests.conformance.play import window_of
from tests.counts import count
from tests.secrets.behaviour import AMONG_PEOPLE, OF_STAFF
from tests.secrets.checks import seed_told
from tests.secrets.counterpart import (
    Counterpart,
    counterparts,
    first_difference,
    heard,
    in_secret,
    leaks_of,
    repeated,
)
from tests.secrets.script import Script, script, sealed_scripts
from tests.secrets.scripted_server import KEPT, LOG, PANES, TERMINALS, world_for
from tests.simulation.server import World, replace_sections
from tests.slow_cases import slow_cases

WHOLE = [*range(100, 114), 126]  # 126: several can react, and answer otherwise
FEW = [102, 103, 104, 105, 106, 107, 126]  # the fewest with their share of each kind of step below
EVENINGS, FOURTH = range(400, 412), range(401, 412, 4)
ACCEPTED_MIN = 55  # of all of `WHOLE`; measured 79
SOCIAL_TWINS_MIN = 35  # in all evenings of people; measured 55
PROVED_PER_SHARD = count(5_000, 300)  # twin runs, each with several observers


@pytest.mark.parametrize("numbers", slow_cases([range(2), range(2, 60)], ["range(2, 60)"]), ids=str)
def test_the_same_run_twice_is_the_same_to_the_byte(numbers: range) -> None:
    """Or else a twin that looks different proves nothing."""
    for number in numbers:
        first = script(number)
        again = repeated(first).received
        for name, received in first.received.items():
            one, other = (heard(of, first.end_s) for of in (received, again[name]))
            assert not list(first_difference(name, one, other)), number


class Tally:
    """What the proof has seen, so that it cannot shrink unnoticed."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.terminals: set[str] = set()

    def judge(self, twin: Counterpart) -> None:
        rerun = repeated(twin.script, twin)
        for leak in leaks_of(twin, rerun):
            pytest.fail(f"script {twin.script.number}, {twin.twin.how}: {leak}")
        self.count["twins"] += 1
        self.count["decisions of computers"] += len(rerun.thoughts)
        self.count["altered after the deal"] += twin.is_late
        self.count["with other cards for a computer"] += twin.changes_a_computer
        self.count["after a restart"] += has_after(twin, "restart")
        self.count["after a planned restart"] += has_after(twin, "hand over")
        self._note_reactions(twin)
        self._note_sealed(twin)
        for name, until_s in twin.observers.items():
            self._note(twin, name, until_s)

    def _note_reactions(self, twin: Counterpart) -> None:
        """Windows that ask whether a seat reacts, and those where it could do other things."""
        variant, end_s = twin.script.variant, max(twin.observers.values())
        for number, world, other in twin.twin.pairs:
            window = window_of(variant, world.state)
            if window is None or window.counts_timeouts or twin.script.when_s[number] > end_s:
                continue
            seat = window.seats[0]
            plays = [set(variant.legal_actions(variant.observe(s.state, seat)))
                     for s in (world, other)]  # fmt: skip
            passes = twin.script.by[number + 1 : number + 2] == ("autopass",)
            self.count["reactions asked for"] += 1
            self.count["with other answers"] += plays[0] != plays[1]
            self.count["passed by themselves"] += passes
            self.count["that with other answers"] += passes and plays[0] != plays[1]

    def _note_sealed(self, twin: Counterpart) -> None:
        """Answers that came while others were secret, and those that were other ones."""
        variant, end_s = twin.script.variant, max(twin.observers.values())
        for number, world, _ in twin.twin.pairs:
            window = window_of(variant, world.state)
            if window is not None and window.is_sealed and twin.script.when_s[number] < end_s:
                self.count["steps under seal"] += 1
        self.count["answered otherwise"] += len(twin.twin.alteration.acts) == 1
        self.count["answered the other way round"] += len(twin.twin.alteration.acts) == 2

    def _note(self, twin: Counterpart, name: str, until_s: float) -> None:
        members = {member.name: member for member in twin.script.cast}
        received = twin.script.received[name]
        since_s = twin.script.when_s[twin.twin.since]
        told = [data for at_s, data in received if since_s < at_s < until_s]
        self.count["bytes"] += sum(map(len, told))
        self.count["capsules"] += sum(data.startswith(KEPT) for data in told)
        if name == LOG:
            self.count["of the operator"] += 1
        elif members[name].seat is not None:
            self.count["of seats"] += 1
            self.terminals.add(members[name].terminal.name)
        else:
            self.count["of watchers and the lobby"] += 1
        if name != LOG and members[name].terminal is PANES:
            self.count["who reads in panes, at a seat"] += members[name].seat is not None
            self.count["who reads in panes, watching"] += members[name].seat is None
        self.count["who came back"] += any(
            act.who == name and act.does == "come" and since_s < act.at_s < until_s
            for act in twin.script.acts
        )

    def __str__(self) -> str:
        return ", ".join(f"{what}: {count}" for what, count in self.count.items())


def has_after(twin: Counterpart, does: str) -> bool:
    since_s = twin.script.when_s[twin.twin.since]
    until_s = max(twin.observers.values())
    return any(act.does == does and since_s < act.at_s < until_s for act in twin.script.acts)


def prove(tally: Tally, told: Script, tries: int) -> None:
    assert not list(seed_told(told))
    for twin in counterparts(told, Random(told.number), tries):
        tally.judge(twin)


@pytest.mark.parametrize(
    ("numbers", "tries"),
    slow_cases([(FEW, 4), (WHOLE, 8)], [str((WHOLE, 8))]),
    ids=["few", "whole"],
)
def test_runs_that_differ_only_in_secrets_are_the_same_to_the_byte(
    numbers: list[int], tries: int
) -> None:
    tally, share = Tally(), len(numbers) * tries / (len(WHOLE) * 8)
    for number in numbers:
        prove(tally, script(number, decisions_max=30), tries)
    print(f"\ntwin runs: {tally}")
    seen = tally.count
    assert seen["twins"] >= ACCEPTED_MIN * share
    assert len(tally.terminals) == len(TERMINALS)
    least = {
        "decisions of computers": 200,  # [SEC-11]
        "altered after the deal": 8,
        "with other cards for a computer": 6,  # [SEC-2] their pauses
        "after a restart": 5,
        "after a planned restart": 2,
        "capsules": 500,
        "who came back": 35,  # [SEC-5]
        "of watchers and the lobby": 80,  # [SEC-6, SEC-7]
        "of the operator": 50,
        "of seats": 80,
        "reactions asked for": 10,  # [G-12]
        "with other answers": 3,
        "passed by themselves": 6,
        "who reads in panes, at a seat": 10,
        "who reads in panes, watching": 10,
        "steps under seal": 1,  # [G-11]
        "answered otherwise": 1,
    }
    wanted = {what: max(1, int(count * share)) for what, count in least.items()}
    assert [] == [what for what, count in wanted.items() if seen[what] < count]


def test_twins_are_compared_up_to_the_end_of_a_game_which_shows_all_hands() -> None:
    told = script(101, decisions_max=24)
    assert told.variant.outcome(told.game.state) is not None, "choose another number"
    tally = Tally()
    prove(tally, told, tries=8)
    assert tally.count["twins"] >= 1


@pytest.mark.parametrize(
    "judged", slow_cases([FOURTH, EVENINGS], [str(EVENINGS)]), ids=["few", "all"]
)
def test_an_evening_of_people_and_staff_tells_nothing_of_the_cards(judged: range) -> None:
    """Args: judged: The evenings that have twins; every one counts for what is typed."""
    tally, typed = Tally(), Counter[str]()
    for number in EVENINGS:
        told = script(number, decisions_max=24, is_social=True)
        if number in judged:
            prove(tally, told, tries=6)
            for twin in islice(in_secret(told), 3):
                tally.judge(twin)
        lines = [act.keys.decode().strip("/\r").split() for act in told.acts if act.does == "keys"]
        typed.update(words[0] for words in lines if words)
    print(f"\ntwin runs among people: {tally}")
    assert tally.count["twins"] * len(EVENINGS) >= SOCIAL_TWINS_MIN * len(judged)
    verbs = {line.strip("/").split()[0] for line in (*AMONG_PEOPLE, *OF_STAFF)}
    assert set() == verbs - typed.keys()


@pytest.mark.parametrize(
    ("otherwise", "swapped"), slow_cases([(3, 1), (6, 2)], ["(6, 2)"]), ids=["few", "more"]
)
def test_who_answered_first_in_secret_and_what_is_seen_by_nobody(
    otherwise: int, swapped: int
) -> None:
    tally = Tally()
    for told in islice(sealed_scripts(700), 60):
        for twin in islice(in_secret(told), 3):
            tally.judge(twin)
        seen = tally.count
        if (
            seen["answered otherwise"] >= otherwise
            and seen["answered the other way round"] >= swapped
        ):
            break
    else:
        pytest.fail(f"too few: {tally}")
    print(f"\ntwin runs under seal, scripts to {told.number}: {tally}")


@pytest.mark.parametrize("swapped", slow_cases([1, 2], ["2"]))
def test_who_is_away_is_the_same_whoever_has_answered_in_secret(swapped: int) -> None:
    tally = Tally()
    for told in islice(sealed_scripts(2_416, is_social=True), 30):
        for twin in islice(in_secret(told), 3):
            tally.judge(twin)
        if tally.count["answered the other way round"] >= swapped:
            break
    else:
        pytest.fail(f"too few: {tally}")
    print(f"\ntwin runs under seal among people, scripts to {told.number}: {tally}")


@pytest.mark.parametrize("twins", slow_cases([2, 6], ["6"]))
def test_the_same_holds_while_addresses_have_played_too_much(twins: int, monkeypatch) -> None:
    """Then computer players think longer, by what was played: elsewhere too, and in secret."""
    few = schema.SourceLimits(decisions_per_source_per_s=0.0025, decisions_per_source_burst=4)
    monkeypatch.setattr(
        source_budgets, "FULL_DELAY_S", 10_000
    )  # so each decision makes a difference

    def in_debt(number: int, make_chance: Callable[..., Any]) -> World:
        world = world_for(number, make_chance)
        world.settings = replace_sections(world.settings, sources=few)
        return world

    for module in ("script", "counterpart"):
        monkeypatch.setattr(f"tests.secrets.{module}.world_for", in_debt)
    tally, delayed = Tally(), metrics.DELAYED_WINDOWS.value
    for told in islice(sealed_scripts(900), 20):
        for twin in islice(in_secret(told), 3):
            tally.judge(twin)
        if tally.count["twins"] >= twins:
            break
    assert tally.count["twins"] >= twins
    delayed = metrics.DELAYED_WINDOWS.value - delayed
    print(f"\ntwin runs in debt, {delayed} windows: {tally}")
    assert delayed > 3 * twins


@pytest.mark.prove
@pytest.mark.parametrize("shard", (0, 1))
def test_thousands_of_twin_runs(shard: int) -> None:
    tally, number = Tally(), 1_000 + shard
    while tally.count["twins"] < PROVED_PER_SHARD:
        prove(tally, script(number, decisions_max=(20, 45, 90)[number // 2 % 3]), tries=30)
        number += 2
    print(f"\ntwin runs, {(number - 1_000) // 2} scripts: {tally}, no leak")
