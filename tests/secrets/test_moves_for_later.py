"""[G-12] Whether somebody keeps moves for later is told by nothing before one of them is played.

In each world Bob types at the same moments: he keeps a move, or looks at the table.  Ann, who plays
with him, Wim, whose program watches, and Eve, whose program is fed with all tables, read the same
bytes at the same times until a move is played; and that reads as if Bob had typed it then.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from mudserver.messages import Announcement
from mudserver.tables import notifications
from mudserver.tables.game import Game
from mudserver.tables.records import PlanEnded, PlanSet
from tests.live import live_table
from tests.mudserver.session.test_program_lines import program
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world

LINES = 3  # that Bob types before he is asked
NOTHING = ("look",) * LINES
KEPT = (
    ("later draw", "look", "look"),
    ("later take the moon", "later draw", "later"),
    ("later xyzzy", "later xyzzy", "later take the moon"),
    ("later draw", "later clear", "look"),
)
FOR_S = 700.0  # Bob is asked

Heard = dict[str, list[tuple[float, bytes]]]


class Told(NamedTuple):
    others: Heard
    played_at: float | None  # from the list


async def types(person: Seatholder, line: str) -> None:
    person.type(line)
    await asyncio.sleep(1)


def told(typed: Sequence[str], by_hand_at: float | None = None) -> Told:
    """What others read where Bob types these lines before he is asked.

    Args:
        by_hand_at: When he plays.
    """

    async def scenario() -> Told:
        server, loop = await SimServer(new_world(5)).open(), asyncio.get_running_loop()
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
        table, played_at = live_table(server.app.table_manager, 1), None
        assert table is not None and table.game is not None
        assert table.game.window is not None and (1,) == table.game.window.seats
        until_s = loop.time() + FOR_S
        if by_hand_at is not None:
            loop.call_at(by_hand_at, bob.type, "draw")
        while loop.time() < until_s:
            await asyncio.sleep(0.5)
            if played_at is None and table.game.plays[-1].by == "later":
                played_at = loop.time()
        return Told({name: list(it.link.received) for name, it in others.items()}, played_at)

    found: Told = virtual.run(scenario())
    return found


def until(heard: Heard, end: float | None) -> Heard:
    """What is read half a second before *end*."""
    if end is None:
        return heard
    return {name: [it for it in read if it[0] < end - 0.5] for name, read in heard.items()}


def behind(heard: Heard, begin: float) -> dict[str, bytes]:
    """What is read from then on, without its times of day: a line takes some milliseconds."""
    read = {name: [data for at_s, data in it if at_s >= begin] for name, it in heard.items()}
    return {name: re.sub(rb"\b18\d{11}\b", b"", b"".join(it)) for name, it in read.items()}


def is_told(typed: Sequence[str]) -> bool:
    """Whether others read, before a move is played, that Bob has typed these lines."""
    kept, nothing = told(typed), told(NOTHING)
    assert any(nothing.others["ann"]) and any(nothing.others["wim"])
    return until(kept.others, kept.played_at) != until(nothing.others, kept.played_at)


@pytest.mark.parametrize("typed", KEPT, ids=" ".join)
def test_nobody_else_reads_anything_else_or_at_another_time(typed):
    assert not is_told(typed)


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
