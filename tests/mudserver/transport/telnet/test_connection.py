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

from tests.mudserver.transport.house import until
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


async def test_netcat_gets_its_prompt_soon(doors):
    start_s = time.monotonic()
    client = await client_of(doors)
    await client.reads(b"Welcome.\r\n")
    assert 0.3 < time.monotonic() - start_s < 0.6
    terminal = doors.visitors[0].at_start
    assert (False, False, "off") == (terminal.is_ansi, terminal.is_character_mode, terminal.colours)


async def test_what_netcat_sends_at_once_is_not_lost(doors):
    client = Client(*await doors.raw())
    client.send(b"guest\n")
    visitor = await client.settles(doors)
    client.send(b"who\n")
    await until(lambda: visitor.received == b"guest\nwho\n")


async def test_a_terminal_that_agrees_is_ansi_and_characters_in_no_time(doors):
    start_s = time.monotonic()
    _, visitor = await terminal_of(doors, XTERM, *AGREES)
    assert time.monotonic() - start_s < 0.3
    assert (True, True, "256", 120, 40, "xterm-256color") == (
        visitor.at_start.is_ansi, visitor.at_start.is_character_mode, visitor.at_start.colours,
        visitor.at_start.cols, visitor.at_start.rows, visitor.at_start.name,
    )  # fmt: skip


async def test_a_terminal_that_keeps_its_echo_stays_in_lines(doors):
    _, visitor = await terminal_of(doors, XTERM, IAC, DONT, ECHO, IAC, DO, SGA)
    assert (True, False) == (visitor.at_start.is_ansi, visitor.at_start.is_character_mode)


@pytest.mark.parametrize("names", [
    (b"MUDLET", b"ANSI-TRUECOLOR", MTTS_MUDLET), (b"tintin++", b"xterm", MTTS_MUDLET),
    (b"TinyFugue", b"TinyFugue"), (b"MUSHclient", b"MUSHclient"), (b"CMUD", b"CMUD"),
    (b"ZMUD", b"ZMUD"), (b"BLOWTORCH", b"BLOWTORCH"), (b"somebody", b"new", b"MTTS 9"),
])  # fmt: skip
async def test_a_mud_client_keeps_its_own_line(doors, names):
    client, visitor = await terminal_of(doors, names)
    assert (True, False) == (visitor.at_start.is_ansi, visitor.at_start.is_character_mode)
    assert IAC + WILL + ECHO not in client.received
    assert names[0].decode().lower() in (visitor.at_start.name, "tintin++")


async def test_mtts_tells_colours_charset_and_screen_reader(doors):
    _, visitor = await terminal_of(doors, (b"MUDLET", b"ANSI", b"MTTS 333"))
    terminal = visitor.at_start
    assert ("true", "utf-8", True) == (
        terminal.colours, terminal.charset, terminal.is_screen_reader,
    )  # fmt: skip
    _, visitor = await terminal_of(doors, (b"OLDMUD", b"ANSI", b"MTTS 1"))
    assert ("16", "ascii", False) == (
        visitor.at_start.colours, visitor.at_start.charset, visitor.at_start.is_screen_reader,
    )  # fmt: skip


async def test_a_client_without_a_kind_is_plain_lines(doors):
    client = await client_of(doors)
    client.send(IAC, WONT, TTYPE, IAC, WONT, NAWS)
    visitor = await client.settles(doors)
    assert ("unknown", False, False) == (
        visitor.at_start.name, visitor.at_start.is_ansi, visitor.at_start.is_character_mode,
    )  # fmt: skip
    assert IAC + WILL + ECHO not in client.received


async def test_an_answer_that_comes_late_is_a_resize(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    client.send(IAC, WILL, TTYPE)
    await client.reads(sb(TTYPE, SEND))
    client.send(sb(TTYPE, IS, XTERM[0]), sb(TTYPE, IS, XTERM[0]), *AGREES)
    client.send(IAC, WILL, NAWS, sb(NAWS, b"\0\x64\0\x32"))
    await until(lambda: visitor.sizes and visitor.sizes[-1].is_character_mode)
    await until(lambda: visitor.sizes[-1].cols == 100)
    assert (True, 50) == (visitor.sizes[-1].is_ansi, visitor.sizes[-1].rows)


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
    from tests.mudserver.transport.house import HandClock

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


async def test_what_is_sent_arrives_and_0xff_is_doubled(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    visitor.link.send(b"caf\xc3\xa9 \xff.\r\n")
    await client.reads(b"caf\xc3\xa9 \xff\xff.\r\n")


async def test_a_goodbye_is_read_before_the_line_ends(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    visitor.link.send(b"x" * 200_000 + b"Goodbye.\r\n")
    visitor.link.close()
    await client.reads(b"Goodbye.\r\n")
    await until(lambda: visitor.was_lost)
    visitor.link.send(b"too late")
    visitor.link.close()
    assert 1 == visitor.was_lost


async def test_a_line_that_ends_its_input_still_hears_the_answer(doors, monkeypatch):
    monkeypatch.setattr("mudserver.transport.telnet.connection.EOF_GRACE_S", 0.05)
    client = await client_of(doors)
    visitor = await client.settles(doors)
    client.send(b"who\n")
    client.writer.write_eof()
    await until(lambda: visitor.received)
    visitor.link.send(b"Nobody.\r\n")
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


async def test_a_mud_client_hides_the_password_and_shows_the_rest(doors):
    client, visitor = await terminal_of(doors, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    visitor.link.set_echo(False)
    await client.reads(IAC + WILL + ECHO)
    client.send(IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: visitor.received)
    assert not visitor.link.terminal.is_character_mode
    visitor.link.set_echo(True)
    await client.reads(IAC + WONT + ECHO)
    client.send(IAC, DONT, ECHO)
    client.received = b""
    visitor.link.set_echo(False)  # and again, for the second time of asking
    await client.reads(IAC + WILL + ECHO)
    assert [] == visitor.sizes


async def test_answers_that_cross_do_not_show_the_password(doors):
    client, visitor = await terminal_of(doors, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    client.received = b""
    for on in (False, True, False):
        visitor.link.set_echo(on)
    await client.reads(IAC + WILL + ECHO + IAC + WONT + ECHO + IAC + WILL + ECHO)
    client.received = b""
    client.send(IAC, DO, ECHO, IAC, DONT, ECHO, IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: visitor.received)
    visitor.link.send(b"done")
    assert b"done" == await client.reads(b"done")
    assert not visitor.link.terminal.is_character_mode


async def test_echo_is_left_alone_for_netcat_and_for_terminals(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    visitor.link.set_echo(False)
    visitor.link.send(b"Password: ")
    assert b"\xff" not in (await client.reads(b"Password: ")).replace(IAC + DO + TTYPE, b"")
    client, visitor = await terminal_of(doors, XTERM, *AGREES)
    client.received = b""
    visitor.link.set_echo(False)
    visitor.link.set_echo(True)
    visitor.link.send(b"Password: ")
    assert IAC + WONT + ECHO not in await client.reads(b"Password: ")
    assert visitor.link.terminal.is_character_mode
