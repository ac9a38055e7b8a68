"""Moves kept for later (`plans.py`): how they are kept, looked up and played.  Pure.

Rule 1: only the own seat is looked at, with its own view, and the table's answers go to its person.
Rule 2: a line is read when it is played, as if it were typed then; it may be nothing at all.
"""

from __future__ import annotations

from typing import NamedTuple

from mudserver.errors import UserError
from mudserver.tables import permissions
from mudserver.tables import plan_texts as texts
from mudserver.tables import records as f
from mudserver.tables.game import Game
from mudserver.tables.game_facts import ChanceFactory, GameFactsBuilder
from mudserver.tables.plans import CHANGES_MAX, LINE_CHARS_MAX, LINES_MAX
from mudserver.tables.table import Table
from variants.contract import Refusal, Seat


class OwnPlan(NamedTuple):
    """What one person keeps."""

    table: int
    game: str  # id
    lines: tuple[str, ...]


def own_plan(table: Table, person: str) -> OwnPlan:
    """UserError: nothing can be kept here."""
    game, seat = _game_and_seat(table, person)
    return OwnPlan(table.number, table.game_id, game.plans.lines.get(seat, ()))


def change(table: Table, person: str, line: str) -> list[f.AnyFact]:
    """Args: line: a move that is added; "": all are dropped.  UserError: it cannot be done."""
    game, seat = _game_and_seat(table, person)
    lines = game.plans.lines.get(seat, ())
    if not line:
        return [f.PlanEnded(seat, "cleared")] if lines else []
    if game.may_act(seat):
        raise UserError(texts.ASKED)
    if len(lines) >= LINES_MAX:
        raise UserError(texts.FULL, "limit")
    if len(line) > LINE_CHARS_MAX:
        raise UserError(texts.TOO_LONG, "limit")
    if game.plans.changes.get(seat, 0) >= CHANGES_MAX:  # `later clear` is taken once more
        raise UserError(texts.TOO_MANY, "limit")
    return [f.PlanSet(seat, (*lines, line))]


def _game_and_seat(table: Table, person: str) -> tuple[Game, Seat]:
    permissions.check_allowed(table, person, "later")
    game, seat = table.game, table.seat_of(person)
    assert game is not None and seat is not None
    if not table.options.is_correspondence:
        raise UserError(texts.LIVE)
    return game, seat


# -- looking up ----------------------------------------------------------------------------------


def next_ms(table: Table) -> int | None:
    """When the next list is looked up, whether there is one or not, UTC."""
    return min((due_ms for due_ms, _ in _times(table)), default=None)


def due_seats(table: Table, now_ms: int) -> list[Seat]:
    """Whose lists are to be looked up now."""
    return [seat for due_ms, seat in sorted(_times(table)) if due_ms <= now_ms]


def _times(table: Table) -> list[tuple[int, Seat]]:
    """(UTC ms, seat), of all people who are asked.  What they keep and whether they have answered
    in secret plays no part."""
    game = table.game
    if game is None or not table.is_playing or not table.options.is_correspondence:
        return []
    window = game.window
    if window is None or game.pause is not None:
        return []
    times = [
        (game.plans.due_ms(seat, game.seed, is_sealed=window.is_sealed), seat)
        for seat in window.seats
        if game.seats[seat].person is not None and not game.seats[seat].is_away
    ]
    return [(due_ms, seat) for due_ms, seat in times if due_ms > table.looked_up_ms]


def played(game: Game, seat: Seat, make_chance: ChanceFactory) -> GameFactsBuilder | None:
    """The first move of a list that can be played now, and what is left; None: there is none."""
    lines = game.plans.lines.get(seat, ())
    if not lines or not game.may_act(seat):
        return None
    for number, line in enumerate(lines, 1):
        builder = GameFactsBuilder(game, make_chance)
        if _plays(builder, game, seat, line):
            rest = lines[number:]
            left = f.PlanSet(seat, rest, is_rest=True) if rest else f.PlanEnded(seat, "played")
            builder.facts.append(left)
            return builder
    return None


def unfit(game: Game, seat: Seat) -> list[f.AnyFact]:
    """The end of a list of which no move can be played now."""
    has_list = seat in game.plans.lines and game.may_act(seat)
    return [f.PlanEnded(seat, "unfit")] if has_list else []


def _plays(builder: GameFactsBuilder, game: Game, seat: Seat, line: str) -> bool:
    try:
        view = game.view(seat)
        action = game.variant.parse(line, view, game.names)
        game.variant.check(view, action)
        builder.play(seat, "later", action)
    except Refusal:
        return False
    except Exception:  # a bug in a grammar, which a kept line must not turn against the table
        return False
    return True
