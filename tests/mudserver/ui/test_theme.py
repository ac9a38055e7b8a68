from __future__ import annotations

import re

import pytest

from mudserver.accounts.preferences import PREFERENCES
from mudserver.ui.theme import THEMES, style_sequences

Colour = tuple[int, int, int]

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
VISION = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green cones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue cones": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado et al. 2009, severity 1, of linear RGB."""


def linear(colour: Colour) -> list[float]:
    parts = [value / 255 for value in colour]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def contrast(one: Colour, other: Colour) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio"""
    weights = (0.2126, 0.7152, 0.0722)
    a, b = (
        sum(w * p for w, p in zip(weights, linear(colour), strict=True)) for colour in (one, other)
    )
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def lab(rgb: list[float]) -> tuple[float, float, float]:
    """CIE L*a*b* of linear RGB, white D65."""
    r, g, b = (min(max(p, 0.0), 1.0) for p in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: Colour, other: Colour, vision: str) -> float:
    """Delta E 1976 as somebody of this *vision* sees it; 2.3 is just to be told."""
    a, b = (
        lab([sum(m * p for m, p in zip(row, linear(c), strict=True)) for row in VISION[vision]])
        for c in (one, other)
    )
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5


def indexed(number: int) -> Colour:
    """xterm's colour cube and grey ramp, 16..255."""
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    levels, at = (0, 95, 135, 175, 215, 255), number - 16
    return levels[at // 36], levels[at // 6 % 6], levels[at % 6]


def colour_of(codes: str, ground: int = 38) -> Colour | None:
    """The foreground (38) or background (48) that *codes* switch to."""
    if found := re.search(rf"\b{ground};5;(\d+)", codes):
        return indexed(int(found[1]))
    if found := re.search(rf"\b{ground};2;(\d+);(\d+);(\d+)", codes):
        return int(found[1]), int(found[2]), int(found[3])
    return None


def test_every_theme_can_be_set_and_every_one_that_can_be_set_is_there():
    assert set(THEMES) == set(PREFERENCES["theme"].choices)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("depth", ["256", "true"])
def test_every_colour_is_readable_on_black_and_on_white(theme, depth):
    for role, codes in style_sequences(theme, depth).items():
        colour, ground = colour_of(codes), colour_of(codes, 48)
        if ground is not None:
            assert colour is not None
            assert contrast(colour, ground) >= 7, (role, codes)
        elif colour is not None:
            assert min(contrast(colour, BLACK), contrast(colour, WHITE)) >= 4, (role, codes)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("depth", ["16", "256", "true"])
def test_good_and_bad_and_the_suits_differ_by_more_than_hue(theme, depth):
    look = style_sequences(theme, depth)

    def is_bold(role):
        return re.search(r"\[1[;m]", look.get(role, "")) is not None

    assert is_bold("bad") != is_bold("good")
    assert is_bold("red_suit") != is_bold("black_suit")


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("depth", ["256", "true"])
def test_good_and_bad_are_told_apart_by_every_colour_vision(vision, depth):
    look = style_sequences("colour-blind", depth)
    good, bad, dim = (colour_of(look[role]) for role in ("good", "bad", "dim"))
    assert distance(good, bad, vision) > 60
    assert distance(bad, dim, vision) > 25
    assert distance(good, dim, vision) > 25


def test_the_default_theme_would_not_do_for_that():
    look = style_sequences("default", "256")
    assert distance(colour_of(look["good"]), colour_of(look["bad"]), "no green cones") < 40


@pytest.mark.parametrize("depth", ["16", "256", "true"])
def test_mono_has_no_colour_and_high_contrast_nothing_dim(depth):
    assert all(
        re.fullmatch(r"\x1b\[[147]m", codes) for codes in style_sequences("mono", depth).values()
    )
    high = style_sequences("high-contrast", depth)
    assert "dim" not in high
    assert not any(re.search(r"\[2[;m]", codes) for codes in high.values())


@pytest.mark.parametrize("theme", THEMES)
def test_of_the_sixteen_blue_and_yellow_are_not_used(theme):
    for codes in style_sequences(theme, "16").values():
        assert not re.search(r"\b[34][34]\b", codes)
