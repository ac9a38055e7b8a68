"""The word list: which spellings are words, and how familiar each is.

Rule 1: built once and then only read, so that all tables share it.
Rule 2: a word is 3 to 15 capital letters A-Z.  Its level says how familiar it is, 10 (commonest)
        to 80 (word games only); a question names the highest level it accepts.  [WR-02]
Rule 3: words are found by their letters, sorted: one look-up answers which words these letters
        make.  Words of up to eight letters, which nearly all questions are about, are in a dict.
        The others, more than half of the list, are packed in buckets, which take a third of the
        memory and about five times the time.  All of it bytes, 16 less each than str.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from variants.words.data.box import WORD_MIN

WORD_MAX = 15  # letters
LEVEL_MAX = 80
LETTERS_MAX = 15  # in one question `within`: at most 2 ** 15 look-ups, about 4 ms

_SHORT = 8  # letters of a word in the dict
_BUCKETS = 1 << 14  # of 142,000 longer words: nine in each
_ZERO = 0x80  # behind each word stands _ZERO + its level, which is no letter
_LEVELS = bytes(range(_ZERO, 0x100))
_ONE = [bytes((byte,)) for byte in range(0x100)]


class Lexicon:
    """Words by their sorted letters.

    Args:
        levels: Level by word, as rule 2 has them (`wordlist.read_list` makes sure of it).
        unprinted: Words that the host wants on no fresh manifest.
    """

    __slots__ = ("_long", "_short", "fingerprint", "size", "unprinted")

    def __init__(
        self,
        levels: Mapping[str, int] | Iterable[tuple[str, int]],
        unprinted: Iterable[str] = (),
    ) -> None:
        known = levels if isinstance(levels, Mapping) else dict(levels)
        digest = sha256()
        order = sorted(known)
        # Long words first, so that the short ones take the room that building the buckets took.
        lines: list[list[bytes]] = [[] for _ in range(_BUCKETS)]
        for word in order:
            if len(word) > _SHORT:
                key, entry = _entry_of(word, known[word])
                lines[hash(key) % _BUCKETS].append(b"\n%b %b" % (key, entry))
                digest.update(entry)
        self._long: Sequence[bytes] = [b"".join(found) for found in lines]
        del lines
        short: dict[bytes, bytes] = {}
        for word in order:
            if len(word) <= _SHORT:
                key, entry = _entry_of(word, known[word])
                before = short.get(key)
                short[key] = entry if before is None else b"%b %b" % (before, entry)
                digest.update(entry)
        self._short: Mapping[bytes, bytes] = short
        self.unprinted = frozenset(unprinted)
        for word in sorted(self.unprinted):
            digest.update(b"-" + word.encode("ascii"))
        self.size, self.fingerprint = len(known), digest.hexdigest()

    def level_of(self, word: str) -> int | None:
        """How familiar a word is; None: it is not in the list."""
        spelled = _ascii(word)
        for each in self._entry(bytes(sorted(spelled))).split(b" "):
            if each and each[:-1] == spelled:
                return each[-1] - _ZERO
        return None

    def words(self, level: int, longest: int) -> list[str]:
        """All words of up to *longest* letters, at most eight, in alphabetical order."""
        assert longest <= _SHORT, longest
        entries = [entry for key, entry in self._short.items() if len(key) <= longest]
        return sorted(_spellings(entries, level))

    def anagrams(self, letters: str, level: int) -> tuple[str, ...]:
        """The words of exactly these letters, in alphabetical order."""
        return tuple(_spellings([self._entry(bytes(sorted(_ascii(letters))))], level))

    def within(self, letters: str, level: int, shortest: int = WORD_MIN) -> list[str]:
        """All words of some of these letters, in no order.

        Raises:
            ValueError: More than LETTERS_MAX letters: ask about fewer.
        """
        if len(letters) > LETTERS_MAX:
            raise ValueError(f"{len(letters)} letters; {LETTERS_MAX} at most")
        spelled = _ascii(letters)
        subsets = [b""]  # each once, its letters sorted
        for letter in sorted(set(spelled)):
            run, whole = b"", subsets
            for _ in range(spelled.count(letter)):
                run += bytes((letter,))
                subsets = subsets + [subset + run for subset in whole]
        if shortest > WORD_MIN:
            subsets = [subset for subset in subsets if len(subset) >= shortest]
        entries = list(filter(None, map(self._short.get, subsets)))
        if len(letters) > _SHORT:
            long = [subset for subset in subsets if len(subset) > _SHORT]
            entries += filter(None, map(self._entry, long))
        return _spellings(entries, level)

    def plus_one(self, word: str, letters: str, level: int) -> list[tuple[str, str]]:
        """(letter, spelling) for every word of all letters of *word* and one of *letters*."""
        key = bytes(sorted(_ascii(word)))
        get = self._short.get if len(key) < _SHORT else self._entry
        found, at, head, tail = [], 0, b"", key
        for letter in sorted(set(_ascii(letters))):
            while tail and tail[0] < letter:
                at += 1
                head, tail = key[:at], key[at:]
            if entry := get(head + _ONE[letter] + tail):
                found.append((letter, entry))
        return _pairs(found, level)

    def minus_one(self, word: str, level: int) -> list[tuple[str, str]]:
        """(letter, spelling) for every word that is left when *word* loses one letter."""
        key = bytes(sorted(_ascii(word)))
        get = self._short.get if len(key) <= _SHORT + 1 else self._entry
        found = []
        for letter in dict.fromkeys(key):
            if entry := get(key.replace(_ONE[letter], b"", 1)):
                found.append((letter, entry))
        return _pairs(found, level)

    def _entry(self, key: bytes) -> bytes:
        """The words of these sorted letters, each with its level behind it; empty: none."""
        if len(key) <= _SHORT:
            return self._short.get(key, b"")
        bucket = self._long[hash(key) % _BUCKETS]
        mark = b"\n%b " % key
        if mark not in bucket:
            return b""
        return b" ".join([rest[: len(key) + 1] for rest in bucket.split(mark)[1:]])


def _entry_of(word: str, level: int) -> tuple[bytes, bytes]:
    """The letters, sorted, and the word with its level behind it."""
    spelled = word.encode("ascii")
    return bytes(sorted(spelled)), spelled + _ONE[_ZERO + level]


def _spellings(entries: Iterable[bytes], level: int) -> list[str]:
    """The words of *entries* up to *level*, in their order."""
    whole = b" ".join(entries)
    if level >= LEVEL_MAX:
        return whole.translate(None, _LEVELS).decode("ascii").split()
    limit = chr(_ZERO + level)  # not split(): among the levels are blanks of Latin-1
    found = whole.decode("latin-1").split(" ") if whole else []
    return [each[:-1] for each in found if each[-1] <= limit]


def _pairs(found: Iterable[tuple[int, bytes]], level: int) -> list[tuple[str, str]]:
    """The words up to *level*, each behind the letter that found it."""
    limit = _ZERO + level
    return [
        (chr(letter), each[:-1].decode("ascii"))
        for letter, entry in found
        for each in entry.split(b" ")
        if each[-1] <= limit
    ]


def _ascii(text: str) -> bytes:
    """What is no ASCII becomes `?`, which is in no word."""
    return text.encode("ascii", "replace")
