"""What a few addresses can take from everybody else, in the whole server without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from mudserver.config import schema
from mudserver.source_budgets import Kind
from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.simulation import virtual
from tests.simulation.server import FakeLink, Seatholder, SimServer, World, new_world, proven_by_key

ALL = schema.TablesConfig().all_max
PASSWORD = "correct horse"


def told(scenario: Callable[[SimServer], Awaitable[None]], world: World | None = None) -> None:
    async def whole() -> None:
        server = await SimServer(world or new_world(1)).open()
        try:
            await scenario(server)
        finally:
            await server.stop()

    virtual.run(whole())


def person(server: SimServer, name: str, source: str) -> Seatholder:
    """Somebody with an account, from *source*."""
    is_known = server.app.account_service.name_status(name)[0] == "known"
    link = FakeLink(Terminal(), "ssh", source)
    return Seatholder(name, server.connect(link, proven_by_key(name, is_known=is_known)))


def letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")


@pytest.mark.parametrize("networks", [1, 2, 7])
def test_seven_addresses_with_thirty_names_hold_half_of_all_tables(networks):
    many = schema.SourceLimits(
        registrations_per_source_per_hour=1_000,
        registrations_per_network_per_hour=1_000,
        registrations_per_hour=1_000,
    )

    async def scenario(server: SimServer) -> None:
        crowd = [
            person(server, f"crowd{letters(n)}", f"10.0.{n % 7 % networks}.{n % 7 + 1}")
            for n in range(7 * 30)
        ]
        await asyncio.sleep(1)
        for each in crowd:
            each.type("open elimination")
        await asyncio.sleep(5)
        assert ALL // 4 <= server.app.service.table_count() <= ALL // 2
        newcomer = person(server, "newcomer", "203.0.113.1")
        await asyncio.sleep(1)
        newcomer.type("open elimination")
        await asyncio.sleep(1)
        assert server.app.table_manager.table_of(f"p{7 * 30 + 1}") is not None

    told(scenario, new_world(1, sources=many))


def test_a_class_of_thirty_newcomers_of_one_address_comes_in_and_plays():
    async def scenario(server: SimServer) -> None:
        pupils = [
            Seatholder(f"pupil{letters(n)}", server.connect(FakeLink(Terminal())))
            for n in range(30)
        ]
        for password in ("", PASSWORD, PASSWORD):
            await asyncio.sleep(1)
            for pupil in pupils:
                pupil.type(password or pupil.name)
        await asyncio.sleep(1)
        assert 30 == len(server.app.lobby.online_names())
        for pupil in pupils:
            pupil.type("open elimination")
        await asyncio.sleep(1)
        assert 30 == server.app.service.table_count()

    told(scenario)


def test_sixty_four_accounts_of_one_address_come_in_and_play_an_evening_long():
    """A tournament's evening, at plain tables of two."""
    before = schema.SourceLimits(
        registrations_per_source_per_hour=1_000,
        registrations_per_network_per_hour=1_000,
        registrations_per_hour=1_000,
    )
    world = new_world(1, sources=before)
    names = [f"guild{letters(n)}" for n in range(64)]

    async def registered(server: SimServer) -> None:
        for name in names:
            person(server, name, "192.0.2.1")
        await asyncio.sleep(1)
        assert 64 == len(server.app.account_service.streams.accounts)

    async def evening(server: SimServer) -> None:
        guild = [person(server, name, "192.0.2.1") for name in names]
        await asyncio.sleep(1)
        assert 64 == len(server.app.lobby.online_names())
        for host in guild[::2]:
            host.type("open elimination seats=2")
        await asyncio.sleep(1)
        tables = {
            number: server.app.table_manager.table_of(f"p{number}") for number in range(1, 65, 2)
        }
        for number, table in tables.items():
            guild[number].type(f"sit {table}")  # the neighbour of the host
        await asyncio.sleep(1)
        for each in guild:
            each.type("start")
        await asyncio.sleep(2)
        playing = [it.phase for it in server.app.service.list_tables()]
        assert 32 == len(playing) and all(it.startswith("playing") for it in playing), playing

    told(registered, world)
    world.settings = new_world(1).settings
    told(evening, world)


def test_two_addresses_get_ten_full_screens():
    async def scenario(server: SimServer) -> None:
        crowd = [person(server, f"crowd{letters(n)}", f"10.0.0.{n % 2 + 1}") for n in range(24)]
        await asyncio.sleep(1)
        for each in crowd:
            each.link.terminal = Terminal(is_character_mode=True, is_ansi=True)
            each.type("screen on")
        await asyncio.sleep(1)
        assert 10 == server.app.budgets.held(Kind.FULL_SCREENS)

    told(scenario)


def test_after_a_restart_a_table_counts_for_the_first_of_its_people_who_is_back():
    world = new_world(1)

    async def before() -> None:
        server = await SimServer(world).open()
        ann, bob = person(server, "Ann", "192.0.2.1"), person(server, "Bob", "192.0.2.2")
        await asyncio.sleep(1)
        ann.type("open elimination")
        await asyncio.sleep(1)
        bob.type("sit 1")
        await asyncio.sleep(1)
        assert 1 == server.app.budgets.held(Kind.TABLES)
        await server.die()

    async def after() -> None:
        server = await SimServer(world).open()
        budgets = server.app.budgets
        assert 0 == budgets.held(Kind.TABLES)
        person(server, "Bob", "192.0.2.2")
        person(server, "Ann", "192.0.2.1")
        await asyncio.sleep(1)
        assert 1 == budgets.held(Kind.TABLES)
        assert [0, 1] == [
            budgets.held(Kind.TABLES, source) for source in ("192.0.2.1", "192.0.2.2")
        ]
        await server.stop()

    virtual.run(before())
    virtual.run(after())


def test_who_talks_too_fast_does_not_silence_others_of_the_address():
    async def scenario(server: SimServer) -> None:
        spammer, other = (person(server, name, "192.0.2.1") for name in ("spammer", "other"))
        await asyncio.sleep(1)
        for number in range(60):
            spammer.type(f"say {number}")
            spammer.type("say")
            spammer.type(f"say {'x' * 1_000}")
            await asyncio.sleep(0.3)
        other.type("say hello")
        await asyncio.sleep(0.5)
        assert "You're talking too fast." in spammer.text
        assert "Very much is being said" not in spammer.text + other.text
        assert "other: hello" in spammer.text

    told(scenario)


def test_a_line_that_the_source_may_not_say_mutes_nobody():
    async def scenario(server: SimServer) -> None:
        ann = person(server, "ann", "192.0.2.1")
        await asyncio.sleep(1)
        for _ in range(6):
            while server.app.budgets.spend(Kind.TALK, "192.0.2.1"):
                pass
            ann.type("say hello")
            await asyncio.sleep(0.1)
        assert "Too many messages from your address." in ann.text
        assert "muted" not in ann.text

    told(scenario)


def test_who_changes_too_much_does_not_stop_others_of_the_address():
    async def scenario(server: SimServer) -> None:
        many, other = (person(server, name, "192.0.2.1") for name in ("many", "other"))
        await asyncio.sleep(1)
        for _ in range(150):
            many.type("set bell off")
            await asyncio.sleep(0.2)
        other.type("set bell off")
        await asyncio.sleep(0.5)
        assert "You have changed a lot in a short time." in many.text
        assert "was changed from your address" not in many.text + other.text

    told(scenario)


def test_changes_of_keys_are_charged_to_the_source_too():
    async def scenario(server: SimServer) -> None:
        ann = person(server, "ann", "192.0.2.1")
        await asyncio.sleep(1)
        while server.app.budgets.spend(Kind.CHANGES, "192.0.2.1"):
            pass
        ann.type("keys label 1 laptop")
        await asyncio.sleep(0.5)
        assert "Too many changes from your address" in ann.text

    told(scenario)


def guest(server: SimServer, source: str) -> Seatholder:
    link = FakeLink(Terminal(), "ssh", source)
    return Seatholder("guest", server.connect(link, AuthenticatedUser("guest", "guest")))


def test_a_guest_takes_the_own_seat_back_when_the_shares_are_narrow_again():
    async def scenario(server: SimServer) -> None:
        player, _ = (guest(server, "192.0.2.1") for _ in range(2))
        await asyncio.sleep(0.5)
        for line in ("open elimination", "bot", "bot", "start"):
            player.type(line)
            await asyncio.sleep(0.3)
        code = player.text.partition("resume ")[2].split()[0]
        player.link.drop()
        await asyncio.sleep(0.5)
        back = guest(server, "192.0.2.1")
        for number in range(9):
            guest(server, f"198.51.{number}.1")
        await asyncio.sleep(0.5)
        back.type(f"resume {code}")
        await asyncio.sleep(0.5)
        assert "Very many guests" not in back.text
        assert "You have a seat at table 1" in back.text
        assert 11 == server.app.budgets.held(Kind.GUESTS)

    sources = schema.SourceLimits(guests_per_source_max=1, guests_per_network_max=20)
    told(scenario, new_world(1, sources=sources, people=schema.PeopleLimits(guests_max=20)))
