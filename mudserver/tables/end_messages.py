"""What people are told at the end of a game, then and whenever its table is shown again.

Rule 1: what is told to one person comes from what that seat sees and has heard; all else is public,
        and the seed proves the cards.  [G-02] [G-06]
"""

from __future__ import annotations

from mudserver.data_messages import GameOverSince2
from mudserver.messages import Announcement, EndExplained, GameSummary, Message
from mudserver.tables import match_texts, texts
from mudserver.tables.result import game_over_text
from mudserver.tables.table import Table
from variants.contract import Seat
from variants.kit.text import game_length


def end_messages(table: Table) -> list[Message]:
    """The messages at the end of a game: the result, and the seed that proves the cards."""
    game = table.game
    assert game is not None and game.result is not None
    ended = game.result
    tourney, number = table.tourney.tourney, table.tourney.round
    again = "" if table.is_between_deals or tourney else "rematch to play again, "
    seed = f"Seed: {game.seed.hex()}. Type {again}record to check the shuffle."
    text = game_over_text(ended, game.seats)
    over = GameOverSince2(
        *(table.number, text, ended.reason, game.names, ended.places, ended.scores),
        *(table.game_id, ended.end, game.seed.hex()),
    )
    computers = ", ".join(f"{o.name} ({o.level})" for o in game.seats if o.is_computer)
    levels = [Announcement(f"Computer players: {computers}.")] if computers else []
    then = [Announcement(texts.ROUND_PLAYED.format(tourney, number))] if tourney else []
    return [over, _summary(table), *levels, Announcement(seed), *_match_messages(table), *then]


def _summary(table: Table) -> GameSummary:
    """How long it was, and what each seat shows now that it is over.  [G-06]"""
    game = table.game
    assert game is not None
    heard = [known.event for known in game.known_events(None)]
    summary = game.variant.summarize_end(game.view(None), heard)
    took = game_length(game.ended_ms - game.started_ms)
    length = ", ".join(filter(None, (summary.length, took)))
    views = tuple([game.view(Seat(seat)) for seat in range(len(game.seats))])
    notes = summary.notes or ("",) * len(views)
    return GameSummary(game.variant.name, game.names, length, notes, views)


def _match_messages(table: Table) -> list[Message]:
    """The points after a deal, or the end of the match."""
    match = table.match
    if match is None:
        return []
    if match.deals_left:
        return [Announcement(match_texts.deal_over(table, match))]
    return [Announcement(match_texts.match_over(match))]


def explained_end(table: Table, person: str) -> EndExplained | None:
    """Why the game ended so for a person who has played to its end; None: for nobody else."""
    game = table.game
    assert game is not None
    for seat, occupant in enumerate(game.seats):
        if occupant.person == person:
            seen = [known.event for known in game.known_events(Seat(seat))]
            reasons = table.variant.explain_end(game.view(Seat(seat)), seen)
            said = " ".join([reason.format(game.names) for reason in reasons])
            more = texts.REVIEW_FOR_MORE if game.variant.better_action is not None else ""
            return EndExplained(said, more) if said else None
    return None


def end_shown(table: Table, person: str) -> list[Message]:
    """The end of the last game as a board shows it; []: there is none."""
    if table.game is None or table.game.result is None:
        return []
    told = [*end_messages(table), explained_end(table, person)]
    return [it for it in told if isinstance(it, GameOverSince2 | GameSummary | EndExplained)]
