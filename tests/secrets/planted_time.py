"""Leaks through the clock: what takes longer, or is chosen otherwise, for some cards."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

from pytest import MonkeyPatch

from mudserver.tables import computer_seats, runner
from mudserver.tables import records as f
from mudserver.tables.game import Game
from tests.conformance.play import packed
from tests.secrets.planted import Plant, choices_of, number_of


def a_computer_pauses_over_some_hands(patch: MonkeyPatch) -> None:
    honest = computer_seats.ComputerSeats._think

    async def _think(
        self: Any, at: Any, seat: Any, window: str, level: str, pause_s: float, seed: int
    ) -> None:
        is_odd = sha256(packed(at.game.view(seat))).digest()[0] % 2
        await honest(self, at, seat, window, level, pause_s * (0.9 if is_odd else 1), seed)

    patch.setattr(computer_seats.ComputerSeats, "_think", _think)


def a_computer_pauses_longer_with_more_plays(patch: MonkeyPatch) -> None:
    honest = computer_seats.ComputerSeats._think

    async def _think(
        self: Any, at: Any, seat: Any, window: str, level: str, pause_s: float, seed: int
    ) -> None:
        await honest(self, at, seat, window, level, pause_s + choices_of(at.game) / 50, seed)

    patch.setattr(computer_seats.ComputerSeats, "_think", _think)


def a_computer_looks_at_everything(patch: MonkeyPatch) -> None:
    honest = computer_seats.ComputerSeats._choose

    async def _choose(self: Any, at: Any, seat: Any, level: str, seed: int) -> Any:
        return await honest(self, at, seat, level, seed ^ number_of(at.game))

    patch.setattr(computer_seats.ComputerSeats, "_choose", _choose)


def some_windows_are_longer(patch: MonkeyPatch) -> None:
    honest = Game.full_ms

    def full_ms(self: Game, window: Any) -> int | None:
        full = honest(self, window)
        return full and full + 1_000 * (number_of(self) % 3)

    patch.setattr(Game, "full_ms", full_ms)


def some_cards_take_longer_to_write_down(patch: MonkeyPatch) -> None:
    honest = runner.TableRunner._append

    async def _append(self: Any, table: Any, record: f.Record) -> None:
        cards = [fact.events for fact in record.facts if isinstance(fact, f.Played)]
        await asyncio.sleep(sha256(packed(cards)).digest()[0] % 2 / 100)
        await honest(self, table, record)

    patch.setattr(runner.TableRunner, "_append", _append)


PLANTED: tuple[Plant, ...] = (
    a_computer_pauses_over_some_hands,
    a_computer_pauses_longer_with_more_plays,
    a_computer_looks_at_everything,
    some_windows_are_longer,
    some_cards_take_longer_to_write_down,
)
