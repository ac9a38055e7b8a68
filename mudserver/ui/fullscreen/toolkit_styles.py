"""The themes of line mode as prompt_toolkit styles.

Rule 1: roles look as in line mode: their codes come from `ui/theme.py` alone.
Rule 2: the status bar and the selected word of the menu are in reverse video, in every theme and
        without colours too, and their text says what they mean.
Rule 3: all screens of one theme and colour depth share one style object.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from typing import get_args

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import DEFAULT_ATTRS, Attrs, BaseStyle

from mudserver.ui.terminal_profile import Colours
from mudserver.ui.theme import THEMES, Depth

COLOUR_DEPTHS = {
    "off": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.DEPTH_24_BIT,
}
EXTRA_STYLES = {"bar": "7", "menu": "7", "chosen": "1"}
"""Styles that are not roles: SGR codes.  The menu is in reverse video, its chosen row is not."""

_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "gray")
_BRIGHT = ("brightblack", "brightred", "brightgreen", "brightyellow",
           "brightblue", "brightmagenta", "brightcyan", "white")  # fmt: skip


class ThemeStyle(BaseStyle):
    """Resolves style strings such as `bar strong`; later styles override earlier ones."""

    def __init__(self, theme: str, colours: Colours) -> None:
        self._key = theme, colours
        self._codes: dict[str, str] = {}
        if colours != "off":
            at = get_args(Depth).index(colours)
            roles = THEMES.get(theme, THEMES["default"])
            self._codes = {role: by_depth[at] for role, by_depth in roles.items()}

    def get_attrs_for_style_str(self, style_str: str, default: Attrs = DEFAULT_ATTRS) -> Attrs:
        attrs = default
        for name in style_str.split():
            code = EXTRA_STYLES.get(name, name)
            code = code if code[:1].isdigit() else self._codes.get(code, "")
            attrs = apply_sgr(code, attrs)
        return attrs

    @property
    def style_rules(self) -> list[tuple[str, str]]:
        return []

    def invalidation_hash(self) -> Hashable:
        return self._key


@lru_cache(64)
def theme_style(theme: str, colours: Colours) -> ThemeStyle:
    return ThemeStyle(theme, colours)


def apply_sgr(codes: str, attrs: Attrs) -> Attrs:
    """Apply SGR codes such as "1;38;5;133" to *attrs*."""
    numbers = iter([int(code) for code in codes.split(";") if code])
    for number in numbers:
        if number == 1:
            attrs = attrs._replace(bold=True)
        elif number == 2:
            attrs = attrs._replace(dim=True)
        elif number == 3:
            attrs = attrs._replace(italic=True)
        elif number == 4:
            attrs = attrs._replace(underline=True)
        elif number == 7:
            attrs = attrs._replace(reverse=True)
        elif number in (38, 48):
            attrs = _with_colour(attrs, number == 48, _colour(numbers))
        elif 30 <= number <= 37 or 40 <= number <= 47:
            attrs = _with_colour(attrs, number >= 40, f"ansi{_NAMES[number % 10]}")
        elif 90 <= number <= 97 or 100 <= number <= 107:
            attrs = _with_colour(attrs, number >= 100, f"ansi{_BRIGHT[number % 10]}")
    return attrs


def _with_colour(attrs: Attrs, is_background: bool, colour: str) -> Attrs:
    return attrs._replace(bgcolor=colour) if is_background else attrs._replace(color=colour)


def _colour(numbers: Iterator[int]) -> str:
    """The colour that follows 38 or 48, as six hexadecimal digits or a colour name."""
    if next(numbers) == 2:
        return "".join([f"{next(numbers):02x}" for _ in range(3)])
    index = next(numbers)
    if index < 16:
        return "ansi" + (*_NAMES, *_BRIGHT)[index]
    if index >= 232:
        return f"{8 + 10 * (index - 232):02x}" * 3
    index -= 16
    steps = [0, 95, 135, 175, 215, 255]
    return "".join([f"{steps[index // n % 6]:02x}" for n in (36, 6, 1)])
