"""The SSH door: a listener, and the bounds of each connection.

Rule 1: a connection is callbacks on one object (`Caller`): no task, no stream.  It holds one
        session at a time (`ssh_session.py`), and none before somebody is proven (`ssh_auth.py`).
Rule 2: only dear-to-nobody cryptography: what a stranger may make us compute before login stays
        near one millisecond.  chacha20 is left out because clients would choose it and it halves
        the number of lines we can send.

Source of the figures: docs/limits.md.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import asyncssh

from mudserver.clock import Clock
from mudserver.config import Door as Limits
from mudserver.transport import shims
from mudserver.transport.deadline import LoginDeadline
from mudserver.transport.door import Door, Lines, opened
from mudserver.transport.flow import Hold, Inflow, Mouthfuls, Outflow, notice_silence
from mudserver.transport.gate import Gate
from mudserver.transport.hostkeys import HostKeys
from mudserver.transport.link import Answer, Doorman
from mudserver.transport.ssh_auth import Authentication
from mudserver.transport.ssh_session import Session

KEY_EXCHANGES = [
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
]
CIPHERS = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes256-ctr"]
MACS = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256"]
LOGIN_FACTOR = 4  # an SSH login is mostly keys: times input_before_login_bytes


class Caller(Authentication):
    """One connection: its bounds, its proof, and the one session that it may hold."""

    def __init__(
        self,
        answer: Answer,
        doorman: Doorman,
        gate: Gate,
        limits: Limits,
        clock: Clock,
        lines: Lines,
    ) -> None:
        super().__init__(doorman, limits)
        self.answer, self.clock, self.limits = answer, clock, limits
        self._gate, self._lines = gate, lines
        self._session: Session | None = None
        self._opens = self._early_bytes = 0

    def knock(self, connection: shims.Connection, transport: asyncio.Transport) -> bool:
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        ticket = self._gate.knock(self.peer, self.cut)
        if ticket is None:
            return False
        self._ticket, self._connection = ticket, connection
        shims.read_at_most(transport, shims.READ_BYTES)
        notice_silence(transport, self.limits)
        transport.set_write_buffer_limits(high=self.limits.output_lag_bytes)
        self._inflow = Inflow(transport, self.limits, self.clock)
        self.wire = Outflow(transport.get_write_buffer_size, self.limits, self.clock, self.cut)
        self._lines.add(self)
        self._deadline = LoginDeadline(self.limits, self.clock, self.late)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._inflow.close()
        self.wire.close()
        self._ticket.leave()
        self._lines.discard(self)

    def cut(self) -> None:
        self._connection.abort()

    # -- bounds ------------------------------------------------------------------------------

    def read(self, count: int) -> None:
        self._inflow.took(count)
        if self.proven is None:
            self._early_bytes += count
            if self._early_bytes > LOGIN_FACTOR * self.limits.input_before_login_bytes:
                self.cut()

    def wrote(self, count: int) -> None:
        self.wire.poured(count)

    def is_unread(self, is_unread: bool) -> None:
        # Not reading who does not read us ends every flood of requests that want replies.
        (self._inflow.hold if is_unread else self._inflow.release)(Hold.WRITE)

    # -- sessions ----------------------------------------------------------------------------

    def session_requested(self) -> tuple[shims.Channel, Session]:
        self._opens += 1
        if self._opens > self.limits.channel_opens_max or self._session is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "one session at a time"
            )
        self._session = Session(self)
        return shims.Channel(self._connection, self.limits), self._session

    def mouthfuls(self, hear: Callable[[bytes], None]) -> Mouthfuls:
        return Mouthfuls(self._inflow, self.clock, hear)

    def session_admitted(self) -> None:
        self._deadline.cancel()
        self._ticket.admit()

    def session_failed(self) -> bool:
        return self._ticket.failed()

    def session_over(self, was_ended_by_us: bool) -> None:
        """The channel is closed on both sides, so all that was sent has been taken."""
        self._session = None
        if was_ended_by_us:
            self._connection.close()
        else:
            self._deadline.cancel()  # nobody keeps a connection without a session
            self._deadline = LoginDeadline(self.limits, self.clock, self.cut)


async def open_ssh(
    host: str,
    port: int,
    *,
    keys: HostKeys,
    answer: Answer,
    doorman: Doorman,
    gate: Gate,
    clock: Clock,
    sock: socket.socket | None = None,
) -> Door:
    """Open the SSH door.  StartError, in one line, if the address cannot be listened on."""
    shims.hush()
    shims.prepare_names_quickly()
    lines, loop = Lines(), asyncio.get_running_loop()
    options = await asyncssh.SSHServerConnectionOptions.construct(
        config=None,
        server_host_keys=list(keys.keys),
        server_version="mudserver",
        kex_algs=KEY_EXCHANGES,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        compression_algs=["none"],
        agent_forwarding=False,
        x11_forwarding=False,
        gss_host=None,
        line_editor=False,
        encoding=None,
        login_timeout=0,  # the caller has its own, which runs until somebody is in
    )

    def factory() -> shims.Connection:
        limits = gate.limits
        caller = Caller(answer, doorman, gate, limits, clock, lines)
        connection = shims.Connection(loop, options, caller)
        connection.set_keepalive(limits.keepalive_s, limits.keepalive_misses_max)
        return connection

    return await opened(
        factory, host, port, sock, what="the ssh door", lines=lines, gate=gate, clock=clock
    )
