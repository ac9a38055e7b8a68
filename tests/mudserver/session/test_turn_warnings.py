"""The own time runs out: 30 and 10 seconds before, to one person, and never late."""

from __future__ import annotations

import asyncio

from mudserver.clock import Clock
from mudserver.messages import ViewMessage
from mudserver.session.turn_warnings import TurnWarnings
from tests.mudserver.session.at_a_table import run_at_a_table
from tests.simulation import virtual
from tests.toys.duel.game import DUEL

WHOLE_MINUTE = {"deadline_ms": 60_000, "window_ms": 60_000}


class Warned:
    """The warnings of somebody, each with the second at which it came."""

    def __init__(self) -> None:
        self.clock = Clock(asyncio.get_running_loop(), wall_ms=0)
        self.given: list[tuple[int, int]] = []
        self.is_behind = False
        self.warnings = TurnWarnings(self.clock, self._warn, lambda: self.is_behind)

    def _warn(self, left_s: int) -> None:
        self.given.append((round(self.clock.now_ms() / 1000), left_s))

    def asks(self, window: str = "turn 1", **changes: int | None) -> None:
        view = {**WHOLE_MINUTE, **changes}
        self.warnings.follow(ViewMessage(1, "duel", 0, (), None, window=window, **view))


def given(scenario) -> list[tuple[int, int]]:
    async def whole() -> list[tuple[int, int]]:
        warned = Warned()
        await scenario(warned)
        await asyncio.sleep(300)
        return warned.given

    return virtual.run(whole())


def test_a_window_of_a_minute_warns_30_and_10_seconds_before_its_end():
    async def scenario(warned: Warned) -> None:
        warned.asks()

    assert [(30, 30), (50, 10)] == given(scenario)


def test_a_window_below_a_minute_warns_once_and_one_below_25_seconds_never():
    async def below_a_minute(warned: Warned) -> None:
        warned.asks(window_ms=59_000)

    async def short(warned: Warned) -> None:
        warned.asks(window_ms=24_000)

    async def without_a_clock(warned: Warned) -> None:
        warned.asks(deadline_ms=None, window_ms=None)

    assert [(50, 10)] == given(below_a_minute)
    assert [] == given(short) == given(without_a_clock)


def test_another_question_or_nobody_asked_cancels_what_was_to_come():
    async def another(warned: Warned) -> None:
        warned.asks()
        await asyncio.sleep(29)
        warned.asks("turn 2", deadline_ms=89_000)

    async def nobody(warned: Warned) -> None:
        warned.asks()
        await asyncio.sleep(29)
        warned.warnings.stop()

    assert [(59, 30), (79, 10)] == given(another)
    assert [] == given(nobody)


def test_the_same_question_shown_again_warns_no_second_time():
    async def scenario(warned: Warned) -> None:
        warned.asks()
        await asyncio.sleep(40)
        warned.asks()

    assert [(30, 30), (50, 10)] == given(scenario)


def test_a_deadline_that_has_moved_is_warned_of_anew_and_what_is_past_is_not():
    async def later(warned: Warned) -> None:
        warned.asks()
        await asyncio.sleep(40)
        warned.asks(deadline_ms=100_000)  # as after a restart

    async def near(warned: Warned) -> None:
        await asyncio.sleep(35)
        warned.asks()

    assert [(30, 30), (70, 30), (90, 10)] == given(later)
    assert [(50, 10)] == given(near)


def test_who_is_more_than_a_second_behind_is_not_warned():
    async def for_good(warned: Warned) -> None:
        warned.asks()
        warned.is_behind = True

    async def for_a_moment(warned: Warned) -> None:
        warned.asks()
        await asyncio.sleep(29.9)
        warned.is_behind = True
        await asyncio.sleep(0.3)
        warned.is_behind = False

    assert [] == given(for_good)
    assert [30, 10] == [left_s for _, left_s in given(for_a_moment)]


# -- what people read ------------------------------------------------------------------------------


def bells(person) -> int:
    """In what a terminal has received since the last lines were typed."""
    return b"".join(data for _, data in person.link.received).count(b"\x07")


def test_only_who_is_asked_is_warned_and_hears_a_bell_at_the_end():
    async def scenario(server, play, people) -> None:
        heard = await play("Ann> look", wait_s=31)
        assert any("30 seconds left." in row for row in heard["Ann"])
        assert bells(people["Ann"]) == 0
        others = await play("Bob> look", wait_s=20)
        assert any("10 seconds left." in row for row in others["Ann"])
        assert bells(people["Ann"]) == 1
        for name in ("Bob", "Cyd", "Wim"):
            assert not any("seconds left" in row for row in (*heard[name], *others[name]))

    run_at_a_table(scenario)


def test_who_has_answered_in_secret_is_warned_no_more():
    async def scenario(server, play, people) -> None:
        await play("Ann> moves")
        bid = next(row[2:] for row in (await play("Ann> moves"))["Ann"] if row.startswith("- "))
        heard = await play(f"Ann> {bid}", wait_s=55)
        assert not any("seconds left" in row for row in heard["Ann"])
        assert sum("seconds left." in row for row in heard["Bob"]) == 2

    run_at_a_table(scenario, DUEL)


def test_warnings_can_be_a_bell_or_nothing():
    async def scenario(server, play, people) -> None:
        await play("Ann> set warnings bell")
        heard = await play("Ann> who", wait_s=55)
        assert not any("seconds left" in row for row in heard["Ann"])
        assert bells(people["Ann"]) == 1

        await play("Bob> set warnings off")
        await play("Wim> who", wait_s=7)  # Bob's turn begins with a bell
        heard = await play("Wim> who", wait_s=50)
        assert not any("seconds left" in row for row in heard["Bob"])
        assert bells(people["Bob"]) == 0
        assert any("Waiting for Bob" in row for row in (await play("Wim> look"))["Wim"])

    run_at_a_table(scenario)


def test_time_and_an_empty_line_say_whose_clock_runs():
    async def scenario(server, play, people) -> None:
        heard = await play("Ann> time", "Wim> time")
        assert "You have 60 seconds." in heard["Ann"]
        assert "Ann has 60 seconds." in heard["Wim"]
        heard = await play("Bob> ")
        assert not any("left" in row for row in heard["Bob"])
        await play("Ann> who", wait_s=30)
        heard = await play("Bob> ", "Ann> ")
        assert any(row == "Ann has 0:30 left." for row in heard["Bob"])
        assert not any("left." in row for row in heard["Ann"])

    run_at_a_table(scenario)
