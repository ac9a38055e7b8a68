"""What every process has: how much it logs, that it ends with its parent, and at Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from mudserver.cli import process
from mudserver.cli.process import DETAILED, end_with_parent, set_detail
from mudserver.config.schema import Config, ServerConfig
from mudserver.logs import LogLineFormatter, LogRateFilter
from mudserver.ops.control_socket import ControlSocket
from mudserver.ops.sd_notify import ServiceManager
from tests.mudserver.transport.server import until

# A shell says 130 of both.  With `python -m` CPython ends by the signal itself if that came while
# something like `dataclass` was executing text, although it was caught.
BY_CTRL_C = {130, -signal.SIGINT}


@pytest.fixture(autouse=True)
def levels():
    before = {name: logging.getLogger(name).level for name in DETAILED}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.parametrize(("setting", "level"), [("info", logging.INFO), ("debug", logging.DEBUG)])
def test_debug_shows_each_connection_and_each_session(setting, level):
    formatter = LogLineFormatter()
    set_detail(formatter, ServerConfig(log=setting))
    assert [level] * 2 == [logging.getLogger(name).level for name in ("session", "wall")]
    assert formatter.has_traces is (setting == "debug")


@pytest.mark.parametrize("make", [os.pipe, os.openpty])
def test_a_process_ends_once_when_its_parent_does(monkeypatch, make):
    async def scenario() -> None:
        causes = list[str]()
        is_alone = end_with_parent({process.WITH_PARENT: "1"}, causes.append)
        os.write(theirs, b"typed\n")
        await asyncio.sleep(0.01)
        assert [] == causes
        os.close(theirs)
        await asyncio.wait_for(is_alone.wait(), 5)
        await asyncio.sleep(0.01)
        assert ["the parent has ended"] == causes

    ends = make()
    own, theirs = ends if make is os.pipe else ends[::-1]
    monkeypatch.setattr(process, "INPUT", own)
    asyncio.run(scenario())
    os.close(own)


@pytest.mark.parametrize("command", ["game", "door"])
def test_a_file_as_standard_input_is_refused_in_a_sentence(command, tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "mudserver", command, "--data", tmp_path],
        env=os.environ | {process.WITH_PARENT: "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert 2 == ended.returncode
    assert f"mudserver: {process.NOT_WATCHED}\n" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_server_of_one_process_is_nobodys_child(tmp_path):
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "mudserver", "serve", "--data", tmp_path / "data"),
            *("--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"),
        ],
        env=os.environ | {process.WITH_PARENT: "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        said = server.stdout.readline()
        server.terminate()
        assert said.startswith("ready ssh=") and 0 == server.wait(60)


@pytest.mark.parametrize("module", ["argparse", "asyncio", "mudserver.config.schema"])
def test_ctrl_c_while_the_program_is_still_loaded_shows_no_stack_trace(tmp_path, module):
    command = [sys.executable, "-X", "importtime", "-m", "mudserver", "serve", "--data", tmp_path]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_ctrl_c
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:  # one for each module that is loaded
            if line.endswith(f" {module}\n"):
                process.send_signal(signal.SIGINT)
                break
        said = process.stderr.read()
    assert process.returncode in BY_CTRL_C and "Traceback" not in said


def _heed_ctrl_c() -> None:
    """What a shell starts behind `&` ignores it, and so do all whom that starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


async def test_a_process_that_hands_over_reads_its_settings_only_if_it_goes_on(monkeypatch):
    goes_on, asked, applied = asyncio.Queue[bool](), list[str](), list[Config]()
    monkeypatch.setattr(process, "read_again", lambda sources, log: Config())

    async def may_reload() -> bool:
        asked.append("asked")
        return await goes_on.get()

    server = SimpleNamespace(
        config=Config(), control=ControlSocket(),
        reconfigure=lambda config: applied.append(config) or [],
    )  # fmt: skip
    loop = asyncio.get_running_loop()
    process.offer_reload(
        *(server, None, LogLineFormatter(), ServiceManager(), LogRateFilter(100, loop.time)),
        logging.getLogger("test"),
        is_due=True,
        may_reload=may_reload,
    )
    try:
        await until(lambda: asked)
        assert [] == applied
        goes_on.put_nowait(True)
        await until(lambda: applied)
        os.kill(os.getpid(), signal.SIGHUP)
        await until(lambda: len(asked) == 2)
        goes_on.put_nowait(False)
        await asyncio.sleep(0.01)
        assert 1 == len(applied)
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
