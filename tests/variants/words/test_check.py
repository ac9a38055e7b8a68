"""What a seat of words may not do: `check` and a brute force agree, and what is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, refusal
from tests.variants.words.driver import Driver, Game, shipped_lexicon, words_game
from variants.contract import Seat
from variants.words.actions import (
    ACTION_TYPES,
    Action,
    Add,
    Answer,
    Discard,
    Done,
    Draw,
    EndRound,
    Form,
    Lock,
    Offer,
    Out,
    Pass,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.data.box import CHANGES_MAX, END_OF_ROUND
from variants.words.view import View, WordView

OWN = ("You don't have ", "You can go out only", "To end the round", " is not on your manifest")
"""In the refusals that depend on the own cards."""


# -- the law once more, from the rules and not from the code ---------------------------------------


@cache
def is_word(spelling: str) -> bool:
    """In the list or on a card, 3 letters or more.  [WR-02] [WR-03]"""
    if len(spelling) < 3:
        return False
    cards = {w for card in words_game_box() for words in card.sets for w in words}
    return spelling in cards or shipped_lexicon().level_of(spelling) is not None


@cache
def words_game_box() -> tuple[Any, ...]:
    return Driver().state.box.manifests


def may(view: View, action: Action) -> bool:
    """The tables of actions, read as they stand."""
    me, phase = view.seat, view.phase
    if phase == "trade":
        is_asked = me in view.partners and not view.has_answered
        return is_asked and isinstance(action, Answer) and action.letter in letters_of(view)
    if phase == "removal":
        is_asked = me in view.removers and not view.has_answered
        return is_asked and (isinstance(action, Pass) or may_remove(view, action))
    if not phase or me != view.turn:
        return False
    match action:
        case Draw(source, count):
            left = {"pile": view.pile, "discard": view.discards}.get(source, 0)
            room = {"draw": 2 - view.drawn, "settle": 7 - view.seats[me].cards}.get(phase, 0)
            return 1 <= count <= min(left, room)
        case Discard(letters):
            is_open = phase == "settle" and 1 <= len(letters) <= view.seats[me].cards - 7
            return is_open and Counter(letters) <= letters_of(view)
        case Pass():
            return phase == "close"
        case EndRound():
            exposed = {word.spelling for word in exposed_by(view, is_own=True).values()}
            is_able = END_OF_ROUND in view.hand and bool(exposed & printed(view))
            return phase == "close" and is_able
    return phase == "main" and may_in_main(view, action)


def letters_of(view: View) -> Counter[str]:
    return Counter(card for card in view.hand if card != END_OF_ROUND)


def exposed_by(view: View, *, is_own: bool) -> dict[int, WordView]:
    """The exposed words of the seat itself, or of all others, by number."""
    exposed = [word for word in view.words if not word.is_locked]
    return {word.number: word for word in exposed if (word.owner == view.seat) == is_own}


def printed(view: View) -> set[str]:
    return {word for words in view.manifest.sets for word in words} if view.manifest else set()


def is_rest(was: str, letter: str, leaving: str) -> bool:
    """Whether a word of four letters or more without one of them can be spelled so."""
    rest = Counter(was)
    rest.subtract([letter])
    return len(was) >= 4 and +rest == rest == Counter(leaving) and is_word(leaving)


def may_remove(view: View, action: Action) -> bool:
    own = exposed_by(view, is_own=True)
    if not isinstance(action, Remove) or action.word not in own:
        return False
    return is_rest(own[action.word].spelling, action.letter, action.leaving)


def may_in_main(view: View, action: Action) -> bool:
    """[WR-22] The options."""
    hand = letters_of(view)
    match action:
        case Done():
            return True
        case Out():
            mine = [word.spelling for word in view.words if word.owner == view.seat]
            return not hand and bool(mine) and set(mine) <= printed(view)
        case Trade(offers):
            partners = [offer.to for offer in offers]
            known = {Seat(seat) for seat in range(len(view.seats)) if seat != view.seat}
            are_there = len(set(partners)) == len(partners) and set(partners) <= known
            holds = Counter(offer.letter for offer in offers) <= hand
            return not view.traded and bool(offers) and are_there and holds
    return view.changes < CHANGES_MAX and may_change(view, action, hand)


def may_change(view: View, action: Action, hand: Counter[str]) -> bool:
    """The options that change words."""
    own, theirs = exposed_by(view, is_own=True), exposed_by(view, is_own=False)
    match action:
        case Form(spelling):
            return is_word(spelling) and Counter(spelling) <= hand
        case Lock(word):
            return word in own
        case Add(letter, word, spelling):
            if word not in theirs or word in view.added or letter not in hand:
                return False
            both = Counter(theirs[word].spelling) + Counter([letter])
            return both == Counter(spelling) and is_word(spelling)
        case Steal(letter, word, leaving, making):
            if view.stolen or word not in theirs:
                return False
            new = Counter(making)
            new.subtract([letter])
            is_left = is_rest(theirs[word].spelling, letter, leaving)
            return is_left and is_word(making) and +new == new <= hand
        case Rebuild(words, spellings):
            if not words or len(set(words)) < len(words) or not set(words) <= own.keys():
                return False
            taken = [own[n].spelling for n in words]
            needed = Counter("".join(spellings)) - Counter("".join(taken))
            is_change = Counter(taken) != Counter(spellings)
            return is_change and all(map(is_word, spellings)) and needed <= hand
    return False


def agrees(view: View, action: Action) -> str:
    """What is said; the brute force says the same of it, and the sentence is whole."""
    said = refusal(words_game(), view, action)
    assert may(view, action) == (not said), (action, said)
    assert not said or ((said[-1] == "." or "Type: " in said) and not set("{}") & set(said)), said
    return said


def spelled(letters: str) -> Iterator[str]:
    """All orders of some of *letters*, words or not."""
    for size in range(len(letters) + 1):
        for order in sorted(set(permutations(letters, size))):
            yield "".join(order)


SMALL: list[dict[str, Any]] = [
    {"hands": {ANN: "TEA"}, "words": {ANN: ["SEA"], BOB: ["EAST"], CY: ["locked TEAS"]}},
    {"hands": {ANN: "SAT"}, "words": {ANN: ["locked TEA"], BOB: ["SEAT", "TEA"]}, "added": [3]},
    {"hands": {ANN: "ES"}, "words": {ANN: ["TEAS"], BOB: ["ATE"]}, "stolen": True},
    {"hands": {ANN: ""}, "words": {ANN: ["EAST", "SEA"]}, "manifests": {ANN: "T14"}},
]


@pytest.mark.parametrize("position", SMALL)
def test_all_options_of_small_positions(position):
    """Every letter and every order of the letters E A S T, on every word and none."""
    view = Driver(**position).view(ANN)
    orders, numbers = list(spelled("EAST")), range(5)
    legal = [Done()] if not agrees(view, Done()) else []
    attempts: list[Iterator[Any]] = [
        (Form(spelling) for spelling in orders),
        (Lock(number) for number in numbers),
        (Add(x, n, s) for x, n, s in product("EASTX*", numbers, [*orders, "TEATS", "EASTS"])),
        (
            Steal(x, n, rest, new)
            for x, n in product("EASTX", numbers)
            for rest, new in product(["", "SEA", "TEA", "EAT", "SAT", "AST", "EAST"], orders)
        ),
        (
            Rebuild(words, laid)
            for words in ((), (1,), (2,), (3,), (1, 2), (2, 1), (1, 1), (9,))
            for laid in ((), *((s,) for s in orders), ("SEA", "TEA"), ("SEA", "EAST"))
        ),
        iter([Out(), Pass(), EndRound(), Draw("pile"), Discard(("E",)), Answer("E")]),
    ]
    for action in (action for each in attempts for action in each):
        if not agrees(view, action):
            legal.append(action)
    assert len(legal) > 3


# -- over whole games ------------------------------------------------------------------------------


def attempted(view: View, random: Random) -> Any:
    """A play of any kind, most of them wrong in one thing or more."""
    kind = random.choice(ACTION_TYPES)
    numbers = [word.number for word in view.words] or [1]
    hand = list(view.hand) or ["E"]
    known = [word.spelling for word in view.words if word.spelling] + ["EAT", "XXX", "AT", ""]

    def letter() -> str:
        return random.choice([*hand, *random.choice(known), "E", "Ä", "", "*", "EE"])

    def spelling(*extra: str) -> str:
        letters = "".join([random.choice(known), *extra])
        found = shipped_lexicon().anagrams(letters, 80) if len(letters) < 12 else ()
        return random.choice([*found, letters, random.choice(known)])

    one, number = letter(), random.choice([*numbers, 99])
    was = next((word.spelling for word in view.words if word.number == number), "EAT")
    less = was.replace(one, "", 1) if one else was
    rests = shipped_lexicon().anagrams(less, 80) or (less,)
    if kind is Draw:
        return Draw(random.choice(["pile", "discard", "deck"]), random.randrange(-1, 4))
    if kind is Trade:
        seats = [Seat(seat) for seat in range(-1, len(view.seats) + 1)]
        return Trade(
            tuple(
                [Offer(random.choice(seats), letter()) for _ in range(random.choice((0, 1, 1, 2)))]
            )
        )
    if kind in (Answer, Form):
        return Answer(one) if kind is Answer else Form(spelling(letter()))
    if kind is Add:
        grown = shipped_lexicon().anagrams(was + one, 80) if len(one) == 1 else ()
        return Add(one, number, random.choice([*grown, spelling(one)]))
    if kind is Steal:
        return Steal(one, number, random.choice(rests), random.choice([spelling(one), one + "ET"]))
    if kind is Remove:
        return Remove(one, number, random.choice(rests))
    if kind is Lock:
        return Lock(number)
    if kind is Rebuild:
        words = tuple(random.choices(numbers, k=random.randrange(3)))
        return Rebuild(words, tuple([spelling() for _ in range(random.randrange(3))]))
    if kind is Discard:
        return Discard(tuple([letter() for _ in range(random.randrange(4))]))
    return kind()


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_what_is_not_refused_is_legal_and_nothing_else(seats):
    game, random = Game(seats, seed=80 + seats, max_rounds="1"), Random(seats)
    refused, passed = Counter[str](), Counter[str]()
    while not game.is_over and game.decisions < 250:
        for seat in (*range(seats), None):
            view = words_game().observe(game.state, seat)
            for _ in range(8):
                action = attempted(view, random)
                said = agrees(view, action)
                (refused if said else passed)[type(action).__name__] += 1
        game.step()
    assert {kind.__name__ for kind in ACTION_TYPES} == set(refused)
    assert len(passed) > 7


@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_said_of_the_open_position_tells_nothing_of_hands(seats):
    """[G-12] The same whatever the own hand, and whatever lies hidden elsewhere."""
    game, random = Game(seats, seed=60 + seats, max_rounds="1"), Random(seats)
    told = 0
    while not game.is_over and game.decisions < 150:
        for seat in range(seats):
            view = words_game().observe(game.state, Seat(seat))
            other = replace(view, hand=tuple("QQQQQQQ"), manifest=game.state.box.manifests[0])
            for _ in range(6):
                action = attempted(view, random)
                said = refusal(words_game(), view, action)
                if said and not any(own in said for own in OWN):
                    assert said == refusal(words_game(), other, action)
                    told += 1
        game.step()
    assert told > 1000
