"""What the staff's records cost in the long run: they end, and they go."""

from __future__ import annotations

import asyncio

from tests.mudserver.service.test_moderation import CONSOLE, cast, says
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

DAY_S = 86_400


def streams(server: SimServer, prefix: str, is_open: bool | None = None) -> list[str]:
    return server.journal.streams(prefix, is_open)


async def days_later(server: SimServer, days: float) -> None:
    """Time goes by without anybody here, then the sweep runs."""
    await asyncio.sleep(days * DAY_S)
    await server.app.staff_sweep.run()


def test_sanctions_end_and_go_and_their_numbers_are_not_used_again():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, cid="player", dan="player")
        moderation = server.app.moderation
        await moderation.mute(CONSOLE, "cid", "1d", "insults")
        await moderation.ban(CONSOLE, "dan", "forever", "threats")
        await days_later(server, 2)
        ended = streams(server, "sanction/", False), streams(server, "sanction/", True)
        await days_later(server, 729)
        kept = streams(server, "sanction/")
        await days_later(server, 2)
        left = streams(server, "sanction/"), streams(server, "audit/")
        said = await moderation.mute(CONSOLE, "cid", "1d", "again")
        await server.stop()
        return ended, kept, left, said

    ended, kept, (left, audits), said = virtual.run(scenario())
    assert (["sanction/1"], ["sanction/2"]) == ended
    assert ["sanction/1", "sanction/2"] == kept and ["sanction/2"] == left
    assert "(#3)" in said and 1 == len(audits)


def test_the_audit_of_a_month_is_closed_by_the_next_and_goes_when_it_is_old():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, cid="player")
        moderation = server.app.moderation
        for _ in range(3):
            await moderation.warn(CONSOLE, "cid", "stop that")
            await asyncio.sleep(31 * DAY_S)
        months = len(streams(server, "audit/")), len(streams(server, "audit/", True))
        acts = [act.id for act in await moderation._streams.read_acts()]
        await days_later(server, 720)
        left = [act.id for act in await moderation._streams.read_acts()]
        await server.stop()
        again = await SimServer(server.world).open()
        number = again.app.moderation._streams.last_act
        await again.stop()
        return months, acts, left, number

    months, acts, left, number = virtual.run(scenario())
    assert (3, 1) == months and [1, 2, 3] == acts
    assert [3] == left and 3 == number


def test_reports_are_decided_and_removed_but_for_the_newest():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, ann="player", cid="player")
        for number in range(3):
            await says(here["ann"], f"report cid insults {number}")
        reports = server.app.reports
        await reports.decide(CONSOLE, 1, "warned", "")
        await days_later(server, 91)
        undecided = reports.rows(CONSOLE), streams(server, "report/", True)
        await days_later(server, 31)
        dismissed = streams(server, "report/")
        await days_later(server, 60)
        left = streams(server, "report/")
        await server.stop()
        return undecided, dismissed, left

    undecided, dismissed, left = virtual.run(scenario())
    assert ([], []) == undecided
    assert ["report/1", "report/3"] == dismissed and ["report/3"] == left
