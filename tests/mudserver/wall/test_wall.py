"""A connection through the wall is what it was without one, and outlives the game server."""

import asyncio
import logging
import os

import asyncssh
import msgspec
import pytest
from telnetlib3.telopt import DO, ECHO, GMCP, IAC, WILL, WONT

from mudserver.transport.link import AuthenticatedUser
from mudserver.wall import texts
from mudserver.wall.frames import Kind, encode, encode_progress
from mudserver.wall.game import listening_socket
from tests.mudserver.transport.server import KEY, until
from tests.mudserver.transport.telnet_client import Client, sb
from tests.mudserver.wall.house import WalledServer

ANN = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
async def walled(tmp_path):
    opened = []

    async def open_walled(*, limits=None, **wall) -> WalledServer:
        server = WalledServer(tmp_path, **wall)
        opened.append(server)
        return await server.open(**{"telnet_wait_s": 0.01, **(limits or {})})

    yield open_walled
    for server in opened:
        await server.close()


async def telnet(server: WalledServer, number: int = 0):
    client = Client(*await server.raw())
    return client, await server.handler(number)


async def ssh(server: WalledServer, number: int = 0, name: str = "guest", **options):
    client = await server.ssh_as(name, **options)
    process = await client.create_process(encoding=None, term_type="xterm", term_size=(100, 40))
    return client, process, await server.handler(number)


async def reads(process, wanted: bytes) -> bytes:
    heard = b""
    while wanted not in heard:
        heard += await asyncio.wait_for(process.stdout.read(65_536), 3)
    return heard


# -- both ways -----------------------------------------------------------------------------------


async def test_what_is_typed_is_heard_and_what_is_sent_is_read(walled):
    server = await walled()
    _, process, handler = await ssh(server)
    await reads(process, b"Welcome.\r\n")
    process.stdin.write(b"caf\xc3\xa9 \xff\x1b[A\r")
    await until(lambda: b"caf\xc3\xa9 \xff\x1b[A\r" == handler.received)
    link = handler.link
    assert ("ssh", "127.0.0.1", False, 1) == (
        link.protocol, link.peer, link.wants_json, link.json_protocol,
    )  # fmt: skip
    assert ("guest", "guest") == (handler.proven.name, handler.proven.method)
    assert (100, 40, True) == (link.terminal.cols, link.terminal.rows, link.terminal.is_ansi)
    process.change_terminal_size(90, 30)
    await until(lambda: [(90, 30)] == [(size.cols, size.rows) for size in handler.sizes])


async def test_ten_connections_hear_the_same_and_each_its_own(walled):
    server = await walled()
    clients = [await telnet(server, number) for number in range(10)]
    for number, (_, handler) in enumerate(clients):
        handler.link.send(b"to all\r\n")
        handler.link.send(b"to %d\r\n" % number)
    for number, (client, _) in enumerate(clients):
        await client.reads(b"to all\r\nto %d\r\n" % number)
    assert len({handler.link.visit for _, handler in clients}) == 10


async def test_the_end_of_either_side_is_the_end_of_the_other(walled):
    server = await walled()
    gone, first = await telnet(server)
    gone.writer.close()
    await until(lambda: first.was_lost)
    stays, second = await telnet(server, 1)
    second.link.send(b"Goodbye.")
    second.link.close()
    second.link.send(b"too late")
    await stays.reads(b"Goodbye.")
    assert await stays.is_cut()
    await until(lambda: second.was_lost)
    assert (1, 1, {}) == (first.was_lost, second.was_lost, server.door.connections)


async def test_echo_prompt_and_packages_are_the_door_s(walled):
    server = await walled()
    client, handler = await telnet(server)
    client.send(IAC, DO, GMCP, sb(GMCP, b'Core.Supports.Set ["Char 1", "Lockdown 2"]'))
    await until(lambda: handler.link.speaks_gmcp)
    assert 2 == handler.link.json_protocol
    assert ["Core.Supports.Set"] == [name for name, _ in handler.packages]
    for package in ("Char.Name", "Room.Info", "Core.Ping"):
        handler.link.send_gmcp(package, '{"name":"Grüß"}')
    handler.link.set_echo(False)
    handler.link.set_echo(True)
    handler.link.end_prompt()
    handler.link.send(b"end")
    heard = await client.reads(b"end")
    assert sb(GMCP, 'Char.Name {"name":"Grüß"}'.encode()) in heard
    assert b"Room.Info" not in heard and b"Core.Ping" in heard
    assert heard.index(IAC + WILL + ECHO) < heard.index(IAC + WONT + ECHO)


@pytest.mark.parametrize("is_old", [True, False])
async def test_a_crash_between_packages_and_what_shows_them_takes_both(walled, is_old):
    server = await walled()
    client, handler = await telnet(server)
    client.send(IAC, DO, GMCP, sb(GMCP, b'Core.Supports.Set ["Lockdown 2"]'))
    await until(lambda: handler.link.speaks_gmcp)
    handler.link.send(b"before")
    await client.reads(b"before")
    (door,) = server.game.doors
    body = ("Lockdown.Event", "{}") if is_old else ("Lockdown.Event", "{}", True)
    door.stream.add(Kind.GMCP, 1, msgspec.msgpack.encode(body))  # and here the process is killed
    await asyncio.sleep(0.05)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await server.open_game()
    again = await server.handler(1)
    again.link.send_gmcp("Lockdown.Event", '{"number":1}')
    again.link.send(b"after", 1)
    heard = await client.reads(b"after")
    assert is_old + 1 == heard.count(b"Lockdown.Event")  # an older game server says both at once


async def test_who_does_not_log_in_in_time_is_told_by_the_session(walled):
    server = await walled(limits={"login_s": 0.1})
    server.admits = False
    client, _ = await telnet(server)
    await client.reads(b"You took longer than 0.1 seconds to log in")
    assert await client.is_cut()


async def test_a_large_output_is_whole_and_acknowledged_at_the_end(walled):
    server = await walled()
    client, handler = await telnet(server)
    handler.link.send(b"x" * 200_000 + b"end")
    assert 200_000 < handler.link.backlog()
    await client.reads(b"x" * 200_000 + b"end")
    await until(lambda: 0 == handler.link.backlog())


async def test_a_client_that_does_not_read_lags_for_its_session_and_loses_the_connection(walled):
    server = await walled()
    deaf = server.deaf()
    handler = await server.handler()
    most = 0
    while not handler.was_lost:
        handler.link.send(b"x" * 8_192)
        most = max(most, handler.link.backlog())
        await asyncio.sleep(0)
    assert 65_536 < most < 8_000_000
    deaf.close()


async def test_a_quiet_line_costs_no_acknowledgement(walled):
    server = await walled()
    client, handler = await telnet(server)
    said = []
    server.door.walls[0].stream.add = lambda kind, *rest: said.append(kind)
    for number in range(20):
        handler.link.send(b"line %d\r\n" % number)
    await client.reads(b"line 19\r\n")
    assert ([], 0) == (said, handler.link.backlog())


async def test_the_game_that_a_shell_asks_for_reaches_the_game_server(walled):
    server = await walled()
    client = await server.ssh_as("guest")
    process = await client.create_process("game 1042 cast", encoding=None)
    handler = await server.handler()
    assert "game 1042 cast" == handler.link.wanted_game
    handler.link.send(b'{"version": 2}\n')
    handler.link.close()
    assert (await process.stdout.read()).endswith(b'{"version": 2}\n')


async def test_an_export_is_refused_on_the_error_stream_and_does_not_outlive_the_server(walled):
    server = await walled()
    client = await server.ssh_as("guest")
    process = await client.create_process("export", encoding=None)
    handler = await server.handler()
    assert handler.link.wants_export
    handler.link.refuse("You had one lately.")
    assert b"You had one lately.\r\n" == await process.stderr.read()
    assert 1 == (await process.wait()).exit_status
    client = await server.ssh_as("guest")
    process = await client.create_process("export", encoding=None)
    await server.handler(1)
    server.kill_game()
    await asyncio.wait_for(process.wait_closed(), 3)


@pytest.mark.parametrize("has_addresses", [True, False])
async def test_a_session_has_one_id_in_both_logs(walled, caplog, has_addresses):
    caplog.set_level(logging.DEBUG, "wall")
    server = await walled()
    server.door.log_addresses = has_addresses
    client, handler = await telnet(server)
    source = "127.0.0.1" if has_addresses else "-"
    session = handler.link.visit
    assert f"connection open session={session} protocol=telnet from={source}\n" in caplog.text
    client.writer.close()
    await until(lambda: f"connection closed session={session}\n" in caplog.text)
    server.kill_game()
    await until(lambda: "wall lost game=game connections=0" in caplog.text)
    await server.open_game()
    await until(lambda: "wall back game=game gap_ms=" in caplog.text)


# -- who somebody is -----------------------------------------------------------------------------


async def test_a_key_and_a_password_are_proven_across_the_wall(walled):
    server = await walled()
    server.authenticator.keys["ann"].add(ANN.get_fingerprint())
    _, _, handler = await ssh(server, name="ann", client_keys=[ANN])
    assert ("ann", "key", ANN.get_fingerprint()) == (
        handler.proven.name, handler.proven.method, handler.proven.fingerprint,
    )  # fmt: skip
    _, _, handler = await ssh(server, 1, name="bob", password="hunter22")
    assert ("bob", "password") == (handler.proven.name, handler.proven.method)
    with pytest.raises(asyncssh.PermissionDenied):
        await server.ssh_as("ann", client_keys=[KEY])
    with pytest.raises(asyncssh.DisconnectError):
        await server.ssh_as("admin")


async def test_every_question_of_authentication_is_answered_across_the_wall(walled):
    server = await walled()
    asked, answers = server.door.authenticator, server.authenticator
    answers.unusable, answers.obstacles = {"SHA256:bad"}, {"SHA256:own": "Your key is ann's."}
    assert ("known", "") == await asked.name_status("ann", "192.0.2.1")
    assert ("refused", "This is a reserved name.") == await asked.name_status("admin", "192.0.2.1")
    assert await asked.new_key_obstacle("new", "ssh-ed25519 A", "SHA256:new") is None
    assert "This key can't be used here." == await asked.new_key_obstacle("x", "ssh-", "SHA256:bad")
    assert "Your key is ann's." == await asked.proven_key_obstacle("SHA256:own")
    assert "" == await asked.proven_key_obstacle("SHA256:new")
    assert 2 == await asked.other_keys("ann+recovery")
    assert "" == await asked.recover("ann+recovery", "a secret", "192.0.2.1", keeps_keys=False)
    assert [("ann+recovery", "a secret", False)] == answers.recovered
    assert "That password is too short" in await asked.register("new", "short", "192.0.2.1")
    assert "" == await asked.register("new", "long enough", "192.0.2.1")
    assert await asked.check_password("new", "long enough", "192.0.2.1") is True
    assert await asked.check_password("new", "wrong", "192.0.2.1") is False


async def test_what_fits_no_frame_is_refused_at_the_door(walled):
    server = await walled()
    asked, known = server.door.authenticator, server.authenticator
    assert "" == await asked.new_key_obstacle("new", "ssh-rsa " + "A" * 20_000, "SHA256:new")
    assert ("refused", texts.TOO_LONG) == await asked.name_status("x" * 1_025, "192.0.2.1")
    assert await asked.check_password("ann", "x" * 4_097, "192.0.2.1") is False
    assert texts.TOO_LONG == await asked.register("new", "x" * 4_097, "192.0.2.1")
    assert (0, True) == (known.checks, server.door.is_open)
    assert ("known", "") == await asked.name_status("ann", "192.0.2.1")


async def test_wrong_passwords_count_at_the_door_and_are_logged_by_the_game_server(walled):
    server = await walled(limits={"failures_per_source_max": 3})
    _, handler = await telnet(server)
    assert [True, True, False] == [await handler.link.count_failure("ann") for _ in range(3)]
    assert not await handler.link.may_try("ann")
    await until(lambda: 3 == len(server.failed))
    assert [("ann", "password", "telnet")] * 3 == [tuple(one) for one, _, _ in server.failed]
    assert [2, 1, 0] == [left for _, left, _ in server.failed]


async def test_who_asks_and_hears_nothing_is_told_so(tmp_path):
    server = WalledServer(tmp_path, ask_s=5)
    server.door_protocols = (9, 9)  # no game server speaks that
    await server.open_game()
    await server.open_door(waits=False)
    server.door.authenticator._ask_s = 0.05
    with pytest.raises(Exception, match="restarting"):
        await server.door.authenticator.name_status("ann", "192.0.2.1")
    await server.close()


# -- the wall ------------------------------------------------------------------------------------


async def test_settings_that_differ_are_named(walled, tmp_path, caplog):
    server = WalledServer(tmp_path)
    server.door_settings = {"wall.hold_s": "60.0", "door.login_s": "30.0"}
    await server.open_game()
    await server.open_door()
    assert "settings differ door=1 key=wall.hold_s" in caplog.text
    assert "door.login_s" not in caplog.text
    await server.close()


async def test_what_is_no_frame_ends_the_wall_and_nothing_else(walled, caplog):
    server = await walled()
    for junk in (b"GET / HTTP/1.1\r\n\r\n", encode(Kind.PONG), bytes(9), b"\xff" * 100):
        reader, writer = await asyncio.open_unix_connection(str(server.path))
        writer.write(junk)
        while await asyncio.wait_for(reader.read(4_096), 2):
            pass
        writer.close()
    assert 4 == caplog.text.count("wall closed door=")
    client, handler = await telnet(server)
    handler.link.send(b"still here")
    await client.reads(b"still here")


async def test_what_begins_before_it_was_typed_ends_the_wall_and_nothing_else(walled, caplog):
    server = await walled()
    client, _ = await telnet(server)
    server.game.doors[0].stream.add(Kind.PROGRESS, 1, encode_progress(9, 9))
    await until(lambda: "wall closed game=game error=PROGRESS 9 of 0" in caplog.text)
    again = await server.handler(1)
    again.link.send(b"still here")
    await client.reads(b"still here")


async def test_a_process_of_another_user_is_not_heard(walled, caplog):
    server = await walled()
    server.game._uids = {-1}
    _, writer = await asyncio.open_unix_connection(str(server.path))
    await until(lambda: "the process is of another user" in caplog.text)
    writer.close()
    assert 0o600 == server.path.stat().st_mode & 0o777


def test_doors_of_another_user_can_open_the_socket_whatever_the_umask(tmp_path):
    before = os.umask(0o077)  # as in the units
    try:
        listening_socket(tmp_path / "game.sock", 0o660).close()
    finally:
        os.umask(before)
    assert 0o660 == (tmp_path / "game.sock").stat().st_mode & 0o777


async def test_a_connection_that_cannot_be_opened_keeps_no_other_from_it(walled, caplog):
    server = await walled()
    bad, _ = await telnet(server)
    good, _ = await telnet(server, 1)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    server.door.connections[1]._proven = AuthenticatedUser("x", "newkey", "k" * 70_000)
    await server.open_game()
    handler = await server.handler(2)
    handler.link.send(b"still here")
    await good.reads(b"still here")
    assert await bad.is_cut()
    assert "connection failed" in caplog.text


async def test_what_listings_read_is_what_the_game_server_said_last(walled):
    server = await walled()
    await until(lambda: server.door.status())
    assert {"NAME": "Cards", "GAMES": ("a", "b")} == server.door.status()


# -- a game server that goes ---------------------------------------------------------------------


async def test_an_ssh_connection_outlives_the_game_server_with_what_was_typed(walled):
    server = await walled()
    server.authenticator.keys["ann"].add(ANN.get_fingerprint())
    client, process, first = await ssh(server, name="ann", client_keys=[ANN])
    process.stdin.write(b"look\rgive ")
    await until(lambda: b"look\rgive " == first.received)
    server.kill_game()
    await until(lambda: first.was_lost and not server.door.is_open)
    process.stdin.write(b"7h\r")
    await server.open_game()
    second = await server.handler(1)
    await until(lambda: b"give 7h\r" == second.received)
    assert ("ann", "key") == (second.proven.name, second.proven.method)
    assert first.link.visit == second.link.visit
    second.link.send(b"Juno has it.")
    await reads(process, b"Juno has it.")
    client.close()


async def test_a_new_account_is_not_registered_a_second_time(walled):
    server = await walled()
    _, _, first = await ssh(server, name="newcomer", client_keys=[ANN])
    assert "newkey" == first.proven.method
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await server.open_game()
    assert "key" == (await server.handler(1)).proven.method


async def test_a_session_that_is_not_taken_up_hears_nothing_of_what_was_typed_before(walled):
    server = await walled()
    client, first = await telnet(server)
    client.send(b"half a li")
    await until(lambda: b"half a li" == first.received)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    client.send(b"ne\r\n")
    await until(lambda: 13 == len(server.door.connections[1].retained))
    server.on_answer = lambda handler: handler.link.holder.skip_input()
    await server.open_game()
    second = await server.handler(1)
    assert (True, b"") == (second.link.holder.is_again, second.link.holder.capsule)
    client.send(b"ann\r\n")
    await until(lambda: b"ann\r\n" == second.received)


async def test_what_a_session_leaves_is_there_for_the_next(walled):
    server = await walled()
    client, first = await telnet(server)
    assert (False, b"", False) == (
        first.link.holder.is_again, first.link.holder.capsule, first.link.holder.is_line_uncertain,
    )  # fmt: skip
    first.link.holder.keep(b"capsule 1", b"One moment.")
    first.link.holder.keep(b"capsule 2", b"One moment.")
    first.on_data = lambda data: first.link.holder.begin(first.link.holder.take(), lambda: None)
    client.send(b"give 7h\r\n")
    await until(lambda: 9 == server.door.connections[1]._begun)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    server.door._say_wait()
    await server.open_game()
    holder = (await server.handler(1)).link.holder
    assert (True, b"capsule 2", True, True) == (
        holder.is_again, holder.capsule, holder.has_waited, holder.is_line_uncertain,
    )  # fmt: skip
    assert first.link.holder.nonce == holder.nonce
    await client.reads(b"One moment.")


async def test_what_was_shown_last_is_known_to_the_next_game_server(walled):
    server = await walled()
    client, first = await telnet(server)
    assert 0 == first.link.holder.seen
    first.link.send(b"", 7)
    first.link.send(b"You draw.")
    await client.reads(b"You draw.")
    assert 7 == server.door.connections[1]._seen
    first.link.send(b"more")
    await client.reads(b"more")
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await server.open_game()
    assert 7 == (await server.handler(1)).link.holder.seen


async def test_capsules_are_bounded_in_all(walled, caplog):
    server = await walled()
    server.door.config = type(server.door.config)(held_mib_max=8)
    server.door._kept_bytes = 8 * 1_048_576 - 10
    _, first = await telnet(server)
    first.link.holder.keep(b"x" * 10, b"")
    first.link.holder.keep(b"y" * 11, b"")
    first.link.holder.keep(b"z" * 9, b"")
    first.link.holder.keep(b"y" * 11, b"")
    connection = server.door.connections[1]
    await until(lambda: b"z" * 9 == connection._capsule)
    await until(lambda: "capsules not kept" in caplog.text)
    assert 1 == caplog.text.count("capsules not kept")
    first.link.close()
    await until(lambda: not server.door.connections)
    assert 8 * 1_048_576 - 10 == server.door._kept_bytes


async def test_nothing_of_a_password_is_kept(walled):
    server = await walled()
    _, process, first = await ssh(server)
    first.link.set_echo(False)
    await until(lambda: server.door.connections[1]._is_secret)
    process.stdin.write(b"hunter")
    await until(lambda: b"hunter" == first.received)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    process.stdin.write(b"22\r")
    await asyncio.sleep(0.05)
    await server.open_game()
    second = await server.handler(1)
    process.stdin.write(b"look\r")
    await until(lambda: b"look\r" == second.received)


async def test_who_waits_is_told_once_and_in_the_end_let_go(tmp_path):
    server = WalledServer(tmp_path, notice_s=0.5, hold_s=5)
    server.wall_config = type(server.wall_config)(notice_s=0.5, hold_s=5)
    await server.open(telnet_wait_s=0.01)
    client, handler = await telnet(server)
    handler.link.holder.keep(b"capsule", b"One moment.")
    await until(lambda: server.door.connections[1]._capsule)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    server.door._say_wait()
    server.door._say_wait()
    server.door._give_up()
    heard = await client.reads(texts.NOT_BACK.encode())
    assert 1 == heard.count(b"One moment.")
    assert await client.is_cut()
    await server.close()


async def test_a_game_server_that_hangs_is_noticed_and_has_the_row_drawn_when_it_is_back(walled):
    server = await walled(notice_s=0.5)
    client, handler = await telnet(server)
    handler.link.holder.keep(b"capsule", b"One moment.")
    await until(lambda: server.door.connections[1]._capsule)
    for door in server.game.doors:
        door._say_hello_again = lambda: None
    heard = await client.reads(b"One moment.")
    assert server.door.is_open and 1 == heard.count(b"One moment.")
    sizes = len(handler.sizes)
    handler.link.send(b"Here again.")
    await client.reads(b"Here again.")
    await until(lambda: sizes < len(handler.sizes))
    assert not server.door.connections[1]._has_waited


async def test_a_connection_that_arrives_meanwhile_waits_so_long_and_no_longer(walled, monkeypatch):
    server = await walled()
    server.kill_game()
    await until(lambda: not server.door.is_open)
    monkeypatch.setattr("mudserver.wall.door.NEW_WAIT_S", 0.05)
    client = Client(*await server.raw())
    await client.reads(texts.RESTARTING.encode())
    assert await client.is_cut()


async def test_a_login_deadline_stands_still_while_there_is_no_game_server(walled):
    server = await walled(limits={"login_s": 0.3})
    server.gate.stood_still_s = server.door.gaps_s
    server.admits = False
    client, _ = await telnet(server)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    await asyncio.sleep(0.5)
    await server.open_game()
    await server.handler(1)
    assert 0.5 <= server.door.gaps_s() and 1 == len(server.door.connections)
    await client.reads(b"You took longer than 0.3 seconds to log in")


async def test_a_registration_that_was_asked_is_asked_again_and_is_not_taken(walled):
    server = await walled()
    asked, answers = server.door.authenticator, server.authenticator
    register, begun = answers.register, []

    async def hang(name, password, peer, **options):
        await register(name, password, peer)
        begun.append(name)
        await asyncio.sleep(60)

    answers.register = hang
    waiting = asyncio.ensure_future(asked.register("new", "long enough", "192.0.2.1"))
    await until(lambda: begun)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    answers.register = register
    await server.open_game()
    assert "" == await asyncio.wait_for(waiting, 3)


async def test_a_connection_that_arrives_meanwhile_waits_for_for_the_next_game_server(walled):
    server = await walled()
    server.kill_game()
    await until(lambda: not server.door.is_open)
    client = Client(*await server.raw())
    client.send(b"ann\r\n")
    await until(lambda: server.door.connections)
    await server.open_game()
    handler = await server.handler()
    await until(lambda: b"ann\r\n" in handler.received)


async def test_input_that_has_not_begun_is_bounded_and_left_with_its_sender(walled):
    server = await walled(retained_bytes=4_096)
    _, process, _ = await ssh(server)
    server.kill_game()
    await until(lambda: not server.door.is_open)
    typed = b"".join(b"line %d\r" % number for number in range(5_000))
    process.stdin.write(typed)
    await asyncio.sleep(0.2)
    assert 4_096 <= len(server.door.connections[1].retained) < 4_096 + 65_536
    await server.open_game()
    second = await server.handler(1)
    await until(lambda: typed == second.received, timeout_s=10)


# -- another server takes over -------------------------------------------------------------------


async def test_a_door_goes_to_the_server_that_has_taken_over_and_brings_what_was_not_begun(walled):
    server = await walled()
    client, process, first = await ssh(server)
    await reads(process, b"Welcome.\r\n")
    process.stdin.write(b"give ")
    await until(lambda: b"give " == first.received)
    old = server.game
    old.hold()
    process.stdin.write(b"7h\r")
    old.fall_silent()
    first.link.send(b"Nobody reads this.")
    await server.open_game()
    old.close("restart", is_succeeded=True)
    second = await server.handler(1)
    await until(lambda: b"give 7h\r" == second.received)
    assert (b"give ", False) == (first.received, first.was_lost)
    assert server.path.exists()
    second.link.send(b"Juno has it.")
    assert b"Nobody" not in await reads(process, b"Juno has it.")
    client.close()


async def test_who_comes_while_a_server_hands_over_has_a_first_session_that_hears_all(walled):
    server = await walled()
    old, heard = server.game, list[bool]()
    old.hold()
    client = Client(*await server.raw())
    await until(lambda: old._connections())
    client.send(b"guest\r\n")
    await until(lambda: server.door.connections[1].retained)
    server.door.connections[1].wait_no_longer()  # a game server has it
    old.fall_silent()
    server.on_answer = lambda handler: heard.append(handler.link.holder.is_again)
    await server.open_game()
    old.close("restart", is_succeeded=True)
    second = await server.handler()
    assert [False] == heard
    await until(lambda: second.received.endswith(b"guest\r\n"))
    client.writer.close()


async def test_a_server_that_goes_on_after_all_says_what_it_held(walled):
    server = await walled()
    client, process, first = await ssh(server)
    await reads(process, b"Welcome.\r\n")
    server.game.hold()
    server.game.fall_silent()
    process.stdin.write(b"look\r")
    first.link.send(b"Juno ")
    await asyncio.sleep(0.05)
    assert b"" == first.received
    server.game.release()
    first.link.send(b"is here.")
    await reads(process, b"Juno is here.")
    await until(lambda: b"look\r" == first.received)
    client.close()


async def test_what_is_typed_is_heard_after_a_handover_that_failed_before_anything_was_held(walled):
    server = await walled()
    client, process, first = await ssh(server)
    await reads(process, b"Welcome.\r\n")
    server.game.release()
    process.stdin.write(b"look\r")
    await until(lambda: b"look\r" == first.received)
    client.close()


async def test_a_door_whose_successor_is_not_there_comes_back(walled):
    server = await walled()
    client, process, _ = await ssh(server)
    await reads(process, b"Welcome.\r\n")
    server.path.unlink()
    server.game.close("restart", is_succeeded=True)
    await server.open_game()
    second = await server.handler(1)
    second.link.send(b"Here.")
    await reads(process, b"Here.")
    client.close()
