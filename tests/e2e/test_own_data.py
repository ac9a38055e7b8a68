"""One's data and the end of an account, with the real ssh, telnet and `mudserver admin`."""

from __future__ import annotations

import json
import subprocess

from tests.e2e.client import Server
from tests.e2e.clients import program, ssh, ssh_options, telnet
from tests.e2e.conftest import PASSWORD, come_in
from tests.e2e.test_moderation import admin


def exported(server: Server, name: str, key) -> tuple[int, str, str]:
    """`ssh NAME@HOST export`: status, standard output, error stream."""
    done = subprocess.run(
        [program("ssh"), *ssh_options(server, name, key), "export"],
        capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_the_own_data_are_one_document_over_ssh_beside_a_session_that_goes_on(server, make_key):
    key = make_key("ann")
    ann = ssh(server, "ann", key=key)
    ann.wait_for("lobby> ")
    status, out, err = exported(server, "ann", key)
    assert (0, "", "ann") == (status, err, json.loads(out)["account"]["name"])
    status, out, err = exported(server, "ann", key)
    assert (1, "") == (status, out) and "within the last hour" in err
    status, out, err = exported(server, "guest", None)
    assert (1, "") == (status, out) and "Log in to your account" in err
    ann.type("say I am still here")
    ann.wait_heard("ann: I am still here")


def test_who_is_banned_gets_the_own_data_and_has_the_account_deleted(server, tmp_path):
    cid = come_in(telnet(server), "cid")
    admin(server, "ban", "cid", "7d", "--reason", "threats")
    cid.wait_closed()
    cid = telnet(server)
    for prompt, answer in (("Name: ", "cid"), ("Password: ", PASSWORD)):
        cid.wait_for(prompt)
        cid.type(answer)
    cid.wait_heard(r"You are banned until[\s\S]*banned> ")
    cid.type("who")
    cid.wait_heard("These work here for five minutes")
    cid.type("export")
    cid.wait_heard('"format": 1')
    cid.type("account delete")
    cid.wait_heard("type its name: ")
    cid.type("cid")
    cid.wait_heard("Password: ")
    cid.type(PASSWORD)
    cid.wait_heard(r"Your account will be deleted on 20[\s\S]*banned> ")
    cid.type("quit")
    cid.wait_closed()
    file = tmp_path / "cid.json"
    assert 0 == admin(server, "export", "cid", str(file))[0]
    assert ("cid", 0o600) == (
        json.loads(file.read_text())["account"]["name"], file.stat().st_mode & 0o777
    )  # fmt: skip
    assert 1 == admin(server, "export", "cid", str(file))[0]
    assert (0, "cid is erased.\n") == admin(server, "erase", "cid", "--reason", "asked by letter")
    status, out = admin(server, "audit", "--about", "erase", "--json")
    (row,) = json.loads(out)["acts"]
    assert 0 == status and "erase former player (p1): asked by letter" in row["text"]
