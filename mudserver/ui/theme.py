"""Themes: the colours and attributes of each role.

Rule 1: colour is only decoration: the words say everything.  Red and green never differ by hue
        alone: `bad` is bold and `good` is not, red suits are bold and black ones are not.
Rule 2: every theme is readable on black and on white.  Indexed and true colours have a contrast of
        at least 4 : 1 against both (at most 4.58 is possible), or at least 7 : 1 against their own
        background.  Of the sixteen colours, whose shades the terminal chooses, blue and yellow are
        not used.
Rule 3: in `colour-blind` good and bad are blue and orange, far apart for every kind of colour
        vision.  In `high-contrast` nothing is dim.  `mono` has no colour at all.

Tests compute rules 2 and 3.
Contrast: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
Colour vision: Machado, Oliveira and Fernandes 2009, https://doi.org/10.1109/TVCG.2009.113
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
    "red_suit": ("1", "1", "1"),
    "warn": ("4", "4", "4"),
    "bad": ("1", "1", "1"),
    "key": ("4", "4", "4"),
    "news": ("1", "1", "1"),
    "mention": ("1", "1", "1"),
}
_DEFAULT: Theme = {
    "title": ("1", "1", "1"),
    "strong": ("1", "1", "1"),
    "dim": ("2", "38;5;243", "38;2;118;118;118"),
    "you": ("1;35", "1;38;5;133", "1;38;2;165;90;170"),
    "red_suit": ("1;31", "1;38;5;161", "1;38;2;212;20;90"),
    "black_suit": ("", "", ""),
    "good": ("32", "38;5;28", "38;2;0;130;40"),
    "warn": ("1;4", "1;4;38;5;130", "1;4;38;2;180;90;0"),
    "bad": ("1;31", "1;38;5;161", "1;38;2;224;40;30"),
    "key": ("36", "38;5;30", "38;2;0;128;140"),
    "panel": ("2", "38;5;243", "38;2;118;118;118"),
    "talk": ("", "", ""),
    "news": ("1;36", "1;38;5;30", "1;38;2;0;128;140"),
    "mention": ("1", "1", "1"),
}
_WHITE_ON_RED = "1;38;5;231;48;5;88", "1;38;2;255;255;255;48;2;135;0;0"
_HIGH_CONTRAST: Theme = {
    "title": ("1;4", "1;4", "1;4"),
    "strong": ("1", "1", "1"),
    "you": ("1;7", "1;7", "1;7"),
    "red_suit": ("1", *_WHITE_ON_RED),
    "good": ("4", "38;5;231;48;5;22", "38;2;255;255;255;48;2;0;90;0"),
    "warn": ("1;4", "1;4", "1;4"),
    "bad": ("1;7", *_WHITE_ON_RED),
    "key": ("4", "4", "4"),
    "news": ("1;4", "1;4", "1;4"),
    "mention": ("1", "1", "1"),
}
_COLOUR_BLIND: Theme = {
    "title": ("1", "1", "1"),
    "strong": ("1", "1", "1"),
    "dim": ("2", "38;5;243", "38;2;118;118;118"),
    "you": ("1;4", "1;4", "1;4"),
    "red_suit": ("1;35", "1;38;5;130", "1;38;2;180;90;0"),
    "black_suit": ("", "", ""),
    "good": ("36", "38;5;27", "38;2;0;100;245"),
    "warn": ("1;4", "1;4", "1;4"),
    "bad": ("1;35", "1;38;5;130", "1;38;2;180;90;0"),
    "key": ("4", "4", "4"),
    "panel": ("2", "38;5;243", "38;2;118;118;118"),
    "talk": ("", "", ""),
    "news": ("1;4", "1;4", "1;4"),
    "mention": ("1", "1", "1"),
}
THEMES: Mapping[str, Theme] = {
    "default": _DEFAULT,
    "high-contrast": _HIGH_CONTRAST,
    "mono": _MONO,
    "colour-blind": _COLOUR_BLIND,
}


@cache
def style_sequences(theme: str, depth: Depth) -> Mapping[Role, str]:
    """The start sequence of each role; roles without one are missing."""
    at = get_args(Depth).index(depth)
    codes = THEMES.get(theme, _DEFAULT)
    return {role: sgr(by_depth[at]) for role, by_depth in codes.items() if by_depth[at]}
