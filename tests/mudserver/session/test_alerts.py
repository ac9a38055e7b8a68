"""How games by correspondence call somebody: a bell, the title of the window, OSC 9."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.accounts.preferences import check_preference
from mudserver.errors import UserError
from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import ANSI, Seatholder, SimServer, new_world

XTERM = replace(ANSI, name="xterm-256color")
CALL = b"\x1b]9;It is your move at table 1 (elimination); 24 h.\x07"


def titles(heard: bytes) -> list[str]:
    return [found.decode() for found in re.findall(rb"\x1b\]2;(.*?)\x1b\\", heard)]


def alerted(alert: str, terminal: Terminal, *settings: str) -> tuple[bytes, bytes, bytes]:
    """Ann has the first move, then Bob, who is in the lobby.  What Bob's terminal is sent before
    that, from then on, and while he goes there and plays."""

    async def scenario() -> tuple[bytes, bytes, bytes]:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann", XTERM), server.person("Bob", terminal)

        async def types(who: Seatholder, *lines: str) -> None:
            for line in lines:
                who.type(line)
                await asyncio.sleep(3)

        await asyncio.sleep(1)
        await types(bob, "set warnings off", f"set alert {alert}", *settings)
        await types(ann, "open elimination correspondence seats=2")
        await types(bob, "sit 1", "ready", "lobby")
        marks = [len(bob.link.heard)]
        await types(ann, "start")
        ids = {it: server.app.account_service.person_named(it).id for it in ("Ann", "Bob")}
        table = server.app.table_manager.lists.find(1)
        assert table is not None
        while not table.question_of(ids["Bob"]):
            await types(ann, _move_of(server, ids["Ann"]))
        marks.append(len(bob.link.heard))
        await types(bob, "go")
        while table.question_of(ids["Bob"]):
            await types(bob, _move_of(server, ids["Bob"]))
        heard = bob.link.heard
        return heard[: marks[0]], heard[marks[0] : marks[1]], heard[marks[1] :]

    return virtual.run(scenario())


def _move_of(server: SimServer, person: str) -> str:
    options = server.app.table_manager.turn_options(person)
    assert options is not None
    return options.moves[0]


@pytest.mark.parametrize(
    ("alert", "bells", "calls"),
    [("bell", 1, 0), ("osc9", 0, 1), ("osc9 bell", 1, 1), ("off", 0, 0), ("title", 0, 0)],
)
def test_a_move_elsewhere_calls_as_the_person_has_chosen(alert, bells, calls):
    _, told, _ = alerted(alert, XTERM)
    assert b"It is your move at table 1 (elimination), 24 h left." in told
    assert calls == told.count(CALL)
    assert bells == told.replace(CALL, b"").count(b"\a")


def test_the_title_says_how_many_games_wait_and_the_place_again_when_none_does():
    before, told, after = alerted("title", XTERM)
    assert "(1) Lockdown" not in titles(before)
    assert ["(1) Lockdown"] == titles(told)
    assert "Lockdown: table 1" == titles(after)[-1]


def test_the_title_is_given_back_where_it_says_nothing_else():
    _, told, after = alerted("title", XTERM, "set title off")
    assert ["(1) Lockdown"] == titles(told) and [] == titles(after)
    assert after.count(b"\x1b[23;2t") == 1


@pytest.mark.parametrize("name", ["linux", "vt100"])
def test_a_terminal_that_is_not_known_to_take_a_title_gets_none(name):
    assert [] == titles(b"".join(alerted("title,osc9", replace(XTERM, name=name))))


def test_a_screen_reader_hears_a_bell_and_is_sent_no_sequence():
    heard = b"".join(alerted("bell,title,osc9", XTERM, "screenreader on")[1:])
    assert b"\x1b]" not in heard and b"\a" in heard


def test_a_terminal_that_cannot_erase_is_sent_no_sequence():
    plain = replace(XTERM, name="dumb", is_ansi=False)
    assert b"\x1b]" not in b"".join(alerted("title,osc9", plain))


def test_no_bell_at_all_is_no_bell_for_this_either():
    assert b"\a" not in alerted("bell", XTERM, "set bell off")[1]


def test_several_ways_are_stored_in_one_order():
    for typed in ("title,bell", "TITLE  bell", "bell, title,"):
        assert ("alert", "bell,title") == check_preference("alert", typed)
    assert ("alert", "off") == check_preference("alert", "off")
    for wrong in ("loud", "bell,off", ",", "osc"):
        with pytest.raises(UserError, match="bell, title, osc9, bell,title or off"):
            check_preference("alert", wrong)
