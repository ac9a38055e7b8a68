"""Real servers and real clients, each test with a house of its own."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess

import pytest

from tests.e2e.client import Client, Server, plain

NEEDED = {
    "ssh": "openssh-client", "telnet": "inetutils-telnet", "nc": "netcat-openbsd",
    "tt++": "tintin++", "openssl": "openssl",
}  # fmt: skip


@pytest.fixture(autouse=True)
def real_clients():
    """On a machine without the clients these tests say what to install; CI must have them."""
    path = f"{os.environ['PATH']}:/usr/games"
    missing = [
        package for program, package in NEEDED.items() if not shutil.which(program, path=path)
    ]
    if missing and not os.environ.get("CI"):
        pytest.skip(f"real clients are missing: apt install {' '.join(missing)}")
    assert not missing, missing


@pytest.fixture
def server(tmp_path):
    house = Server(tmp_path / "data").start()
    yield house
    house.stop()


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


PASSWORD = "correct horse battery"


def come_in(client: Client, name: str) -> Client:
    """Over telnet or netcat: register a new name."""
    client.wait_for(r"Name: ")
    client.type(name)
    client.wait_for(r"Choose a password: ")
    client.type(PASSWORD)
    client.wait_for(r"Again: ")
    client.type(PASSWORD)
    client.wait_for(rf"Welcome, {name}\.")
    client.wait_for(r"lobby> $|lobby> ")
    return client


def come_back(client: Client, name: str) -> Client:
    client.wait_for(r"Name: ")
    client.type(name)
    client.wait_for(r"Password: ")
    client.type(PASSWORD)
    client.wait_for(rf"Welcome, {name}\.")
    return client


def moves(client: Client) -> list[str]:
    """What `moves` lists; nothing if the turn has just passed."""
    client.forget()
    client.type("moves")
    client.wait_heard(r"(You can type|You can play nothing)[\s\S]*table 1(, your turn)?> ")
    return re.findall(r"(?m)^- (.+?)\s*$", plain(client.heard))


def play_on(clients: list[Client], rng: random.Random, turns: int = 10_000) -> bool:
    """Everybody plays what `moves` offers, until *turns* were taken or the game is over."""
    taken = 0
    while taken < turns:
        for client in clients:
            shown = client.look(0.02)
            if "Game over: " in plain(client.heard) or "Game over: " in shown:
                return True
            if client.last_row.endswith("your turn>") and (offered := moves(client)):
                client.type(rng.choice(offered))
                client.wait_heard(r"table 1(, your turn)?> [\s\S]*table 1(, your turn)?> ")
                taken += 1
    return False
