"""The real process with the real catalogue."""

from __future__ import annotations

from typing import Any

import pytest

from mudserver.bots import bot_process
from mudserver.bots.pool import BotPool
from mudserver.config.schema import BotsConfig
from tests.games import profile_of
from tests.inline_bots import InlineBots
from variants.catalogue import CATALOGUE
from variants.contract import Seat, may_act
from variants.kit.chance import SeededChance


@pytest.mark.parametrize("name", sorted(CATALOGUE))
async def test_a_whole_game_through_the_pipe_is_the_game_played_in_process(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It has the lowest priority, and this machine may be busy with other tests.
    monkeypatch.setattr(bot_process, "START_S", 120.0)
    variant = CATALOGUE[name]
    options = {option.name: option.default for option in variant.options}
    options |= profile_of(name).one_round
    pool = BotPool(BotsConfig(decision_s=120.0), CATALOGUE, log=print)
    await pool.start()
    try:
        chance = SeededChance(b"a whole game")
        seats = [Seat(n) for n in range(variant.seats[0])]
        seen: dict[Seat, list[Any]] = {seat: [] for seat in seats}
        state: Any = None
        events = variant.deal(len(seats), options, chance)
        asked = 0
        while True:
            for event in events:
                state = variant.evolve(state, event)
                for seat in seats:
                    if (heard := variant.redact(event, seat)) is not None:
                        seen[seat].append(heard)
            window = variant.open_window(variant.observe(state, None))
            if window is None:
                break
            views = {seat: variant.observe(state, seat) for seat in window.seats}
            seat = next(seat for seat in views if may_act(variant, window, views[seat]))
            asked += 1
            level = list(variant.bots)[asked % len(variant.bots)]
            question = name, level, views[seat], seen[seat], asked
            action = await pool.choose(*question)
            assert action == await InlineBots().choose(*question)
            events = variant.decide(state, seat, action, chance)
        assert asked > len(seats)
    finally:
        await pool.close()
