"""What accounts remember of a game, told to them with the record that ends it.

Rule 1: only public facts: the levels of the computer players, and the places.
Rule 2: it goes to accounts that have kept their seats, present, away or out, not to those that
        have left a seat to a computer player, or have taken over one.
"""

from __future__ import annotations

from mudserver.tables.levels import stored_level
from mudserver.tables.records import Ended, HandedOver, Record
from mudserver.tables.summary import FinishedGame
from mudserver.tables.table import Table


def finished_game(table: Table, record: Record) -> FinishedGame | None:
    """What accounts remember of the game that *record*, the next one of *table*, ends; None: none
    ends."""
    ended = next((fact for fact in record.facts if isinstance(fact, Ended)), None)
    game = table.game
    if ended is None or game is None or game.is_over:
        return None  # a game that ends with its deal was played by nobody
    left = {fact.seat: fact for fact in record.facts if isinstance(fact, HandedOver)}
    places = {
        person: place
        for seat, (each, place) in enumerate(zip(game.seats, ended.places, strict=True))
        if (person := each.person or (each.replaced_person if each.is_vacant else ""))
        and not (each.is_guest or each.has_forfeited or each.is_substitute or seat in left)
    }
    levels = {each.level for each in game.seats if each.is_computer}
    levels |= {stored_level(table.variant, fact.player, fact.level) for fact in left.values()}
    return FinishedGame(
        table.variant.name,
        tuple(table.variant.bots),
        table.number,
        game.number,
        levels.pop() if len(levels) == 1 else "",
        len(game.seats),
        record.at_ms,
        places,
    )
