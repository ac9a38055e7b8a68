"""The unit files: what systemd says of them, and that they speak of the program that there is."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mudserver.__main__ import main
from mudserver.config import schema
from mudserver.errors import ConfigError, DataError, StartError
from mudserver.protocols import LISTENERS
from tests.forked import Forked, run_forked

UNITS = Path(__file__).parents[3] / "systemd"
PROGRAM = "/opt/mudserver/bin/mudserver"
EXPOSURE_MAX = 1.0
COMPUTERS_MIB = 75  # a process of them at its peak, with the shipped words
FILES = sorted(path.name for path in UNITS.iterdir() if path.suffix in (
    ".service", ".socket", ".timer", ".target"
))  # fmt: skip
SOCKETS = [name for name in FILES if name.endswith(".socket")]
DOORS_WAY = ("mudserver-door@1.service", "mudserver-game@1.service")
WAYS = ("mudserver.service", *DOORS_WAY)
SERVICES = [name for name in FILES if name.endswith(".service")]
SERVED = [name for name in SERVICES if "backup" not in name]


@pytest.fixture
def analyze():
    """Runs `systemd-analyze`; CI must have it."""
    if not shutil.which("systemd-analyze"):
        if not os.environ.get("CI"):
            pytest.skip("systemd-analyze is missing: apt install systemd")
        pytest.fail("systemd-analyze is missing")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["systemd-analyze", *words], capture_output=True, text=True, timeout=60
        )

    return run


def unit(name: str) -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment]
    read.read(UNITS / name)
    return read


def test_systemd_understands_every_line(analyze, tmp_path):
    (tmp_path / "mudserver").symlink_to(sys.executable)  # where none is installed
    for name in FILES:
        text = (UNITS / name).read_text().replace(PROGRAM, str(tmp_path / "mudserver"))
        (tmp_path / name).write_text(text)
    done = analyze("verify", "--man=no", *(str(tmp_path / name) for name in FILES))
    ours = [
        line for line in done.stderr.splitlines() if str(tmp_path) in line or "mudserver" in line
    ]
    assert [] == ours
    assert 0 == done.returncode, done.stderr


def test_a_line_that_systemd_does_not_understand_is_found(analyze, tmp_path):
    broken = tmp_path / "broken.service"
    broken.write_text("[Service]\nExecStart=/bin/true\nProtectHouse=yes\n")
    assert "ProtectHouse" in analyze("verify", "--man=no", str(broken)).stderr


@pytest.mark.parametrize("name", SERVICES)
def test_little_of_the_machine_is_exposed(analyze, name):
    done = analyze("security", "--offline=yes", str(UNITS / name))
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure, done.stderr
    assert float(exposure[1]) <= EXPOSURE_MAX


@pytest.mark.parametrize("name", SOCKETS)
def test_a_socket_has_a_name_that_the_server_knows_and_listens_to_ipv4_and_ipv6(name):
    socket = unit(name)["Socket"]
    assert socket["FileDescriptorName"] in (*LISTENERS, "metrics")
    assert socket["Service"] in WAYS
    assert "both" == socket["BindIPv6Only"]


@pytest.mark.parametrize("way", [("mudserver.service",), DOORS_WAY])
def test_the_names_are_told_apart(way):
    sockets = [unit(name)["Socket"] for name in SOCKETS]
    named = [each["FileDescriptorName"] for each in sockets if each["Service"] in way]
    assert sorted({*LISTENERS, "metrics"}) == sorted(named)


@pytest.mark.parametrize("name", ["mudserver-metrics.socket", "mudserver-game-metrics.socket"])
def test_the_figures_are_for_this_machine_alone(name):
    assert unit(name)["Socket"]["ListenStream"].startswith("127.0.0.1:")


def test_both_ways_have_the_same_ports_and_never_run_together():
    """In one process, or in doors and game servers: what starts one way ends the other."""
    ports: dict[str, dict[str, str]] = {}
    for name in SOCKETS:
        socket = unit(name)["Socket"]
        way = "one" if socket["Service"] == "mudserver.service" else "two"
        ports.setdefault(way, {})[socket["FileDescriptorName"]] = socket["ListenStream"]
        if way == "two":
            assert socket["FileDescriptorName"] in unit(unit(name)["Unit"]["Conflicts"]).get(
                "Socket", "FileDescriptorName"
            )
    assert ports["one"] == ports["two"]
    for name in ("mudserver-door@.service", "mudserver-game@.service", "mudserver.target"):
        assert "mudserver.service" == unit(name)["Unit"]["Conflicts"]


def test_every_door_takes_every_socket_of_the_doors():
    taken = unit("mudserver-door@.service")["Service"]["Sockets"].split()
    assert sorted(taken) == [name for name in SOCKETS if name.startswith("mudserver-door-")]
    for name in taken:
        assert "mudserver.target" == unit(name)["Unit"]["PartOf"]  # a stop ends them, too


def test_a_door_that_starts_leaves_the_shared_sockets_as_the_others_need_them():
    """Non-blocking is a property of the socket, and systemd sets or clears it at each start."""
    assert "yes" == unit("mudserver-door@.service")["Service"]["NonBlocking"]


def test_a_door_knows_the_socket_and_nothing_of_the_data():
    door = unit("mudserver-door@.service")["Service"]
    text = (UNITS / "mudserver-door@.service").read_text()
    assert "InaccessiblePaths=-/var/lib/mudserver -/var/backups/mudserver\n" in text
    assert ("mudserver-door", "mudserver-wall") == (door["User"], door["SupplementaryGroups"])
    made = (UNITS / "mudserver.tmpfiles").read_text()
    assert "d /run/mudserver 2750 mudserver mudserver-wall\n" in made
    assert "d /var/lib/mudserver-door 0700 mudserver-door mudserver-door\n" in made
    accounts = (UNITS / "mudserver.sysusers").read_text()
    for member in ("mudserver", "mudserver-door"):
        assert f"\nm {member} mudserver-wall\n" in accounts


def test_a_game_server_learns_from_the_kernel_who_a_door_is():
    """In a user namespace of its own SO_PEERCRED would have 65534 for everybody else."""
    assert "no" == unit("mudserver-game@.service")["Service"]["PrivateUsers"]
    assert "yes" == unit("mudserver-door@.service")["Service"]["PrivateUsers"]


def test_doors_end_before_their_game_server_and_a_drained_one_stays_ended():
    door, game = unit("mudserver-door@.service"), unit("mudserver-game@.service")
    # Units stop in the opposite order.
    assert {"mudserver-game@1.service", "mudserver-game@2.service"} < {
        *door["Unit"]["After"].split()
    }
    assert "mudserver.target" == door["Unit"]["PartOf"] == game["Unit"]["PartOf"]
    assert ("on-failure", "always") == (door["Service"]["Restart"], game["Service"]["Restart"])
    assert "0.2" == game["Service"]["RestartSec"]


def test_both_processes_are_hardened_as_the_one_is():
    """What differs has a reason in the unit."""
    differs = {
        "mudserver-game@.service": {"PrivateUsers"},
        "mudserver-door@.service": {"InaccessiblePaths", "SystemCallFilter"},
    }
    marks = "# No privileges", "[Install]"
    lines = {}
    for name in ("mudserver.service", *differs):
        part = (UNITS / name).read_text().partition(marks[0])[2].partition(marks[1])[0]
        lines[name] = {line for line in part.splitlines() if "=" in line and line[0] != "#"}
    for name, keys in differs.items():
        other = lines[name] ^ lines["mudserver.service"]
        assert keys == {line.partition("=")[0] for line in other}


@pytest.mark.parametrize("name", SERVICES)
def test_the_program_understands_what_the_service_says(name):
    command = unit(name)["Service"]["ExecStart"]
    said = re.search(rf"{PROGRAM} (\w+)((?: --[\w-]+ \S+)*)", command)
    assert said, command
    done = run_forked([said[1], "--help"])
    options = re.findall(r"--[\w-]+", said[2])
    assert [] == [option for option in options if option not in done.stdout], done.stderr


def test_a_reload_is_a_command_that_fails_where_the_settings_are_wrong(tmp_path, capfd):
    """`systemctl reload` fails if this command does; a signal always succeeds."""
    program, *words = shlex.split(unit("mudserver.service")["Service"]["ExecReload"])
    assert PROGRAM == program and ["reload", "--data", "/var/lib/mudserver"] == words
    assert words == shlex.split(unit("mudserver-game@.service")["Service"]["ExecReload"])[1:]
    door = shlex.split(unit("mudserver-door@.service")["Service"]["ExecReload"])[1:]
    assert ["reload", "--door", "%i", "--data", "/var/lib/mudserver-door"] == door
    file, data = tmp_path / "server.toml", tmp_path / "data"
    file.write_text('[server]\nname = "First"\n')
    here = ["--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0", "--data", str(data)]
    with (tmp_path / "log").open("w") as log:
        server = Forked(["serve", "--config", str(file), *here], log)

    def reload() -> tuple[int, str, str]:
        capfd.readouterr()
        return main([*words[:-1], str(data)]), *capfd.readouterr()

    try:
        assert server.stdout.readline().startswith("ready ")
        file.write_text("[chat]\nburst = 7\n[bots]\nprocesses = 2\n")
        status, out, err = reload()
        assert (0, "") == (status, err) and "setting changed key=chat.burst old=5 new=7" in out
        assert "setting needs a restart key=bots.processes" in out
        file.write_text("[door]\nlogin_s = -1\nwaiting_max = 0\n")
        status, out, err = reload()
        assert (1, "", 1) == (status, out, err.count("\n"))
        assert f"{file}: door.login_s = -1: must be" in err
        assert f"{file}: door.waiting_max = 0: must be" in err
    finally:
        server.terminate()
        assert 0 == server.wait(60)
    status, _, err = reload()
    assert 1 == status and "no server runs in" in err


@pytest.mark.parametrize("name", ["mudserver.service", "mudserver-game@.service"])
def test_newcomers_are_refused_before_the_kernel_ends_the_server_on_a_machine_of_1_gb(name):
    service, defaults = unit(name)["Service"], schema.Config()
    high, most = (int(service[key].removesuffix("M")) for key in ("MemoryHigh", "MemoryMax"))
    computers = COMPUTERS_MIB * defaults.bots.processes
    assert defaults.people.memory_mib_max + computers < high < most
    assert most <= 800  # 1 GB are 953 MiB, and the rest of the machine wants some


@pytest.mark.parametrize("name", SERVED)
def test_it_is_not_started_again_where_that_helps_nobody(name):
    names = {"DATAERR": os.EX_DATAERR}  # systemd.exec(5), "Process Exit Codes"
    said = unit(name)["Service"]["RestartPreventExitStatus"].split()
    prevented = {names.get(word) or int(word) for word in said}
    assert {ConfigError.exit_status, DataError.exit_status} == prevented
    assert StartError.exit_status not in prevented


@pytest.mark.parametrize("name", ["mudserver.service", "mudserver-door@.service"])
@pytest.mark.parametrize("status", [0, 1, 2, os.EX_DATAERR])
def test_who_calls_does_not_start_it_all_the_time_where_that_helps_nobody(name, status, tmp_path):
    """The sockets go on listening, and each call is one more try."""
    program, flag, script = shlex.split(unit(name)["Service"]["ExecStopPost"])
    (tmp_path / "sleep").write_text('#!/bin/sh\necho "$1"\n')
    (tmp_path / "sleep").chmod(0o755)
    done = subprocess.run(
        [program, flag, script.replace("$$", "$")],
        env={"PATH": str(tmp_path), "EXIT_STATUS": str(status)}, capture_output=True, text=True,
    )  # fmt: skip
    assert 0 == done.returncode
    assert (
        "10" if status in (ConfigError.exit_status, DataError.exit_status) else ""
    ) == done.stdout.strip()


@pytest.mark.parametrize("name", SOCKETS)
def test_no_crash_closes_a_socket_for_good(name):
    """systemd.socket(5): the default fails a socket at 20 starts in 2 s, until somebody comes."""
    assert "0" == unit(name)["Socket"]["TriggerLimitIntervalSec"]


@pytest.mark.parametrize("name", SERVED)
def test_the_server_stays_and_is_watched(name):
    service = unit(name)["Service"]
    stays = "on-failure" if "door" in name else "always"
    words = {"Type": "notify", "Restart": stays, "KillMode": "mixed"}
    assert words == {key: service[key] for key in words}
    assert int(service["WatchdogSec"]) >= 15  # a beat and its grace, and then some
