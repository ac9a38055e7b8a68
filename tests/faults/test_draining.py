"""A door is drained, or ended without a game server: real processes, real sockets."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mudserver.__main__ import main
from mudserver.wall import texts
from tests.faults.test_game_server import READY_S, House, house
from tests.proofs.rawtelnet import RawTelnet

LISTENERS = ("--ssh", "", "--telnet", "127.0.0.1:0")
END_S = 10.0
LAUNCHER = Path(__file__).parents[1] / "mudserver" / "ops" / "activated.py"


def guest_at(here: House) -> tuple[RawTelnet, int]:
    """Somebody in the lobby behind a new door, and the port of the door."""
    ready = here.start("door", *LISTENERS)
    port = int(re.fullmatch(r"ready telnet=127\.0\.0\.1:(\d+)\n", ready)[1])
    guest = RawTelnet(port, "guest")
    guest.wait_for("Name: ")
    guest.type("guest")
    guest.wait_for("lobby> ")
    return guest, port


def test_a_door_is_drained_and_one_without_a_game_server_ends(tmp_path, capsys):
    with house(tmp_path) as here:
        here.start("game")
        guest, port = guest_at(here)
        data = ["--data", str(tmp_path / "data")]
        assert 0 == main(["drain", "door-1", "--within", "2s", *data])
        said = "accepting nobody any more; 1 connection left, and the end in 2 s\n"
        assert said == capsys.readouterr().out
        guest.wait_for("This connection ends in [12] seconds?, because a part of the server")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), 1)
        guest.wait_for(texts.DOOR_CLOSES.split(".")[0])
        assert 0 == here.processes["door"].wait(READY_S)
        assert 1 == main(["drain", "door-1", *data])
        assert "no door 1 runs in" in capsys.readouterr().err

        guest, _ = guest_at(here)
        here.kill("game")
        began_s = time.monotonic()
        here.processes["door"].terminate()
        guest.wait_for(texts.DOOR_CLOSES.split(".")[0])
        assert 0 == here.processes["door"].wait(END_S)
        assert time.monotonic() - began_s < END_S
        assert "Traceback" not in (tmp_path / "door.log").read_text()


class TwoDoors:
    """Doors that take the same listening socket, as units with `Sockets=` do."""

    def __init__(self, here: House, listening: socket.socket) -> None:
        self.here, self.listening = here, listening

    def start(self, name: str) -> None:
        high = os.dup(self.listening.fileno())
        with (self.here.directory / f"door-{name}.log").open("ab") as log:
            door = subprocess.Popen(
                [sys.executable, str(LAUNCHER), "telnet", str(high), sys.executable, "-m",
                 "mudserver", "door", "--name", name, "--config", str(self.here.settings),
                 "--data", str(self.here.directory / "data"), "--ssh", ""],
                pass_fds=[high], stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        os.close(high)
        self.here.processes[f"door-{name}"] = door
        assert door.stdout is not None and door.stdout.readline().startswith("ready telnet=")


@pytest.mark.prove
def test_a_door_is_replaced_under_calls_and_nobody_is_refused_or_disconnected(tmp_path):
    with house(tmp_path) as here, socket.create_server(("127.0.0.1", 0)) as listening:
        here.start("game")
        doors, port = TwoDoors(here, listening), listening.getsockname()[1]
        data = ["--data", str(tmp_path / "data")]
        doors.start("1")
        guest = RawTelnet(port, "guest")
        guest.wait_for("Name: ")
        guest.type("guest")
        guest.wait_for("lobby> ")
        doors.start("2")
        assert 0 == main(["drain", "1", *data])
        for _ in range(20):
            caller = RawTelnet(port, "caller")
            caller.wait_for("Name: ")
            caller.socket.close()
        guest.forget()
        guest.type("who")
        guest.wait_for("1 person is here")
        assert here.processes["door-1"].poll() is None
        guest.type("quit")
        assert 0 == here.processes["door-1"].wait(READY_S)
        assert 0 == main(["status", "--door", "2", *data])


@pytest.mark.parametrize("typed", ["", "0s", "12", "8d", "soon", "-1h"])
def test_a_time_that_is_none_is_refused(typed, capsys):
    with pytest.raises(SystemExit):
        main(["drain", "1", f"--within={typed}"])
    assert "is no time from 1s to 7d" in capsys.readouterr().err
