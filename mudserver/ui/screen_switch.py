"""What goes along when one terminal gets another screen in the middle of a visit.

Rule 1: nothing that was typed is lost: the line in the making, the history, what was cut out, half
        a key, half a paste.
Rule 2: a secret in the making stays a secret.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from mudserver.ui.editor import Editor
from mudserver.ui.keys import KeyParser


class InputState(NamedTuple):
    """The typing side of a screen."""

    keys: KeyParser
    editor: Editor  # what is typed into now
    lines_editor: Editor  # the same, but for a secret
    prompt: str
    is_secret: bool


class Screenlike(Protocol):
    """A screen as it is seen from here; the names are private to everybody else."""

    _keys: KeyParser
    _editor: Editor
    _lines_editor: Editor
    _prompt: str
    _is_secret: bool


def capture_input(screen: Screenlike) -> InputState:
    """To be taken before the screen is closed."""
    s = screen
    return InputState(s._keys, s._editor, s._lines_editor, s._prompt, s._is_secret)


def restore_input(screen: Screenlike, state: InputState, charset: str) -> None:
    """Let a screen that was just made go on where the one before was left."""
    s = screen
    s._keys, s._editor, s._lines_editor, s._prompt, s._is_secret = state
    s._keys.charset = charset
