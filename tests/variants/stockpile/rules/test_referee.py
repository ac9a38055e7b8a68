from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import variants.stockpile
from tests.counts import count
from tests.variants.stockpile.rules.referee import Referee
from variants.kit.chance import SeededChance
from variants.stockpile import actions as a
from variants.stockpile.data.decks import parse_decks
from variants.stockpile.events import Dealt, TurnStarted
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.rules.decide import decide
from variants.stockpile.rules.evolve import evolve
from variants.stockpile.rules.observe import observe
from variants.stockpile.rules.scoring import outcome
from variants.stockpile.rules.setup import deal

DATA = Path(variants.stockpile.__file__).with_name("data")
BOX = parse_decks((DATA / "decks.json").read_text("utf-8"))
GAMES = count(150, 40)  # of each number of seats and wish
SEATS = (2, 3, 4)
ANSWERS = (a.NiceTry, a.Reflect)
STRIKES = (a.Loot, a.Trade, a.Switch, a.Nosey)
WISHES: dict[str, dict[type, float]] = {  # how much a kind of play is liked
    "any": {},
    "drawing": {a.Draw: 30, a.Discard: 1},
    "quarrelling": {a.Pass: 0.1, **dict.fromkeys((*ANSWERS, *STRIKES), 5)},
    "hoarding": {a.Draw: 30, **dict.fromkeys((a.Stock, a.Isolate, a.Swap, a.End, *STRIKES), 0.05)},
    "dawdling": {a.Draw: 0.05, a.End: 0.01, a.Pass: 0.5},
}


def judged(seats: int, wish: str, number: int) -> Iterator[str]:
    """One game beside the referee: the names of its events, and why it ended."""
    rng, chance = Random(f"{seats} {wish} {number}"), SeededChance(b"%d" % number)
    events, state = deal(BOX, seats, {}, chance), None
    for event in events:
        state = evolve(state, event)
    assert state is not None
    dealt = next(event for event in events if isinstance(event, Dealt))
    first = next(event for event in events if isinstance(event, TurnStarted))
    referee = Referee(dealt, first.seat)
    assert ["GameBegun", "Dealt", *referee.said] == [type(event).__name__ for event in events]
    referee.agrees(state, outcome(state))
    while not state.ended:
        legal = legal_actions(observe(state, state.asked))
        assert referee.ask is not None and referee.ask.legal == set(legal)
        action = chosen(legal, wish, rng)
        events = decide(state, state.asked, action, chance)
        for event in events:
            state = evolve(state, event)
        said = referee.follows(action)
        assert said == [type(event).__name__ for event in events]
        referee.agrees(state, outcome(state))
        yield from said
    yield state.ended


def chosen(legal: list[Any], wish: str, rng: Random) -> Any:
    kinds = sorted({type(action) for action in legal}, key=lambda kind: kind.__name__)
    kind = rng.choices(kinds, [WISHES[wish].get(kind, 1) for kind in kinds])[0]
    return rng.choice([action for action in legal if type(action) is kind])


@pytest.mark.parametrize("wish", WISHES)
def test_the_rule_book_agrees_with_a_second_reading_of_the_text(wish):
    for number in range(8):
        for seats in SEATS:
            assert {"TurnStarted", "GameEnded"} & set(judged(seats, wish, number))


@pytest.mark.prove
def test_the_rule_book_agrees_with_a_second_reading_over_many_games():
    met = Counter(
        what
        for number in range(GAMES)
        for seats in SEATS
        for wish in WISHES
        for what in judged(seats, wish, number)
    )
    print(
        f"\n{GAMES * len(SEATS) * len(WISHES)} games beside the referee: {dict(met.most_common())}"
    )
    assert min(met[end] for end in ("survivor", "supplies", "indoor", "outdoor")) > 0
    rare = ("CounterSettled", "Reflected", "TestKept", "CardDiscarded", "SuppliesDiscarded")
    assert min(met[what] for what in rare) > 20
