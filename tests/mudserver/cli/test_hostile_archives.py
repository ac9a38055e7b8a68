"""`check` and `restore` on an archive that somebody made up: one line, at once, little memory."""

from __future__ import annotations

import io
import json
import os
import signal
import tarfile
import tracemalloc
from hashlib import sha256
from pathlib import Path

import pytest

GIB = 1 << 30
AT_ONCE_S = 20.0  # seconds here are for a busy machine; what is refused at once takes milliseconds
MEMORY_BYTES_MAX = 16 << 20
NO_BACKUP = "is no backup, or only a piece of one"


@pytest.fixture(autouse=True)
def _ends_by_itself():
    """A command that waits for a pipe fails the test instead of waiting for ever."""

    def fail(*_: object) -> None:
        raise AssertionError("the command still waits")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, AT_ONCE_S)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


def about(**parts: int) -> bytes:
    """A manifest of parts of these sizes, as a whole member."""
    names = {"journal": "journal.db", "key": "ssh_host_ed25519_key"}
    sums = {
        names[n]: {"bytes": size, "sha256": sha256(b"").hexdigest()} for n, size in parts.items()
    }
    text = json.dumps({"format": 1, "parts": sums}).encode()
    return header("about.json", len(text)) + text.ljust(512 * -(-len(text) // 512), b"\0")


def sparse(file: Path, head: bytes, size: int) -> None:
    """A file of *size* bytes that takes no room on the disk."""
    with file.open("wb") as opened:
        opened.write(head)
        opened.truncate(size)


def long_pax_header(file: Path) -> None:
    sparse(file, header("x", 3 * GIB, tarfile.XHDTYPE), 4 * GIB)


def long_name(file: Path) -> None:
    sparse(file, header("x", 3 * GIB, tarfile.GNUTYPE_LONGNAME), 4 * GIB)


def long_header_after_the_manifest(file: Path) -> None:
    sparse(file, about(journal=1, key=1) + header("x", 3 * GIB, tarfile.XGLTYPE), 4 * GIB)


def many_members(file: Path) -> None:
    file.write_bytes(about(journal=1, key=1) + header("x", 0) * 8_000)


def backward(file: Path) -> None:
    """A member of a negative size, so that the next one is this one again."""
    file.write_bytes(about(journal=1, key=1) + header("x", -512))


def journal_beyond_the_end(file: Path) -> None:
    file.write_bytes(about(journal=3 * GIB, key=1) + header("journal.db", 3 * GIB))


def pipe(file: Path) -> None:
    os.mkfifo(file)


def device(file: Path) -> None:
    file.symlink_to("/dev/zero")  # without an end


def directory(file: Path) -> None:
    file.mkdir()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (long_pax_header, NO_BACKUP),
        (long_name, NO_BACKUP),
        (long_header_after_the_manifest, NO_BACKUP),
        (many_members, NO_BACKUP),
        (backward, NO_BACKUP),
        (journal_beyond_the_end, NO_BACKUP),
        (pipe, "is no backup: it is no plain file"),
        (device, "is no backup: it is no plain file"),
        (directory, "is no backup: it is no plain file"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.parametrize("command", ["check", "restore"])
def test_what_only_looks_like_a_backup_is_refused_in_one_line_at_once(
    tmp_path, told, command, make, sentence
):
    file, new = tmp_path / "b.tar", tmp_path / "new"
    make(file)
    tracemalloc.start()
    status, out, err = told(command, file, "--data", new)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (1, "") == (status, out) and 1 == len(err.splitlines())
    assert f"{file} {sentence}" in err
    assert not (new / "journal.db").exists() and [] == list(tmp_path.rglob(".mudserver-*"))
    assert peak_bytes < MEMORY_BYTES_MAX


def test_a_host_key_larger_than_any_key_is_not_unpacked(server, tmp_path, told):
    content = (server / "journal.db").read_bytes()
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        parts = {"journal.db": content, "ssh_host_ed25519_key": b"x" * 65_537}
        sums = {n: {"bytes": len(c), "sha256": sha256(c).hexdigest()} for n, c in parts.items()}
        parts = {"about.json": json.dumps({"format": 1, "parts": sums}).encode(), **parts}
        for name, part in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(part)
            tar.addfile(member, io.BytesIO(part))
    status, _, err = told("check", tmp_path / "b.tar")
    assert 1 == status and 1 == len(err.splitlines())
    assert "is damaged: ssh_host_ed25519_key has more than 65536 bytes" in err


def test_a_host_key_that_is_a_pipe_is_named(server, told):
    key = server / "ssh_host_ed25519_key"
    key.unlink()
    pipe(key)
    status, _, err = told("check", "--data", server)
    assert 1 == status and 1 == len(err.splitlines())
    assert f"{key}: the host key cannot be read: it is no plain file\n" in err


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_backup_that_tar_packed_again_is_still_one(server, tmp_path, told, kind):
    assert 0 == told("backup", tmp_path / "b.tar", "--data", server)[0]
    with (
        tarfile.open(tmp_path / "b.tar") as old,
        tarfile.open(tmp_path / "c.tar", "w", format=kind) as new,
    ):
        for member in old:
            new.addfile(member, old.extractfile(member))
    assert 0 == told("check", tmp_path / "c.tar")[0]
