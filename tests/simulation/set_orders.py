"""An evening in which everything that is listed has many entries, with planted orders of sets.

Sets of texts are ordered by the hash seed of the process.  What a person reads or the journal keeps
must not be: then the same evening in another process is another one.  `python -m
tests.simulation.set_orders` prints a hash, and for each plant a digest of the evening.

Rule 1: each list is of PEOPLE or as many, so that two hash seeds do not give the same order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from hashlib import sha256
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from mudserver.accounts.accounts import Accounts
from mudserver.config import schema
from mudserver.lobby.lobby import Lobby
from mudserver.service.relations import Relations
from mudserver.service.table_lists import TableLists
from mudserver.tables.manager import TableManager
from tests.memory_journal import MemoryJournal
from tests.simulation.server import Seatholder, SimServer, new_world
from tests.simulation.virtual import run

PEOPLE = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")
GAMES = ("stockpile", "words", "elimination")
CHANNELS = ("chat", "bots", *GAMES)
LISTS = ("who", "who friends", "tables", "friends", "ignore", "channels", "finger bob", "history",
         "look", "moves")  # fmt: skip
DONE_S = 0.5  # virtual, of a line


async def evening() -> str:
    """A digest of all that is durable, and of all bytes and their times, for everyone."""
    world = new_world(1, journal=schema.JournalConfig(snapshot_records=10))
    server = await SimServer(world).open()
    people = [server.person(name, is_program=name in PEOPLE[-2:]) for name in PEOPLE]
    await asyncio.sleep(DONE_S)

    async def types(person: Seatholder, line: str) -> None:
        person.type(line)
        await asyncio.sleep(DONE_S)

    ann, bob, *others = people
    for number, person in enumerate(others):
        await types(person, f"open {GAMES[number % 3]}")
    for line in (*(f"friend {name}" for name in PEOPLE[1:]), *map("join {}".format, CHANNELS)):
        await types(ann, line)  # enough for a snapshot
    for stranger in PEOPLE[2:]:
        await types(bob, f"ignore {stranger}")
    await types(people[-1], "bot 3")
    await types(people[-1], "start")
    for reader in (ann, bob, people[-2], people[-1]):
        for line in LISTS:
            await types(reader, line)
    await server.stop()
    wire = sha256(repr([(it.name, it.link.received) for it in people]).encode())
    return f"{MemoryJournal(disk=world.disk).digest()} {wire.hexdigest()}"


# -- planted ---------------------------------------------------------------------------------------


def by_hash(found: Any, key: Callable[[Any], str]) -> list[Any]:
    """As of a set of the texts that *key* has of them."""
    by_key = {key(each): each for each in found}
    return [by_key[each] for each in set(by_key)]


def who(plant: Plant) -> None:
    right = Lobby.listed

    def listed(self: Lobby, among: Any = None) -> Any:
        people, total = right(self, among)
        return by_hash(people, lambda it: it.person.name), total

    plant(Lobby, "listed", listed)


def tables(plant: Plant) -> None:
    right = TableLists.listed

    def listed(self: TableLists, games: Any, only: Any) -> Any:
        found, more = right(self, games, only)
        return by_hash(found, lambda it: f"table {it.number}"), more

    plant(TableLists, "listed", listed)


def friends(plant: Plant) -> None:
    right = Relations.friends

    async def unordered(self: Relations, person: Any) -> Any:
        found = await right(self, person)
        rows = by_hash(found.friends, lambda it: it.name)
        return replace(found, friends=tuple(rows))

    plant(Relations, "friends", unordered)


def a_stored_record(plant: Plant) -> None:
    """The snapshot of an account, which nobody reads."""
    right = Accounts.snapshot

    def snapshot(self: Accounts, account_id: str, at_ms: int) -> Any:
        (fact,) = right(self, account_id, at_ms)
        stored = replace(fact.account, friends=tuple(set(fact.account.friends)))
        return [replace(fact, account=stored)]

    plant(Accounts, "snapshot", snapshot)


def a_view(plant: Plant) -> None:
    """The plays that a program may type."""
    right = TableManager.moves_for_view

    def moves(self: TableManager, message: Any) -> Any:
        found = right(self, message)
        return found and tuple(set(found))

    plant(TableManager, "moves_for_view", moves)


Plant = Callable[[Any, str, Any], None]
PLANTS: Mapping[str, Callable[[Plant], None]] = {
    each.__name__: each for each in (who, tables, friends, a_stored_record, a_view)
}


def digests() -> Iterator[tuple[str, str]]:
    """Of the evening as it is, called "nothing", and with each plant."""
    yield "nothing", run(evening())
    for name, plant in PLANTS.items():
        with ExitStack() as planted:
            plant(
                lambda owner, attribute, wrong: planted.enter_context(
                    patch.object(owner, attribute, wrong)
                )
            )
            yield name, run(evening())


if __name__ == "__main__":
    print(hash("a"))
    for name, digest in digests():
        print(name, digest)
