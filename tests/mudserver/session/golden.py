"""What stands on terminals in line mode, as text files to look at: three people at a table, and
Wim, who watches and talks.

    python -m tests.mudserver.session.golden      writes them anew; look at the difference in git

Rule 1: each of the three has another terminal, and the picture is taken when it is the own turn,
        with half a line typed and talk above it.
Rule 2: a file holds the rows that are on the screen, between two rows of =, and above them what
        has just gone off it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from mudserver.transport.link import Terminal
from tests.mudserver.ui.fullscreen.harness import SIZES, TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import Watched, advised
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world
from variants.catalogue import CATALOGUE

FOLDER = Path(__file__).parent / "golden"
PEOPLE = ("Ann", "Bob", "Cyd")
TALK = "Good evening, all: “shall we…?” Zoë has brought nuts ♥"
TYPED = "half a li"
PLAYS = 14  # typed by people, before the first picture is taken
STEPS_MAX = 200
ROWS_MIN = 36  # in a file, if so much was said
EMULATOR_ROWS = 500
BEYOND = 60  # columns behind the edge, where nothing may be written
PAUSE_S = 0.5

CHARSETS = ("ascii", "latin-1", "cp437")
CASTS: dict[str, dict[str, Terminal]] = {
    "lines": {f"lines-{c}x{r}": replace(ANSI, cols=c, rows=r) for c, r in SIZES},
    "aloud": {
        f"aloud-{c}x{r}": replace(ANSI, cols=c, rows=r, is_screen_reader=True) for c, r in SIZES
    },
    "charsets": {
        f"{charset}-80x24": replace(ANSI, charset=charset, colours="off")  # type: ignore[arg-type]
        for charset in CHARSETS
    },
}
"""Cast -> name of the picture -> the terminal, one for each of PEOPLE."""


@dataclass(frozen=True)
class Shot:
    terminal: Terminal
    heard: bytes  # of the whole run
    emulator: TwoScreenEmulator  # all of it, never scrolled, and wider than the terminal


def scenes() -> list[tuple[str, str]]:
    """Games and casts."""
    return [(game, cast) for game in CATALOGUE for cast in CASTS]


@cache
def shots(game: str, cast: str) -> dict[str, Shot]:
    """Each by the name of its file."""
    return virtual.run(_play_and_type(game, cast))


def text(shot: Shot) -> str:
    terminal, emulator = shot.terminal, shot.emulator
    rows, (row, column) = emulator.text.rstrip("\n").split("\n"), emulator.cursor
    edge = "=" * terminal.cols
    first = max(0, row + 1 - terminal.rows)
    gone = rows[max(0, row + 1 - ROWS_MIN) : first]
    where = f"The cursor stands in row {row + 1 - first}, column {column + 1}."
    return "\n".join([*gone, edge, *rows[first:], edge, where]) + "\n"


async def _play_and_type(game: str, cast: str) -> dict[str, Shot]:
    server = await SimServer(new_world(3)).open()
    people = {}
    for name, terminal in zip(PEOPLE, CASTS[cast].values(), strict=True):
        people[name] = Watched.comes_in(server, name, terminal)
        await asyncio.sleep(PAUSE_S)
        await _type(people[name], f"open {game}" if name == "Ann" else "sit 1")
    wim = Watched.comes_in(server, "Wim", ANSI)
    await asyncio.sleep(PAUSE_S)
    await _type(wim, "watch 1")
    await _type(people["Ann"], f"bot {CATALOGUE[game].stand_in}")
    for name in reversed(PEOPLE):
        await _type(people[name], "start")
    taken = await _play(server, people, wim)
    return {f"{game}-{name}": taken[who] for name, who in zip(CASTS[cast], PEOPLE, strict=True)}


async def _play(server: SimServer, people: dict[str, Watched], wim: Watched) -> dict[str, Shot]:
    taken: dict[str, Shot] = {}
    for count in range(STEPS_MAX):
        asked = next((name for name in PEOPLE if people[name].moves()), None)
        if asked is None:
            await asyncio.sleep(PAUSE_S)  # the computer player's turn
            continue
        if count >= PLAYS and asked not in taken:
            taken[asked] = await _shot(people[asked], wim)
            if len(taken) == len(PEOPLE):
                return taken
        await _type(people[asked], advised(server, people[asked], count))
    raise AssertionError(f"only {sorted(taken)} were asked")


async def _type(person: Watched, line: str) -> None:
    person.type(line)
    await asyncio.sleep(PAUSE_S)


async def _shot(person: Watched, wim: Watched) -> Shot:
    person.press(TYPED.encode())
    await _type(wim, f"kibitz {TALK}")
    terminal, heard = person.link.terminal, person.link.heard
    emulator = TwoScreenEmulator(terminal.cols + BEYOND, EMULATOR_ROWS)
    emulator.feed(heard.decode(terminal.charset).encode())
    person.press(b"\x15")
    return Shot(terminal, heard, emulator)


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for scene in scenes():
        for name, shot in shots(*scene).items():
            (FOLDER / f"{name}.txt").write_text(text(shot), "utf-8")


if __name__ == "__main__":
    write()
