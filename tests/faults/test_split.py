"""`mudserver serve --split`: its processes and who starts them, with SIGKILL of the game server."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mudserver.cli import split_lock
from mudserver.errors import StartError
from mudserver.ops.control_socket import send_request
from tests.faults.test_game_server import READY_S, House, house
from tests.proofs.rawtelnet import RawTelnet

OPTIONS = ("--split", "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0")
IN_USE = r"mudserver: \S+ is in use by another server: [^\n]+\n"


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


def ports(ready: str) -> dict[str, str]:
    """The addresses of the ready line."""
    assert re.fullmatch(r"ready ssh=\S+ telnet=127\.0\.0\.1:\d+\n", ready)
    return dict(each.split("=") for each in ready.split()[1:])


def guest_at(ready: str) -> RawTelnet:
    guest = RawTelnet(int(ports(ready)["telnet"].rpartition(":")[2]), "guest")
    guest.wait_for("Name: ")
    guest.type("guest")
    guest.wait_for(r"Welcome to Lockdown, guest1!(?s:.*)lobby> $")
    return guest


def family(here: House) -> dict[str, list[int]]:
    """The children, once the standby is ready."""
    assert 0 == here.ask("status", "--standby-ready", "--wait", "60").returncode
    found = children(here.processes["serve"].pid)
    assert (1, 2) == (len(found["door"]), len(found["game"]))
    return found


def until_gone(family: dict[str, list[int]]) -> None:
    pids = [pid for each in family.values() for pid in each]
    until(lambda: not any(map(_is_alive, pids)), "children are left")


def test_a_child_that_is_killed_is_started_again_and_people_stay_until_ctrl_c(tmp_path):
    """Which ends all as a signal to the parent alone does."""
    with house(tmp_path) as here:
        ready = here.start("serve", *OPTIONS)
        parent, guest = here.processes["serve"], guest_at(ready)
        active, standby = family(here)["game"]
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
        last, log = family(here), (tmp_path / "serve.log").read_text()
        assert f"process ended command=game status=-{signal.SIGKILL.value}" in log
        os.killpg(parent.pid, signal.SIGINT)  # as a terminal does
        guest.wait_for("The server closes for a moment")
        guest.close()  # a door waits for who does not hang up
        assert 0 == parent.wait(READY_S)
        until_gone(last)
        said = (tmp_path / "serve.log").read_text().removeprefix(log)
        assert 3 == said.count("shutting down cause=SIGTERM"), said
        assert "handover" not in said and "ERROR" not in said, said
        assert "Traceback" not in log + said


def test_its_children_end_with_it_when_it_is_killed_and_the_next_one_waits_for_them(tmp_path):
    """On the same ports, with a client that does not hang up: the door takes its time."""
    with house(tmp_path) as here:
        quick = here.settings.read_text().replace("[door]", "[door]\nclose_s = 1.0")
        here.settings.write_text(quick)
        ready = here.start("serve", *OPTIONS)
        at = ports(ready)
        options = ("--split", "--ssh", at["ssh"], "--telnet", at["telnet"])
        deaf = socket.create_connection(("127.0.0.1", int(at["telnet"].rpartition(":")[2])))
        assert deaf.recv(1)
        left = children(here.processes["serve"].pid)
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
        until_gone(left)  # a process that ends lets go of its locks first
        before = log.read_text()
        assert re.search(r"they have ended waited_s=\d", before) and "at_most_s=15" in before
        deaf.close()

        refused = here.ask("serve", *options)  # one that runs is not waited for
        assert (1, "") == (refused.returncode, refused.stdout), refused
        assert re.fullmatch(IN_USE, refused.stderr)
        guest, left = guest_at(ready), family(here)
        here.kill("serve")
        guest.wait_for("The server closes for a moment")
        guest.close()  # a door waits for who does not hang up
        until_gone(left)
        said = log.read_text().removeprefix(before)
        assert 3 == said.count("shutting down cause=the parent has ended"), said
        assert "handover begun" not in said and "waiting for" not in said, said
        assert "Traceback" not in log.read_text()


def test_it_waits_no_longer_than_it_says_and_can_be_ended_meanwhile(tmp_path, monkeypatch):
    with house(tmp_path) as here:
        (tmp_path / "data").mkdir()
        with (tmp_path / "data" / split_lock.LOCK_FILE).open("w") as left:
            fcntl.flock(left, fcntl.LOCK_EX)  # as a child that hangs
            with ThreadPoolExecutor() as pool:
                starting = pool.submit(here.start, "serve", *OPTIONS)
                log = tmp_path / "serve.log"
                until(lambda: log.exists() and "waiting for" in log.read_text(), "it does not wait")
                here.processes["serve"].terminate()
                assert "" == starting.result()
            assert 0 == here.processes["serve"].wait(READY_S)
            monkeypatch.setattr(split_lock, "WAIT_S", 1.0)
            with pytest.raises(StartError, match=r"have not ended within 1 s"):
                asyncio.run(split_lock.hold(tmp_path / "data"))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_directory_that_another_server_holds_is_refused_and_no_standby_is_left(tmp_path):
    with house(tmp_path) as here:
        here.start("game")
        done = here.ask("serve", *OPTIONS)
        assert (1, "") == (done.returncode, done.stdout), done
        assert re.fullmatch(IN_USE, done.stderr)
        assert "none" == send_request(tmp_path / "data", "status")["standby"]["state"]


def test_settings_that_cannot_work_end_it_at_once(tmp_path):
    with house(tmp_path) as here:
        here.settings.write_text("[wall]\ndoor_user = 'nobody-of-that-name'\n")
        done = here.ask("serve", *OPTIONS)
        assert (1, "") == (done.returncode, done.stdout), done
        here.settings.write_text("[door]\nlogin_s = 'x'\n")
        assert 2 == here.ask("serve", *OPTIONS).returncode
