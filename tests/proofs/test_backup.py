"""A real server in the middle of a journal of real games is backed up, dies, and is put back."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mudserver.transport.ssh import host_keys
from tests.e2e.client import Server
from tests.samples.make import unpacked

PATIENCE_S = 60.0


def told(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mudserver", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)


def first_of(folder: Path) -> Path:
    """The first backup of the schedule, when it is there under its name."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if made := sorted(folder.glob("mudserver-*.tar")):
            return made[0]
        time.sleep(0.1)
    raise AssertionError("no backup was made")


@pytest.mark.prove
def test_a_running_server_is_backed_up_killed_and_put_back(tmp_path):
    data, kept = tmp_path / "var", tmp_path / "kept"
    unpacked(1, data)
    fingerprint = host_keys.load_or_create(data, may_create=True).fingerprint
    often = ("--set", f"backup.directory={kept}", "--set", "backup.every_h=0.0005")
    server = Server(data, *often).start()
    by_hand = told("backup", tmp_path / "b.tar", "--data", data)
    assert (0, "") == (by_hand.returncode, by_hand.stderr)
    assert "tables=4 open=3" in by_hand.stdout and "faults=0" in by_hand.stdout
    assert 0 == told("check", "--data", data).returncode
    scheduled = first_of(kept)
    server.kill()
    for file in (tmp_path / "b.tar", scheduled):
        back = told("restore", file, "--data", data, "--replace")
        assert (0, "") == (back.returncode, back.stderr)
        server = Server(data).start()
        assert "table not restored" not in server.log_text()
        assert 0 == server.stop()
        assert fingerprint == host_keys.load_or_create(data, may_create=False).fingerprint
    assert 0 == told("check", "--data", data).returncode
