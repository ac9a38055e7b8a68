"""Processes of `mudserver` that begin with all imports done: forked from one that has done them.

To import the server takes 0.7 s of processor time, and the tests start it a hundred times.

Rule 1: what is forked is a process like another: it has arguments, environment, standard files and
        an exit status of its own, and runs `mudserver` from its command line on.
Rule 2: standard input is empty.
Rule 3: tests of how a process begins, and of commands, start the interpreter themselves.
"""

from __future__ import annotations

import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
REQUEST_BYTES = 262_144  # environment and arguments


class Forked:
    """`mudserver WORDS...`, to be used as a `subprocess.Popen` whose output is text.

    Args:
        stderr: Where its log goes, an open file; None: where its output goes.
        has_own_group: As with `start_new_session`.
    """

    def __init__(
        self,
        words: Sequence[str],
        stderr: IO[Any] | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        has_own_group: bool = False,
    ) -> None:
        output, said = os.pipe()
        self._status, told = os.pipe()
        request = [list(words), dict(environment or os.environ), os.getcwd(), has_own_group]
        descriptors = [said, stderr.fileno() if stderr else said, told]
        socket.send_fds(_fork_server(), [json.dumps(request).encode()], descriptors)
        for ours in (said, told):
            os.close(ours)
        self.stdout = open(output, encoding="utf-8")  # noqa: SIM115 as Popen has it
        self.returncode: int | None = None
        self.pid = self._read()

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("mudserver", timeout or 0.0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has ended this moment
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _end(self) -> None:
        self.returncode = os.waitstatus_to_exitcode(self._read())
        os.close(self._status)

    def _read(self) -> int:
        """The next number that the fork server tells of this process: its id, then its status."""
        number = os.read(self._status, 20)
        assert number, "the fork server has ended"
        return int(number)


def run_forked(
    words: Sequence[str], environment: Mapping[str, str] | None = None, timeout: float = 60.0
) -> subprocess.CompletedProcess[str]:
    """A command that says little, to its end."""
    with tempfile.TemporaryFile("w+") as log:
        process = Forked(words, log, environment)
        status = process.wait(timeout)
        log.seek(0)
        return subprocess.CompletedProcess(words, status, process.stdout.read(), log.read())


@cache
def _fork_server() -> socket.socket:
    """The line to the one of this process.  It ends with the line."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    subprocess.Popen(
        [sys.executable, "-m", "tests.forked", str(theirs.fileno())],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
    )  # fmt: skip
    theirs.close()
    return ours


def fork_on_request(line: socket.socket) -> list[str]:
    """Fork a process for each request; returns in that process, with the words of its command."""
    waiting = selectors.DefaultSelector()
    waiting.register(line, selectors.EVENT_READ)
    while True:
        for ready, _ in waiting.select():
            if ready.fileobj is line:
                data, descriptors, _, _ = socket.recv_fds(line, REQUEST_BYTES, 3)
                if not data:
                    os._exit(0)
                said, log, told = descriptors
                if not (pid := os.fork()):
                    others = [key.fd for key in waiting.get_map().values() if key.data]
                    others += [key.data[1] for key in waiting.get_map().values() if key.data]
                    for descriptor in (*others, told, line.detach()):
                        os.close(descriptor)
                    waiting.close()
                    return _become(json.loads(data), said, log)
                os.write(told, b"%20d" % pid)
                waiting.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, told))
                for descriptor in (said, log):
                    os.close(descriptor)
            else:
                pid, told = ready.data
                os.write(told, b"%20d" % os.waitpid(pid, 0)[1])
                waiting.unregister(ready.fd)
                for descriptor in (told, ready.fd):
                    os.close(descriptor)


def _become(request: list[Any], said: int, log: int) -> list[str]:
    """Put on what the request says."""
    words, environment, directory, has_own_group = request
    for descriptor, standard in ((said, 1), (log, 2)):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    if has_own_group:
        os.setsid()
    return words


if __name__ == "__main__":
    from mudserver.__main__ import main

    for module in ("mudserver.app", "mudserver.cli.door", "mudserver.cli.serve"):
        import_module(module)
    words = fork_on_request(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = ["mudserver", *words]
    sys.exit(main(words))
