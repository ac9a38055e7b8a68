from __future__ import annotations

import re
from itertools import chain

import pytest

from mudserver.ui.charset import transliterate
from mudserver.ui.quotation import quoted
from mudserver.ui.width import cell_width
from tests.mudserver.session.golden import FOLDER, TALK, TYPED, scenes, shots, text
from tests.prompts import TABLE_1_TURN
from variants.catalogue import CATALOGUE
from variants.kit.text import plain_text

OWN = re.compile("[a-z0-9, ]+> ")  # a line that was typed, which the terminal wraps
MARGIN = re.compile(r'^( +\| |" Wim: )')  # of text by a person, in a row that goes on
HOW = "if it should look so: python -m tests.mudserver.session.golden, and look at the difference"


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(("game", "cast"), scenes())
def test_the_terminal_looks_as_somebody_has_looked_at_it(game, cast):
    for name, shot in shots(game, cast).items():
        assert (FOLDER / f"{name}.txt").read_text("utf-8") == text(shot), HOW


@pytest.mark.parametrize(("game", "cast"), scenes())
def test_no_row_of_a_game_is_too_wide_and_the_line_is_intact_behind_the_talk(game, cast):
    for shot in shots(game, cast).values():
        terminal, emulator = shot.terminal, shot.emulator
        rows = emulator.rows[: emulator.cursor[0] + 1]
        assert max(cell_width(row) for row in rows if not OWN.match(row)) <= terminal.cols
        assert rows[-1] == f"{TABLE_1_TURN}{TYPED}"
        assert emulator.cursor[1] == len(rows[-1])
        said = "".join([MARGIN.sub("", row) for row in rows[-4:-1]])
        talk = plain_text(quoted("Wim: ", "Wim", TALK, is_linear=cast == "aloud"))
        assert squeezed(said).endswith(squeezed(transliterate(talk, terminal.charset)))


@pytest.mark.parametrize("game", CATALOGUE)
def test_who_hears_the_screen_is_sent_nothing_but_text(game):
    assert [] == [name for name, shot in shots(game, "aloud").items() if b"\x1b" in shot.heard]


def test_no_file_is_left_of_a_terminal_that_there_is_no_more():
    names = [shots(*scene).keys() for scene in scenes()]
    assert set(chain(*names)) == {path.stem for path in FOLDER.glob("*.txt")}
