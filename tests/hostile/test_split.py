"""The attacks that meet the door first, against a door and a game server in two processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.client import Server
from tests.hostile.attack import Victim
from tests.hostile.conftest import check_log
from tests.hostile.test_crowds import crowd
from tests.hostile.test_floods import (
    FLOODS,
    test_a_flood_over_telnet_delays_nobody,
    test_before_login_a_flood_ends_the_line_at_16_kib,
)

pytestmark = pytest.mark.prove
flood, flood_before_login = (
    test_a_flood_over_telnet_delays_nobody,
    test_before_login_a_flood_ends_the_line_at_16_kib,
)
del test_a_flood_over_telnet_delays_nobody, test_before_login_a_flood_ends_the_line_at_16_kib


def child(pid: int, command: str) -> int:
    """The process that `serve --split` has started for *command*."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(
        int(it) for it in children
        if command.encode() in Path(f"/proc/{it}/cmdline").read_bytes().split(b"\0")
    )  # fmt: skip


@pytest.fixture(scope="module", params=["door", "game"])
def split(request, tmp_path_factory):
    """Args: param: whose memory is looked at."""
    server = Server(tmp_path_factory.mktemp("split") / "data", "--split").start()
    victim = Victim(server)
    victim.pid = child(victim.pid, request.param)
    yield victim
    victim.bystander.stop()
    assert 0 == server.stop()
    check_log(server)


def test_silent_lines_keep_nobody_out(split):
    crowd(split, "300 silent lines of 200 sources", 300, sources=200)


def test_before_login_a_flood_ends_the_line(split):
    flood_before_login(split)


@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_delays_nobody(split, what):
    flood(split, what)
