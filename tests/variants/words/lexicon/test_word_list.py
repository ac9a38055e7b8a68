"""Word lists that hosts bring: what is read, what is skipped and counted, what is refused."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import replace
from pkgutil import get_data

import pytest

from tests.variants.words.driver import BOX, shipped_lexicon
from variants.contract import InvalidData
from variants.words.lexicon import word_list
from variants.words.lexicon.dictionary import blocklist, manifest_blocklist
from variants.words.lexicon.lexicon import Lexicon
from variants.words.lexicon.word_list import (
    BYTES_MAX,
    SkipReport,
    parse_word_lines,
    parse_word_list,
)

DATA = get_data("variants.words", "data/words.tsv.gz") or b""


def levels(data: bytes, *words: str) -> list[int | None]:
    lexicon, _ = parse_word_list(data)
    return [lexicon.level_of(word) for word in words]


def refused(data: bytes, **more: object) -> str:
    with pytest.raises(InvalidData) as bad:
        parse_word_list(data, **more)  # type: ignore[arg-type]
    return str(bad.value)


def test_the_shipped_list_is_read_whole_plain_or_packed():
    plain, skipped = parse_word_list(zlib.decompress(DATA, wbits=31))
    assert SkipReport(248_118) == skipped
    assert "248,118 words." == skipped.describe()
    assert shipped_lexicon().fingerprint == plain.fingerprint


def test_a_word_may_have_a_level_and_any_case():
    assert [35, 10, 80] == levels(b"east\t35\nSeat\nzYMURGY\t80\n", "EAST", "SEAT", "ZYMURGY")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lines_may_end_as_on_any_machine_packed_or_not(end, pack):
    data = pack(end.join(("east\t35", "", " seat ", "# not a word", "dates")).encode())
    lexicon, skipped = parse_word_list(data)
    assert SkipReport(3) == skipped
    assert [35, 10, 10] == [lexicon.level_of(word) for word in ("EAST", "SEAT", "DATES")]


def test_several_packed_files_in_one_are_all_read():
    assert [10, 10] == levels(gzip.compress(b"east\n") + gzip.compress(b"seat\n"), "EAST", "SEAT")


def test_accents_fall_away():
    words = "café\nNaïve\t50\nœuvre\nÆON\t35\nstraße\nångström\n"
    expected = [10, 50, 10, 35, 10, 10]
    names = ("CAFE", "NAIVE", "OEUVRE", "AEON", "STRASSE", "ANGSTROM")
    assert expected == levels(words.encode(), *names)
    assert [10] == levels(b"\xef\xbb\xbf" + "été\n".encode(), "ETE")


def test_what_is_no_word_is_skipped_and_said_in_one_line():
    data = "east\nat\nit's\nøre\nword\thigh\nword\t95\nEast\t20\n" + "a" * 16 + "\n" + "b" * 99
    lexicon, skipped = parse_word_list(data.encode())
    assert SkipReport(1, too_short=1, too_long=2, other=2, level=2, doubled=1) == skipped
    assert (
        "1 words; 8 skipped (1 shorter than 3 letters, 2 longer than 15, 2 with other characters "
        "than A-Z, 2 with no level from 1 to 80 and 1 already there)."
    ) == skipped.describe()
    assert 10 == lexicon.level_of("EAST")


@pytest.mark.parametrize("rows", ["east\t50\néast\t20\n", "east\t20\neast\t50\n"])
def test_of_a_word_that_stands_twice_the_most_familiar_level_counts(rows):
    lexicon, skipped = parse_word_list(rows.encode())
    assert (1, 1, 20) == (lexicon.size, skipped.doubled, lexicon.level_of("EAST"))


def test_words_are_added_and_removed_and_refused_one_by_one():
    lexicon, skipped = parse_word_list(
        b"east\t50\nseat\n", extra=["zyx", "east", "a b", "x", "abc\t70"], removed=["Seat", "teas"]
    )
    found = [lexicon.level_of(word) for word in ("ZYX", "EAST", "ABC", "SEAT")]
    assert [10, 10, 70, None] == found
    assert (3, 3) == (lexicon.size, skipped.words)
    assert (
        "Not added: 'a b', for it has other characters than A-Z.",
        "Not added: 'x', for it is shorter than 3 letters.",
        "Not removed: 'teas', for it is not in the list.",
    ) == skipped.refused
    assert skipped.describe().startswith("3 words. Not added: 'a b'")


def test_the_fingerprint_is_of_what_counts():
    same = [
        parse_word_list(data)[0].fingerprint
        for data in (b"east\nseat\t20\n", b"# two\r\nSEAT\t20\r\n\xc3\xa9ast\nat\n")
    ]
    assert 1 == len(set(same))
    assert same[0] != parse_word_list(b"east\nseat\t35\n")[0].fingerprint
    assert same[0] == Lexicon([("SEAT", 20), ("EAST", 10)]).fingerprint


SENTENCES = {
    "nothing": (b"", "The file is empty. A list has one word a line."),
    "blanks": (b" \n\n", "The file is empty."),
    "a packed nothing": (gzip.compress(b""), "The file is empty."),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "Line 2 holds a control character: this is no"),
    "binary further down": (b"east\nse\x00at\n", "Line 2 holds a control character"),
    "UTF-16": ("east\n".encode("utf-16"), "The file is UTF-16 text. Save it as UTF-8."),
    "Latin-1": (b"east\nseat\ncaf\xe9\n", "Line 3 is neither ASCII nor UTF-8. Save the list as"),
    "no word": (b"at\nit\n12345\n", "No word is left: 0 words; 3 skipped (2 shorter than 3"),
    "remarks only": (b"# nothing\n# here\n", "No word is left: 0 words."),
    "too big": (b"east\n" * (BYTES_MAX // 5 + 1), f"too big. At most {BYTES_MAX:,} bytes"),
    "cut short": (gzip.compress(b"east\n" * 50)[:-9], "The packed file is cut short. Copy it"),
    "in many pieces": (gzip.compress(b"east\n") * 65, "The packed file has too many parts."),
    "damaged": (gzip.compress(b"east\n" * 50)[:-8] + bytes(8), "The packed file is damaged."),
}


@pytest.mark.parametrize("what", SENTENCES)
def test_what_is_no_list_is_refused_with_the_reason(what):
    data, sentence = SENTENCES[what]
    assert sentence in refused(data)


def test_a_list_of_which_all_words_are_removed_is_refused():
    assert "No word is left: 0 words." in refused(b"east\n", removed=["east"])


def many(without: str, count: int) -> bytes:
    """So many words of the shipped list that lack a letter and need none twice, a packed list."""
    words = [word for word in shipped_lexicon().words(80, 6) if len(set(word)) == len(word)]
    words = [word for word in words if without not in word]
    return gzip.compress("\n".join(words[:: len(words) // count][:count]).encode())


def test_a_list_with_too_few_words_for_the_letters_is_refused():
    """[WR-10] Three times Z: the box has one."""
    assert 1_000 == parse_word_list(many("!", 1_000), box=BOX)[0].size
    assert 999 == parse_word_list(many("!", 999))[0].size
    for data, left in ((b"pizzazz\njazzzz\n", 0), (b"pizzazz\neast\n", 1), (many("!", 999), 999)):
        assert (
            f"The letters of the box spell {left} of the words, and a game needs 1,000."
        ) in refused(data, box=BOX)
    assert "The list: 2 words; 1 skipped (1 shorter" in refused(b"cat\ndog\nit\n", box=BOX)


def test_a_letter_of_the_box_that_is_in_no_word_is_named():
    sentence = "No word has E, of which there are cards in the box."
    assert sentence in refused(many("E", 1_500), box=BOX)
    without = replace(BOX, letters=tuple(c for c in BOX.letters if c.letter != "E"))
    assert 1_500 == parse_word_list(many("E", 1_500), box=without)[0].size


def test_words_that_a_host_denies_are_words_and_refused_one_by_one():
    lexicon, skipped = parse_word_list(b"east\nseat\n", denied=["East", "teas", "x"])
    assert ({"EAST"}, 10) == (lexicon.unprinted, lexicon.level_of("EAST"))
    assert (
        "Not denied: 'teas', for it is not in the list.",
        "Not denied: 'x', for it is shorter than 3 letters.",
    ) == skipped.refused
    assert lexicon.fingerprint != parse_word_list(b"east\nseat\n")[0].fingerprint


def test_a_file_that_would_grow_without_end_is_never_held(monkeypatch):
    """Of a bomb no more is unpacked than the bound, in whatever number of members it comes."""
    asked = []

    class Watched:
        def __init__(self, wbits: int) -> None:
            self._inner = zlib_object(wbits=wbits)

        def decompress(self, data: bytes, most: int) -> bytes:
            found = self._inner.decompress(data, most)
            asked.append(len(found))
            return found

        eof = property(lambda self: self._inner.eof)
        unused_data = property(lambda self: self._inner.unused_data)

    zlib_object = zlib.decompressobj
    monkeypatch.setattr(word_list.zlib, "decompressobj", Watched)
    for bomb in (
        gzip.compress(bytes(64 * 1024 * 1024)),
        gzip.compress(b"east\n" * 1_200_000) * 9,
        gzip.compress(gzip.compress(bytes(64 * 1024 * 1024))) * 2,
    ):
        asked.clear()
        assert refused(bomb)
        assert sum(asked) <= BYTES_MAX + 1


def test_small_files_of_words_are_read_without_their_remarks():
    assert ("EAST", "SEAT\t20") == parse_word_lines(b"# two words\n\nEast\n seat\t20 \n")
    assert () == parse_word_lines(b"")
    with pytest.raises(InvalidData, match="Line 1 is neither ASCII nor UTF-8"):
        parse_word_lines(b"caf\xe9")


def test_the_denied_words_are_there_in_capitals():
    assert {"KILL", "MURDER", "DEATH"} <= blocklist()
    assert not {"EAST", "TASTED"} & blocklist()
    assert {"SHOON", "STRIPT"} <= manifest_blocklist() - blocklist()
    assert (
        blocklist() < manifest_blocklist()
        and not {"EAST", "HONOUR", "HONOR"} & manifest_blocklist()
    )
    assert all(
        word.isascii() and word.isalpha() and word.isupper() for word in manifest_blocklist()
    )
