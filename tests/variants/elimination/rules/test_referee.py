import pytest

from tests.counts import count
from tests.variants.elimination.rules.referee import Referee
from tests.variants.referee import beside
from variants.elimination.actions import Clear, Draw, Force, Give, Shuffle, Take
from variants.elimination.game import ELIMINATION

GAMES = count(20, 6)  # of each table, options and wish
PACKS = (
    {},
    {"deck": "50"},
    {"deck": "50", "twos_as_aces": "on"},
    {"until": "half"},
    {"deck": "50", "until": "first"},
)
WISHES = {  # how much a kind of play is liked: to empty the deck, to stand still, to fall often
    "any": {},
    "drawing": {Draw: 9, Force: 9, Clear: 0.1, Shuffle: 0.1},
    "fidgeting": {Draw: 0.02, Force: 0.02, Clear: 0.02, Take: 3, Give: 3},
    "shuffling": {Shuffle: 9, Draw: 3},
}


def judged(seats: int, options: dict[str, str], wish: str, number: int) -> str:
    """One game beside the referee; why it ended."""
    *_, ended = beside(Referee, ELIMINATION, seats, options, WISHES[wish], number)
    return ended.reason


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize(
    "options", PACKS, ids=lambda options: " ".join(options.values()) or "usual"
)
def test_the_rule_book_agrees_with_a_second_reading_of_the_text(options, wish):
    for seats in ELIMINATION.seats[::2]:
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
    assert {"last", "idle", "half", "first"} <= set(ended)
