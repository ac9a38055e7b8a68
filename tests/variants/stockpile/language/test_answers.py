"""`discards`: every card of the discard piles, by its whole name, for whoever asks."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, Game
from tests.variants.stockpile.driver import STOCKPILE, Driver
from variants.contract import ParseError, Seat
from variants.kit.text import Style, plain_text
from variants.stockpile.data.cards import DECKS, card_title
from variants.stockpile.view import View

NAMES = ("Ann", "Bob", "Cy", "Dee")
WIDE, LINEAR = Style(80), Style(80, is_linear=True)


def view(decisions: int, reader: Seat | None = None, seed: int = 3) -> View:
    game = Game(STOCKPILE, 3, seed)
    while game.decisions < decisions and not game.is_over:
        game.step()
    return STOCKPILE.observe(game.state, reader)


def rows(text: str, of: View, style: Style = WIDE) -> list[str]:
    return [plain_text(row) for row in STOCKPILE.answer(text, of, (), NAMES, style)]


def test_every_card_is_named_in_full_from_the_top_down():
    seen = view(200)
    said = " ".join(" ".join(rows("discards", seen)).split())
    for called, pile in zip(("Supplies", "Indoor", "Outdoor"), seen.discards, strict=True):
        assert len(pile) > 1
        cards = [f"{card_title(c)} ({c.test})" if c.test else card_title(c) for c in reversed(pile)]
        assert f"{called} {len(pile)}: {', '.join(cards)}" in said


def test_one_pile_is_asked_for_by_the_beginning_of_its_name():
    seen = view(200)
    (head, *supplies) = rows("discards supplies", seen)
    assert head == "Discard piles, top card first"
    assert supplies == rows("DISCARDS Sup", seen)[1:] and supplies[0].startswith("Supplies ")
    assert not any(row.startswith(("Indoor", "Outdoor")) for row in supplies)


def test_an_empty_pile_says_so():
    assert ["Discard piles, top card first", "Supplies 0: none"] == rows("discards s", view(0))
    assert ["Supplies discard pile, 0 cards."] == rows("discards s", view(0), LINEAR)


def test_read_aloud_every_pile_is_a_sentence_with_signs_in_words():
    seen = view(200)
    said = " ".join(rows("discards", seen, LINEAR))
    for called, pile in zip(("Supplies", "Indoor", "Outdoor"), seen.discards, strict=True):
        assert f"{called} discard pile, {len(pile)} cards, top card first: " in said
    assert " negative" in said and "(-)" not in said


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_row_is_wider_than_the_screen(width, is_linear):
    for seed in range(4):
        said = rows("discards", view(400, seed=seed), Style(width, is_linear=is_linear))
        assert max(map(len, said)) <= width


def test_it_is_the_same_for_everybody():
    assert 1 == len({tuple(rows("discards", view(60, r))) for r in (None, Seat(0), Seat(2))})


@pytest.mark.parametrize("text", ["discards x", "discards in out", "discards 3"])
def test_what_is_no_discard_pile_is_told_which_there_are(text):
    with pytest.raises(ParseError, match="discards lists all three discard piles"):
        rows(text, view(10))


@pytest.mark.parametrize("text", ["", "discard", "xyzzy", "tables"])
def test_what_is_no_question_is_told_what_can_be_asked(text):
    with pytest.raises(ParseError, match="You can ask hand, table, table NAME, piles, disca"):
        rows(text, view(10))


def test_a_question_is_no_play():
    assert not set(STOCKPILE.questions) & set(STOCKPILE.verbs)
    assert len(DECKS) == len(view(0).discards)


# -- the table in pieces --------------------------------------------------------------------------


def test_the_table_in_pieces():
    driver = Driver(
        hands={0: ["Loot Food"], 1: ["Nice Try!"]}, stockpiles={0: ["F1"], 1: ["F3", "T2"]}
    )
    view = driver.view(ANN)
    (card,) = rows("hand", view, LINEAR)
    assert card.startswith("Your card 1: Loot Food, Outdoor, test ")
    assert [
        "Bob: Indoors, 1 Indoor card in hand",
        "Bob's stockpile: Food 3, Toilet Paper 2, no Infection Prevention, total 5",
    ] == rows("table Bob", view, LINEAR)
    assert any(row.startswith("The Supplies deck has ") for row in rows("piles", view, LINEAR))
