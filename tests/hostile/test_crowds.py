"""Many at once: half-open lines, readers who do not read, guesses, names, descriptors."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import time
from collections import deque

import asyncssh
import pytest

from tests.e2e.client import Server
from tests.hostile.attack import (
    Line,
    Victim,
    attacker_socket,
    guest,
    held_max,
    known,
    new_source,
    ssh,
    until,
)  # fmt: skip
from tests.hostile.conftest import check_log

LOGIN_S = 5.0


def test_silent_lines_of_one_source_keep_nobody_out(victim):
    crowd(victim, "300 silent lines of one source", 300, sources=1)


def test_silent_lines_of_many_sources_keep_nobody_out(victim):
    crowd(victim, "300 silent lines of 200 sources", 300, sources=200)


def crowd(victim, what: str, count: int, sources: int) -> None:
    addresses = [new_source() for _ in range(sources)]
    with victim.attacked(what, growth_mib=16):
        lines = []
        for n in range(count):
            sock = attacker_socket(addresses[n % sources])
            sock.settimeout(1)
            port = victim.server.telnet_port if n % 2 else victim.server.ssh_port
            with contextlib.suppress(OSError):
                sock.connect(("127.0.0.1", port))
            if n % 3 == 0:
                with contextlib.suppress(OSError):
                    sock.send(b"S")
            if n >= held_max():
                lines[n - held_max()].close()
            lines.append(sock)
        login_s = time_of_login(victim.server)
    print(f"{'':<44} a login took {login_s:.2f} s")
    assert login_s < LOGIN_S


def time_of_login(server: Server) -> float:
    """As a person does it: who is turned away tries again."""
    began = time.monotonic()
    while True:
        try:
            guest(server).close()
            return time.monotonic() - began
        except (AssertionError, OSError):
            assert time.monotonic() - began < 20
            time.sleep(0.1)


@pytest.mark.prove
def test_who_never_reads_in_a_flood_of_talk_costs_little(victim):
    """Ten ask for pages and pages and read none; ten others talk as fast as they may."""
    server = victim.server
    deaf = [guest(server, receive_bytes=4_096) for _ in range(10)]
    talkers = [guest(server) for _ in range(10)]
    with victim.attacked("10 who never read, 10 who talk", growth_mib=32):
        for n in range(4):
            for line in talkers:
                line.pour(b"say " + b"%d " % n + b"blah " * 70 + b"\r\n", 0.02)
            for line in deaf:
                line.pour(b"commands\r\nhelp talk\r\nwho\r\n" * 5, 0.02)
            time.sleep(0.3)
    talkers[0].wait_for(rb"(?s)(?:blah blah.*?){21}")  # those who read are served
    for line in (*deaf, *talkers):
        line.close()


async def test_who_never_reads_over_ssh_is_cut_and_costs_little(victim):
    connections = [await ssh(victim.server) for _ in range(5)]
    with victim.attacked("5 who never read over ssh", growth_mib=32):
        for connection in connections:
            process = await connection.create_process(
                encoding=None, window=4_096, term_type="xterm"
            )
            process.channel.pause_reading()
            process.stdin.write(b"commands\r" * 2_000)
        await asyncio.sleep(1)
    for connection in connections:
        connection.abort()


def test_guessing_ends_and_the_owner_comes_in(victim):
    server = victim.server
    known(server, "landlady").close()
    source, guesses, began = new_source(), 0, time.monotonic()
    with victim.attacked("guessing passwords by telnet", growth_mib=64):
        while time.monotonic() - began < 0.8:
            line = Line(server, source)
            line.hear(0.45)
            if b"Name: " not in line.heard:
                break  # the source is not let in any more
            for _ in range(3):
                line.heard = b""
                line.type("landlady")
                line.hear(0.05)
                line.type("wrong guess")
                line.hear(0.3)
                guesses += 1
            line.close()
        assert guesses <= 36
    known(server, "landlady").close()


@pytest.mark.prove
async def test_guessing_by_ssh_ends_after_a_few(victim):
    known(victim.server, "target").close()
    tried = 0

    class Guesser(asyncssh.SSHClient):
        def password_auth_requested(self):
            nonlocal tried
            tried += 1
            return f"guess {tried}" if tried < 50 else None

        def kbdint_auth_requested(self):
            return None

    with pytest.raises((asyncssh.Error, OSError)):
        await asyncio.wait_for(ssh(victim.server, "target", client_factory=Guesser), 25)
    assert tried <= 6


def test_a_name_a_second_is_not_a_thousand_names(victim):
    source = new_source()
    with victim.attacked("registering name after name", growth_mib=64):
        for n in range(3):
            line = Line(victim.server, source)
            line.wait_for(rb"Name: ")
            line.type(f"flood{n}x")
            line.wait_for(rb"Choose a password: ")
            line.send(b"a long password\r\na long password\r\n")
            line.wait_for(rb"You are registered")  # thirty an hour are allowed
            line.close()


def test_a_slow_loris_is_gone_after_the_login_deadline(tmp_path, options):
    (tmp_path / "c.toml").write_text("[door]\nlogin_s = 1.0\n")
    server = Server(tmp_path / "data", "--config", str(tmp_path / "c.toml"), *options).start()
    try:
        line, began = Line(server), time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() - began < 4 and not line.is_closed(0.1):
                line.socket.send(b"a")
        assert time.monotonic() - began < 2.5
        sock = socket.create_connection(("127.0.0.1", server.ssh_port))
        sock.settimeout(4)
        sock.send(b"SSH-2.0-x\r\n")
        with contextlib.suppress(OSError):
            while sock.recv(4_096):
                pass
        assert time.monotonic() - began < 5
    finally:
        assert 0 == server.stop()
        check_log(server)


def test_without_descriptors_who_is_in_stays_in_and_the_log_small(tmp_path, options):
    # Of few words the log says more.
    server = Server(tmp_path / "data", *options, has_all_words=True).start()
    victim = Victim(server)
    pid = next(iter(victim.pids.values()))
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    lines, said_before = [], len(server.log_text().splitlines())
    try:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (24, before[1]))
        with victim.attacked("no descriptors left"):
            for _ in range(40):
                with contextlib.suppress(OSError):
                    lines.append(Line(server))
            time.sleep(2)
        for line in lines:
            line.close()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        assert time_of_login(server) < 15
    finally:
        victim.bystander.stop()
        assert 0 == server.stop()
    check_log(server)
    assert "cannot accept connections" in server.log_text()
    said = server.log_text().splitlines()[said_before:]
    said = [row for row in said if " INFO " not in row]
    assert len(said) < 3, said


@pytest.mark.prove
def test_sigterm_amid_all_that_is_done_within_10_s_of_each_process(tmp_path, options):
    server = Server(tmp_path / "data", *options).start()
    people = [guest(server) for _ in range(5)]
    silent = [Line(server) for _ in range(20)]
    half = []
    for _ in range(20):
        sock = socket.create_connection(("127.0.0.1", server.ssh_port))
        sock.send(b"SSH-2.0-x\r\n")
        half.append(sock)
    deaf = [guest(server, receive_bytes=4_096) for _ in range(3)]
    for line in deaf:
        line.pour(b"commands\r\n" * 40, 0.1)
    people[0].type("open elimination pace=instant")
    people[0].type("bot")
    people[0].type("start")
    people[0].hear(0.5)
    began = time.monotonic()
    assert 0 == server.stop()
    took_s = time.monotonic() - began
    print(f"SIGTERM amid 48 lines took {took_s:.1f} s")
    assert took_s < server.end_s
    people[1].wait_for(rb"The server closes for a moment")
    check_log(server)
    for line in (*people, *silent, *deaf, *half):
        line.close()


@pytest.mark.prove
def test_silent_lines_of_many_sources_for_a_minute_keep_nobody_out(victim):
    worst, end = 0.0, time.monotonic() + 60
    sockets = deque[socket.socket]()
    while time.monotonic() < end:
        for _ in range(20):
            sock = attacker_socket(new_source())
            sock.settimeout(1)
            with contextlib.suppress(OSError):
                sock.connect(("127.0.0.1", victim.server.telnet_port))
            sockets.append(sock)
            if len(sockets) > held_max():
                sockets.popleft().close()
        worst = max(worst, time_of_login(victim.server))
        time.sleep(1)
    print(f"a login took at worst {worst:.2f} s")
    assert worst < LOGIN_S


def test_the_crowds_leave_nothing_behind(victim):
    for pid in victim.pids.values():
        until(lambda pid=pid: len(_sockets(pid)) < 20, 15)


def _sockets(pid: int) -> list[str]:
    import os

    names = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            names.append(os.readlink(f"/proc/{pid}/fd/{fd}"))
    return [name for name in names if name.startswith("socket:")]
