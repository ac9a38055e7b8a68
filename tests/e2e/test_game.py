"""Whole games by real clients, with the plug pulled."""

from __future__ import annotations

import random
import re

from tests.e2e.client import netcat, plain, ssh, telnet
from tests.e2e.conftest import come_back, come_in, moves, play_on
from variants.verify import verify


def seated(server, key):
    ann = ssh(server, "ann", key=key)
    ann.wait_for(r"lobby> ")
    bob = come_in(telnet(server), "bob")
    cleo = come_in(netcat(server), "cleo")
    ann.type("open elimination pace=instant")
    ann.wait_for(r"table 1> ")
    for client in (bob, cleo):
        client.type("sit 1")
        client.wait_for(r"table 1> ")
    ann.type("bot 2")
    ann.wait_for(r"table 1> ")
    return ann, bob, cleo


def test_three_clients_and_a_computer_play_to_the_end(server, key):
    clients = seated(server, key)
    ann = clients[0]
    watcher = ssh(server, "guest")
    watcher.wait_for(r"lobby> ")
    watcher.type("watch 1")
    ann.type("start")
    for client in clients:
        client.wait_heard(r"sha256|fixed")
    assert play_on(list(clients), random.Random(1))
    results = []
    for client in (*clients, watcher):
        client.wait_heard(r"Game over: ")
        results.append(re.search(r"Game over: .*", plain(client.heard))[0].strip())
    assert 1 == len(set(results)), results
    for client in clients:
        client.forget()
        client.type("record")
        client.wait_heard(r"\}\}\s+(.*\s+)?table 1> ")
        assert verify(plain(client.heard).splitlines()).startswith("proved: ")


def test_sigkill_in_mid_game_takes_nothing_back(server, key):
    clients = seated(server, key)
    clients[0].type("start")
    assert not play_on(list(clients), random.Random(2), turns=6)
    for client in clients:
        client.look(0.3)
    before = {}
    for name, client in zip(("ann", "bob", "cleo"), clients, strict=True):
        client.forget()
        client.type("look")
        client.wait_heard(r"table 1(, your turn)?> ")
        before[name] = board(client)
    server.kill()
    for client in clients:
        client.hang_up()  # netcat would wait for its own end
    server.start()
    ann = ssh(server, "ann", key=key)
    bob = come_back(netcat(server), "bob")  # over another transport
    cleo = come_back(telnet(server), "cleo")
    for name, client in (("ann", ann), ("bob", bob), ("cleo", cleo)):
        client.wait_for(r"table 1(, your turn)?> ")
        client.forget()
        client.type("look")
        client.wait_heard(r"table 1(, your turn)?> ")
        assert before[name] == board(client), name
    assert play_on([ann, bob, cleo], random.Random(3))


def board(client) -> list[str]:
    """The rows that `look` showed, without the seconds that are left and the clients' charsets."""
    text = re.sub(r"\b\d+ s\b", "", plain(client.heard))
    text = text.translate(str.maketrans("", "", "♥♦♣♠"))
    rows = [row.rstrip() for row in text.splitlines()]
    return [row for row in rows if row and not row.startswith("table 1") and row != "look"]


def test_a_second_login_takes_over_the_seat(server, key):
    ann = ssh(server, "ann", key=key)
    ann.wait_for(r"lobby> ")
    ann.type("open elimination pace=instant")
    ann.wait_for(r"table 1> ")
    ann.type("bot")
    ann.type("start")
    ann.wait_for(r"your turn> ")
    newer = ssh(server, "ann", key=key)
    newer.wait_for(r"your turn> ")
    ann.wait_closed()
    assert moves(newer)
    assert play_on([newer], random.Random(4))
