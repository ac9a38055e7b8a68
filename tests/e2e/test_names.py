"""Names over real clients: a guest registers in mid-game, and names change."""

from __future__ import annotations

from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import PASSWORD, come_back
from tests.e2e.test_moderation import admin
from tests.e2e.test_seats import hears
from tests.prompts import LOBBY, TABLE_1


def test_a_guest_registers_in_mid_game_and_the_seat_outlives_a_kill(server, make_key):
    ann = ssh(server, "ann", key=make_key("ann"))
    ann.wait_for(LOBBY)
    guest = telnet(server)
    guest.wait_for("Name: ")
    hears(guest, "guest", LOBBY)
    hears(ann, "open elimination pace=instant clocks=off", TABLE_1)
    hears(guest, "sit 1", r"resume\s+\w{4}-\w{4}-\w{4}")
    hears(guest, "start", r"You are ready")
    hears(ann, "start", "Seal")
    hears(guest, "register bob", "Choose a password: ")
    hears(guest, PASSWORD, "Again: ")
    ann.forget()
    heard = hears(guest, PASSWORD, r"You are registered as bob\.")
    assert PASSWORD not in heard
    ann.wait_heard(r"-- guest1 is now bob\.")
    hears(guest, "say still here", "bob: still here")
    server.kill()
    server.start()
    back = come_back(telnet(server), "bob")
    back.wait_heard("You have a seat at table 1")
    hears(back, "whoami", "You are bob, a registered player")


def test_a_name_that_the_console_takes_away_is_told_to_its_owner(server, make_key):
    key = make_key("rude")
    rude = ssh(server, "rude", key=key)
    rude.wait_for(LOBBY)
    status, out = admin(server, "rename", "rude", "bob", "--reason", "no such names")
    assert (0, "rude is now called bob.\n") == (status, out)
    rude.wait_heard("The staff has changed your name to bob: no such names")
    rude.hang_up()
    again = ssh(server, "rude", key=key)
    again.wait_heard(r"Welcome back, bob\.")
    hears(again, "finger rude", r"rude is now called bob\.")
    assert "bob comes from 127.0.0.1, in the network " in admin(server, "lookup", "bob")[1]
