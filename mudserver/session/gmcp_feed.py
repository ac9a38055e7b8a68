"""What a telnet client is sent by GMCP, beside the text.

Rule 1: packages are made of the messages that the same person is shown on the same line, and of
        nothing else; nobody who is not in gets one.
Rule 2: they go out with the tick, as the text does, so that when they come tells nothing more.
Rule 3: what waits for a tick is bounded.  Who lags loses talk and all views but the last, and is
        told how much.

`Lockdown.*` carries the objects of programs (`objects.py`); `Char.Name` and `Comm.Channel.*` are
what MUD clients know already.  Source: https://wiki.mudlet.org/w/Standards:GMCP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from mudserver import messages as m
from mudserver.accounts import Person
from mudserver.session import json_protocol
from mudserver.session.presenter import RenderProfile, message_lines
from mudserver.transport.link import Link
from mudserver.ui.ticker import Ticker
from variants.kit.text import plain_text

if TYPE_CHECKING:
    from mudserver.session.manager import SessionManager

CHANNELS = (
    {"name": "lobby", "caption": "Lobby", "command": "/say"},
    {"name": "table", "caption": "Your table", "command": "/say"},
    {"name": "tell", "caption": "Private", "command": "/tell"},
)
CHANNEL_TEXT, VIEW = "Comm.Channel.Text", "Lockdown.View"

_encode = msgspec.json.Encoder().encode
Package = tuple[str, bytes, bool]  # name, JSON, whether a reader who lags can do without


class GmcpFeed:
    """Of one visit."""

    __slots__ = (
        "_is_touched",
        "_link",
        "_lost_count",
        "_manager",
        "_queue",
        "_queued_bytes",
        "_ticker",
    )

    def __init__(self, manager: SessionManager, link: Link, ticker: Ticker) -> None:
        self._manager, self._link, self._ticker = manager, link, ticker
        self._queue: list[Package] = []  # wait for the tick
        self._queued_bytes = self._lost_count = 0
        self._is_touched = False

    def send_hello(self, person: Person) -> None:
        """*person* has come in, or the client asks for other packages than before."""
        name = {"name": person.name, "fullname": person.name}
        self._enqueue("Char.Name", _encode(name))
        self._enqueue("Comm.Channel.List", _encode(CHANNELS))
        house, reception = self._manager.service, self._manager
        games, now_ms = tuple(house.catalogue), reception.clock.now_ms()
        hello = json_protocol.Hello(
            json_protocol.PROTOCOL,
            reception.server_name,
            person.name,
            person.is_guest,
            games,
            now_ms,
        )
        self._enqueue(json_protocol.gmcp_package_name(hello), json_protocol.encode(hello))

    def queue_messages(
        self,
        messages: Iterable[m.Message],
        profile: RenderProfile,
        on_bug: Callable[[Exception, str], None],
    ) -> None:
        """What the person is shown now."""
        takes_objects = self._link.accepts_gmcp(VIEW)
        for message in messages:
            try:
                is_talk = type(message) in m.DROPPABLE_TYPES
                for package, text in (
                    self._manager.encoded_objects(message) if takes_objects else ()
                ):
                    self._enqueue(package, text, is_talk)
                if isinstance(message, m.SayMessage | m.EmoteMessage | m.TellMessage):
                    self._enqueue(CHANNEL_TEXT, self._channel_text(message, profile), is_talk)
            except Exception as bug:
                on_bug(bug, "package")

    def _channel_text(
        self, message: m.SayMessage | m.EmoteMessage | m.TellMessage, reader: RenderProfile
    ) -> bytes:
        rows = message_lines(message, reader, 0, False, self._manager.service.catalogue)
        channel = "tell"
        if not isinstance(message, m.TellMessage):
            channel = "table" if message.location else "lobby"
        text = " ".join([plain_text(row) for row in rows])
        return _encode({"channel": channel, "talker": message.who, "text": text})

    def add_lost(self, count: int) -> None:
        """So many messages were dropped before they could be shown."""
        self._lost_count += count

    def _enqueue(self, package: str, text: bytes, is_talk: bool = False) -> None:
        if not self._link.accepts_gmcp(package):
            return
        if not self._is_touched:
            self._is_touched = True
            self._ticker.schedule_flush(self)
        self._queue.append((package, text, is_talk))
        self._queued_bytes += len(text)
        if self._queued_bytes > self._manager.config.door.output_lag_bytes:
            self._send()

    def flush(self) -> None:
        self._is_touched = False
        if self._queue:
            self._send()

    def _send(self) -> None:
        out, self._queue, self._queued_bytes = self._queue, [], 0
        link = self._link
        if link.backlog() > self._manager.config.door.output_lag_bytes:
            out = self._without_droppable(out)
        elif self._lost_count:
            link.send_gmcp(
                "Lockdown.Lost", json_protocol.encode(json_protocol.Lost(self._lost_count)).decode()
            )
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
