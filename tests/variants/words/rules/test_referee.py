"""Games of words beside a second reading of the text: each event, each refusal, each card."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from tests.counts import count
from tests.slow_cases import every_third
from tests.variants.referee import beside
from tests.variants.words.driver import words_game
from tests.variants.words.rules.referee import Referee
from variants.contract import IllegalAction, Seat
from variants.words import actions as a
from variants.words.rules.setup import OPTIONS

GAME = words_game()
GAMES = count(60, 12)  # of each number of seats and wish
SEATS = range(2, 7)
WISHES: dict[str, dict[type, float]] = {  # how much a kind of play is liked
    "any": {},
    "laying": {a.Done: 0.3, a.Form: 5, a.Lock: 3, a.Rebuild: 3, a.EndRound: 9, a.Out: 9},
    "quarrelling": {a.Trade: 5, a.Steal: 9, a.Add: 9, a.Remove: 9, a.Form: 2},
    "dawdling": {a.Done: 9, a.EndRound: 0.01, a.Form: 0.1, a.Pass: 9},
    "standing": dict.fromkeys((a.Form, a.Trade, a.Add, a.Steal, a.Rebuild, a.EndRound), 0.001),
    "fidgeting": {a.Lock: 0, a.Steal: 0, a.Add: 0, a.EndRound: 0, a.Trade: 0.1, a.Rebuild: 3},
}
STILL = ("standing", "fidgeting")  # from the discard pile they draw what they can
CHANCES = [
    {"max_rounds": "2"},
    {"max_rounds": "1", "level": "60", "wordlist": "80"},
    {"max_rounds": "3", "target": "50", "level": "70", "wordlist": "off"},
    {"max_rounds": "1", "manifests": "fresh", "wordlist": "35"},
]


def judged(seats: int, wish: str, number: int) -> Iterator[str]:
    """One game beside the referee: the kinds of its events, why rounds ended, what was refused."""
    options = {option.name: option.default for option in OPTIONS} | CHANCES[number % len(CHANCES)]
    played: list[Any] = [a.Done(), a.Pass(), a.Out(), a.EndRound()]

    def tries(referee: Referee, state: Any, rng: Random) -> Iterator[str]:
        for action in variations([rng.choice(played)], rng, seats):
            yield tried(referee, state, Seat(rng.randrange(seats)), action)

    always = a.Draw("discard") if wish in STILL else None
    for found in beside(Referee, GAME, seats, options, WISHES[wish], number, played=played,
                        tries=tries, always=always):  # fmt: skip
        yield found if isinstance(found, str) else getattr(found, "why", type(found).__name__)


def tried(referee: Referee, state: Any, seat: Seat, action: Any) -> str:
    """Whether *seat* may do that: both readings say the same."""
    try:
        GAME.check(GAME.observe(state, seat), action)
    except IllegalAction:
        assert not referee.table.allows(seat, action), (seat, action, state)
        return "refused"
    assert referee.table.allows(seat, action), (seat, action, state)
    return "allowed"


def variations(actions: list[Any], rng: Random, seats: int) -> Iterator[Any]:
    """Plays of other moments, as they were and with one field exchanged."""
    for action in actions:
        yield action
        for each in fields(action):
            value: Any = getattr(action, each.name)
            other: Any = value
            if isinstance(value, int):
                other = rng.randint(-1, 12)
            elif isinstance(value, str):
                other = rng.choice(("E", "S", "", "*", "?", "".join(rng.sample(value, len(value)))))
            elif value and isinstance(value[0], a.Offer):
                more = a.Offer(Seat(rng.randrange(seats)), rng.choice("EASTON*"))
                other = rng.choice(((), (*value, more), (replace(value[0], to=more.to),)))
            else:
                other = rng.choice(((), value[:-1], (*value, *value[:1]), value[::-1]))
            yield replace(action, **{each.name: other})


@pytest.mark.parametrize("wish", every_third(WISHES))
def test_the_rule_book_agrees_with_a_second_reading_of_the_text(wish):
    tables = ((0, 2), (1, 3)) if wish in STILL else ((0, 2), (1, 6), (3, 4))
    met = Counter(what for number, seats in tables for what in judged(seats, wish, number))
    assert met["RoundScored"] > met["GameEnded"] == len(tables)
    assert met["refused"] > 200 and met["allowed"] > 5


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
    assert min(met[why] for why in ("end", "pile", "quiet", "still")) > 0
    rare = ("LetterStolen", "LetterAdded", "Traded", "WordsRebuilt", "LetterRemoved", "allowed")
    assert min(met[what] for what in rare) > 12 * GAMES
