"""Who is bound to a game, told to the other servers of a journal: nobody plays at two tables.

Rule 1: a claim is written with the record that binds its person to the game: both or neither.
Rule 2: it is given up after the record that frees the person.  Where the server dies between the
        two, whoever takes up the table gives it up; a table that has closed holds none.
Rule 3: where no other server writes there are no claims: the manager knows all seats.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from mudserver.errors import JournalConflictError, JournalWriteError
from mudserver.journal import Claim, Journal
from mudserver.journal.streams import TABLE_STREAMS
from mudserver.tables import records as f
from mudserver.tables.replaced_person import known_people
from mudserver.tables.table import Table

KIND = "seat"
YOU_PLAY_ELSEWHERE = (
    "You play at table {}, which is on another server and can't be reached from here."
    " Your seat waits there."
)
SOMEBODY_PLAYS_ELSEWHERE = (
    "{} plays at table {} now, which is on another server. Start when that game is over, or with"
    " that seat free: unseat {}"
)

log = logging.getLogger(__name__)


class SeatClaims:
    """Of one table.  Args: is_new: Nobody can have a claim for it yet."""

    def __init__(self, journal: Journal, number: int, *, is_new: bool) -> None:
        self._journal, self._owner = journal, TABLE_STREAMS.name(number)
        self._held: set[str] | None = set() if is_new else None  # None: not known
        self._twice = set[str]()  # who is bound here, while another table has the claim
        self.refusal = ""  # why the game cannot start that is being decided

    def wanted(self, table: Table, record: f.Record) -> list[Claim]:
        """What has to be claimed with *record*, the next one of *table*."""
        if not self._journal.is_shared or table.is_slow:
            return []
        seated = {o.person for o in table.seats if o.person is not None}
        bound = set[str]()
        for fact in record.facts:
            match fact:
                case f.Opened(options=options) if options.is_correspondence:
                    return []
                case f.Stood(person=person):
                    seated.discard(person)
                case f.Sat(person=person) if not table.sequence:
                    seated.add(person)
                case f.HandedOver(person=person) if not table.sequence:  # see `tourney_tables.py`
                    bound.discard(person)
                case f.Started():
                    bound |= seated
                case f.SeatReturned(person=person) | f.Substituted(person=person):
                    bound.add(person)
        return self._claims(bound - (self._held or set()))

    def note(self, claims: Collection[Claim]) -> None:
        """They are written."""
        if self._held is not None:
            self._held |= {claim.key for claim in claims}

    def forget(self) -> None:
        """It is not known any more what is written."""
        self._held = None

    async def settle(self, table: Table) -> None:
        """Claim for whoever is bound now, and for nobody else; what fails is tried the next time.

        Whoever is bound to another table as well, as after a start with an old journal, stays.
        """
        if not self._journal.is_shared:
            return
        bound = {o.person for o in table.seats if o.person is not None and table.binds(o.person)}
        if bound == self._held:
            return
        known = known_people(table) if self._held is None else self._held
        free, new = known - bound, bound - (self._held or set())
        twice = set[str]()
        while free or new:
            try:
                await self._journal.append_all([], self._claims(new), self._claims(free))
                break
            except JournalConflictError as exc:
                if exc.key not in new:
                    return
                if exc.key not in self._twice:
                    log.warning("seated twice person=%s %s and %s", exc.key, self._owner, exc.owner)
                twice.add(exc.key)
                new.discard(exc.key)
            except JournalWriteError:  # it may be written nevertheless
                self.forget()
                return
        self._held, self._twice = bound - twice, twice

    def _claims(self, people: Collection[str]) -> list[Claim]:
        return [Claim(KIND, person, self._owner) for person in sorted(people)]


def is_seat_conflict(exc: JournalWriteError) -> bool:
    """Whether somebody plays at another table."""
    return isinstance(exc, JournalConflictError) and bool(exc.key)


def why_no_seat(exc: JournalConflictError) -> str:
    """What somebody reads who wants back a seat."""
    return YOU_PLAY_ELSEWHERE.format(TABLE_STREAMS.number(exc.owner))


def why_no_start(table: Table, exc: JournalConflictError, person: str) -> str:
    """What *person* reads when the game at *table* cannot start."""
    number = TABLE_STREAMS.number(exc.owner)
    if person == exc.key:
        return YOU_PLAY_ELSEWHERE.format(number)
    name = next((o.name for o in table.seats if o.person == exc.key), "")
    return SOMEBODY_PLAYS_ELSEWHERE.format(name, number, name)
