"""The active server's side of a planned restart: it hands everything to its standby, and ends.

Rule 1: a step that fails, or is not answered in time, undoes those before it: this server goes on,
        and nobody at a terminal notices.
Rule 2: from the moment that the lock is free until the standby says that it listens, this server
        writes nothing.  It takes the lock again before it does, and finds the journal as it was.
        A standby that keeps the lock and does not answer is ended: nobody could play otherwise.
Rule 3: doors leave this server only when the next one listens.
Rule 4: operators change nothing meanwhile: nobody would hear of it, and the next server neither.
        Settings that are to be read again are read by the server that goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from mudserver.clock import Clock
from mudserver.errors import JournalWriteError, StartError, UserError
from mudserver.journal.sqlite.journal import SqliteJournal
from mudserver.journal.sqlite.migrations import newest_schema
from mudserver.logs import log_exception
from mudserver.ops.control_socket import ControlSocket
from mudserver.session.manager import SessionManager
from mudserver.standby import garbage, texts
from mudserver.standby.feeding import Feeding, Standby
from mudserver.standby.messages import (
    GiveUp,
    GoOn,
    Listening,
    Released,
    Resumed,
    Taken,
    TakeOver,
    Willing,
)
from mudserver.standby.settling import Tables, settle, tell_all
from mudserver.wall.capsule import VERSION
from mudserver.wall.game import WallServer

WILLING_S = 2.0
LOOK_S = 0.005  # between two tries to take the lock again
TAKEN_S = 10.0
LISTENING_S = 5.0
RESUMED_S = 7.0  # the standby says it after 6 s at the latest
LOCK_S = 10.0  # to take the lock again
HANGS_S = 2.0  # with the lock, although it was told to give up
HANGS_LATE_S = 8.0  # the same, where it may serve already

log = logging.getLogger("standby")


class Handover:
    """Args:
    keep: Leaves what no capsule holds for the next server.
    is_writable: Whether the journal can be written.
    """

    def __init__(
        self,
        clock: Clock,
        journal: SqliteJournal,
        feeding: Feeding,
        wall: WallServer,
        control: ControlSocket,
        sessions: SessionManager,
        tables: Tables,
        *,
        keep: Callable[[], None],
        is_writable: Callable[[], bool],
    ) -> None:
        self._clock, self._journal, self._feeding = clock, journal, feeding
        self._wall, self._control = wall, control
        self._sessions, self._tables = sessions, tables
        self._keep, self._is_writable = keep, is_writable
        self.on_end: Callable[[], None] = lambda: None  # this server has to end now
        self._is_under_way = self._is_let_go = self._may_listen = False
        self._is_left = asyncio.Event()  # none is under way here, or it is over
        self._is_left.set()
        self._successor: Standby | None = None
        self.is_over = False
        """Another server has the journal and the doors; this one may only end."""
        control.obstacle = self._find_obstacle  # rule 4

    @property
    def has_standby(self) -> bool:
        return self._feeding.standby is not None

    @property
    def is_possible(self) -> bool:
        standby = self._feeding.standby
        return not self._find_obstacle() and standby is not None and not standby.not_ready

    def _find_obstacle(self) -> str:
        return texts.UNDER_WAY if self._is_under_way or self.is_over else ""

    async def run(
        self, *, with_migration: bool = False, anyway: bool = False, ends: bool = False
    ) -> str:
        """Hand over; what happened.  UserError: it did not, and this server goes on.

        Args:
            with_migration: The journal may be brought into the standby's newer form.
            anyway: The standby may be unable to take up sessions.
            ends: This server ends in any case, and its standby perhaps with it.
        """
        if obstacle := self._find_obstacle():
            raise UserError(obstacle, "busy")
        if not self._is_writable():
            raise UserError(texts.NOT_WRITABLE)
        standby = self._feeding.standby
        if standby is None:
            raise UserError(texts.NO_STANDBY)
        _check(standby, with_migration=with_migration, anyway=anyway)
        self._is_under_way = True
        self._is_left.clear()
        try:
            return await self._hand_over(standby, ends=ends)
        finally:
            self._is_under_way = False
            self._is_left.set()

    async def wait(self) -> None:
        """Until the one that is under way has failed, or left nothing to do here."""
        await self._is_left.wait()

    async def reads_settings(self) -> bool:
        """Whether they are to be read again here; if not, the next server is told to."""
        await self.wait()
        if self.is_over and self._successor is not None:
            self._successor.hang_up()
        return not self.is_over

    async def _hand_over(self, standby: Standby, *, ends: bool) -> str:
        garbage.put_off(self._clock)
        line, began_ms = standby.line, self._clock.now_ms()
        count = self._sessions.resumable_count()
        log.info("handover begun standby=%d sessions=%d", standby.hello.pid, count)
        try:
            line.say(TakeOver())
            willing = await standby.answer(Willing, WILLING_S)
            if willing.unwilling:
                raise ConnectionError(willing.unwilling)
            await self._journal.prepare_to_let_go()
            await self._pack()
            self._feeding.send_round(line)
            await self._journal.let_go()
            self._is_let_go = True
            line.say(Released(count))
            taken = await standby.answer(Taken, TAKEN_S)
            if taken.not_taken:
                raise ConnectionError(taken.not_taken)
            self._may_listen = True
            line.say(GoOn())
            await standby.answer(Listening, LISTENING_S)
        except Exception as exc:  # after a bug, too: all would wait for ever
            why = _note_failure(exc, is_end=ends and standby.has_gone)
            await self._go_on(standby)
            raise UserError(texts.NOT_DONE.format(why)) from None
        self.is_over, self._successor = True, standby
        self._is_left.set()
        self._wall.close("restart", is_succeeded=True)
        return await self._judge(standby, count, began_ms)

    async def _pack(self) -> None:
        """Finish what is under way, and leave everything where the next server finds it."""
        unanswered = await settle(self._clock, self._wall, self._tables)
        await self._journal.hold()
        await tell_all()
        self._sessions.leave_capsules(unanswered=unanswered)
        self._keep()
        self._wall.fall_silent()

    async def _go_on(self, standby: Standby) -> None:
        """Nobody has taken over [rule 1].  UserError: somebody has after all; this server ends."""
        if self._is_let_go:
            with contextlib.suppress(OSError):  # it has gone
                standby.line.say(GiveUp())
            await self._take_back(standby)
            self._is_let_go = False
            await self._listen_again()
        else:
            self._journal.resume()
        self._sessions.leave_capsules(is_planned=False)
        standby.line.close()  # what it knows may be wrong now; it comes again
        self._wall.release()

    async def _take_back(self, standby: Standby) -> None:
        began_s, is_ended = self._clock.monotonic(), False
        hangs_s = HANGS_LATE_S if self._may_listen else HANGS_S
        while True:
            try:
                await self._journal.take_back()
                return
            except (StartError, JournalWriteError) as exc:
                is_locked = isinstance(exc, StartError)
                waited_s = self._clock.monotonic() - began_s
                if is_locked and waited_s < LOCK_S:
                    if waited_s > hangs_s and not is_ended:
                        is_ended = True
                        standby.end()
                    await asyncio.sleep(LOOK_S)
                    continue
                log.error("journal not taken back error=%s", exc)
            self.is_over = True
            self._wall.close("restart", is_succeeded=True)
            self.on_end()
            raise UserError(texts.LOST)

    async def _listen_again(self) -> None:
        """The standby may have listened, and died: its sockets have the names of ours."""
        if not self._may_listen:
            return
        self._may_listen = False
        try:
            await self._control.listen_again()
            await self._wall.listen_again()
        except (OSError, StartError) as exc:
            log.error("not listening again error=%s", exc)

    async def _judge(self, standby: Standby, count: int, began_ms: int) -> str:
        try:
            resumed = await standby.answer(Resumed, RESUMED_S)
        except (OSError, TimeoutError):
            return texts.DONE_UNSEEN.format(count)
        finally:
            self.on_end()
        gap_s = max(0, resumed.at_ms - began_ms) / 1000
        log.info("handover done sessions=%d gap_ms=%.0f", resumed.sessions, 1000 * gap_s)
        return texts.DONE.format(resumed.sessions, count, gap_s)


def _note_failure(failure: Exception, *, is_end: bool) -> str:
    """Log why it is not done; what the operator reads of it.

    Args:
        is_end: The standby has ended because both end.
    """
    if not isinstance(failure, OSError | TimeoutError | JournalWriteError):
        return texts.BUG.format(log_exception(log, "handover failed", failure))
    why = str(failure) or "the standby did not answer"
    if is_end:
        log.info("handover not done why=%s", why)
    else:
        log.error("handover failed error=%s", why)
    return why


def _check(standby: Standby, *, with_migration: bool, anyway: bool) -> None:
    """UserError: the standby cannot take over, or not without a word of the operator."""
    hello = standby.hello
    if standby.not_ready:
        raise UserError(texts.NOT_READY.format(standby.not_ready))
    if hello.schema < newest_schema():
        raise UserError(texts.OLDER_JOURNAL)
    if hello.schema > newest_schema() and not with_migration:
        raise UserError(texts.NEWER_JOURNAL)
    if hello.capsules[1] < VERSION and not anyway:
        raise UserError(texts.OLDER_CAPSULES.format(hello.capsules[1], VERSION))
