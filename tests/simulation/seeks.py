"""What holds of offered games at any time, on one server and on several."""

from __future__ import annotations

from typing import Any

from mudserver.lobby.seek import SEEKS_OF_ONE_MAX
from mudserver.source_budgets import Kind


def check_seeks(app: Any) -> None:
    """An offer stands while its person is here and has no live seat, and holds one place."""
    seeking, tables = app.service.seeking, app.table_manager
    offered = {seek: it.person.id for it in app.lobby.all_here() for seek in it.seeks}
    assert {seek: own.person for seek, own in seeking._own.items()} == offered
    assert app.budgets.held(Kind.SEEKS) == len(offered)
    assert all(len(it.seeks) <= SEEKS_OF_ONE_MAX for it in app.lobby.all_here())
    numbers = [seek.number for seek in offered]
    assert len(numbers) == len(set(numbers)), numbers
    for seek, person in offered.items():
        status = tables.seat_status(person)
        has_live_seat = status is not None and status.seat is not None and not status.is_slow
        assert not has_live_seat or "correspondence" in seek.line, (person, seek, status)
    assert seeking._taken.keys() <= tables._runners.keys()


def check_no_seeks(app: Any) -> None:
    """Everybody has gone."""
    seeking = app.service.seeking
    left = seeking._shown, seeking._own, seeking._taken, seeking._news._waiting
    assert ({}, {}, {}, {}) == left, left
    assert 0 == app.budgets.held(Kind.SEEKS)
