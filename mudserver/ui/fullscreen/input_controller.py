"""What keys do in a full screen: to the line, to the menu, to the panes.

Rule 1: keys, line, history, secrets and bounds are those of line mode, by the same editor.
Rule 2: Ctrl-C clears the line, or puts back what was typed before the menu; it ends nothing.
        Ctrl-D on an empty line asks for the end.
Rule 3: while a secret is asked for nothing typed is shown, kept, completed or cleaned.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.config.schema import SessionLimits as Limits
from mudserver.ui.completion import Completion, apply_completion
from mudserver.ui.editor import EDIT_ACTIONS, Editor
from mudserver.ui.fullscreen.completion_menu import CompletionMenu
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.root_container import InputLine
from mudserver.ui.keys import Key
from variants.kit.text import styled_line

Completer = Callable[[str, int], Completion | None]
SCROLL_KEYS = {
    Key.PAGE_UP: {"pages": 1},
    Key.PAGE_DOWN: {"pages": -1},
    Key.ROW_UP: {"rows": 1},
    Key.ROW_DOWN: {"rows": -1},
}


class InputController:
    """Args: say: a sentence for who types; forget: the terminal is to be drawn from scratch."""

    def __init__(
        self,
        model: FullScreenModel,
        limits: Limits,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
        completer: Completer,
        notify: Callable[[str], None],
        reset_screen: Callable[[], None],
    ) -> None:
        self._model, self._limits, self._say, self._forget = model, limits, notify, reset_screen
        self._on_line, self._on_end, self._complete = on_line, on_end, completer
        self.lines_editor = Editor(limits.line_chars_max, limits.history_lines)
        self.input = InputLine(self.lines_editor)
        self.is_over = False  # what was typed behind the line that ended it is not heard
        self._said: set[str] = set()  # of what was cut, since the last drawing

    def set_prompt(self, prompt: str, is_secret: bool) -> None:
        it = self.input
        it.prompt = prompt
        if is_secret is not it.is_secret:
            it.is_secret, it.menu = is_secret, None
            it.editor = self.lines_editor
            if is_secret:
                it.editor = Editor(self._limits.line_chars_max, 0, sanitizer=str)

    def on_drawn(self) -> None:
        self._said.clear()

    # -- called by the bindings ------------------------------------------------------------------

    def insert(self, text: str) -> None:
        if self.is_over:
            return
        self.input.menu = None
        if self.input.editor.insert(text):
            most = self.input.editor.chars_max
            self._say_once(f"Your line was cut: {most} characters are the most.")

    def press(self, key: Key) -> None:
        if self.is_over:
            return
        it = self.input
        if key in SCROLL_KEYS:
            self._model.scroll(**SCROLL_KEYS[key])
            return
        menu, it.menu = it.menu, None
        if key in EDIT_ACTIONS:
            EDIT_ACTIONS[key](it.editor)
        elif key is Key.ENTER:
            if menu is None or menu.selected is None:  # else it took the word
                self._enter()
        elif key is Key.TAB:
            if not it.is_secret:
                self._tab()
        elif key is Key.CANCEL:
            it.editor.clear()
        elif key is Key.CLEAR:
            self._forget()
        elif key is Key.NEXT_PANE:
            self._model.focus_next()
        elif key is Key.ZOOM_PANE:
            self._model.toggle_zoom()
        elif key is Key.HELP:
            if not it.is_secret:
                self._model.focus_log()
                self._on_line("/help panes")
        elif key is Key.PASTE_TRUNCATED:
            most = self._limits.paste_chars_max
            self._say_once(f"Your paste was cut: {most} characters are the most.")
        elif key is Key.END_OF_INPUT:
            if it.editor.text:
                it.editor.delete()
            else:
                self._on_end()

    def _enter(self) -> None:
        it = self.input
        if it.editor.text and not it.is_secret:
            self._model.add([styled_line((f"> {it.editor.text}", "dim"))])
        self._model.scroll_to_end()
        self._on_line(it.editor.submit())

    def _say_once(self, sentence: str) -> None:
        """Once a drawing, however much is cut in it."""
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)

    # -- the menu --------------------------------------------------------------------------------

    @property
    def has_menu(self) -> bool:
        return self.input.menu is not None

    def move_selection(self, step: int) -> None:
        if self.input.menu is not None:
            self.input.menu.move_selection(self.input.editor, step)

    def cancel_menu(self) -> None:
        if self.input.menu is not None:
            self.input.menu.restore_text(self.input.editor)
        self.input.menu = None

    def _tab(self) -> None:
        """What all candidates share is put in; several open the menu."""
        editor = self.input.editor
        place = editor.text, editor.cursor
        completion = self._complete(*place)
        if completion is None or not completion.candidates:
            return
        if (more := apply_completion(*place, completion)) is not None:
            editor.replace_text(*more)
        if len(completion.candidates) > 1:
            self.input.menu = CompletionMenu(editor, completion)
