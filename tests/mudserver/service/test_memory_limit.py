"""The memory limit: who is refused, how memory is measured, when newcomers are admitted again."""

from __future__ import annotations

import asyncio
import logging

import pytest

from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.service.memory_limit import MEMORY_FULL_TEXT, MIB, MemoryLimit
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world


class Meter:
    def __init__(self, held_mib: int) -> None:
        self.held_mib, self.reads = held_mib, 0

    def __call__(self) -> int:
        self.reads += 1
        return self.held_mib * MIB


def is_free(limit: MemoryLimit, now_s: float) -> bool:
    try:
        limit.check(now_s)
    except UserError:
        return False
    return True


def test_there_is_room_again_when_a_tenth_is_free(caplog):
    caplog.set_level(logging.WARNING, "mudserver")
    meter = Meter(99)
    limit = MemoryLimit(meter, 100)
    found = []
    for now_s, meter.held_mib in enumerate((99, 100, 99, 90, 89, 99, 100)):
        found.append(is_free(limit, now_s))
    assert [True, False, False, False, True, True, False] == found
    assert [
        "memory limit reached used_mib=100 limit_mib=100",
        "memory below limit used_mib=89 limit_mib=100",
        "memory limit reached used_mib=100 limit_mib=100",
    ] == caplog.messages


def test_a_crowd_is_measured_once_a_second():
    meter = Meter(500)
    limit = MemoryLimit(meter, 100)
    assert not any(is_free(limit, 5 + n / 1_000) for n in range(999))
    assert 1 == meter.reads
    assert not is_free(limit, 6.0)
    assert 2 == meter.reads


def test_without_a_limit_nothing_is_measured():
    meter = Meter(500)
    assert is_free(MemoryLimit(meter), 0)
    assert 0 == meter.reads


def test_another_limit_counts_at_once():
    limit = MemoryLimit(Meter(500), 100)
    assert not is_free(limit, 0)
    limit.reconfigure(1_000)
    assert is_free(limit, 0)
    limit.reconfigure(400)
    assert not is_free(limit, 0)


def test_at_the_limit_who_is_new_waits_and_who_has_a_name_plays():
    meter = Meter(0)

    async def scenario() -> None:
        server = SimServer(
            new_world(1, people=schema.PeopleLimits(memory_mib_max=100)), memory=meter
        )
        await server.open()
        ann, first = server.person("Ann"), server.guest()
        await asyncio.sleep(2)
        ann.link.drop()
        meter.held_mib = 100
        await asyncio.sleep(2)
        asked = server.app.authenticator
        for name in ("Bob", "guest"):  # what SSH asks before it lets anybody in
            assert ("refused", MEMORY_FULL_TEXT) == await asked.name_status(name, "192.0.2.1")
        assert ("known", "") == await asked.name_status("Ann", "192.0.2.1")
        telnet = server.connect(FakeLink())
        for line in (b"guest\r", b"Bob\r"):
            await asyncio.sleep(1)
            telnet.received.clear()
            assert telnet.handler is not None
            telnet.handler.on_data(line)
            await asyncio.sleep(1)
            assert MEMORY_FULL_TEXT in " ".join(telnet.text.split())
            assert telnet.is_open
        assert server.person("Ann").link.is_open
        assert first.link.is_open
        late = server.guest()  # was let through just before
        await asyncio.sleep(1)
        assert MEMORY_FULL_TEXT in " ".join(late.text.split())
        assert not late.link.is_open
        await server.stop()

    virtual.run(scenario())


def test_the_sentence_says_what_to_do():
    with pytest.raises(UserError, match=r"try again in a few minutes"):
        MemoryLimit(Meter(2), 1).check(0)
