"""What a process holds: looked at when nothing lies around that it could give back."""

from __future__ import annotations

import ctypes
import gc
import sys

from mudserver.ops import process_stats


class _Mallinfo(ctypes.Structure):
    """mallinfo2(3): what of it is in use, in bytes, is `uordblks` and `hblkhd`."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    )  # fmt: skip


def in_use_kib() -> int:
    """What is taken of the C library's memory: all that is larger than 512 bytes, and all that is
    no object of Python.  0 where it cannot say (glibc 2.33 and newer can)."""
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return 0
    ask.restype = _Mallinfo
    info = ask()
    return (info.uordblks + info.hblkhd) // 1024


def give_back() -> None:
    """Collect what nobody refers to, and hand free memory back to the system (Linux)."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def resident_kib() -> int:
    return process_stats.resident_bytes() // 1024
