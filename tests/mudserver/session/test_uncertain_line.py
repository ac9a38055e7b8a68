"""A line whose answer nobody has seen, when its session goes on in the next process."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.config.schema import JournalConfig
from mudserver.session import texts
from tests.mudserver.session.test_going_on import come, go_on, restarted
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
