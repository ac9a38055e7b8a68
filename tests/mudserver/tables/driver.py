"""A table driven by hand: given requests at times, then facts and deliveries.

No loop, no clock: a `Driver` is the runner of a test.  What it has written lies in `bodies`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mudserver.config.schema import TablesConfig as Settings
from mudserver.journal import StoredRecord
from mudserver.messages import Announcement, EventMessage, Message, ViewMessage
from mudserver.outbox import Deliveries
from mudserver.tables import codec
from mudserver.tables import requests as r
from mudserver.tables.commit import commit
from mudserver.tables.decide import decide, wake_ms
from mudserver.tables.records import Record
from mudserver.tables.replay import replay_in_steps
from mudserver.tables.table import Table
from tests.toys.duel.game import DUEL
from variants.contract import Seat, Variant

SEED = bytes(range(32))
NAMES = {"a": "Ann", "b": "Bob", "c": "Cid", "d": "Dee"}


class Driver:
    def __init__(
        self,
        options: Mapping[str, str] | None = None,
        *,
        variant: Variant[Any, Any, Any, Any] = DUEL,
        **settings: Any,
    ) -> None:
        self.settings = Settings(**settings)
        self.now_ms = 1_000_000
        self.variant, self.table = variant, Table(7, variant, self.settings)
        self.bodies: list[bytes] = []
        self.deliveries: Deliveries = []  # of the last request
        self.does(r.Open("a", "Ann", options or {}))

    def does(self, request: r.Request) -> Record:
        """Settle one request, as the runner would; refusals are raised."""
        record = decide(self.table, request, self.now_ms)
        if record.facts:
            self.bodies.append(codec.encode(record))
        self.deliveries = commit(self.table, record)
        return record

    def sits(self, *people: str) -> Driver:
        for person in people:
            self.does(r.Sit(person, NAMES[person]))
        return self

    def starts(self, *people: str) -> Driver:
        self.sits(*people)
        self.all_start()
        return self

    def all_start(self, seed: bytes = SEED, last: str = "") -> Record:
        """Everybody who sits there is ready, *last* (or the newest) at last: the game starts."""
        people = sorted(self.table.seated, key=lambda person: person == last)
        return [self.does(r.Start(person, seed)) for person in people][-1]

    def plays(self, person: str, line: str = "") -> Record:
        """Play *line*, or the first legal thing."""
        game = self.table.game
        assert game is not None
        seat = game.seat_of(person)
        if not line:
            view = game.view(seat)
            line = self.variant.phrase(self.variant.legal_actions(view)[0], view, game.names)
        return self.does(r.Play(person, line))

    def computer_plays(self, seat: int) -> Record:
        window = self.window
        return self.does(r.ComputerPlay("", Seat(seat), window, None, 5))

    def passes(self, seconds: float) -> list[Record]:
        """Time passes; every tick that falls due is settled at its time."""
        end_ms, records = self.now_ms + int(seconds * 1000), []
        while (due_ms := wake_ms(self.table)) is not None and due_ms <= end_ms:
            self.now_ms = max(self.now_ms, due_ms)
            records.append(self.does(r.Tick("", SEED)))
            did = records[-1].facts or records[-1].presence_changes
            assert did, "a tick fell due and did nothing"
        self.now_ms = end_ms
        return records

    @property
    def window(self) -> str:
        game = self.table.game
        assert game is not None and game.window is not None
        return game.window.key

    def to(self, address: str, kind: type[Any] = Message) -> list[Any]:
        """What the last request sent to one address."""
        return [m for to, m in self.deliveries if to == address and isinstance(m, kind)]

    def said(self, address: str = "a") -> list[str]:
        return [m.text for m in self.to(address, Announcement)]

    def restarted(self, upto: int | None = None) -> Table:
        """A new server's table, folded from the first *upto* records of the journal."""
        table = Table(7, self.variant, self.settings)
        recover(table, self.bodies[:upto], self.now_ms)
        return table


def recover(table: Table, bodies: Sequence[bytes], now_ms: int) -> None:
    """Replay *bodies*, the records 1.. of a table, into a new one."""
    stored = [StoredRecord(n, 0, body) for n, body in enumerate(bodies, start=1)]
    for _ in replay_in_steps(table, stored):
        pass
    table.note_restart(now_ms)


def seen(table: Table, *addresses: str) -> bytes:
    """Everything these readers can see of a table, as JSON."""
    return msgspec.json.encode([[table.view_for(a), table.history_for(a)] for a in addresses])


def kinds(record: Record) -> list[type[Any]]:
    return [type(fact) for fact in record.facts]


def marks(messages: list[Any]) -> list[str]:
    return [m.mark for m in messages if isinstance(m, EventMessage)]


def views(messages: list[Any]) -> list[ViewMessage]:
    return [m for m in messages if isinstance(m, ViewMessage)]


def whole_game(driver: Driver) -> Driver:
    """Every round: all bid, the winner draws."""
    while driver.table.is_playing:
        game = driver.table.game
        assert game is not None and game.window is not None
        for seat in game.window.seats:
            if game.may_act(seat) and (person := game.seats[seat].person):
                driver.plays(person)
                break
            if game.may_act(seat):
                driver.computer_plays(seat)
                break
    return driver
