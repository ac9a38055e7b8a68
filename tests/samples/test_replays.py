"""Games that older servers wrote replay to the views that they had when this was first written.

`python -m tests.samples.test_replays` adds the digests that are missing to `replays.json` and
leaves the others alone: what is stored is history.

Rule 1: a digest is of the view as protocol 1 has it, which is frozen: a new field changes none.
"""

from __future__ import annotations

import json
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from mudserver.journal.sqlite import migrations
from mudserver.tables import codec
from tests.conformance import golden
from tests.replays import folded, go
from tests.samples.make import FOLDER, unpacked
from tests.samples.test_samples import read_by_the_server
from variants.catalogue import CATALOGUE
from variants.contract import Seat
from variants.kit.json_values import to_json_value

KEPT = FOLDER / "replays.json"
GAMES_MAX = 5  # of one table that are looked for


def as_json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def digests() -> dict[str, str]:
    """Of every finished game of the samples, by schema and id, and of every golden record."""
    found: dict[str, str] = {}
    for schema in range(1, migrations.newest_schema() + 1):
        found |= of_sample(schema)
    return found | {f"golden {name}": of_golden(name) for name in golden.written()}


def of_sample(schema: int) -> dict[str, str]:
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as directory:
        disk = read_by_the_server(unpacked(schema, Path(directory)))
    for stream, records in sorted(disk.records.items()):
        if not stream.startswith("table/") or codec.variant_name(records[0].body) not in CATALOGUE:
            continue
        table = int(stream.removeprefix("table/"))
        for number in range(1, GAMES_MAX):
            replay = folded(table, number, records, CATALOGUE)
            if replay is None:
                continue
            digest = blake2b(digest_size=16)
            for position in range(replay.last + 1):
                go(replay, position)
                for reader in (None, *map(Seat, range(replay.seats))):
                    view = replay.view(reader)
                    about = view.names, view.asked, view.asks, view.window, view.missing
                    digest.update(as_json([to_json_value(view.view, 1), *about]))
            found[f"schema {schema}, game {table}.{number}"] = digest.hexdigest()
    return found


def of_golden(name: str) -> str:
    """Every view of every reader behind every event."""
    setting, digest, state = golden.written()[name], blake2b(digest_size=16), None
    variant: Any = setting.variant
    for event in golden.events_of(variant, golden.read(name)):
        state = variant.evolve(state, event)
        for reader in (None, *map(Seat, range(setting.seats))):
            digest.update(as_json(to_json_value(variant.observe(state, reader), 1)))
    return digest.hexdigest()


@pytest.fixture(scope="module")
def now() -> dict[str, str]:
    return digests()


def test_games_of_the_oldest_server_replay_as_they_did():
    some = of_sample(1)
    assert some and some.items() <= json.loads(KEPT.read_text("utf-8")).items()


@pytest.mark.prove
def test_every_game_of_an_older_server_replays_as_it_did(now):
    kept = json.loads(KEPT.read_text("utf-8"))
    assert kept == {name: now.get(name) for name in kept}


@pytest.mark.prove
def test_every_game_there_is_has_its_digest(now):
    assert set(now) == set(json.loads(KEPT.read_text("utf-8")))
    assert len(now) >= 30 and sum(name.startswith("schema 1,") for name in now) >= 3


if __name__ == "__main__":
    before = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    KEPT.write_text(json.dumps({**digests(), **before}, indent=1, sort_keys=True) + "\n", "utf-8")
