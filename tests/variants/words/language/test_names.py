"""Names of people in what is typed and offered, and phrases that are read as what they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE
from tests.variants.words.language.typed import NAMES, RICH, asked_back, offered, typed
from tests.variants.words.views import lexicon, random_game, view, word
from variants.contract import Seat
from variants.words import legal_actions
from variants.words.actions import (
    ACTION_TYPES,
    Action,
    Add,
    Discard,
    Done,
    Draw,
    EndRound,
    Lock,
    Offer,
    Out,
    Rebuild,
    Remove,
    Steal,
    Trade,
)
from variants.words.check import is_legal
from variants.words.language import grammar
from variants.words.lexicon.dictionary import dictionary
from variants.words.view import View

# -- whatever people are called --------------------------------------------------------------------

LAID = view(
    hand=tuple("DTGOBKE"),
    words=(word(1, ANN, "EAST"), word(2, BOB, "EAST"), word(3, CY, "OAT"), word(4, CY, "DATED")),
)


@pytest.mark.parametrize(
    ("line", "names", "action"),
    [
        ("add d to east dates", ("Ann", "East", "Cy"), Add("D", 2, "DATES")),
        ("add d to east dates", ("Ann", "Bob", "East"), Add("D", 2, "DATES")),
        ("add d to bob dates", ("Ann", "Bob", "Dates"), Add("D", 2, "DATES")),
        ("add d to d dates", ("Ann", "D", "Cy"), Add("D", 2, "DATES")),
        ("add d to 3 dates", ("Ann", "3", "Cy"), Add("D", 2, "DATES")),
        ("add b to #3 as boat", ("Ann", "3", "Cy"), Add("B", 3, "BOAT")),
        ("add b to 3 as boat", ("Ann", "Bob", "2"), Add("B", 3, "BOAT")),
        ("add d to draw dates", ("Ann", "Draw", "Cy"), Add("D", 2, "DATES")),
        ("add d to as as dates", ("Ann", "As", "Cy"), Add("D", 2, "DATES")),
        ("trade e with e", ("Ann", "E", "Cy"), Trade((Offer(BOB, "E"),))),
        ("trade e k", ("Ann", "K", "Cy"), Trade((Offer(BOB, "E"),))),
        ("trade e with k, k with e", ("Ann", "E", "K"), Trade((Offer(CY, "E"), Offer(BOB, "K")))),
        ("trade k with 2, e with with", ("Ann", "With", "2"),
         Trade((Offer(CY, "K"), Offer(BOB, "E")))),
        ("trade e with seat#3", ("Ann", "Seat", "Cy"), Trade((Offer(CY, "E"),))),
        ("trade e with seat 3", ("Ann", "Bob", "Bob"), Trade((Offer(CY, "E"),))),
        ("steal d from dated leaving date making dog", ("Ann", "Bob", "Dated"),
         Steal("D", 4, "DATE", "DOG")),
        ("lock east", ("Ann", "East", "Cy"), Lock(1)),
        ("rebuild east t d as tasted", ("Ann", "T", "East"), Rebuild((1,), ("TASTED",))),
        ("draw", ("Ann", "Draw", "Cy"), Draw("pile")),
    ],
)  # fmt: skip
def test_the_name_of_a_player_wins_over_letters_and_words(line, names, action):
    assert action == typed(line, LAID, names)


def test_the_name_of_a_player_wins_also_where_the_play_is_then_forbidden():
    """Rather a refusal than a letter on the word of somebody who was not meant."""
    names = ("Ann", "Bob", "East")
    at = replace(LAID, words=(*LAID.words[1:3],))
    assert Add("Q", 3, "") == typed("add q to east", at, names)


def test_a_name_may_be_begun_if_it_begins_one_name_only():
    assert "add d to bob dates" == offered("add d to bo dates", LAID)
    names = ("Ann", "Bob", "Bonnie")
    assert "trade e with bob or trade e with bonnie" in asked_back("trade e with bo", LAID, names)


def test_two_who_are_called_alike_are_seats():
    names = ("Ann", "Bob", "bob")
    assert "trade e with seat#3" == offered("trade e with seat 3", LAID, names)
    assert "add b to 3 as boat" == offered("add b to seat 3 boat", LAID, names)


def test_the_own_name_says_what_is_refused():
    assert Trade((Offer(ANN, "E"),)) == typed("trade e with me") == typed("trade e with ann")


# -- phrases ---------------------------------------------------------------------------------------

STRANGE = (
    "east", "East", "d", "D", "e", "2", "3", "1", "draw", "as", "to", "from", "with", "and",
    "leaving", "making", "word", "seat", "me", "the", "a", "dates", "seat 2", "Bob", "bob", "3 as",
    "bobby", "bo", "and d", "with bob", "s", "t", "#3", "word 3", "add", "take up", "Computer 1",
    "Computer 12", "tea", "o'neil", "bob's", "", "!", "rebuild east", "x+y", "leaving seat",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(24))
def test_what_is_offered_can_be_typed_whatever_people_are_called(seed):
    """No two samples are written alike, and each is read as itself."""
    seats, pick = 2 + seed % 5, Random(seed)
    kinds = set()
    for number, moment in enumerate(random_game(seats, seed, max_rounds="1")):
        if number > 90:
            break
        names = tuple([pick.choice(STRANGE) for _ in range(seats)])
        for seat in map(Seat, range(seats)):
            own = moment.view(seat)
            actions = legal_actions.legal_actions(lexicon(), own)
            lines = [grammar.phrase(action, own, names) for action in actions]
            assert len(set(lines)) == len(lines)
            for action, line in zip(actions, lines, strict=True):
                assert action == grammar.parse(lexicon(), line, own, names), (line, names)
                kinds.add(type(action))
    assert {Draw, Done} <= kinds


def any_legal(at: View, pick: Random) -> list[Action]:
    """Legal plays that no sample would be: any word, letters in any order, words of any number."""
    known = dictionary(lexicon(), at.box, at.settings.level)
    hand = [card for card in at.hand if card != "*"]
    letters = pick.sample(hand, min(7, len(hand)))
    spellings = known.within("".join(letters))
    own = [word for word in at.words if word.owner == at.seat and not word.is_locked]
    others = [word for word in at.words if word.owner != at.seat and word.spelling]
    found: list[Action] = [Lock(word.number) for word in own]
    for spelling in pick.sample(spellings, min(6, len(spellings))):
        found += [Rebuild((word.number,), (spelling, word.spelling)) for word in own]
        found += [Rebuild((word.number,), (word.spelling, spelling)) for word in own]
        for other in others:
            left = known.minus_one(other.spelling)
            found += [Steal(x, other.number, rest, spelling) for x, rest in left if x in spelling]
    for other in others:
        added = known.plus_one(other.spelling, "".join(letters))
        found += [Add(x, other.number, now) for x, now in added]
    for some in permutations([mine.number for mine in own], min(2, len(own))):
        taken = "".join([mine.spelling for mine in own if mine.number in some])
        found += [Rebuild(some, ()), *[Rebuild(some, (new,)) for new in known.anagrams(taken)]]
        some_letters = "".join(pick.sample(taken, min(8, len(taken))))
        found += [Rebuild(some, (new,)) for new in known.within(some_letters)[:9]]
    partners = [Seat(seat) for seat in range(len(at.seats)) if seat != at.seat]
    pick.shuffle(partners)
    pairs = zip(partners, letters, strict=False)
    found.append(Trade(tuple([Offer(seat, letter) for seat, letter in pairs])))
    found += [Discard(tuple(letters[:count])) for count in range(1, len(letters) + 1)]
    found += [Draw(source, count) for source in ("pile", "discard") for count in range(1, 8)]
    found += [Out(), EndRound()]
    return [action for action in found if is_legal(lexicon(), at, action)]


@pytest.mark.parametrize("seed", range(40))
def test_any_play_can_be_typed_whatever_people_are_called(seed):
    """Tables full of words that are equal, or of the same letters, or words of a phrase."""
    pick = Random(seed)
    seats = 2 + seed % 5
    known = ["EAST", "SEAT", "EAST", "DATE", "DATES", "FROM", "LEAVING", "MAKING", "INTO", "AND",
             "WITH", "FOR", "TEA", "THE", "BOB", "ATE", "ADD", "TAKE"]  # fmt: skip
    laid = []
    for number in range(1, 12):
        is_locked = pick.random() < 0.2
        laid.append(word(number, Seat(pick.randrange(seats)), pick.choice(known), locked=is_locked))
    kinds = set()
    for phase, cards in (("main", 9), ("draw", 7), ("settle", 9), ("settle", 5), ("close", 7)):
        hand = tuple(pick.choices("EATSDNINGLR", k=9))
        at = view(of=seats, phase=phase, words=tuple(laid), hand=hand)
        at = replace(at, seats=tuple([replace(seat, cards=cards) for seat in at.seats]))
        names = tuple([pick.choice(STRANGE) for _ in range(seats)])
        for action in any_legal(at, pick):
            line = grammar.phrase(action, at, names)
            assert action == grammar.parse(lexicon(), line, at, names), (line, names)
            assert len(line) <= 512
            kinds.add(type(action))
    assert {Add, Steal, Rebuild, Trade, Discard, Draw} & kinds


def test_every_kind_of_play_has_a_phrase_of_its_own():
    """And every phrase begins with a verb that the server is told of."""
    fields = {"Draw": ("pile",), "Trade": ((Offer(BOB, "E"),),), "Answer": ("S",),
              "Add": ("D", 3, "DATES"), "Steal": ("T", 2, "HUMB", "DOT"), "Form": ("DOG",),
              "Lock": (6,), "Rebuild": ((6,), ("FOAM",)), "Discard": (("R", "X"),),
              "Remove": ("S", 6, "FOAM")}  # fmt: skip
    kinds = [kind(*fields.get(kind.__name__, ())) for kind in ACTION_TYPES]
    lines = [grammar.phrase(action, RICH, NAMES[:3]) for action in kinds]
    assert [
        "draw", "trade e with bob", "give s", "add d to bob dates",
        "steal t from bob thumb leaving humb making dot", "form dog", "lock foams",
        "rebuild foams as foam", "discard r x", "remove s from foams leaving foam", "done", "out",
        "end round", "pass",
    ] == lines  # fmt: skip
    assert {line.split()[0] for line in lines} <= set(grammar.PLAY_VERBS)


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Draw("pile", 2), "draw 2"),
        (Draw("discard"), "draw discard"),
        (Draw("discard", 2), "draw discard 2"),
        (Rebuild((1,), ("TASTED",)), "rebuild east+d+t as tasted"),
        (Rebuild((6, 7), ("FOAM", "ONE")), "rebuild foams+note as foam+one"),
        (Rebuild((7,), ()), "take up note"),
        (Rebuild((7, 6), ()), "take up note+foams"),
        (Trade((Offer(CY, "K"), Offer(BOB, "E"))), "trade k with cleo, e with bob"),
        (Discard(("A", "N", "D")), "discard a n d"),
        (Remove("B", 1, "EAST"), "remove b from east leaving east"),
    ],
)
def test_a_phrase_says_what_is_played(action, line):
    assert line == grammar.phrase(action, RICH, NAMES[:3])


def test_words_that_are_equal_are_named_by_number():
    twice = view(words=(word(1, ANN, "EAST"), word(2, ANN, "EAST"), word(3, BOB, "TEA"),
                        word(4, BOB, "TEA")))  # fmt: skip
    lines = ["lock 2", "take up 1", "rebuild 2+d as dates", "add d to 4 as date"]
    for line in lines:
        assert line == offered(line, twice)
    assert Lock(1) == typed("lock east", twice)
    assert Add("D", 3, "DATE") == typed("add d to bob date", twice)
    assert Add("D", 4, "DATE") == typed("add d to bob date", replace(twice, added=(3,)))


FROM_IS_STOLEN_FROM = "steal f from 3 leaving rom making fat"


@pytest.mark.parametrize(
    ("line", "names", "phrase"),
    [
        ("add t to 1 as their", NAMES[:3], "add t to 1 as their"),
        ("add o to 2 as into", NAMES[:3], "add o to 2 as into"),
        ("add t to 1 as their", ("Ann", "3", "3 as"), "add t to #1 as their"),
        ("add x to 1 as zzz", ("Ann", "3", "As"), "add x to #1 as zzz"),
        (
            "steal f from 3 leaving rom making fat",
            NAMES[:3],
            "steal f from 3 leaving rom making fat",
        ),
        ("take up 4", NAMES[:3], "take up all"),
        ("take up all", NAMES[:3], "take up all"),
        ("lock 5", NAMES[:3], "lock 5"),
    ],
)
def test_words_of_a_phrase_may_lie_on_the_table_too(line, names, phrase):
    """Words like FROM, THEIR, INTO, ALL are words of this game."""
    at = view(
        hand=tuple("TOFXAT"),
        words=(word(1, BOB, "HEIR"), word(2, CY, "NIT"), word(3, BOB, "FROM"), word(4, ANN, "ALL"),
               word(5, ANN, "THE")),
    )  # fmt: skip
    assert phrase == offered(line, at, names)
    assert typed(line, at, names) == typed(phrase, at, names)


def test_a_word_behind_its_mark_is_what_is_left():
    at = view(phase="removal", removers=(ANN,), words=(word(1, ANN, "POINT"),))
    assert Remove("P", 1, "INTO") == typed("remove p from point leaving into", at)


@pytest.mark.parametrize("word", ["l", "h", "r", "t", "w", "q", "look", "moves", "help", "who",
                                  "say", "words", "manifest", "count", "discards"])  # fmt: skip
def test_no_verb_is_a_word_that_the_server_needs(word):
    assert word not in grammar.PLAY_VERBS


def test_six_players_are_named_as_they_sit():
    six = replace(RICH, seats=RICH.seats[:1] * 6)
    assert Trade((Offer(DEE, "E"), Offer(CY, "K"))) == typed(
        "trade e with dee and k with cleo", six
    )
    assert Trade((Offer(Seat(5), "E"),)) == typed("trade e with seat 6", six)
