"""Offers and pauses as people type them."""

from __future__ import annotations

import re

from mudserver.service import own_games
from tests.mudserver.commands.test_invitations import told

GAME = ("Ann> open elimination", "Bob> sit 1", "Bob> ready", "Ann> start")
THREE = ("Ann> open elimination", "Bob> sit 1", "Cid> sit 1", "Bob> ready", "Cid> ready",
         "Ann> start")  # fmt: skip


def test_two_people_pause_their_game_and_go_on():
    read = told(
        *GAME, "Ann> offer pause", "Bob> accept", "4 s", "Bob> accept", "Ann> draw", "Ann> moves",
        "Ann> time", "Ann> what can i do", "Bob> look", "Bob> resume 2", "Bob> resume",
        "Ann> resume 1", "11 s", "Ann> time",
    )  # fmt: skip
    assert "Ann has just offered a pause of at most 60 min. Type accept or decline" in read["Bob"]
    before, _, after = read["Ann"].partition("The game is paused for at most 60 min.")
    paused = "The game is paused. Type resume to go on."
    assert after.count(paused) >= 3 and paused in read["Bob"]
    assert "You have no seat at table 2." in read["Bob"]
    assert "Bob wants to go on. Type resume, or it goes on by itself in 60 s." in after
    assert "Waiting for Ann. The game goes on in 60 s at the latest." in read["Bob"]
    assert "The game goes on in 10 s." in after
    assert re.search(r"The game goes on\. .*(You have|has) \d+ seconds", after)
    assert "offers" not in before.replace("You offer", "")


def test_an_offer_has_one_of_four_kinds():
    read = told(*GAME, "Ann> offer shuffle", "Ann> offer", "Cid> offer draw")
    how = "Type offer draw, offer abort, offer pause or offer adjourn"
    assert f'You can\'t offer "shuffle". {how}' in read["Ann"]
    assert "offer KIND" in read["Ann"]
    assert "You aren't at a table." in read["Cid"]


def test_who_answers_an_offer_that_has_just_ended_answers_nothing_else():
    read = told(
        *THREE, "Ann> offer draw", "4 s", "Bob> decline", "Cid> accept", "4 s", "Cid> accept",
    )  # fmt: skip
    assert "The offer of a draw has ended. The game goes on." in read["Cid"]
    assert "That offer has just ended." in read["Cid"]
    assert "Nobody has invited you." in read["Cid"]
    assert "Bob" not in read["Ann"].partition("The offer of a draw has ended.")[2]


def test_strangers_end_a_game_as_a_draw_or_without_a_result():
    read = told(*GAME, "Ann> offer draw", "4 s", "Bob> accept", "Bob> record")
    over = "Game over: Ann and Bob tie for first place; everybody has agreed to a draw."
    assert over in read["Ann"] and over in read["Bob"]
    assert "This game ended by agreement, so it has no record." in read["Bob"]
    read = told(*GAME, "Ann> offer abort", "4 s", "Bob> accept", "Bob> record", "Bob> rematch")
    assert "The game is aborted, so it has no result." in read["Ann"]
    assert "Bob wants a rematch (1 of 2 ready)." in read["Ann"]


def test_resume_shows_a_guest_the_code_again():
    read = told("guest1> open words", "guest1> resume", "Ann> resume", guests="guest1")
    assert read["guest1"].count("log in as guest and type: resume") == 2
    assert "No game is paused here." in read["Ann"]


def test_nobody_agrees_to_adjourn_more_games_than_one_may(monkeypatch):
    monkeypatch.setattr(own_games, "ADJOURNED_MAX", 1)
    read = told(
        "Bob> open elimination", "Cid> sit 1", "Cid> ready", "Bob> start", "Bob> offer adjourn",
        "4 s", "Cid> accept", "Bob> lobby", "Ann> open elimination", "Bob> sit 2", "Bob> ready",
        "Ann> start", "Ann> offer adjourn", "4 s", "Bob> accept", "Ann> draw",
    )  # fmt: skip
    assert "You have 1 adjourned games already. To see them: go" in read["Bob"]
    assert "The game is adjourned" in read["Cid"] and "The game is adjourned" not in read["Ann"]


def test_games_says_for_whom_an_adjourned_game_waits():
    read = told(*GAME, "Ann> offer adjourn", "4 s", "Bob> accept", "Bob> lobby", "Bob> games")
    assert "table 1 elimination, adjourned, waits for you and Ann" in read["Bob"]
