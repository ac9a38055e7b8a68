"""Loads what games, lessons, time zones and full screens need, soon after the start.

Rule: what cannot be loaded is one line of the log, and the rest is loaded; whoever needs it first
      waits, and reads what is wrong.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial

from mudserver import metrics
from mudserver.accounts import time_zones
from mudserver.logs import raise_location
from variants.catalogue import Catalogue
from variants.lesson_file import parse_lesson

DELAY_S = 5.0  # after the start

log = logging.getLogger(__name__)

Load = Callable[[], object]


async def preload(
    catalogue: Catalogue, others: Mapping[str, Load], *, delay_s: float = DELAY_S
) -> None:
    """Args:
    others: What else is called once, in a thread, by the name that the log gives it.
    delay_s: 0.0 where nobody is there yet: in a standby.
    """
    await asyncio.sleep(delay_s)
    loads: dict[str, Load] = {}
    for name, game in catalogue.items():
        loads[name] = game.prepare
        if game.lesson:
            loads[f"{name}_lesson"] = partial(parse_lesson, game.lesson)
    for what, load in (loads | {"time_zones": time_zones.zone_names} | dict(others)).items():
        try:
            await asyncio.to_thread(load)
        except Exception as exc:
            metrics.INTERNAL_ERRORS.value += 1
            log.error("not loaded ahead what=%s err=%s at=%s", what, type(exc).__name__,
                      raise_location(exc))  # fmt: skip
