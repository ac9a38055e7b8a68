"""Servers in this process find each other at once."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    monkeypatch.setattr("mudserver.cluster.mirror.LOOK_S", 0.1)
