"""What a scenario file says: a position, then what seats type, and what everybody hears and sees.

It is TOML; `python -m variants.scenario` plays it.

    name = "a gift obliges"
    rulings = ["ER-11"]
    variant = "elimination"
    seats = ["Ann", "Bob", "Cy"]
    options = { deck = "50" }              # optional
    seed = 1                               # optional: all chance that nothing below decides

    [position]                             # what variant.arrange takes, names for seats;
    turn = "Ann"                           # or [deal] to have the cards dealt
    hands = { Ann = ["8", "K"] }

    [start]                                # optional: what is expected before the first step
    asked = ["Ann"]

    [[step]]
    seat = "Ann"                           # who types
    line = "give 8 bob"                    # or `time = true`, without a seat: the clock runs out
    told.Bob = ["Ann gives you the 8..."]  # and so on: see EXPECTATIONS

Readers are the seats by name, `watcher`, and `others` (every reader who is not named beside it).
`...` stands for any text, and as an entry of a list for any entries; see
`variants.kit.expectations`.

Rule 1: `draws` (of [deal], [position] or a step) scripts chance: a number answers one pick, a
        list of cards, or of letters a text, says what comes first out of one shuffle, "..." leaves
        one to the seed.  What is scripted must be asked for; what follows comes from the seed.
Rule 2: a name or a field that the format does not know is an error, never silently ignored.
Rule 3: the clock is that of the open window: everybody who owes it an answer gets the default,
        again and again until it is closed.  With a `seat`, that seat gets one default.  [G-09]
Rule 4: one letter in `not_told` stands for a card: it may stand in a word, but not alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from variants.catalogue import CATALOGUE
from variants.contract import Refusal, Seat, Variant
from variants.kit.expectations import WILDCARD
from variants.kit.json_values import JsonValue
from variants.kit.scripted_chance import replace_seat_names

T = TypeVar("T")
Viewer = Seat | None
"""A seat, or a watcher (None)."""

EXPECTATIONS = {
    "told": "sentences by reader",
    "not_told": "by reader: what stands in nothing that this reader can hear or see",
    "view": "fields of the view by reader",
    "moves": "what could be typed, by reader",
    "events": "kinds, or tables of fields",
    "asked": "the seats that may answer; empty when the game is over",
    "asks": "what the table waits for",
    "zones": "cards, or how many, by zone",
    "outcome": "places, scores, reason",
    "refused": "the refusal, or a part of it",
}
SEED_MAX = 2**63
PER_VIEWER_KEYS = ("told", "not_told", "view", "moves")


class InvalidScenario(Exception):
    """This file is no scenario: the reason."""


@dataclass(frozen=True)
class Step:
    title: str
    seat: Seat | None  # None: the position itself, or the clock of all who are asked
    line: str
    is_timeout: bool
    draws: tuple[JsonValue, ...]
    expected: Mapping[str, Any]


@dataclass(frozen=True)
class Scenario:
    name: str
    rulings: tuple[str, ...]
    variant: Variant[Any, Any, Any, Any]
    names: tuple[str, ...]
    options: Mapping[str, str]
    seed: int
    position: Mapping[str, Any] | None  # None: the cards are dealt
    steps: tuple[Step, ...]  # the first one is the position


def parse_scenario(text: str) -> Scenario:
    """A scenario from the text of its file; Malformed with the reason."""
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidScenario(f"not TOML: {error}") from None
    known = {"name", "rulings", "variant", "seats", "options", "seed", "position", "deal"}
    _refuse_unknown_keys(raw, known | {"start", "step"}, "the file")
    variant = CATALOGUE.get(_get(raw, "variant", str))
    if variant is None:
        raise InvalidScenario(f"no such game: {raw['variant']} (there is {', '.join(CATALOGUE)})")
    names = tuple(_get(raw, "seats", list))
    if not all(isinstance(name, str) for name in names) or len(names) not in variant.seats:
        raise InvalidScenario("`seats` are the names of all who play, as many as the game allows")
    if len({"watcher", "others", *map(str.casefold, names)}) != len(names) + 2:
        raise InvalidScenario(
            "every seat needs a name of its own; `watcher` and `others` are taken"
        )
    seed = _get(raw, "seed", int, 1)
    if not 0 <= seed < SEED_MAX:
        raise InvalidScenario("`seed` is a number from 0 to 2**63 - 1")
    position, deal = _get(raw, "position", dict, {}), _get(raw, "deal", dict, {})
    if ("position" in raw) == ("deal" in raw):
        raise InvalidScenario("either [position] or [deal] is needed, and not both")
    _refuse_unknown_keys(deal, {"draws"}, "[deal]")
    draws = tuple(_get(position | deal, "draws", list, []))
    arranged = {key: value for key, value in position.items() if key != "draws"}
    start = _get(raw, "start", dict, {})
    _refuse_unknown_keys(start, set(EXPECTATIONS) - {"refused"}, "[start]")
    steps = [Step("start", None, "", False, draws, _expected(start, names, "[start]"))]
    for number, step in enumerate(_get(raw, "step", list, []), start=1):
        steps.append(_step(number, step, names))
    return Scenario(
        name=_get(raw, "name", str),
        rulings=tuple(_get(raw, "rulings", list)),
        variant=variant,
        names=names,
        options=_options(variant, _get(raw, "options", dict, {})),
        seed=seed,
        position=replace_seat_names(arranged, names) if "position" in raw else None,
        steps=tuple(steps),
    )


def _step(number: int, raw: object, names: Sequence[str]) -> Step:
    where = f"step {number}"
    if not isinstance(raw, dict):
        raise InvalidScenario(f"{where} is not a [[step]]")
    _refuse_unknown_keys(raw, {"seat", "line", "time", "draws", *EXPECTATIONS}, where)
    line, is_time = _get(raw, "line", str, ""), _get(raw, "time", bool, False)
    if is_time == ("line" in raw):
        raise InvalidScenario(f"{where} needs either `line` or `time = true`")
    seat = replace_seat_names(_get(raw, "seat", str, ""), names)
    if not isinstance(seat, int) and ("seat" in raw or not is_time):
        raise InvalidScenario(f"{where}: `seat` is one of {', '.join(names)}")
    typed = f"{raw.get('seat')}> {line}"
    return Step(
        title=f"{where} ({'time' if is_time else typed})",
        seat=Seat(seat) if isinstance(seat, int) else None,
        line=line,
        is_timeout=is_time,
        draws=tuple(_get(raw, "draws", list, [])),
        expected=_expected(raw, names, where),
    )


def _expected(raw: Mapping[str, Any], names: Sequence[str], where: str) -> Mapping[str, Any]:
    expected = {key: raw[key] for key in EXPECTATIONS if key in raw}
    for key in PER_VIEWER_KEYS:
        if key in expected:
            given = _get(raw, key, dict)
            readers = {n.casefold(): Seat(s) for s, n in enumerate(names)} | {"watcher": None}
            named = {who.casefold(): what for who, what in given.items()}
            _refuse_unknown_keys(named, {*readers, "others"}, f"{where}, `{key}`")
            if "others" in named and readers.keys() <= named.keys():
                raise InvalidScenario(
                    f"{where}, `{key}`: there are no others, all readers are named"
                )
            chosen = {who: named.get(who, named.get("others", WILDCARD)) for who in readers}
            by = {readers[who]: what for who, what in chosen.items() if what != WILDCARD}
            expected[key] = {
                r: replace_seat_names(w, names) if key == "view" else w for r, w in by.items()
            }
    for key in ("events", "asked", "zones", "outcome"):
        if key in expected:
            expected[key] = replace_seat_names(expected[key], names)
    return expected


def _options(variant: Variant[Any, Any, Any, Any], given: Mapping[str, Any]) -> dict[str, str]:
    known = {option.name: option for option in variant.options}
    _refuse_unknown_keys(given, set(known), "`options`")
    given = {name: str(value) if type(value) is int else value for name, value in given.items()}
    for name, value in given.items():
        if not known[name].accepts(value):
            raise InvalidScenario(f"option {name} is {known[name].description}")
    options = {option.name: option.default for option in variant.options} | dict(given)
    try:
        variant.check_options(options)
    except Refusal as refusal:
        raise InvalidScenario(refusal.format(())) from None
    return options


def _refuse_unknown_keys(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    if unknown := sorted(raw.keys() - known):
        raise InvalidScenario(
            f"{where} has no `{unknown[0]}` (there is {', '.join(sorted(known))})"
        )


def _get(raw: Mapping[str, Any], key: str, kind: type[T], default: T | None = None) -> T:
    if key not in raw and default is not None:
        return default
    if key not in raw:
        raise InvalidScenario(f"`{key}` is missing")
    if type(raw[key]) is not kind:
        raise InvalidScenario(f"`{key}` is no {kind.__name__}")
    value: T = raw[key]
    return value
