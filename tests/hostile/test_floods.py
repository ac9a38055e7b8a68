"""Too much typing: what one person sends harms nobody else."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

from tests.hostile.attack import Line, guest, new_source, ssh
from tests.slow_cases import every_third

KIB, MIB = 1_024, 1_048_576
PASTE_ON, PASTE_OFF = b"\x1b[200~", b"\x1b[201~"

FLOODS = {
    "a line without end": b"a" * (300 * KIB),
    "wide characters without end": "漢".encode() * (100 * KIB),
    "marks without end": "e\u0301\u0302\u0303\u0304".encode() * (30 * KIB),
    "a paste of many lines": b"say hello there\r\n" * (300 * KIB // 17),
    "a paste in brackets": PASTE_ON + b"word " * (60 * KIB) + PASTE_OFF,
    "a paste in brackets, many lines": PASTE_ON + b"one\rtwo\r" * (37 * KIB) + PASTE_OFF,
    "a paste that never ends": PASTE_ON + b"word " * (60 * KIB),
    "20,000 commands": b"who\r\n" * 20_000,
    "20,000 long commands": b"help nosuchthing\r\n" * 20_000,
    "nothing but Enter": b"\r" * (300 * KIB),
    "tabs": b"\t" * (128 * KIB),
    "tabs after a letter": b"s\t\t" * (48 * KIB),
    "half escapes": b"\x1b[" * (150 * KIB),
    "an escape with endless numbers": b"\x1b[" + b"1;" * (150 * KIB),
    "an OSC that never ends": b"\x1b]0;" + b"t" * (300 * KIB),
    "cursor reports": b"\x1b[24;80R" * (40 * KIB),
    "mouse reports": b"\x1b[<35;40;12M" * (24 * KIB),
    "arrows": b"\x1b[A\x1b[B\x1b[D\x1b[C" * (24 * KIB),
    "kill and yank": b"word\x15\x19\x19" * (40 * KIB),
    "clear the screen": b"\x0c" * (64 * KIB),
    "broken UTF-8": b"\xc3\x28\xed\xa0\x80\xc0\x9b\xf8\x88" * (32 * KIB),
}
POUR_S = 0.15


@pytest.mark.parametrize("what", every_third(FLOODS))
def test_a_flood_over_telnet_delays_nobody(victim, what):
    attacker = guest(victim.server, is_terminal=True)
    with victim.attacked(f"telnet: {what}"):
        end = time.monotonic() + POUR_S
        attacker.pour(FLOODS[what], POUR_S)
        time.sleep(max(0.0, end - time.monotonic()))  # the server has it and works on it
    attacker.close()


@pytest.mark.parametrize("what", every_third(FLOODS))
async def test_a_flood_over_ssh_delays_nobody(victim, what):
    async with await ssh(victim.server) as connection:
        process = await connection.create_process(encoding=None, term_type="xterm")
        with victim.attacked(f"ssh: {what}"):
            with contextlib.suppress(OSError):
                process.stdin.write(FLOODS[what])
            end = time.monotonic() + POUR_S
            while time.monotonic() < end:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.stdout.read(65_536), 0.1)
        connection.abort()


def test_a_paste_without_brackets_is_cut_with_a_sentence_and_the_line_lives(victim):
    attacker = guest(victim.server, is_terminal=True)
    attacker.pour(b"x" * (300 * KIB), 2)
    attacker.wait_for(rb"Your line was cut \(at most 512 characters\)\.")
    attacker.send(b"\x15")
    attacker.hear(0.3)
    attacker.send(b"about\r")
    attacker.wait_for(rb"mudserver \d")
    attacker.close()


def test_before_login_a_flood_ends_the_line_at_16_kib(victim):
    for flood in (b"x" * (64 * KIB), b"\r\n" * (32 * KIB)):
        line = Line(victim.server)
        line.wait_for(rb"Name: ")
        with victim.attacked("telnet: a flood before login", growth_mib=8):
            line.pour(flood, 1)
            assert line.is_closed(2)
        line.close()


@pytest.mark.prove
def test_ten_flooders_for_half_a_minute_delay_nobody(victim):
    floods = list(FLOODS.values())
    with contextlib.ExitStack() as lines, victim.attacked("telnet: ten flooders for 30 s"):
        attackers = []
        for _ in range(10):
            attackers.append(guest(victim.server, new_source(), is_terminal=True))
            lines.callback(attackers[-1].close)
        end, turn = time.monotonic() + 30, 0
        while time.monotonic() < end:
            for attacker in attackers:
                attacker.pour(floods[turn % len(floods)], 0.05)
                turn += 1


@pytest.mark.prove
@pytest.mark.parametrize("what", ["a line without end", "a paste in brackets, many lines"])
def test_ten_megabytes_of_paste_delay_nobody(victim, what):
    attacker = guest(victim.server, is_terminal=True)
    flood = FLOODS[what] * (10 * MIB // len(FLOODS[what]) + 1)
    with victim.attacked(f"telnet: 10 MiB, {what}", growth_mib=16):
        attacker.pour(flood, 20)
    attacker.close()
