"""A line whose answer nobody has seen, when its session goes on in the next process."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config.schema import JournalConfig
from mudserver.session import texts
from tests.mudserver.session.test_going_on import HeldLink, come, go_on, restarted
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world


def test_a_line_of_which_nobody_knows_is_said_to_be_uncertain():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        program = await come(server, "cid", wants_json=True)
        server = await restarted(server)
        for link, name in ((ann, "ann"), (program, "cid")):
            link.holder.is_line_uncertain = True
            again = await go_on(server, link, name)
            assert texts.LINE_UNCERTAIN in " ".join(again.text.split())

    virtual.run(scenario())


@pytest.mark.parametrize("options", [{}, {"wants_json": True}])
@pytest.mark.parametrize("delay_s", [1.0, 0.95 * JournalConfig().append_wait_s])
def test_a_line_is_not_done_before_its_table_has_written_what_it_asks_for(options, delay_s):
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann", **options)
        ann.type("open elimination")
        await asyncio.sleep(2)
        settled = []
        ann.holder.settle = settled.append
        server.journal.delay_s = delay_s
        ann.type("options clocks=off")
        await asyncio.sleep(delay_s - 0.1)
        assert [] == settled
        await asyncio.sleep(0.6)
        assert [0] == settled

    virtual.run(scenario())


def test_a_program_of_protocol_2_is_told_as_data_that_a_line_is_uncertain():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        program = await come(server, "cid", wants_json=True, json_protocol=2)
        server = await restarted(server)
        program.holder.is_line_uncertain = True
        again = await go_on(server, program, "cid")
        assert '{"type":"restarted","is_line_uncertain":true}\n' == again.text

    virtual.run(scenario())


@pytest.mark.parametrize("is_kept", [True, False])
def test_only_the_line_that_is_uncertain_is_done_even_if_its_capsule_was_not_kept(is_kept):
    def type_line(link: HeldLink, line_id: str) -> None:
        link.handler.on_data(f'{{"line": "who", "id": "{line_id}"}}\n'.encode())

    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        program = await come(server, "cid", wants_json=True, json_protocol=2)
        holder = program.holder
        holder.take = iter(range(32, 320, 32)).__next__
        type_line(program, "a" * 64)
        await asyncio.sleep(1)
        assert 1 == program.text.count('"type":"done"')
        program.is_cut = True
        if not is_kept:
            holder.keep = lambda capsule, wait_text, waits=False: None
        type_line(program, "b" * 64)
        await asyncio.sleep(0.1)
        holder.is_line_uncertain, holder.begun = True, 64
        left = server.app.session_manager._context.seal.open(holder.capsule, holder.nonce)
        assert () == left.open_lines  # the release before has no room there for such an id
        again = await go_on(await restarted(server), program, "cid")
        assert '{"type":"restarted","is_line_uncertain":true}\n' in again.text
        assert is_kept is (f'"type":"done","id":"{"b" * 64}","ok":false' in again.text)
        assert "a" * 64 not in again.text

    virtual.run(scenario())


def test_done_is_the_last_of_its_write_so_that_its_door_hears_both_or_neither():
    async def scenario() -> None:
        server = await SimServer(new_world(1)).open()
        ann = await come(server, "ann")
        program = await come(server, "cid", wants_json=True, json_protocol=2)
        program.backlog = lambda: 2**30  # it does not read
        program.handler.on_data(b'{"line": "who", "id": "a"}\n')
        await asyncio.sleep(0.5)
        ann.type("tell cid hello")
        await asyncio.sleep(0.5)
        program.backlog, mark = (lambda: 0), len(program.sent)
        await asyncio.sleep(0.5)
        writes = [data for data, _ in program.sent[mark:] if data]
        (at,) = [at for at, data in enumerate(writes) if b'"type":"done"' in data]
        assert b'"type":"done"' in writes[at].splitlines()[-1]
        assert b"hello" in b"".join(writes[at + 1 :])

    virtual.run(scenario())
