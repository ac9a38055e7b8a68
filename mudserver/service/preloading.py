"""Loads what games and time zones need rarely, after the first people have come back."""

from __future__ import annotations

import asyncio

from mudserver.accounts import time_zones
from variants.catalogue import Catalogue

DELAY_S = 5.0  # after the start


async def preload(catalogue: Catalogue) -> None:
    await asyncio.sleep(DELAY_S)
    for game in catalogue.values():
        await asyncio.to_thread(game.prepare)
    await asyncio.to_thread(time_zones.zone_names)
