"""Three people and a computer player at a table of the whole server, until there is much to see.

Rule 1: a picture follows from its scene alone: one seed, a virtual clock, lines in memory.
Rule 2: people here play as a computer player would, from their own view, so that the game is one
        that somebody might have played.
Rule 3: whoever is in the picture is asked at its end, and has begun to type.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mudserver.transport.link import Terminal
from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.mudserver.ui.fullscreen.watched import Watched, advised
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

STEPS_MAX = 400  # plays and pauses before a game is given up
PAUSE_S = 0.5  # after a line, before the next


@dataclass(frozen=True)
class Scene:
    """Who plays what on which terminal, and until when.

    Args:
        plays: That many are typed by people at least, the first ones of the game included.
        talk: After so many plays, what is typed besides: `Bob> /say hello`.
        typed: What the person in the picture has typed of the next line.
    """

    game: str
    plays: int
    cols: int
    rows: int
    seed: int = 1
    who: str = "Ann"
    people: tuple[str, ...] = ("Ann", "Bob", "Cara")
    setup: tuple[str, ...] = ()
    talk: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    typed: str = ""
    guests: tuple[str, ...] = ()  # they stay in the lobby
    until_over: bool = False  # play to the end of the game
    terminal: Terminal = ANSI


def played(scene: Scene) -> TwoScreenEmulator:
    """What stands on the terminal of `scene.who` at the end."""
    return virtual.run(_play_scene(scene))


async def _play_scene(scene: Scene) -> TwoScreenEmulator:
    server = await SimServer(new_world(scene.seed)).open()
    own = replace(scene.terminal, cols=scene.cols, rows=scene.rows)
    people = {
        name: Watched.comes_in(server, name, own if name == scene.who else ANSI)
        for name in (*scene.people, *scene.guests)
    }
    await asyncio.sleep(PAUSE_S)
    first, *others = scene.people
    for line in (
        *(f"{scene.who}> {line}" for line in scene.setup),
        f"{first}> open {scene.game}",
        *(f"{name}> sit 1" for name in others),
        f"{first}> bot",
        *(f"{name}> ready" for name in others),
        f"{first}> start",
    ):
        await _type(people, line)
    await _play(scene, server, people)
    people[scene.who].press(scene.typed.encode())
    await asyncio.sleep(PAUSE_S)
    return people[scene.who].look()


async def _type(people: dict[str, Watched], line: str) -> None:
    name, _, text = line.partition("> ")
    people[name].type(text)
    await asyncio.sleep(PAUSE_S)


async def _play(scene: Scene, server: SimServer, people: dict[str, Watched]) -> None:
    count = 0
    for _ in range(STEPS_MAX):
        if (
            scene.until_over
            and count
            and server.app.table_manager.lists.summaries()[0].phase != "playing"
        ):
            return
        if count >= scene.plays and (scene.who in scene.guests or people[scene.who].moves()):
            return
        asked = next((name for name in scene.people if people[name].moves()), None)
        if asked is None:
            await asyncio.sleep(PAUSE_S)  # the computer player's turn
            continue
        await _type(people, f"{asked}> {advised(server, people[asked], count)}")
        count += 1
        for line in scene.talk.get(count, ()):
            await _type(people, line)
    raise AssertionError(f"{scene.who} was not asked after {scene.plays} plays")
