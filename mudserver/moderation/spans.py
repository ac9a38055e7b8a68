"""Times that staff type: `10m`, `2h`, `7d`, `4w`, `forever`."""

from __future__ import annotations

import re

from mudserver.errors import UserError
from mudserver.moderation import texts
from variants.kit.text import quantity

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
_UNITS = {"m": MINUTE_S, "h": HOUR_S, "d": DAY_S, "w": 7 * DAY_S}
_NAMES = ((DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute"))
YEARS_MAX = 100  # a longer time is `forever`


def parse_span(typed: str) -> int | None:
    """The seconds of a time as it is typed; None: `forever`.  UserError: it is none."""
    if typed.lower() in ("forever", "permanent"):
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", typed.lower())
    if found is None:
        raise UserError(texts.NOT_A_TIME.format(typed[:20]), "usage")
    span_s = int(found[1]) * _UNITS[found[2]]
    if span_s > YEARS_MAX * 365 * DAY_S:
        raise UserError(texts.NOT_A_TIME.format(typed[:20]), "usage")
    return span_s


def span_text(span_s: int) -> str:
    """`15 minutes`, `7 days`: in the largest unit that fits."""
    for unit_s, name in _NAMES:
        if span_s >= unit_s and span_s % unit_s == 0:
            return quantity(span_s // unit_s, name)
    return quantity(-(-span_s // MINUTE_S), "minute")
