"""Full screens to look at, as text files: what a terminal shows at the end of a game.

    python -m tests.mudserver.ui.fullscreen.golden      writes them anew; review the git diff

A file holds the rows as they are, between two rows of =, and where the cursor stands.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.mudserver.ui.fullscreen.harness import SIZES
from tests.mudserver.ui.fullscreen.watched import Watched, play, sit_down, told
from variants.catalogue import CATALOGUE

FOLDER = Path(__file__).parent / "golden"
TALK = "Good evening, Ann. Shall we play another one after this?"


def scenes() -> dict[str, tuple[str, int, int]]:
    """File -> what is played ("" nothing: the lobby; "menu": with the menu open), and the size."""
    found = {f"{game}-{c}x{r}": (game, c, r) for game in CATALOGUE for c, r in SIZES}
    found |= {f"lobby-{c}x{r}": ("", c, r) for c, r in SIZES}
    return {**found, "menu-80x24": ("menu", 80, 24)}


def shot(game: str, cols: int, rows: int) -> str:
    async def scenario(server, ann: Watched) -> str:
        if game:
            bob = await sit_down(server, ann, "elimination" if game == "menu" else game)
            bob.type(f"/say {TALK}")
            await play([ann, bob], 4)
        else:
            ann.type("help")
        ann.press(b"/he\t\t\t" if game == "menu" else b"half a li")
        await asyncio.sleep(1.5)
        emulator = ann.look()
        edge = "=" * cols
        picture = "\n".join([edge, *emulator.rows, edge])
        row, column = emulator.cursor
        return f"{picture}\nThe cursor stands in row {row + 1}, column {column + 1}.\n"

    return told(scenario, cols, rows)


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, scene in scenes().items():
        (FOLDER / f"{name}.txt").write_text(shot(*scene), "utf-8")


if __name__ == "__main__":
    write()
