"""The control socket: what a command on the machine may ask, and what it may cost."""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import stat

import pytest

from mudserver.errors import StartError, UserError
from mudserver.ops import control_socket
from mudserver.ops.control_socket import ControlSocket, ServerNotRunning, send_request


@pytest.fixture
async def control(tmp_path):
    """A control socket with a few verbs, and a way to ask it."""
    control = ControlSocket()

    async def later(name: str) -> str:
        await asyncio.sleep(0)
        return f"later, {name}"

    def refused() -> None:
        raise UserError("Not today.")

    control.register("status", lambda: {"tables": 3})
    control.register("later", later)
    control.register("refused", refused)
    control.register("broken", lambda: 1 // 0)
    await control.open(tmp_path)
    yield control
    await control.close()
    assert [] == list(tmp_path.iterdir())


async def asked(directory, verb, **words):
    return await asyncio.to_thread(send_request, directory, verb, 10.0, **words)


async def sent(directory, raw: bytes) -> dict:
    reader, writer = await asyncio.open_unix_connection(str(directory / control_socket.SOCKET_NAME))
    writer.write(raw)
    answer = json.loads(await reader.readline())
    writer.close()
    return answer


async def test_a_verb_answers_at_once_or_later(control, tmp_path):
    assert {"tables": 3} == await asked(tmp_path, "status")
    assert "later, ann" == await asked(tmp_path, "later", name="ann")


@pytest.mark.parametrize(
    ("verb", "words", "sentence"),
    [
        ("refused", {}, "Not today."),
        ("broken", {}, "something went wrong in the server; its log says more"),
        ("stop", {}, "unknown verb; there are broken, later, refused, status"),
        ("later", {"nmae": "ann"}, "wrong arguments"),
    ],
)
async def test_what_is_refused_is_one_sentence(control, tmp_path, verb, words, sentence):
    with pytest.raises(StartError, match=sentence):
        await asked(tmp_path, verb, **words)


@pytest.mark.parametrize(
    "raw",
    [b"status\n", b"3\n", b"{}\n", b"[]\n", b"\xff\n", b"x" * 9_000, b"[" * 4_000 + b"\n"],
)
async def test_what_is_no_question_is_told_what_one_is(control, tmp_path, raw):
    assert "a request is one JSON object" in (await sent(tmp_path, raw))["error"]


async def test_only_the_account_of_the_server_may_ask(control, tmp_path):
    assert 0o600 == stat.S_IMODE((tmp_path / control_socket.SOCKET_NAME).stat().st_mode)


async def test_who_asks_nothing_is_sent_away_and_takes_no_place(control, tmp_path, monkeypatch):
    monkeypatch.setattr(control_socket, "REQUEST_S", 0.05)
    assert "no request arrived" in (await sent(tmp_path, b'{"verb"'))["error"]
    assert {"tables": 3} == await asked(tmp_path, "status")


async def test_more_clients_than_there_are_places_are_refused(control, tmp_path):
    lines = []
    for _ in range(control_socket.CLIENTS_MAX):
        lines.append(await asyncio.open_unix_connection(str(tmp_path / control_socket.SOCKET_NAME)))
    with pytest.raises(StartError, match="too many requests at once"):
        await asked(tmp_path, "status")
    for _, writer in lines:
        writer.close()


async def test_a_socket_left_over_is_replaced_and_one_without_a_server_is_no_server(tmp_path):
    with pytest.raises(ServerNotRunning):
        send_request(tmp_path, "status")
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / control_socket.SOCKET_NAME))
    left.close()
    with pytest.raises(ServerNotRunning):
        send_request(tmp_path, "status")
    control = ControlSocket()
    control.register("status", lambda: 1)
    await control.open(tmp_path)
    assert 1 == await asked(tmp_path, "status")
    await control.close()


def test_the_socket_of_another_account_says_whose_to_use(tmp_path, monkeypatch):
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(control_socket.socket.socket, "connect", refused)
    with pytest.raises(StartError, match="belongs to another account; use that one, or root"):
        send_request(tmp_path, "status")


async def test_a_directory_with_a_long_name_has_a_socket_too(tmp_path):
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    control = ControlSocket()
    control.register("status", lambda: 1)
    await control.open(deep)
    assert 1 == await asked(deep, "status")
    await control.close()


async def test_closing_gives_up_what_is_being_answered(tmp_path):
    control, never = ControlSocket(), asyncio.Event()
    begun = asyncio.Event()

    async def slow() -> None:
        begun.set()
        await never.wait()

    control.register("slow", slow)
    await control.open(tmp_path)
    question = asyncio.create_task(asked(tmp_path, "slow"))
    await begun.wait()
    await control.close()
    with pytest.raises(StartError, match="ended before it answered"):
        await question
