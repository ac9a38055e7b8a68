"""The game server dies under an SSH connection that a door holds: real processes, real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import asyncssh

from tests import few_words
from tests.forked import Forked, run_forked
from tests.proofs.crash_run import SETTINGS_FOR_SPEED

READY_S = 30.0


class House:
    """A door and a game server, each a process of its own, over one data directory; with few words
    or with all that are shipped."""

    def __init__(self, directory: Path, *, has_all_words: bool = False) -> None:
        self.directory, self.program = directory, "mudserver"  # the module that is run
        self._has_all_words = has_all_words
        self.settings = directory / "quick.toml"
        self.settings.write_text(SETTINGS_FOR_SPEED)
        self.processes: dict[str, subprocess.Popen[str] | Forked] = {}

    def start(self, command: str, *options: str, name: str = "") -> str:
        """Start a process; the first line that it says.

        Args:
            name: For `kill` and `stop`; the command, if it is "".
        """
        with (self.directory / f"{command}.log").open("ab") as log:
            process = self._begun(self._words(command, options), log)
        self.processes[name or command] = process
        return self.hears(name or command)

    def _begun(self, words: Sequence[str], log: IO[bytes]) -> subprocess.Popen[str] | Forked:
        """In a group of its own, as a terminal makes it.  How the processes of `serve --split`
        begin and end is what its tests look at."""
        if self.program == "mudserver" and words[0] != "serve":
            return Forked(words, log, self._environment(), has_own_group=True)
        return subprocess.Popen(
            [sys.executable, "-m", self.program, *words], env=self._environment(),
            stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
        )  # fmt: skip

    def _words(self, command: str, options: Sequence[str]) -> list[str]:
        data = str(self.directory / "data")
        return [command, "--config", str(self.settings), "--data", data, *options]

    def _environment(self) -> dict[str, str] | None:
        return None if self._has_all_words else few_words.environment(self.directory)

    def hears(self, name: str) -> str:
        """The next line that a process says."""
        stdout = self.processes[name].stdout
        assert stdout is not None
        return stdout.readline()

    def ask(self, command: str, *options: str) -> subprocess.CompletedProcess[str]:
        """Run a command over the same data to its end."""
        return run_forked(self._words(command, options), self._environment(), READY_S)

    def kill(self, command: str) -> None:
        self.processes[command].send_signal(signal.SIGKILL)
        self.processes[command].wait()

    def stop(self, command: str) -> int:
        self.processes[command].terminate()
        return self.processes[command].wait(15)


@contextlib.contextmanager
def house(directory: Path, *, has_all_words: bool = False) -> Iterator[House]:
    made = House(directory, has_all_words=has_all_words)
    try:
        yield made
    finally:
        for process in made.processes.values():
            with contextlib.suppress(OSError):  # it leads no group, or has ended
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.wait(READY_S)


async def until_heard(process: asyncssh.SSHClientProcess[bytes], wanted: str) -> str:
    heard = b""
    async with asyncio.timeout(READY_S):
        while not re.search(wanted, heard.decode("utf-8", "replace")):
            heard += await process.stdout.read(65_536)
    return heard.decode("utf-8", "replace")


def test_the_game_server_is_killed_and_an_ssh_connection_stays(tmp_path):
    with house(tmp_path) as here:
        assert re.fullmatch(r"ready game=\S+game\.sock\n", here.start("game"))
        ready = here.start("door", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
        port = int(re.match(r"ready ssh=127\.0\.0\.1:(\d+) telnet=", ready)[1])
        asyncio.run(_play_on(here, port))
        assert 0 == here.stop("game")
        assert not os.path.exists(tmp_path / "data" / "game.sock")
        assert 0 == here.stop("door")


async def _play_on(here: House, port: int) -> None:
    client = await asyncssh.connect(
        "127.0.0.1", port, username="guest", known_hosts=None, client_keys=None, agent_path=None,
        config=None,
    )  # fmt: skip
    process = await client.create_process(encoding=None, term_type="xterm", term_size=(80, 24))
    await until_heard(process, "lobby> ")
    process.stdin.write(b"set theme mono\r")
    await until_heard(process, "mono")
    for _ in range(2):
        process.stdin.write(b"wh")
        await until_heard(process, "wh")
        here.kill("game")
        process.stdin.write(b"o\r")
        await until_heard(process, "One moment: the server restarts")
        await asyncio.to_thread(here.start, "game")
        heard = await until_heard(process, r"guest1 +lobby")
        assert "1 person is here" in heard
        assert "Welcome" not in heard and "guest2" not in heard
    process.stdin.write(b"set theme\r")
    await until_heard(process, "mono")
    process.stdin.write(b"quit\r")
    await asyncio.wait_for(process.wait_closed(), READY_S)
    client.close()
    await client.wait_closed()
