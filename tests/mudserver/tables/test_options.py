from dataclasses import replace

import pytest

from mudserver.accounts.names import COMPUTER_NAMES
from mudserver.errors import UserError
from mudserver.service.argument_completions import argument_completions
from mudserver.tables.levels import free_computer_name
from mudserver.tables.options import parse_options
from mudserver.tables.result import places_with_forfeits
from tests.toys.duel.game import DUEL
from variants.contract import Option, Refusal

POT = Option("pot", "20", (), "what is played for", number_range=range(10, 101, 5))
STAKED = replace(DUEL, name="staked", options=(*DUEL.options, POT))


def test_defaults_are_complete():
    options = parse_options(DUEL, {})
    assert options.game == {"rounds": "3"}
    assert options.clocks == {"bid": 60, "draw": 25}
    assert (options.seats, options.pace, options.absence) == (3, "person", "computer")


def test_an_option_is_said_as_it_could_be_typed():
    typed = {"rounds": "2", "bid": "90", "seats": "2", "pace": "instant", "absence": "pause"}
    options = parse_options(DUEL, typed)
    words = dict(word.split("=") for word in options.describe().split())
    assert parse_options(DUEL, words) == options


def test_beside_the_usual_options_only_the_others_are_said():
    usual = parse_options(DUEL, {})
    assert "" == usual.describe(usual)
    typed = {"bid": "90", "pace": "instant"}
    assert "bid=90 pace=instant" == parse_options(DUEL, typed).describe(usual)


def test_a_clock_can_be_named_in_full_or_turned_off():
    assert parse_options(DUEL, {"clock.bid": "90"}).clocks["bid"] == 90
    off = parse_options(DUEL, {"clocks": "off"})
    assert off.clocks == {}
    assert parse_options(DUEL, {"clocks": "on"}, before=off).clocks == {"bid": 60, "draw": 25}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"round": "3"}, r"Unknown option \"round\"\. Did you mean rounds\?"),
        (
            {"xyzzy": "3"},
            r"The options are rounds, seats, .*, bots, who, .*, code, fill, clocks, bid, draw\.",
        ),
        ({"rounds": "4"}, r"rounds can be 2, 3 or 9, not 4\."),
        ({"pace": "instnat"}, r"Did you mean instant\?"),
        ({"seats": "4"}, r"seats must be a number from 2 to 3\."),
        ({"seats": "two"}, r"seats must be a number"),
        ({"seats": "٣"}, r"seats must be a number"),
        ({"bid": "4"}, r"bid must be a number from 5 to 86400"),
        ({"bid": "9" * 5000}, r"bid must be a number from 5 to 86400"),
    ],
)
def test_a_wrong_option_is_refused_with_what_would_be_right(typed, sentence):
    with pytest.raises(UserError, match=sentence):
        parse_options(DUEL, typed)


def test_values_that_make_no_game_together_are_the_rule_books_to_refuse():
    with pytest.raises(Refusal):
        parse_options(DUEL, {"rounds": "9"})


@pytest.mark.parametrize(
    ("places", "forfeits", "expected"),
    [
        ((1, 2, 3), [], (1, 2, 3)),
        ((1, 2, 3), [0], (3, 1, 2)),
        ((1, 1, 3), [1], (1, 3, 2)),
        ((2, 1, 2, 4), [1, 3], (1, 3, 1, 3)),
    ],
)
def test_who_forfeits_shares_the_last_place_and_the_others_move_up(places, forfeits, expected):
    assert places_with_forfeits(places, forfeits) == expected


def test_computer_players_never_run_out_of_names():
    for level in (*COMPUTER_NAMES, "odd"):
        taken: list[str] = []
        for _ in range(10):
            taken.append(free_computer_name(taken, level))
        assert len({name.casefold() for name in taken}) == len(taken)


def test_a_name_belongs_to_one_level():
    names = [name for level in COMPUTER_NAMES.values() for name in level]
    assert 35 == len(names) == len({name.casefold() for name in names})


# -- options that are numbers --------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "kept"), [("10", "10"), ("100", "100"), ("0055", "55")])
def test_a_number_is_kept_as_it_is_listed(typed, kept):
    options = parse_options(STAKED, {"pot": typed})
    assert {"rounds": "3", "pot": kept} == options.game
    assert (
        parse_options(STAKED, dict(word.split("=") for word in options.describe().split()))
        == options
    )


@pytest.mark.parametrize("typed", ["5", "105", "12", "-10", "1e1", "٢٠", "", "many", "2" * 5000])
def test_another_number_is_refused_with_what_would_be_right(typed):
    with pytest.raises(UserError) as refused:
        parse_options(STAKED, {"pot": typed})
    about = "pot must be a number from 10 to 100, in steps of 5."
    assert about == str(refused.value)


def test_an_option_knows_its_values_as_they_are_kept_and_nothing_else():
    assert POT.accepts("55") and DUEL.options[0].accepts("3")
    for other in ("055", "56", 55, None, "٥٥", ["55"]):
        assert not POT.accepts(other) and not DUEL.options[0].accepts(other)


def test_a_number_is_completed_with_both_ends_and_the_default():
    words = list(
        argument_completions("OPTION=VALUE", ["open", "staked"], (), (), {"staked": STAKED})
    )
    assert ["rounds=2", "rounds=3", "rounds=9"] == words[:3]
    assert ["pot=10", "pot=20", "pot=100"] == words[3:6]


def test_every_option_is_completed_whole_the_seats_as_many_as_the_game_takes():
    words = list(
        argument_completions("OPTION=VALUE", ["open", "staked"], (), (), {"staked": STAKED})
    )
    assert [f"seats={seats}" for seats in STAKED.seats] == [w for w in words if "seats" in w]
    assert all(word.partition("=")[2] for word in words)
