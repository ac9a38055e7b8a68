"""`play` as people type it."""

from __future__ import annotations

from tests.mudserver.commands.test_invitations import told


def test_a_guest_is_in_a_game_after_three_lines():
    read = told("gus> play", "gus> 1", "gus> start", people="", guests="gus")["gus"]
    assert "Which game? 1 elimination, 2 stockpile, 3 words" in read
    assert "The game starts: elimination." in read


def test_the_answer_may_be_a_name_and_any_other_line_is_no_answer():
    read = told("Ann> play", "Ann> tables", "Ann> 1", "Ann> play", "Ann> words", people="Ann")
    assert read["Ann"].count("Which game?") == 2
    assert "You have table 1 to yourself. It starts in 20 s" in read["Ann"]


def test_two_people_who_play_meet_and_wait_twenty_seconds():
    read = told("Ann> play words", "10 s", "Bob> play words", "21 s")
    assert "You sit at table 1. It starts in 20 s" in read["Bob"]
    assert "The game starts:" in read["Ann"] and "The game starts:" in read["Bob"]


def test_who_ignores_somebody_there_sits_somewhere_else():
    read = told("Ann> play words", "Bob> ignore ann", "Bob> play words")
    assert "You have table 2 to yourself." in read["Bob"]


def test_other_games_other_options_and_private_tables_are_passed_by():
    read = told(
        "Ann> open words target=100", "Bob> open words code=on", "Cid> play words",
    )  # fmt: skip
    assert "You have table 3 to yourself." in read["Cid"]


def test_a_table_whose_people_never_get_ready_holds_nobody():
    read = told("Ann> open words", "Bob> play words", "Bob> play words", "Bob> play words")
    assert "Bob joined the table." in read["Ann"]
    assert "Bob left the table." in read["Ann"]
    assert "You have table 2 to yourself." in read["Bob"]
    assert "You sit at table 2. It starts in" in read["Bob"]  # said again


def test_what_play_does_not_know_leaves_no_table():
    for typed in ("play 99", "play words nonsense"):
        read = told("Ann> open words", "Bob> sit 1", f"Bob> {typed}", "Bob> play")
        assert read["Ann"].count("Bob left the table.") == 1, typed
        before, _, after = read["Bob"].rpartition("> play")
        assert "nonsense" in before or "99" in before
        assert "You have table 2 to yourself." in after and "words" in after, typed


def test_the_list_of_tables_can_be_of_rated_ones():
    lines = ("Ann> open words seats=2", "Bob> open words seats=3 rated=on")
    for typed, numbers in (("tables rated", "2"), ("tables rated open words", "2"),
                           ("tables elimination rated", "")):  # fmt: skip
        read = told(*lines, f"Ann> {typed}")["Ann"].rpartition(f"> {typed}")[2]
        assert [n for n in "12" if f" {n} words" in read] == numbers.split(), typed
        assert ("waiting, rated" in read) is bool(numbers), typed


def test_in_a_running_game_play_says_where_one_plays():
    read = told("Ann> play words", "Ann> start", "Ann> /play", people="Ann")
    assert "You are in a game at table 1. Finish it, or type leave." in read["Ann"]


def test_the_list_of_tables_can_be_of_one_game_or_of_free_seats():
    lines = ("Ann> open words seats=2", "Bob> sit 1", "Cid> open elimination")
    for typed, numbers in (
        ("tables", "1 2"), ("tables words", "1"), ("tables open", "2"), ("tables words open", ""),
    ):  # fmt: skip
        read = told(*lines, f"Cid> {typed}")["Cid"].rpartition(f"> {typed}")[2]
        assert [n for n in "12" if f" {n} words" in read or f" {n} elimination" in read] == (
            numbers.split()
        ), typed
