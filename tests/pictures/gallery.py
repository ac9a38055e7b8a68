"""The pictures of the server: what each of them shows, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.pictures import own_games, standings
from tests.pictures.scene import Scene, played
from tests.pictures.svg import drawn
from tests.simulation import virtual
from tests.simulation.server import ANSI

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


Seen = Callable[[], Coroutine[Any, Any, TwoScreenEmulator]]
"""What stands on somebody's terminal, where no table is played."""


@dataclass(frozen=True)
class Picture:
    scene: Scene | Seen
    caption: str  # of the window
    what: str  # no sentence: it follows "Lockdown: "


FULL = ("screen on",)
ALOUD = ("screenreader on",)
PHONE = replace(ANSI, name="xterm")

PICTURES: Mapping[str, Picture] = {
    "lobby-screen": Picture(
        Scene(
            "words", 2, 100, 24, seed=2, who="Nora", setup=FULL, people=("Ann", "Bob", "Cara"),
            guests=("Nora", "Paul"), typed="sit 2",
            talk={
                1: ("Paul> open elimination", "Paul> say Anybody for table 2?"),
                2: ("Nora> say Give me a minute.",),
            },
        ),
        "Nora, full screen",
        "the lobby in the full screen: tables, people, what happens and what is said",
    ),
    "own-games-screen": Picture(
        partial(own_games.seen, 80, 24, FULL),
        "Ann, full screen",
        "the lobby with the games that wait for Ann, and for others",
    ),
    "own-games-phone": Picture(
        partial(own_games.seen, 40, 24, FULL),
        "a telephone",
        "the lobby with one's own games on forty columns",
    ),
    "own-games-aloud": Picture(
        partial(own_games.seen, 80, 24, ("go", "lobby", "games"), is_aloud=True),
        "Ann, with a screen reader",
        "what a screen reader reads of one's own games",
    ),
    "tourney-standings": Picture(
        partial(standings.seen, 80, 24),
        "telnet lockdown.example 2323",
        "a tournament after its second round, and its standings",
    ),
    "end-screen": Picture(
        Scene("elimination", 400, 100, 30, seed=1, setup=FULL, until_over=True),
        "Ann, full screen",
        "the end of a game in the full screen",
    ),
    "elimination-screen": Picture(
        Scene(
            "elimination", 34, 120, 24, seed=1, setup=FULL, typed="give 8h bob",
            talk={
                17: ("Bob> /say Three kings, and I still have cards.", "Cara> /say Not for long."),
                29: ("Ann> /say You two seem busy.",),
                33: ("Bob> /me looks at Ann.",),
            },
        ),
        "Ann, full screen",
        "elimination in the full screen: the table, the log of the game and the chat beside it",
    ),
    "elimination-lines": Picture(
        Scene(
            "elimination", 13, 80, 28, seed=2, typed="force bob",
            talk={
                10: ("Cara> /say You had something to hide, Bob?",),
                12: ("Bob> /say Not any more :)",),
            },
        ),
        "ssh ann@lockdown.example",
        "elimination line by line: what happens, what is said, and the table when it is Ann's turn",
    ),
    "elimination-phone": Picture(
        Scene(
            "elimination", 9, 40, 26, seed=5, terminal=PHONE,
            talk={6: ("Cara> /say Lucky Vera.",), 8: ("Bob> /say Cara, it's you!",)},
        ),
        "a telephone",
        "elimination on forty columns",
    ),
    "elimination-aloud": Picture(
        Scene(
            "elimination", 8, 80, 24, seed=3, setup=ALOUD,
            talk={7: ("Bob> /say Quick, before the tea is cold.",)},
        ),
        "Ann, with a screen reader",
        "elimination as a screen reader reads it: whole sentences, no columns, no symbols",
    ),
    "stockpile-screen": Picture(
        Scene(
            "stockpile", 35, 126, 26, seed=4, setup=FULL, typed="pass",
            talk={
                30: ("Bob> /say It is getting crowded out here.",),
                35: ("Cara> /say My best Food for that? Thank you, Juno.",
                     "Ann> /say Wait and see."),
            },
        ),
        "Ann, full screen",
        "stockpile in the full screen: what everybody has, the decks, the own cards, log and chat",
    ),
    "stockpile-lines": Picture(
        Scene(
            "stockpile", 44, 80, 28, seed=2, typed="nice try",
            talk={45: ("Cara> /say Nothing personal, Ann.",)},
        ),
        "telnet lockdown.example 2323",
        "stockpile line by line: Cara plays a card on Ann, and Ann may answer it",
    ),
    "words-screen": Picture(
        Scene(
            "words", 120, 120, 24, seed=2, setup=FULL, typed="draw",
            talk={
                111: ("Bob> /say ARIA with an A less is AIR. Sorry, Ada!",),
                118: ("Cara> /say Anybody else with a spare E?",),
            },
        ),
        "Ann, full screen",
        "words in the full screen: the words of everybody, Ann's hand and her secret manifest",
    ),
    "words-lines": Picture(
        Scene(
            "words", 39, 80, 28, seed=2, typed="draw",
            talk={39: ("Cara> /say Twenty-one words, and nobody has ended the round.",)},
        ),
        "ssh ann@lockdown.example",
        "words line by line: what the others did, and the table when it is Ann's turn",
    ),
}  # fmt: skip


def svg(name: str) -> str:
    """The picture as it is now."""
    picture = PICTURES[name]
    scene = picture.scene
    shown = played(scene) if isinstance(scene, Scene) else virtual.run(scene())
    return drawn(shown, picture.caption, f"Lockdown: {picture.what}.")


def stale() -> list[str]:
    """Pictures in the folder that look otherwise now, that are missing, and that are of nothing."""
    kept = {path.stem: path.read_bytes() for path in FOLDER.glob("*.svg")}
    return sorted(
        name
        for name in PICTURES.keys() | kept
        if name not in PICTURES or kept.get(name) != svg(name).encode()
    )
