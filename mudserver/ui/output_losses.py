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
    __slots__ = ("_chunks", "_cuts", "_droppable", "_dropped", "size_bytes")

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size_bytes = 0  # bytes since the last tick
        self._droppable = 0  # a bit for each of _chunks
        self._dropped = 0  # lines, since the last note
        self._cuts: list[str] = []  # notes on truncated input

    def append(self, chunk: bytes, *, droppable: bool) -> None:
        chunks = self._chunks
        if droppable:
            self._droppable |= 1 << len(chunks)
        chunks.append(chunk)
        self.size_bytes += len(chunk)

    def note_truncation(self, sentence: str) -> bool:
        """Add a note on truncated input; returns whether it is new in this tick."""
        is_new = sentence not in self._cuts
        if is_new:
            self._cuts.append(sentence)
        return is_new

    def take(self, is_lagging: bool, profile: TerminalProfile) -> list[bytes]:
        """All of it, without chat if the client lags, with the notes on drops and truncation."""
        chunks, self._chunks, self.size_bytes = self._chunks, [], 0
        droppable, self._droppable = self._droppable, 0
        if is_lagging and droppable:
            lost = [chunk for at, chunk in enumerate(chunks) if droppable >> at & 1]
            chunks = [chunk for at, chunk in enumerate(chunks) if not droppable >> at & 1]
            lines = sum(chunk.count(b"\n") for chunk in lost)
            self._dropped += lines
            metrics.CHAT_LINES_DROPPED.value += lines
        elif self._dropped and not is_lagging:
            chunks.insert(0, _note(f"... {quantity(self._dropped, 'line')} dropped", profile))
            self._dropped = 0
        if self._cuts:
            chunks += [_note(sentence, profile) for sentence in self._cuts]
            self._cuts = []
        return chunks


def _note(sentence: str, profile: TerminalProfile) -> bytes:
    return encode_lines([styled_line((sentence, "dim"))], profile)
