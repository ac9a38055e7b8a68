"""What a terminal shows, as an SVG picture.

Rule 1: the same screen is the same bytes, wherever it is drawn.
Rule 2: columns stand under each other in every font: each run of text says where it begins and how
        long it is, and a run ends where two blanks follow each other.  Lines are drawn, not
        written, so that they meet.
Rule 3: nothing from outside: no script, no font, no address but that of the format.
Rule 4: who cannot see the picture can read it: `title` says what it is, `desc` is the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from tests.mudserver.ui.fullscreen.harness import TwoScreenEmulator

CELL, ROW, SIZE = 8, 18, 13.3  # pixels: of a cell, and the height of the type
MARGIN, HEAD = 16, 34  # around the screen, and the title bar above it
FONTS = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
PAPER, INK, FRAME, TITLE, CURSOR = "#12151c", "#d6dae3", "#2b313d", "#8a93a5", "#e8c36a"
SIXTEEN = {
    "black": "#3a4150", "red": "#ef6b73", "green": "#7fc58a", "brown": "#e0b765",
    "blue": "#6aa3f0", "magenta": "#cf8be0", "cyan": "#5cc4cc", "white": "#d6dae3",
}  # fmt: skip
BRIGHT = {
    "black": "#6b7487", "red": "#ff8a91", "green": "#9fe0a9", "brown": "#f5d38a",
    "blue": "#8dbdff", "magenta": "#e3aaf0", "cyan": "#83dde4", "white": "#ffffff",
}  # fmt: skip
"""The sixteen are the terminal's own to choose; pyte calls yellow brown."""

ARMS = {"─": "lr", "│": "ud", "├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "lrud"}


@dataclass(frozen=True)
class Look:
    """How a cell is drawn."""

    ink: str
    ground: str | None
    is_bold: bool
    is_underlined: bool


@dataclass(frozen=True)
class Cell:
    column: int
    text: str  # "" behind a character of two cells
    look: Look


def drawn(emulator: TwoScreenEmulator, caption: str, what: str) -> str:
    """*emulator* in a window named *caption*; *what* says what can be seen there."""
    width = emulator.cols * CELL + 2 * MARGIN
    height = emulator.rows_count * ROW + HEAD + MARGIN
    rows = [_cells(emulator, row) for row in range(emulator.rows_count)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="what screen">',
        f'<title id="what">{escape(what)}</title>',
        f'<desc id="screen">{escape(emulator.text.rstrip())}</desc>',
        *_window(width, height, caption),
        f'<g transform="translate({MARGIN} {HEAD})">',
        *(ground for at, row in enumerate(rows) for ground in _grounds(at, row)),
        *_lines(rows),
        *_cursor(emulator),
        f'<g font-family="{FONTS}" font-size="{SIZE}" fill="{INK}">',
        *(_text(at, run) for at, row in enumerate(rows) for run in _runs(row)),
        "</g>",
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _window(width: int, height: int, caption: str) -> Iterator[str]:
    yield (
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="9" fill="{PAPER}" '
        f'stroke="{FRAME}"/>'
    )
    for at in range(3):
        yield f'<circle cx="{18 + 16 * at}" cy="17" r="4.5" fill="{FRAME}"/>'
    yield (
        f'<text x="{width / 2:g}" y="21" text-anchor="middle" font-family="{FONTS}" '
        f'font-size="12" fill="{TITLE}">{escape(caption)}</text>'
    )


def _cells(emulator: TwoScreenEmulator, row: int) -> list[Cell]:
    return [
        Cell(column, cell.data, _look(cell))
        for column in range(emulator.cols)
        for cell in (emulator.cell(row, column),)
    ]


def _look(cell: Any) -> Look:
    ink, ground = _colour(cell.fg) or INK, _colour(cell.bg)
    if cell.reverse:
        ink, ground = ground or PAPER, ink
    return Look(ink, ground, cell.bold, cell.underscore)


def _colour(name: str) -> str | None:
    """What pyte calls it, as SVG does; None: the terminal's own."""
    if name == "default":
        return None
    if name.startswith("bright"):
        return BRIGHT[name.removeprefix("bright")]
    return SIXTEEN.get(name) or f"#{name}"


def _grounds(at: int, row: list[Cell]) -> Iterator[str]:
    for ground, run in groupby(row, key=lambda cell: cell.look.ground):
        if ground is not None:
            cells = list(run)
            yield (
                f'<rect x="{cells[0].column * CELL}" y="{at * ROW}" '
                f'width="{len(cells) * CELL}" height="{ROW}" fill="{ground}"/>'
            )


def _lines(rows: list[list[Cell]]) -> Iterator[str]:
    """What box-drawing characters stand for: one path for each colour."""
    paths: dict[str, list[str]] = {}
    for at, row in enumerate(rows):
        for is_rule, run in groupby(row, key=lambda cell: (cell.text == "─", cell.look.ink)):
            cells = list(run)
            if is_rule[0]:
                x, y = cells[0].column * CELL, at * ROW + ROW // 2
                paths.setdefault(is_rule[1], []).append(f"M{x} {y}h{len(cells) * CELL}")
            for cell in cells:
                if cell.text in ARMS and not is_rule[0]:
                    paths.setdefault(cell.look.ink, []).extend(_arms(at, cell))
    for ink, path in paths.items():
        yield f'<path d="{"".join(path)}" stroke="{ink}" fill="none"/>'


def _arms(at: int, cell: Cell) -> Iterator[str]:
    x, y = cell.column * CELL + CELL // 2, at * ROW + ROW // 2
    arms = ARMS[cell.text]
    for arm, path in (("l", f"h-{CELL // 2}"), ("r", f"h{CELL // 2}"),
                      ("u", f"v-{ROW // 2}"), ("d", f"v{ROW // 2}")):  # fmt: skip
        if arm in arms:
            yield f"M{x} {y}{path}"


def _cursor(emulator: TwoScreenEmulator) -> Iterator[str]:
    row, column = emulator.cursor
    if emulator.is_cursor_seen:
        x, y = min(column, emulator.cols - 1) * CELL, row * ROW
        yield f'<rect x="{x}" y="{y + 1}" width="{CELL}" height="{ROW - 2}" fill="{CURSOR}"/>'


def _runs(row: list[Cell]) -> Iterator[list[Cell]]:
    """Cells that are written in one go: they look alike, and no gap is between them."""
    for _, run in groupby(row, key=lambda cell: (cell.look, cell.text in ARMS)):
        cells = list(run)
        text = "".join(" " if cell.text in ARMS else (cell.text or "_")[0] for cell in cells)
        for found in re.finditer(r"\S+(?: \S+)*", text):
            yield cells[found.start() : found.end()]


def _text(at: int, cells: list[Cell]) -> str:
    """A run in row *at*.  Each is a `text`: not every browser knows the length of a `tspan`."""
    text, look = "".join(cell.text for cell in cells), cells[0].look
    how = f'x="{cells[0].column * CELL}" y="{at * ROW + 13}" textLength="{len(cells) * CELL}"'
    how += f' fill="{look.ink}"' if look.ink != INK else ""
    how += ' font-weight="bold"' if look.is_bold else ""
    how += ' text-decoration="underline"' if look.is_underlined else ""
    return f"<text {how}>{escape(text)}</text>"
