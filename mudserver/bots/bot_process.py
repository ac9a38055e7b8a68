"""One process of computer players, as the server uses it: three pipes and its end.

Rule 1: after the first `ProcessLost` a process is killed and replaced, never used again.
Rule 2: it gets the data files of the games and its questions, and nothing else of the server.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

import msgspec

from mudserver.bots.codec import (
    LENGTH_BYTES,
    REPLY_BYTES_MAX,
    FrameTooLong,
    Reply,
    body_length,
    decode_reply,
)

ENVIRONMENT = {"PYTHONHASHSEED": "0"}
START_S = 20.0  # from exec to ready
STDERR_WAIT_S = 1.0  # for the rest of stderr after a process has ended
STDERR_BYTES_MAX = 2_048  # of stderr, kept for the log


class ProcessLost(Exception):
    """This process cannot be used any more; the text says why."""


class ProcessDied(ProcessLost):
    """The process ended by itself.  The question may not be the cause."""


class BotProcess:
    """One process with its three pipes."""

    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._questions, self._answers = process.stdin, process.stdout
        self._stderr_tail = b""
        self._stderr_task = asyncio.create_task(self._read_stderr(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str], files: bytes) -> BotProcess:
        """A process that has the *files* and is ready.  ProcessLost: not within START_S."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT,
                start_new_session=True,  # no terminal, and no Ctrl-C that was meant for the server
            )  # fmt: skip
        except OSError as exc:
            raise ProcessLost(f"cannot start: {exc}") from None
        child = cls(process)
        try:
            async with asyncio.timeout(START_S):
                child._questions.write(files)
                await child._reply()
        except BaseException as exc:
            await child.kill()
            if isinstance(exc, ProcessLost | TimeoutError):
                raise ProcessLost(f"no start: {exc}; stderr={child.last_stderr_line!r}") from None
            raise
        return child

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def last_stderr_line(self) -> str:
        """The last line on its standard error, cut."""
        lines = self._stderr_tail.decode("utf-8", "replace").split("\n")
        return next((line[:200] for line in reversed(lines) if line.strip()), "")

    async def request(self, frame: bytes) -> Reply:
        try:
            self._questions.write(frame)
            await self._questions.drain()
        except (ConnectionError, RuntimeError):
            raise ProcessDied("died") from None
        return await self._reply()

    async def _reply(self) -> Reply:
        try:
            head = await self._answers.readexactly(LENGTH_BYTES)
            body = await self._answers.readexactly(body_length(head, REPLY_BYTES_MAX))
            return decode_reply(body)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise ProcessDied("died") from None
        except (FrameTooLong, msgspec.MsgspecError) as exc:
            raise ProcessLost(f"nonsense: {type(exc).__name__}") from None

    async def _read_stderr(self, errors: asyncio.StreamReader) -> None:
        while data := await errors.read(STDERR_BYTES_MAX):
            self._stderr_tail = (self._stderr_tail + data)[-STDERR_BYTES_MAX:]

    async def kill(self) -> None:
        """Kill the process and wait for its end."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._questions.close()
        await self._process.wait()
        # Its stderr ends with it, unless it has started processes of its own.
        await asyncio.wait([self._stderr_task], timeout=STDERR_WAIT_S)
        self._stderr_task.cancel()
