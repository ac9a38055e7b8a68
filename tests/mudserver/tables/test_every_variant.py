"""What every game in the catalogue must do at a table."""

from random import Random
from typing import Any

import pytest

from mudserver.config.schema import TablesConfig as Settings
from mudserver.tables import codec
from mudserver.tables import requests as r
from mudserver.tables.commit import commit
from mudserver.tables.decide import decide
from mudserver.tables.result import export_game
from mudserver.tables.table import Table
from tests.games import profile_of
from tests.mudserver.tables.driver import recover, seen
from tests.slow_cases import slow_cases
from variants import verify
from variants.catalogue import CATALOGUE

PEOPLE = ("p0", "p1", "p2", "p3")


def played(variant: Any, seed: int) -> tuple[Table, list[bytes]]:
    """A whole game of two people, a leaver and computer players, with time-outs among the plays."""
    rng, now_ms, bodies = Random(seed), 1_000, []
    table = Table(1, variant, Settings())

    def does(request: r.Request) -> None:
        record = decide(table, request, now_ms)
        bodies.append(codec.encode(record))
        assert codec.decode(record.sequence, bodies[-1], variant).facts == record.facts
        commit(table, record)

    does(r.Open("p0", "P0", profile_of(variant.name).brief))
    seats = min(4, variant.seats[-1])
    *_, leaver = others = PEOPLE[1 : seats - 1]
    for person in others:
        does(r.Sit(person, person.upper()))
    does(r.AddBot("p0"))
    for person in ("p0", *others):
        does(r.Start(person, rng.randbytes(32)))
    for turn in range(variant.decisions_max(seats)):
        game = table.game
        if not table.is_playing or game is None or game.window is None:
            break
        if turn == 5:
            does(r.Leave(leaver))
        seat = next(s for s in game.window.seats if game.may_act(s))
        occupant, view = game.seats[seat], game.view(seat)
        if rng.random() < 0.05 and game.clock.deadline_ms is not None:
            now_ms = game.clock.deadline_ms
            does(r.Tick(""))
        elif occupant.is_decided_by_computer:
            does(r.ComputerPlay("", seat, game.window.key, None, turn))
        else:
            action = rng.choice(variant.legal_actions(view))
            does(r.Play(occupant.person or "", variant.phrase(action, view, game.names)))
    return table, bodies


@pytest.fixture(params=CATALOGUE.values(), ids=lambda variant: variant.name)
def variant(request):
    return request.param


@pytest.mark.parametrize("seed", slow_cases(range(2), ["1"]))
def test_a_whole_game_is_played_folded_again_and_proved(variant, seed):
    table, bodies = played(variant, seed)
    assert table.phase == "over"
    again = Table(1, variant, Settings())
    recover(again, bodies, 0)
    assert seen(again, *PEOPLE) == seen(table, *PEOPLE)
    assert verify.verify(export_game(table.game).splitlines()).startswith("proved: ")
