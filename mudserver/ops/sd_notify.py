"""What systemd is told: that the house is ready, what it does, and that it still lives.

Rule 1: a word is one datagram that is never waited for; without a service manager nothing is said.
Rule 2: the watchdog is fed from the event loop itself, and only while the writer of the journal
        answers.  A refusal is an answer: no restart makes room on a full disk.
Rule 3: who is told of a reload is told of its end.

Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator, MutableMapping
from typing import Self

STATUS_CHARS_MAX = 200
STATUS_S = 10.0  # between two status lines, where no watchdog asks for more
EXTENSION_S = 60.0  # more time to start, each time that it is asked for
USEC_DIGITS_MAX = 20  # of a number of 64 bits
START_S_MAX = 1_800.0  # a start that takes longer is no start


class ServiceManager:
    """The service manager that listens at *address*; "" is none.

    Args:
        address: A path, or `@name` in the abstract namespace.
        watchdog_s: It wants to hear of us so often; 0: it does not watch.
    """

    def __init__(self, address: str = "", watchdog_s: float = 0.0) -> None:
        self.watchdog_s = watchdog_s if address else 0.0
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._status = ""
        self._line: socket.socket | None = None
        if address:
            self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._line.setblocking(False)

    @classmethod
    def from_environment(cls, environment: MutableMapping[str, str], pid: int) -> Self:
        """The one that *environment* names.  The variables go: no child is to speak for us."""
        address = environment.pop("NOTIFY_SOCKET", "")
        watched = environment.pop("WATCHDOG_PID", str(pid)) == str(pid)
        usec = environment.pop("WATCHDOG_USEC", "")
        is_number = usec.isascii() and usec.isdecimal() and len(usec) <= USEC_DIGITS_MAX
        return cls(address, int(usec) / 1e6 if watched and is_number else 0.0)

    @property
    def is_present(self) -> bool:
        return self._line is not None

    def send_ready(self, status: str) -> None:
        """All doors are open."""
        self._say("READY=1", self._news(status))

    def send_status(self, text: str) -> None:
        if news := self._news(text):
            self._say(news)

    def send_watchdog(self) -> None:
        self._say("WATCHDOG=1")

    @contextlib.contextmanager
    def reloading(self, monotonic_s: float) -> Iterator[None]:
        """Between its beginning at *monotonic_s* (CLOCK_MONOTONIC) and its end we reload."""
        self._say("RELOADING=1", f"MONOTONIC_USEC={int(monotonic_s * 1e6)}")
        try:
            yield
        finally:
            self._say("READY=1")

    @contextlib.contextmanager
    def starting(self, every_s: float = EXTENSION_S / 2) -> Iterator[None]:
        """Ask for more time again and again, for START_S_MAX in all: a start may have to bring
        data to a newer schema, or to read very many.  From a thread: the loop waits for the disk.
        """
        self.send_status("starting")
        is_over = threading.Event()

        def extend() -> None:
            for _ in range(int(START_S_MAX / EXTENSION_S * 2)):
                if is_over.wait(every_s):
                    return
                self._say(f"EXTEND_TIMEOUT_USEC={int(EXTENSION_S * 1e6)}")

        thread = threading.Thread(target=extend, name="service manager", daemon=True)
        if self.is_present:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            if self.is_present:
                thread.join()

    def send_stopping(self) -> None:
        self._say("STOPPING=1", self._news("closing"))

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def _news(self, status: str) -> str:
        if status == self._status:
            return ""
        self._status = status
        return f"STATUS={' '.join(status.split())[:STATUS_CHARS_MAX]}"

    def _say(self, *words: str) -> None:
        if self._line is not None:
            with contextlib.suppress(OSError):  # it is gone or full: the next word may get through
                self._line.sendto("\n".join(filter(None, words)).encode(), self._address)


async def run_watchdog(
    manager: ServiceManager, is_alive: Callable[[], bool], status: Callable[[], str]
) -> None:
    """Feed the watchdog twice as often as it asks, and say how the house is; never returns."""
    while manager.is_present:
        await asyncio.sleep(manager.watchdog_s / 2 or STATUS_S)
        if is_alive():
            manager.send_watchdog()
        manager.send_status(status())
