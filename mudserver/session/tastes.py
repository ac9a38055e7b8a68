"""What a terminal can and what its person wants, settled into one way of reading."""

from __future__ import annotations

from collections.abc import Callable

from mudserver.session.present import Reader
from mudserver.transport.link import Terminal
from mudserver.ui.paint import Look
from variants.kit.text import Style


def reader_for(terminal: Terminal, setting: Callable[[str], str]) -> Reader:
    """The person's settings first, what the terminal said where they are `auto`."""

    def choice(key: str, automatic: str) -> str:
        value = setting(key)
        return automatic if value == "auto" else value

    is_linear = setting("screenreader") == "on"
    cols = int(choice("width", str(terminal.cols)))
    charset = choice("charset", terminal.charset)
    suits = choice("suits", "symbols" if charset == "utf-8" and not is_linear else "letters")
    return Reader(
        Style(cols, "symbols" if suits == "symbols" else "letters", is_linear),
        Look(cols, choice("colour", terminal.colours), charset),
    )
