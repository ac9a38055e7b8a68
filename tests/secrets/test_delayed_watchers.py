"""[SEC-4, SEC-7] In a game with a delay of D decisions nobody without a seat learns anything of the
last D, by any command, list, object of a program, restart, or by the time of any byte.

Two worlds are the same up to a moment.  From then on other decisions are made at the same times,
and players say other words.  Whoever has no seat reads the same bytes at the same times in both,
until one decision more than D is made: then what they read differs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from operator import itemgetter
from random import Random
from typing import Any

import pytest

from mudserver.service.talk_history import TalkHistory
from mudserver.tables import behind, notifications
from mudserver.tables.held_talk import HeldTalk
from mudserver.tables.table import Table
from tests.live import live_table
from tests.mudserver.session.test_going_on import HeldLink, come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from tests.slow_cases import slow_cases

DELAY, COMMON = 3, 5
PLAYERS = ("ann", "bob", "cid")
OTHER_WAYS = ("flo", "gem", "old")  # to watch
ASKED = {
    "wim": (
        "look", "history", "time", "moves", "watchers", "who", "who table 1", "tables",
        "finger bob", "games bob", "options", "replay 1.1", "game 1.1", "record", "hint",
        "offer draw", "accept", "return", "sit 1", "substitute 1", "draw", "hand", "piles",
        "cards", "autopass on", "later",
    ),
    "eve": ("tables", "who", "finger ann", "replay 1.1", "stats bob", "top", "seeks", "lobby"),
}  # fmt: skip
EITHER = {
    "elimination": "open elimination seats=3 clocks=off substitutes=off",
    "stockpile": "open stockpile seats=3 clocks=off substitutes=off",
    "words": "open words seats=3 clocks=off substitutes=off",
}

Heard = dict[str, list[tuple[float, bytes]]]
Person = Seatholder | HeldLink
Meanwhile = Callable[["Evening"], Awaitable[None]]


class Evening:
    """People who play, and others: Wim and Pam watch, Pam by a program; so do Flo, in a full
    screen, Gem, by GMCP, and Old, a program of protocol 1.  Eve and Fay, a program that is fed with
    all tables, are in the lobby."""

    def __init__(self, server: SimServer, people: dict[str, Person]) -> None:
        self.server, self.people = server, people
        self.watchers = {name: people[name] for name in people if name not in PLAYERS}

    async def type(self, who: str, *lines: str) -> None:
        for line in lines:
            self.people[who].type(line)
            await asyncio.sleep(0.5)

    @property
    def table(self) -> Table:
        table = live_table(self.server.app.table_manager, 1)
        assert table is not None
        return table

    async def decides(self, choose: Callable[[Sequence[str]], str]) -> None:
        """Whoever is asked first decides something."""
        game = self.table.game
        assert game is not None and game.window is not None
        seat = next(seat for seat in game.window.seats if game.may_act(seat))
        made = game.told_decisions
        await self.type(game.names[seat].lower(), choose(game.moves(seat)))
        assert made + 1 == game.told_decisions

    async def asks(self) -> None:
        for name, lines in ASKED.items():
            await self.type(name, *lines)
        await self.type("pam", "look", "history", "watchers", "tables")
        for name in OTHER_WAYS:
            await self.type(name, "look", "watchers")


async def opened(game: str) -> Evening:
    """A game of which COMMON decisions are made."""
    server = await SimServer(new_world(11)).open()
    people: dict[str, Person] = {name: await come(server, name) for name in (*PLAYERS, "wim")}
    people["eve"] = server.person("eve")
    for name in ("pam", "fay"):
        people[name] = server.person(name, is_program=True, json_protocol=2)
    people["flo"], people["gem"] = server.person("flo"), server.person("gem", speaks_gmcp=True)
    people["old"] = server.person("old", is_program=True)
    evening = Evening(server, people)
    await asyncio.sleep(1)
    await evening.type("wim", "set pager off")
    await evening.type("eve", "set pager off")
    await evening.type("ann", f"{EITHER[game]} delay={DELAY}")
    for name in ("bob", "cid"):
        await evening.type(name, "sit 1")
    await evening.type("flo", "screen on")
    for name in ("wim", "pam", *OTHER_WAYS):
        await evening.type(name, "watch 1")
    await evening.type("fay", "feed tables on")
    await asyncio.sleep(3)
    for name in PLAYERS:
        await evening.type(name, "start")
    rng = Random(1)
    for _ in range(COMMON):
        await evening.decides(rng.choice)
    assert COMMON == evening.table.game.told_decisions
    return evening


async def nothing(evening: Evening) -> None:
    """Nothing else happens meanwhile."""


async def restarts(evening: Evening) -> None:
    """The process ends.  Sessions of people go on in the next one; programs come again."""
    evening.server.app.session_manager.leave_capsules()
    evening.server = await restarted(evening.server)
    for name, person in evening.people.items():
        if isinstance(person, HeldLink):
            before = person.received
            person = await go_on(evening.server, person, name)
            person.received[:0] = before
        else:
            link = person.link
            person = evening.server.person(
                name, is_program=link.wants_json, speaks_gmcp=link.speaks_gmcp,
                json_protocol=link.json_protocol,
            )  # fmt: skip
            person.link.received[:0] = link.received
        evening.people[name] = person
    evening.watchers = {name: evening.people[name] for name in evening.watchers}
    await evening.type("pam", "watch 1", "history")
    await evening.type("flo", "screen on")
    for name in OTHER_WAYS:
        await evening.type(name, "watch 1")
    await evening.type("fay", "feed tables on", "tables")


async def comes_again(evening: Evening) -> None:
    """Wim comes again at another terminal, and somebody new watches."""
    wim = evening.server.person("wim")
    evening.people["wim again"] = evening.watchers["wim again"] = wim
    zoe = evening.server.person("zoe")
    evening.people["zoe"] = evening.watchers["zoe"] = zoe
    await asyncio.sleep(1)
    await evening.type("wim again", "watch 1", "history")
    await evening.type("zoe", "watch bob", "history", "look")


MEANWHILE: dict[str, Meanwhile] = {
    "nothing": nothing, "restarts": restarts, "comes again": comes_again,
}  # fmt: skip


def heard(game: str, choices: int, *, more: int = 0, meanwhile: Meanwhile = nothing) -> Heard:
    """What those without a seat read from the first decision that may be another one.

    Args:
        choices: Other numbers are other decisions, and other words.
        more: So many decisions more than D.
    """

    async def scenario() -> Heard:
        evening = await opened(game)
        for person in evening.watchers.values():
            getattr(person, "link", person).received.clear()
        rng = Random(choices)
        for number in range(DELAY + more):
            # The first decision is another one in any case.
            await evening.decides(rng.choice if number else itemgetter(-1 if choices else 0))
            await evening.type("ann", f"/say {'aces' if choices else 'kings'}")
            if not more:  # else a difference at the end will do
                await evening.asks()
            if number == 1:
                await meanwhile(evening)
        await evening.asks()
        await asyncio.sleep(1)
        assert evening.table.is_playing, "choose other numbers"
        return {
            name: list(getattr(person, "link", person).received)
            for name, person in evening.watchers.items()
        }

    found: Heard = virtual.run(scenario())
    return found


def differ(game: str, choices: int = 1, **how: Any) -> list[str]:
    """Those who read something else, or at another time, where the last decisions are others."""
    one, other = heard(game, 0, **how), heard(game, choices, **how)
    assert one.keys() == other.keys() and one["wim"] and one["pam"] and one["eve"]
    return sorted(name for name in one if one[name] != other[name])


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=list(MEANWHILE))
@pytest.mark.parametrize("game", EITHER)
def test_whoever_has_no_seat_learns_nothing_of_the_last_decisions(game, meanwhile):
    assert [] == differ(game, meanwhile=meanwhile)


@pytest.mark.parametrize("choices", slow_cases(range(2, 7), ["2", "3", "4", "5", "6"]))
@pytest.mark.parametrize("game", EITHER)
def test_so_it_is_whatever_is_decided(game, choices):
    assert [] == differ(game, choices)


@pytest.mark.parametrize("meanwhile", [nothing, restarts], ids=["nothing", "restarts"])
@pytest.mark.parametrize("game", EITHER)
def test_with_three_decisions_more_they_read_what_was_the_first_of_them(game, meanwhile):
    """Or else the worlds were the same, and the tests above prove nothing.  Three, for the first
    ones may look alike from outside, and a restart forgets what players have said."""
    assert {"wim", "pam", *OTHER_WAYS} <= set(differ(game, more=3, meanwhile=meanwhile))


# -- planted leaks ---------------------------------------------------------------------------------


def lists_show_the_game_as_it_is(patch: pytest.MonkeyPatch) -> None:
    honest = notifications.summary_of

    def summary_of(table: Any) -> Any:
        count = 0 if table.game is None else hash(str(table.game.plays)) % 1_000_000
        return honest(table)._replace(free_seats=count)

    patch.setattr(notifications, "summary_of", summary_of)


def the_view_is_the_newest(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "seen_by", lambda table, person: table)


def talk_is_heard_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(HeldTalk, "hold", lambda *about: False)


def talk_is_shown_again(patch: pytest.MonkeyPatch) -> None:
    honest = TalkHistory._is_heard

    def is_heard(history: TalkHistory, person_id: str, line: Any) -> bool:
        history.is_held = lambda *about: False
        return honest(history, person_id, line)

    patch.setattr(TalkHistory, "_is_heard", is_heard)


def a_decision_too_early(patch: pytest.MonkeyPatch) -> None:
    honest = behind.shown_decisions

    def shown_decisions(table: Table) -> int | None:
        shown = honest(table)
        return None if shown is None else shown + 1

    patch.setattr(behind, "shown_decisions", shown_decisions)


@pytest.mark.parametrize(
    "plant",
    [lists_show_the_game_as_it_is, the_view_is_the_newest, talk_is_heard_at_once,
     a_decision_too_early],
    ids=lambda plant: plant.__name__,
)  # fmt: skip
def test_a_planted_leak_is_found(plant, monkeypatch):
    plant(monkeypatch)
    assert [] != differ("elimination")


def test_a_line_that_a_new_session_is_told_too_early_is_found(monkeypatch):
    talk_is_shown_again(monkeypatch)
    assert ["wim again"] == differ("elimination", meanwhile=comes_again)
