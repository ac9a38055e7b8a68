"""A forked process is one like another."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tests.forked import Forked


def test_it_has_an_output_a_log_and_a_status_of_its_own(tmp_path):
    with (tmp_path / "log").open("w") as log:
        asked = Forked(["show-config"], log, {**os.environ, "MUDSERVER_SERVER__NAME": "Here"})
        wrong = Forked(["serve", "--set", "server.nosuch=1"], log)
    assert 'name = "Here"' in asked.stdout.read() and 0 == asked.wait(30) == asked.poll()
    assert "" == wrong.stdout.read() and 2 == wrong.wait(30)
    assert "nosuch" in (tmp_path / "log").read_text()
    assert "MUDSERVER_SERVER__NAME" not in os.environ


def test_it_is_killed_like_another(tmp_path):
    data = ["--data", str(tmp_path / "data"), "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"]
    with (tmp_path / "log").open("w") as log:
        server = Forked(["serve", *data], log, has_own_group=True)
    assert server.stdout.readline().startswith("ready ssh=")
    assert server.pid == os.getpgid(server.pid) and server.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        server.wait(0.01)
    server.kill()
    assert -signal.SIGKILL == server.wait(10)
    server.kill()  # it has ended, and that is no fault
