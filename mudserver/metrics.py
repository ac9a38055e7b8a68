"""What the house counts, as plain numbers that any room may add to.

Rule 1: counting is adding to an integer: no lock, no I/O, no clock; all of it in the event loop.
Rule 2: a process is one house, so there is one of each.  Who wants to know what happened takes the
        difference.
Rule 3: a label is a word of ours, never a person's name, address or card; of words nobody has
        foreseen the first LABELS_MAX are told apart, the rest are "other".
Rule 4: what is known anyway (people, tables, memory) is not counted but looked up when asked for.

Names and units follow https://prometheus.io/docs/practices/naming/.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

LABELS_MAX = 32
SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Counter:
    """One number that only grows: `FAULTS.value += 1`."""

    __slots__ = ("help", "name", "value")

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help, self.value = name, help, 0
        REGISTRY.append(self)


class LabelledCounter:
    """A number for each value of one label."""

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
    """How often a figure was at most each of *bounds*, in their unit; the last counts the rest."""

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
    """A figure that goes both ways; 0: not yet known."""

    __slots__ = ("help", "name", "value")

    def __init__(self, name: str, help: str) -> None:
        self.name, self.help, self.value = name, help, 0.0
        REGISTRY.append(self)


Metric = Counter | LabelledCounter | Histogram | Gauge
REGISTRY: list[Metric] = []

# -- people ----------------------------------------------------------------------------------------

LOGINS = LabelledCounter(
    "mudserver_logins_total", "Visits whose person is known, by door.", "door",
    ("ssh", "json", "telnet", "tls"),
)  # fmt: skip
REFUSALS = LabelledCounter(
    "mudserver_refusals_total", "What was refused to people, by reason.", "reason",
    ("full", "guests", "busy", "registrations", "slow", "talk", "queue", "tables", "journal",
     "size", "memory"),
)  # fmt: skip
LINES_READ = Counter("mudserver_lines_total", "Lines typed and read, of people who are in.")

# -- what they are sent ----------------------------------------------------------------------------

DELIVERY_SECONDS = Histogram(
    "mudserver_delivery_seconds",
    "From a line heard or a play committed to its bytes handed to the transport, for each reader.",
)
CHAT_LINES_DROPPED = Counter(
    "mudserver_dropped_chat_lines_total", "Lines of talk lost by slow readers."
)
MESSAGES_DROPPED = Counter(
    "mudserver_dropped_messages_total", "Messages lost because a box was full."
)
CONNECTIONS_ABORTED = LabelledCounter(
    "mudserver_line_cuts_total", "Lines cut because the other end did not read.", "reason",
    ("bytes", "stall"),
)  # fmt: skip

# -- tables ----------------------------------------------------------------------------------------

PLAYS = LabelledCounter("mudserver_plays_total", "Plays of people that were committed.", "game")
COMPUTER_PLAYS = LabelledCounter(
    "mudserver_computer_plays_total", "Plays of computer players.", "game"
)
PLAY_SECONDS = Histogram(
    "mudserver_play_seconds", "From a play taken up by its table to its record durable."
)
COMPUTER_SECONDS = Histogram(
    "mudserver_computer_seconds", "From asking a computer player to its answer, queueing included."
)
COMPUTER_FAILURES = Counter(
    "mudserver_computer_failures_total", "Computer players that had no answer in time."
)
COMPUTER_PROCESSES_LOST = Counter(
    "mudserver_computer_processes_lost_total", "Processes of computer players that were replaced."
)

# -- the machinery ---------------------------------------------------------------------------------

JOURNAL_RECORDS = Counter("mudserver_journal_records_total", "Records made durable.")
COMMIT_SECONDS = Histogram(
    "mudserver_journal_commit_seconds", "From handing a batch to the writer to knowing it durable."
)
JOURNAL_FAILURES = Counter("mudserver_journal_failures_total", "Batches that were not saved.")
BACKUPS = LabelledCounter("mudserver_backups_total", "Backups.", "outcome", ("done", "failed"))
LAST_BACKUP = Gauge(
    "mudserver_backup_timestamp_seconds", "When the last good backup was made; 0: none since start."
)
LOOP_DELAY_SECONDS = Histogram(
    "mudserver_loop_delay_seconds", "How much later than due the event loop ran a timer."
)
INTERNAL_ERRORS = Counter(
    "mudserver_faults_total", "Bugs, each with a line in the log and a reference."
)
LOG_DROPPED = Counter("mudserver_log_lines_dropped_total", "Lines of the log beyond its limit.")
