"""Real clients play behind a door while the game server changes three times in their games.

Rule 1: it hands over, is killed, and hands over again.  Each client has half of a play typed just
        then, and types the other half when another process has the game.
Rule 2: all clients are there at once, each at a table of its own: a change is one for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

from mudserver.ops.control_socket import send_request
from tests.certificate import certificate
from tests.e2e.client import Client, Server, plain
from tests.e2e.conftest import QUICK
from tests.e2e.servers import Door, Game
from tests.e2e.test_whole_games import KINDS, Place
from tests.programs import opening

CHANGE_S = 120  # a standby that begins, on a busy machine
HOWS = ("restart", "kill", "restart")
SAID = r"don't understand|Did you mean|may not have been taken|The server restarted|Welcome back"


class Standby(Game):
    """A game server that waits for another one to end."""

    READY = "standby of="

    def wait_ready(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        assert "standby ready\n" == self.process.stdout.readline(), self.log_text()


class House:
    """A door, a game server and its standby, each a process of its own."""

    def __init__(self, directory: Path) -> None:
        certificate(directory)
        (directory / "quick.toml").write_text(QUICK)
        self._place = directory / "data", "--config", str(directory / "quick.toml")
        self._active: Game = Game(*self._place).start()
        self.door: Server = Door(*self._place).start()
        self._standby = Standby(*self._place).start()

    def change(self, how: str) -> None:
        """Another process has the game afterwards, or soon."""
        self._standby.wait_ready()
        if how == "restart":
            done = send_request(self.door.data, "restart")
            assert re.match(rf"restarted: {len(KINDS)} of {len(KINDS)} sessions went on", done)
            assert self._active.process is not None
            assert 0 == self._active.process.wait(CHANGE_S)
        else:
            self._active.kill()
        self._active, self._standby = self._standby, Standby(*self._place).start()

    def stop(self) -> None:
        for each in (self.door, self._standby, self._active):
            assert 0 == each.stop(CHANGE_S)
        assert "Traceback" not in self.door.log_text()


class Hands(Random):
    """Choose a play, and type half of it before each change; the rest is for who asked.

    Args:
        all_meet: Returns when every client has come so far, and the game server has changed.
    """

    def __init__(self, client: Client, all_meet: Callable[[], object]) -> None:
        super().__init__(1)
        self._client, self._all_meet = client, all_meet
        self.changes = 0
        self._heard, forget = list[str](), client.forget
        client.forget = lambda: (self._heard.append(plain(client.heard)), forget())

    def choice(self, plays: Sequence[str]) -> str:
        play = super().choice(plays)
        if self.changes == len(HOWS):
            return play
        self.changes += 1
        half = len(play) // 2
        self._client.press(play[:half])
        self._client.look(0.3)  # it may have come by then
        self._all_meet()
        return play[half:]

    def heard(self) -> str:
        return "".join(self._heard) + plain(self._client.heard)


@pytest.fixture
def house(tmp_path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    for client in Client.running:
        client.hang_up()
    made.stop()


@pytest.mark.prove
def test_real_clients_play_on_while_their_game_server_changes(house, tmp_path, make_key):
    hows = iter(HOWS)
    clients = [
        (kind, kind.arrive(Place(house.door, tmp_path, make_key(f"key-{number}"))))
        for number, kind in enumerate(KINDS.values())
    ]
    meeting = Barrier(len(clients), lambda: house.change(next(hows)), timeout=10 * CHANGE_S)

    def play(kind, client: Client) -> None:
        try:
            hands = Hands(client, meeting.wait)
            assert "Game over: " in kind.play(client, opening("elimination"), hands)
            assert len(HOWS) == hands.changes
            assert not (said := re.search(SAID, hands.heard())), said
        except BaseException:
            meeting.abort()
            raise

    with ThreadPoolExecutor(len(clients)) as pool:
        for playing in [pool.submit(play, *each) for each in clients]:
            playing.result()
    for kind, client in clients:
        client.press(kind.last_keys)
        assert 0 == client.wait_closed()
        assert client.is_terminal_restored
