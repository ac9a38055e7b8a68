"""Servers in this process find each other at once."""

from __future__ import annotations

import pytest

from tests.several_servers import Several


@pytest.fixture
async def several(database, tmp_path, monkeypatch):
    monkeypatch.setattr("mudserver.cluster.mirror.LOOK_S", 0.1)
    made = Several(database, tmp_path)
    yield made
    await made.stop()
