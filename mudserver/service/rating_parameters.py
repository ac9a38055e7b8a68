"""The parameters of ratings as they are recorded, and the anchors that count.

Rule 1: the first rated game of all is recorded with the parameters, in its transaction, and so is
        the first one of a season where the code has others by then.  In a season nothing changes.
Rule 2: a game is rated by the anchors that are recorded last, or by those of the code if it is the
        one that records them.
"""

from __future__ import annotations

from collections.abc import Mapping

from mudserver.journal import Journal
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import ParametersSet, decode
from mudserver.results.rating import PARAMETERS
from mudserver.results.rows import PARAMETERS_AT
from mudserver.results.seasons import season_start_ms
from mudserver.service.result_streams import ResultStreams
from variants.catalogue import Catalogue


class RatingParameters:
    def __init__(self, journal: Journal, streams: ResultStreams, catalogue: Catalogue) -> None:
        self._journal, self._streams, self._catalogue = journal, streams, catalogue
        self._recorded: ParametersSet | None = None  # the last one that was read
        self._at = 0  # its sequence

    async def anchors(self, variant: str, now_ms: int) -> Mapping[str, float]:
        """By level, at any speed.  JournalWriteError: that is not known now."""
        recorded = await self._last()
        if recorded is None or self._is_due(recorded, now_ms):
            return self._catalogue[variant].anchors
        return recorded.anchors.get(variant, {})

    async def due(self, now_ms: int) -> list[ParametersSet]:
        """What a rated game that ends now records before itself.  JournalWriteError: see above."""
        recorded = await self._last()
        if recorded is not None and not self._is_due(recorded, now_ms):
            return []
        return [self._today(now_ms)]

    def _is_due(self, recorded: ParametersSet, now_ms: int) -> bool:
        is_older = recorded.at_ms < season_start_ms(now_ms)
        return is_older and recorded != self._today(recorded.at_ms)

    def _today(self, now_ms: int) -> ParametersSet:
        """What the code has."""
        found = {name: dict(game.anchors) for name, game in self._catalogue.items() if game.anchors}
        return ParametersSet(now_ms, *PARAMETERS, anchors=found)

    async def _last(self) -> ParametersSet | None:
        at = await self._streams.mark(PARAMETERS_AT) or 0
        if at and at != self._at:
            async for piece in self._journal.read_pieces(RESULT_STREAM, at - 1):
                event = decode(piece[0].body)
                assert isinstance(event, ParametersSet), at
                self._recorded, self._at = event, at
                break
        return self._recorded if at else None
