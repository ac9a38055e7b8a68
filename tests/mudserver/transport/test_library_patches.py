"""If one of these fails after an update: read the library again, then move the pin."""

import asyncio
import inspect
from importlib.metadata import version

import asyncssh.connection
import asyncssh.encryption
import pytest
from asyncssh.channel import SSHServerChannel
from asyncssh.connection import SSHConnection, SSHServerConnection
from asyncssh.crypto.cipher import GCMCipher
from asyncssh.logging import SSHLogger
from asyncssh.packet import SSHPacketLogger
from asyncssh.saslprep import SASLPrepError, saslprep
from telnetlib3.stream_writer import TelnetWriter

from mudserver.transport import library_patches
from mudserver.transport.ssh_packets import KeyedGCMCipher
from tests.mudserver.transport.server import until


def test_the_libraries_are_those_that_were_read():
    assert ("2.24.1", "5.0.1") == (version("asyncssh"), version("telnetlib3"))


def test_every_overridden_method_exists():
    for name in ("data_received", "_recv_pkthdr", "_send", "pause_writing", "resume_writing",
                 "send_packet", "internal_error", "_reset_keepalive_timer",
                 "_keepalive_timer_callback"):  # fmt: skip
        assert callable(getattr(SSHConnection, name)), name
    for name in ("reload_config", "validate_public_key"):
        assert inspect.iscoroutinefunction(getattr(SSHServerConnection, name)), name
    for name in ("write", "_process_env_request", "_process_x11_req_request",
                 "_process_auth_agent_req_at_openssh_dot_com_request"):  # fmt: skip
        assert callable(getattr(SSHServerChannel, name)), name
    for name in ("feed_byte", "handle_do", "handle_dont", "handle_will", "handle_wont",
                 "handle_subnegotiation", "iac", "send_iac"):  # fmt: skip
        assert callable(getattr(TelnetWriter, name)), name
    assert callable(SSHLogger.log)
    assert callable(SSHPacketLogger.log_sent_packet)
    assert callable(SSHPacketLogger.log_received_packet)


def test_a_name_is_prepared_as_the_library_does():
    plain = "".join(map(chr, range(0x20, 0x7F)))
    for name in ("ann", plain, "Ann\xa0B", "ＡＮＮ", "e\u0301", "\xad", ""):
        assert saslprep(name) == library_patches.fast_saslprep(name)
    with pytest.raises(SASLPrepError):
        library_patches.fast_saslprep("ann\x07")


async def test_the_library_prepares_names_in_the_quick_way(server):
    assert hasattr(asyncssh.connection, "saslprep")
    await server.open()
    assert library_patches.fast_saslprep is asyncssh.connection.saslprep


def test_packets_are_sealed_as_the_library_seals_them():
    key, iv = bytes(range(16)), bytes(range(12))
    ours, theirs, reader = (
        make("aes128-gcm", key, iv) for make in (KeyedGCMCipher, GCMCipher, KeyedGCMCipher)
    )
    sealed = []
    for number in range(3):
        head, text = b"\0\0\0\x10", b"number %d, padded" % number
        sealed.append(b"".join(ours.encrypt_and_sign(head, text)))
        assert b"".join(theirs.encrypt_and_sign(head, text)) == sealed[-1]
        body = sealed[-1][4:]
        assert text == reader.verify_and_decrypt(head, body[:-16], body[-16:])
    assert 3 == len(set(sealed))
    assert reader.verify_and_decrypt(head, body[:-16], bytes(16)) is None


async def test_the_library_seals_packets_in_the_quick_way(server):
    await server.open()
    assert KeyedGCMCipher is asyncssh.encryption.GCMCipher


async def test_who_types_costs_no_timer_and_is_not_asked_whether_it_is_there(server, monkeypatch):
    asked, loop = [], asyncio.get_running_loop()

    async def ask(self):
        asked.append(self)

    await server.open()
    monkeypatch.setattr(SSHServerConnection, "_make_keepalive_request", ask, raising=False)
    async with await server.ssh_as("guest") as client:
        process = await client.create_process(encoding=None)
        connection = server.handlers[0].link._owner.parts.connection
        span_s, timer = connection._keepalive_interval, connection._keepalive_timer
        connection._heard_at_s = loop.time() - span_s
        process.stdin.write(b"x")
        await until(lambda: server.handlers[0].received == b"x")
        assert timer is connection._keepalive_timer
        connection._keepalive_timer_callback()
        await asyncio.sleep(0)
        assert [] == asked
        assert span_s - 5 < connection._keepalive_timer.when() - loop.time() <= span_s
        connection._heard_at_s = loop.time() - span_s
        connection._keepalive_timer_callback()
        await asyncio.sleep(0)
        assert [connection] == asked


async def test_whatever_fits_no_packet_or_no_window_waits_in_its_order(server):
    await server.open()
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None, window=2_048, max_pktsize=1_024)
    pieces = [b"%d " % number * 150 for number in range(40)]
    for piece in pieces:
        server.handlers[-1].link.send(piece)
    server.handlers[-1].link.close()
    assert b"Welcome.\r\n" + b"".join(pieces) == await asyncio.wait_for(process.stdout.read(), 5)


async def test_no_ignore_packet_is_sent(server, monkeypatch):
    sent = []
    original = SSHServerConnection._send
    await server.open()

    def send(self, data):
        if isinstance(self, library_patches.BoundedConnection):
            sent.append(len(data))
        original(self, data)

    monkeypatch.setattr(SSHServerConnection, "_send", send, raising=False)
    async with await server.ssh_as("guest") as client:
        await client.create_process(encoding=None)
        sent.clear()
        server.handlers[0].link.send(b"one line\r\n")
        assert 1 == len(sent)


async def test_a_bug_of_ours_behind_the_ssh_listener_is_reported(server):
    reports = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))
    await server.open()

    def bug(data):
        raise ZeroDivisionError

    server.on_answer = lambda handler: setattr(handler, "on_data", bug)
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None)
    process.stdin.write(b"x")
    await client.wait_closed()
    assert [ZeroDivisionError] == [type(report["exception"]) for report in reports]
    assert 1 == server.handlers[0].was_lost


async def test_a_stranger_s_nonsense_is_not_reported(server):
    reports = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))
    await server.open()
    for nonsense in (
        b"SSH-2.0-\xff\xff\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"SSH-2.0-x\r\n" + b"\xff" * 99,
    ):
        reader, writer = await server.raw(server.ssh)
        writer.write(nonsense)
        await asyncio.wait_for(reader.read(), 3)
        writer.close()
    assert [] == reports
    assert 0 == server.gate.connections
