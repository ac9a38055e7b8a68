"""Backups on a schedule, on a virtual clock; the process that packs them is played by the test."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from mudserver import metrics
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.config.load import load
from mudserver.config.sources import ConfigSources
from mudserver.errors import JournalWriteError, UserError
from mudserver.ops import backup_archive, backups
from mudserver.ops.backups import BackupScheduler
from tests.simulation.server import WALL_MS
from tests.simulation.virtual import run

HOUR_S = 3600.0


def laid(path: Path, made_s: float) -> None:
    path.write_text("backup")
    os.utime(path, (made_s, made_s))


class Packed(BackupScheduler):
    """Backups that are made in no time, or fail for a reason."""

    why = ""

    async def _run_backup_process(self, path: Path) -> str:
        if self.why:
            raise backups._Failed(self.why)
        laid(path, self._clock.now_ms() / 1000)
        return f"{path} faults=0"


def schedule(tmp_path: Path, **changes: object) -> Packed:
    settings = schema.Config(
        server=schema.ServerConfig(data=str(tmp_path)),
        backup=schema.BackupConfig(
            directory=str(tmp_path / "kept"), every_h=6.0, keep=3, **changes
        ),
    )
    loop = asyncio.get_running_loop()
    clock = Clock(loop, WALL_MS + int(loop.time() * 1000))
    scheduler = Packed(settings, clock, None, lambda: 0)
    scheduler.start()
    return scheduler


def names(tmp_path: Path) -> list[str]:
    return sorted(os.listdir(tmp_path / "kept"))


def test_the_newest_are_kept_and_other_files_are_left_alone(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "mudserver-before-the-move.tar").write_text("by hand")

    async def scenario() -> None:
        scheduler = schedule(tmp_path)
        await asyncio.sleep(60 + 1)
        first = names(tmp_path)
        assert 2 == len(first)
        await asyncio.sleep(30 * HOUR_S)
        assert 1 + 3 == len(names(tmp_path))
        assert "mudserver-before-the-move.tar" in names(tmp_path) and first[0] not in names(
            tmp_path
        )
        await scheduler.close()

    run(scenario())


def test_a_restart_makes_no_backup_before_it_is_time(tmp_path):
    async def scenario() -> None:
        scheduler = schedule(tmp_path)
        await asyncio.sleep(HOUR_S)
        await scheduler.close()
        before = names(tmp_path)
        scheduler = schedule(tmp_path)
        await asyncio.sleep(4.9 * HOUR_S)
        assert before == names(tmp_path)
        await asyncio.sleep(0.2 * HOUR_S)
        assert 2 == len(names(tmp_path))
        await scheduler.close()

    run(scenario())


def test_another_schedule_counts_from_now_on(tmp_path):
    async def scenario() -> None:
        scheduler = schedule(tmp_path)
        await asyncio.sleep(120)
        assert 1 == len(names(tmp_path))
        plan = scheduler._config
        scheduler.reconfigure(schema.BackupConfig(directory=plan.directory, every_h=1.0, keep=2))
        await asyncio.sleep(HOUR_S)
        assert 2 == len(names(tmp_path))
        await asyncio.sleep(5 * HOUR_S)
        assert 2 == len(before := names(tmp_path))
        scheduler.reconfigure(schema.BackupConfig())
        await asyncio.sleep(5 * HOUR_S)
        assert before == names(tmp_path)
        await scheduler.close()

    run(scenario())


def test_the_process_that_packs_hears_of_the_games_files_and_of_no_other_setting():
    ours = {"PATH": "/bin", "MUDSERVER_SERVER__TLS": "[::]:992", "MUDSERVER_GAMES__WORDS_BOX": "x"}
    found = backups._environment(ours, schema.GamesConfig(words_list="words.txt"))
    assert {"PATH": "/bin", "MUDSERVER_GAMES__WORDS_LIST": "words.txt"} == found
    assert "words.txt" == load(ConfigSources(None, found)).config.games.words_list


def test_a_failure_is_one_line_and_a_number_and_is_tried_again(tmp_path, caplog):
    async def scenario() -> None:
        before = metrics.BACKUPS.values["failed"]
        scheduler = schedule(tmp_path)
        scheduler.why = "no space left on the disk"
        await asyncio.sleep(HOUR_S)
        assert before + 1 == metrics.BACKUPS.values["failed"]
        scheduler.why = ""
        await asyncio.sleep(2 * HOUR_S)
        assert 1 == len(names(tmp_path))
        await scheduler.close()

    with caplog.at_level(logging.INFO, "mudserver"):
        run(scenario())
    failed, made = [record.getMessage() for record in caplog.records]
    assert failed.endswith("err=Failed reason='no space left on the disk'")
    assert made.startswith("backup done ") and made.endswith("faults=0")


async def test_no_schedule_makes_nothing_and_what_was_left_over_is_removed(tmp_path):
    (tmp_path / "copy-1234.db").write_text("left over")
    (tmp_path / ".mudserver-0a1b2c3d.parts").mkdir()
    (tmp_path / ".mudserver-0a1b2c3d.parts" / "journal.db").write_text(
        "of a restore that was killed"
    )
    scheduler = BackupScheduler(
        schema.Config(server=schema.ServerConfig(data=str(tmp_path))), None, None, None
    )
    scheduler.start()
    assert [] == os.listdir(tmp_path)
    await scheduler.close()


async def test_copies_that_nobody_fetches_are_bounded_and_a_failure_is_a_sentence(tmp_path):
    async def copied(path: Path) -> None:
        laid(path, 0.0)

    async def failed(path: Path) -> None:
        raise JournalWriteError("copy failed: no space left on the disk")

    settings = schema.Config(server=schema.ServerConfig(data=str(tmp_path)))
    with pytest.raises(UserError, match="no space left"):
        await BackupScheduler(settings, None, failed, lambda: 0).make_copy()
    loop = asyncio.get_running_loop()
    scheduler = BackupScheduler(settings, Clock(loop, 0), copied, lambda: 0)
    for _ in range(backups.COPIES_MAX):
        assert (tmp_path / await scheduler.make_copy()).exists()
    with pytest.raises(UserError, match=r"remove copy-\*"):
        await scheduler.make_copy()
    much_later = Clock(loop, int(backups.COPY_S_MAX + HOUR_S) * 1_000)
    scheduler = BackupScheduler(settings, much_later, copied, lambda: 0)
    assert await scheduler.make_copy() in os.listdir(tmp_path)
    assert 1 == len(list(tmp_path.glob("copy-*")))


async def test_a_copy_that_would_fill_the_disk_is_not_begun(tmp_path, monkeypatch):
    copied: list[Path] = []

    async def copy(path: Path) -> None:
        copied.append(path)

    free, sizes = 2 * 1_048_576, [1_048_576, 900_000]
    monkeypatch.setattr(
        backup_archive.shutil, "disk_usage", lambda folder: SimpleNamespace(free=free)
    )
    scheduler = BackupScheduler(
        schema.Config(server=schema.ServerConfig(data=str(tmp_path))),
        None,
        copy,
        lambda: sizes.pop(0),
    )
    with pytest.raises(UserError, match="no room for it: make 3 MiB free on its disk"):
        await scheduler.make_copy()
    await scheduler.make_copy()
    assert 1 == len(copied)


def test_backups_of_a_clock_that_was_wrong_are_the_first_to_go(tmp_path):
    """They would stay for ever, since nothing is newer, and take the places of true ones."""
    (tmp_path / "kept").mkdir()
    for day in (1, 2, 3):
        laid(tmp_path / "kept" / f"mudserver-2099010{day}T000000Z.tar", 4_070_908_800.0)

    async def scenario() -> None:
        scheduler = schedule(tmp_path)
        await asyncio.sleep(6.5 * HOUR_S)
        assert ["2099"] == [name[10:14] for name in names(tmp_path) if "2099" in name]
        await asyncio.sleep(6 * HOUR_S)
        assert not [name for name in names(tmp_path) if "2099" in name]
        assert 3 == len(names(tmp_path))
        await scheduler.close()

    run(scenario())
