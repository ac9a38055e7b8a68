"""Seasons of ratings: quarters of the year, UTC, called `2026-4`.  Pure."""

from __future__ import annotations

import re

DAY_MS = 86_400_000
QUARTER_DAYS = (0, 90, 181, 273)  # before each quarter, in a year without a leap day


def season_start_ms(at_ms: int) -> int:
    """When the season of *at_ms* began, UTC in ms."""
    return _start_day(*_season(at_ms)) * DAY_MS


def season_name(at_ms: int) -> str:
    """Of the season of *at_ms*."""
    year, quarter = _season(at_ms)
    return f"{year}-{quarter}"


def named_season_ms(name: str) -> int | None:
    """When the season of that name began; None: it is no such name."""
    found = re.fullmatch(r"(20[0-9]{2})-([1-4])", name, re.ASCII)
    return _start_day(int(found[1]), int(found[2])) * DAY_MS if found is not None else None


def _season(at_ms: int) -> tuple[int, int]:
    """Year and quarter, from 1."""
    day = at_ms // DAY_MS
    latest = 1971 + day // 365  # too late, if anything
    while _start_day(latest, 1) > day:
        latest -= 1
    return next((latest, quarter) for quarter in (4, 3, 2, 1) if _start_day(latest, quarter) <= day)


def _start_day(year: int, quarter: int) -> int:
    """The first day of a quarter, counted from 1970-01-01."""
    leap_day = quarter > 1 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return (
        365 * (year - 1970)
        + _leap_days(year)
        - _leap_days(1970)
        + (QUARTER_DAYS[quarter - 1] + leap_day)
    )


def _leap_days(year: int) -> int:
    """Those before the year."""
    return (year - 1) // 4 - (year - 1) // 100 + (year - 1) // 400
