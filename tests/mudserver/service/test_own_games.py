"""One's own games by correspondence: what waits, who is told, and what comes next."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.messages import CallNotice, MovesWait, Notice
from mudserver.service.own_games import OwnGames
from mudserver.session.lobby_board import lobby_lines
from mudserver.tables import requests as r
from mudserver.tables.parking import QUIET_S
from mudserver.tables.summary import TableSummary
from tests.mudserver.tables.world import World, run
from tests.simulation import virtual
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP
from variants.kit.text import plain_text


def changing(**kept: Any) -> tuple[World, OwnGames]:
    """A server, and what it tells of own games."""
    told: list[OwnGames] = []

    def note_change(number: int) -> None:
        for each in told:
            each.note_change(number)

    world = World(on_change=note_change, **kept)
    own = OwnGames(world.tables, world.outbox, world.clock.now_ms, world.variant.name)
    told.append(own)
    return world, own


def notices(world: World, person: str) -> list[str]:
    return [message.text for message in world.received(person, Notice | CallNotice)]


def test_what_waits_is_listed_with_the_shortest_time_first():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        ann, bob = world.person("a"), world.person("b")
        assert "" == own.greeting(ann) == own.turn_word(ann)
        for move in ("3d", "1d", "2d"):
            await world.started("a", "b", move=move)
        world.tables.leave_other("a")
        await world.settles()
        assert (
            "Your move at 3 tables: 2 (multistep, 24 h left), 3 (multistep, 48 h left),"
            " 1 (multistep, 3 days left). go takes you to the first." == own.greeting(ann)
        )
        assert "your move at 3 tables" == own.turn_word(ann)
        assert [2, 3, 1] == [row.number for row in own.rows(ann) if row.is_asked]
        assert {"A to play"} == {row.state for row in own.rows(bob)}
        assert "" == own.greeting(bob)
        own.go(ann, own.next_of(ann))
        await world.settles()
        assert 2 == world.tables.table_of("a") and "your move at 2 tables" == own.turn_word(ann)

    run(scenario())


def test_who_is_elsewhere_is_told_of_a_move_once_in_ten_minutes():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        for move in ("1d", "2d"):
            await world.started("a", "b", move=move)
        world.tables.leave_other("b")
        world.tables.go("a", 1)
        await world.settles()
        world.forget_messages()
        world.plays("a", "step")
        await world.settles()
        while not world.table(1).question_of("b"):
            world.plays("a")
            await world.settles()
        assert ["It is your move at table 1 (multistep), 24 h left. To go there: go 1"] == (
            notices(world, "b")
        )
        assert "Next: table 2, multistep. To go there: go" == notices(world, "a")[-1]
        world.tables.go("a", 2)
        await world.settles()
        while not world.table(2).question_of("b"):
            world.plays("a")
            await world.settles()
        assert [] == notices(world, "b")  # the prompt says it
        assert "your move at 2 tables" == own.turn_word(world.person("b"))
        world.tables.go("b", 1)
        await world.settles()
        while not world.table(1).question_of("a"):
            world.plays("b")
            await world.settles()
        world.tables.leave_other("b")
        world.tables.go("a", 1)
        await world.settles()
        world.forget_messages()
        while not world.table(1).question_of("b"):
            world.plays("a")
            await world.settles()
        assert ["It is your move at table 1 (multistep), 24 h left. To go there: go 1"] == (
            notices(world, "b")
        )  # after an own move it is told again

    run(scenario())


def test_a_title_that_counts_games_follows_what_no_sentence_tells():
    async def scenario(counts: bool) -> list[int]:
        world, own = changing(variant=MULTISTEP)
        own._counts_moves = lambda person: counts and person == "b"
        for move in ("1d", "2d"):
            await world.started("a", "b", move=move)
        world.tables.leave_other("b")
        bob = Person("b", "B", is_guest=False)
        counted = [own.waiting_elsewhere(bob)]
        for number in (1, 2):
            world.tables.go("a", number)
            await world.settles()
            while not world.table(number).question_of("b"):
                world.plays("a")
                await world.settles()
            counted += [own.waiting_elsewhere(bob), len(world.received("b", MovesWait))]
        world.tables.go("b", 1)
        await world.settles()
        return [*counted, own.waiting_elsewhere(bob)]

    assert [0, 1, 0, 2, 1, 1] == run(scenario(True))
    assert [0, 1, 0, 2, 0, 1] == run(scenario(False))


def test_who_is_elsewhere_is_told_that_a_game_is_over():
    async def scenario() -> None:
        world, _ = changing(variant=MULTISTEP)
        await world.started("a", "b", move="1h")
        await world.started("a", "b", move="1d")
        for number, person in ((1, "a"), (1, "b"), (2, "b")):
            world.tables.submit(number, r.StepOut(person))
        await asyncio.sleep(80_000)  # nobody plays on at the first one, which is parked meanwhile
        over = "Your game at table 1 (multistep) is over. To see how it ended: go 1"
        for person in "ab":
            assert 1 == notices(world, person).count(over)
        world.tables.go("a", 2)
        await world.settles()
        world.tables.close_table(2, "spam")
        await world.settles()
        assert "Your game at table 2 (multistep) is over." in notices(world, "b")
        assert not any("Your game" in text for text in notices(world, "a"))

    run(scenario())


def test_a_game_that_is_parked_and_comes_back_is_not_over():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        for person in "ab":
            world.tables.submit(1, r.StepOut(person))
        await world.settles()
        world.forget_messages()
        await asyncio.sleep(QUIET_S + 1)
        assert 1 in world.tables.parking and {} == own._seen
        await world.tables.fetch(1)
        await world.settles()
        assert [] == notices(world, "a") + notices(world, "b")

    run(scenario())


def test_an_offer_that_waits_for_the_person_is_listed_and_one_game_has_a_sentence():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        world.tables.leave_other("a")
        world.tables.submit(1, r.Offer("b", "abort"))
        await world.settles()
        ann, bob = world.person("a"), world.person("b")
        assert "Your move at table 1 (multistep, 24 h left). go takes you there." == (
            own.greeting(ann)
        )
        states = [row.state for person in (ann, bob) for row in own.rows(person)]
        assert ["your move, 24 h left, an offer waits for your answer", "A to play"] == states

    run(scenario())


def test_a_new_process_tells_nothing_again():
    async def scenario() -> None:
        world, _ = changing(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        again, own = changing(variant=MULTISTEP, disk=world.journal.disk)
        again.person("a")
        await again.settles()
        assert [] == notices(again, "a")
        assert "your move at 1" == own.turn_word(again.person("a"))

    run(scenario())


def test_games_that_are_not_restored_yet_are_not_denied():
    async def scenario() -> None:
        world = World(variant=MULTISTEP)
        await world.started("a", "b", move="1d")
        again, own = changing(variant=MULTISTEP, disk=world.journal.disk, within_s=0.0)
        ann = again.person("a")
        assert 1 == again.tables.restorer.pending_count()
        with pytest.raises(UserError, match="is loading the tables"):
            own.go(ann, own.next_of(ann))
        await again.settles()
        own.go(ann, own.next_of(ann))
        assert 1 == again.tables.table_of("a")

    run(scenario())


def test_nothing_of_this_tells_who_has_answered_in_secret():
    """[G-11] Twin worlds: in one of them Ann has bid."""

    async def scenario(bids: bool) -> list[object]:
        world, own = changing(variant=DUEL)
        await world.started("a", "b", move="1d")
        world.tables.leave_other("b")
        await world.settles()
        world.forget_messages()
        if bids:
            world.plays("a")
            await world.settles()
        bob = world.person("b")
        shown = [own.greeting(bob), own.turn_word(bob), own.rows(bob), own.games("b")]
        return [*shown, notices(world, "b")]

    assert run(scenario(True)) == run(scenario(False))


def test_the_lobby_shows_the_own_games_first_in_a_third_of_its_rows():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP, opened_burst=20)
        for _ in range(9):
            await world.started("a", "b", move="1d")
        world.tables.leave_other("b")
        world.tables.submit(9, r.StepOut("a"))
        await world.settles()
        rows = own.rows(world.person("a"))
        for cols, more, says in ((40, 7, "   your move, 24 h left"), (80, 4, "go 1")):
            others = [TableSummary(99, "words", "waiting", "Eve", 1, 0)]
            lines = [plain_text(it) for it in lobby_lines(others, [], "A", cols, 18, own=rows)]
            alone = [plain_text(it) for it in lobby_lines([], [], "A", 80, 18, own=rows)]
            assert 9 == sum("go " in it for it in alone) and any(
                "Other tables" in it for it in lines
            )
            assert (
                lines[0].startswith(" 1 multistep" if cols < 72 else "   1  multistep")
                and f" {more} more   go" in lines
            )
            assert all(len(line) <= cols for line in lines)
            assert any("your move, 24 h" in line and line.endswith(says) for line in lines)

    run(scenario())


def test_who_logs_in_reads_which_games_are_adjourned():
    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        ann = world.person("a")
        for number in (1, 2):
            await world.started("a", "b")
            world.tables.submit(number, r.Offer("a", "adjourn"))
            await asyncio.sleep(3)
            world.tables.submit(number, r.AnswerOffer("b", True))
            await world.settles()
            assert (number == 1) is own.greeting(ann).endswith("resume 1")
        assert "You have 2 adjourned games. To see them: go" == own.greeting(ann)
        assert ["adjourned, waits for you and B"] * 2 == [it.state for it in own.rows(ann)]

    run(scenario())


def test_who_logs_in_within_the_last_week_reads_when_an_adjourned_game_ends():
    """The notices of the seventh day and the last were told to nobody who was not here."""

    async def scenario() -> None:
        world, own = changing(variant=MULTISTEP)
        ann = world.person("a")
        for number, days in ((1, 20), (2, 4)):
            await world.started("a", "b")
            world.tables.submit(number, r.Offer("a", "adjourn"))
            await asyncio.sleep(3)
            world.tables.submit(number, r.AnswerOffer("b", True))
            await world.settles()
            for person in "ab":
                world.tables.submit(number, r.StepOut(person))
            await asyncio.sleep(days * 86_400)
            if number == 1:
                assert "is adjourned. To go on: resume 1" in own.greeting(ann)
        assert number in world.tables.parking
        assert (
            "You have 2 adjourned games; the first ends in 6 days. To see them: go"
            == own.greeting(ann)
        )
        waits = "adjourned, waits for you and B"
        assert [f"{waits}, ends in 6 days", waits] == [it.state for it in own.rows(ann)]
        await asyncio.sleep(5.5 * 86_400)
        assert own.rows(ann)[0].state.endswith("ends in 12 h")
        await asyncio.sleep(86_400)
        assert own.greeting(ann).endswith("adjourned. To go on: resume 2")

    virtual.run(scenario())
