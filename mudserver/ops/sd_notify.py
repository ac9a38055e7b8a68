"""Notifications to systemd: readiness, status, reloads and the watchdog.

Rule 1: each notification is one datagram that is never waited for; without a service manager
        nothing is sent.
Rule 2: the watchdog is fed from the event loop itself, and only while the journal writer answers.
        An error is an answer too: no restart makes room on a full disk.
Rule 3: it is fed at once by whoever begins to, FEEDS times per period from then on, and by a thread
        while the event loop may have to wait for the disk.  So no change from one to another, nor
        one moment at which the writer does not answer, uses up a period.
Rule 4: every reload that is announced is also reported as finished.

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
FEEDS = 4  # of the watchdog in its period [rule 3]
VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")
EXTENSION_S = 60.0  # of start time, per request
USEC_DIGITS_MAX = 20  # of a 64-bit number
START_S_MAX = 1_800.0  # a longer start counts as failed


class ServiceManager:
    """The service manager that listens on *address*; "": there is none.

    Args:
        address: A path, or `@name` in the abstract namespace.
        watchdog_s: The period within which it expects a notification; 0: no watchdog.
    """

    def __init__(self, address: str = "", watchdog_s: float = 0.0) -> None:
        self.watchdog_s = watchdog_s if address else 0.0
        self.variables: dict[str, str] = {}
        """Of the environment: for the program that this process runs next."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._status = ""
        self._socket: socket.socket | None = None
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)

    @classmethod
    def from_environment(cls, environment: MutableMapping[str, str], pid: int) -> Self:
        """The one that *environment* names.  Removes the variables: no child may notify for us."""
        found = {name: environment.pop(name) for name in VARIABLES if name in environment}
        watched = found.get("WATCHDOG_PID", str(pid)) == str(pid)
        usec = found.get("WATCHDOG_USEC", "")
        is_number = usec.isascii() and usec.isdecimal() and len(usec) <= USEC_DIGITS_MAX
        made = cls(found.get("NOTIFY_SOCKET", ""), int(usec) / 1e6 if watched and is_number else 0)
        made.variables = found
        return made

    @property
    def is_present(self) -> bool:
        return self._socket is not None

    def send_ready(self, status: str) -> None:
        """All listeners are open."""
        self._notify("READY=1", self._status_line(status))

    def send_status(self, text: str) -> None:
        if line := self._status_line(text):
            self._notify(line)

    def send_watchdog(self) -> None:
        self._notify("WATCHDOG=1")

    @contextlib.contextmanager
    def reloading(self, monotonic_s: float) -> Iterator[None]:
        """Announce a reload that began at *monotonic_s* (CLOCK_MONOTONIC), and then its end."""
        self._notify("RELOADING=1", f"MONOTONIC_USEC={int(monotonic_s * 1e6)}")
        try:
            yield
        finally:
            self._notify("READY=1")

    @contextlib.contextmanager
    def starting(self, status: str = "starting") -> Iterator[None]:
        """Keep extending the start timeout, and feed the watchdog, for START_S_MAX in all.

        A start may have to migrate the journal or read a large one.  It runs in a thread, because
        the event loop waits for the disk meanwhile.
        """
        self.send_status(status)
        is_over = threading.Event()
        every_s = min(EXTENSION_S / 2, self.watchdog_s / FEEDS or EXTENSION_S)

        def extend() -> None:
            for _ in range(int(START_S_MAX / every_s)):
                if self.watchdog_s:
                    self.send_watchdog()
                if is_over.wait(every_s):
                    return
                self._notify(f"EXTEND_TIMEOUT_USEC={int(EXTENSION_S * 1e6)}")

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
        self._notify("STOPPING=1", self._status_line("shutting down"))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _status_line(self, status: str) -> str:
        if status == self._status:
            return ""
        self._status = status
        return f"STATUS={' '.join(status.split())[:STATUS_CHARS_MAX]}"

    def _notify(self, *words: str) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is gone or full: the next one may get through
                self._socket.sendto("\n".join(filter(None, words)).encode(), self._address)


async def run_watchdog(
    manager: ServiceManager, is_alive: Callable[[], bool], status: Callable[[], str]
) -> None:
    """Feed the watchdog [rule 3] and send the status; never returns."""
    while manager.is_present:
        if is_alive():
            manager.send_watchdog()
        manager.send_status(status())
        await asyncio.sleep(manager.watchdog_s / FEEDS or STATUS_S)
