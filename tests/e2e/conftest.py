"""Real servers and real clients, each test with a server of its own unless it asks for `server`."""

from __future__ import annotations

import random
import subprocess
import time
from itertools import count
from pathlib import Path

import pytest

from tests.certificate import certificate
from tests.e2e.client import Client, Server, wait_for_any
from tests.e2e.clients import program
from tests.e2e.player import moves
from tests.prompts import LOBBY, YOUR_TURN

QUICK = """
[server]
tls = "127.0.0.1:0"
tls_cert = "server.crt"
tls_key = "server.key"
[session]
lines_per_s = 100_000
lines_burst = 100_000
tick_ms = 1
[people]
argon2_memory_kib = 8
argon2_passes = 1
[sources]
exempt = ["127.0.0.0/8"]
[tables]
plays_per_person_per_s = 100_000
plays_burst = 100_000
"""


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path / "data").start()
    yield server
    server.stop()


@pytest.fixture
def make_key(tmp_path):
    """Makes a key pair of a name; answers the path of the private part."""

    def make(name: str, *options: str) -> Path:
        path = tmp_path / name
        kind = options or ("-t", "ed25519")
        subprocess.run([program("ssh-keygen"), "-q", *kind, "-N", "", "-f", path], check=True)
        return path

    return make


def quick(directory: Path, has_all_words: bool = False, tables: str = "") -> Server:
    """A server in no hurry to refuse, and quick to answer.

    Args:
        tables: More settings of tables, as lines.
    """
    certificate(directory)
    (directory / "quick.toml").write_text(QUICK + tables)
    config = ("--config", str(directory / "quick.toml"))
    return Server(directory / "data", *config, has_all_words=has_all_words).start()


@pytest.fixture(scope="session")
def shared_quick_server(tmp_path_factory):
    """One for all who need none of their own."""
    server = quick(tmp_path_factory.mktemp("server"), has_all_words=True)
    yield server
    assert 0 == server.stop()


@pytest.fixture
def quick_server(tmp_path):
    server = quick(tmp_path)
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def hang_up_after():
    """No client outlives its test."""
    yield
    while Client.running:
        Client.running.pop().hang_up()


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "id_ed25519"
    subprocess.run([program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


PASSWORD = "correct horse battery"
GAME_S = 60.0  # a whole one on a busy machine
_numbers = count(1)


def fresh(name: str) -> str:
    """A name that nobody in the server has yet."""
    return f"{name}{next(_numbers)}"


def come_in(client: Client, name: str) -> Client:
    """Over telnet or netcat: register a new name."""
    client.wait_for(r"Name: ")
    client.type(name)
    client.wait_for(r"Choose a password: ")
    client.type(PASSWORD)
    client.wait_for(r"Again: ")
    client.type(PASSWORD)
    client.wait_for(rf"Welcome[^\n]*, {name}[.!]")
    client.wait_for(LOBBY)
    return client


def come_back(client: Client, name: str) -> Client:
    client.wait_for(r"Name: ")
    client.type(name)
    client.wait_for(r"Password: ")
    client.type(PASSWORD)
    client.wait_for(rf"Welcome[^\n]*, {name}[.!]")
    return client


def play_on(clients: list[Client], rng: random.Random, turns: int = 10_000) -> bool:
    """Everybody plays what `moves` offers, until *turns* were taken or the game is over."""
    taken, end = 0, time.monotonic() + GAME_S
    while taken < turns:
        assert time.monotonic() < end, [each.caught_up()[-400:] for each in clients]
        wait_for_any(clients)
        for client in clients:
            text = client.caught_up()
            if "Game over: " in text:
                return True
            if text.endswith(YOUR_TURN) and (offered := moves(client)):
                if "Game over: " in client.caught_up():  # meanwhile, behind the list
                    return True
                client.forget()
                client.type(rng.choice(offered))
                client.wait_heard(r"(?m)^.*\S.*\n[\s\S]*> $")
                taken += 1
    return False
