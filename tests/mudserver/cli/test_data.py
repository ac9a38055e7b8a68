"""`backup`, `restore` and `check`, with a server that does not run and with one that does."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import signal
import sqlite3
import stat
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from mudserver import metrics
from mudserver.__main__ import main
from mudserver.cli import data
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.journal import StoredRecord
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.ops import backup_archive
from mudserver.ops.backups import BackupScheduler
from mudserver.ops.control_socket import ControlSocket
from tests.samples.make import unpacked


async def read_all(directory: Path) -> dict[str, list[StoredRecord]]:
    journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
    found = {stream: records async for stream, records in journal.read_each("")}
    await journal.close()
    return found


def test_a_backup_brings_the_same_server_back_elsewhere(server, tmp_path, told):
    unpacked(1, server)  # all games
    key = (server / "ssh_host_ed25519_key").read_text()
    status, out, err = told("backup", tmp_path / "b.tar", "--data", server)
    assert (0, "") == (status, err) and "tables=4 open=3 games=6 accounts=6 faults=0" in out
    assert 0o600 == stat.S_IMODE((tmp_path / "b.tar").stat().st_mode)
    assert 0 == told("check", tmp_path / "b.tar")[0]
    status, out, err = told("restore", tmp_path / "b.tar", "--data", tmp_path / "new")
    assert (0, "") == (status, err) and "restored from" in out
    assert key == (tmp_path / "new" / "ssh_host_ed25519_key").read_text()
    assert 0 == told("check", "--data", tmp_path / "new")[0]
    assert ["journal.db", "lock", "ssh_host_ed25519_key"] == sorted(os.listdir(tmp_path / "new"))
    assert ["b.tar", "new", "var"] == sorted(os.listdir(tmp_path))
    before, after = (asyncio.run(read_all(d)) for d in (server, tmp_path / "new"))
    assert before == after and before


def test_a_backup_overwrites_nothing(server, tmp_path, told):
    (tmp_path / "b.tar").write_text("dear diary")
    status, _, err = told("backup", tmp_path / "b.tar", "--data", server)
    assert 1 == status and "exists already: choose another name" in err
    assert "dear diary" == (tmp_path / "b.tar").read_text()


def test_restoring_over_a_server_needs_a_word_and_moves_the_old_one_aside(server, tmp_path, told):
    assert 0 == told("backup", tmp_path / "b.tar", "--data", server)[0]
    (server / "journal.db").write_bytes(b"ruined")
    (server / "journal.db-wal").write_bytes(b"ruined too")
    status, _, err = told("restore", tmp_path / "b.tar", "--data", server)
    assert 1 == status and "already holds data" in err and "--replace" in err
    status, out, err = told("restore", tmp_path / "b.tar", "--data", server, "--replace")
    assert (0, "") == (status, err)
    (aside,) = server.glob("replaced-*")
    assert str(aside) in out
    assert b"ruined" == (aside / "journal.db").read_bytes()
    assert b"ruined too" == (aside / "journal.db-wal").read_bytes()
    assert 0 == told("check", "--data", server)[0]


def test_a_server_that_is_open_is_neither_restored_nor_read_behind_its_back(server, tmp_path, told):
    assert 0 == told("backup", tmp_path / "b.tar", "--data", server)[0]
    journal = SqliteJournal.open(server, lambda: 0, schema.JournalConfig())
    for command in (("restore", tmp_path / "b.tar", "--replace"), ("check",),
                    ("backup", tmp_path / "c.tar")):  # fmt: skip
        status, _, err = told(*command, "--data", server)
        assert 1 == status and "is in use by another server" in err
    asyncio.run(journal.close())


def test_what_holds_no_server_is_said_so(tmp_path, told):
    for command in (("check",), ("backup", tmp_path / "b.tar")):
        status, _, err = told(*command, "--data", tmp_path)
        assert 1 == status and "holds no journal: name the data directory with --data" in err
    assert [] == os.listdir(tmp_path)


def packed(path, **changes: bytes) -> None:
    """The tar in *path*, with some members changed."""
    with tarfile.open(path) as tar:
        parts = {m.name: tar.extractfile(m).read() for m in tar.getmembers()}
    with tarfile.open(path, "w") as tar:
        for name, content in {
            **parts,
            **{k.replace("_", "."): v for k, v in changes.items()},
        }.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def test_a_backup_that_is_not_what_was_packed_is_refused(server, tmp_path, told):
    file, new = tmp_path / "b.tar", tmp_path / "new"
    assert 0 == told("backup", file, "--data", server)[0]
    whole = file.read_bytes()

    def refused() -> str:
        status, _, err = told("restore", file, "--data", new)
        assert 1 == status and not (new / "journal.db").exists()
        assert [] == list(new.glob(".mudserver*"))
        return err

    packed(file, journal_db=b"x" * len(whole))
    assert "is damaged: journal.db is not what was packed" in refused()
    file.write_bytes(whole[: len(whole) // 2])
    assert "is no backup, or only a piece of one" in refused()
    file.write_bytes(b"dear diary" * 1_000)
    assert "is no backup, or only a piece of one" in refused()
    file.write_bytes(whole)
    packed(file, about_json=b'{"parts": 3}')
    assert "is no backup of this server" in refused()
    file.write_bytes(whole)
    with tarfile.open(file) as tar:
        about = json.loads(tar.extractfile("about.json").read())
    packed(file, about_json=json.dumps({**about, "format": 2}).encode())
    assert "was written by a newer server (format 2)" in refused()
    file.unlink()
    assert "cannot be read: No such file" in refused()


def about_of(file) -> dict:
    with tarfile.open(file) as tar:
        return json.loads(tar.extractfile("about.json").read())


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        (b"[" * 60_000, "is no backup of this server"),
        (b'{"format": 1e999}', "is no backup of this server"),
        (b'{"format": "\\u001b[2J", "parts": {}}', "is no backup of this server"),
        (b'{"format": 1, "parts": {"journal.db": {"bytes": 1e999}}}', "lacks journal.db"),
    ],
)
def test_a_backup_that_somebody_made_up_is_refused_in_a_sentence(
    server, tmp_path, told, about, sentence
):
    file = tmp_path / "b.tar"
    assert 0 == told("backup", file, "--data", server)[0]
    packed(file, about_json=about)
    status, _, err = told("check", file)
    assert 1 == status and sentence in err and 1 == len(err.splitlines()) and "\x1b" not in err


@pytest.mark.parametrize("name", ["about.json", "journal.db"])
def test_a_part_that_is_a_link_is_not_followed(server, tmp_path, told, name):
    file = tmp_path / "b.tar"
    assert 0 == told("backup", file, "--data", server)[0]
    about = json.dumps(about_of(file)).encode()
    with tarfile.open(file, "w") as tar:
        for part in ("about.json", "journal.db"):
            member = tarfile.TarInfo(part)
            member.size = len(about) if part == "about.json" else 0
            if part == name:
                member.type, member.linkname, member.size = tarfile.SYMTYPE, part, 0
            tar.addfile(member, io.BytesIO(about))
    status, _, err = told("check", file)
    assert 1 == status and 1 == len(err.splitlines())
    assert "is no backup of this server" in err or "is damaged: journal.db" in err


def test_a_sparse_part_takes_no_room(server, tmp_path, told):
    """Sixteen GiB of nothing, in a tar of a few KiB."""
    file, size = tmp_path / "b.tar", 1 << 34
    assert 0 == told("backup", file, "--data", server)[0]
    about = about_of(file)
    about["parts"]["journal.db"]["bytes"] = size
    text, member = json.dumps(about).encode(), tarfile.TarInfo("journal.db")
    member.pax_headers = {
        "GNU.sparse.major": "1", "GNU.sparse.minor": "0",
        "GNU.sparse.realsize": str(size), "GNU.sparse.name": "journal.db",
    }  # fmt: skip
    member.size = 512
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as tar:
        head = tarfile.TarInfo("about.json")
        head.size = len(text)
        tar.addfile(head, io.BytesIO(text))
        tar.addfile(member, io.BytesIO(b"0\n".ljust(512, b"\0")))
    status, _, err = told("check", file)
    assert 1 == status and "is damaged: journal.db is not what was packed" in err


def test_a_view_in_the_place_of_a_table_is_asked_nothing(server, told):
    with sqlite3.connect(server / "journal.db") as db:
        db.execute("drop table house")
        db.execute("create view house as with recursive r(n) as (select 1 union all select n + 1"
                   " from r) select n as only, n as alive_ms from r")  # fmt: skip
    db.close()
    status, _, err = told("check", "--data", server)
    assert 1 == status and "the file cannot be read: house is a view\n" == err


def test_a_backup_needs_room_and_no_second_names(server, tmp_path, told, monkeypatch):
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(backup_archive.os, "link", no_links)  # as on a memory stick
    assert 0 == told("backup", tmp_path / "b.tar", "--data", server)[0]
    assert 0 == told("check", tmp_path / "b.tar")[0]
    monkeypatch.setattr(backup_archive.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1))
    status, _, err = told("backup", tmp_path / "c.tar", "--data", server)
    assert 1 == status and f"{tmp_path} has no room for it: make 1 MiB free" in err
    for command in (["check"], ["restore", "--data", tmp_path / "other"]):
        status, _, err = told(*command, tmp_path / "b.tar")
        assert 1 == status and "has no room for it: make 1 MiB free" in err
    monkeypatch.undo()
    (server / "ssh_host_ed25519_key").unlink()
    status, _, err = told("backup", tmp_path / "c.tar", "--data", server)
    assert 1 == status and "ssh_host_ed25519_key: the host key is missing, but" in err
    status, _, err = told("backup", tmp_path / ("c" * 300), "--data", server)
    assert 1 == status and 1 == len(err.splitlines())
    assert ["b.tar", "other", "var"] == sorted(os.listdir(tmp_path))


def test_a_backup_that_cannot_be_laid_out_says_where(server, tmp_path, told, monkeypatch):
    assert 0 == told("backup", tmp_path / "b.tar", "--data", server)[0]

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup_archive.os, "fsync", full)
    status, _, err = told("restore", tmp_path / "b.tar", "--data", tmp_path / "other")
    where = f"b.tar cannot be laid out in {tmp_path / 'other'}: No space left on device"
    assert 1 == status and where in err
    assert ["lock"] == os.listdir(tmp_path / "other")


def test_a_command_that_is_ended_takes_with_it_what_it_laid_out(
    server, tmp_path, told, monkeypatch
):
    monkeypatch.setattr(data, "audit_journal", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    before = signal.getsignal(signal.SIGTERM)
    assert (130, "", "") == told("backup", tmp_path / "b.tar", "--data", server)
    assert before is signal.getsignal(signal.SIGTERM)
    assert ["var"] == os.listdir(tmp_path) and [] == list(server.glob("copy-*"))


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("update record set body = x'00' where id = 30", "reason='does not fit its hash'"),
        ("delete from record where id = 40", "journal broken stream="),
        ("insert into record values (9999, 0, 1, 0, x'', x'')", "foreign: "),
        ("insert into stream values (99, 'kitchen/1', 0, 0)", "a stream is called 'kitchen/1'"),
        ("create table recipes (cake text)", "foreign: recipes is no part of a journal"),
        ("update stream set is_closed = 1 where name = 'table/1'", "table/1 seq="),
    ],
)
def test_every_fault_is_a_line_and_nothing_is_packed(server, tmp_path, told, statement, fault):
    with sqlite3.connect(server / "journal.db") as db:
        db.execute(statement)
    db.close()
    status, out, err = told("check", "--data", server)
    assert 1 == status and fault in err and "faults=0" not in out
    status, out, err = told("backup", tmp_path / "b.tar", "--data", server)
    assert 1 == status and fault in err and "backup not written" in out
    assert not (tmp_path / "b.tar").exists()


async def test_a_running_server_is_asked_for_a_copy(server, tmp_path, capfd):
    """No listeners and no tables: what the command asks of a server, in a server's place."""
    journal = SqliteJournal.open(server, lambda: 0, schema.JournalConfig())
    settings = schema.Config(server=schema.ServerConfig(data=str(server)))
    control, clock = ControlSocket(), Clock(asyncio.get_running_loop(), 7_000)
    backups, before = (
        BackupScheduler(settings, clock, journal.copy, journal.copy_size_bytes),
        metrics.BACKUPS.values["succeeded"],
    )
    control.register("backup_copy", backups.make_copy)
    control.register("backup_done", backups.record_success)
    await control.open(server)
    command = ["backup", str(tmp_path / "b.tar"), "--data", str(server)]
    assert 0 == await asyncio.to_thread(main, command), capfd.readouterr()
    assert before + 1 == metrics.BACKUPS.values["succeeded"] and metrics.LAST_BACKUP.value >= 7.0
    assert 0 == await asyncio.to_thread(main, ["check", "--data", str(server)])
    await journal.append("table/9", 1, b"")  # nothing a table writes
    assert 1 == await asyncio.to_thread(main, ["check", "--data", str(server)])
    assert "table/9 seq=0: it does not fold (JournalCorruptError)" in capfd.readouterr().err
    os.rename(server / "journal.db", server / "kept")  # as `rm`: the server is all that has it now
    assert 1 == await asyncio.to_thread(main, ["check", "--data", str(server)])
    assert "table/9 seq=0: it does not fold (JournalCorruptError)" in capfd.readouterr().err
    await control.close()
    await journal.close()
    assert [] == list(server.glob("copy-*"))
    assert 0 == main(["check", str(tmp_path / "b.tar")])
