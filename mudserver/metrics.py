"""Counters and histograms that any module may add to.

Rule 1: counting is adding to a number: no lock, no I/O, no clock; only in the event loop.
Rule 2: one process is one server, so metrics are module globals.  A test takes the difference.
Rule 3: a label value is a fixed word, never a name, an address or a card.  Of unforeseen values the
        first LABELS_MAX are told apart, the rest are "other".
Rule 4: current values (users, tables, memory) are not kept here but read on demand (`status.py`).

Names and units follow https://prometheus.io/docs/practices/naming/.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from mudserver.protocols import PROTOCOLS

LABELS_MAX = 48
SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Counter:
    """One number that only grows: `INTERNAL_ERRORS.value += 1`."""

    __slots__ = ("help", "name", "value")

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help, self.value = name, help, 0
        REGISTRY.append(self)


class LabelledCounter:
    """One number for each value of one label; of several labels: "kind,level" and "tables,all"."""

    __slots__ = ("help", "label", "name", "values")

    def __init__(self, name: str, help: str, label: str, words: Sequence[str] = ()) -> None:
        self.name, self.help, self.label = name, help, label
        self.values = dict.fromkeys(words, 0)
        REGISTRY.append(self)

    def increment(self, word: str, amount: int = 1) -> None:
        values = self.values
        if word not in values and len(values) >= LABELS_MAX:
            word = "other"
        values[word] = values.get(word, 0) + amount


class Histogram:
    """Counts values by the first of *bounds* that they do not exceed; the last counts the rest."""

    __slots__ = ("bounds", "counts", "help", "name", "sum")

    def __init__(self, name: str, help: str, bounds: Sequence[float] = SECONDS_BUCKETS) -> None:
        self.name, self.help, self.bounds = name, help, tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.sum = 0.0
        REGISTRY.append(self)

    def observe(self, figure: float, times: int = 1) -> None:
        self.counts[bisect_left(self.bounds, figure)] += times
        self.sum += figure * times


class Gauge:
    """A value that can go down too; 0: not yet known."""

    __slots__ = ("help", "name", "value")

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help, self.value = name, help, 0.0
        REGISTRY.append(self)


Metric = Counter | LabelledCounter | Histogram | Gauge
REGISTRY: list[Metric] = []

# -- users -----------------------------------------------------------------------------------------

LOGINS = LabelledCounter(
    "mudserver_logins_total", "Sessions that have logged in, by protocol.", "protocol",
    tuple(PROTOCOLS),
)  # fmt: skip
RESUMED = LabelledCounter(
    "mudserver_sessions_resumed_total",
    "Sessions that another game server has had before, by what they were taken up with.", "how",
    ("capsule", "proven", "login"),
)  # fmt: skip
WALKS = LabelledCounter(
    "mudserver_walks_total",
    "Sessions that came here from another game server, or did not get to one.", "result",
    ("done", "failed", "moving"),
)  # fmt: skip
WALL_BYTES = LabelledCounter(
    "mudserver_wall_bytes_total", "Bytes between this process and its doors.", "direction",
    ("in", "out"),
)  # fmt: skip
REFUSALS = LabelledCounter(
    "mudserver_requests_refused_total", "Requests refused with a sentence, by reason.", "reason",
    ("sessions_max", "hash_queue", "input_rate", "chat", "queue", "changes", "tables", "journal",
     "size", "memory", "banned", "permission"),
)  # fmt: skip
STAFF_ACTS = LabelledCounter(
    "mudserver_staff_acts_total", "Acts of the staff, by verb.", "verb",
    ("warn", "mute", "kick", "ban"),
)  # fmt: skip
BUDGET_REFUSALS = LabelledCounter(
    "mudserver_budget_refusals_total",
    "Requests refused because a source, a network or the server had no room, by kind and level.",
    "kind,level", ("decisions,source", "decisions,network", "decisions,person"),
)  # fmt: skip
LINES_READ = Counter("mudserver_input_lines_total", "Input lines read from logged-in users.")

# -- output ----------------------------------------------------------------------------------------

DELIVERY_SECONDS = Histogram(
    "mudserver_delivery_seconds",
    "From an input line or a committed play to the output handed to the transport, per reader.",
)
CHAT_LINES_DROPPED = Counter(
    "mudserver_chat_lines_dropped_total", "Chat lines dropped for slow readers."
)
MESSAGES_DROPPED = Counter(
    "mudserver_messages_dropped_total", "Messages dropped because an inbox was full."
)
CONNECTIONS_ABORTED = LabelledCounter(
    "mudserver_connections_aborted_total", "Connections aborted because the client did not read.",
    "reason", ("output_bytes", "output_stall"),
)  # fmt: skip

# -- tables ----------------------------------------------------------------------------------------

PLAYS = LabelledCounter("mudserver_plays_total", "Committed plays of people.", "game")
COMPUTER_PLAYS = LabelledCounter(
    "mudserver_computer_plays_total", "Plays of computer players.", "game"
)
PLAY_SECONDS = Histogram(
    "mudserver_play_seconds", "From a play read by its table to its record being durable."
)
DELAYED_WINDOWS = Counter(
    "mudserver_delayed_windows_total",
    "Decisions for which computer players thought longer, because a source was in debt.",
)
COMPUTER_SECONDS = Histogram(
    "mudserver_computer_decision_seconds",
    "From asking a computer player to its answer, queueing included.",
)
COMPUTER_FAILURES = Counter(
    "mudserver_computer_failures_total", "Decisions that a computer player did not make in time."
)
COMPUTER_PROCESSES_LOST = Counter(
    "mudserver_computer_processes_lost_total",
    "Computer player processes that died and were replaced.",
)

# -- journal and process ---------------------------------------------------------------------------

JOURNAL_RECORDS = Counter("mudserver_journal_records_total", "Records made durable.")
COMMIT_SECONDS = Histogram(
    "mudserver_journal_commit_seconds", "From handing a batch to the writer to its being durable."
)
JOURNAL_FAILURES = Counter("mudserver_journal_failures_total", "Batches that could not be written.")
BACKUPS = LabelledCounter("mudserver_backups_total", "Backups.", "outcome", ("succeeded", "failed"))
BUS_EVENTS = LabelledCounter(
    "mudserver_bus_events_total", "Events to and from other servers.", "direction",
    ("told", "heard"),
)  # fmt: skip
BUS_LOST = LabelledCounter(
    "mudserver_bus_lost_total", "Events that other servers are not told.", "why",
    ("talk", "dropped"),
)  # fmt: skip
NOTICES = LabelledCounter(
    "mudserver_notices_total", "Notices for people outside the server, by what became of them.",
    "outcome", ("sent", "failed", "dropped"),
)  # fmt: skip
FOLLOW_LAG = Gauge(
    "mudserver_follow_lag_seconds", "How far what other servers have written is not known yet."
)
CLOCK_OFFSET = Gauge(
    "mudserver_clock_offset_seconds", "By how much the clock is ahead of the database's."
)
LAST_BACKUP = Gauge(
    "mudserver_last_backup_timestamp_seconds",
    "When the last successful backup was made; 0: none since the start.",
)
LOOP_DELAY_SECONDS = Histogram(
    "mudserver_event_loop_delay_seconds", "How late the event loop ran a timer."
)
INTERNAL_ERRORS = Counter(
    "mudserver_internal_errors_total",
    "Unexpected exceptions; each has a log line and a reference.",
)
LOG_DROPPED = Counter("mudserver_log_lines_dropped_total", "Log lines beyond server.log_lines_max.")
