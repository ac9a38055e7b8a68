"""All listeners: SSH, telnet, telnet over TLS, with one gate before them.

Rule 1: a listener uses the sockets inherited under its name (`protocols.py`), or, if there are
        none, the configured address.
Rule 2: listeners open in that order, and only when everything behind them is ready.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence

from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import StartError
from mudserver.protocols import LISTENERS
from mudserver.source_budgets import SourceBudgets
from mudserver.transport import tls
from mudserver.transport.gate import Gate
from mudserver.transport.link import Authenticator, HandlerFactory
from mudserver.transport.ssh import host_keys
from mudserver.transport.ssh.listener import open_ssh
from mudserver.transport.tcp_listener import TcpListener
from mudserver.transport.telnet import mssp
from mudserver.transport.telnet.connection import open_telnet

SSH, TELNET, TLS = LISTENERS
InheritedSockets = Mapping[str, Sequence[socket.socket]]


class ListenerManager:
    """Created closed; `open` opens all that are configured, `close` stops accepting."""

    def __init__(
        self,
        config: schema.Config,
        clock: Clock,
        make_handler: HandlerFactory,
        authenticator: Authenticator,
        status: Callable[[], mssp.Status],
        budgets: SourceBudgets,
    ) -> None:
        self._config, self._clock, self._make_handler = config, clock, make_handler
        self._authenticator, self._status = authenticator, status
        self.gate = Gate(config, clock, budgets)
        self._open: list[tuple[str, TcpListener]] = []
        self._tls_context: ssl.SSLContext | None = None  # set if there is a TLS listener

    async def open(self, keys: host_keys.HostKeys, inherited: InheritedSockets) -> None:
        """StartError names the listener that cannot be opened, and why."""
        server = self._config.server
        if server.tls or inherited.get(TLS):
            if not (server.tls_cert and server.tls_key):
                raise StartError(
                    "a socket for tls was handed over, but server.tls_cert and server.tls_key "
                    "are not set: set them, or disable that socket"
                )
            self._tls_context = tls.server_context(server.tls_cert, server.tls_key)
        for host, port, sock in _listen_addresses(server.ssh, inherited.get(SSH, ())):
            await self._open_ssh(host, port, sock, keys)
        for name, address, context in (
            (TELNET, server.telnet, None),
            (TLS, server.tls, self._current_tls_context),
        ):
            for host, port, sock in _listen_addresses(address, inherited.get(name, ())):
                await self._open_telnet(name, host, port, sock, context)

    async def _open_ssh(
        self, host: str, port: int, sock: socket.socket | None, keys: host_keys.HostKeys
    ) -> None:
        listener = await open_ssh(
            host,
            port,
            keys=keys,
            make_handler=self._make_handler,
            authenticator=self._authenticator,
            gate=self.gate,
            clock=self._clock,
            sock=sock,
        )
        self._open.append((SSH, listener))

    async def _open_telnet(
        self,
        name: str,
        host: str,
        port: int,
        sock: socket.socket | None,
        context: Callable[[], ssl.SSLContext] | None,
    ) -> None:
        listener = await open_telnet(
            host,
            port,
            make_handler=self._make_handler,
            gate=self.gate,
            clock=self._clock,
            status=self._status,
            tls_context=context,
            sock=sock,
        )
        self._open.append((name, listener))

    def _current_tls_context(self) -> ssl.SSLContext:
        assert self._tls_context is not None
        return self._tls_context

    def reconfigure(self, config: schema.Config) -> None:
        """Apply new limits and certificate to future connections.

        Certificate and key are read again even under the same names: renewal replaces the files.

        Raises:
            StartError: They cannot be used.  Nothing has changed.
        """
        if self._tls_context is not None:
            self._tls_context = tls.server_context(config.server.tls_cert, config.server.tls_key)
        self._config = config
        self.gate.reconfigure(config.door)

    def address(self, name: str) -> str:
        """`HOST:PORT` of the first listener called *name*; "" if there is none."""
        return next((listener.address for each, listener in self._open if each == name), "")

    def addresses(self) -> dict[str, str]:
        """The same of every listener that is open, by name."""
        return {name: self.address(name) for name in LISTENERS if self.address(name)}

    def stop_accepting(self) -> None:
        """Nobody new from now on; whoever is here, or waits for a turn, is served."""
        for _, listener in self._open:
            listener.stop_accepting()

    def close(self) -> None:
        for _, listener in self._open:
            listener.close()
        self.gate.close()

    async def wait_closed(self) -> None:
        """Wait for open connections, at most `door.close_s`; then abort them."""
        await asyncio.gather(*(listener.wait_closed() for _, listener in self._open))


def _listen_addresses(
    address: str, inherited: Sequence[socket.socket]
) -> list[tuple[str, int, socket.socket | None]]:
    """Where to listen: the inherited sockets, else the configured address, if there is one."""
    if inherited:
        return [(*sock.getsockname()[:2], sock) for sock in inherited]
    return [(*schema.split_address(address), None)] if address else []
