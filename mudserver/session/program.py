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
from mudserver.clean import clean
from mudserver.clock import TimerHandle
from mudserver.errors import HouseError
from mudserver.people import Person
from mudserver.post import MAIL_MAX
from mudserver.session import objects as o
from mudserver.session.stay import Stay
from mudserver.transport.link import Link, Proven, Terminal
from variants.kit.text import Style

if TYPE_CHECKING:
    from mudserver.session.reception import Reception

BYTES_PER_CHARACTER = 12  # of JSON: two escapes of six, for what is beyond the first plane
QUEUE_MAX = 2 * MAIL_MAX  # messages that wait for a line that lags, until it is looked at again
FRAME_BYTES = 256  # of an object beside its text
WAIT_S = 0.05  # until a line that lags is looked at again

EXAMPLE = '{"line": "who"}'

_decode = msgspec.json.Decoder(o.Line).decode


class Program(Stay[bytes]):
    """*typed* is what stood between two line ends, longer than `_bytes_max` if it was too long."""

    warning_s = 0.0  # every line is answered: a bot waits for that

    def __init__(self, reception: Reception, link: Link, proven: Proven) -> None:
        super().__init__(reception, link)
        self._chars_max = reception.config.line.line_chars_max
        self._bytes_max = BYTES_PER_CHARACTER * self._chars_max + FRAME_BYTES
        self._begun = b""  # an object whose end has not come; no longer than _bytes_max and one
        self._queue: deque[m.Message] = deque()  # not yet sent; while the line lags, QUEUE_MAX
        self._parts: deque[bytes] = deque()  # objects of one message, not yet sent
        self._lost = 0  # messages, since the last word about it
        self._wait: TimerHandle | None = None
        self._admit(proven)

    # -- in ------------------------------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        *ended, rest = data.replace(b"\r", b"\n").split(b"\n")
        for part in ended:
            whole, self._begun = self._begun + part, b""
            if whole.strip():
                self.typed(whole)
        self._begun = (self._begun + rest)[: self._bytes_max + 1]

    def _read(self, typed: bytes) -> Awaitable[None] | None:
        return self._settle(self._line_of(typed))

    def _line_of(self, data: bytes) -> str:
        if len(data) > self._bytes_max:
            raise HouseError(f"That object is too long: {self._bytes_max:,} bytes are the most.")
        try:
            line = _decode(data).line
        except msgspec.ValidationError:
            raise HouseError(
                f'An object holds "line" with a text, and nothing else: {EXAMPLE}'
            ) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise HouseError(f"That is no JSON. Write one object a line: {EXAMPLE}") from None
        if len(line) > self._chars_max:
            raise HouseError(f"That line is too long: {self._chars_max} characters are the most.")
        if "\n" in line or "\r" in line:
            raise HouseError("A line holds no line break. Write one object for each line.")
        return line if self._dialogue is not None else clean(line)

    # -- out -----------------------------------------------------------------------------------

    def _send(self, *made: o.Object) -> None:
        if made:
            self._link.send(b"".join([o.encoded(one) + b"\n" for one in made]))

    def _mail_now(self) -> None:
        self._queue.extend(self.box.take())
        self._lost += self.box.dropped
        self.box.dropped = 0
        while not self._is_lagging:
            if self._lost:
                self._send(o.Lost(self._lost))
                self._lost = 0
            if not (self._queue or self._parts):
                return
            self._send_some()
        if self._wait is None or len(self._queue) > QUEUE_MAX:
            self._thin_out()  # not at each line: who floods and never reads would have it all run
        if self._wait is None and not self.is_over:
            self._wait = self._reception.clock.call_later(WAIT_S, self._look_again)

    def _send_some(self) -> None:
        """A part of what waits, in one write."""
        chosen: list[bytes] = []
        length = 0
        while length < o.PAGE_BYTES:
            if self._parts:
                part = self._parts.popleft()
                chosen.append(part)
                length += len(part)
            elif self._queue:
                self._parts.extend(self._packed(self._queue.popleft()))
            else:
                break
        if chosen:  # of some messages nothing is for a program
            self._link.send(b"".join(chosen))

    def _packed(self, message: m.Message) -> list[bytes]:
        try:
            return [text + b"\n" for _, text in self._reception.packed(message)]
        except Exception as bug:
            self.broke(bug, "mail")
            return []

    @property
    def _is_lagging(self) -> bool:
        return self._link.backlog() > self._reception.config.door.output_lag_bytes

    def _look_again(self) -> None:
        self._wait = None
        self._reception.wake(self)

    def _thin_out(self) -> None:
        """Of what waits: no talk, no view that is followed by a newer one, and no more than fits
        a box."""
        kept: deque[m.Message] = deque()
        has_newer = False
        for message in reversed(self._queue):
            is_view = isinstance(message, m.Shown) and message.why == "changed"
            if len(kept) == MAIL_MAX or type(message) in m.TALK:
                self._lost += 1
            elif not (is_view and has_newer):
                kept.appendleft(message)
            has_newer = has_newer or isinstance(message, m.Shown)
        self._queue = kept

    # -- coming and going ----------------------------------------------------------------------

    def _enter(self, person: Person, news: str) -> None:
        super()._enter(person, news)
        self._send(self._reception.hello(person))

    def become(self, person: Person) -> None:
        self._mail_now()  # was meant for who one was
        super().become(person)

    def _say_last(self, text: str) -> None:
        self._send(o.Bye(text))

    def _leave_it(self) -> None:
        if self._wait is not None:
            self._wait.cancel()

    # -- what verbs and dialogues may do -------------------------------------------------------

    def say(self, *sentences: str) -> None:
        self._send(*map(o.Notice, sentences))

    def ask(self, prompt: str, *, is_secret: bool = False) -> None:
        if prompt:
            self._send(o.Prompt(prompt, is_secret))

    def _ask(self) -> None:
        """A program needs no prompt: it may write at any time."""

    @property
    def style(self) -> Style:
        return o.STYLE

    def settings_changed(self) -> None:
        """Nothing that can be set changes what an object is."""

    def resize(self, terminal: Terminal) -> None:
        """There is nothing to be sized."""

    def clear(self) -> None:
        """There is nothing to be cleared."""

    def describe(self) -> list[str]:
        return [f"line: {self.kind}, JSON objects, protocol {o.PROTOCOL}"]
