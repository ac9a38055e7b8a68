"""Whoever looks at the lock of a data directory from outside sees a second writer."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mudserver.data_directory import LOCK_FILE, lock_directory
from mudserver.journal.sqlite.journal import JOURNAL_FILE
from tests.proofs.writers import Writers, one_writer

HOLDER = """
import fcntl, sys
opened = open(sys.argv[1], "r+")
fcntl.lockf(opened, fcntl.LOCK_EX)
print(flush=True)
sys.stdin.read()
"""


@pytest.fixture
def watch(tmp_path) -> Writers:
    (tmp_path / JOURNAL_FILE).touch()
    return Writers(tmp_path)


def test_one_that_has_the_lock_and_the_journal_is_right(tmp_path, watch):
    watch.look()
    assert ([], []) == (watch.holders, watch.wrong)
    lock = lock_directory(tmp_path)
    with open(tmp_path / JOURNAL_FILE, "r+") as journal:
        fcntl.lockf(journal, fcntl.LOCK_EX)
        watch.look()
        assert ([os.getpid()], []) == (watch.holders, watch.wrong)
    os.close(lock)


def test_two_locks_are_seen_although_the_file_was_replaced(tmp_path, watch):
    locks = [lock_directory(tmp_path)]
    watch.look()
    (tmp_path / LOCK_FILE).rename(tmp_path / "old")
    locks.append(lock_directory(tmp_path))
    watch.look()
    assert 1 == len(watch.wrong)
    for lock in locks:
        os.close(lock)


def test_a_process_that_writes_without_the_lock_is_seen(tmp_path, watch):
    lock = lock_directory(tmp_path)
    command = [sys.executable, "-c", HOLDER, str(tmp_path / JOURNAL_FILE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        watch.look()
        assert [f"journal=[{other.pid}]"] == [each.split(" ")[-1] for each in watch.wrong]
        other.kill()
    watch.look()
    assert 1 == len(watch.wrong)
    os.close(lock)


def test_what_was_wrong_fails_whatever_is_watched(tmp_path: Path):
    (tmp_path / JOURNAL_FILE).touch()
    lock = lock_directory(tmp_path)
    with pytest.raises(AssertionError), one_writer(tmp_path) as watch:
        watch.look()
        watch.wrong.append("two")
    os.close(lock)
