"""A restart that is announced: who is told what, and when the server ends."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.ops.shutdown import CANCELLED_NOTICE, IN_S_MAX, SHUTDOWN_NOTICE, ShutdownCountdown
from tests.simulation import virtual


def told(*wishes: tuple[float, str, float]) -> list[tuple[float, str]]:
    """What happens after *wishes*: (second, verb, seconds)."""
    heard: list[tuple[float, str]] = []

    async def scenario() -> None:
        loop = asyncio.get_running_loop()

        def note(text: str) -> None:
            heard.append((loop.time(), text))

        closing = ShutdownCountdown(Clock(loop, 0), note, lambda: note("end"))
        for at_s, verb, seconds in wishes:
            await asyncio.sleep(at_s - loop.time())
            closing.schedule(seconds) if verb == "close" else closing.cancel()
        await asyncio.sleep(2 * IN_S_MAX)

    virtual.run(scenario())
    return heard


def closes(span: str) -> str:
    return SHUTDOWN_NOTICE.format(span)


def test_everybody_is_told_at_the_beginning_and_near_the_end():
    assert [
        (0, closes("90 seconds")),
        (30, closes("60 seconds")),
        (60, closes("30 seconds")),
        (80, closes("10 seconds")),
        (90, "end"),
    ] == told((0, "close", 90))


def test_many_seconds_are_told_in_minutes():
    assert (0, closes("20 minutes")) == told((0, "close", 1_200))[0]


def test_no_seconds_end_it_at_once():
    assert [(0, "end")] == told((0, "close", 0))


def test_a_new_countdown_takes_the_place_of_the_old():
    heard = told((0, "close", 100), (20, "close", 5))
    assert [(0, closes("100 seconds")), (20, closes("5 seconds")), (25, "end")] == heard


def test_an_end_that_is_called_off_does_not_come(caplog):
    caplog.set_level("INFO")
    assert [(0, closes("40 seconds")), (5, CANCELLED_NOTICE)] == told(
        (0, "close", 40), (5, "stay", 0)
    )
    assert ["shutdown scheduled in_s=40", "shutdown cancelled"] == caplog.messages


@pytest.mark.parametrize("in_s", [-1, IN_S_MAX + 1, "soon", None, float("nan")])
def test_a_wrong_number_of_seconds_is_refused_and_changes_nothing(in_s):
    with pytest.raises(UserError, match="number of seconds from 0 to 3600"):
        told((0, "close", in_s))


def test_there_may_be_nothing_to_call_off():
    with pytest.raises(UserError, match="No shutdown is scheduled"):
        told((0, "stay", 0))


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_what_one_server_has_announced_stays_true_in_the_next(is_cancelled):
    heard = list[tuple[float, str]]()

    async def scenario() -> None:
        loop = asyncio.get_running_loop()

        def countdown(name: str) -> ShutdownCountdown:
            return ShutdownCountdown(
                Clock(loop, 0), lambda text: heard.append((loop.time(), text)),
                lambda: heard.append((loop.time(), f"{name} ends")),
            )  # fmt: skip

        first, second = countdown("first"), countdown("second")
        first.schedule(90)
        await asyncio.sleep(40)
        first_ends_at_ms, first._announce = first.ends_at_ms, lambda text: None  # it has ended
        first._shut_down = lambda: None
        second.go_on(first_ends_at_ms)
        await asyncio.sleep(30)
        if is_cancelled:
            second.cancel()
        assert is_cancelled is (second.ends_at_ms is None)
        await asyncio.sleep(30)
        assert second.ends_at_ms is None
        for nothing in (None, first_ends_at_ms, int(loop.time() * 1000)):
            second.go_on(nothing)
            assert second.ends_at_ms is None
        await asyncio.sleep(IN_S_MAX)

    virtual.run(scenario())
    told_before = [
        (0, closes("90 seconds")),
        (30, closes("60 seconds")),
        (60, closes("30 seconds")),
    ]
    then = [(80, closes("10 seconds")), (90, "second ends")]
    assert [*told_before, *([(70, CANCELLED_NOTICE)] if is_cancelled else then)] == heard
