"""A finished game: its places, in words, and its record for `python -m variants.verify`.

Rule 1: places come from the rule book; the table only puts forfeited seats last.  [G-09]
Rule 2: equal results share a place; nothing breaks a tie.  [G-16]
Rule 3: only a finished game is exported: the seed would deal every hand of a running one.  [SEC-7]
Rule 4: an export holds everything that the verifier makes again, and of people only their names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mudserver.errors import UserError
from mudserver.tables import texts
from mudserver.tables.game import Game
from mudserver.tables.offer_texts import BY_AGREEMENT
from mudserver.tables.records import Dealt, Ended
from mudserver.tables.seats import Occupant
from variants.kit.text import join_words
from variants.verify import (
    Record,
    decision_record,
    header_record,
    outcome_record,
    to_json_lines,
)


def places_with_forfeits(places: Sequence[int], forfeits: Collection[int]) -> tuple[int, ...]:
    """Places by seat, with the seats in *forfeits* sharing the last one.

    Args:
        places: By seat, 1 first, as the rule book has them.
    """
    played = [place for seat, place in enumerate(places) if seat not in forfeits]
    return tuple(
        len(played) + 1 if seat in forfeits else 1 + sum(other < place for other in played)
        for seat, place in enumerate(places)
    )


def game_over_text(ended: Ended, seats: Sequence[Occupant]) -> str:
    """`Game over: Ann wins; three are out. 1 Ann, 2 Bob (14), 3 Cy`."""
    order = ranking(ended.places, ended.scores, seats)
    return f"Game over: {verdict(ended.places, seats)}; {ended.reason}. {order}"


def verdict(places: Sequence[int], seats: Sequence[Occupant]) -> str:
    """`Ann wins`, `Ann and Bob tie for first place`."""
    first = [seat.name for seat, place in zip(seats, places, strict=True) if place == 1]
    return f"{first[0]} wins" if len(first) == 1 else f"{join_words(first)} tie for first place"


def ranking(places: Sequence[int], scores: Sequence[int | None], seats: Sequence[Occupant]) -> str:
    """`1 Ann, 2 Bob (14), 3 Cy`."""
    best_first = sorted(range(len(places)), key=lambda n: (places[n], n))
    return ", ".join(
        f"{places[n]} {seats[n].name}" + ("" if scores[n] is None else f" ({scores[n]})")
        for n in best_first
    )


def export_game(game: Game | None) -> str:
    """The record of one game, JSON lines as `variants.verify` describes them.

    Raises:
        UserError: The game is not over, or there is none.
    """
    if game is None:
        raise UserError(texts.NO_GAME_AT_TABLE, "no_game")
    if game.is_aborted or (game.result is not None and game.result.end == "draw"):
        raise UserError(BY_AGREEMENT)
    if game.result is None:
        raise UserError(texts.GAME_NOT_OVER)
    return to_json_lines(game_records(game, {}))


def game_records(game: Game, about: Record, *, has_times: bool = False) -> Iterator[Record]:
    """The lines of the record of a game that is over, one after the other.

    Args:
        about: What else stands in the first.
        has_times: Each decision has `at`, when it was made, UTC in ms.
    """
    count, options = len(game.seats), game.options.game
    first = header_record(game.variant.name, count, options, game.seed, game.names, game.data)
    yield first | about
    for play, at_ms in zip(game.plays, game.play_times_ms, strict=True):
        if isinstance(play, Dealt):
            record = decision_record(None, None, play.draws, play.events)
        else:
            record = decision_record(play.seat, play.action, play.draws, play.events, play.by)
        yield record | ({"at": at_ms} if has_times else {})
    yield outcome_record(game.variant.outcome(game.state))
