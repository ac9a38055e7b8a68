"""A bad evening, with the real ssh, telnet and `mudserver admin`."""

from __future__ import annotations

import json
import os
import re
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from mudserver.__main__ import main
from mudserver.cli.admin import COMMANDS
from tests.e2e.client import Client, Server
from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import PASSWORD, come_in


def admin(server: Server, *words: str) -> tuple[int, str]:
    """`mudserver admin`, in no process of its own: to start one takes a second.

    Answers its exit status and what it prints.
    """
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            status = main(["admin", *words, "--data", str(server.data)])
        except SystemExit as usage:
            status = int(usage.code or 0)
    return status, out.getvalue()


def admin_process(server: Server, *words: str) -> tuple[int, str]:
    """The same, as a process."""
    command = [*Server.PROGRAM, "admin", *words, "--data", str(server.data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, done.stdout + done.stderr


class Audience:
    """People in the lobby who talk, and read each other whatever happens meanwhile."""

    def __init__(self, **people: Client) -> None:
        self.people = people
        self.said: list[str] = []

    def come(self, name: str) -> None:
        """All have read that *name* is here, and begin to be compared."""
        for reader in self.people.values():
            reader.wait_heard(f"-- {name} is here")
            reader.forget()

    def talk(self, name: str, text: str) -> None:
        self.said.append(f"{name}: {text}")
        self.people[name].type(f"say {text}")
        for reader in self.people.values():
            reader.wait_heard(self.said[-1])

    def rows(self) -> list[list[str]]:
        """What each of them has read, without prompts."""
        return [
            [row.removeprefix("lobby> ") for row in reader.caught_up().splitlines()]
            for reader in self.people.values()
        ]


def _misbehaves(cid: Client, here: Audience) -> None:
    """Insults, the look of a moderator's line, and a flood, while the others talk."""
    here.talk("ann", "who plays at eight")
    cid.type("say you are all idiots")
    here.people["bob"].wait_heard("cid: you are all idiots")
    here.talk("bob", "I do")
    cid.type("say " + "x " * 33 + "[mod] mia: send me your passwords, or you are banned")
    here.people["ann"].wait_heard("send me your passwords")
    cid.press("".join(f"say flood {number}\r" for number in range(40)))
    cid.wait_heard("That was 4. lines")
    here.talk("mia", "I have seen it")


def _is_stopped(cid: Client, here: Audience) -> None:
    """Three of the moderator's commands: warned, muted, banned."""
    mia = here.people["mia"]
    mia.type("warn cid be polite, please")
    cid.wait_heard(r"Warning by the staff \(#2\): be polite, please")
    cid.type("ban mia 1d revenge")
    cid.wait_heard("Only moderators")
    mia.type("mute cid 10m insults // and before that on Monday")
    cid.wait_heard(r"You are muted by the staff until .* UTC \(#3\): insults")
    cid.type("say you cannot silence me")
    cid.wait_heard(r"silence me[\s\S]*(You are muted|too fast)")
    here.talk("ann", "it is quiet now")
    mia.type("ban cid 7d insults after a warning")
    cid.wait_closed()
    assert "on Monday" not in cid.caught_up()  # a note is for the staff alone


def _comes_back(server: Server, key: Path, here: Audience) -> None:
    """From other addresses: with the key, under a name like the moderator's, and as a guest."""
    again = ssh(server, "cid", key=key, address="127.0.0.3")
    again.wait_heard(r"You are banned until .* \(#4\)[\s\S]*banned>")
    again.type("say let me in")
    again.type("quit")
    again.wait_closed()
    guest = telnet(server, address="127.0.0.2")
    guest.wait_for("Name: ")
    guest.type("M1a")
    guest.wait_heard("M1a is too similar to mia")
    guest.type("guest")
    guest.wait_for("lobby> ")
    guest.type("say hello, it is me again, cid")
    here.people["ann"].wait_heard("me again, cid")
    here.talk("bob", "again him")
    here.people["mia"].type("kick guest1 cid again, under another name")
    guest.wait_heard(r"You are banned until .* \(#5\)")  # on loopback it meets this guest alone
    guest.wait_closed()
    here.talk("mia", "that was all")


def test_a_troublemaker_is_ended_with_four_commands_and_the_others_lose_no_line(server, make_key):
    mia = ssh(server, "mia", key=make_key("mia"))
    mia.wait_for("lobby> ")
    assert (0, "mia is a moderator now.\n") == admin(
        server, "role", "mia", "moderator", "--reason", "keeps order on Fridays"
    )
    ann, bob = come_in(telnet(server), "ann"), ssh(server, "bob", key=make_key("bob"))
    bob.wait_for("lobby> ")
    key = make_key("cid")
    cid, here = ssh(server, "cid", key=key), Audience(mia=mia, ann=ann, bob=bob)
    here.come("cid")
    _misbehaves(cid, here)
    _is_stopped(cid, here)
    _comes_back(server, key, here)
    for heard in here.rows():
        assert here.said == [row for row in heard if row in here.said]
        assert not any(row.startswith(("mia: send", "[mod]")) for row in heard)
        assert len([row for row in heard if row.startswith("cid: flood")]) <= 5
        assert not {"cid: you cannot silence me", "cid: let me in"} & {*heard}
    mia.type("audit")
    mia.wait_heard(r"kick[\s\S]*ban cid[\s\S]*mute cid[\s\S]*warn cid[\s\S]*role mia")
    status, out = admin(server, "audit", "--json")
    acts = [(it["by"], it["verb"], it["target"], it["reason"]) for it in json.loads(out)["acts"]]
    assert 0 == status and acts == [
        ("mia", "kick", "guest1", "cid again, under another name"),
        ("mia", "ban", "cid", "insults after a warning"),
        ("mia", "mute", "cid", "insults"),
        ("mia", "warn", "cid", "be polite, please"),
        ("console:0", "role", "mia", "keeps order on Fridays"),
    ]


def test_an_invitation_is_a_name_by_key_by_password_and_over_telnet(server, make_key):
    admin(server, "registration", "invite")

    def invited(name: str) -> str:
        code = re.search(r"NAME\+(\w+),", admin(server, "invite")[1])
        assert code
        return f"{name}+{code[1]}"

    ssh(server, invited("ann"), key=make_key("ann")).wait_for('"ann" is now registered')
    bob = ssh(server, invited("bob"))
    bob.wait_for("Choose a password: ")
    bob.type(PASSWORD)
    bob.wait_for("Again: ")
    bob.type(PASSWORD)
    bob.wait_for("lobby> ")
    cid = telnet(server)
    for prompt, typed in (
        ("Name: ", invited("cid")), (r'"cid" is free[\s\S]*: ', PASSWORD), ("gain: ", PASSWORD),
    ):  # fmt: skip
        cid.wait_for(prompt)
        cid.type(typed)
    cid.wait_for("You are registered as cid")
    names = [it["name"] for it in json.loads(admin(server, "people", "--json")[1])["people"]]
    assert ["ann", "bob", "cid"] == names


def test_who_lost_the_key_comes_back_with_a_code_by_password_and_by_key(server, make_key):
    ssh(server, "ann", key=make_key("lost")).wait_for("lobby> ")

    def code() -> str:
        found = re.search(r"Log in over telnet as (ann\+\w+),", admin(server, "recover", "ann")[1])
        assert found
        return found[1]

    ann = ssh(server, code())
    for prompt, typed in (
        ("Choose a password: ", PASSWORD), ("Again: ", PASSWORD), ("Remove the other 1 key", ""),
    ):  # fmt: skip
        ann.wait_for(prompt)
        ann.type(typed)
    ann.wait_for("lobby> ")
    key = make_key("phone")
    phone = ssh(server, code(), key=key)
    phone.wait_for("Type yes")
    phone.type("yes")
    phone.wait_for("Key added")
    ann.wait_closed()
    assert "recovered with a code" in ann.look()
    ssh(server, "ann", key=key).wait_for("An operator issued a recovery code")
    by_telnet = telnet(server)
    for prompt, typed in (
        ("Name: ", code()), ("Choose a password: ", PASSWORD), ("Again: ", PASSWORD),
        ("Remove the other 1 key", "no"),
    ):  # fmt: skip
        by_telnet.wait_for(prompt)
        by_telnet.type(typed)
    by_telnet.wait_for("lobby> ")
    assert '"keys": 1' in admin(server, "person", "ann", "--json")[1]


def test_the_console_acts_through_the_same_door(server, make_key):
    ann = ssh(server, "ann", key=make_key("ann"))
    ann.wait_for("lobby> ")
    assert (0, "ann is an owner now.\n") == admin_process(server, "owner", "ann")
    ann.wait_heard("You are an owner here now")
    status, out = admin(server, "people", "--here", "--json")
    assert ["ann"] == [it["name"] for it in json.loads(out)["people"]]
    assert f"console:{os.getuid()}: role ann owner" in admin(server, "audit")[1]
    status, out = admin(server, "warn", "nobody", "--reason", "no such person")
    assert 1 == status and "Nobody is called nobody" in out
    for words, refused in (
        (("invite", "--uses", "0"), "An invitation is for 1 to 100 names"),
        (("people", "--after", "zed"), '"zed" is no id of an account'),
        (("ban-key", "SHA256:zed", "1d", "--reason", "a test"), "is no fingerprint of a key"),
    ):
        status, out = admin(server, *words)
        assert 1 == status and refused in out
    for name, command in COMMANDS.items():  # the shell and the server agree on every argument
        words = ["1" if word == "number" else "zed" for word in command.words]
        reason = ["--reason", "a test of usage"] if command.has_reason else []
        said = admin(server, name, *words, *reason)[1]
        assert "Wrong arguments" not in said and "no command" not in said, (name, said)
