"""A game that is over, folded again: what each reader saw at each of its decisions.

Rule 1: only a game is folded that has ended in the journal.  One that still runs has no replay.
        [SEC-7]
Rule 2: a view is made by the same code as it was then, from the same facts, so it is the same.
        The names are those of now.  Everybody reads what was played by itself or kept for later.
Rule 3: a position is what stood after one decision; position 0 is the deal.  What the clock
        decided for several seats at once is one decision, since nobody saw it in parts.  What ends
        a game without a decision is told of, and changes no view.
Rule 4: of every KEPT_EACH positions one is kept, so a step costs at most KEPT_EACH folds; of a long
        game fewer are, KEPT_MAX at most, since each holds a list of all plays before it.
Rule 5: whatever takes long is done in steps of STEP records, so that the event loop runs between
        two of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.config.schema import TablesConfig
from mudserver.journal import StoredRecord
from mudserver.messages import EventMessage, MatchStatus, ViewMessage
from mudserver.tables import codec
from mudserver.tables import records as f
from mudserver.tables.commit import commit_silently
from mudserver.tables.ended_game import ended_game
from mudserver.tables.game import Game
from mudserver.tables.game_views import event_messages, view_message
from mudserver.tables.result import game_over_text
from mudserver.tables.seats import Occupant, with_autopass
from mudserver.tables.summary import EndedGame
from mudserver.tables.table import Table
from variants.catalogue import Catalogue
from variants.contract import Seat
from variants.kit.text import Style, StyledLine

KEPT_EACH, KEPT_MAX = 32, 64
STEP = 25  # records; some 2 ms

NameOf = Callable[[str, str], str]
"""(id, name at the table) -> the name of now."""


class Position(NamedTuple):
    """One of the places in a game where one can stand."""

    record: int  # index of the record that leads there
    play: int  # index of the last play that is made
    at_ms: int  # UTC


class GameReplay:
    def __init__(self, table: int, game: Game, match: MatchStatus | None, at_ms: int) -> None:
        self.table, self.variant, game.is_replayed = table, game.variant, True
        self.ended: EndedGame  # set by `replayed_game`, which yields no replay without it
        self.people = {occupant.person for occupant in game.seats if occupant.person}
        """Ids of everybody who has had a seat."""
        self.turns: list[tuple[int, int]] = []  # number and position, in their order
        self._positions = [Position(0, 0, at_ms)]
        self._records: list[f.Record] = []  # those behind the deal
        self._matches = (match, match)  # before its end, and at it
        self._game, self.position = game, 0
        self._applied = 0  # of the records, to the game
        self._kept: dict[int, Game] = {0: game.copy()}  # by position
        self._kept_each = KEPT_EACH
        self.bytes = 0  # of the records, as they are stored
        self._result: f.Ended | None = None
        self._name_of: NameOf = lambda person, name: name
        self._note_turns(0)

    # -- as it is folded for the first time --------------------------------------------------------

    def add(self, record: f.Record, match: MatchStatus | None) -> None:
        """*record* has been applied to the game."""
        self._records.append(record)
        self._applied = len(self._records)
        self.people |= {it.person for it in self._game.seats if it.person}
        if not record.has_play:
            return
        self._matches = self._matches[0], match
        first = self._positions[-1].play + 1
        place = Position(len(self._records), len(self._game.plays) - 1, record.at_ms)
        self._positions.append(place)
        self.position = len(self._positions) - 1
        self._note_turns(first)
        if self.position % self._kept_each == 0:
            self._keep()

    def _keep(self) -> None:
        """[rule 4]"""
        if len(self._kept) >= KEPT_MAX:
            self._kept_each *= 2
            self._kept = {at: game for at, game in self._kept.items() if at % self._kept_each == 0}
        if self.position % self._kept_each == 0:
            self._kept[self.position] = self._game.copy()

    def _note_turns(self, first: int) -> None:
        for known in self._game.known_events(None, first):
            if (turn := self.variant.turn_begun(known.event)) is not None:
                self.turns.append((turn[0], self.position))

    def finish(self, ended: EndedGame, name_of: NameOf) -> None:
        """All is applied."""
        self.ended, self._name_of, self._result = ended, name_of, self._game.result
        self._show_names()

    # -- where one stands --------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The last position: the number of decisions."""
        return len(self._positions) - 1

    @property
    def seats(self) -> int:
        return len(self._game.seats)

    @property
    def names(self) -> tuple[str, ...]:
        return self._game.names

    @property
    def game(self) -> Game:
        """As it stands at this position, with the names of now; nobody changes it."""
        return self._game

    @property
    def at_ms(self) -> int:
        """When the decision was made, UTC."""
        return self._positions[self.position].at_ms

    @property
    def waited_ms(self) -> int | None:
        """How long the decision took; None: this is the deal."""
        if not self.position:
            return None
        return self.at_ms - self._positions[self.position - 1].at_ms

    def go(self, position: int) -> Iterator[None]:
        """Go to *position*, in steps; one outside is the first or the last one."""
        target = max(0, min(position, self.last))
        base = max(kept for kept in self._kept if kept <= target)
        end = self._positions[target].record
        if not base <= self.position <= target or self._applied > end:
            self._game, self.position = self._kept[base].copy(), base
            self._applied = self._positions[base].record
        try:
            for count, record in enumerate(self._records[self._applied : end], 1):
                _apply(self._game, record)
                self._applied += 1
                if count % STEP == 0:
                    yield
        finally:  # whoever closes this before its end stands where it has come to
            places = bisect_right(self._positions, self._applied, key=lambda place: place.record)
            self.position = places - 1
            self._show_names()

    def know(self, reader: Seat | None) -> Iterator[None]:
        """Work out what *reader* knows of the game up to here, in steps."""
        while not self._game.know(reader, STEP):
            yield

    def turn_position(self, number: int) -> int | None:
        """Where turn *number* begins: the next one of a game whose turns are counted again in each
        round, or the first; None: there is none."""
        found = [position for turn, position in self.turns if turn == number]
        later = [position for position in found if position > self.position]
        return next(iter(later or found), None)

    # -- what a reader saw there -------------------------------------------------------------------

    def view(self, reader: Seat | None) -> ViewMessage:
        match = self._matches[self.position == self.last]
        return view_message(self._game, self.table, match, reader, "look")

    def events(self, reader: Seat | None, since: int) -> list[EventMessage]:
        """What *reader* knows of the decisions behind position *since* up to here; since -1: all,
        with the deal."""
        first = 0 if since < 0 else self._positions[since].play + 1
        told = event_messages(self._game, self.table, reader, first)
        return [replace(event, is_past=True) for event in told]

    def moves(self, seat: Seat) -> tuple[str, ...]:
        """What *seat* could have typed here."""
        return self._game.moves(seat) if self._game.may_act(seat) else ()

    def answer(self, reader: Seat | None, text: str, style: Style) -> Sequence[StyledLine]:
        """As `Game.answer`.  Refusal: *text* is no question."""
        return self._game.answer(reader, text, style)

    def result_text(self) -> str:
        """How the game has ended."""
        if self._result is not None:
            return game_over_text(self._result, self._game.seats)
        return f"The game has ended: {self.ended.end}, {self.ended.reason}."

    # -- inside ------------------------------------------------------------------------------------

    def _show_names(self) -> None:
        seats: list[Occupant] = []
        for occupant in self._game.seats:
            name = self._name_now(occupant)
            taken = {other.name.casefold() for other in seats}
            number, only = 2, name
            while only.casefold() in taken:
                only, number = f"{name} {number}", number + 1
            seats.append(occupant if occupant.name == only else replace(occupant, name=only))
        self._game.seats = seats

    def _name_now(self, occupant: Occupant) -> str:
        person = occupant.replaced_person if occupant.is_vacant else occupant.person
        return self._name_of(person, occupant.name) if person else occupant.name


def replayed_game(
    number: int,
    game_number: int,
    stored: Sequence[StoredRecord],
    catalogue: Catalogue,
    config: TablesConfig,
    name_of: NameOf,
) -> Iterator[GameReplay | None]:
    """Fold game *game_number* of table *number*, in steps.

    Args:
        stored: All records of the table, or as many as there are.

    Yields:
        None after each step; at last the replay, at its end.  Without it the table has had no
        such game, or the game is not over.

    Raises:
        Exception: It does not fold; any kind.
    """
    variant = catalogue[codec.variant_name(stored[0].body)]
    table, found = Table(number, variant, config), None
    for count, (sequence, _, body) in enumerate(stored, 1):
        record = codec.decode(sequence, body, variant)
        ended = None if found is None else ended_game(table, record)
        commit_silently(table, record)
        match = None if table.match is None else table.match.status()
        if found is not None:
            found.add(record, match)
            found.bytes += len(body)
        elif table.game is not None and table.game.number == game_number:
            found = GameReplay(number, table.game, match, record.at_ms)
        if found is not None and ended is not None:
            found.finish(ended, name_of)
            yield found
            return
        if count % STEP == 0:
            yield None


def _apply(game: Game, record: f.Record) -> None:
    game.at_ms, game.sequence = record.at_ms, record.sequence
    for fact in record.facts:
        if isinstance(fact, f.AutopassSet):
            game.seats = with_autopass(game.seats, fact.person, fact.is_on)
        else:
            game.apply(fact)
