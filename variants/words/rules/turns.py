"""Turns: two cards, any options, a hand of seven, the end of the round or the next seat.

Rule 1: whatever a seat does ends in one of these functions, or leaves its phase open: after each
        decision somebody is asked, or the game is over.
Rule 2: where only one source has cards the server draws at once; where none has, the phase is
        over.  Both are public facts.  [G-07] [G-12] [WR-18]
Rule 3: CLOSE opens for a seat with an exposed word, whatever it holds.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.words.data.box import DRAWS, HAND_SIZE, QUIET_CIRCUITS, STILL_CIRCUITS
from variants.words.events import (
    LetterDiscarded,
    LetterDrawn,
    Passed,
    PhaseOpened,
    TurnEnded,
    TurnStarted,
)
from variants.words.rules import scoring
from variants.words.rules.transition import Transition


def start_turn(play: Transition, seat: Seat) -> None:
    play.add(TurnStarted(seat, play.state.number + 1))
    continue_draw(play)


def continue_position(play: Transition) -> None:
    """What follows by itself from a position that was set up by hand."""
    match play.state.phase:
        case "draw":
            continue_draw(play)
        case "settle":
            begin_settle(play)
        case "close":
            begin_close(play)
        case "removal":
            scoring.end_round(play, play.turn, "end")


def _open(play: Transition, phase: str, *, has_choice: bool = True) -> None:
    play.add(PhaseOpened(play.turn, phase, len(play.hand(play.turn)), has_choice))


# -- drawing and discarding ------------------------------------------------------------------------


def draw_letters(play: Transition, seat: Seat, source: str, count: int) -> None:
    """In DRAW or in SETTLE: so many cards of one source."""
    for nth in range(count):
        _take(play, seat, source, 0 if nth else count)
    if play.state.phase == "draw":
        continue_draw(play)
    else:
        _continue_settle(play)


def continue_draw(play: Transition) -> None:
    """The mandatory draw, as far as it needs no choice.  [WR-15] [WR-17]"""
    while play.state.drawn < DRAWS and (sources := play.draw_sources()):
        if len(sources) > 1:
            return
        _take(play, play.turn, sources[0])
    _open(play, "main")


def discard_letters(play: Transition, seat: Seat, letters: Sequence[str]) -> None:
    """The last one lies on top.  [WR-20]"""
    for letter in letters:
        play.add(LetterDiscarded(seat, letter))
    _continue_settle(play)


def _take(play: Transition, seat: Seat, source: str, cards: int = 1) -> None:
    letter = play.state.pile[0] if source == "pile" else play.state.discards[-1]
    play.add(LetterDrawn(seat, source, letter, cards))


# -- the end of a turn -----------------------------------------------------------------------------


def begin_settle(play: Transition) -> None:
    """No more options: the hand comes to seven cards, where it can.  [WR-13] [WR-20]"""
    cards = len(play.hand(play.turn))
    if cards > HAND_SIZE or (cards < HAND_SIZE and play.draw_sources()):
        has_choice = cards > HAND_SIZE or len(play.draw_sources()) > 1
        _open(play, "settle", has_choice=has_choice)
        _continue_settle(play)
    else:
        begin_close(play)


def _continue_settle(play: Transition) -> None:
    """As far as it needs no choice."""
    while len(play.hand(play.turn)) < HAND_SIZE and (sources := play.draw_sources()):
        if len(sources) > 1:
            return
        _take(play, play.turn, sources[0])
    if len(play.hand(play.turn)) <= HAND_SIZE:
        begin_close(play)


def begin_close(play: Transition) -> None:
    """Who has a word exposed is asked whether the round ends.  [WR-43] [WR-44]"""
    if play.exposed_words(play.turn):
        _open(play, "close")
    else:
        end_turn(play)


def pass_turn(play: Transition, seat: Seat) -> None:
    """No End of Round."""
    play.add(Passed(seat))
    end_turn(play)


def end_turn(play: Transition) -> None:
    """The round goes on with the next seat, unless the pile is empty or nothing moves any more.

    Source: [WR-49] the turn that empties the pile is completed; [WR-56].
    """
    state, seat = play.state, play.turn
    still = 0 if state.tapped else state.still + 1
    quiet = 0 if state.tapped or state.changes else state.quiet + 1
    play.add(TurnEnded(seat, quiet, still))
    if not state.pile:
        scoring.end_round(play, seat, "pile")
    elif quiet >= QUIET_CIRCUITS * state.seats:
        scoring.end_round(play, seat, "quiet")
    elif still >= STILL_CIRCUITS * state.seats:
        scoring.end_round(play, seat, "still")
    else:
        start_turn(play, play.next_seat(seat))
