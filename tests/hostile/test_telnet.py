"""Telnet's commands as weapons: before login, where everybody can."""

from __future__ import annotations

import zlib

import pytest

from tests.hostile.attack import DO, DONT, IAC, SB, SE, WILL, WONT, Line, guest
from tests.prompts import LOBBY
from tests.slow_cases import every_third, slow_cases

NAWS, TTYPE, ENVIRON, CHARSET, MCCP2, MCCP3 = b"\x1f", b"\x18", b"\x27", b"\x2a", b"\x56", b"\x57"
STATUS, LINEMODE, LOGOUT, TM, GMCP = b"\x05", b"\x22", b"\x12", b"\x06", b"\xc9"
ROUND = 1_500


def sub(option: bytes, body: bytes) -> bytes:
    return IAC + SB + option + body + IAC + SE


def naws(cols: int, rows: int) -> bytes:
    raw = cols.to_bytes(2, "big") + rows.to_bytes(2, "big")
    return sub(NAWS, raw.replace(b"\xff", b"\xff\xff"))


def everything() -> bytes:
    every = (bytes([option]) for option in range(256))
    return b"".join(IAC + verb + option for option in every for verb in (WILL, DO, WONT, DONT))


BOMB = zlib.compress(bytes(64 * 1024 * 1024), 9)
ATTACKS = {
    "SB without end": IAC + SB + NAWS + b"x" * 2_000_000,
    "SB of doubled IAC": IAC + SB + TTYPE + b"\xff\xff" * 500_000,
    "SB of unknown options": sub(b"\x99", b"y" * 1_000) * 1_000,
    "WILL and WONT in turns": (IAC + WILL + NAWS + IAC + WONT + NAWS) * ROUND,
    "DO and DONT in turns": (IAC + DO + b"\x01" + IAC + DONT + b"\x01") * ROUND,
    "every option there is": everything(),
    "timing marks": (IAC + DO + TM) * ROUND,
    "are you there": (IAC + b"\xf6") * ROUND,
    "status, please": (IAC + DO + STATUS + sub(STATUS, b"\x01")) * ROUND,
    "log me out": IAC + DO + LOGOUT,
    "NAWS storm": b"".join(naws(n * 17 % 65_536, n * 31 % 65_536) for n in range(ROUND)),
    "TTYPE without end": (IAC + WILL + TTYPE + sub(TTYPE, b"\x00xterm")) * ROUND,
    "a long TTYPE": IAC + WILL + TTYPE + sub(TTYPE, b"\x00" + b"\x1b[31mX\r\n" * 200),
    "environment flood": b"".join(
        sub(ENVIRON, b"\x02" + b"".join(b"\x03N%d\x01v" % (n * 50 + m) for m in range(50)))
        for n in range(200)
    ),
    "who I am, by environment": IAC + WILL + ENVIRON
    + sub(ENVIRON, b"\x00\x00USER\x01-f root\x00PEERNAME\x01::1\x03COLUMNS\x01-1"),
    "charsets that do not exist": b"".join(
        sub(CHARSET, b"\x02" + name)
        for name in (b"nosuchcodec", b"zlib", b"rot13", b"utf-16", b"hex", b"unicode_escape")
    ),
    "a language that is a codec": IAC + WILL + ENVIRON
    + sub(ENVIRON, b"\x00\x03LANG\x01x.unicode_escape\x03LC_ALL\x01x.hex"),
    "MCCP3 bomb": IAC + WILL + MCCP3 + sub(MCCP3, b"") + BOMB,
    "MCCP2 and MCCP3": IAC + DO + MCCP2 + IAC + WILL + MCCP3 + sub(MCCP3, b"") * 200,
    "linemode tables": IAC + WILL + LINEMODE + sub(LINEMODE, b"\x03" + bytes(range(240)) * 4),
    "GMCP of many braces": sub(GMCP, b"Core.Hello " + b'{"a":' * 380),
    "half a command at the end": b"abc" + IAC,
    "half a subnegotiation at the end": b"abc" + IAC + SB + CHARSET,
    "a TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
    "a web browser": b"GET / HTTP/1.1\r\nHost: \x1b[2Jx\r\nUser-Agent: y\r\n\r\n",
    "an SSH client": b"SSH-2.0-OpenSSH_9.9\r\n",
    "a proxy": b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
}  # fmt: skip


@pytest.mark.parametrize("what", every_third(ATTACKS))
def test_before_login_nothing_that_telnet_can_say_harms_the_server(victim, what):
    with victim.attacked(f"before login: {what}", worst_s=0.5, growth_mib=8):
        line = Line(victim.server)
        line.pour(ATTACKS[what], 0.3)
        line.hear(0.1)
        line.close()


IN_THE_LOBBY = (
    *("NAWS storm", "environment flood", "a language that is a codec"),
    *("charsets that do not exist", "MCCP3 bomb", "log me out"),
)


@pytest.mark.parametrize("what", every_third(IN_THE_LOBBY))
def test_after_login_it_harms_neither_the_server_nor_what_others_say_to_one(victim, what):
    attacker, other = guest(victim.server, is_terminal=True), guest(victim.server)
    with victim.attacked(f"in the lobby: {what}", worst_s=0.5, growth_mib=8):
        attacker.pour(ATTACKS[what], 0.3)
        other.type("say grüß euch, 你好")
        other.wait_for("grüß euch, 你好".encode())
    attacker.close()
    other.close()


@pytest.mark.parametrize("cut", slow_cases(range(1, 12), ["2", "3", "5", "6", "8", "9", "11"]))
def test_commands_cut_anywhere_mean_the_same(server, cut):
    said = IAC + DO + b"\x63" + IAC + WILL + b"\x64" + b"guest\r\n"
    line = Line(server)
    line.wait_for(rb"Name: ")
    line.send(said[:cut])
    line.hear(0.03)
    line.send(said[cut:])
    line.wait_for(rb"Welcome to \w+, guest\d+")
    line.close()


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (65_535, 65_535), (65_535, 0), (0, 65_535)])
def test_an_impossible_size_is_a_possible_one(server, size):
    line = guest(server, is_terminal=True)
    line.send(naws(*size))
    line.hear(0.3)
    line.type("set pager off")  # five rows are less than a page
    line.type("terminal")
    line.wait_for(rb"size: (20|80|300)\s+columns,\s+(5|24|100)\s+rows")
    line.close()


def test_a_terminal_type_of_sequences_is_an_unknown_one(server):
    line = Line(server)
    line.send(ATTACKS["a long TTYPE"])
    line.wait_for(rb"Name: ")
    line.type("guest")
    line.wait_for(LOBBY.encode())
    line.heard = b""
    line.type("terminal")
    line.wait_for(rb"name: unknown")
    assert b"[31m" not in line.heard
    line.close()


@pytest.mark.prove
@pytest.mark.parametrize("what", ["SB without end", "every option there is", "MCCP3 bomb"])
def test_a_hundred_attackers_at_once_harm_nobody(victim, what):
    with victim.attacked(f"100 x {what}", growth_mib=32):
        for _ in range(100):
            line = Line(victim.server)
            line.pour(ATTACKS[what], 0.05)
            line.close()
