"""The only question of a session that came in under a code."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.accounts.texts import CODE_NOT_VALID
from mudserver.session.key_question import QUESTION_S
from mudserver.session.texts import NOTHING_CHANGED
from mudserver.transport.link import AuthenticatedUser
from tests.mudserver.service.test_account_service import key_of
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world, proven_by_key


def asked(scenario):
    """Run *scenario* with a server, ann who is in, and a code of hers."""

    async def whole():
        server = await SimServer(new_world(1)).open()
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        person = server.app.account_service.person_named("ann")
        code = await server.app.account_service.issue_key_code(person, "", "phone", "here")
        result = await scenario(server, ann, f"ann+{code}")
        await server.stop()
        return result

    return virtual.run(whole())


def come(server: SimServer, name: str, number: int = 1, **link: object) -> FakeLink:
    """Somebody who has signed with a key under a code."""
    proven = AuthenticatedUser(name, "code", *parse_public_key(key_of(number)))
    return server.connect(FakeLink(protocol="ssh", **link), proven)  # type: ignore[arg-type]


def keys_of(server: SimServer) -> int:
    accounts = server.app.account_service
    return len(accounts.keys.list(accounts.person_named("ann")))


async def answer(line: FakeLink, typed: str) -> str:
    line.received.clear()
    line.handler.on_data(typed.encode() + b"\r")
    await asyncio.sleep(0.2)
    return line.text.strip()


def test_the_question_names_the_key_and_the_name_and_yes_adds_it():
    async def scenario(server, ann, name):
        phone = come(server, name)
        await asyncio.sleep(0.2)
        fingerprint = parse_public_key(key_of(1))[1]
        shown = " ".join(phone.text.split())
        assert shown.startswith(f"Add the key {fingerprint} (ed25519) to the account ann? Type yes")
        assert f"Another key? ssh -i FILE -o IdentitiesOnly=yes {name}@HOST" in shown
        said = await answer(phone, "yes")
        assert ann.link.is_open and not phone.is_open
        return said, keys_of(server)

    said, count = asked(scenario)
    assert " ".join(said.split()).endswith("Log in with: ssh ann@HOST") and 2 == count


@pytest.mark.parametrize("typed", ["", "no", "y", "yes please", "/who", "help", "\x04"])
def test_anything_else_changes_nothing_and_the_code_lives_on(typed):
    async def scenario(server, ann, name):
        said = await answer(come(server, name), typed)
        assert keys_of(server) == 1
        return said, await answer(come(server, name), " YES ")

    said, again = asked(scenario)
    assert said.endswith(NOTHING_CHANGED) and "Key added: " in again


def test_who_does_not_answer_for_a_minute_has_changed_nothing():
    async def scenario(server, ann, name):
        phone = come(server, name)
        await asyncio.sleep(QUESTION_S - 1)
        assert phone.is_open
        await asyncio.sleep(2)
        return phone.is_open, phone.text, keys_of(server)

    is_open, text, count = asked(scenario)
    assert (False, 1) == (is_open, count) and text.strip().endswith(NOTHING_CHANGED)


def test_no_session_of_a_person_is_opened_and_none_is_taken_over():
    async def scenario(server, ann, name):
        ann.forget()
        phone = come(server, name)
        await answer(phone, "yes")
        ann.type("who")
        await asyncio.sleep(0.2)
        return ann.text, phone.text

    heard, phone = asked(scenario)
    assert "came in from somewhere else" not in heard and "1 person" in heard
    assert "Welcome" not in phone


def test_a_line_that_drops_leaves_no_clock_behind():
    async def scenario(server, ann, name):
        phone = come(server, name)
        session = phone.handler
        phone.drop()
        await asyncio.sleep(0.1)
        return session._key_question._timer.cancelled(), session.is_over

    assert (True, True) == asked(scenario)


def test_a_code_that_two_connections_have_adds_one_key():
    async def scenario(server, ann, name):
        first, second = come(server, name), come(server, name, 2)
        said = [await answer(first, "yes"), await answer(second, "yes")]
        late = come(server, name)
        return said, late.text.strip(), keys_of(server)

    said, late, count = asked(scenario)
    assert "Key added: " in said[0] and CODE_NOT_VALID in said[1] and CODE_NOT_VALID in late
    assert 2 == count


def test_what_cannot_be_written_is_said_and_the_code_lives_on():
    async def scenario(server, ann, name):
        server.journal.fail(keeps=False)
        said = await answer(come(server, name), "yes")
        return said, await answer(come(server, name), "yes")

    said, again = asked(scenario)
    assert "The server can't save right now. Please try again in a minute." in said
    assert "Key added: " in again


def test_a_program_is_asked_the_same():
    async def scenario(server, ann, name):
        phone = come(server, name, wants_json=True)
        phone.handler.on_data(b'{"line": "yes"}\n')
        await asyncio.sleep(0.2)
        return phone.text

    text = asked(scenario)
    assert '"type":"prompt"' in text and "Type yes" in text
    assert 'Log in with: ssh ann@HOST"}' in text


def test_a_key_that_came_under_a_code_logs_in():
    async def scenario(server, ann, name):
        await answer(come(server, name), "yes")
        key = AuthenticatedUser("ann", "key", *parse_public_key(key_of(1)))
        line = server.connect(FakeLink(protocol="ssh"), key)
        await asyncio.sleep(0.2)
        return line.text, line.handler.auth_how, line.handler.auth_key

    text, how, key = asked(scenario)
    assert "Welcome back, ann." in text
    assert ("key", parse_public_key(key_of(1))[1]) == (how, key)


def test_the_next_login_tells_of_a_new_key_and_the_one_after_does_not():
    async def scenario(server, ann, name):
        await answer(come(server, name), "yes")
        assert "was added" not in ann.text
        heard = [server.person("ann") for _ in range(2) if await asyncio.sleep(0.5) is None]
        await asyncio.sleep(0.5)
        shown = " ".join(heard[1].text.split())
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        ann.forget()
        ann.type("keys")
        await asyncio.sleep(0.5)
        return " ".join(heard[0].text.split()), shown, " ".join(ann.text.split())

    first, second, rows = asked(scenario)
    fingerprint = parse_public_key(key_of(1))[1]
    news = f"A key was added to your account on 2027-01-15: {fingerprint}. To list"
    assert news in first and "Welcome back, ann." in first
    assert "was added" not in second and "Welcome back, ann." in second
    assert f"2 {fingerprint} ed25519 phone added 2027-01-15 last used 2027-01-15" in rows


def test_who_logs_in_by_telnet_is_told_of_a_new_key_too():
    async def scenario(server, ann, name):
        await typed(ann, "password", PASSWORD, PASSWORD)
        await answer(come(server, name), "yes")
        line = server.connect(FakeLink(), None)
        for each in ("ann", PASSWORD):
            await answer(line, each)
        await asyncio.sleep(0.2)
        return " ".join(line.text.split())

    assert "A key was added to your account on 2027-01-15: SHA256:" in asked(scenario)


# -- a code is asked for by whoever has proved who they are, lately -------------------------------

PASSWORD = "an old shoe in the rain"
LATER_S = 15 * 60 + 10


async def typed(person, *lines):
    person.forget()
    for line in lines:
        person.type(line)
        await asyncio.sleep(0.9)  # wrong passwords are slowed down
    return " ".join(person.text.split())


def test_long_after_the_login_a_code_costs_the_password():
    async def scenario(server, ann, name):
        await typed(ann, "password", PASSWORD, PASSWORD)
        await asyncio.sleep(LATER_S)
        wrong = await typed(ann, "keys add", "not this one")
        none = await typed(ann, "keys add", "")
        right = await typed(ann, "keys add", PASSWORD)
        at_once = await typed(ann, "keys add")
        return wrong, none, right, at_once, ann.link.tries_left

    wrong, none, right, at_once, tries_left = asked(scenario)
    assert "To add a key, first type your password. Password:" in wrong
    assert "Wrong password. Nothing has changed." in wrong
    assert "ssh ann+" not in wrong + none
    assert "ssh ann+" in right and PASSWORD not in right
    assert "ssh ann+" in at_once and "Password" not in at_once
    assert 11 == tries_left


def test_who_guesses_it_in_a_session_is_out():
    async def scenario(server, ann, name):
        await typed(ann, "password", PASSWORD, PASSWORD)
        await asyncio.sleep(LATER_S)
        ann.link.tries_left = 1
        return await typed(ann, "keys add", "not this one"), ann.link.is_open

    said, is_open = asked(scenario)
    assert "Wrong password again. Goodbye." in said and not is_open


def test_without_a_password_a_new_login_is_needed_and_is_enough():
    async def scenario(server, ann, name):
        await asyncio.sleep(LATER_S)
        refused = await typed(ann, "keys add")
        return refused, await typed(server.person("ann"), "", "keys add")

    refused, said = asked(scenario)
    assert "Log in again with your key first." in refused
    assert "ssh ann+" in said


def test_a_second_session_on_an_old_connection_is_no_new_proof():
    async def scenario(server, ann, name):
        proven = replace(proven_by_key("ann", is_known=True), at_ms=server.clock.now_ms())
        await asyncio.sleep(LATER_S)
        line = server.connect(FakeLink(protocol="ssh"), proven)
        await asyncio.sleep(0.2)
        return await answer(line, "keys add")

    assert "Log in again with your key first." in asked(scenario)


def test_a_session_remembers_how_and_when_its_person_was_authenticated():
    async def scenario(server, ann, name):
        now_ms, key = server.clock.now_ms(), proven_by_key("ann", is_known=True).fingerprint
        mine = ann.link.handler
        assert ("key", key) == (mine.auth_how, mine.auth_key)
        assert 0 < now_ms - mine.auth_at_ms < 1_000
        guest = server.guest().link.handler
        assert ("", "", 0) == (guest.auth_how, guest.auth_key, guest.auth_at_ms)
        line = server.connect(FakeLink(), None)
        for each in ("bob", PASSWORD, PASSWORD):
            await answer(line, each)
        assert ("password", "") == (line.handler.auth_how, line.handler.auth_key)
        assert line.handler.auth_at_ms > now_ms

    asked(scenario)
