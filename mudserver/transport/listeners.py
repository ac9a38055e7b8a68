"""All doors of the house: SSH, telnet, telnet over TLS, with one gate before them.

Rule 1: a door listens on the sockets that were handed over for it by name (`ssh`, `telnet`,
        `telnets`), or, if there are none, on the address that the configuration says.
Rule 2: doors open in that order, and only when everything behind them is ready.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import StartError
from mudserver.transport import tls
from mudserver.transport.gate import Gate
from mudserver.transport.link import Authenticator, HandlerFactory
from mudserver.transport.listener import Listener
from mudserver.transport.ssh import host_keys
from mudserver.transport.ssh.listener import open_ssh
from mudserver.transport.telnet import mssp
from mudserver.transport.telnet.connection import open_telnet

LISTENER_NAMES = SSH, TELNET, TELNETS = "ssh", "telnet", "telnets"
InheritedSockets = Mapping[str, Sequence[socket.socket]]


class Listeners:
    """Made closed; `open` opens all that are configured, `close` takes nobody in any more."""

    def __init__(
        self,
        settings: schema.Config,
        clock: Clock,
        make_handler: HandlerFactory,
        authenticator: Authenticator,
        status: Callable[[], mssp.Status],
    ) -> None:
        self._settings, self._clock, self._answer = settings, clock, make_handler
        self._doorman, self._status = authenticator, status
        self.gate = Gate(settings.door, clock)
        self._open: list[tuple[str, Listener]] = []
        self._tls_context: ssl.SSLContext | None = None  # there is a TLS door

    async def open(self, keys: host_keys.HostKeys, inherited: InheritedSockets) -> None:
        """StartError says which door cannot be opened and why."""
        server = self._settings.server
        if server.tls or inherited.get(TELNETS):
            if not (server.tls_cert and server.tls_key):
                raise StartError(
                    "a socket for telnets was handed over, but server.tls_cert and server.tls_key "
                    "are not set: set them, or disable that socket"
                )
            self._tls_context = tls.server_context(server.tls_cert, server.tls_key)
        for host, port, sock in _endpoints(server.ssh, inherited.get(SSH, ())):
            await self._open_ssh(host, port, sock, keys)
        for name, address, context in (
            (TELNET, server.telnet, None),
            (TELNETS, server.tls, self._current_tls_context),
        ):
            for host, port, sock in _endpoints(address, inherited.get(name, ())):
                await self._open_telnet(name, host, port, sock, context)

    async def _open_ssh(
        self, host: str, port: int, sock: socket.socket | None, keys: host_keys.HostKeys
    ) -> None:
        door = await open_ssh(
            host,
            port,
            keys=keys,
            make_handler=self._answer,
            authenticator=self._doorman,
            gate=self.gate,
            clock=self._clock,
            sock=sock,
        )
        self._open.append((SSH, door))

    async def _open_telnet(
        self,
        name: str,
        host: str,
        port: int,
        sock: socket.socket | None,
        context: Callable[[], ssl.SSLContext] | None,
    ) -> None:
        door = await open_telnet(
            host,
            port,
            make_handler=self._answer,
            gate=self.gate,
            clock=self._clock,
            status=self._status,
            tls_context=context,
            sock=sock,
        )
        self._open.append((name, door))

    def _current_tls_context(self) -> ssl.SSLContext:
        assert self._tls_context is not None
        return self._tls_context

    def reconfigure(self, settings: schema.Config) -> None:
        """Other limits and another certificate, for who comes from now on.

        Certificate and key are read even if they are called as before: renewal writes new ones in
        their place.

        Raises:
            StartError: They are wrong.  Nothing was taken.
        """
        if self._tls_context is not None:
            self._tls_context = tls.server_context(
                settings.server.tls_cert, settings.server.tls_key
            )
        self._settings = settings
        self.gate.reconfigure(settings.door)

    def address(self, name: str) -> str:
        """`HOST:PORT` of the first door of that *name*; empty if there is none."""
        return next((door.address for each, door in self._open if each == name), "")

    def close(self) -> None:
        for _, door in self._open:
            door.close()

    async def wait_closed(self) -> None:
        """Wait for the open lines, at most `door.close_s`; then they are cut."""
        await asyncio.gather(*(door.wait_closed() for _, door in self._open))


def _endpoints(
    address: str, handed_over: Sequence[socket.socket]
) -> list[tuple[str, int, socket.socket | None]]:
    """Where to listen: the sockets handed over, else the configured address, if there is one."""
    if handed_over:
        return [(*sock.getsockname()[:2], sock) for sock in handed_over]
    return [(*schema.split_address(address), None)] if address else []
