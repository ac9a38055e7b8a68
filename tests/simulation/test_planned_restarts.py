"""What is on the screens of people at a door while game servers hand over, beside a twin evening.

Rule 1: the same people type the same at the same times; at one of their lines, half typed, the game
        server hands over.  In the twin evening none does.
Rule 2: whoever reads lines or is read to has the same picture as the twin, cell for cell, with the
        half line at the prompt, before and after each line.
Rule 3: a full screen has the same panes, bar and prompt as the twin.  Its log is drawn anew: of
        what stood there it has what was played and said, once each and in that order.  Echoes of
        lines and answers to commands are left out: a capsule carries no text of a table.  The
        table has no more blank rows below it than it needs.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.transport.link import Terminal
from tests.live import live_table
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, new_world
from tests.simulation.split import SplitHouse
from tests.terminal import Emulator

FULL = replace(ANSI, name="tmux-256color", wants_full_screen=True)
CAST = {
    "ann": FULL,
    "bob": replace(FULL, cols=120, rows=40),
    "cyd": ANSI,
    "dee": Terminal("linux", 60, 24, is_ansi=True, is_character_mode=True, is_screen_reader=True),
    "eve": replace(ANSI, cols=40, rows=20),
    "fay": Terminal("", 80, 24),
}
SIT_DOWN = (
    ("ann", "open elimination pace=instant clocks=off"), ("bob", "sit 1"), ("cyd", "watch 1"),
    ("dee", "watch 1"), ("ann", "ready"), ("bob", "ready"), ("ann", "start"),
)  # fmt: skip
LINES = (
    ("cyd", "say one two"), ("ann", "who"), ("asked", "draw"), ("dee", "tell ann psst"),
    ("bob", "say fine"), ("asked", "draw"), ("eve", "#lobby well"), ("ann", "say a b"),
    ("asked", "draw"), ("fay", "tables"), ("asked", "draw"), ("cyd", "me waits"),
)  # fmt: skip
FULL_SCREENS = [name for name, terminal in CAST.items() if terminal.wants_full_screen]
KEPT = re.compile(r"^(?:\w+ draws? |Turn \d|\w+: |\w+ tells you: |cyd waits)")  # rule 3

Picture = tuple[list[str], tuple[int, int]]
Pictures = list[dict[str, Picture]]


async def evening(at: int | None, delay_s: float) -> Pictures:
    """Args: at: The line at which a game server hands over; None: it is the twin."""
    house = await SplitHouse(new_world(3), delay_s=delay_s).open()
    people = {n: house.person(n, FakeLink(it, protocol="ssh")) for n, it in CAST.items()}
    screens = {name: Emulator(it.cols, it.rows) for name, it in CAST.items()}
    pictures: Pictures = []

    def look() -> None:
        for name, person in people.items():
            for _, data in person.link.received:
                screens[name].feed(data)
            person.forget()
        pictures.append({name: (it.rows, it.cursor) for name, it in screens.items()})

    await asyncio.sleep(1)
    for who, line in SIT_DOWN:
        people[who].type(line)
        await asyncio.sleep(1)
    for number, (who, line) in enumerate(LINES):
        table = live_table(house.server.app.table_manager, 1)
        assert table is not None and table.game is not None and table.game.window is not None
        asked = ("ann", "bob")[table.game.window.seats[0]]
        typist = people[asked if who == "asked" else who]
        others = [person for person in people.values() if person is not typist]
        for person in others:
            person.press(b"s")
        typist.press(line[:2].encode())
        await asyncio.sleep(0.5)
        if number == at:
            await house.hand_over()
        await asyncio.sleep(1)
        look()
        typist.press(line[2:].encode() + b"\r")
        await asyncio.sleep(2)
        look()
        for person in others:
            person.press(b"\x7f")
        await asyncio.sleep(0.5)
    assert all(person.link.is_open for person in people.values())
    return pictures


def parts_of(picture: Picture) -> tuple[list[str], list[str], object]:
    """Of a full screen: what was played and said; panes, bar and prompt; the cursor."""
    rows, cursor = picture
    border = next(at for at, row in enumerate(rows) if re.match(r"──\[? Log", row))
    middle = rows[border].find("┬")
    log = [row if middle < 0 else row[:middle] for row in rows[border + 1 : -2]]
    chat = [] if middle < 0 else [row[middle:] for row in rows[border + 1 : -2]]
    kept = [row.rstrip() for row in log if KEPT.match(row)]
    table = "\n".join(rows[:border]).rstrip().split("\n")
    return kept, [*table, *chat, *rows[-2:]], cursor


def check(twin: Pictures, found: Pictures, where: object) -> None:
    assert len(twin) == len(found)
    for step, (expected, seen) in enumerate(zip(twin, found, strict=True)):
        for name in CAST:
            if name not in FULL_SCREENS:
                assert expected[name] == seen[name], (where, step, name)
                continue
            (events, panes, cursor), (again, *others) = map(parts_of, (expected[name], seen[name]))
            assert [panes, cursor] == others, (where, step, name)
            assert events == again[len(again) - len(events) :], (where, step, name)


def at_lines(lines: range, delay_s: float) -> None:
    twin = virtual.run(evening(None, delay_s))
    for at in lines:
        check(twin, virtual.run(evening(at, delay_s)), (at, delay_s))


def test_screens_are_those_of_an_evening_without_a_restart():
    at_lines(range(2, len(LINES), 4), 0.001)


@pytest.mark.prove
@pytest.mark.parametrize("delay_s", [0.0, 0.001, 0.05])
def test_the_same_at_whichever_line_somebody_types(delay_s):
    at_lines(range(len(LINES)), delay_s)
    print(f"\nplanned restarts={len(LINES)} people={len(CAST)} delay_s={delay_s} screens=equal")
