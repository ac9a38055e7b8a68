"""The only source of time.

Rule 1: no other module reads a clock (a test checks it); callers pass a `Clock` or a number.
Rule 2: `now_ms` is UTC in whole milliseconds and never goes back within one run: it is the wall
        clock of the start plus the event loop's monotonic time.  A stepped system clock moves no
        deadline [TIME-6].
Rule 3: in the simulation the event loop's time is virtual, and so is everything else.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

TimerHandle = asyncio.TimerHandle


class Clock:
    monotonic: Callable[[], float]
    """Seconds on the event loop's clock, for rate limits and durations."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wall_ms: int | None = None) -> None:
        self._loop = loop
        # The method of asyncio's own loops does nothing but call `time.monotonic`.
        is_plain = getattr(loop.time, "__func__", None) is asyncio.BaseEventLoop.time
        self.monotonic = time.monotonic if is_plain else loop.time
        start_ms = time.time_ns() // 1_000_000 if wall_ms is None else wall_ms
        self._offset_ms = start_ms - int(loop.time() * 1000)

    def now_ms(self) -> int:
        """UTC milliseconds, never going back."""
        return self._offset_ms + int(self.monotonic() * 1000)

    def utc_ms(self, at_s: float) -> int:
        """UTC milliseconds at a time of `monotonic`."""
        return self._offset_ms + int(at_s * 1000)

    def call_at_ms(self, when_ms: float, call: Callable[[], None]) -> TimerHandle:
        """Run *call* at a UTC time in ms; at once if that is past."""
        return self._loop.call_at((when_ms - self._offset_ms) / 1000, call)

    def call_soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(call)

    def call_later(self, delay_s: float, call: Callable[[], None]) -> TimerHandle:
        return self._loop.call_later(delay_s, call)


def format_date(at_ms: int) -> str:
    """UTC milliseconds as 2026-11-20."""
    return time.strftime("%Y-%m-%d", time.gmtime(at_ms / 1000))


def parse_date(text: str) -> int | None:
    """When the day 2026-11-22 begins, UTC in ms; None: that is no date."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        return None
    return int(day.replace(tzinfo=UTC).timestamp() * 1000)


def format_minute(at_ms: int) -> str:
    """UTC milliseconds as 2026-11-20 14:03."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at_ms / 1000))


def format_instant(at_s: float) -> str:
    """UTC seconds as 2026-11-20T14:03:07.123Z."""
    whole_s, ms = divmod(int(at_s * 1000), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole_s))}.{ms:03d}Z"


def format_minute_in_zone(at_ms: int, zone: str) -> str:
    """UTC milliseconds as 2026-11-20 15:03 in *zone*; in UTC as 2026-11-20 14:03 UTC."""
    if zone == "UTC":
        return f"{format_minute(at_ms)} UTC"
    return f"{datetime.fromtimestamp(at_ms // 1000, _zone(zone)):%Y-%m-%d %H:%M}"


def minute_in_zone_ms(text: str, zone: str) -> int | None:
    """UTC milliseconds of `2026-12-05T18:00` in *zone*; None: it is no such minute."""
    try:
        there = datetime.strptime(text.upper(), "%Y-%m-%dT%H:%M")
    except ValueError:
        return None
    return int(there.replace(tzinfo=_zone(zone)).timestamp() * 1000)


def format_time_in_zone(at_ms: int, zone: str) -> str:
    """UTC milliseconds as 14:03 in the time zone *zone*; in UTC if that is unavailable."""
    return f"{datetime.fromtimestamp(at_ms // 1000, _zone(zone)):%H:%M}"


def format_second_in_zone(at_ms: int, zone: str) -> str:
    """The same as 14:03:07."""
    return f"{datetime.fromtimestamp(at_ms // 1000, _zone(zone)):%H:%M:%S}"


def hour_in_zone(at_ms: int, zone: str) -> int:
    """The hour of the day there, 0 to 23."""
    return datetime.fromtimestamp(at_ms // 1000, _zone(zone)).hour


def hour_begins_ms(at_ms: int, hour: int, zone: str, *, is_next: bool) -> int:
    """When it is HOUR:00 there for the first time after *at_ms*, UTC ms; or for the last time until
    then."""
    there = datetime.fromtimestamp(at_ms // 1000, _zone(zone))
    day = there.replace(hour=hour, minute=0, second=0, microsecond=0)
    days = (day + timedelta(days=n) for n in ((0, 1, 2) if is_next else (1, 0, -1, -2)))
    found = (int(each.timestamp() * 1000) for each in days)
    return next(ms for ms in found if (ms > at_ms) is is_next)


@lru_cache(64)
def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):  # a stored zone that this machine does not have
        return UTC


def format_file_timestamp(at_ms: int) -> str:
    """UTC milliseconds as 20261120T140300Z, for file names."""
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(at_ms / 1000))


def utc_datetime(at_ms: int) -> datetime:
    """UTC milliseconds as libraries want them, to the second."""
    return datetime.fromtimestamp(at_ms // 1000, UTC)


def wall_clock_ms() -> int:
    """UTC now, for commands that run no event loop."""
    return time.time_ns() // 1_000_000
