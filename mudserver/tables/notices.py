"""What a game whose people need not be there wants of each of them, and when it is told.  Pure.

Rule 1: a notice follows from public facts and from what the person's own seat is asked: its time,
        and that there is one, are the same whatever others hold or have answered.  [G-11]
Rule 2: all of it is computed from the table, so that a start knows what is due.  The same event has
        the same `key` for as long as it matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from mudserver.tables import offers
from mudserver.tables.correspondence import away_wait_ms
from mudserver.tables.game import Game
from mudserver.tables.pause_state import Pause
from mudserver.tables.table import Table
from mudserver.tables.waiting import invited_ms
from variants.contract import Seat

Event = Literal["move", "half", "tenth", "invited", "offered", "over", "expires"]
DAY_MS = 86_400_000
EXPIRY_DAYS = (7, 1)  # before an adjourned game ends, its people are told


class TableNotice(NamedTuple):
    person: str  # id
    event: Event
    about: str  # another text is another event of the kind
    due_ms: int  # UTC
    until_ms: int | None = None  # when there is nothing to be told any more, UTC; None: never

    @property
    def key(self) -> tuple[str, str, str]:
        return self.person, self.event, self.about


def notices_of(table: Table) -> list[TableNotice]:
    """Those of now, of before and to come, as the table stands."""
    if table.sequence == 0 or table.is_closed:
        return []
    found = list(_invitations(table)) if table.options.is_correspondence else []
    game = table.game
    if game is None or not table.is_slow:
        return found
    if game.is_over:
        people = [o.person for o in game.seats if o.person is not None]
        return [*found, *(over(person, table.game_id, game.at_ms) for person in people)]
    if game.pause is not None and game.pause.is_outage:
        return [*found, *_waits_for_move(table, game, game.pause)]
    return [*found, *_offers(table, game), *_moves(table, game), *_expiry(table, game)]


def over(person: str, game: str, at_ms: int) -> TableNotice:
    """Args: game: its id."""
    return TableNotice(person, "over", game, at_ms)


def later(notice: TableNotice, since_ms: int, lost_ms: int) -> TableNotice:
    """The notice of a game that gets *lost_ms* back.  Args: since_ms: when the time was lost."""
    due_ms = notice.due_ms + (lost_ms if notice.due_ms > since_ms else 0)
    until_ms = None if notice.until_ms is None else notice.until_ms + lost_ms
    return notice._replace(due_ms=due_ms, until_ms=until_ms)


def _invitations(table: Table) -> Iterable[TableNotice]:
    for person, invited in sorted(table.invitations.items()):
        due_ms = invited_ms(invited.since_ms, invited.until_ms)
        yield TableNotice(person, "invited", str(due_ms), due_ms, invited.until_ms)


def _offers(table: Table, game: Game) -> Iterable[TableNotice]:
    if game.offer is None:
        return
    about = f"{table.game_id}.{game.offer.offer}"
    for seat in game.offer.asked:
        person = game.seats[seat].person
        if person is not None and offers.is_asked(table, person):
            yield TableNotice(person, "offered", about, game.offered_ms, game.offer.until_ms)


def _moves(table: Table, game: Game) -> Iterable[TableNotice]:
    deadline_ms, open_ms = game.clock.deadline_ms, game.open_ms()
    about = f"{table.game_id}.{game.windows}"
    for seat, occupant in enumerate(game.seats):
        person = occupant.person
        if person is None or table.question_of(person) is None or _passes(game, Seat(seat)):
            continue
        if occupant.is_away:  # a computer player decides, if the owner does not come first
            until_ms = game.opened_ms + away_wait_ms(open_ms or 0)
            yield TableNotice(person, "move", about, game.opened_ms, until_ms)
            continue
        yield TableNotice(person, "move", about, game.opened_ms, deadline_ms)
        if deadline_ms is not None and open_ms is not None:
            for event, part in _PARTS:
                yield TableNotice(person, event, about, deadline_ms - open_ms // part, deadline_ms)


def _waits_for_move(table: Table, game: Game, pause: Pause) -> Iterable[TableNotice]:
    """A live game waits for those whom it asks, as the server was away."""
    about = f"{table.game_id}.{game.windows}"
    for seat in pause.asked:
        person = game.seats[seat].person
        if person is not None:
            yield TableNotice(person, "move", about, pause.since_ms, pause.until_ms)


def _passes(game: Game, seat: Seat) -> bool:
    """Whether the seat decides nothing: its owner has chosen so.  [G-12]"""
    return game.window is not None and game.passes_itself(seat, game.window)


_PARTS: tuple[tuple[Event, int], ...] = (("half", 2), ("tenth", 10))


def _expiry(table: Table, game: Game) -> Iterable[TableNotice]:
    if game.pause is None or not game.pause.is_adjourned:
        return
    until_ms = game.pause.until_ms
    for occupant in game.seats:
        if occupant.person is not None:
            for days in EXPIRY_DAYS:
                about = f"{table.game_id}.{days}"
                due_ms = until_ms - days * DAY_MS
                yield TableNotice(occupant.person, "expires", about, due_ms, until_ms)
