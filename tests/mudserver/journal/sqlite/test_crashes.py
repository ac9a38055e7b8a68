"""The process dies after each statement of a snapshot, a trim, a group of records and a pruning.

Whatever step it was: the file is whole, a group is there or not, and the account is the same.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.events import AccountEvent, PreferenceSet
from mudserver.journal import Pruning
from mudserver.journal.sqlite.batch import PendingGroup, PendingItem, PendingRecord
from mudserver.journal.sqlite.inspector import open_inspector
from mudserver.journal.sqlite.store import SqliteStore

DIED = 9
STATEMENTS_MAX = 40
real_connect = sqlite3.connect


class DyingConnection(sqlite3.Connection):
    """The process ends after so many of its statements."""

    left = STATEMENTS_MAX

    def execute(self, *args):
        return self._count(super().execute(*args))

    def executemany(self, *args):
        return self._count(super().executemany(*args))

    def _count(self, result):
        DyingConnection.left -= 1
        if not DyingConnection.left:
            os._exit(DIED)
        return result


def die_after(statements: int, path: Path, act: Callable[[SqliteStore], object]) -> bool:
    """Whether *act* came to its end before so many statements."""
    child = os.fork()
    if child == 0:
        sqlite3.connect = lambda *args, **kwargs: real_connect(
            *args, factory=DyingConnection, **kwargs
        )
        store = SqliteStore(path)
        DyingConnection.left = statements
        act(store)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != DIED


def appended(store: SqliteStore, items: list[PendingItem]) -> None:
    assert [None] * len(items) == store.write(items)


def record(stream: str, sequence: int, body: bytes, closes: bool = False) -> PendingRecord:
    return PendingRecord(stream, sequence, 1_000 * sequence, body, closes)


def an_account() -> tuple[Accounts, list[list[AccountEvent]]]:
    """An account, and the records that made it."""
    accounts, made = Accounts(), []

    def does(events: list[AccountEvent]) -> None:
        for event in events:
            accounts.apply(event)
        made.append(events)

    does(accounts.open_account("p1", "Ann", 5))
    does(accounts.set_password("p1", "$hash$", 6))
    for n in range(20):
        does([PreferenceSet("p1", "width", str(40 + n), n)])
    return accounts, made


def folded(path: Path) -> tuple[Accounts, int]:
    """The account in the file, and its last sequence; the file is sound."""
    accounts = Accounts()
    with open_inspector(path) as inspector:
        assert [] == inspector.find_flaws()
        stored = inspector.read("person/1")
    for event in (event for each in stored for event in decode(each.body)):
        accounts.apply(event)
    return accounts, stored[-1].sequence


@pytest.fixture
def account(tmp_path) -> tuple[Path, Accounts, bytes]:
    """A file with the account and a closed table, the account, and a snapshot of it."""
    accounts, made = an_account()
    store, path = SqliteStore(tmp_path / "journal.db"), tmp_path / "journal.db"
    appended(store, [record("person/1", n, encode(events)) for n, events in enumerate(made, 1)])
    for number in (1, 2, 3):
        appended(store, [record(f"table/{number}", n, b"x" * 5_000, n == 9) for n in range(1, 10)])
    store.close()
    return path, accounts, encode(accounts.snapshot("p1", 99))


def same(accounts: Accounts, found: Accounts) -> bool:
    return accounts.by_id("p1") == found.by_id("p1") is not None


def test_dying_in_a_snapshot_or_a_trim_leaves_the_same_account(account):
    path, accounts, snapshot = account
    start = path.read_bytes()

    def compact(store: SqliteStore) -> None:
        appended(store, [record("person/1", 23, snapshot)])
        store.trim("person/1")

    found = set()
    for statements in range(1, STATEMENTS_MAX):
        path.write_bytes(start)
        is_done = die_after(statements, path, compact)
        store = SqliteStore(path)  # the next start
        sequence = len(store.read("person/1", 0))
        store.trim("person/1")
        store.close()
        now, last = folded(path)
        assert same(accounts, now)
        found.add((sequence, last))
        if is_done:
            break
    assert is_done
    # Nothing of it yet; the snapshot behind its past; the snapshot alone.
    assert {(22, 22), (23, 23), (1, 23)} == found


def test_dying_in_a_group_leaves_all_of_it_or_nothing(account):
    path, _, snapshot = account
    start = path.read_bytes()
    group = PendingGroup(
        (record("person/1", 23, snapshot), record("site/1", 1, b"a"), record("site/1", 2, b"b")),
        (),
        (),
    )
    found = []
    for statements in range(1, STATEMENTS_MAX):
        path.write_bytes(start)
        is_done = die_after(statements, path, lambda store: appended(store, [group]))
        store = SqliteStore(path)
        found.append((len(store.read("person/1", 22)), len(store.read("site/1", 0))))
        appended(store, [record("person/1", 23 + found[-1][0], b"[]")])
        store.close()
        if is_done:
            break
    assert is_done and {(0, 0), (1, 2)} == set(found)


def test_dying_while_pruning_leaves_whole_tables(account):
    path, accounts, _ = account
    start = path.read_bytes()
    found = []
    for statements in range(1, STATEMENTS_MAX):
        path.write_bytes(start)
        is_done = die_after(
            statements, path, lambda store: store.prune(Pruning(2, 50_000), "table/3", None)
        )
        store = SqliteStore(path)
        found.append([len(store.read(f"table/{number}", 0)) for number in (1, 2, 3)])
        store.close()
        assert same(accounts, folded(path)[0])
        if is_done:
            break
    assert is_done
    assert [[9, 9, 9], [0, 0, 9]] == [each for n, each in enumerate(found) if each not in found[:n]]
