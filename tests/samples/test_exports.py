"""Games that older servers wrote are had as files: text, record and recording."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mudserver.accounts.person import Person
from mudserver.journal.sqlite import migrations
from mudserver.service.game_exports import TEXT_COLS, GameExports
from mudserver.service.replay_finder import FoundGame
from mudserver.session.replay_painter import ReplayPainter
from mudserver.tables import codec
from tests.mudserver.service.test_replays import check_cast
from tests.mudserver.transport.server import HandClock
from tests.replays import folded
from tests.samples.make import unpacked
from tests.samples.test_samples import read_by_the_server
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE
from variants.verify import verify

PERSON = Person("p1", "Ann", False)
OTHER_EVENTS = {(1, "words")}
"""Whose events lack a field that the rules have now: they are proved by a server of their time."""
SCHEMAS = range(1, migrations.newest_schema() + 1)


def games_of(schema: int, folder: Path) -> Iterator[FoundGame]:
    """The finished games of a sample, one of each table."""
    for stream, records in sorted(read_by_the_server(unpacked(schema, folder)).records.items()):
        if stream.startswith("table/") and codec.variant_name(records[0].body) in CATALOGUE:
            replay = folded(int(stream.removeprefix("table/")), 1, records, CATALOGUE)
            if replay is not None:
                yield FoundGame(replay, None)


def exported(found: FoundGame, form: str, eyes: str = "") -> list[str]:
    class Finder:
        async def find(self, person: Person, source: str, typed: str) -> FoundGame:
            return found

    finder: Any = Finder()
    exports = GameExports(HandClock(), finder)
    exports.painter = ReplayPainter(CATALOGUE)

    async def rows() -> list[str]:
        return [row async for row in exports.rows(PERSON, "", found.label, form, eyes)]

    return asyncio.run(rows())


@pytest.mark.parametrize("schema", slow_cases(SCHEMAS, [str(each) for each in SCHEMAS[1:-1]]))
def test_each_game_of_a_sample_is_had_in_each_form(schema, tmp_path):
    found = list(games_of(schema, tmp_path))
    assert found
    for game in found:
        variant = game.replay.ended.variant
        text = exported(game, "text", "1")
        assert text[0].startswith(f"Game {game.label}: {variant}") and text[-1].strip()
        assert max(map(len, text)) <= TEXT_COLS and not any("\x1b" in row for row in text)
        check_cast(exported(game, "cast", "2"), variant, game.replay)
        record = exported(game, "json")
        assert json.loads(record[-1])["outcome"]
        if (schema, variant) not in OTHER_EVENTS:
            assert verify(record).startswith("proved: "), (schema, game.label)
