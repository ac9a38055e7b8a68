import asyncio

import pytest

from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError
from mudserver.service.password_hasher import ThreadPasswordHasher

CHEAP = PeopleLimits(argon2_memory_kib=8, argon2_passes=1, hash_threads=1, hash_queue_max=1)


@pytest.fixture
def hasher():
    hasher = ThreadPasswordHasher(CHEAP)
    yield hasher
    hasher.close()


async def test_only_the_password_itself_verifies(hasher):
    hashed = await hasher.hash("correct horse")
    assert await hasher.verify(hashed, "correct horse")
    assert not await hasher.verify(hashed, "correct house")


async def test_a_name_without_an_account_never_verifies(hasher):
    assert not await hasher.verify(None, "correct horse")
    assert not await hasher.verify(None, "")


async def test_beyond_the_queue_a_login_is_told_to_try_again_and_the_others_are_served(hasher):
    hashes = [asyncio.ensure_future(hasher.hash(password)) for password in ("first one", "second")]
    await asyncio.sleep(0)  # both have taken their place
    with pytest.raises(UserError, match="Please try again in a moment"):
        await hasher.hash("third one")
    assert 2 == len({*await asyncio.gather(*hashes)})
    assert await hasher.hash("third one")
