"""A game for the pool's tests: say a number from 1 to 3.  Its players misbehave, one each level.

Run as a program it is the pool's child, with this game for a catalogue.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from variants.contract import Chance, IllegalAction, Variant


@dataclass(frozen=True)
class View:
    hand: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Said:
    seat: int
    number: int | None


@dataclass(frozen=True)
class Passed:
    seat: int


@dataclass(frozen=True)
class Say:
    number: int


def check(view: View, action: Say) -> None:
    if action.number not in (1, 2, 3):
        raise IllegalAction("Say a number from 1 to 3.")


def fair(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    return Say(1 + chance.below(3))


def better_action(view: View, seen: Sequence[Any], played: Say) -> tuple[Say, float] | None:
    return None if played.number == 3 else (Say(3), 3.0 - played.number)


def listener(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    """Says the last number that it heard itself, and knows one class from the other."""
    heard = [event.number for event in seen if isinstance(event, Said) and event.number]
    return Say(heard[-1] if view.hand == ("7H", "*1") else 1)


def dreamer(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    time.sleep(3_600)
    return Say(1)


def dier(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    os._exit(3)


def dies_once(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    if not Path(view.note).exists():
        Path(view.note).touch()
        os._exit(3)
    return Say(2)


def raiser(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    raise ValueError(f"I hold {view.hand}")


def cheat(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    return Say(4)


def stranger(view: View, seen: Sequence[Any], chance: Chance) -> Any:
    return Passed(0)


def babbler(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    print("thinking aloud", flush=True)
    os.write(1, b"\xff" * 100)
    return Say(3)


def vandal(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    """Writes a length that no answer has into every pipe it finds."""
    for fd in range(3, 10):
        try:
            os.write(fd, b"\xff" * 8)
        except OSError:
            continue
    return Say(1)


def spy(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    """Says 1 if it has no terminal, a bare environment and a low priority, but not while it built
    the games; else raises."""
    assert not any(os.isatty(fd) for fd in (0, 1, 2))
    assert set(os.environ) <= {"PYTHONHASHSEED", "LC_CTYPE"}, set(os.environ)
    assert os.nice(0) >= 10 and (os.nice(0) > BUILT_AT_NICE[0] or BUILT_AT_NICE[0] >= 19)
    assert os.getsid(0) == os.getpid()
    return Say(1)


def keeper(view: View, seen: Sequence[Any], chance: Chance) -> Say:
    """Says what stands in the data file that its process was handed."""
    return Say(int(FILES["toy.number"]))


FAIR, LISTENER, DREAMER, DIER, DIES_ONCE, RAISER, CHEAT, STRANGER, BABBLER, VANDAL, SPY, KEEPER = [
    "fair",
    "listener",
    "dreamer",
    "dier",
    "dies_once",
    "raiser",
    "cheat",
    "stranger",
    "babbler",
    "vandal",
    "spy",
    "keeper",
]
FILES: dict[str, bytes] = {}
BUILT_AT_NICE: list[int] = []


def unused(*_: Any) -> Any:
    raise AssertionError("the pool has no business with this")


TOY: Variant[Any, Any, Any, Any] = Variant(
    name="toy", title="Toy", summary="", guide=(), seats=range(2, 3), options=(),
    default_clocks_s={},
    action_types=(Say,), event_types=(Said, Passed), view_type=View, state_type=View,
    check_options=unused, deal=unused, open_window=unused, check=check, legal_actions=unused,
    lists_all=True, decide=unused, evolve=unused, observe=unused, redact=unused,
    default_action=unused, outcome=unused, decisions_max=unused, components=unused, zones=unused,
    arrange=unused, sample_states=unused, parse=unused, phrase=unused, describe_event=unused,
    render=unused, better_action=better_action,
    bots={
        FAIR: fair, LISTENER: listener, DREAMER: dreamer, DIER: dier, DIES_ONCE: dies_once,
        RAISER: raiser, CHEAT: cheat, STRANGER: stranger, BABBLER: babbler, VANDAL: vandal,
        SPY: spy, KEEPER: keeper,
    },
)  # fmt: skip
TOYS = {"toy": TOY}
CHILD = (sys.executable, __file__)

if __name__ == "__main__":
    from mudserver.bots.worker import main

    def build(files: Mapping[str, bytes]) -> dict[str, Variant[Any, Any, Any, Any]]:
        FILES.update(files)
        BUILT_AT_NICE.append(os.nice(0))
        time.sleep(float(files.get("toy.start_s", b"0")))
        return TOYS

    main(build)
