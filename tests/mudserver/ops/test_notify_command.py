"""The host's command: started without a shell, few at once, and never for long."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from mudserver import metrics
from mudserver.config.consistency import check_consistency
from mudserver.config.schema import Config, NotifyConfig
from mudserver.errors import ConfigError
from mudserver.ops import notify_command
from mudserver.ops.notify_command import NotifyCommand
from mudserver.service.notices import OutsideNotice

TEXT = "It is your move at table 31 (words); 24 h."
NOTICE = OutsideNotice("ann; reboot", "Kz81-$(id)", "move", 31, "words", TEXT)


def command(code: str, *arguments: str) -> NotifyCommand:
    return NotifyCommand(NotifyConfig((sys.executable, "-c", code, *arguments)))


def counted() -> dict[str, int]:
    return dict(metrics.NOTICES.values)


def gained(before: dict[str, int]) -> dict[str, int]:
    return {it: n - before[it] for it, n in counted().items() if n != before[it]}


async def until_done(sender: NotifyCommand) -> None:
    async with asyncio.timeout(60):
        while sender._workers:  # noqa: ASYNC110 - processes set no event of ours
            await asyncio.sleep(0.02)


async def test_it_reads_one_json_object_and_nothing_of_the_server(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("MUDSERVER_SECRET", "x")
    code = """
import json, os, sys
told = {"input": sys.stdin.read(), "env": sorted(os.environ), "args": sys.argv[1:],
        "cwd": os.getcwd(), "files": sorted(os.listdir("/proc/self/fd"), key=int)[:4],
        "session": os.getsid(0) == os.getpid()}
open(sys.argv[1], "w").write(json.dumps(told))
"""
    sender, before = command(code, str(tmp_path / "told"), "$HOME; exit 1"), counted()
    sender.put(NOTICE)
    await until_done(sender)
    told = json.loads((tmp_path / "told").read_text())
    assert {
        "name": "ann; reboot", "topic": "Kz81-$(id)", "event": "move", "table": 31,
        "variant": "words", "text": TEXT,
    } == json.loads(told["input"])  # fmt: skip
    assert [str(tmp_path / "told"), "$HOME; exit 1"] == told["args"]
    assert {"LANG", "PATH"} == {*told["env"]} - {"LC_CTYPE"}
    assert "/" == told["cwd"] and told["session"] and ["0", "1", "2", "3"] == told["files"]
    assert {"sent": 1} == gained(before)


async def test_two_run_at_once_and_the_others_wait(tmp_path: Path):
    code = """
import os, sys, time
mine = os.path.join(sys.argv[1], str(os.getpid()))
open(mine, "w").close()
print(len(os.listdir(sys.argv[1])), file=open(sys.argv[2], "a"))
time.sleep(0.05)
os.remove(mine)
"""
    (tmp_path / "running").mkdir()
    sender = command(code, str(tmp_path / "running"), str(tmp_path / "seen"))
    for _ in range(8):
        sender.put(NOTICE)
    await until_done(sender)
    seen = [int(row) for row in (tmp_path / "seen").read_text().split()]
    assert 8 == len(seen) and max(seen) <= notify_command.AT_ONCE


async def test_of_too_many_the_oldest_are_dropped_and_counted(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(notify_command, "QUEUE_MAX", 3)
    code = "import json, sys; print(json.load(sys.stdin)['table'], file=open(sys.argv[1], 'a'))"
    sender, before = command(code, str(tmp_path / "sent")), counted()
    for table in range(7):  # no worker has begun yet
        sender.put(OutsideNotice("ann", "Kz81-quiet", "move", table, "words", TEXT))
    await until_done(sender)
    assert {4, 5, 6} == {int(row) for row in (tmp_path / "sent").read_text().split()}
    assert {"dropped": 4, "sent": 3} == gained(before)


async def test_what_takes_too_long_ends_with_all_that_it_has_started(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(notify_command, "TIMEOUT_S", 1.5)
    code = """
import os, sys, time
child = os.fork()
if child:
    open(sys.argv[1], "w").write(f"{os.getpid()} {child}")
time.sleep(600)
"""
    sender, before = command(code, str(tmp_path / "pids")), counted()
    sender.put(NOTICE)
    await until_done(sender)
    assert {"failed": 1} == gained(before)
    await _all_end((tmp_path / "pids").read_text())


async def test_what_fails_is_counted_and_the_next_one_is_tried(tmp_path: Path, caplog):
    sender, before = command("import sys; sys.exit(3)"), counted()
    for _ in range(3):
        sender.put(NOTICE)
    await until_done(sender)
    assert {"failed": 3} == gained(before) and "why=exit status 3" in caplog.text
    assert "ann" not in caplog.text and "Kz81" not in caplog.text
    sender.config = NotifyConfig((str(tmp_path / "none"),))
    sender.put(NOTICE)
    await until_done(sender)
    assert {"failed": 4} == gained(before) and "cannot start: FileNotFoundError" in caplog.text


async def test_at_the_end_of_the_server_it_ends_at_once(tmp_path: Path):
    code = """
import os, sys, time
open(sys.argv[1] + ".new", "w").write(str(os.getpid()))
os.rename(sys.argv[1] + ".new", sys.argv[1])
time.sleep(600)
"""
    sender = command(code, str(tmp_path / "pid"))
    for _ in range(3):
        sender.put(NOTICE)
    async with asyncio.timeout(60):
        while not (tmp_path / "pid").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        await sender.close()
        sender.put(NOTICE)
        assert not sender._workers
        await _all_end((tmp_path / "pid").read_text())


async def test_without_a_command_nothing_is_started():
    sender, before = NotifyCommand(NotifyConfig()), counted()
    sender.put(NOTICE)
    assert not sender.is_on and not sender._workers and {} == gained(before)


def test_the_command_is_a_path():
    check_consistency(Config(notify=NotifyConfig(("/etc/mudserver/notify", "x"))))
    with pytest.raises(ConfigError, match=r"notify.command: 'notify' is no path"):
        check_consistency(Config(notify=NotifyConfig(("notify",))))


async def _all_end(pids: str) -> None:
    async with asyncio.timeout(30):
        while any(_runs(pid) for pid in pids.split()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _runs(pid: str) -> bool:
    try:
        return os.path.exists(f"/proc/{pid}") and " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
