"""Three people at bare sockets, and a real server that may die: what the proofs play with.

Rule 1: after a death a copy of the disk says what is durable, before anything is started on it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from mudserver.accounts.preferences import PREFERENCES
from mudserver.config.schema import Config
from mudserver.journal.sqlite.store import SqliteStore
from mudserver.session.folding import Folding
from mudserver.session.presenter import message_lines
from mudserver.session.render_profile import render_profile
from mudserver.tables import records as f
from mudserver.tables.table import Table
from mudserver.transport.link import Terminal
from mudserver.ui.encode import encode_lines
from tests.e2e.client import Server
from tests.memory_journal import Disk
from tests.prompts import TABLE_1
from tests.proofs.rawtelnet import Gone, RawTelnet
from tests.simulation.disk import Folded, fold
from tests.simulation.server import World as Kept
from tests.simulation.server import plain, replace_sections
from variants.catalogue import CATALOGUE

NAMES = ("ann", "bob", "cid")
ASKED_S = 60.0  # until somebody is asked, whatever happens to the table
SETTINGS_FOR_SPEED = """
[session]
lines_per_s = 100_000
lines_burst = 100_000
tick_ms = 1
[people]
argon2_memory_kib = 8
argon2_passes = 1
[sources]
exempt = ["127.0.0.0/8"]
[door]
telnet_wait_s = 0.01
[tables]
plays_per_person_per_s = 100_000
plays_burst = 100_000
"""


@dataclass
class CrashRun:
    """One server that dies often, and three people who come back each time."""

    directory: Path
    rng: Random
    variant: str
    settings: str = SETTINGS_FOR_SPEED
    is_over: bool = False  # the game, or there was none yet
    acknowledged: int = 0  # plays
    in_flight_kept: int = 0
    in_flight_lost: int = 0
    starts_ms: list[float] = field(default_factory=list)
    clients: list[RawTelnet] = field(default_factory=list)

    def __post_init__(self) -> None:
        speed = self.directory / "speed.toml"
        speed.write_text(self.settings)
        self.server = Server(self.directory / "data", "--config", str(speed))

    def begin(self, options: str = "clocks=off") -> None:
        self.start()
        ann, bob, cid = self.clients
        ann.type(f"open {self.variant} pace=instant {options}")
        ann.wait_for(f"{TABLE_1}$")
        for client in (bob, cid):
            client.type("sit 1")
            client.wait_for(f"{TABLE_1}$")
        self.is_over = True

    def start(self) -> None:
        began = time.monotonic()
        self.server.start()
        self.starts_ms.append(1000 * (time.monotonic() - began))
        self.clients = [RawTelnet(self.server.telnet_port, name) for name in NAMES]
        for client in self.clients:
            client.come_in()

    # -- playing ---------------------------------------------------------------------------------

    def everybody(self, client: RawTelnet, line: str) -> None:
        """*client* types *line*, and everybody hears what comes of it."""
        for each in self.clients:
            each.settle()
        client.type(line)
        for each in self.clients:
            each.wait_answer()

    def asked(self) -> list[RawTelnet]:
        """Those who are asked to play, once somebody is."""
        end_s = time.monotonic() + ASKED_S
        while not (asked := [client for client in self.clients if client.is_asked]):
            heard = [client.text for client in self.clients]
            assert time.monotonic() < end_s, f"nobody is asked; heard: {heard}"
            for client in self.clients:
                client.catch_up()
        return asked

    def next_play(self) -> tuple[RawTelnet, str]:
        """Somebody who is asked, and one of the plays that `moves` lists."""
        if self.is_over:
            for client in self.clients:
                client.settle()
                client.type("start")
                client.wait_answer()
            self.is_over = False
        mover = self.rng.choice(self.asked())
        moves = [row[2:] for row in mover.ask("moves") if row.startswith("- ")]
        return mover, self.rng.choice(moves)

    def play(self) -> None:
        self.everybody(*self.next_play())
        self.acknowledged += 1
        self.is_over = any("Game over: " in client.text for client in self.clients)

    def looks(self) -> list[list[str]]:
        return [client.ask("look") for client in self.clients]

    # -- dying -----------------------------------------------------------------------------------

    def die(self) -> None:
        """One death: play a little, be killed, come back, compare."""
        for _ in range(self.rng.randrange(6)):
            self.play()
        mover, line = self.next_play()
        seen = self.looks()  # and everything said before has arrived
        is_in_flight, was_heard = self.rng.random() < 0.7, False
        if is_in_flight:
            for client in self.clients:
                client.settle()
            mover.type(line)
            time.sleep(self.rng.random() * 0.006)
        else:
            self.everybody(mover, line)
            self.acknowledged += 1
        self.server.kill()
        for client in self.clients:
            was_heard = self.drained(client) or was_heard
            client.close()

        folded = self.durable()
        self.is_over = not folded.table.is_playing
        kept = played(folded) - self.acknowledged
        if is_in_flight:
            assert kept in ((1,) if was_heard else (0, 1)), (kept, was_heard)
            self.in_flight_kept += kept
            self.in_flight_lost += 1 - kept
            self.acknowledged += kept
        else:
            assert 0 == kept, "an acknowledged play is lost, or was made twice"

        self.start()
        expected = [rows_of(folded.table, name, look) for name in NAMES]
        if is_in_flight and not kept:
            assert seen == expected
        for client, rows in zip(self.clients, expected, strict=True):
            while "\n".join(rows) not in "\n".join(client.rows):  # it comes unasked
                client.read()
        for client in self.clients:
            assert rows_of(folded.table, client.name, history) == client.ask("history")
        assert expected == self.looks()

    def drained(self, client: RawTelnet) -> bool:
        """Whether anything came over the line since it was last forgotten."""
        try:
            while True:
                client.read()
        except Gone:
            return bool(client.rows)

    def durable(self) -> Folded:
        """The table as a copy of the dead server's disk has it, its chain verified."""
        copy = self.directory / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.server.data, copy, ignore=shutil.ignore_patterns("*.sock"))
        [path] = copy.glob("*.db")
        store = SqliteStore(path)
        try:
            disk = Disk({"table/1": list(store.read("table/1", 0))})
        finally:
            store.close()
        return fold(Kept(0, disk, replace_sections(Config())), 1)


def played(folded: Folded) -> int:
    """How many plays people made, in all games."""
    plays = [play for scenario in folded.games.values() for play in scenario.game.plays]
    return sum(isinstance(play, f.Played) and play.by == "person" for play in plays)


# -- what should stand on a screen -----------------------------------------------------------------


READER = render_profile(Terminal(), lambda key: PREFERENCES[key].default)


def rows_of(table: Table, name: str, show: Callable[[Table, str], list[Any]]) -> list[str]:
    [person] = [o.person for o in table.roster if o.name == name]
    lines = [row for message in show(table, person or "") for row in lines_of(message)]
    return [
        row
        for row in plain(encode_lines(lines, READER.terminal_profile)).split("\n")
        if row.strip()
    ]


def lines_of(message: Any) -> list[Any]:
    return message_lines(message, READER, 0, True, CATALOGUE)


def look(table: Table, person: str) -> list[Any]:
    return [table.view_for(person, "look")]


def history(table: Table, person: str) -> list[Any]:
    """As the session shows it: what is past, folded."""
    past = [replace(event, is_past=True) for event in table.history_for(person)]
    clock: Any = None  # nothing past is held back
    return Folding(CATALOGUE, clock, lambda held: None, lambda it: not lines_of(it)).fold(past)
