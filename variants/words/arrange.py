"""Positions set up by hand, for scenarios and tutorials.

Rule 1: an arranged position holds what a game could show, or ValueError says why it cannot be; how
        it came about is not asked.
Rule 2: what the server does at once in a game, it does at once here.
Rule 3: chance is asked for who gets the End of Round cards that are not placed, the letters, the
        indicators, the manifests, in this order, and only for what is not named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from variants.contract import Chance, Seat
from variants.words import turns
from variants.words.box import DRAWS, HAND_SIZE, Box, Manifest
from variants.words.dictionary import dictionary
from variants.words.events import Event, PositionArranged, Settings
from variants.words.lexicon import Lexicon
from variants.words.placed import (
    by_seat,
    number_at,
    place_cards,
    place_indicators,
    place_manifests,
    seat_of,
)
from variants.words.play import Play
from variants.words.settings import settings

PHASES = ("draw", "main", "settle", "close", "removal")
_KEYS = {
    "turn", "number", "round", "starter", "phase", "drawn", "hands", "manifests", "indicators",
    "words", "totals", "pile_top", "pile", "discards", "quiet", "still", "added", "traded",
    "stolen",
}  # fmt: skip


def arrange(
    box: Box,
    lexicon: Lexicon,
    seats: int,
    options: Mapping[str, str],
    position: Mapping[str, Any],
    chance: Chance,
    *,
    extra: Sequence[Manifest] = (),
) -> Sequence[Event]:
    """Events that set up *position*.

    Args:
        extra: Cards that a position can name and no game deals; those that are named join the box.
        position: All keys may be missing.  Seats are numbers from 0 (or their digits); letters
            are a text (`"DATEOV"`), `*` is an End of Round card.
            turn: a seat, 0.  number: of the turn, 1.  round: 1.  starter: a seat; it and number
            follow from each other.
            phase: draw, main, settle, close or removal; main.  drawn: cards, where phase is draw.
            hands: {seat: letters}, in order of arrival.  Where a hand has to be full it is filled
            up to seven by chance; one that is not named is dealt seven.
            manifests: {seat: an id, or four lists of words}.
            indicators: {seat: an id, or [set, multiplier]}.
            words: [{owner, spelling, locked}], numbered from 1; or {seat: ["EAST", "locked
            OVER"]}, numbered seat by seat.
            totals: {seat: points of the rounds before}.
            discards: letters, top first; else one is turned up.
            pile_top: letters, top first, above the shuffled rest.  pile: the whole pile, top
            first; then all letters that are not named lie at the bottom of the discard pile.
            quiet, still: turns.
            added: numbers of words.  traded, stolen: used up in this turn.

    Raises:
        ValueError: The position cannot be; says why.
    """
    if unknown := set(position) - _KEYS:
        raise ValueError(f"unknown position keys: {', '.join(sorted(unknown))}")
    if position.get("phase", "main") not in PHASES:
        raise ValueError(f"phase is one of {', '.join(PHASES)}")
    turn = _turn(seats, position)
    cards = place_cards(box, seats, position, turn.seat, turn.size, chance)
    indicators = place_indicators(box, seats, position, chance)
    manifests, whole = place_manifests(box, extra, seats, position, chance)
    event = PositionArranged(
        box=whole,
        settings=settings(options),
        round=number_at(position, "round", 1),
        starter=turn.starter,
        turn=turn.seat,
        number=turn.number,
        phase=turn.phase,
        drawn=turn.drawn,
        hands=tuple(cards.hands),
        hand_counts=tuple([len(hand) for hand in cards.hands]),
        manifests=tuple(manifests),
        indicators=tuple(indicators),
        totals=tuple([int(points or 0) for points in by_seat(seats, position, "totals")]),
        words=cards.words,
        pile=cards.pile,
        pile_count=len(cards.pile),
        discards=cards.discards,
        quiet=number_at(position, "quiet", 0),
        still=number_at(position, "still", number_at(position, "quiet", 0)),
        traded=bool(position.get("traded", False)),
        stolen=bool(position.get("stolen", False)),
        added=tuple([int(number) for number in position.get("added", ())]),
    )
    _refuse_impossible(lexicon, event)
    play = Play(lexicon, None, chance, event)
    turns.go_on(play)
    return play.events


# -- the turn --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    seat: Seat
    number: int
    starter: Seat
    phase: str
    drawn: int

    @property
    def size(self) -> int | None:
        """Cards that the active hand has; None: any number."""
        if self.phase == "draw":
            return HAND_SIZE + self.drawn
        return HAND_SIZE if self.phase == "close" else None


def _turn(seats: int, position: Mapping[str, Any]) -> _Turn:
    seat = seat_of(seats, "turn", position.get("turn", 0))
    phase = position.get("phase", "main")
    if "starter" in position:
        starter = seat_of(seats, "starter", position["starter"])
        number = number_at(position, "number", (seat - starter) % seats + 1)
    else:
        number = number_at(position, "number", 1)
        starter = Seat((seat - number + 1) % seats)
    if (starter + number - 1) % seats != seat or number < 1:
        raise ValueError(f"turn {number} is not that of seat {seat} where seat {starter} began")
    drawn = number_at(position, "drawn", 0 if phase == "draw" else DRAWS)
    if not 0 <= drawn < DRAWS + (phase != "draw"):
        raise ValueError(f"drawn: {drawn} cards do not fit phase {phase}")
    return _Turn(seat, number, starter, phase, drawn)


# -- what cannot be --------------------------------------------------------------------------------


def _refuse_impossible(lexicon: Lexicon, event: PositionArranged) -> None:
    words = dictionary(lexicon, event.box, event.settings.level)
    for word in event.words:
        if reason := words.why_not(word.spelling):  # [WR-02] [WR-03]
            raise ValueError(f"words: {reason}")
    _refuse_phase(event)
    _refuse_used(event)
    _refuse_ended(event.settings, event)


def _refuse_phase(event: PositionArranged) -> None:
    cards = event.hand_counts[event.turn]
    if event.phase == "settle" and cards == HAND_SIZE:  # [WR-20]
        raise ValueError(f"phase settle: the hand of seat {event.turn} has {cards} cards already")
    mine = [word for word in event.words if word.owner == event.turn and not word.is_locked]
    if event.phase == "close" and not mine:
        raise ValueError(f"phase close: seat {event.turn} has no exposed word")


def _refuse_used(event: PositionArranged) -> None:
    """What the open turn has used up.  [WR-22] [WR-28]"""
    others = {word.number for word in event.words if word.owner != event.turn}
    if len(set(event.added)) < len(event.added) or not set(event.added) <= others:
        raise ValueError("added: numbers of words of other seats, each once")
    if event.phase == "draw" and (event.added or event.traded or event.stolen):
        raise ValueError("phase draw: nothing can be added, traded or stolen before the draw")
    if event.quiet > event.still:  # [WR-56]
        raise ValueError("quiet turns are still ones too, so there are not more of them")


def _refuse_ended(rules: Settings, event: PositionArranged) -> None:
    """[WR-53] [WR-56]"""
    if not 1 <= event.round <= rules.rounds:
        raise ValueError(f"round is 1 to {rules.rounds}")
    best = max(event.totals)
    if best >= rules.target and event.totals.count(best) == 1:
        raise ValueError(f"totals: {best} points have won the game already")
