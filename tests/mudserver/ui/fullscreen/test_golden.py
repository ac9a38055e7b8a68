from __future__ import annotations

import pytest

from tests.mudserver.ui.fullscreen.golden import FOLDER, scenes, shot

HOW = "if it should look so: python -m tests.mudserver.ui.fullscreen.golden, and read the diff"


@pytest.mark.parametrize("name", scenes())
def test_the_screen_looks_as_somebody_has_looked_at_it(name):
    assert (FOLDER / f"{name}.txt").read_text("utf-8") == shot(*scenes()[name]), HOW


def test_no_file_is_left_of_a_screen_that_there_is_no_more():
    assert set(scenes()) == {path.stem for path in FOLDER.glob("*.txt")}
