"""The words of a line, and the players that they name.

Rule 1: case and punctuation do not matter; `bob's` is two words, unless somebody is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from variants.contract import Seat, SeatNames
from variants.kit.english import split_possessives, typeable_names
from variants.kit.matcher.plays import OWN_NAME, PLAIN, WHOLE_NAME, Meaning, Slot, T, Words
from variants.kit.text import join_words

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
    words: Words,
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
        fillers: Words that are no beginning of a name, but at the end of a line that says more.
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
    is_filler = word in fillers and (at + 1 < len(words) or all(w in fillers for w in words))
    if begun and not word.isdigit() and not is_filler:
        seats = others()
        near = [(length, seat) for length, seat in begun if seat in seats]
        yield from (Meaning(length, seat, PLAIN) for length, seat in near or begun)


def player(
    others: Callable[[T], Sequence[Seat]],
    fill: Callable[[T], Iterable[Seat]] | None = None,
    fillers: Container[str] = (),
    *,
    by_number: bool = False,
) -> Slot[T]:
    """The slot of a player.

    Args:
        others: Whom the play can name; the beginning of a name means them first.
        fill: Whom the play can mean where nobody is named.
        fillers: Words that are no beginning of a name.
        by_number: Whether the number of the seat is enough.
    """

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        own, number = table.view.seat, number_of(words[at]) if by_number else None
        yield from people(words, at, table.names, own, lambda: others(table), fillers)
        if number is not None and 1 <= number <= len(table.names):
            yield Meaning(1, Seat(number - 1))

    def choices(table: T) -> str:
        names = [table.names[seat] for seat in others(table)]
        return f"You can name: {join_words(names, 'or')}." if names else ""

    return Slot(
        "NAME", read, lambda seat, _, table: called(seat, table.names), fill,
        unknown='Nobody here is called "{}".', choices=choices,
    )  # fmt: skip


def choice(
    values: Mapping[str, Any],
    say: Callable[[Any, Any, T], str] = lambda *_: "",
    fill: Callable[[T], Iterable[Any]] | None = None,
) -> Slot[T]:
    """The slot of one of a few values, each by the words that mean it; by default never said."""
    longest = max(len(key.split()) for key in values)

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        for length in range(1, min(longest, len(words) - at) + 1):
            if (key := " ".join(words[at : at + length])) in values:
                yield Meaning(length, values[key])

    return Slot("", read, say, fill)
