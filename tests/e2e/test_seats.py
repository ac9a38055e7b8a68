"""Seats over real clients: play alone and by two, private tables, strangers at a table."""

from __future__ import annotations

import re

from tests.e2e.client import Client, plain
from tests.e2e.clients import netcat, ssh, telnet
from tests.e2e.conftest import come_in
from tests.prompts import LOBBY, TABLE_1


def hears(client: Client, line: str, pattern: str) -> str:
    """Type *line*; all that was heard until *pattern* came."""
    client.forget()
    client.type(line)
    return client.wait_heard(pattern)


def test_a_guest_is_in_a_game_after_three_typed_lines(quick_server):
    guest = ssh(quick_server, "guest")
    guest.wait_for(LOBBY)
    hears(guest, "play", r"Which game\?")
    hears(guest, "1", r"to\s+yourself")
    hears(guest, "start", r"Seal")


def test_two_who_play_meet_at_one_table(quick_server, key):
    ann = ssh(quick_server, "ann", key=key)
    ann.wait_for(LOBBY)
    bob = come_in(telnet(quick_server), "bob")
    hears(ann, "play elimination", r"to\s+yourself")
    hears(bob, "play elimination", r"You sit at table 1")
    hears(bob, "ready", r"You are ready")
    hears(ann, "start", r"Seal")
    bob.wait_heard(r"Seal")


def test_a_private_table_is_joined_by_its_code_alone(quick_server, key):
    ann = ssh(quick_server, "ann", key=key)
    ann.wait_for(LOBBY)
    bob, cid = come_in(telnet(quick_server), "bob"), come_in(netcat(quick_server), "cid")
    text = hears(ann, "open words code=on", r"sit\s+[a-z2-9]{8}\b")
    code = re.findall(r"sit\s+([a-z2-9]{8})\b", text)[-1]
    assert "table 1" not in plain(cid.heard)
    assert "waiting" not in hears(bob, "tables", r"1 private table")
    hears(cid, "sit 1", r"Table 1 is private")
    hears(bob, f"sit {code}", TABLE_1)


def test_a_stranger_at_somebodys_table_cannot_start_or_spoil_the_game(quick_server, key):
    ann = ssh(quick_server, "ann", key=key)
    ann.wait_for(LOBBY)
    bob = come_in(telnet(quick_server), "bob")
    hears(ann, "open elimination", TABLE_1)
    hears(ann, "bot", r"Juno")
    hears(bob, "sit 1", TABLE_1)
    for line in ("bot", "unbot", "options pace=instant", "unseat ann", "owner bob"):
        hears(bob, line, r"Only\s+ann\s+can")
    hears(bob, "start", r"You are ready")
    ann.wait_heard(r"bob is ready to start")
    hears(ann, "unseat bob", r"bob left")
    bob.wait_heard(r"has\s+asked\s+you\s+to\s+leave")
    hears(bob, "sit 1", r"again\s+in\s+10\s+min")
    hears(ann, "start", r"Seal")
