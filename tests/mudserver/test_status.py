"""`mudserver status`: a calm table, an object for scripts, a sentence where no server runs."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest

from mudserver.__main__ import main
from mudserver.cli import status
from mudserver.cli.status import rows_of
from mudserver.errors import ConfigError
from mudserver.ops.control_socket import ControlSocket
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

A_DOOR = {
    "name": "1", "version": "1", "protocol": 1, "lag_s": 0.001, "people": 2, "connections": 3,
    "connections_pre_login": 1, "up_s": 60, "draining_s": None,
}  # fmt: skip
RESTARTS = {
    "planned": 1, "crash": 0,
    "last": {"kind": "planned", "at_ms": 30_000, "sessions": 2, "went_on": 2, "gap_s": 0.12},
}  # fmt: skip


def test_a_door_that_drains_and_one_whose_server_never_restarted():
    found = an_open_server()
    found["doors"] = [{**A_DOOR, "people": 1, "draining_s": 10_800.0}]
    found["restarts"] = {"planned": 0, "crash": 0, "last": None}
    rows = dict(rows_of(found))
    assert "draining, 1 person, 3 h left" == rows["door 1"]
    assert "none since the doors started" == rows["restarts"]
    found["doors"] = []
    assert "none is connected" == dict(rows_of(found))["doors"]
    found["is_behind_doors"] = False
    assert not {"doors", "restarts"} & dict(rows_of(found)).keys()


def status_of_a_game():
    async def scenario():
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann", ANSI)
        server.guest()
        await asyncio.sleep(0.5)
        ann.type("open elimination")
        await asyncio.sleep(3 * 3600)
        return server.app.server_status.as_dict()

    return virtual.run(scenario())


def test_the_rows_say_what_there_is_and_name_nobody():
    rows = dict(rows_of(status_of_a_game()))
    assert "2027-01-15 08:00 UTC, for 3 h 0 min" == rows["up since"]
    assert "0, 0 guests among them" == rows["users"]  # they were idle for too long
    assert "none" == rows["sessions"]
    assert rows["journal"].startswith("ok; ")
    assert "Ann" not in str(rows)


def test_figures_are_not_shown_to_others_by_a_socket_that_was_handed_over_either():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        with (
            socket.create_server(("0.0.0.0", 0)) as everybodys,
            pytest.raises(ConfigError, match=r"metrics\.address: 0\.0\.0\.0 is not loopback"),
        ):
            await server.app.server_status.open({"metrics": [everybodys]})
        await server.stop()

    virtual.run(scenario())


@pytest.mark.parametrize("by", ["--data", "--config", "environment", "--set"])
async def test_the_running_server_is_asked_at_its_socket(tmp_path, capsys, monkeypatch, by):
    """Found as `serve` finds it."""
    control, found, file = ControlSocket(), an_open_server(), tmp_path / "server.toml"
    control.register("status", lambda: found)
    file.write_text(f'[server]\ndata = "{tmp_path}"\n')
    if by == "environment":
        monkeypatch.setenv("MUDSERVER_SERVER__DATA", str(tmp_path))
    said = {"--data": tmp_path, "--config": file, "--set": f"server.data={tmp_path}"}
    await control.open(tmp_path)
    try:
        arguments = ["status", *([by, str(said[by])] if by in said else [])]
        assert 0 == await asyncio.to_thread(main, arguments)
        lines = capsys.readouterr().out.splitlines()
        assert 0 == await asyncio.to_thread(main, [*arguments, "--json"])
        assert found == json.loads(capsys.readouterr().out)
    finally:
        await control.close()
    assert "users             2, 1 guest among them" in lines
    assert "sessions          2 by ssh" in lines
    assert "door 1            2 people, 1 before login, protocol 1, for 1 minute" in lines
    assert (
        "restarts          last planned 1970-01-01 00:00 UTC: 2 of 2 sessions, gap 0.12 s; "
        "planned 1, crashes 0"
    ) in lines
    assert "standby           ready, 1.2 s behind, version 2" in lines
    assert "tables            elimination 1 waiting" in lines


async def test_a_standby_is_waited_for_and_its_state_is_the_exit_status(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(status, "LOOK_S", 0.01)
    states = iter([
        {"state": "none"},
        {"state": "not ready", "why": "it reads", "behind_s": 0.0, "version": "2"},
        {"state": "not ready", "why": "it reads", "behind_s": 0.0, "version": "2"},
        {"state": "ready", "why": "", "behind_s": 0.0, "version": "2"},
    ])  # fmt: skip
    control = ControlSocket()
    control.register("status", lambda: {"standby": next(states)})
    await control.open(tmp_path)
    ask = ["status", "--standby-ready", "--data", str(tmp_path)]
    try:
        assert 1 == await asyncio.to_thread(main, ask)
        assert 1 == await asyncio.to_thread(main, ask)
        await control.close()  # it restarts
        waiting = asyncio.create_task(asyncio.to_thread(main, [*ask, "--wait", "60"]))
        await asyncio.sleep(0.05)
        await control.open(tmp_path)
        assert 0 == await waiting
    finally:
        await control.close()
    said = ["standby none", "standby not ready: it reads, 0.0 s behind, version 2",
            "standby ready, 0.0 s behind, version 2"]  # fmt: skip
    assert said == capsys.readouterr().out.splitlines()


def an_open_server():
    """What one says of itself."""
    return {
        "name": "Lockdown", "version": "1", "now_ms": 60_000, "started_ms": 0,
        "listeners": {"ssh": "127.0.0.1:22"}, "is_behind_doors": True,
        "doors": [A_DOOR], "restarts": RESTARTS,
        "standby": {"state": "ready", "why": "", "behind_s": 1.23, "version": "2"},
        "users": {"account": 1, "guest": 1},
        "sessions": {"ssh": 2, "telnet": 0}, "connections_pre_login": 0, "refusals": {},
        "tables": {"elimination": {"waiting": 1, "playing": 0}, "words": {"waiting": 0}},
        "computer_players": {"plays": 0, "failures": 0, "processes_lost": 0},
        "journal": {"is_writable": True, "records": 1, "queued": 0, "size_bytes": 4096,
                    "level": 0.0, "commit_mean_s": 0.004, "failures": 0},
        "last_backup_s": 0.0, "memory_bytes": 1_048_576, "open_files": 9, "open_files_max": 1024,
        "loop_delay_p99_s": 0.001, "internal_errors": 0,
        "servers": [
            {"name": "g2", "state": "active", "people": 412, "tables": 61, "lease_s": 8.1,
             "lag_s": 0.02},
        ],
    }  # fmt: skip


def test_each_server_on_a_journal_has_a_row():
    *_, (name, row) = rows_of(an_open_server())
    shown = "active  412 people  61 tables  lease 8.1 s  follows 0.02 s behind"
    assert ("g2", shown) == (name, row)


def test_where_no_server_runs_one_sentence_says_so(tmp_path, capsys):
    assert 1 == main(["status", "--data", str(tmp_path)])
    assert f"mudserver: no server runs in {tmp_path}\n" == capsys.readouterr().err
