"""`mudserver upgrade`: the standby begins again, and takes over when it is ready."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.__main__ import main
from mudserver.cli import restart
from mudserver.ops.control_socket import ControlSocket

OLD = {"state": "ready", "why": "", "since_ms": 1}
NEW = {"state": "not ready", "why": "it reads", "since_ms": 2}
NONE = {"state": "none"}


@pytest.fixture
async def upgrade(tmp_path, monkeypatch):
    monkeypatch.setattr(restart, "LOOK_S", 0.01)
    control, asked = ControlSocket(), []

    async def run(*states: dict, **options: bool):
        left = list(states)
        control.register("upgrade", lambda: OLD["since_ms"])
        control.register("status", lambda: {"standby": left.pop(0) if left[1:] else left[0]})
        control.register("restart", lambda **wishes: asked.append(wishes) or "restarted")
        words = [f"--{name}" for name in options]
        command = ["upgrade", "--wait", "0.2", "--data", str(tmp_path), *words]
        return await asyncio.to_thread(main, command), asked

    await control.open(tmp_path)
    yield run
    await control.close()


async def test_it_hands_over_to_the_new_standby_and_not_to_the_old_one(upgrade, capsys):
    status, asked = await upgrade(OLD, NONE, NEW, {**NEW, "state": "ready"}, anyway=True)
    assert (0, [{"anyway": True}]) == (status, asked)
    assert "restarted\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("last", "why"), [(NEW, "it reads"), (NONE, "there is none"), (OLD, "there is none")]
)
async def test_a_version_that_does_not_become_ready_changes_nothing(upgrade, capsys, last, why):
    status, asked = await upgrade(last)
    assert (1, []) == (status, asked)
    told = f"mudserver: upgrade not done: no new standby is ready: {why}; this server goes on\n"
    assert told == capsys.readouterr().err
