"""`DATA/handover`: what a server remembers in memory alone, for the one that follows at once.

Rule 1: it is no record: whatever is wrong with the file, the server starts without it.
Rule 2: the file has mode 0600 and at most BYTES_MAX; what was said is left out first, then sessions
        without a terminal.  Who reads it removes it, and believes nothing that is older than
        AGE_MS_MAX.
Rule 3: no password and nothing that may be one, nothing of a game; of private messages only what a
        session that is kept has shown to its own person.
"""

from __future__ import annotations

import contextlib
import logging
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from mudserver.atomic_file import create_exclusive
from mudserver.messages import EmoteMessage, SayMessage
from mudserver.plain_file import read_plain_file
from mudserver.source_budgets import Carried

FILE_NAME = "handover"
BYTES_MAX = 8_388_608
AGE_MS_MAX = 60_000
LINES_MAX, FAILURES_MAX, SPENT_MAX, DETACHED_MAX = 100_000, 20_000, 200_000, 10_000
DETACHED_BYTES_MAX = 4_194_304  # of the file
Capsule = Annotated[bytes, Meta(max_length=65_536)]

log = logging.getLogger("standby")


class Line(NamedTuple):
    """What was said in the lobby or in a channel."""

    place: str
    at_ms: int
    say: SayMessage | None
    emote: EmoteMessage | None


class SoftState(msgspec.Struct, frozen=True, array_like=True):
    made_ms: int
    failures: Annotated[dict[str, int], Meta(max_length=FAILURES_MAX)] = {}  # by account name
    spent: Annotated[tuple[Carried, ...], Meta(max_length=SPENT_MAX)] = ()
    lines: Annotated[tuple[Line, ...], Meta(max_length=LINES_MAX)] = ()
    # sessions without a terminal, by person, each signed as for a door
    detached: Annotated[tuple[tuple[str, Capsule], ...], Meta(max_length=DETACHED_MAX)] = ()
    ends_at_ms: int | None = None  # UTC; everybody was told that the server closes then


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SoftState).decode


def leave(directory: Path, state: SoftState) -> None:
    """Write the file; a disk that does not take it is no reason to stop."""
    path, data = directory / FILE_NAME, _encode(state)
    if len(data) > BYTES_MAX:
        state = msgspec.structs.replace(state, lines=())
        data = _encode(state)
    if len(data) > BYTES_MAX:
        data = _encode(msgspec.structs.replace(state, detached=()))
    try:
        path.unlink(missing_ok=True)
        if len(data) <= BYTES_MAX:
            create_exclusive(path)
            path.write_bytes(data)
    except OSError as exc:
        log.warning("handover not written error=%s", exc.strerror)
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def find(directory: Path, now_ms: int) -> SoftState:
    """What the server before has left; nothing, if it did not or that was too long ago."""
    path, nothing = directory / FILE_NAME, SoftState(now_ms)
    try:
        data = read_plain_file(path, BYTES_MAX)
        path.unlink()
        state = _decode(data)
    except FileNotFoundError:
        return nothing
    except (OSError, msgspec.DecodeError, RecursionError) as exc:
        log.warning("handover not read error=%s", exc)
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        return nothing
    return state if 0 <= now_ms - state.made_ms <= AGE_MS_MAX else nothing
