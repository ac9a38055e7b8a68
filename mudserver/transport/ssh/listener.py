"""The SSH listener, and the limits of each connection.

Rule 1: a connection is callbacks on one object (`SshServer`): no task, no stream.  It holds one
        session at a time (`session.py`), and none before authentication (`authentication.py`).
Rule 2: only cheap cryptography: what an anonymous client can make us compute before login stays
        near one millisecond, so keys are not changed again and again.  chacha20 is left out because
        clients would prefer it, and it halves the number of lines that we can send.

Source of the figures: docs/limits.md.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable

import asyncssh

from mudserver.clock import Clock
from mudserver.config.schema import DoorLimits
from mudserver.rate_limit import TokenBucket
from mudserver.transport import library_patches
from mudserver.transport.flow import (
    ChunkedReader,
    OutputMonitor,
    PauseReason,
    ReadThrottle,
    enable_keepalive,
)
from mudserver.transport.gate import ConnectionSlot, FailedLogin, Gate, Progress
from mudserver.transport.link import Authenticator, HandlerFactory
from mudserver.transport.login_deadline import LoginDeadline
from mudserver.transport.read_size import set_read_size
from mudserver.transport.ssh.authentication import ConnectionParts, SshAuthentication
from mudserver.transport.ssh.host_keys import HostKeys
from mudserver.transport.ssh.session import SshLink
from mudserver.transport.tcp_listener import OpenConnections, TcpListener, open_tcp_listener

KEY_EXCHANGES = [
    "mlkem768x25519-sha256",
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
]
CIPHERS = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes256-ctr"]
MACS = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256"]
SERVER_VERSION = "mudserver"
MSG_DISCONNECT = 1
EXCHANGES_BEFORE_LOGIN = 2  # of keys
EXCHANGES_PER_S = 0.1
EXCHANGES_BURST = 20
LOGIN_FACTOR = 4  # times input_before_login_bytes: an SSH login is mostly key exchange


class SshServer(SshAuthentication):
    """One connection: its limits, its authentication, and the one session that it may hold."""

    def __init__(
        self,
        make_handler: HandlerFactory,
        authenticator: Authenticator,
        slot: ConnectionSlot,
        limits: DoorLimits,
        clock: Clock,
        connections: OpenConnections,
    ) -> None:
        super().__init__(authenticator, limits)
        self.make_handler, self.clock, self.limits = make_handler, clock, limits
        self._slot, self._connections = slot, connections
        self._session: SshLink | None = None
        self._channel_opens = self._early_bytes = self._exchange_count = 0
        self._exchanges = TokenBucket(EXCHANGES_PER_S, EXCHANGES_BURST, clock.monotonic())

    def attach(
        self, connection: library_patches.BoundedConnection, transport: asyncio.Transport
    ) -> None:
        self.peer = str((transport.get_extra_info("peername") or ("",))[0])
        self._slot.end_connection = self._end
        set_read_size(transport, library_patches.READ_BYTES)
        enable_keepalive(transport, self.limits)
        transport.set_write_buffer_limits(high=self.limits.output_lag_bytes)
        self.output = OutputMonitor(
            transport.get_write_buffer_size, self.limits, self.clock, self.abort
        )
        self.deferred = OutputMonitor(
            lambda: connection.deferred_bytes, self.limits, self.clock, self.abort, self.output
        )
        self.parts = ConnectionParts(
            connection,
            ReadThrottle(transport, self.limits, self.clock),
            self._slot,
            LoginDeadline(
                *(self.limits, self.clock, self.on_login_timeout), self._slot.stood_still_s
            ),
            self.clock,
        )
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.parts.deadline.cancel()
        self.parts.throttle.close()
        self.output.close()
        self.deferred.close()
        self.parts.slot.release()
        self._connections.discard(self)

    def abort(self) -> None:
        self.parts.connection.abort()

    def _end(self, sentence: str) -> None:
        self.parts.connection.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, sentence)

    # -- limits ------------------------------------------------------------------------------

    def count_read(self, count: int) -> None:
        self.parts.throttle.count_read(count)
        if self.user is None:
            self._slot.note_progress(Progress.SPEAKING)
            self._early_bytes += count
            if self._early_bytes > LOGIN_FACTOR * self.limits.input_before_login_bytes:
                self.abort()

    def count_written(self, count: int) -> None:
        self.output.count_written(count)

    def count_deferred(self, count: int) -> None:
        self.deferred.count_written(count)

    def count_key_exchange(self) -> None:
        self._exchange_count += 1
        is_early = self.user is None and self._exchange_count > EXCHANGES_BEFORE_LOGIN
        if is_early or not self._exchanges.try_consume(self.clock.monotonic()):
            self.abort()

    def set_write_paused(self, is_paused: bool) -> None:
        # Stop reading from a client that does not read our output: that ends floods of requests.
        throttle = self.parts.throttle
        (throttle.pause if is_paused else throttle.resume)(PauseReason.UNREAD_OUTPUT)

    # -- sessions ----------------------------------------------------------------------------

    def session_requested(self) -> tuple[library_patches.BoundedChannel, SshLink]:
        self._channel_opens += 1
        if self._channel_opens > self.limits.channel_opens_max or self._session is not None:
            raise asyncssh.ChannelOpenError(
                asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "one session at a time"
            )
        self._session = SshLink(self)
        return library_patches.BoundedChannel(self.parts.connection, self.limits), self._session

    def chunked_reader(self, on_data: Callable[[bytes], None]) -> ChunkedReader:
        return ChunkedReader(self.parts.throttle, self._connections.input_turns, on_data)

    def hold_input(self, is_held: bool) -> None:
        throttle = self.parts.throttle
        (throttle.pause if is_held else throttle.resume)(PauseReason.HELD)

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        self.parts.deadline.cancel()
        self.parts.slot.mark_logged_in(name, is_regular=is_regular)

    def may_try(self, name: str) -> bool:
        return self.parts.slot.may_try(name)

    def count_failure(self, name: str) -> bool:
        return self.parts.slot.count_failure(FailedLogin(name, "password", "ssh"))

    def session_closed(self, ended_by_us: bool) -> None:
        """The channel is closed on both sides, so everything sent has been received."""
        self._session = None
        if ended_by_us:
            self.parts.connection.close()
        else:
            self.parts.deadline.cancel()  # a connection without a session is not kept
            self.parts.deadline = LoginDeadline(
                *(self.limits, self.clock, self.abort), self._slot.stood_still_s
            )


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
) -> TcpListener:
    """Open the SSH listener.  StartError, in one line, if the address cannot be listened on."""
    library_patches.silence()
    library_patches.speed_up_saslprep()
    library_patches.speed_up_packets()
    connections, loop = OpenConnections(clock), asyncio.get_running_loop()
    options = await asyncssh.SSHServerConnectionOptions.construct(
        config=None,
        server_host_keys=list(keys.keys),
        server_version=SERVER_VERSION,
        kex_algs=KEY_EXCHANGES,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        compression_algs=["none"],
        agent_forwarding=False,
        x11_forwarding=False,
        gss_host=None,
        line_editor=False,
        encoding=None,
        login_timeout=0,  # `LoginDeadline` replaces it
    )

    def factory(slot: ConnectionSlot) -> library_patches.BoundedConnection:
        limits = gate.limits
        owner = SshServer(make_handler, authenticator, slot, limits, clock, connections)
        connection = library_patches.BoundedConnection(loop, options, owner)
        connection.set_keepalive(limits.keepalive_s, limits.keepalive_misses_max)
        return connection

    return await open_tcp_listener(
        factory,
        host,
        port,
        sock,
        label="the ssh listener",
        connections=connections,
        gate=gate,
        clock=clock,
        encode_refusal=encode_refusal,
    )


def encode_refusal(sentence: str) -> bytes:
    """What a client shows that has not been served: a version and a disconnect message.

    A line of text is allowed before the version, but OpenSSH shows none.  RFC 4253, 4.2, 6, 11.1.
    """
    payload = struct.pack(">BII", MSG_DISCONNECT, asyncssh.DISC_TOO_MANY_CONNECTIONS, len(sentence))
    payload += sentence.encode("ascii") + bytes(4)  # and a language tag, which is empty
    padding = 8 - (5 + len(payload) + 4) % 8 + 4
    packet = struct.pack(">IB", 1 + len(payload) + padding, padding) + payload + bytes(padding)
    return f"SSH-2.0-{SERVER_VERSION}\r\n".encode("ascii") + packet
