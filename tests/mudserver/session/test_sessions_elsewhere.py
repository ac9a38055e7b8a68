"""One's own session on another server moves to the terminal that has just come in."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.service.texts import LOGGED_IN_ELSEWHERE
from mudserver.session import texts
from mudserver.transport.link import Terminal
from tests.linked_servers import Linked, Walker, run, table_in
from tests.simulation.server import ANSI
from tests.terminal import Emulator

READER = replace(ANSI, is_screen_reader=True, is_ansi=False)
BEGUN = "you had begun to type: give 7h"
LINE_MODE = Terminal()
PROGRAM = {"wants_json": True, "json_protocol": 2}


def row_of(walker: Walker) -> str:
    shown = Emulator()
    shown.feed(walker.link.heard)
    return shown.row.rstrip()


def begins(walker: Walker, keys: bytes = b"give 7h") -> None:
    walker.link.handler.on_data(keys)


async def asks(town: Linked, name: str = "ann") -> None:
    """The person wants to be asked at login; each server has a journal of its own here."""
    for server in town.servers.values():
        accounts = server.app.account_service
        await accounts.save_preference(accounts.person_named(name), "attach", "ask")


async def drop(walker: Walker) -> None:
    walker.link.drop()
    await asyncio.sleep(1)


async def leaves_a_line(town: Linked) -> None:
    """Ann, who wants to be asked at login, has begun a line at g1 and is cut off."""
    await asks(town)
    before = await town.come("g1", "ann")
    begins(before)
    await drop(before)


def online(town: Linked, name: str) -> list[str]:
    """The servers where somebody is."""
    return [at for at, server in town.servers.items() if server.app.online.named(name) is not None]


# -- a live session ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["ssh", "telnet"])
def test_a_live_session_moves_here_with_the_line_that_was_begun(way):
    async def scenario(town: Linked) -> None:
        await town.set_password("ann")
        before = await town.come("g1", "ann", protocol=way)
        begins(before, b"give 7h\x1b[D\x1b[D")
        ann = await town.come("g2", "ann", protocol=way)
        assert ["g2", "g1"] == ann.visited
        assert f"Welcome back, ann. Your session has moved here; {BEGUN}" in ann.text
        assert "lobby> give 7h" == row_of(ann)
        begins(ann, b"x")
        await asyncio.sleep(1)
        assert "lobby> give x7h" == row_of(ann)
        assert LOGGED_IN_ELSEWHERE in before.text and not before.link.is_open
        assert ["g1"] == online(town, "ann")

    run(scenario)


@pytest.mark.parametrize("way", ["ssh", "telnet"])
def test_one_server_or_two_nothing_else_is_read(way):
    async def read(town: Linked, server: str) -> str:
        await town.set_password("ann")
        before = await town.come("g1", "ann", protocol=way)
        begins(before)
        ann = await town.come(server, "ann", protocol=way)
        assert "sesame" not in ann.text
        begins(ann, b"\x15")
        assert "You are ann" in await ann.types("whoami")
        return re.sub(r"g[12]|d1-\d+|\d+ s\b", "", ann.text)

    said = list[str]()

    async def scenario(town: Linked) -> None:
        said.append(await read(town, "g1" if not said else "g2"))

    run(scenario)
    run(scenario)
    assert said[0] == said[1]


def test_a_table_of_the_session_is_kept_and_nobody_has_come_or_left():
    async def scenario(town: Linked) -> None:
        bob, before = await town.come("g1", "bob"), await town.come("g1", "ann")
        number = table_in(await bob.types("open elimination seats=3"))
        await before.types(f"sit {number}")
        told = bob.text
        ann = await town.come("g2", "ann")
        assert f"table {number}>" == row_of(ann)
        await asyncio.sleep(15)
        assert told == bob.text
        cid = await town.come("g2", "cid")
        assert "ann" in (await cid.types(f"who table {number}"))

    run(scenario)


def test_who_wants_to_be_asked_is_asked_there():
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        await before.types("set attach ask")
        begins(before)
        ann = await town.come("g2", "ann")
        assert ["g2", "g1"] == ann.visited and "Take it up now?" in ann.text
        assert "give 7h" in await ann.types("yes")

    run(scenario)


def test_a_program_takes_the_place_of_a_session_and_no_line():
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        begins(before)
        ann = await town.come("g2", "ann", **PROGRAM)
        assert ["g2", "g1"] == ann.visited and not before.link.is_open
        assert 1 == ann.text.count('"type":"hello"') and "give 7h" not in ann.text
        assert '"ann"' in await ann.types("whoami")

    run(scenario)


def test_a_seat_here_comes_before_a_session_elsewhere():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g2", "ann"), await town.come("g2", "bob")
        number = table_in(await bob.types("open elimination pace=brisk"))
        await ann.types(f"sit {number}")
        await bob.types("start")
        await ann.types("start")
        await drop(ann)
        elsewhere = Walker(town, "ann", ANSI, {})
        elsewhere.link.holder.may_redirect = False
        await elsewhere.open("g1")
        assert ["g1"] == online(town, "ann")
        again = await town.come("g2", "ann")
        assert ["g2"] == again.visited and f"table {number}" in row_of(again)
        await asyncio.sleep(2)
        assert ["g2"] == online(town, "ann")

    run(scenario)


def test_who_is_not_let_in_there_comes_in_here_and_reads_why():
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        begins(before)
        ann = Walker(town, "ann", ANSI, {})
        ann.visited.append("g2")
        town.servers["g2"].connect(ann.link, ann.proof)
        await asyncio.sleep(1)
        assert online(town, "ann") == ["g1"] and ann.link.holder.redirected
        await ann.fail_to_walk()
        assert texts.SESSION_NOT_REACHED in ann.text and "lobby>" == row_of(ann)
        await asyncio.sleep(2)
        assert ["g2"] == online(town, "ann")
        assert "logged in at another server" in before.text
        listed = await ann.types("sessions")
        assert "2 detached ssh since" in listed, listed
        assert BEGUN in await ann.types("attach")  # what it had begun waits there
        assert ["g2", "g2", "g1"] == ann.visited and "lobby> give 7h" == row_of(ann)

    run(scenario)


def test_behind_no_door_the_session_before_ends_and_waits_out_of_reach():
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        begins(before)
        ann = Walker(town, "ann", ANSI, {})
        ann.link.holder.may_redirect = False
        await ann.open("g2")
        await asyncio.sleep(1)
        assert ["g2"] == ann.visited and "logged in at another server" in before.text
        assert texts.SESSION_OUT_OF_REACH in await ann.types("attach")
        assert "detached" in await ann.types("sessions")
        again = Walker(town, "ann", ANSI, {})  # who logs in there has it
        again.link.holder.may_redirect = False
        await again.open("g1")
        assert ["g1"] == again.visited and BEGUN in again.text

    run(scenario)


@pytest.mark.parametrize("why", ["dead", "leaving"])
def test_nobody_goes_to_a_server_that_is_gone_or_leaves(why):
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        if why == "dead":
            await town.kill("g1")
        else:
            town.servers["g1"].app.mirror.begin_to_leave()
            await asyncio.sleep(1)
        ann = await town.come("g2", "ann")
        assert ["g2"] == ann.visited and "lobby>" == row_of(ann)
        assert before.link.is_open is (why == "dead")

    run(scenario)


def test_two_who_come_in_at_once_at_two_servers_end_as_one_session():
    async def scenario(town: Linked) -> None:
        one, other = Walker(town, "ann", ANSI, {}), Walker(town, "ann", ANSI, {})
        for walker, server in ((one, "g1"), (other, "g2")):
            walker.visited.append(server)
            town.servers[server].connect(walker.link, walker.proof)
        await asyncio.sleep(1)
        for walker in (one, other):
            await walker.walk()
        await asyncio.sleep(2)
        assert 1 == len(online(town, "ann"))
        assert one.link.is_open is not other.link.is_open

    run(scenario)


def test_an_account_that_is_erased_on_the_way_reads_so():
    async def scenario(town: Linked) -> None:
        await town.come("g1", "ann")
        ann = Walker(town, "ann", ANSI, {})
        ann.visited.append("g2")
        town.servers["g2"].connect(ann.link, ann.proof)
        await asyncio.sleep(1)
        accounts = town.servers["g1"].app.account_service
        accounts.present_person = lambda person_id: None  # type: ignore[method-assign]
        await ann.walk()
        assert "deleted" in ann.text and not ann.link.is_open

    run(scenario)


# -- what was left -----------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", ["detach", "drops"])
@pytest.mark.parametrize("way", ["ssh", "telnet"])
def test_what_was_left_on_another_server_is_taken_up_at_login(way, leaves):
    async def scenario(town: Linked) -> None:
        await town.set_password("ann")
        before = await town.come("g1", "ann", protocol=way)
        await before.types("who")
        if leaves == "detach":
            await before.types("detach")
        else:
            begins(before)
            await drop(before)
        assert [] == online(town, "ann")
        ann = await town.come("g2", "ann", protocol=way)
        assert ["g2", "g1"] == ann.visited
        if leaves == "drops":
            assert f"Your session goes on here; {BEGUN}" in ann.text
            assert "lobby> give 7h" == row_of(ann)
            begins(ann, b"\x15")
        begins(ann, b"\x1b[A")
        await asyncio.sleep(1)
        keys = row_of(ann)
        begins(ann, b"\x1b[A")
        await asyncio.sleep(1)
        assert "lobby> who" in (keys, row_of(ann))

    run(scenario)


def test_sessions_lists_what_waits_elsewhere_without_a_place():
    async def scenario(town: Linked) -> None:
        await leaves_a_line(town)
        await asyncio.sleep(720)
        ann = await town.come("g2", "ann")
        assert ["g2"] == ann.visited
        assert re.search(
            r"Your session from ssh \(since \S+, left 12 min\S* ago\) is kept", ann.text
        )
        await ann.types("no")
        listed = await ann.types("sessions")
        assert re.search(r"1 this one ssh since \S+ 2 detached ssh since \S+ left 12 min", listed)
        assert "g1" not in listed and "198.51" not in listed
        begins(ann, b"half a line\x15")
        taken = await ann.types("attach")
        assert ["g2", "g1"] == ann.visited and f"Your session goes on here; {BEGUN}" in taken
        begins(ann, b"\x15")
        assert "only session" in await ann.types("attach")
        assert "detached" not in await ann.types("sessions")

    run(scenario)


@pytest.mark.parametrize("terminal", [ANSI, READER, LINE_MODE], ids=["ansi", "reader", "lines"])
def test_yes_takes_it_up_elsewhere(terminal):
    async def scenario(town: Linked) -> None:
        await leaves_a_line(town)
        ann = await town.come("g2", "ann", terminal)
        said = await ann.types("yes")
        assert ["g2", "g1"] == ann.visited and "cancelled" not in said.lower()
        assert re.search('you had begun to type: "?give 7h', said)
        begins(ann, b"\x15" if terminal is not LINE_MODE else b"")
        assert "You are ann" in await ann.types("whoami")

    run(scenario)


def test_who_has_a_place_at_a_table_does_not_give_it_up_for_it():
    async def scenario(town: Linked) -> None:
        await leaves_a_line(town)
        ann = await town.come("g2", "ann")
        await ann.types("no")
        number = table_in(await ann.types("open words seats=4"))
        assert texts.LEAVE_TO_ATTACH.format(number) in await ann.types("attach")
        assert ["g2"] == ann.visited
        await ann.types("leave")
        assert BEGUN in await ann.types("attach")

    run(scenario)


def test_a_walk_for_it_that_fails_is_told_and_may_be_tried_again():
    async def scenario(town: Linked) -> None:
        await leaves_a_line(town)
        ann = await town.come("g2", "ann")
        await ann.types("no")
        ann.link.type("attach")
        await asyncio.sleep(1)
        assert ["g2"] == online(town, "ann")
        await ann.fail_to_walk()
        assert 1 == ann.text.count(texts.SESSION_NOT_REACHED)
        assert ["g2"] == online(town, "ann") and "lobby>" in row_of(ann)
        assert "detached" in await ann.types("sessions")
        assert BEGUN in await ann.types("attach")

    run(scenario)


def test_of_two_that_were_left_the_later_one_stays():
    async def scenario(town: Linked) -> None:
        await asks(town)
        before = await town.come("g1", "ann")
        begins(before, b"the first")
        await drop(before)
        ann = await town.come("g2", "ann")
        await ann.types("no")
        begins(ann, b"the second")
        await drop(ann)
        assert not len(town.servers["g1"].app.session_manager.detached)
        ann = await town.come("g1", "ann")
        assert ["g1"] == ann.visited
        assert "had begun to type: the second" in await ann.types("yes")
        assert ["g1", "g2"] == ann.visited
        assert not len(town.servers["g2"].app.session_manager.detached)

    run(scenario)


def test_a_session_that_goes_on_elsewhere_waits_nowhere():
    """Its door had lost the server, which lives."""

    async def scenario(town: Linked) -> None:
        ann = await town.come("g1", "ann")
        begins(ann)
        ann.link.handler.on_disconnect()
        await asyncio.sleep(1)
        assert len(town.servers["g1"].app.session_manager.detached)
        await ann.go_on_at("g2")
        await asyncio.sleep(1)
        assert not len(town.servers["g1"].app.session_manager.detached)
        assert "detached" not in await ann.types("sessions")

    run(scenario)


def test_what_was_lost_on_the_way_is_told_again_in_a_minute_and_forgotten():
    async def scenario(town: Linked) -> None:
        left = town.servers["g2"].app.directory.left
        before = await town.come("g1", "ann")
        person = before.link.session.person.id
        begins(before)
        town.deaf.add("g2")
        await drop(before)
        assert left.find(person) is None
        town.deaf.clear()
        await asyncio.sleep(61)
        assert "g1" == left.find(person).server
        town.deaf.add("g2")
        town.servers["g1"].app.session_manager.detached.forget(person)
        await asyncio.sleep(1)
        town.deaf.clear()
        assert left.find(person) is not None
        await asyncio.sleep(61)
        assert left.find(person) is None

    run(scenario)


def test_with_its_server_is_gone_what_was_left_there():
    async def scenario(town: Linked) -> None:
        before = await town.come("g1", "ann")
        begins(before)
        await drop(before)
        await town.kill("g1")
        ann = await town.come("g2", "ann")
        assert ["g2"] == ann.visited
        assert texts.NOTHING_TO_TAKE_UP in await ann.types("attach")

    run(scenario)


def test_nothing_of_what_was_left_is_told_to_the_other_servers():
    async def scenario(town: Linked) -> None:
        before, bob = await town.come("g1", "ann"), await town.come("g1", "bob")
        await bob.types("tell ann the moon is made of cheese")
        begins(before, b"a secret draft")
        town.told.clear()
        await drop(before)
        await asyncio.sleep(61)
        told = " ".join(town.told)
        assert '"left"' in told
        assert "secret" not in told and "cheese" not in told and "198.51" not in told

    run(scenario)
