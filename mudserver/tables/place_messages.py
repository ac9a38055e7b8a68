"""Which messages of a table are for those who are there, and for nobody who has gone elsewhere."""

from __future__ import annotations

from mudserver import messages as m
from mudserver.data_messages import (
    AwayData,
    GameMessage,
    OfferData,
    OfferEndedData,
    ReadinessData,
    SeatChanged,
)
from mudserver.tables.table import Table

_OF_ITS_PLACE = (
    m.LocationMessage, m.Announcement, m.EventMessage, m.ViewMessage,
    GameMessage, SeatChanged, ReadinessData, OfferData, OfferEndedData, AwayData,
)  # fmt: skip
_OF_ITS_END = (m.GameOver, m.GameSummary, m.EndExplained)


def is_of_place(table: Table, person: str, message: m.Message) -> bool:
    """Who played reads of the end anywhere, who watched does not."""
    return isinstance(message, _OF_ITS_PLACE) or (
        isinstance(message, _OF_ITS_END) and person in table.watchers
    )
