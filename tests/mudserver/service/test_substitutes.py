"""Seats that were left, on the whole server: who takes them over, and what stays of it."""

from __future__ import annotations

import asyncio
import re

from mudserver.results.events import GameRecorded, SeatResult, Substitute, decode, encode
from mudserver.results.rating import NEW
from mudserver.results.rows import index_rows
from mudserver.results.statistics import Tallies
from mudserver.service.rated_event import rated_event
from mudserver.service.recompute import Recomputed
from mudserver.tables.substitute_texts import SHARES_ADDRESS
from tests.mudserver.service.test_rated_games import finish
from tests.mudserver.service.test_results import come, in_a_world, results, types
from tests.simulation.server import Seatholder, SimServer

NAMES = ("Ann", "Bobo", "Cyril", "Dorian")  # each of an address of its own


def one_line(text: str) -> str:
    """As if the terminal were wide enough."""
    return " ".join(text.split())


async def a_seat_is_left(server: SimServer, options: str = "") -> list[Seatholder]:
    """Ann, Bobo and Cyril play at table 1; Bobo has left, and Dorian is in the lobby."""
    people = await come(server, *NAMES)
    ann, bobo, cyril, _ = people
    await types(ann, f"open duel seats=3 rounds=3 clocks=off {options}".rstrip())
    for other in (bobo, cyril):
        await types(other, "sit 1")
    for person in (ann, bobo, cyril):
        await types(person, "start")
    await types(bobo, "leave now")
    return people


def test_a_seat_in_the_list_is_taken_over_and_the_result_names_both():
    seen = dict[str, str]()

    async def scenario(server: SimServer) -> None:
        ann, bobo, cyril, dorian = await a_seat_is_left(server)
        seen["early"] = await types(dorian, "tables")
        await asyncio.sleep(60)
        seen["tables"] = await types(dorian, "tables")
        seen["taken"] = await types(dorian, "substitute 1")
        seen["history"] = await types(dorian, "history")
        seen["return"] = await types(bobo, "return")
        await finish(ann, cyril, dorian)
        seen["game"] = await types(ann, "game 1")
        seen["stats"] = await types(dorian, "stats", "games", "finger dorian")
        seen["who left"] = await types(bobo, "stats")
        seen["replay"] = await types(dorian, "replay 1 dorian", "end")

    [game] = results(in_a_world(scenario))
    assert "to take over" not in seen["early"]
    assert "1 duel, playing, seat 2 to take over: Ann, Vera" in one_line(seen["tables"])
    assert "To take over a seat: substitute NUMBER" in seen["tables"]
    assert "You have Bobo's seat now" in one_line(seen["taken"])
    assert "You bid" in seen["history"]
    assert "No seat waits for you" in one_line(seen["return"])
    ann, bobo, cyril = game.seats
    assert ("left", 3, None) == (bobo.fate, bobo.place, bobo.score)
    [substitute] = game.substitutes
    assert isinstance(substitute, Substitute) and substitute.seat == 1
    assert {1, 2, 3} >= {ann.place, cyril.place, substitute.place}
    assert re.search(r"Dorian[^\n]*, took over from Bobo", seen["game"])
    assert re.search(r"3\s+Bobo, left", seen["game"])
    assert "1 game as a substitute" in one_line(seen["stats"])
    assert "by chance" not in seen["stats"] and "(as a substitute)" in one_line(seen["stats"])
    assert "1 game: 3rd 1" in one_line(seen["who left"])
    # One seat, two people: each is seen where that person had it.
    assert re.search("the deal, seen by Bobo.* seen by Dorian", one_line(seen["replay"]))


def test_who_left_reads_at_the_next_login_that_the_seat_is_gone():
    async def scenario(server: SimServer) -> None:
        _, bobo, _, dorian = await a_seat_is_left(server)
        await types(bobo, "quit")
        await asyncio.sleep(60)
        await types(dorian, "substitute 1 2")
        [bobo] = await come(server, "Bobo")
        assert "Dorian has taken over your seat at table 1" in one_line(bobo.text)
        await types(bobo, "quit")
        [bobo] = await come(server, "Bobo")
        assert "taken over" not in bobo.text

    in_a_world(scenario)


def test_nobody_comes_whom_a_player_ignores_or_from_the_address_of_another_seat():
    async def scenario(server: SimServer) -> None:
        _, _, cyril, dorian = await a_seat_is_left(server)
        eve, fred = await come(server, "Eve", "Fred")  # of the addresses of Ann and of Bobo
        await asyncio.sleep(60)
        assert SHARES_ADDRESS.format(1) in one_line(await types(eve, "substitute 1"))
        await types(cyril, "ignore dorian")
        assert "You can't join this table." in one_line(await types(dorian, "substitute 1"))
        await types(cyril, "unignore dorian")
        assert "You have Bobo's seat now" in one_line(await types(fred, "substitute 1"))

    in_a_world(scenario)


def test_a_guest_takes_over_no_seat_of_registered_players_and_is_told_the_form():
    async def scenario(server: SimServer) -> None:
        *_, dorian = await a_seat_is_left(server)
        guest = server.guest()
        await asyncio.sleep(61)
        assert "Only registered players" in one_line(await types(guest, "substitute 1"))
        assert "is not the number of a seat" in one_line(await types(dorian, "substitute 1 x"))
        assert "There is no table 5" in one_line(await types(dorian, "substitute 5"))

    in_a_world(scenario)


def test_in_a_rated_game_who_left_is_last_and_the_substitute_moves_no_rating():
    seats = (
        SeatResult("person", "p1", place=2),
        SeatResult("person", "p2", place=3, fate="left"),
        SeatResult("person", "p3", place=3),
    )
    taken = (Substitute(1, "person", "p4", 1, 9),)
    place = 7, 1, "1.1", "duel", 5, 1, 9, "finished", seats
    game = GameRecorded(*place, substitutes=taken, pool="duel")
    event = rated_event(game, {}, {})
    assert taken == event.substitutes and decode(encode(event)) == event
    ann, bob, cid = [seat.after[0] - NEW.mu for seat in event.seats if seat.after]
    assert ann > cid > bob
    again = Recomputed()
    again.apply(event)
    assert not again.faults and {"p1", "p2", "p3"} == {who for _, who in again.standings}
    rows = [row for row in index_rows(1, event) if row.table in ("game_seat", "rating")]
    assert 7 == len(rows) and ("game_seat", 101, "p4") == (
        *(rows[3].table, rows[3].values[1], rows[3].values[2]),
    )
    tallies = Tallies(is_whole=True)
    found = {row.values[0]: str(row.values[2]) for row in tallies.rows(1, event)[1:]
             if row.table == "tally"}  # fmt: skip
    assert '"substitute":1' in found["p4"] and '"all":{"games":0,"won":0}' in found["p4"]
    assert '"left":1' in found["p2"] and '"places":{"3":1}' in found["p2"]
