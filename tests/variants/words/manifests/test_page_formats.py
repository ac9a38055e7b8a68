"""Manifests on paper: text, SVG and PDF, and the command that writes them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from tests.variants.words.driver import BOX, TEXT
from variants.words.data.box import Manifest, parse_box
from variants.words.manifests import __main__ as command
from variants.words.manifests.__main__ import main
from variants.words.manifests.page_formats import HEIGHT, WIDTH, as_pdf, as_svg, as_text

CARD = BOX.manifests[0]
LETTERS = "".join(word for words in CARD.sets for word in words)
A4, LETTER = (595.28, 841.89), (612, 792)
NOTE = r"Made <here> & \there\ (Zoë, 東)"


def printed(pdf: bytes) -> list[list[tuple[float, float, bytes]]]:
    """Text by page, found through the table of objects as a reader finds it."""
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[1])  # type: ignore[index]
    assert pdf[table:].startswith(b"xref\n")
    starts = [int(row[:10]) for row in pdf[table:].split(b"\n")[2:] if row.endswith(b" n ")]
    objects = {}
    for number, start in enumerate(starts, 1):
        assert pdf[start:].startswith(b"%d 0 obj\n" % number)
        objects[number] = pdf[start : pdf.index(b"\nendobj\n", start)]
    pages = []
    for kid in re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[(.*?)\]", objects[2])[1]):  # type: ignore[index]
        page = objects[int(kid)]
        assert b"/MediaBox [0 0 %d %d]" % (WIDTH, HEIGHT) in page
        content = objects[int(re.search(rb"/Contents (\d+) 0 R", page)[1])]  # type: ignore[index]
        head, stream = content.split(b"stream\n", 1)
        stream = stream.removesuffix(b"\nendstream")
        assert b"/Length %d " % len(stream) in head
        shown = re.findall(
            rb"^BT /F\d [\d.]+ Tf ([\d.]+) ([\d.]+) Td \((.*)\) Tj ET$", stream, re.M
        )
        pages.append([(float(x), float(y), text) for x, y, text in shown])
    return pages


def test_a_page_of_text_fits_any_terminal():
    assert [
        "Manifest M01",
        "Set  5    10    15     20 points",
        "  1  OLD  LOUD  COULD  CLOUDS",
        "  2  RAN  EARN  RAVEN  TAVERN",
        "  3  SIT  STIR  TIRES  WRITES",
        "  4  SET  LETS  BELTS  SUBTLE",
    ] == as_text(CARD, BOX)


def test_a_page_fits_both_papers_and_all_that_is_on_it_fits_the_page():
    assert WIDTH <= min(A4[0], LETTER[0])
    assert HEIGHT <= min(A4[1], LETTER[1])
    (page,) = printed(as_pdf([CARD], BOX, NOTE))
    assert all(36 <= x <= WIDTH - 36 and 36 <= y <= HEIGHT - 36 for x, y, _ in page)
    root = ElementTree.fromstring(as_svg(CARD, BOX))
    assert (f"{WIDTH}pt", f"{HEIGHT}pt") == (root.get("width"), root.get("height"))


def test_a_pdf_has_a_page_for_each_card_with_all_its_letters():
    pages = printed(as_pdf(BOX.manifests, BOX))
    assert 20 == len(pages)
    for card, page in zip(BOX.manifests, pages, strict=True):
        shown = [text for _, _, text in page]
        assert f"Manifest {card.id}".encode() == shown[0]
        letters = b"".join(text for text in shown if len(text) == 1 and text.isalpha())
        assert "".join(word for words in card.sets for word in words) == letters.decode()
        assert 4 == sum(text == b"20" for text in shown)


def test_a_picture_has_all_letters_and_what_they_are_worth():
    root = ElementTree.fromstring(as_svg(CARD, replace(BOX), NOTE))
    shown = [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert LETTERS == "".join(text for text in shown if len(text) == 1 and text.isalpha())
    assert [4, 4, 4, 4] == [shown.count(text) for text in ("5", "10", "15", "20")]


def test_whatever_is_written_on_a_page_is_escaped():
    shown = [text for _, _, text in printed(as_pdf([CARD], BOX, NOTE))[0]]
    assert rb"Made <here> & \\there\\ \(Zo" + "ë".encode("cp1252") + rb", ?\)" in shown
    root = ElementTree.fromstring(as_svg(CARD, BOX, NOTE + "\x1b\x00"))
    assert r"Made <here> & \there\ (Zoë, ?)??" in [each.text for each in root.iter()]
    odd = Manifest("<&>", CARD.sets)
    assert "Manifest <&>" in [each.text for each in ElementTree.fromstring(as_svg(odd, BOX)).iter()]


# -- the command --------------------------------------------------------------------------------


word_list = cache(command.parse_word_list)


@pytest.fixture(autouse=True)
def word_lists_are_read_once(monkeypatch):
    monkeypatch.setattr(command, "parse_word_list", word_list)


def test_the_command_prints_cards(capsys):
    assert 0 == main(["2", "--seed", "5"])
    first, second = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert first.startswith("Manifest X1\nSet ")
    assert second.startswith("Manifest X2\n")
    assert 0 == main(["2", "--seed", "5", "--text"])
    assert capsys.readouterr().out.startswith(first)
    assert 0 == main(["1", "--seed", "6"])
    assert not capsys.readouterr().out.startswith(first)


def test_cards_can_be_added_to_the_pool_of_a_server(tmp_path, capsys):
    """[WR-10]"""
    assert 0 == main(["3", "--id", "H", "--json", str(tmp_path / "cards.json")])
    assert f"{tmp_path / 'cards.json'}: cards: 3\n" == capsys.readouterr().out
    box = json.loads(TEXT)
    box["manifests"] += json.loads((tmp_path / "cards.json").read_text())
    assert ["H1", "H2", "H3"] == [card.id for card in parse_box(json.dumps(box)).manifests[20:]]


def test_cards_can_be_printed_on_paper(tmp_path, capsys):
    assert 0 == main(["3", "--pdf", str(tmp_path / "cards.pdf")])
    assert 3 == len(printed((tmp_path / "cards.pdf").read_bytes()))
    assert 0 == main(["2", "--svg", str(tmp_path)])
    assert ["X1.svg", "X2.svg"] == sorted(path.name for path in tmp_path.glob("*.svg"))
    assert ElementTree.fromstring((tmp_path / "X2.svg").read_text()).tag.endswith("svg")
    assert "Made from the seed 1." in (tmp_path / "X2.svg").read_text()
    assert capsys.readouterr().out.endswith("pictures of 2\n")


def test_cards_are_made_for_a_hosts_own_letters_and_words(tmp_path, capsys):
    box = json.loads(TEXT)
    box["letters"].update(E=0)
    (tmp_path / "box.json").write_text(json.dumps(box))
    assert 0 == main(["4", "--box", str(tmp_path / "box.json")])
    rows = [row for row in capsys.readouterr().out.split("\n") if row.startswith("  ")]
    assert 16 == len(rows)
    assert not any("E" in row for row in rows)
    (tmp_path / "words.txt").write_text("old\nloud\ncould\nclouds\n")
    assert 2 == main(["--list", str(tmp_path / "words.txt")])
    assert "No manifest can be made" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (["--level", "80"], "Level 80 is wrong. Use 10, 20 or 35."),
        (["--pdf", "/nowhere/cards.pdf"], "/nowhere/cards.pdf: No such file or directory"),
        (["--svg", "/nowhere"], "/nowhere/X1.svg: No such file or directory"),
        (["--box", "/nowhere"], "/nowhere: No such file or directory"),
    ],
)
def test_what_cannot_be_made_is_said(told, reason, capsys):
    assert 2 == main(told)
    assert reason + "\n" == capsys.readouterr().err


@pytest.mark.parametrize(
    "told", [["0"], ["1001"], ["x"], ["--id", "a b"], ["--svg", "a", "--text"]]
)
def test_what_is_no_number_and_no_name_is_refused(told, capsys):
    with pytest.raises(SystemExit) as left:
        main(told)
    assert 2 == left.value.code
    assert "usage:" in capsys.readouterr().err
