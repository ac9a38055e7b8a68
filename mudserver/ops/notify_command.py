"""Starts the host's command for each notice that leaves the server.

Rule 1: no shell, nothing of the server's environment, and no file but standard input, which is one
        JSON object.
Rule 2: AT_ONCE processes at most, of which none lasts longer than TIMEOUT_S; QUEUE_MAX notices
        wait, and a further one drops the oldest.  A notice that fails is not tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque

import msgspec

from mudserver import metrics
from mudserver.config.schema import NotifyConfig
from mudserver.service.notices import OutsideNotice

AT_ONCE = 2
TIMEOUT_S = 10.0
QUEUE_MAX = 1_000
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}

log = logging.getLogger(__name__)


class NotifyCommand:
    def __init__(self, config: NotifyConfig) -> None:
        self.config = config
        self._queue = deque[bytes]()
        self._workers = set[asyncio.Task[None]]()
        self._is_closed = False

    @property
    def is_on(self) -> bool:
        return bool(self.config.command)

    def put(self, notice: OutsideNotice) -> None:
        """Never waits, never fails."""
        if self._is_closed or not self.is_on:
            return
        if len(self._queue) >= QUEUE_MAX:
            self._queue.popleft()
            metrics.NOTICES.increment("dropped")
        self._queue.append(msgspec.json.encode(notice))
        if len(self._workers) < AT_ONCE:
            worker = asyncio.create_task(self._work(), name="notify")
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        while self._queue and self.is_on:
            failure = await self._send(self._queue.popleft())
            if failure:
                log.warning("notice not sent why=%s", failure)
            metrics.NOTICES.increment("failed" if failure else "sent")

    async def _send(self, notice: bytes) -> str:
        """Why it was not sent; "": it was."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.config.command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL,
                env=ENVIRONMENT, cwd="/", start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as exc:
            return f"cannot start: {type(exc).__name__}"
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await process.communicate(notice)
        except TimeoutError:
            return f"no end within {TIMEOUT_S:.0f} s"
        finally:
            await _end(process)
        return f"exit status {process.returncode}" if process.returncode else ""

    async def close(self) -> None:
        """End what runs; what waits is not sent."""
        self._is_closed = True
        self._queue.clear()
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)


async def _end(process: Process) -> None:
    """With all that it has started, if it still runs."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
