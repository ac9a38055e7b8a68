"""A person at a real client: a program on a pseudo-terminal, its screen read by an emulator.

Law: nothing here knows the server; it types, waits and looks, as a person does.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pyte

PATIENCE_S = 10.0
READ_BYTES = 65_536


class Server:
    """`mudserver serve` as a process of its own."""

    def __init__(self, data: Path, *extra: str) -> None:
        self.data, self.extra = data, extra
        self.ssh_port = self.telnet_port = self.tls_port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Server:
        command = [
            *(sys.executable, "-m", "mudserver", "serve", "--data", str(self.data)),
            *("--ssh", f"127.0.0.1:{self.ssh_port}"),
            *("--telnet", f"127.0.0.1:{self.telnet_port}"),
            *self.extra,
        ]
        log = (self.data.parent / "server.log").open("a")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        ready = self.process.stdout.readline()
        here = r"127\.0\.0\.1:(\d+)"
        found = re.fullmatch(rf"ready ssh={here} telnet={here}(?: tls={here})?\n", ready)
        assert found, f"no ready line but {ready!r}; see {self.log_text()}"
        self.ssh_port, self.telnet_port, self.tls_port = (int(each or 0) for each in found.groups())
        return self

    def log_text(self) -> str:
        return (self.data.parent / "server.log").read_text("utf-8")

    def kill(self) -> None:
        """SIGKILL: no goodbye."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> int:
        """SIGTERM; answers the exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10)


class Client:
    """One real client on a terminal of so many columns and rows."""

    def __init__(self, command: list[str], *, cols: int = 80, rows: int = 24, env=None) -> None:
        self.screen = pyte.HistoryScreen(cols, rows, history=5_000, ratio=0.5)
        self.stream = pyte.ByteStream(self.screen)
        self.heard = b""  # everything that ever came
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(rows, cols),
            timeout=PATIENCE_S,
            env=env or {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
        )
        self.child.delaybeforesend = None

    # -- hands ---------------------------------------------------------------------------------

    def press(self, keys: str | bytes) -> None:
        self.child.send(keys)

    def type(self, line: str) -> None:
        self.child.send(line + "\r")

    def resize(self, cols: int, rows: int) -> None:
        self.child.setwinsize(rows, cols)
        self.screen.resize(rows, cols)
        self.screen.cursor.y = min(self.screen.cursor.y, rows - 1)  # pyte forgets to

    def hang_up(self) -> None:
        """Pull the plug: the client dies without a word."""
        self.child.kill(signal.SIGKILL)
        self.child.close(force=True)

    # -- eyes ----------------------------------------------------------------------------------

    def look(self, wait_s: float = 0.05) -> str:
        """Read what has come and answer the screen as text."""
        end = time.monotonic() + wait_s
        while True:
            try:
                data = self.child.read_nonblocking(READ_BYTES, timeout=0.02)
            except pexpect.TIMEOUT:
                data = b""
            except pexpect.EOF:
                break
            if data:
                self.heard += data
                # pyte knows neither bracketed paste nor focus modes; terminals swallow them
                self.stream.feed(re.sub(rb"\x1b\[\?\d+[hl]", b"", data))
            elif time.monotonic() >= end:
                break
        return "\n".join(self.screen.display)

    def wait_for(self, pattern: str, timeout_s: float = PATIENCE_S) -> str:
        """Until the screen shows *pattern* (a regular expression), wherever its rows break."""
        end = time.monotonic() + timeout_s
        while True:
            shown = self.look()
            if re.search(pattern, shown) or re.search(pattern, " ".join(shown.split())):
                return shown
            assert time.monotonic() < end, f"never saw {pattern!r} on:\n{shown}"

    def wait_heard(self, pattern: str, timeout_s: float = PATIENCE_S) -> None:
        """Until *pattern* came over the line since the last `forget`."""
        end = time.monotonic() + timeout_s
        while not re.search(pattern.encode(), self.heard):
            assert time.monotonic() < end, f"never heard {pattern!r}; screen:\n{self.look()}"
            self.look()

    def forget(self) -> None:
        self.look()
        self.heard = b""

    @property
    def last_row(self) -> str:
        """The row where the cursor is."""
        self.look()
        return self.screen.display[self.screen.cursor.y].rstrip()

    def wait_closed(self, timeout_s: float = PATIENCE_S) -> None:
        end = time.monotonic() + timeout_s
        while self.child.isalive():
            self.look()
            assert time.monotonic() < end, "the client is still connected"


def ssh(server: Server, name: str, *, key: Path | None = None, **size) -> Client:
    """OpenSSH `ssh name@host`, without any configuration or agent of the machine."""
    options = [
        *("-F", "/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "IdentityAgent=none"),
        *("-o", f"UserKnownHostsFile={server.data.parent / 'known_hosts'}"),
        *("-o", "IdentitiesOnly=yes", "-o", "LogLevel=ERROR"),
        *(("-i", str(key)) if key else ("-o", "PubkeyAuthentication=no")),
    ]
    command = ["ssh", *options, "-p", str(server.ssh_port), f"{name}@127.0.0.1"]
    return Client(command, **size)


def telnet(server: Server, **size) -> Client:
    """inetutils `telnet`."""
    return Client(["telnet", "127.0.0.1", str(server.telnet_port)], **size)


def netcat(server: Server, **size) -> Client:
    return Client(["nc", "127.0.0.1", str(server.telnet_port)], **size)
