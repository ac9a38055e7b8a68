"""`hand`, `table NAME` and `piles`: the table in short pieces, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.play import whole_game
from tests.conformance.settings import NAMES, settings_of
from tests.variants.elimination.story import Story as EliminationStory
from tests.variants.stockpile.story import Story as StockpileStory
from tests.variants.words.views import BOB, answered, word
from tests.variants.words.views import view as words_view
from variants.catalogue import CATALOGUE
from variants.contract import ParseError, Seat
from variants.elimination.game import ELIMINATION
from variants.kit.english import find_seats
from variants.kit.text import Style, plain_text

WIDE, LINEAR = Style(80), Style(80, is_linear=True)
PEOPLE = ("Ann", "Bob", "Bobby", "Cy")
ANN, WATCHER = Seat(0), None

every_variant = pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda v: v.name)
every_style = pytest.mark.parametrize("style", [WIDE, Style(40), LINEAR], ids=["80", "40", "lin"])


def asked(variant: Any, line: str, view: Any, style: Style = LINEAR) -> list[str]:
    return [plain_text(row) for row in variant.answer(line, view, (), NAMES, style)]


# -- whom a question means -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "meant"),
    [("", [0, 1, 2, 3]), ("ann", [0]), ("BOB", [1]), ("bobb", [2]), ("b", [1, 2]), ("me", [0])],
)
def test_a_whole_name_wins_and_a_beginning_means_all_who_begin_so(said, meant):
    assert meant == find_seats(said.split(), ANN, PEOPLE)


@pytest.mark.parametrize("said", ["zoe", "me", "bob b", "x" * 500])
def test_whoever_is_not_there_is_told_who_is(said):
    with pytest.raises(ParseError) as refused:
        find_seats(said.split(), WATCHER, PEOPLE)
    so = f'Nobody here is called "{said[:20]}". You can name: Ann, Bob, Bobby or Cy.'
    assert so == refused.value.format(PEOPLE)


# -- what is said ----------------------------------------------------------------------------------


def test_elimination_in_pieces():
    story = EliminationStory(
        hands={0: ["KH", "*1"], 1: ["4C"]},
        pairs={0: [["7C", "7D"]]},
        triplets={1: [["9C", "9D", "9H"]]},
        marks={0: {"KH": 2}},
        turns=dict.fromkeys(range(4), 1),
    )
    view = story.view(ANN)
    assert [
        "Your hand: king of hearts, joker",
        "Not to give this turn: king of hearts",
        "Your pairs: two 7s of clubs and diamonds",
    ] == asked(ELIMINATION, "hand", view)
    assert ["Bob: 1 card, three 9s, 1 turn"] == asked(ELIMINATION, "table bob", view)
    assert ["Your triplets: three 9s"] == asked(ELIMINATION, "hand", story.view(BOB))[-1:]
    assert ["The deck has 46 cards.", "Nothing lies Outside."] == asked(ELIMINATION, "piles", view)


def test_stockpile_in_pieces():
    story = StockpileStory(
        hands={0: ["Loot Food"], 1: ["Nice Try!"]}, stockpiles={0: ["F1"], 1: ["F3", "T2"]}
    )
    stockpile, view = CATALOGUE["stockpile"], story.view(ANN)
    (card,) = asked(stockpile, "hand", view)
    assert card.startswith("Your card 1: Loot Food, Outdoor, test ")
    assert [
        "Bob: Indoors, 1 Indoor card in hand",
        "Bob's stockpile: Food 3, Toilet Paper 2, no Infection Prevention, total 5",
    ] == asked(stockpile, "table Bob", view)
    assert any(row.startswith("The Supplies deck has ") for row in asked(stockpile, "piles", view))


def test_words_in_pieces():
    view = words_view(words=(word(3, BOB, "EAST"), word(4, BOB, "", locked=5)))
    assert ["Your hand: D, A, T, E, O, V, End of Round"] == answered("hand", view, style=LINEAR)
    assert [
        "Bob: 7 cards, 0 points",
        "Bob's words: word 3 EAST; word 4, a locked word of 5 letters",
    ] == answered("table bo", view, style=LINEAR)
    assert ["Draw pile 58.", "Discard pile 4, X on top."] == answered("piles", view)


# -- a piece of the board, no more -----------------------------------------------------------------


def words_of(rows: list[str]) -> str:
    return " ".join(" ".join(rows).split())


@every_variant
@every_style
def test_a_piece_about_somebody_else_is_the_same_for_everybody_else(variant, style):
    (setting, *_) = settings_of(variant)
    everybody = [None, *map(Seat, range(setting.seats))]
    for step in whole_game(setting).steps[::7]:
        for whom, line in [(None, "piles"), *enumerate(f"table {name}" for name in setting.names)]:
            heard = {
                tuple(asked(variant, line, variant.observe(step.state, reader), style))
                for reader in everybody
                if reader is None or reader != whom
            }
            assert len(heard) == 1, (line, heard)


@every_variant
@every_style
def test_whoever_watches_has_no_hand_and_is_told_so(variant, style):
    (setting, *_) = settings_of(variant)
    view = variant.observe(whole_game(setting).state, None)
    assert words_of(asked(variant, "hand", view, style)).startswith("You are watching, and have no")


@every_variant
@pytest.mark.parametrize("line", ["hand bob", "piles all"])
def test_what_stands_alone_says_so(variant, line):
    (setting, *_) = settings_of(variant)
    verb = line.split()[0]
    with pytest.raises(ParseError) as refused:
        asked(variant, line, variant.observe(whole_game(setting).state, ANN))
    assert f"{verb} stands alone: type {verb}." == refused.value.format(PEOPLE)
