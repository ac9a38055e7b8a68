"""Key bindings of the full screen, shared by all of them.

Rule 1: keys come from `ui/keys.py` and are only renamed here; text always arrives as a paste.
Rule 2: a handler knows only the screen of its event.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import cast

from prompt_toolkit.application.current import get_app
from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.key_binding import KeyBindings, KeyPress
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys as Names

from mudserver.ui.fullscreen.application import FullScreenApp, InputActions
from mudserver.ui.keys import Key

Action = Callable[[InputActions, str], None]

KEY_NAMES: dict[Key, Names] = {
    Key.ENTER: Names.ControlM,
    Key.TAB: Names.ControlI,
    Key.TAB_BACK: Names.BackTab,
    Key.ESCAPE: Names.Escape,
    Key.BACKSPACE: Names.ControlH,
    Key.DELETE: Names.Delete,
    Key.LEFT: Names.Left,
    Key.RIGHT: Names.Right,
    Key.HOME: Names.Home,
    Key.END: Names.End,
    Key.WORD_LEFT: Names.ControlLeft,
    Key.WORD_RIGHT: Names.ControlRight,
    Key.HISTORY_PREVIOUS: Names.Up,
    Key.HISTORY_NEXT: Names.Down,
    Key.KILL_TO_END: Names.ControlK,
    Key.KILL_TO_START: Names.ControlU,
    Key.KILL_WORD_BEFORE: Names.ControlW,
    Key.KILL_WORD_AFTER: Names.ControlDelete,
    Key.YANK: Names.ControlY,
    Key.CLEAR: Names.ControlL,
    Key.CANCEL: Names.ControlC,
    Key.END_OF_INPUT: Names.ControlD,
    Key.PASTE_TRUNCATED: Names.Ignore,
    Key.PAGE_UP: Names.PageUp,
    Key.PAGE_DOWN: Names.PageDown,
    Key.ROW_UP: Names.ControlUp,
    Key.ROW_DOWN: Names.ControlDown,
    Key.NEXT_PANE: Names.F6,
    Key.ZOOM_PANE: Names.F2,
    Key.HELP: Names.F1,
}

MENU_KEYS = {
    Key.TAB: 1,
    Key.HISTORY_NEXT: 1,
    Key.TAB_BACK: -1,
    Key.HISTORY_PREVIOUS: -1,
}
"""By how much each key moves the selection while the menu is open."""


def key_press_of(token: str | Key) -> KeyPress:
    """The key press for prompt_toolkit.  Text is one press: the library keeps each one."""
    if isinstance(token, str):
        return KeyPress(Names.BracketedPaste, token)
    return KeyPress(KEY_NAMES[token], "")


@Condition
def is_menu_open() -> bool:
    return cast(FullScreenApp, get_app()).actions.has_menu


@cache
def bindings() -> KeyBindings:
    """Created together with the first full screen."""
    registry = KeyBindings()

    def bind(name: Names, call: Action, when: FilterOrBool = True) -> None:
        def handler(event: KeyPressEvent) -> None:
            call(cast(FullScreenApp, event.app).actions, event.data)

        registry.add(name, filter=when, save_before=lambda event: False)(handler)

    bind(Names.BracketedPaste, lambda actions, text: actions.insert(text))
    for key, name in KEY_NAMES.items():
        bind(name, partial(_press, key))
    for key, step in MENU_KEYS.items():  # later bindings take precedence
        bind(KEY_NAMES[key], partial(_move_selection, step), is_menu_open)
    for key in (Key.ESCAPE, Key.CANCEL):
        bind(KEY_NAMES[key], lambda actions, text: actions.cancel_menu(), is_menu_open)
    return registry


def _press(key: Key, actions: InputActions, text: str) -> None:
    actions.press(key)


def _move_selection(step: int, actions: InputActions, text: str) -> None:
    actions.move_selection(step)
