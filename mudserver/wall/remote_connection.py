"""A connection that a door holds, as a session sees it: the link behind the wall.

Rule 1: input is numbered from 0 by the door, which keeps what has not begun.  It is handed on in
        pieces that end at a line end, so that the session can say which line it means.
Rule 2: a line is executed only after the door has been told that it has begun: whatever happens
        then, it is not typed again (`begin`).
Rule 3: what the door has not acknowledged is the backlog.  Less than *ack_bytes* counts as nothing,
        so that a quiet line costs no acknowledgement.  Where the door takes nothing, what waits for
        it is everybody's backlog.
Rule 4: a bug in a session ends that session's connection, and no other.
Rule 5: when the connection was redirected nothing more is said here.  The session stays until the
        door says that another process has it (`on_moved`), or gives the connection back.
Rule 6: while the connection is held, no session begins, nothing typed reaches it and no line
        begins; all of it waits for this process or, at the door, for the next one.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable
from functools import partial

from mudserver.logs import log_exception
from mudserver.protocols import ProtocolName
from mudserver.transport.flow import CHUNK_BYTES, KEYS_BYTES, InputTurns
from mudserver.transport.link import (
    AuthenticatedUser,
    HandlerFactory,
    JsonProtocol,
    LinkHandler,
    LostReason,
    Terminal,
)
from mudserver.wall.bodies import (
    NAME_CHARS_MAX,
    Admitted,
    Gmcp,
    Keep,
    Open,
    Redirect,
    Refuse,
    Tried,
    Try,
    encode_body,
)
from mudserver.wall.frames import (
    ACKNOWLEDGE,
    BODY_MAX,
    SETTLED,
    FrameError,
    Kind,
    encode_progress,
)
from mudserver.wall.stream import WallStream

QUEUED_BYTES_MAX = 131_072  # of input that waits for its turn; a door holds back long before
WHOLE_BYTES_MAX = 8_192  # typed without a line end; then the door need not keep it

_LINE_END = re.compile(rb"\r[\n\x00]?|\n")

log = logging.getLogger("wall")


class RemoteConnection:
    """`transport.link.Link`, and its own `transport.link.Holder`."""

    __slots__ = (
        *("_ack_bytes", "_begun", "_done", "_ended", "_handler", "_handling", "_held", "_holds"),
        *("_is_draft_skipped", "_is_gone", "_json_protocol", "_late", "_open_lines", "_queue"),
        *("_queued_bytes", "_received", "_retained_end", "_sent", "_skipped_until", "_stream"),
        *("_taken", "_told_done", "_tries", "_try_count", "_turns", "begun", "capsule"),
        *("has_waited", "heard", "is_admitted", "is_again", "is_closed", "is_line_open"),
        "is_line_uncertain",
        *("is_redirected", "lost_why", "may_redirect", "modules", "nonce", "number", "on_errand"),
        *("on_long_line", "on_moved", "peer", "protocol", "seen", "terminal", "visit", "walk"),
        *("walked_to", "wanted_game", "wants_export", "wants_json"),
    )

    def __init__(
        self,
        stream: WallStream,
        number: int,
        opened: Open,
        ack_bytes: int,
        turns: InputTurns,
    ) -> None:
        self._stream, self.number, self._turns = stream, number, turns
        self._holds = 0  # rule 6
        self._held: list[Callable[[], None]] = []  # what was to begin
        self._late = ""  # said by the door before the session began, which is held
        self.lost_why: LostReason | None = None
        self._ack_bytes = ack_bytes
        self.peer, self.terminal, self.visit = opened.peer, opened.terminal, opened.visit
        self.wants_json, self.wants_export = opened.wants_json, opened.wants_export
        self.wanted_game = opened.wanted_game
        self.protocol: ProtocolName = opened.protocol
        self.modules = opened.modules
        self._json_protocol: JsonProtocol = opened.json_protocol
        self._handler: LinkHandler | None = None
        self.is_admitted = self.is_closed = self._is_gone = False
        self._sent = self._taken = 0
        self._tries: dict[int, asyncio.Future[bool]] = {}
        self._try_count = 0
        # input
        self.nonce, self.capsule, self.is_again = opened.nonce, opened.capsule, opened.is_again
        self.has_waited = opened.has_waited
        self.is_line_open = opened.begun > opened.done
        self.is_line_uncertain = self.is_line_open and not opened.walk
        self.begun, self._told_done = opened.begun, opened.done  # by the server before
        self.seen = opened.seen
        self._skipped_until, self._is_draft_skipped = 0, False
        self._retained_end = opened.retained_at + opened.retained
        self._received = opened.retained_at  # offset behind the last byte that has arrived
        self.heard = opened.retained_at  # and behind the last that the session was given
        self._begun = max(opened.begun, opened.retained_at)
        self._done = self._begun
        self._ended = self._begun  # behind the last line end that the session was given
        self._open_lines = 0  # taken by the session, and not settled
        self._handling: int | None = None  # the place of the line that has begun, until it is done
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self.on_long_line: Callable[[], None] = lambda: None
        # to and from other game servers [rule 5]
        self.walk, self.walked_to = opened.walk, opened.table
        self.may_redirect = self.is_redirected = False
        self.on_errand: Callable[[bytes, int], None] = lambda errand, hops: None
        self.on_moved: Callable[[], None] | None = None

    # -- from the door ---------------------------------------------------------------------------

    def start(self, open_session: HandlerFactory, proven: AuthenticatedUser | None) -> None:
        if self._holds:
            self._held.append(partial(self.start, open_session, proven))
            return
        if self._is_gone:
            return
        try:
            self._handler = open_session(self, proven)
        except Exception as bug:  # rule 4
            log_exception(log, "connection failed", bug, session=self.visit)
            self.close()
        if self._late:
            self.end_login(self._late)

    def receive(self, offset: int, data: bytes) -> None:
        """FrameError: bytes are missing before *data*."""
        if offset != self._received:
            raise FrameError(f"DATA at {offset}, expected {self._received}")
        self._received += len(data)
        if (skipped := self._skipped_until - offset) > 0:
            self.heard = min(self._skipped_until, self._received)
            if not self._is_draft_skipped:
                self._ended = self.heard
                self._note_what_is_over()
            data = data[skipped:]
            if not data:
                return
        if self._queue or self._holds:
            self._enqueue(data)
        elif len(data) <= KEYS_BYTES:  # of chunks, one read of the wall may bring thousands
            self._process(data)
        else:
            self._enqueue(data)
            self._turns.wait(self._process_next)

    def _enqueue(self, data: bytes) -> None:
        self._queue.append(data)
        self._queued_bytes += len(data)
        if self._queued_bytes > QUEUED_BYTES_MAX:
            self._queue.clear()
            self._queued_bytes = 0
            self.close()

    def _process_next(self) -> None:
        if not self._queue or self._holds:
            return
        data = self._queue.popleft()
        chunk, rest = data[:CHUNK_BYTES], data[CHUNK_BYTES:]
        if rest:
            self._queue.appendleft(rest)
        if self._queue:
            self._turns.wait(self._process_next)
        self._queued_bytes -= len(chunk)
        self._process(chunk)

    def _process(self, data: bytes) -> None:
        """Hand *data* to the session in pieces [rule 1]."""
        at = 0
        for end in _LINE_END.finditer(data):
            self._hand_on(data[at : end.end()])
            at, self._ended = end.end(), self.heard
        if at < len(data):
            self._hand_on(data[at:])
        self._note_what_is_over()

    def hold(self) -> None:
        self._holds += 1

    def release(self) -> None:
        """Go on after `hold`, if nobody else holds it."""
        self._holds -= 1
        if self._holds:
            return
        held, self._held = self._held, []
        for begin in held:
            begin()
        if self._queue:
            self._turns.wait(self._process_next)

    @property
    def is_handled(self) -> bool:
        """Whether no line has begun that the session has not done yet."""
        return self._handling is None

    def _note_what_is_over(self) -> None:
        """Input that no line came of, and what is too long to be kept by the door."""
        if not self._open_lines:
            if self.heard - self._ended > WHOLE_BYTES_MAX:
                self.on_long_line()
                self._ended = self.heard
            self._note_progress(self._ended, self._ended)

    def _hand_on(self, piece: bytes) -> None:
        self.heard += len(piece)
        self._call(lambda handler: handler.on_data(piece))

    def _call(self, call: Callable[[LinkHandler], None]) -> None:
        if self._handler is None:
            return
        try:
            call(self._handler)
        except Exception as bug:  # rule 4
            log_exception(log, "connection failed", bug, session=self.visit)
            self.close()

    def resize(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._call(lambda handler: handler.on_resize(terminal))

    def set_modules(self, modules: tuple[tuple[str, int], ...] | None) -> None:
        self.modules = modules
        self._call(lambda handler: handler.on_gmcp("Core.Supports.Set", None))

    def end_login(self, sentence: str) -> None:
        if self._handler is None:
            self._late = sentence
        self._call(lambda handler: handler.on_login_timeout(sentence))

    def note_taken(self, taken: int) -> None:
        """FrameError: more than was sent."""
        if taken > self._sent:
            raise FrameError(f"TAKEN {taken} of {self._sent}")
        self._taken = max(self._taken, taken)

    def note_tried(self, tried: Tried) -> None:
        answer = self._tries.pop(tried.request, None)
        if answer is not None and not answer.done():
            answer.set_result(tried.may_go_on)

    def carry(self, errand: bytes, hops: int) -> None:
        """What is to be done here, of who has come from another game server."""
        if self._holds:
            self._held.append(partial(self.carry, errand, hops))
        else:
            self._call(lambda handler: self.on_errand(errand, hops))

    def lose(self, why: LostReason) -> None:
        """The connection, or the wall before it, is gone."""
        self.lost_why = why
        self.is_closed = self._is_gone = True
        self._queue.clear()
        for answer in self._tries.values():
            if not answer.done():
                answer.set_result(False)
        handler, self._handler = self._handler, None
        if handler is not None:
            on_moved = self.on_moved if why == "moved" else None
            try:
                (on_moved or handler.on_disconnect)()
            except Exception as bug:
                log_exception(log, "connection failed", bug, session=self.visit)

    # -- the holder ------------------------------------------------------------------------------

    def keep(self, capsule: bytes, wait_text: bytes, *, waits: bool = False) -> None:
        body = encode_body(Keep(wait_text, capsule, waits=waits))
        if not waits:
            self._say(Kind.KEEP, body)
        elif not self.is_closed:
            self._stream.package(self.number, body, Kind.KEEP)

    def redirect(self, server: str, table: int, errand: bytes, hops: int) -> None:
        self.stop_here()
        to = Redirect(server, table, errand, hops)
        self._stream.add(Kind.REDIRECT, self.number, encode_body(to))

    def stop_here(self) -> None:
        """Say and hand on nothing more; `redirect` follows."""
        if not self.is_redirected:
            self.hold()
            self.is_redirected = self.is_closed = self._is_gone = True

    def skip_input(self) -> None:
        self._skipped_until = self._retained_end

    def keep_input_until(self, offset: int) -> bool:
        if not self._begun <= offset <= self._retained_end:
            return False
        self._skipped_until, self._is_draft_skipped = offset, True
        return True

    @property
    def is_between_lines(self) -> bool:
        return not self._open_lines

    @property
    def holder(self) -> RemoteConnection:
        return self

    def take(self) -> int:
        """The session has taken a line; its place.  `begin` and `settle` follow."""
        self._open_lines += 1
        return self.heard

    def take_uncertain(self) -> int:
        """Another process has begun a line, and nobody knows more of it; as `take`."""
        self._open_lines += 1
        self._done = min(self._done, self._told_done)
        self._handling = self._begun
        return self._begun

    def begin(self, place: int, call: Callable[[], None]) -> None:
        """Call when the line at *place* cannot be typed again any more [rule 2]."""
        if self._holds:
            self._held.append(partial(self.begin, place, call))
            return
        self._handling = place
        self._note_progress(place, self._done)
        self._stream.when_sent(call)

    def note_handled(self, place: int) -> None:
        if place == self._handling:
            self._handling = None

    def settle(self, place: int) -> None:
        """What the line at *place* has caused is known."""
        self._open_lines -= 1
        self.note_handled(place)
        if place >= self._begun:  # in one frame: the wall may be cut before the next
            self._stream.mark(self.number, SETTLED)
        self._note_progress(self._begun, place)
        self._note_what_is_over()

    def _note_progress(self, begun: int, done: int) -> None:
        now = max(begun, self._begun), max(done, self._done)
        if now != (self._begun, self._done) and not self._is_gone:
            self._begun, self._done = now
            self._stream.add(Kind.PROGRESS, self.number, encode_progress(*now))

    # -- the link --------------------------------------------------------------------------------

    @property
    def json_protocol(self) -> JsonProtocol:
        if self.modules is None:
            return self._json_protocol
        return 2 if dict(self.modules).get("lockdown") == 2 else 1

    @property
    def speaks_gmcp(self) -> bool:
        return self.is_admitted and bool(self.modules)

    def accepts_gmcp(self, package: str) -> bool:
        if self.modules is None or not self.is_admitted or self.is_closed:
            return False
        if package.startswith("Core."):
            return True
        names, name = {module for module, _ in self.modules}, package.lower()
        while name:
            if name in names:
                return True
            name = name.rpartition(".")[0]
        return False

    def send_gmcp(self, package: str, text: str) -> None:
        if self.accepts_gmcp(package):
            body = encode_body(Gmcp(package, text, waits=True))
            if len(body) <= BODY_MAX:
                self._sent += len(body)
                self._stream.package(self.number, body)

    def hold_input(self, is_held: bool) -> None:
        """The door holds back by itself."""

    def send(self, data: bytes, seen: int = 0) -> None:
        if not (data or seen) or self.is_closed:
            return
        self._sent += len(data)
        is_much = self._sent - self._taken > self._ack_bytes
        self._stream.send(self.number, data, seen, ACKNOWLEDGE * is_much)

    def backlog(self) -> int:
        waiting, lag = self._sent - self._taken, self._stream.lag_bytes
        if lag > waiting:
            waiting = lag
        return waiting if waiting > self._ack_bytes else 0

    def set_echo(self, is_on: bool) -> None:
        self._say(Kind.SECRET, b"\0" if is_on else b"\1")

    def end_prompt(self) -> None:
        self._say(Kind.PROMPT_END)

    def refuse(self, text: str) -> None:
        self._say(Kind.REFUSE, encode_body(Refuse(text[:NAME_CHARS_MAX])))

    def close(self) -> None:
        if not self.is_closed:
            self._say(Kind.CLOSE)
            self.is_closed = True

    async def may_try(self, name: str) -> bool:
        return await self._try(name, has_failed=False)

    async def count_failure(self, name: str) -> bool:
        return await self._try(name, has_failed=True)

    async def _try(self, name: str, *, has_failed: bool) -> bool:
        if self.is_closed:
            return False
        self._try_count += 1
        request = self._try_count
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._tries[request] = answer
        self._say(Kind.TRY, encode_body(Try(request, name[:NAME_CHARS_MAX], has_failed)))
        try:
            return await answer
        finally:
            self._tries.pop(request, None)

    def extend_login_deadline(self) -> None:
        self._say(Kind.NAMED)

    def mark_logged_in(self, name: str, *, is_regular: bool) -> None:
        self.is_admitted = True
        self._say(Kind.ADMITTED, encode_body(Admitted(name, is_regular)))

    def _say(self, kind: Kind, body: bytes = b"") -> None:
        if not self.is_closed:
            self._stream.add(kind, self.number, body)
