"""The staff shuts the server down: it is in the audit, and everybody reads when and why."""

from __future__ import annotations

import pytest

from mudserver.ops.shutdown import ShutdownCountdown
from tests.mudserver.service.test_moderation import cast, says, told


def test_an_operator_shuts_the_server_down_and_takes_that_back():
    async def scenario(server):
        here = await cast(server, olga="operator", mia="moderator", ann="player")
        ends: list[float] = []
        early = await says(here["olga"], "shutdown 5 a new disk")
        clock = server.clock
        server.app.moderation.countdown = ShutdownCountdown(
            clock, server.app.service.broadcast, lambda: ends.append(clock.monotonic())
        )
        refused = await says(here["mia"], "shutdown 5 a new disk")
        none = await says(here["olga"], "shutdown cancel nothing to do")
        wrong = [await says(here["olga"], f"shutdown {it} a new disk") for it in ("0", "61", "x")]
        begun_s = clock.monotonic()
        here["ann"].forget()
        done = await says(here["olga"], "shutdown 5 a new disk")
        heard = " ".join(here["ann"].text.split())
        here["ann"].forget()
        cancelled = await says(here["olga"], "shutdown cancel the disk is late")
        stays = " ".join(here["ann"].text.split())
        await says(here["olga"], "shutdown 1 a new disk", pause_s=70)
        audit = await says(here["olga"], "audit shutdown")
        return early, refused, none, wrong, done, heard, cancelled, stays, ends, begun_s, audit

    early, refused, none, wrong, done, heard, *after = told(scenario)
    cancelled, stays, ends, begun_s, audit = after
    assert "still starting" in early
    assert "Only operators can use shutdown." in refused
    assert "No shutdown is scheduled." in none
    assert all("Give 1 to 60 minutes and a reason." in it for it in wrong)
    assert "Shutting down in 5 minutes; everyone has been notified." in done
    assert "The server closes in 5 minutes for a short while." in heard
    assert "The staff: a new disk" in heard
    assert "Shutdown cancelled" in cancelled
    assert "The server stays open after all. The staff: the disk is late" in stays
    assert [pytest.approx(begun_s + 68, abs=0.1)] == ends
    for act in ("shutdown 5 minutes: a new disk", "shutdown cancel: the disk is late",
                "shutdown 1 minute: a new disk", "mia: shutdown (refused)"):  # fmt: skip
        assert act in audit
    assert 3 == audit.count("olga: shutdown")
