"""`tips` as people type it."""

from __future__ import annotations

from tests.mudserver.commands.test_invitations import told


def test_tips_of_a_named_game_are_numbered():
    read = told("Ann> tips words", people="Ann")["Ann"]
    assert "Tips for words" in read and "See also: rules words" in read
    assert "1 Collect letters for the set that your bonus doubles." in read
    assert "10 If two opponents have seven cards" in read


def test_at_a_table_tips_are_of_its_game_in_a_running_game_too():
    typed = ("Ann> open stockpile", "Ann> tips", "Ann> bot", "Ann> start", "Ann> tips")
    assert told(*typed, people="Ann")["Ann"].count("Keep one Infection Prevention") == 2


def test_without_a_game_tips_lists_the_games_and_an_unknown_one_is_refused():
    read = told("Ann> tips", "Ann> tips chess", people="Ann")["Ann"]
    assert "See also: tips GAME, open GAME" in read
    assert "chess" in read and "Tips for" not in read
