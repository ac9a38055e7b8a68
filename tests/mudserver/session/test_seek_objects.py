"""What programs of protocol 2 read of offered games, and how they take one."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.mudserver.session.programs import last, told, types
from tests.mudserver.session.test_json_schema import assert_valid
from tests.mudserver.session.test_program_lines import answers, line, program
from tests.simulation.server import SimServer


def test_an_offer_its_end_and_the_list_are_objects():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server, "Ann"), program(server, "Bob")
        await asyncio.sleep(0.1)
        bob.forget()
        own = await answers(ann, line("seek words short rated"))
        seen = bob.objects
        listed = await answers(bob, line("seeks", "b"))
        taken = await answers(bob, line("accept 1", "c"))
        return own, seen, listed, taken, ann.objects, await answers(bob, line("accept 1", "d"))

    own, seen, listed, taken, ann, late = told(scenario)
    for objects in (own, seen, listed, taken, ann):
        for each in objects:
            assert_valid(each, 2)
    seek = last(seen, "seek")
    assert last(own, "seek") == seek and own[-1]["ok"]
    keys = ("seek", "name", "variant", "rated")
    assert (1, "Ann", "words", True) == tuple(seek[it] for it in keys)
    assert ("short", "accounts", "on") == tuple(
        seek["options"][it] for it in ("preset", "who", "programs")
    )
    [row] = last(listed, "seeks")["seeks"]
    assert row == {key: value for key, value in seek.items() if key != "type"}
    assert "b" == last(listed, "seeks")["id"]
    assert taken[-1] == {"type": "done", "id": "c", "ok": True, "code": None} or taken[-1]["ok"]
    assert {"type": "seek_gone", "seek": 1} in ann and {"type": "seek_gone", "seek": 1} in taken
    assert 1 == last(taken, "place")["table"] == last(ann, "place")["table"]
    assert "expired" == last(late, "refused")["code"] and not late[-1]["ok"]


def test_a_program_at_a_table_reads_the_same_objects_if_it_wants_to():
    async def scenario(server: SimServer) -> Any:
        ann, bob, cid = program(server, "Ann"), server.person("Bob"), program(server, "Cid")
        await asyncio.sleep(0.1)
        for each in (ann, cid):
            await answers(each, line("open elimination"))
        await answers(ann, line("notify seeks words"))
        cid.forget()
        for typed in ("seek words", "seek words short", "seek stockpile", "seek off"):
            await asyncio.sleep(0.1 if typed != "seek off" else 61)
            bob.type(typed)
        await asyncio.sleep(0.1)
        return ann.objects, cid.objects

    ann, cid = told(scenario)
    about = [it for it in ann if it["type"] in ("seek", "seek_gone")]
    assert [("seek", 1), ("seek", 2), ("seek_gone", 1), ("seek_gone", 2)] == [
        (it["type"], it["seek"]) for it in about
    ]
    for each in about:
        assert_valid(each, 2)
    assert not {"seek", "seek_gone"} & set(types(cid))


def test_a_program_that_wants_no_programs_contradicts_itself_and_others_can_keep_it_out():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server, "Ann"), server.person("Bob")
        await asyncio.sleep(0.1)
        first = await answers(ann, line("seek words programs=off"))
        bob.type("seek words programs=off")
        await asyncio.sleep(0.1)
        return first, await answers(ann, line("accept 1"))

    first, second = told(scenario)
    assert "programs=off doesn't fit" in last(first, "refused")["text"]
    assert "Offer 1 takes no programs." == last(second, "refused")["text"]


def test_protocol_1_reads_sentences_and_pages():
    async def scenario(server: SimServer) -> Any:
        ann, bob = server.person("Ann", is_program=True), server.person("Bob")
        await asyncio.sleep(0.1)
        ann.forget()
        bob.type("seek words")
        await asyncio.sleep(0.1)
        ann.type("seeks")
        await asyncio.sleep(0.2)
        read = types(ann.objects)
        bob.type("seek off")
        await asyncio.sleep(0.1)
        return read, types(ann.objects)

    assert (["announced", "page"],) * 2 == told(scenario)


def test_a_match_is_an_invitation_object():
    async def scenario(server: SimServer) -> Any:
        ann, bob = program(server, "Ann"), program(server, "Bob")
        await asyncio.sleep(0.1)
        bob.forget()
        own = await answers(ann, line("match bob words short"))
        return own, bob.objects

    own, bob = told(scenario)
    invitation = last(bob, "invitation")
    assert ("Ann", "words", "invited", "short") == (
        invitation["by"], invitation["variant"],
        *(invitation["options"][it] for it in ("who", "preset")),
    )  # fmt: skip
    assert own[-1]["ok"] and 1 == last(own, "place")["table"]
