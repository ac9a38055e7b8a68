"""A file of words: read with care, since a host may bring another list.  [WR-02]

Rule 1: one word a line, or `word<TAB>level`; capitals or not, packed with gzip or not.  Accents
        fall away, blank lines and lines that begin with # are passed over.
Rule 2: a word without a level is as familiar as can be, LEVEL_MIN: accepted at every table.  Of a
        word that stands twice the most familiar level counts.
Rule 3: a line that is no word is skipped and counted; a file that is no list, or one that is too
        small for a game, is refused whole: `InvalidData` says what is wrong with it, then what
        would be right.
Rule 4: a packed file is unpacked no further than the bound, whatever it would grow to.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from variants.contract import InvalidData
from variants.kit.text import join_words
from variants.words.data.box import WORD_MIN, Box
from variants.words.lexicon.lexicon import LEVEL_MAX, WORD_MAX, Lexicon

LEVEL_MIN = 10
WORDS_MIN = 1_000  # that the letters of the box spell: with fewer nobody finds one in a hand
BYTES_MAX = 8 * 1024 * 1024  # unpacked; ours has 3.3 million, the largest lists of English 6
MEMBERS_MAX = 64  # of a packed file: pieces packed one by one and joined
LINE_MAX = 60  # characters of a line that is looked at closely

_GZIP, _UTF8_MARK, _UTF16_MARKS = b"\x1f\x8b", b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\f") | {0x7F})
_LEVELS: Mapping[str, int] = {
    "": LEVEL_MIN,
    **{str(level): level for level in range(1, LEVEL_MAX + 1)},
}
_LIGATURES = str.maketrans({"Æ": "AE", "Œ": "OE"})


@dataclass(frozen=True, slots=True)
class SkipReport:
    """What a list holds beside its words."""

    words: int  # that are left
    too_short: int = 0
    too_long: int = 0
    other: int = 0  # with something else than A-Z
    level: int = 0  # behind the tab stands no level from 1 to 80
    doubled: int = 0
    refused: tuple[str, ...] = ()  # extra and removed words that are none, a sentence each

    @property
    def lines(self) -> int:
        return self.too_short + self.too_long + self.other + self.level + self.doubled

    def describe(self) -> str:
        """One line for whoever brought the list."""
        numbers = [
            (self.too_short, f"shorter than {WORD_MIN} letters"),
            (self.too_long, f"longer than {WORD_MAX}"),
            (self.other, "with other characters than A-Z"),
            (self.level, f"with no level from 1 to {LEVEL_MAX}"),
            (self.doubled, "already there"),
        ]
        reasons = join_words([f"{number:,} {reason}" for number, reason in numbers if number])
        skipped = f"; {self.lines:,} skipped ({reasons})" if reasons else ""
        return " ".join([f"{self.words:,} words{skipped}.", *self.refused])


def parse_word_list(
    data: bytes,
    extra: Iterable[str] = (),
    removed: Iterable[str] = (),
    box: Box | None = None,
    denied: Iterable[str] = (),
) -> tuple[Lexicon, SkipReport]:
    """The words of the file *data*, and what was skipped in it.

    Args:
        extra: Words (or lines as in the file) that the host adds.
        removed: Words that the host takes out again.
        box: Letters of which WORDS_MIN words have to be spelled, and each has to be in one.
        denied: Words that the host wants on no fresh manifest.  Of all three what is no word, or
            not in the list, is refused one by one.

    Raises:
        InvalidData: No list: empty, too big, no text, no word left, or too few for these letters.
    """
    found: dict[str, int] = {}
    skipped: Counter[str] = Counter()
    for line in _text(data).upper().split("\n"):
        word, _, behind = line.partition("\t")
        level = _LEVELS.get(behind)
        if (
            level is None
            or not (word.isalpha() and word.isascii())
            or not WORD_MIN <= len(word) <= WORD_MAX
        ):
            read = _closely(line)
            if isinstance(read, str):
                if read:
                    skipped[read] += 1
                continue
            word, level = read
        if word in found:
            skipped["doubled"] += 1
            level = min(level, found[word])
        found[word] = level
    kept: set[str] = set()
    refused = [*_add(found, extra), *_remove(found, removed), *_deny(found, denied, kept)]
    report = SkipReport(len(found), **skipped, refused=tuple(refused))
    if not found:
        raise InvalidData(
            f"No word is left: {report.describe()} A list has one word a line, letters A-Z."
        )
    if box is not None:
        _refuse_too_few(found, box, report)
    return Lexicon(found, kept), report


def parse_word_lines(data: bytes) -> tuple[str, ...]:
    """The lines of a small file of words (extra, removed, denied), without remarks, in capitals.

    Raises:
        InvalidData: No text, or too big.
    """
    lines = [line.strip() for line in _text(data).upper().split("\n")] if data else []
    return tuple([line for line in lines if line and not line.startswith("#")])


def _text(data: bytes) -> str:
    """A list with plain line ends, nothing in it but text."""
    if data.startswith(_GZIP):
        data = _unpacked(data)
    if len(data) > BYTES_MAX:
        raise InvalidData(f"The list is too big. At most {BYTES_MAX:,} bytes are read.")
    if data.startswith(_UTF16_MARKS):
        raise InvalidData("The file is UTF-16 text. Save it as UTF-8.")
    data = data.removeprefix(_UTF8_MARK)
    if not data.strip():
        raise InvalidData("The file is empty. A list has one word a line.")
    if len(data.translate(None, _CONTROLS)) < len(data):
        at = next(at for at, byte in enumerate(data) if byte in _CONTROLS)
        raise InvalidData(
            f"Line {_line(data, at)} holds a control character: this is no text. "
            "A list has one word a line, plain or packed with gzip."
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidData(
            f"Line {_line(data, error.start)} is neither ASCII nor UTF-8. Save the list as UTF-8."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unpacked(data: bytes) -> bytes:
    """All members of a gzip file, and one byte more than the bound at most."""
    whole = b""
    for _ in range(MEMBERS_MAX):
        member = zlib.decompressobj(wbits=31)
        try:
            whole += member.decompress(data, BYTES_MAX + 1 - len(whole))
        except zlib.error:
            raise InvalidData(
                "The packed file is damaged. Pack it again, or name it plain."
            ) from None
        if not member.eof and len(whole) <= BYTES_MAX:
            raise InvalidData("The packed file is cut short. Copy it again.")
        data = member.unused_data
        if not data.startswith(_GZIP) or len(whole) > BYTES_MAX:
            return whole
    raise InvalidData("The packed file has too many parts. Pack the list in one piece.")


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def _closely(line: str) -> tuple[str, int] | str:
    """The word and its level; else why the line is skipped ("" if there is nothing in it)."""
    text = line.strip()
    if not text or text.startswith("#"):
        return ""
    if len(text) > LINE_MAX:
        return "too_long" if text.isalpha() else "other"
    spelled, _, behind = text.partition("\t")
    word = _plain(spelled.strip())
    if not (word.isascii() and word.isalpha()):
        return "other"
    if not WORD_MIN <= len(word) <= WORD_MAX:
        return "too_short" if len(word) < WORD_MIN else "too_long"
    level = _LEVELS.get(behind.strip())
    return "level" if level is None else (word, level)


def _plain(word: str) -> str:
    """In capitals, without accents: CAFÉ is CAFE."""
    parts = unicodedata.normalize("NFKD", word.upper().translate(_LIGATURES))
    return "".join([each for each in parts if not unicodedata.combining(each)]).upper()


REASONS = {
    "": "it has no letters",
    "too_short": f"it is shorter than {WORD_MIN} letters",
    "too_long": f"it is longer than {WORD_MAX} letters",
    "other": "it has other characters than A-Z",
    "level": f"behind the tab stands no level from 1 to {LEVEL_MAX}",
}


def _each(lines: Iterable[str]) -> Iterator[tuple[str, tuple[str, int] | str]]:
    for line in lines:
        yield line[:LINE_MAX], _closely(line)


def _add(found: dict[str, int], extra: Iterable[str]) -> Iterator[str]:
    for line, read in _each(extra):
        if isinstance(read, str):
            yield f"Not added: {line!a}, for {REASONS[read]}."
        else:
            found[read[0]] = read[1]


def _remove(found: dict[str, int], removed: Iterable[str]) -> Iterator[str]:
    for line, read in _each(removed):
        if isinstance(read, str):
            yield f"Not removed: {line!a}, for {REASONS[read]}."
        elif found.pop(read[0], None) is None:
            yield f"Not removed: {line!a}, for it is not in the list."


def _deny(found: Mapping[str, int], denied: Iterable[str], kept: set[str]) -> Iterator[str]:
    """Puts into *kept* what can be denied; says what cannot."""
    for line, read in _each(denied):
        if isinstance(read, str):
            yield f"Not denied: {line!a}, for {REASONS[read]}."
        elif read[0] not in found:
            yield f"Not denied: {line!a}, for it is not in the list."
        else:
            kept.add(read[0])


def _refuse_too_few(words: Iterable[str], box: Box, report: SkipReport) -> None:
    """A game needs words, and each letter of its box a word to go into."""
    number = 0
    lost = [c.letter for c in box.letters if c.number]
    for word in words:
        if _is_spelled(word, box):
            number += 1
            lost = [letter for letter in lost if letter not in word]
            if number >= WORDS_MIN and not lost:
                return  # seldom far from the beginning: every start waits for this
    if number < WORDS_MIN:
        raise InvalidData(
            f"The letters of the box spell {number:,} of the words, and a game needs "
            f"{WORDS_MIN:,}. The list: {report.describe()} Name one that is longer, or in the "
            "language of the letters."
        )
    raise InvalidData(
        f"No word has {join_words(lost, 'or')}, of which there are cards in the box. Add words "
        "with these letters, or set their cards to 0 in a box of your own."
    )


def _is_spelled(word: str, box: Box) -> bool:
    return all(word.count(c.letter) <= c.number for c in box.letters)
