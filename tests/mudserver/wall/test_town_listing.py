"""MSSP of a door with several game servers: the counts of the town, and since when it is up."""

from __future__ import annotations

from mudserver.wall.town_listing import town_listing

ONE = {"NAME": "Town", "PLAYERS": "12", "TABLES": "3", "UPTIME": "1000", "GAMES": ("words",)}


def test_the_town_has_the_people_and_tables_that_the_server_knows_that_knows_most():
    """The first has just started, and has not heard of the others."""
    new = {**ONE, "PLAYERS": "1", "TABLES": "4", "UPTIME": "5000"}
    assert {**ONE, "TABLES": "4"} == town_listing([new, ONE])


def test_a_server_that_has_told_nothing_yet_counts_for_nothing():
    assert ONE == town_listing([{}, ONE]) and {} == town_listing([{}])


def test_what_is_no_number_is_none():
    odd = {**ONE, "PLAYERS": "many", "TABLES": ("3",), "UPTIME": "2000"}
    assert ONE == town_listing([ONE, odd])


def test_one_game_server_is_reported_as_it_says():
    assert ONE == town_listing([ONE])
