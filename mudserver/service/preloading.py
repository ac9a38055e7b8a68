"""Loads what games, time zones and full screens need, after the first people have come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mudserver.accounts import time_zones
from variants.catalogue import Catalogue
from variants.lesson_file import parse_lesson

DELAY_S = 5.0  # after the start


async def preload(
    catalogue: Catalogue, *others: Callable[[], object], delay_s: float = DELAY_S
) -> None:
    """Args:
    others: What else is called once, in a thread.
    delay_s: 0.0 where nobody is there yet: in a standby.
    """
    await asyncio.sleep(delay_s)
    for game in catalogue.values():
        await asyncio.to_thread(game.prepare)
        if game.lesson:
            await asyncio.to_thread(parse_lesson, game.lesson)
    await asyncio.to_thread(time_zones.zone_names)
    for load in others:
        await asyncio.to_thread(load)
