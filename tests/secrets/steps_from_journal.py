"""A game told again from the journal, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.conformance.play import Drawn, DrawsChance, Listening, Step, folded
from tests.conformance.settings import AnyVariant, Setting
from tests.secrets.scripted_server import JournalContent
from variants.contract import Refusal, Seat
from variants.kit.chance import ScriptedChance


def is_refused(
    variant: AnyVariant, state: Any, seat: Seat, line: str, names: Sequence[str]
) -> bool:
    view = variant.observe(state, seat)
    try:
        variant.check(view, variant.parse(line, view, names))
    except Refusal:
        return True
    return False


def steps_of(setting: Setting, content: JournalContent) -> list[Step]:
    """The game again from the journal, up to a time-out that itself asked chance (a twin could
    not answer it)."""
    variant, state = setting.variant, None
    steps: list[Step] = []
    for _, fact in content.plays:
        seat = getattr(fact, "seat", None)
        action = getattr(fact, "action", None)
        chance = Listening(_Log(fact.draws))
        if seat is None:
            events = tuple(variant.deal(setting.seats, setting.options, chance))
        else:
            if getattr(fact, "by", "") == "time":
                variant.default_action(variant.observe(state, seat), chance)
                if chance.drawn:
                    break
            events = tuple(variant.decide(state, seat, action, chance))
        assert events == fact.events, "the journal does not replay"
        state = folded(variant, events, state)
        drawn: tuple[Drawn, ...] = tuple(chance.drawn)
        steps.append(Step(None if seat is None else Seat(seat), action, drawn, events, state))
    return steps


def _Log(draws: Any) -> DrawsChance:
    return ScriptedChance([tuple(d) if isinstance(d, list) else d for d in draws])
