"""Two people by telnet: one leaves and comes back, then loses the line, is away and is back."""

from __future__ import annotations

from tests.e2e.clients import telnet
from tests.e2e.conftest import come_back, come_in, quick
from tests.e2e.player import without_pages
from tests.prompts import LOBBY, TABLE_1


def test_leave_twice_return_and_away_by_telnet(tmp_path):
    server = quick(tmp_path, tables="offline_s = 1.0\n")
    try:
        ann, bob = come_in(telnet(server), "ann"), come_in(telnet(server), "bob")
        for client in (ann, bob):
            without_pages(client)
        ann.type("open elimination")
        ann.wait_for(TABLE_1)
        bob.type("sit 1")
        bob.wait_for(TABLE_1)
        for client in (ann, bob):
            client.type("ready")
        bob.wait_heard("You are dealt")

        bob.forget()
        bob.type("leave")
        bob.wait_heard(r"Leave this game\?.*Type leave again within 30 s")
        bob.type("leave")
        bob.wait_heard(r"You left the game\. Vera \(computer\) takes over")
        bob.wait_for(LOBBY)
        ann.wait_heard(r"-- bob left the game\. Vera \(computer\) takes over")
        bob.type("return")
        bob.wait_heard(r"You have your seat back\.")
        ann.wait_heard(r"-- bob is back in the game and takes over from Vera\.")

        bob.hang_up()
        ann.wait_heard(r"-- bob lost the connection\.")
        ann.wait_heard(r"-- bob is away\. A computer player plays for bob")
        bob = come_back(telnet(server), "bob")
        bob.wait_heard(r"You are away, so a computer player decides for you")
        bob.wait_for("table 1, away> ")
        ann.forget()
        bob.type("")
        bob.wait_heard(r"You are back\.")
        ann.wait_heard(r"-- bob is back\.")
    finally:
        server.stop()
