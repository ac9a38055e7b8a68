"""What follows from the games on other servers of the journal: lists, calls, notices.

Rule 1: outside the servers a person is told one thing at a time.  It is a hint: two servers that
        tell the same person in one moment both do.
"""

from __future__ import annotations

from mudserver.cluster.directory import Directory
from mudserver.cluster.events import Noticed
from mudserver.cluster.exchange import Exchange
from mudserver.service.game_service import GameService


def join_games(exchange: Exchange, directory: Directory, service: GameService) -> None:
    """Tell the other servers of each notice, heed theirs, and what their tables tell."""

    def tell(person: str, at_ms: int) -> None:
        exchange.tell(Noticed(person, at_ms))

    service.notices.on_sent = tell
    exchange.on(Noticed, lambda server, it: service.notices.note_sent(it.person, it.at_ms))
    directory.on_table = service.programs.note_change
    directory.on_asked = service.own_games.tell_of_move
