"""A person at a real client: a program on a pseudo-terminal, its screen read by an emulator.

Rule 1: nothing here knows the server; it types, waits and looks, as a person does.
Rule 2: waiting ends with the bytes that were waited for, or with an error after PATIENCE_S.
Rule 3: a client has gone when its terminal is read to the end.  A process may be dead while its
        last words still wait in the terminal.
"""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import ClassVar

import pexpect
import pyte

from tests import few_words
from tests.forked import Forked

PATIENCE_S = 30.0  # on a busy machine
START_S = 60.0  # a server on a busy machine
END_S = 10.0  # from SIGTERM to the end of a process
READ_BYTES = 65_536
THIS = (sys.executable, "-m", "mudserver")  # what the tests stand beside


class Server:
    """`mudserver serve` as a process of its own, with few words or with all that are shipped."""

    PROGRAM: ClassVar[tuple[str, ...]] = THIS
    COMMAND: ClassVar[str] = "serve"

    def __init__(self, data: Path, *extra: str, has_all_words: bool = False) -> None:
        self.data, self.extra, self.has_all_words = data, extra, has_all_words
        self.ssh_port = self.telnet_port = self.tls_port = 0
        self.process: subprocess.Popen[str] | Forked | None = None

    def start(self) -> Server:
        self.process = self.begun(
            *(self.COMMAND, "--data", str(self.data)),
            *("--ssh", f"127.0.0.1:{self.ssh_port}"),
            *("--telnet", f"127.0.0.1:{self.telnet_port}"),
            *self.extra,
        )
        assert self.process.stdout is not None
        is_told = select.select([self.process.stdout], [], [], START_S)[0]
        ready = self.process.stdout.readline() if is_told else ""
        here = r"127\.0\.0\.1:(\d+)"
        found = re.fullmatch(rf"ready ssh={here} telnet={here}(?: tls={here})?\n", ready)
        assert found, f"no ready line but {ready!r}; see {self.log_text()}"
        self.ssh_port, self.telnet_port, self.tls_port = (int(each or 0) for each in found.groups())
        return self

    def begun(self, *words: str) -> subprocess.Popen[str] | Forked:
        """A process of the program with a command."""
        environment = None if self.has_all_words else few_words.environment(self.data.parent)
        with (self.data.parent / "server.log").open("a") as log:
            if self.PROGRAM == THIS:
                return Forked(words, log, environment)
            command = [*self.PROGRAM, *words]
            return subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )

    @property
    def end_s(self) -> float:
        """After SIGTERM: of a server in two, the door ends first, then the game server."""
        return 2 * END_S if "--split" in self.extra else END_S

    def log_text(self) -> str:
        return (self.data.parent / "server.log").read_text("utf-8")

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)

    def stop(self, within_s: float | None = None) -> int:
        """SIGTERM; answers the exit status.  Args: within_s: None: what a server promises."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(within_s or self.end_s)


class Client:
    """One real client on a terminal of so many columns and rows."""

    running: ClassVar[list[Client]] = []

    def __init__(self, command: list[str], *, cols: int = 80, rows: int = 24, env=None) -> None:
        self.screen = pyte.HistoryScreen(cols, rows, history=5_000, ratio=0.5)
        self.stream = pyte.ByteStream(self.screen)
        self.heard = b""  # everything that came since the last `forget`
        self._unseen = b""  # the part of it that the emulator has not been fed
        self._is_at_end = False
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(rows, cols),
            timeout=PATIENCE_S,
            env=env or {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
        )
        self.child.delaybeforesend = None
        self.running.append(self)

    # -- hands ---------------------------------------------------------------------------------

    def press(self, keys: str | bytes) -> None:
        self.child.send(keys)

    def type(self, line: str) -> None:
        self.child.send(line + "\r")

    def resize(self, cols: int, rows: int) -> None:
        self._shown()
        self.child.setwinsize(rows, cols)
        self.screen.resize(rows, cols)
        self.screen.cursor.y = min(self.screen.cursor.y, rows - 1)  # pyte forgets to

    def hang_up(self) -> None:
        """Pull the plug: the client dies without a word."""
        self.child.kill(signal.SIGKILL)
        self.child.close(force=True)

    # -- eyes ----------------------------------------------------------------------------------

    def look(self, wait_s: float = 0.05) -> str:
        """Read until nothing has come for *wait_s*, and answer the screen as text."""
        while self._read(wait_s):
            pass
        return self._shown()

    def wait_for(self, pattern: str, timeout_s: float = PATIENCE_S) -> str:
        """Until the screen shows *pattern* (a regular expression), wherever its rows break."""
        end = time.monotonic() + timeout_s
        while True:
            while self._read(0):
                pass
            shown = self._shown()
            if re.search(pattern, shown) or re.search(pattern, " ".join(shown.split())):
                return shown
            left_s = end - time.monotonic()
            assert left_s > 0 and not self._is_at_end, f"never saw {pattern!r} on:\n{shown}"
            self._read(left_s)

    def wait_heard(self, pattern: str, timeout_s: float = PATIENCE_S) -> str:
        """Until *pattern* came since the last `forget`; answers all of it as plain text."""
        end = time.monotonic() + timeout_s
        while not re.search(pattern, text := plain(self.heard)):
            left_s = end - time.monotonic()
            assert left_s > 0 and not self._is_at_end, f"never heard {pattern!r} in:\n{text}"
            self._read(left_s)
        return text

    def caught_up(self) -> str:
        """What has come since the last `forget`, as plain text; waits for nothing."""
        while self._read(0):
            pass
        return plain(self.heard)

    def forget(self) -> None:
        """Drop what was heard, and nothing that has still to be read."""
        self.heard = b""

    @property
    def last_row(self) -> str:
        """The row where the cursor is."""
        self.look()
        return self.screen.display[self.screen.cursor.y].rstrip()

    def wait_closed(self, timeout_s: float = PATIENCE_S) -> int:
        """Until the client has ended by itself and all its words are read; its exit status."""
        end = time.monotonic() + timeout_s
        while not self._is_at_end:
            assert time.monotonic() < end, f"the client is still there:\n{self._shown()}"
            self._read(0.1)
        while self.child.isalive():
            assert time.monotonic() < end, "the client has let go of its terminal and stays"
        return self.child.exitstatus

    @property
    def is_terminal_restored(self) -> bool:
        """Whether the terminal echoes, edits and translates like one just opened."""
        ours, fresh = os.openpty()
        try:
            return termios.tcgetattr(fresh)[:4] == termios.tcgetattr(self.child.child_fd)[:4]
        finally:
            os.close(ours)
            os.close(fresh)

    def _read(self, wait_s: float) -> bool:
        """Take in what the terminal holds.  False: nothing came in *wait_s*, or it is the end.

        Not by pexpect: it gives a terminal up when its process is dead, words or no words.
        """
        terminal = self.child.child_fd
        if self._is_at_end or not select.select([terminal], [], [], wait_s)[0]:
            return False
        try:
            data = os.read(terminal, READ_BYTES)
        except OSError as exc:
            if exc.errno != errno.EIO:  # what Linux answers when nobody holds the other side
                raise
            data = b""
        self._is_at_end = not data
        self.heard += data
        self._unseen += data
        return bool(data)

    def _shown(self) -> str:
        half = re.search(rb"(?:\x1b(?:\[[?\d]*)?)?\Z", self._unseen)
        assert half is not None  # nothing, or the beginning of a sequence
        known, self._unseen = self._unseen[: half.start()], half[0]
        # pyte knows neither bracketed paste nor focus modes; terminals swallow them
        self.stream.feed(re.sub(rb"\x1b\[\?\d+[hl]", b"", known))
        return "\n".join(self.screen.display)


def wait_for_any(clients: list[Client], timeout_s: float = 0.05) -> None:
    """Until one of *clients* has something to read, or so long."""
    select.select([client.child.child_fd for client in clients], [], [], timeout_s)


def plain(data: bytes) -> str:
    """What was heard, without sequences and line-editing."""
    return re.sub(
        r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]2;[ -~]*\x1b\\|\r", "", data.decode("utf-8", "replace")
    )
