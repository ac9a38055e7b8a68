"""Lists and refusals on one of two servers are those of one server where the same people are."""

from __future__ import annotations

import asyncio
import re

from mudserver.lobby.lobby import Lobby
from mudserver.service.moderation import Login
from tests.linked_servers import Linked, run, table_in

CONSOLE = Login("console:0", "the console", has_key=True, source="")

ASKED = (
    "seeks", "accept {ignoring}",
    "who", "who b", "who table {open}", "who table {private}", "who staff", "who friends", "tables",
    "tables words", "tables open", "finger ann", "finger bob", "finger cid", "finger dan",
    "finger guest", "friends", "channels", "staff", "ignore", "tell bob hello", "tell cid hello",
    "tell dan hello", "tell nobody hello", "watch {private}", "watch {private} abcdefgh",
    "sit {private} abcdefgh", "sit abcdefgh", "accept", "accept bob", "accept cid", "return",
    "invite bob", "report nobody he is rude", "play 77",
    "accept 0", "match bob words", "match nobody words",
)  # fmt: skip


async def told(town: Linked, servers: list[str]) -> dict[str, str]:
    """What eve reads of a town.  Args: servers: where ann, bob, cid, dan and eve come in."""
    ann, bob, cid, dan, eve = [
        await town.come(server, name)
        for server, name in zip(servers, ("ann", "bob", "cid", "dan", "eve"), strict=True)
    ]
    for server in town.servers.values():
        await server.app.moderation.set_role(CONSOLE, "ann", "moderator", "for the test")
    open_table = table_in(await ann.types("open words seats=4"))
    private = table_in(await cid.types("open elimination code=on who=invited"))
    await bob.types("ignore eve")
    await dan.types("away Dinner, back at eight")
    await dan.types("join chat")
    await eve.types("friend dan")
    await eve.types("ignore cid")
    await cid.types("invite dan")
    ignoring, *others = [
        seek_in(await it.types("seek words correspondence")) for it in (bob, cid, dan)
    ]
    await asyncio.sleep(5)
    typed = {"open": open_table, "private": private, "ignoring": ignoring}
    names = {number: name.upper() for name, number in typed.items()} | dict.fromkeys(others, "N")
    return {
        line: without_numbers(await eve.types(line.format(**typed), 2.5), names)
        for line in ASKED
    }  # fmt: skip


def seek_in(text: str) -> int:
    """The number of the game that somebody offers."""
    return int(text.partition("(offer ")[2].partition(")")[0])


def without_numbers(text: str, names: dict[int, str]) -> str:
    """The same without prompts, where tables have other names: each server has its own numbers."""
    for number, name in names.items():
        text = re.sub(rf"\b{number}\b", name, text)
    text = re.sub(r"\b(lobby|table \w+)> ?", "", text)  # drawn again after what has to be asked
    return " ".join(re.sub(r"\d+ min", "MIN", text).split())


def read_in(servers: int, places: str) -> dict[str, str]:
    read = dict[str, str]()

    async def scenario(town: Linked) -> None:
        read.update(await told(town, places.split()))

    run(scenario, servers)
    return read


def test_what_is_read_of_people_and_tables_of_another_server_is_what_one_server_says(monkeypatch):
    one, two = read_in(1, "g1 g1 g1 g1 g1"), read_in(2, "g1 g2 g2 g2 g1")
    different = {line: (one[line], two[line]) for line in ASKED if one[line] != two[line]}
    assert not different, different
    assert "PRIVATE" not in one["tables"] and "cid" in one["who table {private}"]
    monkeypatch.setattr(Lobby, "_check_takes", lambda *people: None)  # a planted leak
    assert one["tell bob hello"] != read_in(2, "g1 g2 g2 g2 g1")["tell bob hello"]
