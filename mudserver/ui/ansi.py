"""All control sequences that we send to terminals.

Rule 1: only this file writes an ESC; other modules import the sequences from here.
Rule 2: nothing here takes text from people: only numbers, the theme's own codes, and our words.
Rule 3: no sequence queries the terminal: its answer would arrive as typed input.

Source: ECMA-48; bracketed paste: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html;
        desktop notices: https://iterm2.com/documentation-escape-codes.html
"""

from __future__ import annotations

ESC = "\x1b"
BELL = b"\a"
NEWLINE = b"\r\n"
ERASE_LEFT = b"\b \b"  # erases one cell on a terminal without CSI

ERASE_ROW = b"\r\x1b[K"  # to column 0, then erase to the end of the row
CLEAR_SCREEN = b"\x1b[H\x1b[2J"
BRACKETED_PASTE_ON = b"\x1b[?2004h"  # marks a paste with CSI 200 ~ and CSI 201 ~
BRACKETED_PASTE_OFF = b"\x1b[?2004l"
SGR_RESET = "\x1b[0m"
KEEP_TITLE = b"\x1b[22;2t"  # the window's title, for RESTORE_TITLE
RESTORE_TITLE = b"\x1b[23;2t"
LEAVE_FULL_SCREEN = b"\x1b[0m\x1b[?25h\x1b[?7h\x1b[?2004l\x1b[?1049l"
"""Leaves a full screen from any state: plain text, visible cursor, wrapping, no paste mode, and
what the terminal showed before."""


def window_title(text: str) -> bytes:
    """Set the window's title to *text*, which is ASCII."""
    return b"\x1b]2;%s\x1b\\" % text.encode("ascii")


def desktop_notice(text: str) -> bytes:
    """Have the desktop show *text*, which is ASCII, beside the terminal (OSC 9, of iTerm2)."""
    return b"\x1b]9;%s\a" % text.encode("ascii")


def over_row(row: int, text: str) -> bytes:
    """Show *text*, which is ASCII, in place of all that is in a row (1: the first); the cursor
    stays where it is."""
    return b"\x1b7\x1b[%d;1H\x1b[0m\x1b[2K\x1b[7m%s\x1b[0m\x1b8" % (row, text.encode("ascii"))


def cursor_left(cells: int) -> bytes:
    """Move the cursor *cells* (1 or more) to the left."""
    return b"\x1b[%dD" % cells


def sgr(codes: str) -> str:
    """Switch to a rendition, for example "1;31"; `SGR_RESET` ends it."""
    return f"\x1b[{codes}m"
