"""Loads what games, time zones and full screens need, after the first people have come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from mudserver.accounts import time_zones
from variants.catalogue import Catalogue

DELAY_S = 5.0  # after the start


async def preload(catalogue: Catalogue, *others: Callable[[], object]) -> None:
    """Args: others: What else is called once, in a thread."""
    await asyncio.sleep(DELAY_S)
    for game in catalogue.values():
        await asyncio.to_thread(game.prepare)
    await asyncio.to_thread(time_zones.zone_names)
    for load in others:
        await asyncio.to_thread(load)
