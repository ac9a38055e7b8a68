import asyncio
import time

import pytest
from telnetlib3.telopt import (
    ACCEPTED,
    AYT,
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    IP,
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
    SE,
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

from tests.mudserver.transport.house import until

MTTS_MUDLET = b"MTTS 2349"  # true colour, 256, UTF-8, ANSI and others


def sb(option: bytes, *body: bytes) -> bytes:
    return IAC + SB + option + b"".join(body) + IAC + SE


class Client:
    """A telnet client made of bytes: it answers as it is told to."""

    def __init__(self, reader, writer) -> None:
        self.reader, self.writer, self.received = reader, writer, b""
        self.number = 0  # of visitors that came before

    def send(self, *parts: bytes) -> None:
        self.writer.write(b"".join(parts))

    async def reads(self, wanted: bytes, timeout_s: float = 2.0) -> bytes:
        """Read until *wanted* has come; all that was received so far."""
        while wanted not in self.received:
            data = await asyncio.wait_for(self.reader.read(65_536), timeout_s)
            assert data, (wanted, self.received[-200:])
            self.received += data
        return self.received

    async def is_cut(self, timeout_s: float = 2.0) -> bool:
        try:
            while await asyncio.wait_for(self.reader.read(65_536), timeout_s):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            return False
        return True

    async def settles(self, house):
        await until(lambda: len(house.visitors) > self.number)
        return house.visitors[self.number]


@pytest.fixture
async def doors(house):
    await house.open()
    return house


async def client_of(house) -> Client:
    client = Client(*await house.raw())
    client.number = len(house.visitors)
    await client.reads(IAC + DO + TTYPE)
    return client


async def terminal_of(house, names, *more, naws=b"\0\x78\0\x28"):
    """Come in as a client with these TTYPE names; client and visitor."""
    client = await client_of(house)
    client.send(IAC, WILL, TTYPE)
    for name in names:
        await client.reads(sb(TTYPE, SEND))
        client.received = client.received.replace(sb(TTYPE, SEND), b"", 1)
        client.send(sb(TTYPE, IS, name))
    client.send(IAC, WILL, NAWS, sb(NAWS, naws), *more)
    return client, await client.settles(house)


XTERM = (b"XTERM-256COLOR", b"XTERM-256COLOR")
AGREES = (IAC, DO, ECHO, IAC, DO, SGA)


# -- coming in ---------------------------------------------------------------------------------


async def test_netcat_gets_its_prompt_soon(doors):
    start_s = time.monotonic()
    client = await client_of(doors)
    await client.reads(b"Welcome.\r\n")
    assert 0.3 < time.monotonic() - start_s < 0.6
    terminal = doors.visitors[0].at_start
    assert (False, False, "off") == (terminal.is_ansi, terminal.is_character, terminal.colours)


async def test_what_netcat_sends_at_once_is_not_lost(doors):
    client = Client(*await doors.raw())
    client.send(b"guest\n")
    visitor = await client.settles(doors)
    client.send(b"who\n")
    await until(lambda: visitor.heard == b"guest\nwho\n")


async def test_a_terminal_that_agrees_is_ansi_and_characters_in_no_time(doors):
    start_s = time.monotonic()
    _, visitor = await terminal_of(doors, XTERM, *AGREES)
    assert time.monotonic() - start_s < 0.3
    assert (True, True, "256", 120, 40, "xterm-256color") == (
        visitor.at_start.is_ansi, visitor.at_start.is_character, visitor.at_start.colours,
        visitor.at_start.cols, visitor.at_start.rows, visitor.at_start.name,
    )  # fmt: skip


async def test_a_terminal_that_keeps_its_echo_stays_in_lines(doors):
    _, visitor = await terminal_of(doors, XTERM, IAC, DONT, ECHO, IAC, DO, SGA)
    assert (True, False) == (visitor.at_start.is_ansi, visitor.at_start.is_character)


@pytest.mark.parametrize("names", [
    (b"MUDLET", b"ANSI-TRUECOLOR", MTTS_MUDLET), (b"tintin++", b"xterm", MTTS_MUDLET),
    (b"TinyFugue", b"TinyFugue"), (b"MUSHclient", b"MUSHclient"), (b"CMUD", b"CMUD"),
    (b"ZMUD", b"ZMUD"), (b"BLOWTORCH", b"BLOWTORCH"), (b"somebody", b"new", b"MTTS 9"),
])  # fmt: skip
async def test_a_mud_client_keeps_its_own_line(doors, names):
    client, visitor = await terminal_of(doors, names)
    assert (True, False) == (visitor.at_start.is_ansi, visitor.at_start.is_character)
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
        visitor.at_start.name, visitor.at_start.is_ansi, visitor.at_start.is_character,
    )  # fmt: skip
    assert IAC + WILL + ECHO not in client.received


async def test_an_answer_that_comes_late_is_a_resize(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    client.send(IAC, WILL, TTYPE)
    await client.reads(sb(TTYPE, SEND))
    client.send(sb(TTYPE, IS, XTERM[0]), sb(TTYPE, IS, XTERM[0]), *AGREES)
    client.send(IAC, WILL, NAWS, sb(NAWS, b"\0\x64\0\x32"))
    await until(lambda: visitor.sizes and visitor.sizes[-1].is_character)
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
    from mudserver.config import Door as Limits
    from mudserver.transport.telnet_options import Negotiation
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
    assert HEARD == whole.typed_in(TYPED)
    for first in range(len(TYPED) + 1):
        for second in range(first, len(TYPED) + 1):
            cut, its_wire = interpreter()
            pieces = (TYPED[:first], TYPED[first:second], TYPED[second:])
            assert HEARD == b"".join(map(cut.typed_in, pieces)), (first, second)
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
    monkeypatch.setattr("mudserver.transport.telnet.EOF_GRACE_S", 0.05)
    client = await client_of(doors)
    visitor = await client.settles(doors)
    client.send(b"who\n")
    client.writer.write_eof()
    await until(lambda: visitor.heard)
    visitor.link.send(b"Nobody.\r\n")
    await client.reads(b"Nobody.\r\n")
    assert await client.is_cut()


# -- passwords ---------------------------------------------------------------------------------


async def test_a_mud_client_hides_the_password_and_shows_the_rest(doors):
    client, visitor = await terminal_of(doors, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    visitor.link.echo(False)
    await client.reads(IAC + WILL + ECHO)
    client.send(IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: visitor.heard)
    assert not visitor.link.terminal.is_character
    visitor.link.echo(True)
    await client.reads(IAC + WONT + ECHO)
    client.send(IAC, DONT, ECHO)
    client.received = b""
    visitor.link.echo(False)  # and again, for the second time of asking
    await client.reads(IAC + WILL + ECHO)
    assert [] == visitor.sizes


async def test_answers_that_cross_do_not_show_the_password(doors):
    client, visitor = await terminal_of(doors, (b"MUDLET", b"ANSI", MTTS_MUDLET))
    client.received = b""
    for on in (False, True, False):
        visitor.link.echo(on)
    await client.reads(IAC + WILL + ECHO + IAC + WONT + ECHO + IAC + WILL + ECHO)
    client.received = b""
    client.send(IAC, DO, ECHO, IAC, DONT, ECHO, IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: visitor.heard)
    visitor.link.send(b"done")
    assert b"done" == await client.reads(b"done")
    assert not visitor.link.terminal.is_character


async def test_echo_is_left_alone_for_netcat_and_for_terminals(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    visitor.link.echo(False)
    visitor.link.send(b"Password: ")
    assert b"\xff" not in (await client.reads(b"Password: ")).replace(IAC + DO + TTYPE, b"")
    client, visitor = await terminal_of(doors, XTERM, *AGREES)
    client.received = b""
    visitor.link.echo(False)
    visitor.link.echo(True)
    visitor.link.send(b"Password: ")
    assert IAC + WONT + ECHO not in await client.reads(b"Password: ")
    assert visitor.link.terminal.is_character


# -- hostile answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(("naws", "believed"), [
    (b"\0\0\0\0", (80, 24)), (b"\xff\xff" * 4, (300, 100)), (b"\0\1\0\1", (20, 5)),
])  # fmt: skip
async def test_the_size_is_clamped(doors, naws, believed):
    _, visitor = await terminal_of(doors, XTERM, *AGREES, naws=naws)
    assert believed == (visitor.at_start.cols, visitor.at_start.rows)


@pytest.mark.parametrize("naws", [b"", b"\0\x50\0", b"\0\x50\0\x18\0"])
async def test_a_size_of_the_wrong_length_is_none(doors, naws):
    _, visitor = await terminal_of(doors, XTERM, *AGREES, naws=naws)
    assert (80, 24) == (visitor.at_start.cols, visitor.at_start.rows)


async def test_many_resizes_are_few_and_the_last_arrives(doors):
    client, visitor = await terminal_of(doors, XTERM, *AGREES)
    for n in range(300):
        client.send(sb(NAWS, bytes([0, 30 + n % 200, 0, 30])))
    client.send(sb(NAWS, b"\0\x4d\0\x21"))
    await until(lambda: visitor.link.terminal.cols == 77)
    assert len(visitor.sizes) <= 4


@pytest.mark.parametrize(
    "name", [b"", b"x" * 1_900, b"\x1b]0;x\x07", b"xterm\r\nroot", b"\xc3\xa9"]
)
async def test_a_name_that_is_no_word_is_unknown(doors, name):
    _, visitor = await terminal_of(doors, (name, name))
    assert ("unknown", False) == (visitor.at_start.name, visitor.at_start.is_ansi)


async def test_a_client_that_names_itself_for_ever_is_asked_three_times(doors):
    client = await client_of(doors)
    client.send(IAC, WILL, TTYPE)
    for n in range(50):
        client.send(sb(TTYPE, IS, b"name%d" % n))
    visitor = await client.settles(doors)
    assert "name0" == visitor.at_start.name
    visitor.link.send(b"done")
    assert 3 == (await client.reads(b"done")).count(sb(TTYPE, SEND))


@pytest.mark.parametrize(
    "charset", [b"nosuchcodec", b"zlib", b"rot13", b"utf-16", b"hex", b"\xff\xff", b""]
)
async def test_a_poisoned_charset_is_not_believed(doors, charset):
    client, visitor = await terminal_of(doors, XTERM, *AGREES, sb(CHARSET, ACCEPTED, charset))
    visitor.link.send(b"caf\xc3\xa9")
    await client.reads(b"caf\xc3\xa9")
    assert "utf-8" == visitor.link.terminal.charset


async def test_a_charset_of_ours_is_believed_and_chosen(doors):
    client, visitor = await terminal_of(doors, XTERM, *AGREES)
    client.send(sb(CHARSET, ACCEPTED, b"us-ascii"))
    await until(lambda: visitor.link.terminal.charset == "ascii")
    client.send(sb(CHARSET, REQUEST, b";UTF-16;ISO-8859-1;UTF-8"))
    await client.reads(sb(CHARSET, ACCEPTED, b"ISO-8859-1"))
    await until(lambda: visitor.link.terminal.charset == "latin-1")
    client.send(sb(CHARSET, REQUEST, b";zlib;hex"))
    await client.reads(sb(CHARSET, REJECTED))


async def test_of_the_environment_little_is_kept_and_nobody_is_root(doors):
    client = await client_of(doors)
    client.send(IAC, WILL, TTYPE)
    await client.reads(IAC + DO + NEW_ENVIRON)
    client.send(
        sb(NEW_ENVIRON, IS, VAR, b"USER", VALUE, b"-f root", VAR, b"LANG", VALUE, b"x.hex",
           USERVAR, b"COLORTERM", VALUE, b"truecolor", VAR, b"TIMEOUT", VALUE, b"0",
           VAR, b"COLUMNS", VALUE, b"-1", VAR, b"LC_ALL", VALUE, b"x" * 65),
    )  # fmt: skip
    client.send(sb(TTYPE, IS, b"xterm"), sb(TTYPE, IS, b"xterm"), *AGREES, IAC, WONT, NAWS)
    visitor = await client.settles(doors)
    assert {"LANG": "x.hex", "COLORTERM": "truecolor"} == visitor.link._talk._variables
    assert ("utf-8", "true", 80) == (
        visitor.at_start.charset, visitor.at_start.colours, visitor.at_start.cols,
    )  # fmt: skip
    names = b"".join(VAR + b"N%d" % n + VALUE + b"x" for n in range(100))
    client.send(sb(NEW_ENVIRON, IS, names, VAR, b"LC_ALL", VALUE, b"C.ISO-8859-1"), b"!")
    await until(lambda: visitor.heard)
    assert "LC_ALL" not in visitor.link._talk._variables


@pytest.mark.parametrize("option", [
    MCCP2_COMPRESS, MCCP3_COMPRESS, STATUS, LOGOUT, LINEMODE, b"\xc8", b"\xfe",
])  # fmt: skip
async def test_other_options_are_refused_once(doors, option):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    client.received = b""
    client.send((IAC + DO + option + IAC + WILL + option) * 20, sb(option, SEND), b"!")
    await until(lambda: visitor.heard)
    visitor.link.send(b"done")
    answers = (await client.reads(b"done")).removesuffix(b"done")
    assert (1, 1) == (answers.count(IAC + WONT + option), answers.count(IAC + DONT + option))
    assert len(answers) < 40
    assert not visitor.was_lost


async def test_a_compressed_bomb_is_just_noise(doors):
    import zlib

    client = await client_of(doors)
    visitor = await client.settles(doors)
    bomb = zlib.compress(b"\0" * 50_000_000).replace(IAC, b"")[:40_000]
    client.send(IAC, WILL, MCCP3_COMPRESS, sb(MCCP3_COMPRESS), bomb, b"end\r\n")
    await until(lambda: visitor.heard.endswith(b"end\r\n"))
    assert bomb + b"end\r\n" == visitor.heard


@pytest.mark.parametrize("body", [b"x" * 3_000, (IAC + IAC) * 2_000])
async def test_an_endless_subnegotiation_is_cut(doors, body):
    client = await client_of(doors)
    client.send(IAC, SB, NAWS, body)
    assert await client.is_cut()
    assert 0 == doors.gate.connections


@pytest.mark.parametrize("flood", [
    IAC + DO + STATUS, IAC + WILL + ECHO, IAC + AYT, sb(STATUS, SEND), sb(NAWS, b"\0\x50\0\x18"),
    IAC + DO + SGA + IAC + DONT + SGA,
])  # fmt: skip
async def test_a_flood_of_commands_is_cut(doors, flood):
    client = await client_of(doors)
    client.send(flood * 500)
    assert await client.is_cut()
    assert 0 == doors.gate.connections


async def test_a_flood_before_login_is_cut_and_after_login_only_slowed(house):
    house.admits = False
    await house.open(telnet_wait_s=0.01, input_bytes_burst=30_000, input_bytes_per_s=100_000)
    client = await client_of(house)
    client.send(b"x" * 17_000)
    assert await client.is_cut()
    house.admits = True
    client = await client_of(house)
    visitor = await client.settles(house)
    start_s = time.monotonic()
    client.send(b"x" * 60_000)
    await until(lambda: len(visitor.heard) == 60_000)
    assert time.monotonic() - start_s > 0.2


async def test_a_flooder_is_felt_only_by_its_own_socket(house):
    await house.open(telnet_wait_s=0.01, input_bytes_burst=20_000, input_bytes_per_s=10)
    client = await client_of(house)
    visitor = await client.settles(house)
    client.writer.write(b"x" * 30_000_000)
    await until(lambda: len(visitor.heard) >= 20_000)
    assert len(visitor.heard) < 30_000
    assert client.writer.transport.get_write_buffer_size() > 1_000_000
    client.writer.transport.abort()


async def test_one_read_is_small(doors):
    client = await client_of(doors)
    visitor = await client.settles(doors)
    pieces = []
    visitor.hear = lambda data: pieces.append(len(data))
    client.send(b"x" * 100_000)
    await until(lambda: sum(pieces) == 100_000)
    assert max(pieces) <= 4_096


async def test_tls_is_closed_at_once(doors):
    client = Client(*await doors.raw())
    client.send(b"\x16\x03\x01\x02\x00\x01\x00")
    assert await client.is_cut(0.3)
    assert [] == doors.visitors


# -- the gate ----------------------------------------------------------------------------------


async def test_who_never_logs_in_is_cut(house):
    house.admits = False
    await house.open(login_s=0.2, telnet_wait_s=0.05)
    client = await client_of(house)
    assert await client.is_cut()
    assert (1, 0) == (house.visitors[0].was_lost, house.gate.connections)


async def test_the_oldest_that_waits_makes_room(house):
    house.admits = False
    await house.open(waiting_per_source_max=2)
    first, second = await client_of(house), await client_of(house)
    third = Client(*await house.raw(house.ssh))
    await third.reads(b"SSH-2.0-mudserver")
    assert await first.is_cut(0.2)
    assert not await second.is_cut(0.01)
    assert (2, 1) == (house.gate.connections, house.gate.counters.evicted)


async def test_wrong_passwords_typed_at_the_prompt_count_too(house):
    await house.open(failures_per_source_max=3)
    client = await client_of(house)
    link = (await client.settles(house)).link
    assert [True, True, False] == [link.failed() for _ in range(3)]
    late = Client(*await house.raw(house.ssh))
    assert await late.is_cut(0.5)
    assert 1 == house.gate.counters.refused_failures


async def test_over_the_rate_nothing_is_said(house):
    await house.open(new_per_source_burst=1)
    await client_of(house)
    for door in (house.ssh, house.telnet):
        late = Client(*await house.raw(door))
        assert await late.is_cut(0.5)
        assert b"" == late.received
    assert 2 == house.gate.counters.refused_rate


async def test_a_bug_behind_the_door_is_the_loop_s_to_report(doors):
    reports = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))

    def bug(data):
        raise ZeroDivisionError

    client = await client_of(doors)
    visitor = await client.settles(doors)
    visitor.hear = bug
    client.send(b"x")
    await until(lambda: visitor.was_lost)
    assert [ZeroDivisionError] == [type(report["exception"]) for report in reports]


def test_binary_is_asked_of_terminals_only():
    talk, wire = interpreter()
    talk.begin()
    talk.typed_in(IAC + WILL + TTYPE + sb(TTYPE, IS, b"MUDLET") + sb(TTYPE, IS, b"MUDLET"))
    assert IAC + WILL + BINARY not in wire.sent
    talk, wire = interpreter()
    talk.begin()
    talk.typed_in(IAC + WILL + TTYPE + sb(TTYPE, IS, b"xterm") + sb(TTYPE, IS, b"xterm"))
    assert IAC + WILL + BINARY in wire.sent
