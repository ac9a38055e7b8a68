"""What a role looks like.

Rule 1: colour only decorates: the words say everything without it.  Red and green never differ by
        hue alone, so `bad` is bold where `good` is not, and red suits are bold where black are not.
Rule 2: every theme is readable on black and on white.  The indexed and the true colours below have
        at least 4 : 1 against both (a test computes it); of the sixteen, whose shades the terminal
        chooses, blue and yellow are not used.

Contrast: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

from mudserver.ui.ansi import sgr
from variants.kit.text import Role

Depth = Literal["16", "256", "true"]

# role -> SGR codes for 16, 256 and true colours
Theme = Mapping[Role, tuple[str, str, str]]

_MONO: Theme = {
    "title": ("1", "1", "1"),
    "strong": ("1", "1", "1"),
    "you": ("1", "1", "1"),
    "red": ("1", "1", "1"),
    "bad": ("1", "1", "1"),
    "key": ("4", "4", "4"),
}
_DEFAULT: Theme = {
    "title": ("1", "1", "1"),
    "strong": ("1", "1", "1"),
    "dim": ("2", "38;5;243", "38;2;118;118;118"),
    "you": ("1;35", "1;38;5;133", "1;38;2;165;90;170"),
    "red": ("1;31", "1;38;5;161", "1;38;2;212;20;90"),
    "black": ("", "", ""),
    "good": ("32", "38;5;28", "38;2;0;130;40"),
    "bad": ("1;31", "1;38;5;161", "1;38;2;224;40;30"),
    "key": ("36", "38;5;30", "38;2;0;128;140"),
}
THEMES: Mapping[str, Theme] = {"default": _DEFAULT, "mono": _MONO}


@cache
def switches(theme: str, depth: Depth) -> Mapping[Role, str]:
    """Role -> the sequence that switches its rendition on; roles without one are missing."""
    at = get_args(Depth).index(depth)
    codes = THEMES.get(theme, _DEFAULT)
    return {role: sgr(by_depth[at]) for role, by_depth in codes.items() if by_depth[at]}
