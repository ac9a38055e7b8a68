"""What a process holds: looked at when nothing lies around that it could give back."""

from __future__ import annotations

import ctypes
import gc
import sys

from mudserver.office import process


def give_back() -> None:
    """Collect what nobody refers to, and hand free memory back to the system (Linux)."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def resident_kib() -> int:
    return process.resident_bytes() // 1024
