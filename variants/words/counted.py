"""What one reader can count: how many of each letter are unseen, and who is known to hold one.

Rule 1: it follows from the own view and the own redacted events, from nothing else.  People read it
        with `cards` and `count`; computer players use the same knowledge.  [G-14]
Rule 2: the manifests are no part of it: which of them are known says `known_manifests`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variants.contract import Seat
from variants.words.data.box import END_CARDS
from variants.words.events import Event
from variants.words.lexicon.multiset import sorted_letters
from variants.words.public_knowledge import LetterKnowledge, ends_in_other_hands
from variants.words.view import View


@dataclass(frozen=True, slots=True)
class LetterCount:
    letter: str
    copies: int  # in the box
    unseen: int


@dataclass(frozen=True, slots=True)
class HeldLetters:
    """Letters that are known to lie in the hands of these seats, between them."""

    seats: tuple[Seat, ...]
    letters: tuple[str, ...]  # alphabetical


@dataclass(frozen=True, slots=True)
class Count:
    letters: tuple[LetterCount, ...]
    held: tuple[HeldLetters, ...]  # by others
    pile: int  # cards
    hands: int  # unseen letters in hands that are not the reader's
    ends: int  # unseen End of Round cards
    end_copies: int = END_CARDS

    @property
    def unseen(self) -> int:
        return sum(it.unseen for it in self.letters)


def counted(view: View, seen: Sequence[Event]) -> Count:
    """All letters of the box, in order; for a watcher what is public."""
    knowledge = LetterKnowledge(view, seen)
    unseen = knowledge.unseen_letters()
    return Count(
        letters=tuple(
            LetterCount(entry.letter, entry.number, unseen[entry.letter])
            for entry in view.box.letters
        ),
        held=tuple(
            HeldLetters(tuple(pool.seats), tuple(sorted_letters(pool.letters.elements())))
            for pool in knowledge.known_pools()
        ),
        pile=view.pile,
        hands=knowledge.unknown_in_hands(),
        ends=ends_in_other_hands(view),
    )
