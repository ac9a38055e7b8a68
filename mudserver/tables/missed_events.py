"""What a session that goes on in this process has not been shown of its table.

Rule 1: the records behind the last one that was shown are told as `history` tells them, one by one,
        then the own view, which has changed once as if nothing else had happened; after more than
        one record it is shown whole, and then the end if the game is over.  What was shown is not
        shown again: nor is a record that was on its way to the disk when the session came, and
        of which everybody is told before the session is told what it missed.
Rule 2: what is told follows from what the reader may know.  A record of which nobody is told, such
        as an answer in secret, changes nothing.  [G-11]
"""

from __future__ import annotations

from mudserver.messages import KnownPlace, LocationMessage, Message, ViewMessage
from mudserver.outbox import Deliveries
from mudserver.tables.end_messages import end_messages, explained_end
from mudserver.tables.table import Table


def what_was_missed(
    table: Table, person: str, location: LocationMessage, seen: int
) -> list[Message]:
    """Args: seen: the record up to which the reader has been shown everything."""
    game, reader, is_away = table.game, table.reader_of(person), table.is_away(person)
    if game is None:
        return [KnownPlace(location, is_away=is_away)]
    first = sum(sequence <= seen for sequence in game.play_sequences)
    shown_count = len(game.known_events(reader, 0, first - 1)) if first else 0
    missed, end = _behind(table, person, seen)
    records = len(game.play_sequences) - first
    why = "over" if end else "changed" if records <= 1 else "back"
    view = table.view_message(reader, why)
    if not missed and table.told_sequence <= seen:
        return [KnownPlace(location, view, shown_count, is_away)]
    return [KnownPlace(location, None, shown_count, is_away), *missed, view, *end]


def without_missed(table: Table, person: str, seen: int, deliveries: Deliveries) -> Deliveries:
    """*deliveries* without what `what_was_missed` is about to tell the reader.

    Args: seen: as there.
    """
    if not 0 < seen <= table.sequence or table.game is None:
        return deliveries
    events, end = _behind(table, person, seen)
    again = [*events, *end]
    return [
        (to, message)
        for to, message in deliveries
        if to != person or not (isinstance(message, ViewMessage) or message in again)
    ]


def _behind(table: Table, person: str, seen: int) -> tuple[list[Message], list[Message]]:
    """The events behind the record *seen*, and the end, if that is behind it."""
    game = table.game
    assert game is not None
    first = sum(sequence <= seen for sequence in game.play_sequences)
    events: list[Message] = [*table.event_messages(table.reader_of(person), first)]
    if game.result_sequence <= seen:
        return events, []
    explained = explained_end(table, person)
    return events, [*end_messages(table), *([] if explained is None else [explained])]


def shown_until(table: Table, person: str, taken: int, waiting: int) -> int:
    """The record up to which all was shown; 0: nothing of this game was.

    Args:
        taken: The record up to which the session was sent all.
        waiting: How many events of it are not shown yet; they are the last ones.
    """
    if not waiting:
        return taken
    game, reader = table.game, table.reader_of(person)
    if game is None:
        return 0
    for number in reversed(range(len(game.plays))):
        if game.play_sequences[number] <= taken:
            waiting -= len(game.known_events(reader, number, number))
            if waiting <= 0:
                return game.play_sequences[number] - 1
    return 0
