"""One end of a wall: a socket that carries frames both ways.

Rule 1: what one turn of the event loop has to say is one write.
Rule 2: a handshake comes first, from both sides.  A frame before it, something that is no frame,
        or a body that does not decode closes the wall; one line in the log says why.
Rule 3: what the other side does not take is bounded: over *queue_bytes_max*, or without progress
        for STALL_S, the wall is closed.  From a quarter of that on nobody behind it reads along
        (`lag_bytes`), so that a door which stops for a moment does not cost the wall.
Rule 4: while a stream is held, nothing is said: what is added waits, within the same bound, or is
        dropped when the stream ends.
Rule 5: what may only happen when earlier frames have left this process waits for that
        (`when_sent`): then a crash of the process cannot take them back.
Rule 6: what the other side has said is heard to its end, also where it died before the last write
        to it: asyncio gives up a broken socket with everything that was not read.  Likewise where
        the wall is closed here because of rule 3: the other side may have begun lines meanwhile.
        It can say nothing more once the rest is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Callable, Collection
from functools import partial
from typing import Protocol

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle
from mudserver.logs import log_exception
from mudserver.transport.tls import TlsTransport
from mudserver.wall.frames import Frame, FrameError, FrameReader, FrameWriter, Kind

STALL_S = 10.0  # without progress
PAUSE_BYTES = 1_048_576  # unsent: the sources of frames pause
LAG_SHARE = 4  # rule 3
RETRY_S = 0.005  # between two looks at bytes that have not left yet
READ_BYTES = 65_536  # of what is left in a broken socket, at once
HELD_FRAME_BYTES = 256  # of memory, besides its body, while it is held

log = logging.getLogger("wall")


class StreamOwner(Protocol):
    """What a stream calls."""

    def on_made(self) -> None: ...
    def on_frame(self, frame: Frame) -> None:
        """FrameError: it is not what was agreed."""

    def on_lost(self) -> None:
        """The wall is gone.  Called once, last, if `on_made` was called."""

    def on_pause(self, is_paused: bool) -> None:
        """The other side takes less than is said."""


class WallStream(asyncio.Protocol):
    """Args: known: The kinds that this side reads.  label: For the log: `door=1`."""

    def __init__(
        self,
        owner: StreamOwner,
        known: Collection[Kind],
        clock: Clock,
        queue_bytes_max: int,
        label: str,
    ) -> None:
        self._owner, self._clock, self.label = owner, clock, label
        self._queue_bytes_max = queue_bytes_max
        self._reader, self._writer = FrameReader(known), FrameWriter()
        self._transport: asyncio.Transport | None = None
        self._is_flush_due = False
        self._held: list[Callable[[], None]] | None = None  # frames [rule 4]
        self._held_bytes = 0
        self._waiting: list[Callable[[], None]] = []  # for what is said to have left
        self._stall_timer: TimerHandle | None = None
        self._written = self._mark = 0
        self._is_given_up = False  # closed because of rule 3
        self.lag_bytes = 0
        """What the other side has not taken, if that is much [rule 3]; else 0."""

    # -- from asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=PAUSE_BYTES)
        self._owner.on_made()

    def data_received(self, data: bytes) -> None:
        metrics.WALL_BYTES.increment("in", len(data))
        try:
            for frame in self._reader.feed(data):
                if self._transport is None:
                    return
                self._owner.on_frame(frame)
        except FrameError as exc:
            self.close(str(exc))

    def pause_writing(self) -> None:
        self._owner.on_pause(True)

    def resume_writing(self) -> None:
        self.lag_bytes = 0
        self._owner.on_pause(False)

    def connection_lost(self, exc: Exception | None) -> None:
        transport, self._transport = self._transport, None
        if (isinstance(exc, OSError) or self._is_given_up) and transport is not None:
            self._read_rest(transport)
        self._waiting.clear()
        if self._stall_timer is not None:
            self._stall_timer.cancel()
        self._owner.on_lost()

    def _read_rest(self, transport: asyncio.Transport) -> None:
        """Hear what a broken socket still has [rule 6]; asyncio closes it after this."""
        broken = transport.get_extra_info("socket")
        if broken is None:  # none is there in the simulation
            return
        with contextlib.suppress(OSError):
            broken.shutdown(socket.SHUT_RDWR)  # what has come can still be read
        with contextlib.suppress(OSError, FrameError):
            for _ in range(0, self._queue_bytes_max, READ_BYTES):
                data = os.read(broken.fileno(), READ_BYTES)
                if not data:
                    return
                if isinstance(transport, TlsTransport):
                    data = transport.decrypt_rest(data)
                metrics.WALL_BYTES.increment("in", len(data))
                for frame in self._reader.feed(data):
                    self._owner.on_frame(frame)

    # -- saying --------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    @property
    def socket(self) -> object:
        return None if self._transport is None else self._transport.get_extra_info("socket")

    @property
    def is_encrypted(self) -> bool:
        return isinstance(self._transport, TlsTransport)

    def check_peer(self, name: str) -> None:
        """FrameError: the other machine's certificate is not for *name*, as in `door:1`."""
        if self._transport is None or not self.is_encrypted:
            return  # the kernel has said which user it is
        shown = self._transport.get_extra_info("peercert") or {}
        names = [value for kind, value in shown.get("subjectAltName", ()) if kind == "URI"]
        if name not in names:
            whom = " ".join(sorted(names)) or "nobody"
            raise FrameError(f"a certificate for {whom}, used by {name}")

    def unsent_bytes(self) -> int:
        """Bytes that have not left this process, frames of this turn not counted."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def add(self, kind: Kind, connection: int = 0, body: bytes = b"") -> None:
        if self._held is not None:
            self._hold_frame(partial(self.add, kind, connection, body), len(body))
        elif self._transport is not None:
            self._writer.add(kind, connection, body)
            self._schedule_flush()

    def send(self, connection: int, data: bytes, seen: int = 0, flags: int = 0) -> None:
        """Output for a connection."""
        if self._held is not None:
            self._hold_frame(partial(self.send, connection, data, seen, flags), len(data))
        elif self._transport is not None:
            self._writer.send(connection, data, seen, flags)
            if not self._is_flush_due:  # for many connections a turn
                self._schedule_flush()

    def mark(self, connection: int, flags: int) -> None:
        """What a connection was sent in this turn ends here, with *flags*."""
        if self._held is not None:
            self._hold_frame(partial(self.mark, connection, flags), 0)
        elif self._transport is not None:
            self._writer.mark(connection, flags)

    def package(self, connection: int, body: bytes, kind: Kind = Kind.GMCP) -> None:
        """A package, or a capsule, that goes with the output of this turn."""
        if self._held is not None:
            self._hold_frame(partial(self.package, connection, body, kind), len(body))
        elif self._transport is not None:
            self._writer.package(connection, body, kind)
            self._schedule_flush()

    def hold(self) -> None:
        """Say nothing more until `release` [rule 4]."""
        self._flush()
        self._held = []

    def release(self) -> None:
        """Say what was held, and go on."""
        held, self._held, self._held_bytes = self._held or [], None, 0
        for say in held:
            say()
        self._schedule_flush()  # what waits for bytes that have left meanwhile

    def _hold_frame(self, say: Callable[[], None], size: int) -> None:
        assert self._held is not None
        self._held.append(say)
        self._held_bytes += size + HELD_FRAME_BYTES
        if self._held_bytes > self._queue_bytes_max:
            self._give_up(f"{self._held_bytes} bytes held")
            self._held = []

    def when_sent(self, call: Callable[[], None]) -> None:
        """Call when everything said until now has left this process; never if the wall breaks."""
        if self._transport is not None:
            self._waiting.append(call)
            self._schedule_flush()

    def _schedule_flush(self) -> None:
        if not self._is_flush_due:
            self._is_flush_due = True
            self._clock.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flush_due = False
        transport = self._transport
        if transport is None:
            return
        data = self._writer.take()
        if transport.is_closing():
            return  # this does not leave any more, and what waits for that does not happen
        if data:
            transport.write(data)
            self._written += len(data)
            metrics.WALL_BYTES.increment("out", len(data))
            if transport.is_closing():  # the other side is gone, and has not been told
                return
        left = transport.get_write_buffer_size()
        self.lag_bytes = left if left > self._queue_bytes_max // LAG_SHARE else 0
        if left > self._queue_bytes_max:
            self._give_up(f"{left} bytes not taken")
        elif left:
            self._watch(left)
        if not self._waiting or self._held is not None:
            return
        if left:
            self._clock.call_later(RETRY_S, self._schedule_flush)
        else:
            waiting, self._waiting = self._waiting, []
            for call in waiting:
                try:
                    call()
                except Exception as bug:  # it costs nobody else the wall
                    log_exception(log, "line failed", bug, peer=self.label)

    def _watch(self, left: int) -> None:
        if self._stall_timer is None:
            self._mark = self._written - left
            self._stall_timer = self._clock.call_later(STALL_S, self._check_progress)

    def _check_progress(self) -> None:
        self._stall_timer = None
        left = self.unsent_bytes()
        if left and self._written - left == self._mark:
            self._give_up(f"nothing taken for {STALL_S:.0f} s")
        elif left:
            self._watch(left)

    # -- the end -------------------------------------------------------------------------------

    def close(self, why: str) -> None:
        """Close the wall at once; what has not left is lost."""
        if self._transport is not None and not self._transport.is_closing():
            log.warning("wall closed %s error=%s", self.label, why)
            self._transport.abort()

    def _give_up(self, why: str) -> None:
        """Close the wall to a side that takes too little; what it has said still counts."""
        if self.is_open:
            self._is_given_up = True
            self.close(why)

    def finish(self, *last: tuple[Kind, bytes]) -> None:
        """Close the wall when all that was said has left, and *last*; what was held is dropped."""
        self._held = None
        for kind, body in last:
            self.add(kind, 0, body)
        if self._transport is not None:
            self._flush()
            self._transport.close()
