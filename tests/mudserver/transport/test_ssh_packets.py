"""The short way of a packet of text: with asyncssh's bytes, and to asyncssh's effect."""

import asyncio
import random

import pytest
from asyncssh.connection import SSHConnection
from asyncssh.constants import (
    MSG_CHANNEL_DATA,
    MSG_CHANNEL_EXTENDED_DATA,
    MSG_CHANNEL_WINDOW_ADJUST,
    MSG_DEBUG,
    MSG_IGNORE,
)
from asyncssh.crypto.cipher import GCMCipher
from asyncssh.packet import String, UInt32

from mudserver.transport.library_patches import BoundedChannel, BoundedConnection
from mudserver.transport.ssh_packets import OPENED_BYTES_MAX, KeyedGCMCipher
from tests.mudserver.transport.server import until

KEY, IV = bytes(range(16)), bytes(range(12))


def ciphers():
    return KeyedGCMCipher("aes128-gcm", KEY, IV), GCMCipher("aes128-gcm", KEY, IV)


def payload(text: bytes, channel: int = 7) -> bytes:
    return bytes([MSG_CHANNEL_DATA]) + UInt32(channel) + String(text)


def packet(payload: bytes, padding: int | None = None) -> bytes:
    """A packet, not sealed; as asyncssh pads it if *padding* is left out."""
    count = -(1 + len(payload)) % 16
    count = count + 16 if count < 4 else count
    return bytes([count if padding is None else padding]) + payload + bytes(count)


def sealed(cipher: GCMCipher, plain: bytes) -> bytes:
    return b"".join(cipher.encrypt_and_sign(UInt32(len(plain)), plain))


def opened(cipher: GCMCipher, data: bytes) -> bytes | None:
    return cipher.verify_and_decrypt(data[:4], data[4:-16], data[-16:])


def test_text_is_sealed_as_the_library_seals_it():
    ours, theirs = ciphers()
    for count in (*range(1, 70), 5_000):
        text = random.Random(count).randbytes(count)
        plain = opened(theirs, ours.seal_text(7, text))
        assert plain is not None
        assert len(plain) == len(packet(payload(text)))
        assert 0 == len(plain) % 16
        assert 4 <= plain[0] < 20
        assert payload(text) == plain[1 : -plain[0]]


def test_padding_is_random():
    ours, theirs = ciphers()
    assert 20 == len({opened(theirs, ours.seal_text(7, b"the same"))[-7:] for _ in range(20)})


def test_text_is_found_and_stays_the_next_packet_until_it_is_skipped():
    ours, theirs = ciphers()
    texts = [bytes([count % 256]) * count for count in (*range(1, 70), OPENED_BYTES_MAX - 60)]
    stream = b"".join(sealed(theirs, packet(payload(text, len(text)))) for text in texts)
    for text in texts:
        found = ours.find_text(stream)
        assert found == ours.find_text(stream)
        end, *what = found
        assert [len(text), text] == what
        stream = stream[end:]
        ours.skip()
    assert b"" == stream


EMPTY = bytes([MSG_IGNORE]) + String(b"")


@pytest.mark.parametrize("plain", [
    packet(payload(b"")),  # asyncssh drops it, if there is such a channel
    packet(payload(b"abc") + b"d"),
    packet(payload(b"abc")[:-1]),
    packet(bytes([MSG_CHANNEL_DATA]) + UInt32(7) + UInt32((1 << 32) - 1)),
    packet(bytes([MSG_CHANNEL_EXTENDED_DATA]) + UInt32(7) + UInt32(1) + String(b"abc")),
    packet(bytes([MSG_CHANNEL_WINDOW_ADJUST]) + UInt32(7) + UInt32(9)),
    packet(bytes([MSG_IGNORE]) + String(b"x")),
    packet(EMPTY + b"x"),
    packet(bytes([MSG_DEBUG]) + String(b"")),
    packet(payload(b"abc"), 0),
    b"\0" + payload(b"abcdef"),
    b"\3" + payload(b"abc") + bytes(3),
    packet(payload(b"abc"), 3),
    packet(payload(b"abc"), 255),
    packet(EMPTY, 26),  # more than there is
    b"\x04\x5e",
    b"\x04" + bytes(9),
    b"",
    packet(payload(b"x" * OPENED_BYTES_MAX)),
])  # fmt: skip
def test_what_is_no_plain_packet_of_text_is_left_as_it_is(plain):
    ours, theirs = ciphers()
    data = sealed(theirs, plain)
    assert ours.find_text(data + b"more") is None
    assert plain == opened(ours, data)


def test_part_of_a_packet_and_a_damaged_one_are_left_as_they_are():
    ours, theirs = ciphers()
    data = sealed(theirs, packet(payload(b"a line of text")))
    for end in range(len(data)):
        assert ours.find_text(data[:end]) is None
    for at in range(len(data)):
        assert ours.find_text(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]) is None
    assert ours.find_text(data) is not None
    assert opened(ours, data[:-1] + bytes([data[-1] ^ 1])) is None
    assert ours.find_text(data) is None  # the counter has gone on


def test_an_empty_packet_to_be_ignored_is_found():
    ours, theirs = ciphers()
    data = sealed(theirs, packet(EMPTY))
    assert (len(data), 0, b"") == ours.find_text(data)


# -- in a connection -----------------------------------------------------------------------

BREACHES = {
    "another channel": lambda channel: (MSG_CHANNEL_DATA, UInt32(channel + 1), String(b"x")),
    "a length that lies": lambda channel: (MSG_CHANNEL_DATA, UInt32(channel), UInt32(2) + b"x"),
    "more than the window": lambda channel: (
        *(MSG_CHANNEL_DATA, UInt32(channel), String(b"x" * 40_000)),
    ),
}


async def heard(server, seed: int, breach: str, cipher: str):
    """What becomes of a random stream, cut at random, that may end with a breach."""
    rng = random.Random(seed)
    client = await server.ssh_as("guest", encryption_algs=[cipher])
    process = await client.create_process(encoding=None, term_type="xterm")
    handler = server.handlers[-1]
    connection, channel = handler.link._owner.parts.connection, handler.link._channel
    number = process.channel._send_chan
    passed_on: list[tuple[bytes, int]] = []
    take = handler.link.data_received

    def pass_on(data, kind):
        passed_on.append((data, channel._recv_window))
        take(data, kind)

    handler.link.data_received = pass_on
    parts: list[bytes] = []
    client._send = parts.append
    for _ in range(200):
        size = rng.choice((1, 1, 2, 9, 600, 600, 600, 2_000))
        kind = rng.choice(("text", "text", "text", "empty", "noise", "resize"))
        if kind == "noise":
            client.send_packet(MSG_IGNORE, String(bytes(size)))
        elif kind == "resize":
            process.channel.change_terminal_size(20 + size % 100, 24)
        else:
            text = rng.randbytes(size) if kind == "text" else b""
            client.send_packet(MSG_CHANNEL_DATA, UInt32(number), String(text))
    if breach:
        client.send_packet(*BREACHES[breach](number))
        client.send_packet(MSG_CHANNEL_DATA, UInt32(number), String(b"behind it"))
    stream = b"".join(parts)
    while stream:
        size = rng.choice((1, 20, 52, 100, 1_000, 4_000))
        client._transport.write(stream[:size])
        stream = stream[size:]
        await asyncio.sleep(0)
    if not breach:
        del client._send
        process.channel.write(b"the end")
        await until(lambda: passed_on[-1][0] == b"the end")
        process.channel.close()
    await until(lambda: handler.was_lost)
    client.abort()
    return passed_on, connection._recv_seq


@pytest.mark.parametrize("cipher", ["aes128-gcm@openssh.com", "aes256-ctr"])
@pytest.mark.parametrize("breach", ["", *BREACHES])
async def test_a_stream_comes_to_what_the_library_makes_of_it(server, monkeypatch, breach, cipher):
    await server.open(input_bytes_per_s=10**9, input_bytes_burst=10**9)
    taken: list[bytes] = []
    take = BoundedChannel.take
    monkeypatch.setattr(
        BoundedChannel, "take", lambda it, text: (taken.append(text), take(it, text))
    )
    for seed in range(3):
        short = await heard(server, seed, breach, cipher)
        with monkeypatch.context() as patch:
            patch.setattr(BoundedConnection, "_recv_text", lambda self: False)
            assert short == await heard(server, seed, breach, cipher)
        assert len(short[0]) > 50
    assert (len(taken) > 100) == ("gcm" in cipher)


@pytest.mark.parametrize("due", ["our bytes", "our time", "their bytes"])
async def test_keys_are_changed_between_texts(server, monkeypatch, due):
    await server.open(input_bytes_per_s=10**9, input_bytes_burst=10**9)
    changes = []
    change = SSHConnection._send_kexinit
    monkeypatch.setattr(
        SSHConnection, "_send_kexinit", lambda self: (changes.append(self), change(self))
    )
    client = await server.ssh_as("guest", rekey_bytes=4_000 if due == "their bytes" else 1 << 30)
    process = await client.create_process(encoding=None)
    handler = server.handlers[-1]
    connection = handler.link._owner.parts.connection
    changes.clear()
    if due == "our bytes":
        connection._rekey_bytes = 3_000
    lines = [b"line %d\r\n" % number * 5 for number in range(400)]
    for number, line in enumerate(lines):
        if due == "our time" and number == 200:
            connection._rekey_time = 0.0
        handler.link.send(line)
        if due == "their bytes":
            process.stdin.write(line)
        if number % 7 == 0:
            await asyncio.sleep(0.001)
    everything = b"".join(lines)
    assert b"Welcome.\r\n" + everything == await process.stdout.readexactly(10 + len(everything))
    if due == "their bytes":
        await until(lambda: len(handler.received) == len(everything))
        assert everything == handler.received
    await until(lambda: {connection, client} == set(changes))
    await until(lambda: connection._send_seq == client._recv_seq)
    assert len(changes) >= (2 if due == "our time" else 6)
    assert connection is not changes[0] if due == "their bytes" else connection is changes[0]
    client.abort()


async def test_text_waits_while_the_session_does_not_read(server):
    await server.open()
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None)
    handler = server.handlers[-1]
    channel = handler.link._channel
    channel.pause_reading()
    process.stdin.write(b"one")
    process.stdin.write(b"two")
    await until(lambda: len(channel._recv_buf) == 2)
    assert b"" == handler.received
    channel.resume_reading()
    assert b"onetwo" == handler.received
    client.abort()


async def test_text_that_a_session_fails_over_ends_the_connection_and_is_reported(server):
    reports = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))
    await server.open()
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None)

    def fail(data):
        raise ZeroDivisionError

    server.handlers[-1].on_data = fail
    process.stdin.write(b"x")
    await client.wait_closed()
    assert [ZeroDivisionError] == [type(report["exception"]) for report in reports]


async def test_text_behind_what_closed_the_session_is_heard_by_nobody(server):
    await server.open()
    client = await server.ssh_as("guest")
    process = await client.create_process(encoding=None)
    handler = server.handlers[-1]
    heard = []
    handler.on_data = lambda data: (heard.append(data), handler.link.close())
    parts: list[bytes] = []
    client._send = parts.append
    for text in (b"quit\r", b"one", b"two"):
        process.stdin.write(text)
    client._transport.write(b"".join(parts))
    del client._send
    await client.wait_closed()
    assert [b"quit\r"] == heard
