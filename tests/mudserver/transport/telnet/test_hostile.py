"""Telnet as it should not be spoken: answers, floods, bombs, and the gate."""

import asyncio
import time

import asyncssh
import pytest
from telnetlib3.telopt import (
    ACCEPTED,
    AYT,
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    IS,
    LINEMODE,
    LOGOUT,
    MCCP2_COMPRESS,
    MCCP3_COMPRESS,
    NAWS,
    NEW_ENVIRON,
    REJECTED,
    REQUEST,
    SB,
    SEND,
    SGA,
    STATUS,
    TTYPE,
    USERVAR,
    VALUE,
    VAR,
    WILL,
    WONT,
)

from mudserver.transport.arrivals import LEAVING_S
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import (
    AGREES,
    XTERM,
    Client,
    client_of,
    sb,
    terminal_of,
)

# -- hostile answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(("naws", "believed"), [
    (b"\0\0\0\0", (80, 24)), (b"\xff\xff" * 4, (300, 100)), (b"\0\1\0\1", (20, 5)),
])  # fmt: skip
async def test_the_size_is_clamped(open_server, naws, believed):
    _, handler = await terminal_of(open_server, XTERM, *AGREES, naws=naws)
    assert believed == (handler.at_start.cols, handler.at_start.rows)


@pytest.mark.parametrize("naws", [b"", b"\0\x50\0", b"\0\x50\0\x18\0"])
async def test_a_size_of_the_wrong_length_is_none(open_server, naws):
    _, handler = await terminal_of(open_server, XTERM, *AGREES, naws=naws)
    assert (80, 24) == (handler.at_start.cols, handler.at_start.rows)


async def test_many_resizes_are_few_and_the_last_arrives(open_server):
    client, handler = await terminal_of(open_server, XTERM, *AGREES)
    for n in range(300):
        client.send(sb(NAWS, bytes([0, 30 + n % 200, 0, 30])))
    client.send(sb(NAWS, b"\0\x4d\0\x21"))
    await until(lambda: handler.link.terminal.cols == 77)
    assert len(handler.sizes) <= 4


@pytest.mark.parametrize(
    "name", [b"", b"x" * 1_900, b"\x1b]0;x\x07", b"xterm\r\nroot", b"\xc3\xa9"]
)
async def test_a_name_that_is_no_word_is_unknown(open_server, name):
    _, handler = await terminal_of(open_server, (name, name))
    assert ("unknown", False) == (handler.at_start.name, handler.at_start.is_ansi)


async def test_a_client_that_names_itself_for_ever_is_asked_three_times(open_server):
    client = await client_of(open_server)
    client.send(IAC, WILL, TTYPE)
    for n in range(50):
        client.send(sb(TTYPE, IS, b"name%d" % n))
    handler = await client.settles(open_server)
    assert "name0" == handler.at_start.name
    handler.link.send(b"done")
    assert 3 == (await client.reads(b"done")).count(sb(TTYPE, SEND))


@pytest.mark.parametrize(
    "charset", [b"nosuchcodec", b"zlib", b"rot13", b"utf-16", b"hex", b"\xff\xff", b""]
)
async def test_a_poisoned_charset_is_not_believed(open_server, charset):
    client, handler = await terminal_of(open_server, XTERM, *AGREES, sb(CHARSET, ACCEPTED, charset))
    handler.link.send(b"caf\xc3\xa9")
    await client.reads(b"caf\xc3\xa9")
    assert "utf-8" == handler.link.terminal.charset


async def test_a_charset_of_ours_is_believed_and_chosen(open_server):
    client, handler = await terminal_of(open_server, XTERM, *AGREES)
    client.send(sb(CHARSET, ACCEPTED, b"us-ascii"))
    await until(lambda: handler.link.terminal.charset == "ascii")
    client.send(sb(CHARSET, REQUEST, b";UTF-16;ISO-8859-1;UTF-8"))
    await client.reads(sb(CHARSET, ACCEPTED, b"ISO-8859-1"))
    await until(lambda: handler.link.terminal.charset == "latin-1")
    client.send(sb(CHARSET, REQUEST, b";zlib;hex"))
    await client.reads(sb(CHARSET, REJECTED))


async def test_of_the_environment_little_is_kept_and_nobody_is_root(open_server):
    client = await client_of(open_server)
    client.send(IAC, WILL, TTYPE)
    await client.reads(IAC + DO + NEW_ENVIRON)
    client.send(
        sb(NEW_ENVIRON, IS, VAR, b"USER", VALUE, b"-f root", VAR, b"LANG", VALUE, b"x.hex",
           USERVAR, b"COLORTERM", VALUE, b"truecolor", VAR, b"TIMEOUT", VALUE, b"0",
           VAR, b"COLUMNS", VALUE, b"-1", VAR, b"LC_ALL", VALUE, b"x" * 65),
    )  # fmt: skip
    client.send(sb(TTYPE, IS, b"xterm"), sb(TTYPE, IS, b"xterm"), *AGREES, IAC, WONT, NAWS)
    handler = await client.settles(open_server)
    assert {
        "LANG": "x.hex",
        "COLORTERM": "truecolor",
    } == handler.link._negotiation._detector._variables
    assert ("utf-8", "true", 80) == (
        handler.at_start.charset, handler.at_start.colours, handler.at_start.cols,
    )  # fmt: skip
    names = b"".join(VAR + b"N%d" % n + VALUE + b"x" for n in range(100))
    client.send(sb(NEW_ENVIRON, IS, names, VAR, b"LC_ALL", VALUE, b"C.ISO-8859-1"), b"!")
    await until(lambda: handler.received)
    assert "LC_ALL" not in handler.link._negotiation._detector._variables


@pytest.mark.parametrize("option", [
    MCCP2_COMPRESS, MCCP3_COMPRESS, STATUS, LOGOUT, LINEMODE, b"\xc8", b"\xfe",
])  # fmt: skip
async def test_other_options_are_refused_once(open_server, option):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    client.received = b""
    client.send((IAC + DO + option + IAC + WILL + option) * 20, sb(option, SEND), b"!")
    await until(lambda: handler.received)
    handler.link.send(b"done")
    answers = (await client.reads(b"done")).removesuffix(b"done")
    assert (1, 1) == (answers.count(IAC + WONT + option), answers.count(IAC + DONT + option))
    assert len(answers) < 40
    assert not handler.was_lost


async def test_a_compressed_bomb_is_just_noise(open_server):
    import zlib

    client = await client_of(open_server)
    handler = await client.settles(open_server)
    bomb = zlib.compress(b"\0" * 50_000_000).replace(IAC, b"")[:40_000]
    client.send(IAC, WILL, MCCP3_COMPRESS, sb(MCCP3_COMPRESS), bomb, b"end\r\n")
    await until(lambda: handler.received.endswith(b"end\r\n"))
    assert bomb + b"end\r\n" == handler.received


@pytest.mark.parametrize("body", [b"x" * 3_000, (IAC + IAC) * 2_000])
async def test_an_endless_subnegotiation_is_cut(open_server, body):
    client = await client_of(open_server)
    client.send(IAC, SB, NAWS, body)
    assert await client.is_cut()
    assert 0 == open_server.gate.connections


@pytest.mark.parametrize("flood", [
    IAC + DO + STATUS, IAC + WILL + ECHO, IAC + AYT, sb(STATUS, SEND), sb(NAWS, b"\0\x50\0\x18"),
    IAC + DO + SGA + IAC + DONT + SGA,
])  # fmt: skip
async def test_a_flood_of_commands_is_cut(open_server, flood):
    client = await client_of(open_server)
    client.send(flood * 500)
    assert await client.is_cut()
    assert 0 == open_server.gate.connections


async def test_a_flood_before_login_is_cut_and_after_login_only_slowed(server):
    server.admits = False
    await server.open(telnet_wait_s=0.01, input_bytes_burst=30_000, input_bytes_per_s=100_000)
    client = await client_of(server)
    client.send(b"x" * 17_000)
    assert await client.is_cut()
    server.admits = True
    client = await client_of(server)
    handler = await client.settles(server)
    start_s = time.monotonic()
    client.send(b"x" * 60_000)
    await until(lambda: len(handler.received) == 60_000)
    assert time.monotonic() - start_s > 0.2


async def test_a_flooder_is_felt_only_by_its_own_socket(server):
    await server.open(telnet_wait_s=0.01, input_bytes_burst=20_000, input_bytes_per_s=10)
    client = await client_of(server)
    handler = await client.settles(server)
    client.writer.write(b"x" * 30_000_000)
    await until(lambda: len(handler.received) >= 20_000)
    assert len(handler.received) < 30_000
    assert client.writer.transport.get_write_buffer_size() > 1_000_000
    client.writer.transport.abort()


async def test_one_read_is_small(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    pieces = []
    handler.on_data = lambda data: pieces.append(len(data))
    client.send(b"x" * 100_000)
    await until(lambda: sum(pieces) == 100_000)
    assert max(pieces) <= 4_096


async def test_tls_is_closed_at_once(open_server):
    client = Client(*await open_server.raw())
    client.send(b"\x16\x03\x01\x02\x00\x01\x00")
    assert await client.is_cut(0.3)
    assert [] == open_server.handlers


# -- the gate ----------------------------------------------------------------------------------


async def test_who_never_logs_in_is_cut(server):
    server.admits = False
    await server.open(login_s=0.2, telnet_wait_s=0.05)
    client = await client_of(server)
    assert await client.is_cut()
    assert (1, 0) == (server.handlers[0].was_lost, server.gate.connections)


async def test_the_oldest_that_waits_makes_room(server):
    server.admits = False
    await server.open(waiting_per_source_max=2, waiting_max=3)
    first, second = await client_of(server), await client_of(server)
    third = Client(*await server.raw(server.ssh))
    await third.reads(b"SSH-2.0-mudserver")
    await first.reads(b"so this connection had to make room. Please try again in a minute.")
    assert await first.is_cut(0.2)
    assert not await second.is_cut(0.01)
    assert (2, 1) == (server.gate.connections, server.gate.counters.evicted)
    for _ in range(2):
        await client_of(server)
    await third.reads(b"so this connection had to make room. Please try again in a minute.")
    assert await third.is_cut(0.2)


async def test_wrong_passwords_typed_at_the_prompt_count_too(server):
    await server.open(failures_per_source_max=3)
    client = await client_of(server)
    link = (await client.settles(server)).link
    assert [True, True, False] == [await link.count_failure("ann") for _ in range(3)]
    late = (await (await client_of(server)).settles(server)).link
    assert not await late.may_try("ann")
    assert 1 == server.gate.counters.refused_failures


async def test_over_the_rate_a_connection_reads_why_and_is_closed(server):
    await server.open(new_per_source_burst=1, new_per_source_per_s=0.001)
    for _ in range(4):  # four times as many, since nobody waits
        await client_of(server)
    for listener in (server.ssh, server.telnet):
        late = Client(*await server.raw(listener))
        await late.reads(b"Too many connections from your address.")
        assert await late.is_cut(0.5)
    assert 2 == server.gate.counters.refused_rate


async def test_an_ssh_client_that_is_refused_is_told_why(server):
    await server.open(new_per_source_burst=1, new_per_source_per_s=0.001)
    for _ in range(4):
        await client_of(server)
    with pytest.raises(asyncssh.DisconnectError, match="Too many connections from") as told:
        await server.ssh_as("guest")
    assert asyncssh.DISC_TOO_MANY_CONNECTIONS == told.value.code


async def test_who_is_refused_and_does_not_hang_up_is_cut(server):
    await server.open(new_per_source_burst=1, new_per_source_per_s=0.001)
    for _ in range(4):
        await client_of(server)
    sock = server.deaf(server.telnet)
    await asyncio.sleep(0.1)
    sock.send(b"x" * 1_000)  # read and thrown away
    loop = asyncio.get_running_loop()
    while await asyncio.wait_for(loop.sock_recv(sock, 4_096), LEAVING_S):
        pass
    with pytest.raises(ConnectionError):
        while True:
            sock.send(b"x")
            await asyncio.sleep(LEAVING_S / 10)
    sock.close()


async def test_a_bug_behind_the_listener_is_the_loop_s_to_report(open_server):
    reports = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))

    def bug(data):
        raise ZeroDivisionError

    client = await client_of(open_server)
    handler = await client.settles(open_server)
    handler.on_data = bug
    client.send(b"x")
    await until(lambda: handler.was_lost)
    assert [ZeroDivisionError] == [type(report["exception"]) for report in reports]
