"""Other settings for a server that is open: what it takes, what waits, what changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import ssl
import subprocess
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from msgspec import inspect

import tests
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.config.setting_info import SETTINGS, SettingInfo, value_of, with_values
from mudserver.errors import StartError
from mudserver.source_budgets import OverBudget, SourceBudgets
from mudserver.transport.gate import FailedLogin
from mudserver.transport.listener_manager import TLS, ListenerManager
from mudserver.transport.ssh import host_keys
from tests import few_words
from tests.certificate import certificate
from tests.forked import Forked
from tests.prompts import TABLE_1
from tests.simulation import virtual
from tests.simulation.server import FakeLink, Seatholder, SimServer, new_world

FAILED = FailedLogin("ann", "password", "telnet")


def told(scenario: Callable[[SimServer], Awaitable[None]], **sections: object) -> None:
    """A scenario in a server of its own, on a virtual clock."""

    async def whole() -> None:
        server = await SimServer(new_world(1, **sections)).open()
        try:
            await scenario(server)
        finally:
            await server.stop()

    virtual.run(whole())


def take(server: SimServer, **values: Any) -> None:
    """The server takes other values: `session__idle_s=300.0`."""
    wanted = {name.replace("__", ".", 1): value for name, value in values.items()}
    server.app.reconfigure(with_values(server.app.config, wanted))


async def said_to(one: Seatholder, line: str) -> str:
    one.forget()
    one.type(line)
    await asyncio.sleep(0.5)
    return one.text


def other(key: SettingInfo) -> Any:
    """A value that *key* may have, and has not by default."""
    match key.type, key.default:
        case inspect.BoolType(), value:
            return not value
        case inspect.LiteralType(values=values), value:
            return next(each for each in values if each != value)
        case inspect.FloatType(), value:
            return value / 2
        case inspect.IntType(le=most), value:
            return value + 1 if value < most else value - 1
        case inspect.StrType(), _ if key.is_file:
            return tests.__file__  # which is empty
        case inspect.StrType(), value:
            return "127.0.0.1:4242" if key.is_address else value + "x"
        case _, (_, *rest):  # a list of names
            return tuple(rest)
        case _ if key.path == "wall.games":
            return ("/run/game.sock",)
        case _ if key.path == "notify.command":
            return ("/bin/true",)
        case _:
            return ("10.0.0.0/8",)


def test_every_key_is_taken_or_named_as_waiting(caplog):
    caplog.set_level(logging.INFO, "mudserver")

    async def scenario(server: SimServer) -> None:
        was = server.app.config
        for path, key in SETTINGS.items():
            value = msgspec.convert(other(key), key.annotation)
            caplog.clear()
            server.app.reconfigure(with_values(was, {path: value}))
            line = caplog.messages[0]
            held = value_of(server.app.config, path)
            if key.is_live:
                assert held == value, path
                assert line.startswith(f"setting changed key={path} old="), line
                assert "configuration reloaded changed=1 pending_restart=0" == caplog.messages[1]
            else:
                assert held == value_of(was, path), path
                assert line.startswith(f"setting needs a restart key={path} current="), line
                assert "configuration reloaded changed=0 pending_restart=1" == caplog.messages[1]
            server.app.reconfigure(was)
        assert was == server.app.config

    told(scenario)


def test_nothing_new_is_one_line(caplog):
    caplog.set_level(logging.INFO, "mudserver")

    async def scenario(server: SimServer) -> None:
        server.app.reconfigure(server.app.config)
        assert ["configuration reloaded changed=0 pending_restart=0"] == caplog.messages

    told(scenario)


def test_a_tls_listener_that_is_taken_away_has_its_certificate_until_the_next_start(caplog):
    caplog.set_level(logging.INFO, "mudserver")

    async def scenario(server: SimServer) -> None:
        was = server.app.config
        gone = {f"server__{key}": "" for key in ("tls", "tls_cert", "tls_key")}
        take(server, **gone, door__login_s=1.0)
        assert with_values(was, {"door.login_s": 1.0}) == server.app.config
        waiting = [line for line in caplog.messages if "setting needs a restart key=" in line]
        assert ["server.tls", "server.tls_cert", "server.tls_key"] == [
            line.partition("key=")[2].partition(" ")[0] for line in waiting
        ]

    server = schema.ServerConfig(tls="127.0.0.1:0", tls_cert="a", tls_key="b")
    told(scenario, server=server)


# -- each section --------------------------------------------------------------------------------


def test_server_the_next_person_reads_the_new_name():
    async def scenario(server: SimServer) -> None:
        take(server, server__name="The Other Server")
        link = server.connect(FakeLink())
        await asyncio.sleep(0.5)
        assert "Welcome to The Other Server: " in link.text

    told(scenario)


def test_door_a_source_has_as_many_tries_more_as_it_may_have_more():
    async def scenario(server: SimServer) -> None:
        gate = server.app.listeners.gate
        slot = gate.admit("198.51.100.1", lambda slot: None)
        assert not slot.count_failure(FAILED)
        take(server, sources__failures_per_source_max=3)
        assert slot.count_failure(FAILED)
        assert not slot.count_failure(FAILED)

    few = schema.SourceLimits(failures_per_source_max=1, failure_forgiven_s=3_600.0)
    told(scenario, sources=few)


def test_door_new_connections_come_as_quickly_as_is_said_now():
    async def scenario(server: SimServer) -> None:
        gate = server.app.listeners.gate
        slots = [gate.admit("198.51.100.1", lambda slot: None) for _ in range(4)]  # nobody waits
        with pytest.raises(OverBudget, match="connections from"):
            gate.admit("198.51.100.1", lambda slot: None)
        take(server, sources__new_per_source_burst=3)
        slots.append(gate.admit("198.51.100.1", lambda slot: None))
        for slot in slots:
            slot.mark_logged_in("", is_regular=False)
        take(server, people__sessions_max=5)
        with pytest.raises(OverBudget, match="The server is full"):
            gate.admit("198.51.100.1", lambda slot: None)

    told(scenario, sources=schema.SourceLimits(new_per_source_burst=1, new_per_source_per_s=0.001))


def test_people_the_file_of_denied_words_is_read_again_and_a_wrong_one_changes_nothing(tmp_path):
    async def scenario(server: SimServer) -> None:
        accounts, file = server.app.account_service, tmp_path / "denied.txt"
        file.write_text("badword\n")
        assert "free" == accounts.name_status("xBadWord")[0]
        take(server, people__names_denied=str(file))
        assert "refused" == accounts.name_status("xBadWord")[0]
        file.write_text("worse\n")
        take(server)
        assert "free" == accounts.name_status("xBadWord")[0]
        file.unlink()
        with pytest.raises(StartError, match=r"people\.names_denied"):
            take(server, chat__burst=7)
        assert "refused" == accounts.name_status("even-worse")[0]
        assert 7 != server.app.config.chat.burst

    told(scenario)


def test_people_the_name_of_a_channel_is_nobodys():
    async def scenario(server: SimServer) -> None:
        accounts = server.app.account_service
        assert "free" == accounts.name_status("poker")[0]
        take(server, chat__channels=("poker",))
        assert "refused" == accounts.name_status("poker")[0]

    told(scenario)


def test_people_the_name_of_a_game_is_nobodys():
    async def scenario(server: SimServer) -> None:
        for game in server.app.platform.catalogue:
            assert "refused" == server.app.account_service.name_status(f"{game}1")[0]

    told(scenario)


def test_line_limits_are_those_of_when_one_came_and_idleness_is_for_all():
    async def scenario(server: SimServer) -> None:
        ann = server.person("Ann")
        take(server, session__line_chars_max=80, session__idle_s=200.0)
        bob = server.person("Bobby")
        await asyncio.sleep(0.5)
        for speaker, others, heard in ((ann, bob, 100), (bob, ann, 80 - len("say "))):
            others.forget()
            await said_to(speaker, "say " + "z" * 100)
            assert heard == others.text.count("z")
        await asyncio.sleep(230)
        assert not ann.link.is_open
        assert not bob.link.is_open

    told(scenario)


def test_chat_is_as_long_and_as_quick_as_is_said_now():
    async def scenario(server: SimServer) -> None:
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        assert "too fast" not in await said_to(ann, "say one")
        assert "too fast" in await said_to(ann, "say two")
        take(server, chat__burst=2, chat__chars_max=80)
        assert "too fast" not in await said_to(ann, "say three")
        assert "(81 of 80 characters)" in await said_to(ann, "say " + "x" * 81)

    told(scenario, chat=schema.ChatLimits(burst=1, per_s=0.001))


def test_people_who_are_in_stay_when_fewer_may_come():
    async def scenario(server: SimServer) -> None:
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        take(server, people__sessions_max=1, people__password_chars_min=20)
        assert not server.guest().link.is_open
        assert ann.link.is_open
        with pytest.raises(Exception, match="at least 20"):
            server.app.account_service.check_new_password("a good password")

    told(scenario)


def test_people_more_names_may_be_made_when_it_is_said():
    async def scenario(server: SimServer) -> None:
        accounts = server.app.account_service
        for name in ("Ann", "Bob", "Cid", "Eve"):  # four times as many, since there is room
            await accounts.register(name, "a good password", "198.51.100.1")
        with pytest.raises(OverBudget, match="Too many registrations from your address"):
            await accounts.register("Erwin", "a good password", "198.51.100.1")
        take(server, sources__registrations_per_source_per_hour=2)
        await accounts.register("Erwin", "a good password", "198.51.100.1")

    told(scenario, sources=schema.SourceLimits(registrations_per_source_per_hour=1))


def test_tables_open_ones_too_have_the_new_limits():
    async def scenario(server: SimServer) -> None:
        ann, bob = server.person("Ann"), server.person("Bobby")
        await asyncio.sleep(0.5)
        await said_to(ann, "open elimination")
        take(server, tables__watchers_max=1, tables__all_max=1, tables__empty_s=20.0)
        assert "tables are taken" in await said_to(bob, "open elimination")
        assert TABLE_1 in await said_to(bob, "watch 1")
        cid = server.person("Cid")
        await asyncio.sleep(0.5)
        assert TABLE_1 not in await said_to(cid, "watch 1")
        bob.link.drop()
        ann.link.drop()
        await asyncio.sleep(15)
        assert 1 == server.app.table_manager.lists.count()
        take(server, tables__empty_s=5.0)
        await asyncio.sleep(0.5)
        assert 0 == server.app.table_manager.lists.count()

    told(scenario)


def test_journal_records_are_as_large_as_is_said_now():
    async def scenario(server: SimServer) -> None:
        journal = server.journal
        take(server, journal__record_bytes_max=10)
        with pytest.raises(ValueError):
            await journal.append("test/1", 1, b"x" * 11)
        take(server, journal__record_bytes_max=11)
        await journal.append("test/1", 1, b"x" * 11)

    told(scenario)


# -- the real machine ----------------------------------------------------------------------------


async def shown_certificate(address: str) -> bytes:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    host, port = schema.split_address(address)
    _, writer = await asyncio.open_connection(host, port, ssl=trusting)
    shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    writer.transport.abort()
    return shown


async def test_a_renewed_certificate_is_shown_and_a_broken_one_changes_nothing(tmp_path):
    files = certificate(tmp_path)
    here, key = "127.0.0.1:0", {"tls_cert": str(files[0]), "tls_key": str(files[1])}
    settings = schema.Config(server=schema.ServerConfig(ssh=here, telnet=here, tls=here, **key))
    clock = Clock(asyncio.get_running_loop())
    listeners = ListenerManager(
        settings,
        clock,
        lambda link, proven: None,
        None,
        dict,
        SourceBudgets(settings, clock),
    )
    keys = host_keys.load_or_create(tmp_path, may_create=True)
    await listeners.open(keys, {})
    try:
        first = await shown_certificate(listeners.address(TLS))
        certificate(tmp_path)
        assert first == await shown_certificate(listeners.address(TLS))
        listeners.reconfigure(settings)
        second = await shown_certificate(listeners.address(TLS))
        assert first != second
        files[1].write_text("no key")
        with pytest.raises(StartError, match="in PEM"):
            listeners.reconfigure(with_values(settings, {"door.login_s": 1.0}))
        assert second == await shown_certificate(listeners.address(TLS))
        assert 30.0 == listeners.gate.limits.login_s
    finally:
        listeners.close()
        await listeners.wait_closed()


def test_sighup_reads_the_file_again_and_a_wrong_one_changes_nothing(tmp_path):
    file = tmp_path / "server.toml"
    file.write_text('[server]\nname = "First"\n')
    here = ("--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0", "--data", str(tmp_path / "data"))
    words = ["serve", "--config", str(file), *here]
    server = Forked(words, environment=few_words.environment(tmp_path))
    patience = threading.Timer(30.0, server.kill)  # then there is no line any more, and we see it
    patience.start()
    lines = iter(server.stdout.readline, "")

    def next_with(text: str) -> str:
        return next(line for line in lines if text in line)

    try:
        next_with("ready ssh=")
        assert next_with("INFO mudserver server started version=")
        for settings, expected in (
            ('[server]\nname = "Second"\n', 'key=server.name old="First" new="Second"'),
            (
                "[door]\nlogin_s = -1\n",
                f"configuration unchanged error={file}: door.login_s = -1",
            ),
            ("[bots]\nprocesses = 2\n", 'key=server.name old="Second" new="Lockdown"'),
        ):
            file.write_text(settings)
            server.send_signal(signal.SIGHUP)
            assert next_with(expected)
        assert next_with("setting needs a restart key=bots.processes current=1 new=2")
    finally:
        server.send_signal(signal.SIGTERM)
        while server.poll() is None:  # a server that closes hears of it and goes on closing
            server.send_signal(signal.SIGHUP)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(0.02)
        patience.cancel()
        assert 0 == server.returncode
