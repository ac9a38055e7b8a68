"""Whether SQLite's write-ahead log is damaged before its end.

After a crash SQLite uses the log up to the first frame that does not verify, and drops the rest
silently.  That is right for the last commit, which the crash may have torn.  After a flipped bit
further in front it would drop commits that were acknowledged.

Rule 1: each commit is synced before the next begins.  So if two commits follow a bad frame, at
        least the first of them was durable once, and the log is damaged.
Rule 2: a bad last commit and a log that is cut off at its end count as torn, not as damaged.

Source: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

from struct import Struct, unpack_from

_HEADER = Struct(">8I")  # magic, version, page size, number, salt, salt, checksum, checksum
_FRAME = Struct(">6I")  # page, pages in the database if this ends a commit, salts, checksums
_BIG_ENDIAN, _LITTLE_ENDIAN = 0x377F0683, 0x377F0682
_MASK = 0xFFFFFFFF


def is_damaged(log: bytes) -> bool:
    """Whether SQLite would drop a commit that was durable once.  *log*: the whole file."""
    if len(log) <= _HEADER.size:
        return False
    magic, _, page_bytes, _, *salts, first, second = _HEADER.unpack_from(log)
    order = {_BIG_ENDIAN: ">", _LITTLE_ENDIAN: "<"}.get(magic)
    if order is None or _checksum(log, 0, 24, order, 0, 0) != (first, second):
        return True  # the header is synced before any frame follows
    sums, commits, is_reached = (first, second), 0, True
    step = _FRAME.size + page_bytes
    for at in range(_HEADER.size, len(log) - step + 1, step):
        _, ends_commit, *found, third, fourth = _FRAME.unpack_from(log, at)
        is_ours = found == salts  # else left over from before the last checkpoint
        if is_reached:
            sums = _checksum(log, at, 8, order, *sums)
            sums = _checksum(log, at + _FRAME.size, page_bytes, order, *sums)
            is_reached = is_ours and sums == (third, fourth)
        if not is_reached and is_ours and ends_commit:
            commits += 1
    return commits > 1


def _checksum(
    log: bytes, at: int, size: int, order: str, first: int, second: int
) -> tuple[int, int]:
    """SQLite's running sum over *size* bytes, a multiple of eight."""
    words = iter(unpack_from(f"{order}{size // 4}I", log, at))
    for word in words:
        first = (first + word + second) & _MASK
        second = (second + next(words) + first) & _MASK
    return first, second
