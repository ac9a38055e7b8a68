"""Telnet over TLS: the same line, sealed; half-open handshakes are counted and end."""

import asyncio
import ssl

import pytest
from telnetlib3.telopt import DO, IAC, TTYPE

from mudserver.errors import StartError
from mudserver.transport import tls
from tests.certificate import certificate
from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import Client


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def context(files):
    return tls.server_context(*map(str, files))


@pytest.fixture
async def sealed(server, context):
    await server.open(context)
    return server


async def client_of(server, **options) -> Client:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    for name, value in options.items():
        setattr(trusting, name, value)
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.port(server.tls), ssl=trusting
    )
    client = Client(reader, writer)
    client.number = len(server.handlers)
    return client


async def test_a_line_over_tls_is_a_line(sealed):
    client = await client_of(sealed)
    await client.reads(IAC + DO + TTYPE)
    await client.reads(b"Welcome.\r\n")
    handler = await client.settles(sealed)
    assert ("tls", "127.0.0.1") == (handler.link.protocol, handler.link.peer)
    client.send(b"who\r\n")
    await until(lambda: handler.received == b"who\r\n")
    client.writer.close()
    await until(lambda: handler.was_lost == 1)
    assert 0 == sealed.gate.connections


async def test_much_arrives_whole_in_both_directions(sealed):
    client = await client_of(sealed)
    handler = await client.settles(sealed)
    typed = b"".join(b"line %d\r\n" % n for n in range(20_000))
    client.send(typed)
    await until(lambda: handler.received == typed, 20)
    handler.link.send(b"x" * 200_000)
    handler.link.send(b"Goodbye.\r\n")
    handler.link.close()
    assert b"x" * 200_000 + b"Goodbye." in await client.reads(b"Goodbye.\r\n")
    assert await client.is_cut()
    await until(lambda: handler.was_lost == 1)


async def test_the_first_words_may_come_with_the_end_of_the_handshake(sealed):
    client = await client_of(sealed)
    client.send(b"guest\n")
    handler = await client.settles(sealed)
    await until(lambda: handler.received == b"guest\n")


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_tls_1_2_and_1_3_are_spoken(sealed, version):
    client = await client_of(sealed, minimum_version=version, maximum_version=version)
    await client.reads(b"Welcome.")


async def test_tls_1_1_is_not_spoken(sealed):
    with pytest.warns(DeprecationWarning), pytest.raises((ssl.SSLError, ConnectionError)):
        await client_of(
            sealed, minimum_version=ssl.TLSVersion.TLSv1, maximum_version=ssl.TLSVersion.TLSv1_1
        )
    await until(lambda: sealed.gate.connections == 0)
    assert [] == sealed.handlers


@pytest.mark.parametrize("first", [
    b"", b"\x16", b"\x16\x03\x01\x02\x00\x01", b"\x16\x03\x01\x40\x00" + b"\0" * 4_000,
])  # fmt: skip
async def test_a_handshake_that_does_not_end_is_counted_and_cut(server, context, first):
    await server.open(context, tls_handshake_s=0.3)
    client = Client(*await server.raw(server.tls))
    client.send(first)
    await until(lambda: server.gate.connections == 1)
    assert 1 == len(server.gate.waiting)
    assert await client.is_cut(1.0)
    await until(lambda: server.gate.connections == 0)
    assert [] == server.handlers


async def test_a_finished_handshake_still_has_to_log_in(server, context):
    server.admits = False
    await server.open(context, tls_handshake_s=0.2, login_s=0.6)
    client = await client_of(server)
    await client.reads(b"Welcome.")
    assert not await client.is_cut(0.2)
    assert await client.is_cut(1.0)


@pytest.mark.parametrize("garbage", [
    b"GET / HTTP/1.1\r\n\r\n", b"guest\r\n", b"SSH-2.0-x\r\n", b"\0" * 20_000,
    b"\x16\x03\x03\x00\x05hello",
])  # fmt: skip
async def test_what_is_no_tls_ends_the_line(sealed, garbage):
    client = Client(*await sealed.raw(sealed.tls))
    client.send(garbage)
    assert await client.is_cut(1.0)
    await until(lambda: sealed.gate.connections == 0)


async def test_the_gate_refuses_before_anything_is_computed(server, context, monkeypatch):
    await server.open(context, new_per_source_burst=1, new_per_source_per_s=0.001)
    made = []
    wrap = ssl.SSLContext.wrap_bio
    monkeypatch.setattr(ssl.SSLContext, "wrap_bio", lambda *a, **k: made.append(1) or wrap(*a, **k))
    first, *_ = [Client(*await server.raw(server.tls)) for _ in range(4)]
    second = Client(*await server.raw(server.tls))
    second.send(b"\x16\x03\x01\x02\x00\x01")
    assert await second.is_cut(1.0)
    assert [] == made
    assert not await first.is_cut(0.05)
    assert 1 == server.gate.counters.refused_rate


async def test_who_never_reads_is_cut_over_tls_as_without(server, context):
    await server.open(context, output_bytes_max=100_000)
    client = await client_of(server)
    handler = await client.settles(server)
    client.writer.transport.pause_reading()
    for _ in range(300):
        handler.link.send(b"x" * 50_000)
        await asyncio.sleep(0)
        if handler.was_lost:
            break
    await until(lambda: handler.was_lost == 1)


async def test_the_one_who_stops_in_mid_record_is_simply_lost(sealed):
    client = await client_of(sealed)
    handler = await client.settles(sealed)
    client.writer.transport.abort()
    await until(lambda: handler.was_lost == 1)


def test_files_that_are_none_are_one_sentence(files, tmp_path):
    crt, key = files
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nonsense")
    for pair in ((crt, wrong), (wrong, key), (key, crt), (crt, tmp_path / "absent"),
                 (tmp_path / "absent", key), (crt, tmp_path)):  # fmt: skip
        with pytest.raises(StartError) as refused:
            tls.server_context(*map(str, pair))
        assert "\n" not in str(refused.value)
        assert str(pair[0]) in str(refused.value)
        assert str(pair[1]) in str(refused.value)


def test_a_key_with_a_pass_phrase_is_refused_and_not_asked_for(files, tmp_path):
    from cryptography.hazmat.primitives import serialization as s

    crt, key = files
    locked = tmp_path / "locked.key"
    locked.write_bytes(
        s.load_pem_private_key(key.read_bytes(), None).private_bytes(
            s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(b"phrase")
        )
    )
    with pytest.raises(StartError, match="pass phrase"):
        tls.server_context(str(crt), str(locked))
