from dataclasses import replace

import pytest

from mudserver.errors import UserError
from mudserver.service.argument_completions import argument_completions
from mudserver.service.rules_page import rules_page
from mudserver.tables.options import TableOptions, parse_options
from mudserver.tables.presets import presets_of, read_open_line
from tests.conformance.play import whole_game
from tests.conformance.settings import Setting
from tests.games import profile_of
from tests.toys.duel.game import DUEL
from variants.catalogue import CATALOGUE
from variants.contract import Preset

QUICK = Preset("quick", "few rounds", 3, {"rounds": "2", "bid": "10", "seats": "2"})
GAME = replace(DUEL, presets=(Preset("standard", "as usual", 9), QUICK))
EVERY_PRESET = [(game, name) for game in CATALOGUE.values() for name in presets_of(game)]


def opened(line: str) -> TableOptions:
    return parse_options(GAME, read_open_line(GAME, line))


def test_a_preset_is_resolved_when_it_is_typed():
    options = opened("quick")
    assert ({"rounds": "2"}, 2) == (options.game, options.seats)
    assert {"bid": 10, "draw": 25} == options.clocks
    assert "quick" == options.preset
    assert parse_options(GAME, {}) == opened("standard") == opened("")


def test_what_is_typed_beside_a_preset_wins_and_the_table_has_it_no_more():
    for line in ("quick bid=30", "bid=30 quick", "bid=30 preset=quick"):
        options = opened(line)
        assert ({"bid": 30, "draw": 25}, "custom") == (options.clocks, options.preset), line
    assert "quick" == opened("quick bid=10 pace=brisk").preset


def test_a_table_that_was_opened_before_takes_a_preset_over_its_values():
    before = opened("rounds=3 bid=30 pace=brisk")
    after = parse_options(GAME, {"preset": "quick"}, before=before)
    assert ("quick", {"rounds": "2"}, "brisk") == (after.preset, after.game, after.pace)
    assert "custom" == parse_options(GAME, {"rounds": "3"}, before=after).preset


def test_a_preset_is_shown_by_its_name_and_the_usual_one_is_not():
    assert opened("quick").describe().startswith("preset=quick rounds=2 ")
    assert "preset" not in opened("").describe() + opened("rounds=2").describe()
    words = opened("quick").describe()
    assert opened(words) == opened("quick")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "qick",
            '"qick" is not a preset of duel, and not an option. Did you mean quick?'
            " Presets: standard, quick. Options look like rounds=3, with no spaces.",
        ),
        ("quick standard", "Give one preset. You gave quick and standard."),
        ("quick preset=standard", "Give one preset. You gave quick and standard."),
        ("rounds=2 rounds=3", "rounds is given twice. Give it once."),
        ("=3", '"=3" is not a preset of duel, and not an option.'),
        ("rounds=", '"rounds=" is not a preset of duel, and not an option.'),
    ],
)
def test_what_is_no_preset_is_refused_with_what_there_is(line, sentence):
    with pytest.raises(UserError) as refused:
        opened(line)
    assert str(refused.value).startswith(sentence)


def test_an_unknown_value_of_preset_is_refused():
    with pytest.raises(UserError, match=r"preset can be standard or quick, not slow\."):
        opened("preset=slow")


def test_a_game_without_presets_has_the_usual_one():
    assert ["standard"] == list(presets_of(DUEL))
    assert {"preset": "standard"} == read_open_line(DUEL, "standard")


@pytest.mark.parametrize("game", CATALOGUE.values(), ids=lambda game: game.name)
def test_the_rules_of_a_game_list_its_presets_with_the_minutes(game):
    rows = [row for row in rules_page(game).rows if "\t" in row]
    for preset in game.presets:
        (row,) = [row for row in rows if row.startswith(f"{preset.name}\t")]
        assert (f"about {preset.minutes} min" in row) is (preset.minutes > 0)
        assert all(f"{name}={value}" in row for name, value in preset.values.items())


@pytest.mark.parametrize("game", CATALOGUE.values(), ids=lambda game: game.name)
def test_presets_are_named_once_and_never_as_an_option(game):
    names = [preset.name for preset in game.presets]
    options = {option.name for option in game.options} | game.default_clocks_s.keys()
    assert ["standard", "short", "long"] == names[:3] and len(set(names)) == len(names)
    assert not options & set(names)
    assert "short" in argument_completions("PRESET", ["open", game.name], (), (), CATALOGUE)


@pytest.mark.parametrize(("game", "name"), EVERY_PRESET, ids=lambda of: getattr(of, "name", of))
def test_every_preset_is_a_game_that_ends(game, name):
    options = parse_options(game, {"preset": name})
    assert name == options.preset
    brief = dict(profile_of(game.name).one_round)
    setting = Setting(game, min(3, options.seats), options.game | brief)
    assert game.outcome(whole_game(setting).state) is not None
