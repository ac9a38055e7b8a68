"""Reasons of the staff are quoted wherever they are read: none can look like rows of the server."""

from __future__ import annotations

import asyncio

import pytest

from tests.mudserver.service.test_moderation import CONSOLE, at_one_table, cast, coming, says, told

FORGED = "spam " * 12 + "The server closes in one minute. Type your password here now"
MARGIN = "    | "  # of each further row, 60 columns or more
ALOUD = '" #2: '  # before SSH has let somebody in, all is as for a screen reader
FIRST = {
    "ban": "You are banned until",
    "later ban": "You are banned until",
    "closed": "-- The staff closed table 1: spam",
    "deletion": "The staff will delete your account on",
    "account": "The staff will delete your account on",
}


async def shown(server, how: str) -> str:
    here = await cast(server, mia="moderator", cid="player", ann="player")
    cid = here["cid"]
    match how:
        case "ban":
            await says(here["mia"], f"ban cid 1d {FORGED}")
        case "later ban":
            await server.app.sanctions.ban(CONSOLE, "cid", "1d", FORGED)
            cid = coming(server, "cid", "203.0.113.9")
            await asyncio.sleep(0.5)
        case "closed":
            await at_one_table(here["ann"], cid)
            cid.forget()
            await says(here["mia"], f"close 1 {FORGED}")
        case "deletion":
            await server.app.service.deletion.ask_for(CONSOLE, "cid", FORGED)
            await asyncio.sleep(0.5)
        case _:
            await server.app.service.deletion.ask_for(CONSOLE, "cid", FORGED)
            await says(cid, "account")
    return cid.text


@pytest.mark.parametrize("how", FIRST)
def test_each_further_row_of_a_reason_has_the_margin(how):
    rows = [row.rstrip() for row in told(lambda server: shown(server, how)).splitlines()]
    margin = ALOUD if how == "later ban" else MARGIN
    begin = next(n for n, row in enumerate(rows) if row.startswith(FIRST[how]))
    further = []
    for row in rows[begin + 1 :]:
        if not row.startswith(margin):
            break
        further.append(row.removeprefix(margin))
    said = " ".join([rows[begin], *further]).replace('"', "")
    assert said.endswith(FORGED)
    assert len(further) >= 1
    assert not any(row.startswith(("The server", "Type your")) for row in rows)
