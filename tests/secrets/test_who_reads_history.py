"""What `history since N` and `game` tell, to whom: a watcher, somebody who came later, somebody who
has left the seat, and who has taken it back."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from mudserver.tables.table import Table
from tests.mudserver.session.programs import last, told
from tests.mudserver.session.test_program_lines import answers, line, program
from tests.simulation.server import Seatholder, SimServer
from variants.catalogue import CATALOGUE

PLAYS = 6
Objects = list[dict[str, Any]]


async def asks(person: Seatholder, *lines: str) -> Objects:
    read = await answers(person, *map(line, lines))
    return [each for each in read if each["type"] in ("event", "history_end", "game")]


async def playing(server: SimServer, game: str) -> list[Seatholder]:
    """Ann, Bob and Cid play a while, Wim watches from the beginning."""
    people = [program(server, name) for name in ("Ann", "Bob", "Cid", "Wim")]
    await asyncio.sleep(0.1)
    ann, bob, cid, wim = people
    await answers(ann, line(f"open {game} seats=3 clocks=off"))
    for each in (bob, cid):
        await answers(each, line("sit 1"))
    await answers(wim, line("watch 1"))
    for each in (bob, cid, ann):
        await answers(each, line("ready"))
    for _ in range(PLAYS):
        for each in (ann, bob, cid):
            await answers(each, line("look"))
            view = last(each.objects, "view")
            if view["question"]:
                await answers(each, line(view["moves"][0], question=view["question"]))
    return people


async def scenario(server: SimServer, game: str) -> dict[str, Objects]:
    _, bob, _, wim = await playing(server, game)
    read = {"in the seat": await asks(bob, "history since 0")}
    await answers(bob, line("leave now"), line("watch 1"))
    late = program(server, "Dee")
    await asyncio.sleep(60)  # until the computer player in Bob's seat waits for the others
    await answers(late, line("watch 1"))
    for name, each in (("watching", wim), ("later", late), ("having left", bob)):
        read[name] = await asks(each, "history since 0")
        read[f"{name}, since"] = await asks(each, "history since 3")
    await answers(bob, line("return"))
    read["in the seat again"] = await asks(bob, "history since 0")
    return read


def without_names(objects: Objects) -> str:
    """A computer player has had the seat meanwhile."""
    return json.dumps([{**each, "names": None, "text": None} for each in objects])


def differences(game: str) -> list[str]:
    read = told(lambda server: scenario(server, game))
    kept = read["in the seat"]
    assert len(kept) > PLAYS and read["watching"] != kept
    assert {"event", "history_end"} == {each["type"] for each in kept}
    found = [
        who + since
        for who in ("later", "having left")
        for since in ("", ", since")
        if read[who + since] != read["watching" + since]
    ]
    numbers = [each["number"] for each in kept[:-1]]
    assert numbers == list(range(1, len(kept)))
    again = read["in the seat again"]
    if without_names(again[: len(kept) - 1]) != without_names(kept[:-1]):
        found.append("in the seat again")
    return found


@pytest.mark.parametrize("game", sorted(CATALOGUE))
def test_whoever_has_no_seat_reads_what_watchers_have_read(game: str) -> None:
    assert [] == differences(game)


def test_a_table_that_remembers_the_seat_of_who_has_left_it_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = Table.reader_of
    monkeypatch.setattr(
        Table, "reader_of", lambda self, person: honest(self, person) or self.left_seat_of(person)
    )
    assert "having left" in differences("elimination")
