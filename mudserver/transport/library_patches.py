"""Overrides of asyncssh and telnetlib3 internals; only `ssh_packets.py` depends on them, too.

Rule 1: these internals are not public API, so a test pins the library versions.  Re-read this file
        before you accept a new version.
Rule 2: neither library logs: both would write names, terminal types and raw bytes of people, once
        per connection.

Sources: asyncssh 2.24.1 (connection.py, channel.py, packet.py, logging.py),
telnetlib3 5.0.1 (stream_writer.py).
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Callable
from traceback import walk_tb
from typing import Any, Protocol, cast

import asyncssh
import asyncssh.connection
import asyncssh.encryption
from asyncssh.channel import SSHServerChannel
from asyncssh.constants import MSG_CHANNEL_DATA, MSG_IGNORE
from asyncssh.encryption import GCMEncryption
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacket, SSHPacketLogger, String, UInt32
from asyncssh.saslprep import saslprep
from telnetlib3._session_context import TelnetSessionContext
from telnetlib3.stream_writer import TelnetWriter
from telnetlib3.telopt import BRK, DO, DONT, EOF, IAC, IP, SB, WILL, WONT

from mudserver.config.schema import DoorLimits
from mudserver.transport.ssh_packets import KeyedGCMCipher
from mudserver.transport.terminal_type import ACCEPTED_VARIABLES

READ_BYTES = 16_384  # per read of an SSH socket
SEQUENCE_MAX = (1 << 32) - 1  # of a packet; RFC 4253, 6.4
DEFERRED_BYTES = 200  # what a packet that waits for new keys takes beside its own
PACKET_BYTES_MIN = 1_024  # packet size that an SSH client must accept


def silence() -> None:
    for name in ("asyncssh", "telnetlib3"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    # asyncssh would still format its messages, two for each packet.
    SSHLogger.log = _discard  # type: ignore[method-assign]
    SSHPacketLogger.log_sent_packet = _discard  # type: ignore[method-assign]
    SSHPacketLogger.log_received_packet = _discard  # type: ignore[method-assign]


def _discard(*_args: object, **_kwargs: object) -> None: ...


def speed_up_saslprep() -> None:
    """Replace asyncssh's saslprep: called three times a login, it costs a tenth of the login."""
    asyncssh.connection.saslprep = fast_saslprep  # type: ignore[attr-defined,assignment]


def fast_saslprep(name: str) -> str:
    """Prepare a user name by RFC 4013, which leaves printable ASCII unchanged."""
    return name if name.isascii() and name.isprintable() else saslprep(name)


def speed_up_packets() -> None:
    """Replace asyncssh's AES-GCM: new keys for each packet cost a tenth of a lobby line."""
    asyncssh.encryption.GCMCipher = KeyedGCMCipher  # type: ignore[attr-defined]


def set_peername(transport: asyncio.Transport, peer: tuple[str, int]) -> None:
    """Make *peer* the remote address, for us and for the libraries."""
    transport._extra["peername"] = peer  # type: ignore[attr-defined]


def report_exception(bug: BaseException) -> None:
    """Hand an exception to the event loop's handler; asyncssh would only drop the connection."""
    asyncio.get_running_loop().call_exception_handler(
        {"message": "ssh session failed", "exception": bug}
    )


def _is_ours(bug: BaseException) -> bool:
    """Whether our code raised the exception, not the parsing of what a client sent."""
    names = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(bug.__traceback__)]
    return any(name.startswith("mudserver.") and name != __name__ for name in names)


class ConnectionOwner(Protocol):
    """What `BoundedConnection` calls on its owner, besides the `asyncssh.SSHServer` callbacks."""

    def attach(self, connection: BoundedConnection, transport: asyncio.Transport) -> None: ...
    def count_read(self, count: int) -> None: ...
    def count_written(self, count: int) -> None: ...
    def count_deferred(self, count: int) -> None: ...
    def count_key_exchange(self) -> None: ...
    def set_write_paused(self, is_paused: bool) -> None: ...
    async def signature_checked(self, is_valid: bool) -> bool: ...


class BoundedConnection(asyncssh.SSHServerConnection):
    """asyncssh's connection, with the limits that it lacks."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        options: asyncssh.SSHServerConnectionOptions,
        owner: Any,  # a ConnectionOwner that is an asyncssh.SSHServer too
    ) -> None:
        super().__init__(loop, options)
        self._protocol_factory = lambda: owner
        self._connection_owner: ConnectionOwner = owner
        self._heard_at_s = loop.time()
        self.deferred_bytes = 0  # of packets that wait for new keys

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._connection_owner.attach(self, transport)
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        self._connection_owner.count_read(len(data))
        super().data_received(data, datatype)

    def _recv_pkthdr(self) -> bool:
        return self._recv_text() or super()._recv_pkthdr()

    def _recv_text(self) -> bool:
        # Take a whole packet of typed text at once: asyncssh's own way of it costs twice as much.
        # False: it is not that plain, and is left to asyncssh, which opens it again.
        if type(encryption := self._recv_encryption) is not GCMEncryption:
            return False
        cipher = cast(KeyedGCMCipher, encryption._cipher)
        if (found := cipher.find_text(self._inpbuf)) is None:
            return False
        end, number, text = found
        channel = self._channels.get(number) if text else None
        if text and not (isinstance(channel, BoundedChannel) and channel.may_take(len(text))):
            return False
        cipher.skip()
        self._inpbuf = self._inpbuf[end:]
        self._recv_seq = (self._recv_seq + 1) & SEQUENCE_MAX
        if isinstance(channel, BoundedChannel):
            channel.take(text)
        return True

    def send_text(self, channel: int, text: bytes) -> bool:
        """Send a packet of text at once; False: asyncssh is to send it, and perhaps new keys."""
        encryption = self._send_encryption
        if type(encryption) is not GCMEncryption or not self._kex_complete:
            return False
        if self._rekey_bytes_sent >= self._rekey_bytes or self._loop.time() >= self._rekey_time:
            return False
        packet = cast(KeyedGCMCipher, encryption._cipher).seal_text(channel, text)
        self._send(packet)
        self._send_seq = (self._send_seq + 1) & SEQUENCE_MAX
        self._rekey_bytes_sent += len(packet)
        return True

    def _reset_keepalive_timer(self) -> None:
        # asyncssh would cancel its timer and set another for each packet that it reads.
        self._heard_at_s = self._loop.time()

    def _keepalive_timer_callback(self) -> None:
        left_s = self._heard_at_s + self._keepalive_interval - self._loop.time()
        if left_s > 0:
            self._keepalive_timer = self._loop.call_later(left_s, self._keepalive_timer_callback)
        else:
            super()._keepalive_timer_callback()

    def _send(self, data: bytes) -> None:
        super()._send(data)
        if self._transport is not None:
            self._connection_owner.count_written(len(data))

    def pause_writing(self) -> None:
        self._connection_owner.set_write_paused(True)

    def resume_writing(self) -> None:
        self._connection_owner.set_write_paused(False)

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:
        # asyncssh sends an empty MSG_IGNORE before every packet, against an old weakness of CBC
        # ciphers.  We offer no CBC cipher, and it doubles the cost of every write.
        if pkttype == MSG_IGNORE:
            return
        before = len(self._deferred_packets)
        super().send_packet(pkttype, *args, handler=handler)
        if len(self._deferred_packets) > before:
            # asyncssh keeps them for as long as the client does not go on with its new keys.
            count = DEFERRED_BYTES + sum(map(len, args))
            self.deferred_bytes += count
            self._connection_owner.count_deferred(count)

    def _send_kexinit(self) -> None:
        self._connection_owner.count_key_exchange()
        super()._send_kexinit()

    def _send_deferred_packets(self) -> None:
        self.deferred_bytes = 0
        super()._send_deferred_packets()

    def internal_error(self, exc_info: Any = None, error_logger: Any = None) -> None:
        bug = (exc_info or sys.exc_info())[1]
        if bug is not None and _is_ours(bug):
            report_exception(bug)
        super().internal_error(exc_info, error_logger)

    async def reload_config(self) -> None:
        # Would rebuild all options for every login, in a thread; ours never change.
        pass

    async def validate_public_key(
        self, username: str, key_data: bytes, msg: bytes, signature: bytes
    ) -> bool:
        # SSHServer's callback cannot tell a query from a signature; this one can.
        is_valid = await super().validate_public_key(username, key_data, msg, signature)
        return await self._connection_owner.signature_checked(is_valid) if msg else is_valid


class BoundedChannel(SSHServerChannel[bytes]):
    """asyncssh's session channel, with few environment variables, no agent and no X11."""

    def __init__(self, connection: BoundedConnection, limits: DoorLimits) -> None:
        connection._update_recv_pktlen(limits.ssh_packet_bytes)
        loop = connection._loop
        window, packet = limits.ssh_window_bytes, limits.ssh_packet_bytes
        super().__init__(connection, loop, True, False, False, 0, 0, None, "strict", window, packet)
        self._limits = limits
        self._variables_seen = 0

    def process_open(
        self, send_chan: int, send_window: int, send_pktsize: int, session: Any
    ) -> None:
        # A client that accepts one byte per packet would cost us one encryption for each byte.
        super().process_open(send_chan, send_window, max(send_pktsize, PACKET_BYTES_MIN), session)

    def write(self, data: bytes, datatype: int | None = None) -> None:
        # Nearly always all of it fits one packet: no need to go through the buffer.
        room = 0 if self._send_buf else min(self._send_window, self._send_pktsize)
        is_open = self._send_state == "open" and datatype is None
        if self._send_chan is None or not is_open or not 0 < len(data) <= room:
            super().write(data, datatype)
            return
        assert isinstance(self._conn, BoundedConnection)
        self._send_window -= len(data)
        if not self._conn.send_text(self._send_chan, data):
            channel, text = UInt32(self._send_chan), String(data)
            self._conn.send_packet(MSG_CHANNEL_DATA, channel, text, handler=self)

    def may_take(self, count: int) -> bool:
        """Whether asyncssh would hand so many bytes to the session, and do nothing else."""
        return (
            self._recv_state == self._send_state == "open"
            and not self._recv_paused
            and self._recv_window - count >= self._init_recv_window / 2
        )

    def take(self, data: bytes) -> None:
        """Hand *data*, for which `may_take` holds, to the session."""
        self._recv_window -= len(data)
        assert self._session is not None
        self._session.data_received(data, None)

    def _process_env_request(self, packet: SSHPacket) -> bool:
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        self._variables_seen += 1
        is_kept = (
            self._variables_seen <= self._limits.environment_max
            and len(value) <= self._limits.environment_bytes
            and name.decode("ascii", "replace") in ACCEPTED_VARIABLES
        )
        if is_kept:
            self._env[name] = value
        return is_kept

    def _process_x11_req_request(self, packet: SSHPacket) -> bool:
        return False

    def _process_auth_agent_req_at_openssh_dot_com_request(  # type: ignore[override]
        self, packet: SSHPacket
    ) -> bool:
        return False

    def environment_variable(self, name: str) -> str:
        return self._env.get(name.encode(), b"").decode("ascii", "replace")


# Keys that telnet clients in line mode send as telnet commands.
_KEY_OF_COMMAND = {IP: b"\x03", BRK: b"\x03", EOF: b"\x04"}
_LONG_COMMANDS = frozenset({DO, DONT, WILL, WONT, SB})


def _ignore(_command: bytes) -> None: ...


_NO_COMMANDS: dict[bytes, Callable[[bytes], None]] = {
    bytes([code]): _ignore for code in range(255) if bytes([code]) not in _LONG_COMMANDS
}


# Nothing is ever put into these: what would do so is overridden.
_NO_OPTIONS: set[bytes] = set()
_NO_BUFFER: deque[bytes] = deque()
_NO_CONTEXT = TelnetSessionContext()


class TelnetParser(TelnetWriter):
    """telnetlib3's parser of telnet commands, without any behaviour of its own.

    `extract_input` returns the typed bytes.  Commands go to `handle_do`, `handle_will` and so on;
    the subclass overrides all of them.  Per-connection buffers and tables are emptied or shared.
    """

    slc_simulated = False

    def __init__(self, transport: asyncio.Transport, limits: DoorLimits) -> None:
        super().__init__(transport, None, server=True)
        self.slctab = {}
        self._slc_callback = self._ext_callback = {}
        self._ext_send_callback = self._ext_offer_callback = {}
        self._iac_callback = _NO_COMMANDS
        self.always_will = self.always_do = self.always_wont = self.always_dont = _NO_OPTIONS
        self.passive_do = self.directional_refusals = _NO_OPTIONS
        self._slc_buffer, self.ctx = _NO_BUFFER, _NO_CONTEXT
        self._sb_bytes_max = limits.telnet_subnegotiation_bytes
        self._sb_bytes = 0
        self.is_flooded = False

    def allow_command(self) -> bool:
        """Count one command; False: too many."""
        raise NotImplementedError

    def extract_input(self, data: bytes) -> bytes:
        """The typed part of *data*; sets `is_flooded` and stops at too many commands."""
        if self._is_between_commands() and IAC not in data:
            return data
        typed: list[bytes] = []
        at, end = 0, len(data)
        while at < end and not self.is_flooded:
            if self._is_between_commands():
                found = data.find(IAC, at)
                if found != at:
                    found = end if found < 0 else found
                    typed.append(data[at:found])
                    at = found
                    continue
            typed.append(self._feed_one(data[at : at + 1]))
            at += 1
        return b"".join(typed)

    def _is_between_commands(self) -> bool:
        return not self.iac_received and self.cmd_received not in _LONG_COMMANDS

    def _feed_one(self, byte: bytes) -> bytes:
        """Feed one byte of a command, or an escaped 0xFF."""
        if self.cmd_received == SB:
            self._sb_bytes += 1  # escapes included
            self.is_flooded = self._sb_bytes > self._sb_bytes_max
        else:
            self._sb_bytes = 0
        is_named = self.iac_received and self.cmd_received not in _LONG_COMMANDS and byte != IAC
        if is_named and not self.allow_command():
            self.is_flooded = True
        if self.is_flooded:
            return b""
        is_in_band = self.feed_byte(byte)
        if is_named:
            return _KEY_OF_COMMAND.get(byte, b"")
        return byte if is_in_band else b""
