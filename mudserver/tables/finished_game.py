"""What accounts remember of a game, told to them with the record that ends it.

Rule 1: only public facts: the levels of the computer players, and the places.
Rule 2: it goes to accounts that have kept their seats to the end, by themselves or away.
"""

from __future__ import annotations

from mudserver.tables.records import Ended, Gone, HandedOver, Record
from mudserver.tables.summary import FinishedGame
from mudserver.tables.table import Table


def finished_game(table: Table, record: Record) -> FinishedGame | None:
    """What accounts remember of the game that *record*, the next one of *table*, ends; None: none
    ends."""
    ended = next((fact for fact in record.facts if isinstance(fact, Ended)), None)
    if ended is None:
        return None
    game = table.game
    assert game is not None
    left = {fact.seat for fact in record.facts if isinstance(fact, HandedOver | Gone)}
    places = {
        each.person: place
        for seat, (each, place) in enumerate(zip(game.seats, ended.places, strict=True))
        if each.person and not each.is_guest and not each.has_forfeited and seat not in left
    }
    levels = {each.level for each in game.seats if each.is_computer}
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
