"""What a terminal can and what its person wants, settled into one way of reading."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import msgspec

from mudserver.session.present import Reader
from mudserver.transport.link import Terminal
from mudserver.ui.look import Look, Settings, look_of
from variants.kit.text import Style

Setting = Callable[[str], str]


def settings_for(setting: Setting) -> Settings:
    """The person's settings; where they are `auto`, as the terminal says."""
    width, colour, charset = setting("width"), setting("colour"), setting("charset")
    return msgspec.convert(
        {
            "cols": None if width == "auto" else int(width),
            "colours": None if colour == "auto" else colour,
            "charset": None if charset == "auto" else charset,
            "has_bell": setting("bell") != "off",
            "is_linear": setting("screenreader") == "on",
        },
        Settings,
    )


def reader_for(terminal: Terminal, setting: Setting) -> Reader:
    look = look_of(terminal, settings_for(setting))
    is_linear = setting("screenreader") == "on"
    suits = setting("suits")
    if suits == "auto":
        suits = "symbols" if look.charset == "utf-8" and not is_linear else "letters"
    return _reader(look, "symbols" if suits == "symbols" else "letters", is_linear)


@lru_cache(1_024)
def _reader(look: Look, suits: Literal["symbols", "letters"], is_linear: bool) -> Reader:
    """One object for all who read the same way, so that readers are compared by identity."""
    return Reader(Style(look.cols, suits, is_linear), look)


def described(kind: str, terminal: Terminal, reader: Reader) -> list[str]:
    """What `terminal` shows."""
    look, style = reader.look, reader.style
    ways = "single keys" if terminal.is_character else "whole lines"
    return [
        f"line: {kind}, {ways}",
        f"name: {terminal.name}",
        f"size: {terminal.cols} columns, {terminal.rows} rows; text takes {look.cols}",
        f"colours: {look.colours}; charset: {look.charset}; suits: {style.suits}",
        f"screen reader: {'on' if style.is_linear else 'off'}",
    ]
