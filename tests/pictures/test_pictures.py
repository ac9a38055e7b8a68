from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator
from tests.pictures.gallery import FOLDER, PICTURES, svg
from tests.pictures.svg import CELL, drawn

HOW = "if it should look so: python -m tests.pictures --write, and look at it"
BYTES_MAX = 30_000
OWN_GAMES = {"own-games-screen", "own-games-phone", "own-games-aloud"}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_what_the_server_sends_now(name):
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == svg(name), HOW


def test_the_folder_holds_these_pictures_and_the_readme_shows_them():
    assert {f"{name}.svg" for name in PICTURES} == {path.name for path in FOLDER.iterdir()}
    pages = [FOLDER.parents[1] / "README.md", *FOLDER.parent.glob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    assert [] == [name for name in PICTURES if f"pictures/{name}.svg" not in text]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_can_be_read_and_loads_nothing(name):
    data = (FOLDER / f"{name}.svg").read_bytes()
    assert len(data) <= BYTES_MAX
    root = ET.fromstring(data)
    assert {"svg", "title", "desc", "rect", "circle", "path", "g", "text"} >= {
        element.tag.removeprefix(SVG) for element in root.iter()
    }
    assert not [key for element in root.iter() for key in element.attrib if "href" in key]
    assert root.findtext(f"{SVG}title", "").startswith("Lockdown: ")
    own = dict.fromkeys(PICTURES.keys() & OWN_GAMES, "\nlobby, your move at 1>")
    prompt = {"lobby-screen": "\nlobby>", "end-screen": "\ntable 1>", **own}
    prompt["tourney-standings"] = "\nlobby>"
    assert prompt.get(name, "\ntable 1, your turn>") in root.findtext(f"{SVG}desc", "")


def test_what_stands_under_each_other_begins_at_the_same_place():
    emulator = TwoScreenEmulator(40, 3)
    emulator.feed("one  two   \x1b[1mthree\x1b[m four\r\n漢字 two\r\na<b&c>  │".encode())
    root = ET.fromstring(drawn(emulator, "a & b", "what"))
    runs = [
        (int(run.get("x", "")) // CELL, int(run.get("textLength", "")) // CELL, run.text)
        for run in root.iter(f"{SVG}text")
        if run.get("textLength")
    ]
    assert runs[:4] == [(0, 3, "one"), (5, 3, "two"), (11, 5, "three"), (17, 4, "four")]
    assert runs[4:] == [(0, 8, "漢字 two"), (0, 6, "a<b&c>")]


def test_a_colour_is_drawn_as_it_was_asked_for():
    emulator = TwoScreenEmulator(20, 1)
    emulator.feed(b"\x1b[38;5;161mA\x1b[0;7mB\x1b[0;48;2;1;2;3mC\x1b[0;92mD")
    svg_text = drawn(emulator, "a", "what")
    assert 'fill="#d7005f">A<' in svg_text
    assert 'fill="#12151c">B<' in svg_text and 'width="8" height="18" fill="#d6dae3"' in svg_text
    assert 'width="8" height="18" fill="#010203"' in svg_text
    assert 'fill="#9fe0a9">D<' in svg_text
