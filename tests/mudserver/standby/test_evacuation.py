"""A server gives its tables and people to another one: nothing is lost, and nobody is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection
from pathlib import Path
from types import SimpleNamespace

import pytest

from mudserver.cli.restart import EVACUATION_S
from mudserver.errors import JournalWriteError, UserError
from mudserver.standby.evacuation import ALL_S, TAKEN_S, WITHIN_S, Evacuation
from tests.simulation import virtual


def an_evacuation(**others: object) -> Evacuation:
    wanted = {
        "journal": SimpleNamespace(is_shared=True),
        "wall": SimpleNamespace(path="game.sock", doors=[]),
        "servers": [],
        "is_writable": True,
    } | others
    directory = SimpleNamespace(own="g1", servers=lambda: wanted["servers"])
    return Evacuation(
        *(SimpleNamespace(monotonic=lambda: 0.0), wanted["journal"], wanted["wall"]),  # type: ignore[arg-type]
        *(SimpleNamespace(sessions=[]), SimpleNamespace(), directory, SimpleNamespace()),  # type: ignore[arg-type]
        lambda: bool(wanted["is_writable"]),
    )


def server(name: str, tables: int, *, is_leaving: bool = False) -> SimpleNamespace:
    return SimpleNamespace(name=name, beat=SimpleNamespace(tables=tables, is_leaving=is_leaving))


def door(*, redirects: bool = True) -> SimpleNamespace:
    return SimpleNamespace(handshake=SimpleNamespace(name="2", redirects=redirects))


@pytest.mark.parametrize(
    "others, sentence",
    [
        ({"journal": SimpleNamespace(is_shared=False)}, "shares its journal with no other"),
        ({"wall": SimpleNamespace(path=None)}, "has no door"),
        (
            {"wall": SimpleNamespace(path="game.sock", doors=[door(), door(redirects=False)])},
            "door 2 knows no other game server: see its wall.games",
        ),
        ({"is_writable": False}, "the journal cannot be written"),
        ({"servers": [server("g1", 3)]}, "no other server lives"),
        ({"servers": [server("g2", 3, is_leaving=True)]}, "no other server lives"),
        ({"servers": [SimpleNamespace(name="g2", beat=None)]}, "no other server lives"),
    ],
)
async def test_what_cannot_be_given_away_stays_and_says_why(others, sentence):
    evacuation = an_evacuation(**others)
    with pytest.raises(UserError, match=sentence):
        await evacuation.run()
    assert not evacuation.is_over


def test_each_table_goes_to_the_server_that_has_fewest():
    evacuation = an_evacuation(servers=[server("g1", 0), server("g2", 5), server("g3", 3)])
    shares = evacuation._shares([1, 2, 3, 4])
    assert {"g3": [1, 2, 4], "g2": [3]} == shares
    with pytest.raises(JournalWriteError, match="no other server lives"):
        an_evacuation()._shares([1])


class Leaving:
    """Tables that stop, unless they hang."""

    def __init__(self, numbers: Collection[int], *, hangs: bool = False) -> None:
        self._left, self._hangs = sorted(numbers), hangs

    def numbers(self) -> list[int]:
        return list(self._left)

    def people_at(self, number: int) -> set[str]:
        return set()

    async def stop(self, numbers: Collection[int]) -> list[int]:
        if self._hangs:
            await asyncio.Event().wait()
        return sorted(numbers)

    def forget(self, numbers: Collection[int]) -> None:
        self._left = [number for number in self._left if number not in numbers]


class Others:
    """What evacuating asks of the rest of its server.  Args: takes: The tables that g2 takes."""

    def __init__(self, takes: Collection[int], closed: Collection[int] = ()) -> None:
        self.takes, self.closed = takes, closed
        self.sent_on_s = 0.0  # when the doors were told
        self.given: list[tuple[str, ...]] = []

    def begun(self, leaving: Leaving, *, hangs: bool = False) -> Evacuation:
        """Args: hangs: what takes tables over, which has to end first."""

        async def give(streams: Collection[str], server: str) -> None:
            self.given.append((server, *streams))

        async def stop_taking() -> None:
            if hangs:
                await asyncio.Event().wait()

        async def is_open(number: int) -> bool:
            return number not in self.closed

        loop = asyncio.get_running_loop()
        return Evacuation(
            SimpleNamespace(monotonic=loop.time),  # type: ignore[arg-type]
            SimpleNamespace(is_shared=True, give=give),  # type: ignore[arg-type]
            SimpleNamespace(
                path="game.sock", doors=[], tell_leaving=lambda: None, hold=lambda: None,
                is_handled=lambda: True, connections_by_visit=dict, close=self._close,
            ),  # type: ignore[arg-type]
            SimpleNamespace(
                sessions=[], resumable_count=lambda: 0, leave_capsules=lambda: None
            ),  # type: ignore[arg-type]
            SimpleNamespace(
                leaving=leaving, lists=SimpleNamespace(count=lambda: len(leaving.numbers())),
                restorer=SimpleNamespace(pending_count=lambda: 0, stop_taking=stop_taking),
            ),  # type: ignore[arg-type]
            SimpleNamespace(
                own="g1", servers=lambda: [server("g1", 0), server("g2", 1)], is_open=is_open,
                server_of=lambda number: "g2" if number in self.takes else "",
            ),  # type: ignore[arg-type]
            SimpleNamespace(begin_to_leave=lambda: None, tell_given=lambda server, numbers: None),  # type: ignore[arg-type]
            lambda: True,
        )  # fmt: skip

    def _close(self, why: str, *, moves: bool) -> None:
        assert moves
        self.sent_on_s = asyncio.get_running_loop().time()


def evacuated(others: Others, leaving: Leaving, *, hangs: bool = False) -> tuple[str, float]:
    """What the operator reads, and after how many seconds."""

    async def scenario() -> tuple[str, float]:
        evacuation, ended = others.begun(leaving, hangs=hangs), asyncio.Event()
        evacuation.on_end = ended.set
        began_s = asyncio.get_running_loop().time()
        told = await evacuation.run()
        assert ended.is_set() and evacuation.is_over
        others.sent_on_s -= began_s
        return told, asyncio.get_running_loop().time() - began_s

    return virtual.run(scenario())


def test_the_operator_reads_that_all_goes_on_when_the_others_say_so():
    others = Others(takes={1, 2})
    told, seconds = evacuated(others, Leaving({1, 2}))
    assert "evacuated: 2 tables and 0 sessions go on at g2" == told and seconds < 1
    assert [("g2", "table/1", "table/2")] == others.given


def test_tables_that_nobody_takes_are_named_and_people_do_not_wait_for_them():
    others = Others(takes={1})
    told, seconds = evacuated(others, Leaving({1, 2}))
    assert told == (
        "evacuated in part: g2 did not go on with 1 table within 10 s;"
        " the others take over the rest"
    )
    assert TAKEN_S <= seconds < TAKEN_S + 1 and others.sent_on_s < 1


def test_a_table_that_has_closed_there_is_not_missed():
    told, _ = evacuated(Others(takes={1}, closed={2}), Leaving({1, 2}))
    assert "evacuated: 2 tables and 0 sessions go on at g2" == told


@pytest.mark.parametrize("what", ["a table", "taking over"])
def test_whatever_hangs_this_server_ends_and_says_so(what):
    leaving = Leaving({1}, hangs=what == "a table")
    told, seconds = evacuated(Others(takes={1}), leaving, hangs=what == "taking over")
    assert told == (
        "evacuated in part: not all was given within 60 s; the others take over the rest"
    )
    assert WITHIN_S <= seconds < WITHIN_S + 1


def test_commands_and_service_managers_wait_longer():
    units = (Path(__file__).parents[3] / "docs/hosting-many.md").read_text()
    stop_s = re.findall(r"TimeoutStopSec=(\d+)", units)
    assert stop_s and ALL_S < EVACUATION_S < min(map(int, stop_s))
