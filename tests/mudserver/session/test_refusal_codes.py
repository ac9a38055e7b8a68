"""Each code of refusals is read by a program that writes what the page on programs says of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from mudserver.config.schema import TablesConfig
from mudserver.errors import REFUSAL_CODES
from tests.mudserver.service.test_moderation import CONSOLE
from tests.mudserver.session.programs import last, told
from tests.mudserver.session.test_program_lines import answers, in_two_seats, line, program, write
from tests.simulation.server import Seatholder, SimServer

Objects = list[dict[str, Any]]
Refused = Callable[[SimServer], Awaitable[Objects]]


async def here(server: SimServer, *names: str) -> list[Seatholder]:
    people = [program(server, name) for name in names or ("Ann",)]
    await asyncio.sleep(0.1)
    return people


async def at_turn(server: SimServer) -> tuple[Seatholder, Seatholder]:
    """Who is asked at a table of two, and who is not."""
    people = ann, bob = await in_two_seats(server)
    views = [last(each.objects, "view") for each in people]
    return (ann, bob) if views[0]["question"] else (bob, ann)


def typed(*lines: str) -> Refused:
    """In the lobby; the last of these is refused."""

    async def refused(server: SimServer) -> Objects:
        (ann,) = await here(server)
        *before, last_line = map(line, lines)
        await answers(ann, *before)
        return await answers(ann, last_line)

    return refused


def played(text: str, *, is_asked: bool = True) -> Refused:
    async def refused(server: SimServer) -> Objects:
        asked, other = await at_turn(server)
        return await answers(asked if is_asked else other, line(text))

    return refused


async def no_object(server: SimServer) -> Objects:
    (ann,) = await here(server)
    return await answers(ann, {"line": "who", "id": "a", "more": "1"})


async def another_question(server: SimServer) -> Objects:
    asked, _ = await at_turn(server)
    return await answers(asked, line("draw", question="1.1.99.0"))


async def a_card_that_is_not_there(server: SimServer) -> Objects:
    asked, _ = await at_turn(server)
    hand = last(asked.objects, "view")["view"]["hand"]
    card = next(f"{rank}c" for rank in "23456789" if f"{rank}C" not in hand)
    to = "bob" if last(asked.objects, "view")["seat"] == 0 else "ann"
    return await answers(asked, line(f"give {card} {to}"))


async def a_seat_too_many(server: SimServer) -> Objects:
    ann, bob, cid = await here(server, "Ann", "Bob", "Cid")
    await answers(ann, line("open elimination seats=2"))
    await answers(bob, line("sit 1"))
    return await answers(cid, line("sit 1"))


async def too_much_talk(server: SimServer) -> Objects:
    (ann,) = await here(server)
    return await answers(ann, *[line("say hello", str(n)) for n in range(6)])


async def talk_of_the_mute(server: SimServer) -> Objects:
    (ann,) = await here(server)
    await server.app.sanctions.mute(CONSOLE, "ann", "10m", "insults")
    return await answers(ann, line("say hello"))


async def a_full_queue(server: SimServer) -> Objects:
    asked, other = await at_turn(server)
    for each in (asked, other):
        each.forget()
    write(asked, line("autopass on"))
    write(other, line("autopass on"))
    await asyncio.sleep(0.5)
    return [*asked.objects, *other.objects]


async def a_paused_game(server: SimServer) -> Objects:
    asked, other = await at_turn(server)
    move = last(asked.objects, "view")["moves"][0]
    await answers(asked, line("offer pause"))
    await asyncio.sleep(5)
    await answers(other, line("accept"))
    return await answers(asked, line(move))


async def who_is_ignored(server: SimServer) -> Objects:
    ann, bob = await here(server, "Ann", "Bob")
    await answers(ann, line("open elimination"), line("/ignore bob"))
    return await answers(bob, line("sit 1"))


async def an_offer_that_has_ended(server: SimServer) -> Objects:
    asked, other = await at_turn(server)
    await answers(asked, line("offer pause"))
    await asyncio.sleep(5)
    await answers(other, line("decline"))
    return await answers(other, line("accept"))


CASES: dict[str, Refused] = {
    "unreadable": no_object,
    "unknown_command": typed("quack"),
    "ambiguous": typed("st"),
    "usage": typed("open elimination seats=99"),
    "not_understood": played("give zz bob"),
    "illegal": a_card_that_is_not_there,
    "stale": another_question,
    "not_your_turn": played("draw", is_asked=False),
    "not_seated": typed("look"),
    "no_game": typed("open elimination", "record"),
    "not_allowed": played("start"),
    "not_found": typed("sit 77"),
    "full": a_seat_too_many,
    "limit": too_much_talk,
    "muted": talk_of_the_mute,
    "busy": a_full_queue,
    "stopped": a_paused_game,
    "declined": who_is_ignored,
    "expired": an_offer_that_has_ended,
}


def codes(objects: Objects) -> set[str | None]:
    """Of refusals; `done` says the same."""
    refused = {each["code"] for each in objects if each["type"] == "refused"}
    done = {each["code"] for each in objects if each["type"] == "done"} - {None}
    assert done <= refused
    return refused


@pytest.mark.parametrize("code", REFUSAL_CODES)
def test_a_program_reads_the_code(code: str) -> None:
    tables = TablesConfig(queue_max=1) if code == "busy" else TablesConfig()
    assert {code} == codes(told(CASES[code], tables=tables))


MORE = {
    "who zz": "not_found",
    "game 99": "not_found",
    "game quack": "usage",
    "games page x": "usage",
    "games page 9": "not_found",
    "stats zz": "not_found",
    "vs ann": "usage",
    "static quack": "not_found",
    "finger zz": "not_found",
    "watch 9": "not_found",
    "options": "not_seated",
    "draw": "no_game",
    "open quack": "not_found",
    "open words deals=x": "usage",
    "set quack": "not_found",
}
"""Lines in the lobby, and their codes."""


def test_lines_in_the_lobby_have_the_code_of_what_is_wrong_with_them() -> None:
    async def scenario(server: SimServer) -> dict[str, set[str | None]]:
        (ann,) = await here(server)
        return {text: codes(await answers(ann, line(text))) for text in MORE}

    assert {text: {code} for text, code in MORE.items()} == told(scenario)
