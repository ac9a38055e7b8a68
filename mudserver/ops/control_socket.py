"""The control socket: how a command on the same machine talks to the running server.

Rule 1: `control.sock` in the data directory is only for the server's own account (mode 0600).
        Whoever can open it can read the journal too, so it grants nothing new.  A door has
        `door-NAME.sock` in its own directory.
Rule 2: one JSON object on one line in, one out: `{"verb": ..., ...}`, then `{"answer": ...}` or
        `{"error": "a sentence"}`.  Verbs are registered by name; there is nothing else.
Rule 3: clients, bytes and seconds are bounded; a client that waits or floods costs one small task.
Rule 4: a verb that acts on people gets the user id of who asks, from the kernel.
Rule 5: the server has locked the directory, so a socket that is already there is a leftover; that
        of a door is one if nobody answers there.
Rule 6: after a verb of `register_talk` the connection belongs to that verb, until it returns.
Rule 7: while `obstacle` has a sentence, verbs that only read are answered, and no others.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import logging
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from mudserver.errors import StartError, UserError
from mudserver.logs import log_exception

SOCKET_NAME = "control.sock"
CLIENTS_MAX = 8
REQUEST_BYTES_MAX = 4_096
ANSWER_BYTES_MAX = 1_048_576
REQUEST_S = 5.0  # to send the request
LEAVE_S = 1.0  # for the answers of a server that another one follows
SKIP_S = 0.2  # for the request of a client that is refused
ANSWER_S = 900.0  # for the slowest verb

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid; see unix(7)

Handler = Callable[..., Any]
"""Called with the rest of the request as keyword arguments; returns a JSON value or an awaitable
of one.  The sentence of a UserError becomes the error."""

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Owns a connection from its request on; may raise OSError."""

log = logging.getLogger("mudserver")


class ControlSocket:
    def __init__(self) -> None:
        self._verbs: dict[str, Handler] = {}
        self._talks: dict[str, Talk] = {}
        self._wants_uid: set[str] = set()  # names of verbs [rule 4]
        self._reading: set[str] = set()  # names of verbs [rule 7]
        self.obstacle: Callable[[], str] = lambda: ""
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[Any]] = set()
        self._path: Path | None = None

    def register(
        self, name: str, verb: Handler, *, wants_uid: bool = False, only_reads: bool = False
    ) -> None:
        """Args:
        wants_uid: The verb takes `uid`, the user id of the client.
        only_reads: It changes nothing, and tells nobody anything [rule 7].
        """
        assert name not in self._verbs, name
        self._verbs[name] = verb
        if only_reads:
            self._reading.add(name)
        if wants_uid:
            self._wants_uid.add(name)

    def register_talk(self, name: str, talk: Talk) -> None:
        """A verb that is the beginning of a conversation [rule 6]."""
        self._talks[name] = talk

    async def open(self, directory: Path, door: str = "") -> None:
        """Listen in *directory*, whose lock this server holds, or as the door of that name.

        Raises:
            OSError: That fails.
            StartError: A door of that name runs already.
        """
        path = socket_path(directory, door)
        if door and _is_answered(path):
            raise StartError(
                f"a door {door} runs already in {directory}: choose another name with --name"
            )
        await self._listen(path)

    async def listen_again(self) -> None:
        """Another server has made the socket anew, and has died.  OSError: that fails."""
        self._stop_hearing()
        if self._path is not None:
            await self._listen(self._path)

    async def _listen(self, path: Path) -> None:
        listening = _bound(path)
        try:
            self._server = await asyncio.start_unix_server(
                self._serve, sock=listening, limit=REQUEST_BYTES_MAX
            )
        except BaseException:
            listening.close()
            raise
        self._path = path

    async def close(self) -> None:
        """Refuse new requests and cancel those in progress."""
        self._stop_hearing()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    async def leave(self) -> None:
        """Another server has made the socket anew: answer who has asked, and remove nothing."""
        self._stop_hearing()
        if self._clients:
            await asyncio.wait(self._clients, timeout=LEAVE_S)

    def _stop_hearing(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            if len(self._clients) > CLIENTS_MAX:
                await self._skip_request(reader)
                answer: Any = {"error": "too many requests at once; try again in a moment"}
            else:
                request = await self._read(reader)
                if (talk := self._talks.get(request.get("verb", ""))) is not None:
                    await talk(reader, writer)
                    return
                answer = await self._answer(request, peer_ids(writer)[1])
            writer.write(_encode_line(answer))
            async with asyncio.timeout(REQUEST_S):
                await writer.drain()
        except (OSError, TimeoutError):
            pass  # the client has gone
        except asyncio.CancelledError:
            pass  # the server is stopping; nobody awaits this task
        finally:
            self._clients.discard(task)
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()  # `close` would wait for a client that does not read
            else:
                writer.close()

    async def _skip_request(self, reader: asyncio.StreamReader) -> None:
        """Read the request of a client that is refused: a close with it unread loses the answer."""
        with contextlib.suppress(TimeoutError, ValueError):
            async with asyncio.timeout(SKIP_S):
                await reader.readline()

    async def _read(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        """The request; one without a verb has an error."""
        try:
            async with asyncio.timeout(REQUEST_S):
                request = json.loads(await reader.readline())
            if isinstance(request["verb"], str):
                return dict(request)
        except TimeoutError:
            return {"error": f"no request arrived within {REQUEST_S:.0f} seconds"}
        except (ValueError, TypeError, KeyError, RecursionError):
            pass
        return {"error": f"a request is one JSON object with a verb, on one line of at most"
                         f" {REQUEST_BYTES_MAX} bytes"}  # fmt: skip

    async def _answer(self, request: dict[str, Any], uid: int) -> dict[str, Any]:
        if (name := request.pop("verb", None)) is None:
            return request
        verb = self._verbs.get(name)
        if verb is None:
            return {"error": f"unknown verb; there are {', '.join(sorted(self._verbs))}"}
        try:
            if name in self._wants_uid:
                request = {**request, "uid": uid}
            inspect.signature(verb).bind(**request)
        except TypeError as exc:
            return {"error": f"wrong arguments: {exc}"}
        if name not in self._reading and (obstacle := self.obstacle()):
            return {"error": obstacle}
        return await self._call_verb(verb, request)

    async def _call_verb(self, verb: Handler, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = verb(**arguments)
                return {"answer": await answer if inspect.isawaitable(answer) else answer}
        except UserError as exc:
            return {"error": str(exc)}
        except TimeoutError:
            return {"error": f"no answer within {ANSWER_S:.0f} seconds"}
        except Exception as exc:
            ref = log_exception(log, "control request failed", exc)
            return {"error": f"something went wrong in the server; its log says more (ref {ref})"}


def socket_path(directory: Path, door: str = "") -> Path:
    """Where a server is asked, or the door of that name."""
    return directory / (f"door-{door}.sock" if door else SOCKET_NAME)


def _is_answered(path: Path) -> bool:
    """Whether a process listens there."""
    with socket.socket(socket.AF_UNIX) as connection, bindable_name(path) as name:
        try:
            connection.connect(name)
        except OSError:
            return False
    return True


def send_request(
    directory: Path, verb: str, timeout_s: float = ANSWER_S, *, door: str = "", **arguments: Any
) -> Any:
    """Send *verb* to the running server, or to a door, and return its answer; blocks.

    Raises:
        ServerNotRunning: No server, or no door of that name, runs in *directory*.
        StartError: It refused, with a sentence, or it did not answer.
    """
    path, who = socket_path(directory, door), f"door {door}" if door else "server"
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(timeout_s)
        try:
            with bindable_name(path) as name:
                connection.connect(name)
        except (FileNotFoundError, ConnectionRefusedError):
            raise ServerNotRunning(f"no {who} runs in {directory}") from None
        except PermissionError:
            raise StartError(
                f"{path} cannot be opened: it belongs to another account; use that one, or root"
            ) from None
        except OSError as exc:
            raise StartError(f"{path} cannot be opened: {exc.strerror}") from None
        try:
            connection.sendall(_encode_line({"verb": verb, **arguments}))
            with connection.makefile("rb") as answers:
                raw = answers.readline(ANSWER_BYTES_MAX)
            answer = json.loads(raw)
        except TimeoutError:
            raise StartError(f"the {who} in {directory} does not answer") from None
        except (OSError, ValueError):
            raise StartError(f"the {who} in {directory} ended before it answered") from None
    if "error" in answer:
        raise RequestRefused(f"the {who} in {directory}", answer["error"])
    return answer["answer"]


class ServerNotRunning(StartError):
    """No server listens on the control socket."""


class RequestRefused(StartError):
    """The server has answered with a sentence."""

    def __init__(self, who: str, sentence: str) -> None:
        super().__init__(f"{who} says: {sentence}")
        self.sentence = sentence


def _bound(path: Path) -> socket.socket:
    """A socket of the name *path*; one that is there already is a leftover.  OSError."""
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    try:
        os.fchmod(bound.fileno(), 0o600)  # before the name exists that others could open
        with bindable_name(path) as name:
            bound.bind(name)
    except BaseException:
        bound.close()
        raise
    return bound


def peer_ids(writer: asyncio.StreamWriter) -> tuple[int, int]:
    """Process id and user id of the other end, from the kernel; 0: one of another namespace."""
    raw = writer.get_extra_info("socket").getsockopt(
        socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size
    )
    pid, uid, _ = _CREDENTIALS.unpack(raw)
    return pid, uid


@contextlib.contextmanager
def bindable_name(path: Path) -> Iterator[str]:
    """A name for *path* that fits the 108 bytes of a socket address."""
    if len(os.fsencode(path)) < 100:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def _encode_line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
