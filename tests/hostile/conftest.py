"""One server of each kind for each file of attacks; at the end its log is read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.e2e.client import Server
from tests.hostile.attack import (
    ATTACKED_S,
    BUSY,
    BUSY_P99_S,
    Victim,
    closing_what_is_left,
    p99,
)

LOG_BYTES_MAX = 262_144


@pytest.fixture(scope="session", autouse=True)
def busy_cores():
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    yield
    for other in others:
        other.kill()
    if ATTACKED_S:
        found_s = sorted(ATTACKED_S)
        at = p99(found_s), found_s[-1]
        print(f"\n{len(found_s)} echoes under attack: p99 {at[0]:.3f} s, worst {at[1]:.3f} s")
        assert at[0] <= BUSY_P99_S


@pytest.fixture(
    scope="module",
    params=[(), pytest.param(("--split",), marks=pytest.mark.prove)],
    ids=["one process", "split"],
)
def options(request):
    """Of `serve`: each attack meets one process, and a door with a game server and its standby."""
    return request.param


@pytest.fixture(scope="module")
def victim(tmp_path_factory, options):
    server = Server(tmp_path_factory.mktemp("hostile") / "data", *options).start()
    victim = Victim(server)
    yield victim
    victim.bystander.stop()
    assert 0 == server.stop()
    check_log(server)


@pytest.fixture(scope="module")
def patient(tmp_path_factory, options):
    """A server that lets one person type and talk as fast as a test does."""
    home = tmp_path_factory.mktemp("patient")
    (home / "patient.toml").write_text(
        "[session]\nlines_per_s = 10_000\nlines_burst = 10_000\n"
        "[chat]\nper_s = 1e4\nburst = 10_000\nguest_per_s = 1e4\nrepeats_max = 10_000\n"
        "pasted_lines_max = 10_000\nchannel_per_s = 1e4\ndeliveries_per_s = 1e6\n"
        "[door]\nnew_per_s = 1e4\n"
        "[people]\nargon2_memory_kib = 64\n"
        "[tables]\nplays_per_person_per_s = 10_000\nplays_burst = 10_000\n"
        '[sources]\nexempt = ["127.0.0.0/8"]\n'
    )
    config = ("--config", str(home / "patient.toml"))
    server = Server(home / "data", *config, *options).start()
    yield server
    assert 0 == server.stop()
    check_log(server)


@pytest.fixture(autouse=True)
def nothing_stays_open():
    with closing_what_is_left():
        yield


@pytest.fixture
def server(victim):
    return victim.server


def check_log(server: Server) -> None:
    """Small, without stack traces, and without anything a stranger could have put in."""
    text = server.log_text()
    assert len(text.encode()) < LOG_BYTES_MAX
    assert "Traceback" not in text
    assert [] == [c for c in text if not c.isprintable() and c != "\n"]
    ours = (line for line in text.splitlines() if " auth login failed " not in line)
    assert [] == [line for line in ours if " failed " in line]
