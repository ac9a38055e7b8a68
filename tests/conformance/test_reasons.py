"""Why a hint is good, of every game that says it: in nearly all positions, in whole sentences.

That reasons tell nothing hidden is shown with all else that a seat can ask (`test_secrets.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.conformance.observation import heard
from tests.conformance.play import answerers, folded, play, window_of
from tests.conformance.settings import NAMES, AnyVariant, Setting, usual
from tests.counts import count
from tests.games import games
from tests.slow_cases import slow_cases
from variants.contract import Seat, no_reasons
from variants.kit.chance import SeededChance
from variants.kit.reasons import CODES_MAX, ONLY_MOVE, REASONS_MAX, Reason

FEW, MANY = 40, count(500, 100)  # positions with more than one move
UNEXPLAINED_PART = 0.1
EXPLAINING = [it for it in games().values() if it.explain is not no_reasons]
every_game = pytest.mark.parametrize("variant", EXPLAINING, ids=lambda it: it.name)


def advised(variant: AnyVariant) -> Iterator[tuple[Any, Any, tuple[Reason, ...], list[str]]]:
    """(view, what the strongest computer player does, why, names), in games of such players."""
    level = list(variant.bots)[-1]
    for number in range(1_000):
        seats = min(variant.seats[0] + number % 3, variant.seats[-1])
        random, chance = Random(number), SeededChance(bytes([number % 256]) * 32)
        events = list(variant.deal(seats, usual(variant), chance))
        state = folded(variant, events)
        while (window := window_of(variant, state)) is not None:
            seat = answerers(variant, state, window)[0]
            view, seen = variant.observe(state, seat), heard(variant, events, seat)
            action = variant.bots[level](view, seen, SeededChance(random.randbytes(32)))
            if len(variant.legal_actions(view)) > 1:
                yield view, action, variant.explain(view, seen, action), list(NAMES[:seats])
            told = variant.decide(state, seat, action, chance)
            state = folded(variant, told, state)
            events += told


@every_game
@pytest.mark.parametrize("positions", slow_cases([FEW, MANY], [str(MANY)]), ids=["few", "many"])
def test_nearly_every_advised_move_has_a_reason_in_whole_sentences(
    positions: int, variant: AnyVariant
) -> None:
    unexplained, codes = 0, set[str]()
    for _, _, reasons, names in islice(advised(variant), positions):
        unexplained += not reasons
        codes |= {reason.code for reason in reasons}
        assert len(reasons) <= REASONS_MAX
        for said in [reason.format(names) for reason in reasons]:
            assert said.endswith(".") and said[0].isupper() and "{" not in said, said
    assert unexplained <= UNEXPLAINED_PART * positions
    assert 5 <= len(codes - {ONLY_MOVE.code}) <= CODES_MAX


@every_game
def test_at_the_end_every_seat_is_told_what_decided_it_from_what_it_knows(
    variant: AnyVariant,
) -> None:
    told = untold = 0
    for number in range(4):
        setting = Setting(variant, variant.seats[0] + 1, usual(variant))
        game = play(setting, number)
        for seat in map(Seat, range(setting.seats)):
            seen = heard(variant, game.events, seat)
            reasons = variant.explain_end(variant.observe(game.state, seat), seen)
            assert len(reasons) <= REASONS_MAX
            said = [reason.format(NAMES) for reason in reasons]
            assert all(it.endswith(".") and "{" not in it for it in said), said
            told, untold = told + bool(said), untold + (not said)
            middle = game.steps[len(game.steps) // 2].state
            assert not variant.explain_end(variant.observe(middle, seat), seen)
    assert told > 10 * untold
