"""Who wants a table of another server goes on there: nothing is shown of it but its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from mudserver.clock import Clock
from mudserver.cluster.directory import SeatElsewhere
from mudserver.errors import JournalWriteError
from mudserver.session import texts, walking
from mudserver.session.going_on import restore_times_and_proof, to_utc_ms
from mudserver.session.walking import HOPS_MAX
from mudserver.transport.link import Terminal
from tests.mudserver.session.test_going_on import READER, HeldLink, come, go_on, proof
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world

LINES = Terminal("dumb", 80, 24)
JOINED = """\
-- ann joined the table.
Table 2, elimination. Players: bob, ann. Options: seats=3. Type ready to begin.
table 2> """
PROGRAM = {"wants_json": True, "json_protocol": 2}


class Elsewhere:
    """What a directory says: tables of the other server, and seats of people in games there."""

    def __init__(self, own: str, other: str) -> None:
        self.own, self.other = own, other
        self.tables = set[int]()
        self.seats = dict[str, SeatElsewhere]()
        self.asked, self.delay_s = 0, 0.0
        self.is_broken = False

    async def find_table(self, number: int) -> str:
        self.asked += 1
        await asyncio.sleep(self.delay_s)
        if self.is_broken:
            raise JournalWriteError("away")
        return self.other if number in self.tables else ""

    async def is_open(self, number: int) -> bool:
        return number in self.tables

    async def find_seat(self, person: str) -> SeatElsewhere | None:
        self.asked += 1
        return self.seats.get(person)


class Two:
    """Two servers that share their accounts, as far as ann and bob go; tables of g2 from 2 on."""

    async def open(self) -> Two:
        self.one = await SimServer(new_world(1)).open()
        self.other = await SimServer(new_world(2)).open()
        seal = self.one.app.session_manager._context.seal
        assert seal is not None
        self.other.app.session_manager.use_seal(seal)
        self.here, self.there = Elsewhere("g1", "g2"), Elsewhere("g2", "g1")
        self.one.app.service.walks._directory = self.here  # type: ignore[assignment]
        self.other.app.service.walks._directory = self.there  # type: ignore[assignment]
        ann = await come(self.other, "ann")
        ann.type("quit")
        cid, self.bob = await come(self.other, "cid"), await come(self.other, "bob")
        for link in (cid, self.bob):
            link.type("open elimination seats=3")
            await asyncio.sleep(2)
        self.here.tables = {2}
        return self

    async def come(self, terminal: Terminal = ANSI, name: str = "ann", **options) -> HeldLink:
        return await come(self.one, name, terminal, **options)

    async def come_back_with_seat(self, server: str, **options) -> tuple[HeldLink, str]:
        """Ann, who has quit before, and her id.  Args: server: It has her game; "": none has."""
        ann = await self.come()
        person = ann.session.person.id
        ann.type("quit")
        await asyncio.sleep(1)
        self.here.seats[person] = SeatElsewhere(2, server)
        return await self.come(**options), person


async def walks(server: SimServer, before: HeldLink, name: str = "ann") -> HeldLink:
    """What a door does with who is redirected; the errand is the last one."""
    on_moved, (_, table, errand, hops) = before.holder.on_moved, before.holder.redirected[-1]
    before.holder.walk, before.holder.walked_to = "comes", table
    again = before.again()
    server.connect(again, proof(name, is_known=True))
    before.holder.on_errand(errand, hops)
    on_moved()
    await asyncio.sleep(2)
    return again


def run(scenario: Callable[[Two], Awaitable[None]]) -> None:
    async def whole() -> None:
        await scenario(await Two().open())

    virtual.run(whole())


def test_a_session_is_as_old_where_the_clock_is_a_minute_behind():
    """Else it would count as older than the one before, after the way back, and be ended."""
    clock = Clock(SimpleNamespace(time=lambda: 5.0), 1_000_000)  # type: ignore[arg-type]
    session = SimpleNamespace()
    capsule = SimpleNamespace(
        since_ms=1_060_000, heard_ms=1_060_000, is_warned_idle=False,
        auth_how="", auth_key="", auth_at_ms=0,
    )  # fmt: skip
    restore_times_and_proof(session, capsule, clock)
    assert 1 >= abs(1_060_000 - to_utc_ms(session.opened_at, clock))
    assert session.last_input_at <= clock.monotonic()


def people_of(server: SimServer) -> list[str]:
    return sorted(it.name for it in server.app.service.list_people())


@pytest.mark.parametrize("delay_s", [0.0, 0.5])
@pytest.mark.parametrize("terminal", [ANSI, READER, LINES], ids=["ansi", "keys", "lines"])
def test_who_sits_down_elsewhere_reads_what_the_table_says_and_nothing_else(terminal, delay_s):
    async def scenario(two: Two) -> None:
        two.here.delay_s = delay_s  # then the prompt is drawn before, as at a slow table
        ann = await two.come(terminal)
        dan = await come(two.one, "dan")
        before, told = ann.text, dan.text
        ann.type("sit 2")
        await asyncio.sleep(1)
        assert [("g2", 2, b"/sit 2", 1)] == ann.holder.redirected
        assert ["ann", "dan"] == people_of(two.one)
        again = await walks(two.other, ann)
        shown = (ann.text + again.text).removeprefix(before)
        prompt = "lobby> " if terminal is ANSI else "lobby> \n"
        assert (prompt if delay_s else "") + JOINED == shown.removeprefix("sit 2\n")
        assert ["dan"] == people_of(two.one)
        assert told == dan.text  # nobody has left
        again.type("whoami")
        await asyncio.sleep(1)
        assert "You are ann" in again.text

    run(scenario)


def test_a_full_screen_is_drawn_anew_with_the_table():
    async def scenario(two: Two) -> None:
        ann = await two.come(name="guest")
        ann.type("set screen on")
        await asyncio.sleep(2)
        ann.type("watch 2")
        await asyncio.sleep(1)
        again = await walks(two.other, ann, "guest")
        assert "table 2" in again.text and again.session.has_panes

    run(scenario)


def test_a_program_reads_done_once_under_the_id_of_its_line():
    async def scenario(two: Two) -> None:
        ann = await two.come(**PROGRAM)
        ann.handler.on_data(b'{"line": "sit 2", "id": "a7"}\n')
        await asyncio.sleep(1)
        assert "done" not in ann.text
        again = await walks(two.other, ann)
        assert 1 == again.text.count('"type":"done","id":"a7"') and '"table":2' in again.text
        assert "hello" not in again.text and "restarted" not in again.text

    run(scenario)


def test_what_was_said_and_set_goes_along():
    async def scenario(two: Two) -> None:
        ann = await two.come(name="guest")
        for line in ("set width 60", "say good evening", "watch 2"):
            ann.type(line)
            await asyncio.sleep(1)
        again = await walks(two.other, ann, "guest")
        assert "60" == again.session.preference("width")
        assert ["good evening"] == [talk.text for _, talk in again.session.recent_talk]

    run(scenario)


def test_what_the_table_refuses_is_refused_there_and_the_person_is_in_its_lobby():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        two.other.app.table_manager.close_table(2, "at night")  # while ann walks
        ann.type("sit 2")
        await asyncio.sleep(1)
        again = await walks(two.other, ann)
        assert "There is no table 2." in " ".join(again.text.split())
        assert "lobby> " in again.text and "ann" in people_of(two.other)

    run(scenario)


@pytest.mark.parametrize("options", [{}, PROGRAM], ids=["terminal", "program"])
def test_who_does_not_get_there_is_where_they_were(options):
    async def scenario(two: Two) -> None:
        ann = await two.come(**options)
        ann.type("open words seats=3")
        await asyncio.sleep(2)
        dan = await come(two.one, "dan")
        dan.type("sit 1")
        await asyncio.sleep(1)
        eve = await come(two.one, "eve", **options)
        eve.type("watch 1")
        await asyncio.sleep(1)
        told = dan.text
        line = b'{"line": "sit 2", "id": "b"}\n' if options else b"sit 2\r"
        eve.handler.on_data(line)
        await asyncio.sleep(1)
        eve.holder.walk, eve.holder.walked_to = "failed", 2
        on_moved, settled = eve.holder.on_moved, []
        eve.holder.settle = settled.append
        again = await go_on(two.one, eve, "eve")
        on_moved()
        await asyncio.sleep(2)
        assert texts.NOT_REACHED.format(2) in " ".join(again.text.split()), again.text
        assert 1 == two.one.app.service.table_of(again.session.person)
        assert told == dan.text and [0] == settled
        if options:
            assert '"type":"done","id":"b","ok":false,"code":"busy"' in again.text

    run(scenario)


def test_who_may_not_leave_stays_and_a_table_that_nobody_has_is_refused_as_ever():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type("practice elimination")
        await asyncio.sleep(3)
        ann.type("/sit 2")
        await asyncio.sleep(1)
        assert "You are in a game at table 1." in " ".join(ann.text.split())
        dan = await come(two.one, "dan")
        dan.type("watch 77")
        await asyncio.sleep(1)
        assert "There is no table 77." in " ".join(dan.text.split())
        two.here.is_broken = True
        dan.type("watch 2")
        await asyncio.sleep(1)
        assert not ann.holder.redirected and not dan.holder.redirected

    run(scenario)


def test_a_seat_between_games_and_a_place_as_a_watcher_are_left():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type("open words seats=3")
        await asyncio.sleep(2)
        dan = await come(two.one, "dan")
        dan.type("watch 1")
        await asyncio.sleep(1)
        dan.type("watch 2")
        ann.type("watch 2")
        await asyncio.sleep(1)
        for link, name in ((ann, "ann"), (dan, "dan")):
            if name == "ann":
                await walks(two.other, link, name)
            else:
                link.holder.on_moved()
        await asyncio.sleep(2)
        (table,) = two.one.app.table_manager.lists.summaries()
        assert ("", 0) == (table.people, table.watchers)
        assert [] == people_of(two.one)

    run(scenario)


def test_an_errand_is_not_sent_on_for_ever():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        two.there.tables, lists = {2}, two.other.app.table_manager.lists
        lists.find = lambda number: None  # type: ignore[method-assign]
        ann.type("sit 2")
        await asyncio.sleep(1)
        again = ann
        for hop in range(1, HOPS_MAX + 1):
            assert hop == again.holder.redirected[-1][3]
            again = await walks(two.other, again)
        assert texts.TABLE_MOVES.format(2) in " ".join(again.text.split())
        assert HOPS_MAX == len(again.holder.redirected)
        again.holder.redirected.clear()
        again.type("sit 2")  # a new errand
        await asyncio.sleep(1)
        assert 1 == again.holder.redirected[-1][3]

    run(scenario)


@pytest.mark.parametrize("options", [{}, PROGRAM], ids=["terminal", "program"])
def test_a_line_that_is_too_long_for_the_wall_is_refused_and_breaks_nothing(options):
    async def scenario(two: Two) -> None:
        ann = await two.come(LINES, **options)
        room = 512 - len("sit 2 ")
        ann.type("sit 2 " + "x" * room)
        await asyncio.sleep(1)
        assert not ann.holder.redirected
        assert texts.ERRAND_TOO_LONG.format(2) in " ".join(ann.text.split())
        ann.type("sit 2 " + "x" * 400)
        await asyncio.sleep(1)
        assert [2] == [table for _, table, *_ in ann.holder.redirected]

    run(scenario)


def test_who_hangs_up_on_the_way_has_left():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type("sit 2")
        await asyncio.sleep(1)
        ann.handler.on_disconnect()
        assert [] == people_of(two.one)

    run(scenario)


def test_where_the_line_ends_in_the_server_the_person_is_told_so():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.holder.may_redirect = False
        ann.type("sit 2")
        await asyncio.sleep(1)
        assert texts.ON_ANOTHER_SERVER.format(2) in " ".join(ann.text.split())

    run(scenario)


def test_with_one_server_nothing_is_looked_up():
    async def scenario(two: Two) -> None:
        two.here.own = ""
        ann = await two.come()
        for line in ("sit 2", "watch 2", "resume 2"):
            ann.type(line)
            await asyncio.sleep(1)
        assert 0 == two.here.asked

    run(scenario)


@pytest.mark.parametrize("options", [{}, PROGRAM], ids=["terminal", "program"])
def test_who_comes_in_and_has_a_seat_elsewhere_walks_there_before_anything_is_read(options):
    async def scenario(two: Two) -> None:
        ann, person = await two.come_back_with_seat("", **options)
        ann.type("look")
        await asyncio.sleep(1)
        assert texts.PLACE_COMES_BACK.format(2) in " ".join(ann.text.split())
        assert not ann.holder.redirected and "You are in the lobby" not in ann.text
        two.here.seats[person] = SeatElsewhere(2, "g2")
        await asyncio.sleep(1)
        assert [("g2", 2, b"", 1)] == ann.holder.redirected

    run(scenario)


def test_where_the_server_of_the_own_seat_is_not_reached_it_is_tried_again():
    async def scenario(two: Two) -> None:
        ann, person = await two.come_back_with_seat("g2")  # which has just died
        assert [("g2", 2, b"", 1)] == ann.holder.redirected
        again, comes_back = ann, texts.PLACE_COMES_BACK.format(2)
        for _ in range(2):
            again = await back(two, again)
            await asyncio.sleep(walking.RETRY_S + 1)
        assert 3 == len(again.holder.redirected) and comes_back in " ".join(ann_read(two).split())
        again = await back(two, again)
        again.type("whoami")
        two.here.seats[person] = SeatElsewhere(2, "")
        await asyncio.sleep(1)
        two.here.seats[person] = SeatElsewhere(2, "g3")  # which has taken its tables over
        await asyncio.sleep(1)
        assert ("g3", 2, b"", 1) == again.holder.redirected[-1]
        assert "You are ann" not in again.text

    async def back(two: Two, link: HeldLink) -> HeldLink:
        link.holder.walk, link.holder.walked_to = "failed", 0
        on_moved = link.holder.on_moved
        again = await go_on(two.one, link, "ann")
        on_moved()
        read.append(again)
        return again

    def ann_read(two: Two) -> str:
        return "".join(link.text for link in read)

    read = list[HeldLink]()
    run(scenario)
    shown = " ".join(ann_read(None).split())  # type: ignore[arg-type]
    assert 1 == shown.count(texts.PLACE_COMES_BACK.format(2)) and "reached" not in shown


def test_whose_place_has_gone_meanwhile_is_promised_none():
    async def scenario(two: Two) -> None:
        ann, person = await two.come_back_with_seat("g2")
        del two.here.seats[person]
        ann.holder.walk, ann.holder.walked_to = "failed", 0
        again = await go_on(two.one, ann, "ann")
        again.type("whoami")
        await asyncio.sleep(1)
        assert "You are ann" in again.text and "Your place" not in again.text

    run(scenario)


def test_a_server_that_is_never_reached_holds_nobody_up_for_ever():
    async def scenario(two: Two) -> None:
        ann, _ = await two.come_back_with_seat("g2")
        again = ann
        for _ in range(15):
            again.holder.walk, again.holder.walked_to = "failed", 0
            on_moved = again.holder.on_moved
            again = await go_on(two.one, again, "ann")
            on_moved()
            await asyncio.sleep(walking.RETRY_S + 1)
            if texts.NOT_REACHED.format(2) in " ".join(again.text.split()):
                break
        again.type("whoami")
        await asyncio.sleep(1)
        assert "You are ann" in again.text

    run(scenario)


def test_a_seat_at_a_table_that_comes_back_here_sends_nobody_away():
    async def scenario(two: Two) -> None:
        ann, _ = await two.come_back_with_seat("g1")  # which is restored next
        ann.type("whoami")
        await asyncio.sleep(1)
        assert not ann.holder.redirected and "You are ann" in ann.text

    run(scenario)


def test_who_was_taken_in_too_late_is_forgotten_without_a_word():
    """The door has given up, and opened the session where it was."""

    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type("watch 2")
        await asyncio.sleep(1)
        told = two.bob.text
        late = await walks(two.other, ann)
        assert "ann" in people_of(two.other)
        late.holder.on_moved()
        await asyncio.sleep(60)
        assert "ann" not in people_of(two.other) and late.session.is_over
        assert "ann" not in two.bob.text.removeprefix(told).replace("watch", "")

    run(scenario)


@pytest.mark.parametrize("line", ["who", "open words"])
def test_who_is_in_no_game_when_one_begins_elsewhere_goes_to_the_seat(line):
    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type(line)
        await asyncio.sleep(1)
        person = ann.session.person.id
        two.here.seats[person] = SeatElsewhere(2, "g2")
        assert two.one.app.service.tourneys.take_to_seat(person)
        assert not two.one.app.service.tourneys.take_to_seat("p99")
        await asyncio.sleep(1)
        assert [("g2", 2, b"")] == [it[:3] for it in ann.holder.redirected]

    run(scenario)


def test_nobody_goes_there_without_a_way_or_from_another_game():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        person, take = ann.session.person.id, two.one.app.service.tourneys.take_to_seat
        two.here.seats[person] = SeatElsewhere(2, "g2")
        ann.holder.may_redirect = False
        assert not take(person)
        ann.holder.may_redirect = True
        ann.type("practice elimination")
        await asyncio.sleep(1)
        assert not take(person) and not ann.holder.redirected

    run(scenario)


def test_a_seat_that_is_gone_holds_nobody_up():
    async def scenario(two: Two) -> None:
        ann, _ = await two.come_back_with_seat("")
        ann.type("whoami")
        await asyncio.sleep(1)
        assert "You are ann" not in ann.text
        two.here.seats.clear()
        await asyncio.sleep(1)
        assert "You are ann" in ann.text

    run(scenario)


def test_of_a_walk_the_newer_session_counts():
    async def scenario(two: Two) -> None:
        ann = await two.come()
        since = two.one.app.online.get(ann.session.person.id).since_ms
        ann.type("sit 2")
        await asyncio.sleep(1)
        again = await walks(two.other, ann)
        now = two.other.app.online.get(again.session.person.id).since_ms
        assert since < now < since + 20

    run(scenario)


def test_who_cannot_be_let_in_is_not_taken_in():
    async def scenario(two: Two) -> None:
        ann, manager = await two.come(), two.other.app.session_manager
        ann.type("sit 2")
        await asyncio.sleep(1)
        assert await manager.may_come(ann.again())
        ann.holder.capsule = b"none of ours"
        assert not await manager.may_come(ann.again())

    run(scenario)


@pytest.mark.parametrize("is_watching", [True, False])
def test_who_goes_on_after_another_server_has_died_goes_back_to_the_table(is_watching):
    async def scenario(two: Two) -> None:
        for name in ("ann", "cid", "bob", "dan"):  # the ids of people are the same
            await two.come(name=name)
        dan = await come(two.other, "dan")
        dan.type("watch 2" if is_watching else "sit 2")
        await asyncio.sleep(1)
        again = await go_on(two.one, dan, "dan")  # as its door does
        assert [("g2", 2, b"", 1)] == again.holder.redirected
        two.here.tables.clear()
        again.holder.redirected.clear()
        last = await go_on(two.one, dan, "dan")
        last.type("whoami")
        await asyncio.sleep(1)
        assert not last.holder.redirected and "You are dan" in last.text

    run(scenario)


async def watching_program(two: Two) -> Any:
    """The program dan, at the other server, whose line `a7` was to watch there."""
    for name in ("ann", "cid", "bob", "dan"):  # the ids of people are the same
        await two.come(name=name)
    dan = await come(two.other, "dan", **PROGRAM)
    dan.handler.on_data(b'{"line": "watch 2", "id": "a7"}\n')
    await asyncio.sleep(1)
    return dan


@pytest.mark.parametrize("is_uncertain", [False, True])
def test_a_program_that_goes_back_to_watch_reads_done_of_its_lines_once(is_uncertain):
    async def scenario(two: Two) -> None:
        dan = await watching_program(two)
        assert '"type":"done","id":"a7","ok":true' in dan.text  # unless it got nowhere
        dan.holder.is_line_uncertain = is_uncertain
        again = await go_on(two.one, dan, "dan")  # that server has died
        assert [("g2", 2, b"", 1)] == again.holder.redirected
        again.holder.is_line_uncertain = False
        last = await walks(two.other, again, "dan")
        busy = '"type":"done","id":"a7","ok":false,"code":"busy"'
        shown = again.text + last.text
        assert int(is_uncertain) == shown.count(busy) == shown.count('"id":"a7"')
        assert last.session.table == 2

    run(scenario)


def test_a_program_that_does_not_get_back_to_watch_reads_no_done_of_its_last_line_again():
    async def scenario(two: Two) -> None:
        dan = await watching_program(two)
        again = await go_on(two.one, dan, "dan")
        again.holder.walk, again.holder.walked_to, again.holder.is_line_open = "failed", 2, False
        last = await go_on(two.one, again, "dan")
        assert texts.NOT_REACHED.format(2) in last.text and '"id":"a7"' not in last.text

    run(scenario)


def test_a_server_that_hears_of_the_newer_session_first_forgets_without_a_word():
    async def scenario(two: Two) -> None:
        ann, eve = await two.come(), await two.come(name="eve")
        told = eve.text
        ann.type("watch 2")
        await asyncio.sleep(1)
        two.one.app.online.end(ann.session.person.id, "You are elsewhere.")
        assert ["eve"] == people_of(two.one)
        ann.holder.on_moved()
        ann.handler.on_disconnect()
        await asyncio.sleep(60)
        assert told == eve.text

    run(scenario)
