"""The full screen with the real `ssh`: in, all the ways out, the terminal afterwards."""

from __future__ import annotations

from tests.e2e.client import Client
from tests.e2e.clients import ssh, ssh_full, telnet
from tests.e2e.conftest import come_in, fresh
from tests.prompts import LOBBY

ON, OFF = b"\x1b[?1049h", b"\x1b[?1049l"


def in_full(server) -> Client:
    client = ssh_full(server, "guest")
    client.wait_for(r"Lobby │ .* │ F1 help\s+lobby>")
    return client


def test_it_goes_on_and_off_and_is_left_on_every_way_out(shared_quick_server):
    client = ssh(shared_quick_server, "guest")
    client.wait_for(LOBBY)
    client.type("screen on")
    client.wait_for(r"Lobby │")
    client.press("half a li")
    client.wait_for(f"{LOBBY}half a li")
    client.resize(40, 12)
    client.wait_for(f"{LOBBY}half a li")
    client.press("\x03")
    client.type("screen off")
    client.wait_for(r"screen: off\.\s+lobby>")
    assert client.heard.endswith(LOBBY.encode())
    client.type("screen on")
    client.wait_for(r"Lobby │")
    client.press("\x04")
    assert 0 == client.wait_closed()
    assert client.is_terminal_restored
    assert client.heard.rindex(OFF) > client.heard.rindex(ON)
    assert b"Goodbye" in client.heard[client.heard.rindex(OFF) :]


def test_a_client_of_whole_lines_reads_why_not(shared_quick_server):
    client = come_in(telnet(shared_quick_server), fresh("bea"))
    client.type("screen on")
    client.wait_for(r"Full screen on|Your client sends whole lines")
    client.type("quit")
    client.wait_closed()


def test_a_dropped_line_is_forgotten_and_the_next_one_comes_in(shared_quick_server):
    client = in_full(shared_quick_server)
    client.type("open elimination")
    client.wait_for(r"No game is running here")
    client.hang_up()
    again = in_full(shared_quick_server)
    again.type("quit")
    again.wait_closed()
    assert "failed" not in shared_quick_server.log_text()
