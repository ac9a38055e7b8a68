"""A session goes on at another game server: that has the table which its person wants.

Rule 1: nothing is shown of it but what the table answers there.  All that waits here is shown
        before; a capsule is left with it, and then the door is told.
Rule 2: from then on the session is over here.  Its person stays, without a word to anybody, until
        the door says that the other server has the session.  If it does not get there, another
        session goes on here by the same capsule.  What the person is told meanwhile follows.
Rule 3: the line that was typed for it (the errand) is done there, in the place of that line.  It is
        sent on HOPS_MAX times at most: its table may move meanwhile.
Rule 4: who comes in, or goes on here after another server has died, and has a seat in a game
        elsewhere, walks there, too; until the game has a server again nothing that is typed begins.
        So does a watcher, as long as the table is open; and who was at a table in any other way, if
        a server has it now.  Where that server is not reached it is tried again, for WAIT_S: mostly
        it is gone, and another one will have it.
        Who is in no game when a round of a tournament begins walks to that seat.
Rule 5: whoever logs in comes in at the server where that person's session is, or waits: it goes
        there before anything is shown, and the other server does all that follows a login.  If it
        does not get there, the person comes in here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any, Protocol

from msgspec.structs import replace

from mudserver import messages as m
from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.errors import JournalWriteError, RefusalCode, UserError
from mudserver.outbox import Inbox
from mudserver.session import texts
from mudserver.session.context import SessionContext
from mudserver.session.input_queue import InputQueue
from mudserver.transport.link import Holder, Link
from mudserver.wall.bodies import ERRAND_BYTES_MAX
from mudserver.wall.capsule import Capsule

HOPS_MAX = 3
YOUNGER_MS = 10  # more than times are rounded
LOOK_S = 0.5  # between two looks for the server of a game
WAIT_S = 60.0  # for it
RETRY_S = 5.0  # between two walks to a server that is not reached

log = logging.getLogger("session")


class Departing(Protocol):
    """The connection of a session whose table goes to another server."""

    def stop_here(self) -> None:
        """Say and hand on nothing more."""


class Walker(Protocol):
    """The session."""

    id: str
    is_program: bool
    is_over: bool
    person: Person | None
    inbox: Inbox

    def deliver(self) -> None:
        """Show what waits."""

    def leave_capsule(self, *, is_planned: bool) -> None: ...
    def hand_over(self) -> None:
        """Show all that waits, below which another server goes on, and leave a capsule."""

    def end_here(self) -> None:
        """It is over in this process; its person stays."""

    def leave_service(self, *, is_silent: bool = False) -> None:
        """Its person leaves; the door of one that has moved knows more."""

    def as_input(self, line: str) -> bytes:
        """*line* as it would be typed; of a program an object."""

    def do_errand(self, errand: bytes) -> Awaitable[None] | None:
        """Handle what was typed elsewhere, as `as_input` has it."""

    def send_text(self, *sentences: str) -> None: ...
    def send_refusal(self, sentence: str, code: RefusalCode = "not_allowed") -> None: ...
    def lost_answer(self) -> Awaitable[None] | None:
        """What ends the answer to the line that was not done; None: nothing has to."""


class Walking:
    __slots__ = (
        *("_context", "_hops", "_lines", "_link", "_session", "has_come_in", "is_attaching"),
        *("is_away", "let_in", "watched"),
    )

    def __init__(
        self, session: Walker, context: SessionContext, link: Link, lines: InputQueue[Any]
    ) -> None:
        self._session, self._context, self._link, self._lines = session, context, link, lines
        self._hops = 0  # of the errand that is done now
        self.is_away = False  # rule 2
        self.let_in: Person | None = None  # who goes on to the own session [rule 5]
        self.has_come_in = False  # so, from another server or back
        self.is_attaching = False  # it goes to another server for what was left there
        self.watched: tuple[int, int, bool] | None = None
        """What a capsule says of a table to which a watcher goes back: as of `with_place`."""
        if (holder := link.holder) is not None:
            holder.on_errand, holder.on_moved = self._on_errand, self._on_moved

    # -- leaving ---------------------------------------------------------------------------------

    @property
    def has_way(self) -> bool:
        """Whether the connection leads to other servers."""
        holder = self._link.holder
        return holder is not None and holder.may_redirect

    def go(self, server: str, table: int, errand: str) -> None:
        """Go on at *server*, which has *table*, and do *errand* there; "": only be there.

        UserError: that is not possible from here.
        """
        holder = self._link.holder
        if holder is None or not holder.may_redirect:
            raise UserError(texts.ON_ANOTHER_SERVER.format(table), "not_found", tables=(table,))
        if self._hops >= HOPS_MAX:
            metrics.WALKS.increment("moving")
            raise UserError(texts.TABLE_MOVES.format(table), "busy", tables=(table,))
        if self._session.is_over:
            return
        typed = self._session.as_input(errand) if errand else b""
        if len(typed) > ERRAND_BYTES_MAX:
            raise UserError(texts.ERRAND_TOO_LONG.format(table), "usage", tables=(table,))
        self._leave(holder, server, table, typed)

    def attach_at(self, server: str) -> None:
        """Go on at *server*, where what was left waits.  UserError: that is not possible."""
        holder = self._link.holder
        if holder is None or not holder.may_redirect:
            raise UserError(texts.SESSION_OUT_OF_REACH, "not_found")
        if self._hops >= HOPS_MAX:
            raise UserError(texts.SESSION_NOT_REACHED, "busy")
        if not self._session.is_over:
            self.is_attaching = True
            self._leave(holder, server, 0, self._session.as_input("/attach"))

    def enters_elsewhere(self, person: Person) -> bool:
        """Have somebody who is let in go where the own session is, if it is elsewhere [rule 5]."""
        holder, context = self._link.holder, self._context
        if holder is None or holder.walk or not holder.may_redirect or context.seal is None:
            return False
        wanted = context.account_service.preference(person, "attach")
        takes_left = wanted == "always" and not self._session.is_program
        server = context.service.walks.server_of_session(person, takes_left=takes_left)
        if server:
            self.let_in = person
            self._leave(holder, server, 0, b"")
        return bool(server)

    def _leave(self, holder: Holder, server: str, table: int, errand: bytes) -> None:
        self._session.hand_over()
        holder.redirect(server, table, errand, self._hops + 1)
        self.is_away = True
        self._session.end_here()
        log.debug("session walks session=%s to=%s table=%d", self._session.id, server, table)

    def depart(self, connection: Departing) -> None:
        """Go on at the server that is about to have the own table; the door is told of it later."""
        inbox = self._session.inbox
        if inbox.put_count != inbox.taken_count:  # else a prompt would be drawn that stands
            self._session.deliver()
        self._session.leave_capsule(is_planned=True)
        connection.stop_here()
        self.is_away = True
        self._session.end_here()

    def _on_moved(self) -> None:
        """Another server has the session: it has gone there, or it came here too late."""
        if not self._session.is_over:
            self._session.end_here()
            self.is_away = True
        self.forget()

    def forget(self) -> None:
        """The other server has it, or another session here has taken its place."""
        if self.is_away:
            self.is_away = False
            self._session.leave_service(is_silent=True)
            if (person := self._session.person) is not None:
                self._context.service.tells.pass_on(person, self._session.inbox.take_all())

    def lose(self) -> None:
        """The connection has ended meanwhile."""
        if self.is_away:
            self.is_away = False
            self._session.leave_service()

    # -- coming ----------------------------------------------------------------------------------

    def younger(self, capsule: Capsule) -> Capsule:
        """*capsule*; after each walk its session counts as newer than at the server before."""
        walk = "" if (holder := self._link.holder) is None else holder.walk
        steps = {"": 0, "comes": 1, "failed": 2}[walk]  # it may have come where it did not get to
        return replace(capsule, since_ms=capsule.since_ms + steps * YOUNGER_MS)

    def begin(self, capsule: Capsule) -> None:
        """The session goes on here by *capsule*; say so if it was to go on elsewhere."""
        holder = self._link.holder
        if holder is None or not holder.walk:
            return
        if holder.walk != "failed":
            metrics.WALKS.increment("done")
            return
        metrics.WALKS.increment("failed")
        if capsule.is_let_in:
            if (person := self._session.person) is not None and not self._session.is_program:
                self._context.service.send_to(person.id, m.Notice(texts.SESSION_NOT_REACHED))
        elif capsule.is_attaching or holder.walked_to:  # else to the own place, for no line
            to_table = texts.NOT_REACHED.format(holder.walked_to)
            told = texts.SESSION_NOT_REACHED if capsule.is_attaching else to_table
            self._session.send_refusal(told, "busy")
            self._lines.note_uncertain(self._session.lost_answer())

    def _on_errand(self, errand: bytes, hops: int) -> None:
        """In place of the line that has begun elsewhere [rule 3]."""
        self._hops = hops
        self._lines.note_uncertain(self._do(errand))

    async def _do(self, errand: bytes) -> None:
        try:
            pending = self._session.do_errand(errand) if errand else None
            if pending is not None:
                await pending
        finally:
            self._hops = 0

    # -- to the own place ------------------------------------------------------------------------

    def look_for_place(self, person: Person, before: Capsule | None) -> None:
        """The person is here now: go where the own place is [rule 4], if that did not just fail.

        Args:
            before: Of the session that goes on; None: it begins here.
        """
        holder, walks = self._link.holder, self._context.service.walks
        walk = "" if holder is None or self.has_come_in else holder.walk
        walked_to = 0 if holder is None else holder.walked_to
        table = 0 if before is None else before.table
        if not walks.may_be_elsewhere(table):  # it is here, where it was looked for
            table = 0
        watches = before is not None and before.is_watching and table > 0
        is_attaching = before is not None and before.is_attaching
        is_again = walk == "failed" and not (walked_to or is_attaching)
        is_early = walk == "comes" and watches and table == walked_to  # it is not here yet
        if (not walk or is_again or is_early) and walks.may_sit_elsewhere(person):
            self.watched = (table, 0, True) if watches else None
            self._lines.hold_until(self._find_place(person, table, is_again=is_again))

    def go_to_seat(self, person: Person) -> bool:
        """A round has begun in which the person has a seat elsewhere: go there.

        False: another game holds the person, or no way leads there.
        """
        walks = self._context.service.walks
        if not self.has_way or self.is_away or not walks.leave_for_round(person):
            return False
        self._lines.hold_until(self._go_to_seat(person))
        return True

    async def _go_to_seat(self, person: Person) -> None:
        walks, clock = self._context.service.walks, self._context.clock
        end_s = clock.monotonic() + RETRY_S  # perhaps this server has tried to open the table, too
        while not walks.may_sit_elsewhere(person):
            if self._session.is_over or clock.monotonic() >= end_s:
                return
            await self._sleep()
        await self._find_place(person, 0, is_again=False)

    async def _find_place(self, person: Person, table: int, *, is_again: bool) -> None:
        """Args: table: Where the person was, which is not here; 0: at none."""
        try:
            if is_again and not await self._may_try_again(person, table):
                return
            if await self._has_no_seat(person, is_told=is_again) and table:
                await self._go_back(person, table, is_told=is_again)
        except JournalWriteError:  # nobody knows; the table says so itself where it is
            return
        finally:
            if not self.is_away:
                self.watched = None

    async def _may_try_again(self, person: Person, table: int) -> bool:
        """Wait until another server has the place, or for RETRY_S.

        False: that was long enough, or there is no place any more.

        Args: table: Where the person was; 0: at none, or it is here.
        """
        walks, clock = self._context.service.walks, self._context.clock
        was, now_s = await self._place_of(person, table), clock.monotonic()
        if not was[0]:
            return False
        failing_s = walks.note_failure(person, now_s)
        if failing_s >= WAIT_S:
            self._session.send_text(texts.NOT_REACHED.format(was[0]))
            return False
        if not failing_s:
            self._session.send_text(texts.PLACE_COMES_BACK.format(was[0]))
        while not self._session.is_over and clock.monotonic() < now_s + RETRY_S:
            await self._sleep()
            if await self._place_of(person, table) != was:
                break
        return True

    async def _place_of(self, person: Person, table: int) -> tuple[int, str]:
        """The table of the person elsewhere, and its server; "": none has it.

        Args: table: Where the person was.
        """
        walks = self._context.service.walks
        if (seat := await walks.seat_of(person)) is not None:
            return seat.table, seat.server
        return table, await walks.server_of(table) if walks.may_be_elsewhere(table) else ""

    async def _go_back(self, person: Person, table: int, *, is_told: bool) -> None:
        """Go to the table where the person was; who has watched there waits for it.

        Args: is_told: The person has read that it comes back.
        """
        walks, clock, watches = self._context.service.walks, self._context.clock, self.watched
        end_s = clock.monotonic() + WAIT_S
        while walks.may_be_elsewhere(table) and self._is_nowhere(person):
            if server := await walks.server_of(table):
                if self._is_nowhere(person):
                    self.go(server, table, "")
                return
            is_awaited = watches is not None and await walks.is_open(table)
            if not is_awaited or clock.monotonic() >= end_s:
                break
            if not is_told:
                is_told = True
                self._session.send_text(texts.PLACE_COMES_BACK.format(table))
            await self._sleep()
        if watches is not None and self._is_nowhere(person):
            self._context.service.going_on.watch_again(person, table)

    def _is_nowhere(self, person: Person) -> bool:
        """Whether the session is here, and at no table."""
        walks = self._context.service.walks
        return not self._session.is_over and walks.may_sit_elsewhere(person)

    async def _has_no_seat(self, person: Person, *, is_told: bool) -> bool:
        """Go to the seat in a game, when a server has that; whether there is none.

        Args: is_told: The person has read that it comes back.
        """
        walks, clock = self._context.service.walks, self._context.clock
        end_s = clock.monotonic() + WAIT_S
        while not self._session.is_over and walks.may_sit_elsewhere(person):
            seat = await walks.seat_of(person)
            if seat is None:
                return walks.may_sit_elsewhere(person)
            if seat.server and walks.may_sit_elsewhere(person):
                self.go(seat.server, seat.table, "")
            if seat.server or clock.monotonic() >= end_s:
                return False
            if not is_told:
                is_told = True
                self._session.send_text(texts.PLACE_COMES_BACK.format(seat.table))
            await self._sleep()
        return False

    async def _sleep(self) -> None:
        slept = asyncio.Event()
        self._context.clock.call_later(LOOK_S, slept.set)
        await slept.wait()
