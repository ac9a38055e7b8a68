"""A server gives its tables and people to another one: nothing is lost, and nobody is told."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mudserver.errors import JournalWriteError, UserError
from mudserver.standby.evacuation import Evacuation


def an_evacuation(**others: object) -> Evacuation:
    wanted = {
        "journal": SimpleNamespace(is_shared=True),
        "wall": SimpleNamespace(path="game.sock", doors=[]),
        "servers": [],
        "is_writable": True,
    } | others
    directory = SimpleNamespace(own="g1", servers=lambda: wanted["servers"])
    return Evacuation(
        *(SimpleNamespace(monotonic=lambda: 0.0), wanted["journal"], wanted["wall"]),  # type: ignore[arg-type]
        *(SimpleNamespace(sessions=[]), SimpleNamespace(), directory, SimpleNamespace()),  # type: ignore[arg-type]
        lambda: bool(wanted["is_writable"]),
    )


def server(name: str, tables: int, *, is_leaving: bool = False) -> SimpleNamespace:
    return SimpleNamespace(name=name, beat=SimpleNamespace(tables=tables, is_leaving=is_leaving))


def door(*, redirects: bool = True) -> SimpleNamespace:
    return SimpleNamespace(handshake=SimpleNamespace(name="2", redirects=redirects))


@pytest.mark.parametrize(
    "others, sentence",
    [
        ({"journal": SimpleNamespace(is_shared=False)}, "shares its journal with no other"),
        ({"wall": SimpleNamespace(path=None)}, "has no door"),
        (
            {"wall": SimpleNamespace(path="game.sock", doors=[door(), door(redirects=False)])},
            "door 2 knows no other game server: see its wall.games",
        ),
        ({"is_writable": False}, "the journal cannot be written"),
        ({"servers": [server("g1", 3)]}, "no other server lives"),
        ({"servers": [server("g2", 3, is_leaving=True)]}, "no other server lives"),
        ({"servers": [SimpleNamespace(name="g2", beat=None)]}, "no other server lives"),
    ],
)
async def test_what_cannot_be_given_away_stays_and_says_why(others, sentence):
    evacuation = an_evacuation(**others)
    with pytest.raises(UserError, match=sentence):
        await evacuation.run()
    assert not evacuation.is_over


def test_each_table_goes_to_the_server_that_has_fewest():
    evacuation = an_evacuation(servers=[server("g1", 0), server("g2", 5), server("g3", 3)])
    shares = evacuation._shares([1, 2, 3, 4])
    assert {"g3": [1, 2, 4], "g2": [3]} == shares
    with pytest.raises(JournalWriteError, match="no other server lives"):
        an_evacuation()._shares([1])
