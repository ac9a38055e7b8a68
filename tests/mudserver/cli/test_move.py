"""`mudserver move` there and back, and what it refuses.

Every interruption leaves both journals as they were, or moved; the same command ends the rest.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from mudserver.__main__ import main
from mudserver.atomic_file import fsync_path
from mudserver.cli import move
from mudserver.config import schema
from mudserver.errors import DataError
from mudserver.journal import Entry, IndexRow, Journal, StoredRecord, sqlite
from mudserver.journal.chain_reader import PIECE
from mudserver.journal.index import INDEX_TABLES
from mudserver.journal.interface import StoredStream
from mudserver.journal.opening import open_journal
from mudserver.journal.postgres import moving, offline
from mudserver.journal.postgres.inspector import PostgresInspector
from mudserver.journal.postgres.inspector import open_inspector as inspect_postgres
from mudserver.journal.postgres.schema import STEPS
from mudserver.journal.sqlite.inspector import SqliteInspector, open_inspector
from mudserver.journal.sqlite.journal import JOURNAL_FILE, SqliteJournal

NAMES = [f"person/{n}" for n in range(1, 4)]
Content = tuple[list[tuple[StoredStream, list[StoredRecord]]], dict[str, list[Any]], int | None]


@pytest.fixture
def address(postgres):
    """Of an empty database."""
    made = asyncio.run(postgres.make_database())
    yield made
    asyncio.run(postgres.drop_database(made))


@pytest.fixture
def server(server):
    """Beside games and accounts: what is trimmed, ranked, removed, and an index."""

    async def run() -> None:
        journal = SqliteJournal.open(server, lambda: 5_000, schema.JournalConfig())
        for sequence in (1, 2):
            await journal.append("mailbox/9", sequence, b"x")
        await journal.append("mailbox/9", 3, b'[{"type":"snapshot","id":"p9"}]')
        await journal.trim("mailbox/9")
        await journal.append("table/90", 1, b"\x00\xff", closes=True)
        await journal.rank("table/90", 1, "p9")
        rows = [IndexRow("rating", ("duel", f"p{n}", n, n, n, n)) for n in range(1, 8)]
        await journal.append_all([], index=rows)
        await journal.write_heartbeat()
        await journal.close()

    asyncio.run(run())
    return server


def content(place: Path | str) -> Content:
    opened = inspect_postgres(place) if isinstance(place, str) else open_inspector(
        place / JOURNAL_FILE)  # fmt: skip
    with opened as journal:
        assert [] == journal.find_flaws()
        streams = [(it, journal.read(it.name)) for it in journal.stored_streams()]
        rows = {table: sorted(journal.index_rows(table)) for table in INDEX_TABLES}
        return streams, rows, journal.last_alive_ms()


def moved(source: Path | str, target: Path | str, told: Any) -> str:
    status, out, err = told("move", "--from", source, "--to", target)
    assert (0, "") == (status, err)
    return out


def run_sql(address: str, *statements: str) -> list[Any]:
    async def run() -> list[Any]:
        connection = await asyncpg.connect(address, server_settings={"search_path": "lockdown"})
        try:
            return [await connection.fetch(statement) for statement in statements]
        finally:
            await connection.close()

    return asyncio.run(run())


def with_journal(place: Path | str, directory: Path, use: Callable[[Journal], Any]) -> Any:
    """A server of this place, while it plays."""
    config = schema.JournalConfig(postgres=place if isinstance(place, str) else "", server="g1")

    async def run() -> Any:
        journal = await open_journal(directory, lambda: 9_000, config)
        try:
            return await use(journal)
        finally:
            await journal.close()

    return asyncio.run(run())


# -- there and back ------------------------------------------------------------------------------


def test_a_journal_moves_there_and_back_byte_for_byte(server, address, tmp_path, told):
    before = content(server)
    assert "streams=" in moved(server, address, told)
    streams, rows, _ = content(address)
    assert (streams, rows) == before[:2] and len(streams) > 8
    moved(address, tmp_path / "back", told)
    assert before == content(tmp_path / "back")
    assert 0o600 == (tmp_path / "back" / JOURNAL_FILE).stat().st_mode & 0o777
    assert not (tmp_path / "back" / "journal.moving").exists()


def test_a_long_stream_moves_in_pieces(server, address, tmp_path, told, monkeypatch):
    async def fill() -> None:
        journal = SqliteJournal.open(server, lambda: 5_000, schema.JournalConfig())
        entries = [Entry("results/1", number, b"%d" % number) for number in range(1, 2 * PIECE + 8)]
        await journal.append_all(entries)
        await journal.close()

    asyncio.run(fill())
    before = content(server)
    longest: list[int] = []
    for inspector in (SqliteInspector, PostgresInspector):

        def noted(self: Any, stream: str, read: Any = inspector.read) -> list[StoredRecord]:
            found: list[StoredRecord] = read(self, stream)
            longest.append(len(found))
            return found

        monkeypatch.setattr(inspector, "read", noted)
    monkeypatch.setattr(moving, "BYTES_AT_ONCE", 1_000)  # written in the middle of it, too
    moved(server, address, told)
    moved(address, tmp_path / "back", told)
    assert 2 < max(longest) <= PIECE
    monkeypatch.undo()
    assert before == content(tmp_path / "back")


def test_people_play_on_at_either_place_and_it_comes_back_to_where_it_was(
    server, address, tmp_path, told
):
    async def play(journal: Journal) -> int | None:
        last = await journal.last_sequence("table/1")
        assert "table/1" in await journal.streams("table/", is_open=True)
        await journal.append("table/1", last + 1, b"x")
        await journal.write_heartbeat()
        return journal.last_alive_ms

    moved(server, address, told)
    assert 5_000 == with_journal(address, tmp_path / "var-2", play)  # clocks stood still since
    told_back = moved(address, server, told)
    (aside,) = server.glob("replaced-*")
    assert f"what was there is in {aside}" in told_back
    assert 9_000 == with_journal(server, server, play)
    before = content(server)
    assert "what was there is in the schema lockdown_replaced_" in moved(server, address, told)
    assert before[:2] == content(address)[:2]


def test_a_journal_that_was_moved_is_refused_by_servers_and_commands(
    server, address, tmp_path, told
):
    said = r"this journal was moved to PostgreSQL on \d+-\d\d-\d\d; use it there, or move it back"
    moved(server, address, told)
    with pytest.raises(DataError, match=said):
        SqliteJournal.open(server, lambda: 0, schema.JournalConfig())
    for words in (("check", "--data", server), ("reindex", "--data", server),
                  ("move", "--from", server, "--to", address)):  # fmt: skip
        status, _, err = told(*words)
        assert os.EX_DATAERR == status and "moved to PostgreSQL" in err
    moved(address, tmp_path / "back", told)
    with pytest.raises(DataError, match="this journal was moved to SQLite on"):
        with_journal(address, tmp_path / "var-2", lambda journal: None)
    status, _, err = told("move", "--from", address, "--to", tmp_path / "again")
    assert os.EX_DATAERR == status and "moved to SQLite" in err


def test_a_server_that_slept_over_a_move_writes_nothing_more(server, address, tmp_path, told):
    moved(server, address, told)

    async def sleep(journal: Any) -> int:
        await journal.append("table/95", 1, b"x")
        await asyncio.to_thread(run_sql, address, "update server set until = '2000-01-01'")
        status = await asyncio.to_thread(main, ["move", "--from", address, "--to", str(back)])
        for stream in ("table/95", "person/95"):
            with pytest.raises(Exception, match="has taken over from g1"):
                await journal.append(stream, 2, b"late")
        return status

    back = tmp_path / "back"
    assert 0 == with_journal(address, tmp_path / "var-2", sleep)
    assert 1 == len({it.name: them for it, them in content(back)[0]}["table/95"])


# -- what is refused -----------------------------------------------------------------------------


def refused(told: Any, source: object, target: object, sentence: str) -> None:
    status, out, err = told("move", "--from", source, "--to", target)
    assert status and "" == out and 1 == len(err.splitlines()) and sentence in err


def test_places_that_make_no_sense_are_refused_in_a_sentence(server, address, tmp_path, told):
    both = "one of --from and --to is a data directory"
    refused(told, server, tmp_path / "new", both)
    refused(told, address, address, both)
    refused(told, server, "postgresql://ann:secret@db/lockdown", "a password has no place in")
    refused(told, tmp_path / "none", address, "holds no journal")
    refused(told, server, f"postgresql://nobody@/none?host={tmp_path}", "cannot be reached")
    refused(told, address, tmp_path / "new", "there is no journal in this database")
    assert not (tmp_path / "new").exists()


def test_a_server_that_runs_keeps_its_journal(server, address, tmp_path, told):
    async def refuse(journal: Journal) -> None:
        await asyncio.to_thread(refused, told, *places, sentence)

    places: tuple[Any, Any] = server, address
    sentence = f"{server} is in use by a server: stop it first"
    with_journal(server, server, refuse)
    places, sentence = (address, tmp_path / "new"), "the server g1 uses the journal in PostgreSQL"
    with_journal(address, tmp_path / "var-2", refuse)
    places = server, address
    with_journal(address, tmp_path / "var-2", refuse)
    assert [] == run_sql(address, "select stream from stream")[0]
    moved(server, address, told)


def test_a_place_that_holds_another_journal_is_left_alone(server, address, tmp_path, told):
    async def play(journal: Journal) -> None:
        await journal.append("person/1", 1, b"x")

    with_journal(address, tmp_path / "other", play)
    refused(told, server, address, "holds another journal already: name an empty database")
    refused(told, address, server, "holds another journal already: name another directory")
    assert 1 == len(content(address)[0])
    with_journal(server, server, lambda journal: journal.read("person/1"))


@pytest.mark.parametrize("way", ["there", "back"])
def test_a_damaged_journal_is_not_moved(server, address, tmp_path, told, way):
    source, target = server, address
    if way == "back":
        moved(server, address, told)
        source, target = address, tmp_path / "back"
        run_sql(address, "update record set body = 'y' where stream = 'mailbox/9'")
    else:
        with closing(sqlite3.connect(server / JOURNAL_FILE, isolation_level=None)) as db:
            db.execute("update record set body = x'79' where sequence = 3")
    refused(told, source, target, "does not fit its hash")
    if way == "back":
        assert not (target / JOURNAL_FILE).exists()
        assert [] == run_sql(address, "select from meta where key = 'moved'")[0]
    else:
        assert [] == run_sql(address, "select from pg_tables where schemaname = 'lockdown'")[0]


def test_a_copy_that_is_not_what_the_source_holds_is_found(
    server, address, tmp_path, told, monkeypatch
):
    """The control: without the comparison it would be taken."""
    monkeypatch.setattr(moving.PostgresTarget, "add_rows", lambda self, table, rows: None)
    said = "the copy has other rows of rating: nothing was moved"
    refused(told, server, address, said)
    monkeypatch.undo()
    moved(server, address, told)
    monkeypatch.setattr(sqlite.moving.SqliteTarget, "add_rows", lambda self, table, rows: None)
    refused(told, address, tmp_path / "back", said)
    assert ["lock"] == os.listdir(tmp_path / "back")  # nothing that fills the disk


def test_what_is_no_journal_of_a_server_is_refused_in_a_sentence(server, address, tmp_path, told):
    run_sql(address, "create schema lockdown", "create table meta (key text primary key, "
            "value bytea not null)", "insert into meta values ('schema', 'x')")  # fmt: skip
    said = "the journal in PostgreSQL is damaged: schema in meta is no number"
    refused(told, address, tmp_path / "new", said)
    refused(told, server, address, said)
    with pytest.raises(DataError, match=said):
        with_journal(address, tmp_path / "var-2", lambda journal: None)
    run_sql(address, "update meta set value = '99'")
    newer = f"has schema 99, and this server has {len(STEPS)}: start"
    refused(told, address, tmp_path / "new", newer)
    run_sql(address, "drop schema lockdown cascade")
    moved(server, address, told)
    (tmp_path / "full" / "journal.moving").mkdir(parents=True)
    refused(told, address, tmp_path / "full", "journal.moving cannot be written: ")


def test_a_connection_that_ends_in_mid_command_is_a_sentence(server, address, told, monkeypatch):
    """asyncpg raises an error of its own then, that is none of PostgreSQL's."""

    def end(self: object, table: str, columns: object, rows: object) -> None:
        async def fail() -> None:
            raise asyncpg.InternalClientError("got result for unknown protocol state 13")

        self.run(fail())  # type: ignore[attr-defined]

    monkeypatch.setattr(offline.Offline, "copy", end)
    refused(told, server, address, "PostgreSQL: got result for unknown protocol state")


# -- SIGKILL -------------------------------------------------------------------------------------


def killed_at(step: int, source: object, target: object) -> bool:
    """Move in a process of its own, and kill it at a step; whether it came so far."""
    process = os.fork()
    if process == 0:
        left = [step]

        def counted(function: Any) -> Any:
            def call(*values: Any, **named: Any) -> Any:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*values, **named)

            return call

        status = 1
        try:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
            offline.Offline.run = counted(offline.Offline.run)  # type: ignore[method-assign]
            target_class = sqlite.moving.SqliteTarget
            target_class.add_stream = counted(target_class.add_stream)  # type: ignore[method-assign]
            os.replace = counted(os.replace)
            for module in (move, sqlite.moving, sqlite.database):
                module.fsync_path = counted(fsync_path)  # type: ignore[attr-defined]
                module.open_database = counted(sqlite.database.open_database)  # type: ignore[attr-defined]
            status = main(["move", "--from", str(source), "--to", str(target)])
        finally:
            os._exit(status)
    status = os.waitpid(process, 0)[1]
    assert status in (0, signal.SIGKILL)
    return status == signal.SIGKILL


def check_kills(server: Path, address: str, tmp_path: Path, told: Any, every: int) -> int:
    """Kill both ways at every such step, and end what is left to do; how many were killed."""
    kept, kills = tmp_path / "kept", 0
    shutil.copytree(server, kept)
    before = content(server)
    for way in ("there", "back"):
        step = 0
        while True:
            run_sql(address, *(
                f"drop schema {row[0]} cascade" for row in run_sql(
                    address, "select nspname from pg_namespace where nspname like 'lockdown%'")[0]
            ))  # fmt: skip
            source: Any = tmp_path / f"{way}-{step}"
            shutil.copytree(kept, source)
            target: Any = address
            if way == "back":
                moved(source, address, told)
                source, target = address, source  # its own former directory
            if not killed_at(step, source, target):
                break
            kills += 1
            try:
                is_here = before[:2] == content(source)[:2]
            except DataError as exc:
                assert "was moved to" in str(exc)
                is_here = False
            if is_here:
                moved(source, target, told)
            assert before[:2] == content(target)[:2]
            step += every
        assert before[:2] == content(target)[:2]
    return kills


def test_a_move_that_is_killed_leaves_one_whole_journal_and_can_be_repeated(
    server, address, tmp_path, told
):
    assert check_kills(server, address, tmp_path, told, every=13) > 3


@pytest.mark.prove
def test_a_move_is_killed_at_every_step(server, address, tmp_path, told):
    kills = check_kills(server, address, tmp_path, told, every=1)
    print(f"moves killed: {kills}")
    assert kills > 20
