"""A visit without a screen: `ssh name@host json`, one JSON object a line in both directions.

Rule 1: a program is a person: who it is was proven by SSH, and its lines go the way of everybody's
        lines (`stay.py`), under the same limits.
Rule 2: what comes in is bounded before it is read, and what cannot be read is refused in a
        sentence, each line by its own; refusals count as lines do.  Nothing is cut or mended:
        that is for fingers.
Rule 3: what goes out waits while the line lags.  Who lags loses talk, and views that a newer one
        has overtaken; then the oldest of what no longer fits a box; and who never reads loses the
        line.  What was lost is counted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable
from typing import TYPE_CHECKING

import msgspec

from mudserver import messages as m
from mudserver.accounts import Person
from mudserver.clock import TimerHandle
from mudserver.errors import UserError
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.sanitize import sanitize
from mudserver.session import json_protocol as o
from mudserver.session.session import Session
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from variants.kit.text import Style

if TYPE_CHECKING:
    from mudserver.session.manager import SessionManager

JSON_BYTES_PER_CHARACTER = 12  # of JSON: two escapes of six, for what is beyond the first plane
QUEUE_MAX = (
    2 * INBOX_MESSAGES_MAX
)  # messages that wait for a line that lags, until it is looked at again
JSON_OVERHEAD_BYTES = 256  # of an object beside its text
RETRY_S = 0.05  # until a line that lags is looked at again

INPUT_EXAMPLE = '{"line": "who"}'

_decode = msgspec.json.Decoder(o.Line).decode


class JsonSession(Session[bytes]):
    """*typed* is what stood between two line ends, longer than `_bytes_max` if it was too long."""

    warning_interval_s = 0.0  # every line is answered: a bot waits for that

    def __init__(self, manager: SessionManager, link: Link, proven: AuthenticatedUser) -> None:
        super().__init__(manager, link)
        self._chars_max = manager.config.session.line_chars_max
        self._bytes_max = JSON_BYTES_PER_CHARACTER * self._chars_max + JSON_OVERHEAD_BYTES
        self._partial_object = (
            b""  # an object whose end has not come; no longer than _bytes_max and one
        )
        self._queue: deque[m.Message] = deque()  # not yet sent; while the line lags, QUEUE_MAX
        self._encoded_objects: deque[bytes] = deque()  # objects of one message, not yet sent
        self._lost_count = 0  # messages, since the last word about it
        self._retry_timer: TimerHandle | None = None
        self._admit(proven)

    # -- in ------------------------------------------------------------------------------------

    def _feed(self, data: bytes) -> None:
        *ended, rest = data.replace(b"\r", b"\n").split(b"\n")
        for part in ended:
            whole, self._partial_object = self._partial_object + part, b""
            if whole.strip():
                self.submit_line(whole)
        self._partial_object = (self._partial_object + rest)[: self._bytes_max + 1]

    def _handle_input(self, typed: bytes) -> Awaitable[None] | None:
        return self._handle_line(self._decode_line(typed))

    def _decode_line(self, data: bytes) -> str:
        if len(data) > self._bytes_max:
            raise UserError(f"That object is too long: {self._bytes_max:,} bytes are the most.")
        try:
            line = _decode(data).line
        except msgspec.ValidationError:
            raise UserError(
                f'An object holds "line" with a text, and nothing else: {INPUT_EXAMPLE}'
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise UserError(f"That is no JSON. Write one object a line: {INPUT_EXAMPLE}") from None
        if len(line) > self._chars_max:
            raise UserError(f"That line is too long: {self._chars_max} characters are the most.")
        if "\n" in line or "\r" in line:
            raise UserError("A line holds no line break. Write one object for each line.")
        return line if self._dialog is not None else sanitize(line)

    # -- out -----------------------------------------------------------------------------------

    def _send(self, *made: o.ProtocolObject) -> None:
        if made:
            self._link.send(b"".join([o.encode(one) + b"\n" for one in made]))

    def _flush_inbox(self) -> None:
        self._queue.extend(self.inbox.take_all())
        self._lost_count += self.inbox.dropped_count
        self.inbox.dropped_count = 0
        while not self._is_lagging:
            if self._lost_count:
                self._send(o.Lost(self._lost_count))
                self._lost_count = 0
            if not (self._queue or self._encoded_objects):
                return
            self._send_batch()
        if self._retry_timer is None or len(self._queue) > QUEUE_MAX:
            # Not at each line: who floods and never reads would have it all run.
            self._drop_outdated()
        if self._retry_timer is None and not self.is_over:
            self._retry_timer = self._manager.clock.call_later(RETRY_S, self._retry_send)

    def _send_batch(self) -> None:
        """A part of what waits, in one write."""
        chosen: list[bytes] = []
        length = 0
        while length < o.PAGE_BYTES_MAX:
            if self._encoded_objects:
                part = self._encoded_objects.popleft()
                chosen.append(part)
                length += len(part)
            elif self._queue:
                self._encoded_objects.extend(self._encode(self._queue.popleft()))
            else:
                break
        if chosen:  # of some messages nothing is for a program
            self._link.send(b"".join(chosen))

    def _encode(self, message: m.Message) -> list[bytes]:
        try:
            return [text + b"\n" for _, text in self._manager.encoded_objects(message)]
        except Exception as bug:
            self.report_bug(bug, "mail")
            return []

    @property
    def _is_lagging(self) -> bool:
        return self._link.backlog() > self._manager.config.door.output_lag_bytes

    def _retry_send(self) -> None:
        self._retry_timer = None
        self._manager.schedule_delivery(self)

    def _drop_outdated(self) -> None:
        """Of what waits: no talk, no view that is followed by a newer one, and no more than fits
        a box."""
        kept: deque[m.Message] = deque()
        has_newer = False
        for message in reversed(self._queue):
            is_view = isinstance(message, m.ViewMessage) and message.why == "changed"
            if len(kept) == INBOX_MESSAGES_MAX or type(message) in m.DROPPABLE_TYPES:
                self._lost_count += 1
            elif not (is_view and has_newer):
                kept.appendleft(message)
            has_newer = has_newer or isinstance(message, m.ViewMessage)
        self._queue = kept

    # -- coming and going ----------------------------------------------------------------------

    def _enter(self, person: Person, notice: str) -> None:
        super()._enter(person, notice)
        self._send(self._manager.hello_object(person))

    def switch_person(self, person: Person) -> None:
        self._flush_inbox()  # was meant for who one was
        super().switch_person(person)

    def _send_farewell(self, text: str) -> None:
        self._send(o.Bye(text))

    def _close_output(self) -> None:
        if self._retry_timer is not None:
            self._retry_timer.cancel()

    # -- what verbs and dialogues may do -------------------------------------------------------

    def send_text(self, *sentences: str) -> None:
        self._send(*map(o.Notice, sentences))

    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        if prompt:
            self._send(o.Prompt(prompt, is_secret))

    def _show_command_prompt(self) -> None:
        """A program needs no prompt: it may write at any time."""

    @property
    def style(self) -> Style:
        return o.SENTENCE_STYLE

    def apply_preferences(self) -> None:
        """Nothing that can be set changes what an object is."""

    def on_resize(self, terminal: Terminal) -> None:
        """There is nothing to be sized."""

    def clear_screen(self) -> None:
        """There is nothing to be cleared."""

    def describe_terminal(self) -> list[str]:
        return [f"line: {self.kind}, JSON objects, protocol {o.PROTOCOL}"]
