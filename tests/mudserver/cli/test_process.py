"""What every process that serves has: how much it logs."""

from __future__ import annotations

import logging

import pytest

from mudserver.cli.process import DETAILED, set_detail
from mudserver.config.schema import ServerConfig
from mudserver.logs import LogLineFormatter


@pytest.fixture(autouse=True)
def levels():
    before = {name: logging.getLogger(name).level for name in DETAILED}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize(("setting", "level"), [("info", logging.INFO), ("debug", logging.DEBUG)])
def test_debug_shows_each_connection_and_each_session(setting, level):
    formatter = LogLineFormatter()
    set_detail(formatter, ServerConfig(log=setting))
    assert [level] * 2 == [logging.getLogger(name).level for name in ("session", "wall")]
    assert formatter.has_traces is (setting == "debug")
