"""A large lobby: how long a line is on its way, what it costs that one of many comes and goes, what
a line costs that none of them reads, and who asks who is here.

Rule 1: delivery is measured from the speaker's line to the reader's socket, with real clients; all
        else meets the whole server over fake lines, on a virtual clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from mudserver.config import schema
from mudserver.transport.link import AuthenticatedUser, Terminal
from tests.bench.child import Child
from tests.bench.report import Row, Target
from tests.bench.server import MANY, TEXT
from tests.bench.visits import SERVERS
from tests.simulation import virtual
from tests.simulation.server import ANSI, FakeLink, SimServer, new_world

READERS = 500  # for what has a target
MORE_READERS = 1_500
LINES, LINES_PER_S = 25, 5
PRESENT = 2_000
VISITS = 100  # of one more person
UNREAD = "chat"  # a channel that nobody is in who has not joined it
UNREAD_LINES = 2_000
WHO_PRESENT, WHO_ASKED = 1_500, 200


def delivery_ms(readers: int = READERS, lines: int = LINES) -> float:
    """The 99th percentile of the time from a line said to its arrival at each telnet client."""
    with Child(SERVERS["telnet"]) as server, Child("tests.bench.crowd") as crowd:
        crowd.ask("come", "telnet", server.ask("listen")["telnet"], readers)
        server.ask("settle")
        crowd.ask("note_delays")
        server.ask("speak", lines, 1 / LINES_PER_S)
        delays_ms = crowd.ask("delays_ms", readers * lines)
        crowd.ask("leave")
    return float(delays_ms[len(delays_ms) * 99 // 100])


def visit_us(present: int = PRESENT, visits: int = VISITS) -> float:
    """Microseconds of CPU for one guest who comes, is welcomed and leaves again, among so many."""
    people = schema.PeopleLimits(sessions_max=present + visits, guests_max=present + visits)

    async def scenario() -> float:
        server = await SimServer(new_world(1, people=people)).open()
        await _come_all(server, present)
        start_s = time.process_time()
        for number in range(present, present + visits):
            link = _come(server, number)
            await asyncio.sleep(0.1)  # the welcome is shown
            link.drop()
            await asyncio.sleep(0.1)
        spent_s = time.process_time() - start_s
        assert present == server.app.service.online_count()
        return spent_s / visits * 1e6

    return virtual.run(scenario())


def unread_us(present: int = READERS, lines: int = UNREAD_LINES) -> float:
    """Microseconds of CPU for a line typed in a channel that none of so many others has joined."""
    chat = schema.ChatLimits(guest_per_s=MANY, channel_per_s=MANY, repeats_max=MANY)
    people = schema.PeopleLimits(sessions_max=present + 1, guests_max=present + 1)
    sources = schema.SourceLimits(exempt=("0.0.0.0/0",))

    async def scenario() -> float:
        server = await SimServer(new_world(1, chat=chat, people=people, sources=sources)).open()
        await _come_all(server, present)
        speaker = _come(server, present)
        assert speaker.handler is not None
        speaker.handler.on_data(f"join {UNREAD}\r".encode())
        await asyncio.sleep(1)
        mark = len(speaker.received)
        typed = [f"#{UNREAD} {TEXT} {number}" for number in range(lines)]
        found_us = await _typed_us(speaker, typed, 1.0)  # of a paste not all is taken
        assert lines == speaker.text_since(mark).count(f"[{UNREAD}] ")
        return found_us

    return virtual.run(scenario())


def who_us(present: int = WHO_PRESENT, asked: int = WHO_ASKED) -> float:
    """Microseconds of CPU for a `who` among so many, of whom five a second ask."""
    people = schema.PeopleLimits(sessions_max=present, guests_max=present)

    async def scenario() -> float:
        server = await SimServer(new_world(1, people=people)).open()
        await _come_all(server, present - 1)
        person = _come(server, present, replace(ANSI, rows=100))  # no pager comes between
        await asyncio.sleep(1)
        mark = len(person.received)
        found_us = await _typed_us(person, ["who"] * asked, 0.15)
        assert asked == person.text_since(mark).count(f"{present} people are here")
        return found_us

    return virtual.run(scenario())


async def _typed_us(person: FakeLink, lines: Sequence[str], pause_s: float) -> float:
    """Microseconds of CPU for each line that is typed and answered, with a pause behind it."""
    assert person.handler is not None
    spent_s = 0.0
    for line in lines:
        start_s = time.process_time()
        person.handler.on_data(f"{line}\r".encode())
        await asyncio.sleep(0.05)  # the answer is shown
        spent_s += time.process_time() - start_s
        await asyncio.sleep(pause_s)
    return spent_s / len(lines) * 1e6


def _come(server: SimServer, number: int, terminal: Terminal = ANSI) -> FakeLink:
    link = FakeLink(terminal, "ssh", f"10.{number % 250}.{number // 250}.1")
    return server.connect(link, AuthenticatedUser("guest", "guest"))


async def _come_all(server: SimServer, present: int) -> None:
    for number in range(present):
        _come(server, number)
    await asyncio.sleep(1)
    assert present == server.app.service.online_count()


def rows(times: int) -> list[Row]:
    unread = [(unread_us(), unread_us(present=0)) for _ in range(times)]
    delays = tuple(delivery_ms() for _ in range(times))
    more_delays = tuple(delivery_ms(MORE_READERS) for _ in range(times))
    visits = tuple(visit_us() for _ in range(times))
    asked = tuple(who_us() for _ in range(times))
    return [
        Row(f"lobby: ms to {READERS} readers, 99 of 100 lines", delays, (), Target("<=", 150)),
        Row(f"lobby: ms to {MORE_READERS:,} readers, 99 of 100 lines", more_delays),
        Row(f"lobby: us of CPU that one of {PRESENT:,} comes and goes", visits, (),
            Target("<=", 500)),
        Row(f"lobby: us of CPU a line in a channel that none of {READERS} reads",
            tuple(among for among, _ in unread), tuple(alone for _, alone in unread),
            Target("<=", 1.2, is_ratio=True)),
        Row(f"lobby: us of CPU a who, of {WHO_PRESENT:,}", asked, (), Target("<=", 1_000)),
    ]  # fmt: skip
