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
from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport import library_patches
from mudserver.transport.flow import (
    ChunkedReader,
    OutputMonitor,
    PauseReason,
    ReadThrottle,
    enable_keepalive,
)
from mudserver.transport.gate import Gate
from mudserver.transport.link import Authenticator, HandlerFactory
from mudserver.transport.listener import Listener, OpenConnections, open_listener
from mudserver.transport.login_deadline import LoginDeadline
from mudserver.transport.ssh.authentication import SshAuthentication
from mudserver.transport.ssh.host_keys import HostKeys
from mudserver.transport.ssh.session import SshLink

KEY_EXCHANGES = [
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
]
CIPHERS = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes256-ctr"]
MACS = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256"]
LOGIN_FACTOR = 4  # an SSH login is mostly keys: times input_before_login_bytes


class SshServer(SshAuthentication):
    """One connection: its bounds, its proof, and the one session that it may hold."""

    def __init__(
        self,
        make_handler: HandlerFactory,
        authenticator: Authenticator,
        gate: Gate,
        limits: Limits,
        clock: Clock,
        connections: OpenConnections,
    ) -> None:
        super().__init__(authenticator, limits)
        self.make_handler, self.clock, self.limits = make_handler, clock, limits
        self._gate, self._lines = gate, connections
        self._session: SshLink | None = None
        self._opens = self._early_bytes = 0

    def admit(
        self, connection: library_patches.BoundedConnection, transport: asyncio.Transport
    ) -> bool:
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        ticket = self._gate.admit(self.peer, self.abort)
        if ticket is None:
            return False
        self._ticket, self._connection = ticket, connection
        library_patches.set_read_size(transport, library_patches.READ_BYTES)
        enable_keepalive(transport, self.limits)
        transport.set_write_buffer_limits(high=self.limits.output_lag_bytes)
        self._inflow = ReadThrottle(transport, self.limits, self.clock)
        self.output = OutputMonitor(
            transport.get_write_buffer_size, self.limits, self.clock, self.abort
        )
        self._lines.add(self)
        self._deadline = LoginDeadline(self.limits, self.clock, self.on_login_timeout)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        self._inflow.close()
        self.output.close()
        self._ticket.release()
        self._lines.discard(self)

    def abort(self) -> None:
        self._connection.abort()

    # -- bounds ------------------------------------------------------------------------------

    def count_read(self, count: int) -> None:
        self._inflow.count_read(count)
        if self.user is None:
            self._early_bytes += count
            if self._early_bytes > LOGIN_FACTOR * self.limits.input_before_login_bytes:
                self.abort()

    def count_written(self, count: int) -> None:
        self.output.count_written(count)

    def set_write_paused(self, is_paused: bool) -> None:
        # Not reading who does not read us ends every flood of requests that want replies.
        (self._inflow.pause if is_paused else self._inflow.resume)(PauseReason.UNREAD_OUTPUT)

    # -- sessions ----------------------------------------------------------------------------

    def session_requested(self) -> tuple[library_patches.BoundedChannel, SshLink]:
        self._opens += 1
        if self._opens > self.limits.channel_opens_max or self._session is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "one session at a time"
            )
        self._session = SshLink(self)
        return library_patches.BoundedChannel(self._connection, self.limits), self._session

    def chunked_reader(self, on_data: Callable[[bytes], None]) -> ChunkedReader:
        return ChunkedReader(self._inflow, self.clock, on_data)

    def mark_logged_in(self) -> None:
        self._deadline.cancel()
        self._ticket.mark_logged_in()

    def count_failure(self) -> bool:
        return self._ticket.count_failure()

    def session_closed(self, was_ended_by_us: bool) -> None:
        """The channel is closed on both sides, so all that was sent has been taken."""
        self._session = None
        if was_ended_by_us:
            self._connection.close()
        else:
            self._deadline.cancel()  # nobody keeps a connection without a session
            self._deadline = LoginDeadline(self.limits, self.clock, self.abort)


async def open_ssh(
    host: str,
    port: int,
    *,
    keys: HostKeys,
    make_handler: HandlerFactory,
    authenticator: Authenticator,
    gate: Gate,
    clock: Clock,
    sock: socket.socket | None = None,
) -> Listener:
    """Open the SSH door.  StartError, in one line, if the address cannot be listened on."""
    library_patches.silence()
    library_patches.speed_up_saslprep()
    lines, loop = OpenConnections(), asyncio.get_running_loop()
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

    def factory() -> library_patches.BoundedConnection:
        limits = gate.limits
        caller = SshServer(make_handler, authenticator, gate, limits, clock, lines)
        connection = library_patches.BoundedConnection(loop, options, caller)
        connection.set_keepalive(limits.keepalive_s, limits.keepalive_misses_max)
        return connection

    return await open_listener(
        factory, host, port, sock, label="the ssh door", connections=lines, gate=gate, clock=clock
    )
