"""What one screen will write at the next tick, and what is to be said about cuts and drops.

Rule 1: a reader who lags loses chat first, and is told how many lines before the next one [E6].
Rule 2: whatever is cut in one tick, one sentence says so once.
"""

from __future__ import annotations

from mudserver import tally
from mudserver.ui.look import Look
from mudserver.ui.paint import painted
from variants.kit.text import counted, line


class Outgoing:
    __slots__ = ("_cuts", "_droppable", "_dropped", "is_settled", "paints", "size")

    def __init__(self) -> None:
        self.paints: list[bytes] = []
        self.size = 0  # bytes since the last tick
        self._droppable: list[int] = []  # places in paints
        self._dropped = 0  # lines, since the last word about it
        self._cuts: list[str] | None = None  # what to say about cut input
        self.is_settled = True

    def put(self, paint: bytes, *, droppable: bool) -> None:
        if droppable:
            self.is_settled = False
            self._droppable.append(len(self.paints))
        self.paints.append(paint)
        self.size += len(paint)

    def cut(self, sentence: str) -> bool:
        """Whether *sentence* is yet to be said in this tick."""
        self._cuts, self.is_settled = self._cuts or [], False
        is_new = sentence not in self._cuts
        if is_new:
            self._cuts.append(sentence)
        return is_new

    def settle(self, is_lagging: bool, look: Look) -> None:
        """Drop chat where the reader lags; put in what is to be said about drops and cuts."""
        paints = self.paints
        if is_lagging and self._droppable:
            lines = sum(paints[at].count(b"\n") for at in self._droppable)
            self._dropped += lines
            tally.DROPPED_CHAT.value += lines
            for at in reversed(self._droppable):
                del paints[at]
        elif self._dropped and not is_lagging:
            paints.insert(0, _note(f"... {counted(self._dropped, 'line')} dropped", look))
            self._dropped = 0
        self._droppable.clear()
        for sentence in self._cuts or ():
            paints.append(_note(sentence, look))
        self._cuts, self.is_settled = None, not self._dropped


def _note(sentence: str, look: Look) -> bytes:
    return painted([line((sentence, "dim"))], look)
