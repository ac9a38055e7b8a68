"""What people read of their tournament at the end of its games."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from mudserver.session.end_board import end_lines
from tests.mudserver.service.test_tourneys import (
    NAMES,
    duel_world,
    tourney_of,
    types,
)
from tests.mudserver.session.test_end_board import LAST, OVER
from tests.mudserver.ui.fullscreen.watched import Watched
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer
from variants.kit.text import plain_text

TERMINALS = {
    "full": replace(ANSI, cols=100, rows=40),
    "lines": ANSI,
    "narrow": replace(ANSI, cols=40),
    "aloud": replace(ANSI, is_screen_reader=True),
}


def one_line(text: str) -> str:
    return " ".join(text.split())


async def begun(server: SimServer, *terminals: str, options: str = "") -> list[Watched]:
    """In a tournament of four, with these terminals first."""
    kinds = [*terminals, *["lines"] * (4 - len(terminals))]
    people = []
    for name, kind in zip(NAMES, kinds, strict=False):
        people.append(Watched.comes_in(server, name, TERMINALS[kind]))
        await asyncio.sleep(0.5)
        if kind == "full":
            people[-1].type("screen on")
            await asyncio.sleep(0.5)
    people[0].type(f"tourney open duel Winter Cup seats=2 rounds=2 {options}")
    await asyncio.sleep(1)
    for person in people:
        person.type("tourney 1 join")
        await asyncio.sleep(1)
        person.look()
        person.forget()
        person._read = 0
    people[0].type("tourney 1 start")
    await asyncio.sleep(3)
    return people


@pytest.mark.parametrize("is_cut_off", [False, True])
@pytest.mark.parametrize("kind", TERMINALS)
def test_nobody_is_offered_a_rematch_and_everybody_reads_what_comes_next(kind, is_cut_off):
    async def scenario():
        server = await SimServer(duel_world()).open()
        options = "bid=86400 draw=86400 noshow=15" if is_cut_off else ""
        people = await begun(server, kind, options=options)
        ann = people[0]
        for turn in range(400):
            if tourney_of(server).round.is_over:
                break
            for person in people:
                if not is_cut_off and (moves := person.moves()):
                    person.type(moves[0])
                elif is_cut_off and turn % 20 == 0:
                    person.type("time")  # here, and not to move
                await asyncio.sleep(1)
            await asyncio.sleep(20 if is_cut_off else 1)
        await asyncio.sleep(2)
        shown = ann.look().text
        refused = await types(ann, "rematch") if kind != "full" else "belongs to tournament 1"
        said = await types(ann, "a move") if kind != "full" else "belongs to tournament 1"
        return shown, refused, said

    shown, refused, said = virtual.run(scenario())
    assert "rematch" not in shown and "Type start" not in shown, shown
    assert "tourney 1" in one_line(shown), shown
    assert "belongs to tournament 1" in one_line(refused)
    assert "To start one" not in said


def test_the_board_has_room_for_every_number():
    rows = [plain_text(row) for row in end_lines(OVER, LAST, 80, tourney=3)]
    assert "  tourney 3  what comes next" in rows and "  record     proof of the shuffle" in rows
    assert not any("rematch" in row for row in rows)
    rows = [plain_text(row) for row in end_lines(OVER, LAST, 80, tourney=12345)]
    assert "  tourney 12345  what comes next" in rows


def test_a_recorded_game_names_its_tournament_and_round():
    async def scenario():
        server = await SimServer(duel_world()).open()
        people = await begun(server)
        for _ in range(200):
            for person in people:
                if moves := person.moves():
                    await types(person, moves[0])
            await asyncio.sleep(10)
        assert "closed" == tourney_of(server).phase
        for number, in_round in ((1, 1), (4, 2)):
            page = one_line(await types(people[0], f"game {number}"))
            assert f"tournament 1, round {in_round}. To see it: tourney 1" in page
        program = server.person("Prog-prog", is_program=True, json_protocol=2)
        await asyncio.sleep(1)
        program.forget()
        await types(program, "game 4", "games Ann")
        [result] = [it["result"] for it in program.objects if it["type"] == "result"]
        assert (1, 2) == (result["tourney"], result["round"])
        [listed] = [it["results"] for it in program.objects if it["type"] == "results"]
        assert {1} == {it["tourney"] for it in listed}

    virtual.run(scenario())
