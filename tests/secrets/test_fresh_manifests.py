"""Whole runs at tables with `manifests=fresh`, between which only cards differ that nobody who
reads has seen: the same bytes on every line, program and log.  [WR-10] [SEC-1] [SEC-11]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from mudserver.tables.game import Game
from tests.conformance.twins import Twin, twin_of
from tests.secrets.counterpart import Counterpart, leaks_of, played, repeated
from tests.secrets.script import Script, script
from tests.slow_cases import slow_cases
from tests.variants.words import knowledge
from tests.variants.words.paired import dealt, other_cards, paired_decks
from variants.contract import Seat

FRESH = ("words", {"manifests": "fresh", "max_rounds": "2", "target": "50"})
WITH_A_PROGRAM = 4
"""The number of a run in which a program has a seat, and a computer player, too."""


@pytest.fixture(autouse=True)
def decks_that_worlds_share() -> Iterator[None]:
    with paired_decks():
        yield


def counterparts(run: Script) -> Iterator[Counterpart]:
    """All cards are others but the own ones, or those that anybody was dealt."""

    def twins() -> Iterator[Twin]:
        for observer in (None, *run.people):
            own = dealt(run.game, observer) if observer is not None else set[str]()
            for kept in (own, dealt(run.game)):
                if twin := twin_of(run.game, observer, other_cards(run.game, kept), knowledge):
                    yield twin

    return played(run, twins(), knowledge)


@pytest.mark.parametrize(
    "numbers", slow_cases([[WITH_A_PROGRAM], [3, 4, 5]], ["[3, 4, 5]"]), ids=str
)
def test_a_run_with_other_cards_is_the_same_to_the_byte(numbers: list[int]) -> None:
    compared, thoughts, readers = 0, 0, set[Seat | None]()
    for number in numbers:
        run = script(number, decisions_max=24, of=FRESH)
        for twin in counterparts(run):
            rerun = repeated(run, twin)
            assert [] == leaks_of(twin, rerun), f"{number}, {twin.twin.observer}"
            compared, thoughts = compared + 1, thoughts + len(rerun.thoughts)
            readers.add(twin.twin.observer)
    print(f"{compared} runs, {thoughts} decisions of computer players, {readers}")
    assert (
        compared >= 6 * len(numbers)
        and thoughts >= 7 * len(numbers)
        and {None, Seat(0), Seat(1)} <= readers
    )


def test_a_view_with_the_whole_box_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it was: a program read all twenty cards of the running game."""
    honest = Game.view

    def view(self: Game, reader: Seat | None) -> object:
        return replace(honest(self, reader), box=self.state.box)

    monkeypatch.setattr(Game, "view", view)
    run = script(WITH_A_PROGRAM, decisions_max=12, of=FRESH)
    assert any(leaks_of(twin, repeated(run, twin)) for twin in counterparts(run))
