"""`manifest new`: pages of fresh cards for anybody."""

from __future__ import annotations

from functools import cache
from pkgutil import get_data

import pytest

from variants.contract import ParseError, Refusal
from variants.kit.chance import SeededChance
from variants.kit.text import Style, plain_text
from variants.words.data.box import Box, parse_box
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.word_list import parse_word_list
from variants.words.manifests.maker import Maker, maker_for
from variants.words.manifests.page_formats import as_text
from variants.words.manifests.utility_command import CARDS_MAX, prepare, utility_commands


@cache
def box() -> Box:
    return parse_box((get_data("variants.words", "data/box.json") or b"").decode())


@cache
def lexicon() -> Lexicon:
    return parse_word_list(get_data("variants.words", "data/words.tsv.gz") or b"")[0]


def pages(text: str, style: Style | None = None, seed: bytes = b"x") -> list[list[str]]:
    (utility,) = utility_commands(lexicon(), box())
    made = utility.make_pages(text, style or Style(), SeededChance(seed))
    return [[plain_text(row) for row in page] for page in made]


def test_it_is_named_by_two_words():
    (utility,) = utility_commands(lexicon(), box())
    assert ("manifest", "new") == utility.name_words


def test_a_page_a_card_and_the_last_says_how_to_make_them_again():
    made = pages("3 seed=77")
    cards = maker_for(lexicon(), box()).deck(77, 3)
    assert [as_text(card, box()) for card in cards] == [*made[:2], made[2][:-1]]
    assert "To make them again: manifest new 3 seed=77 (edition 2)" == made[2][-1]


def test_without_a_seed_chance_makes_one_that_makes_the_same_card_again():
    (one,) = pages("")
    again = one[-1].partition(": manifest new ")[2]
    assert [one] == pages(again) == pages(again, seed=b"another")
    assert [one] != pages("", seed=b"another")


@pytest.mark.parametrize("style", [Style(80), Style(40), Style(40, is_linear=True), Style(20)])
def test_no_row_is_wider_than_the_screen(style):
    assert max(len(row) for page in pages("2 seed=1", style) for row in page) <= style.width


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0", "5 manifests at most are made at a time, and at least one."),
        (str(CARDS_MAX + 1), "5 manifests at most"),
        ("many", "many is not understood here. Type manifest new [N] [seed=NUMBER]."),
        ("2 3", "3 is not understood here"),
        ("seed=x", "seed=x is not understood here"),
        ("seed=1 seed=2", "seed=2 is not understood here"),
        ("size=1", "size=1 is not understood here"),
        ("seed=" + "9" * 400, "is not understood here"),
        ("٣", "is not understood here"),
        ("-1", "-1 is not understood here"),
        ("1 seed=5 (edition 1)", "(edition 1) is not made here: leave it out for edition 2."),
    ],
)
def test_what_is_typed_wrong_is_refused_with_what_would_be_right(text, reason):
    with pytest.raises(ParseError) as refused:
        pages(text)
    assert reason in refused.value.format(())


def test_letters_of_which_no_manifest_can_be_made_are_refused_and_no_reason_not_to_open():
    few = Lexicon([("CAT", 10), ("DOG", 10)])
    prepare(few, box())
    (utility,) = utility_commands(few, box())
    with pytest.raises(Refusal) as refused:
        list(utility.make_pages("", Style(), SeededChance(b"x")))
    assert refused.value.format(()).startswith("No manifest can be made of these letters")


def test_what_takes_long_is_done_once_beforehand(monkeypatch):
    prepare(lexicon(), box())
    monkeypatch.setattr(Maker, "__init__", None)  # nobody builds another one
    assert 1 == len(pages("1"))
