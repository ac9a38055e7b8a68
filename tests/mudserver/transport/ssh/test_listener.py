import asyncio
import json
import socket

import asyncssh
import pytest
from asyncssh.constants import MSG_REQUEST_FAILURE

from mudserver.errors import StartError
from mudserver.transport.ssh.listener import EXCHANGES_BEFORE_LOGIN, EXCHANGES_BURST, open_ssh
from mudserver.transport.ssh.session import NO_PROTOCOL, UNKNOWN_COMMAND
from mudserver.transport.tcp_listener import ACCEPT_LOOP_TURNS
from tests.mudserver.transport.server import HOST_KEYS, until


async def session(server, term_type="xterm", **options):
    """A guest's open session: client connection, process, handler."""
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None, term_type=term_type, **options)
    return client, process, server.handlers[-1]


async def test_what_is_typed_is_heard_and_what_is_sent_is_read(server):
    await server.open()
    client, process, handler = await session(server)
    assert b"Welcome.\r\n" == await process.stdout.read(10)
    process.stdin.write(b"caf\xc3\xa9 \xff\x1b[A\r")
    await until(lambda: handler.received.endswith(b"\r"))
    assert b"caf\xc3\xa9 \xff\x1b[A\r" == handler.received
    assert ("ssh", "127.0.0.1", False) == (
        handler.link.protocol, handler.link.peer, handler.link.wants_json,
    )  # fmt: skip
    client.abort()
    await until(lambda: handler.was_lost)
    handler.link.send(b"too late")
    handler.link.close()
    assert 1 == handler.was_lost


async def test_input_that_is_held_stays_with_the_sender_until_it_is_wanted(server):
    await server.open()
    client, process, handler = await session(server)
    handler.link.hold_input(True)
    process.stdin.write(b"give 7h\r")
    await asyncio.sleep(0.05)
    assert b"" == handler.received
    handler.link.hold_input(False)
    await until(lambda: b"give 7h\r" == handler.received)
    client.abort()
    await until(lambda: handler.was_lost)
    handler.link.hold_input(True)


@pytest.mark.parametrize("algorithms", [
    {"kex_algs": ["diffie-hellman-group18-sha512"]},
    {"kex_algs": ["curve448-sha512"]},
    {"encryption_algs": ["chacha20-poly1305@openssh.com"]},
    {"mac_algs": ["hmac-sha1"], "encryption_algs": ["aes128-ctr"]},
    {"compression_algs": ["zlib@openssh.com"]},
])  # fmt: skip
async def test_dear_and_dangerous_algorithms_are_not_spoken(server, algorithms):
    await server.open()
    with pytest.raises(asyncssh.KeyExchangeFailed):
        await server.ssh_as("guest", **algorithms)


@pytest.mark.parametrize("algorithm", [
    "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
])  # fmt: skip
async def test_these_key_exchanges_are_spoken(server, algorithm):
    await server.open()
    async with await server.ssh_as("guest", kex_algs=[algorithm]):
        pass


@pytest.mark.parametrize(("command", "sentence"), [
    ("jsonl", UNKNOWN_COMMAND), ("id", UNKNOWN_COMMAND), ("$(reboot)", UNKNOWN_COMMAND),
    ("x" * 60_000, UNKNOWN_COMMAND), ("scp -t .", UNKNOWN_COMMAND), ("JSON", UNKNOWN_COMMAND),
    ("json 3", NO_PROTOCOL), ("json 0", NO_PROTOCOL), ("json 1 2", NO_PROTOCOL),
    ("json please", NO_PROTOCOL), ("json 02", NO_PROTOCOL), ("json " + "2" * 60_000, NO_PROTOCOL),
])  # fmt: skip
async def test_commands_are_refused_in_a_sentence(server, command, sentence):
    await server.open()
    async with await server.ssh_as("guest") as client:
        result = await client.run(command)
    assert (1, sentence + "\r\n") == (result.exit_status, result.stderr)
    bye = [{"type": "bye", "text": NO_PROTOCOL}] if sentence == NO_PROTOCOL else []
    assert bye == [json.loads(row) for row in result.stdout.splitlines()]
    assert [] == server.handlers


@pytest.mark.parametrize("term_type", [None, "xterm"])
async def test_a_program_asks_for_json(server, term_type):
    await server.open()
    client = await server.ssh_as("guest")
    process = await client.create_process(" json ", encoding=None, term_type=term_type)
    handler = server.handlers[-1]
    assert (True, 1) == (handler.link.wants_json, handler.link.json_protocol)
    assert b"Welcome.\r\n" == await process.stdout.read(10)
    process.stdin.write(b'{"line": "who"}\n')
    await until(lambda: handler.received.endswith(b"\n"))
    process.stdin.write_eof()
    await until(lambda: handler.was_lost)
    client.abort()


@pytest.mark.parametrize(("command", "protocol"), [
    ("json", 1), ("json 1", 1), ("json 2", 2), (" json \t 2\n", 2),
])  # fmt: skip
async def test_a_program_asks_for_a_protocol(server, command, protocol):
    await server.open()
    client = await server.ssh_as("guest")
    await client.create_process(command, encoding=None, term_type=None)
    link = server.handlers[-1].link
    assert (True, protocol, "json") == (link.wants_json, link.json_protocol, link.protocol)
    client.abort()


async def test_somebody_asks_for_an_export_and_is_refused_on_the_error_stream(server):
    await server.open()
    async with await server.ssh_as("guest") as client:
        process = await client.create_process(" export ", term_type=None)
        link = server.handlers[-1].link
        assert (True, False) == (link.wants_export, link.wants_json)
        link.refuse("Not now.")
        done = await process.wait()
    assert (1, "Not now.\r\n") == (done.exit_status, done.stderr)


async def test_somebody_asks_for_a_game_as_a_file(server):
    await server.open()
    client = await server.ssh_as("guest")
    await client.create_process(" game 1042  cast bob ", term_type=None)
    link = server.handlers[-1].link
    assert ("game 1042 cast bob", False) == (link.wanted_game, link.wants_export)
    client.abort()
    async with await server.ssh_as("guest") as another:
        process = await another.create_process(f"game 1042 text {'b' * 60}", term_type=None)
        assert "You can't run commands here." in (await process.wait()).stderr


async def test_a_person_asks_for_the_full_screen_with_a_terminal(server):
    await server.open()
    client = await server.ssh_as("guest")
    await client.create_process("screen", encoding=None, term_type="xterm", term_size=(90, 30))
    terminal = server.handlers[-1].link.terminal
    assert (True, True, 90) == (
        terminal.wants_full_screen,
        terminal.is_character_mode,
        terminal.cols,
    )
    client.abort()


@pytest.mark.parametrize("subsystem", ["sftp", "netconf", "../../bin/sh"])
async def test_subsystems_are_refused(server, subsystem):
    await server.open()
    async with await server.ssh_as("guest") as client:
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.create_process(subsystem=subsystem)
    assert [] == server.handlers


async def test_nothing_is_forwarded(server):
    await server.open()
    async with await server.ssh_as("guest") as client:
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.open_connection("127.0.0.1", server.port(server.telnet))
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.open_unix_connection("/var/run/docker.sock")
        with pytest.raises(asyncssh.ChannelListenError):
            await client.start_server(lambda *_: None, "", 0)
        with pytest.raises(asyncssh.ChannelListenError):
            await client.start_unix_server(lambda *_: None, "/tmp/x")
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.open_tun()
        status, _ = await client._make_global_request(b"no-such-request@example.org")
        assert MSG_REQUEST_FAILURE == status
    assert 1 == server.gate.counters.accepted


async def test_agent_and_x11_are_refused(server):
    await server.open()
    client, process, _ = await session(server)
    channel = process.channel
    assert not await channel._make_request(b"auth-agent-req@openssh.com")
    assert not await channel._make_request(b"x11-req", b"\0" + (b"\0\0\0\1x") * 2 + b"\0" * 4)
    client.abort()


async def test_one_session_at_a_time_and_eight_in_all(server):
    await server.open()
    client, process, handler = await session(server)
    with pytest.raises(asyncssh.ChannelOpenError, match="one session at a time"):
        await client.create_process()
    for _ in range(6):
        process.close()
        await until(lambda v=handler: v.was_lost)
        process = await client.create_process(encoding=None)
        handler = server.handlers[-1]
    process.close()
    await until(lambda: handler.was_lost)
    with pytest.raises(asyncssh.ChannelOpenError):
        await client.create_process()
    assert 7 == len(server.handlers)
    client.abort()


@pytest.mark.parametrize(("said", "believed"), [
    ((0, 0), (80, 24)), ((2**32 - 1, 2**32 - 1), (300, 100)), ((1, 1), (20, 5)),
])  # fmt: skip
async def test_the_size_of_a_pty_is_clamped(server, said, believed):
    await server.open()
    client, process, handler = await session(server, term_size=(90, 30))
    assert (90, 30) == (handler.at_start.cols, handler.at_start.rows)
    process.change_terminal_size(*said)
    await until(lambda: handler.sizes)
    assert believed == (handler.link.terminal.cols, handler.link.terminal.rows)
    client.abort()


async def test_four_thousand_resizes_are_two(server):
    await server.open(resizes_per_s=20)
    client, process, handler = await session(server)
    for n in range(4_000):
        process.change_terminal_size(30 + n % 200, 30)
    process.change_terminal_size(77, 33)
    await until(lambda: handler.link.terminal.cols == 77)
    assert len(handler.sizes) <= 20
    client.abort()


@pytest.mark.parametrize(("term_type", "is_ansi"), [
    ("xterm-256color", True), ("dumb", False), ("x" * 5_000, False), ("x\x1b[2J", False),
])  # fmt: skip
async def test_a_pty_is_characters_and_its_name_tells_the_rest(server, term_type, is_ansi):
    await server.open()
    client, _, handler = await session(server, term_type)
    terminal = handler.at_start
    assert (is_ansi, True) == (terminal.is_ansi, terminal.is_character_mode)
    assert terminal.name in ("xterm-256color", "dumb", "unknown")
    client.abort()


async def test_without_a_pty_it_is_plain_lines(server):
    await server.open()
    client, _, handler = await session(server, term_type=None)
    terminal = handler.at_start
    assert (False, False, "off") == (terminal.is_ansi, terminal.is_character_mode, terminal.colours)
    client.abort()


async def test_of_the_environment_little_is_kept(server):
    await server.open()
    junk = {f"NAME{n}": "x" * 1_000 for n in range(40)}
    wanted = {"COLORTERM": "truecolor", "LANG": "x" * 65}
    client, _, handler = await session(server, env=wanted | junk)
    assert "true" == handler.at_start.colours
    assert {b"COLORTERM": b"truecolor"} == handler.link._channel._env
    client.abort()
    client, _, handler = await session(server, env=junk | wanted)
    assert {} == handler.link._channel._env  # after so many requests nothing is kept
    client.abort()


async def test_ctrl_c_arrives_also_as_a_signal(server):
    await server.open()
    client, process, handler = await session(server)
    process.send_signal("INT")
    process.channel.send_break(100)
    await until(lambda: len(handler.received) == 2)
    assert b"\x03\x03" == handler.received
    client.abort()


async def test_a_goodbye_is_read_before_the_line_ends(server):
    await server.open()
    _client, process, handler = await session(server)
    handler.link.send(b"x" * 60_000 + b"Goodbye.\r\n")
    handler.link.close()
    assert (await process.stdout.read()).endswith(b"Goodbye.\r\n")
    assert 0 == (await process.wait()).exit_status
    await until(lambda: handler.was_lost)
    await until(lambda: not server.gate.connections)


async def test_a_line_that_ends_its_input_still_hears_the_answer(server, monkeypatch):
    monkeypatch.setattr("mudserver.transport.ssh.session.EOF_GRACE_S", 0.05)
    await server.open()
    _client, process, handler = await session(server, term_type=None)
    process.stdin.write(b"who\n")
    process.stdin.write_eof()
    await until(lambda: handler.received)
    handler.link.send(b"Nobody.\r\n")
    assert b"Welcome.\r\nNobody.\r\n" == await process.stdout.read()


async def test_a_client_that_takes_one_byte_per_packet_gets_more(server):
    await server.open()
    client = await server.ssh_as("guest")
    await client.create_process(encoding=None, max_pktsize=1)
    assert 1_024 == server.handlers[0].link._channel._send_pktsize
    client.abort()


async def test_the_kernel_notices_who_has_vanished(server):
    await server.open()
    await session(server)
    sock = next(iter(server.ssh.connections._open)).parts.connection.get_extra_info("socket")
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert 30 == sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
    assert 120_000 == sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)


async def test_who_never_logs_in_is_cut(server):
    await server.open(login_s=0.15)
    reader, writer = await server.raw(server.ssh)
    await asyncio.wait_for(reader.read(), 2)
    writer.close()
    client = await server.ssh_as("guest")  # authenticated, but without a session
    await asyncio.wait_for(client.wait_closed(), 2)
    assert 0 == server.gate.connections


async def test_a_session_that_is_not_admitted_is_cut_and_an_admitted_one_is_not(server):
    await server.open(login_s=0.15)
    client, _, handler = await session(server)
    server.admits = False
    late, _, _ = await session(server)
    await asyncio.wait_for(late.wait_closed(), 2)
    assert not handler.was_lost
    assert (1, 0) == (server.gate.connections, len(server.gate.waiting))
    client.abort()


async def test_a_connection_that_outlives_its_session_is_cut(server):
    await server.open(login_s=0.15)
    client, process, _ = await session(server)
    process.close()
    await asyncio.wait_for(client.wait_closed(), 2)


async def test_a_flood_before_login_is_cut(server):
    await server.open(input_before_login_bytes=1_024)
    reader, writer = await server.raw(server.ssh)
    writer.write(b"SSH-2.0-x\r\n" + (b"\0\0\0\x0c\x0a\x02" + b"\0" * 10) * 300)
    assert b"" == (await asyncio.wait_for(reader.read(), 2))[4_096:]
    writer.close()
    assert 0 == server.gate.connections


async def test_a_second_listener_on_the_same_port_says_so(server):
    await server.open()
    with pytest.raises(StartError, match="another program is listening there") as refused:
        await open_ssh(
            "127.0.0.1", server.port(server.ssh), keys=HOST_KEYS, make_handler=server.answer,
            authenticator=server.authenticator, gate=server.gate, clock=server.clock,
        )  # fmt: skip
    assert "\n" not in str(refused.value)


async def test_a_closed_listener_lets_nobody_in_and_cuts_who_stays(server):
    await server.open(close_s=0.1)
    _client, _, handler = await session(server)
    server.ssh.close()
    for _ in range(ACCEPT_LOOP_TURNS + 1):
        await asyncio.sleep(0)
    with pytest.raises(OSError):
        await server.raw(server.ssh)
    assert not handler.was_lost
    await server.ssh.wait_closed()
    assert 1 == handler.was_lost


async def test_nothing_of_people_is_logged(server, caplog):
    await server.open()
    caplog.set_level(0)
    client, process, _ = await session(server)
    process.stdin.write(b"secret words\r")
    client.abort()
    await until(lambda: not server.gate.connections)
    assert [] == [r for r in caplog.records if r.name.startswith(("asyncssh", "telnetlib3"))]


# -- changes of keys -------------------------------------------------------------------------------


async def change_keys_until_cut(client, changes: list[float]) -> None:
    """Ask for new keys again and again; *changes*: when."""
    while client._transport is not None and len(changes) < 100:
        if client._kex_complete:
            changes.append(asyncio.get_running_loop().time())
            client._send_kexinit()
            client._kexinit_sent = True
        await asyncio.sleep(0.001)


async def test_who_changes_keys_without_end_is_cut(server):
    await server.open()
    client, _, handler = await session(server)
    changes = []
    await change_keys_until_cut(client, changes)
    assert EXCHANGES_BURST == len(changes)
    await until(lambda: handler.was_lost)
    assert 0 == server.gate.connections


async def test_keys_are_hardly_changed_before_login(server):
    await server.open()
    changes = []

    class Undecided(asyncssh.SSHClient):
        def connection_made(self, conn):
            self.made = conn

        def kbdint_auth_requested(self):
            return ""

        async def kbdint_challenge_received(self, name, instructions, lang, prompts):
            await change_keys_until_cut(self.made, changes)

    with pytest.raises((OSError, asyncssh.Error)):
        await server.ssh_as("bob", client_factory=Undecided, preferred_auth="keyboard-interactive")
    assert EXCHANGES_BEFORE_LOGIN == len(changes)
    assert 0 == server.gate.connections
