"""A game server with a standby, under an SSH connection that a door holds: real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import asyncssh
import pytest

from tests.faults.test_game_server import READY_S, House, house, until_heard
from tests.hostile.attack import until
from tests.slow_cases import slow_cases

DONE = r"restarted: 1 of 1 sessions went on, gap \d\.\d\d s\n"


def test_nobody_notices_a_planned_restart(tmp_path):
    play(tmp_path, is_long=False)


@pytest.mark.prove
def test_nobody_notices_that_a_server_is_killed_or_gets_sigterm_while_a_standby_waits(tmp_path):
    play(tmp_path, is_long=True)


def play(tmp_path: Path, *, is_long: bool) -> None:
    with house(tmp_path) as here:
        assert here.start("game", name="first").startswith("ready game=")
        ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        port = int(re.match(r"ready ssh=127\.0\.0\.1:(\d+) telnet=", ready)[1])
        assert f"standby of={tmp_path}/data\n" == here.start("game", name="second")
        assert "standby ready\n" == here.hears("second")
        asyncio.run(_play_on(here, port, is_long=is_long))
        log = (tmp_path / "game.log").read_text()
        assert "Traceback" not in log
        assert 0 == here.stop("first" if is_long else "second")
        assert 0 == here.stop("door")


async def _play_on(here: House, port: int, *, is_long: bool) -> None:
    client = await asyncssh.connect(
        "127.0.0.1", port, username="guest", known_hosts=None, client_keys=None, agent_path=None,
        config=None,
    )  # fmt: skip
    process = await client.create_process(encoding=None, term_type="xterm", term_size=(80, 24))
    await until_heard(process, "lobby> ")
    process.stdin.write(b"wh")
    await until_heard(process, "wh")
    done = await asyncio.to_thread(here.ask, "restart")
    assert re.fullmatch(DONE, done.stdout), done
    process.stdin.write(b"o\r")
    heard = await until_heard(process, r"guest1 +lobby")
    assert "1 person is here" in heard
    assert "Welcome" not in heard
    assert here.hears("second").startswith("ready game=")
    assert 0 == here.processes["first"].wait(15)
    if not is_long:
        await _leave(client, process)
        return
    refused = await asyncio.to_thread(here.ask, "status", "--standby-ready")
    assert (1, "standby none\n") == (refused.returncode, refused.stdout)
    assert here.start("game", "--standby", "only", name="first").startswith("standby of=")
    assert "standby ready\n" == here.hears("first")
    process.stdin.write(b"wh")
    await until_heard(process, "wh")
    here.kill("second")
    process.stdin.write(b"o\r")
    assert "1 person is here" in await until_heard(process, r"guest1 +lobby")
    assert here.hears("first").startswith("ready game=")

    assert here.start("game", name="second").startswith("standby of=")
    assert "standby ready\n" == here.hears("second")
    here.processes["first"].send_signal(signal.SIGTERM)  # hands over, too
    assert here.hears("second").startswith("ready game=")
    process.stdin.write(b"who\r")
    assert "1 person is here" in await until_heard(process, r"guest1 +lobby")
    assert 0 == await asyncio.to_thread(here.processes["first"].wait, 15)
    assert here.start("game", name="first").startswith("standby of=")
    await _leave(client, process)


async def _leave(
    client: asyncssh.SSHClientConnection, process: asyncssh.SSHClientProcess[bytes]
) -> None:
    process.stdin.write(b"quit\r")
    await asyncio.wait_for(process.wait_closed(), 30)
    client.close()
    await client.wait_closed()


def test_a_server_that_shall_not_wait_or_not_be_the_first_says_so(tmp_path):
    with house(tmp_path) as here:
        first = here.ask("game", "--standby", "only")
        assert (1, "") == (first.returncode, first.stdout)
        assert "start the first one without --standby only" in first.stderr
        here.start("game")
        second = here.ask("game", "--standby", "never")
        assert (1, "") == (second.returncode, second.stdout)
        assert "is in use by another server" in second.stderr
        assert 0 == here.stop("game")


@contextlib.contextmanager
def listening(name: Path) -> Iterator[list[str]]:
    """A service manager: what it has been told."""
    words = list[str]()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(name))

        def listen() -> None:
            while word := told.recv(4_096):
                words.append(word.decode())

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield words
        finally:
            told.sendto(b"", str(name))
            listener.join()


def hears_beyond(line: str, here: House) -> str:
    """What the standby says next, but for *line*: it may not be ready for long."""
    said = f"{line}\n"
    while said == f"{line}\n":
        said = here.hears("second")
    return said


@pytest.mark.parametrize("who", slow_cases(["first", "second"], ["first"]))
def test_a_standby_takes_over_with_the_settings_of_now(tmp_path, who, monkeypatch):
    """Whichever hears SIGHUP: the server that has them reloads, and the standby begins again.  The
    service manager would kill what does not feed its watchdog."""
    with house(tmp_path) as here, listening(tmp_path / "notify") as words:
        here.start("game", name="first")
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")
        assert here.start("game", name="second").startswith("standby of=")
        log = tmp_path / "game.log"
        until(lambda: "standby there" in log.read_text(), READY_S)
        good = here.settings.read_text()
        here.settings.write_text(good + '\n[server]\nname = ""\n')  # no name
        here.processes["second"].send_signal(signal.SIGHUP)
        until(lambda: "reload failed, configuration unchanged" in log.read_text(), READY_S)
        assert here.processes["second"].poll() is None
        here.settings.write_text(good + '\n[server]\nname = "Elsewhere"\n')
        here.processes[who].send_signal(signal.SIGHUP)
        assert "standby of=" in hears_beyond("standby ready", here)
        until(lambda: 2 == words.count("STATUS=starting"), READY_S)
        begun = len(words) - words[::-1].index("STATUS=starting")
        assert "WATCHDOG=1" == words[begun - 2]  # just before it begins again
        until(lambda: {"WATCHDOG=1", "READY=1\nSTATUS=standby"} < set(words[begun:]), READY_S)
        here.kill("first")
        assert "ready game=" in hears_beyond("standby ready", here)
        until(lambda: "STATUS=taking over" in words, READY_S)
        until(lambda: "WATCHDOG=1" in words[words.index("STATUS=taking over") :], READY_S)
        shown = json.loads(here.ask("status", "--json").stdout)
        assert "Elsewhere" == shown["name"]
        assert 0 == here.stop("second")
