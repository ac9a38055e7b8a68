"""Settings as they are felt at a terminal, and where each comes from."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.clock import format_time_in_zone
from mudserver.session.render_profile import fit_prompt, render_profile
from mudserver.transport.link import Terminal
from mudserver.ui.terminal_profile import TerminalProfile
from tests.simulation import virtual
from tests.simulation.server import ANSI, WALL_MS, Seatholder, SimServer, new_world

NOON = 1_800_014_400_000  # 2027-01-15, 12:00 UTC
DUMB = Terminal()


def told(scenario):
    async def whole():
        return await scenario(await SimServer(new_world(1)).open())

    return virtual.run(whole())


async def answer(person: Seatholder, line: str) -> str:
    """What is said to a line, in one row."""
    person.forget()
    person.type(line)
    await asyncio.sleep(0.2)
    return " ".join(person.text.split())


async def come(server: SimServer, name: str, terminal: Terminal = ANSI) -> Seatholder:
    person = server.person(name, terminal)
    await asyncio.sleep(0.5)
    person.forget()
    return person


def test_set_says_where_a_value_comes_from():
    async def scenario(server: SimServer):
        ann = await come(server, "ann")
        await answer(ann, "set bell off")
        return await answer(ann, "set"), await answer(ann, "set bell"), await answer(ann, "set col")

    page, bell, colour = told(scenario)
    for row in (
        r"width 80\s+columns to write in: auto or 40 to 300 \(this terminal\)",
        r"colour 256\s+how many colours to use \(this terminal\)",
        r"bell off\s+ring when it is your turn \(your account\)",
        r"theme default\s+which colours to use \(default\)",
        r"pager on\s+pause long pages \(this terminal\)",
    ):
        assert re.search(row.replace(" ", r"\s+"), page), row
    assert "bell is off (your account): ring when it is your turn." in bell
    assert "colour is 256 (this terminal): how many colours to use." in colour


def test_settings_stay_with_the_account_on_every_terminal_and_over_a_restart():
    async def scenario(server: SimServer):
        ann = await come(server, "ann")
        for line in ("set colour 16", "set timezone berlin", "set prompt {table} {turn} {time}"):
            await answer(ann, line)
        await server.die()
        again = await SimServer(server.world).open()
        ann = await come(again, "ann", DUMB)
        return [await answer(ann, f"set {key}") for key in ("colour", "timezone", "prompt")]

    colour, zone, template = told(scenario)
    assert "colour is 16 (your account)" in colour
    assert "timezone is Europe/Berlin (your account)" in zone
    assert "prompt is {table} {turn} {time} (your account)" in template


def test_default_goes_back_to_what_the_terminal_says():
    async def scenario(server: SimServer):
        ann = await come(server, "ann")
        said = [await answer(ann, f"set colour {value}") for value in ("off", "default")]
        said.append(await answer(ann, "set timestamps default"))
        again = await come(server, "ann", DUMB)
        return [*said, await answer(again, "set colour")]

    off, back, stamps, later = told(scenario)
    assert "colour: off." in off
    assert "colour: 256 (default)." in back
    assert "timestamps: off (default)." in stamps
    assert "colour is off (this terminal)" in later


def test_what_the_account_has_wins_over_what_the_terminal_says_and_only_there():
    """NO_COLOR is colours off (`transport/terminal.py`)."""
    without = replace(ANSI, colours="off")

    async def scenario(server: SimServer):
        ann = await come(server, "ann", without)
        before = await answer(ann, "set colour")
        await answer(ann, "set colour 16")
        return before, await answer(await come(server, "ann", without), "set colour")

    before, after = told(scenario)
    assert "colour is off (this terminal)" in before
    assert "colour is 16 (your account)" in after


def test_a_guest_s_settings_are_of_this_visit():
    async def scenario(server: SimServer):
        guest = server.guest()
        await asyncio.sleep(0.5)
        await answer(guest, "set width 50")
        said = await answer(guest, "set width")
        return said, await answer(guest, "set width default")

    said, back = told(scenario)
    assert "width is 50 (this session)" in said
    assert "width: 80 (default)." in back


def test_timestamps_are_the_reader_s_own_time_before_talk_and_events():
    async def scenario(server: SimServer):
        ann, bob = await come(server, "ann"), await come(server, "bob")
        for line in ("set timestamps on", "set timezone Asia/Tokyo"):
            await answer(ann, line)
        bob.forget()
        ann.forget()
        bob.type("say hello")
        await asyncio.sleep(0.2)
        bob.type("tell ann psst")
        await asyncio.sleep(0.2)
        bob.type("open elimination pace=instant")
        await asyncio.sleep(0.2)
        heard = ann.text
        told_ = await answer(ann, "who")
        for line in ("watch 1", "set timezone default"):
            await answer(ann, line)
        ann.forget()
        for line in ("bot", "start"):
            bob.type(line)
            await asyncio.sleep(0.2)
        return heard, bob.text, told_, ann.text, await answer(ann, "history")

    heard, bob, page, game, history = told(scenario)
    at = format_time_in_zone(WALL_MS, "Asia/Tokyo")
    assert "17:00" == at
    assert f"{at} bob: hello" in heard
    assert f"{at} bob tells you: psst" in heard
    assert f"{at} -- bob" in heard
    assert at not in bob
    assert at not in page
    assert "08:00 A game begins with 54 cards." in game
    assert "A game begins with 54 cards." in history
    assert "08:00" not in history  # that is when it is told again, not when it was


def test_a_time_zone_that_the_machine_has_lost_is_utc():
    assert (
        "12:00" == format_time_in_zone(NOON, "UTC") == format_time_in_zone(NOON, "Europe/Atlantis")
    )
    assert "13:00" == format_time_in_zone(NOON, "Europe/Berlin")
    assert "12:00" == format_time_in_zone(NOON, "../../../etc/passwd")


@pytest.mark.parametrize("cols", [20, 24, 30, 40, 80])
@pytest.mark.parametrize(
    "template", ["full", "short", "{turn} somewhere at {table}, and it is {time}"]
)
def test_no_prompt_hides_that_one_is_asked(cols, template):
    values = {"prompt": template, "timezone": "UTC"}
    shown = fit_prompt(
        values.__getitem__, TerminalProfile(cols=cols), "table 123", "your turn", NOON
    )
    assert "your turn" in shown
    assert shown.endswith("> ")
    if cols >= 24:
        assert len(shown) <= cols - 9


def test_readers_of_one_look_are_one_object_and_of_another_zone_are_not():
    def reader(**values: str):
        defaults = {"width": "auto", "colour": "auto", "charset": "auto", "bell": "on"}
        defaults |= {"screenreader": "auto", "suits": "auto", "theme": "default"}
        settings = {**defaults, "timestamps": "off", "timezone": "UTC", **values}
        return render_profile(ANSI, settings.__getitem__)

    assert reader() is reader(bell="off") is reader(timezone="Asia/Tokyo")
    assert reader(timestamps="on") is not reader()
    assert reader(timestamps="on") is not reader(timestamps="on", timezone="Asia/Tokyo")
    assert reader(theme="mono") is not reader()


@pytest.mark.parametrize(
    ("charset", "suits", "shown"),
    [
        ("utf-8", "auto", "symbols"),
        ("cp437", "auto", "letters"),
        ("ascii", "symbols", "letters"),  # else the letter would stand there twice
        ("utf-8", "letters", "letters"),
    ],
)
def test_symbols_stand_only_where_they_can(charset, suits, shown):
    settings = {"width": "auto", "colour": "auto", "charset": charset, "bell": "on"}
    settings |= {"screenreader": "auto", "suits": suits, "theme": "default"}
    settings |= {"timestamps": "off", "timezone": "UTC"}
    assert shown == render_profile(ANSI, settings.__getitem__).style.suits


def test_cp437_is_spoken_both_ways():
    async def scenario(server: SimServer):
        terminal = replace(ANSI, charset="cp437")
        ann, bob = await come(server, "ann", terminal), await come(server, "bob")
        ann.press("say Grüße ½ ░".encode("cp437") + b"\r")
        await asyncio.sleep(0.2)
        heard = bob.text
        ann.forget()
        bob.type("say Übel É ♥ ¢")
        await asyncio.sleep(0.2)
        return heard, ann.link.heard.decode("cp437")

    heard, sent = told(scenario)
    assert "ann: Grüße ½ ░" in heard
    assert "Übel E H ?" in sent


def test_tab_completes_settings_and_their_values():
    async def scenario(server: SimServer):
        ann = await come(server, "ann")
        for typed in (b"set timez\t", b"Europe/Berl\t", b"\r"):
            ann.press(typed)
            await asyncio.sleep(0.1)
        return await answer(ann, "set timezone")

    assert "timezone is Europe/Berlin (your account)" in told(scenario)
