"""Before the first turn: the cards in the box, the deal; and where every card lies.

Rule 1: fresh manifests are made before anything is shuffled, from one number that chance gives.
        They are in the box of that game, and so in its journal.  [WR-10]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from variants.contract import BadData, Chance, Refusal
from variants.words import rounds
from variants.words.box import END_CARDS, END_OF_ROUND, Box
from variants.words.events import Event, GameBegun
from variants.words.lexicon import Lexicon
from variants.words.manifests import maker
from variants.words.play import Play
from variants.words.settings import FRESH, STANDARD, settings
from variants.words.state import State

SEATS = range(2, 7)
SEED_MAX = 2**62  # numbers from which fresh manifests are made


def check_options(box: Box, lexicon: Lexicon, options: Mapping[str, str]) -> None:
    """A host's own letters may be such that no fresh manifests can be made of them."""
    if _are_fresh(options):
        try:
            maker(lexicon, box)
        except BadData:
            raise Refusal(
                "Of the letters and words on this server no fresh manifests can be made. Choose "
                f"manifests={STANDARD}."
            ) from None


def _are_fresh(options: Mapping[str, str]) -> bool:
    return options.get("manifests") == FRESH


def components(box: Box, options: Mapping[str, str]) -> Sequence[str]:
    """Letters and End of Round cards: a multiset, since equal ones are interchangeable."""
    return sorted((*(END_OF_ROUND,) * END_CARDS, *rounds.letters_in(box)))


def zones(state: State) -> Mapping[str, Sequence[str]]:
    """Every card, by where it lies; in a trade the offered ones lie in hands still.  [G-19]"""
    found: dict[str, Sequence[str]] = {"pile": state.pile, "discards": state.discards}
    for seat, player in enumerate(state.players):
        found[f"hand {seat}"] = player.hand
    for word in state.words:
        found[f"word {word.number} of {word.owner}"] = tuple(word.spelling)
    return found


def deal(
    box: Box, lexicon: Lexicon, seats: int, options: Mapping[str, str], chance: Chance
) -> Sequence[Event]:
    """The first round, up to its first draw.  [W2.1]"""
    if _are_fresh(options):
        deck = maker(lexicon, box).deck(chance.below(SEED_MAX), len(box.manifests))
        box = replace(box, manifests=deck)
    play = Play(lexicon, None, chance, GameBegun(box, settings(options), seats))
    rounds.begin(play)
    return play.events
