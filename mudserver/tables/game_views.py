"""What a reader of a game is sent: the own view, and the events that the reader knows.

Rule 1: a message holds what its reader may know and nothing else; `Game` has redacted it.
"""

from __future__ import annotations

from mudserver.messages import EventMessage, MatchStatus, ViewMessage
from mudserver.tables.game import Game
from variants.contract import Seat


def id_of(game: Game, table: int) -> str:
    """Never used again."""
    return f"{table}.{game.number}"


def question_of(game: Game, table: int, seat: Seat | None) -> str | None:
    """The id of the question that *seat* is asked; None: none is, or it is a watcher."""
    question = None if seat is None else game.question_id(seat)
    return None if question is None else f"{table}.{question}"


def event_messages(
    game: Game, table: int, reader: Seat | None, first: int, last: int | None = None
) -> list[EventMessage]:
    """What *reader* knows of plays *first* to *last* (None: to now)."""
    to_reader, game_id = (table, game.variant.name, reader, game.names), id_of(game, table)
    return [
        EventMessage(*to_reader, known.event, known.mark, known.is_own, False, game_id,
                     known.number, known.at_ms)
        for known in game.known_events(reader, first, last)
    ]  # fmt: skip


def view_message(
    game: Game,
    table: int,
    match: MatchStatus | None,
    reader: Seat | None,
    why: str,
    *,
    has_clock: bool = True,
) -> ViewMessage:
    """The view of *reader*.

    Args:
        match: The one that the game is a deal of.
        has_clock: Else the clock is left out.
    """
    window = game.window
    asked = window.seats if window and game.pause is None else ()
    passes_itself = window is not None and reader is not None and game.passes_itself(reader, window)
    unanswered = game.unanswered_seats()
    return ViewMessage(
        table,
        game.variant.name,
        reader,
        game.names,
        game.view(reader),
        asked=asked,
        by_computer=tuple(n for n in asked if game.seats[n].is_decided_by_computer),
        asks=window.asks if window else "",
        deadline_ms=game.clock.deadline_ms if has_clock else None,
        window=window.key if window else "",
        window_ms=game.open_ms() if has_clock else None,
        passes_itself=passes_itself,
        levels=tuple([occupant.level or None for occupant in game.seats]),
        missing=1 if game.hides_missing else len(unanswered),
        hides_missing=game.hides_missing,
        has_answered=bool(unanswered) and reader in asked and reader not in unanswered,
        match=match,
        why=why,
        is_paused=game.pause is not None,
        has_hints=reader is not None and game.has_hints,
        game=id_of(game, table),
        question=question_of(game, table, reader),
        away=tuple([seat for seat, o in enumerate(game.seats) if o.is_away]),
        number=game.known_count(reader),
        behind=0 if game.is_over or game.is_replayed else game.options.delay,
    )
