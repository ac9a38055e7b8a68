"""Real listeners in front of fake sessions: a list of accounts, and handlers that remember."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable

import asyncssh

from mudserver.clock import Clock
from mudserver.config.schema import Config, SourceLimits
from mudserver.config.schema import DoorLimits as Limits
from mudserver.source_budgets import SourceBudgets
from mudserver.transport.gate import Gate
from mudserver.transport.link import (
    AuthenticatedUser,
    Authenticator,
    HandlerFactory,
    Link,
    Terminal,
)
from mudserver.transport.ssh.host_keys import HostKeys
from mudserver.transport.ssh.listener import open_ssh
from mudserver.transport.tcp_listener import TcpListener
from mudserver.transport.telnet.connection import open_telnet

KEY = asyncssh.generate_private_key("ssh-ed25519")
HOST_KEYS = HostKeys((KEY,), KEY.get_fingerprint())


class HandClock(Clock):
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now_s = 1_000.0
        self._due: list[tuple[float, int, asyncio.TimerHandle]] = []

    def now_ms(self) -> int:
        return int(self.now_s * 1_000)

    def monotonic(self) -> float:
        return self.now_s

    def call_later(self, delay_s: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(self.now_s + delay_s, call, (), _NO_LOOP)
        self._due.append((self.now_s + delay_s, len(self._due), handle))
        return handle

    def move(self, seconds: float) -> None:
        end_s = self.now_s + seconds
        while due := sorted(d for d in self._due if d[0] <= end_s and not d[2].cancelled()):
            when_s, _, handle = due[0]
            self._due.remove(due[0])
            self.now_s = when_s
            handle._run()
        self.now_s = end_s


class _NoLoop:
    """What asyncio.TimerHandle asks of a loop."""

    def get_debug(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None: ...

    def call_exception_handler(self, context: dict) -> None:
        raise context["exception"]


_NO_LOOP = _NoLoop()


class FakeHandler:
    copies_input = False

    def __init__(self, link: Link, proven: AuthenticatedUser | None) -> None:
        self.link, self.proven = link, proven
        self.received = b""
        self.sizes: list[Terminal] = []
        self.packages: list[tuple[str, object]] = []
        self.was_lost = 0
        self.at_start = link.terminal

    def on_data(self, data: bytes) -> None:
        assert not self.was_lost
        self.received += data

    def on_resize(self, terminal: Terminal) -> None:
        assert not self.was_lost
        self.sizes.append(terminal)

    def on_gmcp(self, package: str, data: object) -> None:
        assert not self.was_lost
        self.packages.append((package, data))

    def on_login_timeout(self, message: str) -> None:
        self.link.send(message.encode())
        self.link.close()

    def on_disconnect(self) -> None:
        self.was_lost += 1


class FakeAuthenticator:
    """ann has a key and a password, bob a password, "admin" is refused, the rest is free.

    `ann+goodcode` is a code for whatever key is in *awaited*; None: for any.
    """

    def __init__(self) -> None:
        self.keys: dict[str, set[str]] = {"ann": set()}
        self.passwords = {"ann": "open sesame", "bob": "hunter22"}
        self.checks = 0
        self.awaited: set[str] | None = None
        self.recovered: list[tuple[str, str, bool]] = []
        self.unusable: set[str] = set()
        self.banned_from: set[str] = set()  # where only keys of the name staff open
        self.obstacles: dict[str, str] = {}  # of free names, by a key that was signed with

    async def name_status(self, name: str, peer: str):
        if name == "guest":
            return "guest", ""
        if name == "admin":
            return "refused", "This is a reserved name."
        if name == "ann+goodcode":
            return "code", ""
        if name == "ann+recovery":
            return "recovery", ""
        if "+" in name:
            return "wrong code", "This code isn't valid any more."
        return ("known" if name in self.passwords else "free"), ""

    async def has_key(self, name: str, fingerprint: str, peer: str) -> bool:
        if name != "staff" and peer in self.banned_from:
            return False
        return fingerprint in self.keys.get(name, ())

    async def other_keys(self, name: str) -> int:
        return 2

    async def recover(self, name: str, password: str, peer: str, *, keeps_keys: bool) -> str:
        self.recovered.append((name, password, keeps_keys))
        return ""

    async def new_key_obstacle(self, name: str, key: str, fingerprint: str) -> str | None:
        assert key.startswith("ssh-"), key
        if fingerprint in self.unusable:
            return "This key can't be used here."
        is_awaited = "+" not in name or self.awaited is None or fingerprint in self.awaited
        return None if is_awaited else ""

    async def proven_key_obstacle(self, fingerprint: str) -> str:
        return self.obstacles.get(fingerprint, "")

    async def check_password(self, name: str, password: str, peer: str) -> bool:
        self.checks += 1
        await asyncio.sleep(0)
        return self.passwords.get(name) == password

    async def register(self, name: str, password: str, peer: str, *, is_again: bool = False) -> str:
        if is_again and self.passwords.get(name) == password:
            return ""
        if len(password) < 8:
            return "That password is too short (at least 8 characters)."
        self.passwords[name] = password
        return ""


def with_limits(**limits: float) -> Config:
    """The default configuration with some limits of the door and of sources."""
    shares = {key: limits.pop(key) for key in list(limits) if key in SourceLimits.__struct_fields__}
    return Config(door=Limits(**limits), sources=SourceLimits(**shares))


class TransportServer:
    """SSH and telnet, open on free ports of this machine."""

    def __init__(self) -> None:
        self.handlers: list[FakeHandler] = []
        self.authenticator = FakeAuthenticator()
        self.admits = True
        self.on_answer: Callable[[FakeHandler], None] = lambda handler: None
        self.make_handler: HandlerFactory = self.answer
        self.asked: Authenticator = self.authenticator  # type: ignore[assignment]

    def answer(self, link: Link, proven: AuthenticatedUser | None) -> FakeHandler:
        handler = FakeHandler(link, proven)
        self.handlers.append(handler)
        link.send(b"Welcome.\r\n")
        if self.admits:
            link.mark_logged_in("", is_regular=False)
        self.on_answer(handler)
        return handler

    async def open(self, context: ssl.SSLContext | None = None, **limits) -> TransportServer:
        """*context*: there is a listener for telnet over TLS, too."""
        self.config = with_limits(**limits)
        self.clock = Clock(asyncio.get_running_loop())
        self.budgets = SourceBudgets(self.config, self.clock)
        self.gate = Gate(self.config, self.clock, self.budgets)
        self.ssh: TcpListener = await open_ssh(
            "127.0.0.1", 0, keys=HOST_KEYS, make_handler=self.make_handler,
            authenticator=self.asked, gate=self.gate, clock=self.clock,
        )  # fmt: skip
        self.telnet: TcpListener = await open_telnet(
            "127.0.0.1", 0, make_handler=self.make_handler, gate=self.gate,
            clock=self.clock, status=lambda: {"NAME": "Cards", "GAMES": ("a", "b")},
        )  # fmt: skip
        self.listeners = [self.ssh, self.telnet]
        if context is not None:
            self.context = context
            self.tls: TcpListener = await open_telnet(
                "127.0.0.1", 0, make_handler=self.make_handler, gate=self.gate,
                clock=self.clock, tls_context=lambda: self.context,
            )  # fmt: skip
            self.listeners.append(self.tls)
        return self

    async def close(self) -> None:
        for listener in self.listeners:
            listener.close()
            listener.connections.abort_all()
            await listener.wait_closed()
        self.gate.close()

    def port(self, listener: TcpListener) -> int:
        return int(listener.address.rpartition(":")[2])

    async def ssh_as(self, name: str, **options):
        options = {"client_keys": None, "agent_path": None, "config": None} | options
        if "sock" not in options:
            options |= {"host": "127.0.0.1", "port": self.port(self.ssh)}
        return await asyncssh.connect(username=name, known_hosts=None, **options)

    async def raw(self, listener: TcpListener | None = None):
        """A bare TCP client: reader and writer."""
        return await asyncio.open_connection("127.0.0.1", self.port(listener or self.telnet))

    def deaf(self, listener: TcpListener | None = None) -> socket.socket:
        """A client that never reads, with small buffers."""
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        sock.connect(("127.0.0.1", self.port(listener or self.telnet)))
        sock.setblocking(False)
        return sock


async def until(claim: Callable[[], object], timeout_s: float = 3.0) -> None:
    """Wait until *claim* holds, looking every few milliseconds."""
    deadline_s = asyncio.get_running_loop().time() + timeout_s
    while not claim():
        assert asyncio.get_running_loop().time() < deadline_s, "it never came true"
        await asyncio.sleep(0.003)
