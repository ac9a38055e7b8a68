"""Every real client plays every game to its end, goes home, and leaves the terminal as it was.

Rule 1: each client is seen once in the ordinary tests, all games among them; `prove` has them all.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.e2e import clients
from tests.e2e.client import Client, Server
from tests.e2e.conftest import PASSWORD, come_in, fresh
from tests.e2e.player import Play, by_lines, by_panes
from tests.programs import BOT_FILE, opening
from tests.prompts import LOBBY
from variants.catalogue import CATALOGUE

ON, OFF = b"\x1b[?1049h", b"\x1b[?1049l"
GAME_S = 120  # a whole one on a busy machine: a program types ten lines a second


@dataclass(frozen=True)
class Place:
    """Where a client comes in, and what it may use there."""

    server: Server
    home: Path
    key: Path


def ssh(at: Place) -> Client:
    client = clients.ssh(at.server, fresh("ann"), key=at.key)
    client.wait_heard(f"{LOBBY}$")
    return client


def full_screen(at: Place) -> Client:
    client = clients.ssh_full(at.server, fresh("ann"), key=at.key, cols=120, rows=40)
    client.wait_for(r"Lobby │ .* │ F1 help\s+lobby>")
    return client


def plink(at: Place) -> Client:
    client = clients.plink(at.server, fresh("ann"))
    client.wait_heard(r"Store key in cache\?.* $")
    client.type("n")
    for prompt in ("Choose a password: ", "Again: "):
        client.wait_heard(prompt + "$")
        client.type(PASSWORD)
    client.wait_heard(r"Press Return to begin session\. $")
    client.type("")
    client.wait_heard(f"{LOBBY}$")
    return client


def telnet(at: Place) -> Client:
    return come_in(clients.telnet(at.server), fresh("ann"))


def tintin(at: Place) -> Client:
    return come_in(clients.tintin(at.server, at.home / "tintin"), fresh("ann"))


def netcat(at: Place) -> Client:
    return come_in(clients.netcat(at.server), fresh("ann"))


def openssl(at: Place) -> Client:
    return come_in(clients.openssl(at.server), fresh("ann"))


# -- what is looked at afterwards ------------------------------------------------------------------


def nothing_more(at: Place, client: Client, game: str) -> None:
    pass


def has_left_its_screen(at: Place, client: Client, game: str) -> None:
    assert client.heard.count(ON) == client.heard.count(OFF) == 1
    assert b"Goodbye" in client.heard[client.heard.index(OFF) :]


def was_told_beside_the_text(at: Place, client: Client, game: str) -> None:
    told = [row.partition("=")[2] for row in clients.mssp(at.home / "tintin") if "GAMES=" in row]
    assert sorted(CATALOGUE) == sorted(told)
    packages = clients.gmcp(at.home / "tintin")
    by_name = {name: [data for each, data in packages if each == name] for name, _ in packages}
    assert {(game, 0)} == {(view["variant"], view["seat"]) for view in by_name["Lockdown.View"]}
    assert by_name["Lockdown.Event"]
    (over,) = by_name["Lockdown.Over"]
    assert over["text"].startswith("Game over: ")


@dataclass(frozen=True)
class Kind:
    arrive: Callable[[Place], Client]
    sample: str  # the game that it plays in the ordinary tests
    play: Play = by_lines
    last_keys: str = ""  # ends a client that stays when its line has ended
    afterwards: Callable[[Place, Client, str], None] = nothing_more


KINDS = {
    "ssh": Kind(ssh, "words"),
    "full screen": Kind(full_screen, "elimination", by_panes, afterwards=has_left_its_screen),
    "plink": Kind(plink, "stockpile"),
    "telnet": Kind(telnet, "elimination"),
    "tt++": Kind(tintin, "words", last_keys="#end\r", afterwards=was_told_beside_the_text),
    "netcat": Kind(netcat, "stockpile", last_keys="\x04"),
    "openssl": Kind(openssl, "elimination"),
}


def everything(samples: dict[str, str]) -> list:
    """All clients with all games; what is no sample belongs to the long proofs."""
    return [
        pytest.param(name, game, marks=() if game == sample else pytest.mark.prove)
        for name, sample in samples.items()
        for game in sorted(CATALOGUE)
    ]


@pytest.mark.parametrize(
    ("name", "game"), everything({name: kind.sample for name, kind in KINDS.items()})
)
def test_a_client_plays_to_the_end_and_goes_home(shared_quick_server, tmp_path, key, name, game):
    kind, at = KINDS[name], Place(shared_quick_server, tmp_path, key)
    client = kind.arrive(at)
    assert "Game over: " in kind.play(client, opening(game), Random(1))
    client.press(kind.last_keys)
    assert 0 == client.wait_closed()
    assert client.is_terminal_restored
    kind.afterwards(at, client, game)


@pytest.mark.parametrize(("name", "game"), everything({"json": "elimination"}))
def test_a_program_plays_to_the_end_and_goes_home(shared_quick_server, key, name, game):
    place = clients.ssh_options(shared_quick_server, fresh("program"), key)
    bot = subprocess.run(
        [sys.executable, str(BOT_FILE), opening(game), *place],
        capture_output=True, text=True, timeout=GAME_S,
    )  # fmt: skip
    assert (0, "") == (bot.returncode, bot.stderr)
    assert bot.stdout.startswith("Game over: ")
