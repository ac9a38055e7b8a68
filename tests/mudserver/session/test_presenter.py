"""Whose turn it is, and how long there is, in words."""

from __future__ import annotations

import json

import pytest

from mudserver.messages import EventMessage, MatchStatus, ViewMessage
from mudserver.session.json_protocol import encode, to_objects
from mudserver.session.presenter import RenderProfile, message_lines
from mudserver.ui.terminal_profile import TerminalProfile
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.elimination.events import CardDrawn, TurnStarted
from variants.elimination.game import ELIMINATION
from variants.kit.chance import SeededChance
from variants.kit.text import Style, plain_text
from variants.stockpile.events import StartedAgain
from variants.words import events as words

NAMES = ("Ann", "Juno")
READER = RenderProfile(Style(80), TerminalProfile())


def shown(**changes: object) -> ViewMessage:
    """Seat 0's view at the beginning of a game; *changes* say who is asked."""
    state = None
    for event in ELIMINATION.deal(2, {"deck": "54"}, SeededChance(bytes(32))):
        state = ELIMINATION.evolve(state, event)
    view = ELIMINATION.observe(state, 0)
    whole = {"asks": "to play", "deadline_ms": 61_000, **changes}
    return ViewMessage(1, "elimination", 0, NAMES, view, **whole)


def last_line(message: ViewMessage, *, is_fresh: bool = True) -> str:
    lines = message_lines(message, READER, 1_000, is_fresh, CATALOGUE)
    return plain_text(lines[-1]) if lines else ""


def test_a_person_who_is_to_play_is_named_with_the_time():
    assert "Waiting for Juno to play (60 s)." == last_line(shown(asked=(1,)))


def test_nobody_is_told_that_a_computer_player_is_to_play():
    assert "" == last_line(shown(asked=(1,), by_computer=(1,)))


def test_who_looks_is_told_whatever_the_table_waits_for():
    assert "Waiting for Juno to play (60 s)." == last_line(
        shown(asked=(1,), by_computer=(1,), why="look"), is_fresh=False
    )


def test_the_same_window_is_said_once():
    assert "" == last_line(shown(asked=(1,)), is_fresh=False)


@pytest.mark.parametrize(
    ("deadline_ms", "said"),
    [
        (61_000, "Your turn. You have 60 s. Type moves for a list."),
        (None, "Your turn. Type moves for a list."),
    ],
)
def test_who_is_asked_hears_the_time_and_where_the_plays_are_listed(deadline_ms, said):
    assert said == last_line(shown(asked=(0,), deadline_ms=deadline_ms))


def test_of_people_and_computers_who_are_asked_together_all_are_named():
    assert "Waiting for Ann and Juno to play (60 s)." == last_line(
        ViewMessage(1, "elimination", None, NAMES, shown().view, (0, 1), (1,), "to play", 61_000)
    )


@pytest.mark.parametrize("why", ["changed", "look"])
def test_read_aloud_who_is_asked_comes_first_and_elsewhere_last(why):
    message, aloud = (
        shown(asked=(0,), why=why),
        RenderProfile(Style(80, is_linear=True), TerminalProfile()),
    )
    status = "Your turn. You have 60 s. Type moves for a list."
    first, *_, last = [
        plain_text(row) for row in message_lines(message, aloud, 1_000, True, CATALOGUE)
    ]
    assert first == status and last.startswith("You can: ")
    blank, *_, last = [
        plain_text(row) for row in message_lines(message, READER, 1_000, True, CATALOGUE)
    ]
    assert (blank, last) == ("", status)


def told(event: object, reader: int | None, mark: str = "time") -> str:
    """The only line of an event that the clock decided for seat 0."""
    message = EventMessage(1, "elimination", reader, NAMES, event, mark, reader == 0)
    lines = message_lines(message, READER, 1_000, False, CATALOGUE)
    return plain_text(lines[-1])


def test_who_runs_out_of_time_reads_what_became_of_it():
    assert "Time is up, so you draw the 5 of clubs." == told(CardDrawn(0, "5C"), 0)
    assert "Time is up: " in told(TurnStarted(1, 3, "chosen", 0), 0)
    assert "You draw the 5 of clubs." == told(CardDrawn(0, "5C"), 0, mark="")


def test_the_others_read_a_public_mark():
    assert "Ann draws a card. (time)" == told(CardDrawn(0, None), 1)
    assert "Ann draws a card. (time)" == told(CardDrawn(0, None), None)


def test_protocol_1_has_no_event_that_is_newer():
    again = StartedAgain(Seat(0), (), (), None)
    message = EventMessage(1, "stockpile", 0, ("Ann", "Bob"), again)
    told = [list(to_objects(message, CATALOGUE, lambda view: ((), True), n)) for n in (1, 2)]
    assert [0, 1] == [len(each) for each in told]


def test_the_board_of_a_match_says_which_deal_it_is_and_a_listener_has_heard_it():
    message = shown(asked=(0,), match=MatchStatus("1.1", 2, 3, (4, 0)))
    listener = RenderProfile(Style(80, is_linear=True), TerminalProfile())
    lines = [plain_text(line) for line in message_lines(message, READER, 0, True, CATALOGUE)]
    heard = [plain_text(line) for line in message_lines(message, listener, 0, True, CATALOGUE)]
    assert "Deal 2 of 3" == lines[1] and "Deal 2 of 3" not in heard


def test_protocol_2_alone_has_the_match_of_a_view():
    message = shown(asked=(0,), match=MatchStatus("1.1", 2, 3, (4, 0)))
    (view,) = to_objects(message, CATALOGUE, lambda view: ((), True), 2)
    assert {"id": "1.1", "deal": 2, "deals": 3, "points": [4, 0]} == _read(view, 2)["match"]
    assert "match" not in _read(view, 1)


def _read(value, protocol):
    ((_, encoded),) = encode(protocol, value)
    return json.loads(encoded)


# -- turns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "is_linear", "rows"),
    [
        (1, False, ["", "Turn 3: Juno's turn."]),
        (1, True, ["Turn 3, Juno."]),
        (0, False, ["Turn 3: your turn."]),
        (0, True, ["Turn 3: your turn."]),
    ],
)
def test_turns_of_others_are_parted_by_a_blank_row_and_named_aloud(seat, is_linear, rows):
    begun = EventMessage(1, "words", 0, NAMES, words.TurnStarted(Seat(seat), 3))
    profile = RenderProfile(Style(is_linear=is_linear), TerminalProfile())
    found = [plain_text(line) for line in message_lines(begun, profile, 0, False, CATALOGUE)]
    assert rows == found
