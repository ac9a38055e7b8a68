"""Parses raw input bytes into text and keys.

Rule 1: segmentation makes no difference: a partial character or sequence is kept for the next call.
Rule 2: nothing is kept for ever or without bound.  A sequence ends at its final byte, at any
        control character, or after SEQUENCE_CHARS_MAX; Ctrl-C leaves a paste that never ends.
Rule 3: CR LF, CR NUL, CR and LF are each one Enter.
Rule 4: text never contains a control character, C0 or C1; an invalid byte becomes U+FFFD, and so
        does a control character that is no key, while *marks_controls* is set.
Rule 5: inside a paste only Enter and Ctrl-C are keys; beyond *paste_chars_max* it is dropped, and
        PASTE_TRUNCATED says so once.
"""

from __future__ import annotations

import re
from codecs import latin_1_decode, utf_8_decode
from collections.abc import Iterator
from enum import Enum, auto

from mudserver.ui.ansi import ESC

SEQUENCE_CHARS_MAX = 32


class Key(Enum):
    __hash__ = object.__hash__  # of an Enum it is a function of Python

    ENTER = auto()
    TAB = auto()
    BACKSPACE = auto()
    DELETE = auto()
    LEFT = auto()
    RIGHT = auto()
    HOME = auto()
    END = auto()
    WORD_LEFT = auto()
    WORD_RIGHT = auto()
    HISTORY_PREVIOUS = auto()
    HISTORY_NEXT = auto()
    KILL_TO_END = auto()
    KILL_TO_START = auto()
    KILL_WORD_BEFORE = auto()
    KILL_WORD_AFTER = auto()
    YANK = auto()
    CLEAR = auto()
    CANCEL = auto()  # Ctrl-C
    END_OF_INPUT = auto()  # Ctrl-D: the end on an empty line, Delete on any other
    PASTE_TRUNCATED = auto()
    ESCAPE = auto()  # alone; the caller decides when (`KeyParser.drop_pending_escape`)
    TAB_BACK = auto()
    PAGE_UP = auto()
    PAGE_DOWN = auto()
    ROW_UP = auto()
    ROW_DOWN = auto()
    NEXT_PANE = auto()
    ZOOM_PANE = auto()  # toggles between one pane and all
    HELP = auto()


FULL_SCREEN_KEYS = frozenset(
    {
        *(Key.ESCAPE, Key.TAB_BACK, Key.PAGE_UP, Key.PAGE_DOWN, Key.ROW_UP, Key.ROW_DOWN),
        *(Key.NEXT_PANE, Key.ZOOM_PANE, Key.HELP),
    }
)
"""Keys that only a full screen uses."""

ENTERS = (b"\r\n", b"\r\0")
"""Whole ones: nothing that follows may belong to them."""

_CONTROL = {
    "\x01": Key.HOME,
    "\x02": Key.LEFT,
    "\x03": Key.CANCEL,
    "\x04": Key.END_OF_INPUT,
    "\x05": Key.END,
    "\x06": Key.RIGHT,
    "\x08": Key.BACKSPACE,
    "\t": Key.TAB,
    "\n": Key.ENTER,
    "\x0b": Key.KILL_TO_END,
    "\x0c": Key.CLEAR,
    "\r": Key.ENTER,
    "\x0e": Key.HISTORY_NEXT,
    "\x0f": Key.NEXT_PANE,
    "\x10": Key.HISTORY_PREVIOUS,
    "\x14": Key.ZOOM_PANE,
    "\x15": Key.KILL_TO_START,
    "\x17": Key.KILL_WORD_BEFORE,
    "\x19": Key.YANK,
    "\x7f": Key.BACKSPACE,
}

# What follows ESC.  Cursor keys come as CSI or as SS3 ("O"), modified ones with 3, 5 or 9
# (Alt, Ctrl, Meta); rxvt writes Oa to Od.  https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
_SEQUENCE = {
    "b": Key.WORD_LEFT,
    "f": Key.WORD_RIGHT,
    "d": Key.KILL_WORD_AFTER,
    "\x7f": Key.KILL_WORD_BEFORE,
    "\x08": Key.KILL_WORD_BEFORE,
    "[3~": Key.DELETE,
    "[1~": Key.HOME,
    "[7~": Key.HOME,
    "[4~": Key.END,
    "[8~": Key.END,
    "Oa": Key.ROW_UP,
    "Ob": Key.ROW_DOWN,
    "Oc": Key.WORD_RIGHT,
    "Od": Key.WORD_LEFT,
    "[Z": Key.TAB_BACK,
    "[5~": Key.PAGE_UP,
    "[6~": Key.PAGE_DOWN,
    "[17~": Key.NEXT_PANE,  # F6
}
for _sequence in ("OP", "[11~", "[[A"):
    _SEQUENCE[_sequence] = Key.HELP  # F1
for _sequence in ("OQ", "[12~", "[[B"):
    _SEQUENCE[_sequence] = Key.ZOOM_PANE  # F2
for _final, _key in zip(
    "ABCDHF",
    (Key.HISTORY_PREVIOUS, Key.HISTORY_NEXT, Key.RIGHT, Key.LEFT, Key.HOME, Key.END),
    strict=True,
):
    _SEQUENCE["[" + _final] = _SEQUENCE["O" + _final] = _key
for _modifier in "359":
    _SEQUENCE[f"[1;{_modifier}A"] = Key.ROW_UP
    _SEQUENCE[f"[1;{_modifier}B"] = Key.ROW_DOWN
    _SEQUENCE[f"[1;{_modifier}C"] = Key.WORD_RIGHT
    _SEQUENCE[f"[1;{_modifier}D"] = Key.WORD_LEFT

_PASTE_BEGINS, _PASTE_ENDS = "[200~", "[201~"
_TEXT = re.compile(r"[^\x00-\x1f\x7f-\x9f]+")
_INVALID = "\ufffd"
_STRINGS = "]P^_X"  # OSC, DCS, PM, APC, SOS: dropped up to the control character that ends them


class KeyParser:
    __slots__ = (
        "_after_cr",
        "_bytes",
        "_paste_chars_max",
        "_paste_left",
        "_sequence",
        "charset",
        "marks_controls",
    )

    def __init__(self, paste_chars_max: int, charset: str = "utf-8") -> None:
        self.charset, self.marks_controls = charset, False
        self._bytes = b""  # a partial character, at most 3
        self._sequence: str | None = None  # what followed ESC, while it is incomplete
        self._after_cr = False
        self._paste_chars_max = paste_chars_max
        self._paste_left: int | None = (
            None  # characters; None: no paste, -1: truncated and reported
        )

    @property
    def is_idle(self) -> bool:
        """Whether nothing is pending: the next printable byte is just that character."""
        return (
            self._sequence is None
            and self._paste_left is None
            and not self._after_cr
            and not self._bytes
        )

    @property
    def pending(self) -> bytes:
        """What is begun, for `resume`: a paste, a sequence, a character, the CR of an Enter."""
        paste = "" if self._paste_left is None else ESC + _PASTE_BEGINS
        sequence = "" if self._sequence is None else ESC + self._sequence
        return (paste + sequence).encode("ascii") + self._bytes + b"\r" * self._after_cr

    def resume(self, pending: bytes) -> None:
        """Go on where another parser has stopped.  Args: pending: Of that one."""
        for _ in self.feed(pending.removesuffix(b"\r")):
            pass  # nothing is complete
        self._after_cr = pending.endswith(b"\r")

    @property
    def has_pending_escape(self) -> bool:
        """Whether an ESC came with nothing after it: the Esc key, or the start of a sequence."""
        return self._sequence == ""

    def drop_pending_escape(self) -> None:
        """Stop waiting for what may follow an ESC."""
        self._sequence = None

    def feed(self, data: bytes) -> Iterator[str | Key]:
        """Text in runs, and keys, in the order typed."""
        text, at = self._decode(data), 0
        while at < len(text):
            if self._sequence is not None:
                is_consumed, key = self._continue_sequence(self._sequence, text[at])
                at += is_consumed
                if key is not None:
                    yield key
            elif run := _TEXT.match(text, at):
                at = run.end()
                self._after_cr = False
                if self._paste_left is None:
                    yield run[0]
                else:
                    yield from self._paste(run[0])
            else:
                char = text[at]
                at += 1
                if char == ESC:
                    self._sequence = ""
                is_second_half = self._after_cr and char in "\n\0"
                self._after_cr = char == "\r"
                if not is_second_half:
                    yield from self._control(char)

    def _decode(self, data: bytes) -> str:
        if self.charset == "latin-1":
            return latin_1_decode(data)[0]
        if self.charset == "cp437":
            return data.decode("cp437")
        data = self._bytes + data
        text, taken = utf_8_decode(data, "replace", False)
        self._bytes = data[taken:]
        return text

    def _control(self, char: str) -> Iterator[str | Key]:
        if self._paste_left is None:
            if char in _CONTROL:
                yield _CONTROL[char]
            elif self.marks_controls and char != ESC:
                yield _INVALID
        elif char in "\r\n":
            yield from self._paste(Key.ENTER)
        elif char == "\t":
            yield from self._paste(" ")
        elif char == "\x03":
            self._paste_left = None
            yield Key.CANCEL
        elif self.marks_controls and char != ESC:
            yield from self._paste(_INVALID)

    def _paste(self, what: str | Key) -> Iterator[str | Key]:
        left = self._paste_left or 0
        if left < 0:
            return
        count = len(what) if isinstance(what, str) else 1
        if count <= left:
            self._paste_left = left - count
            yield what
            return
        if isinstance(what, str) and left:
            yield what[:left]
        self._paste_left = -1
        yield Key.PASTE_TRUNCATED

    def _continue_sequence(self, sequence: str, char: str) -> tuple[bool, Key | None]:
        """Add *char* to a sequence; returns whether it belongs to it, and the key if complete."""
        extended = sequence + char
        if (char < " " or char > "~") and extended not in _SEQUENCE:
            self._sequence = None
            return False, None
        if _is_incomplete(sequence, char) and len(extended) < SEQUENCE_CHARS_MAX:
            self._sequence = extended
            return True, None
        self._sequence = None
        if extended == _PASTE_BEGINS:
            self._paste_left = self._paste_chars_max
        elif extended == _PASTE_ENDS:
            self._paste_left = None
        elif self._paste_left is None:
            return True, _SEQUENCE.get(extended)
        return True, None


def _is_incomplete(sequence: str, char: str) -> bool:
    """Whether a sequence continues after *char*."""
    if sequence == "":
        return char in "[O" or char in _STRINGS
    if sequence[0] == "[":
        return char < "@" or sequence + char == "[["  # the Linux console writes F1 as [[A
    if sequence[0] == "O":
        return char.isdigit()
    return True  # a string
