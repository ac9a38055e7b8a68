"""What strangers type to reach other people's terminals, and what of it may arrive: nothing.

Source: tables A and B of the security notes; CWE-150.
"""

from __future__ import annotations

import re

ESC = "\x1b"
PAYLOADS = {
    # plain sequences
    "clear": f"{ESC}[2J", "move": f"{ESC}[17;43H", "colour": f"{ESC}[38;5;213;5m",
    "reset": f"{ESC}c", "graphics": f"{ESC}(0", "shift out": "\x0e", "scroll": f"{ESC}[1;3r",
    "nested": f"{ESC}{ESC}[[2J", "split": f"{ESC}\x00[2J", "hidden": f"{ESC}[8m",
    # strings
    "title": f"{ESC}]0;owned\a", "clipboard": f"{ESC}]52;c;QQ==\a",
    "link": f"{ESC}]8;;http://x{ESC}\\",
    "image": f"{ESC}]1337;File=:AAAA\a", "ask": f"{ESC}P$q\"p{ESC}\\",
    "kitty": f"{ESC}_Ga=T;AAAA{ESC}\\",
    "privacy": f"{ESC}^x{ESC}\\", "start": f"{ESC}Xx{ESC}\\", "sixel": f"{ESC}Pq#0~{ESC}\\",
    # C1 controls
    "csi": "\u009b2J", "osc": "\u009d0;x\u009c", "next line": "\u0085", "dcs": "\u0090q\u009c",
    # controls
    "return": "innocent\rforged", "backspace": "abc\b\b\bxyz", "bell": "\a" * 5,
    "answer back": "\x05",
    "shift": "\x0e\x0f", "nul": "a\x00b", "delete": "a\x7fb", "tab stop": "\x0b\x0c",
    "line separator": "a\u2028b\u2029c",
    # what reorders or hides
    "override": "\u202egnp.exe", "isolate": "\u2066x\u2069", "marks": "\u200e\u200f\u061c",
    "zero width": "a\u200bb\u200cc\u200dd\u2060e\ufefff", "tags": "\U000e0041\U000e0042",
    "fillers": "\u3164\u115f\uffa0", "variation": "a\ufe0fb\U000e0100",
    # too much of it
    "zalgo": "e" + "\u0301" * 40, "ligature": "\ufdfd" * 60, "family": "👩\u200d👩\u200d👧" * 40,
    "flags": "\U0001f1e6" * 41,
    # no characters at all
    "surrogate": "\ud800\udfff", "private": "\ue000\U000f0000\uffff", "iac": "ÿûÿüÿ",
    # templates
    "format": "%s%n%x {0.__class__} [bold] <ansired> <b> ${jndi:x}",
}  # fmt: skip
RAW = {
    "overlong": b"\xc0\x9b2J", "bad": b"\xc3\x28", "raw csi": b"\x9b2J",
    "surrogate": b"\xed\xa0\x80",
    "telnet": b"\xff\xff\xfb\x01", "five bytes": b"\xf8\x88\x80\x80\x80",
}  # fmt: skip

# All that the server itself ever says to a terminal (mudserver/ui/ansi.py).
_OURS = re.compile(
    rb"\x1b\[(\d*K|\d+D|[\d;]*m|\?2004[hl]|2[23];2t)|"
    rb"\x1b\]2;Lockdown: [a-z0-9/ ]{1,20}\x1b\\|\r|\n"
)
_BAD = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u061c\ufeff\u115f\u3164\uffa0"
    "\ufe00-\ufe0f\ue000-\uf8ff\U000e0000-\U0010ffff\U0001f1e6-\U0001f1ff]"
)


def foreign(heard: bytes) -> list[str]:
    """What a terminal received that is neither text nor a sequence of ours."""
    text = _OURS.sub(b"", heard).decode("utf-8")  # raises if it is not even that
    return _BAD.findall(text)


FORGED = ("-- alice joined the table.", "Game over: alice wins.", "alice tells you: hi",
          "Type your password:")  # fmt: skip
"""Rows as the server writes them."""

# What looks like the name `alice`, or like somebody who matters
LIKE_ALICE = (
    *("ALICE", "alice ", " alice", "ａｌｉｃｅ", "аlice", "al\u0131ce", "alİce", "a\u200blice"),
    *("a\u034flice", "alice\ufe0f", "al\x00ice", "\U000e0041alice", "al1ce", "a1ice", "aIice"),
    *("alic\u0435", "ALlCE", "al\u00edce", "ali\u0441e", "@alice", "alice@", "ali\u00adce"),
)
RESERVED = (
    *("admin", "Administrator", "system", "SERVER", "root", "you", "me", "guest7", "Guest_1"),
    *("bot", "bot7", "b0t", "nobody", "everyone", "all", "@all", "*", "/quit", "--help", "-1", ""),
    *("help", "quit", "who", "adm1n", "sy5tem", "r00t", "lobby", "a" * 5_000, "1ann", "a", "a b"),
)
