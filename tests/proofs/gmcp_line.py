"""A bare telnet line that asks for packages (GMCP): what comes is text, or a package of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

PASSWORD = "correct horse battery"
IAC, SB, SE, DO, GMCP = b"\xff", b"\xfa", b"\xf0", b"\xfd", b"\xc9"
ASKS = IAC + DO + GMCP + IAC + SB + GMCP + b'Core.Supports.Set ["Lockdown 1"]' + IAC + SE
COMMAND = re.compile(
    rb"\xff(?:\xfa\xc9(\S+) ?(.*?)\xff\xf0|\xfa.*?\xff\xf0|[\xfb-\xfe].|[^\xfa-\xfe])", re.DOTALL
)
TAIL = 200  # characters of text in which a question is looked for


class GmcpReader:
    """Args:
    on_text: Called with the text between two commands.
    on_package: Called with the name of a package, and its content.
    """

    def __init__(
        self, on_text: Callable[[str], None], on_package: Callable[[str, Any], None]
    ) -> None:
        self._on_text, self._on_package = on_text, on_package
        self._data = b""

    def feed(self, data: bytes) -> None:
        self._data += data
        at = 0
        for found in COMMAND.finditer(self._data):
            self._read(self._data[at : found.start()])
            at = found.end()
            if found[1]:
                self._on_package(found[1].decode(), json.loads(found[2] or b"null"))
        rest = self._data[at:]
        half = rest.find(IAC)  # the beginning of a command
        self._read(rest if half < 0 else rest[:half])
        self._data = b"" if half < 0 else rest[half:]

    def _read(self, text: bytes) -> None:
        if text:
            self._on_text(text.decode("utf-8", "replace"))
