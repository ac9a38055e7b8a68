"""What a terminal has lost: chat that a lagging client was not sent, and input that was truncated.

Rule 1: a client that lags loses chat first; a note before the next output counts the lost lines.
Rule 2: however much input is truncated in one tick, one note says so.
"""

from __future__ import annotations

from mudserver import metrics
from mudserver.ui.encode import encode_lines
from mudserver.ui.terminal_profile import TerminalProfile
from variants.kit.text import quantity, styled_line


class OutputLosses:
    """Of one screen, made for the first loss: most screens have none."""

    __slots__ = ("_cuts", "_dropped")

    def __init__(self) -> None:
        self._dropped = 0  # lines, since the last note
        self._cuts: list[str] = []  # notes on truncated input

    def note_truncation(self, sentence: str) -> bool:
        """Add a note on truncated input; returns whether it is new in this tick."""
        is_new = sentence not in self._cuts
        if is_new:
            self._cuts.append(sentence)
        return is_new

    def drop(self, chunks: list[bytes], droppable: int) -> list[bytes]:
        """The output of a tick without chat.  Args: droppable: a bit for each chunk of chat."""
        lost = [chunk for at, chunk in enumerate(chunks) if droppable >> at & 1]
        lines = sum(chunk.count(b"\n") for chunk in lost)
        self._dropped += lines
        metrics.CHAT_LINES_DROPPED.value += lines
        return [chunk for at, chunk in enumerate(chunks) if not droppable >> at & 1]

    def add_notes(
        self, chunks: list[bytes], profile: TerminalProfile, *, is_lagging: bool
    ) -> list[bytes]:
        """The output of a tick with the notes that are due."""
        if self._dropped and not is_lagging:
            chunks = [_note(f"... {quantity(self._dropped, 'line')} dropped", profile), *chunks]
            self._dropped = 0
        cuts, self._cuts = self._cuts, []
        return [*chunks, *(_note(sentence, profile) for sentence in cuts)]


def _note(sentence: str, profile: TerminalProfile) -> bytes:
    return encode_lines([styled_line((sentence, "dim"))], profile)
