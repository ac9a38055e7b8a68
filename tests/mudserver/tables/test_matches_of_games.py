"""Every game that has matches plays one to its end, from its presets too."""

from __future__ import annotations

import pytest

from mudserver.service.rules_page import rules_page
from mudserver.tables import requests as r
from mudserver.tables.presets import presets_of
from tests.mudserver.tables.driver import SEED, Driver, whole_game
from variants.catalogue import CATALOGUE
from variants.stockpile.data.cards import total_value

WITH_MATCHES = [game for game in CATALOGUE.values() if game.match_points is not None]
MATCHES = [
    (game, preset.name)
    for game in WITH_MATCHES
    for preset in presets_of(game).values()
    if "deals" in preset.values
]


@pytest.mark.parametrize(("game", "name"), MATCHES, ids=lambda of: getattr(of, "name", of))
def test_a_match_of_a_preset_begins_and_ends_with_computer_players(game, name):
    driver = Driver({"preset": name}, variant=game)
    for _ in range(2):
        driver.does(r.AddBot("a"))
    driver.does(r.Start("a", SEED))
    deals = driver.table.options.deals
    gained = [0] * 3
    for deal in range(1, deals + 1):
        assert driver.table.match is not None and deal == driver.table.match.deal
        whole_game(driver)
        assert driver.table.game is not None and driver.table.game.result is not None
        outcome = game.outcome(driver.table.game.state)
        gained = [a + b for a, b in zip(gained, game.match_points(outcome), strict=True)]
        assert (deal < deals) == driver.table.is_between_deals
        if deal < deals:
            driver.does(r.Start("a", bytes([deal]) * 32))
    assert tuple(gained) == driver.table.match.points
    assert driver.said()[-1].startswith("The match is over: ")


def test_a_deal_of_stockpile_that_is_drawn_counts_the_stockpiles_as_they_lie():
    game = CATALOGUE["stockpile"]
    driver = Driver({"deals": "2"}, variant=game).starts("b")
    driver.does(r.Offer("a", "draw"))
    driver.passes(3)
    driver.does(r.AnswerOffer("b", True))
    assert driver.table.game is not None and driver.table.match is not None
    seats = driver.table.game.view(None).seats
    worth = tuple(total_value(seat.stockpile) for seat in seats)
    assert worth == driver.table.match.points and min(worth) > 0


def test_a_game_without_matches_says_why():
    for game in CATALOGUE.values():
        assert (game.match_points is None) == bool(game.no_match), game.name


@pytest.mark.parametrize("game", CATALOGUE.values(), ids=lambda game: game.name)
def test_the_rules_of_a_game_list_every_option_that_it_has(game):
    rows = [row.partition("=")[0] for row in rules_page(game).rows if "\t" in row]
    named = {option.name for option in game.options} | game.default_clocks_s.keys() | {"seats"}
    assert named <= set(rows)
    assert ("deals" in rows) == ("between" in rows) == (game.match_points is not None)
