"""What somebody is told on the way to another server is read there, once."""

from __future__ import annotations

import asyncio

import pytest

from tests.linked_servers import Linked, Walker, run, table_in


async def on_the_way(town: Linked, teller: str) -> tuple[Walker, Walker]:
    """Bob, who walks from g1 to g2, and ann, who tells him something meanwhile."""
    cid, bob = await town.come("g2", "cid"), await town.come("g1", "bob")
    ann = await town.come(teller, "ann")
    number = table_in(await cid.types("open words seats=4"))
    bob.link.type(f"sit {number}")
    await asyncio.sleep(0.2)
    assert bob.link.holder.redirected
    return ann, bob


@pytest.mark.parametrize("teller", ["g1", "g2"])
def test_a_tell_follows_who_has_gone_on(teller):
    async def scenario(town: Linked) -> None:
        ann, bob = await on_the_way(town, teller)

        async def tell() -> None:
            assert "You tell bob: are you there" in await ann.types("tell bob are you there")

        await bob.walk(tell)
        assert ["g1", "g2"] == bob.visited
        assert 1 == bob.text.count("ann tells you: are you there")
        assert "You tell ann: yes" in await bob.types("reply yes")
        assert "ann tells you: are you there" in (await bob.types("tells")).partition("reply")[0]
        assert 1 == ann.text.count("bob tells you: yes")

    run(scenario)


@pytest.mark.parametrize("teller", ["g1", "g2"])
def test_a_tell_waits_for_who_comes_back_because_the_other_server_did_not_answer(teller):
    async def scenario(town: Linked) -> None:
        ann, bob = await on_the_way(town, teller)
        await ann.types("tell bob are you there")
        await bob.fail_to_walk()
        assert ["g1", "g1"] == bob.visited and "can't be reached" in bob.text
        assert 1 == bob.text.count("ann tells you: are you there")
        assert 1 == (await bob.types("tells")).count("are you there")

    run(scenario)


def test_what_tells_lists_goes_along():
    async def scenario(town: Linked) -> None:
        bob, ann = await town.come("g1", "bob"), await town.come("g1", "ann")
        cid = await town.come("g2", "cid")
        await ann.types("tell bob good evening")
        await bob.types("reply good evening ann")
        number = table_in(await cid.types("open words seats=4"))
        await bob.types(f"sit {number}")
        listed = await bob.types("tells")
        assert ["g1", "g2"] == bob.visited
        assert "ann tells you: good evening" in listed and "good evening ann" in listed

    run(scenario)
