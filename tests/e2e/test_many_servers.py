"""Two servers on one PostgreSQL: what is written about people on one is in force on the other."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import time

import pytest

from mudserver.__main__ import main
from tests.e2e.client import Client, plain
from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import PASSWORD, come_back, come_in, play_on
from tests.e2e.player import without_pages
from tests.e2e.servers import Servers
from tests.e2e.test_moderation import admin
from tests.e2e.test_postgres import in_a_game
from tests.e2e.test_seats import hears
from tests.postgres import Cluster, require_programs
from tests.prompts import LOBBY

LEASE_S = 3


@pytest.fixture
def servers(tmp_path):
    cluster = Cluster(require_programs())
    settings = f"[journal]\nlease_s = {LEASE_S}\nheartbeat_s = 1\n"
    made = Servers(tmp_path, asyncio.run(cluster.make_database()), settings)
    yield made
    made.stop()
    cluster.remove()


@pytest.fixture
def two(servers):
    return servers.start("g1"), servers.start("g2")


def soon_hears(client: Client, line: str, pattern: str) -> str:
    """Type *line* again until *pattern* comes: what was written elsewhere is known in a moment."""
    for _ in range(50):
        client.forget()
        client.type(line)
        client.wait_heard(r"> $")
        if re.search(pattern, plain(client.heard)):
            return plain(client.heard)
    raise AssertionError(f"never heard {pattern!r}, but {plain(client.heard)!r}")


def test_an_account_is_known_on_the_other_server_with_all_that_is_done_to_it(two, make_key):
    one, other = two
    come_in(telnet(one), "ann").hang_up()
    ann = come_back(telnet(other), "ann")
    ann.wait_for(LOBBY)
    bob = come_in(telnet(one), "bob")
    soon_hears(ann, "friend bob", "You will be told when bob")
    hears(ann, "mail bob shall we play?", "bob will read it")
    bob.wait_heard("You have a message from ann")
    hears(bob, "mail read", r"shall we play\?")
    assert 0 == admin(one, "warn", "ann", "--reason", "be polite please")[0]
    ann.wait_heard(r"Warning by the staff \(#1\): be polite please")
    assert 0 == admin(one, "mute", "ann", "10m", "--reason", "be silent please")[0]
    ann.wait_heard("be silent please")
    hears(ann, "say hello", "muted")
    assert 0 == admin(other, "unmute", "ann", "--reason", "all is well")[0]
    hears(ann, "say hello", "ann: hello")
    assert 0 == admin(one, "rename", "ann", "anna", "--reason", "as she wished")[0]
    ann.wait_heard("The staff has changed your name to anna: as she wished")
    hears(ann, "whoami", "You are anna")
    assert 0 == admin(one, "announce", "we close at ten")[0]
    ann.wait_heard("we close at ten")
    bob.wait_heard("we close at ten")
    assert 0 == admin(one, "ban", "anna", "10m", "--reason", "come back later")[0]
    ann.wait_heard("come back later")
    ann.wait_closed()
    acts = admin(other, "audit")[1]
    assert all(verb in acts for verb in ("ban", "rename", "unmute", "mute", "warn", "announce"))


def test_a_purge_takes_what_was_said_away_on_each_server(two):
    one, other = two
    ann, cid = come_in(telnet(one), "ann"), come_in(telnet(other), "cid")
    hears(ann, "say you are all idiots", "you are all idiots")
    hears(cid, "say and so is cid", "and so is cid")
    hears(ann, "away idiots all of you", "You are away")
    hears(ann, "finger ann", "idiots all of you")
    come_in(telnet(one), "dan").wait_heard("you are all idiots")
    assert 0 == admin(other, "purge", "ann", "--reason", "insults in public")[0]
    ann.wait_heard(r"The staff has removed what you said \(#\d+\): insults in public")
    bob, bea = come_in(telnet(one), "bob"), come_in(telnet(other), "bea")
    assert "idiots" not in plain(bob.heard)
    bea.wait_heard("and so is cid")  # what others said there stays
    hears(bob, "finger ann", r"Back later\.")


def test_a_removed_key_opens_nothing_on_the_other_server_at_once(two, make_key):
    one, other = two
    key = make_key("cid")
    cid = ssh(one, "cid", key=key)
    cid.wait_for(LOBBY)
    hears(cid, "password", "Choose a password: |New password: ")
    hears(cid, PASSWORD, "Again: ")
    hears(cid, PASSWORD, "lobby> ")
    hears(ssh(other, "cid", key=key), "whoami", "You are cid")
    cid.wait_heard("You have logged in at another server")
    cid = ssh(one, "cid", key=key)
    cid.wait_for(LOBBY)
    hears(cid, "keys remove 1", "Key removed: ")
    late = ssh(other, "cid", key=key)
    late.wait_heard("assword: ")
    assert "lobby" not in plain(late.heard)


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_game_goes_on_where_another_server_takes_over_from_one_that_is_gone(two, is_killed):
    """Killed, or stopped for so long that it has lost its tables; then it is there again."""
    one, other = two
    clients, rng = in_a_game(one), random.Random(3)
    assert not play_on(clients, rng, 2)
    assert one.process is not None
    if is_killed:
        one.kill()
    else:
        one.process.send_signal(signal.SIGSTOP)
    gone_s = time.monotonic()
    for client in clients:
        client.hang_up()
    while "tables taken over" not in other.log_text():
        assert time.monotonic() - gone_s < LEASE_S + 10  # a busy machine
        time.sleep(0.05)
    print(f"taken over after {time.monotonic() - gone_s:.1f} s")
    clients = [come_back(telnet(other), name) for name in ("ann", "bob")]
    for client in clients:
        client.wait_heard(r"table 1(, your turn)?> ")
        without_pages(client)
    assert not play_on(clients, rng, 2)
    if not is_killed:
        one.process.send_signal(signal.SIGCONT)
        assert os.EX_TEMPFAIL == one.process.wait(20)
    one.start()
    cid = come_in(telnet(one), "cid")
    hears(cid, "open elimination pace=instant", r"table \d+> ")
    assert not play_on(clients, rng, 2)
    assert "not restored" not in one.log_text() + other.log_text()


def test_who_comes_in_at_the_other_server_has_one_session(two):
    one, other = two
    ann = come_in(telnet(one), "ann")
    again = come_back(telnet(other), "ann")
    ann.wait_heard("You have logged in at another server, so this session ends")
    ann.wait_closed()
    hears(again, "whoami", "You are ann")
    back = come_back(telnet(one), "ann")
    again.wait_heard("You have logged in at another server")
    hears(back, "whoami", "You are ann")


def test_two_servers_are_one_town(two, capsys):
    one, other = two
    ann, bob = come_in(telnet(one), "ann"), come_in(telnet(other), "bob")
    soon_hears(ann, "who", r"bob +lobby")
    hears(ann, "say good evening", "ann: good evening")
    bob.wait_heard("ann: good evening")
    hears(bob, "tell ann hello", "You tell ann: hello")
    ann.wait_heard("bob tells you: hello")
    hears(bob, "open words", r"table \d+> ")
    soon_hears(ann, "tables", "words, waiting, . free seats: bob")
    rows = r"(?m)^g1 +active  1 person  0 tables  lease .*\n^g2 +active  1 person  1 table  lease "
    for _ in range(50):
        assert 0 == main(["status", "--data", str(one.data)])
        if re.search(rows, shown := capsys.readouterr().out):
            break
        time.sleep(0.2)
    else:
        raise AssertionError(shown)


def test_who_plays_on_one_server_plays_in_no_game_of_the_other(two):
    """And no guest is called like one on the other server."""
    one, other = two
    in_a_game(one)
    ann, guests = come_back(telnet(other), "ann"), [telnet(one), telnet(other)]
    cid = come_in(telnet(other), "cid")
    ann.wait_for(LOBBY)
    opened = hears(cid, "open elimination pace=instant seats=3", r"table \d+> ")
    number = re.findall(r"table (\d+)> ", opened)[0]
    ann.type(f"sit {number}")
    ann.wait_heard(rf"table {number}> ")
    hears(cid, "bot easy", "Milo")
    hears(cid, "start", "You are ready")
    hears(ann, "start", "You play at table 1, which is on another server")
    cid.wait_heard("ann plays at table 1 now, which is on another server")
    names = set()
    for guest in guests:
        guest.wait_heard("Name: |name: ")
        guest.type("guest")
        guest.wait_for(LOBBY)
        names.add(re.findall(r"guest\d+", plain(guest.heard))[0])
    assert 2 == len(names)
