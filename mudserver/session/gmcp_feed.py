"""Sends GMCP packages to a telnet client, beside the text.

Rule 1: packages are made from the messages that the same session shows as text, and from nothing
        else.  A session that has not logged in is sent none.
Rule 2: packages leave with the tick, as the text does, so that their timing tells nothing more.
Rule 3: the queue for a tick is bounded.  A client that lags loses chat and all views but the last,
        and is told how many packages it lost.

`Lockdown.*` carries the objects of `json_protocol.py`.  `Char.Name` and `Comm.Channel.*` are what
MUD clients know already.  Source: https://wiki.mudlet.org/w/Standards:GMCP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from mudserver import messages as m
from mudserver.accounts.person import Person
from mudserver.session import json_objects, json_protocol
from mudserver.session.context import SessionContext
from mudserver.session.presenter import Talk, talk_line
from mudserver.session.renderer import Renderer
from mudserver.transport.link import Link
from mudserver.ui.ticker import Ticker
from variants.kit.text import plain_text

PLACES = (
    {"name": "lobby", "caption": "Lobby", "command": "/say"},
    {"name": "table", "caption": "Your table", "command": "/say"},
    {"name": "tell", "caption": "Private", "command": "/tell"},
)
CHANNEL_TEXT = "Comm.Channel.Text"
VIEW = json_protocol.gmcp_package_name(json_objects.View)

_encode = msgspec.json.Encoder().encode
Package = tuple[str, bytes, bool]  # name, JSON, whether a client that lags can do without


class GmcpFeed:
    """The packages of one session.

    Args:
        lag_bytes: From how much unsent output on the client counts as lagging.
        on_flush: Called when all that waited was sent.
    """

    __slots__ = (
        "_is_scheduled",
        "_lag_bytes",
        "_link",
        "_lost_count",
        "_on_flush",
        "_queue",
        "_queued_bytes",
        "_renderer",
        "_ticker",
    )

    def __init__(
        self,
        renderer: Renderer,
        link: Link,
        ticker: Ticker,
        lag_bytes: Callable[[], int],
        on_flush: Callable[[], None],
    ) -> None:
        self._on_flush = on_flush
        self._renderer, self._link, self._ticker = renderer, link, ticker
        self._lag_bytes = lag_bytes
        self._queue: list[Package] = []  # sent with the next tick
        self._queued_bytes = self._lost_count = 0
        self._is_scheduled = False

    def send_hello(self, person: Person) -> None:
        """Call this after a login, and when the client asks for other packages than before."""
        name = {"name": person.name, "fullname": person.name}
        self._enqueue("Char.Name", _encode(name))
        channels = [
            {"name": channel, "caption": channel.capitalize(), "command": f"#{channel}"}
            for channel in self._renderer.channels_of(person)
        ]
        self._enqueue("Comm.Channel.List", _encode([*PLACES, *channels]))
        protocol = self._link.json_protocol
        hello = self._renderer.hello_object(person, protocol)
        for package, text in json_protocol.encode(protocol, hello):
            self._enqueue(package, text)

    def queue_messages(
        self,
        messages: Iterable[m.Message],
        on_bug: Callable[[Exception, str], None],
    ) -> None:
        """Queue the packages of *messages*, which the session shows now."""
        takes_objects, protocol = self._link.accepts_gmcp(VIEW), self._link.json_protocol
        for message in messages:
            try:
                is_droppable = type(message) in m.DROPPABLE_TYPES
                encoded = self._renderer.encoded_objects(message, protocol) if takes_objects else ()
                for package, text in encoded:
                    self._enqueue(package, text, is_droppable)
                if isinstance(message, Talk):
                    self._enqueue(CHANNEL_TEXT, _channel_text(message), is_droppable)
            except Exception as bug:
                on_bug(bug, "package")

    def add_lost(self, count: int) -> None:
        """*count* messages were dropped before they could be shown."""
        self._lost_count += count

    def _enqueue(self, package: str, text: bytes, is_droppable: bool = False) -> None:
        if not self._link.accepts_gmcp(package):
            return
        if not self._is_scheduled:
            self._is_scheduled = True
            self._ticker.schedule_flush(self)
        self._queue.append((package, text, is_droppable))
        self._queued_bytes += len(text)
        if self._queued_bytes > self._lag_bytes():
            self._send()

    def flush(self) -> None:
        self._is_scheduled = False
        self.send_now()
        self._on_flush()

    def send_now(self) -> None:
        """Send what waits, because what shows the same as text leaves now."""
        if self._queue:
            self._send()

    @property
    def has_unsent(self) -> bool:
        return bool(self._queue)

    def _send(self) -> None:
        out, self._queue, self._queued_bytes = self._queue, [], 0
        link = self._link
        if link.backlog() > self._lag_bytes():
            out = self._without_droppable(out)
        elif self._lost_count:
            lost = json_objects.Lost(self._lost_count)
            out = [(*each, False) for each in json_protocol.encode(link.json_protocol, lost)] + out
            self._lost_count = 0
        for package, text, _ in out:
            link.send_gmcp(package, text.decode())

    def _without_droppable(self, out: list[Package]) -> list[Package]:
        last = max((at for at, (package, *_) in enumerate(out) if package == VIEW), default=-1)
        kept = [
            each for at, each in enumerate(out) if not each[2] and (each[0] != VIEW or at == last)
        ]
        self._lost_count += len(out) - len(kept)
        return kept


def _channel_text(message: Talk) -> bytes:
    channel = "tell"
    if not isinstance(message, m.TellMessage):
        channel = message.channel or ("lobby" if message.table is None else "table")
    text = plain_text(talk_line(message, is_linear=False))  # a field is never broken
    return _encode({"channel": channel, "talker": message.who, "text": text})


def gmcp_feed_of(context: SessionContext, link: Link, on_flush: Callable[[], None]) -> GmcpFeed:
    return GmcpFeed(
        *(context.renderer, link, context.ticker),
        lambda: context.config.door.output_lag_bytes,
        on_flush,
    )
