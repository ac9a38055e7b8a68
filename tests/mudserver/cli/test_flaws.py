"""What `backup`, `check` and `restore` say of a server that has lost or damaged something."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import tarfile
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest

from mudserver import atomic_file
from mudserver.__main__ import main
from mudserver.cli import data
from mudserver.journal.sqlite import migrations
from mudserver.ops import temp_files


def made_up(file: Path, **parts: bytes) -> None:
    """A backup of these *parts*, whole as a backup: journal for journal.db, key for the key."""
    names = {"journal": "journal.db", "key": "ssh_host_ed25519_key"}
    held = {names[name]: content for name, content in parts.items()}
    sums = {n: {"bytes": len(c), "sha256": sha256(c).hexdigest()} for n, c in held.items()}
    about = {"format": 1, "made_ms": 0, "by": "mudserver", "parts": sums}
    with tarfile.open(file, "w") as tar:
        for name, content in {"about.json": json.dumps(about).encode(), **held}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        (b"", "ssh_host_ed25519_key: not a usable private key"),
        (b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n", "not a usable private key"),
        (None, "it lacks ssh_host_ed25519_key"),
    ],
)
def test_a_backup_without_a_usable_host_key_is_named(server, tmp_path, told, key, sentence):
    file, parts = tmp_path / "b.tar", {} if key is None else {"key": key}
    made_up(file, journal=(server / "journal.db").read_bytes(), **parts)
    for command in (("check", file), ("restore", file, "--data", tmp_path / "new")):
        status, _, err = told(*command)
        assert 1 == status and sentence in err and ".mudserver-" not in err
    assert not (tmp_path / "new" / "journal.db").exists()


@pytest.mark.parametrize("key", [b"ruined", None])
def test_a_server_without_a_usable_host_key_is_named_and_not_packed(server, tmp_path, told, key):
    path = server / "ssh_host_ed25519_key"
    path.unlink()
    if key is not None:
        path.write_bytes(key)
    status, out, err = told("check", "--data", server)
    assert 1 == status and "faults=1" in out and f"{path}: " in err and 1 == len(err.splitlines())
    status, out, err = told("backup", tmp_path / "b.tar", "--data", server)
    assert 1 == status and "the data has faults" in out and f"{path}: " in err
    assert not (tmp_path / "b.tar").exists()


def test_a_backup_of_a_newer_server_is_named_by_its_own_file(server, tmp_path, told):
    file = tmp_path / "b.tar"
    with sqlite3.connect(server / "journal.db") as db:
        db.execute(f"pragma user_version = {migrations.newest_schema() + 1}")
    db.close()
    made_up(file, journal=(server / "journal.db").read_bytes(), key=b"")
    for command in (("check", file), ("restore", file, "--data", tmp_path / "new")):
        status, _, err = told(*command)
        assert os.EX_DATAERR == status and ".mudserver-" not in err
        assert f"{file} was written by a newer server (schema" in err
        assert "start that one, or choose other data" in err


def killed(module: ModuleType, function: str, *words: object) -> None:
    """Run a command that is killed where most of it is laid out."""
    process = os.fork()
    if process == 0:

        def die(*_: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        try:
            setattr(module, function, die)
            main([str(word) for word in words])
        finally:
            os._exit(1)
    assert signal.SIGKILL == os.waitpid(process, 0)[1]


def test_what_a_killed_command_left_is_removed_by_the_next_one(server, tmp_path, told):
    kept = tmp_path / "kept"
    kept.mkdir()
    assert 0 == told("backup", kept / "good.tar", "--data", server)[0]
    killed(atomic_file, "link_into_place", "backup", kept / "b.tar", "--data", server)
    killed(data, "audit_journal", "restore", kept / "good.tar", "--data", tmp_path / "new")
    left = list(kept.glob(".mudserver-*"))
    (kept / ".mudserver-0a1b2c3d.parts").mkdir()  # as a check lays it out
    (kept / ".mudserver-0a1b2c3d.parts" / "journal.db").write_bytes(b"half of it")
    assert 1 == len(left)
    left.append(kept / ".mudserver-0a1b2c3d.parts")
    assert 1 == len(list((tmp_path / "new").glob(".mudserver-*")))
    assert 0 == told("backup", kept / "c.tar", "--data", server)[0]
    assert set(left) == set(kept.glob(".mudserver-*")), "somebody may be at work"
    for path in left:
        os.utime(path, (0, 0))
    assert 0 == told("backup", kept / "d.tar", "--data", server)[0]
    assert ["c.tar", "d.tar", "good.tar"] == sorted(os.listdir(kept))
    assert 0 == told("restore", kept / "good.tar", "--data", tmp_path / "new")[0]
    assert [] == list((tmp_path / "new").glob(".mudserver-*")), "the directory is locked: all ours"


def test_nothing_but_our_own_is_ever_removed(tmp_path):
    def lay(name: str, *entries: str) -> None:
        path = tmp_path / name
        path.mkdir()
        for entry in entries:
            (path / entry).write_text("dear diary")

    lay(".mudserver-abcdefgh.parts", "journal.db")
    lay(".mudserver-deeper_1.parts", "journal.db")
    (tmp_path / ".mudserver-deeper_1.parts" / "photos").mkdir()
    lay(".mudserver-with-notes", "notes")
    lay(".mudserver-database", "journal.db")  # eight letters, and all that a server has
    lay(".mudserver-abcdefgi.new", "notes")
    (tmp_path / ".mudserver-0123abcd.new").write_text("half a backup")
    (tmp_path / ".mudserver-0123abce.parts").write_text("a file where we make folders")
    (tmp_path / ".mudserver-linked_0.parts").symlink_to(tmp_path / ".mudserver-with-notes")
    for name in (".bashrc", "mudserver-0123abcd.new", ".house.tar.new"):
        (tmp_path / name).write_text("somebody's")
    before = set(os.listdir(tmp_path))
    temp_files.remove_stale(tmp_path)
    assert before == set(os.listdir(tmp_path))
    temp_files.remove_stale(tmp_path, 0.0)
    gone = {".mudserver-abcdefgh.parts", ".mudserver-0123abcd.new"}
    assert before - gone == set(os.listdir(tmp_path))
    temp_files.remove_stale(tmp_path / "no such folder", 0.0)


def test_where_nothing_can_be_laid_out_beside_a_backup_the_other_place_is_swept_too(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(temp_files.tempfile, "tempdir", str(tmp_path))
    left = tmp_path / ".mudserver-0a1b2c3d.parts"
    left.mkdir()
    os.utime(left, (0, 0))
    with temp_files.temp_folder(tmp_path / "a place that cannot be written") as room:
        assert [room.name] == os.listdir(tmp_path) and temp_files.NAME.fullmatch(room.name)
    assert [] == os.listdir(tmp_path)
