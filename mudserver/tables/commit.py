"""Making a record true: the state of the table moves, and the deliveries say who is told what.

Rule 1: this is the only way a table changes, for the runner and for a replay alike.
Rule 2: each fact is put into words before it is applied: its sentence speaks of the table as it
        was.
"""

from __future__ import annotations

from mudserver.outbox import Deliveries
from mudserver.tables import records as f
from mudserver.tables.notifications import NotificationBuilder, alone_warning, records_warning
from mudserver.tables.presence import apply_presence
from mudserver.tables.program_data import DataBuilder
from mudserver.tables.replaced_person import replace_person
from mudserver.tables.table import Table
from mudserver.tables.texts import change_text


def commit(table: Table, record: f.Record) -> Deliveries:
    """Apply *record* to *table*; the caller sends the deliveries, or drops them in a replay."""
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
    if record.has_play and table.is_playing and table.warnings_due > table.warnings_sent:
        builder.add_announcement(records_warning(table))
    table.finish(record)
    here = (table.people() & table.online) | table.watchers.keys()
    known = [(person, message) for message in data.build() for person in sorted(here)]
    return [*builder.build(record.facts), *known]


def commit_silently(table: Table, record: f.Record) -> None:
    """Apply *record* to *table*, of which nobody is told: a part of its past is looked at."""
    table.begin(record)
    for fact in record.facts:
        _apply(table, fact)
    table.finish(record)


def _apply(table: Table, fact: f.AnyFact) -> None:
    if isinstance(fact, f.PersonReplaced):
        replace_person(table, fact)
    else:
        table.apply(fact)
