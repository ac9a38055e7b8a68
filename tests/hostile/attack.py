"""The attacker's tools, and how it is measured what an attack does to the others.

Rule 1: an attack is judged by what others feel: how long a bystander waits for an echo while it
        runs, and by how much the memory of each process of the server grows at its peak.
Rule 2: an attacker has an address of its own (127.x.y.1) in a network of its own, so that no
        attack is stopped by what another one has used up.
Rule 3: `BUSY=2 .venv/bin/pytest -s tests/hostile -m "prove or not prove"` tries the same beside two
        programs that take a core each.
Rule 4: an attacker holds at most `held_max()` connections at once, a quarter of the files that this
        process may open; whatever a test leaves open is closed when it ends, also if it fails.
"""

from __future__ import annotations

import os
import re
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count, cycle

import asyncssh

from mudserver.ops.control_socket import send_request
from tests.e2e.client import START_S, Server
from tests.faults.test_split import children
from tests.prompts import LOBBY

IAC, DONT, DO, WONT, WILL, SB, SE = b"\xff", b"\xfe", b"\xfd", b"\xfc", b"\xfb", b"\xfa", b"\xf0"
TTYPE, NAWS, ECHO, SGA = b"\x18", b"\x1f", b"\x01", b"\x03"
WORST_S = 1.0  # that a bystander may wait for an echo
GROWTH_MIB = 64.0
P99_S = 0.1  # of echoes, in long attacks, when nothing else runs (see docs/limits.md)
BUSY = int(os.environ.get("BUSY", "0"))  # other programs that want a whole core each
BUSY_WORST_S, BUSY_P99_S = 5.0, 1.0  # of echoes, beside them
IN_COMPANY = 4.0  # times that while pytest-xdist runs other tests on the same two cores
PAUSE_S = 0.012  # between two letters of the bystander
QUIET_ECHOES = 60  # that tell how slow the machine is today, without any attack
ATTACKED_S: list[float] = []  # every echo during an attack
_ADDRESSES = count(1)
_OPEN: list[socket.socket] = []


def new_source() -> str:
    """An address of a /24 that nobody has come from before."""
    number = next(_ADDRESSES)
    return f"127.{10 + number // 250}.{number % 250}.1"


def held_max() -> int:
    """Connections that an attack may hold at once under the limit of open files, 100 to 1,000."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(100, min(1_000, soft // 4))


def attacker_socket(source: str) -> socket.socket:
    """A TCP socket from *source*, closed at the end of the test if the test does not."""
    made = socket.socket()
    _OPEN.append(made)
    made.bind((source, 0))
    return made


@contextmanager
def closing_what_is_left() -> Iterator[None]:
    """Close every attacker's socket that was made inside."""
    first = len(_OPEN)
    try:
        yield
    finally:
        for left in _OPEN[first:]:
            left.close()
        del _OPEN[first:]


def naws(cols: int, rows: int) -> bytes:
    """What a telnet client says of its size (RFC 1073); both under 255."""
    return IAC + SB + NAWS + bytes([0, cols, 0, rows]) + IAC + SE


def negotiated(data: bytes, size: tuple[int, int]) -> bytes:
    """What xterm behind a telnet client answers to the server's questions in *data*."""
    answer = b""
    if IAC + DO + TTYPE in data:
        answer += IAC + WILL + TTYPE
    if IAC + SB + TTYPE + b"\x01" in data:
        answer += IAC + SB + TTYPE + b"\x00XTERM" + IAC + SE
    if IAC + DO + NAWS in data:
        answer += IAC + WILL + NAWS + naws(*size)
    for option in (ECHO, SGA):
        if IAC + WILL + option in data:
            answer += IAC + DO + option
    return answer


class Line:
    """A bare TCP line to the telnet port; *is_terminal*: it negotiates as xterm would."""

    def __init__(
        self, server: Server, source: str | None = None, *, is_terminal: bool = False,
        receive_bytes: int | None = None, port: int = 0, size: tuple[int, int] = (80, 24),
    ) -> None:  # fmt: skip
        self.source, self.heard = source or new_source(), b""
        self._is_terminal, self._size, self.has_ended = is_terminal, size, False
        self.socket = attacker_socket(self.source)
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(5)
        self.socket.connect(("127.0.0.1", port or server.telnet_port))

    def send(self, data: bytes) -> None:
        with suppress(OSError):  # the server may well have hung up
            self.socket.sendall(data)

    def pour(self, data: bytes, seconds: float) -> int:
        """Send as much of *data* as the other end takes in that time, never reading."""
        sent, end = 0, time.monotonic() + seconds
        self.socket.settimeout(0.05)
        view = memoryview(data)
        while sent < len(data) and time.monotonic() < end:
            try:
                sent += self.socket.send(view[sent : sent + 65_536])
            except TimeoutError:
                continue
            except OSError:
                break
        return sent

    def type(self, text: str) -> None:
        self.send(text.encode("utf-8", "surrogatepass") + b"\r\n")

    def hear(self, seconds: float = 0.1) -> bytes:
        """What comes in that time; all of it is kept in `heard`."""
        new, end = b"", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and (data := self.hear_next(left)):
            new += data
        return new

    def hear_next(self, seconds: float) -> bytes:
        """The next bytes that come; empty: none did, or the line has ended."""
        self.socket.settimeout(seconds)
        try:
            data = self.socket.recv(65_536)
        except TimeoutError:
            return b""
        except OSError:
            data = b""
        self.has_ended = not data
        if self._is_terminal:
            self.send(negotiated(data, self._size))
        self.heard += data
        return data

    def wait_for(self, pattern: bytes, seconds: float = 10.0) -> bytes:
        end = time.monotonic() + seconds
        while not re.search(pattern, self.heard):
            is_late = self.has_ended or time.monotonic() > end
            assert not is_late, f"never heard {pattern!r} but {self.heard[-400:]!r}"
            self.hear_next(0.2)
        return self.heard

    def is_closed(self, seconds: float = 0.0) -> bool:
        """Whether the server hangs up within that time."""
        end = time.monotonic() + seconds
        while True:
            self.socket.settimeout(0.05)
            try:
                if not self.socket.recv(65_536):
                    return True
            except TimeoutError:
                pass
            except OSError:
                return True
            if time.monotonic() >= end:
                return False

    def close(self) -> None:
        self.socket.close()


def guest(server: Server, source: str | None = None, **kind) -> Line:
    """A guest in the lobby, over telnet."""
    line = Line(server, source, **kind)
    line.wait_for(rb"Name: ")
    line.type("guest")
    line.wait_for(LOBBY.encode())
    return line


def known(server: Server, name: str, password: str = "correct horse battery", **kind) -> Line:
    """Somebody with a name, made on the first visit."""
    line = Line(server, **kind)
    line.wait_for(rb"Name: ")
    line.type(name)
    for _ in range(2):
        line.wait_for(rb"(?i)(password|again): ?$")
        line.heard = b""
        line.type(password)
        line.wait_for(LOBBY.encode() + rb"|(?i:again): ?$")
        if LOBBY.encode() in line.heard:
            break
    line.wait_for(LOBBY.encode())
    return line


async def ssh(server: Server, name: str = "guest", source: str | None = None, **options):
    """A connection to the SSH port as *name*."""
    options = {"client_keys": None, "agent_path": None, "config": None, "password": None} | options
    return await asyncssh.connect(
        "127.0.0.1", server.ssh_port, username=name, known_hosts=None,
        local_addr=(source or new_source(), 0), **options,
    )  # fmt: skip


class Bystander(threading.Thread):
    """Somebody who types a letter now and then and waits for its echo."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.line = guest(server, is_terminal=True)
        self.delays_s: list[float] = []
        self._is_over = threading.Event()
        self.start()

    def run(self) -> None:
        line = self.line
        for letter in cycle(b"abcdefghijklmnopqrstuvwxyz"):
            if self._is_over.wait(PAUSE_S):
                break
            line.hear(0.001)
            began = time.monotonic()
            line.send(bytes([letter]))
            if line.hear_next(20):
                self.delays_s.append(time.monotonic() - began)
            line.send(b"\x15")
            line.hear_next(1)

    def stop(self) -> None:
        self._is_over.set()
        self.join(10)
        self.line.close()


def p99(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99) - 1]


def memory_kib(pid: int, key: str = "VmRSS") -> int:
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(rf"{key}:\s+(\d+)", file.read())[1])


def processes(server: Server) -> dict[str, int]:
    """By name the ids of the processes that hold connections or people; a standby is ready."""
    pid = server.process.pid
    if "--split" not in server.extra:
        return {"server": pid}
    until(lambda: "ready" == send_request(server.data, "status")["standby"]["state"], START_S)
    by_command = children(pid)
    [door], [game, standby] = by_command["door"], by_command["game"]
    return {"door": door, "game server": game, "standby": standby}


class Victim:
    """The server under attack, the bystander, and the figures."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.pids = processes(server)
        self.bystander = Bystander(server)
        self._quiet_s: float | None = None

    def quiet_s(self) -> float:
        """The 99th percentile of echoes when nobody attacks: what others do on this machine."""
        if self._quiet_s is None:
            delays_s = self.bystander.delays_s
            first = len(delays_s)
            until(lambda: len(delays_s) >= first + QUIET_ECHOES, 60)
            self._quiet_s = p99(delays_s[first:])
        return self._quiet_s

    @contextmanager
    def attacked_for_long(
        self, what: str, echoes: int = 110, growth_mib: float = GROWTH_MIB
    ) -> Iterator[Callable[[], bool]]:
        """The same for an attack that goes on while what it is given is true: long enough for the
        99th percentile to mean something.  That stays under P99_S, beside what it is in peace;
        next to other tests, which take the server's processor, under IN_COMPANY times that."""
        limit_s = P99_S * (IN_COMPANY if "PYTEST_XDIST_WORKER" in os.environ else 1.0)
        limit_s = BUSY_P99_S if BUSY else limit_s
        quiet_s, first = self.quiet_s(), len(self.bystander.delays_s)
        with self.attacked(what, growth_mib=growth_mib):
            yield lambda: len(self.bystander.delays_s) < first + echoes
        found_s = p99(self.bystander.delays_s[first:])
        print(f"{'':<44} p99 {found_s * 1000:6.1f} ms, in peace {quiet_s * 1000:6.1f} ms")
        assert found_s <= limit_s + quiet_s, f"{what}: p99 of echoes {found_s:.3f} s"

    @contextmanager
    def attacked(
        self, what: str, worst_s: float = WORST_S, growth_mib: float = GROWTH_MIB
    ) -> Iterator[None]:
        """What happens inside may delay the bystander and fill the memory only so much."""
        for pid in self.pids.values():
            with open(f"/proc/{pid}/clear_refs", "w") as file:
                file.write("5")  # the peak is counted anew
        before = {name: memory_kib(pid) for name, pid in self.pids.items()}
        first, began = len(self.bystander.delays_s), time.monotonic()
        yield
        until(lambda: len(self.bystander.delays_s) > first + 3, 20)  # an echo comes after it
        delays = sorted(self.bystander.delays_s[first:])
        ATTACKED_S.extend(delays)
        growth, grown = max(
            ((memory_kib(pid, "VmHWM") - before[name]) / 1024, name)
            for name, pid in self.pids.items()
        )
        print(
            f"{what:<44} {time.monotonic() - began:5.1f} s   echo worst {delays[-1] * 1000:6.1f} ms"
            f" median {delays[len(delays) // 2] * 1000:5.1f} ms   memory of {grown}"
            f" {growth:+6.1f} MiB"
        )
        assert delays[-1] <= (BUSY_WORST_S if BUSY else worst_s), (
            f"{what}: the bystander waited {delays[-1]:.2f} s"
        )
        assert growth <= growth_mib, f"{what}: {growth:.1f} MiB of {grown}"


def until(claim: Callable[[], object], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
