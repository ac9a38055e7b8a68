"""Letters, words and points as pieces of a line: what all sentences of this game share.

Rule 1: a locked word is one in brackets on the board, `[OVER]`, and "locked" in a sentence; who
        may not read it sees a dot a letter, `[....]`, and hears how many letters it has.  [W3]
Rule 2: a word is named by its spelling and its number, since both can be typed.  [WR-28]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from variants.contract import Names, Seat
from variants.kit.people import does, joined, who, whom
from variants.kit.text import Line, counted, line, series
from variants.words.box import END_OF_ROUND, HAND_SIZE
from variants.words.events import Removal, Scored, Word
from variants.words.view import WordView

END_CALLED = "End of Round"
ENDED = {"target": "the target is reached", "rounds": "the last round is played"}
"""Why a game ended, as a clause, by GameEnded.reason."""


def called(card: str) -> str:
    """A card of the hand: `E`, `End of Round`."""
    return END_CALLED if card == END_OF_ROUND else card


def cards_spoken(cards: Iterable[str]) -> str:
    """`D, A and End of Round`; "nothing" if there are none."""
    return series([called(card) for card in cards]) or "nothing"


def placed(word: Word, set_: int | None = None) -> Line:
    """`DATES (word 4)`: a word that is new on the table; an own one with its set, or 0."""
    where = f", set {set_} of your manifest" if set_ else ", not on your manifest"
    own = "" if set_ is None else where
    return line((word.spelling, "strong"), f" (word {word.number}{own})")


def numbered(word: WordView) -> str:
    """`3 EAST`, `5 [OVER]`, `6 [.....]`: as on the board."""
    if not word.is_locked:
        return f"{word.number} {word.spelling}"
    return f"{word.number} [{word.spelling or '.' * word.length}]"


def numbered_spoken(word: WordView) -> str:
    """The same in words."""
    if not word.is_locked:
        return f"word {word.number} {word.spelling}"
    if word.spelling:
        return f"word {word.number} {word.spelling}, locked"
    return f"word {word.number}, a locked word of {word.length} letters"


def missing_said(missing: int) -> str:
    """Answers that a sealed window still waits for.  [G-11]"""
    return f"{counted(missing, 'answer')} {'is' if missing == 1 else 'are'} missing"


def trading(seat: Seat, partners: Sequence[Seat], reader: Seat | None, names: Names) -> Line:
    """`Ann trades with you and Cy`."""
    others = joined([whom(partner, reader, names) for partner in partners])
    return line(*does(seat, "trade", reader, names), " with ", *others)


def may_remove(seats: Sequence[Seat], reader: Seat | None, names: Names) -> Line:
    """Who is asked in the removal, the reader first.  [WR-45]"""
    first = sorted(seats, key=lambda seat: seat != reader)
    people = [who(first[0], reader, names), *[whom(seat, reader, names) for seat in first[1:]]]
    each = " each" if len(first) > 1 else ""
    own = "your" if reader in seats else "their"
    return line(*joined(people), f" may{each} remove one letter from one exposed word of {own} own")


def removed(removal: Removal | None) -> Line:
    """The own answer in a removal."""
    if removal is None:
        return line("You remove nothing")
    taken = line("You remove ", (removal.letter, "strong"), f" from word {removal.word}")
    return line(*taken, ", leaving ", (removal.leaving, "strong"))


def scored(word: Scored) -> str:
    """`OVER 10`, `NOTE -10`: one word of the reckoning."""
    return f"{word.spelling} {word.points}"


def settling(cards: int, left: int) -> str:
    """What brings a hand to seven, of which *cards* is public arithmetic.  [WR-14] [WR-20]"""
    if cards > HAND_SIZE:
        return f"to discard {counted(cards - HAND_SIZE, 'card')}"
    return f"to pick up {counted(min(HAND_SIZE - cards, left), 'card')}"


def set_spoken(words: Iterable[str], laid: Collection[str]) -> str:
    """`SEA *EAST DATES TASTED`: a star before what lies on the table."""
    return " ".join([f"*{word}" if word in laid else word for word in words])
