"""How many files the server may open, and whether that is enough for its sessions."""

from __future__ import annotations

import logging
import resource
import subprocess
import sys

import pytest

from mudserver.config.schema import Config, DoorLimits, PeopleLimits
from mudserver.ops import file_limit

CONFIG = Config(people=PeopleLimits(sessions_max=836))
NEEDED = 1_000
RAISED = """
import resource
from mudserver.ops import file_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512))
file_limit.raise_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_the_soft_limit_is_raised_to_the_hard_one():
    """In a process of its own: a hard limit cannot be raised again."""
    done = subprocess.run([sys.executable, "-c", RAISED], capture_output=True, text=True)
    assert ("(512, 512)\n", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize("hard", [resource.RLIM_INFINITY, 1_000_000])
def test_it_is_not_raised_without_bounds(monkeypatch, hard):
    made = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_024, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: made.append(limits))
    file_limit.raise_limit()
    assert [(file_limit.FILES_MAX, hard)] == made


@pytest.mark.parametrize(("limit", "warnings"), [(NEEDED - 1, 1), (NEEDED, 0)])
def test_a_limit_that_cannot_hold_all_sessions_is_one_log_line(
    monkeypatch, caplog, limit, warnings
):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    with caplog.at_level(logging.WARNING):
        file_limit.check_limit(CONFIG)
    said = f"open files limit too low limit={limit} needed={NEEDED} sessions_max=836"
    assert [said] * warnings == caplog.messages


@pytest.mark.parametrize(
    ("files", "asked", "allowed"),
    [
        (65_536, (1_000, 2_000), (1_000, 2_000)),
        (1_024, (1_000, 2_000), (512, 256)),
        (65_536, (100_000, 100_000), (1_536, 2_048)),  # 64 MiB
    ],
)
def test_connections_before_login_fit_into_files_and_memory(
    monkeypatch, caplog, files, asked, allowed
):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    config = Config(door=DoorLimits(waiting_max=asked[0], queue_max=asked[1]))
    door = file_limit.fit(config).door
    assert allowed == (door.waiting_max, door.queue_max)
    said = f"fewer connections before login waiting_max={allowed[0]} queue_max={allowed[1]}"
    assert [f"{said} open_files={files}"] * (asked != allowed) == caplog.messages
