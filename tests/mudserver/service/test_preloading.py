"""What is loaded soon after the start: all that a full screen needs, whatever else fails."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from mudserver import machine, metrics
from mudserver.config import schema
from mudserver.service import preloading
from mudserver.session.screen_factory import load_full_screen

FIRST_FULL_SCREEN = """
import asyncio, sys
from mudserver.session.screen_factory import load_full_screen
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

async def scenario():
    server = await SimServer(new_world(1)).open()
    ann = server.person("ann", ANSI)
    for line in ("who", "open elimination pace=instant", "bot", "start", "help"):
        await asyncio.sleep(0.5)
        ann.type(line)
    await asyncio.sleep(1)
    assert "prompt_toolkit" not in sys.modules
    load_full_screen()
    before = set(sys.modules)
    ann.forget()
    ann.type("screen on")
    for keys in (b"he\\t", b"\\x1b[A", b"\\x1b[5~", b"\\x0c", b"\\x15", b"\\x1b[D\\x17", b"\\x03"):
        await asyncio.sleep(0.5)
        ann.press(keys)
    ann.type("moves")
    await asyncio.sleep(1)
    assert "Table" in ann.text, ann.text
    ann.type("screen off")
    await asyncio.sleep(1)
    print(*sorted(set(sys.modules) - before))

virtual.run(scenario())
"""


def test_a_full_screen_needs_nothing_that_was_not_loaded_ahead():
    """In a process of its own: here other tests have loaded everything."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_FULL_SCREEN], capture_output=True, text=True, check=False
    )
    assert (0, "") == (done.returncode, done.stdout.strip()), done.stderr


def fails() -> None:
    raise LookupError("no such file")


def test_what_cannot_be_loaded_is_a_line_of_the_log_and_the_rest_is_loaded(monkeypatch, caplog):
    loaded: list[str] = []
    catalogue: Any = {
        "first": SimpleNamespace(prepare=fails, lesson=""),
        "second": SimpleNamespace(prepare=lambda: loaded.append("second"), lesson="no lesson"),
    }
    monkeypatch.setattr(preloading.time_zones, "zone_names", fails)
    errors = metrics.INTERNAL_ERRORS.value
    with caplog.at_level(logging.ERROR):
        others = {"screens": lambda: loaded.append("screens")}
        asyncio.run(preloading.preload(catalogue, others, delay_s=0.0))
    assert ["second", "screens"] == loaded
    heads = [line.partition(" at=")[0] for line in caplog.messages]
    assert heads == [
        "not loaded ahead what=first err=LookupError",
        "not loaded ahead what=second_lesson err=InvalidData",
        "not loaded ahead what=time_zones err=LookupError",
    ]
    assert " at=test_preloading.py:" in caplog.messages[0]
    assert 3 == metrics.INTERNAL_ERRORS.value - errors


@pytest.mark.parametrize(("most", "loads"), [(0, []), (1, [load_full_screen])])
def test_full_screens_are_loaded_where_there_may_be_any(most, loads):
    config = schema.Config()
    config = replace(config, session=replace(config.session, full_screens_max=most))
    assert loads == list(machine._screens_to_load(config).values())
