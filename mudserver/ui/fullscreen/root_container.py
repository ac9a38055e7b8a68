"""The root container: composes panes, titles, status bar, input line and menu into a frame.

Rule 1: every row is made here, at most as wide as the terminal.  For a row that has not changed
        prompt_toolkit, which would compare it cell by cell, gets an empty row, in the old frame and
        in the new one; of a changed row it gets the panes that have changed.
Rule 2: the input line is drawn last and at every size; of a secret nothing is drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Container, Dimension, FormattedTextControl, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition

from mudserver.sanitize import sanitize
from mudserver.ui.charset import transliterate
from mudserver.ui.editor import Editor
from mudserver.ui.fullscreen.cells import CellRow, Row, Segment, blank_cell, cells_of, changed_cells
from mudserver.ui.fullscreen.completion_menu import CompletionMenu
from mudserver.ui.fullscreen.layout import Layout, PaneArea, PaneName
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.status_bar import render_status_bar
from mudserver.ui.input_row import visible_input
from mudserver.ui.width import cell_width, end_fitting, next_cursor_stop
from variants.kit.text import Span, StyledLine, plain_text, shortened

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
        self._last_rows: list[Row] = []  # on the terminal, if prompt_toolkit knows its content

    # -- the interface of prompt_toolkit ---------------------------------------------------------

    def reset(self) -> None:
        self._last_rows = []

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
        self.model.has_menu = self.input.menu is not None and not self.input.is_secret
        layout = self.model.layout(cols, rows, self.charset)
        if has_news := bool(self.model.new_count):
            layout = self.model.layout(cols, rows - 1, self.charset)
        frame = self._body(layout, cols, rows - 2 - has_news)
        if has_news:
            frame.append(self._news_row(cols))
        frame.append(self._bar(cols))
        row, cursor = self._input_row(cols)
        frame.append(row)
        if self.input.menu is not None and not self.input.is_secret:
            self._overlay_menu(frame, self.input.menu, cols, cursor, has_news)
        self._write_changes(frame, screen, get_app().renderer.last_rendered_screen)
        screen.width, screen.height = cols, rows
        screen.set_cursor_position(self.window, Point(x=cursor, y=rows - 1))
        screen.show_cursor = True

    def _write_changes(self, frame: list[Row], screen: Screen, before: Screen | None) -> None:
        """Pass the changed rows on.  *before*: the last screen; None: draw everything."""
        known = self._last_rows if before is not None else []
        for y, row in enumerate(frame):
            was = known[y] if y < len(known) else None
            if before is None or was is None:
                screen.data_buffer[y] = cells_of(row)
            elif row == was:
                before.data_buffer[y] = screen.data_buffer[y] = _UNCHANGED
            else:
                before.data_buffer[y], screen.data_buffer[y] = changed_cells(was, row)
        self._last_rows = frame

    # -- panes -----------------------------------------------------------------------------------

    def _body(self, layout: Layout, cols: int, rows: int) -> list[Row]:
        segments: list[list[Segment]] = [[] for _ in range(rows)]
        for area in layout.areas:
            lines = self.model.pane(area.pane).visible_rows(area.text_cols, area.rows, self.charset)
            end, left = area.left + area.cols, area.left + area.indent
            for y, line in enumerate(lines, area.top):
                segments[y].append(Segment(left, end, line))
            if area.has_title:  # made after the text, since it counts hidden rows
                title = self._title(area, len(layout.areas) > 1)
                segments[area.top - 1].append(Segment(area.left, end, title))
        if layout.divider_col is not None:
            self._add_divider(segments, layout, layout.divider_col)
        return [tuple(row) for row in segments]

    def _title(self, area: PaneArea, is_one_of_several: bool) -> StyledLine:
        notes, page = self.model.title_notes(area.pane), self.model.page
        is_focused = is_one_of_several and self.model.focused == area.pane
        title = self.model.table_title if area.pane == "table" else TITLES[area.pane]
        if area.pane == "log" and page is not None:
            title = shortened(sanitize(page.title), max(8, area.cols - 18))
        return _title_line(title, notes, is_focused, area.cols, self.charset)

    def _add_divider(self, segments: list[list[Segment]], layout: Layout, column: int) -> None:
        titles = [(area.left, area.top - 1) for area in layout.areas if area.has_title]
        left, right = ({y for x, y in titles if (x > column) is side} for side in (False, True))
        for y, row in enumerate(segments):
            corner = transliterate(_CORNERS[y in left, y in right], self.charset)
            row.append(Segment(column, column + 1, (Span(corner, "panel"),)))

    # -- the last rows ---------------------------------------------------------------------------

    def _news_row(self, cols: int) -> Row:
        """`3 new: Ann tells you: hello...`: the newest of what came where nobody looks."""
        head = Span(f" {self.model.new_count} new: ", "news")
        newest = tuple(
            Span(transliterate(sanitize(text), self.charset), role)
            for text, role in self.model.newest
        )
        room = cols - cell_width(head.text)
        if cell_width(plain_text(newest)) > room:
            newest = (*_cut(newest, room - 3), Span("..."))
        return (Segment(0, cols, (head, *newest)),)

    def _bar(self, cols: int) -> Row:
        spans = render_status_bar(self.model.status, self._now_ms(), cols, self.model.new_count)
        shown = tuple(
            Span(transliterate(sanitize(text), self.charset), role) for text, role in spans
        )
        return (Segment(0, cols, shown, "bar", " "),)

    def _input_row(self, cols: int) -> tuple[Row, int]:
        """The row, and the column of the cursor."""
        it = self.input
        prompt = transliterate(sanitize(it.prompt), self.charset)
        prompt = _fit_prompt(prompt, cols - 1 if it.is_secret else cols - 1 - INPUT_CELLS_MIN)
        at, shown = cell_width(prompt), (Span(prompt, "strong"),)
        if it.is_secret:
            return (Segment(0, cols, shown),), at
        before, after, _ = visible_input(it.editor, cols - 1 - at, self.charset)
        row = Segment(0, cols, (*shown, Span(before), Span(after)))
        return (row,), at + cell_width(before)

    def _overlay_menu(
        self, frame: list[Row], menu: CompletionMenu, cols: int, cursor: int, has_news: bool
    ) -> None:
        bottom = len(frame) - 2 - has_news  # above the status bar and the news
        lines = menu.render(cols, bottom)
        width = sum(cell_width(text) for text, _ in lines[0])
        typed = cell_width(self.input.editor.text[menu.start : self.input.editor.cursor])
        first = max(0, min(cursor - typed - 2, cols - width))
        top = bottom - len(lines)
        for y, spans in enumerate(lines, top):
            text = transliterate("".join([text for text, _ in spans]), self.charset)
            base = "chosen" if text.startswith(">") else "menu"
            frame[y] += (Segment(first, first + width, (Span(text),), base),)


def _title_line(
    title: str, notes: Sequence[str], is_focused: bool, cols: int, charset: str
) -> StyledLine:
    """`──[ Log ]──────── 12 more below ──`; brackets mark the focused pane.

    Args:
        notes: Forms of one note, of which the first that fits is shown.
    """
    name = f"[ {title} ]" if is_focused else f" {title} "
    note = next((f" {text} " for text in notes if len(text) + len(name) + 6 <= cols), "")
    rule = RULE * max(0, cols - len(name) - len(note) - (4 if note else 2))
    spans: StyledLine = (
        Span(2 * RULE, "panel"),
        Span(name, "title" if is_focused else "panel"),
        Span(rule, "panel"),
        Span(note, "strong"),
        Span(2 * RULE if note else "", "panel"),
    )
    return tuple(Span(transliterate(text, charset), role) for text, role in spans)


def _cut(line: StyledLine, room: int) -> StyledLine:
    """The beginning of *line* that fits *room* cells."""
    kept = []
    for text, role in line:
        end = end_fitting(text, room)
        kept.append(Span(text[:end], role))
        room -= cell_width(text[:end])
        if end < len(text):
            break
    return tuple(kept)


def _fit_prompt(prompt: str, room: int) -> str:
    """The prompt, or the end of it that fits *room* cells."""
    start = 0
    while cell_width(prompt[start:]) > room:
        start = next_cursor_stop(prompt, start)
    return prompt[start:]
