"""`cards` and `card NAME` as people type them."""

from __future__ import annotations

from tests.mudserver.commands.test_invitations import told

STOCKPILE = ("Ann> open stockpile", "Ann> bot", "Ann> start")


def test_without_a_game_the_printed_figures_are_told():
    read = told(
        "Ann> cards", "Ann> cards words", "Ann> card nice try", "Ann> card joker", people="Ann"
    )["Ann"]
    assert "Which game? Type cards and its name: elimination, stockpile or words" in read
    assert "Letters in the box:" in read and "The bonuses, one for each player" in read
    assert "Nice Try!: an Effect card." in read
    assert "There are 2 in the pack." in read


def test_a_mistyped_card_is_offered_and_y_shows_it():
    read = told("Ann> card refelction", "Ann> y", people="Ann")["Ann"]
    assert 'Did you mean "card reflection"? Type y to run it.' in read
    assert "It turns an Effect card played on you against another" in " ".join(read.split())


def test_in_a_game_a_mistyped_card_is_offered_too():
    read = told(*STOCKPILE, "Ann> card loot anny supply", "Ann> y", people="Ann")["Ann"]
    assert 'Did you mean "card loot any supply"?' in read and "Loot Any Supply:" in read


def test_of_several_cards_that_begin_so_all_are_named():
    read = told("Ann> card loot", people="Ann")["Ann"]
    assert "Which card? Type card loot infection prevention, card loot toilet paper," in read


def test_at_a_table_that_waits_the_cards_of_its_game_are_told():
    read = told("Ann> open elimination", "Ann> cards", people="Ann")["Ann"]
    assert "The pack has 54 cards" in read


def test_the_manifests_of_the_box_can_be_read_without_a_game():
    typed = ("Ann> cards words manifests", "Ann> cards words manifests 3", "Ann> cards words 7")
    read = told(*typed, people="Ann")["Ann"]
    assert "There are 20 manifests in the box. cards words manifests 2 shows one" in read
    assert read.count("Card 3: 1 LIE ISLE") == 2 and "Card 1: 1 OLD LOUD" in read
    assert "Type cards words, or cards words manifests." in read


def test_in_a_game_unseen_cards_are_counted_and_odds_told():
    read = told(*STOCKPILE, "Ann> cards indoor", "Ann> card infection", people="Ann")["Ann"]
    assert "Next Indoor card:" in read and "unseen of" in read


def test_another_game_can_be_asked_about_at_a_table():
    read = told(*STOCKPILE, "Ann> cards words", people="Ann")["Ann"]
    assert "Letters in the box:" in read


def test_who_watches_counts_what_is_public():
    typed = ("Ann> open elimination", "Ann> bot", "Ann> start", "Bob> watch 1", "Bob> cards")
    read = told(*typed, people="Ann Bob")["Bob"]
    assert "unseen of 4" in read and "in your hand" not in read


def test_a_card_that_nobody_knows_is_refused():
    read = told("Ann> card xyzzyplugh", people="Ann")["Ann"]
    assert 'There is no card "xyzzyplugh". Type cards for the list.' in read
