"""MSSP: what game listings (mud crawlers) read about a server.

Rule 1: only public figures; they are sent once per connection.
Rule 2: names and values are text without the separator bytes.

Source: https://tintin.mudhalla.net/protocols/mssp/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

VAR, VAL = b"\x01", b"\x02"

Status = Mapping[str, str | Sequence[str]]
StatusSource = Callable[[], Status]


def no_status() -> Status:
    return {}


def encode(status: Status) -> bytes:
    """The body of the subnegotiation; it cannot contain telnet's 0xFF."""
    parts: list[bytes] = []
    for name, values in status.items():
        parts += (VAR, _clean(name))
        for value in (values,) if isinstance(values, str) else values:
            parts += (VAL, _clean(value))
    return b"".join(parts)


def _clean(text: str) -> bytes:
    return "".join(each for each in text if each.isprintable()).encode("utf-8")
