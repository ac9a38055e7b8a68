"""What players say in games with a delay, until watchers may hear it."""

from __future__ import annotations

from mudserver.messages import EmoteMessage, SayMessage
from mudserver.tables.held_back import HeldLine
from mudserver.tables.open_tables import OpenTables


class HeldTalk:
    def __init__(self, lists: OpenTables) -> None:
        self._lists = lists

    def hold(self, number: int, line: HeldLine) -> bool:
        """Keep what a player says until the watchers of the table may hear it.  False: they may."""
        table = self._lists.find(number)
        if table is None or table.behind is None or table.game is None:
            return False
        return table.held_back.hold(line, table.game.told_decisions)

    def is_held(self, person: str, message: SayMessage | EmoteMessage) -> bool:
        """Whether the person, who watches, may not read yet what was said at the table."""
        table = None if message.table is None else self._lists.find(message.table)
        if table is None or table.behind is None or table.seat_of(person) is not None:
            return False
        return table.held_back.has_line(message)

    def forget_said(self, person: str) -> None:
        """Watchers do not read any more what that person has said."""
        for _, table in self._lists.in_memory():
            table.held_back.remove_of(person)
