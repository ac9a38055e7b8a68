import asyncio
from types import SimpleNamespace

import pytest

from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError
from mudserver.service.password_hasher import ThreadPasswordHasher

CHEAP = PeopleLimits(argon2_memory_kib=8, argon2_passes=1, hash_threads=1, hash_queue_max=1)

HOME = "192.0.2.1"


@pytest.fixture
def hasher():
    hasher = ThreadPasswordHasher(CHEAP)
    yield hasher
    hasher.close()


async def test_only_the_password_itself_verifies(hasher):
    hashed = await hasher.hash("correct horse", HOME)
    assert await hasher.verify(hashed, "correct horse", HOME)
    assert not await hasher.verify(hashed, "correct house", HOME)


async def test_a_name_without_an_account_never_verifies(hasher):
    assert not await hasher.verify(None, "correct horse", HOME)
    assert not await hasher.verify(None, "", HOME)


async def test_beyond_the_queue_a_login_is_told_to_try_again_and_the_others_are_served(hasher):
    hashes = [
        asyncio.ensure_future(hasher.hash(password, HOME)) for password in ("first one", "second")
    ]
    await asyncio.sleep(0)  # both have taken their place
    with pytest.raises(UserError, match="Please try again in a moment"):
        await hasher.hash("third one", HOME)
    assert 2 == len({*await asyncio.gather(*hashes)})
    assert await hasher.hash("third one", HOME)


def slow_hasher(monkeypatch, **limits: int) -> tuple[ThreadPasswordHasher, list[str]]:
    """A hasher whose checks are done in the order of a list, one after the other."""
    hasher, done = ThreadPasswordHasher(PeopleLimits(hash_threads=1, **limits)), []
    monkeypatch.setattr(hasher, "_passwords", SimpleNamespace(hash=lambda text: done.append(text)))
    return hasher, done


async def test_networks_take_turns(monkeypatch):
    hasher, done = slow_hasher(monkeypatch)
    flood = [hasher.hash(f"flood {n}", f"198.51.100.{n % 3}") for n in range(9)]
    await asyncio.gather(*flood, hasher.hash("person", "203.0.113.1"))
    assert ["flood 0", "flood 1", "person"] == done[:3]
    hasher.close()


async def test_one_runs_of_a_source_and_sources_of_a_network_take_turns(monkeypatch):
    hasher, done = slow_hasher(monkeypatch)
    crowd = [hasher.hash(f"guess {n}", HOME) for n in range(5)]
    await asyncio.gather(*crowd, hasher.hash("neighbour", "192.0.2.2"))
    assert ["guess 0", "neighbour"] == done[:2]
    hasher.close()


async def test_a_network_fills_a_quarter_of_the_queue(monkeypatch):
    hasher, _ = slow_hasher(monkeypatch, hash_queue_max=8)
    crowd = [asyncio.ensure_future(hasher.hash(f"{n}", f"192.0.2.{n}")) for n in range(3)]
    await asyncio.sleep(0)  # one runs, two wait
    with pytest.raises(UserError, match="Please try again in a moment"):
        await hasher.hash("one more", "192.0.2.9")
    await asyncio.gather(*crowd, hasher.hash("elsewhere", "203.0.113.1"))
    hasher.close()


async def test_a_login_that_is_given_up_leaves_the_queue(monkeypatch):
    hasher, done = slow_hasher(monkeypatch, hash_queue_max=12)
    running, gone = (asyncio.ensure_future(hasher.hash(text, HOME)) for text in ("first", "gone"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(running, hasher.hash("next", HOME), hasher.hash("last", "192.0.2.2"))
    assert {"first", "next", "last"} == {*done}
    hasher.close()


async def test_a_login_given_up_just_before_its_turn_holds_no_place(monkeypatch):
    hasher, done = slow_hasher(monkeypatch, hash_queue_max=8)
    runs, waits = (
        asyncio.ensure_future(hasher.hash(password, source))
        for password, source in (("runs", HOME), ("waits", "203.0.113.1"))
    )
    await asyncio.sleep(0)  # one runs, one waits
    runs.cancel()
    waits.cancel()  # its turn has come when the thread is free, and nobody waits for it
    await asyncio.gather(runs, waits, return_exceptions=True)
    await asyncio.wait_for(hasher.hash("later", HOME), 10)
    assert "later" == done[-1] and "waits" not in done
    assert not hasher._waiting and not hasher._by_source
    hasher.close()
