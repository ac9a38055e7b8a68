"""What stands on terminals of a tournament, as text files to look at.

python -m tests.mudserver.session.test_tourney_screens     writes them anew
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world
from tests.toys.duel.game import DUEL

FOLDER = Path(__file__).parent / "tourney_screens"
TERMINALS = {
    "lines-80": replace(ANSI, cols=80, rows=50),
    "lines-40": replace(ANSI, cols=40, rows=50),
    "aloud": replace(ANSI, cols=80, rows=50, is_screen_reader=True),
}
LINES = ("tourney", "tourney 1", "tourney 1 standings", "tourney 1 round")
NAMES = ("Ann", "Bobby", "Cid-d", "Deedee", "Elliot", "Florian", "Gabriel")


@cache
def screens() -> dict[str, str]:
    return virtual.run(_read_all())


async def _read_all() -> dict[str, str]:
    world = new_world(3)
    world.catalogue = {DUEL.name: DUEL}
    server = await SimServer(world).open()
    people = []
    for name in NAMES:
        people.append(server.person(name))
        await asyncio.sleep(0.5)
    people[0].type("tourney open duel Winter Cup seats=3 rounds=2 break=10")
    await asyncio.sleep(1)
    for person in people:
        person.type("tourney 1 join")
        await asyncio.sleep(1)
    people[0].type("tourney 1 start")
    await asyncio.sleep(5)
    people[6].type("leave")
    people[6].type("leave")
    found = {}
    for step in ("first", "over"):
        for name, terminal in TERMINALS.items():
            found[f"{name}-{step}"] = await _read(server, f"reader-{len(name)}", terminal)
        if step == "first":
            [tourney] = server.app.tourney_streams.all()
            while not tourney.round.is_over:
                await _play(people[:5])
    return found


async def _play(people: list[Seatholder]) -> None:
    for person in people:
        if person.is_asked and (moves := await person.moves()):
            person.type(moves[0])
            await asyncio.sleep(1)
    await asyncio.sleep(2)


async def _read(server: SimServer, name: str, terminal: Terminal) -> str:
    reader = server.person(name, terminal)
    await asyncio.sleep(1)
    read = []
    for line in LINES:
        reader.forget()
        reader.type(line)
        await asyncio.sleep(1)
        read.append(reader.text.rstrip())
    reader.type("quit")
    await asyncio.sleep(1)
    return "\n".join(row.rstrip() for row in "\n".join(read).splitlines()) + "\n"


@pytest.mark.parametrize("name", [f"{it}-{step}" for it in TERMINALS for step in ("first", "over")])
def test_the_screens_are_those_of_the_files(name):
    assert (FOLDER / f"{name}.txt").read_text() == screens()[name]


@pytest.mark.parametrize("name", sorted(it.name for it in FOLDER.glob("*.txt")))
def test_no_row_is_wider_than_its_terminal(name):
    cols = 40 if "-40-" in name else 80
    rows = (FOLDER / name).read_text().splitlines()
    assert all(len(row) <= cols for row in rows)


if __name__ == "__main__":
    for file, text in screens().items():
        (FOLDER / f"{file}.txt").write_text(text)
