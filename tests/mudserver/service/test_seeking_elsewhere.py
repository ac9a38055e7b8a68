"""Offers cross servers: they are read, listed and taken everywhere, and go along with a session."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.cluster import asking
from tests.linked_servers import Linked, Walker, run, table_in

SEEKS = "ann seeks a game: {}. To play: accept {}"


def number_in(text: str) -> int:
    return int(text.split("(offer ")[1].split(")")[0])


async def three_come(town: Linked, third: str) -> list[Walker]:
    """Ann to g1, Bob to g2, and Cid to the *third* server."""
    servers = {"ann": "g1", "bob": "g2", "cid": third}
    return [await town.come(server, name) for name, server in servers.items()]


def test_an_offer_is_read_listed_and_taken_on_another_server():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g2")
        number = number_in(await ann.types("seek words short rated"))
        await asyncio.sleep(70)  # also after a round in which all is told anew
        assert 1 == bob.text.count(SEEKS.format("words short rated", number))
        assert f"{number} words short rated, ann" in await bob.types("seeks")
        shown = await bob.types(f"accept {number}")
        assert ["g2", "g1"] == bob.visited and ["g1"] == ann.visited
        assert table_in(shown) == table_in(ann.text)
        assert f"bob takes your offer {number} (words short rated)" in ann.text
        assert "bob joined the table" in ann.text
        assert "That offer is gone." in await cid.types(f"accept {number}")
        assert "Nobody seeks" in await cid.types("seeks") and ["g2"] == cid.visited

    run(scenario)


def test_the_seat_is_kept_for_who_is_on_the_way():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g1")
        number = number_in(await ann.types("seek elimination seats=2"))

        async def others_type() -> None:
            for it, line in ((cid, f"sit {table_in(ann.text)}"), (ann, "bot"), (ann, "start")):
                assert "Somebody is on the way to table" in await it.types(line)

        bob.link.type(f"accept {number}")
        await asyncio.sleep(0.5)
        await bob.walk(others_type)
        assert f"bob takes your offer {number}" in ann.text
        assert "is full." in await cid.types(f"sit {table_in(ann.text)}")

    run(scenario)


def test_who_does_not_arrive_keeps_nobody_from_the_seat():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g1")
        number = number_in(await ann.types("seek elimination seats=2"))
        bob.link.type(f"accept {number}")
        await asyncio.sleep(0.5)
        await bob.fail_to_walk()
        await asyncio.sleep(10)
        assert "table" in await cid.types(f"sit {table_in(ann.text)}")
        assert "cid joined the table" in ann.text
        assert "is full." in await bob.types(f"sit {table_in(ann.text)}")

    run(scenario)


def test_neither_of_two_servers_asks_who_comes_to_join():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g2")
        number = number_in(await ann.types("seek words"))
        table = table_in(await bob.types(f"accept {number}"))
        assert f"ann opened table {table} (words). Type sit {table} to join." in cid.text
        assert "opened table" not in ann.text + bob.text
        await ann.types("leave"), await bob.types("leave")
        table = table_in(await ann.types("match cid words"))
        assert "cid, or decline" not in bob.text and f"opened table {table}" in bob.text
        assert f"opened table {table}" not in ann.text + cid.text

    run(scenario)


def test_what_one_server_gives_no_other_gives_at_once():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        first = {number_in(await ann.types(f"seek {it}")) for it in ("words", "stockpile")}
        second = {number_in(await bob.types(f"seek {it}")) for it in ("words", "stockpile")}
        assert 4 == len(first | second)
        shown = await ann.types("seeks")
        assert all(f"{number} " in shown for number in first | second)

    run(scenario)


def test_who_may_not_take_it_stays_where_one_is():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        guest = await town.come("g2", "guest")
        rated = number_in(await ann.types("seek words rated"))
        plain = number_in(await ann.types("seek words"))
        assert "is for registered players" in await guest.types(f"accept {rated}")
        await ann.types("ignore bob")
        assert "You can't take this offer." in await bob.types(f"accept {plain}")
        town.deaf.add("g1")
        refused = await bob.types(f"accept {plain}", asking.ANSWER_S + 1)
        assert "ann can't be reached right now." in refused or "You can't take" in refused
        town.deaf.clear()
        assert ["g2"] == bob.visited == guest.visited and "takes your offer" not in ann.text
        await ann.types("seek off")
        assert "Nobody seeks" in await bob.types("seeks")

    run(scenario)


def test_where_no_way_leads_to_it_no_table_is_opened():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        number = number_in(await ann.types("seek words"))
        bob.link.holder.may_redirect = False
        assert "To take the offer, log in there." in await bob.types(f"accept {number}")
        assert f"{number} words (yours)" in await ann.types("seeks") and ["g2"] == bob.visited

    run(scenario)


def test_who_ignores_somebody_reads_of_no_offer_of_another_server():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        await bob.types("ignore ann")
        await ann.types("seek words")
        assert "seeks a game" not in bob.text and "Nobody seeks" in await bob.types("seeks")

    run(scenario)


def test_an_offer_goes_along_to_another_server_and_is_told_nobody_again():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g1")
        number = number_in(await ann.types("seek words"))
        table = table_in(await bob.types("open elimination"))
        await ann.types(f"watch {table}")
        assert ["g1", "g2"] == ann.visited
        assert f"{number} words (yours)" in await ann.types("seeks")
        assert f"{number} words, ann" in await cid.types("seeks")
        assert 1 == cid.text.count("ann seeks a game")
        shown = await cid.types(f"accept {number}")
        assert ["g1", "g2"] == cid.visited and table_in(shown) == table_in(ann.text)

    run(scenario)


def test_the_offers_of_a_server_that_is_gone_are_gone():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        number = number_in(await ann.types("seek words"))
        await town.kill("g1")
        assert "Nobody seeks" in await bob.types("seeks")
        assert "That offer is gone." in await bob.types(f"accept {number}")

    run(scenario)


def test_an_offer_that_was_taken_stands_no_more_where_its_table_is_elsewhere():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = await three_come(town, "g2")
        number = number_in(await ann.types("seek words correspondence"))
        left = ann.link.holder.capsule
        table = table_in(await bob.types(f"accept {number}"))
        await town.kill("g1")
        town.take_over(table, "g1", "g3")
        await asyncio.sleep(3)
        ann.link.holder.capsule = left  # the crash took the newer one
        await ann.go_on_at("g2")
        assert "That offer is gone." in await cid.types(f"accept {number}")
        assert "Nobody seeks" in await cid.types("seeks") and ["g2"] == cid.visited

    run(scenario, servers=3)


@pytest.mark.parametrize("wishes", [True, False])
def test_at_a_table_of_another_server_offers_are_read_by_who_wants_to(wishes):
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        if wishes:
            await bob.types("notify seeks words")
        await bob.types("open elimination")
        await ann.types("seek words")
        assert wishes is ("ann seeks a game" in bob.text)

    run(scenario)


def test_a_match_with_somebody_on_another_server():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        number = table_in(await ann.types("match bob words"))
        assert f"ann invites you to table {number} (words)." in bob.text
        assert f"table {number}>" in await bob.types("accept ann")
        assert ["g2", "g1"] == bob.visited

    run(scenario)
