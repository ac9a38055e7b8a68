"""The words of a line, the players that they name, and words that are nearly right.

Rule 1: case and punctuation do not matter; `bob's` is two words, unless somebody is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from variants.contract import Seat, SeatNames
from variants.kit.english import split_possessives, typeable_names
from variants.kit.matcher.plays import OWN_NAME, PLAIN, WHOLE_NAME, Meaning, Slot, T

NEAREST_MAX = 3  # words that are offered for one that is nearly right
PUNCTUATION = str.maketrans(',.;:!?"()<>=/\\’`', " " * 14 + "''")
_SIGNS = str.maketrans("#+*", "   ")


def normal(name: str) -> str:
    """A name as it is typed: small letters, no punctuation."""
    return " ".join(name.lower().translate(PUNCTUATION).translate(_SIGNS).split())


@lru_cache(maxsize=128)
def split_names(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The words of each name."""
    return tuple([tuple(normal(name).split()) for name in names])


@lru_cache(maxsize=128)
def name_words(names: tuple[str, ...]) -> frozenset[str]:
    """All words of all names."""
    return frozenset(word for name in split_names(names) for word in name)


def split(line: str, names: SeatNames) -> list[str]:
    """The words of a line."""
    words = line.lower().translate(PUNCTUATION).replace("#", " ").split()
    return (
        split_possessives(words, name_words(tuple(names))) if "'" in line or "’" in line else words
    )


def called(seat: Seat, names: SeatNames) -> str:
    """How a player is typed; `seat 2` where two are called alike."""
    return typeable_names(tuple(names), normal)[seat]


def number_of(word: str) -> int | None:
    """The number that is typed in plain digits, up to 999."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None


def people(
    words: Sequence[str],
    at: int,
    names: SeatNames,
    own: Seat | None,
    others: Callable[[], Sequence[Seat]],
    fillers: Container[str] = (),
) -> Iterator[Meaning]:
    """Whom the words from *at* on can name: whole names, `seat 2`, `me`, the beginnings of names.

    Args:
        own: The seat of the reader; None: a watcher.
        others: Seats that the beginning of a name can mean before it means anybody else.
        fillers: Words that are no beginning of a name.
    """
    word, begun, is_whole = words[at], [], False
    for number, whole in enumerate(split_names(tuple(names))):
        if not whole or not whole[0].startswith(word):
            continue
        seat = Seat(number)
        for length in range(1, min(len(whole), len(words) - at) + 1):
            some = tuple(words[at : at + length])
            if some == whole:
                is_whole = True
                yield Meaning(length, seat, OWN_NAME if seat == own else WHOLE_NAME)
            elif " ".join(whole).startswith(" ".join(some)):
                begun.append((length, seat))
    number_typed = number_of(words[at + 1]) if word == "seat" and at + 1 < len(words) else None
    if number_typed is not None and 1 <= number_typed <= len(names):
        seat = Seat(number_typed - 1)
        rank = OWN_NAME if seat == own else WHOLE_NAME
        yield Meaning(2, seat, rank, int(is_whole))
    elif word in ("me", "myself") and own is not None and not is_whole:
        yield Meaning(1, own, OWN_NAME)
    if begun and not word.isdigit() and word not in fillers:
        seats = others()
        near = [(length, seat) for length, seat in begun if seat in seats]
        yield from (Meaning(length, seat, PLAIN) for length, seat in near or begun)


def player(
    others: Callable[[T], Sequence[Seat]],
    fill: Callable[[T], Iterable[Seat]] | None = None,
    fillers: Container[str] = (),
) -> Slot[T]:
    """The slot of a player.

    Args:
        others: Whom the beginning of a name means first.
        fill: Whom the play can mean where nobody is named.
        fillers: Words that are no beginning of a name.
    """

    def read(words: Sequence[str], at: int, table: T) -> Iterator[Meaning]:
        own = table.view.seat
        return people(words, at, table.names, own, lambda: others(table), fillers)

    return Slot("NAME", read, lambda seat, _, table: called(seat, table.names), fill)


def choice(
    values: Mapping[str, Any],
    say: Callable[[Any, Any, T], str] = lambda *_: "",
    fill: Callable[[T], Iterable[Any]] | None = None,
) -> Slot[T]:
    """The slot of one of a few values, each by the words that mean it; by default never said."""
    longest = max(len(key.split()) for key in values)

    def read(words: Sequence[str], at: int, table: T) -> Iterator[Meaning]:
        for length in range(1, min(longest, len(words) - at) + 1):
            if (key := " ".join(words[at : at + length])) in values:
                yield Meaning(length, values[key])

    return Slot("", read, say, fill)


# -- words that are nearly right -------------------------------------------------------------------


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Of *known* the words that somebody probably meant who typed *word*; few, or none.

    A letter too many, too few, wrong or swapped with the next is one mistake; words of three to
    five letters may have one, longer ones two.
    """
    most = 0 if len(word) < 3 or len(word) > 24 else 1 if len(word) < 6 else 2
    some = [other for other in known if most and abs(len(other) - len(word)) <= most]
    found = {other: _mistakes(word, other) for other in some}
    least = min(found.values(), default=most + 1)
    near = [other for other, mistakes in found.items() if mistakes == least <= most]
    return near if len(near) <= NEAREST_MAX else []


def _mistakes(word: str, other: str) -> int:
    """The optimal string alignment distance."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        above, before, row = before, row, [at]
        for place, wanted in enumerate(other, 1):
            cost = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != wanted))
            if at > 1 and place > 1 and letter == other[place - 2] and word[at - 2] == wanted:
                cost = min(cost, above[place - 2] + 1)
            row.append(cost)
    return row[-1]
