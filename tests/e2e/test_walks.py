"""Two game servers behind one door, on one PostgreSQL: people get to tables wherever they are."""

from __future__ import annotations

import asyncio
import random
import re
import time

import pytest

from mudserver.__main__ import main
from tests.e2e.client import Client, plain
from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import PASSWORD, come_back, come_in, play_on
from tests.e2e.player import without_pages
from tests.e2e.servers import Servers
from tests.e2e.test_many_servers import soon_hears
from tests.e2e.test_seats import hears
from tests.prompts import LOBBY

LEASE_S = 3


@pytest.fixture
def servers(postgres, tmp_path):
    settings = f"[journal]\nlease_s = {LEASE_S}\nheartbeat_s = 1\n"
    made = Servers(tmp_path, asyncio.run(postgres.make_database()), settings)
    yield made
    made.stop()


def opened(client: Client, line: str) -> int:
    """The number of the table that *line* opens."""
    return int(re.findall(r"table (\d+)> ", hears(client, line, r"table \d+> "))[-1])


def test_people_walk_to_a_table_play_there_and_go_on_when_its_server_is_killed(servers):
    one, other = servers.start_game("g1"), servers.start_game("g2")
    door = servers.open_door(one, other)
    ann, bob = come_in(telnet(door), "ann"), come_in(telnet(door), "bob")  # one at each server
    number = opened(ann, "open elimination pace=instant")
    shown = hears(bob, f"sit {number}", rf"table {number}> ")
    for word in ("Welcome", "server", "restart"):
        assert word not in shown, shown
    assert "bob joined the table" in shown
    ann.wait_heard("bob joined the table")
    assert "connection" not in plain(ann.heard)
    for client in (ann, bob):
        client.type("start")
    for client in (ann, bob):
        client.wait_heard(rf"table {number}, your turn> |table {number}> ")
    rng = random.Random(3)
    assert not play_on((ann, bob), rng, 2)
    home = one if "name=ann" in one.log_text() else other
    home.kill()
    killed_s = time.monotonic()
    away = other if home is one else one
    while "tables taken over" not in away.log_text():
        assert time.monotonic() - killed_s < LEASE_S + 15  # a busy machine
        time.sleep(0.05)
    for client in (ann, bob):
        client.wait_heard(rf"table {number}(, your turn)?> ")
        without_pages(client)
    assert not play_on((ann, bob), rng, 2)


@pytest.mark.prove
def test_people_are_invited_and_guests_come_back_whichever_server_they_are_at(servers):
    one, other = servers.start_game("g1"), servers.start_game("g2")
    door = servers.open_door(one, other)
    ann, bob = come_in(telnet(door), "ann"), come_in(telnet(door), "bob")  # one at each server
    shown = hears(ann, "open elimination pace=instant code=on seats=3", r"table \d+> ")
    number, code = (
        re.findall(r"table (\d+)> ", shown)[-1],
        re.findall("with: sit (\\w+)", shown)[-1],
    )
    soon_hears(ann, "invite bob", "ann invites bob")
    bob.wait_heard(f"ann invites you to table {number}")
    hears(bob, "accept ann", rf"table {number}> ")
    ann.wait_heard("bob joined the table")
    guests = [telnet(door), telnet(door)]  # again one at each
    for guest in guests:
        guest.wait_heard("Name: |name: ")
        guest.type("guest")
        guest.wait_for(LOBBY)
    back = re.findall("resume [a-z0-9-]+", hears(guests[0], f"sit {code}", rf"table {number}> "))[
        -1
    ]
    for client in (ann, bob, guests[0]):
        client.type("start")
    for client in (ann, bob, guests[0]):
        client.wait_heard("You are dealt")
    guests[0].hang_up()
    ann.wait_heard("connection")
    hears(guests[1], back, rf"table {number}(, your turn)?> ")
    without_pages(guests[1])
    assert not play_on((ann, bob, guests[1]), random.Random(5), 2)


def test_who_comes_in_finds_the_seat_and_keeps_it_when_the_server_is_evacuated(servers, capsys):
    one, other = servers.start_game("g1"), servers.start_game("g2")
    door = servers.open_door(one, other)
    ann, bob = come_in(telnet(door), "ann"), come_in(telnet(door), "bob")
    number = opened(ann, "open elimination pace=instant")
    hears(bob, f"sit {number}", rf"table {number}> ")
    for client in (ann, bob):
        client.type("start")
    rng = random.Random(4)
    assert not play_on((ann, bob), rng, 2)
    bob.hang_up()
    ann.wait_heard("bob")
    again = come_back(telnet(door), "bob")
    again.wait_heard(rf"table {number}(, your turn)?> ")
    hears(again, "whoami", "You are bob")
    cid = come_in(telnet(door), "cid")
    cid.wait_for(LOBBY)
    hears(cid, "sit 77", "There is no table 77")
    hears(cid, f"watch {number}", rf"table {number}> ")
    hears(cid, "unwatch", "lobby> ")
    home, away = (one, other) if "name=ann" in one.log_text() else (other, one)
    for _ in range(50):  # each knows the other in a moment
        if 0 == main(["evacuate", "--data", str(home.data)]):
            break
        time.sleep(0.2)
    assert re.match(r"evacuated: 1 table and \d sessions go on at g\d\n", capsys.readouterr().out)
    assert home.process is not None and 0 == home.process.wait(20)
    assert not play_on((ann, again), rng, 2)
    assert 1 == main(["evacuate", "--data", str(away.data)])
    assert "no other server lives that could have" in capsys.readouterr().err
    assert away.process is not None and away.process.poll() is None


def test_the_own_session_goes_from_server_to_server_and_door_to_door(servers):
    one, other = servers.start_game("g1"), servers.start_game("g2")
    door, second = servers.open_door(one, other), servers.open_door(one, other, name="door2")
    ann, _ = come_in(telnet(door), "ann"), come_in(telnet(door), "bob")  # one at each server
    soon_hears(ann, "who", r"bob +lobby")  # each knows the other
    number = opened(ann, "open elimination seats=3")
    ann.press("say half a li")
    come_in(telnet(second), "cid")  # where ann is: of this door's connections both have as many
    back = come_back(telnet(second), "ann")
    back.wait_heard("Welcome back, ann. Your session has moved here; you had begun to type")
    back.wait_for(rf"table {number}> say half a li$")
    ann.wait_heard("You logged in from another terminal")
    ann.wait_closed()
    back.press("ne\r")
    back.wait_heard("ann: half a line")
    back.press("say by s")
    again = ssh(second, "ann")
    again.wait_heard("assword: ")
    again.type(PASSWORD)
    again.wait_for(rf"table {number}> say by s$")
    back.wait_closed()
    again.press("sh\r")
    again.wait_heard("ann: by ssh")
    hears(again, "leave", "lobby> ")
    again.press("say still he")
    again.wait_for("lobby> say still he$")
    again.hang_up()
    last = come_back(telnet(second), "ann")
    last.wait_heard("Your session goes on here; you had begun to type")
    last.wait_for("lobby> say still he$")
    assert 4 == one.log_text().count("name=ann ") and "name=ann " not in other.log_text()


@pytest.mark.prove
def test_people_are_taken_to_the_tables_of_a_round_whichever_server_they_are_at(servers):
    door = servers.open_door(servers.start_game("g1"), servers.start_game("g2"))
    people = [come_in(telnet(door), name) for name in ("ann", "bob", "cid", "dan")]
    for client in people:
        soon_hears(client, "who", r"(?s)ann.*bob.*cid.*dan")
    hears(people[0], "tourney open elimination Winter Cup seats=2", "opened tournament 1")
    for client in people:
        soon_hears(client, "tourney 1 join", "You play in tournament 1|You play in .* already")
        client.forget()
    hears(people[3], "open words", r"table \d+> ")
    for client in people:
        client.forget()
    people[0].type("tourney 1 start")
    for client in people:
        shown = client.wait_heard("It belongs to tournament 1")
        assert "Round 1 of tournament 1" in shown and "To take your seat" not in shown
        assert "lost the connection" not in shown
