"""A line of talk that was read at one server is not read again at the next."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.lobby.channels import HELP
from mudserver.messages import EmoteMessage, SayMessage
from mudserver.service.shown_elsewhere import LATE_MS
from tests.mudserver.session.test_going_on import HeldLink, come, go_on
from tests.mudserver.session.test_walking import PROGRAM, Two, run, walks
from tests.simulation.server import SimServer

EVENING = SayMessage("bob", "evening", None, "p2")


def hear(server: SimServer, *lines: SayMessage | EmoteMessage) -> None:
    """They were said at a third server, or at the other one."""
    for line in lines:
        server.app.channels.hear(line)


async def to_other(two: Two, ann: HeldLink, name: str = "ann") -> HeldLink:
    ann.type("watch 9")
    await asyncio.sleep(1)
    return await walks(two.other, ann, name)


def count(word: str, *links: HeldLink) -> int:
    return sum(link.text.count(word) for link in links)


@pytest.mark.parametrize("options", [{}, PROGRAM], ids=["terminal", "program"])
@pytest.mark.parametrize(
    "line",
    [
        EVENING,
        EmoteMessage("bob", "evening", None, "p2"),
        SayMessage("bob", "ann, evening", None, "p2"),
    ],
    ids=["said", "done", "mention"],
)
def test_what_comes_after_who_has_read_it_is_not_shown_again(line, options):
    async def scenario(two: Two) -> None:
        two.here.tables = {9}
        ann, dan = await two.come(**options), await come(two.other, "dan")
        hear(two.one, line)
        await asyncio.sleep(1)
        again = await to_other(two, ann)
        hear(two.other, line)
        await asyncio.sleep(1)
        assert (1, 1) == (count("evening", ann, again), count("evening", dan))
        hear(two.other, line)  # said once more
        await asyncio.sleep(1)
        assert (2, 2) == (count("evening", ann, again), count("evening", dan))

    run(scenario)


def test_what_comes_while_its_reader_is_at_a_table_is_no_earlier_talk():
    async def scenario(two: Two) -> None:
        two.here.tables = {9}
        ann = await two.come()
        hear(two.one, EVENING)
        await asyncio.sleep(1)
        again = await to_other(two, ann)
        again.type("open words")
        await asyncio.sleep(1)
        hear(two.other, EVENING, SayMessage("bob", "morning", None, "p2"))
        await asyncio.sleep(1)
        again.type("leave")
        await asyncio.sleep(1)
        assert (1, 1) == (count("evening", ann, again), count("morning", ann, again))

    run(scenario)


@pytest.mark.parametrize("was_elsewhere", [True, False])
def test_what_came_before_its_reader_is_no_earlier_talk(was_elsewhere):
    """Who was in the lobby there while the own table was being fetched has read it."""

    async def scenario(two: Two) -> None:
        ann = await two.come()
        ann.type("open words")
        await asyncio.sleep(1)
        channels, here = two.one.app.channels, two.one.app.lobby.all_here()
        [person] = [it.person for it in here if it.person.name == "ann"]
        hear(two.one, EVENING, SayMessage("bob", "morning", None, "p2"))
        shown = [(two.one.clock.now_ms(), EVENING)]
        channels.note_shown(person, shown, was_elsewhere=was_elsewhere)
        ann.type("leave")
        await asyncio.sleep(1)
        assert (0, 1) == (count("evening", ann), count("morning", ann))

    run(scenario)


def test_in_channels_it_is_the_same():
    async def scenario(two: Two) -> None:
        two.here.tables = {9}
        line = SayMessage("bob", "evening", None, "p2", channel=HELP)
        ann = await two.come()
        hear(two.one, line)
        await asyncio.sleep(1)
        again = await to_other(two, ann)
        hear(two.other, line)
        await asyncio.sleep(1)
        assert 1 == count("evening", ann, again)
        hear(two.other, EVENING)  # in the lobby it is another line
        await asyncio.sleep(1)
        assert 2 == count("evening", ann, again)

    run(scenario)


@pytest.mark.parametrize("is_heard_there", [True, False], ids=["heard there", "late"])
def test_what_is_said_once_more_is_shown(is_heard_there):
    """The line before was heard there before the walk, or was never heard there."""

    async def scenario(two: Two) -> None:
        two.here.tables = {9}
        ann = await two.come()
        for server in (two.one, two.other)[: 1 + is_heard_there]:
            hear(server, EVENING)
        await asyncio.sleep(1)
        again = await to_other(two, ann)
        if not is_heard_there:
            await asyncio.sleep(LATE_MS / 1000)
        hear(two.other, EVENING)
        await asyncio.sleep(1)
        assert 2 == count("evening", ann, again)

    run(scenario)


@pytest.mark.parametrize("name", ["ann", "guest"])
def test_whose_server_dies_reads_nothing_again_at_one_that_has_begun_since_the_last_capsule(name):
    async def scenario(two: Two) -> None:
        ann = await two.come(name=name)
        await asyncio.sleep(1)
        two.other.app.channels.begin()
        await asyncio.sleep(1)
        for server in (two.one, two.other):
            hear(server, EVENING)
        await asyncio.sleep(1)
        again = await go_on(two.other, ann, name)
        assert 1 == count("evening", ann, again)

    run(scenario)
