"""What words are worth, and how a game ended."""

from __future__ import annotations

from variants.contract import Outcome
from variants.words.box import (
    CHANGES_MAX,
    DRAWS,
    HAND_SIZE,
    STILL_CIRCUITS,
    Box,
    Indicator,
    Manifest,
    sets_of,
)
from variants.words.events import Scored, Sheet, Word
from variants.words.settings import ROUNDS_MAX
from variants.words.state import State


def sheets(state: State) -> tuple[Sheet, ...]:
    """Each seat's reckoning of this round, and its new total.  [W2.2]

    Every word in front of a seat counts, locked or not [WR-39], each copy of it [WR-08], against
    the seat's own manifest and indicator only [WR-50].
    """
    found = []
    for seat, player in enumerate(state.players):
        own = [word for word in state.words if word.owner == seat]
        words = tuple([scored(state.box, player.manifest, player.indicator, w) for w in own])
        points = sum(word.points for word in words)
        total = state.totals[seat] + points
        found.append(Sheet(player.manifest, player.indicator, words, points, total))
    return tuple(found)


def scored(box: Box, manifest: Manifest, indicator: Indicator, word: Word) -> Scored:
    """[WR-06] The very spelling; [WR-09] its best set; [WR-51] a penalty is never multiplied."""
    worth = box.worth(word.spelling)
    sets = sets_of(manifest, word.spelling)
    if not sets:
        return Scored(word.spelling, word.is_locked, 0, -worth)
    factors = {number: indicator.multiplier if number == indicator.set else 1 for number in sets}
    best = max(sets, key=lambda number: factors[number])
    return Scored(word.spelling, word.is_locked, best, worth * factors[best])


def outcome(state: State) -> Outcome | None:
    """Places by total; equal totals share.  [WR-53] [WR-56] [G-16]"""
    if not state.ended:
        return None
    totals = state.totals
    places = tuple([1 + len([other for other in totals if other > total]) for total in totals])
    return Outcome(places, tuple(totals), _reason(state))


def _reason(state: State) -> str:
    if state.ended == "target":
        return f"{max(state.totals)} points reach the target of {state.settings.target}"
    return "one round was played" if state.round == 1 else f"{state.round} rounds were played"


def decision_bound(box: Box, seats: int) -> int:
    """No game has more decisions, with any options.

    A round has at most as many turns that take a card off the draw pile as that pile has cards,
    and before, between and after them fewer than 12 turns a seat that do not [WR-56].  A turn has
    at most: two draws; the changes of words that are allowed; the answers to one trade and the
    trade; done; then either draws up to seven or discards, one by one, of what a hand can hold;
    and end round or pass.  A round ends with at most one removal a seat.
    """
    letters = sum(entry.number for entry in box.letters)
    turns = (letters - HAND_SIZE * seats + 2) * STILL_CIRCUITS * seats
    turn = DRAWS + CHANGES_MAX + seats + 1 + letters + 1
    return ROUNDS_MAX * (turns * turn + seats)
