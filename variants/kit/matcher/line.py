"""The words of a line, the players that they name, and slots that many games need.

Rule 1: case and punctuation do not matter; `bob's` is two words, unless somebody is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from variants.contract import Seat, SeatNames
from variants.kit.english import split_possessives, typeable_names
from variants.kit.matcher.plays import OWN_NAME, PLAIN, WHOLE_NAME, Meaning, Slot, T, Words

PUNCTUATION = str.maketrans(',.;:!?"()<>=/\\’`', " " * 14 + "''")
CHOICE_WORDS = 4  # words of a text that means a value
MARKS_MAX = 3  # words that mark one part
_SIGNS = str.maketrans("#+*", "   ")


def normal(name: str) -> str:
    """A name as it is typed: small letters, no punctuation."""
    return " ".join(name.lower().translate(PUNCTUATION).translate(_SIGNS).split())


@lru_cache(maxsize=128)
def name_words(names: tuple[str, ...]) -> frozenset[str]:
    """All words of all names."""
    return frozenset(word for name in names for word in normal(name).split())


@lru_cache(maxsize=128)
def _beginnings(names: tuple[str, ...]) -> Mapping[str, Mapping[Seat, bool]]:
    """By text the seats whose names begin so, and whether they are called so."""
    found: dict[str, dict[Seat, bool]] = {}
    for number, name in enumerate(map(normal, names)):
        for end in range(1, len(name) + 1):
            found.setdefault(name[:end].rstrip(), {})[Seat(number)] = end == len(name)
    return found


def split(line: str, names: SeatNames, keep: str = "") -> list[str]:
    """The words of a line; `#` says nothing where it is not kept."""
    words = line.lower().translate(PUNCTUATION).replace("#", keep or " ").split()
    has_possessives = "'" in line or "’" in line or "`" in line
    return split_possessives(words, name_words(tuple(names))) if has_possessives else words


def called(seat: Seat, names: SeatNames) -> str:
    """How a player is typed; `seat 2` where two are called alike."""
    return typeable_names(tuple(names), normal)[seat]


def number_of(word: str) -> int | None:
    """The number that is typed in plain digits, up to 999."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None


def seat_of(word: str, names: SeatNames) -> Seat | None:
    """The seat whose number is typed, from 1."""
    number = number_of(word)
    return Seat(number - 1) if number is not None and 1 <= number <= len(names) else None


def people(
    words: Words, at: int, table: T, others: Callable[[T], Sequence[Seat]],
    fillers: Container[str] = (),
) -> Iterator[Meaning]:  # fmt: skip
    """Whom the words from *at* on can name: whole names, `seat 2`, `me`, the beginnings of names.

    Args:
        others: Seats that the beginning of a name can mean before it means anybody else.
        fillers: Words that are no beginning of a name, but at the end of a line that says more.
    """
    known, own, word = _beginnings(tuple(table.names)), table.view.seat, words[at]
    whole, begun = list[Meaning](), list[Meaning]()
    for end in range(at + 1, len(words) + 1):
        found = known.get(" ".join(words[at:end]), {})
        if not found:
            break
        whole += [Meaning(end - at, seat, WHOLE_NAME) for seat in found if found[seat]]
        begun += [Meaning(end - at, seat, PLAIN) for seat in found if not found[seat]]
    number = seat_of(words[at + 1], table.names) if word == "seat" and at + 1 < len(words) else None
    if number is not None:
        whole.append(Meaning(2, number, WHOLE_NAME, turns=len(whole) > 0))
    elif word in ("me", "myself") and own is not None and not whole:
        whole.append(Meaning(1, own, OWN_NAME))
    yield from [m._replace(rank=OWN_NAME) if m.value == own else m for m in whole]
    is_filler = word in fillers and (at + 1 < len(words) or all(w in fillers for w in words))
    if begun and not word.isdigit() and not is_filler:
        first = others(table)
        yield from [m for m in begun if m.value in first] or begun


def player(
    others: Callable[[T], Sequence[Seat]],
    fillers: Container[str] = (),
    *,
    by_number: bool = False,
) -> Slot[T]:
    """The slot of a player.  Nobody named is whomever the rules allow; if they allow nobody,
    somebody for `check` to refuse.

    Args:
        others: Whom the play can name; the beginning of a name means them first.
        fillers: Words that are no beginning of a name.
        by_number: Whether the number of the seat is enough.
    """

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        yield from people(words, at, table, others, fillers)
        seat = seat_of(words[at], table.names)
        if by_number and seat is not None:
            yield Meaning(1, seat)

    return Slot(
        "NAME", read, lambda seat, _, table: called(seat, table.names),
        lambda table, legal: legal or [*others(table), table.me][:1],
    )  # fmt: skip


def choice(
    values: Mapping[str, Any] | Callable[[T], Mapping[str, Any]], form: str = "", **slot: Any
) -> Slot[T]:
    """The slot of one of some values, each by the text that means it."""
    most = CHOICE_WORDS if callable(values) else 1 + max([text.count(" ") for text in values])

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        known = values(table) if callable(values) else values
        for end in range(at + 1, min(at + most, len(words)) + 1):
            if (text := " ".join(words[at:end])) in known:
                yield Meaning(end - at, known[text])

    return Slot(form, read, **slot)


def marked(
    slot: Slot[T], before: str, after: str = "", *,
    plain: Callable[[Words, int, T], Iterable[Meaning]] | None = None, turns: int = 0,
) -> Slot[T]:  # fmt: skip
    """A slot that words may stand *before* or *after*, which mark it.

    Args:
        plain: Reads it without a mark before it; None: as with one.
        turns: How far it is off without a mark.
    """
    first, last = before.split(), after.split()

    def read(words: Words, at: int, table: T) -> Iterator[Meaning]:
        for start in range(at, min(at + MARKS_MAX, len(words))):
            reader = slot.read if start > at or plain is None else plain
            for meaning in reader(words, start, table):
                length, off = start - at + meaning.words, turns * (start == at)
                yield meaning._replace(words=length, turns=meaning.turns + off)
                if at + length < len(words) and words[at + length] in last:
                    yield meaning._replace(words=length + 1)
            if words[start] not in first:
                return

    return replace(slot, read=read)
