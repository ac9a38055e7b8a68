"""The full screen with the real `ssh`: a whole game, and the terminal afterwards."""

from __future__ import annotations

import random
import re
import time

import pytest

from tests.e2e.client import Client, ssh, telnet
from tests.e2e.conftest import come_in

GAMES = ("elimination", "stockpile", "words")
ON, OFF = b"\x1b[?1049h", b"\x1b[?1049l"


def in_full(server, **size) -> Client:
    """`ssh -t guest@host screen`."""
    options = ("-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "IdentityAgent=none",
               "-o", f"UserKnownHostsFile={server.data.parent / 'known_hosts'}",
               "-o", "PubkeyAuthentication=no", "-o", "LogLevel=ERROR")  # fmt: skip
    place = ("-p", str(server.ssh_port), "guest@127.0.0.1", "screen")
    client = Client(["ssh", "-t", *options, *place], **size)
    client.wait_for(r"Lobby │ .* │ F1 help\s+lobby>")
    return client


def bar(client: Client) -> str:
    return client.look().splitlines()[-2]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_in_it(server, game):
    client, rng = in_full(server, cols=120, rows=40), random.Random(4)
    few = " max_rounds=1" if game == "words" else ""
    client.type(f"open {game} pace=instant{few}")
    client.wait_for(r"No game runs here now")
    client.type("bot")
    client.wait_for(r"sits down, a computer")
    client.type("start")
    end = time.monotonic() + 150
    while "The game is over" not in (now := bar(client)):
        assert time.monotonic() < end, client.look()
        if " You are " not in now and " You may " not in now:
            continue
        client.type("/clear")  # so that the list below is the one asked for
        client.type("/moves")
        shown = client.wait_for(r"At any time|The game is over")
        found = re.findall(r"(?m)^- (.+?)\s*│", shown)
        quick = [play for play in found if play in ("done", "pass", "end round", "draw")]
        if found:
            client.type(rng.choice(quick or found))
            client.look(0.15)
    client.type("/clear")
    client.type("quit")
    client.wait_closed()
    assert client.heard.count(ON) == client.heard.count(OFF) == 1
    assert "failed" not in server.log_text()


def test_it_goes_on_and_off_and_is_left_on_every_way_out(server):
    client = ssh(server, "guest")
    client.wait_for(r"lobby> ")
    client.type("screen on")
    client.wait_for(r"Lobby │")
    client.press("half a li")
    client.wait_for(r"lobby> half a li")
    client.resize(40, 12)
    client.wait_for(r"lobby> half a li")
    client.press("\x03")
    client.type("screen off")
    client.wait_for(r"screen is now off\.\s+lobby>")
    assert client.heard.endswith(b"lobby> ")
    client.type("screen on")
    client.wait_for(r"Lobby │")
    client.press("\x04")
    client.wait_closed()
    assert client.heard.rindex(OFF) > client.heard.rindex(ON)
    assert b"Goodbye" in client.heard[client.heard.rindex(OFF) :]


def test_a_client_of_whole_lines_reads_why_not(server):
    client = come_in(telnet(server), "bea")
    client.type("screen on")
    client.wait_for(r"screen is now on|Your client sends whole lines")
    client.type("quit")
    client.wait_closed()


def test_a_dropped_line_is_forgotten_and_the_next_one_comes_in(server):
    client = in_full(server)
    client.type("open elimination")
    client.wait_for(r"No game runs here now")
    client.hang_up()
    again = in_full(server)
    again.type("quit")
    again.wait_closed()
    assert "failed" not in server.log_text()
