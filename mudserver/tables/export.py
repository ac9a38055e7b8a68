"""A finished game as lines that anybody can check with `python -m variants.verify`.

Rule 1: only a finished game is exported: the seed would deal every hand of a running one.  [SEC-7]
Rule 2: everything the verifier makes again is in it, and nothing about people but their names.
"""

from __future__ import annotations

from mudserver.errors import UserError
from mudserver.tables.game import Game
from mudserver.tables.records import Dealt
from variants.verify import decision_record, header_record, outcome_record, to_json_lines


def export_game(game: Game) -> str:
    """The record of one game, JSON lines as `variants.verify` describes them.

    Raises:
        HouseError: The game still runs.
    """
    if game.result is None:
        raise UserError("The record of a game can be had when it is over.")
    count, options = len(game.seats), game.options.game
    first = header_record(game.variant.name, count, options, game.seed, game.names, game.data)
    records = [first]
    for play in game.plays:
        if isinstance(play, Dealt):
            records.append(decision_record(None, None, play.draws, play.events))
        else:
            records.append(
                decision_record(play.seat, play.action, play.draws, play.events, play.by)
            )
    records.append(outcome_record(game.variant.outcome(game.state)))
    return to_json_lines(records)
