"""How a round ends: letters are removed, words are scored, and perhaps the game is over.  [W2.2]

Rule 1: who is asked in REMOVAL follows from exposed words and the word list, both public; where
        nobody could remove a letter, nobody is asked.  [G-12]
Rule 2: answers are collected in secret and applied in seat order.  [G-11]
Rule 3: whether the game is over is tested here only, after a complete round.  [WR-53]
"""

from __future__ import annotations

from dataclasses import replace

from variants.contract import Seat
from variants.words import rounds
from variants.words.dictionary import dictionary
from variants.words.events import (
    GameEnded,
    LetterRemoved,
    Removal,
    RemovalAnswered,
    RemovalOpened,
    RoundEnding,
    RoundScored,
)
from variants.words.moves import removals
from variants.words.play import Play
from variants.words.scoring import sheets


def end_round(play: Play, seat: Seat, why: str) -> None:
    """All players may remove a letter, the ender too, however the round ended.  [WR-47]"""
    play.do(RoundEnding(seat, why))
    seats = removers(play)
    if seats:
        play.do(RemovalOpened(seats))
    else:
        score(play)


def removers(play: Play) -> tuple[Seat, ...]:
    """Seats with a word that one letter could leave.  [WR-45] [WR-46]"""
    state = play.state
    words = dictionary(play.lexicon, state.box, state.settings.level)
    return tuple([seat for seat in play.seats() if removals(words, play.exposed(seat))])


def answer(play: Play, seat: Seat, removal: Removal | None) -> None:
    state = play.state
    missing = len(state.removers) - len(state.replies) - 1
    play.do(RemovalAnswered(seat, removal, missing))
    if not missing:
        _remove(play)
        score(play)


def _remove(play: Play) -> None:
    for reply in sorted(play.state.replies, key=lambda reply: reply.seat):
        if removal := reply.removal:
            was = play.word(removal.word)
            now = replace(was, spelling=removal.leaving)
            play.do(LetterRemoved(reply.seat, now, removal.letter, was.spelling))


def score(play: Play) -> None:
    """Everything is turned up.  Then the game is over, or a new round is dealt.  [WR-54]"""
    play.do(RoundScored(play.state.round, sheets(play.state)))
    totals, settings = play.state.totals, play.state.settings
    best = max(totals)
    if best >= settings.target and totals.count(best) == 1:  # [WR-53]
        play.do(GameEnded(totals, "target"))
    elif play.state.round >= settings.rounds:  # [WR-56]
        play.do(GameEnded(totals, "rounds"))
    else:
        rounds.begin(play)
