"""What TinTin++ reads of us beside the text, and telnet over TLS by `openssl s_client`."""

from __future__ import annotations

import pytest

from tests import few_words
from tests.e2e.client import START_S
from tests.e2e.clients import gmcp, mssp, openssl, telnet, tintin
from tests.e2e.conftest import come_in, fresh
from tests.forked import run_forked
from tests.prompts import LOBBY
from variants.catalogue import CATALOGUE


def test_tintin_reads_who_it_is_and_what_is_said_by_gmcp(shared_quick_server, tmp_path):
    home = tmp_path / "tintin"
    name, other = fresh("ann"), fresh("bob")
    ann = come_in(tintin(shared_quick_server, home), name)
    come_in(telnet(shared_quick_server), other).type(f"say good luck, {name}")
    ann.wait_heard(rf"{other}: good luck, {name}")
    ann.type("quit")
    ann.wait_heard(rf"Goodbye, {name}")

    came = gmcp(home)
    assert ("Char.Name", {"name": name, "fullname": name}) in came
    said = {"channel": "lobby", "talker": other, "text": f"{other}: good luck, {name}"}
    assert ("Comm.Channel.Text", said) in came
    assert "Room" not in "".join(package for package, _ in came)


def test_tintin_reads_about_the_server(shared_quick_server, tmp_path):
    home = tmp_path / "tintin"
    ann = tintin(shared_quick_server, home)
    ann.wait_for(r"Name: ")
    ann.type("guest")
    ann.wait_for(LOBBY)
    ann.type("say hello")
    ann.wait_for(r"guest\d+: hello")
    told = dict(row.split("=", 1) for row in mssp(home))
    assert ("Lockdown", str(shared_quick_server.telnet_port)) == (told["NAME"], told["PORT"])
    assert told["PLAYERS"].isdigit() and told["UPTIME"].isdigit()
    assert "0" == told["MCCP"]
    assert list(CATALOGUE) == [
        row.partition("=")[2] for row in mssp(home) if row.startswith("GAMES=")
    ]


# -- TLS -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
def test_two_versions_of_tls_are_spoken_and_the_server_is_proved(shared_quick_server, version):
    client = openssl(shared_quick_server, version)
    assert "verify return:1" in client.wait_heard(r"Name: $")


def test_a_certificate_that_is_none_is_one_clear_line(tmp_path):
    made = tmp_path / "tls.toml"
    made.write_text('[server]\ntls = "127.0.0.1:0"\ntls_cert = "no.crt"\ntls_key = "no.key"\n')
    words = ["serve", "--config", str(made), "--data", str(tmp_path / "data")]
    words += ["--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"]
    done = run_forked(words, few_words.environment(tmp_path), START_S)
    assert 1 == done.returncode
    assert "no.crt" in done.stderr
    assert 1 == len(done.stderr.strip().splitlines())
