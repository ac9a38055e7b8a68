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
from mudserver.people import Person
from mudserver.session import objects
from mudserver.session.present import Reader, lines_of
from mudserver.transport.link import Link
from mudserver.ui.ticker import Ticker
from variants.kit.text import plain

if TYPE_CHECKING:
    from mudserver.session.reception import Reception

CHANNELS = (
    {"name": "lobby", "caption": "Lobby", "command": "/say"},
    {"name": "table", "caption": "Your table", "command": "/say"},
    {"name": "tell", "caption": "Private", "command": "/tell"},
)
CHANNEL_TEXT, VIEW = "Comm.Channel.Text", "Lockdown.View"

_encode = msgspec.json.Encoder().encode
Package = tuple[str, bytes, bool]  # name, JSON, whether a reader who lags can do without


class Packages:
    """Of one visit."""

    __slots__ = ("_bytes", "_is_touched", "_link", "_lost", "_out", "_reception", "_ticker")

    def __init__(self, reception: Reception, link: Link, ticker: Ticker) -> None:
        self._reception, self._link, self._ticker = reception, link, ticker
        self._out: list[Package] = []  # wait for the tick
        self._bytes = self._lost = 0
        self._is_touched = False

    def begin(self, person: Person) -> None:
        """*person* has come in, or the client asks for other packages than before."""
        name = {"name": person.name, "fullname": person.name}
        self._put("Char.Name", _encode(name))
        self._put("Comm.Channel.List", _encode(CHANNELS))
        house, reception = self._reception.house, self._reception
        games, now_ms = tuple(house.catalogue), reception.clock.now_ms()
        hello = objects.Hello(
            objects.PROTOCOL, reception.name, person.name, person.is_guest, games, now_ms
        )
        self._put(objects.package_of(hello), objects.encoded(hello))

    def show(
        self, mail: Iterable[m.Message], reader: Reader, broke: Callable[[Exception, str], None]
    ) -> None:
        """What the person is shown now."""
        takes_objects = self._link.takes_gmcp(VIEW)
        for message in mail:
            try:
                is_talk = type(message) in m.TALK
                for package, text in self._reception.packed(message) if takes_objects else ():
                    self._put(package, text, is_talk)
                if isinstance(message, m.Said | m.Emoted | m.Told):
                    self._put(CHANNEL_TEXT, self._channel_text(message, reader), is_talk)
            except Exception as bug:
                broke(bug, "package")

    def _channel_text(self, message: m.Said | m.Emoted | m.Told, reader: Reader) -> bytes:
        rows = lines_of(message, reader, 0, False, self._reception.house.catalogue)
        channel = "tell"
        if not isinstance(message, m.Told):
            channel = "table" if message.place else "lobby"
        text = " ".join([plain(row) for row in rows])
        return _encode({"channel": channel, "talker": message.who, "text": text})

    def lost(self, count: int) -> None:
        """So many messages were dropped before they could be shown."""
        self._lost += count

    def _put(self, package: str, text: bytes, is_talk: bool = False) -> None:
        if not self._link.takes_gmcp(package):
            return
        if not self._is_touched:
            self._is_touched = True
            self._ticker.touch(self)
        self._out.append((package, text, is_talk))
        self._bytes += len(text)
        if self._bytes > self._reception.config.door.output_lag_bytes:
            self._send()

    def flush(self) -> None:
        self._is_touched = False
        if self._out:
            self._send()

    def _send(self) -> None:
        out, self._out, self._bytes = self._out, [], 0
        link = self._link
        if link.backlog() > self._reception.config.door.output_lag_bytes:
            out = self._thinned(out)
        elif self._lost:
            link.gmcp("Lockdown.Lost", objects.encoded(objects.Lost(self._lost)).decode())
            self._lost = 0
        for package, text, _ in out:
            link.gmcp(package, text.decode())

    def _thinned(self, out: list[Package]) -> list[Package]:
        last = max((at for at, (package, *_) in enumerate(out) if package == VIEW), default=-1)
        kept = [
            each for at, each in enumerate(out) if not each[2] and (each[0] != VIEW or at == last)
        ]
        self._lost += len(out) - len(kept)
        return kept
