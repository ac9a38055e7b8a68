"""The server with its journal in PostgreSQL: people play, and machines fail under them."""

from __future__ import annotations

import asyncio
import os
import random

import asyncpg
import pytest

from tests.certificate import certificate
from tests.e2e.client import Server
from tests.e2e.clients import telnet
from tests.e2e.conftest import QUICK, come_back, come_in, play_on
from tests.e2e.player import without_pages
from tests.postgres import Cluster, require_programs
from tests.prompts import TABLE_1


@pytest.fixture
def cluster():
    made = Cluster(require_programs())
    yield made
    made.remove()


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
