"""Notices of games: who is told what, in a terminal and outside, also after a crash."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from mudserver.accounts.notify_choice import NotifyChoice
from mudserver.clock import parse_date
from mudserver.messages import CallNotice
from mudserver.service import notices as service
from mudserver.service.joined_notices import EVERY_MS
from mudserver.service.notices import Notices, OutsideNotice
from mudserver.service.own_games import OwnGames
from mudserver.tables import requests as r
from mudserver.tables.parking import QUIET_S
from tests.memory_journal import Disk
from tests.mudserver.tables.test_parking import copied
from tests.mudserver.tables.world import START_MS, World, run
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP

HOUR_S, DAY_S = 3_600, 86_400
EVERY_S = EVERY_MS / 1000
NOON_MS = (parse_date("2026-11-22") or 0) + 12 * HOUR_S * 1000


@dataclass
class FakeOutside:
    is_on: bool = True
    sent: list[OutsideNotice] = field(default_factory=list)

    def put(self, notice: OutsideNotice) -> None:
        self.sent.append(notice)


@dataclass
class FakeAccount:
    name: str
    notify: NotifyChoice


class FakeAccounts:
    """Everybody wants everything, under a topic of the own name."""

    def __init__(self) -> None:
        self.choices: dict[str, NotifyChoice] = {}
        self.streams = self.accounts = self

    def by_id(self, person: str) -> FakeAccount:
        topic = NotifyChoice(f"topic-of-{person}")
        return FakeAccount(person.capitalize(), self.choices.get(person, topic))


class Told:
    """A server with notices."""

    def __init__(self, disk: Disk | None = None, wall_ms: int = START_MS, **kept: Any) -> None:
        def note_change(number: int) -> None:
            if self.notices is not None:
                self.own.note_change(number)
                self.notices.note_change(number)

        self.notices: Notices | None = None
        kept = {"variant": MULTISTEP, "on_change": note_change, **kept}
        self.world = World(disk, wall_ms=wall_ms, within_s=None, **kept)
        self.accounts, self.outside = FakeAccounts(), FakeOutside()
        world = self.world
        self.own = OwnGames(world.tables, world.outbox, world.clock.now_ms, "multistep")
        others: tuple[Any, ...] = self.accounts, world.outbox, world.clock, self.outside
        self.notices = Notices(world.tables, self.own, *others)

    async def restored(self) -> Told:
        await self.world.tables.restore()
        await self.passes(0)
        return self

    async def passes(self, seconds: float) -> None:
        """A moment longer, so that what is due at the end is told, too."""
        await asyncio.sleep(seconds + 0.01)
        await self.world.settles()
        await asyncio.sleep(0.01)

    async def game(self, move: str = "1d", leave: str = "ab") -> int:
        """A game of Ann and Bob, who go to the lobby."""
        number = (await self.world.started("a", "b", move=move)).number
        for person in leave:
            self.world.tables.submit(number, r.StepOut(person))
        await self.passes(0)
        return number

    async def plays_until_asked(self, number: int, player: str, other: str) -> None:
        self.world.tables.go(player, number)
        await self.world.settles()
        while not self.world.table(number).question_of(other):
            self.world.plays(player, "step")
            await self.world.settles()
        self.world.tables.submit(number, r.StepOut(player))
        await self.passes(0)

    def texts(self, person: str) -> list[str]:
        """What the person was told outside since the last call."""
        found = [it.text for it in self.outside.sent if it.topic == f"topic-of-{person}"]
        self.outside.sent = [it for it in self.outside.sent if it.topic != f"topic-of-{person}"]
        return found

    def called(self, person: str) -> list[str]:
        """The same in the terminal."""
        return [it.text for it in self.world.received(person, CallNotice)]


async def server(**kept: Any) -> Told:
    return await Told(**kept).restored()


def move(table: int, left: str) -> str:
    return f"It is your move at table {table} (multistep); {left}."


def test_time_that_runs_out_is_told_to_who_is_to_move_in_the_terminal_and_outside():
    async def scenario() -> None:
        told = await server()
        number = await told.game(leave="ab")
        assert [] == told.texts("a")  # who was at the table when the move came
        told.called("a")
        await told.passes(QUIET_S + 60)
        assert number in told.world.tables.parking
        await told.passes(12 * HOUR_S)
        assert [move(1, "12 h")] == told.texts("a")
        assert [f"{move(1, '12 h')} To go there: go 1"] == told.called("a")
        await told.passes(9 * HOUR_S + 2_200)
        assert ["It is your move at table 1 (multistep); 2 h."] == told.texts("a")
        assert [] == told.texts("b") == told.called("b")

    run(scenario())


def test_a_move_is_told_outside_once_though_its_table_is_parked_and_comes_back():
    async def scenario() -> None:
        told = await server()
        number = await told.game(leave="ab")
        await told.plays_until_asked(number, "a", "b")
        first = told.outside.sent[0]
        assert OutsideNotice("B", "topic-of-b", "move", 1, "multistep", move(1, "24 h")) == first
        await told.passes(QUIET_S + 60)
        assert number in told.world.tables.parking
        await told.world.tables.fetch(number)
        await told.passes(EVERY_S)
        assert [move(1, "24 h")] == told.texts("b") and [] == told.texts("a")

    run(scenario())


def test_what_comes_within_ten_minutes_is_joined_and_what_is_no_longer_true_is_left_out():
    async def scenario() -> None:
        told = await server()
        numbers = [await told.game(leave="ab") for _ in range(4)]
        for number in numbers:
            await told.plays_until_asked(number, "a", "b")
        assert [move(1, "24 h")] == told.texts("b")
        await told.plays_until_asked(numbers[1], "b", "a")
        await told.passes(EVERY_S)
        assert ["Your move at 2 tables."] == told.texts("b")
        assert [move(2, "24 h")] == told.texts("a")

    run(scenario())


def test_joined_notices_name_no_table_and_what_they_have_in_common():
    async def scenario() -> None:
        told = await server()
        numbers = [await told.game(leave="ab") for _ in range(3)]
        for number in numbers:
            await told.plays_until_asked(number, "a", "b")
        await told.passes(EVERY_S)
        assert [("move", 1, "multistep"), ("move", None, "")] == [
            (it.event, it.table, it.variant) for it in told.outside.sent
        ]

    run(scenario())


def test_only_what_the_person_has_chosen_goes_out():
    async def scenario() -> None:
        told = await server()
        told.accounts.choices = {
            "a": NotifyChoice("topic-of-a", ("results",)),
            "b": NotifyChoice("", ("moves", "results")),
        }
        number = await told.game(leave="ab")
        await told.plays_until_asked(number, "a", "b")
        told.world.tables.submit(number, r.Offer("a", "abort"))
        told.world.tables.submit(number, r.StepOut("a"))
        await told.passes(5)
        told.world.tables.submit(number, r.AnswerOffer("b", True))
        await told.passes(EVERY_S)
        assert ["Your game at table 1 (multistep) is over."] == told.texts("a")
        assert [] == told.texts("b")
        told.accounts.choices = {}
        told.outside.is_on = False
        number = await told.game(leave="ab")
        await told.plays_until_asked(number, "a", "b")
        assert [] == told.texts("b")

    run(scenario())


def test_an_offer_is_told_to_who_is_elsewhere():
    async def scenario() -> None:
        told = await server()
        number = await told.game(leave="ab")
        told.called("b")
        told.world.tables.submit(number, r.Offer("a", "abort"))
        await told.passes(0)
        text = "An offer waits for your answer at table 1 (multistep); 3 days."
        assert [text] == told.texts("b") and [f"{text} To go there: go 1"] == told.called("b")
        assert [] == told.texts("a") == told.called("a")

    run(scenario())


def test_an_adjourned_game_is_told_of_a_week_and_a_day_before_it_ends_and_then():
    async def scenario() -> None:
        told = await server()
        await told.world.started("a", "b")
        told.world.tables.submit(1, r.Offer("a", "adjourn"))
        await told.passes(4)
        told.world.tables.submit(1, r.AnswerOffer("b", True))
        await told.passes(0)
        for person in "ab":
            told.world.tables.submit(1, r.StepOut(person))
        await told.passes(QUIET_S + 60)
        assert 1 in told.world.tables.parking and [] == told.texts("a")
        told.called("a")
        ends = "Your adjourned game at table 1 (multistep) ends in {}."
        for days, left in ((23, "7 days"), (6, "24 h")):
            await told.passes(days * DAY_S)
            assert [ends.format(left)] == told.texts("a") == told.texts("b")
            assert [f"{ends.format(left)} To go on: resume 1"] == told.called("a")
        await told.passes(DAY_S + EVERY_S)
        assert ["Your game at table 1 (multistep) is over."] == told.texts("a")

    virtual_run(scenario())


def virtual_run(scenario: Any) -> None:
    from tests.simulation import virtual

    virtual.run(scenario)  # longer than the 100,000 s of `run`


def test_who_was_told_by_another_server_waits_as_if_it_had_been_this_one():
    async def scenario() -> None:
        told = await server()
        sent: list[tuple[str, int]] = []
        assert told.notices is not None
        told.notices.on_sent = lambda person, at_ms: sent.append((person, at_ms))
        numbers = [await told.game(leave="ab") for _ in range(2)]
        told.notices.note_sent("b", told.world.clock.now_ms())
        for number in numbers:
            await told.plays_until_asked(number, "a", "b")
        await told.passes(EVERY_S / 2)
        assert [] == told.texts("b") and [] == sent
        await told.passes(EVERY_S / 2)
        assert ["Your move at 2 tables."] == told.texts("b")
        assert ["b"] == [person for person, _ in sent]

    run(scenario())


def test_quiet_hours_are_of_the_persons_own_time_zone_and_then_all_is_told_together():
    async def scenario() -> None:
        told = await server(wall_ms=NOON_MS)  # 13:00 in Berlin
        told.accounts.choices["b"] = NotifyChoice("topic-of-b", ("moves",), 12, 14, "Europe/Berlin")
        numbers = [await told.game(leave="ab") for _ in range(2)]
        for number in numbers:
            await told.plays_until_asked(number, "a", "b")
        await told.passes(HOUR_S - 60)
        assert [] == told.texts("b")
        await told.passes(60)
        assert ["Your move at 2 tables."] == told.texts("b")

    run(scenario())


def test_a_crash_loses_nothing_and_repeats_at_most_one_notice():
    async def scenario() -> None:
        for wait_s, expected in ((0.0, 1), (EVERY_S + 60, 0)):
            told = await server()
            numbers = [await told.game(leave="ab") for _ in range(3)]
            for number in numbers:
                await told.plays_until_asked(number, "a", "b")  # two of them wait to be joined
            await told.passes(wait_s)
            assert 2 - expected == len(told.texts("b"))
            disk = copied(told.world.journal.disk)
            disk.alive_ms = told.world.clock.now_ms()
            again = await server(disk=disk, wall_ms=told.world.clock.now_ms())
            again.world.person("b")
            await again.passes(EVERY_S)
            said = again.texts("b")
            assert expected == len(said), said
            assert not expected or ["Your move at 3 tables."] == said
            assert [] == again.called("b")  # in a terminal nothing is told again

    run(scenario())


def test_time_that_ran_out_while_the_server_was_away_is_told_at_the_start():
    """Half a minute is not given back."""

    async def scenario() -> None:
        told = await server()
        await told.game(leave="ab")
        for parks_s in (0, QUIET_S + 60):
            await told.passes(parks_s)
            disk = copied(told.world.journal.disk)
            half_ms = START_MS + 12 * HOUR_S * 1000
            disk.alive_ms = half_ms - 10_000
            again = await server(disk=disk, wall_ms=half_ms + 20_000)
            await again.passes(0)
            assert 1 == sum("12 h" in it or "11 h" in it for it in again.texts("a"))

    run(scenario())


def test_a_night_in_which_the_server_restarts_is_told_in_the_morning():
    async def scenario() -> None:
        told = await server(wall_ms=NOON_MS)
        choice = NotifyChoice("topic-of-b", ("moves",), 12, 20, "UTC")
        told.accounts.choices["b"] = choice
        number = await told.game(leave="ab")
        await told.plays_until_asked(number, "a", "b")
        await told.passes(2 * HOUR_S)
        disk = copied(told.world.journal.disk)
        disk.alive_ms = told.world.clock.now_ms()
        again = Told(disk, wall_ms=told.world.clock.now_ms())
        again.accounts.choices["b"] = choice
        await again.restored()
        await again.passes(5 * HOUR_S)
        assert [] == again.texts("b")
        await again.passes(HOUR_S)
        assert 1 == len(again.texts("b"))

    run(scenario())


def test_a_server_that_is_away_when_the_night_ends_tells_in_the_morning_what_waited():
    """It is day again when it is back, and what waited was lost with the process."""

    async def scenario() -> None:
        for first, last, expected in ((23, 8, 1), (8, 9, 0)):  # quiet hours: then, and before
            told = await server(wall_ms=NOON_MS + 11 * HOUR_S * 1000)
            choice = NotifyChoice("topic-of-b", ("moves",), first, last, "UTC")
            told.accounts.choices["b"] = choice
            number = await told.game(leave="ab")
            await told.plays_until_asked(number, "a", "b")
            await told.passes(8 * HOUR_S)
            assert 1 - expected == len(told.texts("b"))
            disk = copied(told.world.journal.disk)
            disk.alive_ms = told.world.clock.now_ms()
            again = Told(disk, wall_ms=told.world.clock.now_ms() + 2 * HOUR_S * 1000)
            again.accounts.choices["b"] = choice
            await again.restored()
            assert expected == len(again.texts("b"))

    run(scenario())


def test_the_times_of_notices_say_nothing_of_who_has_answered_in_secret():
    """[G-11] Twin worlds: in one of them Ann has bid."""

    async def scenario(bids: bool) -> list[object]:
        told = await server(variant=DUEL)
        number = await told.game(leave="b")
        if bids:
            told.world.plays("a")
            await told.passes(0)
        seen: list[object] = []
        for _ in range(26):
            await told.passes(HOUR_S)
            seen.append((told.texts("b"), told.called("b")))
        return [*seen, number]

    first, second = run(scenario(True)), run(scenario(False))
    assert first[:23] == second[:23]  # then the window ends, and all is told


def test_what_is_remembered_of_tables_is_bounded():
    async def scenario() -> None:
        told = await server()
        number = await told.game(leave="ab")
        notices = told.notices
        assert notices is not None
        for turn in range(8):
            player, other = ("a", "b") if turn % 2 == 0 else ("b", "a")
            await told.plays_until_asked(number, player, other)
            assert len(notices._due) <= 1
            assert len(notices._told[number]) <= 6
        told.world.tables.close_table(number, "")
        await told.passes(2 * DAY_S)
        assert {} == notices._told == notices._alive_ms
        assert set() == notices._fetched and 0 == len(notices._due)

    virtual_run(scenario())


def test_many_people_who_wait_for_one_hour_are_told_in_several_turns_of_the_loop(monkeypatch):
    monkeypatch.setattr(service, "DUE_AT_ONCE", 1)

    async def scenario() -> None:
        told = await server(wall_ms=NOON_MS)
        for person in "ab":
            topic = f"topic-of-{person}"
            told.accounts.choices[person] = NotifyChoice(topic, ("moves",), 12, 13, "UTC")
        numbers = [await told.game(leave="ab") for _ in range(2)]
        for number in numbers:
            await told.plays_until_asked(number, "a", "b")
        await told.plays_until_asked(numbers[1], "b", "a")
        await told.passes(HOUR_S)
        assert [["It is your move at table 2 (multistep); 23 h."],
                ["It is your move at table 1 (multistep); 23 h."]] == [
            told.texts("a"), told.texts("b")
        ]  # fmt: skip

    run(scenario())
