"""What one record makes a table say, and to whom.

Rule 1: a fact is put into words before it is folded, since its sentence speaks of the table as it
        was; a play is noted by its number, and told when all is folded, as each reader hears it.
Rule 2: who reads alike is sent the same objects.  A reader for whom nothing happened is sent
        nothing.  [SEC-4]
Rule 3: who comes is sent the place and the view, who goes what is public and that the place is
        gone; nobody is told of the own coming.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mudserver.messages import Announcement, EventMessage, LocationMessage, Message, Notice
from mudserver.tables import notifications
from mudserver.tables import records as f
from variants.contract import Seat

if TYPE_CHECKING:
    from mudserver.tables.table import Table

Delivery = tuple[str, Message]
"""An address (a person's id) and what goes there."""


class NotificationBuilder:
    """Made before *table* folds a record, told of all it holds, and asked for the letters after."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places_before, self._game = _places(table), table.game
        self._public_state_before = _public_state(table) if self._places_before else None
        self._items: list[Message | int] = []  # something public, or the number of a play
        self._excluded: list[Delivery] = []  # what its own address is not told

    def add_presence_change(self, fact: f.PresenceChange) -> None:
        """Presence that is about to change."""
        for text in notifications.describe_presence_change(self._table, fact):
            said = Announcement(text)
            self._items.append(said)
            self._excluded.append((fact.person, said))
        if isinstance(fact, f.WentOffline) or (
            isinstance(fact, f.CameOnline) and fact.is_new_session
        ):
            # Nobody is left to tell; or a new visit, which has to be shown everything.
            self._places_before.pop(fact.person, None)

    def add_fact(self, fact: f.AnyFact) -> None:
        """A fact that is about to be folded."""
        for text in notifications.describe_fact(self._table, fact):
            self.add_announcement(text)
        if isinstance(fact, f.Dealt | f.Played):
            assert self._table.game is not None, fact
            self._items.append(len(self._table.game.plays))

    def add_announcement(self, text: str) -> None:
        self._items.append(Announcement(text))

    def build(self, facts: Sequence[f.AnyFact]) -> list[Delivery]:
        """All there is to send, each reader's in order; *facts* are folded."""
        after = _places(self._table)
        if not self._places_before and not after:
            return []
        endings = [
            message
            for fact in facts
            if isinstance(fact, f.Ended)
            for message in notifications.end_messages(self._table, fact)
        ]
        mail = self._deliveries(after, endings)
        mail += [
            (fact.person, Notice(notifications.autopass_text(fact.is_on)))
            for fact in facts
            if isinstance(fact, f.AutopassSet)
        ]
        return [letter for letter in mail if letter not in self._excluded]

    def _deliveries(
        self, after: dict[str, LocationMessage], endings: list[Message]
    ) -> list[Delivery]:
        before, table, is_new_face = (
            self._places_before,
            self._table,
            self._is_public_state_changed(),
        )
        by_reader: dict[Seat | None, list[Message]] = {}
        mail: list[Delivery] = []
        for address, seated in after.items():
            reader = table.reader_of(address)
            if reader not in by_reader:
                by_reader[reader] = self._messages_for(reader, is_new_face, endings)
            is_arrival, is_moved = address not in before, before.get(address) != seated
            if is_moved and (is_arrival or seated.is_playing):
                mail.append((address, seated))
            mail.extend((address, message) for message in by_reader[reader])
            if is_arrival:
                mail.extend(
                    (address, message) for message in arrival_messages(table, reader, is_new_face)
                )
            elif is_moved and not seated.is_playing:
                mail.append((address, seated))
        public = [item for item in self._items if not isinstance(item, int)]
        for address in before:
            if address not in after:
                mail.extend((address, message) for message in (*public, LocationMessage(None)))
        return mail

    def _is_public_state_changed(self) -> bool:
        game = self._table.game
        if game is None:
            return False
        is_changed = (
            self._public_state_before is not None
            and self._public_state_before != _public_state(self._table)
        )
        return game is not self._game or is_changed

    def _messages_for(
        self, reader: Seat | None, is_new_face: bool, endings: list[Message]
    ) -> list[Message]:
        """What one kind of reader is told of the record: the same objects for all of them."""
        table, told = self._table, list[Message]()
        for item in self._items:
            told.extend(
                table.event_messages(reader, item, item) if isinstance(item, int) else (item,)
            )
        if is_new_face or any(isinstance(message, EventMessage) for message in told):
            told.append(table.view_message(reader, "over" if endings else "changed"))
        return told + endings


def arrival_messages(table: Table, reader: Seat | None, is_view_sent: bool) -> list[Message]:
    """What who comes is told of the table, and shown if the view *is_shown* not anyway."""
    about = Notice(notifications.describe_table(table))
    if table.game is None or is_view_sent:
        return [about]
    return [about, table.view_message(reader, "look" if reader is None else "back")]


def _places(table: Table) -> dict[str, LocationMessage]:
    """Where everybody is who is here and on line, seats first."""
    here, name, is_playing = table.number, table.variant.name, table.is_playing
    places = {
        o.person: LocationMessage(here, name, seat, is_playing)
        for seat, o in enumerate(table.seats)
        if o.person is not None and o.person in table.online
    }
    watching = LocationMessage(here, name, None, is_playing)
    places.update((person, watching) for person in table.watchers)
    return places


def _public_state(table: Table) -> tuple[object, ...] | None:
    """What everybody sees of the window: if it changes, everybody is shown their view."""
    game = table.game
    return None if game is None else (game.window, game.clock, game.names, game.result)
