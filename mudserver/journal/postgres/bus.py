"""What servers tell each other beside the journal: notifications, on a connection of their own.

Rule 1: nothing depends on a notification.  One that is lost is made up for by whoever looks by
        itself now and then, and is told when the bus was broken.
Rule 2: what is told within GATHER_S goes in one statement.
Rule 3: what cannot be told within the bound, or while the bus is broken, is dropped and counted;
        nobody waits.
Rule 4: after anything was dropped `on_connected` is called again, so that it is made good.
Rule 5: a server that was buried tells nothing.
Rule 6: what waits at the end is told first, within CLOSE_S: whose tables another server has now.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from mudserver.errors import JournalFencedError, JournalWriteError
from mudserver.journal.postgres.connection import connect, drop, reason

GATHER_S = 0.02
RETRY_S = 0.5  # between two attempts to connect
AGAIN_S = 1.0  # after something was dropped while the bus is there, until it is made good
WAITING_MAX = 1_000  # payloads
CLOSE_S = 1.0
NOTIFY = "select pg_notify(c, p) from unnest($1::text[], $2::text[]) as n(c, p)"

log = logging.getLogger(__name__)

Hear = Callable[[str], None]
"""Called with a payload, also with those that this server has told."""


class Bus:
    """Args:
    name: As of `connect`.
    hear: By channel; a valid identifier.
    check: JournalFencedError: this server was buried.  Args: the connection, a new one.
    """

    def __init__(
        self,
        address: str,
        name: str,
        hear: dict[str, Hear],
        check: Callable[[Any], Awaitable[None]],
    ) -> None:
        self._address, self._name, self._hear, self._check = address, name, hear, check
        self.on_connected: Callable[[], None] = lambda: None  # something may have been missed
        self.dropped = 0  # payloads [rule 3]
        self._waiting: dict[tuple[str, str], None] = {}  # the same twice is told once
        self._is_due = asyncio.Event()  # something waits, or the connection is lost
        self._is_all_told = asyncio.Event()  # nothing waits, or it cannot be told
        self._is_all_told.set()
        self._connection: Any = None
        self._is_open = False  # it listens; nothing is known yet of a loss
        self._again: asyncio.TimerHandle | None = None  # [rule 4]
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="bus")

    def tell(self, channel: str, payload: str) -> bool:
        """False: it is dropped."""
        if not self._is_open:
            self.dropped += 1
            return False
        if len(self._waiting) >= WAITING_MAX:
            self.dropped += 1
            if self._again is None:
                self._again = asyncio.get_running_loop().call_later(AGAIN_S, self._make_good)
            return False
        self._waiting[channel, payload] = None
        self._is_all_told.clear()
        self._is_due.set()
        return True

    async def close(self) -> None:
        if self._task is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._is_all_told.wait()  # rule 6
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _make_good(self) -> None:
        """Something may have been missed, or was dropped."""
        self._stop_timer()
        self.on_connected()

    def _stop_timer(self) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again = None

    async def _run(self) -> None:
        is_told = False  # that it is broken
        try:
            while True:
                try:
                    await self._listen()
                    is_told, self._is_open = False, True
                    self._make_good()
                    await self._talk()
                except JournalFencedError:
                    return
                except JournalWriteError as exc:
                    if not is_told:
                        log.warning("bus broken server=%s err=%s", self._name, exc)
                    is_told = True
                self._close()
                await asyncio.sleep(RETRY_S)
        finally:
            self._close()

    def _close(self) -> None:
        """What waits is not told after the next connect: it may not be true any more."""
        self._is_open = False
        self._stop_timer()
        self.dropped += len(self._waiting)
        self._waiting.clear()
        self._is_all_told.set()
        drop(self._connection)

    async def _listen(self) -> None:
        self._connection = await connect(self._address, self._name)
        self._connection.add_termination_listener(lambda _: self._is_due.set())
        try:
            await self._connection.execute("set synchronous_commit = off")
            for channel in self._hear:
                await self._connection.add_listener(channel, self._on_payload)
            await self._check(self._connection)
        except JournalFencedError:
            raise
        except Exception as exc:
            raise JournalWriteError(reason(exc)) from exc

    async def _talk(self) -> None:
        """Until the connection is lost.  JournalWriteError: it is."""
        while True:
            await self._is_due.wait()
            await asyncio.sleep(GATHER_S)
            self._is_due.clear()
            if self._connection.is_closed():
                raise JournalWriteError("the connection is lost")
            told, self._waiting = self._waiting, {}
            if told:
                await self._notify([it[0] for it in told], [it[1] for it in told])
            if not self._waiting:
                self._is_all_told.set()

    async def _notify(self, channels: list[str], payloads: list[str]) -> None:
        try:
            await self._connection.fetch(NOTIFY, channels, payloads)
        except Exception as exc:
            self.dropped += len(payloads)
            raise JournalWriteError(reason(exc)) from exc

    def _on_payload(self, _: Any, pid: int, channel: str, payload: str) -> None:
        self._hear[channel](payload)


class Talk:
    """Implements `interface.ServerBus`.

    Rule 1: a payload is `SERVER RUN NUMBER TEXT`.  Within a run the numbers only rise, so what has
            a lower one than was heard already comes from a connection that is lost: its
            transaction ended late.  It is not heard.

    Args:
        run: Of the server; another one each time that it starts.
        tell: On one channel of a `Bus`.
    """

    def __init__(self, server: str, run: str, tell: Callable[[str], bool]) -> None:
        self.server, self._run, self._tell, self._number = server, run, tell, 0
        self._last = dict[str, tuple[str, int]]()  # run and number that were heard, by server
        self.on_heard: Callable[[str, int, str], None] = lambda server, number, text: None
        self.on_connected: Callable[[], None] = lambda: None

    def tell(self, text: str) -> int:
        self._number += 1  # PostgreSQL, and `Bus`, tell the same payload only once
        is_told = self._tell(f"{self.server} {self._run} {self._number} {text}")
        return self._number if is_told else 0

    def hear(self, payload: str) -> None:
        server, _, rest = payload.partition(" ")
        run, _, rest = rest.partition(" ")
        digits, _, text = rest.partition(" ")
        if not digits.isdecimal():  # of another release
            log.debug("not understood chars=%d", len(payload))
            return
        last_run, last = self._last.get(server, ("", 0))
        if run == last_run and int(digits) <= last:
            return
        self._last[server] = run, int(digits)
        self.on_heard(server, int(digits), text)
