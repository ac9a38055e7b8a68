"""What a reason says of a move is what the move then does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.conformance.observation import heard
from tests.conformance.play import by_kind, folded, play
from tests.conformance.settings import NAMES, Setting, usual
from tests.games import games
from variants.elimination.actions import Give
from variants.elimination.events import Eliminated, GameEnded
from variants.kit.chance import SeededChance
from variants.stockpile.actions import End
from variants.words.actions import Form
from variants.words.data.box import scored_in

CHANCE = b"the chance of the next decision."


def explained(name: str, kind: type, games_max: int, seats: int = 3) -> Iterator[tuple[Any, ...]]:
    """(state, seat, view, action, code to sentence) of each listed action of one kind."""
    variant = games()[name]
    for number in range(games_max):
        setting = Setting(variant, seats, usual(variant))
        steps = play(setting, number, by_kind).steps
        events: list[Any] = []
        for before, step in pairwise(steps):
            events += before.events
            view = variant.observe(before.state, step.seat)
            for action in variant.legal_actions(view):
                if isinstance(action, kind):
                    reasons = variant.explain(view, heard(variant, events, step.seat), action)
                    said = {reason.code: reason.format(NAMES) for reason in reasons}
                    yield before.state, step.seat, view, action, said


def then(name: str, state: Any, seat: Any, action: Any) -> list[Any]:
    return list(games()[name].decide(state, seat, action, SeededChance(CHANCE)))


def test_a_card_is_said_to_put_somebody_out_exactly_where_it_does():
    found = 0
    for state, seat, _, action, said in explained("elimination", Give, 12):
        events = then("elimination", state, seat, action)
        is_out = any(isinstance(e, Eliminated) and e.seat == action.to for e in events)
        assert ("completes_four" in said) == (is_out and "only_move" not in said)
        if "completes_four" in said:
            is_end = any(isinstance(event, GameEnded) for event in events)
            assert is_end == ("ends the game" in said["completes_four"])
        found += is_out
    assert found > 5


def test_who_is_said_to_lead_wins_by_ending_the_game():
    variant, found = games()["stockpile"], 0
    for state, seat, _, action, said in explained("stockpile", End, 30):
        if "ends_ahead" in said:
            ended = folded(variant, then("stockpile", state, seat, action), state)
            outcome = variant.outcome(ended)
            assert outcome is not None and outcome.places[seat] == 1
            found += 1
            if found == 3:
                return
    assert found


def test_a_word_brings_the_points_that_are_said():
    found = 0
    for _, _, view, action, said in explained("words", Form, 1):
        points = scored_in(view.box, view.manifest, view.indicator, action.spelling)[1]
        if points > 0:
            wanted = f"{action.spelling} is on your manifest and brings {points} points."
            assert wanted == said["manifest_word"]
            found += 1
        else:
            assert "manifest_word" not in said
    assert found > 5
