"""What a terminal can and what its person wants, settled into one way of reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import msgspec

from mudserver.clock import time_in
from mudserver.people.template import filled
from mudserver.session.present import Reader
from mudserver.transport.link import Terminal
from mudserver.ui.look import Look, Settings, look_of
from mudserver.ui.screen import INPUT_CELLS_MIN
from mudserver.ui.width import cells
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
            "theme": setting("theme"),
            "has_bell": setting("bell") != "off",
            "is_linear": setting("screenreader") == "on",
        },
        Settings,
    )


def reader_for(terminal: Terminal, setting: Setting) -> Reader:
    look = look_of(terminal, settings_for(setting))
    is_linear = setting("screenreader") == "on"
    suits = setting("suits")
    # Beside a symbol there is always the letter; where there is no symbol it is the letter alone.
    has_symbols = suits != "letters" and look.charset == "utf-8" and not is_linear
    zone = setting("timezone") if setting("timestamps") == "on" else ""
    return _reader(look, "symbols" if has_symbols else "letters", is_linear, zone)


@lru_cache(1_024)
def _reader(look: Look, suits: Literal["symbols", "letters"], is_linear: bool, zone: str) -> Reader:
    """One object for all who read the same way, so that readers are compared by identity."""
    return Reader(Style(look.cols, suits, is_linear), look, zone)


def narrowed(reader: Reader, cols: int) -> Reader:
    """The same reader with so many columns, as a pane has."""
    if cols == reader.style.width:
        return reader
    style = reader.style
    return _reader(replace(reader.look, cols=cols), style.suits, style.is_linear, reader.zone)


def page_rows(terminal: Terminal, setting: Setting) -> int:
    """Rows of a page that fit above the prompt; 0: pages do not stop."""
    height = setting("height")
    rows = terminal.rows if height == "auto" else int(height)
    return max(0, rows - 1) if has_pager(terminal, setting) else 0


def has_pager(terminal: Terminal, setting: Setting) -> bool:
    """Unless somebody says otherwise: where single keys go on, and nobody reads aloud."""
    pager = setting("pager")
    if pager == "auto":
        return terminal.is_character and setting("screenreader") != "on"
    return pager == "on"


def in_force(key: str, terminal: Terminal, reader: Reader, setting: Setting) -> str:
    """What `auto` comes to at this terminal."""
    match key:
        case "width":
            return str(reader.look.cols)
        case "height":
            return str(terminal.rows)
        case "colour":
            return reader.look.colours
        case "charset":
            return reader.look.charset
        case "suits":
            return reader.style.suits
        case "pager":
            return "on" if has_pager(terminal, setting) else "off"
        case "screenreader":
            return "on" if reader.style.is_linear else "off"
    return setting(key)


def prompt(setting: Setting, look: Look, table: int | None, is_asked: bool, now_ms: int) -> str:
    """What stands before the line.  Where it finds no room, only whether one is asked."""
    template = setting("prompt")
    time = time_in(now_ms, setting("timezone")) if "{time}" in template else ""
    text = filled(template, table, is_asked, time)
    if cells(text) > look.cols - 1 - INPUT_CELLS_MIN:
        return filled("short", table, is_asked, "")
    return text


_LINES = {"ssh": "ssh", "json": "ssh", "telnet": "telnet", "tls": "telnet over TLS"}


def described(door: str, terminal: Terminal, reader: Reader) -> list[str]:
    """What `terminal` shows."""
    look, style = reader.look, reader.style
    ways = "single keys" if terminal.is_character else "whole lines"
    return [
        f"line: {_LINES[door]}, {ways}",
        f"name: {terminal.name}",
        f"size: {terminal.cols} columns, {terminal.rows} rows; text takes {look.cols}",
        f"it says: colours {terminal.colours}, charset {terminal.charset}",
        f"colours: {look.colours}; charset: {look.charset}; suits: {style.suits}",
        f"theme: {look.theme}",
        f"screen reader: {'on' if style.is_linear else 'off'}",
    ]
