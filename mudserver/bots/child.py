"""One process full of computer players, seen from the server: three pipes and how it ends.

Rule 1: a process is of use until the first `Lost`; then it is ended and replaced, never mended.
Rule 2: it is handed the files of the games and its questions, and nothing of the server's own.
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
    read_reply,
)

ENVIRONMENT = {"PYTHONHASHSEED": "0"}
START_S = 20.0  # from exec to ready
LISTEN_S = 1.0  # for the last words of a process that has ended
LAST_WORDS_BYTES = 2_048  # of standard error, kept for the log


class Lost(Exception):
    """This process is of no more use; the text says why."""


class Died(Lost):
    """It ended by itself.  The question may be innocent."""


class Child:
    """One process with its three pipes."""

    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self._questions, self._answers = process.stdin, process.stdout
        self._last_words = b""
        self._listening = asyncio.create_task(self._listen(process.stderr))

    @classmethod
    async def born(cls, command: Sequence[str], files: bytes) -> Child:
        """A process that has the *files* and is ready.  Lost if there is none after START_S."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT,
                start_new_session=True,  # no terminal, and no Ctrl-C meant for the server
            )  # fmt: skip
        except OSError as exc:
            raise Lost(f"cannot start: {exc}") from None
        child = cls(process)
        try:
            async with asyncio.timeout(START_S):
                child._questions.write(files)
                await child._reply()
        except BaseException as exc:
            await child.end()
            if isinstance(exc, Lost | TimeoutError):
                raise Lost(f"no start: {exc}; stderr={child.last_words!r}") from None
            raise
        return child

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The last line on its standard error, cut."""
        lines = self._last_words.decode("utf-8", "replace").split("\n")
        return next((line[:200] for line in reversed(lines) if line.strip()), "")

    async def ask(self, frame: bytes) -> Reply:
        try:
            self._questions.write(frame)
            await self._questions.drain()
        except (ConnectionError, RuntimeError):
            raise Died("died") from None
        return await self._reply()

    async def _reply(self) -> Reply:
        try:
            head = await self._answers.readexactly(LENGTH_BYTES)
            body = await self._answers.readexactly(body_length(head, REPLY_BYTES_MAX))
            return read_reply(body)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Died("died") from None
        except (FrameTooLong, msgspec.MsgspecError) as exc:
            raise Lost(f"nonsense: {type(exc).__name__}") from None

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        while data := await errors.read(LAST_WORDS_BYTES):
            self._last_words = (self._last_words + data)[-LAST_WORDS_BYTES:]

    async def end(self) -> None:
        """Kill it and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._questions.close()
        await self._process.wait()
        # Its standard error ends with it, unless it had children of its own.
        await asyncio.wait([self._listening], timeout=LISTEN_S)
        self._listening.cancel()
