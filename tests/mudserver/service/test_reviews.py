"""`review`: the own decisions of a finished game that could have been better."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest

from mudserver.service.reviews import AT_ONCE_MAX, ROWS_MAX
from tests.inline_bots import InlineBots
from tests.mudserver.commands.test_invitations import told
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from variants.catalogue import CATALOGUE

SHORT = {"elimination": "until=first", "stockpile": "", "words": "max_rounds=1"}
ROW = re.compile(r"Turn (\d+): (.+?) +Better: (.+?)\. ")


async def play_to_the_end(server: SimServer, person: Seatholder, line: str) -> None:
    """Type moves by chance."""
    random = Random(3)
    person.type(line)
    for _ in range(2_000):
        await asyncio.sleep(0.5)
        if "Game over: " in person.text:
            return
        if moves := server.app.service.legal_moves(person.link.handler.person):
            person.type(random.choice(moves))
    raise AssertionError("the game has no end")


def reviewed(game: str, *lines: str, bots: object | None = None) -> str:
    async def play() -> str:
        server = await SimServer(new_world(1), bots=bots).open()
        ann = server.person("Ann")
        await asyncio.sleep(0.5)
        await play_to_the_end(server, ann, f"practice {game} {SHORT[game]}")
        ann.forget()
        for line in lines:
            ann.type(line)
            await asyncio.sleep(0.5)
        await asyncio.sleep(25)
        return " ".join(ann.text.split())

    return virtual.run(play())


@pytest.mark.parametrize("game", CATALOGUE)
def test_five_decisions_at_most_are_named_with_what_was_better(game):
    read = reviewed(game, "review")
    assert "Looking at your decisions." in read
    rows = ROW.findall(read + " ")
    turns = [int(turn) for turn, _, _ in rows]
    assert 1 <= len(rows) <= ROWS_MAX and turns == sorted(turns), read
    assert all(played != better for _, played, better in rows)
    assert re.search(r"What could have been better in \d+ decisions", read)


def test_there_is_one_at_a_time():
    assert "Your review is on its way." in reviewed("elimination", "review", "review", bots=Slow())


class Slow(InlineBots):
    async def better_action(self, *question):
        await asyncio.sleep(7)
        return await super().better_action(*question)


def test_what_was_not_looked_at_in_time_is_left_out():
    read = reviewed("elimination", "review", bots=Slow())
    assert "2 decisions" in read


def test_without_a_finished_game_there_is_none():
    none = "Nothing to review: you have played no game to its end here."
    assert none in told("Ann> practice words", "1 s", "Ann> review")["Ann"]
    assert none in told("Ann> open words", "Ann> review")["Ann"]
    assert none not in told("Ann> review")["Ann"]


def test_few_wait_at_once():
    class Never(InlineBots):
        async def better_action(self, *question):
            await asyncio.sleep(60)

    async def play() -> list[str]:
        server = await SimServer(new_world(1), bots=Never()).open()
        people = [server.person(f"Ann{chr(97 + n)}") for n in range(AT_ONCE_MAX + 1)]
        await asyncio.sleep(0.5)
        line = "practice elimination until=first"
        await asyncio.gather(*[play_to_the_end(server, person, line) for person in people])
        for person in people:
            person.forget()
            person.type("review")
        await asyncio.sleep(30)
        return [person.text for person in people]

    read = virtual.run(play())
    assert all("The advisor is busy." in text for text in read)  # at once, or in the end
    assert AT_ONCE_MAX == sum("Looking at your decisions." in text for text in read)
