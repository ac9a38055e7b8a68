"""What servers tell each other: what is dropped is made good, and no break tells old things."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from mudserver.journal.postgres import bus as bus_module
from mudserver.journal.postgres.bus import Bus
from tests.mudserver.transport.server import until
from tests.postgres_servers import Servers

CHANNEL, ALL, OLD = "lockdown_test", "all", "old"
WAITING_MAX = 100


async def no_check(connection: object) -> None:
    """There is no server that could be buried."""


class Heard:
    """A bus that tells ALL whenever something may have been missed, and what it hears."""

    def __init__(self, address: str) -> None:
        self.payloads: list[str] = []
        self.bus = Bus(address, "g1", {CHANNEL: self.payloads.append}, no_check)
        self.bus.on_connected = lambda: self.tell(ALL)
        self.bus.start()

    def tell(self, payload: str) -> bool:
        return self.bus.tell(CHANNEL, payload)

    async def has_all(self, times: int) -> None:
        await until(lambda: times == self.payloads.count(ALL), 20.0)


@pytest.fixture
async def heard(database: str, monkeypatch) -> AsyncIterator[Heard]:
    monkeypatch.setattr(bus_module, "WAITING_MAX", WAITING_MAX)
    made = Heard(database)
    await made.has_all(1)
    yield made
    await made.bus.close()


async def test_what_a_full_queue_drops_is_made_good_later(heard, monkeypatch):
    monkeypatch.setattr(bus_module, "AGAIN_S", 0.1)
    for number in range(WAITING_MAX):
        assert heard.tell(str(number))
    assert not heard.tell("one too many") and not heard.tell("two too many")
    await heard.has_all(2)
    assert WAITING_MAX + 2 == len(heard.payloads)
    assert 2 <= heard.bus.dropped  # what makes it good is told again while there is no room


@pytest.mark.parametrize("count", [1, WAITING_MAX])
async def test_after_a_break_all_is_told_and_nothing_that_waited(heard, count):
    for number in range(count):
        heard.tell(f"{OLD} {number}")
    heard.bus._connection.terminate()
    await heard.has_all(2)
    heard.tell("last")
    await until(lambda: "last" in heard.payloads, 20.0)
    assert [ALL, ALL, "last"] == heard.payloads


async def test_what_is_told_while_the_bus_is_broken_is_refused(heard):
    heard.bus._connection.terminate()
    await until(lambda: not heard.bus._is_open, 20.0)
    assert not heard.tell(OLD)
    await heard.has_all(2)
    assert [ALL, ALL] == heard.payloads


async def test_a_buried_server_tells_nothing_when_its_bus_is_there_again(tmp_path, database):
    servers, connected, why = Servers(database, tmp_path), list[str](), list[str]()
    one, other = await servers.open("g1"), await servers.open("g2")
    heard = list[str]()
    for journal in (one, other):
        journal.bus.on_connected = lambda name=journal.server: connected.append(name)
    one.on_fenced = why.append
    other.bus.on_heard = lambda server, number, text: heard.append(text)
    following = [asyncio.ensure_future(anext(it.follow())) for it in (one, other)]
    await until(lambda: {"g1", "g2"} == {*connected}, 20.0)
    await servers.run("update server set until = '-infinity', epoch = epoch + 1 where name = 'g1'")
    await servers.cut("g1")
    await until(lambda: why, 20.0)
    await asyncio.sleep(3 * bus_module.RETRY_S)
    assert 1 == connected.count("g1") and ["another server has taken over from g1"] == why
    assert not one.bus.tell("hello")
    assert other.bus.tell("end")
    await until(lambda: heard, 20.0)
    assert ["end"] == heard
    for task in following:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    for journal in servers.opened:
        await journal.close()


async def test_what_waits_at_the_end_is_told_first(heard, database):
    other = Bus(database, "g2", {}, no_check)
    other.start()
    await until(lambda: other._is_open, 20.0)
    assert other.tell(CHANNEL, "farewell")
    await other.close()
    await until(lambda: "farewell" in heard.payloads, 20.0)
    assert not other.tell(CHANNEL, "late")
