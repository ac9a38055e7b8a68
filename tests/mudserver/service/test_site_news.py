"""The message of the day and the news: shown at login, kept, and bounded."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import UserError
from mudserver.messages import row_text
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


def test_everybody_reads_the_message_of_the_day_at_login_until_it_is_cleared():
    async def scenario(server):
        here = await cast(server, opa="operator", ann="player")
        none = await says(here["ann"], "motd")
        done = await says(here["opa"], "motd set No bots on Friday.")
        guest = coming(server, "guest", "192.0.2.9", how="guest")
        await asyncio.sleep(0.5)
        again = await says(here["ann"], "motd")
        cleared = await says(here["opa"], "motd clear")
        later = coming(server, "guest", "192.0.2.9", how="guest")
        await asyncio.sleep(0.5)
        return none, done, guest.text, again, cleared, later.text

    none, done, guest, again, cleared, later = told(scenario)
    assert "There is no message of the day." in none and "at login from now on" in done
    assert "Message of the day\n    | No bots on Friday." in guest.replace("\r", "")
    assert "No bots on Friday." in again
    assert "no message of the day any more" in cleared and "Friday" not in later


def test_an_account_is_told_of_what_it_has_not_read_and_only_of_what_came_since():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await server.app.news.add(CONSOLE, "Before", "anybody was here")
        await asyncio.sleep(1)
        here = await cast(server, opa="operator", ann="player")
        await says(here["opa"], "news add Tournament: It begins on Sunday.")
        first = await says(coming(server, "ann", "203.0.113.9"), "whoami")
        await server.stop()
        server = await SimServer(server.world, server.clock.now_ms()).open()
        ann = coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        told_at_login = ann.text
        listed, shown = await says(ann, "news"), await says(ann, "news 2")
        removed = await says(coming(server, "opa", "203.0.113.8"), "news remove 1")
        gone = await says(ann, "news 1")
        back = coming(server, "ann", "203.0.113.9")
        await asyncio.sleep(0.5)
        await server.stop()
        return first, told_at_login, listed, shown, removed, gone, back.text

    _, told_at_login, listed, shown, removed, gone, back = virtual.run(scenario())
    assert "1 piece of news you have not read: news" in told_at_login
    assert "Tournament" in listed and "Before" in listed
    assert "Tournament" in shown and "| It begins on Sunday." in shown
    assert "News 1 is gone." in removed and "There is no news 1." in gone
    assert "you have not read" not in back


@pytest.mark.parametrize("line", ["motd set hello", "motd clear", "news add A: b", "news remove 1"])
def test_only_operators_write_them(line):
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        return await says(here["mia"], line), await says(here["ann"], line)

    assert all("Only operators can use" in said for said in told(scenario))


def test_what_is_too_long_or_has_no_title_changes_nothing():
    async def scenario(server):
        news = server.app.news
        for text in ("x" * 2_049, "row\n" * 21):
            with pytest.raises(UserError, match="too long"):
                await news.set_motd(CONSOLE, text)
        for title, text in (("", "text"), ("A title", " "), ("x" * 61, "text")):
            with pytest.raises(UserError, match="news add TITLE"):
                await news.add(CONSOLE, title, text)
        for number in range(52):
            await news.add(CONSOLE, f"Number {number}", "\x1b[2Jrow")
        return news.motd(), [row_text(it.row) for it in news.listed()], news.item(52).rows

    motd, rows, last = told(scenario)
    assert motd is None and len(rows) == 50 and rows[0].startswith("52\t")
    assert "\x1b" not in last[0]
