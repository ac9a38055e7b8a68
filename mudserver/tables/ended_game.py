"""A game that ends in any way, told with the record that ends it.

Rule 1: only public facts of the game, and who played it; no card, no seed, no name of a person.
Rule 2: a seat belongs to who began the game there.  Who left it to a computer player has left, also
        where the game ends without a result, if two people or more began it.
Rule 3: whose seat a substitute has in the end shares the last place, and the seat's own place is
        the substitute's.
Rule 4: a game that ends because of a bug is no result: nobody trusts its state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from mudserver.tables.game import Game
from mudserver.tables.offers import draw_places
from mudserver.tables.records import (
    Abandoned,
    Aborted,
    Closed,
    Ended,
    HandedOver,
    Played,
    Record,
)
from mudserver.tables.seats import Occupant
from mudserver.tables.summary import EndedGame, EndedSeat, EndedSubstitute
from mudserver.tables.table import Table

BY_CONSENT, NOBODY_LEFT, TABLE_FULL = "by agreement", "nobody was left", "the table was full"
EXPIRED = "nobody played on"


ROUND_OVER = "the round was over"


class _End(NamedTuple):
    how: Literal["finished", "draw", "aborted", "abandoned"]
    reason: str
    places: tuple[int | None, ...]
    scores: tuple[int | None, ...]


def ended_game(table: Table, record: Record) -> EndedGame | None:
    """The game that *record*, the next one of *table*, ends; None: none ends."""
    game = table.game
    if game is None or game.is_over or not game.play_sequences:
        return None  # a game that ends with its deal was played by nobody
    end = _end_of(record, len(game.seats))
    if end is None:
        return None
    match_id, deal = ("", 0) if table.match is None else (table.match.id, table.match.deal)
    deciding, leaving = _deciding(game, record), _handed_over(record)
    played = [fact for fact in (*game.plays, *record.facts) if isinstance(fact, Played)]
    return EndedGame(
        id=f"{table.number}.{game.number}",
        variant=table.variant.name,
        started_ms=game.started_ms,
        ended_ms=record.at_ms,
        first=game.play_sequences[0],
        last=record.sequence,
        end=end.how,
        reason=end.reason,
        seats=_seats(game, end, leaving, deciding),
        preset=game.options.preset,
        options=game.options.describe_game(),
        data=game.data,
        match=match_id,
        deal=deal,
        is_private=table.is_private,
        has_decision=any(fact.by in ("person", "later") for fact in played),
        is_rated=game.is_rated,
        why_unrated=game.why_unrated,
        substitutes=_substitutes(game, end, leaving),
        is_slow=game.options.is_correspondence,
        tourney=table.tourney,
        cut_places=draw_places(game) if end.reason == ROUND_OVER else (),
    )


def _end_of(record: Record, seats: int) -> _End | None:
    nothing = (None,) * seats
    for fact in record.facts:
        match fact:
            case Ended(places=places, scores=scores, reason=reason, end=how):
                return _End(how, reason, places, scores)
            case Aborted(why="expired"):
                return _End("aborted", EXPIRED, nothing, nothing)
            case Aborted(why="tourney"):
                return _End("aborted", ROUND_OVER, nothing, nothing)
            case Aborted():
                return _End("aborted", BY_CONSENT, nothing, nothing)
            case Abandoned():
                return _End("abandoned", NOBODY_LEFT, nothing, nothing)
            case Closed(why="full"):
                return _End("aborted", TABLE_FULL, nothing, nothing)
            case Closed(why="moderator"):
                return _End("aborted", "closed by the staff", nothing, nothing)
    return None


def _handed_over(record: Record) -> dict[int, HandedOver]:
    return {fact.seat: fact for fact in record.facts if isinstance(fact, HandedOver)}


def _deciding(game: Game, record: Record) -> set[int]:
    """The seats in which whoever began the game there has decided something."""
    found = set[int]()
    for number, fact in enumerate((*game.plays, *record.facts)):
        if isinstance(fact, Played) and fact.by in ("person", "later"):
            lost = game.lost.get(fact.seat)
            if lost is None or number < lost.plays:
                found.add(fact.seat)
    return found


def _substitutes(game: Game, end: _End, leaving: Collection[int]) -> tuple[EndedSubstitute, ...]:
    return tuple(
        EndedSubstitute(seat, it.person, it.is_guest, end.places[seat], end.scores[seat])
        for seat, it in enumerate(game.seats)
        if it.is_substitute and it.person is not None and seat not in leaving
    )


def _seats(
    game: Game, end: _End, leaving: Mapping[int, HandedOver], deciding: Collection[int]
) -> tuple[EndedSeat, ...]:
    is_abandoned = end.how == "abandoned"
    people = sum(began.person is not None for began in game.began_with)
    found = []
    for seat, (began, now) in enumerate(zip(game.began_with, game.seats, strict=True)):
        person, fate = began.person or "", _fate(game, seat, leaving)
        place, score, holder = end.places[seat], end.scores[seat], now
        if seat in game.lost:
            holder = began
        elif not person and now.person is not None:
            person, fate = now.person, "stayed"  # back from a deal before
        if now.is_substitute and now.person is not None and seat not in leaving:
            place, score = None if place is None else len(game.seats), None
        if is_abandoned and person and people > 1:
            fate = "left"
        computer = ("", "") if person else (holder.name, holder.level)
        found.append(
            EndedSeat(
                *(person, began.is_guest or holder.is_guest, *computer, place, score, fate),
                has_decided=seat in deciding,
                in_tourney=_in_tourney(game, seat, leaving, has_decided=seat in deciding),
            )
        )
    return tuple(found)


def _in_tourney(
    game: Game, seat: int, leaving: Collection[int], *, has_decided: bool
) -> Literal["stayed", "left", "noshow"]:
    """Whether who began in the seat has left it, or never came."""
    began, now = game.began_with[seat], game.seats[seat]
    if seat in leaving:
        return "left"
    if now.is_vacant or now.person == began.person:
        return "noshow" if now.is_away and not has_decided else "stayed"
    return "noshow" if _was_elsewhere(game, now) and not has_decided else "left"


def _was_elsewhere(game: Game, now: Occupant) -> bool:
    """Whether nobody has left the seat: its person was bound to another game at the start."""
    return now.left_ms == game.started_ms


def _fate(
    game: Game, seat: int, leaving: Mapping[int, HandedOver]
) -> Literal["stayed", "left", "forfeit", "replaced"]:
    began, now = game.began_with[seat], game.seats[seat]
    if began.person is None:
        return "replaced" if began.replaced_person else "stayed"
    if seat in game.lost:
        return game.lost[seat].fate
    if now.has_forfeited:
        return "forfeit"
    if game.is_rated and now.returns and not _was_elsewhere(game, now):
        return "left"  # who comes back may play on, and keeps the last place
    if seat in leaving:
        return "forfeit" if leaving[seat].why == "forfeit" else "left"
    return "left" if now.person is None and not now.is_vacant else "stayed"
