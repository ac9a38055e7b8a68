"""Who is told of seats that were left, and of those who take them over.

Rule 1: watchers read which seats they can take over.  Who has had a seat in the game can take none,
        and does not read it.
Rule 2: the person who had left a seat reads at once, at the table or elsewhere, that it is gone.
"""

from __future__ import annotations

from mudserver.messages import Message, Notice
from mudserver.outbox import Deliveries
from mudserver.tables import records as f
from mudserver.tables import substitute_texts as texts
from mudserver.tables.substituted_seats import renamed_for
from mudserver.tables.table import Table
from mudserver.tables.vacant_seats import open_seats


def offers_to_watchers(table: Table, seat: int) -> Deliveries:
    """The seat can be taken over from now on."""
    told, sitters = _offered(table, seat), set() if table.game is None else table.game.sitters
    return [(person, told) for person in table.watchers if person not in sitters]


def offered_seats(table: Table) -> list[Message]:
    """What somebody reads of it who begins to watch."""
    return [_offered(table, seat) for seat in open_seats(table)]


def _offered(table: Table, seat: int) -> Notice:
    return Notice(texts.offered(table.seats[seat].replaced_name, table.number, seat))


def substitution_sentences(table: Table, fact: f.Substituted) -> list[str]:
    """What everybody at the table reads of *fact*, which is not yet applied."""
    before = table.seats[fact.seat]
    names = zip(table.seats, renamed_for(table.seats, fact), strict=True)
    renamed = [texts.renamed(old.name, new.name) for old, new in names if old.name != new.name]
    return [*renamed, texts.taken_over(fact.name, before.replaced_name, before.name)]


def told_former_holder(table: Table, fact: f.Substituted) -> Deliveries:
    """What the person reads who had left the seat; *fact* is not yet applied."""
    return [(fact.left, Notice(texts.seat_is_gone(fact.name, table.number)))]
