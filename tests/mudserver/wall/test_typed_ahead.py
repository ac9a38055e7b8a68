"""What was typed ahead is overwritten in the door when it has begun, or the client is gone."""

from __future__ import annotations

import asyncio

from mudserver.clock import Clock
from mudserver.config.schema import WallConfig
from mudserver.wall.door import DoorClient
from mudserver.wall.frames import Frame, Kind, encode_progress
from tests.simulation import virtual
from tests.simulation.server import FakeLink

AHEAD, DRAFT = b"connect ann\ropen sesame\r", b"half"


def test_begun_input_is_overwritten_and_the_rest_stays():
    async def scenario() -> None:
        clock = Clock(asyncio.get_running_loop())
        door = DoorClient(WallConfig(), clock, lambda: None, [])  # type: ignore[arg-type,return-value]
        connection = door.open_connection(FakeLink(), None)
        connection.on_data(AHEAD)
        connection.on_data(DRAFT)
        memory = memoryview(connection.retained)
        begun = len(AHEAD)
        connection.on_frame(Frame(Kind.PROGRESS, 1, encode_progress(begun, 0)))
        assert DRAFT == connection.retained
        assert not any(memory)
        memory = memoryview(connection.retained)
        connection.on_disconnect()
        assert b"" == connection.retained and not any(memory)

    virtual.run(scenario())
