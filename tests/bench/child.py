"""Processes of the bench, and the pipe by which one has another do something.

Rule 1: a line of JSON asks, a line of JSON answers; a child does one thing at a time.
Rule 2: a child ends with its pipe, so that nothing outlives the bench.
Rule 3: who is measured says what it spent: CPU and memory are read in the process itself.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from tests.memory import resident_kib

SENT = "sent at {:.4f}."  # seconds on the clock that all processes share


class Child:
    """A process that runs a module which ends in `asyncio.run(obey(...))`."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process = subprocess.Popen(
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, verb: str, *arguments: Any) -> Any:
        """What the child's method of this name answers."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([verb, *arguments]), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self._module} ended over {verb}; its words are above")
        return json.loads(answer)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It does not run meanwhile, so that waking it costs whoever writes to it nothing."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class Gauge:
    """What every server under measurement tells about itself."""

    def cpu_s(self) -> float:
        return time.process_time()

    async def rested_s(self, pause_s: float = 0.005) -> float:
        """The CPU seconds, once all that has come in is dealt with."""
        for _ in range(3):
            await asyncio.sleep(pause_s)
        return time.process_time()

    def rss_kib(self) -> float:
        """Resident memory, once what can be freed is freed."""
        gc.collect()
        return resident_kib()


async def obey(worker: object) -> None:
    """Let the pipe call the public methods of *worker*, until it closes."""
    reader = asyncio.StreamReader(limit=1 << 22)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        verb, *arguments = json.loads(line)
        answer = getattr(worker, verb)(*arguments)
        if inspect.isawaitable(answer):
            answer = await answer
        print(json.dumps(answer), flush=True)
