"""What everybody may know who has followed the round: where letters are, who lacks what.  [G-18]

Rule 1: it is worked out from redacted events and the own view, from nothing else.
Rule 2: what was announced stays known: letters of words, locked ones too, letters discarded, and
        letters that somebody took to the hand face up.  In the own trades both letters are known.
Rule 3: a player who trades unseen may hand on a letter that was known.  From then on it is known to
        lie in one of these hands, and a letter played by any of them may be that one.
Rule 4: fresh manifests are known from the round on at whose end they were turned up.  [WR-10]
Rule 5: End of Round leaves a hand only when it is played, so a player who once had no card does
        not hold it; nor does one who has played it, since nobody is dealt two.  [WR-13]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from variants.contract import Seat
from variants.words.data.box import END_CARDS, END_OF_ROUND, HAND_SIZE, Manifest
from variants.words.events import (
    Event,
    LetterAdded,
    LetterDiscarded,
    LetterDrawn,
    LetterRemoved,
    LetterStolen,
    PositionArranged,
    RoundBegun,
    RoundEnding,
    RoundScored,
    Traded,
    Word,
    WordFormed,
    WordLocked,
    WordsRebuilt,
)
from variants.words.view import View

LetterCounts = Counter[str]


def ends_in_other_hands(view: View) -> int:
    """End of Round cards that others hold."""
    return END_CARDS - view.is_end_played - view.hand.count(END_OF_ROUND)


def known_manifests(view: View, seen: Iterable[Event]) -> tuple[Manifest, ...]:
    """The cards that everybody knows: the printed ones; of fresh ones those that were turned up in
    this game, first to last."""
    if not view.settings.has_fresh:
        return view.box.manifests
    scored = [event.sheets for event in seen if isinstance(event, RoundScored)]
    sheets = [sheet for sheets in (*scored, view.last) for sheet in sheets]
    return tuple({sheet.manifest.id: sheet.manifest for sheet in sheets}.values())


@dataclass(slots=True)
class HandPool:
    """Letters that are known to lie in the hands of these seats, between them."""

    seats: list[Seat]
    letters: LetterCounts = field(default_factory=Counter)

    def lose(self, letters: Iterable[str]) -> None:
        for letter in letters:
            if self.letters[letter]:
                self.letters[letter] -= 1


@dataclass(frozen=True, slots=True)
class DiscardMove:
    """One letter laid on the discard pile or taken from it."""

    seat: Seat
    letter: str
    is_taken: bool


class LetterKnowledge:
    """What one reader has heard of the round that is going on.

    Args:
        view: The own view, or a watcher's.
        seen: The reader's redacted events of the game, oldest first.  May begin late: what was
            not heard is not known, and nothing goes wrong.
    """

    def __init__(self, view: View, seen: Sequence[Event]) -> None:
        self.view = view
        self.pools = [HandPool([Seat(seat)]) for seat in range(len(view.seats))]
        self.words: dict[int, Word] = {}
        self.discards: list[str] = []  # top last
        self.initial_discards: list[str] = []  # on the discard pile when the round began, top last
        self.discard_moves: list[DiscardMove] = []
        for event in _of_round(seen):
            self._apply(event)

    # -- questions -----------------------------------------------------------------------------

    def known_letters(self) -> LetterCounts:
        """Letters of which the reader knows that they are not in the draw pile."""
        found = self.known_in_other_hands()
        for zone in (self.spellings(), self.discards, self.own_letters()):
            for letters in zone:
                found.update(letters)
        return found

    def unseen_letters(self) -> LetterCounts:
        """What is left of the box: in the draw pile, or unknown in the hands of others."""
        left = Counter({entry.letter: entry.number for entry in self.view.box.letters})
        left.subtract(self.known_letters())
        return left

    def unknown_in_hands(self) -> int:
        """Letters of others' hands that nobody has shown: public arithmetic.  [WR-14]"""
        view = self.view
        cards = sum([it.cards for seat, it in enumerate(view.seats) if seat != view.seat])
        return cards - ends_in_other_hands(view) - sum(self.known_in_other_hands().values())

    def own_letters(self) -> list[str]:
        return [card for card in self.view.hand if card != END_OF_ROUND]

    def spellings(self) -> list[str]:
        return [word.spelling for word in self.words.values()]

    def known_in_other_hands(self) -> LetterCounts:
        """Known letters in hands that are not the reader's."""
        found: LetterCounts = Counter()
        for pool in self.known_pools():
            found.update(pool.letters)
        return found

    def known_pools(self) -> list[HandPool]:
        """Hands, or groups of hands, of which letters are known; not the own hand."""
        pools = {id(pool): pool for pool in self.pools if pool.seats != [self.view.seat]}
        return [pool for pool in pools.values() if pool.letters.total()]

    # -- listening -----------------------------------------------------------------------------

    def _apply(self, event: Event) -> None:
        match event:
            case RoundBegun(discards=discards):
                self.initial_discards, self.discards = list(discards), list(discards)
            case PositionArranged(words=words, discards=discards):
                self.initial_discards, self.discards = list(discards), list(discards)
                self.words = {word.number: word for word in words}
            case LetterDrawn(seat, "discard", letter) if letter:
                del self.discards[-1:]
                self.pools[seat].letters[letter] += 1
                self.discard_moves.append(DiscardMove(seat, letter, True))
            case LetterDiscarded(seat, letter):
                self._discard(seat, letter)
                self.pools[seat].lose(letter)
            case LetterRemoved(seat, word, letter):
                self._discard(seat, letter)
                self.words[word.number] = word
            case Traded():
                self._trade(event)
            case LetterAdded(seat, word, letter):
                self.pools[seat].lose(letter)
                self.words[word.number] = word
            case LetterStolen(seat, word, letter, _, made):
                self.pools[seat].lose(made.spelling.replace(letter, "", 1))
                self.words[word.number], self.words[made.number] = word, made
            case WordFormed(word):
                self.pools[word.owner].lose(word.spelling)
                self.words[word.number] = word
            case WordLocked(word):
                self.words[word.number] = word
            case WordsRebuilt(seat, taken, laid, from_hand, to_hand):
                self.pools[seat].lose(from_hand)
                self.pools[seat].letters.update(to_hand)
                for word in taken:
                    self.words.pop(word.number, None)
                self.words |= {word.number: word for word in laid}

    def _discard(self, seat: Seat, letter: str) -> None:
        self.discards.append(letter)
        self.discard_moves.append(DiscardMove(seat, letter, False))

    def _trade(self, event: Traded) -> None:
        """The own cards are known from the own hand; of others' trades only who is in them."""
        unseen = [event.seat]
        for partner, given, got in zip(event.partners, event.given, event.got, strict=True):
            if given is None or got is None:
                unseen.append(partner)
                continue
            other, gave, kept = event.seat, given, got
            if self.view.seat == event.seat:
                other, gave, kept = partner, got, given
            self.pools[other].lose(gave)
            self.pools[other].letters[kept] += 1
        if len(unseen) > 1:
            self._merge(unseen)

    def _merge(self, seats: Sequence[Seat]) -> None:
        """From now on a known letter may lie in any of these hands."""
        pools = {id(self.pools[seat]): self.pools[seat] for seat in seats}
        together = HandPool(sorted([seat for pool in pools.values() for seat in pool.seats]))
        for pool in pools.values():
            together.letters.update(pool.letters)
        for seat in together.seats:
            self.pools[seat] = together


def _of_round(seen: Sequence[Event]) -> Sequence[Event]:
    """The events since the last deal."""
    for place in range(len(seen) - 1, -1, -1):
        if isinstance(seen[place], RoundBegun | PositionArranged):
            return seen[place:]
    return seen


class RoundKnowledge:
    """One reader's record of the round, and what follows from it.

    Args:
        view: The own view, or a watcher's.
        seen: The reader's redacted events of the game, oldest first; may begin late.
    """

    def __init__(self, view: View, seen: Sequence[Event]) -> None:
        self.letter_knowledge = LetterKnowledge(view, seen)
        self.ending: RoundEnding | None = None
        self.next_word = 1 + max([0, *[word.number for word in view.words]])
        self.empty_handed_seats: set[Seat] = (
            set()
        )  # seats that had no card or have played it, so they hold no End of Round  [WR-13]
        self._cards: list[int] = []
        for event in seen:
            self._apply(event)

    def _apply(self, event: Event) -> None:
        match event:
            case RoundBegun(hands=hands):
                self._begin([HAND_SIZE] * len(hands), ())
            case PositionArranged(hand_counts=counts, words=words):
                self._begin(counts, words)
            case RoundEnding():
                self.ending = event
                if event.why == "end":
                    self._add_cards(event.seat, -1)
                    self.empty_handed_seats.add(event.seat)
            case LetterDrawn(seat):
                self._add_cards(seat, 1)
            case LetterDiscarded(seat) | LetterAdded(seat):
                self._add_cards(seat, -1)
            case LetterStolen(seat, made=made):
                self._add_cards(seat, 1 - len(made.spelling))
                self._note_word_numbers(made)
            case WordFormed(word):
                self._add_cards(word.owner, -len(word.spelling))
                self._note_word_numbers(word)
            case WordsRebuilt(seat, laid=laid, from_hand=gone, to_hand=come):
                self._add_cards(seat, len(come) - len(gone))
                self._note_word_numbers(*laid)

    def _begin(self, counts: Sequence[int], words: Iterable[Word]) -> None:
        """A deal: what was heard before is of another round."""
        self.ending, self.empty_handed_seats, self._cards = None, set(), list(counts)
        for seat in range(len(counts)):
            self._add_cards(Seat(seat), 0)
        self.next_word = 1
        self._note_word_numbers(*words)

    def _add_cards(self, seat: Seat, cards: int) -> None:
        if self._cards:
            self._cards[seat] += cards
            if not self._cards[seat]:
                self.empty_handed_seats.add(seat)

    def _note_word_numbers(self, *words: Word) -> None:
        self.next_word = max([self.next_word, *[word.number + 1 for word in words]])
