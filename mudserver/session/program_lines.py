"""The lines of a program that speaks protocol 2: one after the other, each with one `done`.

Rule 1: a line is done when all that answers it has been handed to the connection: what the session
        said, and what every table did that the line may have asked.  Only then the next one begins,
        so that answers keep the order of lines, and a program that does not read is not read.
Rule 2: nothing is refused for speed.  A line waits until the rate has room for it, and a play or
        talk that is refused for a moment (`UserError.may_wait`) is tried again by itself, for
        WAIT_S_MAX in all.  No other line is: a part of it may be done, or a question answered.
Rule 3: what nobody can read is refused; too much of it ends the session.
Rule 4: a line that had begun in a process that died is owed its `done`.  What became of it nobody
        knows, so its code is `busy`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import Protocol

import msgspec

from mudserver import messages as m
from mudserver.clock import Clock, TimerHandle
from mudserver.errors import JournalWriteError, RefusalCode, UserError
from mudserver.messages import WireObject
from mudserver.rate_limit import TokenBucket
from mudserver.session import json_objects as o
from mudserver.session import texts

WAIT_S_MAX = 5.0  # for which a line is tried again by itself
UNREADABLE_MAX = 200  # objects in UNREADABLE_S
UNREADABLE_S = 60.0


class LinesOwner(Protocol):
    """What the lines need from their session."""

    @property
    def is_over(self) -> bool: ...
    @property
    def table(self) -> int | None:
        """Where the person is, or is going."""

    def read(self, data: bytes) -> o.LineSince2 | o.Ping:
        """UserError: nobody can read that."""

    def handle(self, line: o.LineSince2) -> Awaitable[None] | None: ...
    def mark_answered(self, line: int, tables: Collection[int | None]) -> int:
        """Have `LineAnswered` sent after all answers; returns how many times."""

    def send_refusal(self, sentence: str, code: RefusalCode = "not_allowed") -> None: ...
    def send_error(self, refusal: UserError) -> None:
        """Tell the person why a line is refused."""

    def send_object(self, sent: WireObject) -> None: ...
    def report_bug(self, bug: Exception, what: str) -> None: ...
    def disconnect(self, text: str) -> None: ...


class ProgramLines:
    """Args: charge: Counts a line; how many seconds it has to wait."""

    def __init__(self, owner: LinesOwner, clock: Clock, charge: Callable[[], float]) -> None:
        self._owner, self._clock, self._charge = owner, clock, charge
        self._number = 0  # of the line that is being answered, or was last
        self._id: str | None = None  # of that line
        self._code: RefusalCode | None = None  # of its first refusal
        self._is_open = False
        self._marks = 0  # that are still to come
        self._answered: asyncio.Future[None] | None = None
        self.is_ending = False  # the last mark has come, and its `done` is about to be sent
        self._timer: TimerHandle | None = None
        self._unreadable = TokenBucket(
            UNREADABLE_MAX / UNREADABLE_S, UNREADABLE_MAX, clock.monotonic()
        )

    async def answer(self, typed: bytes) -> None:
        """Do what an object says; return when everything that answers it is sent."""
        if wait_s := self._charge():
            await self.sleep(wait_s)
        try:
            line = self._owner.read(typed)
        except UserError as unreadable:
            self._refuse_unreadable(unreadable)
            return
        if isinstance(line, o.Ping):
            self._owner.send_object(o.Pong(line.ping, self._clock.now_ms()))
            return
        self._number += 1
        self._id, self._code, self._is_open = line.id, None, True
        table = self._owner.table
        await self._handle(line)
        await self._end(table)
        self._is_open = False

    @property
    def open_id(self) -> str | None:
        """Of the line that is being answered; None: there is none, or it has no id."""
        return self._id if self._is_open else None

    async def answer_lost(self, line: str) -> None:
        """Say to *line* of another process that nobody knows, behind what was missed [rule 4]."""
        self._number += 1
        self._id, self._code = line, "busy"
        await self._end(None)

    async def _end(self, table: int | None) -> None:
        """Return when everything was sent that tables answer.  Args: table: one that was asked."""
        self._marks = self._owner.mark_answered(self._number, (table, self._owner.table))
        if self._marks:
            self._answered = asyncio.get_running_loop().create_future()
            await self._answered

    async def _handle(self, line: o.LineSince2) -> None:
        end_s = self._clock.monotonic() + WAIT_S_MAX
        while not self._owner.is_over:
            try:
                if (pending := self._owner.handle(line)) is not None:
                    await pending
            except UserError as refusal:
                is_soon = self._clock.monotonic() + refusal.wait_s <= end_s
                if refusal.may_wait and is_soon:
                    await self.sleep(refusal.wait_s)
                    continue
                self._owner.send_error(refusal)
            except JournalWriteError:
                self._owner.send_refusal(texts.NOT_SAVED, "stopped")
            except Exception as bug:
                self._code = "stopped"
                self._owner.report_bug(bug, "input")
            return

    def _refuse_unreadable(self, unreadable: UserError) -> None:
        if self._unreadable.try_consume(self._clock.monotonic()):
            self._owner.send_refusal(str(unreadable), unreadable.code)
        else:
            self._owner.disconnect(texts.TOO_MANY_UNREADABLE)

    async def sleep(self, wait_s: float) -> None:
        """Until then, or for ever where `stop` comes first: the session has ended."""
        slept = asyncio.Event()
        self._timer = self._clock.call_later(wait_s, slept.set)
        await slept.wait()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    # -- what is sent ----------------------------------------------------------------------------

    def awaited_marks(self) -> list[m.LineAnswered]:
        """Those that have not come, in case they were dropped."""
        return [m.LineAnswered(self._number)] * self._marks

    def on_answered(self, number: int) -> Iterator[WireObject]:
        """A mark has come; `done` if it is the last one of its line."""
        if number != self._number or not self._marks:
            return  # of a line that was given up
        self._marks -= 1
        if self._marks:
            return
        if self._id is not None:
            yield o.Done(self._id, self._code is None, self._code)
        self.is_ending = True

    def end_answer(self) -> None:
        """All is sent."""
        self.is_ending = False
        if self._answered is not None and not self._answered.done():
            self._answered.set_result(None)

    def may_be_answer(self, message: m.Message) -> bool:
        """Whether it may have to name the line that it answers."""
        return self._is_open and not isinstance(message, (m.ViewMessage, m.EventMessage))

    def stamped(self, answer: WireObject) -> WireObject:
        """The object, with the id of the line if it answers one."""
        if isinstance(answer, o.RefusedSince2):
            self._code = self._code or answer.code
        if self._id is None or "id" not in answer.__struct_fields__:
            return answer
        return answer if answer.id is not None else msgspec.structs.replace(answer, id=self._id)  # type: ignore[attr-defined]
