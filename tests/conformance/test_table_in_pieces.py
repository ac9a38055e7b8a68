"""`hand`, `table NAME` and `piles`: the table in short pieces, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.play import whole_game
from tests.conformance.settings import NAMES, settings_of
from tests.games import games
from variants.contract import ParseError, Seat
from variants.kit.text import Style, plain_text

ANN, STYLES = Seat(0), [Style(80), Style(40), Style(80, is_linear=True)]

every_variant = pytest.mark.parametrize("variant", games().values(), ids=lambda v: v.name)
every_style = pytest.mark.parametrize("style", STYLES, ids=["80", "40", "lin"])


def asked(variant: Any, line: str, view: Any, style: Style = STYLES[-1]) -> list[str]:
    return [plain_text(row) for row in variant.answer(line, view, (), NAMES, style)]


def words_of(rows: list[str]) -> str:
    return " ".join(" ".join(rows).split())


@every_variant
@every_style
def test_a_piece_about_somebody_else_is_the_same_for_everybody_else(variant, style):
    (setting, *_) = settings_of(variant)
    everybody = [None, *map(Seat, range(setting.seats))]
    for step in whole_game(setting).steps[::7]:
        for whom, line in [(None, "piles"), *enumerate(f"table {name}" for name in setting.names)]:
            heard = {
                tuple(asked(variant, line, variant.observe(step.state, reader), style))
                for reader in everybody
                if reader is None or reader != whom
            }
            assert len(heard) == 1, (line, heard)


@every_variant
@every_style
def test_whoever_watches_has_no_hand_and_is_told_so(variant, style):
    (setting, *_) = settings_of(variant)
    view = variant.observe(whole_game(setting).state, None)
    assert words_of(asked(variant, "hand", view, style)).startswith("You are watching, and have no")


@every_variant
@pytest.mark.parametrize("line", ["hand bob", "piles all"])
def test_what_stands_alone_says_so(variant, line):
    (setting, *_) = settings_of(variant)
    verb = line.split()[0]
    with pytest.raises(ParseError) as refused:
        asked(variant, line, variant.observe(whole_game(setting).state, ANN))
    assert f"{verb} stands alone: type {verb}." == refused.value.format(NAMES)
