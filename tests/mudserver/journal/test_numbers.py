"""Numbers for new streams: at hand, distinct, and refused rather than waited for."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import JournalWriteError, UserError
from mudserver.journal.numbers import FEW, Numbers
from tests.memory_journal import MemoryJournal


def numbers(block: int) -> Numbers:
    journal = MemoryJournal()
    journal.numbers_block = block
    return Numbers(journal, "table/")


async def test_the_next_block_is_fetched_before_the_last_number_is_taken():
    found, taken = numbers(FEW + 2), []
    await found.fill()
    for _ in range(100):
        taken.append(found.take())
        await asyncio.sleep(0)
    assert list(range(1, 101)) == taken


async def test_who_asks_when_none_is_at_hand_is_refused_and_may_ask_again():
    found = numbers(1)
    with pytest.raises(UserError, match="try again in a moment"):
        found.take()
    await found._task
    assert 1 == found.take()


async def test_a_journal_that_cannot_give_any_is_asked_again():
    found = numbers(5)
    give, failures = found._journal.numbers, [JournalWriteError("no"), None]

    async def fail_once(prefix: str, count: int) -> range:
        if failures and (failure := failures.pop(0)) is not None:
            raise failure
        return await give(prefix, count)

    found._journal.numbers = fail_once
    for _ in range(2):
        with pytest.raises(UserError):
            found.take()
        await found._task
    assert 1 == found.take()


async def test_closing_does_not_wait_for_numbers():
    found, never = numbers(5), asyncio.Event()

    async def wait(prefix: str, count: int) -> range:
        await never.wait()
        return range(0)

    found._journal.numbers = wait
    with pytest.raises(UserError):
        found.take()
    await asyncio.sleep(0)
    await found.close()
