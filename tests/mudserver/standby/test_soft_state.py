"""What one server leaves for the next in `DATA/handover`: bounded, short-lived, never needed."""

from __future__ import annotations

import asyncio
import stat

import pytest

from mudserver.config.schema import Config, ServerConfig
from mudserver.messages import EmoteMessage, SayMessage
from mudserver.ops.shutdown import ShutdownCountdown
from mudserver.source_budgets import Kind, OverBudget, SourceBudgets
from mudserver.standby import soft_state
from mudserver.standby.soft_state import Line, SoftState
from tests.mudserver.transport.server import HandClock
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

LINES = (
    Line("lobby", 5, SayMessage("Ann", "hello", speaker="p1"), None),
    Line("chess", 6, None, EmoteMessage("Bob", "waves", speaker="p2")),
)


def test_it_is_private_found_once_and_gone(tmp_path):
    state = SoftState(1_000, {"ann": 2}, (), LINES)
    soft_state.leave(tmp_path, state)
    path = tmp_path / "handover"
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert state == soft_state.find(tmp_path, 2_000)
    assert not path.exists()
    assert SoftState(3_000) == soft_state.find(tmp_path, 3_000)


@pytest.mark.parametrize("now_ms", [1_000 + 60_001, 999])
def test_what_is_old_or_of_the_future_is_not_believed(tmp_path, now_ms):
    soft_state.leave(tmp_path, SoftState(1_000, {"ann": 2}))
    assert {} == soft_state.find(tmp_path, now_ms).failures
    assert not (tmp_path / "handover").exists()


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 100, b"\x91\xa1x", bytes(soft_state.BYTES_MAX + 1)]
)
def test_what_cannot_be_read_is_removed_and_one_line_says_so(tmp_path, caplog, data):
    path = tmp_path / "handover"
    path.write_bytes(data)
    assert SoftState(1_000) == soft_state.find(tmp_path, 1_000)
    assert not path.exists()
    assert ["handover not read"] == [it.message[:17] for it in caplog.records]


def test_what_was_said_is_left_out_first_and_then_who_has_no_terminal(tmp_path, monkeypatch):
    detached = (("p1", b"a capsule of forty bytes and some more.."),)
    state = SoftState(1_000, {"ann": 2}, (), LINES, detached)
    monkeypatch.setattr(soft_state, "BYTES_MAX", 80)
    soft_state.leave(tmp_path, state)
    assert SoftState(1_000, {"ann": 2}, (), (), detached) == soft_state.find(tmp_path, 1_000)
    monkeypatch.setattr(soft_state, "BYTES_MAX", 40)
    soft_state.leave(tmp_path, state)
    assert SoftState(1_000, {"ann": 2}) == soft_state.find(tmp_path, 1_000)


def test_a_link_of_that_name_is_replaced_and_not_followed(tmp_path):
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "handover").symlink_to(other)
    soft_state.leave(tmp_path, SoftState(1_000, {"ann": 2}))
    assert ("mine", {"ann": 2}) == (
        other.read_text(), soft_state.find(tmp_path, 1_000).failures,
    )  # fmt: skip


def test_what_an_address_has_spent_stays_spent():
    clock = HandClock()
    before, after = SourceBudgets(Config(), clock), SourceBudgets(Config(), clock)
    source = "192.0.2.1"
    with pytest.raises(OverBudget):
        for _ in range(1_000):
            before.take(Kind.REGISTRATIONS, source)
    before.charge(Kind.DECISIONS, source, 5_000)
    waits_s = before.wait_s(Kind.DECISIONS, source)
    assert waits_s > 0
    after.take_up(before.carried())
    with pytest.raises(OverBudget):
        after.take(Kind.REGISTRATIONS, source)
    assert pytest.approx(waits_s) == after.wait_s(Kind.DECISIONS, source)
    assert sorted(before.carried()) == sorted(after.carried())
    after.take_up([next(before.carried())._replace(kind="unknown")])


def test_what_was_said_and_who_guessed_is_known_to_the_server_that_follows(tmp_path):
    async def scenario() -> None:
        world = new_world(1, server=ServerConfig(data=str(tmp_path)))
        server = await SimServer(world).open()
        server.person("Ann", ANSI)
        teller = server.guest()
        await asyncio.sleep(0.5)
        teller.type("say is anybody here?")
        await asyncio.sleep(0.5)
        accounts = server.app.account_service
        for name in ("Ann", "not-a-name-but-a-password"):
            assert not await accounts.check_password(name, "wrong")
        assert {"ann": 1} == accounts.failures
        server.app.carrying.countdown = closing = ShutdownCountdown(
            server.app.platform.clock, lambda text: None, lambda: None
        )
        closing.schedule(600)
        server.app.carrying.leave()
        said = list(server.app.channels.history.carried())
        assert ["is anybody here?"] == [line.text for _, _, line in said]
        await server.stop()

        after = SimServer(world)
        after.app.carrying.take_up()
        await after.open()
        assert closing.ends_at_ms == after.app.carrying.ends_at_ms
        assert {"ann": 1} == after.app.account_service.failures
        assert said == list(after.app.channels.history.carried())
        await after.stop()

    virtual.run(scenario())
