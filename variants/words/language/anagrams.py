"""Adding, stealing, removing and rebuilding: what the words of a line can mean on this table.

Rule 1: exact is what the letters and the word list allow; loose is what names its word, and
        `check` says why not.  Neither looks at the own hand, but for what a thief can spell.
Rule 2: an arrangement of given letters is looked for among all words of the table.  For words of
        free choice the table's hints are the limit of what is named.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from variants.contract import AmbiguousInput, IllegalAction, ParseError
from variants.kit.matcher.grammar import LISTED_MAX, ask_back
from variants.kit.matcher.line import number_of
from variants.kit.matcher.plays import Reading, Table, Words
from variants.kit.text import join_words
from variants.words.actions import Action, Add, Lock, Rebuild, Remove, Steal
from variants.words.check import check, describe_hand, letter_with_article
from variants.words.data.box import ALPHABET
from variants.words.legal_actions import manifest_words, own_exposed_words
from variants.words.lexicon.dictionary import Dictionary, Hints, dictionary, hints
from variants.words.lexicon.multiset import is_within, letter_cards, missing_letters, sorted_letters
from variants.words.view import View, WordView

MAKING_MAX = 12  # letters in which a thief's word is looked for: under a millisecond
CHECKED_MAX = 60  # plays that are checked; more are only counted
SPLITS_MAX = 20  # words of a rebuild without `as`
WORD_CHARS = 24  # a typed word that is longer is none
FILLERS = frozenset(
    ("a", "an", "the", "of", "to", "onto", "on", "from", "with", "at", "and", "for", "by", "in",
     "letter", "letters", "card", "cards", "word", "words", "number", "please", "my", "their",
     "his", "her", "'s", "+")
)  # fmt: skip
_UNSAID = FILLERS | {"up", "plus", "hand", "take"}  # where a word is taken up


@dataclass(frozen=True)
class Here(Table[View]):
    """A line of the word game: who reads it, and with which words."""

    lexicon: Any = None
    line: tuple[str, ...] = ()
    is_numbered: bool = False  # with a word as `#3`: nobody is named

    @property
    def known(self) -> Dictionary:
        """What is a word at this table."""
        return dictionary(self.lexicon, self.view.box, self.view.settings.level)

    def why_not(self, action: Action) -> str:
        """Why the rules forbid it; "" if they do not."""
        try:
            check(self.lexicon, self.view, action)
        except IllegalAction as refusal:
            return refusal.format(self.names)
        return ""


def others_exposed_words(table: Here) -> list[WordView]:
    return [word for word in table.view.words if word.owner != table.me and not word.is_locked]


def is_letter(word: str) -> bool:
    return word == "*" or (len(word) == 1 and word.upper() in ALPHABET)


def is_spelling(word: str) -> bool:
    """Whether it may be meant as a spelling, of whatever letters; `check` says what is wrong."""
    return 1 < len(word) <= WORD_CHARS and word.isalpha()


def spelled(word: str) -> str:
    """In capitals, as words lie on the table; other letters than A to Z stay as they are."""
    return word.upper() if word.isascii() else word


def own_word(word: str, table: Here, used: Container[int] = ()) -> int | None:
    """The number of the word that is typed, an own one and an exposed one first; None: none."""
    if (number := number_of(word.removeprefix("#"))) is not None:
        return number
    named = [each for each in table.view.words if each.spelling and each.spelling == spelled(word)]
    named.sort(key=lambda each: (each.owner != table.me, each.is_locked, each.number in used))
    return named[0].number if named else None


# -- a letter to a word, and a letter from a word --------------------------------------------------


def _meant(said: Reading, words: Sequence[WordView], old: str) -> list[WordView]:
    """The words that player, number and spelling say, as far as they are said."""
    seat, number = said.get("seat"), said.get("number")
    return [
        word
        for word in words
        if seat in (None, word.owner) and number in (None, word.number)
        if old in ("", word.spelling)
    ]


def adds(said: Reading, table: Here) -> Iterator[list[Action]]:
    """A letter to a word of another: player, number or spelling say which."""
    old, new, letter = [said.get(slot) or "" for slot in ("old", "spelling", "letter")]
    found: list[Action] = []
    for word in _meant(said, others_exposed_words(table), old) if _is_named(said) else ():
        x = letter or missing_letters(new, word.spelling)
        spellings = table.known.anagrams(word.spelling + x) if len(x) == 1 else ()
        found += [Add(x, word.number, each) for each in spellings if new in ("", each)]
    yield found


def _is_named(said: Reading) -> bool:
    """Whether more than a letter is said."""
    return any(slot != "letter" for slot, _ in said.said)


def _left(
    said: Reading, pool: Sequence[WordView], making: str, table: Here
) -> list[tuple[str, int, str]]:
    """(letter, number, spelling that is left) for a letter that is said, or that follows."""
    old, leaving, letter = [said.get(slot) or "" for slot in ("old", "leaving", "letter")]
    return [
        (x, word.number, left)
        for word in _meant(said, pool, old)
        for x, left in table.known.minus_one(word.spelling)
        if letter in ("", x) and leaving in ("", left) and (letter or leaving or x in making)
    ]


def steals(said: Reading, table: Here) -> Iterator[list[Action]]:
    """A letter out of a word of another; the new word is "" where it is not said."""
    making, pool = said.get("making") or "", others_exposed_words(table)
    is_named = _is_named(said)
    if said.get("old") is None and said.get("number") is None:  # what lies there is meant
        is_named &= not {making, said.get("leaving")} & {word.spelling for word in pool}
    yield [
        Steal(x, number, left, making)
        for x, number, left in (_left(said, pool, making, table) if is_named else ())
        if not making or (x in making and table.known.is_word(making))
    ]


def removals(said: Reading, table: Here) -> Iterator[list[Action]]:
    """A letter out of an own word."""
    own = own_exposed_words(table.view, table.me)
    yield [Remove(*fields) for fields in _left(said, own, "", table)]


def loose(verb: str, ways: Sequence[Reading], table: Here) -> Action | None:
    """What names a letter and one word only, for `check` to refuse; None: nothing does."""
    is_own, words = verb == "remove", table.view.words
    named = next((way.get("seat") for way in ways if way.rank == 0), None)
    pool = own_exposed_words(table.view, table.me) if is_own else others_exposed_words(table)
    for way in ways:
        letter, old, number = way.get("letter"), way.get("old") or "", way.get("number")
        if not letter or not (is_own or _is_named(way)):
            continue
        is_number = number is not None and way.get("seat") is None  # it is taken at its word
        near = [word for word in words if word.number == number] if is_number else pool
        some = _meant(way, near, old) or _meant(way, words, old)
        if len({(w.owner, w.spelling) for w in some}) != 1 and (near or number is None):
            continue
        if named is not None and number is None and some[0].owner != named and not is_own:
            continue  # no word of anybody else is meant
        word = some[0].number if some else number
        new = [way.get(slot) or "" for slot in ("spelling", "leaving", "making")]
        if verb == "add":
            return Add(letter, word, new[0])
        return Remove(letter, word, new[1]) if is_own else Steal(letter, word, *new[1:])
    return None


# -- several that fit ------------------------------------------------------------------------------


def legal(actions: Sequence[Action], table: Here) -> Sequence[Action]:
    """Those that count: legal ones, of equal words the oldest; never none."""
    if all(isinstance(action, Steal) and not action.making for action in actions):
        some = [a for a in actions[:CHECKED_MAX] if lacks_word(a, table)]
        made = {a.letter: makings(table, a.letter)[0] for a in some if isinstance(a, Steal)}
        some = [a for a in some if isinstance(a, Steal) and made[a.letter] != []] or some[:1]
        return _once(some or actions[:1], table.view)
    if len(actions) > CHECKED_MAX:
        return actions
    some = [action for action in actions if not table.why_not(action)]
    return _once(some or actions[:1], table.view)


def _once(actions: Sequence[Action], view: View) -> list[Action]:
    """Plays that differ only in which of several equal words they are about: the first."""
    words = {word.number: (word.owner, word.spelling) for word in view.words}
    found: dict[object, Action] = {}
    for action in actions:
        key: object = action
        if isinstance(action, Rebuild):
            key = (action.spellings, tuple([words.get(n, n) for n in action.words]))
        elif isinstance(action, Add | Steal | Remove | Lock):
            key = (replace(action, word=0), words.get(action.word, action.word))
        found.setdefault(key, action)
    return list(found.values())


def named(actions: Sequence[Action], table: Here) -> list[Action]:
    """The plays whose words were typed, or may be named.  See `moves`, rule 3."""
    shown, said = hints(table.lexicon, table.view), {word.upper() for word in table.line}
    found = []
    for action in actions:
        one = [getattr(action, name, "") for name in ("spelling", "leaving", "making")]
        words = [*one, *getattr(action, "spellings", ())]
        if all(not word or word in said or shown.is_word(word) for word in words):
            found.append(action)
    return found


# -- a thief who does not say what is made ---------------------------------------------------------


def lacks_word(action: Action, table: Here) -> bool:
    """Whether nothing is wrong with a steal but that its new word is missing."""
    is_open = isinstance(action, Steal) and not action.making
    return is_open and table.why_not(action) == table.known.rejection_reason("")


def makings(table: Here, letter: str) -> tuple[list[str] | None, list[str]]:
    """Words with a stolen letter: all at this table (None: there are too many letters to look
    through), and those that may be named, words of the own manifest first."""
    letters = "".join(letter_cards(table.view.hand)) + letter
    printed = [
        word for word in manifest_words(table.view) if letter in word and is_within(word, letters)
    ]
    if len(letters) > MAKING_MAX:
        return None, printed
    found = [word for word in table.known.within(letters) if letter in word]
    shown: Hints | None = hints(table.lexicon, table.view) if table.view.settings.hints else None
    others = [word for word in found if word not in printed and shown and shown.is_word(word)]
    return found, printed + sorted(others, key=lambda word: (-len(word), word))


def made_by_thief(steal: Steal, table: Here, partial: str) -> Action:
    """A steal with the word that is made if only one can be; *partial*: it as it is typed."""
    found, some = makings(table, steal.letter)
    if found == []:
        raise ParseError(
            "You can make no word with {} and letters of your hand, so you cannot steal it. {}",
            steal.letter, describe_hand(table.view),
        )  # fmt: skip
    if found is not None and len(found) == 1:
        return replace(steal, making=found[0])
    lines = [f"{partial} making {word.lower()}" for word in some[: LISTED_MAX + 1]]
    if not lines or (found is None and len(lines) == 1):  # nobody has looked for others
        raise AmbiguousInput(
            "Say which word you make, as in: {}.", *lines or [f"{partial} making WORD"]
        )
    raise ask_back(lines, len(found) if found else len(lines) + 1)


# -- rebuilding ------------------------------------------------------------------------------------


def rebuildings(words: Words, table: Here) -> list[tuple[Rebuild, str]]:
    """Every way to read what follows `rebuild`, with the letters of the hand that were named;
    those first that take up most words."""
    for mark in ("as", "to", "into", "making"):  # no word has two letters, so `as` comes first
        if mark in words[1:]:
            at = words.index(mark, 1)
            return list(_read(words[:at], words[at + 1 :], table, is_split=True))
    ends = [at for at in range(len(words), 0, -1) if "+" not in words[at - 1 : at + 1]]
    ends = ends if len(ends) <= SPLITS_MAX else []
    return [way for at in ends for way in _read(words[:at], words[at:], table, is_split=False)]


def _read(take: Words, lay: Words, table: Here, *, is_split: bool) -> Iterator[tuple[Rebuild, str]]:
    numbers, letters = taken(take, table)
    if not numbers or not (is_split or len(set(numbers)) == len(numbers)):
        return
    was = [word.spelling for word in table.view.words if word.number in numbers]
    laid = list(dict.fromkeys([_laid(lay, False), _laid(lay, True)]))
    if not lay:
        laid = [(new,) for new in table.known.anagrams("".join(was) + letters) if [new] != was]
    for spellings in laid:
        if spellings and all(map(is_spelling, spellings)):
            yield Rebuild(tuple(numbers), spellings), letters


def taken(words: Words, table: Here) -> tuple[list[int], str]:
    """Numbers of words, and letters of the hand.  No numbers: something is neither."""
    numbers: list[int] = []
    letters, hand = "", letter_cards(table.view.hand)
    for word, is_joined in _pieces(words):
        number = own_word(word, table, numbers)
        if number is not None:
            numbers.append(number)
        elif not is_joined and word in _UNSAID and not (is_letter(word) and word.upper() in hand):
            continue
        elif is_letter(word) or (word.isalpha() and is_within(letters + word.upper(), hand)):
            letters += word.upper()
        else:
            return [], letters
    return numbers, letters


def _laid(words: Words, is_plain: bool) -> tuple[str, ...]:
    """The new words; *is_plain*: without fillers between them."""
    pieces = list(_pieces(words))
    if len(pieces) > 1 and all(is_letter(word) for word, _ in pieces):
        return ("".join([word for word, _ in pieces]).upper(),)
    kept = [
        spelled(word)
        for word, is_joined in pieces[:-1]
        if not is_plain or is_joined or word not in _UNSAID
    ]
    return (*kept, *[spelled(word) for word, _ in pieces[-1:]])


def _pieces(words: Words) -> Iterator[tuple[str, bool]]:
    """Each word, and whether a plus sign joins it to another: it is never a filler then."""
    for at, word in enumerate(words):
        if word != "+":
            beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
            yield word[: 2 * WORD_CHARS], "+" in beside


def from_hand(action: Rebuild, table: Here) -> str:
    """What the new words take from the hand, in alphabetical order."""
    was = [word.spelling for word in table.view.words if word.number in action.words]
    return sorted_letters(missing_letters("".join(action.spellings), "".join(was)))


def spells_nothing(words: Words, table: Here) -> Action | None:
    """Why no word can be made of own words and letters; None: that is not what was typed."""
    numbers, letters = taken(words, table)
    action = Rebuild(tuple(dict.fromkeys(numbers)), ())
    some = [word.spelling for word in table.view.words if word.number in numbers]
    is_legal = not table.why_not(action)
    if not numbers or (is_legal and len(some) + len(letters) < 2):
        return None
    if not is_legal:
        return action  # `check` says which word cannot be taken up
    if missing := missing_letters(letters, letter_cards(table.view.hand)):
        raise ParseError(
            "You do not hold {}. {}", letter_with_article(missing[0]), describe_hand(table.view)
        )
    raise ParseError(
        "{} together spell nothing. Try other letters, or take up the words alone.",
        join_words([*some, *letters], "and"),
    )
