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
ENDS = ("survivor", "supplies", "indoor", "outdoor")
ANSWERS = (a.NiceTry, a.Reflect)
STRIKES = (a.Loot, a.Trade, a.Switch, a.Nosey)
WISHES: dict[str, dict[type, float]] = {  # how much a kind of play is liked
    "any": {},
    "drawing": {a.Draw: 30, a.Discard: 1},
    "quarrelling": {a.Pass: 0.1, **dict.fromkeys((*ANSWERS, *STRIKES), 5)},
    "hoarding": {a.Draw: 30, **dict.fromkeys((a.Stock, a.Isolate, a.Swap, a.End, *STRIKES), 0.05)},
    "dawdling": {a.Draw: 0.05, a.End: 0.01, a.Pass: 0.5},
}


OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"grace": "1"},
    {"grace": "2", "infected": "restart"},
    {"infected": "restart", "decks": "indoors"},
    {"prevention": "2"},
)


def judged(seats: int, wish: str, number: int, options: dict[str, str]) -> Iterator[str]:
    """One game beside the referee: the names of its events, and why it ended."""
    for event in beside(Referee, STOCKPILE, seats, options, WISHES[wish], number):
        yield type(event).__name__
    yield event.reason


@pytest.mark.parametrize("wish", WISHES)
def test_the_rule_book_agrees_with_a_second_reading_of_the_text(wish):
    for number in range(3):
        for seats in SEATS:
            assert {"TurnStarted", "GameEnded"} & set(judged(seats, wish, number, {}))


@pytest.mark.parametrize("options", OPTIONS[1:], ids=lambda chosen: " ".join(chosen.values()))
def test_the_rule_book_agrees_whatever_the_table_chose(options):
    met = {
        what
        for wish in WISHES
        for number, seats in ((0, 2), (1, 3))
        for what in judged(seats, wish, number, options)
    }
    is_restart = options.get("infected") == "restart"
    assert is_restart == ("StartedAgain" in met)
    assert not (is_restart and {"Eliminated", "survivor"} & met)


@pytest.mark.prove
def test_the_rule_book_agrees_with_a_second_reading_over_many_games():
    met = Counter(
        what
        for number in range(GAMES)
        for seats in SEATS
        for wish in WISHES
        for options in (OPTIONS[number % len(OPTIONS)],)
        if seats < 4 or "prevention" not in options
        for what in judged(seats, wish, number, options)
    )
    print(f"\n{sum(met[end] for end in ENDS)} games beside the referee: {dict(met.most_common())}")
    assert min(met[end] for end in ENDS) > 0
    rare = ("CounterSettled", "Reflected", "TestKept", "CardDiscarded", "SuppliesDiscarded")
    assert min(met[what] for what in rare) > count(20, 5)
