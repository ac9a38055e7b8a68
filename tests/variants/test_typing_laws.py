"""Laws of what is typed, for all games: what no line may ever play by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

import pytest

from tests.variants.elimination.story import ANN, BOB, CY
from tests.variants.elimination.story import Story as Elimination
from tests.variants.stockpile.language.test_reactions import attacked, robbed
from tests.variants.stockpile.language.typed import NAMES, RICH
from tests.variants.stockpile.story import STOCKPILE
from tests.variants.words.language import typed as words_typed
from tests.variants.words.views import lexicon, word
from variants.contract import Refusal
from variants.elimination.actions import Give
from variants.elimination.game import ELIMINATION
from variants.words.check import check
from variants.words.language import grammar

HANDS = {ANN: ["7S", "8H", "joker"], BOB: ["8S"]}
ONE_WORD = replace(
    words_typed.RICH, words=(word(1, ANN, "EAST"),), seats=words_typed.RICH.seats[:2]
)
POSITIONS: dict[str, tuple[Any, Any]] = {
    "elimination": (ELIMINATION, Elimination(seats=2, hands=HANDS).view(ANN)),
    "elimination next": (ELIMINATION, Elimination(asks="next").view(ANN)),
    "stockpile": (STOCKPILE, RICH.view(ANN)),
    "stockpile final": (STOCKPILE, replace(RICH.view(ANN), supplies=0)),
    "stockpile reaction": (STOCKPILE, attacked("loot bob").view(BOB)),
    "stockpile give up": (STOCKPILE, robbed().view(ANN)),
    "words": (None, words_typed.RICH),
    "words of one": (None, ONE_WORD),
    "words draw": (None, words_typed.DRAW),
    "words close": (None, words_typed.CLOSE),
    "words trade": (None, replace(words_typed.TRADE, hand=tuple("ABC"))),
    "words removal": (None, words_typed.REMOVAL),
}
BY_LETTER = {"elimination": "d", "elimination next": "bcd", "stockpile": "i",
             "stockpile final": "i", "words draw": "d", "words close": "p", "words trade": "abc",
             "words removal": "p"}  # fmt: skip
"""Letters that are short for a play which is harmless, or is all that is asked for."""


def played(position: str, line: str) -> bool:
    """Whether the line is a play, and a legal one."""
    variant, view = POSITIONS[position]
    names = NAMES[: len(view.seats)]
    try:
        if variant is None:
            check(lexicon(), view, grammar.parse(lexicon(), line, view, names))
        else:
            variant.check(view, variant.parse(line, view, names))
    except Refusal:
        return False
    return True


def by_letter(position: str) -> Iterator[str]:
    return (letter for letter in ascii_lowercase if played(position, letter))


@pytest.mark.parametrize("position", POSITIONS)
def test_one_letter_plays_only_what_it_is_known_for(position):
    assert BY_LETTER.get(position, "") == "".join(by_letter(position))


@pytest.mark.parametrize("position", POSITIONS)
def test_one_letter_and_fillers_play_nothing(position):
    is_name = position == "elimination next"  # whom to choose is all that is asked for
    for letter in ascii_lowercase:
        for line in (f"{letter} the", f"{letter} of the card", f"the {letter}", f"{letter} to my"):
            assert not played(position, line) or (is_name and letter in "bcd"), line


@pytest.mark.parametrize(
    ("position", "line"),
    [
        ("elimination", "take a card from the deck"),
        ("elimination", "take from deck"),
        ("elimination", "force deck"),
        ("elimination", "clear hand"),
        ("elimination", "clear the deck"),
        ("elimination", "draw from my hand"),
        ("stockpile", "draw from the discard pile"),
        ("words of one", "take from hand"),
        ("words of one", "lock hand"),
        ("words of one", "take a card from the deck"),
        ("words draw", "draw from my hand"),
    ],
)
def test_no_word_that_names_a_place_is_a_filler(position, line):
    assert not played(position, line)


@pytest.mark.parametrize("line", ["reflect cy 4", "reflect cy food", "reflect on cy f2"])
def test_a_supply_that_the_effect_does_not_take_is_not_left_out(line):
    view = attacked("switch bob").view(BOB)
    with pytest.raises(Refusal):
        STOCKPILE.check(view, STOCKPILE.parse(line, view, NAMES[:3]))


def test_no_is_a_pass_at_a_question_whether_to_react():
    view = attacked("loot bob").view(BOB)
    assert "pass" == STOCKPILE.phrase(STOCKPILE.parse("no", view, NAMES[:3]), view, NAMES[:3])
    assert not played("stockpile reaction", "n")


@pytest.mark.parametrize("line", ["give a card", "give a letter", "give the card"])
def test_an_article_is_no_letter(line):
    assert not played("words trade", line)
    assert played("words trade", "give a") and played("words trade", "a")


def test_the_articles_begin_nobodys_name():
    names = ("Bob", "Ann", "Theo")
    view = Elimination(seats=3, hands={**HANDS, CY: ["9S"]}).view(ANN)
    for line in ("take a card", "take the card", "force a"):
        with pytest.raises(Refusal):
            ELIMINATION.parse(line, view, names)


@pytest.mark.parametrize(("line", "to"), [("give 8h a", ANN), ("give 8h an", ANN)])
def test_what_ends_a_line_that_says_more_is_no_article(line, to):
    view = Elimination(seats=3, hands={BOB: ["8H"]}, turn=BOB).view(BOB)
    assert Give("8H", to) == ELIMINATION.parse(line, view, ("Ann", "Bob", "Cy"))
