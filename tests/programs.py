"""Programs that play in a server without a machine: docs/bot.py, and all that it reads."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from mudserver.transport.link import JsonProtocol
from tests.first_bot import FirstBot
from tests.games import profile_of
from tests.simulation.server import Seatholder, SimServer

BOT_FILE = Path(__file__).parents[1] / "docs" / "bot.py"
PACE_S = 0.11  # between two lines: ten a second are read
LINES_MAX = 3_000  # of one game

Object = dict[str, Any]


def bot_module() -> Any:
    spec = spec_from_file_location("lockdown_bot", BOT_FILE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def opening(game: str) -> str:
    short = [f"{name}={value}" for name, value in profile_of(game).shortest.items()]
    return " ".join([game, "pace=instant", *short])


class Reader:
    """What a program has read, object by object; everything is kept."""

    def __init__(self, program: Seatholder) -> None:
        self.program = program
        self.objects: list[Object] = []
        self._at = 0

    def fresh(self) -> Iterator[Object]:
        received = self.program.link.received
        while self._at < len(received):
            _, data = received[self._at]
            self._at += 1
            for row in filter(None, data.splitlines()):
                self.objects.append(json.loads(row))
                yield self.objects[-1]


async def played(
    server: SimServer, game: str, seed: int, protocol: JsonProtocol = 1
) -> tuple[Reader, str]:
    """One game by docs/bot.py, or in protocol 1 by the bot before it: all that it has read, and
    what it says of the end."""
    random.seed(seed)
    bot = FirstBot(opening(game)) if protocol == 1 else bot_module().Bot(opening(game))
    reader = Reader(server.guest(is_program=True, json_protocol=protocol))
    await asyncio.sleep(PACE_S)
    for _ in range(LINES_MAX):
        for heard in reader.fresh():
            for written in bot.answer(heard):
                reader.program.write(json.dumps(written).encode() + b"\n")
                await asyncio.sleep(PACE_S)
        if not reader.program.link.is_open:
            break
        await asyncio.sleep(PACE_S)
    return reader, bot.result
