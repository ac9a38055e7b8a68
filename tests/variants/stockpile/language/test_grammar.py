"""What is typed in the stockpile game as a play of one's own, and what it is read as."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.variants.driver import ANN, BOB, CY
from tests.variants.stockpile.driver import STOCKPILE, Driver
from tests.variants.stockpile.language.typed import (
    NAMES,
    RICH,
    asked_back,
    not_understood,
    offered,
    refused,
    typed,
)
from variants.contract import ParseError
from variants.stockpile.actions import Loot, Trade

# -- a line is read forgivingly --------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "loot food bob 3", "loot bob food 3", "loot bob f3", "loot f3 bob", "loot 3 from bob",
        "LOOT the Food 3 from Bob!", "loot bob's food 3", "loot food bob food 3", "loo fo b 3",
        "play loot food bob 3", "play 1 bob 3", "play 1 bob food 3", "1 bob 3", "loot three bob",
        "loot bob lowest", "loot food seat 2 3", "loot bob 3 food",
    ],
)  # fmt: skip
def test_a_loot_is_read_in_any_order(line):
    assert Loot(RICH.held(ANN, "Loot Food"), BOB, RICH.owned(BOB, "Food 3")) == typed(line)


@pytest.mark.parametrize(
    "line",
    [
        "trade bob paper 1 for food 4", "trade bob t1 f4", "trade t1 for bob's f4",
        "trade bob's food 4 for my paper 1", "trade bob\u2019s food 4 for my paper 1",
        "trade f4 from bob for t1", "trade bob for f4 with my t1", "trading station bob t1 f4",
        "trade with Bob my toilet paper 1 for their food 4", "trade bob 1 for 4",
        "trade bob paper for 4 food", "trade bob food 4 for paper 1", "trade f4 t1", "4 bob tp1 f4",
        "play 4 bob t1 f4",
    ],
)  # fmt: skip
def test_a_trade_is_read_whoever_is_named_first(line):
    own, theirs = RICH.owned(ANN, "Toilet Paper 1"), RICH.owned(BOB, "Food 4")
    assert Trade(RICH.held(ANN, "Trading Station"), BOB, own, theirs) == typed(line)


def test_of_two_supplies_that_both_sides_have_the_own_is_named_first():
    driver = Driver(
        hands={ANN: ["Trading Station"]},
        stockpiles={ANN: ["T1", "F3"], BOB: ["T1", "F3"], CY: ["P2"]},
    )
    assert "trade bob paper 1 for food 3" == offered("trade bob t1 f3", driver)
    assert "trade bob food 3 for paper 1" == offered("trade bob f3 for t1", driver)
    assert "trade bob paper 1 for food 3" == offered("trade bob f3 for my t1", driver)


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("draw", "draw"),
        ("draw a card", "draw"),
        ("dr", "draw"),
        ("stock up", "stock up 2"),
        ("stock", "stock up 2"),
        ("play stock up", "stock up 2"),
        ("play 3", "stock up 2"),
        ("switch bob", "switch bob"),
        ("location switch cy", "switch cy"),
        ("swi b", "switch bob"),
        ("nosey neighbour bob paper", "nosey bob paper"),
        ("neighbour bob tp", "nosey bob paper"),
        ("nosy food bob", "nosey bob food"),
        ("nosey bob all toilet paper", "nosey bob paper"),
        ("self-isolation", "isolate"),
        ("self isolation", "isolate"),
        ("si", "isolate"),
        ("play 7", "isolate"),
        ("swap shop nice try", "swap nice try"),
        ("swap nt no draw", "swap nice try without drawing"),
        ("swap nice without drawing", "swap nice try without drawing"),
        ("swap 2", "swap nice try"),
        ("swap the nice try and draw", "swap nice try"),
        ("play 6 2", "swap nice try"),
        ("swap neighbour", "swap nosey neighbour"),
        ("swap loot", "swap loot food"),
        ("discard 1", "discard loot food"),
        ("discard my nice try", "discard nice try"),
        ("end", "end"),
        ("end the game", "end"),
        ("nt", "nice try"),
        ("play nice try", "nice try"),
        ("play 2", "nice try"),
        ("in", "in"),
        ("indoors", "in"),
        ("go out", "out"),
        ("outdoors", "out"),
        ("stay", "in"),
        ("pass", "pass"),
        ("give up my paper 1", "give up paper 1"),
    ],
)
def test_a_play_is_read_by_number_or_name(line, phrase):
    assert phrase == offered(line)


def test_nobody_need_be_named_where_only_one_can_be_meant():
    driver = Driver(
        2, hands={ANN: ["Loot Food", "Location Switch"]}, stockpiles={BOB: ["F3", "F3"]}
    )
    assert "loot food bob 3" == offered("loot", driver, NAMES[:2])
    assert "switch bob" == offered("switch", driver, NAMES[:2])
    assert "loot food bob 4" == offered("loot 4")  # of three, only Bob has a Food 4


def test_the_card_of_the_kind_that_is_named_comes_before_loot_any_supply():
    both = Driver(hands={ANN: ["Loot Any Supply", "Loot Food"]}, stockpiles={BOB: ["F3", "P2"]})
    assert "loot food bob 3" == offered("loot bob food 3", both)
    assert "loot any bob food 3" == offered("loot any bob food 3", both)
    assert "loot any bob prevention 2" == offered("loot prevention bob", both)


# -- what could mean two things is asked back ------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("loot bob", "loot food bob 3 or loot food bob 4"),
        ("loot 3", "loot food bob 3 or loot food cy 3"),
        ("switch", "switch bob or switch cy"),
        ("nosey bob", "nosey bob food or nosey bob paper"),
        ("play swap", "swap loot food, swap nice try, swap trading station, swap location switch, "
         "swap self-isolation or swap nosey neighbour"),
        ("trade bob t1 for food", "trade bob paper 1 for food 3 or trade bob paper 1 for food 4"),
    ],
)  # fmt: skip
def test_what_fits_two_plays_is_asked_back_with_the_choices_as_they_are_typed(line, choices):
    sentence = asked_back(line)
    assert f"Several moves are possible. Type {choices}." == sentence
    for choice in choices.replace(" or ", ", ").split(", "):
        assert choice == offered(choice)


def test_of_very_many_choices_some_are_shown():
    sentence = asked_back("trade")
    assert sentence.startswith("Several moves are possible. Type trade bob paper 1 for food 3, ")
    assert sentence.endswith("or trade bob food 2 for food 3, or say more.")


def test_stock_up_cards_of_different_numbers_are_asked_back():
    driver = Driver(hands={ANN: ["Stock Up 1", "Stock Up 2", "Home Delivery 1"]})
    assert "Type stock up 1 or stock up 2." in asked_back("stock up", driver)
    assert "home delivery 1" == offered("home delivery", driver) == offered("ho del 1", driver)


@pytest.mark.parametrize(
    ("line", "choices"),
    [("sw bob", "swap or switch"), ("d", "delivery, discard or draw"), ("s", "stock")],
)
def test_what_begins_two_verbs_is_asked_back(line, choices):
    assert choices in asked_back(line)


def test_names_that_begin_alike_are_asked_back():
    names = ("Ann", "Bob", "Bonnie")
    assert "Type switch bob or switch bonnie." in asked_back("switch bo", names=names)


# -- what is not understood ------------------------------------------------------------------------

NONSENSE = ["", "!", "xyzzy", "{0} {} {x}", "play", "play zed", "play 9", "play 0", "loot food zed",
            "loot bob bob 3", "draw two now", "loot " * 99, "food", "\u00bc bob", "\u00b2",
            "discard", "discard zed", "swap zed", "go", "go home", "in out", "loot food bob 99",
            "trade 1 2 3 4", "switch bob food", "isolate bob", "nice try bob", "pass 3",
            "nosey bob 3", "'s", "play draw"]  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE)
@pytest.mark.parametrize("seat", [ANN, BOB])
def test_nonsense_is_answered_with_what_could_be_typed(line, seat):
    driver = Driver(hands={ANN: ["Loot Food", "Swap Shop"]}, stockpiles={ANN: ["F1", "F2"]})
    with pytest.raises(ParseError) as refused:
        STOCKPILE.check(driver.view(seat), typed(line, driver, seat=seat))
    said = refused.value.format(NAMES)
    assert said.endswith((".", "!", "Type: draw"))


def test_nonsense_lists_the_plays_there_are_now():
    driver = Driver(hands={ANN: ["Location Switch"]})
    assert 'I don\'t understand "fold". You can: draw, switch NAME.' == not_understood(
        "fold", driver
    )


def test_what_is_said_back_is_cut():
    assert f'I don\'t understand "{"z" * 27}...".' in not_understood("z" * 500)
    assert f'"{"z" * 27}..."' in not_understood("switch " + "z" * 500)


def test_a_name_that_nobody_has_is_answered_with_the_names_there_are():
    sentence = 'I don\'t understand "zed" here. You can type: switch bob or switch cy.'
    assert sentence == not_understood("switch zed")


def test_a_number_alone_may_have_come_too_late_for_another_question():
    assert "To play your card 3, type: play 3" == not_understood("3")


def test_a_number_that_no_card_has_is_answered_with_the_hand():
    driver = Driver(hands={ANN: ["Nice Try!", "Stock Up 2"]})
    assert "You have no card with the number 3. Your hand: 1 Nice Try!, 2 Stock Up 2." == (
        not_understood("play 3", driver)
    )


# -- the grammar does not judge --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("loot food ann 2", "You can't play Loot Food on yourself."),
        ("loot food bob 2", "Bob has no Food 2."),
        ("loot paper bob 1", "You have no Loot Toilet Paper card."),
        ("stock up 3", "You have no Stock Up 3 card."),
        ("reflect bob", "Nothing was played on you"),
        ("reflect cy 2", "Nothing was played on you"),
        ("swap reflection", "You have no Reflection card."),
        ("swap stock up", "Stock Up 2 isn't an Effect card."),
        ("swap swap shop", "Swap Shop goes together with another Effect card."),
        ("nosey cy food", "Cy is Indoors"),
        ("nosey bob prevention", "Which of them?"),
        ("play 1 bob paper 1", "Loot Food takes Food"),
        ("trade bob f1 for f4", "You have no Food 1 in your stockpile."),
        ("give up food 2", "No card costs you a supply now."),
        ("out", "You choose your location after your last action"),
    ],
)
def test_a_forbidden_play_that_is_well_said_is_refused_by_the_rules(line, reason):
    assert reason in refused(line)


@pytest.mark.parametrize("line", ["draw", "loot", "loot food ann 2", "switch", "trade", "stock up"])
def test_out_of_turn_a_line_is_answered_with_whose_turn_it_is(line):
    assert "It's Ann's turn." == refused(line, seat=BOB)


@pytest.mark.parametrize("line", ["nice try", "reflect", "reflect cy 2", "pass", "in", "play 3"])
def test_what_a_line_means_depends_on_no_hand_but_the_own(line):
    """[G-12]"""
    view = RICH.view(ANN)
    others = [replace(seat, indoor=3, outdoor=2) for seat in view.seats]
    other = replace(view, seats=(view.seats[ANN], *others[1:]))
    assert STOCKPILE.parse(line, view, NAMES[:3]) == STOCKPILE.parse(line, other, NAMES[:3])
