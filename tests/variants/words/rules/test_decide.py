"""The deal, the draw, and what the options of a turn do to words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.conformance.play import folded
from tests.variants.driver import ANN, BOB, CY, chance, kinds, of_kind
from tests.variants.words.driver import Driver, shipped_lexicon, words_game
from variants.contract import IllegalAction
from variants.kit.chance import ScriptedChance
from variants.words.actions import (
    Add,
    Discard,
    Done,
    Draw,
    Form,
    Lock,
    Rebuild,
    Steal,
)
from variants.words.data.box import CHANGES_MAX, END_OF_ROUND
from variants.words.events import (
    LetterAdded,
    LetterDiscarded,
    LetterDrawn,
    LetterStolen,
    RoundBegun,
    Word,
    WordFormed,
    WordsRebuilt,
)
from variants.words.rules import turns
from variants.words.rules.transition import Transition

# -- the deal --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "left"), [(2, 93), (3, 86), (4, 79), (5, 72), (6, 65)])
def test_everybody_is_dealt_seven_cards_and_two_hold_end_of_round(seats, left):
    """[WR-11] [WR-12] [W-G03]"""
    events = words_game().deal(seats, {}, chance(seats))
    state = folded(words_game(), events)
    assert ["GameBegun", "RoundBegun", "TurnStarted"] == kinds(events)
    hands = [player.hand for player in state.players]
    assert [7] * seats == [len(hand) for hand in hands]
    assert [0] * (seats - 2) + [1, 1] == sorted(hand.count(END_OF_ROUND) for hand in hands)
    assert (left, 1) == (len(state.pile), len(state.discards))
    placed = Counter(card for zone in words_game().zones(state).values() for card in zone)
    assert Counter(words_game().components({})) == placed
    assert 106 == sum(placed.values()) - placed[END_OF_ROUND]


def test_chance_is_drawn_for_letters_the_packet_indicators_manifests_and_the_first_player():
    """In this order, and the packet holds End of Round first."""
    orders = [tuple(reversed(range(size))) for size in (106, 3, 6, 20)]
    script = ScriptedChance([*orders, 2])
    state = folded(words_game(), words_game().deal(3, {}, script))
    assert "ZYYXWW" == "".join(state.players[ANN].hand[:6])
    assert [False, True, True] == [END_OF_ROUND in player.hand for player in state.players]
    assert ["B6", "B5", "B4"] == [player.indicator.id for player in state.players]
    assert ["M20", "M19", "M18"] == [player.manifest.id for player in state.players]
    assert (CY, CY, 1, "draw") == (state.starter, state.turn, state.number, state.phase)
    assert ["A", "A", "A"] == list(state.pile[-3:])


def test_the_deal_is_told_to_each_seat_as_far_as_it_is_its_own():
    begun = of_kind(words_game().deal(3, {}, chance()), RoundBegun)[0]
    heard = words_game().redact(begun, BOB)
    assert isinstance(heard, RoundBegun)
    assert (None, begun.hands[BOB], None) == heard.hands
    assert (None, begun.manifests[BOB], None) == heard.manifests
    assert (None, begun.indicators[BOB], None) == heard.indicators
    assert (None, 86, begun.discards) == (heard.pile, heard.pile_count, heard.discards)


# -- drawing ---------------------------------------------------------------------------------------


def test_two_cards_are_drawn_one_by_one_from_either_pile_and_then_options_open():
    """[WR-15] [WR-16] [WR-17]"""
    driver = Driver(phase="draw", drawn=0, hands={ANN: "AEIOUST"}, pile_top="K", discards="XQ")
    assert [LetterDrawn(ANN, "pile", "K")] == driver.when(ANN, Draw("pile"))
    assert ("draw", (ANN,)) == driver.asked()
    events = driver.when(ANN, Draw("discard"))
    assert LetterDrawn(ANN, "discard", "X") == events[0]
    assert ["LetterDrawn", "PhaseOpened"] == kinds(events)
    assert ("AEIOUSTKX", "Q", "main") == (driver.hand(ANN), driver.discards(), driver.state.phase)


def test_a_card_from_the_pile_is_known_to_who_drew_it_only():
    """[G-04]"""
    drawn = LetterDrawn(ANN, "pile", "K")
    heard = [words_game().redact(drawn, seat) for seat in (ANN, BOB, None)]
    assert [drawn, LetterDrawn(ANN, "pile", None), LetterDrawn(ANN, "pile", None)] == heard
    shown = LetterDrawn(ANN, "discard", "X")
    assert shown == words_game().redact(shown, None)


def test_who_lays_or_locks_a_word_alone_hears_whether_it_is_on_the_own_manifest():
    """[G-04] ADS is in the third set of T14, DATES in the first."""
    driver = Driver(hands={ANN: "ADST"}, words={ANN: ["DATES"]}, manifests={ANN: "T14"})
    (formed,), (locked,) = driver.when(ANN, Form("ADS")), driver.when(ANN, Lock(1))
    ads, dates = Word(2, ANN, "ADS"), Word(1, ANN, "DATES", is_locked=True)
    for event, word, set_ in ((formed, ads, 3), (locked, dates, 1)):
        assert type(event)(word, set_) == event == words_game().redact(event, ANN)
        for other in (BOB, None):
            assert type(event)(word) == words_game().redact(event, other)


def test_the_first_card_of_a_draw_says_how_many_they_are():
    driver = Driver(phase="draw", drawn=0, hands={ANN: "AEIOUST"}, pile_top="KL")
    first, second = of_kind(driver.when(ANN, Draw("pile", 2)), LetterDrawn)
    assert [LetterDrawn(ANN, "pile", "K", 2), LetterDrawn(ANN, "pile", "L", 0)] == [first, second]
    heard = [words_game().redact(drawn, BOB) for drawn in (first, second)]
    assert [LetterDrawn(ANN, "pile", None, 2), LetterDrawn(ANN, "pile", None, 0)] == heard


def test_both_may_come_from_the_discard_pile_and_the_hand_settles_by_discarding():
    """[W-G04] [WR-20]"""
    driver = Driver(turn=BOB, phase="draw", drawn=0, hands={BOB: "AEIOURS"}, discards="XQ")
    driver.when(BOB, Draw("discard"), Draw("discard"))
    assert ("AEIOURSXQ", "") == (driver.hand(BOB), driver.discards())
    assert ["PhaseOpened"] == kinds(driver.when(BOB, Done()))
    events = driver.when(BOB, Discard(("R",)))
    assert [LetterDiscarded(BOB, "R")] == events
    events = driver.when(BOB, Discard(("X",)))
    assert ["LetterDiscarded", "TurnEnded", "TurnStarted"] == kinds(events)
    assert ("XR", "AEIOUSQ") == (driver.discards(), driver.hand(BOB))


def test_the_server_draws_from_the_only_pile_that_has_cards():
    """[G-07]"""
    driver = Driver(phase="draw", drawn=0, hands={ANN: "AEIOUST"}, pile_top="KL", discards="X")
    events = driver.when(ANN, Draw("discard"))
    assert ["LetterDrawn", "LetterDrawn", "PhaseOpened"] == kinds(events)
    assert "AEIOUSTXK" == driver.hand(ANN)


def test_a_turn_begins_with_both_draws_where_nothing_lies_on_the_discard_pile():
    """[G-07]"""
    driver = Driver(hands={ANN: "AEIOUST"}, discards="", turn=ANN)
    events = driver.when(ANN, Done())
    assert ["TurnEnded", "TurnStarted", "LetterDrawn", "LetterDrawn", "PhaseOpened"] == kinds(
        events
    )
    assert ("main", (BOB,)) == driver.asked()


def test_who_finds_one_card_or_none_takes_what_is_there():
    """[WR-18]"""
    driver = Driver(phase="draw", drawn=0, hands={ANN: "AEIOUST"}, discards="XQ")
    nearly_dry = replace(driver.state, pile=("K",), discards=("X",))
    events = words_game().decide(nearly_dry, ANN, Draw("pile"), chance())
    assert ["K", "X"] == [drawn.letter for drawn in of_kind(events, LetterDrawn)]
    dry = replace(driver.state, pile=(), discards=("X",), phase="settle")
    play = Transition(shipped_lexicon(), dry, chance())
    turns.start_turn(play, BOB)
    assert ["TurnStarted", "LetterDrawn", "PhaseOpened"] == kinds(play.events)
    assert (1, "main") == (play.state.drawn, play.state.phase)


# -- words -----------------------------------------------------------------------------------------


def test_forming_lays_an_exposed_word_with_the_oldest_of_equal_letters():
    """Words are numbered as they are laid."""
    driver = Driver(hands={ANN: "SEASTEA"}, words=[{"owner": BOB, "spelling": "OAT"}])
    assert [WordFormed(Word(2, ANN, "SEA"), 0)] == driver.when(ANN, Form("SEA"))
    assert ("STEA", ["2 SEA"]) == (driver.hand(ANN), driver.words(ANN))
    driver.when(ANN, Form("TEA"))
    assert ("S", ["2 SEA", "3 TEA"]) == (driver.hand(ANN), driver.words(ANN))


def test_adding_changes_the_word_which_stays_its_owners_and_keeps_its_number():
    """[W-G05] [WR-28] [WR-31]"""
    driver = Driver(hands={ANN: "DBOOOOO"}, words={BOB: ["EAST"], CY: ["OAT"]})
    events = driver.when(ANN, Add("D", 1, "DATES"))
    assert [LetterAdded(ANN, Word(1, BOB, "DATES"), "D", "EAST")] == events
    assert (["1 DATES"], "BOOOOO") == (driver.words(BOB), driver.hand(ANN))
    with pytest.raises(IllegalAction):
        driver.when(ANN, Add("B", 1, "BASTED"))
    driver.when(ANN, Add("B", 2, "BOAT"))
    assert (["2 BOAT"], (1, 2)) == (driver.words(CY), driver.state.added)


def test_what_a_turn_has_used_up_is_free_again_in_the_next():
    """[WR-22]"""
    driver = Driver(hands={ANN: "DBOOOOO"}, words={BOB: ["EAST"]}, stolen=True)
    driver.when(ANN, Add("D", 1, "DATES"))
    driver.when(ANN, Done(), Draw("pile"))
    state = driver.state
    assert (BOB, (), False, False, 0) == (
        state.turn, state.added, state.stolen, state.traded, state.changes
    )  # fmt: skip


def test_stealing_leaves_a_word_and_makes_a_locked_one_in_one_step():
    """[W-G07] [WR-34] [WR-35]"""
    driver = Driver(hands={ANN: "DOGDEER"}, words={BOB: ["DATES"]})
    events = driver.when(ANN, Steal("D", 1, "SEAT", "DOG"))
    made = Word(2, ANN, "DOG", is_locked=True)
    assert [LetterStolen(ANN, Word(1, BOB, "SEAT"), "D", "DATES", made, 0)] == events
    assert ("DDEER", ["1 SEAT"], ["2 locked DOG"]) == (
        driver.hand(ANN), driver.words(BOB), driver.words(ANN)
    )  # fmt: skip
    with pytest.raises(IllegalAction):
        driver.when(ANN, Steal("T", 1, "SEA", "RED"))


def test_the_stolen_letter_is_not_taken_from_the_thiefs_hand():
    """[WR-34] Of DEED two letters D come from the hand, the third D stays there."""
    driver = Driver(hands={ANN: "DDEEOUI"}, words={BOB: ["DATES"]})
    driver.when(ANN, Steal("D", 1, "SEAT", "DEED"))
    assert "DOUI" == driver.hand(ANN)


def test_a_word_may_get_a_letter_and_lose_one_in_the_same_turn():
    """[WR-32]"""
    driver = Driver(hands={ANN: "DOGEEEE"}, words={BOB: ["EAST"]})
    driver.when(ANN, Add("D", 1, "DATES"), Steal("S", 1, "DATE", "GOES"))
    assert (["1 DATE"], ["2 locked GOES"]) == (driver.words(BOB), driver.words(ANN))


def test_a_locked_word_shows_its_length_and_is_never_touched():
    """[W-G06] [WR-29] [WR-37] [WR-38]"""
    driver = Driver(turn=BOB, hands={BOB: "DAAAOOO"}, words={BOB: ["EAST"]})
    driver.when(BOB, Lock(1))
    mine, others = driver.view(BOB).words[0], driver.view(ANN).words[0]
    assert ("EAST", "", 4, True) == (mine.spelling, others.spelling, others.length, mine.is_locked)
    assert others == driver.view().words[0]
    with pytest.raises(IllegalAction):
        driver.when(BOB, Rebuild((1,), ("SEAT",)))


def test_rebuilding_goes_up_the_chain_with_letters_of_the_hand():
    """[W-G10] [WR-30]"""
    driver = Driver(hands={ANN: "TDOOOOO"}, words={ANN: ["EAST"]})
    events = driver.when(ANN, Rebuild((1,), ("TASTED",)))
    east, tasted = Word(1, ANN, "EAST"), Word(2, ANN, "TASTED")
    assert [WordsRebuilt(ANN, (east,), (tasted,), ("D", "T"), (), (0,))] == events
    driver.when(ANN, Lock(2))
    assert ("OOOOO", ["2 locked TASTED"]) == (driver.hand(ANN), driver.words(ANN))


def test_letters_that_are_taken_up_go_to_the_hand_and_are_told():
    """[W-G11] [WR-40] [WR-41]"""
    driver = Driver(hands={ANN: "KKRRLLV"[:5]}, words={ANN: ["FOAMS", "NOTE"]})
    events = driver.when(ANN, Rebuild((1,), ("FOAM",)))
    assert ("S",) == of_kind(events, WordsRebuilt)[0].to_hand
    driver.when(ANN, Rebuild((2,), ()))
    assert ("KKRRLSENOT", ["3 FOAM"]) == (driver.hand(ANN), driver.words(ANN))
    with pytest.raises(IllegalAction):
        driver.when(ANN, Rebuild((3,), ("FOAM",)))


def test_a_word_that_comes_out_of_a_rebuild_unchanged_keeps_its_number():
    """[WR-28] [WR-42]"""
    driver = Driver(hands={ANN: "TDOOOOO"}, words={ANN: ["NOTE", "EAST"]})
    events = driver.when(ANN, Rebuild((1, 2), ("TASTED", "NOTE")))
    (rebuilt,) = of_kind(events, WordsRebuilt)
    assert (Word(3, ANN, "TASTED"), Word(1, ANN, "NOTE")) == rebuilt.laid
    assert (["1 NOTE", "3 TASTED"], "OOOOO") == (driver.words(ANN), driver.hand(ANN))
    driver.when(ANN, Rebuild((3,), ()))
    assert 4 == driver.state.next_word, "a number is not given twice"


def test_two_words_become_one_with_nothing_from_the_hand():
    """[WR-42]"""
    driver = Driver(hands={ANN: "OOOOOUU"}, words={ANN: ["SEA", "DATE"]})
    events = driver.when(ANN, Rebuild((1, 2), ("DATES",)))
    (rebuilt,) = of_kind(events, WordsRebuilt)
    assert ((), ("A", "E")) == (rebuilt.from_hand, rebuilt.to_hand)


def test_words_change_so_many_times_in_a_turn_and_no_more():
    """[WR-57] Rebuilding to and fro is no progress; every turn has to end."""
    driver = Driver(hands={ANN: "OOOOOUU"}, words={ANN: ["EAST"]})
    for number in range(1, CHANGES_MAX + 1):
        driver.when(ANN, Rebuild((number,), ("SEAT" if number % 2 else "EAST",)))
    with pytest.raises(IllegalAction, match="done"):
        driver.when(ANN, Rebuild((CHANGES_MAX + 1,), ("SEAT",)))
    assert ["PhaseOpened"] == kinds(driver.when(ANN, Done()))
