"""A new password, at the login and later."""

from __future__ import annotations

import asyncio

from mudserver.session.password_dialog import PasswordCheck
from mudserver.transport.link import Terminal
from tests.prompts import LOBBY
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, new_world

FIRST, SECOND = "an old shoe in the rain", "a new hat in the sun"


def password_changes(scenario):
    async def whole():
        return await scenario(await SimServer(new_world(1)).open())

    return virtual.run(whole())


async def typed(person, *lines):
    person.forget()
    for line in lines:
        person.type(line)
        await asyncio.sleep(0.2)
    return person.text


def test_a_name_made_by_a_key_gets_a_password_for_telnet():
    async def scenario(server):
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        said = await typed(ann, "password", FIRST, FIRST)
        line = server.connect(FakeLink(Terminal(), "telnet"))
        for keys in (b"ann\r", FIRST.encode() + b"\r"):
            await asyncio.sleep(0.2)
            line.handler.on_data(keys)
        await asyncio.sleep(0.5)
        return said, line.text, ann.link.is_open

    said, heard, is_open = password_changes(scenario)
    assert "Password saved." in said
    assert LOBBY in said.splitlines()[-1]
    assert FIRST not in said
    assert "Welcome back, ann." in heard
    assert not is_open  # the newer visit took over


def test_nothing_is_set_until_both_answers_are_the_same_and_an_empty_line_goes_back():
    async def scenario(server):
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        said = await typed(ann, "password", "short", FIRST, SECOND, "")
        after = await typed(ann, "who")
        return said, after, server.app.account_service._accounts.find("ann").password_hash

    said, after, hashed = password_changes(scenario)
    assert "at least" in said
    assert "The passwords don't match." in said
    assert "Nothing has changed." in said  # so nobody types the next answer in public
    assert "1 person is here" in after
    assert hashed is None


def test_a_guest_has_no_password_to_set():
    async def scenario(server):
        guest = server.guest()
        await asyncio.sleep(0.5)
        return await typed(guest, "password", "who")

    said = password_changes(scenario)
    assert "Only registered players can use password." in said
    assert "1 person is here" in said


def test_what_is_said_meanwhile_does_not_uncover_the_password():
    async def scenario(server):
        ann, bob = server.person("ann"), server.person("bob")
        await asyncio.sleep(0.5)
        await typed(ann, "password")
        ann.press(b"half a secret")
        bob.type("say hello")
        await asyncio.sleep(0.2)
        return ann.text, ann.link.heard

    text, heard = password_changes(scenario)
    assert "bob: hello" in text
    assert b"half" not in heard
    assert text.endswith("Choose a password: ")


def test_the_present_password_comes_first_unless_a_key_was_proved_lately():
    async def scenario(server):
        ann = server.person("ann")
        await asyncio.sleep(0.5)
        first = await typed(ann, "password", FIRST, FIRST)
        by_key = await typed(ann, "password", SECOND, SECOND)
        await asyncio.sleep(15 * 60)
        wrong = await typed(ann, "password", FIRST)
        await asyncio.sleep(1)
        await typed(ann, "password", SECOND)
        await asyncio.sleep(1)  # wrong passwords are slowed down
        return first, by_key, wrong, ann.text + await typed(ann, FIRST, FIRST)

    first, by_key, wrong, right = password_changes(scenario)
    assert "present" not in first + by_key
    assert "Password saved." in first and "Password saved." in by_key
    assert "First type your present password." in wrong and "Password: " in wrong
    assert "Choose a password" not in wrong
    assert "Choose a password: " in right and "Password saved." in right


def test_who_came_by_password_types_it_again_and_an_empty_line_goes_back():
    async def scenario(server):
        await server.app.account_service.register("ann", FIRST, "here")
        line = server.connect(FakeLink(Terminal(), "telnet"))
        for keys in ("ann", FIRST, "password", "", "password", FIRST, SECOND, SECOND):
            await asyncio.sleep(0.3)
            line.handler.on_data(keys.encode() + b"\r")
        await asyncio.sleep(0.5)
        is_set = await server.app.account_service.check_password("ann", SECOND)
        return line.text, is_set

    heard, is_set = password_changes(scenario)
    assert 2 == heard.count("First type your present password.")
    assert is_set and FIRST not in heard and SECOND not in heard


class Output:
    """Remembers what was said and asked."""

    def __init__(self):
        self.said, self.asked = [], []

    def send_text(self, *sentences):
        self.said += sentences

    def show_prompt(self, prompt, *, is_secret=False):
        self.asked.append((prompt, is_secret))


def test_the_present_password_is_asked_once_in_secret_and_an_empty_line_goes_back():
    output, typed, cancelled = Output(), [], []

    async def check(password):
        typed.append(password)

    def asked():
        return PasswordCheck(output, "First your password.", check, lambda: cancelled.append(1))

    assert asked().handle_line("") is None
    assert ([], [1]) == (typed, cancelled)
    asyncio.run(asked().handle_line(FIRST))
    assert ([FIRST], [1]) == (typed, cancelled)
    assert ["First your password."] * 2 == output.said
    assert [("Password: ", True), ("Password: ", True), ("", True)] == output.asked
