"""What is in the box: letters, manifests, bonus indicators, points.  Data, not rules.

Rule 1: a letter is "A".."Z"; equal letters are interchangeable, so a letter is its own card.
        The End of Round card is "*": a card of the hand, but no letter.  [WR-13]
Rule 2: the box is public; who holds which manifest and indicator is not.
"""

from __future__ import annotations

from dataclasses import dataclass

END_OF_ROUND = "*"
END_CARDS = 2  # [WR-01]
HAND_SIZE = 7  # cards between turns, End of Round included  [WR-13]
DRAWS = 2  # cards at the start of a turn  [WR-15]
WORD_MIN = 3  # letters of any word on the table  [WR-03]
STEAL_MIN = REMOVE_MIN = 4  # letters of a word that may lose one  [WR-36] [WR-46]
CHANGES_MAX = 60  # of words in one turn; the rules set no limit, but a turn has to end  [WR-56]
QUIET_CIRCUITS, STILL_CIRCUITS = 4, 12  # turns of each seat until a stalled round ends  [WR-56]
SETS, LENGTHS = 4, (3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Manifest:
    id: str  # "M01"
    sets: tuple[tuple[str, ...], ...]  # four sets of words of 3, 4, 5 and 6 letters


@dataclass(frozen=True, slots=True)
class Indicator:
    id: str  # "B1"
    set: int  # 1..4
    multiplier: int


@dataclass(frozen=True, slots=True)
class Count:
    letter: str
    number: int  # cards


@dataclass(frozen=True, slots=True)
class Points:
    length: int
    points: int


@dataclass(frozen=True, slots=True)
class Box:
    letters: tuple[Count, ...]  # A to Z
    points: tuple[Points, ...]  # by length; beyond them 5 * (length - 2)
    indicators: tuple[Indicator, ...]
    manifests: tuple[Manifest, ...]

    def worth(self, word: str) -> int:
        """Points of a word of that length, before any bonus or sign."""
        for entry in self.points:
            if entry.length == len(word):
                return entry.points
        return 5 * (len(word) - 2)


def sets_of(manifest: Manifest, word: str) -> list[int]:
    """The numbers, 1..4, of the sets in which *word* is printed; empty: it is not on this card."""
    return [number for number, words in enumerate(manifest.sets, start=1) if word in words]
