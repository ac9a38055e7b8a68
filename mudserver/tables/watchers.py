"""Who watches a table, as everybody there may know it.

Rule 1: nobody is left out: nobody watches in secret.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.accounts.person import is_guest_id
from mudserver.data_messages import PlayerKind
from mudserver.tables.program_data import kind_of
from mudserver.tables.table import Table


class Watcher(NamedTuple):
    name: str
    person: str  # id
    kind: PlayerKind


class Watchers(NamedTuple):
    table: int
    people: tuple[Watcher, ...]  # in the order in which they have come
    behind: int  # decisions that they are behind in the running game; 0: none


class Delay(NamedTuple):
    """Of the game that runs at a table."""

    table: int
    behind: int  # decisions that watchers are behind
    is_seated: bool  # who asks has a seat


def delay_at(table: Table | None, person: str) -> Delay | None:
    """Of the table of *person*; None: there is no table, or watchers see the game as it is."""
    if table is None or table.behind is None:
        return None
    return Delay(table.number, table.options.delay, table.seat_of(person) is not None)


def watchers_of(table: Table | None) -> Watchers | None:
    """None: there is no table."""
    if table is None:
        return None
    people = [
        Watcher(name, it, kind_of(table, it, is_guest=is_guest_id(it)))
        for it, name in table.watchers.items()
    ]
    behind = table.options.delay if table.behind is not None else 0
    return Watchers(table.number, tuple(people), behind)
