"""What somebody has written and others read later: the staff can take it away, a mute ends it."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.messages import row_text
from tests.mudserver.service.test_moderation import CONSOLE, cast, coming, says, told
from tests.mudserver.service.test_relations import restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

RUDE = "Ann smells"


def test_a_purge_takes_lines_profile_and_the_words_with_away():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        here = await cast(server, eve="helper", cid="player", ann="player")
        for line in (f"say {RUDE}", f"profile {RUDE}", f"away {RUDE}"):
            await says(here["cid"], line, 6.0)
        before = [await says(here["ann"], line) for line in ("finger cid", "tell cid hi")]
        done = await says(here["eve"], "purge cid insults")
        told_cid = " ".join(here["cid"].text.split())
        after = [await says(here["ann"], line) for line in ("finger cid", "tell cid hi")]
        again = await says(here["eve"], "purge cid insults", 6.0)
        acts = await server.app.moderation.list_acts(CONSOLE, "purge")
        server = await restarted(server)
        cid = server.app.account_service.person_named("cid")
        profile = server.app.moderation.accounts.by_id(cid.id).profile
        await server.stop()
        return before, done, told_cid, after, again, [row_text(it.row) for it in acts], profile

    before, done, told_cid, after, again, acts, profile = virtual.run(scenario())
    assert 3 == sum(each.count(RUDE) for each in before)
    assert "1 line, the profile and the words with away of cid removed (#2)." in done
    assert "The staff has removed what you said (#2): insults" in told_cid
    assert all(RUDE not in each for each in after) and "Back later." in after[1]
    assert "0 lines of cid removed (#3)." in again
    assert ["purge cid: insults", "purge cid profile away: insults"] == [
        act.partition("eve: ")[2] for act in acts
    ]
    assert "" == profile


def test_the_words_of_a_guest_and_of_who_has_gone_are_purged_too():
    async def scenario(server):
        here = await cast(server, eve="helper", cid="player")
        guest = coming(server, "guest", "192.0.2.7", how="guest")
        await asyncio.sleep(0.5)
        await says(guest, f"away {RUDE}")
        await says(here["cid"], f"profile {RUDE}")
        await says(here["cid"], "quit")
        done = [await says(here["eve"], f"purge {who} insults", 6.0) for who in ("guest1", "cid")]
        return done, [await says(here["eve"], f"finger {who}") for who in ("guest1", "cid")]

    (guest, cid), shown = told(scenario)
    assert "0 lines and the words with away of guest1 removed" in guest
    assert "0 lines and the profile of cid removed" in cid
    assert all(RUDE not in each for each in shown) and "Back later." in shown[0]


def test_a_purge_that_cannot_be_written_leaves_everything():
    async def scenario(server):
        here = await cast(server, eve="helper", cid="player")
        for line in (f"profile {RUDE}", f"away {RUDE}"):
            await says(here["cid"], line, 6.0)
        server.journal.fail()
        await says(here["eve"], "purge cid insults", 6.0)
        cid = server.app.account_service.person_named("cid")
        account = server.app.moderation.accounts.by_id(cid.id)
        return account.profile, server.app.lobby.presence_of(cid.id).away

    assert (RUDE, RUDE) == told(scenario)


@pytest.mark.parametrize("is_muted_before", [True, False])
def test_who_is_muted_takes_no_other_name(is_muted_before):
    async def scenario(server):
        here = await cast(server, mia="moderator", cid="player")
        if is_muted_before:
            await says(here["mia"], "mute cid 10m insults")
        said = await says(here["cid"], "rename annsmells")
        if not is_muted_before:
            await says(here["mia"], "mute cid 10m insults")
            said = await says(here["cid"], "annsmells")
        cid = server.app.account_service.person_named("cid")
        return said, cid is not None

    said, is_still_cid = told(scenario)
    assert "You are muted by the staff until" in said and is_still_cid
