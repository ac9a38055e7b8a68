"""What one screen will write at the next tick, and what is to be said about cuts and drops.

Rule 1: a reader who lags loses chat first, and is told how many lines before the next one.
Rule 2: whatever is cut in one tick, one sentence says so once.
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
        self._droppable: list[int] = []  # places in paints
        self._dropped = 0  # lines, since the last word about it
        self._cuts: list[str] | None = None  # what to say about cut input
        self.is_final = True

    def append(self, chunk: bytes, *, droppable: bool) -> None:
        if droppable:
            self.is_final = False
            self._droppable.append(len(self.chunks))
        self.chunks.append(chunk)
        self.size_bytes += len(chunk)

    def note_truncation(self, sentence: str) -> bool:
        """Whether *sentence* is yet to be said in this tick."""
        self._cuts, self.is_final = self._cuts or [], False
        is_new = sentence not in self._cuts
        if is_new:
            self._cuts.append(sentence)
        return is_new

    def finalize(self, is_lagging: bool, look: TerminalProfile) -> None:
        """Drop chat where the reader lags; put in what is to be said about drops and cuts."""
        paints = self.chunks
        if is_lagging and self._droppable:
            lines = sum(paints[at].count(b"\n") for at in self._droppable)
            self._dropped += lines
            metrics.CHAT_LINES_DROPPED.value += lines
            for at in reversed(self._droppable):
                del paints[at]
        elif self._dropped and not is_lagging:
            paints.insert(0, _note(f"... {quantity(self._dropped, 'line')} dropped", look))
            self._dropped = 0
        self._droppable.clear()
        for sentence in self._cuts or ():
            paints.append(_note(sentence, look))
        self._cuts, self.is_final = None, not self._dropped


def _note(sentence: str, look: TerminalProfile) -> bytes:
    return encode_lines([styled_line((sentence, "dim"))], look)
