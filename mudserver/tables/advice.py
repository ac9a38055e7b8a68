"""What a person may be advised about: the own seat's position, where the table allows it.

Rule 1: an advised seat is what a computer player in it would get, and nothing else.  [G-14]
Rule 2: hints=alone is for who plays with computer players alone.  Options are fixed when a game
        starts, so nobody who plays can change what was agreed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mudserver.errors import UserError
from mudserver.tables import texts
from mudserver.tables.game import Game
from mudserver.tables.table import Table
from variants.contract import Seat
from variants.kit.text import join_words


class AdvisedSeat(NamedTuple):
    table: int
    variant: str
    game: int
    clock_name: str  # of the open window
    view: Any
    seen: list[Any]  # redacted events, oldest first
    names: tuple[str, ...]
    waits_for: str = ""  # whose turn it is; "": the person's own


def advised_seat(table: Table | None, person: str) -> AdvisedSeat:
    """The position of *person*.  UserError: there is none, or the table has no hints."""
    game = None if table is None else table.game
    seat = None if game is None else game.seat_of(person)
    if table is None or game is None or game.window is None:
        raise UserError(texts.NO_HINT_NOW)
    if seat is None:
        raise UserError(texts.NO_HINT_FOR_WATCHERS)
    if not game.has_hints:
        raise UserError(texts.HINTS_OFF)
    window = game.window
    return AdvisedSeat(
        *(table.number, table.variant.name, game.number, window.clock_name),
        *(game.view(seat), [known.event for known in game.known_events(seat)], game.names),
        waits_for="" if game.may_act(seat) else _whose_turn(game, seat),
    )


def _whose_turn(game: Game, seat: Seat) -> str:
    assert game.window is not None
    others = [game.names[other] for other in game.window.seats if other != seat]
    return join_words(others) or game.names[seat]
