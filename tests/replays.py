"""Games that are played at a table, with what each person was sent, and their replays.

Rule 1: what is kept of a view is a hash of the message that was delivered, in one form: its names
        are those of the table, and `why` it was sent is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Any

import msgspec

from mudserver.config.schema import TablesConfig
from mudserver.journal import StoredRecord
from mudserver.messages import EventMessage, ViewMessage
from mudserver.tables import requests as r
from mudserver.tables.game_replay import GameReplay, NameOf, replayed_game
from tests.mudserver.tables.driver import Driver
from variants.contract import Seat
from variants.kit.chance import SeededChance

PEOPLE = "abcdefgh"
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
_encoder = msgspec.json.Encoder()

Views = dict[int, dict[Seat | None, bytes]]
"""Of each decision that was shown, by its number from 0 (the deal), and by reader."""


def table_names(person: str, name: str) -> str:
    return name


def fingerprint(view: ViewMessage) -> bytes:
    kept = msgspec.structs.replace(view, why="")
    return blake2b(_encoder.encode(kept), digest_size=16).digest()


class Played:
    """One game, from the deal to the end."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.views: Views = {}
        self.heard: dict[Seat | None, list[Any]] = {}
        self.decisions = 0

    def note(self, *, is_deal: bool = False) -> None:
        """The last request was a decision, or the start: keep what was delivered for it."""
        self.decisions += not is_deal
        game = self.driver.table.game
        assert game is not None
        for person, message in self.driver.deliveries:
            reader = game.seat_of(person)
            if isinstance(message, ViewMessage):
                self.views.setdefault(self.decisions, {})[reader] = fingerprint(message)
            if isinstance(message, EventMessage):
                self.heard.setdefault(reader, []).append(message)


def played(
    variant: Any, seats: int, seed: int, options: Mapping[str, str] | None = None, level: str = ""
) -> Played:
    """A game among people who decide as a computer player of *level* does ("": the weakest), one
    of whom watches."""
    driver = Driver({**(options or {}), "seats": str(seats)}, variant=variant)
    for person, name in zip(PEOPLE[1:seats], NAMES[1:], strict=False):
        driver.does(r.Sit(person, name))
    driver.does(r.Watch("w", "Wen"))
    driver.all_start(seed.to_bytes(32))
    game = Played(driver)
    game.note(is_deal=True)
    play_on(game, Random(seed), level)
    return game


def play_on(game: Played, rng: Random, level: str = "") -> None:
    """To the end."""
    driver = game.driver
    variant = driver.variant
    bot = variant.bots[level or next(iter(variant.bots))] if variant.bots else None
    while driver.table.is_playing:
        table_game = driver.table.game
        assert table_game is not None and table_game.window is not None
        asked = [seat for seat in table_game.window.seats if table_game.may_act(seat)]
        seat = rng.choice(asked)
        view, person = table_game.view(seat), table_game.seats[seat].person
        assert person is not None
        driver.now_ms += rng.randint(100, 4_000)
        if bot is None:
            action = rng.choice(list(variant.legal_actions(view)))
        else:
            seen = [known.event for known in table_game.known_events(seat)]
            action = bot(view, seen, SeededChance(rng.randbytes(32)))
        driver.does(r.Play(person, variant.phrase(action, view, table_game.names)))
        game.note()


def stored(bodies: Sequence[bytes]) -> list[StoredRecord]:
    return [StoredRecord(n, 0, body) for n, body in enumerate(bodies, 1)]


def replay_of(game: Played, number: int = 1, name_of: NameOf = table_names) -> GameReplay | None:
    return folded(
        7,
        number,
        stored(game.driver.bodies),
        {game.driver.variant.name: game.driver.variant},
        name_of,
    )


def folded(
    table: int, number: int, records: Sequence[StoredRecord], catalogue: Any,
    name_of: NameOf = table_names,
) -> GameReplay | None:  # fmt: skip
    steps = replayed_game(table, number, records, catalogue, TablesConfig(), name_of)
    return [None, *steps][-1]


def go(replay: GameReplay, position: int) -> None:
    for _ in replay.go(position):
        pass


def differences(game: Played, replay: GameReplay, positions: Sequence[int]) -> list[str]:
    """Where a view is not the one that was sent."""
    found = []
    for position in positions:
        go(replay, position)
        for reader, was in game.views.get(position, {}).items():
            if fingerprint(replay.view(reader)) != was:
                found.append(f"decision {position}, reader {reader}")
    return found
