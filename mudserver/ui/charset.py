"""Which characters a terminal's charset has, and what is written where it lacks one.

Rule 1: writing never fails.  What a charset lacks is written otherwise: suits as letters, boxes as
        lines or as -, | and +, letters without their marks, at worst `?`.
Rule 2: in cp437 (the IBM PC, and what BBS programs speak) no byte goes out that an 8-bit terminal
        takes for the beginning of a sequence: cp437 may have been set by mistake, and the words of
        others must not rule a terminal.  It costs six characters (`_INTRODUCERS`).  The suits of
        cp437 are control characters, so suits are letters in it.

Sources: ECMA-48 section 8.3 (C1); https://en.wikipedia.org/wiki/Code_page_437
"""

from __future__ import annotations

import codecs
import unicodedata
from functools import lru_cache

_ASCII = {
    "♥♡": "H",
    "♦♢": "D",
    "♣♧": "C",
    "♠♤": "S",
    "─━═╌╍┄┅┈┉‐‑‒–—―−": "-",
    "│┃║╎╏┆┇┊┋": "|",
    "┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰┏┓┗┛┣┫┳┻╋": "+",
    "‘’‚‛′": "'",
    "“”„‟″«»": '"',
    "…": "...",
    "•·●▪": "*",
    "→⇒▶►": ">",
    "←⇐◀◄": "<",
    "█▓▒░■": "#",
    "×": "x",
    "✓✔": "v",
}
_BOXES = {
    "━╌╍┄┅┈┉": "─",
    "┃╎╏┆┇┊┋": "│",
    "╭┏": "┌",
    "╮┓": "┐",
    "╰┗": "└",
    "╯┛": "┘",
    "┣": "├",
    "┫": "┤",
    "┳": "┬",
    "┻": "┴",
    "╋": "┼",
    "✓✔": "√",
}
"""What cp437 has instead."""


def _each(table: dict[str, str]) -> dict[str, str]:
    return {char: other for chars, other in table.items() for char in chars}


_WRITTEN_OTHERWISE = _each(_ASCII)
_IN_BOXES = _each(_BOXES)

# DCS, SOS, CSI, OSC, PM and APC: É, ÿ, ¢, ¥, ₧ and ƒ of cp437.
_INTRODUCERS = frozenset({0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F})
_CP437 = {
    ord(char): code
    for code, char in enumerate(bytes(range(256)).decode("cp437"))
    if code not in _INTRODUCERS
}


def encode_text(text: str, charset: str) -> bytes:
    """*text* as bytes; a character that *charset* lacks is a `?`."""
    if charset == "cp437" and not text.isascii():
        return codecs.charmap_encode(text, "replace", _CP437)[0]
    return text.encode(charset, "replace")


def has_char(char: str, charset: str) -> bool:
    """Whether *charset* can write a printable character that is not ASCII."""
    match charset:
        case "utf-8":
            return True
        case "latin-1":
            return "\xa0" <= char <= "\xff"
        case "cp437":
            return ord(char) in _CP437
    return False


def transliterate(text: str, charset: str) -> str:
    """*text* with only such characters as *charset* has."""
    if charset == "utf-8" or text.isascii():
        return text
    return "".join([char if char.isascii() else _otherwise(char, charset) for char in text])


def replace_missing(text: str, charset: str) -> str:
    """The same, each character as one: who types must find the own places again."""
    if charset == "utf-8" or text.isascii():
        return text
    return "".join([char if char.isascii() or has_char(char, charset) else "?" for char in text])


@lru_cache(4_096)
def _otherwise(char: str, charset: str) -> str:
    if has_char(char, charset):
        return char
    if charset == "cp437" and char in _IN_BOXES:
        return _IN_BOXES[char]
    if char in _WRITTEN_OTHERWISE:
        return _WRITTEN_OTHERWISE[char]
    if unicodedata.combining(char):
        return ""
    # A letter without its mark is still that letter; half of "½" would be another number.
    return unicodedata.normalize("NFD", char).encode("ascii", "ignore").decode() or "?"
