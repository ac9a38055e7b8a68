"""Overwrites bytes that held a password, so that it does not lie on in memory that was given back.

Rule 1: only of bytes that nobody keeps.  Copies of the libraries are out of reach; they are small,
        and their memory is soon used again.
"""

from __future__ import annotations

import ctypes

_HEADER_BYTES = bytes.__basicsize__ - 1  # before the first byte; CPython
SHARED_BYTES_MAX = 1  # objects of so many bytes are shared by the interpreter


def wipe(data: bytes) -> None:
    """*data* is all zeros afterwards; its holder drops it now."""
    if len(data) > SHARED_BYTES_MAX:
        ctypes.memset(id(data) + _HEADER_BYTES, 0, len(data))
