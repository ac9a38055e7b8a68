"""How a round ends: letters are removed, words are scored, and perhaps the game is over.

Rule 1: who is asked in REMOVAL follows from exposed words and the word list, both public; where
        nobody could remove a letter, nobody is asked.  [G-12]
Rule 2: answers are collected in secret and applied in seat order.  [G-11]
Rule 3: whether the game is over is tested here only, after a complete round.  [WR-53]
"""

from __future__ import annotations

from dataclasses import replace

from variants.contract import Outcome, Seat
from variants.words.data.box import (
    CHANGES_MAX,
    DRAWS,
    HAND_SIZE,
    STILL_CIRCUITS,
    Box,
    Indicator,
    Manifest,
    scored_in,
)
from variants.words.events import (
    GameEnded,
    LetterRemoved,
    Removal,
    RemovalAnswered,
    RemovalOpened,
    RoundEnding,
    RoundScored,
    Scored,
    Sheet,
    Word,
    public_box,
)
from variants.words.legal_actions import legal_removals
from variants.words.lexicon.dictionary import dictionary
from variants.words.rules import setup
from variants.words.rules.setup import ROUNDS_MAX
from variants.words.rules.transition import Transition
from variants.words.state import State


def score_sheets(state: State) -> tuple[Sheet, ...]:
    """Each seat's reckoning of this round, and its new total.

    Every word in front of a seat counts, locked or not [WR-39], each copy of it [WR-08], against
    the seat's own manifest and indicator only [WR-50].
    """
    found = []
    for seat, player in enumerate(state.players):
        own = [word for word in state.words if word.owner == seat]
        words = tuple([score_word(state.box, player.manifest, player.indicator, w) for w in own])
        points = sum(word.points for word in words)
        total = state.totals[seat] + points
        found.append(Sheet(player.manifest, player.indicator, words, points, total))
    return tuple(found)


def score_word(box: Box, manifest: Manifest, indicator: Indicator, word: Word) -> Scored:
    set_, points = scored_in(box, manifest, indicator, word.spelling)
    return Scored(word.spelling, word.is_locked, set_, points)


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


def decisions_max(box: Box, seats: int) -> int:
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


def end_round(transition: Transition, seat: Seat, why: str) -> None:
    """All players may remove a letter, the ender too, however the round ended.  [WR-47]"""
    transition.add(RoundEnding(seat, why))
    seats = seats_to_remove(transition)
    if seats:
        transition.add(RemovalOpened(seats))
    else:
        score_round(transition)


def seats_to_remove(transition: Transition) -> tuple[Seat, ...]:
    """Seats with a word that one letter could leave.  [WR-45] [WR-46]"""
    state = transition.state
    box = public_box(state.box, state.settings)
    words = dictionary(transition.lexicon, box, state.settings.level)
    return tuple(
        [
            seat
            for seat in transition.seats()
            if legal_removals(words, transition.exposed_words(seat))
        ]
    )


def answer_removal(transition: Transition, seat: Seat, removal: Removal | None) -> None:
    state = transition.state
    missing = len(state.removers) - len(state.replies) - 1
    transition.add(RemovalAnswered(seat, removal, missing))
    if not missing:
        _remove(transition)
        score_round(transition)


def _remove(transition: Transition) -> None:
    for reply in sorted(transition.state.replies, key=lambda reply: reply.seat):
        if removal := reply.removal:
            was = transition.word(removal.word)
            now = replace(was, spelling=removal.leaving)
            transition.add(LetterRemoved(reply.seat, now, removal.letter, was.spelling))


def score_round(transition: Transition) -> None:
    """Everything is turned up.  Then the game is over, or a new round is dealt.  [WR-54]"""
    transition.add(RoundScored(transition.state.round, score_sheets(transition.state)))
    totals, settings = transition.state.totals, transition.state.settings
    best = max(totals)
    if best >= settings.target and totals.count(best) == 1:  # [WR-53]
        transition.add(GameEnded(totals, "target"))
    elif transition.state.round >= settings.rounds:  # [WR-56]
        transition.add(GameEnded(totals, "rounds"))
    else:
        setup.begin_round(transition)
