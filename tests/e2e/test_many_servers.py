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
from tests.prompts import LOBBY
from tests.slow_cases import slow_cases

LEASE_S = 3


@pytest.fixture
def two(postgres, tmp_path):
    yield from _two(postgres, tmp_path)


@pytest.fixture(scope="module")
def shared_two(postgres, tmp_path_factory):
    """For all who end neither, and open tables on `other` alone; names are used once."""
    yield from _two(postgres, tmp_path_factory.mktemp("two"))


def _two(postgres, directory):
    settings = f"[journal]\nlease_s = {LEASE_S}\nheartbeat_s = 1\n"
    made = Servers(directory, asyncio.run(postgres.make_database()), settings)
    try:
        yield made.start("g1"), made.start("g2")
    finally:
        made.stop()


def soon_hears(client: Client, line: str, pattern: str) -> str:
    """Type *line* again until *pattern* comes: what was written elsewhere is known in a moment."""
    for _ in range(50):
        client.forget()
        client.type(line)
        client.wait_heard(r"> $")
        if re.search(pattern, plain(client.heard)):
            return plain(client.heard)
        time.sleep(0.1)
    raise AssertionError(f"never heard {pattern!r}, but {plain(client.heard)!r}")


def test_an_account_is_known_on_the_other_server_with_all_that_is_done_to_it(shared_two, make_key):
    one, other = shared_two
    come_in(telnet(one), "ann").hang_up()
    ann = come_back(telnet(other), "ann")
    ann.wait_for(LOBBY)
    bob = come_in(telnet(one), "bob")
    soon_hears(ann, "friend bob", "You will be told when bob")
    hears(ann, "mail bob shall we play?", "bob will read it")
    bob.wait_heard("You have a message from ann")
    hears(bob, "mail read", r"shall we play\?")
    assert 0 == admin(one, "warn", "ann", "--reason", "be polite please")[0]
    ann.wait_heard(r"Warning by the staff \(#\d+\): be polite please")
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


@pytest.mark.prove
def test_a_purge_takes_what_was_said_away_on_each_server(shared_two):
    one, other = shared_two
    eva, finn = come_in(telnet(one), "eva"), come_in(telnet(other), "finn")
    hears(eva, "say you are all idiots", "you are all idiots")
    hears(finn, "say and so is finn", "and so is finn")
    hears(eva, "away idiots all of you", "You are away")
    hears(eva, "finger eva", "idiots all of you")
    come_in(telnet(one), "gus").wait_heard("you are all idiots")
    assert 0 == admin(other, "purge", "eva", "--reason", "insults in public")[0]
    eva.wait_heard(r"The staff has removed what you said \(#\d+\): insults in public")
    hal, ida = come_in(telnet(one), "hal"), come_in(telnet(other), "ida")
    assert "idiots" not in plain(hal.heard)
    ida.wait_heard("and so is finn")  # what others said there stays
    hears(hal, "finger eva", r"Back later\.")


def test_a_removed_key_opens_nothing_on_the_other_server_at_once(shared_two, make_key):
    one, other = shared_two
    key = make_key("kim")
    kim = ssh(one, "kim", key=key)
    kim.wait_for(LOBBY)
    hears(kim, "password", "Choose a password: |New password: ")
    hears(kim, PASSWORD, "Again: ")
    hears(kim, PASSWORD, "lobby> ")
    hears(ssh(other, "kim", key=key), "whoami", "You are kim")
    kim.wait_heard("You have logged in at another server")
    kim = ssh(one, "kim", key=key)
    kim.wait_for(LOBBY)
    hears(kim, "keys remove 1", "Key removed: ")
    late = ssh(other, "kim", key=key)
    late.wait_heard("assword: ")
    assert "lobby" not in plain(late.heard)


@pytest.mark.parametrize("is_killed", slow_cases([True, False], ["False"]))
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


def test_who_comes_in_at_the_other_server_has_one_session(shared_two):
    one, other = shared_two
    liv = come_in(telnet(one), "liv")
    soon_hears(come_in(telnet(other), "max"), "who", r"liv +lobby")  # her account is known there
    again = come_back(telnet(other), "liv")
    liv.wait_heard("You have logged in at another server, so this session ends")
    liv.wait_closed()
    hears(again, "whoami", "You are liv")
    back = come_back(telnet(one), "liv")
    again.wait_heard("You have logged in at another server")
    hears(back, "whoami", "You are liv")


def test_two_servers_are_one_town(shared_two, capsys):
    one, other = shared_two
    mia, nils = come_in(telnet(one), "mia"), come_in(telnet(other), "nils")
    soon_hears(mia, "who", r"nils +lobby")
    hears(mia, "say good evening", "mia: good evening")
    nils.wait_heard("mia: good evening")
    hears(nils, "tell mia hello", "You tell mia: hello")
    mia.wait_heard("nils tells you: hello")
    hears(nils, "open words", r"table \d+> ")
    soon_hears(mia, "tables", "words, waiting, . free seats: nils")
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
