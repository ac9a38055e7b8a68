"""The wheel in a new environment: it holds all that it needs, and people can play on it."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.fresh.wheel import ROOT, built

pytestmark = pytest.mark.prove
PATIENCE_S = 120
LAUNCHER = ROOT / "tests" / "mudserver" / "ops" / "activated.py"
LICENCES = ROOT / "variants" / "words" / "data" / "licences"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A new environment with the wheel; what it depends on is borrowed, the checkout is not."""
    folder = tmp_path_factory.mktemp("fresh")
    wheel = built(folder)
    venv.create(folder / "env", with_pip=True, symlinks=True)
    python = folder / "env" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", wheel], check=True)
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(home: Path, *command: object) -> str:
    return subprocess.run(
        [str(word) for word in command], cwd=home, check=True, capture_output=True, text=True,
        timeout=PATIENCE_S, env={"PATH": os.environ["PATH"], "HOME": str(home)},
    ).stdout  # fmt: skip


def test_it_runs_from_itself_and_has_its_words_and_their_licences(home):
    python = home / "env" / "bin" / "python"
    where = run(home, python, "-c", "import mudserver, variants; print(mudserver.__file__)")
    assert where.startswith(str(home))
    good = run(
        home, home / "env/bin/mudserver", "check-config",
        home / "env/share/mudserver/config/mudserver.toml",
    )  # fmt: skip
    assert "good" in good
    installed = next((home / "env" / "lib").glob("python*/site-packages/variants/words/data"))
    assert {each.name for each in LICENCES.iterdir()} == {
        each.name for each in (installed / "licences").iterdir()
    }


def test_a_game_is_played_on_what_the_unit_file_starts(home):
    share = home / "env" / "share" / "mudserver"
    unit = (share / "systemd" / "mudserver.service").read_text()
    command = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    words = shlex.split(
        command.removeprefix("ExecStart=")
        .replace("/opt/mudserver/bin", str(home / "env" / "bin"))
        .replace("/etc/mudserver", str(share / "config"))
        .replace("/var/lib/mudserver", str(home / "data"))
    )
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    high = [os.dup(sock.fileno()) for sock in sockets]
    server = subprocess.Popen(
        [sys.executable, LAUNCHER, "ssh:telnet", ",".join(map(str, high)), *words],
        cwd=home, pass_fds=high, env={"PATH": os.environ["PATH"]},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout.readline().startswith("ready ")
        run(home, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / "key")
        port = sockets[0].getsockname()[1]
        told = run(
            home, sys.executable, share / "docs" / "bot.py", "elimination pace=instant",
            "-F", "/dev/null", "-i", home / "key", "-p", port, "-o", "StrictHostKeyChecking=no",
            "-o", f"UserKnownHostsFile={home / 'known_hosts'}", "fresh@127.0.0.1",
        )  # fmt: skip
        assert told.startswith("Game over: ")
    finally:
        server.send_signal(signal.SIGTERM)
        assert 0 == server.wait(PATIENCE_S)
        for sock in sockets:
            sock.close()
