"""What the log says of logins and accounts: enough for fail2ban, and nothing that was typed."""

from __future__ import annotations

import logging
import re

import pytest

from mudserver.config import schema
from mudserver.transport.gate import FailedLogin
from tests.mudserver.service.test_account_service import PASSWORD, add_key, key_of
from tests.mudserver.service.test_moderation import CONSOLE
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

SOURCE = "198.51.100.7"


def logged(caplog, scenario, **sections: object) -> list[str]:
    caplog.set_level(logging.INFO, "auth")

    async def whole() -> None:
        server = await SimServer(new_world(1, **sections)).open()
        caplog.clear()
        await scenario(server)
        await server.stop()

    virtual.run(whole())
    return [record.getMessage() for record in caplog.records if record.name == "auth"]


async def changes(server: SimServer) -> None:
    accounts = server.app.account_service
    ann = await accounts.register("ann", PASSWORD, SOURCE)
    await add_key(accounts, ann, key_of(1), SOURCE)
    await accounts.remove_key(ann, "1", SOURCE)
    await accounts.set_password(ann, "another " + PASSWORD, SOURCE)
    await accounts.register_key("bob", key_of(2), "2001:db8:1:2::/64")
    await server.app.names.rename(ann, "anna", SOURCE)
    await server.app.names.rename_by_staff(CONSOLE, "bob", "rob", "no such names")


def test_a_new_account_and_each_change_of_it_is_one_line(caplog):
    assert [
        "account opened person=p1 what=password by=self from=198.51.100.7",
        "account changed person=p1 what=key-added by=self from=198.51.100.7",
        "account changed person=p1 what=key-removed by=self from=198.51.100.7",
        "account changed person=p1 what=password by=self from=198.51.100.7",
        "account opened person=p2 what=key-added by=self from=2001:db8:1:2::/64",
        "account changed person=p1 what=renamed by=self from=198.51.100.7",
        "account changed person=p2 what=renamed by=console:0 from=-",
    ] == logged(caplog, changes)


def test_addresses_stay_out_of_the_log_where_the_settings_say_so(caplog):
    lines = logged(caplog, changes, server=schema.ServerConfig(log_addresses=False))
    assert 7 == len(lines) and all(line.endswith(" from=-") for line in lines)


@pytest.mark.parametrize(
    ("typed", "shown"), [("ANN", "ann"), ("correct horse", "-"), ("a=b from=192.0.2.1", "-")]
)
def test_a_failed_login_names_an_account_and_never_what_was_typed(caplog, typed, shown):
    async def scenario(server: SimServer) -> None:
        await server.app.account_service.register("ann", PASSWORD, SOURCE)
        slot = server.app.listeners.gate.admit(SOURCE, lambda slot: None)
        caplog.clear()
        slot.count_failure(FailedLogin(typed, "password", "telnet"))

    left = schema.SourceLimits().failures_per_source_max - 1
    (line,) = logged(caplog, scenario)
    assert (
        f"login failed how=password protocol=telnet name={shown} left={left} from={SOURCE}" == line
    )


def test_a_source_writes_no_more_lines_than_it_has_tries(caplog):
    async def scenario(server: SimServer) -> None:
        slot = server.app.listeners.gate.admit(SOURCE, lambda slot: None)
        for _ in range(100):
            slot.count_failure(FailedLogin("zed", "key", "ssh"))

    lines = logged(caplog, scenario)
    counts = [int(re.search(r" left=(\d+) ", line)[1]) for line in lines]
    assert list(range(schema.SourceLimits().failures_per_source_max))[::-1] == counts


def test_an_act_of_the_staff_is_one_line_without_a_word_of_anybody(caplog):
    caplog.set_level(logging.INFO, "staff")

    async def acts(server: SimServer) -> None:
        await server.app.account_service.register("ann", PASSWORD, SOURCE)
        await server.app.moderation.warn(CONSOLE, "ann", "be polite")
        await server.app.sanctions.mute(CONSOLE, "ann", "10m", "insults // a note")
        await server.app.sanctions.ban(CONSOLE, "ann", "forever", "insults")

    logged(caplog, acts)
    warned, muted, banned = [it.getMessage() for it in caplog.records if it.name == "staff"]
    assert "staff act id=1 by=console:0 verb=warn target=p1" == warned
    by = r"staff act id=2 by=console:0 verb=mute target=p1 until=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*Z"
    assert re.fullmatch(by, muted)
    assert "staff act id=3 by=console:0 verb=ban target=p1 until=never" == banned
