"""The input of a terminal, handed over when it changes screens in the middle of a session.

Rule 1: nothing typed is lost: the unfinished line, the history, the killed text, a partial key
        sequence, a partial paste.
Rule 2: an unfinished secret stays secret.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.ui.editor import Editor
from mudserver.ui.keys import KeyParser


class InputState(NamedTuple):
    """The input side of a screen."""

    keys: KeyParser
    editor: Editor  # receives what is typed now
    lines_editor: Editor  # the same, except while a secret is asked for
    prompt: str
    is_secret: bool
