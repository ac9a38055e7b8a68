"""The characters of each charset, and substitutes for those that it lacks.

Rule 1: encoding never fails.  Missing characters are substituted: suits by letters, boxes by lines
        or by -, | and +, letters by letters without marks, at worst `?`.
Rule 2: in cp437 (the IBM PC and BBS programs) no byte is sent that an 8-bit terminal reads as the
        start of a control sequence: cp437 may be set by mistake, and texts of other people must
        not control a terminal.  That costs six characters (`_INTRODUCERS`).  The suits of cp437
        are control characters, so suits become letters.

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
    "█▓▒■": "#",
    "░": ".",
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
"""Substitutes in cp437."""


def _by_char(table: dict[str, str]) -> dict[str, str]:
    return {char: other for chars, other in table.items() for char in chars}


_SUBSTITUTES = _by_char(_ASCII)
_BOX_SUBSTITUTES = _by_char(_BOXES)

# DCS, SOS, CSI, OSC, PM and APC: É, ÿ, ¢, ¥, ₧ and ƒ of cp437.
_INTRODUCERS = frozenset({0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F})
_CP437 = {
    ord(char): code
    for code, char in enumerate(bytes(range(256)).decode("cp437"))
    if code not in _INTRODUCERS
}


def encode_text(text: str, charset: str) -> bytes:
    """Encode *text*; a character that *charset* lacks becomes `?`."""
    if charset == "cp437" and not text.isascii():
        return codecs.charmap_encode(text, "replace", _CP437)[0]
    return text.encode(charset, "replace")


def has_char(char: str, charset: str) -> bool:
    """Whether *charset* has a printable character that is not ASCII."""
    match charset:
        case "utf-8":
            return True
        case "latin-1":
            return "\xa0" <= char <= "\xff"
        case "cp437":
            return ord(char) in _CP437
    return False


def transliterate(text: str, charset: str) -> str:
    """*text* with substitutes for characters that *charset* lacks."""
    if charset == "utf-8" or text.isascii():
        return text
    return "".join([char if char.isascii() else _substitute(char, charset) for char in text])


def replace_missing(text: str, charset: str) -> str:
    """*text* with `?` for missing characters: of equal length, so that cursor positions match."""
    if charset == "utf-8" or text.isascii():
        return text
    return "".join([char if char.isascii() or has_char(char, charset) else "?" for char in text])


@lru_cache(4_096)
def _substitute(char: str, charset: str) -> str:
    if has_char(char, charset):
        return char
    if charset == "cp437" and char in _BOX_SUBSTITUTES:
        return _BOX_SUBSTITUTES[char]
    if char in _SUBSTITUTES:
        return _SUBSTITUTES[char]
    if unicodedata.combining(char):
        return ""
    # Drops marks of letters only: a part of "½" would be another number.
    return unicodedata.normalize("NFD", char).encode("ascii", "ignore").decode() or "?"
