from collections import Counter
from collections.abc import Iterator

import pytest

from tests.counts import count
from tests.variants.referee import beside
from tests.variants.stockpile.driver import STOCKPILE
from tests.variants.stockpile.rules.referee import Referee
from variants.stockpile import actions as a

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
    for event in beside(Referee, STOCKPILE, seats, {}, WISHES[wish], number):
        yield type(event).__name__
    yield event.reason


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
    assert min(met[what] for what in rare) > count(20, 5)
