"""Finished games of the released version, as they lie in a journal: one per option set, or of a
game without options one per number of seats.  Of a game with many options, one per setting of
the proofs.

Rule 1: a record is named by the options that there were then.  One that came later has its
        default in it.
`python -m tests.conformance.golden` writes the records that are missing and leaves the others
alone: a record is history.  Delete one by hand only if its form was never released.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.conformance.play import play
from tests.conformance.settings import AnyVariant, Setting, option_sets, settings_of
from tests.games import profile_of
from variants.catalogue import CATALOGUE
from variants.contract import renamed
from variants.kit.text import Style

FOLDER = Path(__file__).parent / "golden_records"
SEATS = 3  # where there are option sets
STYLE = Style()


def settings() -> list[Setting]:
    """Of every record there must be."""
    return [setting for variant in CATALOGUE.values() for setting in _settings_of(variant)]


def _settings_of(variant: AnyVariant) -> list[Setting]:
    if profile_of(variant.name).brief:
        return settings_of(variant)
    return [
        Setting(variant, seats, chosen)
        for chosen in option_sets(variant)
        for seats in ([SEATS] if variant.options else variant.seats)
    ]


def path_of(setting: Setting) -> Path:
    return FOLDER / f"{setting.label}.json"


def written() -> dict[str, Setting]:
    """The setting of each record there is, by the name of its file."""
    return {path.stem: _setting_of(path.stem) for path in sorted(FOLDER.glob("*.json"))}


def _setting_of(name: str) -> Setting:
    game, seats, options = name.split("-", 2)
    variant = CATALOGUE[game]
    chosen = {option.name: option.default for option in variant.options}
    if options != "plain":
        named = dict(part.split("=") for part in options.split(","))
        chosen |= renamed(variant.options, named)
    return Setting(variant, int(seats), chosen)


def missing() -> list[Setting]:
    """Those of which there must be a record and is none."""
    there = {setting.label for setting in written().values()}
    return [setting for setting in settings() if setting.label not in there]


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def events_of(variant: AnyVariant, record: Any) -> list[Any]:
    types = {kind.__name__: kind for kind in variant.event_types}
    return [msgspec.convert(body, types[name]) for name, body in record["events"]]


def result_of(setting: Setting, state: Any) -> Any:
    """The end as everybody sees it, and where every card lies."""
    variant = setting.variant
    outcome = variant.outcome(state)
    assert outcome is not None
    zones = {zone: list(cards) for zone, cards in variant.zones(state).items()}
    return {"places": list(outcome.places), "scores": list(outcome.scores), "zones": zones}


def told(setting: Setting, events: Sequence[Any]) -> str:
    """The kinds of events that a watcher hears of, in order: words may change, news may not."""
    known = [setting.variant.redact(event, None) for event in events]
    return " ".join(type(event).__name__ for event in known if event is not None)


def write(setting: Setting) -> None:
    game = play(setting, 16)
    events = [[type(event).__name__, msgspec.to_builtins(event)] for event in game.events]
    rows = [
        f' "game": {json.dumps(setting.label)}',
        f' "result": {json.dumps(result_of(setting, game.state))}',
        f' "told": {json.dumps(told(setting, game.events))}',
        ' "events": [\n  ' + ",\n  ".join(map(json.dumps, events)) + "\n ]",
    ]
    FOLDER.mkdir(exist_ok=True)
    path_of(setting).write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    for setting in missing():
        write(setting)
        print(path_of(setting))
