"""`go` and `lobby`: one's own games by correspondence, as people type them."""

from __future__ import annotations

import pytest

from tests.mudserver.commands.test_invitations import told

NAMES = ("Ann", "Bob")


def test_a_game_by_correspondence_is_played_by_people_who_come_and_go():
    read = told(
        "Ann> open elimination correspondence seats=2", "Ann> lobby", "Bob> sit 1", "Bob> ready",
        "Bob> lobby", "Ann> go", "Ann> go 1", "Ann> start", "Ann> time", "Ann> lobby",
        "Bob> go", "Bob> go", "Bob> lobby", "Ann> go 9", "Cid> go 1", "Cid> go", "Cid> lobby",
        "Bob> go 1", "Bob> leave now", "Bob> go 1",
    )  # fmt: skip
    ann, bob, cid = read["Ann"], read["Bob"], read["Cid"]
    assert "1 elimination, waits for its players" in ann
    assert "The game starts: elimination. Ann, Bob. Options: move=1d seats=2" in ann
    assert "The game starts" not in bob  # who was in the lobby
    assert "time Bob has 1 day." in ann and "lost the connection" not in ann
    assert "You have 24 h. Type moves for a list." in bob
    assert "1 elimination, your move, 24 h left" in bob
    assert "It is your move at table 1 (elimination), 24 h left." in bob
    assert "lobby, your move at 1>" in bob
    assert "There is no table 9." in ann
    assert "You have left table 1. To take your seat back: return 1" in bob
    assert "You have no seat at table 1. To watch: watch 1. For free seats: tables open" in cid
    assert "You play no game by correspondence. To open one: open elimination corresp" in cid


def test_a_live_game_is_played_first():
    read = told(
        "Ann> open elimination correspondence", "Ann> lobby", "Ann> practice elimination", "1 s",
        "Ann> go 1", "Ann> lobby", "Ann> leave now", "Ann> go 1",
    )  # fmt: skip
    assert "You play at table 2 now. Finish that game, or leave it." in read["Ann"]
    assert "To leave table 2: leave" in read["Ann"]
    assert read["Ann"].endswith("start to begin. table 1>")


def test_a_move_that_is_typed_in_the_lobby_is_not_guessed_but_answered_with_what_waits():
    read = told(
        "Ann> open elimination correspondence seats=2", "Bob> sit 1", "Bob> ready", "Ann> ready",
        "Ann> lobby", "Bob> lobby", *(f"{who}> {line}" for who in ("Ann", "Bob", "Cid")
                                      for line in ("draw", "later draw", "moves", "my turn")),
    )  # fmt: skip
    move = (
        "You are in the lobby. Your move at table 1 (elimination, 24 h left). go takes you there."
    )
    see = "You are in the lobby. To see your games: go"
    assert {(4, 0), (0, 4)} == {(read[who].count(move), read[who].count(see)) for who in NAMES}
    assert 2 == read["Cid"].count("You aren't in a game.") == read["Cid"].count("at a table. Type")


def test_play_keeps_the_seat_of_a_game_by_correspondence_that_waits_for_its_players():
    read = told(
        "Ann> open elimination correspondence",
        "Bob> sit 1",
        "Ann> play elimination",
        "1 s",
        "Ann> go",
    )
    assert "Ann opened table 1 (elimination by correspondence). Type sit 1" in read["Bob"]
    assert "You have table 2 to yourself." in read["Ann"]
    assert "1 elimination, waits for its players" in read["Ann"]


def test_guests_open_no_game_by_correspondence():
    read = told("Guest1> open elimination correspondence", "Guest1> go", people="", guests="Guest1")
    assert 2 == read["Guest1"].count("Games by correspondence are for registered players.")
    assert "resume" not in read["Guest1"]  # no seat was asked for


def test_help_on_correspondence_is_that_on_go():
    assert "hours or days for each move" in told("Ann> help correspondence")["Ann"]


@pytest.mark.parametrize(
    "game, move", [("elimination", "draw"), ("stockpile", "draw"), ("words", "done")]
)
def test_moves_are_kept_for_later_by_who_is_not_asked(game, move):
    read = told(
        f"Ann> open {game} correspondence", "Bob> sit 1", "Bob> ready", "Ann> ready",
        f"Ann> later {move}", "Ann> later", f"Bob> later {move}", "Bob> later", "Bob> later clear",
        "Bob> later", "Cid> later draw", "Cid> watch 1", "Cid> later draw",
    )  # fmt: skip
    ann, bob, cid = read["Ann"], read["Bob"], read["Cid"]
    asked, other = (ann, bob) if "It is your move now." in ann else (bob, ann)
    assert "It is your move now. Play it, and keep the next ones for later." in asked
    assert "You keep no moves for later. To keep one: later MOVE" in asked
    assert f"You keep for later: 1 {move}. When you are next asked" in other
    assert f"Your moves for later at table 1 1 {move} When you are next asked" in other
    assert "You keep no moves for later any more." in bob or bob is asked
    assert "You aren't at a table." in cid and "You have no seat at table 1." in cid


def test_a_live_table_keeps_no_moves_for_later():
    read = told("Ann> practice elimination", "Ann> later draw", "Ann> later", "Ann> later clear")
    assert 3 == read["Ann"].count("Moves for later are for games by correspondence.")
