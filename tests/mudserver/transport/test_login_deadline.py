"""How long a person has to log in, and what is said to who is late."""

from __future__ import annotations

import asyncio

import asyncssh
import pytest

from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport.login_deadline import LoginDeadline
from tests.mudserver.transport.server import HandClock, until

LATE = "You took longer than {} seconds to log in, so you were disconnected. Please connect again."


@pytest.mark.parametrize(
    ("login_s", "login_named_s", "named_at_s", "late_at_s"),
    [
        (30, 120, None, 30),
        (30, 120, 1, 120),  # from accept, not from the name
        (30, 120, 29, 120),
        (30, 120, 30, 30),
        (30, 10, 5, 30),  # a name never costs time
    ],
)
def test_it_comes_once_at_its_time_from_accept(login_s, login_named_s, named_at_s, late_at_s):
    clock, late = HandClock(), []
    limits = Limits(login_s=login_s, login_named_s=login_named_s)
    began_s = clock.now_s
    deadline = LoginDeadline(limits, clock, lambda: late.append(clock.now_s - began_s))
    if named_at_s is not None:
        clock.move(named_at_s)
        if not late:
            deadline.extend()
            deadline.extend()
    clock.move(1_000)
    assert [late_at_s] == late
    assert LATE.format(late_at_s) == deadline.message


def test_it_stands_still_while_there_is_no_game_server():
    clock, late, gaps_s = HandClock(), [], [7.0]
    began_s = clock.now_s
    deadline = LoginDeadline(
        Limits(login_s=30, login_named_s=60), clock,
        lambda: late.append(clock.now_s - began_s), lambda: gaps_s[0],
    )  # fmt: skip
    clock.move(20)
    gaps_s[0] += 15
    clock.move(24)
    assert [] == late
    deadline.extend()
    gaps_s[0] += 5
    clock.move(1_000)
    assert [80] == late


@pytest.mark.parametrize("is_named", [False, True])
def test_it_never_comes_for_who_is_in(is_named):
    clock, late = HandClock(), []
    deadline = LoginDeadline(Limits(), clock, lambda: late.append(1))
    if is_named:
        deadline.extend()
    deadline.cancel()
    clock.move(1_000)
    assert [] == late


class Thinker(asyncssh.SSHClient):
    """Is asked for a password and never answers."""

    def kbdint_auth_requested(self):
        return ""

    async def kbdint_challenge_received(self, name, instruction, lang, prompts):
        await asyncio.Event().wait()


def only(listener):
    """The one line that is open there."""
    (line,) = listener.connections._open
    return line


@pytest.mark.parametrize("name", ["nobody", "ann"])
async def test_who_gave_a_name_by_ssh_has_longer_and_is_told_when_it_is_over(server, name):
    await server.open()
    client = asyncio.create_task(server.ssh_as(name, client_factory=Thinker))
    await until(
        lambda: server.gate.connections and only(server.ssh).parts.deadline.allowed_s == 120
    )
    only(server.ssh).on_login_timeout()
    with pytest.raises(asyncssh.DisconnectError) as late:
        await client
    assert late.value.reason.startswith(LATE.format(120))
    assert 0 == server.gate.connections


async def test_who_gave_no_name_by_ssh_is_cut_without_a_word(server):
    await server.open(login_s=0.05)
    reader, writer = await server.raw(server.ssh)
    assert b"You" not in await asyncio.wait_for(reader.read(), 2)
    writer.close()


@pytest.mark.parametrize(("is_named", "seconds"), [(False, 30), (True, 120)])
async def test_who_is_late_by_telnet_is_told_so(server, is_named, seconds):
    server.admits = False
    if is_named:
        server.on_answer = lambda handler: handler.link.extend_login_deadline()
    await server.open(telnet_wait_s=0.01)
    reader, writer = await server.raw()
    await until(lambda: server.handlers)
    only(server.telnet)._on_login_timeout()
    heard = await asyncio.wait_for(reader.read(), 2)
    assert LATE.format(seconds).encode() in heard
    assert (1, 0) == (server.handlers[0].was_lost, server.gate.connections)
    writer.close()


async def test_who_is_late_and_whose_session_does_not_close_is_cut(server):
    server.admits = False
    await server.open(telnet_wait_s=0.01, close_s=0.05)
    reader, writer = await server.raw()
    await until(lambda: server.handlers)
    server.handlers[0].on_login_timeout = lambda message: None
    only(server.telnet)._on_login_timeout()
    assert b"Welcome.\r\n" == (await asyncio.wait_for(reader.read(), 2))[-10:]
    assert 1 == server.handlers[0].was_lost
    writer.close()


async def test_who_has_not_even_been_greeted_is_cut_without_a_word(server):
    await server.open(login_s=0.05, telnet_wait_s=0.5)
    reader, writer = await server.raw()
    assert b"You" not in await asyncio.wait_for(reader.read(), 2)
    assert [] == server.handlers
    writer.close()
