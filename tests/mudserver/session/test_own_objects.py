"""What a program of protocol 2 asks about itself is data, as other lists are."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.session.programs import last, told, types
from tests.mudserver.session.test_json_schema import assert_valid
from tests.mudserver.session.test_program_lines import answers, line, program
from tests.simulation.server import SimServer

OWN = ("whoami", "account", "keys", "sanctions", "warnings", "staff", "terminal", "notify")


async def _asked(server: SimServer, name: str = "Ann") -> dict[str, list[dict[str, Any]]]:
    ann = program(server, name)
    await asyncio.sleep(0.1)
    return {text: await answers(ann, line(text)) for text in OWN}


def test_each_of_them_is_one_object_that_names_its_line():
    read = told(_asked)
    for text, objects in read.items():
        [data] = [each for each in objects if each["type"] == text]
        assert "a" == data["id"] and objects[-1]["ok"], text
        assert_valid(data, 2)
        beside = ["notice"] if text in ("whoami", "account") else []
        assert [text, *beside, "done"] == types(objects)
    who, account = last(read["whoami"], "whoami"), last(read["account"], "account")
    assert ("Ann", "program", None) == (who["name"], who["kind"], who["code"])
    assert who["person"] == account["person"] and who["session"]
    assert ("player", None) == (account["role"], account["deletion"])
    [key] = last(read["keys"], "keys")["keys"]
    assert (1, True) == (key["number"], key["fingerprint"].startswith("SHA256:"))
    assert [[], [], []] == [
        last(read[text], text)[text] for text in ("sanctions", "warnings", "staff")
    ]
    own = last(read["notify"], "notify")
    assert (None, 0, 0, "UTC", False) == (
        own["topic"], own["quiet_from"], own["quiet_to"], own["zone"], own["is_on"],
    )  # fmt: skip
    assert ["moves", "invitations", "results"] == own["events"]
    assert ("ssh", None) == tuple(
        last(read["terminal"], "terminal")[key] for key in ("connection", "display")
    )


def test_what_the_staff_has_done_is_data_for_whom_it_concerns_and_for_the_staff():
    async def scenario(server: SimServer) -> Any:
        await _asked(server)
        program(server, "Mia")
        await asyncio.sleep(0.1)
        app = server.app
        await app.moderation.set_role(CONSOLE, "mia", "moderator", "trusted")
        await app.moderation.warn(CONSOLE, "ann", "be polite")
        await app.sanctions.mute(CONSOLE, "ann", "1h", "insults // again")
        ann = await _asked(server)
        mia = await _asked(server, "Mia")
        again = await answers(program(server, "Ann"), line("warnings"))
        return ann, mia, again

    ann, mia, again = told(scenario)
    [own], [other] = (last(each["sanctions"], "sanctions")["sanctions"] for each in (ann, mia))
    assert ("mute", "Ann", "insults") == (own["kind"], own["target"], own["reason"])
    assert (None, None, None) == (own["by"], own["note"], own["report"])
    assert (own["number"], own["until"], "again") == (
        other["number"], other["until"], other["note"],
    )  # fmt: skip
    assert other["by"] is not None
    [warning] = last(ann["warnings"], "warnings")["warnings"]
    assert "be polite" == warning["reason"]
    assert [] == last(again, "warnings")["warnings"]
    assert [{"name": "Mia", "role": "moderator"}] == last(mia["staff"], "staff")["staff"]


def test_a_guest_reads_the_secret_code_of_the_own_seat_and_terminals_read_sentences_alone():
    async def scenario(server: SimServer) -> Any:
        guest = server.guest(is_program=True, json_protocol=2)
        await asyncio.sleep(0.1)
        before = await answers(guest, line("whoami"))
        await answers(guest, line("open elimination"))
        ann = server.person("Ann")
        await asyncio.sleep(0.1)
        ann.forget()
        ann.type("account")
        await asyncio.sleep(0.2)
        return before, await answers(guest, line("whoami")), ann.text

    before, seated, text = told(scenario)
    assert last(before, "whoami")["code"] is None
    code = last(seated, "whoami")["code"]
    assert code and any(code in each.get("text", "") for each in seated)
    assert "stays" in text and "UnixMillis" not in text and "p1" not in text


def test_protocol_1_reads_sentences_and_pages_as_before():
    async def scenario(server: SimServer) -> Any:
        ann = server.person("Ann", is_program=True)
        await asyncio.sleep(0.1)
        read = []
        for text in OWN:
            ann.forget()
            ann.type(text)
            await asyncio.sleep(0.2)
            read.append(types(ann.objects))
        return read

    assert [["notice"], ["notice"], *[["page"]] * 6] == told(scenario)
