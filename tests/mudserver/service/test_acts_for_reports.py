"""What staff who took a report do to the person whom it is about is noted as done for it."""

from __future__ import annotations

import asyncio
import json
import re

from mudserver.accounts.codec import decode as decode_account
from mudserver.moderation.codec import decode
from mudserver.service.moderation import Login
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.mudserver.service.test_relations import restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

PAUSE_S = 6.0  # longer than `people.changed_per_person_s`


def number_in(said: str) -> str:
    """`#18`, of the act that was done last."""
    return re.findall(r"#\d+", said)[-1]


def login_of(server: SimServer, name: str) -> Login:
    account = server.app.moderation.accounts.find(name)
    return Login(account.id, account.name, has_key=True, source="203.0.113.9")


async def acts(server: SimServer, about: str = "") -> list[tuple[str, int | None]]:
    """Verbs with the report of each, the oldest first."""
    found = await server.app.moderation.list_acts(CONSOLE, about)
    return [(it.data["verb"], it.data["report"]) for it in reversed(found)]


def test_acts_of_who_took_a_report_carry_its_number_until_it_is_decided():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, mia="moderator", moe="moderator", ann="player", cid="player")
        await says(here["ann"], "report cid insults")
        before = await says(here["mia"], "warn cid be polite", PAUSE_S)
        await says(here["mia"], "report take 1", PAUSE_S)
        for line in ("warn cid be polite", "mute cid 1h insults", "warn ann not you"):
            await says(here["mia"], line, PAUSE_S)
        await says(here["moe"], "warn cid also by me", PAUSE_S)
        listed = await says(here["mia"], "sanctions")
        decided = await says(here["mia"], "report decide 1 sanctioned enough", PAUSE_S)
        await says(here["mia"], "warn cid once more", PAUSE_S)
        of_report = await says(here["mia"], "audit report 1")
        server = await restarted(server)
        found = await acts(server), await acts(server, "report #1")
        answer = server.app.admin.answer
        person = await answer("person", {"name": "cid"}, 0)
        (mute,) = (await answer("sanctions", {}, 0))["sanctions"]
        report = await answer("report", {"number": 1}, 0)
        export = await server.app.service.export.document(person["id"])
        await server.stop()
        warnings = [it["report"] for it in person["warnings"]]
        return before, listed, decided, of_report, found, warnings, mute, report, export

    before, listed, decided, of_report, found, warnings, mute, report, export = virtual.run(
        scenario()
    )
    assert "cid is warned (#3)." in before
    number = mute["sanction"]
    assert f"#{number} mute cid until" in listed and "by mia (report 1): insults" in listed
    assert f"Report 1 is decided: sanctioned (#{number})." in decided
    assert f"mia: mute cid until {mute['until'][:10]}" in of_report
    assert 4 == of_report.count("mia: ")
    assert "warn cid (report 1): be polite" in of_report and "mia: report 1 take" in of_report
    every, of_one = found
    assert of_one == [("report", None), ("warn", 1), ("mute", 1), ("report", None)]
    assert [None, 1, None, None, None] == [of for verb, of in every if verb == "warn"]
    assert [None, 1, None, None] == warnings and 1 == mute["report"]
    assert f"sanctioned (#{number})" == report["state"]
    assert ("sanctioned", number) == (report["report"]["outcome"], report["report"]["sanction"])
    assert "report" not in {key for it in (*export["warnings"], *export["sanctions"]) for key in it}


def test_a_decision_names_what_is_in_force_and_was_made_after_the_report():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player", bob="player", cid="player")
        await says(here["mia"], "mute cid 1h long before", PAUSE_S)
        decided = []
        for line in (None, "unban #2 a mistake", "ban cid 1h without a take"):
            await says(here["ann"], "report cid insults", PAUSE_S)
            if line is not None:
                await says(here["mia"], line, PAUSE_S)
            number = len(decided) + 1
            decided.append(await says(here["mia"], f"report decide {number} sanctioned", PAUSE_S))
        await says(here["ann"], "report bob insults", PAUSE_S)
        await says(here["mia"], "report take 4", PAUSE_S)
        await says(here["mia"], "mute bob 1h insults", PAUSE_S)
        lenient = await says(here["mia"], "report decide 4 none it was a joke", PAUSE_S)
        return decided, lenient, [it.sanction for it in server.app.staff_streams.reports]

    (before, lifted, banned), lenient, kept = told(scenario)
    assert "Report 1 is decided: sanctioned." in before  # the mute is older than the report
    assert "Report 2 is decided: sanctioned." in lifted
    assert "Report 3 is decided: sanctioned (#" in banned
    assert "Report 4 is decided: none." in lenient
    assert [0, 0, 0] == [*kept[:2], kept[3]] and kept[2]


def test_a_decision_names_what_was_made_for_it_also_expired_but_not_lifted():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player", bob="player", cid="player")
        for number, name in ((1, "bob"), (2, "cid")):
            await says(here["ann"], f"report {name} insults", PAUSE_S)
            await says(here["mia"], f"report take {number}", PAUSE_S)
        await says(here["mia"], "mute bob 1h insults", PAUSE_S)
        kicked = await says(here["mia"], "kick bob insults", PAUSE_S)
        muted = await says(here["mia"], "mute cid 10m insults", PAUSE_S)
        await says(here["mia"], f"unban {number_in(muted)} a mistake", PAUSE_S)
        await asyncio.sleep(11 * 60)
        decided = [await says(here["mia"], "report decide 2 sanctioned", PAUSE_S)]
        await asyncio.sleep(60 * 60)
        await server.app.staff_sweep.run()
        decided.append(await says(here["mia"], "report decide 1 sanctioned", PAUSE_S))
        return decided, number_in(kicked)

    (lifted, expired), kick = told(scenario)
    assert "Report 2 is decided: sanctioned." in lifted
    assert f"Report 1 is decided: sanctioned ({kick})." in expired


def test_who_is_reported_reads_of_it_neither_in_the_audit_nor_in_sanctions_also_when_it_is_gone():
    """A report about staff is for higher roles alone, and so is the note of its decision."""

    async def scenario(server):
        people = {"ola": "owner", "mia": "moderator", "moe": "moderator", "bob": "player"}
        here = await cast(server, **people)
        await says(here["bob"], "report mia unfair")
        for line in ("report take 1", "warn mia be fair", "mute mia 1h insults",
                     "report decide 1 sanctioned bob was right"):  # fmt: skip
            await says(here["ola"], line, PAUSE_S)
        lines = "audit", "audit report 1", "audit report", "sanctions", "audit mia"
        read = {name: [await says(here[name], it, PAUSE_S) for it in lines] for name in people}
        mias = await server.app.moderation.list_acts(login_of(server, "mia"), "warn")
        server.app.staff_streams.reports.forget(1)
        gone = {name: [await says(here[name], it, PAUSE_S) for it in lines] for name in people}
        return read, gone, mias

    read, gone, mias = told(scenario)
    for each in (read, gone):
        for name in ("mia", "moe"):
            assert "report 1" not in " ".join(each[name]).replace("audit report 1", "")
            assert "bob was right" not in " ".join(each[name])
            every, of_one, _, sanctions, about = each[name]
            assert "ola: warn mia: be fair" in every and "ola: warn mia: be fair" in about
            assert "none" in of_one and "mute mia" in sanctions
        every, of_one, of_verb, sanctions, _ = each["ola"]
        assert "warn mia (report 1): be fair" in every and "warn mia (report 1)" in of_one
        assert "report 1 decide sanctioned: bob was right" in of_one
        assert "report 1 take" in of_verb and "by ola (report 1): insults" in sanctions
    assert [None] == [it.data["report"] for it in mias]


def test_a_report_about_a_guest_is_that_of_the_account_which_the_guest_opens():
    async def scenario(server):
        here = await cast(server, mia="moderator", ann="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        await says(here["ann"], "report guest1 insults")
        await says(here["mia"], "report take 1", PAUSE_S)
        await says(here["mia"], "mute guest1 1h insults", PAUSE_S)
        for line in ("register cid", "correct horse battery", "correct horse battery"):
            await says(guest, line)
        await says(here["mia"], "warn cid be polite", PAUSE_S)
        decided = await says(here["mia"], "report decide 1 sanctioned", PAUSE_S)
        return decided, await acts(server), {it.report for it in server.app.staff_streams.sanctions}

    decided, found, reports = told(scenario)
    assert "sanctioned (#" in decided and {1} == reports  # the mute that went over has it, too
    assert ("mute", 1) in found and ("warn", 1) in found


def test_records_of_older_servers_name_no_report_and_no_sanction():
    sanction = {"type": "set", "kind": "mute", "target_kind": "account", "target": "p2",
                "until_ms": None, "reason": "r", "by": "p1", "by_role": "owner",
                "at_ms": 1}  # fmt: skip
    act = {"type": "act", "id": 1, "by": "p1", "role": "owner", "verb": "mute", "target": "p2",
           "arguments": "", "reason": "r", "outcome": "done", "at_ms": 1}  # fmt: skip
    decided = {"type": "decided", "by": "p1", "outcome": "sanctioned", "note": "", "at_ms": 1}
    read = decode(json.dumps([sanction, act, decided]).encode())
    assert (0, 0, 0) == (read[0].report, read[1].report, read[2].sanction)  # type: ignore[attr-defined]
    warned = {"type": "warned", "id": "p2", "number": 1, "reason": "r", "by": "p1", "at_ms": 1}
    (event,) = decode_account(json.dumps([warned]).encode())
    assert 0 == event.report  # type: ignore[attr-defined]
