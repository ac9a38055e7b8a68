"""Games by correspondence on other servers: listed, called, and reached by `go`."""

from __future__ import annotations

import asyncio

from mudserver.cluster.events import Noticed
from mudserver.tables.parking import QUIET_S
from tests.linked_servers import Linked, Walker, run, table_in


async def game(town: Linked) -> tuple[Walker, Walker, int]:
    """A game of ann and bob on g1, by correspondence; both are in the lobby there."""
    ann, bob = await town.come("g1", "ann"), await town.come("g1", "bob")
    number = table_in(await ann.types("open elimination correspondence seats=2"))
    await bob.types(f"sit {number}")
    await bob.types("ready")
    await ann.types("ready")
    for person in (ann, bob):
        await person.types("lobby")
    asked, other = (ann, bob) if "your move" in await ann.types("go") else (bob, ann)
    return asked, other, number


async def again(town: Linked, person: Walker, server: str) -> Walker:
    """The person leaves and comes in at another server."""
    await person.types("quit")
    return await town.come(server, person.name)


def test_a_game_on_another_server_is_listed_at_login_by_go_and_games_and_is_reached():
    async def scenario(town: Linked) -> None:
        asked, _, number = await game(town)
        for wait_s in (1, QUIET_S + 700):  # in memory there, and parked
            await asyncio.sleep(wait_s)
            asked = await again(town, asked, "g2")
            assert f"Your move at table {number} (elimination, " in asked.text
            assert f"lobby, your move at {number}>" in asked.text
            assert f"table {number} elimination, your move, " in await asked.types("games")
            shown = await asked.types("go", 3)
            assert ["g2", "g1"] == asked.visited and f"table {number}" in shown
            await asked.types("lobby")

    run(scenario)


def test_where_no_way_leads_there_the_person_reads_what_to_do():
    async def scenario(town: Linked) -> None:
        asked, _, number = await game(town)
        asked = await again(town, asked, "g2")
        asked.link.holder.may_redirect = False
        for line in ("go", f"go {number}", f"sit {number}"):
            shown = await asked.types(line)
            assert f"Table {number} is on another server" in shown
            assert f"For table {number}, log in there." in shown and ["g2"] == asked.visited
        assert f"table {number}" in (await again(town, asked, "g1")).text

    run(scenario)


def test_a_seat_on_another_server_is_kept_also_by_an_account_that_is_long_inactive():
    async def scenario(town: Linked) -> None:
        asked, _, _ = await game(town)
        asked = await again(town, asked, "g2")
        app = town.servers["g2"].app
        account = app.account_service.streams.accounts.find(asked.name)
        assert account is not None and app.table_manager.lists.keeps_seat(account.id)
        assert "Your seat is kept until the game ends" in await asked.types("quit")

    run(scenario)


def test_who_is_on_another_server_is_called_when_a_move_is_theirs():
    async def scenario(town: Linked) -> None:
        asked, other, number = await game(town)
        other = await again(town, other, "g2")
        assert f"{number} elimination, {asked.name} to play" in await other.types("go")
        await asked.types(f"go {number}")
        for _ in range(20):
            moves = (await asked.types("moves")).split(" - ")[1:]
            if not moves:
                break
            await asked.types(moves[0].split(" table ")[0].strip())
            if "It is your move at table" in other.text:
                break
        assert f"It is your move at table {number} (elimination)" in other.text
        assert "go" in other.text and ["g2"] == other.visited

    run(scenario)


def test_a_table_that_is_gone_is_listed_no_more():
    async def scenario(town: Linked) -> None:
        asked, _, number = await game(town)
        asked = await again(town, asked, "g2")
        await town.kill("g1")
        assert f"table {number}" not in await asked.types("go")
        assert "You play no game by correspondence." in await asked.types("go")

    run(scenario)


def test_servers_tell_each_other_of_notices():
    async def scenario(town: Linked) -> None:
        one, other = (town.servers[name].app for name in ("g1", "g2"))
        heard: list[str] = []
        other.service.notices.note_sent = lambda person, at_ms: heard.append(person)
        other.exchange.on(
            Noticed, lambda server, it: other.service.notices.note_sent(it.person, it.at_ms)
        )
        one.service.notices.on_sent("p1", one.platform.clock.now_ms())
        await asyncio.sleep(1)
        assert ["p1"] == heard

    run(scenario)
