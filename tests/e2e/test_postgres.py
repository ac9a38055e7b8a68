"""The server with its journal in PostgreSQL: people play, and machines fail under them."""

from __future__ import annotations

import asyncio
import os
import random
import re
import time

import asyncpg
import pytest

from mudserver.config.schema import JournalConfig
from mudserver.journal.postgres.connection import COMMAND_S
from mudserver.tables.runner import SLOW_S
from tests.certificate import certificate
from tests.e2e.client import Server
from tests.e2e.clients import telnet
from tests.e2e.conftest import GAME_S, QUICK, YOUR_TURN, come_back, come_in, play_on, wait_for_any
from tests.e2e.player import moves, without_pages
from tests.prompts import TABLE_1
from tests.slow_cases import slow_cases

PLAYED = re.compile(rb'"fact":"Played","seat":[0-9]+,"by":"person"')
APPEND_WAIT_S = JournalConfig().append_wait_s


@pytest.fixture(scope="module")
def cluster(postgres):
    """The tests kill it and start it again; at the end it runs, whatever they have found."""
    yield postgres
    postgres.kill()
    postgres.start()


@pytest.fixture
def address(cluster):
    return asyncio.run(cluster.make_database())


@pytest.fixture
def server(tmp_path, address):
    certificate(tmp_path)
    (tmp_path / "tests.toml").write_text(QUICK)
    options = ("--set", f"journal.postgres={address}", "--set", "journal.server=g1")
    started = Server(tmp_path / "data", "--config", str(tmp_path / "tests.toml"), *options).start()
    yield started
    started.stop()


def in_a_game(server):
    clients = [come_in(telnet(server), name) for name in ("ann", "bob")]
    for client in clients:
        without_pages(client)
    clients[0].type("open elimination pace=instant seats=3")
    clients[0].wait_for(TABLE_1)
    clients[1].type("sit 1")
    clients[1].wait_for(TABLE_1)
    clients[0].type("bot easy")
    clients[0].wait_heard("Milo")
    for client in reversed(clients):
        client.forget()
        client.type("start")
        client.wait_heard(r"You are ready|Seal: ")
    return clients


def test_a_game_goes_on_over_deaths_of_the_server_and_of_postgres(server, cluster):
    clients, rng = in_a_game(server), random.Random(1)
    assert not play_on(clients, rng, 2)
    cluster.kill()
    cluster.start()
    assert not play_on(clients, rng, 2)
    assert not any("can't save" in client.caught_up() for client in clients)
    server.kill()
    for client in clients:
        client.hang_up()
    server.start()
    clients = [come_back(telnet(server), name) for name in ("ann", "bob")]
    for client in clients:
        client.wait_heard(r"table 1(, your turn)?> ")
        without_pages(client)
    play_on(clients, rng, 3)
    assert "bug" not in server.log_text() and "not restored" not in server.log_text()


def plays(address: str) -> int:
    """Plays of people that the database holds."""

    async def count() -> int:
        connection = await asyncpg.connect(address)
        rows = await connection.fetch("select body from lockdown.record where stream = 'table/1'")
        await connection.close()
        return sum(len(PLAYED.findall(row["body"])) for row in rows)

    return asyncio.run(count())


def whoever_has_said(clients):
    """Them in turn, until the caller has found what it waits for."""
    end_s = time.monotonic() + GAME_S
    while time.monotonic() < end_s:
        wait_for_any(clients)
        yield from clients


def pause(client):
    """What a client has read of the pause."""
    text = " ".join(client.caught_up().split())
    return text.count("can't save this game right now"), text.count("The game continues.")


@pytest.mark.parametrize(
    ("away_s", "hangs"),
    slow_cases([(2.5, False), (8.0, False), (8.0, True)], ["(2.5, False)", "(8.0, False)"]),
)
def test_a_postgres_that_is_away_for_long_is_one_calm_sentence_and_no_play_is_lost(
    server, cluster, address, away_s, hangs
):
    """2.5 s: the play waits for it.  8 s: the table stops, and is read again."""
    leave, come_again = (cluster.freeze, cluster.thaw) if hangs else (cluster.kill, cluster.start)
    clients, rng = in_a_game(server), random.Random(2)
    assert not play_on(clients, rng, 2)
    before = plays(address)
    at_turn, line = next(
        (each, rng.choice(offered))
        for each in whoever_has_said(clients)
        if each.caught_up().endswith(YOUR_TURN) and (offered := moves(each))
    )
    for client in clients:
        client.caught_up()
        client.forget()
    leave()
    left_s = time.monotonic()
    at_turn.type(line)
    for client in clients:
        client.wait_heard("can't save this game right now")
    time.sleep(away_s - SLOW_S)
    if hangs:  # the table has stopped meanwhile, and does not wait for an answer
        at_turn.type(line)
        at_turn.wait_heard("still can't save this game")
        assert time.monotonic() - left_s < COMMAND_S  # so long asyncpg would wait
    come_again()
    for client in clients:
        client.wait_heard(r"The game continues\.")
        assert (1, 1) == pause(client)
    assert before + (away_s < APPEND_WAIT_S) <= plays(address) <= before + 1
    assert not play_on(clients, rng, 2)
    assert plays(address) >= before + 2
    assert "bug" not in server.log_text()


def test_a_server_that_another_has_taken_over_from_ends_with_one_line(server, address):
    ann = come_in(telnet(server), "ann")

    async def bury() -> None:
        connection = await asyncpg.connect(address)
        await connection.execute("update lockdown.server set epoch = 99, until = '-infinity'")
        await connection.close()

    asyncio.run(bury())
    ann.type("open elimination")
    assert os.EX_TEMPFAIL == server.process.wait(20)
    lines = [line for line in server.log_text().splitlines() if "has taken over from g1" in line]
    assert 1 == sum("ending because" in line for line in lines)
