"""Sockets handed over: which are taken, and which are refused with a sentence."""

from __future__ import annotations

import os
import socket

import pytest

from mudserver.errors import ConfigError, StartError
from mudserver.ops import socket_activation

PID = 4_711
KNOWN = ("ssh", "telnet")


@pytest.fixture
def given(monkeypatch):
    """Descriptors in a row, as systemd gives them, from wherever there is room in this process."""
    held: list[int] = []

    def give(*sockets: socket.socket) -> None:
        first = 900
        monkeypatch.setattr(socket_activation, "FIRST_FD", first)
        held.extend(os.dup2(each.fileno(), first + n) for n, each in enumerate(sockets))

    yield give
    for descriptor in held:
        try:
            os.close(descriptor)
        except OSError:
            continue  # its new owner has closed it


def listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def words(names: str, count: object, pid: int = PID) -> dict[str, str]:
    return {"LISTEN_PID": str(pid), "LISTEN_FDS": str(count), "LISTEN_FDNAMES": names, "HOME": "/"}


def test_sockets_are_taken_by_name(given):
    sockets = [listening() for _ in range(3)]
    given(*sockets)
    environment = words("telnet:ssh:ssh", 3)
    taken = socket_activation.receive_sockets(environment, PID, KNOWN)
    names = {name: [each.getsockname() for each in all_] for name, all_ in taken.items()}
    ports = [sock.getsockname() for sock in sockets]
    assert {"telnet": ports[:1], "ssh": ports[1:]} == names
    assert {"HOME": "/"} == environment
    for each in [*taken["telnet"], *taken["ssh"]]:
        assert not each.get_inheritable() and not each.getblocking()
        each.close()


@pytest.mark.parametrize(
    "environment",
    [{}, words("ssh", 1, pid=PID + 1), words("ssh", 0), words("ssh", ""), {"LISTEN_FDS": "1"}],
)
def test_what_is_not_ours_is_left_alone_and_forgotten(environment):
    assert {} == socket_activation.receive_sockets(environment, PID, KNOWN)
    assert {"HOME"} >= set(environment)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("smtp", "a socket named smtp was handed over: name it with FileDescriptorName= as one of"),
        ("", "a socket named nothing was handed over"),
    ],
)
def test_a_name_that_nobody_knows_is_refused(given, names, sentence):
    given(listening())
    with pytest.raises(StartError, match=sentence):
        socket_activation.receive_sockets(words(names, 1), PID, KNOWN)


def test_what_does_not_listen_is_refused(given, tmp_path):
    given(socket.socket())
    with pytest.raises(StartError, match="for ssh does not listen"):
        socket_activation.receive_sockets(words("ssh", 1), PID, KNOWN)


def test_what_is_no_socket_is_refused(given, tmp_path):
    with (tmp_path / "file").open("w") as file:
        given(file)
        with pytest.raises(StartError, match="for ssh is no socket"):
            socket_activation.receive_sockets(words("ssh", 1), PID, KNOWN)


def test_too_many_are_refused():
    with pytest.raises(ConfigError, match="33 sockets"):
        socket_activation.receive_sockets(words("ssh", 33), PID, KNOWN)


@pytest.mark.parametrize("count", ["9" * 5_000, "-1", "many", "1.5", "\u0663", " 1", "9" * 10])
def test_what_is_no_number_of_sockets_is_refused_in_one_short_line(count):
    with pytest.raises(ConfigError, match="LISTEN_FDS is no number from 0 to 32") as refused:
        socket_activation.receive_sockets(words("ssh", count), PID, KNOWN)
    assert 2 == refused.value.exit_status and len(str(refused.value)) < 200
    assert {} == socket_activation.receive_sockets(words("ssh", count, pid=PID + 1), PID, KNOWN), (
        "not meant for us"
    )
