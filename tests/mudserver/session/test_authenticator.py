"""What SSH is told about names and passwords: never more than the account service knows."""

from __future__ import annotations

from typing import Any

import pytest

from mudserver.accounts.texts import CODE_NOT_VALID, KEY_UNUSABLE
from mudserver.errors import JournalWriteError, UserError
from mudserver.session.authenticator import SshAuthenticator

RIGHT = "correct horse"
PEER = "192.0.2.1"


class Keys:
    """ann has the key "own" and the code `ann+code`, which is for the key "awaited"."""

    def has_key(self, name: str, fingerprint: str) -> bool:
        return (name, fingerprint) == ("ann", "SHA256:own")

    def owner_of_code(self, typed_name: str) -> str | None:
        return "ann" if typed_name == "ann+code" else None

    def is_awaited(self, typed_name: str, fingerprint: str) -> bool:
        return (typed_name, fingerprint) == ("ann+code", "SHA256:awaited")

    def check_usable(self, key: str) -> None:
        if key == "weak":
            raise UserError(KEY_UNUSABLE)

    def check_opens_nothing(self, fingerprint: str) -> None:
        if fingerprint == "SHA256:own":
            raise UserError("Your key belongs to the account ann.")


class Admission:
    """No new names come from 203.0.113.1, and from 203.0.113.2 only a key of zed."""

    def opens_despite_ban(self, name: str, source: str) -> bool:
        return source != "203.0.113.2" or name == "zed"

    def check_source(self, source: str) -> None:
        if source == "203.0.113.1":
            raise UserError("You are banned.")


class Recovery:
    """`ann+recovery` is a code, and ann has a key."""

    def other_keys(self, typed_name: str) -> int | None:
        return 1 if typed_name == "ann+recovery" else None


class Service:
    """An account service that has one account, ann; *trouble* is raised by whatever asks it."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble, self.registered = trouble, list[tuple[str, str]]()
        self.keys, self.admission = Keys(), Admission()
        self.recovery = Recovery()
        self.recovered: list[tuple[str, bool]] = []
        self.read_again: list[str] = []

    async def catch_up(self, name: str) -> None:
        self.read_again.append(name)

    def name_status(self, name: str) -> tuple[str, str]:
        if name in ("ann", "bob"):
            return ("known" if name == "ann" else "free"), ""
        return "refused", "Choose another name."

    async def check_password(self, name: str, password: str, source: str) -> bool:
        self._fail()
        return (name, password) == ("ann", RIGHT)

    async def register(self, name: str, password: str, source: str) -> None:
        self._fail()
        self.registered.append((name, source))

    async def recover(self, name: str, source: str, *, password: str, keeps_keys: bool) -> None:
        self._fail()
        self.recovered.append((name, keeps_keys))

    def _fail(self) -> None:
        if self.trouble is not None:
            raise self.trouble


def authenticator(trouble: Exception | None = None) -> tuple[SshAuthenticator, Service]:
    service: Any = Service(trouble)
    return SshAuthenticator(service), service


async def test_a_free_name_is_refused_at_once_from_where_nobody_new_may_register():
    asked, _ = authenticator()
    assert ("free", "") == await asked.name_status("bob", PEER)
    assert ("refused", "You are banned.") == await asked.name_status("bob", "203.0.113.1")
    assert ("known", "") == await asked.name_status("ann", "203.0.113.1")
    assert ("free", "") == await asked.name_status("bob", "")  # an older door does not say it


async def test_names_and_keys_are_the_account_service_s():
    asked, service = authenticator()
    assert ("known", "") == await asked.name_status("ann", PEER)
    assert ("refused", "Choose another name.") == await asked.name_status("root", PEER)
    assert await asked.has_key("ann", "SHA256:own", PEER) is True
    assert await asked.has_key("ann", "SHA256:own", "") is True  # an older door does not say it
    assert await asked.has_key("ann", "SHA256:own", "203.0.113.2") is False
    assert await asked.has_key("ann", "SHA256:other", PEER) is False
    assert ["ann"] * 3 == service.read_again  # another server may have taken a key away


@pytest.mark.parametrize("name", ["ann+wrong", "nobody+code", "ann+", "+code", "+", "ann++code"])
async def test_a_name_with_a_code_is_a_right_one_or_a_wrong_one_whatever_is_wrong(name):
    asked, _ = authenticator()
    assert ("code", "") == await asked.name_status("ann+code", PEER)
    assert ("wrong code", CODE_NOT_VALID) == await asked.name_status(name, PEER)


async def test_a_new_key_is_usable_and_the_one_that_its_code_awaits():
    asked, _ = authenticator()
    assert await asked.new_key_obstacle("bob", "strong", "SHA256:own") is None
    assert await asked.new_key_obstacle("ann+code", "strong", "SHA256:awaited") is None
    assert "" == await asked.new_key_obstacle("ann+code", "strong", "SHA256:own")
    assert KEY_UNUSABLE == await asked.new_key_obstacle("bob", "weak", "SHA256:x")
    assert KEY_UNUSABLE == await asked.new_key_obstacle("ann+code", "weak", "SHA256:awaited")


async def test_a_key_that_opens_a_name_registers_no_other():
    asked, _ = authenticator()
    assert "Your key belongs to the account ann." == await asked.proven_key_obstacle("SHA256:own")
    assert "" == await asked.proven_key_obstacle("SHA256:new")


@pytest.mark.parametrize(("password", "is_right"), [(RIGHT, True), ("wrong", False)])
async def test_a_password_is_right_or_wrong(password, is_right):
    asked, _ = authenticator()
    assert await asked.check_password("ann", password, "192.0.2.1") is is_right


async def test_a_password_that_could_not_be_checked_opens_nothing():
    """The hasher's queue is full, or the account waits after wrong answers: even if it is right."""
    asked, _ = authenticator(UserError("The server is busy; try again."))
    assert await asked.check_password("ann", RIGHT, "192.0.2.1") is False


async def test_a_registration_is_answered_with_nothing_or_with_why_not():
    asked, service = authenticator()
    assert "" == await asked.register("bob", RIGHT, "2001:db8::1:2:3:4")
    assert [("bob", "2001:db8::/64")] == service.registered
    refused, _ = authenticator(UserError("This password is too short."))
    assert "This password is too short." == await refused.register("bob", "x", "192.0.2.1")


@pytest.mark.parametrize(
    ("name", "password", "is_again", "is_young", "is_made"),
    [
        ("ann", RIGHT, True, True, True),
        ("ann+CODE", RIGHT, True, True, True),
        ("ann", "wrong", True, True, False),
        ("ann", RIGHT, True, False, False),
        ("ann", RIGHT, False, True, False),
    ],
)
async def test_a_registration_that_is_asked_again_may_have_been_made(
    name, password, is_again, is_young, is_made
):
    asked, service = authenticator()
    service.is_opened_within = lambda name, span_s: is_young and (name, span_s) == ("ann", 60)
    assert "" == await asked.register(name, password, "192.0.2.1", is_again=is_again)
    assert ([] if is_made else [(name, "192.0.2.1")]) == service.registered


async def test_a_registration_that_cannot_be_written_is_none():
    asked, _ = authenticator(JournalWriteError("disk full"))
    sentence = await asked.register("bob", RIGHT, "192.0.2.1")
    assert "can't save right now" in sentence and "try again" in sentence


async def test_a_recovery_code_sets_a_password_or_says_why_not():
    asked, service = authenticator()
    assert ("recovery", "") == await asked.name_status("ann+recovery", PEER)
    assert (1, 0) == (await asked.other_keys("ann+recovery"), await asked.other_keys("ann+code"))
    done = await asked.recover("ann+recovery", RIGHT, "192.0.2.1", keeps_keys=True)
    assert done == "" and service.recovered == [("ann+recovery", True)]
    asked, _ = authenticator(UserError(CODE_NOT_VALID))
    refused = await asked.recover("ann+recovery", RIGHT, "192.0.2.1", keeps_keys=False)
    assert refused == CODE_NOT_VALID
