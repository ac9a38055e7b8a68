"""Turns: two cards, any options, a hand of seven, the end of the round or the next seat.  [W2.2]

Rule 1: whatever a seat does ends in one of these functions, or leaves its phase open: after each
        decision somebody is asked, or the game is over.
Rule 2: where only one source has cards the server draws at once; where none has, the phase is
        over.  Both are public facts.  [G-07] [G-12] [WR-18]
Rule 3: CLOSE opens for a seat with an exposed word, whatever it holds.  [G-12]
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.words import endings
from variants.words.box import DRAWS, HAND_SIZE, QUIET_CIRCUITS, STILL_CIRCUITS
from variants.words.events import (
    LetterDiscarded,
    LetterDrawn,
    Passed,
    PhaseOpened,
    TurnEnded,
    TurnStarted,
)
from variants.words.play import Play


def start(play: Play, seat: Seat) -> None:
    play.do(TurnStarted(seat, play.state.number + 1))
    draw_on(play)


def go_on(play: Play) -> None:
    """What follows by itself from a position that was set up by hand."""
    match play.state.phase:
        case "draw":
            draw_on(play)
        case "settle":
            settle(play)
        case "close":
            close(play)
        case "removal":
            endings.end_round(play, play.turn, "end")


def _open(play: Play, phase: str, *, has_choice: bool = True) -> None:
    play.do(PhaseOpened(play.turn, phase, len(play.hand(play.turn)), has_choice))


# -- drawing and discarding ------------------------------------------------------------------------


def draw(play: Play, seat: Seat, source: str, count: int) -> None:
    """In DRAW or in SETTLE: so many cards of one source."""
    for nth in range(count):
        _take(play, seat, source, 0 if nth else count)
    if play.state.phase == "draw":
        draw_on(play)
    else:
        _settle_on(play)


def draw_on(play: Play) -> None:
    """The mandatory draw, as far as it needs no choice.  [WR-15] [WR-17]"""
    while play.state.drawn < DRAWS and (sources := play.sources()):
        if len(sources) > 1:
            return
        _take(play, play.turn, sources[0])
    _open(play, "main")


def discard(play: Play, seat: Seat, letters: Sequence[str]) -> None:
    """The last one lies on top.  [WR-20]"""
    for letter in letters:
        play.do(LetterDiscarded(seat, letter))
    _settle_on(play)


def _take(play: Play, seat: Seat, source: str, cards: int = 1) -> None:
    letter = play.state.pile[0] if source == "pile" else play.state.discards[-1]
    play.do(LetterDrawn(seat, source, letter, cards))


# -- the end of a turn -----------------------------------------------------------------------------


def settle(play: Play) -> None:
    """No more options: the hand comes to seven cards, where it can.  [WR-13] [WR-20]"""
    cards = len(play.hand(play.turn))
    if cards > HAND_SIZE or (cards < HAND_SIZE and play.sources()):
        has_choice = cards > HAND_SIZE or len(play.sources()) > 1
        _open(play, "settle", has_choice=has_choice)
        _settle_on(play)
    else:
        close(play)


def _settle_on(play: Play) -> None:
    """As far as it needs no choice."""
    while len(play.hand(play.turn)) < HAND_SIZE and (sources := play.sources()):
        if len(sources) > 1:
            return
        _take(play, play.turn, sources[0])
    if len(play.hand(play.turn)) <= HAND_SIZE:
        close(play)


def close(play: Play) -> None:
    """Who has a word exposed is asked whether the round ends.  [WR-43] [WR-44]"""
    if play.exposed(play.turn):
        _open(play, "close")
    else:
        end(play)


def pass_on(play: Play, seat: Seat) -> None:
    """No End of Round."""
    play.do(Passed(seat))
    end(play)


def end(play: Play) -> None:
    """The round goes on with the next seat, unless the pile is empty or nothing moves any more.

    Source: [WR-49] the turn that empties the pile is completed; [WR-56].
    """
    state, seat = play.state, play.turn
    still = 0 if state.tapped else state.still + 1
    quiet = 0 if state.tapped or state.changes else state.quiet + 1
    play.do(TurnEnded(seat, quiet, still))
    if not state.pile:
        endings.end_round(play, seat, "pile")
    elif quiet >= QUIET_CIRCUITS * state.seats:
        endings.end_round(play, seat, "quiet")
    elif still >= STILL_CIRCUITS * state.seats:
        endings.end_round(play, seat, "still")
    else:
        start(play, play.after(seat))
