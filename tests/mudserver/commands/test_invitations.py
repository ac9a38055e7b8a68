"""Invitations and private tables as people type them."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


def told(*lines: str, people: str = "Ann Bob Cid", guests: str = "") -> dict[str, str]:
    """Type *lines* (`Ann> tables`, `4 s`); what everybody has read, by name, in one line."""

    async def scenario() -> dict[str, str]:
        server = await SimServer(new_world(1)).open()
        here = {name: server.person(name) for name in people.split()}
        here |= {name: server.guest() for name in guests.split()}
        await asyncio.sleep(0.5)
        for line in lines:
            who, typed, text = line.partition("> ")
            if not typed:
                await asyncio.sleep(float(line.removesuffix(" s")))
                continue
            if "CODE" in text:
                text = text.replace(
                    "CODE", re.findall(r"sit ([a-z2-9]{8})\b", here["Ann"].text)[-1]
                )
            here[who].type(text)
            await asyncio.sleep(0.3)
        return {name: " ".join(person.text.split()) for name, person in here.items()}

    result: Any = virtual.run(scenario())
    return result


def test_no_list_says_what_is_played_at_a_private_table():
    read = told("Ann> open elimination code=on", "Bob> tables words rated open")
    assert "1 private table" in read["Bob"]


def test_two_people_meet_at_a_private_table_by_its_code():
    read = told(
        "Ann> open elimination code=on", "Bob> sit 1", "Bob> tables", "Bob> sit abcdefgh",
        "Bob> sit CODE", "Cid> watch 1 CODE", "Bob> ready", "Ann> start",
    )  # fmt: skip
    assert "opened table 1" not in read["Cid"]
    assert "Table 1 is private. With its code: sit 1 CODE" in read["Bob"]
    assert "1 private table" in read["Bob"] and "waiting" not in read["Bob"]
    assert "No table has this code." in read["Bob"]
    assert (
        "The game starts: elimination." in read["Bob"]
        and "The game starts: elimination." in read["Cid"]
    )


def test_many_wrong_codes_of_a_source_are_not_looked_at_any_more():
    read = told(
        "Ann> open elimination code=on",
        *["Bob> sit abcdefgh"] * 12,
        "Bob> sit CODE",
        "60 s",
        "Bob> sit CODE",
    )
    before, _, after = read["Bob"].partition("Too many wrong codes.")
    assert before.count("No table has this code.") == 12
    assert "Bob joined the table" in after


def test_who_is_invited_accepts_from_the_lobby():
    read = told(
        "Ann> open elimination who=invited", "Bob> sit 1", "Ann> invite bob cid", "4 s",
        "Bob> accept", "Cid> decline ann",
    )  # fmt: skip
    assert "Table 1 is for people who were invited." in read["Bob"]
    assert "Ann invites you to table 1 (elimination). Type accept Ann, or decline" in read["Bob"]
    assert "Bob joined the table." in read["Ann"]
    assert "Cid declines the invitation." in read["Ann"]
    assert "You decline Ann's invitation." in read["Cid"]


def test_nobody_agrees_to_what_has_just_come():
    read = told("Ann> open elimination", "Ann> invite cid", "Cid> accept", "Cid> accept ann")
    assert "Ann invites you to table 1 (elimination). Type accept Ann table" not in read["Cid"]
    assert read["Cid"].count("Ann invites you to table 1 (elimination).") == 2
    assert "Cid joined the table." in read["Ann"]


def test_with_several_invitations_one_is_named():
    read = told(
        "Ann> open elimination", "Bob> open words", "Ann> invite cid", "Bob> invite cid", "4 s",
        "Cid> accept", "Cid> accept bob",
    )  # fmt: skip
    assert "You have 2 invitations: accept Bob or accept Ann" in read["Cid"]
    assert "Cid joined the table." in read["Bob"]


def test_who_wants_no_invitations_gets_none():
    read = told(
        "Bob> set invitations off", "Cid> ignore ann", "Ann> open elimination", "Ann> invite bob",
        "Ann> invite cid", "Cid> accept",
    )  # fmt: skip
    assert "Bob takes no invitations from you." in read["Ann"]
    assert "Cid takes no invitations from you." in read["Ann"]
    assert "Nobody has invited you." in read["Cid"]


def test_ten_invitations_in_ten_minutes_are_enough():
    lines = ["Ann> invite bob", "Bob> decline ann", "2 s"] * 11
    read = told("Ann> open elimination", *lines)
    assert "You can send 10 invitations in 10 min." in read["Ann"]
    assert read["Bob"].count("Ann invites you") == 10


def test_nobody_waits_at_two_tables():
    read = told("Ann> open elimination", "Bob> sit 1", "Cid> open words", "Bob> sit 2")
    assert "You have a seat at table 1. To give it up: leave" in read["Bob"]


def test_who_declines_can_say_why():
    read = told(
        "Ann> open elimination", "Ann> invite bob", "4 s", f"Bob> decline ann {'x' * 81}",
        "Bob> decline ann in ten minutes",
    )  # fmt: skip
    assert "That text is too long (81 of 80 characters)." in read["Bob"]
    assert "Bob declines the invitation." in read["Ann"]
    assert "Bob tells you: in ten minutes" in read["Ann"]
