from random import Random

import pytest

from tests.counts import count
from tests.variants.elimination.rules.referee import Referee
from variants.elimination.actions import Clear, Draw, Force, Give, Shuffle, Take
from variants.elimination.events import Dealt, GameBegun
from variants.elimination.game import ELIMINATION
from variants.kit.chance import SeededChance

GAMES = count(20, 6)  # of each table, options and wish
PACKS = ({}, {"deck": "50"}, {"deck": "50", "twos_as_aces": "on"})
WISHES = {  # how much a kind of play is liked: to empty the deck, to stand still, to fall often
    "any": {},
    "drawing": {Draw: 9, Force: 9, Clear: 0.1, Shuffle: 0.1},
    "fidgeting": {Draw: 0.02, Force: 0.02, Clear: 0.02, Take: 3, Give: 3},
    "shuffling": {Shuffle: 9, Draw: 3},
}


def judged(seats: int, options: dict[str, str], wish: str, number: int) -> str:
    """One game beside the referee; why it ended."""
    rng, chance = Random(f"{seats} {options} {wish} {number}"), SeededChance(b"%d" % number)
    events, state = ELIMINATION.deal(seats, options, chance), None
    for event in events:
        state = ELIMINATION.evolve(state, event)
    assert state is not None
    begun = next(event for event in events if isinstance(event, GameBegun))
    dealt = next(event for event in events if isinstance(event, Dealt))
    referee = Referee(begun.pack, seats, begun.dealer, dealt)
    referee.agrees(state)
    while not state.ended:
        view = ELIMINATION.observe(state, state.turn)
        legal = ELIMINATION.legal_actions(view)
        assert set(legal) == referee.legal()
        kinds = sorted({type(action) for action in legal}, key=lambda kind: kind.__name__)
        likes = [WISHES[wish].get(kind, 1) for kind in kinds]
        kind = rng.choices(kinds, likes)[0]
        action = rng.choice([action for action in legal if type(action) is kind])
        events = ELIMINATION.decide(state, state.turn, action, chance)
        for event in events:
            state = ELIMINATION.evolve(state, event)
        referee.follows(action, events)
        referee.agrees(state)
    assert referee.legal() == set()
    return state.ended


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("options", PACKS, ids=lambda options: " ".join(options.values()) or "54")
def test_the_rule_book_agrees_with_a_second_reading_of_the_text(options, wish):
    for seats in ELIMINATION.seats:
        judged(seats, options, wish, seats)


@pytest.mark.prove
def test_the_rule_book_agrees_with_a_second_reading_over_many_games():
    ended = [
        judged(seats, options, wish, number)
        for number in range(GAMES)
        for seats in ELIMINATION.seats
        for options in PACKS
        for wish in WISHES
    ]
    print(f"\n{len(ended)} games beside the referee:", {w: ended.count(w) for w in set(ended)})
    assert {"last", "idle"} <= set(ended)
