"""Events to the other servers and from them.

Rule 1: where no other server lives nothing is told, and nothing is encoded.
Rule 2: what is told in one turn of the event loop goes together, as far as a payload holds it.
Rule 3: over TALK_PER_S events of talk a second are dropped and counted; others never wait for them.
Rule 4: what is heard comes from a server of another release, perhaps: what is not understood is
        passed over, and a bug in a handler harms no other event.
Rule 5: no log has what people say, nor who says it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.cluster.events import TALK, AnyEvent, Event
from mudserver.journal.interface import ServerBus
from mudserver.logs import raise_location
from mudserver.rate_limit import TokenBucket

PAYLOAD_BYTES_MAX = 7_000
TALK_PER_S = 200

log = logging.getLogger(__name__)

E = TypeVar("E", bound=Event)
_encode = msgspec.json.Encoder().encode
_split = msgspec.json.Decoder(list[msgspec.Raw]).decode
_decode = msgspec.json.Decoder(AnyEvent).decode


class Exchange:
    """Args: bus: None: there are no other servers."""

    def __init__(self, bus: ServerBus | None, clock: Clock) -> None:
        self._bus, self._clock = bus, clock
        self.has_others = False  # another server lives
        self.on_connected: Callable[[], None] = lambda: None
        self.on_talk_lost: Callable[[], None] = lambda: None
        self._was_connected, self._is_closed = False, False
        self._handlers: dict[type[Event], Callable[[str, Any], None]] = {}
        self._waiting: list[bytes] = []
        self._bucket = TokenBucket(TALK_PER_S, TALK_PER_S, clock.monotonic())
        if bus is not None:
            bus.on_heard, bus.on_connected = self._hear, self._on_connected

    @property
    def own(self) -> str:
        """What this server is called."""
        return "" if self._bus is None else self._bus.server

    @property
    def is_possible(self) -> bool:
        """Whether there may be other servers."""
        return self._bus is not None

    def on(self, kind: type[E], handler: Callable[[str, E], None]) -> None:
        """Call *handler* with the server and the event, when another server tells one."""
        self._handlers[kind] = handler

    def tell(self, event: Event) -> bool:
        """Tell all other servers.  False: it is dropped, or there are none."""
        if not self.has_others or self._is_closed:
            return False
        if isinstance(event, TALK) and not self._bucket.try_consume(self._clock.monotonic()):
            metrics.BUS_LOST.increment("talk")
            return False
        told = _encode(event)
        if len(told) + 2 > PAYLOAD_BYTES_MAX:
            log.error("event too large kind=%s bytes=%d", type(event).__name__, len(told))
            return False
        if not self._waiting:
            self._clock.call_soon(self._flush)
        self._waiting.append(told)
        return True

    def close(self) -> None:
        """The server ends: nothing more is told."""
        self._is_closed = True

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        first, size = 0, 1
        for at, told in enumerate(waiting):
            if size + len(told) + 1 > PAYLOAD_BYTES_MAX:
                self._send(waiting[first:at])
                first, size = at, 1
            size += len(told) + 1
        self._send(waiting[first:])

    def _send(self, events: list[bytes]) -> None:
        assert self._bus is not None
        if self._bus.tell(f"[{b','.join(events).decode()}]"):
            metrics.BUS_EVENTS.increment("told", len(events))
        else:
            metrics.BUS_LOST.increment("dropped", len(events))

    def _on_connected(self) -> None:
        if self._was_connected and self.has_others:
            self.on_talk_lost()
        self._was_connected = True
        self.on_connected()

    def _hear(self, server: str, number: int, text: str) -> None:
        if self._bus is None or server == self._bus.server:
            return
        self.has_others = True  # it lives
        try:
            events = _split(text)
        except msgspec.MsgspecError:
            log.debug("not understood from=%s chars=%d", server, len(text))
            return
        for raw in events:
            try:
                event = _decode(raw)
            except msgspec.MsgspecError:
                log.debug("not understood from=%s chars=%d", server, len(bytes(raw)))
                continue
            metrics.BUS_EVENTS.increment("heard")
            try:
                if (handler := self._handlers.get(type(event))) is not None:
                    handler(server, event)
            except Exception as exc:  # a bug, see rule 4
                metrics.INTERNAL_ERRORS.value += 1
                log.error("event failed kind=%s err=%s at=%s", type(event).__name__,
                          type(exc).__name__, raise_location(exc))  # fmt: skip
