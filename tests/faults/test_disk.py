"""The disk is full, and has room again: tables stop calmly, talk goes on, nothing is lost."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.evening import (
    check_talk_goes_on,
    come_in_as_guest,
    evening,
    play_until_it_stops,
    plays_of,
    wait_until_it_goes_on,
)
from tests.proofs.siege import Siege

ROOM_BYTES = 40_000  # that are left when the disk gets full
LOG_BYTES = 8_000
TMPFS_MIB = 8


class FileSizes:
    """No file of the server grows any more: EFBIG, without any right."""

    def __init__(self, siege: Siege) -> None:
        self._siege = siege

    def fill(self) -> None:
        """Soon there is no room."""
        sizes = [path.stat().st_size for path in self._siege.server.data.glob("journal.db*")]
        self._limit(max(sizes) + ROOM_BYTES)

    def refill(self) -> None:
        """Now there is none, but for a few lines of the log."""
        self._limit(len(self._siege.server.log_text()) + LOG_BYTES)

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size_bytes: int) -> None:
        process = self._siege.server.process
        assert process is not None
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size_bytes, hard))


class Tmpfs(FileSizes):
    """A small file system filled to its last byte: ENOSPC."""

    def fill(self) -> None:
        # How much is free, nobody can tell: the server writes, too.
        with (self._siege.server.data / "filler").open("ab", buffering=0) as filler:
            try:
                while filler.write(bytes(65_536)):
                    pass
            except OSError as exc:
                assert exc.errno == errno.ENOSPC

    refill = fill

    def free(self) -> None:
        (self._siege.server.data / "filler").unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[bool]:
    """The data directory on a file system of its own; False: this machine mounts none for us."""
    place = tmp_path / "data"
    place.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={TMPFS_MIB}m", "tmpfs", str(place))
    mounted = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True).returncode
    yield mounted
    if mounted:
        subprocess.run(("umount", "-l", str(place)), check=True)


def fill_and_free(siege: Siege, disk: FileSizes, times: int) -> None:
    siege.begin()
    try:
        guest = come_in_as_guest(siege)
        for _ in range(times):
            siege.play()
            disk.fill()
            play_until_it_stops(siege, disk.refill)
            check_talk_goes_on(siege, guest)
            disk.free()
            wait_until_it_goes_on(siege)
            kept = plays_of(siege) - siege.acknowledged  # of the one that nobody was told of
            assert kept in (0, 1)
            siege.acknowledged += kept
            siege.play()
            assert plays_of(siege) == siege.acknowledged
        assert 0 == siege.server.stop()
    finally:
        siege.server.kill()
    assert plays_of(siege) == siege.acknowledged
    log = siege.server.log_text()
    assert "Traceback" not in log and "table record not saved table=1" in log
    assert log.count("journal write failed") <= times >= log.count("journal writable again")
    rows = log.count("\n")
    print(f"\nfull disk {type(disk).__name__} times={times} plays={siege.acknowledged} lost=0"
          f" log_lines={rows}")  # fmt: skip
    assert rows < 40 * times


def test_where_files_cannot_grow_the_table_stops_and_goes_on(tmp_path):
    siege = evening(tmp_path)
    fill_and_free(siege, FileSizes(siege), times=1)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
def test_a_full_disk_stops_the_table_and_room_lets_it_go_on(tmp_path, small_disk, seed):
    siege = evening(tmp_path, seed)
    fill_and_free(siege, Tmpfs(siege) if small_disk else FileSizes(siege), times=10)
