"""The Prometheus text format, and the delay of the event loop.

Rule 1: text format 0.0.4, with names, units and types as its documentation asks.  Every series
        exists from the start, at 0.
Rule 2: label values are fixed words, so nothing needs escaping; an unexpected one fails here.

https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from mudserver import metrics
from mudserver.clock import Clock, TimerHandle

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SAMPLE_S = 0.1  # between two samples
SAMPLES = 600  # kept: one minute

_PLAIN = re.compile(r"[A-Za-z0-9 ._+-]*")


Labels = tuple[tuple[str, str], ...]


class MetricFamily(NamedTuple):
    """Values read on demand: a gauge, or a counter if the name ends in `_total`."""

    name: str
    help: str
    values: Mapping[Labels, float]


class HistogramFamily(NamedTuple):
    """Histograms read on demand: for each the counts by bound, as `Histogram`, and the sum."""

    name: str
    help: str
    bounds: Sequence[float]
    values: Mapping[Labels, tuple[Sequence[int], float]]


def single_value(name: str, help: str, value: float) -> MetricFamily:
    """A family with one value and no label."""
    return MetricFamily(name, help, {(): value})


def labelled(label: str, name: str, help: str, values: Mapping[str, float]) -> MetricFamily:
    """A family with one label."""
    return MetricFamily(name, help, {((label, word),): value for word, value in values.items()})


def render(
    recorded: Sequence[metrics.Metric], on_demand: Sequence[MetricFamily | HistogramFamily]
) -> bytes:
    rows: list[str] = []
    for metric in recorded:
        rows += _head(metric.name, metric.help, isinstance(metric, metrics.Histogram))
        rows += _rows(metric)
    for figure in on_demand:
        rows += _head(figure.name, figure.help, isinstance(figure, HistogramFamily))
        if isinstance(figure, HistogramFamily):
            for at, (counts, total) in figure.values.items():
                rows += _histogram(figure.name, figure.bounds, counts, total, at)
            continue
        rows += [f"{figure.name}{_labels(at)} {value:.16g}" for at, value in figure.values.items()]
    return "\n".join([*rows, ""]).encode("ascii")


def _head(name: str, help: str, is_histogram: bool = False) -> tuple[str, str]:
    kind = "histogram" if is_histogram else "counter" if name.endswith("_total") else "gauge"
    return f"# HELP {name} {help}", f"# TYPE {name} {kind}"


def _rows(metric: metrics.Metric) -> Iterator[str]:
    name = metric.name
    if isinstance(metric, metrics.LabelledCounter):
        for word, number in metric.values.items():
            labels = zip(metric.label.split(","), word.split(","), strict=True)
            yield f"{name}{_labels(tuple(labels))} {number}"
    elif isinstance(metric, metrics.Histogram):
        yield from _histogram(name, metric.bounds, metric.counts, metric.sum)
    else:
        yield f"{name} {metric.value:.16g}"


def _histogram(
    name: str, bounds: Sequence[float], counts: Sequence[int], summed: float, at: Labels = ()
) -> Iterator[str]:
    total = 0
    for bound, number in zip((*bounds, "+Inf"), counts, strict=False):
        total += number
        yield f"{name}_bucket{_labels((*at, ('le', str(bound))))} {total}"
    yield f"{name}_sum{_labels(at)} {summed:.9g}"
    yield f"{name}_count{_labels(at)} {total}"


def _labels(labels: Labels) -> str:
    if not labels:
        return ""
    for _, word in labels:
        assert _PLAIN.fullmatch(word), word
    return "{" + ",".join(f'{label}="{word}"' for label, word in labels) + "}"


class LoopDelayMonitor:
    """Measures every SAMPLE_S how late the event loop runs a timer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._recent: deque[float] = deque(maxlen=SAMPLES)  # seconds
        self._timer: TimerHandle | None = None
        self._due_at = 0.0

    def start(self) -> None:
        self._due_at = self._clock.monotonic() + SAMPLE_S
        self._timer = self._clock.call_later(SAMPLE_S, self._sample)

    def _sample(self) -> None:
        late_s = max(0.0, self._clock.monotonic() - self._due_at)
        metrics.LOOP_DELAY_SECONDS.observe(late_s)
        self._recent.append(late_s)
        self.start()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def p99_s(self) -> float:
        """99th percentile of the last minute; 0.0 before the first sample."""
        ordered = sorted(self._recent)
        return ordered[ceil(0.99 * len(ordered)) - 1] if ordered else 0.0
