"""The table as the watchers of a game with a delay see it.

Rule 1: it is a second table, which is told the same records later (`held_back.py`).  So all that
        watchers read (events, views, sentences, lists, answers to questions) is of one moment.
Rule 2: nobody has a seat there: who has left one is a watcher like others.  Who watches is the same
        at both tables at any time.
Rule 3: it is there from the start of a game to its end, and is folded again from the stream as the
        table itself is: another process and another server are as far behind.
Rule 4: of presence only the coming and going of watchers reaches it.  The clock is left out.
"""

from __future__ import annotations

from copy import copy

from msgspec.structs import replace

from mudserver.tables import records as f
from mudserver.tables.held_back import HeldBack
from mudserver.tables.pause_state import GoingOn
from mudserver.tables.readiness import Readiness
from mudserver.tables.seat_bars import SeatBars
from mudserver.tables.table import Table

_OF_WATCHERS = f.CameOnline | f.WentOffline | f.StartedWatching | f.StoppedWatching


def fall_behind(table: Table, record: f.Record) -> None:
    """*record* is about to be applied: with a delay watchers stay behind when a game starts."""
    if not any(isinstance(fact, f.Started) for fact in record.facts):
        return
    opened = record.facts[0]  # of a tournament, which opens a table and starts its game at once
    options = opened.options if isinstance(opened, f.Opened) else table.options
    if options.delay:
        table.behind, table.held_back = _copy(table), HeldBack()


def _copy(table: Table) -> Table:
    """The table before its next game: the game and the marks are replaced when that starts."""
    other = copy(table)
    other.is_behind = True
    other.roster, other.seated = list(table.roster), list(table.seated)
    other.seat_since_ms, other.sitters = dict(table.seat_since_ms), set(table.sitters)
    other.invitations, other.watchers = dict(table.invitations), dict(table.watchers)
    other.readiness, other.bars, other.going_on = Readiness(), SeatBars(), GoingOn()
    other.online, other.offline_since_ms = set(), {}
    other.guest_sources, other.offered, other.code = {}, {}, ""
    if table.match is not None:
        other.match = copy(table.match)
        other.match.seats = list(table.match.seats)
    return other


def of_watchers(table: Table, record: f.Record) -> f.Record | None:
    """What watchers do in *record*, which is applied at once behind, too; None: nothing."""
    behind = table.behind
    assert behind is not None
    new = {it.person for it in record.presence_changes if isinstance(it, f.StartedWatching)}
    watchers = behind.watchers.keys() | new
    changes = [it for it in record.presence_changes if isinstance(it, _OF_WATCHERS)]
    own = tuple([it for it in changes if it.person in watchers])
    return f.Record(behind.sequence, record.at_ms, (), own) if own else None


def note_watchers(table: Table) -> None:
    """Who watches may have another name now, or a seat again; or the table is just restored."""
    if table.behind is not None and not table.is_closed:
        table.behind.watchers, table.behind.is_program = dict(table.watchers), table.is_program


def keep(table: Table, record: f.Record) -> None:
    """*record* is applied: behind it is later, without who came and went with it [rule 4]."""
    if record.facts:
        made = 0 if table.game is None else table.game.told_decisions
        table.held_back.keep(replace(record, presence_changes=()), made)


def shown_decisions(table: Table) -> int | None:
    """How many decisions watchers see; None: all, for the game is over."""
    if table.game is None or not table.is_playing:
        return None
    return table.game.told_decisions - table.options.delay


def catch_up(table: Table) -> None:
    """Everything was shown: where the game is over, watchers see the table itself again."""
    if not table.is_playing:
        table.behind = None
