"""[G-12] Whether somebody keeps moves for later is told by nothing before one of them is played.

In each world Bob types at the same moments: he keeps a move, or looks at the table.  Ann, who plays
with him, Wim, whose program watches, and Eve, whose program is fed with all tables, read the same
bytes at the same times until a move is played; and that reads as if Bob had typed it then.

So it is where all of them are elsewhere, and the table is in no memory: then Ann reads notices, and
all ask for lists.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from mudserver.messages import Announcement
from mudserver.tables import notifications, parked, parking, runner
from mudserver.tables.game import Game
from mudserver.tables.open_tables import OpenTables
from mudserver.tables.records import AnyFact, PlanEnded, PlanSet, Played
from tests.live import live_table
from tests.mudserver.session.test_program_lines import program
from tests.simulation import virtual
from tests.simulation.disk import records
from tests.simulation.server import WALL_MS, Seatholder, SimServer, new_world

LINES = 3  # that Bob types before he is asked
NOTHING = ("look",) * LINES
KEPT = (
    ("later draw", "look", "look"),
    ("later take the moon", "later draw", "later"),
    ("later xyzzy", "later xyzzy", "later take the moon"),
    ("later draw", "later clear", "look"),
)
FOR_S = 700.0  # Bob is asked
LOOK_S = 90.0  # between two looks, so that a table where nobody is leaves memory
ASKED = ("tables", "games", "who", "finger bob", "about")

Heard = dict[str, list[tuple[float, bytes]]]


class Told(NamedTuple):
    others: Heard
    played_at: float | None  # from the list


async def types(person: Seatholder, line: str) -> None:
    person.type(line)
    await asyncio.sleep(1)


async def all_go(*people: Seatholder) -> None:
    """The people, and programs that read of a table, are in the lobby from now on."""
    for person in people:
        await types(person, "unwatch" if person.link.wants_json else "lobby")


def told(
    typed: Sequence[str], by_hand_at: float | None = None, *, is_elsewhere: bool = False
) -> Told:
    """What others read where Bob types these lines before he is asked.

    Args:
        by_hand_at: When he plays.
        is_elsewhere: Nobody is at the table when he is asked.
    """

    async def scenario() -> Told:
        world = new_world(5)
        server, loop = await SimServer(world).open(), asyncio.get_running_loop()
        ann, bob = server.person("Ann"), server.person("Bob")
        wim, eve = program(server, "Wim"), program(server, "Eve")
        await asyncio.sleep(1)
        await types(ann, "open elimination correspondence seats=2")
        for person, line in ((bob, "sit 1"), (bob, "ready"), (ann, "ready"), (wim, "watch 1")):
            await types(person, line)
        await types(eve, "feed tables on")
        others = {"ann": ann, "wim": wim, "eve": eve}
        for person in others.values():
            person.link.received.clear()
        for line in typed:
            await types(bob, line)
        await types(ann, "draw")
        table = live_table(server.app.table_manager, 1)
        assert table is not None and table.game is not None
        assert table.game.window is not None and (1,) == table.game.window.seats
        until_s, was_parked = loop.time() + FOR_S, False
        if by_hand_at is not None:
            loop.call_at(by_hand_at, bob.type, "draw")
        if is_elsewhere:
            await all_go(ann, bob, wim)
        while loop.time() < until_s:
            await asyncio.sleep(LOOK_S)
            for person in others.values() if is_elsewhere else ():
                for line in ASKED:
                    await types(person, line)
            was_parked |= live_table(server.app.table_manager, 1) is None
        assert was_parked == is_elsewhere
        played = [it.at_ms for it in records(world, 1) if any(map(is_from_list, it.facts))]
        played_at = (played[0] - WALL_MS) / 1000 if played else None
        return Told({name: list(it.link.received) for name, it in others.items()}, played_at)

    found: Told = virtual.run(scenario())
    return found


def is_from_list(fact: AnyFact) -> bool:
    return isinstance(fact, Played) and fact.by == "later"


def until(heard: Heard, end: float | None) -> Heard:
    """What is read half a second before *end*."""
    if end is None:
        return heard
    return {name: [it for it in read if it[0] < end - 0.5] for name, read in heard.items()}


def behind(heard: Heard, begin: float) -> dict[str, bytes]:
    """What is read from then on, without its times of day: a line takes some milliseconds."""
    read = {name: [data for at_s, data in it if at_s >= begin] for name, it in heard.items()}
    return {name: re.sub(rb"\b18\d{11}\b", b"", b"".join(it)) for name, it in read.items()}


def is_told(typed: Sequence[str], *, is_elsewhere: bool = False) -> bool:
    """Whether others read, before a move is played, that Bob has typed these lines."""
    kept = told(typed, is_elsewhere=is_elsewhere)
    nothing = told(NOTHING, is_elsewhere=is_elsewhere)
    assert any(nothing.others["ann"]) and any(nothing.others["wim"])
    return until(kept.others, kept.played_at) != until(nothing.others, kept.played_at)


@pytest.mark.parametrize("typed", KEPT, ids=" ".join)
def test_nobody_else_reads_anything_else_or_at_another_time(typed):
    assert not is_told(typed)


@pytest.mark.parametrize("typed", KEPT, ids=" ".join)
def test_so_it_is_where_nobody_is_at_the_table(typed):
    assert not is_told(typed, is_elsewhere=True)


def test_a_move_that_is_played_meanwhile_is_told_elsewhere():
    """Or else the test above proves nothing.  Lists show no more than that a game is played."""
    kept, nothing = [told(it, is_elsewhere=True) for it in (KEPT[0], NOTHING)]
    assert kept.played_at is not None and nothing.played_at is None
    assert kept.others["ann"] != nothing.others["ann"]
    assert b"It is your move at table 1" in b"".join(data for _, data in kept.others["ann"])


def test_a_move_from_the_list_reads_as_one_that_is_typed_then():
    kept = told(KEPT[0])
    assert kept.played_at is not None
    by_hand = told(NOTHING, kept.played_at - 0.5)
    assert by_hand.played_at is None
    read = behind(kept.others, kept.played_at - 1)
    assert read == behind(by_hand.others, kept.played_at - 1)
    assert b" draws a card." in read["ann"] and b"later" not in b"".join(read.values())


# -- planted leaks ---------------------------------------------------------------------------------


def a_change_is_announced(patch: pytest.MonkeyPatch) -> None:
    honest = notifications.announcements

    def announcements(table: Any, fact: Any) -> Any:
        return [Announcement("-")] if isinstance(fact, PlanSet) else honest(table, fact)

    patch.setattr(notifications, "announcements", announcements)


def the_end_of_a_list_shows_the_board_again(patch: pytest.MonkeyPatch) -> None:
    honest = notifications._public_state

    def public_state(table: Any) -> Any:
        return honest(table), len(table.game.plans.lines) if table.game else 0

    patch.setattr(notifications, "_public_state", public_state)


def who_is_looked_up_is_told(patch: pytest.MonkeyPatch) -> None:
    honest = notifications.describe_fact

    def describe_fact(table: Any, fact: Any) -> Any:
        return ["-"] if isinstance(fact, PlanEnded) else honest(table, fact)

    patch.setattr(notifications, "describe_fact", describe_fact)


def lists_show_who_keeps_moves(patch: pytest.MonkeyPatch) -> None:
    honest = notifications.summary_of

    def summary_of(table: Any) -> Any:
        keep = len(table.game.plans.lines) if table.game else 0
        return honest(table)._replace(free_seats=keep)

    patch.setattr(notifications, "summary_of", summary_of)


def a_list_keeps_the_table_in_memory(patch: pytest.MonkeyPatch) -> None:
    """As a server shows that counts those alone."""
    honest = parked.may_park

    def may_park(table: Any, now_ms: int) -> bool:
        return honest(table, now_ms) and not table.game.plans.lines

    def fetched(tables: Any) -> int:
        return len(tables._runners)

    patch.setattr(runner, "may_park", may_park)
    patch.setattr(parking, "may_park", may_park)
    patch.setattr(OpenTables, "count", fetched)


@pytest.mark.parametrize(
    "plant",
    [lists_show_who_keeps_moves, a_list_keeps_the_table_in_memory],
    ids=lambda plant: plant.__name__,
)
def test_a_leak_that_shows_elsewhere_is_found(plant, monkeypatch):
    plant(monkeypatch)
    assert any(is_told(typed, is_elsewhere=True) for typed in KEPT)


@pytest.mark.parametrize(
    "plant",
    [a_change_is_announced, the_end_of_a_list_shows_the_board_again, who_is_looked_up_is_told],
    ids=lambda plant: plant.__name__,
)
def test_a_planted_leak_is_found(plant, monkeypatch):
    plant(monkeypatch)
    assert any(is_told(typed) for typed in KEPT)


def test_a_move_with_a_mark_is_found(monkeypatch):
    monkeypatch.setattr(Game, "_is_secret", lambda *about: False)
    kept = told(KEPT[0])
    assert kept.played_at is not None
    by_hand = told(NOTHING, kept.played_at - 0.5)
    begin = kept.played_at - 1
    assert behind(kept.others, begin) != behind(by_hand.others, begin)
