"""Where other servers write the same journal, nobody is bound to games at two tables."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.errors import JournalConflictError
from mudserver.journal import Claim
from mudserver.messages import Notice
from mudserver.tables import requests as r
from mudserver.tables.runner import SLOW_S
from mudserver.tables.texts import RESUMED, SUSPENDED
from tests.memory_journal import Disk
from tests.mudserver.tables.world import Settings, World, run, texts
from tests.toys.multistep.game import MULTISTEP

OTHER = "table/99"  # of another server


def world(disk: Disk | None = None) -> World:
    made = World(disk, variant=MULTISTEP)
    made.journal.is_shared = True
    return made


async def take(world: World, person: str) -> None:
    """Another server's table takes the seat.  JournalConflictError: it is taken here."""
    await world.journal.append_all([], [Claim("seat", person, OTHER)])


async def is_free(world: World, person: str) -> bool:
    try:
        await take(world, person)
    except JournalConflictError as exc:
        assert ("seat", person) == ("seat", exc.key)
        return False
    await world.journal.append_all([], releases=[Claim("seat", person, OTHER)])
    return True


def test_who_plays_has_the_claim_until_the_game_is_over_or_left():
    async def main() -> None:
        there = world()
        await there.opened("a", "b", bots=1)
        assert await is_free(there, "a") and await is_free(there, "b")
        await there.all_start()
        assert not await is_free(there, "a") and not await is_free(there, "b")
        there.tables.submit(1, r.Leave("b"))
        await there.settles()
        assert not await is_free(there, "a") and await is_free(there, "b")
        there.tables.submit(1, r.Sit("b", "B"))
        await there.settles()
        assert not await is_free(there, "b")
        there.tables.submit(1, r.CloseByStaff("", "enough"))
        await there.settles()
        assert await is_free(there, "a") and await is_free(there, "b")

    run(main())


def test_a_game_does_not_start_with_somebody_who_plays_elsewhere():
    async def main() -> None:
        there = world()
        await there.opened("a", "b", bots=1)
        await take(there, "b")
        there.forget_messages()
        await there.all_start()
        assert not there.table().is_playing and await is_free(there, "a")
        said = texts(there.received("a"))
        assert any("B plays at table 99 now, which is on another server" in it for it in said)
        await there.journal.append_all([], releases=[Claim("seat", "b", OTHER)])
        await there.all_start()
        assert there.table().is_playing and not await is_free(there, "b")

    run(main())


def test_who_plays_elsewhere_stops_no_countdown_and_leaves_the_table():
    async def main() -> None:
        there = world()
        there.tables.open_table(there.person("a"), "multistep", {}, is_play=True)
        await there.settles()
        for person in "bc":
            there.person(person)
            there.tables.submit(1, r.Sit(person, person.upper()))
        await there.settles()
        await take(there, "b")
        there.forget_messages()
        await asyncio.sleep(61)
        await there.settles()
        assert there.table().is_playing and ["a", "c"] == sorted(there.table().seated)
        [said] = [it for it in texts(there.received("b")) if "another server" in it]
        assert said.startswith("You play at table 99")
        assert any("B left the table" in it for it in texts(there.received("a")))
        assert not await is_free(there, "a")

    run(main())


def test_a_seat_is_not_taken_back_by_who_plays_elsewhere():
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1)
        there.tables.submit(1, r.Leave("b"))
        await there.settles()
        await take(there, "b")
        there.forget_messages()
        there.tables.submit(1, r.Sit("b", "B"))
        await there.settles()
        [said] = there.refusals("b")
        assert said.startswith("You play at table 99, which is on another server")
        assert there.table().seat_of("b") is None

    run(main())


@pytest.mark.parametrize("plays_elsewhere", [False, True])
def test_who_takes_over_a_seat_has_the_claim_with_it_or_gets_neither(plays_elsewhere):
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1, clocks="off")
        there.tables.submit(1, r.Leave("b"))
        await asyncio.sleep(61)
        there.person("d")
        if plays_elsewhere:
            await take(there, "d")
        there.tables.submit(1, r.Substitute("d", "D"))
        await there.settles()
        seat = next(n for n, o in enumerate(there.table().seats) if o.substitutes or o.left_ms)
        if plays_elsewhere:
            [said] = there.refusals("d")
            assert said.startswith("You play at table 99, which is on another server")
            assert there.table().seats[seat].person is None and there.tables.table_of("d") is None
        else:
            assert "d" == there.table().seats[seat].person and 1 == there.tables.table_of("d")
            assert not await is_free(there, "d") and await is_free(there, "b")

    run(main())


@pytest.mark.parametrize("is_left", [False, True])
def test_whoever_takes_up_a_table_knows_who_is_bound_to_it(is_left):
    """The server died between the record that freed somebody and the end of the claim."""

    async def main() -> None:
        disk, there = Disk(), world()
        there = world(disk)
        await there.started("a", "b", bots=1)
        if is_left:
            there.journal.is_shared = False  # nothing is given up
            there.tables.submit(1, r.Leave("b"))
            await there.settles()
        later = world(disk)
        await later.journal.append_all([], [Claim("seat", "b", "table/1")])
        await later.settles()
        assert is_left is await is_free(later, "b") and not await is_free(later, "a")

    run(main())


def test_a_claim_that_could_not_be_given_up_is_given_up_after_the_next_record():
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1)
        there.journal.fail(2)  # the record of the leaving is saved
        there.tables.submit(1, r.Leave("b"))
        await there.settles()
        assert not await is_free(there, "b")
        there.plays("a")
        await there.settles()
        assert await is_free(there, "b")

    run(main())


def test_whose_claim_was_given_up_though_the_answer_was_lost_takes_it_again_with_the_seat():
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1)
        there.journal.fail(2, keeps=True)  # the record of the leaving is saved
        there.tables.submit(1, r.Leave("b"))
        await there.settles()
        assert await is_free(there, "b")
        there.tables.submit(1, r.Sit("b", "B"))
        await there.settles()
        assert "b" == there.table().seats[1].person and not await is_free(there, "b")

    run(main())


def test_who_is_seated_twice_gets_the_claim_here_when_it_is_given_up_there(caplog):
    async def main() -> None:
        disk = Disk()
        await world(disk).started("a", "b", bots=1)
        later = world(disk)
        await take(later, "b")
        await later.settles()
        for person in ("a", "b"):
            later.person(person)
        later.plays("a")
        await later.settles()
        assert not await is_free(later, "a")
        await later.journal.append_all([], releases=[Claim("seat", "b", OTHER)])
        later.tables.submit(1, r.Leave("a"))
        await later.settles()
        assert not await is_free(later, "b")

    run(main())
    assert 1 == caplog.text.count("seated twice")


def test_people_are_told_when_it_takes_long_to_give_up_a_claim():
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1)
        append_all = there.journal.append_all

        async def append_slowly(entries, claims=(), releases=(), index=()):
            if not entries:
                await asyncio.sleep(4.0)
            await append_all(entries, claims, releases, index)

        there.journal.append_all = append_slowly
        there.forget_messages()
        there.tables.submit(1, r.Leave("b"))
        await asyncio.sleep(SLOW_S + 0.1)
        assert SUSPENDED == texts(there.received("a"))[-1]
        await asyncio.sleep(4.0)
        assert RESUMED == texts(there.received("a"))[-1]

    run(main())


def test_who_left_with_a_record_in_doubt_is_free_when_the_table_resumes():
    async def main() -> None:
        there = world()
        await there.started("a", "b", bots=1)
        there.journal.fail(keeps=True)
        there.tables.submit(1, r.Leave("b"))
        await there.settles()
        assert not await is_free(there, "b")
        await asyncio.sleep(Settings().retry_s + 0.1)
        assert there.table().seat_of("b") is None and await is_free(there, "b")

    run(main())


def test_where_nobody_else_writes_there_are_no_claims():
    async def main() -> None:
        there = World(variant=MULTISTEP)
        await there.started("a", "b", bots=1)
        assert await is_free(there, "a")
        assert not [it for it in there.received("a", Notice) if "another server" in it.text]

    run(main())
