"""The journal's file is locked, damaged, cut or taken away by somebody else."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from tests.faults.evening import (
    check_talk_goes_on,
    come_in_as_guest,
    command,
    evening,
    play_until_it_stops,
    plays_of,
    start_refused,
)
from tests.hostile.attack import until
from tests.proofs.siege import Siege

PAGE_BYTES = 4_096
PLAYS = 12


def begun(directory: Path, seed: int = 1) -> Siege:
    siege = evening(directory, seed)
    siege.begin()
    for _ in range(PLAYS):
        siege.play()
    return siege


def starts(siege: Siege) -> bool:
    """Whether a new server comes up; one that does not says why, which `start_refused` reads."""
    try:
        siege.server.start()
    except AssertionError:  # no ready line
        return False
    siege.server.kill()
    return True


def back_up(siege: Siege, saved: Path) -> None:
    done = command("backup", saved, "--data", siege.server.data)
    assert 0 == done.returncode, done.stderr


def restore(siege: Siege, saved: Path) -> None:
    done = command("restore", saved, "--replace", "--data", siege.server.data)
    assert 0 == done.returncode, done.stderr


def check_goes_on(siege: Siege) -> None:
    """A new server has every play that anybody was told of, and the game goes on."""
    try:
        siege.start()
        assert plays_of(siege) == siege.acknowledged
        siege.play()
    finally:
        siege.server.kill()
    assert plays_of(siege) == siege.acknowledged


@pytest.mark.prove
def test_another_program_cannot_lock_a_running_journal_and_one_that_has_it_is_named(tmp_path):
    siege = begun(tmp_path)
    path = siege.server.data / "journal.db"
    try:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other = sqlite3.connect(path, timeout=0)
            other.execute("begin exclusive")
        other.close()
        siege.play()
    finally:
        siege.server.kill()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    assert "journal.db cannot be opened: it is in use by another program" in start_refused(siege)
    holder.close()
    check_goes_on(siege)


@pytest.mark.prove
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_journal_that_is_removed_under_the_server_is_rescued_by_a_backup(tmp_path, is_replaced):
    siege = begun(tmp_path)
    data, saved = siege.server.data, tmp_path / "saved.tar"
    try:
        guest = come_in_as_guest(siege)
        other = tmp_path / "other.db"
        shutil.copy(data / "journal.db", other)
        (data / "journal.db").unlink()
        if is_replaced:
            other.rename(data / "journal.db")
        play_until_it_stops(siege)
        check_talk_goes_on(siege, guest)
        until(lambda: "journal write failed err=" in siege.server.log_text())
        assert "was removed or replaced: run mudserver backup FILE" in siege.server.log_text()
        back_up(siege, saved)
        assert 0 == siege.server.stop()
    finally:
        siege.server.kill()
    restore(siege, saved)
    check_goes_on(siege)


@pytest.mark.prove
def test_a_house_whose_journal_was_taken_away_says_that_it_knows_nobody(tmp_path):
    siege = evening(tmp_path)
    siege.server.start()
    assert 0 == siege.server.stop()
    (siege.server.data / "journal.db").unlink()
    siege.server.start()
    assert 0 == siege.server.stop()
    assert "journal is empty but a host key exists" in siege.server.log_text()


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_page_is_never_played_on(tmp_path, seed):
    """Each page in turn, with the server dead: it starts with all that was acknowledged, or says
    in one line that the file is damaged, and a backup brings everything back."""
    rng, siege = Random(seed), begun(tmp_path, seed)
    data, saved = siege.server.data, tmp_path / "saved.tar"
    back_up(siege, saved)
    assert 0 == siege.server.stop()
    whole = (data / "journal.db").read_bytes()
    pages = len(whole) // PAGE_BYTES
    refused = unharmed = 0
    for page in [0, *rng.sample(range(1, pages), min(4, pages - 1))]:
        at = page * PAGE_BYTES
        bad = whole[:at] + rng.randbytes(PAGE_BYTES) + whole[at + PAGE_BYTES :]
        (data / "journal.db").write_bytes(bad)
        faults = command("check", "--data", data).returncode
        if starts(siege):
            assert plays_of(siege) == siege.acknowledged
            unharmed += 1
        else:
            refused += 1
            said = start_refused(siege)
            assert re.search(r"restore it|not a database|broken", said), said
            assert faults
        for log in data.glob("journal.db-*"):
            log.unlink()
    print(f"\ndamaged pages seed={seed} pages={pages} refused={refused} unharmed={unharmed}")
    assert refused
    restore(siege, saved)
    check_goes_on(siege)


@pytest.mark.prove
def test_a_page_damaged_under_the_server_harms_nobody_who_plays(tmp_path):
    """What the running server has in memory goes on; what it cannot read again is no play."""
    siege = begun(tmp_path)
    path = siege.server.data / "journal.db"
    saved = tmp_path / "saved.tar"
    back_up(siege, saved)
    before = siege.acknowledged
    try:
        with path.open("r+b") as file:
            file.seek(2 * PAGE_BYTES)
            file.write(os.urandom(PAGE_BYTES))
        for _ in range(PLAYS):
            siege.play()
        assert siege.server.process.poll() is None
    finally:
        siege.server.kill()
    said = command("check", "--data", siege.server.data)
    if said.returncode == 0:  # written over since by the server itself
        return check_goes_on(siege)
    assert "restore it" in start_refused(siege)
    restore(siege, saved)
    siege.acknowledged = before
    siege.is_over = not siege.durable().table.is_playing
    check_goes_on(siege)


@pytest.mark.prove
def test_a_log_that_was_cut_off_gives_a_position_that_was_played(tmp_path):
    """What a disk has lost of the log's end nobody can know; what is left is whole, or refused."""
    siege, rng, found = begun(tmp_path), Random(1), dict[str, int]()
    siege.server.kill()
    data = siege.server.data
    database = (data / "journal.db").read_bytes()
    log = (data / "journal.db-wal").read_bytes()
    for _ in range(8):
        (data / "journal.db").write_bytes(database)
        (data / "journal.db-wal").write_bytes(log[: rng.randrange(len(log))])
        done = command("check", "--data", data)
        if starts(siege):
            assert 0 == done.returncode, done.stderr
            what = "a position before"
        else:
            assert start_refused(siege)
            what = "refused"
        found[what] = found.get(what, 0) + 1
    print(f"\nlogs cut off {found}")
    (data / "journal.db").write_bytes(database)
    (data / "journal.db-wal").write_bytes(log)
    check_goes_on(siege)
