"""What a person may be advised about: the own seat's position, or the own decisions of a game; and
what the game answers to a question.

Rule 1: an advised seat is what a computer player in it would get, and nothing else.  [G-14]
Rule 2: hints=alone is for who plays with computer players alone.  Options are fixed when a game
        starts, so nobody who plays can change what was agreed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mudserver.errors import NotUnderstood, UserError
from mudserver.tables import texts
from mudserver.tables.game import Game
from mudserver.tables.offer_texts import PAUSED
from mudserver.tables.records import Played
from mudserver.tables.table import Table
from variants.contract import Refusal, Seat
from variants.kit.text import Style, StyledLine, join_words


class AdvisedSeat(NamedTuple):
    table: int
    variant: str
    game: int
    window: str  # key of the open window
    clock_name: str  # of that window
    decided: int  # by this seat so far
    view: Any
    seen: list[Any]  # redacted events, oldest first
    names: tuple[str, ...]
    waits_for: str = ""  # whose turn it is; "": the person's own


def advised_seat(table: Table | None, person: str) -> AdvisedSeat:
    """The position of *person*.  UserError: there is none, or the table has no hints."""
    game = None if table is None else table.game
    seat = None if game is None else game.seat_of(person)
    if table is None or game is None or game.window is None:
        raise UserError(texts.NO_HINT_NOW, "no_game")
    if seat is None:
        raise UserError(texts.NO_HINT_FOR_WATCHERS, "not_seated")
    if game.pause is not None:
        raise UserError(PAUSED, "stopped")
    if not game.has_hints:
        raise UserError(texts.HINTS_OFF)
    window = game.window
    return AdvisedSeat(
        *(table.number, table.variant.name, game.number, window.key, window.clock_name),
        sum(isinstance(play, Played) and play.seat == seat for play in game.plays),
        *(game.view(seat), [known.event for known in game.known_events(seat)], game.names),
        waits_for="" if game.may_act(seat) else _whose_turn(game, seat),
    )


def answer_question(
    table: Table | None, person: str, text: str, style: Style
) -> Sequence[StyledLine]:
    """See `TableManager.answer_question`."""
    table = None if table is None else table.seen_by(person)
    if table is None or (game := table.game) is None:
        raise UserError(texts.NO_GAME_YET, "no_game")
    try:
        return game.answer(table.reader_of(person), text, style)
    except Refusal as refusal:
        text = refusal.format(game.names)
        raise NotUnderstood(text, refusal.suggestion, "not_understood") from refusal


def _whose_turn(game: Game, seat: Seat) -> str:
    assert game.window is not None
    others = [game.names[other] for other in game.window.seats if other != seat]
    return join_words(others) or game.names[seat]


class OwnDecision(NamedTuple):
    """Something that a person has typed in a game, and what the seat knew just then."""

    turn: int  # of the game
    view: Any
    seen: list[Any]  # redacted events, oldest first; read it before the next decision
    action: Any
    names: tuple[str, ...]


def own_decisions(table: Table | None, person: str) -> tuple[str, Iterator[OwnDecision]]:
    """The game's name, and what the person decided in it, oldest first, made one by one.

    Raises:
        UserError: The person has no seat in a game that was played to its end.
    """
    game = None if table is None else table.game
    seat = None if game is None else game.seat_of(person)
    if game is None or seat is None or game.result is None:
        raise UserError(texts.NO_REVIEW_NOW, "no_game")
    return game.variant.name, _decisions(game, seat, game.held_from.get(seat, 0))


def _decisions(game: Game, seat: Seat, first: int) -> Iterator[OwnDecision]:
    """Args: first: the first play since the person has the seat."""
    variant, state, turn = game.variant, None, 0
    seen: list[Any] = []
    for number, play in enumerate(list(game.plays)):
        is_own = number >= first and isinstance(play, Played) and play.seat == seat
        if is_own and isinstance(play, Played) and play.by in ("person", "later"):
            view = variant.observe(state, seat)
            if len(variant.legal_actions(view)) > 1:
                yield OwnDecision(turn, view, seen, play.action, game.names)
        for event in play.events:
            state = variant.evolve(state, event)
            if (known := variant.redact(event, seat)) is not None:
                seen.append(known)
                begun = variant.turn_begun(known)
                turn = begun[0] if begun is not None else turn
