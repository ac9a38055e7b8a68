"""What may be done in the word game, in a second reading of the text.

Rule 1: written from W2 and W4 alone, on plain lists and sets; nothing here but types and the
        word file comes from the rule book under test.  See `words_referee.py`, which plays on it.
Rule 2: every question is answered by yes or no; the rule book's sentences are its own affair.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pkgutil import get_data
from string import ascii_uppercase
from typing import Any

from variants.words import actions as a
from variants.words.data.box import Box, Indicator, Manifest
from variants.words.events import Settings

END = "*"
CHANGES_MAX = 60  # a bound of the server, so that a turn ends  [WR-57]


@cache
def listed(level: int) -> frozenset[str]:
    """The words of the shipped list up to a level, read line by line."""
    text = gzip.decompress(get_data("variants.words", "data/words.tsv.gz") or b"").decode()
    rows = (line.split("\t") for line in text.splitlines())
    return frozenset(word.upper() for word, found in rows if int(found) <= level)


class Words:
    """What counts as a word at one table.  [WR-02] [WR-03]"""

    def __init__(self, box: Box, level: int) -> None:
        printed = {word for card in box.manifests for words in card.sets for word in words}
        self.all = listed(level) | printed
        self._spelled: Mapping[str, list[str]] = _by_letters(level, frozenset(printed))

    def __contains__(self, word: str) -> bool:
        return len(word) >= 3 and word in self.all

    def losing_one(self, word: str) -> Iterator[tuple[str, str]]:
        """(letter, what it leaves) for each way in which *word* can lose a letter."""
        for letter in sorted(set(word)):
            rest = sorted((Counter(word) - Counter(letter)).elements())
            yield from ((letter, left) for left in self._spelled.get("".join(rest), ()))


@cache
def _by_letters(level: int, printed: frozenset[str]) -> Mapping[str, list[str]]:
    found = defaultdict(list)
    for word in listed(level) | printed:
        found["".join(sorted(word))].append(word)
    return found


@dataclass
class Laid:
    number: int
    owner: int
    spelling: str
    is_locked: bool = False


@dataclass
class Person:
    manifest: Manifest
    indicator: Indicator
    hand: list[str]  # in order of arrival

    @property
    def letters(self) -> Counter[str]:
        return Counter(card for card in self.hand if card != END)

    def has(self, wanted: Iterable[str]) -> bool:
        return Counter(wanted) <= self.letters

    def set_of(self, word: str) -> list[int]:
        return [n for n, words in enumerate(self.manifest.sets, 1) if word in words]


@dataclass
class Table:
    """Where everything lies, and what this turn has used up."""

    box: Box
    settings: Settings
    people: list[Person]
    words: Words
    pile: list[str]  # top first
    discards: list[str]  # top last
    laid: dict[int, Laid] = field(default_factory=dict)
    next_number: int = 1
    turn: int = 0
    phase: str = ""
    drawn: int = 0
    has_traded: bool = False
    has_stolen: bool = False
    added: list[int] = field(default_factory=list)
    changes: int = 0
    owing: list[int] = field(default_factory=list)  # who has still to answer

    def mine(self, seat: int, *, exposed: bool = False) -> list[Laid]:
        words = [self.laid[number] for number in sorted(self.laid)]
        return [w for w in words if w.owner == seat and not (exposed and w.is_locked)]

    def sources(self) -> list[str]:
        return ["pile"] * bool(self.pile) + ["discard"] * bool(self.discards)

    def removals(self, seat: int) -> Iterator[a.Remove]:
        for word in self.mine(seat, exposed=True):
            if len(word.spelling) >= 4:
                for letter, left in self.words.losing_one(word.spelling):
                    yield a.Remove(letter, word.number, left)

    # -- the law ---------------------------------------------------------------------------------

    def allows(self, seat: int, action: Any) -> bool:
        if seat not in self.owing:
            return False
        if self.phase == "trade":
            return isinstance(action, a.Answer) and self.people[seat].has([action.letter])
        if self.phase == "removal":
            return action == a.Pass() or action in set(self.removals(seat))
        if self.phase == "main":
            return self._allows_option(seat, action)
        if self.phase == "close":
            return action == a.Pass() or (action == a.EndRound() and self._may_end(seat))
        extra = len(self.people[seat].hand) - 7
        if self.phase == "settle" and extra > 0:
            if not isinstance(action, a.Discard):
                return False
            return 1 <= len(action.letters) <= extra and self.people[seat].has(action.letters)
        wanted = 2 - self.drawn if self.phase == "draw" else -extra
        if not isinstance(action, a.Draw) or action.source not in ("pile", "discard"):
            return False
        left = self.pile if action.source == "pile" else self.discards
        return 1 <= action.count <= min(wanted, len(left))

    def _may_end(self, seat: int) -> bool:
        """[WR-44]"""
        person = self.people[seat]
        faces = [word.spelling for word in self.mine(seat, exposed=True)]
        return END in person.hand and any(map(person.set_of, faces))

    def _allows_option(self, seat: int, action: Any) -> bool:
        person, is_fresh = self.people[seat], self.changes < CHANGES_MAX
        match action:
            case a.Done():
                return True
            case a.Out():  # [WR-48]
                words = [word.spelling for word in self.mine(seat)]
                return not person.letters and bool(words) and all(map(person.set_of, words))
            case a.Trade(offers):
                return self._allows_trade(seat, offers)
            case a.Form(spelling):
                return is_fresh and spelling in self.words and person.has(spelling)
            case a.Lock(number):
                return is_fresh and number in [w.number for w in self.mine(seat, exposed=True)]
            case a.Add(letter, number, spelling):
                word = self._another(seat, number)
                return (
                    is_fresh and word is not None and number not in self.added
                    and is_letter(letter) and person.has(letter) and spelling in self.words
                    and same(spelling, word.spelling + letter)
                )  # fmt: skip
            case a.Steal():
                return is_fresh and self._allows_steal(seat, action)
            case a.Rebuild(numbers, spellings):
                return is_fresh and self._allows_rebuild(seat, numbers, spellings)
        return False

    def _another(self, seat: int, number: int) -> Laid | None:
        """Somebody else's exposed word.  [WR-29] [WR-30] [WR-36]"""
        word = self.laid.get(number)
        return None if word is None or word.owner == seat or word.is_locked else word

    def _allows_trade(self, seat: int, offers: tuple[a.Offer, ...]) -> bool:
        """Of a hand of two cards one at least is a letter; of one card nobody can say.  [G-12]"""
        partners = [offer.to for offer in offers]
        could = [s for s, person in enumerate(self.people) if s != seat and len(person.hand) > 1]
        is_once = len(set(partners)) == len(partners) > 0 and set(partners) <= set(could)
        letters = [offer.letter for offer in offers]
        return not self.has_traded and is_once and all(map(is_letter, letters)) and (
            self.people[seat].has(letters)
        )  # fmt: skip

    def _allows_steal(self, seat: int, action: a.Steal) -> bool:
        word = self._another(seat, action.word)
        if self.has_stolen or word is None or len(word.spelling) < 4:
            return False
        is_left = is_letter(action.letter) and same(action.leaving + action.letter, word.spelling)
        if not is_left or action.leaving not in self.words or action.making not in self.words:
            return False
        own = Counter(action.making) - Counter(action.letter)
        return action.letter in action.making and self.people[seat].has(own.elements())

    def _allows_rebuild(
        self, seat: int, numbers: tuple[int, ...], spellings: tuple[str, ...]
    ) -> bool:
        mine = {word.number: word.spelling for word in self.mine(seat, exposed=True)}
        if not numbers or len(set(numbers)) < len(numbers) or not set(numbers) <= set(mine):
            return False
        taken = [mine[number] for number in numbers]
        if Counter(taken) == Counter(spellings):  # [WR-40]
            return False
        needed = Counter("".join(spellings)) - Counter("".join(taken))
        is_spelled = all(spelling in self.words for spelling in spellings)
        return is_spelled and self.people[seat].has(needed.elements())


def is_letter(letter: str) -> bool:
    return len(letter) == 1 and letter in ascii_uppercase


def same(one: str, other: str) -> bool:
    """Of the same letters."""
    return Counter(one) == Counter(other)
