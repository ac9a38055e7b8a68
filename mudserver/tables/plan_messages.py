"""What people are told of the moves that they keep for later: each of the own ones alone."""

from __future__ import annotations

from mudserver.data_messages import LaterData
from mudserver.messages import Notice
from mudserver.outbox import Deliveries
from mudserver.tables import plan_texts as texts
from mudserver.tables import records as f
from mudserver.tables.table import Table


def plan_messages(table: Table, fact: f.AnyFact) -> Deliveries:
    """To the person whose list is another with *fact*, wherever they are; it is not yet applied."""
    game, said, lines = table.game, "", tuple[str, ...]()
    match fact:
        case f.PlanSet(seat=seat, lines=lines, is_rest=is_rest):
            said = "" if is_rest else texts.kept(lines)
        case f.PlanEnded(seat=seat, why="cleared"):
            said = texts.CLEARED
        case f.PlanEnded(seat=seat, why="unfit"):
            said = texts.UNFIT.format(table.number)
        case f.PlanEnded(seat=seat):
            pass
        case f.Played(seat=seat, by="person") if game is not None and seat in game.plans.lines:
            said = texts.MOVED
        case _:
            return []
    person = table.seats[seat].person or ""
    told: Deliveries = [(person, Notice(said))] if said else []
    return [*told, (person, LaterData(table.number, table.game_id, lines))]


def plan_text(table: Table, person: str) -> str:
    """What *person*, who is asked or comes to the table, reads of the own list; "": nothing."""
    game, seat = table.game, table.seat_of(person)
    if game is None or seat is None:
        return ""
    lines, is_asked = game.plans.lines.get(seat, ()), game.may_act(seat)
    if lines:
        return texts.WAITS.format(texts.listed(lines)) if is_asked else texts.kept(lines)
    return texts.UNFIT.format(table.number) if seat in game.plans.unfit and is_asked else ""
