"""What MUD clients may say, as weapons: packages, bombs, IAC in text; and TLS half open."""

from __future__ import annotations

import json
import ssl
import zlib
from collections import deque

import pytest

from tests.certificate import certificate
from tests.e2e.client import Server
from tests.hostile.attack import DO, IAC, SB, SE, WILL, Line, Victim, guest, held_max
from tests.hostile.conftest import check_log
from tests.prompts import LOBBY
from tests.slow_cases import slow_cases

GMCP, MCCP2, MCCP3 = b"\xc9", b"\x56", b"\x57"


def sub(option: bytes, body: bytes) -> bytes:
    return IAC + SB + option + body + IAC + SE


def package(text: str | bytes) -> bytes:
    return sub(GMCP, text.encode() if isinstance(text, str) else text)


SUPPORTS = package('Core.Supports.Set ["Char 1", "Comm.Channel 1", "Lockdown 1"]')
BOMB = zlib.compress(bytes(64 * 1024 * 1024), 9)
TRIED_ALWAYS = ("10,000 arrays in each other", "half a hello")
"""The other attacks are tried by `make prove`: each goes on for four seconds."""
BOMBS = {
    "a megabyte of JSON": package(b'Core.Hello "' + b"x" * 1_000_000 + b'"'),
    "a megabyte that never ends": IAC + SB + GMCP + b'Core.Hello "' + b"x" * 1_000_000,
    "10,000 arrays in each other": package("Core.Hello " + "[" * 10_000 + "]" * 10_000),
    "10,000 objects in each other": package("Core.Hello " + '{"a":' * 10_000 + "1" + "}" * 10_000),
    "as deep as fits": package("Core.Hello " + "[" * 1_000 + "]" * 1_000) * 200,
    "as deep as fits, in strings": package('Core.Hello ["' + "[{" * 950 + '"]') * 200,
    "a number of 2,000 digits": package("Core.Hello " + "9" * 2_000) * 200,
    "no UTF-8": package(b'Core.Hello "' + b"\xc3\x28\xed\xa0\x80\xf8\xfe" * 250 + b'"') * 200,
    "ever other modules": b"".join(
        package(f"Core.Supports.Add {json.dumps([f'M{n * 50 + m} 1' for m in range(50)])}")
        for n in range(350)
    ),
    "on and off": (package('Core.Supports.Set ["Lockdown 1"]') + package("Core.Supports.Set []"))
    * 190,
    "pings": package("Core.Ping") * 390,
    "pings without end": package("Core.Ping") * 20_000,
    "commands by package": package('Lockdown.Line {"line": "say owned"}') * 390,
    "an MCCP3 bomb": IAC + WILL + MCCP3 + sub(MCCP3, b"") + BOMB,
    "MCCP2 on and off": (IAC + DO + MCCP2 + sub(MCCP2, b"")) * 5_000,
    "doubled IAC in a line": b"say " + IAC * 4_000 + b"\r\n",
    "commands in a line": (b"say a" + IAC + DO + GMCP + b"b" + SUPPORTS + b"c\r\n") * 150,
}


@pytest.mark.parametrize("what", slow_cases(BOMBS, set(BOMBS) - set(TRIED_ALWAYS)))
def test_packages_and_bombs_harm_nobody(victim, what):
    """One attacker after the other, each in the server with GMCP on."""
    with victim.attacked_for_long(f"by GMCP: {what}", growth_mib=16) as goes_on:
        while goes_on():
            line = guest(victim.server)
            line.send(IAC + DO + GMCP + SUPPORTS)
            line.pour(BOMBS[what], 0.3)
            line.hear(0.05)
            line.close()


@pytest.mark.prove
def test_a_client_that_takes_packages_and_never_reads_harms_nobody(victim):
    deaf = [guest(victim.server, receive_bytes=4_096) for _ in range(4)]
    for line in deaf:
        line.send(IAC + DO + GMCP + SUPPORTS)
    talker = guest(victim.server)
    with victim.attacked_for_long("deaf to packages", growth_mib=16) as goes_on:
        while goes_on():
            for line in deaf:
                line.type("help commands")
            talker.type("who")
            talker.hear(0.1)
    for line in (*deaf, talker):
        line.close()


def test_what_was_poured_in_reaches_nobody_as_a_command(victim):
    attacker, other = guest(victim.server), guest(victim.server)
    other.send(IAC + DO + GMCP + SUPPORTS)
    other.hear(0.3)
    other.heard = b""
    attacker.send(b"say \xff\xff\xfa\xc9Core.Ping\xff\xff\xf0 \xff\xff\xfb\x01 done\r\n")
    other.wait_for(rb"done\r\n")
    text = other.heard
    while (at := text.find(IAC + SB)) >= 0:
        end = text.index(IAC + SE, at)
        assert b"\xff" not in text[at + 2 : end]
        text = text[:at] + text[end + 2 :]
    assert b"\xff" not in text.replace(IAC + b"\xf9", b"").replace(IAC + b"\xef", b"")
    attacker.close()
    other.close()


# -- TLS -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sealed(tmp_path_factory, options):
    home = tmp_path_factory.mktemp("sealed")
    certificate(home)
    (home / "tls.toml").write_text(
        '[server]\ntls = "127.0.0.1:0"\ntls_cert = "server.crt"\ntls_key = "server.key"\n'
        "[door]\nnew_per_s = 1e4\n"
    )
    server = Server(home / "data", "--config", str(home / "tls.toml"), *options).start()
    victim = Victim(server)
    yield victim
    victim.bystander.stop()
    assert 0 == server.stop()
    check_log(server)


def hello() -> bytes:
    """What a client says first."""
    heard, said = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(heard, said, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return said.read()


HALVES = {
    "silence": b"",
    "half a hello": hello()[:100],
    "a whole hello": hello(),
    "a record of 16 KB that never comes": b"\x16\x03\x01\x40\x00" + b"\0" * 8_000,
    "no TLS at all": b"guest\r\n" * 500,
}


@pytest.mark.parametrize("what", slow_cases(HALVES, set(HALVES) - set(TRIED_ALWAYS)))
def test_handshakes_that_do_not_end_harm_nobody(sealed, what):
    """A failed one is garbage of some 20 KiB, and much gathers until it is collected: 30 MiB after
    2,000 connections as after 11,000."""
    server, lines, count = sealed.server, deque[Line](), 0
    with sealed.attacked_for_long(f"TLS half open: {what}", growth_mib=48) as goes_on:
        while goes_on():
            line = Line(server, port=server.tls_port)
            line.send(HALVES[what])
            lines.append(line)
            if len(lines) > held_max():
                lines.popleft().close()
            count += 1
    assert_still_open(server)
    print(f"{'':<44} {count} connections, {len(lines)} at once")


def assert_still_open(server: Server) -> None:
    """Somebody with a real client comes in over TLS."""
    line = Line(server, port=server.tls_port)
    trusting = ssl.create_default_context(cafile=str(server.data.parent / "server.crt"))
    line.socket.settimeout(5)
    line.socket = trusting.wrap_socket(line.socket, server_hostname="localhost")
    line.wait_for(rb"Name: ")
    line.type("guest")
    line.wait_for(LOBBY.encode())
    line.close()


@pytest.mark.prove
def test_a_person_over_tls_who_never_reads_is_cut(sealed):
    with sealed.attacked_for_long("deaf over TLS", growth_mib=16) as goes_on:
        line = Line(sealed.server, port=sealed.server.tls_port, receive_bytes=4_096)
        trusting = ssl.create_default_context(cafile=str(sealed.server.data.parent / "server.crt"))
        line.socket = trusting.wrap_socket(line.socket, server_hostname="localhost")
        line.wait_for(rb"Name: ")
        line.type("guest")
        line.wait_for(LOBBY.encode())
        while goes_on():
            line.pour(b"help commands\r\n" * 50, 0.2)
    line.close()
