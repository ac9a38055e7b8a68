"""Each thing that `make release` builds: it holds all that it needs, and people can play on it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import yaml
from packaging.utils import canonicalize_name

from mudserver.config.schema import Config
from tests.fresh.builds import ROOT, build, copied_sources, version_of

pytestmark = pytest.mark.prove
PATIENCE_S = 120
LAUNCHER = ROOT / "tests" / "mudserver" / "ops" / "activated.py"
LICENCES = ROOT / "variants" / "words" / "data" / "licences"
SUMS = "SHA256SUMS"


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    return build(copied_sources(folder / "sources"), folder / "dist")


def run(home: Path, *command: object) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=home, capture_output=True, text=True,
        timeout=PATIENCE_S, env={**outer_environment(), "HOME": str(home)},
    )  # fmt: skip
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


def outer_environment() -> dict[str, str]:
    """Where programs and packages are found, and nothing of this test run."""
    return {name: os.environ[name] for name in os.environ if re.match("PATH$|PIP_", name)}


# -- what is there -----------------------------------------------------------------------------


def test_a_release_has_everything_that_a_host_can_install(dist):
    version = version_of(dist)
    assert re.fullmatch(r"0\+tree\.[0-9a-f]{12}", version)
    (package,) = dist.glob(f"lockdown-mudserver_{version}_*.deb")
    assert {path.name for path in dist.iterdir()} == {
        f"lockdown_mudserver-{version}-py3-none-any.whl", f"lockdown_mudserver-{version}.tar.gz",
        f"lockdown-mudserver-{version}.cdx.json", package.name, "requirements.txt",
        "Containerfile", "compose.yaml", SUMS,
    }  # fmt: skip
    run(dist, "sha256sum", "--check", "--strict", SUMS)


def test_the_same_sources_give_the_same_bytes_elsewhere(dist, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Chatham")
    before = os.umask(0o077)
    try:
        elsewhere = copied_sources(tmp_path / "a longer" / "path")
        again = build(elsewhere, tmp_path / "again")
    finally:
        os.umask(before)
    assert (dist / SUMS).read_text() == (again / SUMS).read_text()


def test_the_list_of_components_names_what_the_lock_file_pins(dist):
    found = json.loads(next(dist.glob("*.cdx.json")).read_text())
    ours = found["metadata"]["component"]
    assert ("CycloneDX", "lockdown-mudserver", version_of(dist)) == (
        found["bomFormat"], ours["name"], ours["version"]
    )  # fmt: skip
    named = {canonicalize_name(each["name"]): each["version"] for each in found["components"]}
    locked = (ROOT / "requirements.txt").read_text()
    assert dict(re.findall(r"^([\w-]+)==(\S+)", locked, re.M)) == named


def test_a_wheel_that_was_changed_on_its_way_is_refused(dist, tmp_path):
    changed = Path(shutil.copytree(dist, tmp_path / "changed"))
    with next(changed.glob("*.whl")).open("ab") as wheel:
        wheel.write(b"x")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps",
         "--requirement", "requirements.txt", "--dest", tmp_path / "downloads"],
        cwd=changed, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode
    assert "DO NOT MATCH THE HASHES" in done.stderr


# -- a game on each of them --------------------------------------------------------------------


def environment(home: Path) -> Path:
    venv.create(home / "env", with_pip=True, symlinks=True)
    return home / "env"


def from_wheel(dist: Path, home: Path) -> Path:
    prefix = environment(home)
    run(dist, prefix / "bin/pip", "install", "--require-hashes", "-r", "requirements.txt")
    return prefix


def from_sdist(dist: Path, home: Path) -> Path:
    """The libraries by the lock file inside, then what is built of the unpacked sources."""
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        archive.extractall(home, filter="data")
    (sources,) = home.glob("lockdown_mudserver-*")
    prefix = environment(home)
    pip = (prefix / "bin" / "pip", "install", "--require-hashes", "-r")
    run(sources, *pip, "requirements.txt")
    run(sources, sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation",
        "--wheel-dir", home, ".")  # fmt: skip
    run(home, prefix / "bin/pip", "install", "--no-deps", next(home.glob("*.whl")))
    return prefix


def from_package(dist: Path, home: Path) -> Path:
    """Unpacked and not installed: /opt/mudserver is another directory here."""
    run(home, "dpkg-deb", "--extract", next(dist.glob("*.deb")), home / "unpacked")
    return home / "unpacked" / "opt" / "mudserver"


@contextmanager
def serving(prefix: Path, home: Path) -> Iterator[int]:
    """What the unit file starts, with our own directories for the system's; the port of SSH."""
    share = prefix / "share" / "mudserver"
    unit = (share / "systemd" / "mudserver.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.*)$", unit, re.M)
    words = shlex.split(
        command.replace("/opt/mudserver", str(prefix))
        .replace("/etc/mudserver", str(share / "config"))
        .replace("/var/lib/mudserver", str(home / "data"))
    )
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    high = [os.dup(sock.fileno()) for sock in sockets]
    server = subprocess.Popen(
        [sys.executable, LAUNCHER, "ssh:telnet", ",".join(map(str, high)),
         str(prefix / "bin/python"), *words],
        cwd=home, pass_fds=high, env=outer_environment(), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout.readline().startswith("ready ")
        yield sockets[0].getsockname()[1]
    finally:
        server.send_signal(signal.SIGTERM)
        assert 0 == server.wait(PATIENCE_S)
        for sock in sockets:
            sock.close()


@pytest.mark.parametrize("installed", [from_wheel, from_sdist, from_package])
def test_a_game_is_played_on_what_the_unit_file_starts(dist, tmp_path, installed):
    prefix = installed(dist, tmp_path)
    python, share = prefix / "bin" / "python", prefix / "share" / "mudserver"
    where = run(tmp_path, python, "-c", "import mudserver; print(mudserver.__file__)")
    assert where.startswith(str(prefix))
    words = next(prefix.glob("lib/python*/site-packages/variants/words/data/licences"))
    assert {each.name for each in LICENCES.iterdir()} == {each.name for each in words.iterdir()}
    program = (python, prefix / "bin" / "mudserver")
    assert f"mudserver {version_of(dist)}\n" == run(tmp_path, *program, "--version")
    run(tmp_path, *program, "check-config", share / "config/mudserver.toml")
    with serving(prefix, tmp_path) as port:
        status = run(tmp_path, *program, "status", "--data", tmp_path / "data")
        assert f"mudserver {version_of(dist)}" in status.splitlines()[0]
        assert played(tmp_path, share, port).startswith("Game over: ")


def played(home: Path, share: Path, port: int) -> str:
    """A game by the program that the documents show."""
    run(home, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / "key")
    return run(
        home, sys.executable, share / "docs" / "bot.py", "elimination pace=instant",
        "-F", "/dev/null", "-i", home / "key", "-p", port, "-o", "StrictHostKeyChecking=no",
        "-o", f"UserKnownHostsFile={home / 'known_hosts'}", "fresh@127.0.0.1",
    )  # fmt: skip


def test_the_package_is_for_doors_and_game_servers(dist, tmp_path):
    root = from_package(dist, tmp_path).parents[1]
    settings = root / "etc/mudserver/mudserver.toml"
    text = settings.read_text()
    assert 'socket = "/run/mudserver/game.sock"' in text and 'door_user = "mudserver-door"' in text
    units = {path.name for path in (root / "usr/lib/systemd/system").iterdir()}
    assert {"mudserver.target", "mudserver-door@.service", "mudserver-game@.service"} < units
    assert "mudserver-door" in (root / "usr/lib/sysusers.d/mudserver.conf").read_text()
    assert "/run/mudserver" in (root / "usr/lib/tmpfiles.d/mudserver.conf").read_text()


# -- the container -----------------------------------------------------------------------------


def test_the_container_opens_what_the_compose_file_publishes(dist):
    service = yaml.safe_load((dist / "compose.yaml").read_text())["services"]["mudserver"]
    (exposed,) = re.findall(r"^EXPOSE (.*)$", (dist / "Containerfile").read_text(), re.M)
    assert exposed.split() == [each.rpartition(":")[2] for each in service["ports"]]
    limit_mib = int(service["mem_limit"].removesuffix("m"))
    assert limit_mib > 2 * Config().people.memory_mib_max


def test_in_a_container_people_stay_over_restarts_of_the_game_server(dist):
    begun = re.search(r"^ENTRYPOINT (.*)$", (dist / "Containerfile").read_text(), re.M)
    assert ["serve", "--split"] == json.loads(begun[1])[1:3]


BASE = os.environ.get("CONTAINER_BASE", "docker.io/library/debian:trixie-slim")
NAME = "lockdown-mudserver-test"


@pytest.fixture
def runtime() -> str:
    """A program that can build and run containers here, and that has their base."""
    for program in ("podman", "docker"):
        with suppress(OSError):
            for words in (("image", "inspect", BASE), ("pull", BASE)):
                if not subprocess.run([program, *words], capture_output=True).returncode:
                    return program
    pytest.skip(f"neither podman nor docker has {BASE}")


def test_a_game_is_played_in_a_container(runtime, dist, tmp_path):
    run(dist, runtime, "build", "--build-arg", f"BASE={BASE}", "--tag", NAME, ".")
    run(dist, runtime, "run", "--detach", "--rm", "--read-only", "--cap-drop=ALL",
        "--name", NAME, "--publish", "127.0.0.1::2222", NAME)  # fmt: skip
    try:
        port = run(dist, runtime, "port", NAME, "2222").strip().rpartition(":")[2]
        ready = f"until {runtime} logs {NAME} | grep -q '^ready '; do sleep 0.2; done"
        run(tmp_path, "sh", "-c", ready)
        assert played(tmp_path, ROOT, int(port)).startswith("Game over: ")
    finally:
        run(dist, runtime, "stop", NAME)
