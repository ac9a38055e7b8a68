"""Telnet as MUD clients speak it: prompts, charsets, variables, MSSP, GMCP."""

import asyncio

import pytest
from telnetlib3.telopt import (
    ACCEPTED,
    CHARSET,
    CMD_EOR,
    DO,
    DONT,
    ECHO,
    EOR,
    GA,
    GMCP,
    IAC,
    IS,
    MCCP2_COMPRESS,
    MCCP3_COMPRESS,
    MSSP,
    NEW_ENVIRON,
    REQUEST,
    SGA,
    TTYPE,
    USERVAR,
    VALUE,
    VAR,
    WILL,
    WONT,
)

from tests.mudserver.transport.server import until
from tests.mudserver.transport.telnet_client import (
    AGREES,
    MTTS_MUDLET,
    XTERM,
    client_of,
    sb,
    terminal_of,
)
from tests.prompts import LOBBY

MUDLET = (b"MUDLET", b"ANSI-TRUECOLOR", MTTS_MUDLET)
ALL = sb(GMCP, b'Core.Supports.Set ["Char 1", "Comm.Channel 1", "Lockdown 1"]')


async def mudlet_of(open_server, *more):
    client, handler = await terminal_of(open_server, MUDLET, *more)
    await client.reads(b"Welcome.")
    client.received = b""
    return client, handler


async def hears_all(client, handler) -> bytes:
    """Everything up to a mark that is sent now."""
    handler.link.send(b"#mark#")
    heard = (await client.reads(b"#mark#")).removesuffix(b"#mark#")
    client.received = b""
    return heard


# -- prompts -----------------------------------------------------------------------------------


async def test_a_prompt_ends_in_go_ahead_unless_it_is_suppressed(open_server):
    client, handler = await mudlet_of(open_server)
    handler.link.send(LOBBY.encode())
    handler.link.end_prompt()
    assert LOBBY.encode() + IAC + GA == await hears_all(client, handler)
    client.send(IAC, DO, SGA)
    await client.reads(IAC + WILL + SGA)
    client.received = b""
    handler.link.end_prompt()
    assert b"" == await hears_all(client, handler)


async def test_a_prompt_ends_in_end_of_record_where_that_is_agreed(open_server):
    client, handler = await mudlet_of(open_server, IAC, DO, EOR, IAC, DO, SGA)
    handler.link.end_prompt()
    assert IAC + CMD_EOR == (await hears_all(client, handler))[-2:]
    client.send(IAC, DONT, EOR)
    await client.reads(IAC + WONT + EOR)
    client.received = b""
    handler.link.end_prompt()
    assert b"" == await hears_all(client, handler)


async def test_netcat_sees_no_go_ahead(open_server):
    client = await client_of(open_server)
    handler = await client.settles(open_server)
    client.received = b""
    handler.link.send(b"Name: ")
    handler.link.end_prompt()
    assert b"\xff" not in await hears_all(client, handler)


async def test_go_aheads_are_suppressed_for_who_asks_first(open_server):
    client = await client_of(open_server)
    client.send(IAC, DO, SGA, IAC, DO, SGA)
    await client.reads(IAC + WILL + SGA)
    handler = await client.settles(open_server)
    assert 1 == (await hears_all(client, handler)).count(IAC + WILL + SGA)
    assert not handler.link.terminal.is_character_mode


# -- the terminal ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "charset"), [
    (b"CP437", "cp437"), (b"IBM437", "cp437"), (b"ISO-8859-1", "latin-1"), (b"UTF-8", "utf-8"),
    (b"US-ASCII", "ascii"),
])  # fmt: skip
async def test_a_charset_may_be_taken_or_wished_for(open_server, name, charset):
    client, handler = await mudlet_of(open_server, IAC, DO, CHARSET)
    client.send(sb(CHARSET, ACCEPTED, name))
    await until(lambda: handler.link.terminal.charset == charset)
    client, handler = await mudlet_of(open_server, IAC, DO, CHARSET)
    client.send(sb(CHARSET, REQUEST, b"[TTABLE]\x01;EBCDIC;" + name))
    await client.reads(sb(CHARSET, ACCEPTED, name))
    await until(lambda: handler.link.terminal.charset == charset)


async def test_four_charsets_are_offered(open_server):
    client = await client_of(open_server)
    client.send(IAC, WILL, TTYPE)
    await client.reads(IAC + WILL + CHARSET)
    client.send(IAC, DO, CHARSET)
    await client.reads(sb(CHARSET, REQUEST, b";UTF-8;ISO-8859-1;CP437;US-ASCII"))


@pytest.mark.parametrize(("variables", "attribute", "believed"), [
    ({b"CHARSET": b"ISO-8859-1"}, "charset", "latin-1"),
    ({b"CHARSET": b"unicode_escape"}, "charset", "utf-8"),
    ({b"SYSTEMTYPE": b"WIN32"}, "charset", "ascii"),
    ({b"LANG": b"de_DE.ISO-8859-1"}, "charset", "latin-1"),
    ({b"NO_COLOR": b"1"}, "colours", "off"),
    ({b"NO_COLOR": b""}, "colours", "256"),
    ({b"COLORTERM": b"truecolor"}, "colours", "true"),
])  # fmt: skip
async def test_a_few_variables_are_believed(open_server, variables, attribute, believed):
    said = b"".join(VAR + name + VALUE + value for name, value in variables.items())
    client, handler = await terminal_of(open_server, XTERM, *AGREES, sb(NEW_ENVIRON, IS, said))
    await client.reads(b"Welcome.")
    await until(lambda: getattr(handler.link.terminal, attribute) == believed)


async def test_a_client_without_a_kind_may_tell_it_as_a_variable(open_server):
    client = await client_of(open_server)
    client.send(IAC, WONT, TTYPE)
    client.send(sb(NEW_ENVIRON, IS, USERVAR, b"TERM", VALUE, b"xterm-256color"))
    handler = await client.settles(open_server)
    await until(lambda: handler.link.terminal.name == "xterm-256color")
    assert (True, False) == (
        handler.link.terminal.is_ansi, handler.link.terminal.is_character_mode,
    )  # fmt: skip


# -- MSSP --------------------------------------------------------------------------------------


async def test_a_list_of_games_reads_about_the_server_once(open_server):
    client = await client_of(open_server)
    client.send(IAC, WONT, TTYPE)
    await client.reads(IAC + WILL + MSSP)
    client.send(IAC, DO, MSSP, IAC, DO, MSSP, IAC, DONT, MSSP, IAC, DO, MSSP)
    handler = await client.settles(open_server)
    heard = await hears_all(client, handler)
    assert 1 == heard.count(sb(MSSP, b"\x01NAME\x02Cards\x01GAMES\x02a\x02b"))
    assert 1 == heard.count(b"\x01NAME")


# -- GMCP --------------------------------------------------------------------------------------


async def test_a_client_gets_the_packages_it_asked_for(open_server):
    client, handler = await mudlet_of(open_server)
    assert not handler.link.speaks_gmcp
    assert handler.link.modules is None
    client.send(IAC, DO, GMCP, sb(GMCP, b'Core.Hello {"client":"Mudlet"}'), ALL)
    await until(lambda: handler.link.speaks_gmcp)
    assert (("char", 1), ("comm.channel", 1), ("lockdown", 1)) == handler.link.modules
    assert ["Core.Supports.Set"] == [name for name, _ in handler.packages]
    handler.link.send_gmcp("Char.Name", '{"name":"Grüß"}')
    handler.link.send_gmcp("Room.Info", "{}")
    handler.link.send_gmcp("Lockdown.View", "[1]")
    heard = await hears_all(client, handler)
    assert heard.endswith(
        sb(GMCP, 'Char.Name {"name":"Grüß"}'.encode()) + sb(GMCP, b"Lockdown.View [1]")
    )
    assert b"Room" not in heard


async def test_a_client_asks_for_a_protocol(open_server):
    client, handler = await mudlet_of(open_server)
    assert 1 == handler.link.json_protocol
    for asked, protocol in ((b"Lockdown 2", 2), (b"Lockdown 1", 1), (b"Lockdown 3", 2)):
        count = len(handler.packages)
        client.send(IAC, DO, GMCP, sb(GMCP, b'Core.Supports.Set ["%b"]' % asked))
        await until(lambda count=count: len(handler.packages) > count)
        assert protocol == handler.link.json_protocol


async def test_a_client_that_asks_before_it_was_offered_is_answered_once(open_server):
    client = await client_of(open_server)
    client.send(IAC, DO, GMCP, IAC, DO, GMCP, ALL)
    handler = await client.settles(open_server)
    await until(lambda: handler.link.speaks_gmcp)
    assert 1 == (await hears_all(client, handler)).count(IAC + WILL + GMCP)


async def test_nobody_is_sent_a_package_before_the_login(open_server):
    open_server.admits = False
    client, handler = await mudlet_of(open_server, IAC, DO, GMCP, ALL)
    client.send(sb(GMCP, b"Core.Ping"))
    handler.link.send_gmcp("Char.Name", "{}")
    assert not handler.link.speaks_gmcp
    assert b"Char" not in await hears_all(client, handler)
    handler.link.mark_logged_in("ann", is_regular=False)
    assert handler.link.speaks_gmcp
    handler.link.send_gmcp("Char.Name", "{}")
    heard = await hears_all(client, handler)
    assert heard.endswith(sb(GMCP, b"Char.Name {}"))
    assert b"Ping" not in heard


async def test_a_ping_is_answered_and_what_is_unknown_is_not(open_server):
    client, handler = await mudlet_of(open_server, IAC, DO, GMCP)
    client.send(ALL)
    await until(lambda: handler.packages)
    client.send(
        sb(GMCP, b"Core.Ping 120"), sb(GMCP, b"Room.Info 1"), sb(GMCP, b"nonsense"),
        sb(GMCP, b"Core.Supports.Set ["), sb(GMCP, b"Char.Name \xff\xff"),
        sb(GMCP, b'Comm.Channel.Players'), b"x\r\n",
    )  # fmt: skip
    await until(lambda: handler.received == b"x\r\n")
    assert sb(GMCP, b"Core.Ping") == (await hears_all(client, handler))[-len(b"Core.Ping") - 5 :]
    assert ["Core.Supports.Set", "Comm.Channel.Players"] == [name for name, _ in handler.packages]


async def test_packages_without_agreement_are_not_heard(open_server):
    client, handler = await mudlet_of(open_server)
    client.send(ALL, b"x\r\n")
    await until(lambda: handler.received)
    assert [] == handler.packages
    handler.link.send_gmcp("Char.Name", "{}")
    assert b"" == await hears_all(client, handler)


async def test_a_flood_of_packages_ends_the_line(open_server):
    client, handler = await mudlet_of(open_server, IAC, DO, GMCP, ALL)
    client.send(sb(GMCP, b"Core.Ping") * 1_000)
    assert await client.is_cut()
    await until(lambda: handler.was_lost)


async def test_a_package_of_a_megabyte_ends_the_line(open_server):
    client, _ = await mudlet_of(open_server, IAC, DO, GMCP, ALL)
    client.send(sb(GMCP, b'Core.Hello {"client": "' + b"x" * 1_000_000 + b'"}'))
    assert await client.is_cut()


async def test_a_client_that_tells_no_kind_is_called_what_it_says_by_gmcp(open_server):
    client = await client_of(open_server)
    client.send(IAC, WONT, TTYPE, IAC, DO, GMCP, sb(GMCP, b'Core.Hello {"client":"MyClient"}'))
    handler = await client.settles(open_server)
    await until(lambda: handler.link.terminal.name == "myclient")
    client.send(sb(GMCP, b'Core.Hello {"client":"\\u001b[2J"}'), b"x")
    await until(lambda: handler.received)
    await asyncio.sleep(0.05)
    assert "unknown" == handler.link.terminal.name


# -- what is not done --------------------------------------------------------------------------


@pytest.mark.parametrize("option", [MCCP2_COMPRESS, MCCP3_COMPRESS])
async def test_nothing_is_compressed(open_server, option):
    client, handler = await mudlet_of(open_server, IAC, DO, option, IAC, WILL, option)
    client.send(sb(option), b"x")
    await until(lambda: handler.received == b"x")
    heard = await hears_all(client, handler)
    assert IAC + WILL + option not in heard
    assert IAC + DO + option not in heard


async def test_a_password_hides_only_itself_also_after_go_aheads_were_suppressed(open_server):
    client, handler = await mudlet_of(open_server, IAC, DO, SGA)
    handler.link.set_echo(False)
    await client.reads(IAC + WILL + ECHO)
    client.send(IAC, DO, ECHO, b"secret\r\n")
    await until(lambda: handler.received)
    assert not handler.link.terminal.is_character_mode
    handler.link.set_echo(True)
    await client.reads(IAC + WONT + ECHO)
