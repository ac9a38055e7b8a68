"""The place of a session that goes on in this process, and how much of it was shown.

Rule 1: a session is sent what was not shown yet, and nothing twice.  Nobody else is told anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable

from msgspec.structs import replace

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.errors import UserError
from mudserver.lobby.channels import LOBBY
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.presence import CarriedPresence
from mudserver.lobby.seek import Seek
from mudserver.messages import KnownPlace, LocationMessage, Message
from mudserver.outbox import Outbox
from mudserver.service.channel_service import ChannelService
from mudserver.service.game_choices import Command, GameChoices
from mudserver.tables import requests as r
from mudserver.tables.end_messages import end_shown
from mudserver.tables.manager import TableManager
from mudserver.tables.missed_events import shown_until

EVENTS_MAX = 200  # with which a full screen begins


class GoingOn:
    def __init__(
        self,
        outbox: Outbox,
        tables: TableManager,
        lobby: Lobby,
        channels: ChannelService,
        clock: Clock,
        choices: GameChoices,
        restore_seeks: Callable[[Person, tuple[Seek, ...]], None],
    ) -> None:
        self._outbox, self._tables, self._lobby = outbox, tables, lobby
        self._channels, self._clock, self._choices = channels, clock, choices
        self._restore_seeks = restore_seeks
        self.unanswered: Collection[int] | None = None
        """The process ends: the tables that were not waited for.  None: it goes on."""

    def presence(self, person: Person) -> CarriedPresence:
        carried = self._lobby.carried(person.id, self._clock.monotonic())
        carried = carried._replace(heard_ms=self._channels.history.heard_ms(person.id))
        if not person.is_guest:
            return carried
        return carried._replace(channels=self._channels.of_guest(person.id))

    def restore_presence(
        self, person: Person, presence: CarriedPresence, *, table: int, heard_ms: int | None
    ) -> None:
        """Args:
        table: Where the session was; 0: in the lobby.
        heard_ms: Until when it was told what was said in this process; None: that is not known.
        """
        self._lobby.restore(person, presence, self._clock.monotonic())
        self._restore_seeks(person, presence.seeks)
        history = self._channels.history
        history.restore_heard(person.id, presence.heard_ms)
        if not table and history.table_of(person.id) is not None:
            history.note_heard(person.id, LOBBY)  # the table had the person before the session came
        self.restore_choices(person, presence)
        if heard_ms is not None:
            for message in self._outbox.public_since(heard_ms):
                self._outbox.send(person.id, message)
            self._channels.go_on(person, heard_ms, table)

    def restore_choices(self, person: Person, presence: CarriedPresence) -> None:
        """Whom the person does not want to hear, and which channels a guest does."""
        self._lobby.restore_ignored(person.id, presence.ignored)
        if person.is_guest:
            self._channels.restore(person.id, presence.channels)

    @property
    def public(self) -> Container[Message]:
        """What everybody was told of late."""
        return self._outbox.public

    def note_public(self, messages: Iterable[Message]) -> None:
        """Everybody was told these by the process before."""
        for message in messages:
            self._outbox.note_public(message)

    def asked_game(self, person: Person | None) -> str:
        """The command that has asked the person which game; "": none has."""
        return "" if person is None else self._choices.asked(person.id)

    def restore_asked_game(self, person: Person, command: Command) -> None:
        self._choices.ask(person.id, command)

    def table_and_sequence(self, person: Person) -> tuple[int, int] | None:
        """The person's table, and its record up to which the session was sent all.

        0, 0: no table.  None: the table does not know yet that the person is here.
        """
        if self._tables.places.number_of(person.id) is None:  # of each reader of a line of chat
            return None if self._tables.restorer.pending_count() else (0, 0)
        runner = self._tables.places.runner_of(person.id)
        if runner is None or not runner.table.sequence:
            return 0, 0
        is_known = person.id in runner.table.online
        return (runner.table.number, runner.sent_until(person.id)) if is_known else None

    def is_settling(self, person: Person | None) -> bool:
        """Whether the person's table has not answered all yet."""
        if person is None or self.unanswered is None:
            return person is not None and self._tables.is_settling(person.id)
        return self._tables.table_of(person.id) in self.unanswered

    def is_restoring(self, person: Person) -> bool:
        """Whether the person's table may be one that is not restored yet."""
        is_late = self._tables.restorer.pending_count() > 0
        return is_late and self._tables.table_of(person.id) is None

    def shown_until(self, person: Person, taken: int, waiting: int) -> int:
        """As `missed_events.shown_until`, of the person's table."""
        table = self._tables.table_at(person.id)
        if table is None:
            return 0
        return shown_until(table.seen_by(person.id), person.id, taken, waiting)

    def is_watching(self, person: Person) -> bool:
        table = self._tables.table_at(person.id)
        return table is not None and person.id in table.watchers

    def show_place(self, person: Person, table: int, seen: int, *, is_watching: bool) -> None:
        """Send where the person is, and what was not shown yet; nothing while that is not known.

        Args:
            table: Where the session was before; 0: in the lobby.
            seen: The record of that table up to which all was shown; 0: none.
            is_watching: It watched there.
        """
        if self._tables.table_of(person.id) is None:  # by correspondence nobody is called back
            self._tables.places.go(person.id, table)
        here, is_restoring = self._tables.table_of(person.id), self.is_restoring(person)
        if here is None and is_watching and self._watch(person, table, seen):
            return
        if here is None and not is_restoring:
            place = LocationMessage(None)
            self._outbox.send(person.id, place if table else KnownPlace(place))
        is_known = bool(seen) and here in (None, table)
        self._tables.on_reconnect(person.id, is_silent=True, seen=seen if is_known else None)

    def show_late_place(self, person: Person, show: Callable[[], None]) -> None:
        """All tables are restored: *show* the place, unless the own one was among them: it does."""
        if self._tables.table_of(person.id) is None:
            show()

    def watch_again(self, person: Person, table: int) -> None:
        """The table that the person has watched is here now."""
        self._watch(person, table, 0)

    def _watch(self, person: Person, table: int, seen: int) -> bool:
        """Watch again.  False: the table is not there, or does not let the person."""
        request = r.Watch(person.id, person.name, goes_on=True, seen=seen or None)
        try:
            self._tables.submit(table, request)
        except UserError:
            return False
        return True

    def end_shown(self, person: Person) -> list[Message]:
        """The end of the last game at the person's table, for a board; []: there is none."""
        table = self._tables.table_at(person.id)
        return [] if table is None else end_shown(table, person.id)

    def events_shown(self, person: Person, known: KnownPlace) -> list[Message]:
        """The last events of the running or last game that the person has been shown here."""
        if not (count := known.shown_count):
            return []
        events = self._tables.history(person.id)[max(0, count - EVENTS_MAX) : count]
        return [replace(event, is_past=True) for event in events]
