"""Which key does what in a full screen: one list for all of them.

Rule 1: keys come from `ui/keys.py` and are only renamed here; text always comes as a paste.
Rule 2: a handler knows one screen, that of the event; it reaches no other.
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
"""While the menu is open: by how much the choice moves."""


def key_press_of(token: str | Key) -> KeyPress:
    """What prompt_toolkit is fed.  Not character by character: it keeps what it has matched."""
    if isinstance(token, str):
        return KeyPress(Names.BracketedPaste, token)
    return KeyPress(KEY_NAMES[token], "")


@Condition
def is_menu_open() -> bool:
    return cast(FullScreenApp, get_app()).actions.has_menu


@cache
def bindings() -> KeyBindings:
    """Made when the first full screen is."""
    made = KeyBindings()

    def bind(name: Names, call: Action, when: FilterOrBool = True) -> None:
        def handler(event: KeyPressEvent) -> None:
            call(cast(FullScreenApp, event.app).actions, event.data)

        made.add(name, filter=when, save_before=lambda event: False)(handler)

    bind(Names.BracketedPaste, lambda desk, text: desk.insert(text))
    for key, name in KEY_NAMES.items():
        bind(name, partial(_press, key))
    for key, step in MENU_KEYS.items():  # what is bound later goes first
        bind(KEY_NAMES[key], partial(_choose, step), is_menu_open)
    for key in (Key.ESCAPE, Key.CANCEL):
        bind(KEY_NAMES[key], lambda desk, text: desk.cancel_menu(), is_menu_open)
    return made


def _press(key: Key, desk: InputActions, text: str) -> None:
    desk.press(key)


def _choose(step: int, desk: InputActions, text: str) -> None:
    desk.move_selection(step)
