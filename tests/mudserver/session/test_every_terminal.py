"""What every game says, on every terminal: no row too wide, nothing lost, the line intact."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from functools import cache

import pytest

from mudserver import messages as m
from mudserver.accounts.preferences import PREFERENCES
from mudserver.session.presenter import RenderProfile, message_lines, with_timestamp
from mudserver.session.render_profile import display_preferences, render_profile
from mudserver.transport.link import Terminal
from mudserver.ui.charset import transliterate
from mudserver.ui.encode import encode_lines
from mudserver.ui.width import cell_width
from tests.mudserver.ui.conftest import Harness
from tests.prompts import TABLE_1_TURN, YOUR_TURN
from tests.simulation import virtual
from tests.simulation.server import ANSI, WALL_MS, SimServer, new_world
from tests.slow_cases import every_second
from variants.catalogue import CATALOGUE
from variants.kit.text import plain_text

SIZES = [(200, 50), (80, 24), (40, 12)]
CHARSETS = ["utf-8", "ascii", "latin-1", "cp437"]
MODES = {
    "colour": (replace(ANSI, colours="256"), {"timestamps": "on"}),
    "contrast": (replace(ANSI, colours="true"), {"theme": "high-contrast"}),
    "none": (replace(ANSI, colours="off"), {}),
    "linear": (replace(ANSI, colours="off"), {"screenreader": "on"}),
}
TYPED = "say half a line that is longer than the narrowest row"
TURNS = 12  # of the person, in each game
MESSAGES_MAX = 20  # of one game; the longest, and the rest evenly

SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
Heard = tuple[m.Message, bool]


@cache
def heard_in(game: str) -> list[Heard]:
    """What somebody hears in a game: views, events, pages, talk, the end of it."""

    async def played() -> list[Heard]:
        server = await SimServer(new_world(7)).open()
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        heard: list[Heard] = []
        sound = server.app.session_manager.renderer.message_lines

        def spied(message: m.Message, reader: RenderProfile, is_fresh: bool = False):
            heard.append((message, is_fresh))
            return sound(message, reader, is_fresh)

        server.app.session_manager.renderer.message_lines = spied  # type: ignore[method-assign]
        for line in ("say hello ♥", f"open {game} pace=instant", "bot", "bot", "start"):
            ann.type(line)
            await asyncio.sleep(0.2)
        for turn in range(TURNS):
            plays = await ann.moves()
            for line in ("history", "rules", "look")[turn % 3 :][:1]:
                ann.type(f"/{line}")
            if plays:
                ann.type(plays[turn % len(plays)])
            await asyncio.sleep(2)
        for line in ("/set", "/commands", "leave now"):
            ann.type(line)
            await asyncio.sleep(0.2)
        return heard

    heard = virtual.run(played())
    assert {m.ViewMessage, m.EventMessage, m.Page, m.SayMessage} <= {
        type(message) for message, _ in heard
    }
    said = [one for one in heard if isinstance(one[0], m.SayMessage)]
    by_size = sorted(heard, key=lambda one: -len(repr(one[0])))
    return said + by_size[: MESSAGES_MAX // 2] + by_size[:: max(1, 2 * len(heard) // MESSAGES_MAX)]


@dataclass
class Seat:
    """A terminal with its screen, and how its owner reads."""

    harness: Harness
    reader: RenderProfile
    rows: int

    def hear(self, message: m.Message, is_fresh: bool) -> tuple[str, str]:
        """The words of the message, and those that were written for it."""
        lines = message_lines(message, self.reader, WALL_MS, is_fresh, CATALOGUE)
        lines = with_timestamp(message, lines, self.reader, WALL_MS)
        paint = encode_lines(lines, self.reader.terminal_profile)
        self.harness.screen.show_encoded(paint)
        self.harness.tick()
        charset = self.reader.terminal_profile.charset
        said = "".join(transliterate(plain_text(line), charset) for line in lines)
        return squeezed(said), squeezed(SEQUENCE.sub("", paint.decode(charset)))


def squeezed(text: str) -> str:
    return "".join(text.split())


def seat(mode: str, size: tuple[int, int], charset: str) -> Seat:
    terminal, wishes = MODES[mode]
    cols, rows = size
    terminal = replace(terminal, cols=cols, rows=rows, charset=charset)  # type: ignore[arg-type]
    values = {key: setting.default for key, setting in PREFERENCES.items()} | wishes
    reader = render_profile(terminal, values.__getitem__)
    harness = Harness(terminal, rows=rows, settings=display_preferences(values.__getitem__))
    harness.emulator = _Decoding(harness.emulator, charset)  # type: ignore[assignment]
    harness.screen.set_prompt(TABLE_1_TURN)
    harness.type(TYPED)
    return Seat(harness, reader, rows)


class _Decoding:
    """pyte reads UTF-8."""

    def __init__(self, emulator, charset: str) -> None:
        self._emulator, self._charset = emulator, charset

    def feed(self, data: bytes) -> None:
        self._emulator.feed(data.decode(self._charset).encode())

    def __getattr__(self, name: str):
        return getattr(self._emulator, name)


@pytest.mark.parametrize(
    ("game", "mode", "size", "charset"), every_second(CATALOGUE, MODES, SIZES, CHARSETS)
)
def test_a_game_fits_the_terminal_and_leaves_the_line_alone(game, mode, size, charset):
    at = seat(mode, size, charset)
    harness, cols = at.harness, size[0]
    for message, is_fresh in heard_in(game):
        harness.fresh()
        said, written = at.hear(message, is_fresh)
        assert said == written  # nothing is clipped
        for row in re.split(r"[\r\n]", SEQUENCE.sub("", harness.fresh().decode(charset))):
            assert cell_width(re.sub(r"\x1b\[[0-9]*[KD]", "", row)) <= cols
        assert harness.row.startswith((TABLE_1_TURN, YOUR_TURN))
        assert harness.row.endswith(TYPED[-10:])
        assert harness.emulator.cursor[1] == cell_width(harness.row)
    harness.type("\r")
    assert [TYPED] == harness.lines


@pytest.mark.parametrize("game", CATALOGUE)
@pytest.mark.parametrize("charset", ["ascii", "latin-1", "cp437"])
def test_every_character_of_a_game_has_another_way_to_be_written(game, charset):
    """A question mark that nobody wrote is a character lost."""
    at = seat("none", (80, 24), charset)
    for message, is_fresh in heard_in(game):
        lines = message_lines(message, at.reader, WALL_MS, is_fresh, CATALOGUE)
        for row in map(plain_text, lines):
            assert row.count("?") == transliterate(row, charset).count("?"), row


def test_the_linear_reader_is_sent_nothing_but_text():
    terminal: Terminal = MODES["linear"][0]
    at = seat("linear", (80, 24), "utf-8")
    assert at.reader.style.is_linear
    at.harness.fresh()
    for message, is_fresh in heard_in("elimination"):
        at.hear(message, is_fresh)
    assert b"\x1b" not in at.harness.fresh()
    assert terminal.is_ansi  # it could have been
