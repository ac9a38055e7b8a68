"""The journal's file is locked, damaged, cut or taken away by somebody else."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from tests.faults.running_game import (
    check_talk_goes_on,
    come_in_as_guest,
    command,
    play_until_it_stops,
    plays_of,
    running_game,
    start_refused,
)
from tests.hostile.attack import until
from tests.proofs.crash_run import CrashRun

PAGE_BYTES = 4_096
PLAYS = 12


def begun(directory: Path, seed: int = 1) -> CrashRun:
    crash_run = running_game(directory, seed)
    crash_run.begin()
    for _ in range(PLAYS):
        crash_run.play()
    return crash_run


def starts(crash_run: CrashRun) -> bool:
    """Whether a new server comes up; one that does not says why, which `start_refused` reads."""
    try:
        crash_run.server.start()
    except AssertionError:  # no ready line
        return False
    crash_run.server.kill()
    return True


def back_up(crash_run: CrashRun, saved: Path) -> None:
    done = command("backup", saved, "--data", crash_run.server.data)
    assert 0 == done.returncode, done.stderr


def restore(crash_run: CrashRun, saved: Path) -> None:
    done = command("restore", saved, "--replace", "--data", crash_run.server.data)
    assert 0 == done.returncode, done.stderr


def check_goes_on(crash_run: CrashRun) -> None:
    """A new server has every play that anybody was told of, and the game goes on."""
    try:
        crash_run.start()
        assert plays_of(crash_run) == crash_run.acknowledged
        crash_run.play()
    finally:
        crash_run.server.kill()
    assert plays_of(crash_run) == crash_run.acknowledged


@pytest.mark.prove
def test_another_program_cannot_lock_a_running_journal_and_one_that_has_it_is_named(tmp_path):
    crash_run = begun(tmp_path)
    path = crash_run.server.data / "journal.db"
    try:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other = sqlite3.connect(path, timeout=0)
            other.execute("begin exclusive")
        other.close()
        crash_run.play()
    finally:
        crash_run.server.kill()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("pragma locking_mode = exclusive")
    holder.execute("begin exclusive")
    assert "journal.db cannot be opened: it is in use by another program" in start_refused(
        crash_run
    )
    holder.close()
    check_goes_on(crash_run)


@pytest.mark.prove
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_journal_that_is_removed_under_the_server_is_rescued_by_a_backup(tmp_path, is_replaced):
    crash_run = begun(tmp_path)
    data, saved = crash_run.server.data, tmp_path / "saved.tar"
    try:
        guest = come_in_as_guest(crash_run)
        other = tmp_path / "other.db"
        shutil.copy(data / "journal.db", other)
        (data / "journal.db").unlink()
        if is_replaced:
            other.rename(data / "journal.db")
        play_until_it_stops(crash_run)
        check_talk_goes_on(crash_run, guest)
        until(lambda: "journal write failed err=" in crash_run.server.log_text())
        assert "was removed or replaced: run mudserver backup FILE" in crash_run.server.log_text()
        back_up(crash_run, saved)
        assert 0 == crash_run.server.stop()
    finally:
        crash_run.server.kill()
    restore(crash_run, saved)
    check_goes_on(crash_run)


@pytest.mark.prove
def test_a_server_whose_journal_was_taken_away_says_that_it_knows_nobody(tmp_path):
    crash_run = running_game(tmp_path)
    crash_run.server.start()
    assert 0 == crash_run.server.stop()
    (crash_run.server.data / "journal.db").unlink()
    crash_run.server.start()
    assert 0 == crash_run.server.stop()
    assert "journal is empty but a host key exists" in crash_run.server.log_text()


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_page_is_never_played_on(tmp_path, seed):
    """Each page in turn, with the server dead: it starts with all that was acknowledged, or says
    in one line that the file is damaged, and a backup brings everything back."""
    rng, crash_run = Random(seed), begun(tmp_path, seed)
    data, saved = crash_run.server.data, tmp_path / "saved.tar"
    back_up(crash_run, saved)
    assert 0 == crash_run.server.stop()
    whole = (data / "journal.db").read_bytes()
    pages = len(whole) // PAGE_BYTES
    refused = unharmed = 0
    for page in [0, *rng.sample(range(1, pages), min(4, pages - 1))]:
        at = page * PAGE_BYTES
        bad = whole[:at] + rng.randbytes(PAGE_BYTES) + whole[at + PAGE_BYTES :]
        (data / "journal.db").write_bytes(bad)
        faults = command("check", "--data", data).returncode
        if starts(crash_run):
            assert plays_of(crash_run) == crash_run.acknowledged
            unharmed += 1
        else:
            refused += 1
            said = start_refused(crash_run)
            assert re.search(r"restore it|not a database|broken", said), said
            assert faults
        for log in data.glob("journal.db-*"):
            log.unlink()
    print(f"\ndamaged pages seed={seed} pages={pages} refused={refused} unharmed={unharmed}")
    assert refused
    restore(crash_run, saved)
    check_goes_on(crash_run)


@pytest.mark.prove
def test_a_page_damaged_under_the_server_harms_nobody_who_plays(tmp_path):
    """What the running server has in memory goes on; what it cannot read again is no play."""
    crash_run = begun(tmp_path)
    path = crash_run.server.data / "journal.db"
    saved = tmp_path / "saved.tar"
    back_up(crash_run, saved)
    before = crash_run.acknowledged
    try:
        with path.open("r+b") as file:
            file.seek(2 * PAGE_BYTES)
            file.write(os.urandom(PAGE_BYTES))
        for _ in range(PLAYS):
            crash_run.play()
        assert crash_run.server.process.poll() is None
    finally:
        crash_run.server.kill()
    said = command("check", "--data", crash_run.server.data)
    if said.returncode == 0:  # written over since by the server itself
        return check_goes_on(crash_run)
    assert "restore it" in start_refused(crash_run)
    restore(crash_run, saved)
    crash_run.acknowledged = before
    crash_run.is_over = not crash_run.durable().table.is_playing
    check_goes_on(crash_run)


@pytest.mark.prove
def test_a_log_that_was_cut_off_gives_a_position_that_was_played(tmp_path):
    """What a disk has lost of the log's end nobody can know; what is left is whole, or refused."""
    crash_run, rng, found = begun(tmp_path), Random(1), dict[str, int]()
    crash_run.server.kill()
    data = crash_run.server.data
    database = (data / "journal.db").read_bytes()
    log = (data / "journal.db-wal").read_bytes()
    for _ in range(8):
        (data / "journal.db").write_bytes(database)
        (data / "journal.db-wal").write_bytes(log[: rng.randrange(len(log))])
        done = command("check", "--data", data)
        if starts(crash_run):
            assert 0 == done.returncode, done.stderr
            what = "a position before"
        else:
            assert start_refused(crash_run)
            what = "refused"
        found[what] = found.get(what, 0) + 1
    print(f"\nlogs cut off {found}")
    (data / "journal.db").write_bytes(database)
    (data / "journal.db-wal").write_bytes(log)
    check_goes_on(crash_run)
