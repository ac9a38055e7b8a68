"""Computing ratings again from what is recorded of games, and comparing.

Rule 1: each game is computed from what is stored of the games before it, so one wrong value is one
        fault.  Stored values are the truth: nothing here changes a record.
Rule 2: values may differ by TOLERANCE: mathematical libraries round in their own ways.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from mudserver.journal import Row
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    GameVoided,
    ParametersSet,
    SeatResult,
)
from mudserver.results.rating import NEW, VERSION, Standing
from mudserver.service.rated_event import rated_event

TOLERANCE = 2  # in 1/10,000


class Recomputed:
    """The events of `results/1`, in their order, go into `apply`.

    Args: voided: numbers of the games that are void in the end; only what these made is kept.
    """

    def __init__(self, voided: Collection[int] = ()) -> None:
        self._voided = voided
        self.games = 0  # rated ones
        self.standings: dict[tuple[str, str], Standing] = {}  # by pool and account
        self.faults: list[str] = []  # one line each
        self._anchors: Mapping[str, Mapping[str, float]] | None = None  # by game and level
        self._won: dict[int, dict[str, int]] = {}  # by voided game and account, mu in 1/10,000

    def apply(self, event: AnyResultEvent) -> None:
        if isinstance(event, GameRecorded) and event.pool:
            self._rate(event)
        elif isinstance(event, GameVoided):
            self._give_back(event)
        elif isinstance(event, ParametersSet):
            self._anchors = event.anchors
            if event.version != VERSION:
                self.faults.append(f"parameters of version {event.version} are not known")

    def _rate(self, event: GameRecorded) -> None:
        self.games += 1
        known = {
            it.person: self.standings[event.pool, it.person]
            for it in event.seats
            if (event.pool, it.person) in self.standings
        }
        self._check_anchors(event)
        bare = tuple(replace(it, before=None, after=None, games=0) for it in event.seats)
        again = rated_event(replace(event, seats=bare), known, {})
        for seat, (stored, computed) in enumerate(zip(event.seats, again.seats, strict=True)):
            if not _is_equal(stored, computed):
                self.faults.append(f"game {event.number} seat {seat}: computed otherwise")
        won: dict[str, int] = {}
        for it in event.seats:
            if it.before is not None and it.after is not None:
                own = Standing(*it.after, it.games, event.at_ms)
                self.standings[event.pool, it.person] = own
                won[it.person] = it.after[0] - it.before[0]
        if event.number in self._voided:
            self._won[event.number] = won

    def _check_anchors(self, event: GameRecorded) -> None:
        """Whether computer players took part as the parameters before have it."""
        if self._anchors is None:
            return  # results of before there was such a record
        known = self._anchors.get(event.variant, {})
        for seat, it in enumerate(event.seats):
            if it.anchor and it.anchor != known.get(it.level):
                self.faults.append(f"game {event.number} seat {seat}: another anchor than recorded")

    def _give_back(self, event: GameVoided) -> None:
        won = self._won.pop(event.number, {})
        for it in event.given_back:
            own = self.standings.get((it.pool, it.person), NEW)
            after = Standing(own.mu - won.pop(it.person, 0), own.sigma, own.games, own.last_ms)
            stored = Standing(*it.after, it.games, it.last_ms)
            if after != stored or it.mu != stored.mu - own.mu:
                self.faults.append(f"void game {event.number}: {it.person} computed otherwise")
            self.standings[it.pool, it.person] = stored
        if won:
            self.faults.append(f"void game {event.number}: not everybody got it back")

    def index_faults(self, rows: Iterable[Row]) -> list[str]:
        """Where the index differs.  Args: rows: all of its table `rating`."""
        found = {(str(pool), str(who)): tuple(rest) for pool, who, *rest in rows}
        wanted = {key: tuple(own) for key, own in self.standings.items()}
        wrong = sorted(key for key in found.keys() | wanted if found.get(key) != wanted.get(key))
        return [f"index: {who} in {pool} is not as recorded" for pool, who in wrong]


def _is_equal(stored: SeatResult, computed: SeatResult) -> bool:
    if (stored.after is None) is not (computed.after is None) or stored.games != computed.games:
        return False
    return stored.before == computed.before and all(
        abs(own - other) <= TOLERANCE
        for own, other in zip(stored.after or (), computed.after or (), strict=True)
    )
