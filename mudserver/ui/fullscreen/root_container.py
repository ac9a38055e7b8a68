"""The picture: panes, titles, the bar, the input line and the menu, as prompt_toolkit's container.

Rule 1: every row is made here, as wide as the terminal at most, and handed over as it stands: a row
        that shows the same as before is the same object.
        prompt_toolkit, which would compare cell by cell, is shown such a row as an empty one.
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

INPUT_CELLS_MIN = 8  # a prompt that leaves less loses its beginning
TITLES: dict[PaneName, str] = {"table": "Table", "log": "Log", "chat": "Chat"}
RULE = "─"
_SAME: CellRow = defaultdict(blank_cell)  # a row that is on the terminal already
_CORNERS = {(False, False): "│", (True, False): "┤", (False, True): "├", (True, True): "┬"}
"""Where the line between the columns meets a title on its left, on its right."""


@dataclass(slots=True)
class InputLine:
    """What the last row shows."""

    editor: Editor
    prompt: str = ""
    is_secret: bool = False
    menu: CompletionMenu | None = None


class RootContainer(Container):
    """Everything on the screen.  *window* is what prompt_toolkit thinks has the focus."""

    def __init__(
        self, model: FullScreenModel, input_: InputLine, now_ms: Callable[[], int]
    ) -> None:
        self.model, self.input, self._now_ms = model, input_, now_ms
        self.charset = "utf-8"
        self.window = Window(FormattedTextControl(focusable=True))
        self._kept: dict[object, tuple[Hashable, list[CellRow]]] = {}  # what was made of each part
        self._joined: list[tuple[CellRow, CellRow, CellRow]] = []  # left, right, both, by row
        self._shown: list[CellRow] = []  # as the terminal has them, if prompt_toolkit knows it

    # -- prompt_toolkit's side -------------------------------------------------------------------

    def reset(self) -> None:
        self._kept.clear()
        self._joined.clear()

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
        picture = self._body(self.model.layout(cols, rows, self.charset), cols, rows - 2)
        picture.append(self._bar(cols))
        row, cursor = self._input_row(cols)
        picture.append(row)
        if self.input.menu is not None and not self.input.is_secret:
            self._lay_menu(picture, self.input.menu, cols, cursor)
        self._hand_over(picture, screen, get_app().renderer.last_rendered_screen)
        screen.width, screen.height = cols, rows
        screen.set_cursor_position(self.window, Point(x=cursor, y=rows - 1))
        screen.show_cursor = True

    def _hand_over(self, picture: list[CellRow], screen: Screen, before: Screen | None) -> None:
        """*before*: what the terminal shows; None if all of it is to be drawn."""
        for y, row in enumerate(picture):
            was = self._shown[y] if before is not None and y < len(self._shown) else None
            if before is not None and was is not None:
                before.data_buffer[y] = _SAME if row is was else was
            screen.data_buffer[y] = _SAME if row is was else row
        self._shown = picture

    # -- panes -----------------------------------------------------------------------------------

    def _body(self, plan: Layout, cols: int, rows: int) -> list[CellRow]:
        left: list[CellRow] = []
        right: list[CellRow] = []
        for place in plan.areas:
            column = (
                right if plan.divider_col is not None and place.left > plan.divider_col else left
            )
            text = self._pane(place)
            if place.has_title:  # which says what of the text is shown
                column.append(self._title(place, len(plan.areas) > 1))
            column += text
        if plan.divider_col is None:
            return left
        halves = zip(left, right, strict=True)
        return [self._join(y, *both, plan.divider_col) for y, both in enumerate(halves)]

    def _pane(self, place: PaneArea) -> list[CellRow]:
        pane = self.model.pane(place.pane)
        lines = pane.visible_rows(place.text_cols, place.rows, self.charset)
        key = pane.version, place, self.charset
        kept = self._kept.get(place.pane)
        if kept is None or kept[0] != key:
            margin = (Span(" " * place.indent),) if place.indent else ()
            made = [make_row((*margin, *it), place.cols) for it in lines]
            made += [make_row((), place.cols) for _ in range(place.rows - len(made))]
            kept = self._kept[place.pane] = (key, made)
        return kept[1]

    def _title(self, place: PaneArea, is_one_of_several: bool) -> CellRow:
        note = self.model.title_note(place.pane)
        is_marked = is_one_of_several and self.model.focused == place.pane
        key = note, is_marked, place.cols, self.charset
        kept = self._kept.get(("title", place.pane))
        if kept is None or kept[0] != key:
            made = _titled(TITLES[place.pane], note, is_marked, place.cols, self.charset)
            kept = self._kept["title", place.pane] = (key, [made])
        return kept[1][0]

    def _join(self, y: int, left: CellRow, right: CellRow, line: int) -> CellRow:
        if y < len(self._joined):
            was_left, was_right, both = self._joined[y]
            if was_left is left and was_right is right:
                return both
        both = defaultdict(blank_cell, left)
        corner = _CORNERS[left[line - 1].char == RULE, right[0].char == RULE]
        write_spans(both, line, (Span(transliterate(corner, self.charset), "dim"),), line + 1)
        both.update({line + 1 + column: cell for column, cell in right.items()})
        del self._joined[y + 1 :]
        self._joined[y:] = [(left, right, both)]
        return both

    # -- the last rows ---------------------------------------------------------------------------

    def _bar(self, cols: int) -> CellRow:
        spans = render_status_bar(self.model.status, self._now_ms(), cols)
        shown = tuple(
            Span(transliterate(sanitize(text), self.charset), role) for text, role in spans
        )
        kept = self._kept.get("bar")
        key = shown, cols
        if kept is None or kept[0] != key:
            kept = self._kept["bar"] = (key, [make_row(shown, cols, "bar", " ")])
        return kept[1][0]

    def _input_row(self, cols: int) -> tuple[CellRow, int]:
        """The row, and the column of the cursor."""
        it = self.input
        row: CellRow = defaultdict(blank_cell)
        prompt = transliterate(sanitize(it.prompt), self.charset)
        prompt = _end(prompt, cols - 1 if it.is_secret else cols - 1 - INPUT_CELLS_MIN)
        at = write_spans(row, 0, (Span(prompt, "strong"),), cols)
        if it.is_secret:
            return row, at
        before, after, _ = visible_input(it.editor, cols - 1 - cell_width(prompt), self.charset)
        at = write_spans(row, at, (Span(before),), cols)
        write_spans(row, at, (Span(after),), cols)
        return row, at

    def _lay_menu(
        self, picture: list[CellRow], menu: CompletionMenu, cols: int, cursor: int
    ) -> None:
        lines = menu.render(cols, len(picture) - 2)
        width = sum(cell_width(text) for text, _ in lines[0])
        typed = cell_width(self.input.editor.text[menu.start : self.input.editor.cursor])
        first = max(0, min(cursor - typed - 2, cols - width))
        top = len(picture) - 2 - len(lines)  # the bar stays in sight
        for y, spans in enumerate(lines, top):
            text = transliterate("".join([text for text, _ in spans]), self.charset)
            base = "chosen" if text.startswith(">") else "menu"
            above: CellRow = defaultdict(blank_cell)
            write_spans(above, 0, (Span(text),), width, base)
            picture[y] = overlay_row(picture[y], above, first, first + width)


def _titled(title: str, note: str, is_marked: bool, cols: int, charset: str) -> CellRow:
    """`──[ Log ]──────── 12 more below ──`; the marked pane is the one in brackets.

    A note that is too long loses its keys, which come behind a colon, and then goes as a whole.
    """
    name = f"[ {title} ]" if is_marked else f" {title} "
    notes = (f" {text} " for text in (note, note.partition(":")[0]) if text)
    note = next((text for text in notes if len(text) + len(name) + 4 <= cols), "")
    rule = RULE * max(0, cols - len(name) - len(note) - (4 if note else 2))
    spans: StyledLine = (
        Span(2 * RULE, "dim"),
        Span(name, "title" if is_marked else ""),
        Span(rule, "dim"),
        Span(note, "strong"),
        Span(2 * RULE if note else "", "dim"),
    )
    return make_row(tuple(Span(transliterate(text, charset), role) for text, role in spans), cols)


def _end(prompt: str, room: int) -> str:
    """The prompt, or as much of its end as fits *room* cells."""
    start = 0
    while cell_width(prompt[start:]) > room:
        start = next_cursor_stop(prompt, start)
    return prompt[start:]
