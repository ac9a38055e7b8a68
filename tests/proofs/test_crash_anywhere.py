"""[DUR-5] A game whose server dies at every position of its journal.

Everybody comes back and sees, to the byte, what that seat was last shown there; no play that
anybody was told of is lost, none is made twice, and the game goes on to its end.
"""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from mudserver.messages import ViewMessage
from tests.counts import IS_FULL
from tests.proofs.game import (
    HeldBots,
    come_in,
    forked,
    look_of,
    looks,
    masked,
    one_round,
    play_on,
    sit_down,
    table,
)
from tests.simulation.delivery_monitor import Memory, check_told, listen
from tests.simulation.disk import check_cards, fold, readers
from tests.simulation.server import SimServer, World, new_world
from tests.simulation.virtual import run
from tests.slow_cases import slow_cases
from variants.catalogue import CATALOGUE

SEED = 7
EVERY = 1 if IS_FULL else 4  # of its positions, a whole game has died at one in so many
LastShown = dict[int, dict[str, ViewMessage]]
"""By position in the journal, by person's name."""


POSITIONS = [("elimination", 11), *((game, 1) for game in sorted(CATALOGUE))]
every_game = pytest.mark.parametrize("variant", sorted(CATALOGUE))


def whole_game(variant: str, seed: int) -> tuple[World, LastShown]:
    """A game to its end, and what each seat was shown last at every position."""
    world, shown = new_world(seed), LastShown()

    async def scenario() -> None:
        server = await SimServer(world).open()
        outbox, names = server.app.outbox, {"p1": "ann", "p2": "bob"}
        send, send_each = outbox.send, outbox.send_each

        def note(address, message):
            if isinstance(message, ViewMessage):
                shown.setdefault(table(server).sequence, {})[names[address]] = message

        def send_noted(address, message):
            note(address, message)
            send(address, message)

        def send_each_noted(deliveries):
            deliveries = list(deliveries)
            for delivery in deliveries:
                note(*delivery)
            send_each(deliveries)

        outbox.send, outbox.send_each = send_noted, send_each_noted
        people = await come_in(server)
        await sit_down(people, 2, one_round(variant), variant)
        await play_on(server, people, Random(seed))
        assert table(server).phase == "over"
        server.journal.disk.owner = None

    run(scenario())
    return world, shown


def start_of(world: World) -> int:
    """The record with which the game began."""
    return next(n for n in range(1, 100) if fold(world, 1, n).table.game is not None)


def comes_back(world: World, position: int, shown: LastShown, to_the_end: bool) -> None:
    async def scenario() -> None:
        fork = forked(world, position)
        bots = HeldBots()
        server = await SimServer(fork, bots=bots).open()
        people = await come_in(server)
        for name, person in people.items():
            expected = look_of(server, person, shown[position][name])
            assert expected in masked(person.link.heard), (position, name, "on coming back")
            assert expected in await looks(server, person), (position, name, "on looking")
            last = shown[position][name]
            is_mine = last.seat in last.asked and not last.has_answered
            assert is_mine is person.is_asked, (position, name)
        bots.gate.set()
        if to_the_end:
            await play_on(server, people, Random(position))
            game = table(server).game
            assert game.result is not None
            check_cards(game)
            was = fold(world, 1, position).table.game
            for reader in readers(was):  # what had been played has been played once
                heard = was.known_events(reader)
                assert heard == game.known_events(reader)[: len(heard)]
        server.journal.disk.owner = None

    run(scenario())


@pytest.mark.parametrize(("variant", "each"), slow_cases(POSITIONS, map(str, POSITIONS[1:])))
def test_killed_at_a_position_each_seat_sees_what_it_saw_last(variant, each):
    """Args: each: 1: at every position; 11: at every eleventh."""
    world, shown = whole_game(variant, SEED)
    last = len(world.disk.records["table/1"])
    positions = range(start_of(world), last + 1)
    assert len(positions) > 50
    for position in positions[::each]:
        comes_back(world, position, shown, to_the_end=position % 6 == 0)


def killed_behind(variant: str, seed: int, record: int) -> int:
    """The server dies when *record* of the game is durable and nobody has heard of it.

    Answers the events people were told in all; 0: the game was over before it had that record.
    """
    world, memory = new_world(seed), Memory()

    async def first() -> bool:
        server = SimServer(world)
        listen(server.app, memory)
        await server.open()
        people = await come_in(server)
        await sit_down(people, 1, one_round(variant), variant)
        died = server.journal.doom(record)
        playing = asyncio.create_task(play_on(server, people, Random(seed)))
        dying = asyncio.create_task(died.wait())
        async with asyncio.timeout(3600):
            await asyncio.wait((dying, playing), return_when=asyncio.FIRST_COMPLETED)
        dying.cancel()
        playing.cancel()
        server.journal.disk.owner = None
        return died.is_set()

    async def second() -> None:
        bots = HeldBots()
        server = SimServer(world, bots=bots)
        listen(server.app, memory)
        await server.open()
        people = await come_in(server)
        for name, person in people.items():
            view = table(server).view_for({"ann": "p1", "bob": "p2"}[name])
            assert look_of(server, person, view) in await looks(server, person), (record, name)
        bots.gate.set()
        await play_on(server, people, Random(record))
        assert table(server).phase == "over"
        server.journal.disk.owner = None

    if not run(first()):
        return 0
    memory.forget_lines()
    durable = fold(world, 1)
    plays = len(durable.table.game.plays)
    told = max((block.after for blocks in memory.told.values() for block in blocks), default=0)
    assert plays - 1 == told  # durable, and told to nobody yet
    check_told({1: durable}, memory)
    run(second())
    return check_told({1: fold(world, 1)}, memory)


@every_game
def test_a_play_that_was_durable_before_anybody_heard_of_it_counts_once(variant):
    for record in (2, 17):  # `make prove`: all of them
        assert killed_behind(variant, SEED, record)


@pytest.mark.prove
@every_game
@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_whole_games_goes_on_to_the_end(variant, seed):
    world, shown = whole_game(variant, 100 + seed)
    first, last = start_of(world) + seed % EVERY, len(world.disk.records["table/1"])
    positions = range(first, last + 1, EVERY)
    for position in positions:
        comes_back(world, position, shown, to_the_end=True)
    records = range(1 + seed % EVERY, 41, EVERY)
    behind = [record for record in records if killed_behind(variant, 100 + seed, record)]
    assert len(behind) >= 20 // EVERY  # the shortest round of words has some thirty records
    print(f"\ncrash {variant} seed={seed} positions={len(positions)} "
          f"between_append_and_commit={len(behind)}")  # fmt: skip
