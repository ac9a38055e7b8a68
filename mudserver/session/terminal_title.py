"""The title of the terminal's window: whether it is the reader's turn, else where they are; or how
many games wait for a move of theirs.

Rule 1: only for terminals that are known to take it: another one would show it as text.
Rule 2: it is written when it changes, and says nothing that the prompts do not say.
Rule 3: the terminal keeps the title that was there before, and shows it again at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from mudserver.transport.link import Terminal
from mudserver.ui import ansi

NAMED = "Lockdown: {}"
COUNTED = "({}) Lockdown"
KNOWN = (
    *("xterm", "rxvt", "screen", "tmux", "alacritty", "foot", "kitty", "wezterm", "konsole"),
    *("gnome", "putty", "mintty", "iterm", "ghostty", "vte", "contour"),
)
"""How the names of terminals begin that take a title."""


def takes_title(terminal: Terminal) -> bool:
    return terminal.is_ansi and terminal.name.lower().startswith(KNOWN)


class TerminalTitle:
    """Args: is_kept: the terminal keeps the title before already, for another process."""

    def __init__(self, write: Callable[[bytes], None], *, is_kept: bool = False) -> None:
        self._write = write
        self._shown = "?" if is_kept else ""

    @property
    def is_kept(self) -> bool:
        return bool(self._shown)

    def show(self, place: str, turn: str, moves: int = 0) -> None:
        """Args: place, turn: as the prompt has them; turn: "": somebody else's.

        moves: Games that wait for a move of the reader, if that is what the title shall say.
        """
        title = COUNTED.format(moves) if moves else NAMED.format(turn or place)
        if title != self._shown:
            keep = b"" if self._shown else ansi.KEEP_TITLE
            self._write(keep + ansi.window_title(title))
            self._shown = title

    def close(self) -> None:
        """Back to the title before."""
        if self._shown:
            self._write(ansi.RESTORE_TITLE)
            self._shown = ""
