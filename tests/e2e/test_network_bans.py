"""A network that is banned hard, at the real ssh, telnet and openssl, before and behind a wall."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.certificate import certificate
from tests.e2e.client import START_S, Client, Server
from tests.e2e.clients import netcat, openssl, program, ssh_options, telnet
from tests.e2e.servers import Door, Game
from tests.e2e.test_moderation import admin
from tests.slow_cases import slow_cases

BANNED, ELSEWHERE = "203.0.113.9", "198.51.100.7"
REASON = "flooding the lobby with words again and again, -- bob has left, and from many addresses"
CONFIG = """
[server]
tls = "127.0.0.1:0"
tls_cert = "server.crt"
tls_key = "server.key"
[door]
proxy_from = ["127.0.0.0/8"]
"""


class Way(NamedTuple):
    """As `Server`, for clients that come from another address."""

    data: Path
    ssh_port: int
    telnet_port: int
    tls_port: int


class Proxy:
    """A reverse proxy that says of each connection that it comes from *address*; "": nothing."""

    def __init__(self, port: int, address: str) -> None:
        said = f"TCP4 {address} 192.0.2.1 40000 22" if address else "UNKNOWN"
        self._to, self._header = port, f"PROXY {said}\r\n".encode()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listening.accept()[0]
                server = socket.create_connection(("127.0.0.1", self._to))
                server.sendall(self._header)
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=_copy, args=(source, sink), daemon=True).start()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


WAYS = ("one process", "a door and a game server")


def each_way(*always: str) -> pytest.MarkDecorator:
    """Both ways to run a server; of those that are not named here each is left to `make prove`."""
    return pytest.mark.parametrize("server", slow_cases(WAYS, {*WAYS} - {*always}), indirect=True)


@pytest.fixture
def server(request, tmp_path) -> Iterator[Server]:
    certificate(tmp_path)
    (tmp_path / "server.toml").write_text(CONFIG)
    options = tmp_path / "data", "--config", str(tmp_path / "server.toml")
    kinds = (Server,) if request.param == "one process" else (Game, Door)
    started = [kind(*options).start() for kind in kinds]
    yield started[-1]
    for client in Client.running:  # a door waits for who does not hang up
        client.hang_up()
    for server in reversed(started):
        assert 0 == server.stop(START_S)
    assert "Traceback" not in started[-1].log_text()


@pytest.fixture
def coming_from(server) -> Iterator[Callable[[str], Way]]:
    proxies: list[Proxy] = []

    def through(port: int, address: str) -> int:
        proxies.append(Proxy(port, address))
        return proxies[-1].port

    def coming_from(address: str) -> Way:
        ports = server.ssh_port, server.telnet_port, server.tls_port
        return Way(server.data, *(through(port, address) for port in ports))

    yield coming_from
    for proxy in proxies:
        proxy.close()


def ssh(way: Way, name: str, key: Path | None = None) -> Client:
    """OpenSSH with its usual log level, at which it shows banners."""
    options = ssh_options(way, name, key)  # type: ignore[arg-type]
    return Client([program("ssh"), "-o", "LogLevel=INFO", *options])


def read_to_the_end(client: Client) -> str:
    client.wait_closed()
    return client.heard.decode().replace("\r", "")


def check_told(heard: str) -> None:
    """The sentence, once, its reason quoted: no row but the first begins with the staff's words."""
    assert 1 == heard.count("You are banned until ")
    rows = heard[heard.index("You are banned") :].split("\n")
    assert re.fullmatch(r"You are banned until \S+ \S+ UTC \(#\d+\)\. Reason: flooding.*", rows[0])
    assert rows[1].startswith("    | ") and rows[2].startswith("To appeal, write to"), rows
    assert REASON in " ".join(row.removeprefix("    | ") for row in rows[:2])[-len(REASON) :]


@each_way("a door and a game server")
def test_a_hard_ban_is_told_at_once_and_spares_the_staff_with_their_key(
    server, coming_from, make_key
):
    here, there = coming_from(BANNED), coming_from(ELSEWHERE)
    keys = {name: make_key(name) for name in ("hal", "ann")}
    for name, key in keys.items():
        person = ssh(here, name, key=key)
        person.wait_for("lobby> ")
        person.type("quit")
        person.wait_closed()
    assert 0 == admin(server, "role", "hal", "helper", "--reason", "for the test")[0]
    status, said = admin(
        server, "ban-network", "203.0.113.0/24", "1d", "--hard", "--reason", REASON
    )
    assert 0 == status, said
    number = re.search(r"\(#(\d+)\)", said)[1]
    for client in (telnet, openssl):
        check_told(read_to_the_end(client(here)))
    listening = netcat(here)  # it stays until its own input ends
    listening.wait_heard("with the number")
    check_told(listening.heard.decode().replace("\r", ""))
    for name, key in (("ann", keys["ann"]), ("ann", None), ("zed", None), ("guest", None)):
        heard = read_to_the_end(ssh(here, name, key=key))
        check_told(heard)
        assert "Permission denied (publickey)" in heard and "assword" not in heard
    hal = ssh(here, "hal", key=keys["hal"])
    hal.wait_for("lobby> ")
    ann = ssh(there, "ann", key=keys["ann"])  # the same account, from elsewhere
    ann.wait_for("lobby> ")
    assert 0 == admin(server, "unban", number, "--reason", "they have stopped")[0]
    again = telnet(here)
    again.wait_for("Name: ")
    ssh(here, "ann", key=keys["ann"]).wait_for("lobby> ")


@each_way("one process")
def test_a_ban_that_ends_nothing_but_new_names_is_quoted_over_ssh(server, coming_from, make_key):
    """A soft ban: accounts come in, and a free name reads why it is none, row by row."""
    here = coming_from(BANNED)
    ann = ssh(here, "ann", key=make_key("ann"))
    ann.wait_for("lobby> ")
    admin(server, "ban-network", "203.0.113.0/24", "1d", "--reason", REASON)
    heard = read_to_the_end(ssh(here, "zed"))
    check_told(heard)
    assert "The reason stands above." in heard
    ann.type("who")
    ann.wait_for("1 person is here")
    again = ssh(here, "ann", key=Path(here.data.parent / "ann"))
    again.wait_for("Welcome back, ann")


@each_way("one process")
def test_a_kicked_guest_is_met_at_the_own_address_and_never_at_the_proxy_s(server, coming_from):
    def guest(way: Way) -> Client:
        came = telnet(way)
        came.wait_for("Name: ")
        came.type("guest")
        came.wait_for("lobby> ")
        return came

    unsaid = coming_from("")
    here, there = coming_from(BANNED), coming_from(ELSEWHERE)
    for way, name in ((here, "guest1"), (unsaid, "guest4")):
        kicked = guest(way)
        other = guest(there)
        status, said = admin(server, "kick", name, "--reason", REASON)
        assert 0 == status, said
        assert "You are banned until " in read_to_the_end(kicked)
        other.type("who")
        other.wait_for("1 person is here")
        other.type("quit")
        other.wait_closed()
        guest(there).type("quit")
    again = telnet(here)
    again.wait_for("Name: ")
    again.type("guest")
    again.wait_heard("You are banned until ")
    guest(unsaid)
