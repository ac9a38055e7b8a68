"""`notify`: what somebody is told outside the server, as it is typed."""

from __future__ import annotations

import asyncio

from mudserver.config.schema import NotifyConfig
from mudserver.service.notices import OutsideNotice
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

TOPIC = "Kz81-quiet-heron"


def typed(*lines: str, is_on: bool = True) -> tuple[str, list[OutsideNotice]]:
    """What Ann reads, in one line, and what is handed to the host's command."""

    async def scenario() -> tuple[str, list[OutsideNotice]]:
        notify = NotifyConfig(("/bin/false",) if is_on else ())
        server = await SimServer(new_world(1, notify=notify)).open()
        sent: list[OutsideNotice] = []
        server.app.notify_command.put = sent.append  # type: ignore[method-assign]
        ann = server.person("Ann")
        await asyncio.sleep(1)
        ann.forget()
        for line in lines:
            if line == "restart":
                await server.die()
                server = await SimServer(server.world).open()
                server.app.notify_command.put = sent.append  # type: ignore[method-assign]
                ann = server.person("Ann")
            elif line == "hour":
                await asyncio.sleep(3_600)
                ann = server.person("Ann")
            else:
                ann.type(line)
            await asyncio.sleep(6)
        return " ".join(ann.text.split()), sent

    return virtual.run(scenario())


def test_a_choice_is_shown_and_kept():
    read, _ = typed(
        f"notify topic {TOPIC}", "notify events results moves", "set timezone Europe/Berlin",
        "notify quiet 22-08", "restart", "notify",
    )  # fmt: skip
    assert f"topic {TOPIC} events moves, results quiet 22:00 to 08:00 (Europe/Berlin)" in read


def test_off_forgets_the_topic_and_keeps_the_rest():
    read, _ = typed(f"notify topic {TOPIC}", "notify events results", "notify off")
    assert "topic none: nothing is sent. To choose one: notify topic TEXT events results" in read


def test_a_test_is_sent_once_an_hour_and_only_under_a_topic():
    read, sent = typed("notify test", f"notify topic {TOPIC}", "notify test", "notify test")
    assert "You have not chosen a topic. Type notify topic TEXT" in read
    assert "A test is on its way." in read and "You can send one test an hour." in read
    assert [OutsideNotice("Ann", TOPIC, "test", None, "", "This is a test.")] == sent
    _, sent = typed(f"notify topic {TOPIC}", "notify test", "hour", "notify test")
    assert 2 == len(sent)


def test_what_is_wrong_is_said_with_what_would_be_right():
    read, _ = typed("notify topic short", "notify events all", "notify quiet night", "notify loud",
                    "notify topic", "notify")  # fmt: skip
    assert "A topic has 8 to 64 characters: letters, digits, - and _." in read
    assert 'You can\'t be told of "all". There are moves, invitations or results.' in read
    assert '"night" is not a span of hours. Type notify quiet 22-08, or notify quiet off' in read
    assert 2 == read.count("Type notify topic TEXT, notify events moves,results, notify quiet")
    assert "topic none: nothing is sent." in read and "quiet no hours" in read


def test_where_the_host_sends_nothing_it_is_said_and_there_is_another_way():
    read, sent = typed(f"notify topic {TOPIC}", "notify test", "notify", is_on=False)
    assert 3 == read.count(
        "This server sends nothing outside. In your terminal: set alert bell,title"
    )
    assert "topic none" in read and [] == sent


def test_guests_have_no_notices():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        guest = server.guest()
        await asyncio.sleep(1)
        guest.type(f"notify topic {TOPIC}")
        await asyncio.sleep(1)
        return " ".join(guest.text.split())

    assert "topic Kz81" not in virtual.run(scenario()).partition(f"notify topic {TOPIC}")[2]


def test_who_is_not_connected_is_told_outside_and_a_kill_repeats_that_once():
    async def scenario() -> tuple[list[OutsideNotice], list[OutsideNotice]]:
        world = new_world(1, notify=NotifyConfig(("/bin/false",)))
        sent: list[OutsideNotice] = []

        async def opened() -> SimServer:
            server = await SimServer(world).open()
            server.app.notify_command.put = sent.append  # type: ignore[method-assign]
            return server

        server = await opened()
        people = {name: server.person(name) for name in ("Ann", "Bob")}
        await asyncio.sleep(1)
        for name, *lines in (
            ("Bob", f"notify topic {TOPIC}"), ("Ann", "open elimination correspondence seats=2"),
            ("Bob", "sit 1", "ready", "quit"), ("Ann", "start"),
        ):  # fmt: skip
            for line in lines:
                people[name].type(line)
                await asyncio.sleep(3)
        ids = {it: server.app.account_service.person_named(it).id for it in people}
        table = server.app.table_manager.lists.find(1)
        assert table is not None
        while not table.question_of(ids["Bob"]):
            options = server.app.table_manager.turn_options(ids["Ann"])
            assert options is not None
            people["Ann"].type(options.moves[0])
            await asyncio.sleep(3)
        before, sent[:] = list(sent), []
        await asyncio.sleep(60)
        for _ in range(2):
            await server.die()
            server = await opened()
            await asyncio.sleep(20 * 60)
        return before, sent

    before, after = virtual.run(scenario())
    text = "It is your move at table 1 (elimination); 24 h."
    assert [OutsideNotice("Bob", TOPIC, "move", 1, "elimination", text)] == before == after
