"""Compares what everybody is told at tables with what the disk says.

Rule 1: a view goes to who sits in that seat, and to nobody else.
Rule 2: what people were told is what the journal has: nothing that a crash took back, nothing
        twice, and nothing left out while a line held.
Rule 3: watchers of a game with a delay are told several records at once, or none.  What they were
        told happened; when and in which order is judged by `test_delay.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mudserver.app import App
from mudserver.messages import (
    EventMessage,
    KnownPlace,
    LocationMessage,
    Message,
    Notice,
    ViewMessage,
)
from mudserver.outbox import Inbox, Outbox
from mudserver.tables.game import Game
from mudserver.tables.table import Table
from mudserver.tables.texts import RESUMED, RESUMED_WITHOUT_GAME
from tests.live import live_table
from tests.simulation.disk import Folded

Key = tuple[str, int, int]
"""Person, table, game."""

GOES_ON = (Notice(RESUMED), Notice(RESUMED_WITHOUT_GAME))


@dataclass
class Told:
    """The events of one record, as one person was told them."""

    after: int  # plays in the game by then
    seat: int | None
    heard: list[tuple[Any, str]]
    goes_on: bool  # the line has held since the record before


@dataclass
class Memory:
    """What all people were told at tables; it outlives the server."""

    told: dict[Key, list[Told]] = field(default_factory=lambda: defaultdict(list))
    late: dict[Key, list[tuple[Any, str]]] = field(default_factory=lambda: defaultdict(list))
    """What watchers of games with a delay were told."""
    holding: dict[str, Key] = field(default_factory=dict)
    messages: int = 0
    may_tell_again: bool = False
    """A line goes on behind a door: what was told last may not have reached the terminal."""

    def forget_lines(self) -> None:
        """Every line is cut."""
        self.holding.clear()


class TableOutbox:
    """Between the tables and the real outbox."""

    def __init__(self, app: App, memory: Memory) -> None:
        self._app, self._outbox, self._memory = app, app.outbox, memory

    def send(self, address: str, message: Message) -> None:
        self._memory.messages += 1
        if isinstance(message, EventMessage):
            self._note(address, message)
        elif isinstance(message, LocationMessage | KnownPlace) or message in GOES_ON:
            self._memory.holding.pop(address, None)  # what came while there was no session, too
        self._outbox.send(address, message)

    def send_all(self, addresses: Iterable[str], message: Message) -> None:
        for address in addresses:
            self.send(address, message)

    def inbox_of(self, address: str) -> Inbox | None:
        return self._outbox.inbox_of(address)

    def has_inbox(self, address: str) -> bool:
        return self._outbox.has_inbox(address)

    def send_each(self, deliveries: Iterable[tuple[str, Message]]) -> None:
        for address, message in deliveries:
            self.send(address, message)

    def _note(self, address: str, message: EventMessage) -> None:
        table, memory = live_table(self._app.table_manager, message.table), self._memory
        assert table is not None
        key = address, message.table, int(message.game.rpartition(".")[2])
        if _is_late(table, address, message):
            memory.late[key].append((message.event, message.mark))
            return
        assert table.game is not None and table.game.number == key[2]
        after, told = len(table.game.plays), memory.told[key]
        goes_on = memory.holding.get(address) == key
        if not told or told[-1].after != after or (memory.may_tell_again and not goes_on):
            told.append(Told(after, message.seat, [], goes_on))
            memory.holding[address] = key
        told[-1].heard.append((message.event, message.mark))


def listen(app: App, memory: Memory) -> None:
    """Start to listen: before anybody comes in, before tables are restored."""
    outbox, send = app.outbox, Outbox.send

    def checked(address: str, message: Message) -> None:
        if isinstance(message, ViewMessage):
            table = live_table(app.table_manager, message.table)
            assert table is not None
            if not _is_late(table, address, message):
                assert table.game is not None
                seat = table.game.seat_of(address)
                assert (seat, table.game.view(seat)) == (message.seat, message.view), address
        elif isinstance(message, EventMessage):
            table = live_table(app.table_manager, message.table)
            assert table is not None
            if not _is_late(table, address, message):
                assert table.game is not None
                assert table.game.seat_of(address) == message.seat, address
        send(outbox, address, message)

    outbox.send = checked  # type: ignore[method-assign]
    hall = app.table_manager
    hall._services = replace(hall._services, outbox=TableOutbox(app, memory))  # type: ignore[arg-type]


def _is_late(table: Table, address: str, message: EventMessage | ViewMessage) -> bool:
    """Whether somebody without a seat is told what was some decisions ago."""
    is_late = table.options.delay > 0 and table.seat_of(address) is None
    return is_late and message.seat is None


def check_told(folds: Mapping[int, Folded], memory: Memory) -> int:
    """What was told is on the disk, once and in order.  Answers how many events that were."""
    events = 0
    for (address, number, game), told in memory.told.items():
        scenario = folds[number].games[game]
        starts = {after: before for before, after in scenario.steps}
        last = 0
        for block in told:
            is_again = memory.may_tell_again and not block.goes_on
            is_next = block.after > last or (is_again and block.after == last)
            assert is_next, (address, number, game, "told twice", block)
            # Where the line has held, what lies between two that were told was silent.
            firsts = [last if block.goes_on else starts[block.after]]
            if is_again:
                firsts += sorted(first for first in starts.values() if first < firsts[0])[::-1]
            assert any(_known(scenario.game, block, first) == block.heard for first in firsts), (
                *(address, number, game, block.after),
            )
            last, events = block.after, events + len(block.heard)
    for (_, number, game), heard in memory.late.items():
        kept = folds[number].games[game].game.known_events(None)
        known = [(each.event, each.mark) for each in kept]
        assert all(each in known for each in heard), (number, game)
        events += len(heard)
    return events


def _known(game: Game, block: Told, first: int) -> list[tuple[Any, str]]:
    heard = game.known_events(block.seat, first, block.after - 1)  # type: ignore[arg-type]
    return [(each.event, each.mark) for each in heard]
