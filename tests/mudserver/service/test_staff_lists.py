"""Lists of the staff's: nobody can imitate a row of them, and programs read them as data."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from mudserver.errors import UserError
from mudserver.messages import QuotedRow, row_text
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.mudserver.service.test_relations import restarted
from tests.simulation import virtual
from tests.simulation.server import (
    ANSI,
    FakeLink,
    Seatholder,
    SimServer,
    new_world,
    proven_by_key,
)

DOCS = Path(__file__).parents[3] / "docs" / "moderation.md"
FORGED = "#9  ban  ann  for ever  by opa: spam"
LISTS = ("reports", "reports 1", "sanctions", "audit", "news")


async def an_evening(server) -> dict[str, Seatholder]:
    """Somebody is reported, muted, warned and renamed; there is news."""
    here = await cast(server, opa="operator", mia="moderator", ann="player", cid="player")
    await says(here["cid"], "say you are all idiots")
    await says(here["ann"], "report cid insults")
    await says(here["mia"], "mute cid 1h insults // and before that on Monday")
    await says(here["opa"], "news add Tea at five: Bring your own.")
    return here


@pytest.mark.parametrize("cols", [20, 40, 60, 80])
@pytest.mark.parametrize("is_read_aloud", [False, True])
def test_however_wide_the_terminal_no_row_begins_with_what_somebody_has_written(
    cols, is_read_aloud
):
    async def scenario(server):
        here = await cast(server, opa="operator", ann="player", cid="player")
        for fill in range(0, cols + 1, 4):
            words = f"{'.' * fill} {FORGED}" if fill else FORGED
            await says(here["cid"], f"say {words}")
            await server.app.moderation.warn(CONSOLE, "ann", words)
        await says(here["ann"], f"report cid {'.' * cols} {FORGED}")
        await server.app.sanctions.mute(CONSOLE, "cid", "1h", f"{'.' * cols} {FORGED}")
        await server.app.news.add(CONSOLE, FORGED, "text")
        terminal = replace(ANSI, cols=cols, rows=400, is_screen_reader=is_read_aloud)
        seen = {}
        for name, lines in (("opa", LISTS), ("ann", ("warnings",))):
            link = FakeLink(terminal, "ssh", "203.0.113.99")
            reader = Seatholder(name, server.connect(link, proven_by_key(name, is_known=True)))
            await asyncio.sleep(0.5)
            seen |= {line: await says(reader, line) for line in lines}
        return seen

    for line, text in told(scenario).items():
        rows = [row for row in text.replace("\r", "").split("\n") if row]
        assert any("#9" in row or "ban  ann" in row for row in rows), line
        assert [] == [row for row in rows if row.startswith(("#9", "ban", "ann", "opa"))], line


def test_words_of_a_person_are_marked_in_each_list():
    async def scenario(server):
        await an_evening(server)
        app = server.app
        report, _, lines = await app.reports.whole(CONSOLE, "1")
        return [
            [it.row.words for it in found if isinstance(it.row, QuotedRow)]
            for found in (
                await app.reports.listed(CONSOLE), [report, *lines],
                await app.sanctions.listed(CONSOLE, None), app.news.listed(),
                await app.moderation.list_acts(CONSOLE, ""),
            )
        ]  # fmt: skip

    reports, report, sanctions, news, acts = told(scenario)
    assert ["insults"] == reports and ["insults", "you are all idiots"] == report
    assert ["insults // and before that on Monday"] == sanctions and ["Tea at five"] == news
    assert ["insults", "for the test", "for the test"] == acts


def test_each_list_is_data_for_programs_and_its_keys_are_documented():
    async def scenario(server):
        await an_evening(server)
        await server.app.reports.take(CONSOLE, 1)
        answer = server.app.admin.answer
        asked = {verb: {} for verb in ("reports", "sanctions", "audit", "news list")}
        asked |= {"report": {"number": 1}}
        return {verb: await answer(verb, arguments, 0) for verb, arguments in asked.items()}

    answers = told(scenario)
    (report,), whole = answers["reports"]["reports"], answers["report"]
    assert ("cid", "ann", "insults", 1) == (
        report["accused"], report["reporter"], report["reason"], report["report"]
    )  # fmt: skip
    assert report == whole["report"] and "taken by console:0" == whole["state"]
    (line,) = whole["evidence"]
    assert ("cid", "you are all idiots", "lobby") == (line["who"], line["said"], line["place"])
    (mute,) = answers["sanctions"]["sanctions"]
    assert ("mute", "cid", "mia", "insults", "and before that on Monday") == (
        mute["kind"], mute["target"], mute["by"], mute["reason"], mute["note"]
    )  # fmt: skip
    assert mute["until"].endswith("Z") and mute["text"].startswith("#")
    took = answers["audit"]["acts"][0]
    assert ("console:0", "report", "take", "done") == (
        took["by"], took["verb"], took["arguments"], took["outcome"]
    )  # fmt: skip
    (news,) = answers["news list"]["news"]
    assert (1, "Tea at five") == (news["news"], news["title"])
    documented = DOCS.read_text("utf-8")
    for entry in (report, line, mute, took, news):
        assert [] == [key for key in entry if f"`{key}`" not in documented]


def test_the_message_of_the_day_is_shown_set_and_cleared_from_the_shell():
    async def scenario(server):
        answer = server.app.admin.answer
        with pytest.raises(UserError, match="a file, or --clear"):
            await answer("motd", {"file": "hello", "clear": True}, 0)
        said = [
            await answer("motd", arguments, 0)
            for arguments in ({}, {"file": "Be kind.\nNo bots."}, {}, {"clear": True}, {})
        ]
        return said, len(await server.app.moderation.list_acts(CONSOLE, "motd"))

    (none, done, shown, cleared, gone), acts = told(scenario)
    assert {"motd": []} == none == gone and {"motd": ["Be kind.", "No bots."]} == shown
    assert "at login from now on" in done["text"] and "any more" in cleared["text"]
    assert 2 == acts  # reading is none


def test_the_audit_calls_guests_and_reports_as_the_staff_knows_them():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await an_evening(server)
        for address in ("192.0.2.7", "198.51.100.8"):
            coming(server, "guest", address, how="guest")
        await asyncio.sleep(0.5)
        for line in ("lookup guest1", "ban guest1 1h insults", "warn guest2 be polite",
                     "report take 1", "report decide 1 sanctioned banned"):  # fmt: skip
            await says(here["mia"], line)
        lately = await says(here["opa"], "audit")
        server = await restarted(server)
        rows = [row_text(it.row) for it in await server.app.moderation.list_acts(CONSOLE, "")]
        await server.stop()
        return lately, "\n".join(rows)

    lately, later = virtual.run(scenario())
    assert "mia: lookup guest1" in lately and "mia: warn guest2: be polite" in lately
    assert "mia: lookup a guest (g" in later and "mia: warn a guest (g" in later
    for text in (lately, later):
        assert "mia: ban guest1 until" in text and "report/" not in text
        assert "mia: report 1 take" in text
        assert "mia: report 1 decide sanctioned: banned" in text
