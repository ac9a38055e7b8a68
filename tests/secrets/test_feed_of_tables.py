"""[SEC-4] What programs are told of tables, after `feed tables on`: what lists show, and when that
has changed.  What nobody may see neither causes an object nor moves one in time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.service.program_service import FEED_S, ProgramService
from tests.mudserver.session.programs import told, types
from tests.mudserver.session.test_program_lines import answers, in_two_seats, line, program
from tests.simulation.server import SimServer

PRIVATE = ("flibber", "give 2c bob", "autopass on", "moves", "draw 99")

Heard = list[tuple[float, bytes]]


def heard_of_a_watcher(act: str) -> Heard:
    """What Eve is told of the table, with times, where Bob types *act* and Wim comes to watch."""

    async def scenario(server: SimServer) -> Heard:
        eve, wim = program(server, "Eve"), server.person("Wim")
        await asyncio.sleep(0.1)
        await answers(eve, line("feed tables on"))
        _, bob = await in_two_seats(server)
        await asyncio.sleep(1)
        eve.link.received.clear()
        bob.type(act or "look")
        await asyncio.sleep(0.1)
        wim.type("watch 1")
        await asyncio.sleep(1)
        return list(eve.link.received)

    found: Heard = told(scenario)
    assert b"table_changed" in b"".join([data for _, data in found])
    return found


def the_time_runs_from_private_acts(patch: pytest.MonkeyPatch) -> None:
    honest = ProgramService.note_change

    def note_change(self: ProgramService, number: int) -> None:
        if self._timer is None:
            self._timer = self._clock.call_later(FEED_S, self._tell_changes)
        honest(self, number)

    patch.setattr(ProgramService, "note_change", note_change)


def every_request_is_told(patch: pytest.MonkeyPatch) -> None:
    honest = ProgramService.note_change

    def note_change(self: ProgramService, number: int) -> None:
        self._told.pop(number, None)
        honest(self, number)

    patch.setattr(ProgramService, "note_change", note_change)


def found(act: str) -> bool:
    return heard_of_a_watcher(act) != heard_of_a_watcher("")


def test_private_acts_are_told_neither_by_an_object_nor_by_its_time() -> None:
    assert [] == [act for act in PRIVATE if found(act)]


@pytest.mark.parametrize("plant", [the_time_runs_from_private_acts, every_request_is_told])
def test_leaks_that_are_planted_there_are_found(
    plant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(map(found, PRIVATE))


def test_a_private_table_is_told_as_gone_when_it_becomes_one_and_never_else() -> None:
    async def scenario(server: SimServer) -> Any:
        eve, ann, bob = (program(server, name) for name in ("Eve", "Ann", "Bob"))
        await asyncio.sleep(0.1)
        await answers(ann, line("open elimination code=on"))
        await answers(bob, line("open elimination"))
        await answers(eve, line("feed tables on"))
        await answers(ann, line("bot 1"), line("ready"))
        hidden = list(eve.objects)
        await answers(bob, line("bot 1"))
        eve.forget()
        await answers(bob, line("options code=on"))
        closed = list(eve.objects)
        eve.forget()
        await answers(bob, line("bot 2"), line("ready"))
        return hidden, closed, list(eve.objects)

    hidden, closed, after = told(scenario)
    assert "table_changed" not in types(hidden) + types(after)
    assert [(2, True, None)] == [
        (each["number"], each["gone"], each["table"])
        for each in closed
        if each["type"] == "table_changed"
    ]


def test_what_changed_while_nobody_was_told_is_not_told_when_somebody_acts_in_private() -> None:
    async def scenario(server: SimServer) -> Any:
        eve, wim = program(server, "Eve"), server.person("Wim")
        await asyncio.sleep(0.1)
        _, bob = await in_two_seats(server)
        await answers(eve, line("feed tables on"), line("feed tables off"))
        wim.type("watch 1")
        await asyncio.sleep(1)
        await answers(eve, line("feed tables on"))
        eve.forget()
        await answers(bob, line("flibber"))
        return eve.objects

    assert [] == told(scenario)


def test_it_ends_with_the_session() -> None:
    async def scenario(server: SimServer) -> Any:
        eve, bob = program(server, "Eve"), program(server, "Bob")
        await asyncio.sleep(0.1)
        await answers(eve, line("feed tables on"))
        eve.link.drop()
        await asyncio.sleep(0.5)
        again = program(server, "Eve")
        await asyncio.sleep(0.5)
        again.forget()
        await answers(bob, line("open elimination"))
        return again.objects

    assert "table_changed" not in types(told(scenario))
