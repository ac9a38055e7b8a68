"""Which open table `play` takes.

Rule 1: only public tables that have had no game yet, of the same game and the same options, with a
        free seat and an owner who is connected, where the person may sit.
Rule 2: not one that the person has left or passed over within ten minutes.
Rule 3: tables opened by `play` come first, then those with most people, then the oldest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable

from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.tables import requests as r
from mudserver.tables.decide import decide
from mudserver.tables.options import TableOptions
from mudserver.tables.table import Table

PASSED_OVER_S = 600.0
ENTRIES_MAX = 10_000


class PassedOver:
    """The tables that each person has left or passed over lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until_s: OrderedDict[tuple[str, int], float] = OrderedDict()

    def note(self, person: str, table: int) -> None:
        now_s = self._clock.monotonic()
        self._until_s[person, table] = now_s + PASSED_OVER_S
        self._until_s.move_to_end((person, table))
        while len(self._until_s) > ENTRIES_MAX or next(iter(self._until_s.values())) <= now_s:
            self._until_s.popitem(last=False)

    def has(self, person: str, table: int) -> bool:
        return self._until_s.get((person, table), 0.0) > self._clock.monotonic()


def best_table(
    tables: Iterable[tuple[int, Table]],
    request: r.Sit,
    typed: TableOptions,
    variant: str,
    is_avoided: Callable[[int, Table], bool],
    now_ms: int,
) -> int | None:
    """The number of the best of *tables* for *request*; None: there is none."""
    found = [
        (table.countdown is None, -len(table.seated), number)
        for number, table in tables
        if _suits(table, typed, variant)
        and not is_avoided(number, table)
        and may_sit(table, request, now_ms)
    ]
    return min(found)[-1] if found else None


def _suits(table: Table, typed: TableOptions, variant: str) -> bool:
    options = table.options
    return (
        table.variant.name == variant
        and table.phase == "waiting"
        and not table.is_private
        and table.owner in table.online
        and len(table.roster) < options.seats
        and _is_same_game(options, typed)
    )


def _is_same_game(options: TableOptions, typed: TableOptions) -> bool:
    def key(of: TableOptions) -> tuple[object, ...]:
        return of.game, of.clocks, of.seats, of.deals, of.rated

    return key(options) == key(typed)


def may_sit(table: Table, request: r.Request, now_ms: int) -> bool:
    """Whether the table takes who would sit down there."""
    try:
        decide(table, request, now_ms)
    except UserError:
        return False
    return True
