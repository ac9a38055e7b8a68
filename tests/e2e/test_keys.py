"""Keys added by code, with the real ssh."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.client import Client, Server
from tests.e2e.clients import program, ssh, ssh_options, telnet
from tests.e2e.conftest import come_in, fresh

A_MINUTE_LATER = """
import runpy, time
now_ns = time.time_ns
time.time_ns = lambda: now_ns() + 61 * 10**9
runpy.run_module("mudserver", run_name="__main__")
"""
BANNERS = ("-o", "LogLevel=INFO")  # what the server says before a login is shown
INVALID = "This code isn't valid any more."


def code_for(client: Client, command: str = "keys add") -> str:
    """`NAME+CODE`, as the server tells whoever types *command*."""
    client.wait_for(r"> $|> *\n")
    client.forget()
    client.type(command)
    shown = client.wait_heard(r"The code works once")
    found = re.search(r"ssh (\w+\+\w+)@HOST", shown)
    assert found, shown
    return found[1]


def refused(server: Server, name: str, key: Path, *options: str) -> tuple[int, bytes]:
    """The exit status and all words of an ssh that is not let in."""
    done = subprocess.run(
        [program("ssh"), *options, "-o", "BatchMode=yes", *ssh_options(server, name, key)],
        capture_output=True, timeout=30, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def answered(client: Client, answer: str) -> str:
    client.wait_for(r"to the account \w+\? Type yes[\s\S]*Another key\? ssh -i FILE")
    client.type(answer)
    client.wait_closed()
    return client.look()


def test_a_key_added_by_code_opens_the_name_beside_the_first(shared_quick_server, make_key):
    name, first, second = fresh("ann"), make_key("first"), make_key("second")
    ann = ssh(shared_quick_server, name, key=first)
    ann.wait_for(r"is now registered with your SSH key")
    typed = code_for(ann)
    assert typed.startswith(f"{name}+")
    assert "Nothing has changed." in answered(ssh(shared_quick_server, typed, key=second), "no")
    said = " ".join(answered(ssh(shared_quick_server, typed, key=second), "yes").split())
    assert f"Log in with: ssh {name}@HOST" in said
    ann.type("who")  # her own visit goes on
    ann.wait_for(r"1 person|Who is here|in the lobby")
    ssh(shared_quick_server, name, key=second).wait_for(rf"Welcome(?: back| to \w+)?, {name}[.!]")
    ann.wait_for(r"You logged in from another terminal")


def test_what_is_wrong_with_a_code_cannot_be_told_from_outside(shared_quick_server, make_key):
    """Used, wrong, for another name, for a name that nobody has: the same bytes."""
    name, other = fresh("ann"), fresh("bob")
    first, second, third = make_key("first"), make_key("second"), make_key("third")
    ann = ssh(shared_quick_server, name, key=first)
    ann.wait_for(r"is now registered with your SSH key")
    come_in(telnet(shared_quick_server), other)
    used = code_for(ann)
    code = used.partition("+")[2]
    assert "Key added: " in answered(ssh(shared_quick_server, used, key=second), "yes")
    live = code_for(ann).partition("+")[2]
    said = {
        refused(shared_quick_server, typed, third)
        for typed in (f"{name}+{code}", f"{name}+wrong", f"{other}+{live}", f"nobody+{live}")
    }
    assert 1 == len(said)
    ((status, words),) = said
    assert status == 255 and INVALID.encode() in words


def test_a_code_for_one_key_is_refused_to_another(shared_quick_server, make_key):
    name, first, second, third = fresh("ann"), *map(make_key, ("first", "second", "third"))
    ann = ssh(shared_quick_server, name, key=first)
    ann.wait_for(r"is now registered with your SSH key")
    public = second.with_suffix(".pub").read_text().split()
    typed = code_for(ann, f"keys add {public[0]} {public[1]} my phone")
    status, words = refused(shared_quick_server, typed, third)
    assert status == 255 and b"Permission denied (publickey)" in words
    assert "Key added: " in answered(ssh(shared_quick_server, typed, key=second), "yes")
    ann.type("keys")
    ann.wait_for(r"2 SHA256:\S+ ed25519 my phone added \d{4}-\d\d-\d\d")


def test_a_code_expires(tmp_path, make_key):
    """The journal says when, so a restart gives it no more time."""
    config = tmp_path / "short.toml"
    config.write_text("[people]\ncode_key_s = 60\n")
    server = Server(tmp_path / "data", "--config", str(config)).start()
    try:
        ann = ssh(server, "ann", key=make_key("first"))
        ann.wait_for(r"is now registered with your SSH key")
        typed = code_for(ann)
        second = make_key("second")
        answered(ssh(server, typed, key=second), "no")  # it is live
        server.stop()
        server.PROGRAM = (sys.executable, "-c", A_MINUTE_LATER)  # type: ignore[misc]
        server.start()
        assert INVALID.encode() in refused(server, typed, second)[1]
    finally:
        server.stop()


def test_a_stranger_s_public_key_squats_nothing_and_his_owner_registers(
    shared_quick_server, make_key
):
    eve, ann, key = fresh("eve"), fresh("ann"), make_key("anns")
    stranger = come_in(telnet(shared_quick_server), eve)
    public = " ".join(key.with_suffix(".pub").read_text().split()[:2])
    code_for(stranger, f"keys add {public}")  # all that eve can do with a line of a .pub file
    owner = ssh(shared_quick_server, ann, key=key)
    owner.wait_for(rf"\"{ann}\" is now registered with your SSH key")
    owner.wait_for(rf"Welcome( back| to \w+)?, {ann}[.!]")
    # And he is not led into eve's account by its name either.
    status, words = refused(shared_quick_server, eve, key)
    assert status == 255 and b"Permission denied" in words


def test_a_second_free_name_is_not_registered_by_a_slip(shared_quick_server, make_key):
    ann, slip, key = fresh("ann"), fresh("amn"), make_key("key")
    ssh(shared_quick_server, ann, key=key).wait_for(r"is now registered with your SSH key")
    client = Client([program("ssh"), *BANNERS, *ssh_options(shared_quick_server, slip, key)])
    client.wait_for(rf"Your key belongs to the account {ann}: ssh {ann}@HOST\.")
    client.wait_for(rf'"{slip}" is free\.')
    assert "Welcome" not in client.look()


def test_a_short_key_is_refused_with_a_sentence(shared_quick_server, make_key):
    short = make_key("short", "-t", "rsa", "-b", "1024")
    _, words = refused(shared_quick_server, fresh("ann"), short, *BANNERS)
    assert b"This key can't be used here." in words
