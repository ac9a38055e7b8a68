"""Figures as a scraper reads them, by the reference parser."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mudserver import metrics
from mudserver.ops.prometheus import SAMPLE_S, LoopDelayMonitor, labelled, render, single_value
from tests.simulation import virtual
from tests.simulation.server import ANSI, WALL_MS, Clock, SimServer, new_world


@pytest.fixture
def counted(monkeypatch):
    """Metrics of a test's own."""
    own: list[metrics.Metric] = []
    monkeypatch.setattr(metrics, "REGISTRY", own)
    return own


def read(text: bytes):
    return {family.name: family for family in text_string_to_metric_families(text.decode())}


def test_each_kind_is_written_as_the_format_wants_it(counted):
    metrics.Counter("made_total", "What was made.").value += 3
    metrics.Gauge("level", "How high.").value = 0.25
    kinds = metrics.LabelledCounter("asked_total", "What was asked.", "kind", ("a", "b"))
    kinds.increment("b", 2)
    histogram = metrics.Histogram("wait_seconds", "How long.", (0.1, 1.0))
    for figure in (0.1, 0.5, 7.0):
        histogram.observe(figure)
    found = read(
        render(
            counted,
            [single_value("people", "Who is in.", 2), labelled("door", "at", "W.", {"x": 1})],
        )
    )
    assert ("counter", 3) == (found["made"].type, found["made"].samples[0].value)
    assert ("gauge", 0.25) == (found["level"].type, found["level"].samples[0].value)
    assert [("a", 0), ("b", 2)] == [(s.labels["kind"], s.value) for s in found["asked"].samples]
    assert "histogram" == found["wait_seconds"].type
    assert [("0.1", 1), ("1.0", 2), ("+Inf", 3), (None, 7.6), (None, 3)] == [
        (s.labels.get("le"), s.value) for s in found["wait_seconds"].samples
    ]
    assert {"door": "x"} == found["at"].samples[0].labels


def test_words_that_nobody_has_foreseen_are_bounded(counted):
    kinds = metrics.LabelledCounter("asked_total", "What was asked.", "kind")
    for number in range(1_000):
        kinds.increment(f"k{number}")
    assert metrics.LABELS_MAX + 1 == len(kinds.values)
    assert 1_000 - metrics.LABELS_MAX == kinds.values["other"]


def test_an_odd_label_is_refused_not_escaped():
    with pytest.raises(AssertionError):
        render([], [labelled("name", "x", "X.", {'a"} 1\nforged 1': 1})])


def test_a_stalled_loop_is_seen_as_a_delay():
    async def scenario() -> tuple[float, float, int]:
        loop = asyncio.get_running_loop()
        delay = LoopDelayMonitor(Clock(loop, WALL_MS))
        before = sum(metrics.LOOP_DELAY_SECONDS.counts)
        delay.start()
        await asyncio.sleep(10 * SAMPLE_S)
        calm_s = delay.p99_s()
        loop.virtual_s += 0.75  # type: ignore[attr-defined]
        await asyncio.sleep(2 * SAMPLE_S)
        delay.stop()
        await asyncio.sleep(10 * SAMPLE_S)
        return calm_s, delay.p99_s(), sum(metrics.LOOP_DELAY_SECONDS.counts) - before

    calm_s, late_s, samples = virtual.run(scenario())
    assert calm_s < 0.001 and 0.6 < late_s <= 0.75
    assert 9 <= samples <= 13


def test_a_game_is_counted_and_every_series_can_be_read():
    async def scenario() -> tuple[bytes, dict]:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann", ANSI), server.guest(is_program=True)
        await asyncio.sleep(0.5)
        for line in ("open elimination", "bot 1", "start"):
            ann.type(line)
            await asyncio.sleep(0.5)
        for _ in range(15):
            ann.type("draw")
            bob.type("say hello")
            await asyncio.sleep(3)
        return server.app.server_status.metrics()[2], server.app.server_status.as_dict()

    before = read(render(metrics.REGISTRY, []))
    text, status = virtual.run(scenario())
    found = read(text)

    def grew(name: str, **labels: str) -> float:
        def total(families):
            samples = families[name].samples if name in families else []
            return sum(s.value for s in samples if labels.items() <= s.labels.items())

        return total(found) - total(before)

    assert (
        1 == grew("mudserver_logins", protocol="ssh") == grew("mudserver_logins", protocol="json")
    )
    assert 33 == grew("mudserver_input_lines")
    assert grew("mudserver_plays", game="elimination") >= 1
    assert grew("mudserver_computer_plays", game="elimination") >= 1
    assert grew("mudserver_delivery_seconds", le="+Inf") >= 15
    assert 1 == grew("mudserver_users", kind="guest") == grew("mudserver_users", kind="account")
    assert 1 == grew("mudserver_tables", game="elimination")
    assert status["users"] == {"account": 1, "guest": 1}
    assert 1 == sum(status["tables"]["elimination"].values())
