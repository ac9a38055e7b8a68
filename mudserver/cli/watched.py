"""A watchdog over a child process, which the child feeds as it would that of systemd.

Rule 1: it counts from the moment when the child is ready; a start takes as long as it takes.
Rule 2: whoever hangs for WATCHDOG_S is killed, as by the units of this project: it holds the lock
        of the data, and its standby waits for that.

Source: sd_notify(3), sd_watchdog_enabled(3).
"""

from __future__ import annotations

import asyncio
import logging
import socket

WATCHDOG_S = 20.0
LOOKS = 4  # in that time
DATAGRAM_BYTES_MAX = 4_096

log = logging.getLogger("split")


class Watchdog:
    """Where one child says that it is alive.  Close it when the child has ended."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind("")  # to a name that the kernel makes up, in no directory
        self._fed_s: float | None = None  # None: the child is not ready
        self._loop.add_reader(self._socket, self._hear)

    @property
    def variables(self) -> dict[str, str]:
        """Of the child's environment."""
        name = self._socket.getsockname()[1:].decode("ascii")
        return {"NOTIFY_SOCKET": f"@{name}", "WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6))}

    def _hear(self) -> None:
        said = self._socket.recv(DATAGRAM_BYTES_MAX).split(b"\n")
        if self._fed_s is not None or b"READY=1" in said:
            self._fed_s = self._loop.time()

    async def watch(self, process: asyncio.subprocess.Process, command: str) -> None:
        """Kill *process* when it hangs."""
        while True:
            await asyncio.sleep(WATCHDOG_S / LOOKS)
            if self._fed_s is not None and self._loop.time() - self._fed_s > WATCHDOG_S:
                log.warning("process hangs command=%s silent_s=%.0f", command, WATCHDOG_S)
                process.kill()
                return

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._socket.close()
