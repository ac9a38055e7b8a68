"""A game server with a standby, under an SSH connection that a door holds: real processes."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path

import asyncssh
import pytest

from tests.faults.test_game_server import House, house, until_heard
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


@pytest.mark.parametrize("who", slow_cases(["first", "second"], ["first"]))
def test_a_standby_takes_over_with_the_settings_of_now(tmp_path, who):
    """Whichever hears SIGHUP: the server that has them reloads, and the standby begins again."""
    with house(tmp_path) as here:
        here.start("game", name="first")
        assert here.start("game", name="second").startswith("standby of=")
        assert "standby ready\n" == here.hears("second")
        good = here.settings.read_text()
        here.settings.write_text(good + '\n[server]\nname = ""\n')  # no name
        here.processes["second"].send_signal(signal.SIGHUP)
        log = tmp_path / "game.log"
        until(lambda: "reload failed, configuration unchanged" in log.read_text())
        assert here.processes["second"].poll() is None
        here.settings.write_text(good + '\n[server]\nname = "Elsewhere"\n')
        here.processes[who].send_signal(signal.SIGHUP)
        assert here.hears("second").startswith("standby of=")
        assert "standby ready\n" == here.hears("second")
        here.kill("first")
        assert here.hears("second").startswith("ready game=")
        shown = json.loads(here.ask("status", "--json").stdout)
        assert "Elsewhere" == shown["name"]
        assert 0 == here.stop("second")
