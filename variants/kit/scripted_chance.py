"""What scenarios and lessons share: chance by script first, then by seed, and names for seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from variants.kit.chance import SeededChance
from variants.kit.expectations import WILDCARD, find_mismatch
from variants.kit.json_values import JsonValue, to_json_value

T = TypeVar("T")


class ScriptMismatch(Exception):
    """The rules asked for another draw than the script holds."""


class PartlyScriptedChance:
    """Chance by script first, then by seed; see `variants.scenario_file`, rule 1."""

    def __init__(self, seed: int) -> None:
        self._seeded = SeededChance(seed.to_bytes(32, "big"))
        self.script: list[JsonValue] = []
        self.draw_count = 0  # how many draws there were

    def _take(self) -> JsonValue:
        self.draw_count += 1
        return self.script.pop(0) if self.script else WILDCARD

    def below(self, n: int, /) -> int:
        draw = self._take()
        if draw == WILDCARD:
            return self._seeded.below(n)
        if type(draw) is not int or not 0 <= draw < n:
            raise ScriptMismatch(f"the script holds {draw!r} where a number below {n} is drawn")
        return draw

    def shuffled(self, items: Sequence[T], /) -> tuple[T, ...]:
        draw = self._take()
        if draw == WILDCARD:
            return self._seeded.shuffled(items)
        draw = list(draw) if isinstance(draw, str) else draw
        if not isinstance(draw, list):
            raise ScriptMismatch(f"the script holds {draw!r} where {len(items)} cards are shuffled")
        left, first = list(items), []
        for wanted in draw:
            found = next((i for i in left if find_mismatch(wanted, to_json_value(i)) is None), None)
            if found is None:  # a rank alone is the first card of that rank
                found = next((i for i in left if str(i).startswith(str(wanted))), None)
            if found is None:
                raise ScriptMismatch(f"{wanted!r} is not among the cards shuffled: {left}")
            left.remove(found)
            first.append(found)
        return (*first, *self._seeded.shuffled(left))


def replace_seat_names(value: JsonValue, names: Sequence[str]) -> JsonValue:
    """*value* with every text that is a seat's name replaced by the seat, keys too."""
    if isinstance(value, dict):
        return {
            replace_seat_names(k, names): replace_seat_names(v, names) for k, v in value.items()
        }
    if isinstance(value, list):
        return [replace_seat_names(item, names) for item in value]
    folded = [name.casefold() for name in names]
    if isinstance(value, str) and value.casefold() in folded:
        return folded.index(value.casefold())
    return value
