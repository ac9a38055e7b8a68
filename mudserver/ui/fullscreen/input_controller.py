"""Handles keys in a full screen: for the line, the menu and the panes.

Rule 1: keys, line, history, secrets and limits are those of line mode, with the same editor.
Rule 2: Ctrl-C clears the line, or restores what was typed before the menu; it never ends the
        session.  Ctrl-D on an empty line asks to end it.
Rule 3: while a secret is asked for, nothing typed is shown, kept, completed or sanitized.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.config.schema import SessionLimits
from mudserver.ui.completion import apply_completion
from mudserver.ui.editor import EDIT_ACTIONS, Editor
from mudserver.ui.fullscreen.completion_menu import CompletionMenu
from mudserver.ui.fullscreen.model import FullScreenModel
from mudserver.ui.fullscreen.root_container import InputLine
from mudserver.ui.keys import Key
from mudserver.ui.screen_callbacks import ScreenCallbacks
from variants.kit.text import styled_line

SCROLL_KEYS = {
    Key.PAGE_UP: {"pages": 1},
    Key.PAGE_DOWN: {"pages": -1},
    Key.ROW_UP: {"rows": 1},
    Key.ROW_DOWN: {"rows": -1},
}


class InputController:
    """Args: notify: shows a sentence; reset_screen: makes the next draw a complete one."""

    def __init__(
        self,
        model: FullScreenModel,
        limits: SessionLimits,
        callbacks: ScreenCallbacks,
        notify: Callable[[str], None],
        reset_screen: Callable[[], None],
    ) -> None:
        self._model, self._limits = model, limits
        self._on_line, self._on_end = callbacks.on_line, callbacks.on_end
        self._complete = callbacks.complete
        self._notify, self._reset_screen = notify, reset_screen
        self.lines_editor = Editor(limits.line_chars_max, limits.history_lines)
        self.input = InputLine(self.lines_editor)
        self.is_over = False  # input after the end of the session is ignored
        self._notified: set[str] = set()  # notes on truncated input, since the last draw

    def set_prompt(self, prompt: str, is_secret: bool) -> None:
        it = self.input
        it.prompt = prompt
        if is_secret is not it.is_secret:
            it.is_secret, it.menu = is_secret, None
            it.editor = self.lines_editor
            if is_secret:
                it.editor = Editor(self._limits.line_chars_max, 0, sanitizer=str)

    def on_drawn(self) -> None:
        self._notified.clear()

    # -- called by the bindings ------------------------------------------------------------------

    def insert(self, text: str) -> None:
        if self.is_over:
            return
        self.input.menu = None
        if self.input.editor.insert(text):
            most = self.input.editor.chars_max
            self._notify_once(f"Your line was cut (at most {most} characters).")

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
            if menu is None or menu.selected is None:  # else Enter accepts the word
                self._enter()
        elif key is Key.TAB:
            if not it.is_secret:
                self._tab()
        elif key is Key.CANCEL:
            it.editor.clear()
        elif key is Key.CLEAR:
            self._reset_screen()
        elif key is Key.ESCAPE:
            self._model.close_page()
        elif key is Key.NEXT_PANE:
            self._model.focus_next()
        elif key is Key.ZOOM_PANE:
            self._model.toggle_zoom()
        elif key is Key.HELP:
            if not it.is_secret:
                self._model.close_page()
                self._model.focus_log()
                self._model.typed = ""
                self._on_line("/help panes")
        elif key is Key.PASTE_TRUNCATED:
            most = self._limits.paste_chars_max
            self._notify_once(f"Your paste was cut (at most {most} characters).")
        elif key is Key.END_OF_INPUT:
            if it.editor.text:
                it.editor.delete()
            else:
                self._on_end()

    def _enter(self) -> None:
        """A line.  It closes the page; `q` and an empty line do nothing else."""
        it = self.input
        self._model.scroll_to_end()
        if not it.is_secret:
            typed = it.editor.text
            if self._model.close_page() and typed.strip().casefold() in ("", "q"):
                it.editor.clear()
                return
            self._model.typed = typed
            if typed:
                self._model.add([styled_line((f"> {typed}", "dim"))])
        self._on_line(it.editor.submit())

    def _notify_once(self, sentence: str) -> None:
        """Show *sentence* once per draw, however often input is truncated."""
        if sentence not in self._notified:
            self._notified.add(sentence)
            self._notify(sentence)

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
        """Insert the common prefix; several candidates open the menu."""
        editor = self.input.editor
        place = editor.text, editor.cursor
        completion = self._complete(*place)
        if completion is None or not completion.candidates:
            return
        if (more := apply_completion(*place, completion)) is not None:
            editor.replace_text(*more)
        if len(completion.candidates) > 1:
            self.input.menu = CompletionMenu(editor, completion)
