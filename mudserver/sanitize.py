"""Sanitizes text from people, where it enters the server and again where it leaves.

Rule 1: characters are removed by Unicode category, never by matching escape sequences: `ESC ESC
        [[2J` without one sequence would contain another.
Rule 2: removed are controls, formats, surrogates, private and unassigned characters and line
        separators (Cc Cf Cs Co Cn Zl Zp), variation selectors, fillers, and every character of
        a right-to-left script: mixed with game text it reorders what others wrote.  So are
        skin tones and flag letters, because terminals disagree on their width.  A tab, a line
        break and every kind of space become a space.
Rule 3: at most two marks stay on a base character, and none without one.  A mark is a character
        that takes no cell of its own.
Rule 4: the result is NFC, encodes to UTF-8, and sanitizing it again changes nothing.

Source: https://www.unicode.org/reports/tr36/ and tr39; security notes A1 to A8.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

from wcwidth import wcwidth

TextKind = Literal["line", "chat", "name"]
"""line: an input line, spaces kept; chat: spaces stripped and collapsed; name: the same, and
compatibility forms become plain ones (NFKC), so that full-width letters become letters."""

MARKS_MAX = 2  # on one base character
_SORTED_MAX = 8  # consecutive marks before normalizing, which sorts them in quadratic time
_REPLACEMENTS_MAX = 8_192  # characters cached
_REMOVED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BREAKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_REMOVED_CODE_POINTS = frozenset(
    {
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),  # fillers
        *(0x180B, 0x180C, 0x180D, 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
        *range(0x1F1E6, 0x1F200),  # flag letters
        *range(0x1F3FB, 0x1F400),  # skin tones
    }
)


def sanitize(text: str, kind: TextKind = "line", chars_max: int | None = None) -> str:
    """*text* without anything that could move a cursor, be invisible, or imitate other text.

    Args:
        chars_max: The result is cut to so many characters (code points).

    Never raises, whatever the string holds.
    """
    if not is_plain(text):
        text = _sanitized(text, "NFKC" if kind == "name" else "NFC")
    if kind != "line":
        text = " ".join(text.split())
    if chars_max is not None and len(text) > chars_max:
        text = text[:chars_max]
        if kind != "line":
            text = text.rstrip()
    return text


def is_plain(text: str) -> bool:
    """Whether it is printable ASCII: then the same holds for each part of it."""
    return text.isascii() and text.isprintable()


def _sanitized(text: str, form: Literal["NFC", "NFKC"]) -> str:
    text = text.translate(_replacements)
    if text.isascii():
        return text
    text = unicodedata.normalize(form, _limit_marks(text, _SORTED_MAX))
    # Compatibility forms may expand to removed characters, e.g. a space with a mark.
    return _limit_marks(text.translate(_replacements), MARKS_MAX)


class _Replacements(dict[int, str | None]):
    """Maps a character to itself, a space or nothing, for str.translate."""

    def __missing__(self, code: int) -> str | None:
        if len(self) >= _REPLACEMENTS_MAX:
            self.clear()
        self[code] = replacement = _replacement(code)
        return replacement


_replacements = _Replacements()


def _replacement(code: int) -> str | None:
    char = chr(code)
    category = unicodedata.category(char)
    if char in _BREAKS or category == "Zs":
        return " "
    if (
        category in _REMOVED_CATEGORIES
        or code in _REMOVED_CODE_POINTS
        or unicodedata.bidirectional(char) in _RIGHT_TO_LEFT
    ):
        return None
    return char


def _limit_marks(text: str, marks_max: int) -> str:
    """Keep at most *marks_max* marks on each base; a space is no base."""
    if max(text, default="") < "\u0300":  # the first mark there is
        return text
    kept, room = [], 0
    for char in text:
        if char < "\u0300" or wcwidth(char) > 0:
            room = 0 if char == " " else marks_max
        elif room > 0:
            room -= 1
        else:
            continue
        kept.append(char)
    return "".join(kept)
