"""What tables use of the rest of the server, and no more of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from mudserver.bots.interface import BotClient
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.journal import Entry, Journal
from mudserver.outbox import Outbox
from mudserver.source_budgets import SourceBudgets
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.searching_tables import SearchingTables
from mudserver.tables.summary import FinishedGame

AppendResult = Callable[[Entry, FinishedGame], Awaitable[Mapping[str, str]]]
"""Append the record that ends a game with what accounts remember of it: all or nothing.

Returns a sentence for some of these people, by id, once they have read how the game ended.
"""


@dataclass
class TableServices:
    """What every table works with."""

    journal: Journal
    outbox: Outbox
    clock: Clock
    bots: BotClient
    config: TablesConfig  # the manager replaces them when the configuration is reloaded
    make_seed: Callable[[], bytes]  # 256 secret bits  [G-02]
    announce: Callable[[str], None]  # says a sentence in the lobby
    on_move: Callable[[str, int | None], None]  # a person is at that table now; None: at none
    budgets: SourceBudgets
    source_of: Callable[[str], str]  # of a person's session; "": the person is not online
    searching: SearchingTables
    append_result: AppendResult
    people: PeopleNow
