"""From the first line of a real client to the first question of a game, as a newcomer gets there.

Rule 1: a newcomer knows nothing; each line that is typed was read on the screen before.
Rule 2: the server is as shipped, with its own pace; how long it took is printed and not judged.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from mudserver.accounts.names import COMPUTER_NAMES
from tests.e2e import clients
from tests.e2e.client import Client, Server, plain, wait_for_any
from tests.prompts import YOUR_TURN
from variants.catalogue import CATALOGUE

LINES_MAX = 3
GAME_S = 60.0  # until the first question, on a busy machine
MANY_GUESTS = '[sources]\nexempt = ["127.0.0.0/8"]\n'


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A server as shipped, but for the number of guests from one address."""
    directory = tmp_path_factory.mktemp("shipped")
    (directory / "mudserver.toml").write_text(MANY_GUESTS)
    config = ("--config", str(directory / "mudserver.toml"))
    server = Server(directory / "data", *config, has_all_words=True).start()
    yield server
    assert 0 == server.stop()


def ssh(server: Server) -> Client:
    return clients.ssh(server, "guest")


def telnet(server: Server) -> Client:
    """The login asks for what `ssh guest@host` has said already."""
    client = clients.telnet(server)
    client.wait_heard(r"\bor guest\b[\s\S]*Name: $")
    client.type("guest")
    return client


class Newcomer:
    """One who wants to play *game*, and has typed what the screen said."""

    def __init__(self, come: Callable[[Server], Client], server: Server, game: str) -> None:
        self.since_s = time.monotonic()
        self.client, self.game, self.typed = come(server), game, list[str]()
        self.reads_and_types(r"(?m)^\s*(play)\s{2,}")  # a row of the welcome
        self.reads_and_types(rf"Which game\?[^\n]*\b(\d) {game}\b")
        self.reads_and_types(r"\bType\s+(start)\s+to\s+begin\s+now")

    def reads_and_types(self, pattern: str) -> None:
        text = self.client.wait_heard(rf"{pattern}[\s\S]*> $")
        found = re.search(pattern, text)
        assert found is not None
        self.client.forget()
        self.client.type(found[1])
        self.typed.append(found[1])

    @property
    def is_asked(self) -> bool:
        return self.client.caught_up().endswith(YOUR_TURN)

    def others(self) -> list[str]:
        """Who plays with the newcomer, by what the start of the game said."""
        text = " ".join(plain(self.client.heard).split())
        started = re.search(rf"The game starts: {self.game}\. (guest\d+), ([^.]+)\.", text)
        assert started is not None, text
        return started[2].split(", ")


@pytest.mark.prove  # computer players think for 20 s; test_seats.py gets as far as the start
@pytest.mark.parametrize("come", [ssh, telnet])
def test_a_newcomer_is_asked_in_a_game_after_three_typed_lines(shipped, come):
    """All games at once: most of the time the computer players before the newcomer think."""
    waiting = [Newcomer(come, shipped, game) for game in CATALOGUE]
    while waiting:
        for one in [each for each in waiting if each.is_asked]:
            waiting.remove(one)
            seconds = time.monotonic() - one.since_s
            assert len(one.typed) <= LINES_MAX
            assert one.others() and set(one.others()) <= set(COMPUTER_NAMES["easy"])
            lines = ", ".join(one.typed)
            print(f"\n{come.__name__}, {one.game}: {lines}; asked after {seconds:.1f} s")
        assert all(time.monotonic() < each.since_s + GAME_S for each in waiting), [
            each.client.caught_up() for each in waiting
        ]
        if waiting:
            wait_for_any([each.client for each in waiting])
