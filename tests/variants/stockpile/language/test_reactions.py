"""What is typed in answer to a question of the stockpile game: reactions, supplies, locations."""

from __future__ import annotations

import pytest

from tests.variants.driver import ANN, BOB
from tests.variants.stockpile.driver import STOCKPILE, Driver
from tests.variants.stockpile.language.typed import (
    NAMES,
    POSITIONS,
    TYPIST,
    asked_back,
    attacked,
    not_understood,
    refused,
    robbed,
    typed,
)
from variants.contract import AmbiguousInput, Refusal
from variants.stockpile.actions import GiveUp, Go, Reflect

# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "line", "phrase"),
    [
        ("loot bob", "reflect cy 2", "reflect cy 2"),
        ("loot bob", "reflect 2 from cy", "reflect cy 2"),
        ("loot bob", "r cy f2", "reflect cy 2"),
        ("loot bob", "reflection on ann", "reflect ann 1"),
        ("loot bob", "reflect cy highest", "reflect cy 4"),
        ("loot bob", "play 1 cy 4", "reflect cy 4"),
        ("loot bob", "1 cy 4", "reflect cy 4"),
        ("loot bob", "nice try", "nice try"),
        ("loot bob", "ni", "nice try"),
        ("loot bob", "no", "pass"),
        ("loot bob", "play 2", "nice try"),
        ("loot bob", "pa", "pass"),
        ("trade bob t1 f3", "reflect cy t2 p3", "reflect cy paper 2 for prevention 3"),
        ("trade bob t1 f3", "reflect p3 from cy for my t2", "reflect cy paper 2 for prevention 3"),
        ("switch bob", "reflect to cy", "reflect cy"),
        ("nosey bob food", "reflect cy", "reflect cy"),
        ("nosey bob food", "reflect cy food", "reflect cy"),
    ],
)
def test_an_answer_is_read(played, line, phrase):
    driver = attacked(played)
    action = typed(line, driver, seat=BOB)
    STOCKPILE.check(driver.view(BOB), action)
    assert phrase == STOCKPILE.phrase(action, driver.view(BOB), NAMES)


def test_a_reflection_against_a_counter_needs_no_target():
    """[SR-59]"""
    driver = attacked("loot bob", "Nice Try!")
    driver.when(BOB, typed("nice try", driver, seat=BOB))
    action = typed("reflect", driver)
    assert isinstance(action, Reflect) and action.target is None
    assert "Type: reflect" in refused("reflect bob", driver)
    assert "Type: reflect" in refused("reflect cy 2", driver)


@pytest.mark.parametrize("line", ["reflect", "reflect cy"])
def test_where_a_reflection_could_go_is_asked_back(line):
    driver = attacked("loot bob")
    with pytest.raises(AmbiguousInput, match="Several moves are possible") as asked:
        typed(line, driver, seat=BOB)
    assert "reflect cy 2 or reflect cy 4." in asked.value.format(NAMES)


def test_an_answer_that_is_not_held_is_refused_by_the_rules():
    driver = attacked("loot bob", "Self-Isolation")
    assert "You have no Nice Try! card." in refused("nice try", driver, BOB)
    assert "You have no Reflection card." in refused("reflect cy 2", driver, BOB)


def test_pass_and_play_begin_alike():
    with pytest.raises(AmbiguousInput) as asked:
        typed("p", attacked("loot bob"), seat=BOB)
    assert '"p" is ambiguous: pass or play?' == asked.value.format(NAMES)


# -- which supply, and where -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "supply"),
    [
        ("give up food 1", "Food 1"), ("food 1", "Food 1"), ("1", "Food 1"), ("f3", "Food 3"),
        ("3", "Food 3"), ("lowest", "Food 1"), ("highest food", "Food 3"), ("give 3", "Food 3"),
        ("discard food 3", "Food 3"), ("lose my 1", "Food 1"), ("paper 1", "Toilet Paper 1"),
    ],
)  # fmt: skip
def test_a_supply_alone_answers_which_one_goes(line, supply):
    driver = robbed()
    assert GiveUp(driver.owned(ANN, supply)) == typed(line, driver)


def test_which_of_two_supplies_goes_is_asked_back():
    assert "Type give up food 1 or give up food 3." in asked_back("food", robbed())
    assert "Snack Attack takes Food only." in refused("paper 1", robbed())
    assert "You have no Food 2 in your stockpile." in refused("2", robbed())
    right = "You can type: give up food 1 or give up food 3."
    assert f'I don\'t understand "zed" here. {right}' == not_understood("zed", robbed())


def test_staying_is_the_location_where_one_is():
    driver = Driver(locations={ANN: "outdoor"})
    assert Go("outdoor") == typed("stay", driver)
    assert Go("indoor") == typed("stay in", driver)


@pytest.mark.parametrize("line", ["reflect cy 4", "reflect cy food", "reflect on cy f2"])
def test_a_supply_that_the_effect_does_not_take_is_not_left_out(line):
    view = attacked("switch bob").view(BOB)
    with pytest.raises(Refusal):
        STOCKPILE.check(view, STOCKPILE.parse(line, view, NAMES[:3]))


def test_no_is_a_pass_at_a_question_whether_to_react():
    view = attacked("loot bob").view(BOB)
    assert "pass" == STOCKPILE.phrase(STOCKPILE.parse("no", view, NAMES[:3]), view, NAMES[:3])
    assert TYPIST.plays("n", POSITIONS["reaction"])
