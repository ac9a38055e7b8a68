"""A person's one session moves from terminal to terminal.

Rule 1: who comes in takes up what was left elsewhere: draft, history, own settings, whom `reply`
        answers, the talk in the chat pane.  What belongs to a terminal stays there.
Rule 2: a session that is ended by a newer one, or loses its connection, leaves that; `quit` leaves
        nothing.  A guest without a seat cannot come back, and leaves nothing.
Rule 3: a program neither leaves nor takes anything.
Rule 4: with `set attach ask` the person is asked at entry, and `attach` does it later.
Rule 5: what waits at another server stays there; the session goes to it (`walking.py`).  Nobody
        gives up a place at a table for it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from mudserver import messages as m
from mudserver.accounts.person import Person
from mudserver.clock import format_time_in_zone
from mudserver.cluster.events import SessionLeft
from mudserver.commands.verb import SessionRow
from mudserver.data_people import OwnSession
from mudserver.errors import JournalWriteError, UserError
from mudserver.protocols import PROTOCOLS, ProtocolName
from mudserver.session import texts
from mudserver.session.account_dialogs import AccountDialogs
from mudserver.session.context import SessionContext
from mudserver.session.detached import left_of
from mudserver.session.going_on import (
    Waiting,
    lessons_of,
    presence_of,
    replay_of,
    restore_teller,
    to_utc_ms,
)
from mudserver.session.walking import Walking
from mudserver.wall.capsule import Capsule
from variants.kit.text import duration, quantity, shortened

TERMINAL_SETTINGS = frozenset({"width", "height", "colour", "charset", "screenreader"})
"""Settings that stay with the terminal, where a session has them for itself alone."""
DRAFT_SHOWN_MAX = 200  # characters that the sentence repeats

log = logging.getLogger("session")


class AttachedSession(Protocol):
    """The session of a person, as far as it moves."""

    id: str
    is_over: bool
    person: Person | None
    protocol: ProtocolName
    opened_at: float
    dialogs: AccountDialogs
    walking: Walking

    @property
    def own_preferences(self) -> Mapping[str, str]: ...
    def apply_preferences(self) -> None: ...
    def preference(self, key: str) -> str: ...
    def disconnect(self, text: str) -> None: ...


class AttachedTerminal(Protocol):
    """The screen and the input line of that session."""

    def capsule_to_leave(self, person: Person) -> Capsule: ...
    def take_along(self, capsule: Capsule) -> None:
        """Go on with what *capsule* holds; nothing is shown yet."""

    def repeat_place(self) -> bool:
        """Show the lesson or the replay again.  False: there is none."""

    @property
    def has_panes(self) -> bool:
        """Whether earlier talk stands on the screen already."""


class Attachment:
    """Args: terminal: None: a program [rule 3]."""

    __slots__ = ("_context", "_session", "_taken", "_terminal", "_was_here")

    def __init__(
        self, session: AttachedSession, context: SessionContext, terminal: AttachedTerminal | None
    ) -> None:
        self._session, self._context, self._terminal = session, context, terminal
        self._taken: Capsule | None = None  # what was taken up at entry
        self._was_here = False  # until then it was at another terminal

    # -- leaving ---------------------------------------------------------------------------------

    def leave(self, *, is_moving: bool = False) -> bool:
        """Leave what another terminal can take up.  False: there is nothing, or it is not kept.

        Args: is_moving: the person is at the other one already.
        """
        session, person = self._session, self._session.person
        if session.is_over or self._terminal is None or person is None:
            return False
        if not (is_moving or self._context.detached.keep_s):
            return False
        if person.is_guest and not self._context.service.has_seat(person):
            return False
        own = session.own_preferences
        left = replace(
            self._terminal.capsule_to_leave(person),
            settings={key: own[key] for key in own.keys() - TERMINAL_SETTINGS},
            came_by=session.protocol,
            auth_how="",
            auth_key="",
            auth_at_ms=0,
        )
        return self._context.detached.keep(left)

    def detach(self) -> None:
        """`detach`.  UserError: nobody could come back to it."""
        session, person = self._session, self._session.person
        assert person is not None
        if self._terminal is None:
            raise UserError(texts.PROGRAM_HAS_NO_DRAFT)
        if person.is_guest and not self._context.service.has_seat(person):
            raise UserError(texts.GUEST_CANNOT_DETACH)
        if not self.leave():
            raise UserError(texts.NOTHING_IS_KEPT)
        if person.is_guest:
            self._context.service.guest_seats.send_code(person)
        session.disconnect(texts.DETACHED.format(_span(self._context.detached.keep_s)))

    # -- coming in -------------------------------------------------------------------------------

    def go_on(self, person: Person, capsule: Capsule) -> None:
        """The connection itself has gone on, in this process or from another one."""
        self._context.service.lessons.restore(person, lessons_of(capsule))
        if (replay := replay_of(capsule)) is not None:
            self._context.service.replays.expect(person, replay)
        left = self._context.detached.find(person.id)
        if left is not None and left.visit == self._session.id:
            self._context.detached.forget(person.id)
        self._context.service.walks.left.note_going_on(person.id, self._session.id)

    def heard_ms(self, capsule: Capsule) -> int | None:
        """Until when a session that goes on was told what was said here; None: nobody knows.

        Another server has told it more than its capsule knows: nothing of that is told twice.
        """
        left = self._context.detached.find(capsule.person)
        if left is not None and left.visit == self._session.id:  # its connection was lost here
            return left.made_ms
        service = self._context.service
        began_ms, is_of_here = service.channels.began_ms, capsule.server in ("", service.walks.own)
        return began_ms if is_of_here and capsule.made_ms < began_ms else None

    async def go_on_in_replay(self, person: Person) -> None:
        """Where it stood in another process."""
        service, zone = self._context.service, self._session.preference("timezone")
        closed = m.ReplayOver(texts.REPLAY_CLOSED.format(service.replays.command(person)))
        try:
            await service.replays.go_on(person, service.source_of(person.id), zone)
        except (UserError, JournalWriteError):  # it is not shown any more
            service.send_to(person.id, closed)
        if self._terminal is not None and self._terminal.has_panes:
            self._terminal.repeat_place()

    async def _go_on_elsewhere(self, person: Person) -> None:
        """As `go_on_in_replay`, at a terminal that has not shown it."""
        await self.go_on_in_replay(person)
        self._show_place(person)

    def enter(self, person: Person, *, was_here: bool) -> None:
        """Take up what was left, unless the person wants to be asked.

        Args:
            was_here: Until now the person was at another terminal.
        """
        self._was_here = was_here
        if self._session.preference("attach") == "always":
            self._taken = self._take_up(person)

    def _take_up(self, person: Person) -> Capsule | None:
        detached = self._context.detached
        if self._terminal is None or (left := detached.find(person.id)) is None:
            return None
        detached.forget(person.id)
        self._terminal.take_along(left)
        service, accounts = self._context.service, self._context.account_service
        restore_teller(left, service.talk, accounts)
        choices = presence_of(left, self._context.clock, accounts)
        service.going_on.restore_choices(person, choices)
        if not service.is_game_running(person):
            service.lessons.restore(person, lessons_of(left))
        log.info("session attached session=%s was=%s person=%s", self._session.id, left.visit,
                 person.id)  # fmt: skip
        return left

    def greeting(self, person: Person) -> m.Message | None:
        """What who comes in reads of it; None: nothing."""
        if self._taken is None or not (self._was_here or self._taken.draft):
            return None
        opening = texts.WELCOME_BACK.format(person.name)
        return _told(opening, self._taken, person, was_here=self._was_here)

    @property
    def shown_until_ms(self) -> int:
        """Until when all talk stands on the screen; UTC; 0: none does."""
        if self._taken is None or self._terminal is None or not self._terminal.has_panes:
            return 0
        return self._taken.made_ms

    def ask(self, person: Person, lines: Waiting) -> None:
        """At the end of the entry: a lesson or a replay, the question of who wants to be asked."""
        if self._terminal is not None and self._context.service.replays.is_expected(person.id):
            lines.hold_until(self._go_on_elsewhere(person))  # it was folded for the session before
        else:
            self._show_place(person)
        if self._terminal is None or (left := self._left_by(person)) is None:
            return
        row = self._row_of(left)
        about = texts.OTHER_SESSION.format(row.protocol, row.notes)
        self._context.service.send_to(person.id, m.Notice(about))

        async def answer(line: str) -> None:
            if line.lower() in texts.YES:
                self._session.dialogs.open = None  # the question goes nowhere
                self.attach()
            else:
                self._context.service.send_to(person.id, m.Notice(texts.NOTHING_CHANGED))

        self._session.dialogs.ask_line(texts.ATTACH_QUESTION, answer)

    # -- commands --------------------------------------------------------------------------------

    def attach(self) -> None:
        """`attach`.  UserError: there is nothing to take up."""
        session, person = self._session, self._session.person
        assert person is not None
        if self._terminal is None:
            raise UserError(texts.PROGRAM_HAS_NO_DRAFT)
        if (left := self._take_up(person)) is None:
            self._go_to_left(person)
            return
        session.apply_preferences()
        told = _told("", left, person, was_here=False)
        self._context.service.send_to(person.id, told)
        self._show_place(person)

    def _go_to_left(self, person: Person) -> None:
        """Go where it waits [rule 5].  UserError: there is nothing, or it is out of reach."""
        service = self._context.service
        if (elsewhere := service.walks.left.find(person.id)) is None:
            raise UserError(texts.NOTHING_TO_TAKE_UP)
        if (table := service.table_of(person)) is not None:
            raise UserError(texts.LEAVE_TO_ATTACH.format(table))
        self._session.walking.attach_at(elsewhere.server)

    def _left_by(self, person: Person) -> SessionLeft | None:
        """What waits for the person, here or at another server."""
        if (left := self._context.detached.find(person.id)) is not None:
            return left_of(left)
        elsewhere = self._context.service.walks.left.find(person.id)
        return None if elsewhere is None else elsewhere.left

    def _show_place(self, person: Person) -> None:
        """The lesson or the replay that goes on here; a full screen has it beside the place.

        A program that has taken over is in no replay: it has not asked for one.
        """
        if self._terminal is None:
            self._context.service.replays.close(person.id)
        elif not self._terminal.has_panes:
            self._terminal.repeat_place()

    def rows(self) -> list[SessionRow]:
        """`sessions`: this one first.  Without addresses."""
        session, person = self._session, self._session.person
        assert person is not None
        since_ms = to_utc_ms(session.opened_at, self._context.clock)
        title, since = PROTOCOLS[session.protocol].title, self._time(since_ms)
        data = OwnSession(session.protocol, since_ms, None, None)
        rows = [SessionRow(texts.THIS_ONE, title, texts.SINCE.format(since), data)]
        if left := self._left_by(person):
            rows.append(self._row_of(left))
        return rows

    def _row_of(self, left: SessionLeft) -> SessionRow:
        ago = duration(max(0, self._context.clock.now_ms() - left.left_ms) / 1_000)
        notes = [
            texts.SINCE.format(self._time(left.since_ms)),
            texts.AT_TABLE.format(left.table) if left.table else "",
            texts.LEFT_AGO.format(ago),
        ]
        known = {name: row.title for name, row in PROTOCOLS.items()}
        title = known.get(left.came_by, left.came_by)  # type: ignore[call-overload]
        data = OwnSession(left.came_by, left.since_ms, left.left_ms, left.table or None)
        return SessionRow(texts.IS_DETACHED, title, ", ".join(filter(None, notes)), data)

    def _time(self, at_ms: int) -> str:
        return format_time_in_zone(at_ms, self._session.preference("timezone"))


def _told(opening: str, left: Capsule, person: Person, *, was_here: bool) -> m.Message:
    where = texts.HAS_MOVED if was_here else texts.GOES_ON
    if not left.draft:
        return m.Notice(f"{opening}{where}.")
    head = f"{opening}{where}{texts.HAD_BEGUN}"
    return m.QuotedNotice(head, person.name, shortened(left.draft, DRAFT_SHOWN_MAX))


def _span(seconds: float) -> str:
    if seconds >= 3_600:
        return quantity(round(seconds / 3_600), "hour")
    return quantity(max(1, round(seconds / 60)), "minute")
