"""Bytes that held a password are overwritten, and nothing else is."""

import pytest
from telnetlib3.telopt import IAC, NOP

from mudserver.transport.wipe import wipe
from tests.mudserver.transport.server import until


def made(text: bytes) -> bytes:
    """An object of its own, and no constant."""
    return bytes(bytearray(text))


def test_all_bytes_are_zero_afterwards_and_the_neighbours_are_not():
    secret, other = made(b"open sesame"), made(b"an ordinary line")
    wipe(secret)
    assert (bytes(11), b"an ordinary line") == (secret, other)


@pytest.mark.parametrize("shared", [b"", b"x"])
def test_what_the_interpreter_shares_is_left_alone(shared):
    before = bytes([*shared])
    wipe(shared)
    assert before == shared


@pytest.mark.parametrize(("copies", "is_secret"), [(True, True), (True, False), (False, True)])
async def test_only_a_secret_that_the_handler_has_copied_is_wiped(server, copies, is_secret):
    await server.open(telnet_wait_s=0.01)
    _, writer = await server.raw()
    await until(lambda: server.handlers)
    handler = server.handlers[0]
    handler.copies_input, heard = copies, bytearray()
    handler.on_data = heard.extend
    handler.link.set_echo(not is_secret)
    for typed in (made(b"open sesame"), made(b"open" + IAC + NOP)):
        count = len(typed)
        handler.link.data_received(typed)
        assert (typed == bytes(count)) is (copies and is_secret)
    assert b"open sesameopen" == heard
    writer.close()
