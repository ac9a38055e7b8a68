"""As many full screens as there may be, all of them in the hands of people who mean no good."""

from __future__ import annotations

import time

import pytest

from mudserver.config.schema import SessionLimits as Limits
from tests.hostile.attack import Line, guest, memory_kib, naws, until

MEMORY_MIB = 24  # of all full screens, beyond lines
FULL = Limits().full_screens_max
KEYS = b"g\t\t\x1b[A\x1b[B\x0c\x14\x0f\x1b[5~\x1b[6~\x1bOP\x03" + "漢".encode()


def full_screens(victim, count: int, **kind) -> list[Line]:
    lines = [guest(victim.server, is_terminal=True, **kind) for _ in range(count)]
    enter(lines)
    return lines


def enter(lines: list[Line]) -> None:
    """All at once; again where the full screens of the test before have not all ended."""
    for line in lines:
        line.send(b"screen on\r")
    for line in lines:
        until(lambda line=line: has_entered(line), 20)


def has_entered(line: Line) -> bool:
    if b"\x1b[?1049h" in line.wait_for(rb"\x1b\[\?1049h|in use just now"):
        return True
    line.heard = b""
    line.hear(0.5)
    line.send(b"screen on\r")
    return False


@pytest.fixture
def screens(victim):
    lines = full_screens(victim, FULL)
    yield lines
    for line in lines:
        line.close()
    until(lambda: one_is_free(victim), 20)


@pytest.fixture
def large_screens(victim):
    """As many as there may be at 200x50, and how many MiB they take beyond lines."""
    guests = [guest(victim.server, is_terminal=True, size=(200, 50)) for _ in range(FULL)]
    before = total_kib(victim)
    enter(guests)
    yield guests, lambda: (total_kib(victim) - before) / 1024
    for line in guests:
        line.close()
    until(lambda: one_is_free(victim), 20)


def total_kib(victim) -> int:
    return sum(map(memory_kib, victim.pids.values()))


def one_is_free(victim) -> bool:
    line = guest(victim.server, is_terminal=True)
    line.send(b"screen on\r")
    line.hear(0.5)
    line.close()
    return b"\x1b[?1049h" in line.heard


def test_one_more_than_there_may_be_reads_so_and_goes_on_in_lines(victim, screens):
    line = guest(victim.server, is_terminal=True)
    line.send(b"screen on\r")
    line.wait_for(b"All full screens are in use")
    line.send(b"about\r")
    line.wait_for(rb"mudserver ")
    line.close()


@pytest.mark.prove
def test_ten_flooding_with_every_key_leave_others_their_echo(victim, screens):
    with victim.attacked_for_long(f"{FULL} full screens, ten of them flooding") as goes_on:
        while goes_on():
            for line in screens[:10]:
                line.pour(KEYS * 40, 0.002)
                line.hear(0.001)


@pytest.mark.prove
def test_all_of_them_in_a_storm_of_resizes_leave_others_their_echo(victim, screens):
    with victim.attacked_for_long(f"{FULL} full screens, resized for ever") as goes_on:
        n = 0
        while goes_on():
            n += 1
            for line in screens:
                line.pour(naws(40 + n * 37 % 160, 10 + n * 7 % 50), 0.002)
                line.hear(0.001)


@pytest.mark.prove
def test_all_of_them_shown_the_same_talk_leave_others_their_echo(victim, screens):
    with victim.attacked_for_long(f"{FULL} full screens, all of them talk") as goes_on:
        while goes_on():
            for line in screens:
                line.pour(b"say hello to everybody in here\r", 0.002)
                line.hear(0.001)


@pytest.mark.prove
def test_deaf_ones_cost_little_memory(victim):
    deaf = full_screens(victim, 20, receive_bytes=4_096)
    with victim.attacked("20 full screens that never read", growth_mib=16):
        for _ in range(10):
            for line in deaf:
                line.pour(b"commands\rhelp talk\r\x0c" + KEYS, 0.02)
            time.sleep(0.3)
    for line in deaf:
        line.close()
    until(lambda: one_is_free(victim), 20)


@pytest.mark.prove
def test_all_of_them_flooding_at_200_columns_leave_others_their_echo(victim, large_screens):
    lines, grown_mib = large_screens
    with victim.attacked_for_long(f"{FULL} full screens of 200x50, all flooding") as goes_on:
        while goes_on():
            for line in lines:
                line.pour(KEYS * 4 + b"say " + "漢".encode() * 120 + b"\r", 0.002)
                line.hear(0.001)
    print(f"{'':<44} memory {grown_mib():+6.1f} MiB beyond lines")
    assert grown_mib() <= MEMORY_MIB
