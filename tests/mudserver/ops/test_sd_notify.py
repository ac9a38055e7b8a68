"""What systemd is told, read at the other end of a real datagram socket."""

from __future__ import annotations

import asyncio
import socket
from itertools import pairwise

import pytest

from mudserver.ops.sd_notify import (
    EXTENSION_S,
    FEEDS,
    STATUS_CHARS_MAX,
    STATUS_S,
    ServiceManager,
    run_watchdog,
)
from tests.simulation import virtual


@pytest.fixture(params=["path", "abstract"])
def notify_socket(request, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.setblocking(False)
        if request.param == "path":
            listening.bind(str(tmp_path / "notify"))
        else:
            listening.bind("")  # the kernel gives it a name
        yield listening


def name_of(notify_socket: socket.socket) -> str:
    name = notify_socket.getsockname()
    return name if isinstance(name, str) else "@" + name[1:].decode()


def heard(notify_socket: socket.socket) -> list[list[str]]:
    words = []
    while True:
        try:
            words.append(notify_socket.recv(4_096).decode().split("\n"))
        except BlockingIOError:
            return words


def test_a_life_is_told_word_by_word(notify_socket):
    manager = ServiceManager(name_of(notify_socket))
    manager.send_ready("people=0 tables=3")
    manager.send_status("people=0 tables=3")  # nothing new
    manager.send_status("people=1\ntables=3")
    with manager.reloading(12.5):
        pass
    manager.send_stopping()
    manager.close()
    manager.send_watchdog()
    assert [
        ["READY=1", "STATUS=people=0 tables=3"],
        ["STATUS=people=1 tables=3"],
        ["RELOADING=1", "MONOTONIC_USEC=12500000"],
        ["READY=1"],
        ["STOPPING=1", "STATUS=shutting down"],
    ] == heard(notify_socket)


def test_a_reload_that_fails_has_an_end_too(notify_socket):
    manager = ServiceManager(name_of(notify_socket))
    with pytest.raises(ZeroDivisionError), manager.reloading(1.0):
        raise ZeroDivisionError
    assert ["READY=1"] == heard(notify_socket)[-1]


def test_a_long_start_asks_for_more_time_again_and_again(notify_socket):
    more = f"EXTEND_TIMEOUT_USEC={EXTENSION_S * 1e6:.0f}"
    notify_socket.setblocking(True)
    with ServiceManager(name_of(notify_socket), watchdog_s=FEEDS * 0.001).starting():
        assert ["STATUS=starting", *2 * ["WATCHDOG=1", more]] == [
            notify_socket.recv(4_096).decode() for _ in range(5)
        ]


def test_a_short_start_needs_no_more_time(notify_socket):
    with ServiceManager(name_of(notify_socket)).starting():
        pass
    with ServiceManager().starting():
        pass
    assert [["STATUS=starting"]] == heard(notify_socket)


def test_a_long_status_is_cut(notify_socket):
    ServiceManager(name_of(notify_socket)).send_status("x" * 5_000)
    assert [["STATUS=" + "x" * STATUS_CHARS_MAX]] == heard(notify_socket)


def test_a_manager_that_is_not_read_or_gone_stops_nobody(notify_socket):
    manager = ServiceManager(name_of(notify_socket))
    for _ in range(10_000):
        manager.send_watchdog()
    assert 0 < len(heard(notify_socket)) < 10_000
    notify_socket.close()
    manager.send_watchdog()


@pytest.mark.parametrize(
    ("environment", "watchdog_s"),
    [
        ({}, 0.0),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "77"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "78"}, 0.0),
        ({"WATCHDOG_USEC": "often"}, 0.0),
        ({"WATCHDOG_USEC": "9" * 5_000}, 0.0),
    ],
)
def test_the_watchdog_is_ours_if_it_names_us(environment, watchdog_s):
    rest = {**environment, "NOTIFY_SOCKET": "/run/nobody", "HOME": "/"}
    manager = ServiceManager.from_environment(rest, 77)
    assert (watchdog_s, True) == (manager.watchdog_s, manager.is_present)
    assert {"HOME": "/"} == rest
    assert {**environment, "NOTIFY_SOCKET": "/run/nobody"} == manager.variables
    again = ServiceManager.from_environment({**rest, **manager.variables}, 77)
    assert (watchdog_s, True) == (again.watchdog_s, again.is_present)


def test_without_a_manager_nothing_is_said_and_nobody_attends():
    manager = ServiceManager.from_environment({"WATCHDOG_USEC": "1000000"}, 77)
    manager.send_ready("people=0")
    assert (0.0, False) == (manager.watchdog_s, manager.is_present)
    virtual.run(asyncio.wait_for(run_watchdog(manager, lambda: True, lambda: ""), 1.0))


class Fed(ServiceManager):
    """Notes when its watchdog is fed."""

    def __init__(self, notify_socket: socket.socket, watchdog_s: float = 20.0) -> None:
        super().__init__(name_of(notify_socket), watchdog_s)
        self.at_s: list[float] = []

    def send_watchdog(self) -> None:
        super().send_watchdog()
        self.at_s.append(asyncio.get_running_loop().time())


async def attend(manager: ServiceManager, for_s: float, is_alive=lambda: True) -> None:
    attendant = asyncio.create_task(run_watchdog(manager, is_alive, lambda: "people=0"))
    await asyncio.sleep(for_s)
    attendant.cancel()


def test_the_watchdog_is_fed_four_times_as_often_as_it_asks_while_the_journal_answers(
    notify_socket,
):
    manager = Fed(notify_socket)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        await attend(manager, 60.5, lambda: loop.time() < 13.0)

    virtual.run(scenario())
    assert [0.0, 5.0, 10.0] == manager.at_s
    assert [["WATCHDOG=1"], ["STATUS=people=0"], ["WATCHDOG=1"], ["WATCHDOG=1"]] == heard(
        notify_socket
    )


@pytest.mark.parametrize("change_s", [0.1, 4.9, 9.9])
def test_a_standby_that_takes_over_is_fed_in_time_whenever_it_does(notify_socket, change_s):
    """Each server that is attended begins to count its time anew."""
    manager = Fed(notify_socket)

    async def scenario() -> None:
        await attend(manager, change_s)
        await asyncio.sleep(4.0)  # the event loop is busy
        await attend(manager, 30.0)

    virtual.run(scenario())
    assert max(b - a for a, b in pairwise(manager.at_s)) < manager.watchdog_s / 2


def test_a_writer_that_hangs_for_less_than_the_period_is_no_reason_to_kill(notify_socket):
    manager = Fed(notify_socket)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        await attend(manager, 60.0, lambda: not 9.9 < loop.time() < 19.9)

    virtual.run(scenario())
    assert max(b - a for a, b in pairwise(manager.at_s)) < manager.watchdog_s


def test_an_unwatched_server_still_says_how_it_is(notify_socket):
    virtual.run(attend(ServiceManager(name_of(notify_socket)), STATUS_S, lambda: False))
    assert [["STATUS=people=0"]] == heard(notify_socket)
