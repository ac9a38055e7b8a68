"""What a seat of words is offered, who owes an answer, and what the clock does for it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from tests.variants.driver import ANN, BOB, CY, DEE, chance
from tests.variants.words.driver import Driver, Game, shipped_lexicon, words_game
from variants.contract import Seat, lists_all_actions
from variants.kit.chance import ScriptedChance
from variants.words.actions import Action, Done, Draw, Form, Lock, Offer, Trade
from variants.words.data.box import CHANGES_MAX, END_OF_ROUND, sets_of
from variants.words.legal_actions import default_action, manifest_words, may_act
from variants.words.view import View

PEOPLE = {ANN: "ann", BOB: "bob", CY: "cy", DEE: "dee"}
AT_HOME = {"manifests": {ANN: "T14"}, "indicators": {ANN: [1, 2]}}
"""Ann has SEA EAST DATES TASTED, doubled; ACE EACH; ADS SAID; ORE OVER."""


def told(actions: Any) -> list[str]:
    """Plays as a text, so that an order can be read: `Add E 3 SEATED`."""

    def shown(field: Any) -> str:
        if isinstance(field, Offer):
            return f"{field.letter} to {PEOPLE[field.to]}"
        if isinstance(field, tuple):
            return "+".join(shown(part) for part in field) or "nothing"
        return str(field)

    return [
        " ".join([type(a).__name__, *(shown(getattr(a, field.name)) for field in fields(a))])
        for a in actions
    ]


def offered(driver: Driver, seat: Seat = ANN) -> list[str]:
    return told(words_game().legal_actions(driver.view(seat)))


def in_time(driver: Driver, seat: Seat, *draws: int) -> list[str]:
    """The time-out default, which asks for these draws and no other."""
    script = ScriptedChance(draws)
    action = default_action(driver.view(seat), script)
    assert list(draws) == script.draws
    return told([action])


def trading() -> Driver:
    driver = Driver(hands={ANN: "EKDOG*", BOB: "SASTAIN", CY: "AAAAAA*"})
    driver.when(ANN, Trade((Offer(BOB, "E"), Offer(CY, "K"))))
    return driver


# -- one phase after the other ---------------------------------------------------------------------


def test_a_card_is_drawn_from_where_there_is_one():
    """[WR-15] [WR-20] One by one or several, as many as are wanted and lie there."""
    one, two = ["Draw pile 1", "Draw discard 1"], ["Draw pile 2", "Draw discard 2"]
    assert one + two == offered(Driver(phase="draw", discards="AE"))
    assert one == offered(Driver(phase="draw", discards="AE", drawn=1))
    assert [*one, "Draw pile 2"] == offered(Driver(phase="draw", discards="A"))
    settling = Driver(phase="settle", hands={ANN: "AEIO"}, discards="UU")
    assert [*one, *two, "Draw pile 3"] == offered(settling)


def test_where_nothing_is_left_out_the_plays_say_so():
    draws = Driver(phase="draw").view(ANN)
    assert lists_all_actions(words_game(), draws) and lists_all_actions(
        words_game(), trading().view(BOB)
    )
    assert lists_all_actions(
        words_game(), Driver(phase="settle", hands={ANN: "SASTEETH"}).view(ANN)
    )
    assert not lists_all_actions(
        words_game(), Driver(phase="settle", hands={ANN: "SAS*TEETH"}).view(ANN)
    )
    assert not lists_all_actions(words_game(), Driver().view(ANN))


def test_each_different_letter_can_be_discarded_but_not_end_of_round():
    """[WR-13] [WR-20] In order of arrival."""
    driver = Driver(phase="settle", hands={ANN: "SAS*TEETH"})
    assert ["Discard S", "Discard A", "Discard T", "Discard E", "Discard H"] == offered(driver)


def test_the_options_come_in_one_order():
    """Own printed words first, the most valuable first; then words by number."""
    driver = Driver(
        hands={ANN: "TDOGXEARS"},
        words={ANN: ["EAST", "NOTE"], BOB: ["DATES", "locked OVER"], CY: ["THUMB", "OAT"]},
        **AT_HOME,
    )
    kinds = ["Form", "Rebuild", "Lock", "Add", "Steal", "Trade", "Done"]
    found = offered(driver)
    assert kinds == list(dict.fromkeys(text.split()[0] for text in found))
    assert ["Form DATES", "Form EAST", "Form SEA", "Form ADS", "Form ORE"] == found[:5]
    assert "Rebuild 1 TASTED" in found and "Rebuild 2 nothing" in found
    assert ["Lock 1", "Lock 2"] == [text for text in found if text.startswith("Lock")]
    added = [text.split()[2] for text in found if text.startswith("Add")]
    assert sorted(added) == added and {"3", "5", "6"} == set(added)
    assert "Steal D 3 EAST DATES" in found
    trades = ["Trade G to bob", "Trade G to cy", "Trade G to bob+X to cy"]
    assert trades == [text for text in found if text.startswith("Trade")]


def test_a_word_that_is_not_printed_can_become_one_that_is():
    """[WR-41] [WR-42] With what the hand has, alone or with another word."""
    driver = Driver(hands={ANN: "KK"}, words={ANN: ["SEAT", "TED"], BOB: ["AAH"]}, **AT_HOME)
    found = [text for text in offered(driver) if text.startswith("Rebuild")]
    assert ["Rebuild 1 EAST", "Rebuild 1 SEA", "Rebuild 1 nothing"] == found[:3]
    assert "Rebuild 1+2 TASTED" in found and "Rebuild 1+2 DATES" in found


def test_a_steal_of_another_word_is_offered_where_no_printed_one_can_be_made():
    """[WR-33]"""
    driver = Driver(hands={ANN: "OGOGOG*"}, words={BOB: ["DATES"]}, **AT_HOME)
    found = [text.split() for text in offered(driver) if text.startswith("Steal")]
    assert found and all(letter in made for _, letter, _, _, made in found)


def test_what_is_used_up_is_not_offered():
    """[WR-22] [WR-28]"""
    words = {BOB: ["DATES", "OAT"]}
    position = {"hands": {ANN: "TDOGXEBRS"}, "words": words, **AT_HOME}
    found = offered(Driver(traded=True, stolen=True, added=[1], **position))
    assert not [text for text in found if text.startswith(("Trade", "Steal", "Add B 1"))]
    assert {"2"} == {text.split()[2] for text in found if text.startswith("Add")}


def test_who_has_changed_words_too_often_is_offered_no_more_changes():
    """[WR-56]"""
    driver = Driver(hands={ANN: "DATES"}, words={ANN: ["EAST"], BOB: ["OAT"]}, **AT_HOME)
    view = replace(driver.view(ANN), changes=CHANGES_MAX)
    found = told(words_game().legal_actions(view))
    assert found and all(text.startswith(("Trade", "Done")) for text in found)


def test_going_out_is_offered_where_it_is_legal():
    """[WR-48] [W-G14] End of Round in the hand does not matter."""
    words = {ANN: ["DATES", "locked OVER"]}
    for hand, is_offered in (("*", True), ("", True), ("A", False)):
        driver = Driver(hands={ANN: hand}, words=words, **AT_HOME)
        assert is_offered == ("Out" in offered(driver))
    for own in (["DATES", "NOTE"], []):
        assert "Out" not in offered(Driver(hands={ANN: ""}, words={ANN: own}, **AT_HOME))


@pytest.mark.parametrize(
    ("hand", "words", "expected"),
    [
        ("AEIOUS*", ["EAST", "NOTE"], ["Pass", "EndRound"]),
        ("AEIOUST", ["EAST"], ["Pass"]),
        ("AEIOUS*", ["NOTE", "locked OVER"], ["Pass"]),
    ],
)
def test_the_end_of_the_round_is_offered_to_who_may_play_it(hand, words, expected):
    """[WR-43] [WR-44]"""
    driver = Driver(phase="close", hands={ANN: hand}, words={ANN: words}, **AT_HOME)
    assert expected == offered(driver)


def test_a_partner_is_offered_each_letter_of_the_hand():
    """[WR-24] [WR-25]"""
    driver = trading()
    assert ["Answer S", "Answer A", "Answer T", "Answer I", "Answer N"] == offered(driver, BOB)
    assert ["Answer A"] == offered(driver, CY)
    assert [] == offered(driver, ANN)
    driver.when(BOB, words_game().legal_actions(driver.view(BOB))[0])
    assert [] == offered(driver, BOB)


def test_every_removal_is_offered():
    """[WR-45] [WR-46]"""
    words = {ANN: ["THE", "locked BEAST"], BOB: ["BOAT"], CY: ["QUIZ"]}
    driver = Driver(phase="removal", words=words)
    assert ("removal", (BOB,)) == driver.asked()
    left = {"B": ["OAT", "TAO"], "O": ["BAT", "TAB"], "T": ["ABO", "BOA", "OBA"]}
    expected = [f"Remove {x} 3 {spelling}" for x, found in left.items() for spelling in found]
    assert ["Pass", *expected] == offered(driver, BOB)
    assert [] == offered(driver, ANN) == offered(driver, CY)


# -- hints -----------------------------------------------------------------------------------------


def named(view: View) -> list[str]:
    """All words that the samples would make or leave."""
    found: list[str] = []
    for action in words_game().legal_actions(view):
        for name in ("spelling", "leaving", "making"):
            found += [getattr(action, name)] if hasattr(action, name) else []
        found += getattr(action, "spellings", ())
    return found


@pytest.mark.parametrize(("hints", "level"), [("off", 0), ("35", 35), ("80", 80)])
def test_no_sample_names_a_word_beyond_the_hints_of_the_table(hints, level):
    """But what is printed on a card of the box is no secret of the word list."""
    lexicon = shipped_lexicon()
    words = {BOB: ["DATES", "THUMB"], CY: ["OAT", "NOTE"]}
    for hand in ("TDOGXEARS", "QIZAEROST"):
        driver = Driver(hands={ANN: hand}, words=words, options={"wordlist": hints}, **AT_HOME)
        view = driver.view(ANN)
        levels = [
            lexicon.level_of(word) or 0
            for word in named(view)
            if not any(sets_of(card, word) for card in view.box.manifests)
        ]
        assert max(levels, default=0) <= level
        assert bool(levels) == (level > 0)


# -- over whole games ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_sample_is_legal_and_who_owes_an_answer_has_one(seats):
    game = Game(seats, seed=seats, max_rounds="1")
    variant = words_game()
    while not game.is_over and game.decisions < 150:
        game.step()
        for seat in range(seats):
            view = variant.observe(game.state, Seat(seat))
            found = variant.legal_actions(view)
            assert may_act(view) == bool(found)
            assert len(found) == len(set(found)) and len(found) <= 40
            for action in found:
                variant.check(view, action)
        assert not may_act(variant.observe(game.state, None))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_that_only_the_clock_plays_comes_to_its_end(seats):
    """[G-09] The default is always legal, and no round ends by a card.  [WR-49]"""
    variant, by = words_game(), chance(seats)
    events = list(variant.deal(seats, {"max_rounds": "1"}, by))
    state: Any = None
    for event in events:
        state = variant.evolve(state, event)
    steps = 0
    while window := variant.open_window(variant.observe(state, None)):
        view = variant.observe(state, window.seats[0])
        action = variant.default_action(view, by)
        variant.check(view, action)
        for event in variant.decide(state, window.seats[0], action, by):
            state = variant.evolve(state, event)
        steps += 1
        assert steps < 1000
    assert "rounds" == state.ended


# -- the clock -------------------------------------------------------------------------------------


def test_the_clock_finishes_the_draw_from_the_pile():
    assert ["Draw pile 1"] == in_time(Driver(phase="draw"), ANN)
    assert ["Draw pile 1"] == in_time(Driver(phase="draw", drawn=1), ANN)


def test_the_clock_takes_no_option_and_does_not_end_the_round():
    driver = Driver(hands={ANN: "DATES*"}, words={ANN: ["EAST"]}, **AT_HOME)
    assert ["Done"] == in_time(driver, ANN)
    driver = Driver(phase="close", hands={ANN: "AEIOUS*"}, words={ANN: ["EAST"]}, **AT_HOME)
    assert ["Pass"] == in_time(driver, ANN)
    assert ["Pass"] == in_time(Driver(phase="removal", words={CY: ["BEAST"]}), CY)


def test_the_clock_discards_the_latest_arrivals_but_not_end_of_round():
    """The latest first; of equal letters, too, the latest goes."""
    driver = Driver(phase="settle", hands={ANN: "KAEIOULK*"})
    assert ["Discard K+L"] == in_time(driver, ANN)
    driver.when(ANN, default_action(driver.view(ANN), chance()))
    assert "KAEIOU*" == driver.hand(ANN)
    assert "LK" == driver.discards()[:2]


def test_the_clock_fills_the_hand_from_the_pile():
    assert ["Draw pile 1"] == in_time(Driver(phase="settle", hands={ANN: "AE"}), ANN)


def test_the_clock_gives_a_random_letter_card():
    """[WR-27] Each card is as likely as any other, End of Round is none of them."""
    driver = trading()
    assert ["Answer I"] == in_time(driver, BOB, 5)
    assert 6 == len([card for card in driver.hand(CY) if card != END_OF_ROUND])
    assert ["Answer A"] == in_time(driver, CY, 5)


# -- the own manifest ------------------------------------------------------------------------------


def test_the_most_valuable_words_come_first():
    """[WR-51]"""
    found = manifest_words(Driver(**AT_HOME).view(ANN))
    assert ["TASTED", "DATES", "ADVISE", "CHANCE", "EAST", "VORTEX"] == found[:6]
    assert ["ACE", "ADS", "ORE"] == found[-3:]
    assert [] == manifest_words(Driver().view())


def test_an_action_that_is_no_sample_may_be_legal():
    """There are too many to list: any word that the hand spells is one."""
    view = Driver(hands={ANN: "TDOGXEARS"}, **AT_HOME).view(ANN)
    actions: list[Action] = [Form("SETA"), Form("TED"), Done()]
    for action in actions:
        words_game().check(view, action)
    assert Form("TED") not in words_game().legal_actions(view)
    assert not {Lock(1), Draw("pile")} & set(words_game().legal_actions(view))
