"""A screen reader's whole visit: text that is only ever added to, and plays by number."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace

import pytest

from mudserver.transport.link import Terminal
from tests.proofs.game import one_round
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, Seatholder, SimServer, new_world
from tests.slow_cases import every_second
from variants.catalogue import CATALOGUE

ALOUD = replace(ANSI, colours="true", is_screen_reader=True)
MTTS = Terminal("mushclient", 100, 40, is_ansi=True, colours="256", is_screen_reader=True)
BOXES = re.compile("[\u2500-\u259f]")  # what frames, bars and shades are drawn with
EVERY_PAGE = ("help", "commands", "set", "terminal", "who", "tables", "rules", "moves", "look",
              "history", "hand", "piles", "table", "record")  # fmt: skip


def is_only_added_to(heard: bytes) -> bool:
    """Printable text, ends of rows and the bell: nothing that could change what stands there."""
    text = heard.decode("utf-8").replace("\r\n", "\n").replace("\x07", "")
    return all(char.isprintable() or char == "\n" for char in text) and not BOXES.search(text)


@pytest.mark.parametrize(
    "heard", [b"\x1b[1m", b"a\rb", b"a\bb", "\x9b1m".encode(), "\u2502".encode(), b"\x0c"]
)
def test_what_would_not_be_only_added_is_found(heard):
    assert is_only_added_to(b"Bob draws.\r\n> ") and not is_only_added_to(heard)


async def by_telnet(server: SimServer, terminal: Terminal) -> Seatholder:
    ann = Seatholder("guest1", server.connect(FakeLink(terminal, "telnet")))
    ann.type("guest")
    await asyncio.sleep(0.1)
    return ann


async def by_ssh(server: SimServer, terminal: Terminal) -> Seatholder:
    """Who has asked for it once and comes again, from a terminal that says nothing of it."""
    ann = server.person("Ann", replace(terminal, is_screen_reader=False))
    await asyncio.sleep(0.1)
    ann.type("screenreader on")
    await asyncio.sleep(0.1)
    ann.link.drop()
    await asyncio.sleep(0.1)
    return server.person("Ann", replace(terminal, is_screen_reader=False))


LOGINS = {"MTTS": (by_telnet, MTTS), "keys": (by_telnet, ALOUD), "account": (by_ssh, ALOUD)}


class Reader(Seatholder):
    """Whoever listens: everything that was heard is kept, though `text` begins anew."""

    def __init__(self, of: Seatholder) -> None:
        super().__init__(of.name, of.link)
        self.heard = b""

    def forget_all_but_the_end(self) -> None:
        self.heard += self.link.heard
        self.link.received.clear()


async def playing_by_numbers(ann: Reader, rng: random.Random) -> int:
    """Ask `moves` and type a number, whenever asked, until the game is over; how many."""
    for typed in range(3_000):
        if "Game over: " in ann.text:
            return typed
        ann.forget_all_but_the_end()
        ann.type("moves")
        await asyncio.sleep(0.2)
        numbers = re.findall(r"(?m)^(\d+): ", ann.text)
        if numbers:
            ann.type(rng.choice(numbers))
        await asyncio.sleep(0.2)
    raise AssertionError(ann.text)


@pytest.mark.parametrize(("game", "login"), every_second(CATALOGUE, LOGINS))
def test_a_whole_game_by_numbers_is_only_added_to(game, login):
    come, terminal = LOGINS[login]

    async def scenario() -> tuple[int, Reader]:
        server = await SimServer(new_world(1)).open()
        bob = server.person("Bob")
        ann = Reader(await come(server, terminal))
        await asyncio.sleep(0.1)
        for line in (f"open {game} pace=instant clocks=off {one_round(game)}", "bot 1", "start"):
            ann.type(line)
            await asyncio.sleep(0.2)
        bob.type("say hello")
        for page in EVERY_PAGE:
            ann.type(page)
            await asyncio.sleep(0.5)
        ann.press(b"\t\tmo")
        await asyncio.sleep(0.2)
        bob.type("tell ann comes in between")
        await asyncio.sleep(0.2)
        ann.press(b"\t\r")
        await asyncio.sleep(0.2)
        typed = await playing_by_numbers(ann, random.Random(1))
        ann.type("quit")
        await asyncio.sleep(0.2)
        ann.forget_all_but_the_end()
        return typed, ann

    typed, ann = virtual.run(scenario())
    assert typed > 3 and b"Goodbye" in ann.heard
    assert is_only_added_to(ann.heard)


def test_the_words_before_login_count_for_the_visit_whatever_the_terminal_says():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        found = []
        for typed, terminal in (("on", ANSI), ("off", ALOUD), ("maybe", ALOUD), ("", ALOUD)):
            ann = Seatholder("Ann", server.connect(FakeLink(terminal, "telnet")))
            ann.type(f"screenreader {typed}")
            await asyncio.sleep(0.1)
            ann.type("guest")
            await asyncio.sleep(0.1)
            ann.forget()
            ann.type("terminal")
            await asyncio.sleep(0.1)
            found += re.findall(r"screen reader: (\w+)", ann.text)
        return found

    assert ["on", "off", "on", "on"] == virtual.run(scenario())


def test_an_account_that_wants_columns_has_them_at_a_terminal_that_tells_of_a_screen_reader():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        found = []
        for line in ("terminal", "screenreader off", "screenreader auto"):
            for typed in (line, "terminal"):
                ann = server.person("Ann", ALOUD)
                await asyncio.sleep(0.1)
                ann.forget()
                ann.type(typed)
                await asyncio.sleep(0.1)
            found += re.findall(r"screen reader: (\w+)", ann.text)
        return found

    assert ["on", "off", "on"] == virtual.run(scenario())


def test_candidates_stand_in_a_sentence_not_in_columns():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann", ALOUD)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.press(b"t\t\t")
        await asyncio.sleep(0.1)
        return ann.text

    assert "tables, tell, tells, terminal" in virtual.run(scenario())
