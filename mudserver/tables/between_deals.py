"""The decisions between two deals of a match: the next deal, and who leaves.  Pure.

Rule 1: seats, options and computer players stay.  The next deal begins when the pause is over, or
        when everybody who is connected and not away is ready.
Rule 2: no deal begins while nobody of the match is connected.  When that has lasted too long the
        match is abandoned.  [G-10]
Rule 3: a leaver's seat is played by a computer player to the end of the match.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.tables import match_texts, permissions, waiting
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.levels import free_computer_name
from mudserver.tables.match import Match
from mudserver.tables.seats import Occupant, handed_over
from mudserver.tables.table import Table

ABANDONED_MS = 600_000  # after the last person of the match has gone


def ready(table: Table, request: r.Start, now_ms: int) -> waiting.Decided:
    person = request.person
    permissions.check_allowed(table, person, "start")
    mark: list[f.AnyFact] = []
    if person not in table.readiness.marks and len(table.seated) > 1:
        mark = [f.Readied(person, True)]
    if waiting.missing_people(table, person):
        if not mark:
            raise UserError(f"You are ready. {match_texts.next_deal(table)}")
        return mark, []
    if request.refusal:
        raise UserError(request.refusal, "limit")
    return [*mark, *_next_deal(table, request.seed, now_ms)], []


def begin_by_itself(table: Table, request: r.Tick, now_ms: int) -> waiting.Decided:
    if request.refusal:
        return [], [f.CountdownStopped("", request.refusal)]
    return _next_deal(table, request.seed, now_ms), []


def leave(table: Table, person: str) -> list[f.AnyFact]:
    """Give the seat to a computer player for the rest of the match."""
    seat = table.seat_of(person)
    assert seat is not None
    if not any(o.person for n, o in enumerate(table.seats) if n != seat):
        return _abandoned()
    return [_handed_over(table, _match(table).seats, seat)]


def abandon(table: Table, now_ms: int) -> list[f.AnyFact]:
    """The end of a match that nobody has been connected to for long."""
    due_ms = abandoned_ms(table)
    return _abandoned() if due_ms is not None and due_ms <= now_ms else []


def abandoned_ms(table: Table) -> int | None:
    """When the match ends because nobody comes back, UTC; None: somebody is there."""
    if not table.is_between_deals or not table.online.isdisjoint(table.seated):
        return None
    since_ms = [table.offline_since_ms.get(person, table.at_ms) for person in table.seated]
    return max(since_ms) + ABANDONED_MS


def _next_deal(table: Table, seed: bytes, now_ms: int) -> list[f.AnyFact]:
    match = _match(table)
    seats, facts = list(match.seats), list[f.AnyFact]()
    for seat, occupant in enumerate(match.seats):
        if occupant.is_vacant:  # who was out, and left before the deal was over
            fact = _handed_over(table, seats, seat)
            seats[seat] = handed_over(occupant, fact, fact.player)
            facts.append(fact)
    return [*facts, *waiting.deal_facts(table, seats, match.deal + 1, seed, now_ms)]


def _handed_over(table: Table, seats: list[Occupant], seat: int) -> f.HandedOver:
    level, left = table.variant.stand_in, seats[seat]
    used_names = [o.name for o in (*seats, *table.roster)]
    name = free_computer_name(used_names, level)
    person = left.person or left.replaced_person
    return f.HandedOver(seat, name, left.name, "left", level, person=person)


def _abandoned() -> list[f.AnyFact]:
    return [f.Abandoned(), f.Closed("abandoned")]


def _match(table: Table) -> Match:
    assert table.match is not None
    return table.match
