"""The output of one screen until the next tick, and notes on truncation and drops.

Rule 1: a client that lags loses chat first; a note before the next chat line counts the lost lines.
Rule 2: however much input is truncated in one tick, one note says so.
"""

from __future__ import annotations

from mudserver import metrics
from mudserver.ui.encode import encode_lines
from mudserver.ui.terminal_profile import TerminalProfile
from variants.kit.text import quantity, styled_line


class PendingOutput:
    __slots__ = ("_cuts", "_droppable", "_dropped", "chunks", "is_final", "size_bytes")

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size_bytes = 0  # bytes since the last tick
        self._droppable: list[int] = []  # indices into chunks
        self._dropped = 0  # lines, since the last note
        self._cuts: list[str] | None = None  # notes on truncated input
        self.is_final = True

    def append(self, chunk: bytes, *, droppable: bool) -> None:
        if droppable:
            self.is_final = False
            self._droppable.append(len(self.chunks))
        self.chunks.append(chunk)
        self.size_bytes += len(chunk)

    def note_truncation(self, sentence: str) -> bool:
        """Add a note on truncated input; returns whether it is new in this tick."""
        self._cuts, self.is_final = self._cuts or [], False
        is_new = sentence not in self._cuts
        if is_new:
            self._cuts.append(sentence)
        return is_new

    def finalize(self, is_lagging: bool, profile: TerminalProfile) -> None:
        """Drop chat if the client lags; insert the notes on drops and truncation."""
        chunks = self.chunks
        if is_lagging and self._droppable:
            lines = sum(chunks[at].count(b"\n") for at in self._droppable)
            self._dropped += lines
            metrics.CHAT_LINES_DROPPED.value += lines
            for at in reversed(self._droppable):
                del chunks[at]
        elif self._dropped and not is_lagging:
            chunks.insert(0, _note(f"... {quantity(self._dropped, 'line')} dropped", profile))
            self._dropped = 0
        self._droppable.clear()
        for sentence in self._cuts or ():
            chunks.append(_note(sentence, profile))
        self._cuts, self.is_final = None, not self._dropped


def _note(sentence: str, profile: TerminalProfile) -> bytes:
    return encode_lines([styled_line((sentence, "dim"))], profile)
