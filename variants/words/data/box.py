"""What is in the box, and how its data file is read: letters, manifests, bonuses, points.  [WR-10]

Rule 1: a letter is "A".."Z"; equal letters are interchangeable, so a letter is its own card.
        The End of Round card is "*": a card of the hand, but no letter.  [WR-13]
Rule 2: the box is public; who holds which manifest and indicator is not.
Rule 3: a file is accepted whole or not at all.  `InvalidData` names the card and what is wrong with
        it, then what would be right.
Rule 4: a word that is printed on a card is a word of the game, whether the word list has it or
        not.  [WR-02]
Rule 5: the fingerprint tells two boxes apart.  Their order counts, for a shuffle begins with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any

from variants.contract import InvalidData
from variants.kit.data_file import excerpt, read_json_object

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
END_OF_ROUND = "*"
END_CARDS = 2  # [WR-01]
HAND_SIZE = 7  # cards between turns, End of Round included  [WR-13]
DRAWS = 2  # cards at the start of a turn  [WR-15]
WORD_MIN = 3  # letters of any word on the table  [WR-03]
STEAL_MIN = REMOVE_MIN = 4  # letters of a word that may lose one  [WR-36] [WR-46]
CHANGES_MAX = 60  # of words in one turn  [WR-57]
QUIET_CIRCUITS, STILL_CIRCUITS = 4, 12  # turns of each seat until a stalled round ends  [WR-56]
SETS, LENGTHS = 4, (3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Manifest:
    id: str  # "M01"
    sets: tuple[tuple[str, ...], ...]  # four sets of words of 3, 4, 5 and 6 letters


@dataclass(frozen=True, slots=True)
class Indicator:
    id: str  # "B1"
    set: int  # 1..4
    multiplier: int


@dataclass(frozen=True, slots=True)
class Count:
    letter: str
    number: int  # cards


@dataclass(frozen=True, slots=True)
class Points:
    length: int
    points: int


@dataclass(frozen=True, slots=True)
class Box:
    letters: tuple[Count, ...]  # A to Z
    points: tuple[Points, ...]  # by length; beyond them 5 * (length - 2)
    indicators: tuple[Indicator, ...]
    manifests: tuple[Manifest, ...]

    def worth(self, word: str) -> int:
        """Points of a word of that length, before any bonus or sign."""
        for entry in self.points:
            if entry.length == len(word):
                return entry.points
        return 5 * (len(word) - 2)


def scored_in(box: Box, manifest: Manifest, indicator: Indicator, word: str) -> tuple[int, int]:
    """The set in which a laid word counts, 0 for none, and its points, with bonus and sign.

    [WR-06] The very spelling; [WR-09] its best set; [WR-51] a penalty is never multiplied.
    """
    worth, sets = box.worth(word), sets_of(manifest, word)
    if not sets:
        return 0, -worth
    factors = {number: indicator.multiplier if number == indicator.set else 1 for number in sets}
    best = max(sets, key=lambda number: factors[number])
    return best, worth * factors[best]


def sets_of(manifest: Manifest, word: str) -> list[int]:
    """The numbers, 1..4, of the sets in which *word* is printed; empty: it is not on this card."""
    return [number for number, words in enumerate(manifest.sets, start=1) if word in words]


TEXT_CHARS_MAX = 1_000_000  # characters: some two thousand cards; ours has about eight thousand
ID_CHARS_MAX = 12  # characters
SEATS_MAX = 6  # so many cards and indicators at least: one for each player
LETTER_MAX = 50  # cards of one letter
# Six players hold 42 cards, two of them End of Round; one letter lies on each pile.
LETTERS_MIN, LETTERS_MAX = SEATS_MAX * HAND_SIZE - END_CARDS + 2, 400  # cards in all
POINTS_MAX = 1000
MULTIPLIER_MAX = 9

REQUIRED_KEYS = ("letters", "end_of_round_cards", "points", "bonus", "manifests")
OPTIONAL_KEYS = ("points_rule_other_lengths", "scenario_cards")  # a remark; cards of scenarios


def parse_box(text: str) -> Box:
    """The box that *text* describes; InvalidData if no game can be played with it."""
    raw = _read(text)
    if type(raw["end_of_round_cards"]) is not int or raw["end_of_round_cards"] != END_CARDS:
        raise InvalidData(f"end_of_round_cards: the rules have {END_CARDS}, no more and no less.")
    box = Box(
        _letters(raw["letters"]),
        _points(raw["points"]),
        tuple(_indicator(n, each) for n, each in enumerate(_list(raw, "bonus"), 1)),
        _manifests(raw, "manifests"),
    )
    for key, number in (("bonus", len(box.indicators)), ("manifests", len(box.manifests))):
        if number < SEATS_MAX:
            raise InvalidData(
                f"{key}: {number} cards are too few. {SEATS_MAX} players need one each."
            )
    _refuse_doubles("bonus", [each.id for each in box.indicators])
    _refuse_doubles(
        "manifests", [each.id for each in (*box.manifests, *read_scenario_manifests(text))]
    )
    return box


def read_scenario_manifests(text: str) -> tuple[Manifest, ...]:
    """Cards that only scenarios use; the file may do without them."""
    raw = _read(text)
    return _manifests(raw, "scenario_cards") if "scenario_cards" in raw else ()


def fingerprint(box: Box) -> str:
    """64 hexadecimal digits: equal for equal boxes in equal order."""
    rows = [
        [[c.letter, c.number] for c in box.letters],
        [[p.length, p.points] for p in box.points],
        [[i.id, i.set, i.multiplier] for i in box.indicators],
        [[m.id, m.sets] for m in box.manifests],
    ]
    return sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()


def _read(text: str) -> dict[str, Any]:
    raw = read_json_object(
        text,
        TEXT_CHARS_MAX,
        contents=", ".join(REQUIRED_KEYS),
        depth_hint="A card has four lists of words.",
    )
    for key in REQUIRED_KEYS:
        if key not in raw:
            raise InvalidData(f"{key} is missing. The file has {', '.join(REQUIRED_KEYS)}.")
    for key in raw:
        if key not in REQUIRED_KEYS + OPTIONAL_KEYS:
            raise InvalidData(
                f"{excerpt(key)} is one too many. The file has {', '.join(REQUIRED_KEYS)}."
            )
    return raw


def _letters(raw: Any) -> tuple[Count, ...]:
    if not isinstance(raw, dict):
        raise InvalidData('letters: this is no object. It names the cards of each letter, "A": 9.')
    for letter, number in raw.items():
        if len(letter) != 1 or letter not in ALPHABET:
            raise InvalidData(
                f"letters: {excerpt(letter)} is no letter. Letters are A to Z, capitals."
            )
        if type(number) is not int or not 0 <= number <= LETTER_MAX:
            raise InvalidData(
                f"letters, {letter}: {excerpt(number)} is wrong. It is 0 to {LETTER_MAX}."
            )
    total = sum(raw.values())
    if not LETTERS_MIN <= total <= LETTERS_MAX:
        raise InvalidData(
            f"letters: {total} in all. There are {LETTERS_MIN} to {LETTERS_MAX}, so that "
            f"{SEATS_MAX} players can be dealt to."
        )
    return tuple(Count(letter, raw.get(letter, 0)) for letter in ALPHABET)


def _points(raw: Any) -> tuple[Points, ...]:
    right = f'It names the points of {LENGTHS[0]} to {LENGTHS[-1]} letters, "3": 5.'
    if not isinstance(raw, dict) or set(raw) != {str(length) for length in LENGTHS}:
        raise InvalidData(f"points: this is no table of points. {right}")
    for length, points in raw.items():
        if type(points) is not int or not 1 <= points <= POINTS_MAX:
            raise InvalidData(
                f"points, {length}: {excerpt(points)} is wrong. It is 1 to {POINTS_MAX}."
            )
    return tuple(Points(length, raw[str(length)]) for length in LENGTHS)


def _indicator(number: int, raw: Any) -> Indicator:
    id_ = _id(f"bonus, entry {number}", raw, ("id", "set", "multiplier"))
    for key, most in (("set", SETS), ("multiplier", MULTIPLIER_MAX)):
        if type(raw[key]) is not int or not 1 <= raw[key] <= most:
            raise InvalidData(
                f"bonus, card {id_}: {key} {excerpt(raw[key])} is wrong. It is 1 to {most}."
            )
    return Indicator(id_, raw["set"], raw["multiplier"])


def _manifests(raw: Mapping[str, Any], key: str) -> tuple[Manifest, ...]:
    return tuple(_manifest(key, number, each) for number, each in enumerate(_list(raw, key), 1))


def _manifest(key: str, number: int, raw: Any) -> Manifest:
    id_ = _id(f"{key}, entry {number}", raw, ("id", "sets"))
    where = f"{key}, card {id_}"
    sets = raw["sets"]
    if not isinstance(sets, list) or len(sets) != SETS:
        raise InvalidData(f"{where}: a card has {SETS} sets of words.")
    return Manifest(id_, tuple(_set(f"{where}, set {n}", each) for n, each in enumerate(sets, 1)))


def _set(where: str, raw: Any) -> tuple[str, ...]:
    """[WR-10] Words of 3, 4, 5 and 6 letters, each with one letter more than that before."""
    if not isinstance(raw, list) or len(raw) != len(LENGTHS):
        raise InvalidData(f"{where}: a set has {len(LENGTHS)} words.")
    for word, length in zip(raw, LENGTHS, strict=True):
        if not isinstance(word, str) or len(word) != length or set(word) - set(ALPHABET):
            right = f"{length} letters A-Z, capitals"
            raise InvalidData(f"{where}: {excerpt(word)} is wrong. Here stands a word of {right}.")
    for before, word in pairwise(raw):
        for letter in sorted(set(before)):
            if before.count(letter) > word.count(letter):
                raise InvalidData(
                    f"{where}: {word} has not all letters of {before}: {letter} is missing. "
                    "Each word is the one before it and one more letter, in any order."
                )
    return tuple(raw)


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    found = raw[key]
    if not isinstance(found, list):
        raise InvalidData(f"{key}: this is no list. It is a list of cards.")
    return found


def _id(where: str, raw: Any, keys: Sequence[str]) -> str:
    """The id of an entry that has these keys and no others."""
    if not isinstance(raw, dict) or set(raw) != set(keys):
        raise InvalidData(f"{where}: this is no card. A card has {', '.join(keys)}.")
    id_ = raw["id"]
    if not (isinstance(id_, str) and id_.isascii() and id_.isalnum() and len(id_) <= ID_CHARS_MAX):
        raise InvalidData(
            f"{where}: {excerpt(id_)} is no id. An id is 1 to {ID_CHARS_MAX} letters and digits."
        )
    return id_


def _refuse_doubles(key: str, ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for id_ in ids:
        if id_.upper() in seen:
            raise InvalidData(
                f"{key}: there are two cards {id_}. Give each an id of its own; small and capital "
                "letters are one."
            )
        seen.add(id_.upper())
