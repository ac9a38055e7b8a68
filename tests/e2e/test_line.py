"""The line while things happen: typing, resizing, pasting, interrupting, on the real screen."""

from __future__ import annotations

import pytest

from tests.e2e.clients import ssh, telnet
from tests.e2e.conftest import come_in, fresh
from tests.prompts import LOBBY


@pytest.fixture(params=["ssh", "telnet"])
def ann(request, shared_quick_server, key):
    if request.param == "ssh":
        client = ssh(shared_quick_server, fresh("ann"), key=key)
        client.wait_for(LOBBY)
        return client
    return come_in(telnet(shared_quick_server), fresh("ann"))


@pytest.fixture
def bob(shared_quick_server):
    return come_in(telnet(shared_quick_server), fresh("bob"))


def test_typing_survives_incoming_lines(ann, bob):
    ann.press("say half a sent")
    ann.wait_for(f"{LOBBY}say half a sent")
    for n in range(5):
        bob.type(f"say line {n}")
        ann.wait_for(rf"bob\d+: line {n}")
        assert f"{LOBBY}say half a sent" == ann.last_row
    ann.press("ence\r")
    bob.wait_for(r"ann\d+: half a sentence")


def test_resizing_in_mid_line_keeps_the_line(ann, bob):
    ann.press("say a line that is long enough for a small terminal")
    ann.wait_for(r"small terminal")
    ann.resize(40, 12)
    bob.type("say hello")
    ann.wait_for(r"bob\d+: hello")
    assert ann.last_row.endswith("small terminal")
    ann.resize(80, 24)
    ann.press("\r")
    bob.wait_for(r"ann\d+: a line that is long enough for a small terminal")


def test_keys_edit_the_line(ann, bob):
    ann.press("hello world\x01say \x05!\r")  # Ctrl-A, Ctrl-E
    bob.wait_for(r"ann\d+: hello world!")
    ann.press("say one two\x17three\r")  # Ctrl-W
    bob.wait_for(r"ann\d+: one three")
    ann.press("nonsense\x15say clean\r")  # Ctrl-U
    bob.wait_for(r"ann\d+: clean")
    ann.press("\x1b[A\x1b[A again\r")  # up, up
    bob.wait_for(r"ann\d+: one three again")


def test_ctrl_c_clears_the_line_and_ends_nothing(ann):
    ann.press("something to forget")
    ann.wait_for(r"to forget")
    ann.press("\x03")
    ann.type("who")
    ann.wait_for(r"ann")
    assert ann.child.isalive()


def test_ctrl_d_on_an_empty_line_says_goodbye(ann):
    ann.press("\x04")
    ann.wait_for(r"Goodbye, ann\d+\.")
    assert 0 == ann.wait_closed()
    assert ann.is_terminal_restored


def test_tab_completes_verbs(ann):
    ann.press("wh")
    ann.press("o\t")
    ann.press("\x15op\telim\t")
    ann.wait_for(f"{LOBBY}open elimination ")


def test_a_paste_of_300_kb_harms_nobody(ann, bob):
    paste = "say " + "word " * 60_000
    ann.child.setecho(False)
    for at in range(0, len(paste), 4_096):
        ann.press(paste[at : at + 4_096])
        ann.look(0)
    bob.type("say still here")
    bob.wait_for(r"bob\d+: still here")
    ann.press("\x15\x15")
    ann.type("say after the paste")
    bob.wait_for(r"ann\d+: after the paste", timeout_s=30)
