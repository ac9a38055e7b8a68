"""What everybody is told of a game that is over is what its events and last views say."""

from __future__ import annotations

import re

import pytest

from tests.conformance.observation import heard
from tests.conformance.play import play
from tests.conformance.settings import AnyVariant, Setting, usual
from tests.games import games
from variants.contract import Seat, no_summary, nothing_held
from variants.kit.text import Style, plain_text

TOLD = [it for it in games().values() if it.summarize_end is not no_summary]
every_game = pytest.mark.parametrize("variant", TOLD, ids=lambda it: it.name)
STYLES = Style(80), Style(40, suits="letters"), Style(80, is_linear=True)


@every_game
def test_it_names_how_long_it_was_who_went_out_and_what_is_left_in_each_hand(variant: AnyVariant):
    for number in range(6):
        setting = Setting(variant, variant.seats[0] + number % 2, usual(variant))
        game = play(setting, number)
        public = variant.observe(game.state, None)
        summary = variant.summarize_end(public, heard(variant, game.events, None))
        assert re.fullmatch(r"[1-9]\d* (turn|round)s?", summary.length)
        out = variant.eliminated_seats(public)
        assert len(summary.notes) in (0, setting.seats)
        noted = [seat for seat, note in enumerate(summary.notes) if note]
        assert sorted(out) == noted
        assert all(re.fullmatch(r"out in turn [1-9]\d*", summary.notes[it]) for it in noted)
        for seat in map(Seat, range(setting.seats)):
            view = variant.observe(game.state, seat)
            held = [plain_text(variant.held_at_end(view, style)) for style in STYLES]
            if variant.held_at_end is nothing_held:
                continue
            is_empty = not (view.hand or getattr(view, "pairs", ()) or _triplets(view))
            assert all((text == "") == is_empty for text in held)
            assert len(view.hand) <= min(len(re.split(r", | and | ", text)) for text in held)


def _triplets(view):
    return getattr(view.seats[view.seat], "triplets", ())
