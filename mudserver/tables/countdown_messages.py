"""What people at a table of `play` read of its start: when it comes, or for whom it waits."""

from __future__ import annotations

from collections.abc import Collection

from mudserver.messages import Notice
from mudserver.outbox import Deliveries
from mudserver.tables import texts
from mudserver.tables.table import Table
from mudserver.tables.waiting import fill


def countdown_messages(table: Table, before: Collection[str]) -> Deliveries:
    """When the game starts by itself, for everybody who sits there; *before*: who was there."""
    if table.waits_for_account:
        text = texts.waits_for_account(table.number, table.variant.name)
        return [(person, Notice(text)) for person in table.seated if person not in before]
    if table.starts_ms is None or table.options.who == "invited":
        return []  # it waits for nobody, so who opened it begins at once
    seconds = -(-(table.starts_ms - table.at_ms) // 1000)
    deliveries: Deliveries = []
    for person in table.seated:
        if person in before:
            text = texts.starts_later(seconds)
        elif len(table.roster) == 1:
            computers = [each.name for each in fill(table, table.roster)]
            text = texts.starts_alone(table.number, seconds, computers)
        else:
            text = texts.starts(table.number, seconds)
        deliveries.append((person, Notice(text)))
    return deliveries


def what_it_waits_for(table: Table, now_ms: int, *, is_rated: bool) -> str:
    """For who types `play` there; "": nothing, the person finds another one.

    Args:
        is_rated: Whether a rated game is wanted.
    """
    if table.is_playing or (is_rated and table.options.rated != "on"):
        return ""
    if table.waits_for_account and not is_rated:
        return ""
    if table.waits_for_account:
        return texts.waits_for_account(table.number, table.variant.name)
    if table.starts_ms is not None:
        seconds = -(-max(0, table.starts_ms - now_ms) // 1000)
        return texts.starts(table.number, seconds)
    if len(table.seated) == 1:
        return f"You have table {table.number} to yourself. Type start to play, or leave."
    return ""
