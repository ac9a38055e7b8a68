"""Addresses that open a connection a second each: newcomers come in, and people come back."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mudserver.journal.streams import RESUME_SECRET_STREAM
from mudserver.source_budgets import network_of
from mudserver.transport.known_networks import KnownNetworks
from tests.e2e.client import Server
from tests.hostile.attack import closing_what_is_left
from tests.mudserver.transport.server import HandClock
from tests.proofs.flood import OF_MANY_NETWORKS, OF_ONE_NETWORK, flood, login_s

pytestmark = pytest.mark.prove

PASSWORD = "correct horse battery"


def spread(times: list[float]) -> str:
    ordered = sorted(times)
    return f"median {ordered[len(ordered) // 2]:.2f} s, worst {ordered[-1]:.2f} s"


@pytest.mark.alone
@pytest.mark.parametrize(
    ("sources", "worst_s"),
    [(OF_ONE_NETWORK, 5.0), (OF_MANY_NETWORKS, 10.0)],
    ids=["of one network", "of 200 networks"],
)
def test_fifty_newcomers_come_in_beside_200_addresses(tmp_path, sources, worst_s):
    server = Server(tmp_path / "data").start()
    try:
        with closing_what_is_left(), flood(server, sources), ThreadPoolExecutor(5) as people:
            times = list(people.map(lambda n: login_s(server, f"127.90.{n}.1", "guest"), range(50)))
        print(f"{len(sources)} addresses, 50 newcomers: {spread(times)}")
        assert max(times) < worst_s
    finally:
        server.stop()


@pytest.mark.alone
def test_five_hundred_people_come_back_after_a_restart_in_a_flood(tmp_path):
    """With passwords, from 25 networks where they have played before."""
    data = tmp_path / "data"
    people = [(f"127.{80 + n % 25}.0.{n // 25 + 1}", f"crowd{letters(n)}") for n in range(500)]
    settings = '[sources]\nexempt = ["127.0.0.0/8"]\nregistrations_per_hour = 1_000\n'
    (tmp_path / "open.toml").write_text(settings)
    server = Server(data, "--config", str(tmp_path / "open.toml")).start()
    with closing_what_is_left(), ThreadPoolExecutor(10) as pool:
        register = (PASSWORD, PASSWORD)
        list(pool.map(lambda one: login_s(server, *one, register), people))
    assert 0 == server.stop()
    make_known(data, {source for source, _ in people})
    server.extra = ()
    server.start()
    try:
        with closing_what_is_left(), flood(server, OF_MANY_NETWORKS):
            began = time.monotonic()
            with ThreadPoolExecutor(500) as pool:
                times = list(pool.map(lambda one: login_s(server, *one, (PASSWORD,)), people))
            back_s = time.monotonic() - began
        print(f"500 people are back after {back_s:.1f} s: {spread(times)}")
        assert back_s < 20
    finally:
        server.stop()


def letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


def make_known(data: Path, sources: set[str]) -> None:
    """As if accounts of more than a day had logged in from there today."""
    with contextlib.closing(sqlite3.connect(data / "journal.db")) as database:
        query = "select body from record join stream on head = record.id where name = ?"
        ((secret,),) = database.execute(query, [RESUME_SECRET_STREAM])
    clock = HandClock()
    clock.now_s = time.time()
    networks = KnownNetworks(clock)
    networks.load(data, bytes(secret))
    for source in sources:
        networks.add(network_of(source))
    networks.close()
