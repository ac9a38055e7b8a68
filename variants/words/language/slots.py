"""What people call letters, words and players of the word game, and how these are written back.

Rule 1: `#3` is always word 3, and `seat#2` always the player of seat 2: nobody's name is typed so.
        A phrase is written in that way where names would disturb it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any

from variants.contract import IllegalAction, Seat
from variants.kit.matcher import line
from variants.kit.matcher.grammar import WORDS_MAX
from variants.kit.matcher.line import choice, marked, number_of
from variants.kit.matcher.plays import PLAIN, WHOLE_NAME, Meaning, Slot, Table, Words
from variants.kit.text import join_words
from variants.words import legal_actions
from variants.words.actions import Action, Add, Offer
from variants.words.check import check, describe_hand
from variants.words.data.box import ALPHABET
from variants.words.legal_actions import DISCARD, PILE
from variants.words.lexicon.dictionary import Dictionary, dictionary
from variants.words.lexicon.multiset import is_anagram, is_within, letter_cards, missing_letters
from variants.words.view import View, WordView

ROW_MAX = 20  # words, or letters, that are laid at once
TOLD_MAX = 8  # words of the table in one sentence
WORD_CHARS = 24  # a typed word that is longer is none


@dataclass(frozen=True)
class Here(Table[View]):
    """A line of the word game: who reads it, and with which words."""

    lexicon: Any = None
    typed: tuple[str, ...] = ()
    is_numbered: bool = False  # with a word as `#3`: nobody is named

    @cached_property
    def known(self) -> Dictionary:
        """What is a word at this table."""
        return dictionary(self.lexicon, self.view.box, self.view.settings.level)

    @cached_property
    def laid(self) -> Mapping[str, str]:
        """The words on the table, by how they are typed."""
        return {w.spelling.lower(): w.spelling for w in self.view.words if w.spelling}

    @cached_property
    def hand(self) -> Sequence[str]:
        return letter_cards(self.view.hand)

    @cached_property
    def own(self) -> list[WordView]:
        """Own exposed words."""
        return legal_actions.own_exposed_words(self.view, self.me)

    @cached_property
    def theirs(self) -> list[WordView]:
        """Exposed words of the others."""
        return [w for w in self.view.words if w.owner != self.me and not w.is_locked]

    def why_not(self, action: Action) -> str:
        """Why the rules forbid it; "" if they do not."""
        try:
            check(self.lexicon, self.view, action)
        except IllegalAction as refusal:
            return refusal.format(self.names)
        return ""


# -- what people call things -----------------------------------------------------------------------

FILLERS = frozenset(
    ("a", "an", "the", "of", "to", "onto", "on", "from", "with", "at", "and", "for", "by", "in",
     "letter", "letters", "card", "cards", "word", "words", "number", "please", "my", "their",
     "his", "her", "'s", "+")
)  # fmt: skip
_COUNTS = {word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}
_COUNTS |= {str(number): number for number in range(100)}
_PILES = {
    f"{name[:end]}{also}": at
    for name, at, too in (("discarded", DISCARD, " pile"), ("discards", DISCARD, " pile"),
                          ("pile", PILE, ""), ("deck", PILE, ""), ("stock", PILE, ""))
    for end in range(2, len(name) + 1) for also in ("", too)
}  # fmt: skip
"""A pile is begun with two letters at least."""
NEW_MARKS = "as into making make for"
LEFT_MARKS = "leaving leaves leave"
MADE_MARKS = "making makes make form forming for into as"
ROW_MARKS = "as to into making"
_UNSAID = FILLERS.union(
    f"{NEW_MARKS} {LEFT_MARKS} {MADE_MARKS}".split()
)  # words of a line that say nothing by themselves


def is_letter(word: str) -> bool:
    return word == "*" or (len(word) == 1 and word.upper() in ALPHABET)


def is_spelling(word: str) -> bool:
    """Whether it may be meant as a spelling, of whatever letters; `check` says what is wrong."""
    return 1 < len(word) <= WORD_CHARS and word.isalpha()


def is_held(word: str, table: Here) -> bool:
    """Whether the own hand has all letters of a word."""
    return word.isascii() and is_within(word.upper(), table.hand)


def spelled(word: str) -> str:
    """In capitals, as words lie on the table; other letters than A to Z stay as they are."""
    return word.upper() if word.isascii() else word


# -- what stands in the slots ----------------------------------------------------------------------


def _letter(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    is_article = words[at] == "a" and words[at + 1 : at + 2] in (["card"], ["letter"])
    if is_letter(words[at]) and not is_article:
        yield Meaning(1, words[at].upper())


def _letters(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A letter, or some of the hand that are run together; the card End of Round."""
    yield from _letter(words, at, table)
    if len(words[at]) > 1 and is_held(words[at], table):
        yield Meaning(1, words[at].upper(), turns=2 * (words[at] in FILLERS))
    for length in (2, 3):
        if words[at : at + length] in (["end", "round"], ["end", "of", "round"]):
            yield Meaning(length, "*")


def read_seat(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A player by name, or `seat#2`."""
    is_seat = words[at].startswith("seat#")
    some = ["seat", words[at][5:]] if is_seat else words
    for meaning in line.people(some, 0 if is_seat else at, table, others, FILLERS):
        if is_seat and meaning.words == 2 and str(meaning.value + 1) == some[1]:
            yield meaning._replace(words=1, turns=0)
        elif not is_seat and not table.is_numbered:
            yield meaning


def _partner(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A player; the beginning of a name is rather a letter."""
    for meaning in read_seat(words, at, table):
        yield meaning._replace(turns=meaning.turns + (meaning.rank == PLAIN))


def others(table: Here) -> list[Seat]:
    return [Seat(n) for n in range(len(table.names)) if n != table.view.seat]


def _laid(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words on the table by their number or spelling."""
    number = number_of(words[at].removeprefix("#"))
    same = [word.number for word in table.view.words if word.spelling.lower() == words[at]]
    if number is not None:
        yield Meaning(1, frozenset((number,)), WHOLE_NAME)
    elif same:
        yield Meaning(1, frozenset(same))


def _which(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words on the table by their owner, number or spelling."""
    yield from _laid(words, at, table)
    for meaning in read_seat(words, at, table):
        owned = [word.number for word in table.view.words if word.owner == meaning.value]
        yield meaning._replace(value=frozenset(owned))


def _own_word(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A number, or a word that lies on the table, an own and exposed one first."""
    for meaning in _laid(words, at, table):
        own = [word.number for word in table.own if word.number in meaning.value]
        yield Meaning(1, min(own or meaning.value))


def _spelled(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Any word, also one that could be a filler, and letters: `d o g`, `d+o+g`."""
    run = list(takewhile(lambda word: word == "+" or is_letter(word), words[at:]))
    letters = "".join(run).replace("+", "").upper()
    if letters and (at == 0 or len(letters) > 1):
        yield Meaning(len(run), letters)
    elif is_spelling(words[at]):
        yield Meaning(1, spelled(words[at]))


def _unmarked(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """A word that says nothing else."""
    if is_spelling(words[at]) and (words[at] not in _UNSAID or words[at] in table.laid):
        yield Meaning(1, spelled(words[at]))


def _new(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    """A word that does not lie there."""
    return () if words[at] in table.laid else _unmarked(words, at, table)


def _row(words: Words, at: int, table: Here) -> Iterator[Meaning]:
    """Words to the end of the line, with fillers between them or without; or letters."""
    rest, length = words[at : at + ROW_MAX], len(words) - at
    joined = {word for pair in pairwise(rest) if "+" in pair for word in pair}
    plain = [word for word in rest[:-1] if word not in _UNSAID or word in joined]
    rows = [m.value for m in _spelled(words, at, table) if m.words == length > 1]
    yield from [Meaning(length, (row,)) for row in rows if rest[0] != "+"]
    for row in (rest, [*plain, rest[-1]]):
        laid = [spelled(word) for word in row if word != "+"]
        if len(rest) == length and rest[0] != "+" and all(map(is_spelling, laid)):
            yield Meaning(length, tuple(laid))


def _unmarked_row(words: Words, at: int, table: Here) -> Iterable[Meaning]:
    is_inside = at == 0 or words[at - 1] == "+" or not set(ROW_MARKS.split()).isdisjoint(words[at:])
    return () if is_inside else _row(words, at, table)


# -- how they are written --------------------------------------------------------------------------


def from_hand(action: Any, table: Here) -> str:
    """What the new words take from the hand, in alphabetical order."""
    was = [word.spelling for word in table.view.words if word.number in action.words]
    return missing_letters("".join(action.spellings), "".join(was))


def _say_own(number: int, _: Any, table: Here) -> str:
    """An own word by its spelling, if one own word only is spelled so."""
    own = {w.number: w.spelling.lower() for w in legal_actions.own_words(table.view, table.me)}
    said = own.get(number, "")
    return said if list(own.values()).count(said) == 1 and said not in _UNSAID else str(number)


def _disturbed(words: Iterable[str], table: Here) -> bool:
    """Whether somebody is called like one of the *words*, which name nobody."""
    return not line.name_words(tuple(table.names)).isdisjoint(words)


def _named(seat: Seat, table: Here) -> str:
    """A player; "" where the words of the name would disturb, or hold the name of another."""
    name = line.called(seat, table.names)
    others = [line.called(Seat(n), table.names) for n in range(len(table.names)) if n != seat]
    is_plain = len(name.split()) < 4 and not name.startswith("seat ")
    return name if is_plain and not any(f" {o} " in f" {name} " for o in others) else ""


def _say_word(number: int, action: Any, table: Here) -> str:
    """`bob`, `3 as`: whose word gets a letter; `bob dates`, `3`: which one loses one."""
    is_add, letter = isinstance(action, Add), action.letter
    made = [action.spelling] if is_add else [action.leaving, action.making]
    said = ["to", "from", "leaving", "making", *" ".join([letter, *made]).lower().split()]
    for word in table.theirs:
        if word.number == number and (name := _named(word.owner, table)):
            was = "" if is_add else word.spelling.lower()
            rivals = [other.spelling for other in table.theirs if other.owner == word.owner]
            fits = [
                is_anagram(other + letter, made[0]) if is_add else other == word.spelling
                for other in rivals
            ]
            is_plain = fits.count(True) == 1 and made[0] not in rivals
            is_plain &= (was or made[0].lower()) not in _UNSAID
            if is_plain and not _disturbed([*said, was], table):
                return f"{name} {was}"
    mark = "#" if _disturbed([*said, str(number), "as"], table) else ""
    return f"{mark}{number} as" if is_add else f"{mark}{number}"


def _say_words(numbers: Sequence[int], action: Any, table: Here) -> str:
    """`east+d+t`: what is taken up, and the letters of the hand."""
    letters = from_hand(action, table).lower() if action.spellings else ""
    return "+".join([*[_say_own(number, action, table) for number in numbers], *letters])


def _say_offers(offers: Sequence[Offer], _: Any, table: Here) -> str:
    """`e with bob, k with cleo`."""
    letters = [offer.letter.lower() for offer in offers]
    people = [_named(offer.to, table) for offer in offers]
    if not all(people) or _disturbed((*letters, "with", "and"), table):
        people = [f"seat#{offer.to + 1}" for offer in offers]
    return ", ".join([f"{x} with {name}" for x, name in zip(letters, people, strict=True)])


def listed(words: Sequence[WordView], table: Here) -> str:
    """`3 EAST of Bob, 4 OVER of Cy`; without a name if all are of one player."""
    is_one = len({word.owner for word in words}) == 1
    told = [
        f"{word.number} {word.spelling}" + ("" if is_one else f" of {table.names[word.owner]}")
        for word in words[:TOLD_MAX]
    ]
    return ", ".join(told + [f"{len(words) - TOLD_MAX} more"] * (len(words) > TOLD_MAX))


def _hand(table: Here) -> str:
    return describe_hand(table.view)


def _own(table: Here) -> str:
    return f"You have: {listed(table.own, table)}." if table.own else ""


def _partners(table: Here) -> str:
    able = [table.names[seat] for seat in legal_actions.trade_partners(table.view, table.me)]
    return f"You can trade with {join_words(able, 'or')}." if able else ""


_NO_WORD = 'You have no word "{}" on the table.'
LETTER: Slot[Here] = Slot("LETTER", _letter, choices=_hand)
LETTERS: Slot[Here] = Slot(
    "LETTERS", _letters, lambda x, *_: " ".join(x).lower(), most=WORDS_MAX, choices=_hand
)
PARTNER: Slot[Here] = Slot(
    "NAME", _partner, most=12, unknown='Nobody here is called "{}".', choices=_partners
)
WHICH: Slot[Here] = Slot("NAME", _which, _say_word, most=2)
OWN: Slot[Here] = Slot(
    "WORD", _own_word, _say_own, lambda table, _: [word.number for word in table.own],
    unknown=_NO_WORD, choices=_own,
)  # fmt: skip
TAKEN: Slot[Here] = replace(OWN, say=_say_words, most=WORDS_MAX)
ROW: Slot[Here] = marked(
    Slot("WORD", _row, lambda spellings, *_: "+".join(spellings).lower()), ROW_MARKS,
    plain=_unmarked_row,
)  # fmt: skip
FORMED: Slot[Here] = Slot("WORD", _spelled, choices=_hand)
SOURCE: Slot[Here] = choice(
    lambda table: _PILES if table.view.top in "A" else {**_PILES, table.view.top.lower(): DISCARD},
    say=lambda at, *_: "" if at == PILE else at, fill=lambda *_: [PILE],
)  # fmt: skip
COUNT: Slot[Here] = choice(_COUNTS, say=lambda n, *_: str(n) if n > 1 else "", fill=lambda *_: [1])
CHANGED: Slot[Here] = marked(FORMED, NEW_MARKS, plain=_unmarked)
LEFT: Slot[Here] = marked(FORMED, LEFT_MARKS, plain=_new, turns=1)
MADE: Slot[Here] = marked(FORMED, MADE_MARKS, plain=_new, turns=2)
REMAINDER: Slot[Here] = marked(FORMED, f"{LEFT_MARKS} {NEW_MARKS}", plain=_unmarked)
OWN_SIDE: Slot[Here] = Slot("WORD", _laid, _say_own, most=2)
OFFERS: Slot[Here] = Slot("", lambda *_: (), _say_offers)
ALL: Slot[Here] = choice(lambda table: {} if "all" in table.laid else {"all": True})
OUT: Slot[Here] = choice(dict.fromkeys(("out", "end round", "end of round"), True))
