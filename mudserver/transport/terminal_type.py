"""What a client reports of its terminal, reduced to harmless values.

Rule 1: every number is clamped and every word comes from a closed list or alphabet, before it goes
        anywhere else.  Names and variables never identify a person.
"""

from __future__ import annotations

import re
from typing import Literal

Charset = Literal["utf-8", "ascii", "latin-1", "cp437"]
Colours = Literal["off", "16", "256", "true"]

CHARSETS: dict[str, Charset] = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "us-ascii": "ascii",
    "ascii": "ascii",
    "ansi_x3.4-1968": "ascii",
    "iso-8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "latin1": "latin-1",
    "latin-1": "latin-1",
    "cp437": "cp437",
    "ibm437": "cp437",
    "437": "cp437",
}
ACCEPTED_VARIABLES = frozenset({"TERM", "COLORTERM", "LANG", "LC_ALL", "NO_COLOR"})

_ANSI = re.compile(
    r"xterm|vt[1-5]\d\d|screen|tmux|ansi|linux|rxvt|konsole|gnome|kitty|alacritty|foot|wezterm"
    r"|putty|cygwin|iterm|eterm|st-|st$|mintty|syncterm|ghostty|.*(color|direct)"
)


def clamped_size(cols: int, rows: int) -> tuple[int, int]:
    """Columns 20..300 and rows 5..100; an unknown size (0) is 80x24."""
    return min(max(cols or 80, 20), 300), min(max(rows or 24, 5), 100)


def clean_name(name: str) -> str:
    """A terminal's name in lower case; "unknown" if it is not well formed."""
    return name.lower() if re.fullmatch(r"[A-Za-z0-9._+-]{1,32}", name) else "unknown"


def is_ansi_name(name: str) -> bool:
    return _ANSI.match(name) is not None


def colours_of(name: str, colorterm: str = "") -> Colours:
    """The colour depth of a terminal that understands ANSI."""
    if colorterm.lower() in ("truecolor", "24bit") or name.endswith(("-direct", "truecolor")):
        return "true"
    return "256" if "256" in name else "16"


def charset_of_locale(*values: str) -> Charset:
    """The charset of the first value that is set; UTF-8 if it names none that we know."""
    for value in values:
        if value:
            return CHARSETS.get(value.partition(".")[2].partition("@")[0].lower(), "utf-8")
    return "utf-8"
