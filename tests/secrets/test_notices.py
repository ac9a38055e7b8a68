"""[SEC-4, G-11] Notices of games by correspondence, in terminals and outside: neither that there is
one nor its time says whether somebody else has answered in secret."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from mudserver.messages import CallNotice
from mudserver.service import notices as service
from mudserver.service.notices import Notices, OutsideNotice
from mudserver.tables import parked
from mudserver.tables.notices import TableNotice, notices_of
from mudserver.tables.table import Table
from tests.mudserver.service.test_notices import HOUR_S, Told, server
from tests.simulation import virtual
from tests.toys.duel.game import DUEL

Heard = list[tuple[float, str]]
Plant = Callable[[pytest.MonkeyPatch], None]


def heard(bids: bool) -> Heard:
    """What Bob, who is in the lobby, is told until the window ends, with times."""

    async def scenario() -> Heard:
        told = await server(variant=DUEL)
        found: Heard = []
        loop = asyncio.get_running_loop()

        def put(notice: OutsideNotice) -> None:
            if notice.name == "B":
                found.append((loop.time(), notice.text))

        told.outside.put = put  # type: ignore[method-assign]
        await told.game(leave="b")
        await _asked(told, 600.5)
        if bids:
            told.world.plays("a")
        for _ in range(22):
            await _asked(told, HOUR_S)
            found += [(loop.time(), it.text) for it in told.world.received("b", CallNotice)]
        return found

    return virtual.run(scenario())


async def _asked(told: Told, seconds: float) -> None:
    await told.passes(seconds)
    table = told.world.tables.lists.find(1)
    assert table is None or table.question_of("b")


def an_answer_moves_the_time(patch: pytest.MonkeyPatch) -> None:
    def leak(table: Table) -> list[TableNotice]:
        late_ms = 0 if table.game is None else len(table.game.unanswered_seats())
        return [it._replace(due_ms=it.due_ms + late_ms) for it in notices_of(table)]

    patch.setattr(service, "notices_of", leak)
    patch.setattr(parked, "notices_of", leak)


def every_change_is_told(patch: pytest.MonkeyPatch) -> None:
    honest = Notices.note_change

    def note_change(self: Notices, number: int) -> None:
        self._told.pop(number, None)
        honest(self, number)

    patch.setattr(Notices, "note_change", note_change)


def test_an_answer_in_secret_is_told_by_no_notice_and_by_no_time() -> None:
    assert heard(True) == heard(False) != []


@pytest.mark.parametrize("plant", [an_answer_moves_the_time, every_change_is_told])
def test_leaks_that_are_planted_there_are_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert heard(True) != heard(False)
