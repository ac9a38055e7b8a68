"""A door is drained, or ended without a game server: real processes, real sockets."""

from __future__ import annotations

import re
import socket
import time

import pytest

from mudserver.__main__ import main
from mudserver.wall import texts
from tests.faults.test_game_server import READY_S, House, house
from tests.proofs.rawtelnet import RawTelnet

LISTENERS = ("--ssh", "", "--telnet", "127.0.0.1:0")
END_S = 10.0


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
        guest.wait_for(texts.NOT_BACK.split(".")[0])
        assert 0 == here.processes["door"].wait(END_S)
        assert time.monotonic() - began_s < END_S
        assert "Traceback" not in (tmp_path / "door.log").read_text()


@pytest.mark.parametrize("typed", ["", "0s", "12", "8d", "soon", "-1h"])
def test_a_time_that_is_none_is_refused(typed, capsys):
    with pytest.raises(SystemExit):
        main(["drain", "1", f"--within={typed}"])
    assert "is no time from 1s to 7d" in capsys.readouterr().err
