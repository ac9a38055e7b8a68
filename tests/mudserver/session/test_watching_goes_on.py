"""Who watches a table goes on watching it at the server that has taken it over."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.session import texts, walking
from tests.linked_servers import Linked, run, table_in

PROGRAM = {"wants_json": True, "json_protocol": 2}


async def watched(town: Linked, opens: str = "open elimination seats=3", **options) -> tuple:
    """Cid, who has a table at g1, and bob, who watches it; its number."""
    cid, bob = await town.come("g1", "cid"), await town.come("g1", "bob", **options)
    shown = await cid.types(opens)
    number = table_in(shown)
    code = shown.partition("with: sit ")[2].split()
    await bob.types(" ".join(["watch", str(number), *code[:1]]))
    assert watchers(town, "g1", number) == ["bob"]
    return cid, bob, number


def watchers(town: Linked, server: str, number: int) -> list[str]:
    table = town.servers[server].app.table_manager.lists.find(number)
    return [] if table is None else sorted(table.watchers.values())


@pytest.mark.parametrize("options", [{}, PROGRAM], ids=["terminal", "program"])
@pytest.mark.parametrize("by", ["g2", "g3"])
def test_a_watcher_waits_until_a_server_has_the_table_and_nothing_typed_is_read_elsewhere(
    by, options
):
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town, **options)
        await town.kill("g1")
        await bob.go_on_at("g2")
        bob.link.type("look")
        await asyncio.sleep(9)
        assert texts.PLACE_COMES_BACK.format(number) in bob.text
        assert "in the lobby" not in bob.text.partition("comes back")[2]
        town.take_over(number, "g1", by)
        await asyncio.sleep(2)
        await bob.walk()
        assert ["g1", "g2", *[by] * (by != "g2")] == bob.visited
        assert watchers(town, by, number) == ["bob"]
        assert 1 == bob.text.count("It comes back in some seconds")
        assert str(number) in await bob.types("look")
        assert "cancelled" not in bob.text and "Your last line" not in bob.text

    run(scenario, servers=3)


def test_a_private_table_lets_a_watcher_go_on_without_its_code():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town, "open elimination code=on")
        await town.kill("g1")
        await bob.go_on_at("g2")
        town.take_over(number, "g1", "g3")
        await asyncio.sleep(2)
        await bob.walk()
        assert watchers(town, "g3", number) == ["bob"]

    run(scenario, servers=3)


def test_a_table_that_has_closed_meanwhile_holds_nobody_up():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town)
        await town.kill("g1")
        await bob.go_on_at("g2")
        await asyncio.sleep(2)
        town.closed.add(number)
        await asyncio.sleep(1)
        assert "You are bob" in await bob.types("whoami")
        assert ["g1", "g2"] == bob.visited

    run(scenario)


def test_a_table_that_never_comes_back_holds_nobody_up_for_ever():
    async def scenario(town: Linked) -> None:
        _, bob, _ = await watched(town)
        await town.kill("g1")
        await bob.go_on_at("g2")
        await asyncio.sleep(walking.WAIT_S)
        assert "You are bob" in await bob.types("whoami")

    run(scenario)


def test_where_its_server_is_dead_and_has_its_lease_the_watcher_tries_again():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town)
        await bob.go_on_at("g2", walks=False)  # whose door has lost g1; nobody else has noticed
        assert ["g1"] == [server for server, *_ in bob.link.holder.redirected]
        for _ in range(2):
            await bob.fail_to_walk()
            await asyncio.sleep(walking.RETRY_S + 1)
        assert 1 == bob.text.count(texts.PLACE_COMES_BACK.format(number))
        await bob.fail_to_walk()
        await town.kill("g1")
        await asyncio.sleep(walking.RETRY_S)
        assert not bob.link.holder.redirected
        town.take_over(number, "g1", "g3")
        await asyncio.sleep(2)
        await bob.walk()
        assert "g3" == bob.visited[-1] and watchers(town, "g3", number) == ["bob"]
        assert "can't be reached" not in bob.text

    run(scenario, servers=3)


def test_a_watcher_of_a_table_that_was_given_away_waits_where_it_is_not_there_yet():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town)
        await town.kill("g1")  # which has given its tables to g2, and has ended
        await bob._go_on("g2", number, "comes")
        bob.link.holder.on_errand(b"", 1)
        await asyncio.sleep(4)
        assert watchers(town, "g2", number) == []
        town.take_over(number, "g1", "g2")
        await asyncio.sleep(2)
        assert watchers(town, "g2", number) == ["bob"] and ["g1", "g2"] == bob.visited
        assert str(number) in await bob.types("look")

    run(scenario)


def test_who_watched_a_table_and_goes_to_another_one_is_not_taken_back():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town)
        dan = await town.come("g2", "dan")
        other = table_in(await dan.types("open words seats=4"))
        await bob.types(f"watch {other}")
        await asyncio.sleep(5)
        assert ["g1", "g2"] == bob.visited
        assert watchers(town, "g2", other) == ["bob"] and watchers(town, "g1", number) == []

    run(scenario)


def test_a_watcher_whose_server_dies_while_waiting_goes_on_waiting_elsewhere():
    async def scenario(town: Linked) -> None:
        _, bob, number = await watched(town)
        await town.kill("g1")
        await bob.go_on_at("g2")
        await asyncio.sleep(2)
        await town.kill("g2")
        await bob.go_on_at("g3")
        town.take_over(number, "g1", "g3")
        await asyncio.sleep(2)
        assert watchers(town, "g3", number) == ["bob"]

    run(scenario, servers=3)
