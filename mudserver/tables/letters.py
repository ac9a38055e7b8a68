"""What one record makes a table say, and to whom.

Rule 1: a fact is put into words before it is folded, since its sentence speaks of the table as it
        was; a play is noted by its number, and told when all is folded, as each reader hears it.
Rule 2: who reads alike is sent the same objects.  A reader for whom nothing happened is sent
        nothing.  [L4]
Rule 3: who comes is sent the place and the view, who goes what is public and that the place is
        gone; nobody is told of the own coming.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mudserver.messages import Announced, Happened, Message, Notice, Seated
from mudserver.tables import facts as f
from mudserver.tables import telling
from variants.contract import Seat

if TYPE_CHECKING:
    from mudserver.tables.table import Table

Letter = tuple[str, Message]
"""An address (a person's id) and what goes there."""


class News:
    """Made before *table* folds a record, told of all it holds, and asked for the letters after."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places, self._game = _places(table), table.game
        self._face = _face(table) if self._places else None
        self._script: list[Message | int] = []  # something public, or the number of a play
        self._own: list[Letter] = []  # what its own address is not told

    def passes(self, fact: f.Passing) -> None:
        """Presence that is about to change."""
        for text in telling.presence(self._table, fact):
            said = Announced(text)
            self._script.append(said)
            self._own.append((fact.person, said))
        if isinstance(fact, f.Offline) or (isinstance(fact, f.Online) and fact.is_new):
            # Nobody is left to tell; or a new visit, which has to be shown everything.
            self._places.pop(fact.person, None)

    def happens(self, fact: f.AnyFact) -> None:
        """A fact that is about to be folded."""
        for text in telling.sentences(self._table, fact):
            self.announce(text)
        if isinstance(fact, f.Dealt | f.Played):
            assert self._table.game is not None, fact
            self._script.append(len(self._table.game.plays))

    def announce(self, text: str) -> None:
        self._script.append(Announced(text))

    def letters(self, facts: Sequence[f.AnyFact]) -> list[Letter]:
        """All there is to send, each reader's in order; *facts* are folded."""
        after = _places(self._table)
        if not self._places and not after:
            return []
        endings = [
            message
            for fact in facts
            if isinstance(fact, f.Ended)
            for message in telling.endings(self._table, fact)
        ]
        mail = self._mail(after, endings)
        mail += [
            (fact.person, Notice(telling.autopass(fact.is_on)))
            for fact in facts
            if isinstance(fact, f.AutopassSet)
        ]
        return [letter for letter in mail if letter not in self._own]

    def _mail(self, after: dict[str, Seated], endings: list[Message]) -> list[Letter]:
        before, table, is_new_face = self._places, self._table, self._is_new_face()
        by_reader: dict[Seat | None, list[Message]] = {}
        mail: list[Letter] = []
        for address, seated in after.items():
            reader = table.reader(address)
            if reader not in by_reader:
                by_reader[reader] = self._told(reader, is_new_face, endings)
            is_arrival, is_moved = address not in before, before.get(address) != seated
            if is_moved and (is_arrival or seated.is_playing):
                mail.append((address, seated))
            mail.extend((address, message) for message in by_reader[reader])
            if is_arrival:
                mail.extend((address, message) for message in welcome(table, reader, is_new_face))
            elif is_moved and not seated.is_playing:
                mail.append((address, seated))
        public = [item for item in self._script if not isinstance(item, int)]
        for address in before:
            if address not in after:
                mail.extend((address, message) for message in (*public, Seated(None)))
        return mail

    def _is_new_face(self) -> bool:
        game = self._table.game
        if game is None:
            return False
        is_changed = self._face is not None and self._face != _face(self._table)
        return game is not self._game or is_changed

    def _told(
        self, reader: Seat | None, is_new_face: bool, endings: list[Message]
    ) -> list[Message]:
        """What one kind of reader is told of the record: the same objects for all of them."""
        table, told = self._table, list[Message]()
        for item in self._script:
            told.extend(table.happened(reader, item, item) if isinstance(item, int) else (item,))
        if is_new_face or any(isinstance(message, Happened) for message in told):
            told.append(table.shown(reader, "over" if endings else "changed"))
        return told + endings


def welcome(table: Table, reader: Seat | None, is_shown: bool) -> list[Message]:
    """What who comes is told of the table, and shown if the view *is_shown* not anyway."""
    about = Notice(telling.about(table))
    if table.game is None or is_shown:
        return [about]
    return [about, table.shown(reader, "look" if reader is None else "back")]


def _places(table: Table) -> dict[str, Seated]:
    """Where everybody is who is here and on line, seats first."""
    here, name, is_playing = table.number, table.variant.name, table.is_playing
    places = {
        o.person: Seated(here, name, seat, is_playing)
        for seat, o in enumerate(table.seats)
        if o.person is not None and o.person in table.online
    }
    watching = Seated(here, name, None, is_playing)
    places.update((person, watching) for person in table.watchers)
    return places


def _face(table: Table) -> tuple[object, ...] | None:
    """What everybody sees of the window: if it changes, everybody is shown their view."""
    game = table.game
    return None if game is None else (game.window, game.clock, game.names, game.ended)
