"""A session of a program: `ssh name@host json`, one JSON object a line in both directions.

Rule 1: a program is a person.  SSH has authenticated it, and its lines take the path of everybody's
        lines (`session.py`), under the same limits.
Rule 2: input is bounded before it is parsed.  Each line that cannot be read is refused in a
        sentence and counts as a line.  Nothing is truncated or corrected.  In protocol 1 lines that
        come too fast are refused, in protocol 2 they wait (`program_lines.py`).
Rule 3: while it is asked in a rated game its lines wait a moment (`program_pace.py`).
Rule 4: output waits while the connection lags.  A program that lags loses chat, and views that a
        newer one replaces; then the oldest messages beyond the bound of an inbox.  One that never
        reads loses the connection.  The program is told how many messages it lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from mudserver import messages as m
from mudserver.accounts.person import Person
from mudserver.clock import TimerHandle
from mudserver.commands.verb import CommandContext
from mudserver.data_account import TerminalData
from mudserver.errors import UserError
from mudserver.outbox import INBOX_MESSAGES_MAX
from mudserver.protocols import PROTOCOLS
from mudserver.sanitize import sanitize
from mudserver.service.sanction_service import Banned
from mudserver.session import json_objects as o
from mudserver.session import json_protocol, texts
from mudserver.session.attachment import Attachment
from mudserver.session.context import SessionContext
from mudserver.session.program_lines import ProgramLines
from mudserver.session.program_pace import ProgramPace
from mudserver.session.session import Session
from mudserver.transport.link import AuthenticatedUser, Link, Terminal
from mudserver.wall.capsule import Capsule, OpenLine
from variants.kit.text import Style

JSON_BYTES_PER_CHARACTER = 12  # two escapes of six bytes, for a character beyond U+FFFF
JSON_OVERHEAD_BYTES = 256  # of an object beside its text
QUEUE_MAX = 2 * INBOX_MESSAGES_MAX  # messages queued for a connection that lags
RETRY_S = 0.05  # between two looks at a connection that lags

PLAY_REFUSED = frozenset({"illegal", "not_understood", "stale"})
"""Codes of plays that are refused, while another one may be open."""

INPUT_EXAMPLE = '{"line": "who"}'

T = TypeVar("T")

_decode = msgspec.json.Decoder(o.Line).decode
_decode_line_2 = msgspec.json.Decoder(o.LineSince2).decode
_decode_ping = msgspec.json.Decoder(o.Ping).decode


def _decode_2(data: bytes) -> o.LineSince2 | o.Ping:
    try:
        return _decode_line_2(data)
    except msgspec.ValidationError:
        return _decode_ping(data)


class JsonSession(Session[bytes]):
    """A unit of input is the bytes between two line ends; more than `_bytes_max` is too long."""

    __slots__ = (
        "_bytes_max",
        "_chars_max",
        "_encoded_objects",
        "_json_protocol",
        "_lines",
        "_lost_count",
        "_open_line",
        "_pace",
        "_partial_object",
        "_question",
        "_queue",
        "_retry_timer",
        "_view",
    )

    is_program = True
    warning_interval_s = 0.0  # every line is answered: a program waits for that

    def __init__(
        self,
        context: SessionContext,
        link: Link,
        proven: AuthenticatedUser,
        capsule: Capsule | None = None,
    ) -> None:
        super().__init__(context, link)
        self.attachment = Attachment(self, context, None)
        self._json_protocol = link.json_protocol
        self._chars_max = context.config.session.line_chars_max
        self._bytes_max = JSON_BYTES_PER_CHARACTER * self._chars_max + JSON_OVERHEAD_BYTES
        self._partial_object = b""  # without its line end; at most _bytes_max + 1 bytes
        self._queue: deque[m.Message] = deque()  # not yet sent; at most QUEUE_MAX while it lags
        self._question = ""  # the id of the one that the line answers; "": it names none
        self._encoded_objects: deque[bytes] = deque()  # of one message, not yet sent
        self._view: m.ViewMessage | None = None  # the last one that was sent
        self._lost_count = 0  # messages lost since the last `lost` object
        self._retry_timer: TimerHandle | None = None
        self._open_line: OpenLine | None = None  # the one that has begun last, if it has an id
        self._lines = ProgramLines(self, context.clock, self._input_queue.charge)
        self._pace = ProgramPace(context.clock)
        if capsule is not None and capsule.is_let_in:
            self._come_in(capsule)
        elif capsule is None or not self._take_up(capsule):
            self._admit(proven)

    # -- input ---------------------------------------------------------------------------------

    def _feed(self, data: bytes) -> None:
        *ended, rest = data.replace(b"\r", b"\n").split(b"\n")
        for part in ended:
            whole, self._partial_object = self._partial_object + part, b""
            if whole.strip():
                self.submit_line(whole)
        self._partial_object = (self._partial_object + rest)[: self._bytes_max + 1]

    def _handle_input(self, typed: bytes) -> Awaitable[None] | None:
        if self._json_protocol != 1:
            return self._lines.answer(typed)
        return self._handle_line(self._decode_line(typed))

    def note_begin(self, typed: bytes, place: int) -> None:
        """If the process dies before the line is answered, the next one owes it its `done`."""
        if self._json_protocol == 1 or self._keeper is None:
            return
        was, self._open_line = self._open_line, None
        with suppress(UserError):
            line = self.read(typed)
            if isinstance(line, o.LineSince2) and line.id:
                self._open_line = OpenLine(line.id, place)
        if was != self._open_line:
            self._keeper.keep()

    def read(self, data: bytes) -> o.LineSince2 | o.Ping:
        """An object of protocol 2.  UserError: it is none."""
        return self._read(data, _decode_2, texts.OBJECT_KEYS_2)

    def handle(self, line: o.LineSince2) -> Awaitable[None] | None:
        """Do what a line of protocol 2 says."""
        self._question = line.question or ""
        return self._handle_line(self._checked(line.line))

    def _run(self, context: CommandContext, line: str) -> Awaitable[None] | None:
        wait_s = self._pace.wait_s(self._context.config.tables.program_wait_ms)
        if wait_s and context.service.programs.is_in_rated_game(context.person):
            return self._run_later(context, line, wait_s)
        return self._run_now(context, line)

    async def _run_later(self, context: CommandContext, line: str, wait_s: float) -> None:
        await self._lines.sleep(wait_s)
        if (pending := self._run_now(context, line)) is not None:
            await pending

    def _run_now(self, context: CommandContext, line: str) -> Awaitable[None] | None:
        self._pace.note_line()
        if self._question:  # then it is a play, whatever else its words mean
            context.service.play(context.person, line, self._question)
            return None
        return super()._run(context, line)

    def mark_answered(self, line: int, tables: Collection[int | None]) -> int:
        """See `ProgramService.mark_answered`; 0: there is nobody to answer."""
        if self.person is None or self.is_over:
            return 0
        return self._context.service.programs.mark_answered(self.person, line, tables)

    def send_error(self, refusal: UserError) -> None:
        if self.person is not None:
            about = str(refusal), refusal.code, refusal.wait_s, refusal.tables
            self._context.service.send_to(self.person.id, m.RefusalMessage(*about))

    def send_object(self, sent: m.WireObject) -> None:
        self._send(sent)

    @property
    def table(self) -> int | None:
        return None if self.person is None else self._context.service.table_of(self.person)

    def _decode_line(self, data: bytes) -> str:
        return self._checked(self._read(data, _decode, texts.OBJECT_KEYS).line)

    def _read(self, data: bytes, decode: Callable[[bytes], T], keys_text: str) -> T:
        if len(data) > self._bytes_max:
            raise UserError(texts.OBJECT_TOO_LONG.format(self._bytes_max), "unreadable")
        try:
            return decode(data)
        except msgspec.ValidationError:
            raise UserError(keys_text.format(INPUT_EXAMPLE), "unreadable") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            unreadable = texts.OBJECT_UNREADABLE.format(INPUT_EXAMPLE)
            raise UserError(unreadable, "unreadable") from None

    def _checked(self, line: str) -> str:
        if len(line) > self._chars_max:
            raise UserError(texts.LINE_TOO_LONG.format(self._chars_max), "unreadable")
        if "\n" in line or "\r" in line:
            raise UserError(texts.LINE_BREAK, "unreadable")
        return line if self.dialogs.open is not None else sanitize(line)

    # -- output --------------------------------------------------------------------------------

    def _send(self, *objects: m.WireObject) -> None:
        if objects:
            encoded = json_protocol.encode(self._json_protocol, *objects)
            self._link.send(b"".join([text + b"\n" for _, text in encoded]))

    def _flush_inbox(self) -> None:
        messages = self._take_messages()
        for message in messages:
            if isinstance(message, m.LocationMessage) and message.is_playing:
                self._close_replay(message)
            if isinstance(message, m.LocationMessage | m.KnownPlace):
                self._note_change(is_urgent=True)  # a capsule says whether it watches there
            if isinstance(message, m.KnownPlace):
                self._view = message.view  # which another process has sent
        self._remember(messages)
        self._queue.extend(messages)
        if self.inbox.dropped_count:
            self._queue.extend(self._lines.awaited_marks())
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
            # Not for each input line: a program that floods and never reads would cause a scan of
            # the whole queue each time.
            self._drop_outdated()
        if self._retry_timer is None and not self.is_over:
            self._retry_timer = self._context.clock.call_later(RETRY_S, self._retry_send)

    def _close_replay(self, place: m.LocationMessage) -> None:
        """A game is shown at the table: from now on lines are for that."""
        if self.person is not None and place.table is not None:
            is_playing, replays = place.seat is not None, self._context.service.replays
            replays.pause(self.person.id, place.table, is_playing=is_playing)

    def _send_batch(self) -> None:
        """Send a part of the queue in one write."""
        chosen: list[bytes] = []
        length = 0
        while length < json_protocol.PAGE_BYTES_MAX:
            if self._encoded_objects:
                part = self._encoded_objects.popleft()
                chosen.append(part)
                length += len(part)
            elif self._queue and not self._lines.is_ending:  # `done` is the last of its write
                self._encoded_objects.extend(self._encode(self._queue.popleft()))
            else:
                break
        if self._shown is not None and not self._encoded_objects:
            self._shown.send()
        if chosen:  # some messages have no object
            self._link.send(b"".join(chosen))
        if self._lines.is_ending and not self._encoded_objects:
            self._settle_shown()  # in the frame that ends with `done`: a cut takes all or nothing
            self._lines.end_answer()
            self._input_queue.note_answered()  # in the same write: `done` is said once

    def _waiting_messages(self) -> Iterable[m.Message]:
        return self._queue

    @property
    def is_shown(self) -> bool:
        return super().is_shown and not (self._queue or self._encoded_objects)

    @property
    def _is_output_sent(self) -> bool:
        return not self._encoded_objects

    def _encode(self, message: m.Message) -> list[bytes]:
        renderer, protocol = self._context.renderer, self._json_protocol
        if isinstance(message, m.ViewMessage):
            self._view = message
            self._pace.note_view(message)
        elif isinstance(message, m.ReplayStep | m.ReplayOver):
            self._take_step(message)
        try:
            if isinstance(message, m.LineAnswered):
                objects = self._lines.on_answered(message.line)
                encoded = json_protocol.encode(protocol, *objects)
            elif self._lines.may_be_answer(message):
                answers = map(self._with_moves, renderer.objects(message, protocol))
                stamped = map(self._lines.stamped, answers)
                encoded = json_protocol.encode(protocol, *stamped)
            else:
                encoded = renderer.encoded_objects(message, protocol)
            return [text + b"\n" for _, text in encoded]
        except Exception as bug:
            self.report_bug(bug, "delivery")
            return []

    def _with_moves(self, answer: m.WireObject) -> m.WireObject:
        """The object; a play that is refused names those that the last view has."""
        view = self._view
        if not isinstance(answer, o.RefusedSince2) or answer.code not in PLAY_REFUSED:
            return answer
        if view is None or view.question is None or view.table != self.table:
            return answer
        moves, _ = self._context.service.listed_moves(view)
        return replace(answer, about=o.About(moves=moves)) if moves else answer

    @property
    def _is_lagging(self) -> bool:
        return self._link.backlog() > self._context.config.door.output_lag_bytes

    def _retry_send(self) -> None:
        self._retry_timer = None
        self._context.registry.schedule_delivery(self)

    def _drop_outdated(self) -> None:
        """Drop from the queue chat, outdated views, and messages beyond the bound of an inbox."""
        kept: deque[m.Message] = deque()
        has_newer = False
        for message in reversed(self._queue):
            is_view = isinstance(message, m.ViewMessage) and message.why == "changed"
            if isinstance(message, m.LineAnswered):
                kept.appendleft(message)  # there is one line at a time
            elif len(kept) >= INBOX_MESSAGES_MAX or type(message) in m.DROPPABLE_TYPES:
                self._lost_count += 1
            elif not (is_view and has_newer):
                kept.appendleft(message)
            has_newer = has_newer or isinstance(message, m.ViewMessage)
        self._queue = kept

    # -- login and end -------------------------------------------------------------------------

    def _wait_text(self) -> bytes:
        notice = m.Notice(texts.SERVER_RESTARTS)
        encoded = json_protocol.encode(self._json_protocol, notice)
        return b"".join([text + b"\n" for _, text in encoded])

    def _make_capsule(self, person: Person, nonce: bytes) -> Capsule:
        capsule = super()._make_capsule(person, nonce)
        return replace(capsule, open_line=self._open_line)

    def _take_up(self, capsule: Capsule) -> bool:
        self._open_line = capsule.open_line
        return super()._take_up(capsule)

    def _enter(self, person: Person, notice: str) -> None:
        is_resumed = self._resumed is not None
        super()._enter(person, notice)
        if not (is_resumed or self.is_over):
            self._send(self._context.renderer.hello_object(person, self._json_protocol))

    def hand_over(self) -> None:
        self._flush_inbox()
        self._settle_shown()
        super().hand_over()

    def as_input(self, line: str) -> bytes:
        id = self._lines.open_id  # none where the server itself has the session do something
        typed = {"line": line} if id is None else {"line": line, "id": id}
        return msgspec.json.encode(typed)

    def do_errand(self, errand: bytes) -> Awaitable[None] | None:
        return self._handle_input(errand)

    def lost_answer(self) -> Awaitable[None] | None:
        line, holder = self._open_line, self._link.holder
        if line is None or holder is None or line.at != holder.begun or not holder.is_line_open:
            return None  # or the session was to go somewhere of itself, for no line
        return self._lines.answer_lost(line.id)

    def _say_line_uncertain(self, person: Person) -> None:
        if self._json_protocol == 1:
            super()._say_line_uncertain(person)
            return
        self._context.service.send_to(person.id, m.RestartedMessage(True))
        self._input_queue.note_uncertain(self.lost_answer())

    def become(self, person: Person) -> None:
        super().become(person)
        self._send(self._context.renderer.hello_object(person, self._json_protocol))

    def switch_person(self, person: Person) -> None:
        self._flush_inbox()  # addressed to the person before
        super().switch_person(person)

    def _refuse(self, refusal: UserError) -> None:
        if isinstance(refusal, Banned):
            self._send(refusal.data)
        super()._refuse(refusal)

    def _send_farewell(self, *sentences: m.Spoken) -> None:
        self._send(o.Bye(m.joined(*sentences)))

    def _close_output(self) -> None:
        self._lines.stop()
        if self._retry_timer is not None:
            self._retry_timer.cancel()

    # -- what commands and dialogs may do ------------------------------------------------------

    def send_text(self, *sentences: m.Spoken) -> None:
        self._send(*[m.Notice(m.joined(each)) for each in sentences])

    def show_prompt(self, prompt: str, *, is_secret: bool = False) -> None:
        self._link.set_echo(not is_secret)  # a door keeps nothing of a secret
        self._note_question()
        if prompt:
            self._send(o.Prompt(prompt, is_secret))

    def _show_command_prompt(self) -> None:
        """A program needs no prompt; it may write at any time."""
        self._note_question()
        self._link.set_echo(True)

    @property
    def style(self) -> Style:
        return json_protocol.SENTENCE_STYLE

    def apply_preferences(self) -> None:
        """No preference changes an object."""

    def on_resize(self, terminal: Terminal) -> None:
        """A program has no screen."""

    def clear_screen(self) -> None:
        """A program has no screen."""

    def reopen_page(self) -> bool:
        """A program has no screen."""
        return False

    def describe_terminal(self) -> m.Page:
        connection = PROTOCOLS[self.protocol].title
        row = f"connection: {connection}, JSON objects, protocol {self._json_protocol}"
        return m.Page(texts.YOUR_TERMINAL, (row,), data=TerminalData(connection, None))
