"""How much of a socket is read at once.

Rule 1: asyncio has no public name for it; the one that it uses is set here only.
"""

from __future__ import annotations

import asyncio

READ_TELNET_BYTES = 4_096  # per read of a telnet socket; each byte may cost a screen update


def set_read_size(transport: asyncio.Transport, count: int) -> None:
    """Read at most *count* bytes per turn of the event loop; asyncio's own limit is 256 KiB."""
    transport.max_size = count  # type: ignore[attr-defined]
