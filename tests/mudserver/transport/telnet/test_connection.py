"""Coming in by telnet, what is typed, and passwords that do not show."""

import asyncio
import time

import pytest
from telnetlib3.telopt import (
    AYT,
    BINARY,
    DO,
    DONT,
    ECHO,
    IAC,
    IP,
    IS,
    LINEMODE,
    NAWS,
    SEND,
    SGA,
    TTYPE,
    WILL,
    WONT,
)

from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import (
    AGREES,
    MTTS_MUDLET,
    XTERM,
    Client,
    client_of,
    sb,
    terminal_of,
)

# -- coming in ---------------------------------------------------------------------------------


async def test_netcat_gets_its_prompt_soon(open_server):
    start_s = time.monotonic()
    client = await client_of(open_server)
    await client.reads(b"Welcome.\r\n")
    assert 0.3 < time.monotonic() - start_s < 0.6
    terminal = open_server.handlers[0].at_start
    assert (False, False, "off") == (terminal.is_ansi, terminal.is_character_mode, terminal.colours)


async def test_what_netcat_sends_at_once_is_not_lost(open_server):
    client = Client(*await open_server.raw())
    client.send(b"guest\n")
    handler = await client.settles(open_server)
    client.send(b"who\n")
    await until(lambda: handler.received == b"guest\nwho\n")


async def test_a_terminal_that_agrees_is_ansi_and_characters_in_no_time(open_server):
    start_s = time.monotonic()
    _, handler = await terminal_of(open_server, XTERM, *AGREES)
    assert time.monotonic() - start_s < 0.3
    assert (True, True, "256", 120, 40, "xterm-256color") == (
        handler.at_start.is_ansi, handler.at_start.is_character_mode, handler.at_start.colours,
        handler.at_start.cols, handler.at_start.rows, handler.at_start.name,
    )  # fmt: skip


async def test_a_terminal_that_keeps_its_echo_stays_in_lines(open_server):
    _, handler = await terminal_of(open_server, XTERM, IAC, DONT, ECHO, IAC, DO, SGA)
    assert (True, False) == (handler.at_start.is_ansi, handler.at_start.is_character_mode)


@pytest.mark.parametrize("names", [
    (b"MUDLET", b"ANSI-TRUECOLOR", MTTS_MUDLET), (b"tintin++", b"xterm", MTTS_MUDLET),
    (b"TinyFugue", b"TinyFugue"), (b"MUSHclient", b"MUSHclient"), (b"CMUD", b"CMUD"),
    (b"ZMUD", b"ZMUD"), (b"BLOWTORCH", b"BLOWTORCH"), (b"somebody", b"new", b"MTTS 9"),
])  # fmt: skip
async def test_a_mud_client_keeps_its_own_line(open_server, names):
    client, handler = await terminal_of(open_server, names)
    assert (True, False) == (handler.at_start.is_ansi, handler.at_start.is_character_mode)
    assert IAC + WILL + ECHO not in client.received
    assert names[0].decode().lower() in (handler.at_start.name, "tintin++")


async def test_mtts_tells_colours_charset_and_screen_reader(open_server):
    _, handler = await terminal_of(open_server, (b"MUDLET", b"ANSI", b"MTTS 333"))
    terminal = handler.at_start
    assert ("true", "utf-8", True) == (
        terminal.colours, terminal.charset, terminal.is_screen_reader,
    )  # fmt: skip
    _, handler = await terminal_of(open_server, (b"OLDMUD", b"ANSI", b"MTTS 1"))
    assert ("16", "ascii", False) == (
        handler.at_start.colours, handler.at_start.charset, handler.at_start.is_screen_reader,
    )  # fmt: skip


async def test_a_client_without_a_kind_is_plain_lines(open_server):
    client = await client_of(open_server)
    client.send(IAC, WONT, TTYPE, IAC, WONT, NAWS)
    handler = await client.settles(open_server)
    assert ("unknown", False, False) == (
        handler.at_start.name, handler.at_start.is_ansi, handler.at_start.is_character_mode,
    )  # fmt: skip
    assert IAC + WILL + ECHO not in client.received


async def test_an_answer_that_comes_late_is_a_resize(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    client.send(IAC, WILL, TTYPE)
    await client.reads(sb(TTYPE, SEND))
    client.send(sb(TTYPE, IS, XTERM[0]), sb(TTYPE, IS, XTERM[0]), *AGREES)
    client.send(IAC, WILL, NAWS, sb(NAWS, b"\0\x64\0\x32"))
    await until(lambda: handler.sizes and handler.sizes[-1].is_character_mode)
    await until(lambda: handler.sizes[-1].cols == 100)
    assert (True, 50) == (handler.sizes[-1].is_ansi, handler.sizes[-1].rows)


# -- what is typed -----------------------------------------------------------------------------

TYPED = (
    b"a\r\nb\r\0c\nd\r" + IAC + AYT + b"e" + IAC + IAC + b"f" + sb(NAWS, b"\0\x50\0\x18")
    + b"g" + IAC + IP + b"\x1b[A" + IAC + WILL + LINEMODE + b"h" + sb(b"\xc9", b"x" + IAC + IAC)
    + IAC + b"\x01" + b"i\r\n"
)  # fmt: skip
HEARD = b"a\r\nb\r\0c\nd\re\xfffg\x03\x1b[Ahi\r\n"


def interpreter():
    from mudserver.config.schema import DoorLimits as Limits
    from mudserver.transport.telnet.negotiation import Negotiation
    from tests.mudserver.transport.server import HandClock

    class Wire(asyncio.Transport):
        def __init__(self):
            super().__init__()
            self.sent = b""

        def write(self, data):
            self.sent += data

        def is_closing(self):
            return False

    wire = Wire()
    return Negotiation(wire, Limits(), HandClock(), lambda: None), wire


def test_the_same_bytes_cut_anywhere_mean_the_same():
    whole, wire = interpreter()
    assert HEARD == whole.extract_input(TYPED)
    for first in range(len(TYPED) + 1):
        for second in range(first, len(TYPED) + 1):
            cut, its_wire = interpreter()
            pieces = (TYPED[:first], TYPED[first:second], TYPED[second:])
            assert HEARD == b"".join(map(cut.extract_input, pieces)), (first, second)
            assert wire.sent == its_wire.sent
            assert whole.terminal() == cut.terminal()


async def test_what_is_sent_arrives_and_0xff_is_doubled(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    handler.link.send(b"caf\xc3\xa9 \xff.\r\n")
    await client.reads(b"caf\xc3\xa9 \xff\xff.\r\n")


async def test_a_goodbye_is_read_before_the_line_ends(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    handler.link.send(b"x" * 200_000 + b"Goodbye.\r\n")
    handler.link.close()
    await client.reads(b"Goodbye.\r\n")
    await until(lambda: handler.was_lost)
    handler.link.send(b"too late")
    handler.link.close()
    assert 1 == handler.was_lost


async def test_a_line_that_ends_its_input_still_hears_the_answer(open_server, monkeypatch):
    monkeypatch.setattr("mudserver.transport.telnet.connection.EOF_GRACE_S", 0.05)
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    loop = asyncio.get_running_loop()  # its timers keep their order, however late it is
    handler.on_data = lambda data: loop.call_later(0.01, handler.link.send, b"Nobody.\r\n")
    client.send(b"who\n")
    client.writer.write_eof()
    await client.reads(b"Nobody.\r\n")
    assert await client.is_cut()


def test_binary_is_asked_of_terminals_only():
    talk, wire = interpreter()
    talk.begin()
    talk.extract_input(IAC + WILL + TTYPE + sb(TTYPE, IS, b"MUDLET") + sb(TTYPE, IS, b"MUDLET"))
    assert IAC + WILL + BINARY not in wire.sent
    talk, wire = interpreter()
    talk.begin()
    talk.extract_input(IAC + WILL + TTYPE + sb(TTYPE, IS, b"xterm") + sb(TTYPE, IS, b"xterm"))
    assert IAC + WILL + BINARY in wire.sent


# -- passwords ---------------------------------------------------------------------------------


async def test_a_mud_client_hides_the_password_and_shows_the_rest(open_server):
    client, handler = await terminal_of(open_server, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    handler.link.set_echo(False)
    await client.reads(IAC + WILL + ECHO)
    client.send(IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: handler.received)
    assert not handler.link.terminal.is_character_mode
    handler.link.set_echo(True)
    await client.reads(IAC + WONT + ECHO)
    client.send(IAC, DONT, ECHO)
    client.received = b""
    handler.link.set_echo(False)  # and again, for the second time of asking
    await client.reads(IAC + WILL + ECHO)
    assert [] == handler.sizes


async def test_answers_that_cross_do_not_show_the_password(open_server):
    client, handler = await terminal_of(open_server, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    client.received = b""
    for on in (False, True, False):
        handler.link.set_echo(on)
    await client.reads(IAC + WILL + ECHO + IAC + WONT + ECHO + IAC + WILL + ECHO)
    client.received = b""
    client.send(IAC, DO, ECHO, IAC, DONT, ECHO, IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: handler.received)
    handler.link.send(b"done")
    assert b"done" == await client.reads(b"done")
    assert not handler.link.terminal.is_character_mode


async def test_echo_is_left_alone_for_netcat_and_for_terminals(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    handler.link.set_echo(False)
    handler.link.send(b"Password: ")
    assert b"\xff" not in (await client.reads(b"Password: ")).replace(IAC + DO + TTYPE, b"")
    client, handler = await terminal_of(open_server, XTERM, *AGREES)
    client.received = b""
    handler.link.set_echo(False)
    handler.link.set_echo(True)
    handler.link.send(b"Password: ")
    assert IAC + WONT + ECHO not in await client.reads(b"Password: ")
    assert handler.link.terminal.is_character_mode
