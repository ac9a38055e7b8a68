"""A finished game as lines that anybody can check with `python -m variants.verify`.

Rule 1: only a finished game is exported: the seed would deal every hand of a running one.  [F8]
Rule 2: everything the verifier makes again is in it, and nothing about people but their names.
"""

from __future__ import annotations

from mudserver.errors import HouseError
from mudserver.tables.facts import Dealt
from mudserver.tables.game import Game
from variants.verify import decision, ending, header, written


def exported(game: Game) -> str:
    """The record of one game, JSON lines as `variants.verify` describes them.

    Raises:
        HouseError: The game still runs.
    """
    if game.ended is None:
        raise HouseError("The record of a game can be had when it is over.")
    count, options = len(game.seats), game.options.game
    first = header(game.variant.name, count, options, game.seed, game.names, game.data)
    records = [first]
    for play in game.plays:
        if isinstance(play, Dealt):
            records.append(decision(None, None, play.draws, play.events))
        else:
            records.append(decision(play.seat, play.action, play.draws, play.events, play.by))
    records.append(ending(game.variant.outcome(game.state)))
    return written(records)
