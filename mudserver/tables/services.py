"""What tables use of the rest of the server, and no more of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.bots.interface import BotClient
from mudserver.clock import Clock
from mudserver.config.schema import TablesConfig
from mudserver.data_messages import GameOverSince2, RatingChange
from mudserver.journal import Claim, Entry, Journal
from mudserver.messages import Message
from mudserver.outbox import Deliveries, Outbox
from mudserver.source_budgets import SourceBudgets
from mudserver.tables.rated_start import WhyUnrated
from mudserver.tables.records import Opened
from mudserver.tables.replaced_person import PeopleNow
from mudserver.tables.searching_tables import SearchingTables
from mudserver.tables.summary import EndedGame, FinishedGame


class Appended(NamedTuple):
    """What is told once people have read how the game ended."""

    text: str = ""  # to everybody at the table
    number: int | None = None  # of the game; None: it is not recorded
    ratings: tuple[RatingChange | None, ...] = ()  # by seat; empty: it is unrated
    advice: Mapping[str, str] = {}  # to some of them, by id


def with_number(deliveries: Deliveries, appended: Appended) -> Deliveries:
    """The same; programs read with the end of a game its number, and the ratings."""
    if appended.number is None:
        return deliveries
    # One object for all readers: what they read is rendered once.
    known: dict[int, Message] = {}
    for _, message in deliveries:
        if isinstance(message, GameOverSince2) and id(message) not in known:
            ratings = appended.ratings
            known[id(message)] = replace(message, number=appended.number, ratings=ratings)
    return [(person, known.get(id(message), message)) for person, message in deliveries]


AppendResult = Callable[[Entry, EndedGame, FinishedGame | None, str], Awaitable[Appended]]
"""Append the record that ends a game with its result and what accounts remember: all or nothing.

The last argument is the source of who opened the table; "": it is not known.
"""


AppendOpened = Callable[[Entry, Opened, Sequence[Claim]], Awaitable[object]]
"""Append the first record of a table of a tournament, with these claims, and with the tournament's
record of it: all or nothing.  Errors: as of `Journal.append_all`, and JournalConflictError: the
place has its table."""


def opened_alone(journal: Journal) -> AppendOpened:
    """There are no tournaments."""

    async def append(entry: Entry, opened: Opened, claims: Sequence[Claim]) -> None:
        await journal.append_all([entry], claims)

    return append


def record_alone(journal: Journal) -> AppendResult:
    """There are no accounts that remember anything, and no results."""

    async def append(entry: Entry, *_: object) -> Appended:
        await journal.append_all([entry])
        return Appended()

    return append


@dataclass
class TableServices:
    """What every table works with."""

    journal: Journal
    outbox: Outbox
    clock: Clock
    bots: BotClient
    config: TablesConfig  # the manager replaces them when the configuration is reloaded
    make_seed: Callable[[], bytes]  # 256 secret bits  [G-02]
    on_move: Callable[[str, int | None], None]  # a person is at that table now; None: at none
    budgets: SourceBudgets
    source_of: Callable[[str], str]  # of a person's session; "": the person is not online
    searching: SearchingTables
    append_result: AppendResult
    append_opened: AppendOpened
    why_unrated: WhyUnrated
    people: PeopleNow
    is_elsewhere: Callable[[str, int], bool]  # a person is at another table than that one
