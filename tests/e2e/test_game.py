"""Whole games by real clients, with the plug pulled."""

from __future__ import annotations

import random
import re
import time

from tests.e2e.client import PATIENCE_S, plain, wait_for_any
from tests.e2e.clients import netcat, ssh, telnet
from tests.e2e.conftest import come_back, come_in, play_on
from tests.e2e.player import moves, without_pages
from tests.prompts import LOBBY, TABLE_1, YOUR_TURN
from variants.verify import verify

BOARD = r"Turn \d+\.[\s\S]*?\ntable 1(, your turn)?> "


def seated(server, key):
    ann = ssh(server, "ann", key=key)
    ann.wait_for(LOBBY)
    bob = come_in(telnet(server), "bob")
    cid = come_in(netcat(server), "cid")
    for client in (ann, bob, cid):
        without_pages(client)
    ann.type("open elimination pace=instant")
    ann.wait_for(TABLE_1)
    for client in (bob, cid):
        client.type("sit 1")
        client.wait_for(TABLE_1)
    ann.type("bot hard")
    for client in (ann, bob, cid):
        client.wait_heard("Vera")
    ann.wait_for(TABLE_1)
    return ann, bob, cid


def all_start(clients) -> None:
    """Everybody is ready, the first one at last."""
    for client in reversed(clients):
        client.forget()
        client.type("start")
        client.wait_heard(r"You are ready|Seal: ")


def test_three_clients_and_a_computer_play_to_the_end(quick_server, key):
    server = quick_server
    clients = seated(server, key)
    watcher = ssh(server, "guest")
    watcher.wait_for(LOBBY)
    watcher.type("watch 1")
    all_start(clients)
    for client in clients:
        client.wait_heard(r"Seal: ")
    assert play_on(list(clients), random.Random(1))
    results = []
    for client in (*clients, watcher):
        client.wait_heard(r"Game over: [^\r\n]*[\r\n]")
        results.append(re.search(r"Game over: .*", plain(client.heard))[0].strip())
    assert 1 == len(set(results)), results
    for client in clients:
        client.forget()
        client.type("record")
        client.wait_heard(r"\}\}\s+(.*\s+)?" + TABLE_1)
        assert verify(plain(client.heard).splitlines()).startswith("proved: ")


def test_sigkill_in_mid_game_takes_nothing_back(quick_server, key):
    server = quick_server
    clients = seated(server, key)
    all_start(clients)
    assert not play_on(list(clients), random.Random(2), turns=6)
    wait_for_a_person(clients)
    before = dict(zip(("ann", "bob", "cid"), map(board, clients), strict=True))
    server.kill()
    for client in clients:
        client.hang_up()  # netcat would wait for its own end
    server.start()
    ann = ssh(server, "ann", key=key)
    bob = come_back(netcat(server), "bob")  # over another transport
    cid = come_back(telnet(server), "cid")
    for name, client in (("ann", ann), ("bob", bob), ("cid", cid)):
        assert before[name] == board(client), name
    play_on([ann, bob, cid], random.Random(3), turns=3)


def wait_for_a_person(clients) -> None:
    """Until the computer has played, and one of *clients* is asked."""
    end = time.monotonic() + PATIENCE_S
    while not any(each.last_row.endswith("your turn>") for each in clients):
        wait_for_any(clients)
        assert time.monotonic() < end, [each.look() for each in clients]


def board(client) -> list[str]:
    """The rows that `look` shows, without the seconds that are left and the clients' charsets."""
    client.look()
    client.forget()
    client.type("look")
    shown = re.search(BOARD, client.wait_heard(BOARD))
    text = re.sub(r"\b\d+ s\b", "", shown[0]).translate(str.maketrans("", "", "♥♦♣♠"))
    rows = [row.rstrip() for row in text.splitlines()]
    return [row for row in rows if row and not row.startswith(("You have", "-- ", "table 1"))]


def test_a_second_login_takes_over_the_seat(quick_server, key):
    server = quick_server
    ann = ssh(server, "ann", key=key)
    ann.wait_for(LOBBY)
    without_pages(ann)
    ann.type("open elimination pace=instant")
    ann.wait_for(TABLE_1)
    ann.type("bot")
    ann.type("start")
    ann.wait_for(YOUR_TURN)
    newer = ssh(server, "ann", key=key)
    newer.wait_for(YOUR_TURN)
    ann.wait_closed()
    assert moves(newer)
    play_on([newer], random.Random(4), turns=2)
