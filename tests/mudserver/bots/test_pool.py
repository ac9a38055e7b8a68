from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from mudserver.bots.pool import BotError, BotPool
from mudserver.config.schema import BotsConfig
from tests.inline_bots import InlineBots
from tests.mudserver.bots import toy
from tests.mudserver.bots.toy import CHILD, TOYS, Passed, Said, Say, View

HAND = View(("7H", "*1"))
PATIENT = BotsConfig(decision_s=20.0)
HASTY = BotsConfig(decision_s=0.4)
FILES = {"toy.number": b"2", "toy.story": bytes(200_000)}  # more than a pipe holds

Opened = Callable[..., Awaitable[BotPool]]


@pytest_asyncio.fixture
async def opened() -> AsyncIterator[Opened]:
    """Starts pools of toy players with their log in `pool.lines`, and closes them."""
    pools: list[BotPool] = []

    async def start(bots: BotsConfig = PATIENT, **files: bytes) -> Any:
        lines: list[str] = []
        files = FILES | {f"toy.{name}": data for name, data in files.items()}
        pool: Any = BotPool(bots, TOYS, files, log=lines.append, command=CHILD, restart_s=0.05)
        pool.lines = lines
        pools.append(pool)
        await pool.start()
        return pool

    yield start
    for pool in pools:
        await pool.close()


def ask(
    pool: Any,
    level: str,
    view: View = HAND,
    seen: tuple[Any, ...] = (),
    seed: int = 1,
    network: str = "",
) -> Any:
    return pool.choose("toy", level, view, seen, seed, network)


async def until(holds: Callable[[], Any], timeout_s: float = 20.0) -> None:
    async with asyncio.timeout(timeout_s):
        while not holds():  # noqa: ASYNC110 - other processes set no event of ours
            await asyncio.sleep(0.01)


async def test_the_same_question_with_the_same_seed_has_the_same_answer(opened: Opened) -> None:
    pool = await opened()
    inline = InlineBots(catalogue=TOYS)
    answers = [await ask(pool, toy.FAIR, seed=seed) for seed in range(12)]
    assert answers == [await ask(inline, toy.FAIR, seed=seed) for seed in range(12)]
    assert set(answers) == {Say(1), Say(2), Say(3)}


async def test_view_and_events_arrive_as_what_they_were(opened: Opened) -> None:
    pool = await opened()
    heard = (Said(0, 2), Said(1, None), Passed(1))
    assert await ask(pool, toy.LISTENER, seen=heard) == Say(2)


async def test_the_child_has_no_terminal_no_environment_and_no_priority(opened: Opened) -> None:
    assert await ask(await opened(), toy.SPY) == Say(1)


async def test_each_process_is_handed_the_files_of_the_games(opened: Opened) -> None:
    pool = await opened(HASTY)
    assert await ask(pool, toy.KEEPER) == Say(2)
    (before,) = pool.pids
    with pytest.raises(BotError, match="too slow"):
        await ask(pool, toy.DREAMER)
    await until(lambda: pool.pids and pool.pids != (before,))
    assert await ask(pool, toy.KEEPER) == Say(2)


async def test_what_a_player_prints_is_no_answer(opened: Opened) -> None:
    pool = await opened()
    assert await ask(pool, toy.BABBLER) == Say(3)
    assert await ask(pool, toy.BABBLER) == Say(3)


@pytest.mark.parametrize("level", [toy.RAISER, toy.CHEAT, toy.STRANGER])
async def test_a_player_that_errs_fails_and_its_process_lives(opened: Opened, level: str) -> None:
    pool = await opened()
    before = pool.pids
    with pytest.raises(BotError):
        await ask(pool, level)
    assert (await ask(pool, toy.BABBLER), pool.pids) == (Say(3), before)
    with pytest.raises(BotError):
        await ask(InlineBots(catalogue=TOYS), level)


async def test_what_went_wrong_is_logged_without_cards(opened: Opened) -> None:
    pool: Any = await opened()
    with pytest.raises(BotError):
        await ask(pool, toy.RAISER)
    (said,) = pool.lines
    assert "ValueError at toy.py" in said and "7H" not in said


async def test_who_overruns_is_killed_and_the_next_question_is_answered(opened: Opened) -> None:
    pool: Any = await opened(HASTY)
    (before,) = pool.pids
    with pytest.raises(BotError, match="too slow"):
        await ask(pool, toy.DREAMER)
    await until(lambda: pool.pids not in ((), (before,)))
    assert await ask(pool, toy.BABBLER) == Say(3)
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


async def test_who_dies_is_asked_once_more_of_the_next_process(
    opened: Opened, tmp_path: Path
) -> None:
    pool = await opened()
    assert await ask(pool, toy.DIES_ONCE, View((), str(tmp_path / "once"))) == Say(2)


async def test_who_dies_twice_has_failed_and_others_are_answered(opened: Opened) -> None:
    pool = await opened()
    both = ask(pool, toy.DIER), ask(pool, toy.BABBLER)
    results = await asyncio.gather(*both, return_exceptions=True)
    assert [type(result) for result in results] == [BotError, Say]


async def test_a_process_killed_while_idle_costs_nobody_an_answer(opened: Opened) -> None:
    pool = await opened()
    os.kill(pool.pids[0], signal.SIGKILL)
    assert await ask(pool, toy.BABBLER) == Say(3)


async def test_a_slow_start_costs_nobody_an_answer(opened: Opened) -> None:
    """It takes longer to build the games than a decision may take."""
    pool = await opened(HASTY, start_s=b"1.0")
    os.kill(pool.pids[0], signal.SIGKILL)
    assert [Say(3), Say(3)] == await asyncio.gather(ask(pool, toy.BABBLER), ask(pool, toy.BABBLER))


async def test_a_process_that_never_starts_is_not_waited_for_again_and_again(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mudserver.bots.bot_process.START_S", 0.6)
    monkeypatch.setattr("mudserver.bots.pool.START_S", 0.6)
    pool = await opened(HASTY, start_s=b"30")
    async with asyncio.timeout(10):
        with pytest.raises(BotError, match="too slow"):
            await ask(pool, toy.BABBLER)


async def turns(number: int) -> None:
    """So many turns of the loop, in which what is ready runs."""
    for _ in range(number):
        await asyncio.sleep(0)


async def test_a_start_that_does_not_wait_leaves_the_processes_for_the_first_question() -> None:
    lines: list[str] = []
    pool = BotPool(HASTY, TOYS, log=lines.append, command=("/nowhere",))
    await pool.start(wait_until_ready=False)
    await turns(50)
    assert [] == lines
    with pytest.raises(BotError, match="too slow"):
        await ask(pool, toy.FAIR)
    assert "cannot start" in lines[0]
    await pool.close()


async def test_processes_that_nobody_asks_start_a_little_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mudserver.bots.pool.FIRST_S", 0.05)
    pool = BotPool(PATIENT, TOYS, FILES, log=print, command=CHILD)
    await pool.start(wait_until_ready=False)
    await until(lambda: pool.pids)
    await pool.close()


async def test_processes_of_a_standby_do_not_wait_for_a_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mudserver.bots.pool.FIRST_S", 600.0)
    lines: list[str] = []
    pool = BotPool(PATIENT, TOYS, FILES, log=lines.append, command=("/nowhere",))
    await pool.start(wait_until_ready=False, begins_now=True)
    await until(lambda: lines)
    assert "cannot start" in lines[0]
    await pool.close()


async def test_garbage_in_the_pipe_fails_and_ends_the_process(opened: Opened) -> None:
    pool = await opened()
    before = pool.pids
    with pytest.raises(BotError, match="nonsense"):
        await ask(pool, toy.VANDAL)
    assert await ask(pool, toy.BABBLER) == Say(3)
    assert pool.pids != before


async def test_unknown_players_and_games_are_refused_at_once(opened: Opened) -> None:
    pool = await opened()
    with pytest.raises(BotError):
        await ask(pool, "grandmaster")
    with pytest.raises(BotError):
        await pool.choose("chess", "easy", HAND, (), 1)


async def test_a_full_queue_refuses_at_once(opened: Opened) -> None:
    pool = await opened(BotsConfig(decision_s=0.4, queue_max=2))
    results = await asyncio.gather(
        *(ask(pool, toy.DREAMER, network=f"192.0.{n}.0/24") for n in range(4)),
        return_exceptions=True,
    )
    assert sorted(str(r) for r in results) == ["too many are waiting"] * 2 + ["too slow"] * 2


async def test_one_network_delays_no_other(opened: Opened) -> None:
    pool = await opened(BotsConfig(decision_s=20.0, queue_max=40))
    order: list[str] = []

    async def asked(network: str) -> None:
        await ask(pool, toy.BABBLER, network=network)
        order.append(network)

    many = [asked("192.0.2.0/24") for _ in range(10)]
    await asyncio.gather(*many, asked("198.51.100.0/24"))
    assert order.index("198.51.100.0/24") <= 2  # the first was on its way already


async def test_tables_go_before_advice(opened: Opened) -> None:
    pool = await opened()
    order: list[bool] = []

    async def asked(is_advice: bool) -> None:
        await pool.choose("toy", toy.BABBLER, HAND, (), 1, is_advice=is_advice)
        order.append(is_advice)

    await asyncio.gather(*[asked(is_advice=n < 5) for n in range(10)])
    assert [False] * 4 == order[1:5] and 5 == sum(order)  # the first was on its way already


async def test_one_network_has_a_quarter_of_the_queue(opened: Opened) -> None:
    pool = await opened(BotsConfig(decision_s=0.4, queue_max=8))
    one = [ask(pool, toy.DREAMER, network="192.0.2.0/24") for _ in range(5)]
    other = ask(pool, toy.DREAMER, network="198.51.100.0/24")
    *results, last = await asyncio.gather(*one, other, return_exceptions=True)
    assert [str(r) for r in results].count("too many are waiting") == 3
    assert str(last) == "too slow"


async def test_who_stops_waiting_leaves_the_place_to_others(opened: Opened) -> None:
    pool = await opened(BotsConfig(decision_s=20.0, queue_max=4))
    waiting = asyncio.create_task(ask(pool, toy.FAIR))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    assert await ask(pool, toy.BABBLER) == Say(3)


async def test_a_question_over_the_bound_is_not_sent(opened: Opened) -> None:
    pool = await opened()
    before = pool.pids
    with pytest.raises(BotError, match="too long"):
        await ask(pool, toy.BABBLER, View((), "x" * 5_000_000))
    assert (await ask(pool, toy.BABBLER), pool.pids) == (Say(3), before)


async def test_a_caller_may_stop_waiting(opened: Opened) -> None:
    pool = await opened(BotsConfig(decision_s=20.0))
    waiting = asyncio.create_task(ask(pool, toy.FAIR))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await ask(pool, toy.BABBLER) == Say(3)


async def test_a_command_that_cannot_start_is_only_a_failure(opened: Opened) -> None:
    lines: list[str] = []
    pool = BotPool(HASTY, TOYS, log=lines.append, command=("/nowhere",), restart_s=0.05)
    starting = asyncio.create_task(pool.start())
    await until(lambda: lines)
    with pytest.raises(BotError, match="too slow"):
        await ask(pool, toy.FAIR)
    starting.cancel()
    await pool.close()
    assert "cannot start" in lines[0]


async def test_close_fails_who_waits_ends_the_process_and_leaves_no_task(opened: Opened) -> None:
    tasks = asyncio.all_tasks()
    pool = await opened()
    (pid,) = pool.pids
    waiting = [asyncio.create_task(ask(pool, toy.DREAMER)) for _ in range(2)]
    await asyncio.sleep(0.05)
    await pool.close()
    for one in waiting:
        with pytest.raises(BotError, match="closed"):
            await one
    with pytest.raises(BotError, match="closed"):
        await ask(pool, toy.FAIR)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert asyncio.all_tasks() == tasks


async def test_a_child_ends_with_its_pipe() -> None:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*CHILD, stdin=pipe, stdout=pipe)
    _, _ = await asyncio.wait_for(child.communicate(b""), 20)
    assert child.returncode == 0


async def test_what_is_better_comes_from_the_process_with_how_much(opened: Opened) -> None:
    pool = await opened()
    assert await pool.better_action("toy", HAND, (), Say(1)) == (Say(3), 2.0)
    assert await pool.better_action("toy", HAND, (), Say(3)) is None
    with pytest.raises(BotError):
        await pool.better_action("chess", HAND, (), Say(1))
