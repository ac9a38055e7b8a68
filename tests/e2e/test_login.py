"""Coming in with the real programs."""

from __future__ import annotations

import socket
import subprocess
import time

from tests.e2e.client import Server
from tests.e2e.clients import netcat, program, ssh, telnet
from tests.e2e.conftest import PASSWORD, come_back, come_in, fresh
from tests.forked import run_forked
from tests.prompts import LOBBY


def test_ssh_guest_needs_no_credentials(shared_quick_server):
    client = ssh(shared_quick_server, "guest")
    client.wait_for(r"Welcome to \w+, guest\d+!")
    client.wait_for(LOBBY)


def test_a_new_key_takes_a_new_name_and_opens_it_again(shared_quick_server, key):
    name = fresh("ann")
    ann = ssh(shared_quick_server, name, key=key)
    ann.wait_for(rf"\"{name}\" is now registered with your SSH key \(SHA256:")
    ann.type("quit")
    assert 0 == ann.wait_closed()
    again = ssh(shared_quick_server, name, key=key)
    again.wait_for(rf"Welcome( back| to \w+)?, {name}[.!]")
    assert "now belongs" not in again.look()


def test_a_name_registered_by_ssh_is_known_by_telnet(shared_quick_server):
    name = fresh("ann")
    ann = ssh(shared_quick_server, name)
    ann.wait_for(r"assword: ")
    ann.type(PASSWORD)
    ann.wait_for(r"gain: ")
    ann.type(PASSWORD)
    ann.wait_for(rf"Welcome( back| to \w+)?, {name}[.!]")
    ann.type("quit")
    assert 0 == ann.wait_closed()
    come_back(telnet(shared_quick_server), name)


def test_a_wrong_password_is_refused_over_ssh_and_telnet(shared_quick_server):
    name = fresh("ann")
    come_in(telnet(shared_quick_server), name)
    stranger = telnet(shared_quick_server)
    stranger.wait_for(r"Name: ")
    stranger.type(name.upper())
    stranger.wait_for(r"Password: ")
    stranger.type("not this one")
    stranger.wait_for(r"Wrong password")
    over_ssh = ssh(shared_quick_server, name)
    over_ssh.wait_for(r"assword: ")
    over_ssh.type("not this one")
    over_ssh.wait_for(r"assword: [\s\S]*assword: |denied")
    assert "Welcome" not in over_ssh.look()


def test_a_password_is_never_shown(shared_quick_server):
    client = telnet(shared_quick_server)
    come_in(client, fresh("ann"))
    assert PASSWORD not in "\n".join(client.screen.display)
    assert PASSWORD.encode() not in client.heard


def test_netcat_gets_its_prompt_within_600_ms(server):
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.telnet_port)) as line:
        line.settimeout(5)
        heard = b""
        while b"Name: " not in heard:
            heard += line.recv(4096)
    assert time.monotonic() - began < 0.6


def test_netcat_can_register_and_talk(shared_quick_server):
    ann = come_in(netcat(shared_quick_server), fresh("ann"))
    bob = come_in(telnet(shared_quick_server), fresh("bob"))
    ann.type("say hello bob")
    bob.wait_for(r"ann\d+: hello bob")


def test_commands_over_ssh_are_refused_with_a_sentence(shared_quick_server):
    for command in ("id", "scp -t .", "jsonx"):
        done = subprocess.run(
            [
                *(program("ssh"), "-F", "/dev/null", "-o", "StrictHostKeyChecking=no"),
                *("-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"),
                *("-o", "PubkeyAuthentication=no", "-p", str(shared_quick_server.ssh_port)),
                *("guest@127.0.0.1", command),
            ],
            capture_output=True,
            timeout=10,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode != 0
        assert done.stderr.strip()
        assert b"Traceback" not in done.stderr


def test_sigterm_tells_people_and_exits_0_within_10_s(server):
    ann = come_in(telnet(server), "ann")
    began = time.monotonic()
    assert 0 == server.stop()
    assert time.monotonic() - began < 10
    ann.wait_for(r"Your games are safe")


def test_an_option_that_is_none_and_an_address_that_is_none_are_refused():
    for arguments in (("--shh", "x"), ("--ssh", "nonsense")):
        done = run_forked(["serve", *arguments])
        assert 2 == done.returncode and arguments[-1] in done.stderr


def test_the_server_is_the_same_after_a_restart(server, key):
    come_in(telnet(server), "ann")
    ssh(server, "bob", key=key).wait_for(r"is now registered with your SSH key")
    assert 0 == server.stop()
    again = Server(server.data)
    again.ssh_port, again.telnet_port = server.ssh_port, server.telnet_port
    again.start()
    try:
        come_back(telnet(again), "ann")
        ssh(again, "bob", key=key).wait_for(r"Welcome back, bob\.")
    finally:
        again.stop()
