"""What the staff's records cost in the long run: they end, and they go."""

from __future__ import annotations

from tests.mudserver.service.test_admission import PASSWORD, code_in
from tests.mudserver.service.test_moderation import CONSOLE, cast, says
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

DAY_MS = 86_400_000


def streams(server: SimServer, prefix: str, is_open: bool | None = None) -> list[str]:
    return server.journal.disk.streams(prefix, is_open)


async def days_later(server: SimServer, days: float) -> SimServer:
    """The server is started again after so many days, and sweeps."""
    later_ms = server.clock.now_ms() + int(days * DAY_MS)
    await server.stop()
    server = await SimServer(server.world, later_ms).open()
    await server.app.staff_sweep.run()
    return server


def test_sanctions_end_and_go_and_their_numbers_are_not_used_again():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, cid="player", dan="player")
        await server.app.sanctions.mute(CONSOLE, "cid", "1d", "insults")
        await server.app.sanctions.ban(CONSOLE, "dan", "forever", "threats")
        server = await days_later(server, 2)
        ended = streams(server, "sanction/", False), streams(server, "sanction/", True)
        server = await days_later(server, 729)
        kept = streams(server, "sanction/")
        server = await days_later(server, 2)
        left = streams(server, "sanction/"), streams(server, "audit/")
        said = await server.app.sanctions.mute(CONSOLE, "cid", "1d", "again")
        await server.stop()
        return ended, kept, left, said

    ended, kept, (left, audits), said = virtual.run(scenario())
    assert (["sanction/1"], ["sanction/2"]) == ended
    assert ["sanction/1", "sanction/2"] == kept and ["sanction/2"] == left
    assert "(#3)" in said and 1 == len(audits)


def test_forty_expired_sanctions_end_and_one_that_was_lifted_is_left_alone():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, cid="player")
        for number in range(41):
            network = f"203.0.{113 + number}.0/24"
            await server.app.sanctions.ban_network(CONSOLE, network, "1d", "spam", is_hard=False)
        await server.app.sanctions.unban(CONSOLE, "#1", "a mistake")
        server = await days_later(server, 2)
        ended = len(streams(server, "sanction/", False)), streams(server, "sanction/", True)
        why = [
            len(server.journal.disk.read(stream)) for stream in streams(server, "sanction/", False)
        ]
        await server.stop()
        return ended, set(why)

    assert ((41, []), {2}) == virtual.run(scenario())


def test_the_audit_of_a_month_is_closed_by_the_next_and_goes_when_it_is_old():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        await cast(server, cid="player")
        for _ in range(3):
            await server.app.moderation.warn(CONSOLE, "cid", "stop that")
            server = await days_later(server, 31)
        months = len(streams(server, "audit/")), len(streams(server, "audit/", True))
        acts = [act.id async for act in server.app.moderation._streams.acts()][::-1]
        server = await days_later(server, 720)
        left = [act.id async for act in server.app.moderation._streams.acts()][::-1]
        number = server.app.moderation._streams.last_act
        await server.stop()
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
        await server.app.reports.decide(CONSOLE, 1, "warned", "")
        server = await days_later(server, 91)
        undecided = await server.app.reports.listed(CONSOLE), streams(server, "report/", True)
        server = await days_later(server, 31)
        dismissed = streams(server, "report/")
        server = await days_later(server, 60)
        left = streams(server, "report/")
        await server.stop()
        return undecided, dismissed, left

    undecided, dismissed, left = virtual.run(scenario())
    assert ([], []) == undecided
    assert ["report/1", "report/3"] == dismissed and ["report/3"] == left


def test_the_stream_of_the_site_stays_short_and_forgets_nothing():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        admission = server.app.admission
        code = code_in((await admission.invite(CONSOLE, uses=2)).text)
        for number in range(230):
            await admission.set_guests(CONSOLE, is_on=bool(number % 2))
        await admission.set_registration(CONSOLE, "invite")
        await server.app.account_service.register(f"zed+{code}", PASSWORD, "here")
        kept = len(server.journal.disk.read("site/1"))
        server = await days_later(server, 1)
        is_free = server.app.account_service.name_status(f"zoe+{code}")[0]
        await server.app.account_service.register(f"zoe+{code}", PASSWORD, "here")
        is_spent = server.app.account_service.name_status(f"kim+{code}")[0]
        state = server.app.admission.mode, server.app.admission.has_guests
        await server.stop()
        return kept, is_free, is_spent, state

    assert (33, "free", "refused", ("invite", True)) == virtual.run(scenario())
