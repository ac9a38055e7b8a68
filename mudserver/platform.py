"""What the machine provides to the server: time, chance, disk, processes."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mudserver.bots.interface import BotClient
from mudserver.clock import Clock
from mudserver.journal import Journal
from mudserver.service.password_hasher import PasswordHasher
from mudserver.tables.game_facts import ChanceFactory
from variants.catalogue import Catalogue, build_catalogue
from variants.kit.chance import SeededChance


@dataclass
class Platform:
    """What the machine provides.  The simulation replaces it piece by piece."""

    clock: Clock
    journal: Journal
    hasher: PasswordHasher
    bots: BotClient
    rng: random.Random = field(default_factory=random.SystemRandom)
    make_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32)
    make_chance: ChanceFactory = SeededChance
    catalogue: Catalogue = field(default_factory=build_catalogue)
    memory_bytes: Callable[[], int] = lambda: 0  # bytes that the process uses
    in_thread: Callable[..., Awaitable[Any]] = asyncio.to_thread  # a function that takes long
