"""Everything the house says to a terminal that is not text.

Rule 1: this is the only file that writes an ESC.  Whoever needs a sequence imports it from here.
Rule 2: nothing here takes text from people; parameters are numbers and the theme's own codes.
Rule 3: no sequence asks the terminal a question: an answer would arrive as typing.

Source: ECMA-48; bracketed paste: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
"""

from __future__ import annotations

ESC = "\x1b"
BELL = b"\a"
NEWLINE = b"\r\n"
ERASE_LEFT = b"\b \b"  # the one erasure that a terminal without CSI knows; one cell

ERASE_ROW = b"\r\x1b[K"  # to column 0, then erase to the end of the row
CLEAR_SCREEN = b"\x1b[H\x1b[2J"
BRACKETED_PASTE_ON = b"\x1b[?2004h"  # from now on a paste comes between CSI 200 ~ and CSI 201 ~
BRACKETED_PASTE_OFF = b"\x1b[?2004l"
SGR_RESET = "\x1b[0m"
LEAVE_FULL_SCREEN = b"\x1b[0m\x1b[?25h\x1b[?7h\x1b[?2004l\x1b[?1049l"
"""After a full screen, in whatever state it is: plain, cursor seen, rows wrap, no paste mode, and
back to what the terminal showed before."""


def cursor_left(cells: int) -> bytes:
    """Move the cursor *cells* (1 or more) to the left."""
    return b"\x1b[%dD" % cells


def sgr(codes: str) -> str:
    """Switch to a rendition, for example "1;31"; `SGR_RESET` ends it."""
    return f"\x1b[{codes}m"
