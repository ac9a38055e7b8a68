import asyncio
import errno
import os
import socket
from itertools import pairwise

import pytest
from msgspec.structs import replace

from mudserver.errors import StartError
from mudserver.transport.gate import ConnectionSlot
from mudserver.transport.tcp_listener import ACCEPT_BATCH, OpenConnections, open_tcp_listener
from mudserver.transport.telnet.connection import open_telnet
from tests.mudserver.transport.server import until


async def test_a_socket_that_is_already_open_is_taken(server):
    await server.open()
    sock = socket.create_server(("127.0.0.1", 0))
    listener = await open_telnet(
        "", 0, make_handler=server.answer, gate=server.gate, clock=server.clock,
        sock=sock,
    )  # fmt: skip
    assert f"127.0.0.1:{sock.getsockname()[1]}" == listener.address
    listener.close()
    await listener.wait_closed()


async def test_new_limits_are_those_of_new_connections(server):
    await server.open()
    _, old = await server.raw(server.telnet)
    await until(lambda: server.gate.connections == 1)
    server.gate.reconfigure(replace(server.gate.limits, input_before_login_bytes=10))
    server.admits = False
    reader, writer = await server.raw(server.telnet)
    for each in (old, writer):
        each.write(b"x" * 100)
    while await asyncio.wait_for(reader.read(4_096), 5):
        pass
    await until(lambda: server.gate.connections == 1)
    for each in (old, writer):
        each.close()


async def test_an_address_that_is_not_ours_is_one_clear_line(server):
    await server.open()
    with pytest.raises(
        StartError, match=r"^cannot open the telnet listener on .*:\d+: .+$"
    ) as refused:
        await open_telnet(
            "192.0.2.77", 4_242, make_handler=server.answer, gate=server.gate,
            clock=server.clock,
        )  # fmt: skip
    assert "\n" not in str(refused.value)


async def test_a_process_that_may_open_no_socket_says_who_can(server, monkeypatch):
    await server.open()

    def refused(*_: object) -> None:  # as RestrictAddressFamilies= of the unit does
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refused)
    with pytest.raises(StartError, match=r"telnet listener on .*:4242: .* enable the \.socket"):
        await open_telnet(
            "127.0.0.1", 4_242, make_handler=server.answer, gate=server.gate, clock=server.clock
        )


async def test_a_crowd_is_let_in_a_few_at_a_time_and_waits_in_the_kernel(server):
    await server.open(new_per_s=1e6, exempt=("127.0.0.0/8",))
    made: list[asyncio.Protocol] = []

    def line(slot: ConnectionSlot) -> asyncio.Protocol:
        made.append(asyncio.Protocol())
        return made[-1]

    listener = await open_tcp_listener(
        line,
        "127.0.0.1",
        0,
        None,
        label="it",
        connections=OpenConnections(server.clock),
        gate=server.gate,
        clock=server.clock,
    )
    crowd = 8 * ACCEPT_BATCH
    at = ("127.0.0.1", int(listener.address.rpartition(":")[2]))
    people = [
        socket.create_connection(at, timeout=5) for _ in range(crowd)
    ]  # the loop stands still
    seen = [0]
    while len(made) < crowd:
        await asyncio.sleep(0)
        seen.append(len(made))
    assert max(b - a for a, b in pairwise(seen)) <= ACCEPT_BATCH
    for person in people:
        person.close()
    listener.close()


@pytest.mark.parametrize("turns", range(6))
async def test_nobody_who_was_taken_in_is_lost_when_the_listener_closes(server, turns):
    """Whoever calls is let in by this server, or waits at the socket for the next one."""
    await server.open()
    made: list[asyncio.BaseTransport] = []

    class Line(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.append(transport)

    with socket.create_server(("127.0.0.1", 0)) as held:  # as systemd does
        listener = await open_tcp_listener(
            lambda slot: Line(),
            "",
            0,
            held.dup(),
            label="it",
            connections=OpenConnections(server.clock),
            gate=server.gate,
            clock=server.clock,
        )
        with socket.create_connection(held.getsockname(), timeout=5):
            for _ in range(turns):
                await asyncio.sleep(0)
            listener.close()
            await listener.wait_closed()
            held.setblocking(False)
            try:
                held.accept()[0].close()
                is_waiting = True
            except BlockingIOError:
                is_waiting = False
            assert is_waiting != bool(made)
            for transport in made:
                transport.abort()


async def test_who_hangs_up_before_a_refusal_leaves_no_descriptor_open(server):
    """The sentence meets a closed socket, which resets the connection before its end is written."""
    bugs: list[dict] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: bugs.append(context))
    await server.open(new_per_source_burst=1)
    before = len(os.listdir("/proc/self/fd"))
    at = ("127.0.0.1", int(server.telnet.address.rpartition(":")[2]))
    for _ in range(20):
        socket.create_connection(at, timeout=5).close()  # the loop stands still
    await until(lambda: server.gate.counters.refused_rate >= 10)
    await until(lambda: len(os.listdir("/proc/self/fd")) <= before)
    assert [] == bugs
