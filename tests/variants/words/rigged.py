"""Twins of the word game that are aimed: at who holds End of Round, whose manifest is whose, what
lies in other hands while somebody has to discard.

Rule 1: the deals are any; the aim looks at what was played and exchanges what tells most.
"""

from __future__ import annotations

from tests.conformance.alterations import lying
from tests.conformance.play import Game, Step, at_random, by_default
from tests.conformance.rigged import WHOLE, Faces, Rigged
from variants.words.data.box import END_OF_ROUND
from variants.words.state import State

VOWELS = "AEIOU"
LETTERS, MIXED, INDICATORS, MANIFESTS = range(4)
"""The shuffles of the deal in their order."""


def _another_holder(game: Game) -> Faces:
    """Who has End of Round has the letter of somebody else, and the other way round."""
    packet = lying(game.steps[0].drawn[MIXED])
    holders = [card for card in packet if card.startswith(END_OF_ROUND)]
    others = [card for card in packet if not card.startswith(END_OF_ROUND)]
    if not others:
        return {}  # two players both hold it
    one, other = holders[len(game.steps) % 2], others[len(game.steps) % len(others)]
    return {one: other, other: one}


def _another_manifest(game: Game) -> Faces:
    """Somebody who has laid a word of the own manifest, and could remove a letter when the round
    ends, had another manifest."""
    for step in game.steps:
        state: State = step.state
        if state.round > 1 or not state.removers:
            continue
        cards = lying(game.steps[0].drawn[MANIFESTS])
        for seat in state.removers:
            mine = {word.spelling for word in state.words if word.owner == seat}
            manifest = state.players[seat].manifest
            if mine & {word for words in manifest.sets for word in words}:
                return {cards[seat]: cards[-1], cards[-1]: cards[seat]}
    return {}


def _other_hands_at_the_end_of_a_turn(game: Game) -> Faces:
    """While somebody has to discard, two others hold each other's first letters."""
    last: Step = game.steps[-1]
    state: State = last.state
    if state.phase != "settle":
        return {}
    cards = lying(game.steps[0].drawn[LETTERS])
    others = [seat for seat in range(state.seats) if seat != state.turn]
    firsts = [cards[6 * seat + n] for seat in others[:1] for n in range(3)]
    lasts = cards[-3:]
    pairs = list(zip(firsts, lasts, strict=True))
    return dict(pairs) | {other: one for one, other in pairs}


def _another_top_of_the_pile(game: Game) -> Faces:
    """While somebody chooses a pile, a vowel lies on top of the draw pile for a consonant, or the
    other way round."""
    state: State = game.steps[-1].state
    if state.phase != "draw":
        return {}
    top, *rest = lying(game.steps[0].drawn[LETTERS])[-len(state.pile) :]
    other = next(card for card in rest if (card[0] in VOWELS) is not (top[0] in VOWELS))
    return {top: other, other: top}


RIGGED = (
    Rigged((), _another_holder, 12),
    Rigged((), _another_holder, 60, at_random),
    Rigged((), _another_manifest, WHOLE, at_random, games=24),
    Rigged((), _other_hands_at_the_end_of_a_turn, 7, by_default),
    Rigged((), _another_top_of_the_pile, 4, by_default, games=10),
)
