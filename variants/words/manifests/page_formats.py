"""Manifests on paper: one page a card, as text, as SVG, and as a PDF with as many pages as cards.

Rule 1: a page has the width of A4 and the height of US Letter and wide margins, so that it prints
        unscaled on either.  Lines and standard fonts only: sharp at any size, nothing to embed.
Rule 2: one drawing is made for both formats.  Lengths are points of 1/72 inch, from the top left.
Rule 3: what is drawn is escaped; what no standard font has becomes a question mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from variants.words.data.box import LENGTHS, SETS, Box, Manifest

WIDTH, HEIGHT = 595, 792  # of A4; of US Letter
MARGIN = 60
TILE, GAP = 27, 4  # one letter; between two words
LETTER_SIZE, NUMBER_SIZE, SMALL_SIZE = 17, 30, 10
SET_WIDTH = (WIDTH - 2 * MARGIN) // 2  # two sets side by side
SET_HEIGHT = 190
TITLE = "LockDown, the word game"

_WIDTHS = dict(  # of Helvetica-Bold, in thousandths of the size
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        (722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833)
        + (722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611)
        + (556,) * 10,
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class Tile:
    """An empty square, its top left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TextRun:
    x: float  # of the beginning
    y: float  # of the line that letters stand on
    size: float
    text: str
    is_bold: bool = False


Shape = Tile | TextRun


def as_text(card: Manifest, box: Box) -> list[str]:
    """A page for terminals: 32 columns at most."""
    head = "  ".join(f"{box.worth('x' * n):<{n}}" for n in LENGTHS)
    rows = [f"  {n}  {'  '.join(words)}" for n, words in enumerate(card.sets, 1)]
    return [f"Manifest {card.id}", f"Set  {head}".rstrip() + " points", *rows]


def as_svg(card: Manifest, box: Box, note: str = "") -> str:
    """One page as a picture of its printed size."""
    marks = "\n".join(_svg(mark) for mark in _drawing(card, box, note))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}pt" height="{HEIGHT}pt" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, sans-serif">\n'
        f"<title>Manifest {escape(card.id, quote=False)}</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
        f"{marks}\n</svg>\n"
    )


def as_pdf(cards: Sequence[Manifest], box: Box, note: str = "") -> bytes:
    """All *cards*, a page each."""
    first = 5  # objects 1 to 4 are the catalogue, the list of pages and two fonts
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(cards)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(cards)} /Kids [{kids}] >>".encode(),
        *(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /%b /Encoding /WinAnsiEncoding >>" % font
            for font in (b"Helvetica", b"Helvetica-Bold")
        ),
    ]
    for n, card in enumerate(cards):
        drawn = b"\n".join(_pdf(mark) for mark in _drawing(card, box, note))
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> "
            f"/Contents {first + 2 * n + 1} 0 R >>".encode(),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        ]
    return _file(objects)


def _drawing(card: Manifest, box: Box, note: str) -> Iterator[Shape]:
    top = MARGIN + 24
    yield TextRun(MARGIN, top, 22, f"Manifest {card.id}", is_bold=True)
    yield TextRun(MARGIN, top + 18, SMALL_SIZE, TITLE)
    for n, words in enumerate(card.sets):
        x = MARGIN + (n % 2) * SET_WIDTH
        y = top + 60 + (n // 2) * SET_HEIGHT
        yield TextRun(x, y + TILE, NUMBER_SIZE, str(n + 1), is_bold=True)
        for row, word in enumerate(words):
            yield from _word(x + 30, y + row * (TILE + GAP), word, box.worth(word))
    below = top + 60 + (SETS // 2) * SET_HEIGHT
    yield TextRun(MARGIN, below, SMALL_SIZE, "The number beside a word is what it is worth.")
    if note:
        yield TextRun(MARGIN, below + 16, SMALL_SIZE, note)


def _word(x: float, y: float, word: str, points: int) -> Iterator[Shape]:
    base = y + (TILE + 0.72 * LETTER_SIZE) / 2  # capitals are 0.72 of their size high
    for n, letter in enumerate(word):
        yield Tile(x + n * TILE, y)
        width = _WIDTHS[letter] * LETTER_SIZE / 1000
        yield TextRun(x + n * TILE + (TILE - width) / 2, base, LETTER_SIZE, letter, is_bold=True)
    yield TextRun(x + len(word) * TILE + 6, base, SMALL_SIZE, str(points))


def _svg(mark: Shape) -> str:
    if isinstance(mark, Tile):
        return (
            f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{TILE}" height="{TILE}" '
            'fill="none" stroke="black"/>'
        )
    weight = ' font-weight="bold"' if mark.is_bold else ""
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:g}"{weight}>'
        f"{escape(_printable(mark.text), quote=False)}</text>"
    )


def _pdf(mark: Shape) -> bytes:
    """The same mark; in a PDF heights count from the bottom."""
    if isinstance(mark, Tile):
        return b"%.2f %.2f %d %d re S" % (mark.x, HEIGHT - mark.y - TILE, TILE, TILE)
    text = _printable(mark.text).encode("cp1252")
    for special in (b"\\", b"(", b")"):
        text = text.replace(special, b"\\" + special)
    font = b"F2" if mark.is_bold else b"F1"
    at = (font, mark.size, mark.x, HEIGHT - mark.y, text)
    return b"BT /%b %g Tf %.2f %.2f Td (%b) Tj ET" % at


def _printable(text: str) -> str:
    """What the standard fonts have; control characters would break both formats."""
    shown = "".join(each if each.isprintable() else "?" for each in text)
    return shown.encode("cp1252", "replace").decode("cp1252")


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects, numbered from 1, with the table of where each begins."""
    whole = bytearray(b"%PDF-1.4\n")
    starts = []
    for number, each in enumerate(objects, 1):
        starts.append(len(whole))
        whole += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = len(whole)
    whole += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    whole += b"".join(b"%010d 00000 n \n" % start for start in starts)
    whole += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    whole += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(whole)
