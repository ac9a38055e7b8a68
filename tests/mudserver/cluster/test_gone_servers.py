"""What others read of the people of a server that is gone: once, and calmly."""

from __future__ import annotations

import asyncio

from mudserver.cluster.missed import MISSED_S
from tests.linked_servers import Linked, run


def test_who_goes_on_at_another_server_has_neither_left_nor_come():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        await ann.types("friend bob")
        before = ann.text
        await town.kill("g2")
        assert "1 person is here" in await ann.types("who")
        await bob.go_on_at("g1")
        await asyncio.sleep(90)
        assert "2 people are here" in await ann.types("who")
        assert "bob is here" not in ann.text[len(before) :] and "has left" not in ann.text
        assert "(friend)" not in ann.text

    run(scenario)


def test_who_does_not_come_back_has_left_and_is_announced_when_coming_again():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        cid = await town.come("g3", "cid")
        await ann.types("friend bob")
        await town.kill("g2")
        assert "has left" not in ann.text
        await asyncio.sleep(MISSED_S)
        for reader in (ann, cid):
            assert 1 == reader.text.count("bob has left.")
        await asyncio.sleep(61)
        assert 1 == ann.text.count("bob (friend) has left.")
        await asyncio.sleep(300)  # friends read a pair in five minutes
        came = cid.text.count("bob is here.")
        await bob.go_on_at("g3")
        await asyncio.sleep(2)
        assert came + 1 == cid.text.count("bob is here.") and "bob is here" not in bob.text
        assert 1 == ann.text.count("bob (friend) is here.")

    run(scenario, servers=3)


def test_who_logs_in_again_at_once_has_not_come_twice():
    async def scenario(town: Linked) -> None:
        ann, _ = await town.come("g1", "ann"), await town.come("g2", "bob")
        cid = await town.come("g3", "cid")
        await ann.types("friend bob")
        read = [reader.text.count("is here") for reader in (ann, cid)]
        await town.kill("g2")
        bob = await town.come("g1", "bob")
        await asyncio.sleep(2)
        assert read == [reader.text.count("is here") for reader in (ann, cid)]
        await bob.types("quit")
        assert 1 == cid.text.count("bob has left.") == ann.text.count("bob has left.")
        await asyncio.sleep(MISSED_S)
        await town.come("g3", "bob")
        await asyncio.sleep(2)
        assert [it + 1 for it in read] == [it.text.count("is here") for it in (ann, cid)]

    run(scenario, servers=3)


def test_a_server_that_ends_says_so_and_not_that_its_people_have_left():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        capsule = bob.link.holder.capsule
        await town.servers["g2"].stop()
        await asyncio.sleep(1)
        assert "1 person is here" in await ann.types("who")
        bob.link.holder.capsule = capsule  # which the door has kept
        await bob.go_on_at("g1")
        await asyncio.sleep(30)
        assert "bob has left" not in ann.text and 1 == ann.text.count("bob is here")

    run(scenario)


def test_channels_count_the_readers_of_all_servers():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        await bob.types("join chat")
        await bob.types("open words")
        await asyncio.sleep(3)
        rows = await ann.types("channels")
        assert "lobby 1 here" in rows and "chat 1 here" in rows, rows
        await ann.types("join chat")
        await bob.types("join lobby")
        await asyncio.sleep(3)
        rows = await bob.types("channels")
        assert "lobby 2 here" in rows and "chat 2 here (joined)" in rows, rows
        await town.kill("g2")
        assert "chat 1 here (joined)" in await ann.types("channels")

    run(scenario)
