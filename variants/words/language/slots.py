"""The words of a play as a letter, a player, a word on the table and spellings: every reading.

Rule 1: nothing is judged here: all readings are found, and the grammar keeps what fits.
Rule 2: the whole name of another player wins over all else that its word could mean; the
        beginning of a name wins over nothing.
Rule 3: `#3` is always word 3, and `seat#2` always the player of seat 2: nobody's name is typed
        so.  What is offered to be typed is written in that way where names would disturb it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from variants.contract import Seat, SeatNames
from variants.kit.english import split_possessives, typeable_names
from variants.words.data.box import END_OF_ROUND
from variants.words.lexicon.lexicon import ALPHABET
from variants.words.view import View

FILLERS = frozenset(
    ("a", "an", "the", "of", "to", "onto", "on", "from", "with", "at", "and", "for", "by", "in",
     "letter", "letters", "card", "cards", "word", "words", "number", "please", "my", "their",
     "his", "her", "'s")
)  # fmt: skip
WAYS_MAX = 100  # through the first words of a line; a line of sense has a few
WORD_CHARS = 24  # a typed word that is longer is none
_LETTERS = frozenset(ALPHABET.lower())


class Reading(NamedTuple):
    """One way to read the words of a play.  Of several, those of the lowest rank count."""

    rank: int  # 0: with the whole name of another player; 2: with the own name; 1: all else
    turns: int  # how far from the order in which a phrase is written
    seat: Seat | None = None
    letter: str = ""
    number: int | None = None  # of a word on the table
    spelled: tuple[tuple[str, str], ...] = ()  # (role, spelling); "": it is not said what of
    last: int = 0  # place in a phrase of what was read last


class _Piece(NamedTuple):
    sort: str  # "seat" "letter" "number" "spelling" "filler"
    text: str = ""  # what was said; of a spelling its role
    spelling: str = ""
    seat: Seat | None = None
    rank: int = 1


_PLACES = {"letter": 0, "seat": 1, "number": 2, "spelling": 3}
_Option = tuple[int, _Piece]  # how many words, and what they mean


# -- words -----------------------------------------------------------------------------------------

_PUNCTUATION = str.maketrans(',.;:!?"()<>=/\\’`', " " * 14 + "''")
_MARKS = str.maketrans("#+*", "   ")


def normalize_name(text: str) -> str:
    """A name as it is typed."""
    return " ".join(text.lower().translate(_PUNCTUATION).translate(_MARKS).split())


def split_words(line: str, names: SeatNames) -> list[str]:
    """The words of a line; `bob's` is two, unless somebody is called so.  What stands around a
    plus is one word: `east + t`."""
    text = line.lower().translate(_PUNCTUATION).replace("#", " #").replace("seat #", "seat#")
    return split_possessives(re.sub(r" *\+[ +]*", "+", text).split(), name_words(tuple(names)))


def split_plus_signs(words: Sequence[str]) -> list[str]:
    """The words, and what plus signs join as words of their own."""
    return " ".join(words).replace("+", " ").split()


def typed_name(seat: Seat, names: SeatNames) -> str:
    """The name as it is typed; the number of the seat where two are called alike."""
    return typeable_names(tuple(names), normalize_name)[seat]


@lru_cache(maxsize=64)
def name_words(names: tuple[str, ...]) -> frozenset[str]:
    """All words of all names."""
    return frozenset(word for name in names for word in normalize_name(name).split())


def is_letter(word: str) -> bool:
    return word in _LETTERS or word == END_OF_ROUND


def is_letters(word: str) -> bool:
    """A to Z, no matter which."""
    return word.isascii() and word.isalpha()


def is_spelling(word: str) -> bool:
    """Whether it may be meant as a spelling, of whatever letters; `check` says what is wrong."""
    return 1 < len(word) <= WORD_CHARS and word.isalpha()


def table_spelling(word: str) -> str:
    """In capitals, as words lie on the table; other letters than A to Z stay as they are."""
    return word.upper() if word.isascii() else word


def parse_word_number(word: str) -> int | None:
    """`3` or `#3`: the number of a word on the table."""
    digits = word.removeprefix("#")
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 4
    return int(digits) if is_number else None


# -- readings --------------------------------------------------------------------------------------


def find_readings(
    words: Sequence[str], view: View, names: SeatNames, marks: Mapping[str, str]
) -> list[Reading]:
    """Every way to read *words* with one letter, player and word number at most; best first.

    Args:
        words: What follows the verb.
        names: Who can be meant; none where the play names nobody.
        marks: Words before a spelling, and the role that each gives it: `leaving`.
    """
    whole = name_words(tuple(names))
    laid = {word.spelling.lower() for word in view.words}
    ways: list[dict[Reading, None]] = [{} for _ in range(len(words) + 1)]
    ways[0] = {Reading(1, 0): None}
    for at in range(len(words)):
        for length, piece in _options(words, at, view, names, marks, laid) if ways[at] else ():
            is_shadowed = piece.sort == "filler" and (words[at] in whole or words[at] in marks)
            for way in ways[at] if len(ways[at + length]) < WAYS_MAX else ():
                if (longer := _with(way, piece, is_shadowed)) is not None:
                    ways[at + length][longer] = None
    return sorted(ways[-1], key=lambda way: (not way.letter, way.rank, way.turns))


def _with(way: Reading, piece: _Piece, is_shadowed: bool) -> Reading | None:
    if piece.sort == "filler":
        return way._replace(turns=way.turns + 1) if is_shadowed else way
    place = _PLACES[piece.sort]
    way = way._replace(turns=way.turns + (place < way.last), last=max(place, way.last))
    if piece.sort == "seat" and way.seat is None:
        return way._replace(rank=piece.rank, seat=piece.seat)
    if piece.sort == "letter" and not way.letter:
        return way._replace(letter=piece.text.upper())
    if piece.sort == "number" and way.number is None:
        return way._replace(number=int(piece.text))
    roles = [role for role, _ in way.spelled if role]
    if piece.sort == "spelling" and len(way.spelled) < 3 and piece.text not in roles:
        return way._replace(spelled=(*way.spelled, (piece.text, piece.spelling)))
    return None


def _options(
    words: Sequence[str],
    at: int,
    view: View,
    names: SeatNames,
    marks: Mapping[str, str],
    laid: set[str],
) -> Iterator[_Option]:
    word = words[at]
    if word.startswith("seat#"):
        seat = parse_word_number(word.removeprefix("seat"))
        if names and seat is not None and 1 <= seat <= len(names):
            yield 1, _seat(Seat(seat - 1), view)
        return
    number = parse_word_number(word)
    if number is not None:
        yield 1, _Piece("number", str(number))
        if word.startswith("#"):
            return
    for length, seat_, rank in match_players(words, at, view, names):
        yield length, _Piece("seat", seat=seat_, rank=rank)
    if is_letter(word):
        yield 1, _Piece("letter", word)
    if word in FILLERS or word in marks:
        yield 1, _Piece("filler")
    elif is_spelling(word):
        yield 1, _Piece("spelling", "", table_spelling(word))
    if (word in FILLERS or word in marks) and word in laid:
        yield 1, _Piece("spelling", "", table_spelling(word))
    if word in marks and at + 1 < len(words):
        after = words[at + 1]
        if is_spelling(after):
            yield 2, _Piece("spelling", marks[word], table_spelling(after))
        elif (run := _run(words, at + 1)) > 1:
            joined = "".join(words[at + 1 : at + 1 + run])
            yield 1 + run, _Piece("spelling", marks[word], table_spelling(joined))


def _run(words: Sequence[str], at: int) -> int:
    """How many single letters follow each other: `s e a t`."""
    end = at
    while end < len(words) and words[end] in _LETTERS:
        end += 1
    return end - at


def match_players(
    words: Sequence[str], at: int, view: View, names: SeatNames
) -> Iterator[tuple[int, Seat, int]]:
    """Whom the words from *at* on may name, with how many words and which rank: whole names,
    `seat 2`, `me`, beginnings."""
    if not names:
        return
    word, begun, found = words[at], [], False
    for number, name in enumerate(names):
        whole, seat = normalize_name(name).split(), Seat(number)
        for length in range(1, len(whole) + 1):
            some = words[at : at + length]
            if len(some) < length:
                break
            if list(some) == whole:
                found = True
                yield length, seat, _seat(seat, view).rank
            elif " ".join(whole).startswith(" ".join(some)):
                begun.append((length, seat))
    following = parse_word_number(words[at + 1]) if word == "seat" and at + 1 < len(words) else None
    if following is not None and 1 <= following <= len(names) and not found:
        yield 2, Seat(following - 1), _seat(Seat(following - 1), view).rank
    elif word in ("me", "myself") and view.seat is not None and not found:
        yield 1, view.seat, 2
    if parse_word_number(word) is None and word not in FILLERS:
        yield from ((n, seat, 1) for n, seat in begun if seat != view.seat)


def _seat(seat: Seat, view: View) -> _Piece:
    return _Piece("seat", seat=seat, rank=2 if seat == view.seat else 0)


def assign_roles(said: Reading, names: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """What each spelling may be, of *names*, in this order unless it is said."""
    known = {role: text for role, text in said.spelled if role}
    others = [text for role, text in said.spelled if not role]
    free = [name for name in names if name not in known]
    for some in combinations(free, len(others)):
        yield {**known, **dict(zip(some, others, strict=True))}
