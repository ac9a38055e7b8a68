"""`mudserver serve --split`: its processes and who starts them, with SIGKILL of the game server."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mudserver.cli.split_lock import LOCK_FILE
from mudserver.ops.control_socket import send_request
from tests.faults.test_game_server import READY_S, house
from tests.proofs.rawtelnet import RawTelnet

OPTIONS = ("--split", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")


def children(pid: int) -> dict[str, list[int]]:
    """The commands of the children of a process, and their ids, oldest first."""
    found: dict[str, list[int]] = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        except FileNotFoundError:  # it has just ended
            continue
        if b"mudserver" in words:
            command = words[words.index(b"mudserver") + 1].decode()
            found.setdefault(command, []).append(int(child))
    return found


def until(claim, what: str) -> None:
    end_s = time.monotonic() + READY_S
    while not claim():
        assert time.monotonic() < end_s, what
        time.sleep(0.02)


def test_a_child_that_is_killed_is_started_again_and_people_stay(tmp_path):
    with house(tmp_path) as here:
        ready = here.start("serve", *OPTIONS)
        port = int(re.fullmatch(r"ready ssh=\S+ telnet=127\.0\.0\.1:(\d+)\n", ready)[1])
        parent = here.processes["serve"]
        guest = RawTelnet(port, "guest")
        guest.wait_for("Name: ")
        guest.type("guest")
        guest.wait_for(r"Welcome to Lockdown, guest1!(?s:.*)lobby> $")
        ready = here.ask("status", "--standby-ready", "--wait", "30")
        assert 0 == ready.returncode, ready
        first = children(parent.pid)
        active, standby = first["game"]
        assert 1 == len(first["door"])
        os.kill(active, signal.SIGKILL)
        until(lambda: standby == children(parent.pid)["game"][0], "the standby has gone, too")
        until(lambda: len(children(parent.pid)["game"]) == 2, "no standby")
        guest.forget()
        guest.type("who")
        guest.wait_for("1 person is here")
        assert "Welcome" not in guest.text
        parent.send_signal(signal.SIGHUP)
        guest.forget()
        guest.type("who")
        guest.wait_for("1 person is here")
        parent.send_signal(signal.SIGTERM)
        guest.wait_for("The server closes for a moment")
        assert 0 == parent.wait(READY_S)
        until(
            lambda: not any(_is_alive(pid) for pid in (active, standby, *first["door"])),
            "children are left",
        )
        log = (tmp_path / "serve.log").read_text()
        assert f"process ended command=game status=-{signal.SIGKILL.value}" in log
        assert "Traceback" not in log


def test_its_children_end_with_it_when_it_is_killed(tmp_path):
    with house(tmp_path) as here:
        ready = here.start("serve", *OPTIONS)
        port = int(re.fullmatch(r"ready ssh=\S+ telnet=127\.0\.0\.1:(\d+)\n", ready)[1])
        assert 0 == here.ask("status", "--standby-ready", "--wait", "60").returncode
        guest = RawTelnet(port, "guest")
        guest.wait_for("Name: ")
        guest.type("guest")
        guest.wait_for(r"Welcome to Lockdown, guest1!(?s:.*)lobby> $")
        left = children(here.processes["serve"].pid)
        assert (1, 2) == (len(left["door"]), len(left["game"]))
        here.kill("serve")
        guest.wait_for("The server closes for a moment")
        pids = [pid for each in left.values() for pid in each]
        until(lambda: not any(map(_is_alive, pids)), "children are left")
        log = (tmp_path / "serve.log").read_text()
        assert 3 == log.count("shutting down cause=the parent has ended"), log
        assert "Traceback" not in log and "handover begun" not in log, log
        assert "waiting for" not in log


def test_one_that_is_started_while_they_say_farewell_waits_for_them(tmp_path):
    """On the same ports, with a client that does not hang up: the door takes its time."""
    with house(tmp_path) as here:
        ready = here.start("serve", *OPTIONS)
        at = dict(each.split("=") for each in ready.split()[1:])
        options = ("--split", "--ssh", at["ssh"], "--telnet", at["telnet"])
        deaf = socket.create_connection(("127.0.0.1", int(at["telnet"].rpartition(":")[2])))
        assert deaf.recv(1)
        left = children(here.processes["serve"].pid)
        pids = [pid for each in left.values() for pid in each]
        os.kill(left["game"][0], signal.SIGSTOP)  # it needs longer than any start
        here.kill("serve")
        del here.processes["serve"]
        log = tmp_path / "serve.log"
        with ThreadPoolExecutor() as pool:
            starting = pool.submit(here.start, "serve", *options)
            until(lambda: "waiting for processes of a server that was killed" in log.read_text(),
                  "it does not say that it waits")  # fmt: skip
            assert not starting.done()
            os.kill(left["game"][0], signal.SIGCONT)
            assert ready == starting.result()
        # A process that ends lets go of its locks first.
        until(lambda: not any(map(_is_alive, pids)), "one is left")
        assert re.search(r"they have ended waited_s=\d", log.read_text())
        assert "at_most_s=15" in log.read_text() and "Traceback" not in log.read_text()
        deaf.close()


def test_it_waits_no_longer_than_it_says_and_can_be_ended_meanwhile(tmp_path):
    with house(tmp_path) as here:
        (tmp_path / "data").mkdir()
        with (tmp_path / "data" / LOCK_FILE).open("w") as left:
            fcntl.flock(left, fcntl.LOCK_EX)  # as a child that hangs
            with ThreadPoolExecutor() as pool:
                starting = pool.submit(here.start, "serve", *OPTIONS)
                log = tmp_path / "serve.log"
                until(lambda: log.exists() and "waiting for" in log.read_text(), "it does not wait")
                here.processes["serve"].terminate()
                assert "" == starting.result()
            assert 0 == here.processes["serve"].wait(READY_S)
            assert "" == here.start("serve", *OPTIONS)
            assert 1 == here.processes["serve"].wait(READY_S)
        assert "have not ended within 15 s" in log.read_text()


def test_one_that_runs_is_not_waited_for(tmp_path):
    with house(tmp_path) as here:
        here.start("serve", *OPTIONS)
        done = subprocess.run(
            [*here.processes["serve"].args],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=READY_S,
        )  # fmt: skip
        assert (1, "") == (done.returncode, done.stdout), done
        assert re.fullmatch(r"mudserver: \S+ is in use by another server: [^\n]+\n", done.stderr)


def test_ctrl_c_ends_it_as_a_signal_to_it_alone_does(tmp_path):
    with house(tmp_path) as here:
        here.start("serve", *OPTIONS)
        assert 0 == here.ask("status", "--standby-ready", "--wait", "60").returncode
        parent = here.processes["serve"]
        os.killpg(parent.pid, signal.SIGINT)  # as a terminal does
        assert 0 == parent.wait(READY_S)
        log = (tmp_path / "serve.log").read_text()
        assert 3 == log.count("shutting down cause=SIGTERM"), log
        assert "handover" not in log and "ERROR" not in log, log


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_directory_that_another_server_holds_is_refused_and_no_standby_is_left(tmp_path):
    with house(tmp_path) as here:
        here.start("serve", *OPTIONS[1:])
        done = subprocess.run(
            [*here.processes["serve"].args, "--split"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=READY_S,
        )  # fmt: skip
        assert (1, "") == (done.returncode, done.stdout), done
        assert re.fullmatch(r"mudserver: \S+ is in use by another server: [^\n]+\n", done.stderr)
        assert "none" == send_request(tmp_path / "data", "status")["standby"]["state"]


def test_settings_that_cannot_work_end_it_at_once(tmp_path):
    with house(tmp_path) as here:
        here.settings.write_text("[wall]\ndoor_user = 'nobody-of-that-name'\n")
        assert "" == here.start("serve", *OPTIONS)
        assert 1 == here.processes["serve"].wait(READY_S)
        here.settings.write_text("[door]\nlogin_s = 'x'\n")
        done = subprocess.run(
            [*here.processes["serve"].args], capture_output=True, text=True, timeout=READY_S
        )
        assert 2 == done.returncode
