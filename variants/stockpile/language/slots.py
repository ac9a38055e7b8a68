"""The words of a play as a player and supplies: every way in which they can be read.

Rule 1: nothing is judged here: all readings are found, and the grammar keeps those that fit.
Rule 2: the whole name of another player wins over all else that its word could mean; the
        beginning of a name wins over nothing.
Rule 3: where two readings hold whole names, the one in the order in which a phrase is written
        wins: so what is offered to be typed is always read as what it was offered for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variants.contract import Seat, SeatNames
from variants.kit.english import split_possessives, typeable_names
from variants.stockpile.data.cards import FOOD, PAPER, PREVENTION, Card
from variants.stockpile.view import View

FILLERS = frozenset(
    ("a", "an", "the", "of", "with", "to", "on", "onto", "at", "against", "and", "card", "cards",
     "all", "please", "supply", "supplies", "by", "it")
)  # fmt: skip
OWN, THEIRS, FOR, FROM = "own", "theirs", "for", "from"
_MARKS = {
    "my": OWN, "mine": OWN, "own": OWN, "'s": THEIRS, "their": THEIRS, "theirs": THEIRS,
    "his": THEIRS, "her": THEIRS, "hers": THEIRS, "for": FOR, "from": FROM,
}  # fmt: skip
LOWEST, HIGHEST = "lowest", "highest"
_VALUES = {
    "lowest": LOWEST, "low": LOWEST, "cheapest": LOWEST, "highest": HIGHEST, "high": HIGHEST,
    "best": HIGHEST, "one": "1", "two": "2", "three": "3", "four": "4",
}  # fmt: skip
_KINDS = {"f": FOOD, "tp": PAPER, "t": PAPER, "ip": PREVENTION, "p": PREVENTION}
_KIND_WORDS = {
    "food": FOOD, "toilet": PAPER, "paper": PAPER, "infection": PREVENTION,
    "prevention": PREVENTION,
}  # fmt: skip
_KIND_PAIRS = (("toilet", "paper"), ("infection", "prevention"))
BEGINNING_MIN = 2  # letters of a word of a kind; one letter is short for a kind of its own


class Wanted(NamedTuple):
    """What was said of a supply; "" is not said."""

    kind: str = ""
    value: str = ""  # digits, LOWEST or HIGHEST

    def fits(self, card: Card) -> bool:
        return self.kind in ("", card.name) and (
            self.value in ("", LOWEST, HIGHEST) or int(self.value) == card.number
        )


class Reading(NamedTuple):
    """One way to read the words of a play.  Of several, those of the lowest rank count."""

    rank: int  # 0: with the whole name of another player; 2: with the own name; 1: all else
    turns: int  # how far from the order and the words of a phrase
    seat: Seat | None
    is_any: bool
    give: Wanted
    take: Wanted


class _Piece(NamedTuple):
    sort: str  # "seat" "kind" "value" "any" "mark"
    text: str = ""
    seat: Seat | None = None
    rank: int = 1
    is_shadowed: bool = False  # a word that is somebody's name is read as something else


# -- words -----------------------------------------------------------------------------------------

_PUNCTUATION = str.maketrans(',.;:!?#"()’`', "          ''")


def normal(text: str) -> str:
    return " ".join(text.lower().translate(_PUNCTUATION).split())


def words_of(line: str, names: SeatNames) -> list[str]:
    """The words of a line; `bob's` is two, unless somebody is called so."""
    known = {word for name in names for word in normal(name).split()}
    return split_possessives(normal(line).split(), known)


def called(seat: Seat, names: SeatNames) -> str:
    """The name as it is typed; the number of the seat where two are called alike."""
    return typeable_names(tuple(names), normal)[seat]


def kind_of(word: str) -> str:
    """`food`, `tp`, `prev`: the kind of supply that one word means; "" if none, or two."""
    if found := _KINDS.get(word) or _KIND_WORDS.get(word):
        return found
    if len(word) < BEGINNING_MIN or word in FILLERS:
        return ""
    begun = {kind for whole, kind in _KIND_WORDS.items() if whole.startswith(word)}
    return begun.pop() if len(begun) == 1 else ""


def value_of(word: str) -> str:
    """`3`, `three`, `lowest`: the value that a word means; "" if none."""
    is_number = word.isascii() and word.isdigit() and len(word) < 4
    return str(int(word)) if is_number else _VALUES.get(word, "")


# -- readings --------------------------------------------------------------------------------------


def readings(
    words: Sequence[str], view: View, names: SeatNames, *, verb: str = "", tails: Sequence[str] = ()
) -> list[Reading]:
    """Every way to read *words*.

    Args:
        words: What follows the verb, or the card.
        names: Who can be meant; none where the play names nobody.
        verb: "loot" and "trade" are written in an order of their own.
        tails: Words that may stand anywhere and say nothing: `station` after `trading`.
    """
    options = [_options(words, at, view, names, tails) for at in range(len(words))]
    found = []
    for pieces in _ways(options, 0, ()):
        seat = next((piece for piece in pieces if piece.sort == "seat"), None)
        rank = seat.rank if seat else 1
        turns = 0 if rank else _inversions(pieces, verb) + sum(p.is_shadowed for p in pieces)
        is_any = any(piece.sort == "any" for piece in pieces)
        for more, give, take in _trades(pieces) if verb == "trade" else _singles(pieces):
            found.append(
                Reading(rank, turns + more, seat.seat if seat else None, is_any, give, take)
            )
    return list(dict.fromkeys(found))


def means_nothing(words: Sequence[str], view: View, names: SeatNames, tails: Sequence[str]) -> str:
    """The first word that can mean nothing at all; "" if each of them can mean something."""
    for at, word in enumerate(words):
        if not _options(words, at, view, names, tails):
            return word
    return ""


_Option = tuple[int, tuple[_Piece, ...]]  # how many words, and what they mean
_MOST = {"seat": 1, "kind": 2, "value": 2, "any": 1}


def _ways(
    options: Sequence[Sequence[_Option]], at: int, pieces: tuple[_Piece, ...]
) -> Iterator[tuple[_Piece, ...]]:
    """All ways through the words with one player, two kinds and two values at most."""
    if at == len(options):
        yield pieces
        return
    for length, more in options[at]:
        both = (*pieces, *more)
        counts = ((sort, sum(piece.sort == sort for piece in both)) for sort in _MOST)
        if all(count <= _MOST[sort] for sort, count in counts):
            yield from _ways(options, at + length, both)


def _options(
    words: Sequence[str], at: int, view: View, names: SeatNames, tails: Sequence[str]
) -> list[_Option]:
    word = words[at]
    people = _people(words, at, view, names)
    found: list[_Option] = list(people)
    if word in _MARKS or word in FILLERS or word in tails:
        is_shadowed = any(pieces[0].rank == 0 for _, pieces in people)
        found.append((1, (_Piece("mark", _MARKS.get(word, ""), is_shadowed=is_shadowed),)))
    if word == "any":
        found.append((1, (_Piece("any"),)))
    if tuple(words[at : at + 2]) in _KIND_PAIRS:
        found.append((2, (_Piece("kind", kind_of(word)),)))
    if kind := kind_of(word):
        found.append((1, (_Piece("kind", kind),)))
    if value := value_of(word):
        found.append((1, (_Piece("value", value),)))
    letters = word.rstrip("0123456789")  # `f3`
    if letters != word and (kind := kind_of(letters)) and (value := value_of(word[len(letters) :])):
        found.append((1, (_Piece("kind", kind), _Piece("value", value))))
    return found


def _people(words: Sequence[str], at: int, view: View, names: SeatNames) -> list[_Option]:
    """Whom the words from *at* on may name: whole names, `seat 2`, `me`, beginnings."""
    found: list[_Option] = []
    if not names:
        return found
    begun: list[tuple[int, Seat]] = []
    for number, name in enumerate(names):
        whole, seat = normal(name).split(), Seat(number)
        for length in range(1, len(whole) + 1):
            some = words[at : at + length]
            if len(some) < length:
                break
            if list(some) == whole:
                found.append((length, (_seat(seat, view),)))
            elif " ".join(whole).startswith(" ".join(some)):
                begun.append((length, seat))
    following = words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "seat" and value_of(following).isdigit():
        if 1 <= int(value_of(following)) <= len(names):
            piece = _seat(Seat(int(value_of(following)) - 1), view)
            found.append((2, (piece._replace(is_shadowed=bool(found)),)))
    elif words[at] in ("me", "myself") and view.seat is not None:
        found.append((1, (_Piece("seat", seat=view.seat, rank=2),)))
    others = [(n, seat) for n, seat in begun if seat != view.seat and view.seats[seat].is_in]
    found += [(n, (_Piece("seat", seat=seat),)) for n, seat in others or begun]
    return found


def _seat(seat: Seat, view: View) -> _Piece:
    return _Piece("seat", seat=seat, rank=2 if seat == view.seat else 0)


def _inversions(pieces: Sequence[_Piece], verb: str) -> int:
    """Pairs of pieces that stand the other way round in a phrase.

    `loot food bob 3`, but `loot any bob food 3`; elsewhere the player stands first.
    """
    if verb == "loot" and not any(piece.sort == "any" for piece in pieces):
        order = {"kind": 0, "seat": 1, "value": 2}
    elif verb == "loot":
        order = {"any": 0, "seat": 1, "kind": 2, "value": 3}
    else:
        order = {"any": 0, "seat": 1, "kind": 2, "value": 2}
    places = [order[piece.sort] for piece in pieces if piece.sort in order]
    return sum(a > b for n, a in enumerate(places) for b in places[n + 1 :])


# -- supplies --------------------------------------------------------------------------------------

_Group = tuple[Wanted, str]  # a supply, and OWN, THEIRS or "" if nobody said whose it is


def _singles(pieces: Sequence[_Piece]) -> Iterator[tuple[int, Wanted, Wanted]]:
    """One supply: its kind and its value may stand apart, and the kind be said twice."""
    kinds = [piece.text for piece in pieces if piece.sort == "kind"]
    values = [piece.text for piece in pieces if piece.sort == "value"]
    if len(set(kinds)) < 2 and len(values) < 2:
        yield max(0, len(kinds) - 1), Wanted(), Wanted("".join(kinds[:1]), "".join(values))


def _trades(pieces: Sequence[_Piece]) -> Iterator[tuple[int, Wanted, Wanted]]:
    """An own supply and one of theirs: in this order, unless it is said whose each is."""
    for turns, groups in _grouped(pieces):
        if not groups:
            yield turns, Wanted(), Wanted()
        elif len(groups) == 1:
            wanted, side = groups[0]
            if side != THEIRS:
                yield turns, wanted, Wanted()
            if side != OWN:
                yield turns, Wanted(), wanted
        elif len(groups) == 2:
            (first, side), (second, other) = groups
            is_said = bool(side or other)
            if THEIRS != side and OWN != other:
                yield turns, first, second
            if (side == THEIRS or other == OWN or not is_said) and side != OWN and other != THEIRS:
                yield turns + (not is_said), second, first


def _grouped(pieces: Sequence[_Piece]) -> Iterator[tuple[int, list[_Group]]]:
    """Kinds and values that stand together, as supplies: `paper 1`, `1 paper`, `f4`."""
    ways: list[tuple[int, list[_Group]]] = [(0, [])]
    side, is_open = "", False  # a group goes on only with the piece that follows at once
    for piece in pieces:
        if piece.sort not in ("kind", "value"):
            if piece.text == FROM and is_open:  # `f4 from bob`
                ways = [(n, [*gs[:-1], (gs[-1][0], gs[-1][1] or THEIRS)]) for n, gs in ways]
            elif piece.text == FOR:
                side = "" if any(groups for _, groups in ways) else THEIRS  # `trade bob for f4`
            elif piece.text in (OWN, THEIRS):
                side = piece.text
            is_open = False
            continue
        fresh = Wanted(piece.text) if piece.sort == "kind" else Wanted("", piece.text)
        longer: list[tuple[int, list[_Group]]] = []
        for turns, groups in ways:
            (kind, value), whose = groups[-1] if is_open else (Wanted(), "")
            if piece.sort == "value" and kind and not value:
                longer.append((turns, [*groups[:-1], (Wanted(kind, piece.text), whose)]))
                continue
            if piece.sort == "kind" and value and not kind:  # `1 paper`, or `1` for `paper`
                turns += 1
                longer.append((turns, [*groups[:-1], (Wanted(piece.text, value), whose)]))
            longer.append((turns, [*groups, (fresh, side)]))
        ways, side, is_open = longer, "", True
    return iter(ways)
