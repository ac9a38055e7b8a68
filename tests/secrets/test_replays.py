"""[SEC-4, SEC-7] Replays tell nothing of a game that still runs.

Two worlds have the same finished game, and then a running one with other cards.  Whoever asks for
replays and files of both reads the same bytes at the same times in both worlds.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.journal import StoredRecord
from mudserver.service import replay_finder
from mudserver.service.replay_finder import ReplayFinder
from mudserver.tables.codec import encode
from mudserver.tables.records import Aborted, Record
from tests.live import live_table
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from variants.kit.chance import SeededChance

RUNNING = ("replay 1.2", "replay 1.2 ann", "replay 1.2 all", "replay 2", "game 1.2")
RUNNING_FILES = ("game 1.2 text", "game 1.2 json", "game 1.2 cast ann")
OVER = (
    "replay 1", "next", "next 5", "seat ann", "moves", "hand", "seat all", "turn 3", "end", "back",
    "history", "auto 1", "stop", "replay 1.2 bob", "next", "leave", "game 1 text bob",
)  # fmt: skip

Heard = list[tuple[float, bytes]]


async def types(person: Seatholder, *lines: str) -> None:
    for line in lines:
        person.type(line)
        await asyncio.sleep(0.5)


class Cards:
    """Chance of a server: from the second deal on it depends on a number."""

    def __init__(self, number: int) -> None:
        self.number, self.deals = number, 0

    def __call__(self, seed: bytes, position: int) -> SeededChance:
        self.deals += position == 0
        return SeededChance(bytes([self.number]) * 32 if self.deals > 1 else seed, position)


def heard(cards: int, *, is_program: bool) -> Heard:
    """What Eve reads, where the running game has the cards of that number."""

    async def scenario() -> Heard:
        world = new_world(7)
        world.make_chance = Cards(cards)
        server = await SimServer(world).open()
        ann, bob = server.person("ann"), server.person("bob")
        await asyncio.sleep(0.1)
        await types(ann, "open elimination seats=2 pace=instant clocks=off")
        await types(bob, "sit 1", "start")
        await types(ann, "start")
        table = live_table(server.app.table_manager, 1)
        assert table is not None
        random = Random(4)  # a short game
        while table.is_playing:
            game = table.game
            assert game is not None and game.window is not None
            [seat] = game.window.seats
            person = (ann, bob)[[o.name for o in game.seats].index("ann") != seat]
            await types(person, random.choice(game.moves(seat)))
        await types(bob, "start")
        await types(ann, "start")
        assert table.is_playing
        await asyncio.sleep(1)
        eve = server.person("eve", is_program=is_program, json_protocol=2)
        await asyncio.sleep(1)
        await types(eve, "set pager off")
        eve.link.received.clear()
        await types(eve, *RUNNING, *RUNNING_FILES, *OVER)
        await asyncio.sleep(2)
        return list(eve.link.received)

    found: Heard = virtual.run(scenario())
    text = b"".join([data for _, data in found])
    assert (b'"type":"replay"' if is_program else b"decision 1 of") in text
    return found


def is_same(*, is_program: bool) -> bool:
    first = heard(1, is_program=is_program)
    return all(first == heard(cards, is_program=is_program) for cards in (2, 3))


@pytest.mark.parametrize("is_program", [False, True], ids=["terminal", "program"])
def test_what_is_asked_of_games_does_not_depend_on_the_cards_of_one_that_runs(is_program):
    assert is_same(is_program=is_program)


def at_another_server(patch: pytest.MonkeyPatch) -> None:
    """The tables are at one: what runs there, this one can only read in the journal."""
    patch.setattr(ReplayFinder, "_is_to_come", lambda finder, table, game: False)


def test_nor_does_it_where_the_table_is_at_another_server(monkeypatch):
    at_another_server(monkeypatch)
    assert is_same(is_program=False)


# -- planted leaks -------------------------------------------------------------------------------


async def hidden(finder: ReplayFinder) -> int:
    """A number that another world has otherwise."""
    return sum(sum(record.body) for record in await finder._journal.read("table/1")) % 97


def a_running_game_can_be_seen(patch: pytest.MonkeyPatch) -> None:
    honest = replay_finder.replayed_game

    def replayed_game(table: int, game: int, stored: Any, *about: Any) -> Any:
        end = Record(stored[-1].sequence + 1, 0, (Aborted("consent"),))
        over = [*stored, StoredRecord(end.sequence, 0, encode(end))]
        return honest(table, game, over, *about)

    at_another_server(patch)
    patch.setattr(replay_finder, "replayed_game", replayed_game)


def a_refusal_depends_on_the_cards(patch: pytest.MonkeyPatch) -> None:
    honest = ReplayFinder.find

    async def find(self: ReplayFinder, *about: Any) -> Any:
        try:
            return await honest(self, *about)
        except UserError as refusal:
            raise UserError(f"{refusal} {await hidden(self)}", refusal.code) from None

    patch.setattr(ReplayFinder, "find", find)


def an_answer_takes_longer_with_other_cards(patch: pytest.MonkeyPatch) -> None:
    honest = ReplayFinder.find

    async def find(self: ReplayFinder, *about: Any) -> Any:
        await asyncio.sleep(await hidden(self) / 1_000)
        return await honest(self, *about)

    patch.setattr(ReplayFinder, "find", find)


@pytest.mark.parametrize(
    "plant",
    [
        a_running_game_can_be_seen,
        a_refusal_depends_on_the_cards,
        an_answer_takes_longer_with_other_cards,
    ],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_leak_is_found(plant, monkeypatch):
    plant(monkeypatch)
    assert not is_same(is_program=False)
