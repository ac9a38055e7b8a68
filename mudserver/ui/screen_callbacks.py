"""What both kinds of screen call: their connection, and the session that they serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mudserver.ui.completion import Completion


class ScreenCallbacks(NamedTuple):
    write: Callable[[bytes], None]  # never blocks
    on_line: Callable[[str], None]  # an input line, sanitized, without line end
    on_end: Callable[[], None]  # Ctrl-D
    complete: Callable[[str, int], Completion | None]  # the input line and the cursor
    backlog: Callable[[], int] = lambda: 0  # bytes that *write* has queued
    end_prompt: Callable[[], None] = lambda: None  # after a prompt, where clients edit lines
    on_flush: Callable[[], None] | None = None  # all that waited is written now
    is_answer_due: Callable[[], bool] = lambda: False  # to a line that was entered, in a moment
