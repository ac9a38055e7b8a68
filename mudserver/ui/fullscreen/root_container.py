"""The root container: composes panes, titles, status bar, input line and menu into a frame.

Rule 1: every row is made here, at most as wide as the terminal.  A row that has not changed is the
        same object as before; prompt_toolkit, which would compare it cell by cell, gets an empty
        row instead, in the old frame and in the new one.
Rule 2: the input line is drawn last and at every size; of a secret nothing is drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Container, Dimension, FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition

from mudserver.sanitize import sanitize
from mudserver.ui.charset import transliterate
from mudserver.ui.editor import Editor
from mudserver.ui.fullscreen.cells import CellRow, blank_cell, make_row, overlay_row, write_spans
from mudserver.ui.fullscreen.completion_menu import CompletionMenu
from mudserver.ui.fullscreen.layout import Layout, PaneArea, PaneName
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.status_bar import render_status_bar
from mudserver.ui.input_row import visible_input
from mudserver.ui.width import cell_width, next_cursor_stop
from variants.kit.text import Span, StyledLine

INPUT_CELLS_MIN = 8  # a longer prompt loses its beginning
TITLES: dict[PaneName, str] = {"table": "Table", "log": "Log", "chat": "Chat"}
RULE = "─"
_UNCHANGED: CellRow = defaultdict(blank_cell)  # stands for a row that is already on the terminal
_CORNERS = {(False, False): "│", (True, False): "┤", (False, True): "├", (True, True): "┬"}
"""The divider character, by whether it meets a title on its left and on its right."""


@dataclass(slots=True)
class InputLine:
    """The content of the last row."""

    editor: Editor
    prompt: str = ""
    is_secret: bool = False
    menu: CompletionMenu | None = None


class RootContainer(Container):
    """Everything on the screen.  prompt_toolkit believes that *window* has the focus."""

    def __init__(
        self, model: FullScreenModel, input_: InputLine, now_ms: Callable[[], int]
    ) -> None:
        self.model, self.input, self._now_ms = model, input_, now_ms
        self.charset = "utf-8"
        self.window = Window(FormattedTextControl(focusable=True))
        self._cache: dict[object, tuple[Hashable, list[CellRow]]] = {}  # rows by part of the frame
        self._joined_rows: list[tuple[CellRow, CellRow, CellRow]] = []  # left, right, both, by row
        self._last_rows: list[CellRow] = []  # on the terminal, if prompt_toolkit knows its content

    # -- the interface of prompt_toolkit ---------------------------------------------------------

    def reset(self) -> None:
        self._cache.clear()
        self._joined_rows.clear()

    def preferred_width(self, max_available_width: int) -> Dimension:
        return Dimension(preferred=max_available_width)

    def preferred_height(self, width: int, max_available_height: int) -> Dimension:
        return Dimension(preferred=max_available_height)

    def get_children(self) -> list[Container]:
        return [self.window]

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        cols, rows = write_position.width, write_position.height
        frame = self._body(self.model.layout(cols, rows, self.charset), cols, rows - 2)
        frame.append(self._bar(cols))
        row, cursor = self._input_row(cols)
        frame.append(row)
        if self.input.menu is not None and not self.input.is_secret:
            self._overlay_menu(frame, self.input.menu, cols, cursor)
        self._write_changes(frame, screen, get_app().renderer.last_rendered_screen)
        screen.width, screen.height = cols, rows
        screen.set_cursor_position(self.window, Point(x=cursor, y=rows - 1))
        screen.show_cursor = True

    def _write_changes(self, frame: list[CellRow], screen: Screen, before: Screen | None) -> None:
        """Pass the changed rows on.  *before*: the last screen; None: draw everything."""
        for y, row in enumerate(frame):
            was = self._last_rows[y] if before is not None and y < len(self._last_rows) else None
            if before is not None and was is not None:
                before.data_buffer[y] = _UNCHANGED if row is was else was
            screen.data_buffer[y] = _UNCHANGED if row is was else row
        self._last_rows = frame

    # -- panes -----------------------------------------------------------------------------------

    def _body(self, layout: Layout, cols: int, rows: int) -> list[CellRow]:
        left: list[CellRow] = []
        right: list[CellRow] = []
        for area in layout.areas:
            column = (
                right if layout.divider_col is not None and area.left > layout.divider_col else left
            )
            text = self._pane(area)
            if area.has_title:  # made after the text, since it counts hidden rows
                column.append(self._title(area, len(layout.areas) > 1))
            column += text
        if layout.divider_col is None:
            return left
        columns = zip(left, right, strict=True)
        return [self._join(y, *both, layout.divider_col) for y, both in enumerate(columns)]

    def _pane(self, area: PaneArea) -> list[CellRow]:
        pane = self.model.pane(area.pane)
        lines = pane.visible_rows(area.text_cols, area.rows, self.charset)
        key = pane.version, area, self.charset
        cached = self._cache.get(area.pane)
        if cached is None or cached[0] != key:
            margin = (Span(" " * area.indent),) if area.indent else ()
            made = [make_row((*margin, *it), area.cols) for it in lines]
            made += [make_row((), area.cols) for _ in range(area.rows - len(made))]
            cached = self._cache[area.pane] = (key, made)
        return cached[1]

    def _title(self, area: PaneArea, is_one_of_several: bool) -> CellRow:
        note = self.model.title_note(area.pane)
        is_focused = is_one_of_several and self.model.focused == area.pane
        key = note, is_focused, area.cols, self.charset
        cached = self._cache.get(("title", area.pane))
        if cached is None or cached[0] != key:
            made = _title_row(TITLES[area.pane], note, is_focused, area.cols, self.charset)
            cached = self._cache["title", area.pane] = (key, [made])
        return cached[1][0]

    def _join(self, y: int, left: CellRow, right: CellRow, line: int) -> CellRow:
        if y < len(self._joined_rows):
            was_left, was_right, both = self._joined_rows[y]
            if was_left is left and was_right is right:
                return both
        both = defaultdict(blank_cell, left)
        corner = _CORNERS[left[line - 1].char == RULE, right[0].char == RULE]
        write_spans(both, line, (Span(transliterate(corner, self.charset), "dim"),), line + 1)
        both.update({line + 1 + column: cell for column, cell in right.items()})
        del self._joined_rows[y + 1 :]
        self._joined_rows[y:] = [(left, right, both)]
        return both

    # -- the last rows ---------------------------------------------------------------------------

    def _bar(self, cols: int) -> CellRow:
        spans = render_status_bar(self.model.status, self._now_ms(), cols)
        shown = tuple(
            Span(transliterate(sanitize(text), self.charset), role) for text, role in spans
        )
        cached = self._cache.get("bar")
        key = shown, cols
        if cached is None or cached[0] != key:
            cached = self._cache["bar"] = (key, [make_row(shown, cols, "bar", " ")])
        return cached[1][0]

    def _input_row(self, cols: int) -> tuple[CellRow, int]:
        """The row, and the column of the cursor."""
        it = self.input
        row: CellRow = defaultdict(blank_cell)
        prompt = transliterate(sanitize(it.prompt), self.charset)
        prompt = _fit_prompt(prompt, cols - 1 if it.is_secret else cols - 1 - INPUT_CELLS_MIN)
        at = write_spans(row, 0, (Span(prompt, "strong"),), cols)
        if it.is_secret:
            return row, at
        before, after, _ = visible_input(it.editor, cols - 1 - cell_width(prompt), self.charset)
        at = write_spans(row, at, (Span(before),), cols)
        write_spans(row, at, (Span(after),), cols)
        return row, at

    def _overlay_menu(
        self, frame: list[CellRow], menu: CompletionMenu, cols: int, cursor: int
    ) -> None:
        lines = menu.render(cols, len(frame) - 2)
        width = sum(cell_width(text) for text, _ in lines[0])
        typed = cell_width(self.input.editor.text[menu.start : self.input.editor.cursor])
        first = max(0, min(cursor - typed - 2, cols - width))
        top = len(frame) - 2 - len(lines)  # above the status bar
        for y, spans in enumerate(lines, top):
            text = transliterate("".join([text for text, _ in spans]), self.charset)
            base = "chosen" if text.startswith(">") else "menu"
            above: CellRow = defaultdict(blank_cell)
            write_spans(above, 0, (Span(text),), width, base)
            frame[y] = overlay_row(frame[y], above, first, first + width)


def _title_row(title: str, note: str, is_focused: bool, cols: int, charset: str) -> CellRow:
    """`──[ Log ]──────── 12 more below ──`; brackets mark the focused pane.

    A note that is too long loses the part after its colon (the keys), or is left out.
    """
    name = f"[ {title} ]" if is_focused else f" {title} "
    notes = (f" {text} " for text in (note, note.partition(":")[0]) if text)
    note = next((text for text in notes if len(text) + len(name) + 4 <= cols), "")
    rule = RULE * max(0, cols - len(name) - len(note) - (4 if note else 2))
    spans: StyledLine = (
        Span(2 * RULE, "dim"),
        Span(name, "title" if is_focused else ""),
        Span(rule, "dim"),
        Span(note, "strong"),
        Span(2 * RULE if note else "", "dim"),
    )
    return make_row(tuple(Span(transliterate(text, charset), role) for text, role in spans), cols)


def _fit_prompt(prompt: str, room: int) -> str:
    """The prompt, or the end of it that fits *room* cells."""
    start = 0
    while cell_width(prompt[start:]) > room:
        start = next_cursor_stop(prompt, start)
    return prompt[start:]
