"""One server for each file of attacks; at the end its log is read."""

from __future__ import annotations

import pytest

from tests.e2e.client import Server
from tests.hostile.attack import Victim

LOG_BYTES_MAX = 262_144


@pytest.fixture(scope="module")
def victim(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("hostile") / "data").start()
    victim = Victim(server)
    yield victim
    victim.bystander.stop()
    assert 0 == server.stop()
    check_log(server)


@pytest.fixture
def server(victim):
    return victim.server


def check_log(server: Server) -> None:
    """Small, without stack traces, and without anything a stranger could have put in."""
    text = server.log_text()
    assert len(text.encode()) < LOG_BYTES_MAX
    assert "Traceback" not in text
    assert [] == [c for c in text if not c.isprintable() and c != "\n"]
    assert [] == [line for line in text.splitlines() if " failed " in line]
