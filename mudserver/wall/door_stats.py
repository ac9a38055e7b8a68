"""What a door counts: its connections, and how its game servers came and went.

Rule 1: a door outlives its game servers, so it is the door that counts their restarts.
Rule 2: a figure names nobody: numbers and fixed words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec.structs import replace

from mudserver.clock import Clock, TimerHandle
from mudserver.metrics import SECONDS_BUCKETS
from mudserver.ops import process_stats
from mudserver.ops.prometheus import LoopDelayMonitor
from mudserver.transport.gate import Gate
from mudserver.wall.bodies import Restart, RestartKind, Stats, encode_body
from mudserver.wall.frames import Kind

STATS_S = 5.0  # between two reports


class RestartHistory:
    """Args: clock: Of the door."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lost_at: float | None = None
        self._waiting: set[int] = set()  # connections of people who are not in again yet
        self.counts: dict[RestartKind, int] = {"planned": 0, "crash": 0}
        self.gaps = [0] * (len(SECONDS_BUCKETS) + 1)
        self.gaps_s = 0.0
        self.last: Restart | None = None
        self.lost = 0

    @property
    def gap_s(self) -> float | None:
        """For how long there has been no game server; None: there is one, or none has come yet."""
        return None if self._lost_at is None else self._clock.monotonic() - self._lost_at

    def begin(self, kind: RestartKind, people: Iterable[int]) -> None:
        """The game server is gone.  Args: people: the numbers of the connections of people."""
        self._lost_at, self._waiting = self._clock.monotonic(), set(people)
        self.last = Restart(kind, self._clock.now_ms(), 0.0, len(self._waiting), 0)

    def end(self) -> float | None:
        """The next game server has shaken hands.  The gap in seconds; None: it is the first."""
        gap_s = self.gap_s
        if gap_s is None or self.last is None:
            return None
        self._lost_at = None
        self.counts[self.last.kind] += 1
        self.gaps[bisect_left(SECONDS_BUCKETS, gap_s)] += 1
        self.gaps_s += gap_s
        self.last = replace(self.last, gap_s=gap_s)
        return gap_s

    def note_in(self, connection: int) -> None:
        """Somebody is logged in."""
        if connection in self._waiting and self._lost_at is None and self.last is not None:
            self._waiting.remove(connection)
            self.last = replace(self.last, went_on=self.last.went_on + 1)

    def give_up(self) -> None:
        """No game server has come; the connections end."""
        self.lost += len(self._waiting)
        self._waiting.clear()

    def discard(self, connection: int) -> None:
        self._waiting.discard(connection)


class Admitted(Protocol):
    """What is counted of a connection."""

    is_admitted: bool


class StatsSource(Protocol):
    """What is counted of a door."""

    restarts: RestartHistory
    on_made: Callable[[], None]

    @property
    def connections(self) -> Mapping[int, Admitted]: ...
    def tell_all(self, kind: Kind, body: bytes) -> None:
        """Tell every game server."""


class DoorStats:
    """Tells the game servers every STATS_S what there is, and keeps it for `mudserver status`."""

    def __init__(self, door: StatsSource, gate: Gate, clock: Clock) -> None:
        self._door, self._gate, self._clock = door, gate, clock
        self._started_at = clock.monotonic()
        self._loop_delay = LoopDelayMonitor(clock)
        self._timer: TimerHandle | None = None
        self.draining_s: Callable[[], float | None] = lambda: None  # until the door ends

    def start(self) -> None:
        """Each game server hears it as soon as it is there, and then every STATS_S."""
        self._loop_delay.start()
        self._door.on_made = self.tell
        self._repeat()

    def stop(self) -> None:
        self._loop_delay.stop()
        if self._timer is not None:
            self._timer.cancel()

    def _repeat(self) -> None:
        self._timer = self._clock.call_later(STATS_S, self._repeat)
        self.tell()

    def tell(self) -> None:
        self._door.tell_all(Kind.STATS, encode_body(self.figures()))

    def figures(self) -> Stats:
        gate, restarts = self._gate, self._door.restarts
        return Stats(
            up_s=self._clock.monotonic() - self._started_at,
            connections=gate.connections,
            people=sum(each.is_admitted for each in self._door.connections.values()),
            pre_login=len(gate.waiting),
            accepted=gate.counters.accepted,
            refused=gate.counters.refusals(),
            login_failures=gate.counters.failures,
            loop_delay_s=self._loop_delay.p99_s(),
            memory_bytes=process_stats.resident_bytes(),
            restarts={str(kind): number for kind, number in restarts.counts.items()},
            gaps=tuple(restarts.gaps),
            gaps_s=restarts.gaps_s,
            last_restart=restarts.last,
            lost=restarts.lost,
            draining_s=self.draining_s(),
        )
