"""Networks from which people with accounts logged in lately: they have every second turn.

Rule 1: a network is kept as an HMAC with a secret of this server, or of a door: the file tells
        nobody who plays here.  It is forgotten KEPT_MS after its last login, or when there are
        NETWORKS_MAX newer.
Rule 2: the file is written once a minute if something changed, and at the stop.  A crash loses a
        minute; a file that cannot be read counts as empty.
"""

from __future__ import annotations

import hmac
import logging
from collections import OrderedDict
from pathlib import Path

from mudserver.clock import Clock, TimerHandle
from mudserver.plain_file import read_plain_file

NETWORKS_MAX = 10_000
KEPT_MS = 86_400_000
WRITE_INTERVAL_S = 60.0
FILE_NAME = "networks"
FILE_BYTES_MAX = 1_048_576

log = logging.getLogger("mudserver")


class KnownNetworks:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._secret = b""
        self._file: Path | None = None
        self._seen_ms: OrderedDict[str, int] = OrderedDict()  # by HMAC, oldest login first
        self._is_changed = False
        self._timer: TimerHandle | None = None

    def __contains__(self, network: str) -> bool:
        seen_ms = self._seen_ms.get(self._name(network))
        return seen_ms is not None and seen_ms + KEPT_MS > self._clock.now_ms()

    def __len__(self) -> int:
        return len(self._seen_ms)

    def add(self, network: str) -> None:
        """Somebody with an account has logged in from *network*."""
        name = self._name(network)
        self._seen_ms[name] = self._clock.now_ms()
        self._seen_ms.move_to_end(name)
        if len(self._seen_ms) > NETWORKS_MAX:
            self._seen_ms.popitem(last=False)
        self._is_changed = True

    def _name(self, network: str) -> str:
        return hmac.digest(self._secret, network.encode(), "sha256")[:16].hex()

    def load(self, directory: Path, secret: bytes) -> None:
        """Read the file in *directory*, and write to it from now on."""
        self._secret = hmac.digest(secret, b"known networks", "sha256")
        self._file = file = directory / FILE_NAME
        self._timer = self._clock.call_later(WRITE_INTERVAL_S, self._write_and_repeat)
        try:
            text = read_plain_file(file, FILE_BYTES_MAX).decode("ascii")
        except (OSError, ValueError):
            return
        oldest_ms = self._clock.now_ms() - KEPT_MS
        for line in text.splitlines()[-NETWORKS_MAX:]:
            name, _, seen_ms = line.partition(" ")
            if seen_ms.isascii() and seen_ms.isdigit() and int(seen_ms) > oldest_ms:
                self._seen_ms[name] = int(seen_ms)

    def _write_and_repeat(self) -> None:
        self._write()
        self._timer = self._clock.call_later(WRITE_INTERVAL_S, self._write_and_repeat)

    def close(self) -> None:
        """Write for the last time."""
        if self._timer is not None:
            self._timer.cancel()
        self._write()

    def _write(self) -> None:
        """Write what has changed since the last time; not synced, since it can be rebuilt."""
        if self._file is None or not self._is_changed:
            return
        text = "".join(f"{name} {seen_ms}\n" for name, seen_ms in self._seen_ms.items())
        new = self._file.with_suffix(".new")
        try:
            new.write_text(text, "ascii")
            new.chmod(0o600)
            new.replace(self._file)
        except OSError as exc:
            log.warning("known networks not written file=%s err=%s", self._file, exc.strerror)
            return
        self._is_changed = False
