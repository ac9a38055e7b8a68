"""A new Debian machine does what docs/hosting.md says, and then a game is played on it.

Usage: python -m tests.fresh [--suite trixie] [DIRECTORY]
       as root, with debootstrap and systemd-nspawn; without DIRECTORY nothing is left behind

Rule 1: the commands are those of the document, all its blocks marked `sh`, in their order.  Blocks
        marked `bash` need a public name, those marked `console` are typed at home.
Rule 2: the machine is a container with a systemd of its own and without a network; packages and
        wheels are fetched before it starts.  One at a time: two systemds would share a control
        group, and each would end the services of the other.
Rule 3: two different builds are installed, upgraded to and gone back from, by directories and by
        packages; after each step the running server says which build it is, and is played on.
Rule 4: it calls while the game server or the door restarts; connections stay over restarts of the
        former and while a door is drained.  It fails with the first command that fails.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.fresh.builds import ROOT, build, copied_sources, version_of

GUIDE = ROOT / "docs" / "hosting.md"
SUITES, MIRROR = ("bookworm", "trixie"), "http://deb.debian.org/debian"
PACKAGES = (
    "systemd-sysv,dbus,iproute2,procps,ca-certificates,openssl,openssh-server,openssh-client,"
    "python3-venv,nftables"
)
AUTHORITIES = Path("etc/ssl/certs/ca-certificates.crt")
ALONE = Path(tempfile.gettempdir()) / "lockdown-fresh.lock"
BOOT_S, COMMAND_S = 60, 300
RESTARTS = 10
CERTIFICATE = """
mkdir -p /root/lineage
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=cards \
    -keyout /root/lineage/privkey.pem -out /root/lineage/fullchain.pem 2> /dev/null
RENEWED_LINEAGE=/root/lineage /usr/local/sbin/mudserver-certificate
"""
PLAY = """
test -f ~/.ssh/id_ed25519 || ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519
python3 /opt/mudserver/share/mudserver/docs/bot.py 'elimination pace=instant' \
    -o StrictHostKeyChecking=accept-new fresh@127.0.0.1
"""
INSTALLS_BESIDE = "/opt/mudserver.before\nln -sfn /opt/mudserver-$V"
STEPS = (
    ("systemctl status --no-pager mudserver-game@1.service", "on the new server", 0),
    ("mudserver restore", "after the restore", 0),
    ("until /opt/mudserver/bin/mudserver status", "after the upgrade", 1),
    ("readlink /opt/mudserver.before", "after going back", 0),
    ("apt-get install -y -o", "after the change to the package", 1),
)
"""A line of the document, what has happened by then, and which of two builds runs."""
RUNNING = "/opt/mudserver/bin/mudserver status --data /var/lib/mudserver --json"
PACKAGE = """
apt-get install -y --allow-downgrades -o Dpkg::Options::=--force-confold \
    /root/lockdown-{}/lockdown-mudserver_*.deb
"""
ON_TLS = """
timeout 10 openssl s_client -connect 127.0.0.1:992 -quiet -ign_eof < /dev/null 2> /dev/null \
    | grep -m 1 -a -o ockdown
"""
FAILS_BACK = """
cp /opt/mudserver/bin/mudserver /root/mudserver
printf '#!/bin/sh\\nexit 1\\n' > /opt/mudserver/bin/mudserver
if /opt/mudserver/bin/python /root/mudserver upgrade --wait 10 --data /var/lib/mudserver
then exit 1; fi
cp /root/mudserver /opt/mudserver/bin/mudserver
/opt/mudserver/bin/mudserver status --standby-ready --wait 60 --data /var/lib/mudserver
"""
CALLS = """
import socket, subprocess, sys, time
from pathlib import Path
restart = subprocess.Popen(["systemctl", "restart", sys.argv[1]])
waits, began = [], time.monotonic()
while restart.poll() is None:
    before = time.monotonic()
    with socket.create_connection(("127.0.0.1", 23), 30) as line:
        assert line.recv(64), "closed without a word"
    waits.append(time.monotonic() - before)
    time.sleep(0.02)  # one address may call 30 times at once, then once a second
assert restart.returncode == 0
print(f"{time.monotonic() - began:.2f} {len(waits)} {max(waits):.2f}")
"""


STAYS = """
import socket, subprocess, time
lines = [socket.create_connection(("127.0.0.1", 23), 30) for _ in range(10)]

def reads(line, wanted):
    heard, end = b"", time.monotonic() + 60
    while wanted not in heard:
        piece = line.recv(65536)
        assert piece and time.monotonic() < end, heard
        heard += piece

for line in lines:
    line.settimeout(60)
    reads(line, b"Name: ")
    line.sendall(b"guest\\r\\n")
    reads(line, b"lobby> ")
for number in range(3):
    subprocess.run(["systemctl", "restart", "mudserver-game@*"], check=True)
    for line in lines:
        line.sendall(b"who %d nobody\\r\\nwhoami\\r\\n" % number)
        reads(line, b"guest")
started = ["systemctl", "start", "mudserver-door@2.service"]
subprocess.run(started, check=True)
drain = ["/opt/mudserver/bin/mudserver", "drain", "1", "--within", "1h",
         "--data", "/var/lib/mudserver-door"]
subprocess.run(drain, check=True)
for line in lines:
    line.sendall(b"whoami\\r\\n")
    reads(line, b"guest")
with socket.create_connection(("127.0.0.1", 23), 30) as late:
    assert late.recv(64)
print(f"{len(lines)} connections stayed over 3 restarts and a drained door")
"""


def blocks(language: str) -> list[str]:
    """The fenced blocks of the document in *language*, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.M | re.S)


class Machine:
    """A Debian of *suite* in *root*; `booted` starts its systemd."""

    def __init__(self, suite: str, root: Path) -> None:
        self.suite = suite
        self.root = root

    def make(self) -> None:
        if not (self.root / "usr").exists():
            subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={PACKAGES}",
                 self.suite, str(self.root), MIRROR],
                check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        if (Path("/") / AUTHORITIES).exists():
            shutil.copyfile(Path("/") / AUTHORITIES, self.root / AUTHORITIES)

    def fetch(self, release: Path, folder: str) -> None:
        """Put the *release* into *folder* of root's home, and what it depends on into `wheels`.

        A package fits the Debian that it was built on: this machine builds its own.
        """
        inside = self.root / "root" / folder / f"lockdown-{version_of(release)}"
        shutil.copytree(release, inside, dirs_exist_ok=True)
        shutil.copytree(ROOT / "release", self.root / "root/release", dirs_exist_ok=True)
        self._outside(f"""
            cd {Path("/") / inside.relative_to(self.root)}
            rm *.deb SHA256SUMS
            python3 /root/release/package.py .
            sha256sum * > SHA256SUMS
            python3 -m venv /root/pip
            /root/pip/bin/pip --quiet download --require-hashes --dest /root/wheels \
                --requirement requirements.txt
            rm /root/wheels/lockdown_mudserver-*
        """)

    def _outside(self, command: str) -> None:
        """Run *command* in the root with the network of this machine, nothing booted."""
        subprocess.run(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit",
             "--resolv-conf=bind-host", "-D", str(self.root), "/bin/sh", "-ec", f"cd\n{command}"],
            check=True,
        )  # fmt: skip

    @contextmanager
    def booted(self) -> Iterator[None]:
        with (self.root.parent / "console.log").open("w") as console:
            container = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network",
                 "--console=pipe", "--boot", "-D", str(self.root)],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console,
            )  # fmt: skip
        try:
            self._pid = _first_of(container.pid)
            self._run("until systemctl is-system-running 2>&1 | grep -Eq 'running|degraded'; do"
                      " sleep 0.2; done; ip link set lo up", BOOT_S)  # fmt: skip
            yield
        finally:
            container.terminate()  # it halts its machine
            container.wait(BOOT_S)

    def do(self, command: str, why: str) -> str:
        print(f"-- {why}", flush=True)
        return self._run(command, COMMAND_S)

    def _run(self, command: str, patience_s: float) -> str:
        words = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8",
                 "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/root/wheels",
                 "DEBIAN_FRONTEND": "noninteractive"}  # fmt: skip
        done = subprocess.run(
            ["nsenter", "--target", str(self._pid), "--all",
             "/bin/sh", "-ec", f"cd\n{command}"],
            env=words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=patience_s,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{command}\n{done.stdout}\nended with {done.returncode}")
        return done.stdout


def _first_of(container: int) -> int:
    """The systemd of the machine: a child of *container* that is number 1 where it lives."""
    end = time.monotonic() + BOOT_S
    while time.monotonic() < end:
        children = Path(f"/proc/{container}/task/{container}/children").read_text("ascii")
        for child in map(int, children.split()):
            with suppress(OSError):  # some live for a moment only
                status = Path(f"/proc/{child}/status").read_text("ascii")
                if re.search(r"^Name:\tsystemd$.*^NSpid:\t\d+\t1$", status, re.M | re.S):
                    return child
        time.sleep(0.05)
    sys.exit("the machine does not boot")


def play(machine: Machine, when: str) -> None:
    told = machine.do(PLAY, f"a game {when}")
    if "Game over: " not in told:
        sys.exit(told)
    print(told.strip().splitlines()[-1])


def check_version(machine: Machine, version: str, when: str) -> None:
    running = json.loads(machine.do(RUNNING, f"which build runs {when}"))["version"]
    if running != version:
        sys.exit(f"{when}: {running} runs and not {version}")
    print(running)


def follow_guide(machine: Machine, builds: tuple[str, str]) -> None:
    """The document from its beginning to its end; the second build is sent for the upgrade."""
    for block in blocks("sh"):
        if INSTALLS_BESIDE in block:
            machine.do("mv /root/later/* /root", "the second build is sent")
        machine.do(block, block.strip().splitlines()[0])
        if "RENEWED_LINEAGE" in block:
            machine.do(CERTIFICATE, "a certificate, as certbot would hand it over")
        if "s|^tls = " in block:
            machine.do(ON_TLS, "telnet over TLS")
        for mark, when, number in STEPS:
            if mark in block:
                check_version(machine, builds[number], when)
                play(machine, when)


def change_packages(machine: Machine, builds: tuple[str, str]) -> None:
    for version, when in zip(builds, ("after the older package", "after the newer"), strict=True):
        machine.do(PACKAGE.format(version), f"the package of {version}")
        check_version(machine, version, when)
        play(machine, when)


def restarts(machine: Machine, units: str) -> None:
    command = f"python3 -c '{CALLS}' '{units}'"
    rows = [machine.do(command, f"{units} restarts under calls").split() for _ in range(RESTARTS)]
    calls = sum(int(row[1]) for row in rows)
    print(f"{RESTARTS} restarts of {units}, {calls} calls meanwhile, none refused; a restart took "
          f"{min(float(row[0]) for row in rows):.2f} to {max(float(row[0]) for row in rows):.2f} s,"
          f" the longest wait was {max(float(row[2]) for row in rows):.2f} s")  # fmt: skip


def goes_back(machine: Machine, version: str) -> None:
    """A version that cannot start changes nothing for those who are connected."""
    print(machine.do(FAILS_BACK, "a version that cannot start").strip().splitlines()[-1])
    check_version(machine, version, "after the version that cannot start")


def stays(machine: Machine) -> None:
    """Connections over upgrades of the game server, and of their door with draining."""
    print(machine.do(f"python3 -c '{STAYS}'", "connections over restarts of the game server"))


def main(*words: str) -> int:
    parser = argparse.ArgumentParser("python -m tests.fresh")
    parser.add_argument("--suite", choices=SUITES, default=SUITES[0])
    parser.add_argument("directory", nargs="?", type=Path)
    asked = parser.parse_args(words)
    missing = [name for name in ("debootstrap", "systemd-nspawn") if not shutil.which(name)]
    if missing or os.geteuid():
        print("A fresh machine needs root, and: apt install debootstrap systemd-container")
        return 1
    with ALONE.open("w") as alone, tempfile.TemporaryDirectory(prefix="fresh-") as folder:
        try:
            fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another fresh machine is running. Wait until it has ended.")
            return 1
        home = asked.directory or Path(folder)
        home.mkdir(exist_ok=True)
        machine = Machine(asked.suite, home / "root")
        print(f"-- a new Debian ({asked.suite}) and two builds", flush=True)
        machine.make()
        sources = copied_sources(Path(folder) / "sources")
        first = build(sources, Path(folder) / "first")
        machine.fetch(first, "")
        with (sources / "CHANGELOG.md").open("a") as changed:
            changed.write("\nOne line more.\n")
        second = build(sources, Path(folder) / "second")
        machine.fetch(second, "later")
        builds = version_of(first), version_of(second)
        with machine.booted():
            follow_guide(machine, builds)
            goes_back(machine, builds[1])
            change_packages(machine, builds)
            stays(machine)
            restarts(machine, "mudserver-game@*")
            restarts(machine, "mudserver-door@1.service")
            for command in (
                ". /etc/os-release && echo $PRETTY_NAME && python3 --version && systemctl --version"
                " | head -n 1",
                "systemd-analyze security mudserver-door@1 --no-pager | tail -n 1",
                "systemd-analyze security mudserver-game@1 --no-pager | tail -n 1",
                "journalctl -u mudserver-* -o cat -p warning --no-pager",
            ):
                print(machine.do(command, command))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
