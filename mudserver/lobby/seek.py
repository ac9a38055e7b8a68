"""An offer to play, made in the lobby and without a table: what is known of one.

Rule 1: it is presence: no record holds it, and it stands while its person is here.
"""

from __future__ import annotations

from typing import NamedTuple

SEEK_MS = 1_800_000  # so long it stands
SEEKS_OF_ONE_MAX = 3
LINE_CHARS_MAX = 160  # of its options
NUMBERS = 999  # then they begin anew


class Seek(NamedTuple):
    number: int  # under which people take it
    variant: str
    line: str  # the preset and options, as they are typed behind the name of the game
    since_ms: int  # UTC

    @property
    def until_ms(self) -> int:
        return self.since_ms + SEEK_MS

    @property
    def text(self) -> str:
        """What is sought: `words short rated`."""
        return f"{self.variant} {self.line}".rstrip()
