"""The dashboard, the alerts and the page about them name what the server has, and nothing else."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from mudserver.transport.gate import GateCounters
from mudserver.wall.bodies import Handshake, Stats
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

DOCS = Path(__file__).parents[1] / "docs"
NAME = re.compile(r"\b(?:mudserver|process)_[a-z0-9_]+")


@pytest.fixture(scope="module")
def series() -> dict[str, set[str]]:
    """Every series of a fresh server with a door, with its labels."""

    async def scraped() -> str:
        server = await SimServer(new_world(1)).open()
        await asyncio.sleep(1)
        door = SimpleNamespace(
            handshake=Handshake(1, 1, "1", "1", "d1", 2),
            stats=Stats(
                1.0, refused=GateCounters().refusals(), restarts={"crash": 0}, gaps=(0,) * 14
            ),
            lag_s=0.0,
        )
        server.app.wall.doors.append(door)
        return server.app.server_status.metrics()[2].decode()

    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(virtual.run(scraped())):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def expressions(value: Any) -> list[str]:
    """Every `expr` in a tree."""
    if isinstance(value, dict):
        own = [value["expr"]] if "expr" in value else []
        return own + [e for one in value.values() for e in expressions(one)]
    return [e for one in value for e in expressions(one)] if isinstance(value, list) else []


def check(expression: str, series: dict[str, set[str]]) -> None:
    names = set(NAME.findall(expression)) - {"mudserver"}
    assert names <= series.keys(), names - series.keys()
    for name, labels in re.findall(r"(\w+)\{([^}]*)\}", expression):
        if name in series:
            asked = set(re.findall(r"(\w+)!?=", labels)) - {"job", "instance"}
            assert asked <= series[name], (name, asked)
    for opening, closing in ("()", "{}", "[]"):
        assert expression.count(opening) == expression.count(closing), expression


def test_the_dashboard_shows_only_what_there_is(series):
    board = json.loads((DOCS / "grafana.json").read_text("utf-8"))
    found = expressions(board)
    assert len(found) > 30
    for expression in found:
        check(expression, series)
    ids = [panel["id"] for panel in board["panels"]]
    assert len(set(ids)) == len(ids)
    assert {"stat", "timeseries", "row"} == {panel["type"] for panel in board["panels"]}


def test_the_alerts_watch_only_what_there_is_and_say_what_to_do(series):
    (group,) = yaml.safe_load((DOCS / "alerts.yml").read_text("utf-8"))["groups"]
    assert len(group["rules"]) >= 10
    for rule in group["rules"]:
        check(rule["expr"], series)
        assert rule["labels"]["severity"] in ("page", "ticket"), rule
        assert {"summary", "action"} == rule["annotations"].keys()


def test_every_alert_is_explained(series):
    page = (DOCS / "operations.md").read_text("utf-8")
    (group,) = yaml.safe_load((DOCS / "alerts.yml").read_text("utf-8"))["groups"]
    table = page[page.index("## Alerts") :]
    explained = {
        n for row in re.findall(r"(?m)^\| ([A-Z][\w, ]+) \|", table) for n in row.split(", ")
    }
    assert explained == {rule["alert"] for rule in group["rules"]}


def test_every_figure_is_explained_and_none_besides(series):
    page = (DOCS / "operations.md").read_text("utf-8")
    table = page[page.index("| metric |") : page.index("## Alerts")]
    cells = re.findall(r"(?m)^\| (`.*?) \|", table)
    named = {f"mudserver_{name}" for cell in cells for name in re.findall(r"`([a-z_]+)[`{]", cell)}
    counted = {re.sub(r"_(bucket|sum|count)$", "", name) for name in series}
    assert {name for name in counted if name.startswith("mudserver_")} == named


def test_a_label_of_another_series_is_noticed(series):
    for wrong in (
        "mudserver_none_total",
        'mudserver_sessions{game="words"}',
        "rate(process_open_fds",
    ):
        with pytest.raises(AssertionError):
            check(wrong, series)
