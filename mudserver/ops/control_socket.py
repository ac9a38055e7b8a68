"""The control socket: how a command on the same machine asks the running server.

Rule 1: `control.sock` in the data directory belongs to the account of the server alone (mode
        0600).  Whoever can open it can read the journal too: it gives nobody more than they had.
Rule 2: one JSON object on one line in, one out: `{"verb": ..., ...}`, then `{"answer": ...}` or
        `{"error": "a sentence"}`.  Verbs are registered by name; nothing else can be asked for.
Rule 3: clients, bytes and seconds are bounded; a client that waits or floods costs the house one
        small task.
Rule 4: the directory is locked by the server, so a socket that is already there is left over.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import logging
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mudserver.errors import StartError, UserError
from mudserver.logs import log_exception

SOCKET_NAME = "control.sock"
CLIENTS_MAX = 8
REQUEST_BYTES_MAX = 4_096
ANSWER_BYTES_MAX = 1_048_576
REQUEST_S = 5.0  # to say what is wanted
ANSWER_S = 900.0  # for the slowest verb

Handler = Callable[..., Any]
"""Called with the rest of the request by name; answers a JSON value, or a coroutine of one.
HouseError: its sentence is the answer."""

log = logging.getLogger("house")


class ControlSocket:
    def __init__(self) -> None:
        self._verbs: dict[str, Handler] = {}
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[Any]] = set()
        self._path: Path | None = None

    def register(self, name: str, verb: Handler) -> None:
        assert name not in self._verbs, name
        self._verbs[name] = verb

    async def open(self, directory: Path) -> None:
        """Listen in *directory*, whose lock this server holds.  OSError: it cannot be."""
        path = directory / SOCKET_NAME
        path.unlink(missing_ok=True)
        door = socket.socket(socket.AF_UNIX)
        try:
            os.fchmod(door.fileno(), 0o600)  # before there is a name that others could open
            with _short(path) as name:
                door.bind(name)
            self._server = await asyncio.start_unix_server(
                self._serve, sock=door, limit=REQUEST_BYTES_MAX
            )
        except BaseException:
            door.close()
            raise
        self._path = path

    async def close(self) -> None:
        """No new questions; what is being answered is given up."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            if len(self._clients) > CLIENTS_MAX:
                said_back: Any = {"error": "too many questions at once; ask again in a moment"}
            else:
                said_back = await self._answered(reader)
            writer.write(_line(said_back))
            async with asyncio.timeout(REQUEST_S):
                await writer.drain()
        except (OSError, TimeoutError):
            pass  # nobody listens any more
        except asyncio.CancelledError:
            pass  # the house closes; the task of a stream is nobody's to wait for
        finally:
            self._clients.discard(task)
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()  # `close` would wait for a client that does not read
            else:
                writer.close()

    async def _answered(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        try:
            async with asyncio.timeout(REQUEST_S):
                request = json.loads(await reader.readline())
            verb = self._verbs.get(request.pop("verb"))
        except TimeoutError:
            return {"error": f"nothing was asked within {REQUEST_S:.0f} seconds"}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {"error": f"a question is one JSON object with a verb, on one line of at most"
                             f" {REQUEST_BYTES_MAX} bytes"}  # fmt: skip
        if verb is None:
            return {"error": f"unknown verb; there are {', '.join(sorted(self._verbs))}"}
        try:
            inspect.signature(verb).bind(**request)
        except TypeError as exc:
            return {"error": f"the question does not fit: {exc}"}
        return await self._settled(verb, request)

    async def _settled(self, verb: Handler, words: dict[str, Any]) -> dict[str, Any]:
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = verb(**words)
                return {"answer": await answer if inspect.isawaitable(answer) else answer}
        except UserError as exc:
            return {"error": str(exc)}
        except TimeoutError:
            return {"error": f"no answer within {ANSWER_S:.0f} seconds"}
        except Exception as exc:
            ref = log_exception(log, "control failed", exc)
            return {"error": f"something went wrong in the server; its log says more (ref {ref})"}


def send_request(directory: Path, verb: str, timeout_s: float = ANSWER_S, **words: Any) -> Any:
    """The running server's answer to *verb*; blocks.

    Raises:
        NoServer: None runs in *directory*.
        StartError: It refused, with its sentence, or it did not answer.
    """
    path = directory / SOCKET_NAME
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(timeout_s)
        try:
            with _short(path) as name:
                line.connect(name)
        except (FileNotFoundError, ConnectionRefusedError):
            raise ServerNotRunning(f"no server runs in {directory}") from None
        except PermissionError:
            raise StartError(
                f"{path} cannot be asked: it belongs to another account; use that one, or root"
            ) from None
        except OSError as exc:
            raise StartError(f"{path} cannot be asked: {exc.strerror}") from None
        try:
            line.sendall(_line({"verb": verb, **words}))
            with line.makefile("rb") as answers:
                raw = answers.readline(ANSWER_BYTES_MAX)
            answer = json.loads(raw)
        except TimeoutError:
            raise StartError(f"the server in {directory} does not answer") from None
        except (OSError, ValueError):
            raise StartError(f"the server in {directory} ended before it answered") from None
    if "error" in answer:
        raise StartError(f"the server in {directory} says: {answer['error']}")
    return answer["answer"]


class ServerNotRunning(StartError):
    """Nobody listens at the control socket."""


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """A name for *path* that fits into the 108 bytes of a socket's address."""
    if len(os.fsencode(path)) < 100:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
