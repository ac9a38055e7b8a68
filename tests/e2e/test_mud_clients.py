"""TinTin++ with what it reads of us beside the text, and telnet over TLS by `openssl s_client`."""

from __future__ import annotations

import json
import os
import random
import re
import shutil

import pytest

from tests.certificate import certificate
from tests.e2e.client import Client, Server, telnet
from tests.e2e.conftest import come_in, play_on

TINTIN = r"""#config {verbose} {off}
#config {charset} {utf-8}
#event {IAC WILL GMCP}
{
    #send {\xFF\xFD\xC9\};
    #send {\xFF\xFA\xC9Core.Hello {"client":"tt++","version":"2"}\xFF\xF0\};
    #send {\xFF\xFA\xC9Core.Supports.Set ["Char 1","Comm.Channel 1","Lockdown 1"]\xFF\xF0\};
    #send {\xFF\xFA\xC9Core.Ping\xFF\xF0\}
}
#event {IAC SB GMCP} {#line {log} {HOME/gmcp} {%2}}
#event {IAC WILL MSSP} {#send {\xFF\xFD\x46\}}
#event {IAC SB MSSP} {#line {log} {HOME/mssp} {%0=%1}}
#session {house} {127.0.0.1} {PORT}
"""


def tintin(server: Server, home) -> Client:
    home.mkdir()
    script = home / "script.tin"
    text = TINTIN.replace("HOME", str(home)).replace("PORT", str(server.telnet_port))
    script.write_text(text)
    program = shutil.which("tt++", path=f"{os.environ['PATH']}:/usr/games")
    return Client([program, "-G", str(script)], cols=100, rows=40)


def logged(home, name: str) -> list[str]:
    path = home / name
    return path.read_text("utf-8").splitlines() if path.exists() else []


def packages(home) -> list[tuple[str, object]]:
    found = [row.partition(" ") for row in logged(home, "gmcp")]
    return [(name, json.loads(text)) for name, _, text in found if text]


def test_tintin_plays_a_game_to_its_end_and_reads_it_by_gmcp(server, tmp_path):
    home = tmp_path / "tintin"
    ann = come_in(tintin(server, home), "ann")
    bob = come_in(telnet(server), "bob")
    bob.type("say good luck, ann")
    ann.wait_for(r"bob: good luck, ann")
    ann.type("open elimination pace=instant")
    ann.wait_for(r"table 1> ")
    bob.type("sit 1")
    bob.wait_for(r"table 1> ")
    ann.type("start")
    assert play_on([ann, bob], random.Random(5))
    ann.wait_heard(r"Game over: ")
    ann.type("quit")
    ann.wait_heard(r"Goodbye, ann")

    came = packages(home)
    by_name: dict[str, list] = {}
    for name, data in came:
        by_name.setdefault(name, []).append(data)
    assert {"name": "ann", "fullname": "ann"} == by_name["Char.Name"][0]
    assert {"channel": "lobby", "talker": "bob", "text": "bob: good luck, ann"} == (
        by_name["Comm.Channel.Text"][0]
    )
    views = by_name["Lockdown.View"]
    assert {(1, "elimination", 0)} == {(v["table"], v["variant"], v["seat"]) for v in views}
    assert by_name["Lockdown.Event"]
    (over,) = by_name["Lockdown.Over"]
    assert over["text"].startswith("Game over: ")
    assert "Room" not in "".join(by_name)


def test_tintin_reads_about_the_house(server, tmp_path):
    home = tmp_path / "tintin"
    ann = tintin(server, home)
    ann.wait_for(r"Name: ")
    ann.type("guest")
    ann.wait_for(r"lobby> ")
    ann.type("say hello")
    ann.wait_for(r"guest\d+: hello")
    told = dict(row.split("=", 1) for row in logged(home, "mssp"))
    assert ("Lockdown", "0", str(server.telnet_port)) == (
        told["NAME"], told["PLAYERS"], told["PORT"],
    )  # fmt: skip
    assert told["UPTIME"].isdigit()
    assert "0" == told["MCCP"]
    assert ["elimination", "stockpile", "words"] == [
        row.partition("=")[2] for row in logged(home, "mssp") if row.startswith("GAMES=")
    ]


# -- TLS -----------------------------------------------------------------------------------------


@pytest.fixture
def sealed(tmp_path):
    certificate(tmp_path)
    made = tmp_path / "tls.toml"
    made.write_text(
        '[server]\ntls = "127.0.0.1:0"\ntls_cert = "house.crt"\ntls_key = "house.key"\n'
    )
    house = Server(tmp_path / "data", "--config", str(made)).start()
    yield house
    assert 0 == house.stop()


def over_tls(server: Server, *options: str) -> Client:
    command = [
        *("openssl", "s_client", "-quiet", "-connect", f"127.0.0.1:{server.tls_port}"),
        *("-CAfile", str(server.data.parent / "house.crt"), "-verify_return_error", *options),
    ]
    return Client(command, cols=100)


def test_openssl_plays_a_game_to_its_end(sealed):
    ann = come_in(over_tls(sealed), "ann")
    assert re.search(rb"verify return:1", ann.heard)
    ann.type("open elimination pace=instant")
    ann.wait_for(r"table 1> ")
    ann.type("bot 1")
    ann.wait_for(r"sits down, a computer player")
    ann.type("start")
    assert play_on([ann], random.Random(6))
    ann.wait_heard(r"Game over: ")


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_two_versions_of_tls_are_spoken(sealed, version):
    over_tls(sealed, version).wait_for(r"Name: ")


def test_a_certificate_that_is_none_is_one_clear_line(tmp_path):
    import subprocess
    import sys

    made = tmp_path / "tls.toml"
    made.write_text('[server]\ntls = "127.0.0.1:0"\ntls_cert = "no.crt"\ntls_key = "no.key"\n')
    command = [sys.executable, "-m", "mudserver", "serve", "--config", str(made)]
    command += ["--data", str(tmp_path / "data"), "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    assert 1 == done.returncode
    assert "no.crt" in done.stderr
    assert 1 == len(done.stderr.strip().splitlines())
