"""Making a record true: the state of the table moves, and the deliveries say who is told what.

Rule 1: this is the only way a table changes, for the runner and for a replay alike.
Rule 2: each fact is put into words before it is applied: its sentence speaks of the table as it
        was.
Rule 3: in a game with a delay watchers are told of a record when it is applied to the table that
        they see (`behind.py`).
"""

from __future__ import annotations

from mudserver.outbox import Deliveries
from mudserver.tables import behind
from mudserver.tables import records as f
from mudserver.tables.notifications import NotificationBuilder, alone_warning, records_warning
from mudserver.tables.presence import apply_presence
from mudserver.tables.program_data import DataBuilder
from mudserver.tables.replaced_person import replace_person
from mudserver.tables.table import Table
from mudserver.tables.texts import change_text


def commit(table: Table, record: f.Record) -> Deliveries:
    """Apply *record* to *table*; the caller sends the deliveries, or drops them in a replay."""
    behind.fall_behind(table, record)
    deliveries = _commit(table, record)
    if table.behind is None:
        return deliveries
    return [*deliveries, *_follow(table, table.behind, record)]


def commit_silently(table: Table, record: f.Record) -> None:
    """Apply *record* to *table*, of which nobody is told: a part of its past is looked at."""
    behind.fall_behind(table, record)
    _apply_facts(table, record)
    if table.behind is not None:
        behind.keep(table, record)
        for due in table.held_back.due(behind.shown_decisions(table)):
            if isinstance(due, f.Record):
                _apply_facts(table.behind, due)
        behind.catch_up(table)


def _commit(table: Table, record: f.Record) -> Deliveries:
    table.begin(record)
    is_start = any(isinstance(fact, f.Started) for fact in record.facts)
    builder, data = NotificationBuilder(table, is_start=is_start), DataBuilder(table)
    for change in record.presence_changes:
        builder.add_presence_change(change)
        apply_presence(table, change, record.at_ms)
        if isinstance(change, f.WarnedOfClosing):
            builder.add_announcement(alone_warning())
    for fact in record.facts:
        builder.add_fact(fact)
        data.add_fact(fact, change_text(fact))
        _apply(table, fact)
    if _is_to_warn(table, record):
        builder.add_announcement(records_warning(table))
    table.finish(record)
    known = [(person, message) for message in data.build() for person in table.readers()]
    return [*builder.build(record.facts), *known]


def _is_to_warn(table: Table, record: f.Record) -> bool:
    is_in_game = record.has_play and table.is_playing and not table.is_behind
    return is_in_game and table.warnings_due > table.warnings_sent


def _follow(table: Table, seen: Table, record: f.Record) -> Deliveries:
    """What watchers are told, who see *seen*, after *record* was applied to *table*."""
    deliveries: Deliveries = []
    if (own := behind.of_watchers(table, record)) is not None:
        deliveries += _commit(seen, own)
    behind.note_watchers(table)
    behind.keep(table, record)
    for due in table.held_back.due(behind.shown_decisions(table)):
        if isinstance(due, f.Record):
            deliveries += _commit(seen, due)
            behind.note_watchers(table)
        else:
            deliveries += due.tell(seen.watchers)
    behind.catch_up(table)
    return deliveries


def _apply_facts(table: Table, record: f.Record) -> None:
    table.begin(record)
    for fact in record.facts:
        _apply(table, fact)
    table.finish(record)


def _apply(table: Table, fact: f.AnyFact) -> None:
    if isinstance(fact, f.PersonReplaced):
        replace_person(table, fact)
    else:
        table.apply(fact)
