"""The events of a game, told again to somebody who asks for them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from mudserver.data_messages import HistoryEnd
from mudserver.messages import EventMessage, Message, Notice
from mudserver.service import texts

HISTORY_MAX = 1_000  # events: so many fit an inbox


def history_messages(events: Sequence[EventMessage], since: int) -> list[Message]:
    """Those of *events* behind number *since*, as they were told; the last HISTORY_MAX of them.

    Args:
        events: All of one game that its reader knows, first to last.
    """
    if not events:
        return []
    told = events[since:]
    messages: list[Message] = [replace(event, is_past=True) for event in told[-HISTORY_MAX:]]
    if len(told) > HISTORY_MAX:
        messages.insert(0, Notice(texts.HISTORY_CUT.format(HISTORY_MAX, len(told))))
    first = told[-HISTORY_MAX:][0].number if told else 0
    return [*messages, HistoryEnd(events[-1].game, first, events[-1].number)]
