"""What is kept of a table that is in no server's memory: a row of the index.  Pure.

Rule 1: a row with a body means that the table is parked, and that its stream has not changed since.
        Whoever takes the table into memory empties the row first; who cannot read it folds the
        stream, which is the truth.
Rule 2: a row holds what lists show, and what each seat is asked itself: nothing of the cards, and
        never who has answered in secret.  [G-11]
Rule 3: parked is only a running game that nobody looks at, and in which nothing is due for
        LEAST_MS.  Computer players have decided.  Of a live one all people are offline, and none
        is a guest: a code gives a guest's seat back only where it is found.
Rule 4: a live game that another process has parked is folded: it gets back its time to the second,
        and may wait for its people (`pauses.py`).
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from mudserver.data_messages import OwnGame, TableRow
from mudserver.journal import IndexRow
from mudserver.tables import notifications, offers
from mudserver.tables import records as f
from mudserver.tables.decide import wake_ms
from mudserver.tables.notices import TableNotice, notices_of
from mudserver.tables.notices import later as told_later
from mudserver.tables.program_data import own_game, table_row
from mudserver.tables.replaced_person import PeopleNow, is_same, known_people, name_of
from mudserver.tables.summary import SlowGame, TablePeople, TableSummary
from mudserver.tables.table import Table

LEAST_MS = 60_000  # until something is due


class Parked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table as it was when it left memory.  Times are UTC ms."""

    number: int
    sequence: int  # of its last record
    at_ms: int  # of this row
    next_ms: int | None  # when something is due
    deadline_ms: int | None  # of the open window
    offer_ms: int | None  # when the open offer ends
    pause_ms: int | None  # when an adjourned game ends
    game: int  # the one that runs
    people: tuple[str, ...]  # ids of all of whom the table remembers something
    left: tuple[str, ...]  # of those whose seat a computer player has
    games: dict[str, SlowGame]  # by person who has a seat
    own: dict[str, OwnGame]  # by person who has a seat, or has left one
    here: TablePeople
    code_hash: str  # "": a public table
    summary: TableSummary
    row: msgspec.Raw  # a TableRow: it is read only for lists of programs
    names: tuple[str, ...] = ()  # of `people`, as the table knows them; "": it knows none
    notices: tuple[TableNotice, ...] = ()  # those that were told, and those to come
    is_live: bool = False
    offline_ms: dict[str, int] = {}  # of a live game: since when each person is, UTC


def may_park(table: Table, now_ms: int) -> bool:
    """Whether the table may leave memory, as far as its state says.  [rule 3]"""
    if not table.is_playing or table.is_between_deals or table.invitations:
        return False
    if not table.is_slow and (table.online or any(o.is_guest for o in table.seats)):
        return False
    here = table.people_in_room() if table.is_slow else table.watchers
    if here or table.automatic_turns():
        return False
    next_ms = wake_ms(table)
    return next_ms is None or next_ms > now_ms + LEAST_MS


def parked(table: Table, now_ms: int) -> Parked:
    """The table, which may be parked."""
    seated = sorted(o.person for o in table.seats if o.person is not None)
    left = tuple([person for person in table.people_left() if person])
    own = {person: own_game(table, person) for person in {*seated, *left}}
    people = sorted(known_people(table))
    return Parked(
        number=table.number,
        sequence=table.sequence,
        at_ms=now_ms,
        next_ms=wake_ms(table),
        deadline_ms=table.deadline_ms,
        offer_ms=offers.until_ms(table),
        pause_ms=table.goes_on_ms,
        game=0 if table.game is None else table.game.number,
        people=tuple(people),
        left=left,
        games={person: slow_game(table, person) for person in seated},
        own={person: game for person, game in sorted(own.items()) if game is not None},
        here=table.people_here(),
        code_hash=table.options.code_hash,
        summary=notifications.summary_of(table),
        row=msgspec.Raw(msgspec.json.encode(table_row(table))),
        names=tuple([name_of(table, person) for person in people]),
        notices=tuple(notices_of(table)),
        is_live=not table.is_slow,
        offline_ms={} if table.is_slow else dict(table.offline_since_ms),
    )


def is_outdated(table: Parked, people: PeopleNow) -> bool:
    """Whether the table has not written of somebody who is another now, or has to go.

    A server that died between an account's record and its tables' has left it so.
    """
    for person, name in zip(table.people, table.names, strict=False):
        now = people.present(person)
        if now is not None and not is_same(person, name, now):
            return True
        if person in table.games and people.is_banned(person, table.at_ms):
            return True
    return False


def slow_game(table: Table, person: str) -> SlowGame:
    """The game by correspondence as *person*, who has a seat, is told of it."""
    is_opener = table.host == person
    waits_for = table.waited_for() if table.is_adjourned else []
    names = tuple(["you"] * (person in waits_for))
    names += tuple([table.person_name(it) for it in sorted(waits_for) if it != person])
    clock, is_asked = table.clock_status(person), table.question_of(person) is not None
    others, deadline_ms = ((), None) if clock is None else (clock.others, clock.deadline_ms)
    place = table.number, table.variant.name, table.phase
    has_offer = offers.is_asked(table, person)
    pause = table.game.pause if table.is_adjourned and table.game is not None else None
    ends_ms = None if pause is None or pause.is_outage else pause.until_ms
    game = SlowGame(*place, is_asked, others, deadline_ms, has_offer, is_opener, names, ends_ms)
    return game._replace(seek_ms=table.seek_ms if is_opener else 0)


def encode(table: Parked) -> bytes:
    return msgspec.json.encode(table)


def decode(body: bytes | str) -> Parked:
    """ValueError: it was written by another release."""
    return msgspec.json.decode(body, type=Parked)


def row_of(table: Parked) -> TableRow:
    return msgspec.json.decode(table.row, type=TableRow)


def index_row(number: int, body: bytes = b"") -> IndexRow:
    """Args: body: empty: the table is in memory again."""
    return IndexRow("parked", (number, body.decode()))


def with_time_given_back(table: Parked, alive_ms: int | None, now_ms: int) -> tuple[Parked, Any]:
    """The table after an outage, and the record that gives it the time back.

    Args:
        alive_ms: When the server was last alive; None: it is not known.
    """
    since_ms = max(table.at_ms, alive_ms or 0)
    lost_ms = now_ms - since_ms

    def later(at_ms: int | None) -> int | None:
        return None if at_ms is None else at_ms + lost_ms

    fact = f.TimeGivenBack(
        later(table.deadline_ms), None, later(table.offer_ms), later(table.pause_ms)
    )
    games = {
        person: game._replace(deadline_ms=later(game.deadline_ms), ends_ms=later(game.ends_ms))
        for person, game in table.games.items()
    }
    own = {
        person: replace(game, deadline=later(game.deadline)) for person, game in table.own.items()
    }
    given = replace(
        table,
        sequence=table.sequence + 1,
        at_ms=now_ms,
        next_ms=later(table.next_ms),
        deadline_ms=later(table.deadline_ms),
        offer_ms=later(table.offer_ms),
        pause_ms=later(table.pause_ms),
        games=games,
        own=own,
        notices=tuple([told_later(it, since_ms, lost_ms) for it in table.notices]),
    )
    return given, f.Record(given.sequence, now_ms, (fact,))
