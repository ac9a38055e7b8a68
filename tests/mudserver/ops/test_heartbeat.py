"""The heartbeat: what counts as an answer of the journal."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError
from mudserver.ops.heartbeat import Heartbeat
from tests.simulation import virtual

EVERY_S = 5.0


def refused_by_the_disk() -> JournalWriteError:
    failure = JournalWriteError("no space left on device")
    failure.__cause__ = OSError("no space left on device")
    return failure


def felt(beat, at_s: float) -> tuple[bool, bool]:
    """(is it durable, is it alive) after *at_s* seconds of *beat*."""

    async def scenario() -> tuple[bool, bool]:
        pulse = Heartbeat(beat, EVERY_S, Clock(asyncio.get_running_loop(), 0))
        task = asyncio.create_task(pulse.run())
        await asyncio.sleep(at_s)
        task.cancel()
        return pulse.is_writable, pulse.is_alive

    return virtual.run(scenario())


async def written() -> None:
    await asyncio.sleep(0)


async def full_disk() -> None:
    raise refused_by_the_disk()


async def full_queue() -> None:
    raise JournalWriteError("8192 records are waiting already")


async def stuck() -> None:
    await asyncio.Event().wait()


async def slow() -> None:
    await asyncio.sleep(4.0)


@pytest.mark.parametrize(
    ("beat", "at_s", "is_writable", "is_alive"),
    [
        (written, 3_600, True, True),
        (slow, 3_600, True, True),
        (full_disk, 3_600, False, True),
        (full_queue, 9, False, True),
        (full_queue, 11, False, False),
        (stuck, 9, True, True),
        (stuck, 11, True, False),
    ],
)
def test_a_writer_that_answers_is_alive(beat, at_s, is_writable, is_alive):
    assert (is_writable, is_alive) == felt(beat, at_s)


def test_a_server_that_was_made_long_before_it_serves_is_alive_when_it_begins():
    async def scenario() -> bool:
        pulse = Heartbeat(stuck, EVERY_S, Clock(asyncio.get_running_loop(), 0))
        await asyncio.sleep(3_600)  # a standby
        task = asyncio.create_task(pulse.run())
        await asyncio.sleep(1)
        task.cancel()
        return pulse.is_alive

    assert virtual.run(scenario())


def test_a_disk_that_has_room_again_is_writable_again():
    beats = iter([refused_by_the_disk(), None])

    async def beat() -> None:
        if (failure := next(beats, None)) is not None:
            raise failure

    assert (True, True) == felt(beat, 8)


def test_the_log_says_once_that_beats_are_not_written_and_once_that_they_are_again(caplog):
    beats = iter([written, full_disk, full_disk, written, written])

    async def beat() -> None:
        await next(beats)()

    felt(beat, 4.5 * EVERY_S)
    assert ["journal write failed err=no space left on device", "journal writable again"] == [
        record.getMessage() for record in caplog.records
    ]
