"""What a login reads until somebody is known, as transcripts."""

from __future__ import annotations

import asyncio
import re

import pytest

from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.transport.link import Terminal
from tests.simulation import virtual
from tests.simulation.server import FakeLink, SimServer, World, new_world

LINES = Terminal()  # keeps its own line: only what the server says is heard
PASSWORD = "correct horse"


class CountedLink(FakeLink):
    """A line whose source has so many tries left."""

    def __init__(self, tries_left: int) -> None:
        super().__init__(LINES)
        self.tries_left = tries_left


async def talk(
    server: SimServer, *lines: str, link: FakeLink | None = None
) -> tuple[FakeLink, list[str]]:
    """Type *lines* one after the other; the rows that were heard after the greeting."""
    link = link or FakeLink(LINES)
    server.connect(link)
    await asyncio.sleep(0.1)
    mark = len(link.received)
    for line in lines:
        if link.handler is not None and link.is_open:
            link.handler.on_data(line.encode() + b"\r\n")
        await asyncio.sleep(6)  # longer than any delay after a failure
    rows = link.text_since(mark).split("\n")
    said = (re.sub(r"^Name: (?=.)", "", row).strip() for row in rows)  # Enter is the client's
    return link, [re.sub(r"guest\d+", "guestN", row) for row in said if row]


def told(*lines: str, world: World | None = None, before: tuple[str, ...] = ()) -> list[str]:
    """The rows that one person hears; *before* are the lines of one who came earlier."""

    async def scenario() -> list[str]:
        server = await SimServer(world or new_world(1)).open()
        if before:
            link, _ = await talk(server, *before)
            link.drop()
        _, rows = await talk(server, *lines)
        return rows

    return virtual.run(scenario())


def test_the_greeting_says_what_to_type():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        link, _ = await talk(server)
        return link.text

    text = virtual.run(scenario())
    assert "Type your name, or a new name to register, or guest. Type help for help.\n" in text
    assert text.endswith("Name: ")


def test_a_new_name_is_registered_with_the_password_typed_twice():
    rows = told("Ann", PASSWORD, PASSWORD)
    assert rows[0].startswith('"Ann" is free. ')
    asked = rows.index("Choose a password:")
    assert ["Again:", "You are registered as Ann."] == rows[asked + 1 : asked + 3]


def test_a_known_name_proves_itself_in_any_case_of_letters():
    rows = told("ANN", PASSWORD, before=("Ann", PASSWORD, PASSWORD))
    assert "Password:" == rows[0]
    assert rows[1].startswith("Welcome back, Ann. ")


def test_a_wrong_password_is_said_and_the_third_ends_the_line():
    wrong = ("ann", "not it at all")
    rows = told(*wrong, *wrong, *wrong, before=("ann", PASSWORD, PASSWORD))
    no = "Wrong password."
    assert [no, no, "Wrong password again. Goodbye."] == [r for r in rows if "Wrong" in r]


def test_a_source_without_tries_left_hears_goodbye_at_its_first_wrong_password():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        await talk(server, "ann", PASSWORD, PASSWORD)
        link = CountedLink(1)
        _, rows = await talk(server, "ann", "wrong password", "ann", link=link)
        assert not link.is_open
        return rows

    assert "Wrong password again. Goodbye." == virtual.run(scenario())[-1]


def test_a_source_that_may_try_no_more_is_told_so_and_no_password_is_checked(monkeypatch):
    async def may_try(link: FakeLink, name: str) -> bool:
        return name != "ann"

    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        await talk(server, "ann", PASSWORD, PASSWORD)
        monkeypatch.setattr(FakeLink, "may_try", may_try)
        link, rows = await talk(server, "ann", PASSWORD)
        assert not link.is_open
        return rows

    rows = virtual.run(scenario())
    assert rows[-1].startswith("Too many wrong passwords") and "Welcome" not in " ".join(rows)


@pytest.mark.parametrize(("typed", "count"), [
    ("Ann", 1), ("ann", 1), ("", 0), ("help", 0), ("guest", 0), ("bot7", 0), ("two words", 0),
])  # fmt: skip
def test_a_name_and_nothing_else_gives_more_time_for_its_password(typed, count, monkeypatch):
    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        await talk(server, "Ann", PASSWORD, PASSWORD)
        given: list[int] = []
        monkeypatch.setattr(FakeLink, "extend_login_deadline", lambda link: given.append(1))
        await talk(server, typed)
        return len(given)

    assert count == virtual.run(scenario())


def test_who_is_late_reads_why_and_the_line_ends():
    async def scenario() -> FakeLink:
        server = await SimServer(new_world(1)).open()
        link, _ = await talk(server, "Ann")
        link.handler.on_login_timeout("You took longer than 120 seconds.")
        await asyncio.sleep(1)
        return link

    link = virtual.run(scenario())
    assert "You took longer than 120 seconds." in link.text
    assert not link.is_open


def test_only_wrong_passwords_are_counted_against_the_source():
    async def scenario() -> int:
        server = await SimServer(new_world(1)).open()
        link = CountedLink(12)
        typed = ("bot7", "ann", "short", PASSWORD, "other one", PASSWORD, PASSWORD)
        await talk(server, *typed, link=link)
        assert "Lockdown, ann!" in link.text
        return link.tries_left

    assert 12 == virtual.run(scenario())


@pytest.mark.parametrize("password", ["short", "x" * 129, "aaaaaaaaaaaa"])
def test_a_password_that_cannot_be_is_refused_and_asked_again(password):
    rows = told("ann", password, PASSWORD, PASSWORD)
    assert 2 == rows.count("Choose a password:")
    assert any("hat password is too" in row for row in rows)
    assert "You are registered as ann." in rows


def test_an_empty_line_goes_back_from_a_name_mistyped():
    rows = told("anm", "", "ann", "", "ann", PASSWORD, PASSWORD)
    assert "You are registered as ann." in rows
    assert not [row for row in rows if row.startswith("A password")]


def test_an_empty_line_is_no_wrong_password():
    rows = told("ann", "", "ann", "", "ann", "", "bob", before=("ann", PASSWORD, PASSWORD))
    assert any('"bob" is free.' in row for row in rows)


def test_two_different_passwords_are_asked_for_again():
    rows = told("ann", PASSWORD, "something else", PASSWORD, PASSWORD)
    assert (2, 2) == (rows.count("Choose a password:"), rows.count("Again:"))
    assert "You are registered as ann." in rows


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("help", "guest: play without an account"),
        ("?", "guest: play without an account"),
        ("help names", "guest: play without an account"),
        ("commands", "guest: play without an account"),
        ("two words", "A name is a single word. Type your name, guest or help."),
        ("connect ann secret123", "Type only your name first; the password is asked for next."),
        ("admin", "admin is a reserved name. Please choose another one."),
        ("a\x1b[2J\x07nn!", "Names can have letters a to z, digits, _ and -."),
        ("alice\0x", "Names can have letters a to z, digits, _ and -."),
        ("\x1b[200~alice\0\x1b[201~", "Names can have letters a to z, digits, _ and -."),
        ("x" * 500, "Names have 3 to 16 characters."),
        ("screenreader on", "Screen-reader mode is on."),
    ],
)
def test_what_is_no_name_is_answered_and_asked_again(typed, answer):
    rows = told(typed, "guest")
    assert answer == rows[0]
    assert any(row.startswith("Welcome to Lockdown, guestN!") for row in rows)


@pytest.mark.parametrize("typed", ["quit", "EXIT", "bye"])
def test_one_can_go_without_a_name(typed):
    assert ["Goodbye."] == told(typed, "guest")


def test_a_password_is_never_said_back():
    rows = told("ann", PASSWORD, "another one", PASSWORD, PASSWORD)
    rows += told("ann", "my wrong one", "ann", PASSWORD, before=("ann", PASSWORD, PASSWORD))
    assert not [r for r in rows if "horse" in r or "another one" in r or "wrong one" in r]


def test_a_server_without_room_says_so_and_asks_again():
    world = new_world(1, people=schema.PeopleLimits(guests_max=1, sessions_max=2))

    async def scenario() -> list[str]:
        server = await SimServer(world).open()
        await talk(server, "guest")
        _, rows = await talk(server, "guest", "ann", PASSWORD, PASSWORD)
        assert any("You are registered as ann." in row for row in rows)
        link, full = await talk(server, "bob", PASSWORD, PASSWORD)
        assert link.is_open
        return [rows[0], full[-2]]

    rows = virtual.run(scenario())
    assert "No more guests can connect right now. Log in with a name, or register one." == rows[0]
    assert "The server is full. Please try again in a few minutes." == rows[1]


def test_a_journal_that_cannot_write_registers_nobody_and_asks_again():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        server.journal.fail_always()
        _, rows = await talk(server, "ann", PASSWORD, PASSWORD)
        server.journal.fail_always(False)
        _, later = await talk(server, "ann", PASSWORD, PASSWORD)
        return [*rows[-2:], *(row for row in later if "registered as" in row)]

    sorry = "The server can't save right now. Please try again in a minute."
    assert [sorry, "Name:", "You are registered as ann."] == virtual.run(scenario())


def test_connect_guest_is_a_guest():
    assert "Welcome to Lockdown, guestN" in told("connect guest")[0]


def test_a_password_that_cannot_be_checked_opens_nothing_and_the_name_is_asked_again():
    async def scenario() -> tuple[list[str], bool, int]:
        server = await SimServer(new_world(1)).open()
        await talk(server, "Ann", PASSWORD, PASSWORD)

        async def busy(*_: object) -> bool:
            raise UserError("Too many people are logging in right now. Try again.")

        server.app.account_service._hasher.verify = busy
        link = CountedLink(5)
        _, rows = await talk(server, "Ann", PASSWORD, link=link)
        return rows, link.is_logged_in, link.tries_left

    rows, is_logged_in, tries_left = virtual.run(scenario())
    assert "Too many people are logging in right now. Try again." in rows[-2:]
    assert (False, 5) == (is_logged_in, tries_left)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("screenreader on", "Screen-reader mode is on."),
        ("screenreader off", "Screen-reader mode is off."),
        ("screenreader maybe", "Type screenreader on, or screenreader off"),
    ],
)
def test_screen_reader_output_is_switched_before_login(typed, answer):
    assert answer in told(typed)
