"""The operator's log and the metrics hold no secret and no hidden card, whatever is played and
whatever breaks, also at the level debug.  [SEC-7]

One run with all games, every way of coming in, private talk, and a bug in each room whose
exception says what must not be said.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from mudserver.logs import LogLineFormatter
from mudserver.tables.game import Game
from tests.inline_bots import InlineBots
from tests.programs import played
from tests.simulation.server import ANSI, FakeLink, SimServer, new_world
from tests.simulation.virtual import run
from variants.catalogue import CATALOGUE

PASSWORDS = ("first-Passw0rd", "second-Passw0rd", "wrong-Passw0rd")
TALK = ("a private word", "loud as it is", "waves a flag")
MARK = "IT-HOLDS"  # in what every planted bug says
LINE = re.compile(r"[a-z ]+( [a-z_]+=[\w.:/-]*)*")
"""A message: words of ours, then ids and numbers."""


class TalkativeBots(InlineBots):
    """Every third question breaks, and the exception says what the player holds."""

    asked = 0

    async def choose(self, variant: str, level: str, view: Any, *rest: Any, **how: Any) -> Any:
        self.asked += 1
        if self.asked % 3 == 0:
            raise KeyError(f"{MARK} {view}")
        return await super().choose(variant, level, view, *rest, **how)


class Told(logging.Handler):
    """What operators read, in both forms, with all traces; the messages apart."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.messages: list[str] = []
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
        self.texts += [
            LogLineFormatter(has_traces=True, is_json=j).format(record) for j in (False, True)
        ]


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, str):
        yield value


async def typed(link: FakeLink, *lines: str) -> None:
    for line in lines:
        assert link.handler is not None
        link.handler.on_data(line.encode() + b"\r")
        await asyncio.sleep(0.5)


async def run_everything(patch: pytest.MonkeyPatch) -> tuple[set[str], str]:
    """What nobody may read in the log, and what a scraper reads."""
    world = new_world(1)
    bots = TalkativeBots(catalogue=world.catalogue)
    server = await SimServer(world, bots=bots).open()
    first, second, wrong = PASSWORDS
    ann = server.connect(FakeLink(protocol="telnet"))
    await typed(ann, "ann", first, first, "password", first, second, second, "quit")
    ann = server.connect(FakeLink(protocol="telnet"))
    await typed(ann, "ann", wrong, "ann", second)
    bob, guest = server.person("Bob", ANSI), server.guest()
    private, loud, waved = TALK
    await typed(ann, f"tell bob {private}", f"say {loud}", f"/me {waved}")
    await typed(guest.link, "open elimination")
    codes = re.findall(r"type:\s+resume\s+(\S+)", guest.text)
    guest.link.drop()
    await typed(server.guest().link, f"resume {codes[0]}")

    await typed(bob.link, "keys add")
    key_codes = re.findall(r"ssh Bob\+(\w+)@HOST", bob.text)
    assert 1 == len(key_codes)
    hidden = {*codes, *key_codes}
    for game in CATALOGUE:
        reader, _ = await played(server, game, 3)
        hidden |= {card for one in reader.objects for card in leaves(one.get("view"))}

    def broken(*args: Any, **words: Any) -> Any:
        raise KeyError(f"{MARK} {args} {words}")

    await typed(bob.link, "open elimination", "bot", "start")
    patch.setattr(Game, "view", broken)  # the fold of the table, then what people ask
    await typed(bob.link, "look", "moves", "draw")
    patch.setattr(type(server.app.service), "who_page", broken)
    await typed(bob.link, "who")
    patch.setattr(type(server.app.session_manager.renderer), "message_lines", broken)
    await typed(bob.link, f"say {loud}", "quit")
    return hidden, server.app.server_status.metrics()[2].decode()


def test_no_password_no_code_no_private_word_and_no_card_is_in_the_log_or_the_metrics(monkeypatch):
    told, root = Told(), logging.getLogger()
    level = root.level
    root.addHandler(told)
    root.setLevel(logging.DEBUG)
    try:
        with monkeypatch.context() as patch:
            hidden, metrics = run(run_everything(patch))
    finally:
        root.removeHandler(told)
        root.setLevel(level)
    server = [m for m in told.messages if not m.startswith("Using selector")]  # asyncio's own
    assert [] == [m for m in server if not LINE.fullmatch(m)]
    kinds = {m.partition("=")[0].rpartition(" ")[0] for m in server}
    assert {
        "session started",
        "session ended",
        "computer player failed",
        "input failed",
    } <= kinds, kinds
    secret = {*PASSWORDS, *TALK, MARK}
    everything = "\n".join([*told.texts, metrics])
    assert [] == [one for one in secret if one in everything]
    assert len(hidden) > 100
    shown = [row.rpartition(" ")[0] for row in metrics.splitlines()]  # figures count, no cards
    words = set(re.findall(r"[\w-]+", " ".join([*server, *shown])))
    assert set() == words & {card for card in hidden if re.search(r"[A-Z0-9]", card)}
