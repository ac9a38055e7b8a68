"""Lessons by real clients: the first own move of a stranger, and whole lessons on every screen.

Rule 1: a learner types what the lesson says behind `Type:`; where it says nothing, `show`.
"""

from __future__ import annotations

import re

import pytest

from tests.e2e import clients
from tests.e2e.client import Client, Server
from tests.e2e.conftest import come_back, come_in, fresh
from tests.prompts import LOBBY
from tests.slow_cases import every_second
from variants.catalogue import CATALOGUE
from variants.lesson_file import parse_lesson

LINES_MAX = 3  # from `ssh guest@host` to the first own move
INPUTS_MAX = 60  # of a whole lesson
PROMPT = re.compile(r"lesson (\d)/\d> $")


def by_ssh(server: Server) -> Client:
    client = clients.ssh(server, "guest")
    client.wait_heard(f"{LOBBY}$")
    return client


def by_telnet(server: Server) -> Client:
    client = clients.telnet(server)
    client.wait_heard(r"Name: $")
    client.type("guest")
    client.wait_heard(f"{LOBBY}$")
    return client


WAYS = {"ssh": by_ssh, "telnet": by_telnet}


@pytest.mark.parametrize("way", WAYS)
def test_a_stranger_makes_a_first_move_in_a_lesson_after_three_lines(shared_quick_server, way):
    client, typed = WAYS[way](shared_quick_server), list[str]()
    for read in (r"(?m)^\s*(learn)\s{2,}", r"Which game\? (\d) ", r"Type: (\w+)\s"):
        text = client.wait_heard(rf"{read}[\s\S]*> $")
        found = re.search(read, text)
        assert found is not None
        client.forget()
        client.type(found[1])
        typed.append(found[1])
    client.wait_heard(r"You draw the 4 of spades\.")
    assert ["learn", "1", "draw"] == typed and len(typed) <= LINES_MAX


def wanted(text: str) -> str:
    """What the last text of a lesson says is to be typed; "": it says nothing."""
    said = " ".join(text.split())
    steps = re.split(r"step \d of \d:", said)[-1]
    found = re.search(r"Type: ([a-z0-9+ ]+?)(?:,| \(| To hear| lesson \d/\d>|$)", steps)
    return found[1].strip() if found else ""


def play_lines(client: Client, game: str) -> int:
    """Play a lesson to its end; answers how many lines were typed by its words."""
    client.forget()
    client.type(f"learn {game}")
    followed = 0
    for _ in range(INPUTS_MAX):
        text = client.wait_heard(r"(?:lesson \d/\d> |Lesson finished\.[\s\S]*lobby> )$")
        if "Lesson finished." in text:
            return followed
        line = wanted(text) or "show"
        followed += line != "show"
        client.forget()
        client.type(line)
    raise AssertionError(f"{game} does not end:\n{client.caught_up()}")


@pytest.mark.parametrize(("way", "game"), every_second(WAYS, CATALOGUE))
def test_a_lesson_is_played_in_line_mode(shared_quick_server, way, game):
    assert play_lines(WAYS[way](shared_quick_server), game) > 5


@pytest.mark.parametrize("game", CATALOGUE)
def test_a_lesson_is_played_by_a_screen_reader(shared_quick_server, game):
    client = by_ssh(shared_quick_server)
    client.forget()
    client.type("screenreader on")
    client.wait_heard(f"{LOBBY}$")
    assert play_lines(client, game) > 5
    client.forget()
    client.type(f"learn {game} again")
    heard = client.wait_heard(r"To hear the table, type look[\s\S]*lesson 1/\d> $")
    assert "\x1b" not in heard


@pytest.mark.parametrize(("game", "size"), every_second(CATALOGUE, [(80, 24), (40, 24)]))
def test_a_lesson_is_played_on_the_full_screen(shared_quick_server, game, size):
    cols, rows = size
    client = clients.ssh_full(shared_quick_server, "guest", cols=cols, rows=rows)
    client.wait_for(r"lobby>")
    client.type(f"learn {game}")
    client.wait_for(r"Lesson 1 of \d")
    steps = len(parse_lesson(CATALOGUE[game].lesson).steps)
    client.type("show")
    for step in range(2, steps + 1):
        client.type("skip")
        client.wait_for(rf"Lesson {step} of {steps}")
        client.wait_for(rf"lesson {step}/{steps}>")
    client.type("skip")
    client.wait_for(r"Lesson finished\.|has advice")
    client.wait_for(r"lobby>")


def test_a_lesson_goes_on_after_a_lost_connection(shared_quick_server):
    name = fresh("ann")
    client = come_in(clients.telnet(shared_quick_server), name)
    client.type("learn words")
    client.wait_for(r"lesson 1/7> ")
    client.type("skip")
    client.wait_for(r"lesson 2/7> ")
    client.hang_up()
    again = come_back(clients.telnet(shared_quick_server), name)
    again.wait_for(r"Words, step 2 of 7: Parking")
    again.wait_for(r"lesson 2/7> ")
