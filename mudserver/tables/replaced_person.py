"""A person at a table becomes another: a guest who has registered, or somebody with a new name.

Rule 1: all that the table remembers of the person goes on under the new id and name: the seat and
        its past, a seat that was left, ownership, invitations, and presence.
Rule 2: the account is written first.  What a table lacks of it, because the server or its journal
        failed between the two, `missing` finds; it may be written twice without harm.
Rule 3: whose account is erased is a former player, at one table the second one `former player 2`,
        and leaves: a computer player takes over a running game.  So does who is banned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

import msgspec

from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.person import Person
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.seats import Occupant, with_person_replaced
from mudserver.tables.table import Table

PresentPerson = Callable[[str], Person | None]
"""Who the person of an id is now; None: a guest, or nobody that is known."""


@dataclass(frozen=True)
class PeopleNow:
    """What is true of people, whatever a table has written."""

    present: PresentPerson = lambda person: None
    is_banned: Callable[[str, int], bool] = lambda person, since_ms: False
    """Whether somebody has to leave, who has had the seat since then."""


NOBODY_HAS_CHANGED = PeopleNow()


def knows(table: Table, person: str) -> bool:
    """Whether the table remembers anything that is the person's."""
    return person in known_people(table)


def decide_replacing(table: Table, request: r.ReplacePerson) -> list[f.AnyFact]:
    """No fact if the table knows nothing of the person, or knows the new name already."""
    old, name = request.person, request.name
    now = Person(request.new, name, is_guest=False)
    if not knows(table, old) or is_same(old, name_of(table, old), now):
        return []
    if name == FORMER_PLAYER:
        taken, number = {name_of(table, each) for each in known_people(table)}, 2
        while name in taken:
            name, number = f"{FORMER_PLAYER} {number}", number + 1
    return [f.PersonReplaced(old, request.new, name)]


def missing(table: Table, people: PeopleNow) -> list[r.Request]:
    """What the table has not written of people who are others now, or had to go."""
    found: list[r.Request] = []
    for person in sorted(known_people(table)):
        now, current = people.present(person), person
        if now is not None and not is_same(person, name_of(table, person), now):
            found.append(r.ReplacePerson(person, now.id, now.name))
        if now is not None:
            current = now.id
        if person in table.people():
            if now is not None and now.name == FORMER_PLAYER:
                found.append(r.Leave(person, why="deleted"))
            elif people.is_banned(current, table.seat_since_ms.get(person, 0)):
                found.append(r.Leave(current, why="banned"))
    return found


def is_former(name: str) -> bool:
    """Whether that is how somebody is called whose account is erased."""
    return name.startswith(FORMER_PLAYER)  # no name has a space


def is_same(person: str, known: str, now: Person) -> bool:
    """Whether the person of that id, known by that name ("": by none), is *now* already."""
    is_known = known in ("", now.name) or (now.name == FORMER_PLAYER and is_former(known))
    return person == now.id and is_known


def name_of(table: Table, person: str) -> str:
    """The name under which the table knows the person; "": it knows none."""
    for occupant in _occupants(table):
        if occupant.person == person:
            return occupant.name
        if occupant.replaced_person == person:
            return occupant.name if occupant.is_vacant else occupant.replaced_name
    if person in table.invitations:
        return table.invitations[person].name
    return table.watchers.get(person, "")


def replace_person(table: Table, fact: f.PersonReplaced) -> None:
    """Apply *fact* to *table*."""
    old, new, name = fact.old, fact.new, fact.name

    def now(person: str) -> str:
        return new if person == old else person

    table.had_account = table.had_account or old in table.sitters
    table.host, table.owner = now(table.host), now(table.owner)
    table.seated = [now(each) for each in table.seated]
    table.sitters = {now(each) for each in table.sitters}
    table.seat_since_ms = {now(k): at_ms for k, at_ms in table.seat_since_ms.items()}
    table.roster = with_person_replaced(table.roster, fact)
    if table.match is not None:
        table.match.seats = with_person_replaced(table.match.seats, fact)
    if table.game is not None:
        table.game.apply(fact)
    table.readiness.marks = {now(k): at_ms for k, at_ms in table.readiness.marks.items()}
    table.bars.replace_person(old, new)
    table.invitations = {
        now(person): msgspec.structs.replace(
            invited,
            person=now(person),
            name=name if person == old else invited.name,
            by=now(invited.by),
        )
        for person, invited in table.invitations.items()
    }
    table.online = {now(each) for each in table.online}
    table.offline_since_ms = {now(k): at_ms for k, at_ms in table.offline_since_ms.items()}
    table.watchers = {now(k): name if k == old else was for k, was in table.watchers.items()}
    table.guest_sources.pop(old, None)
    table.going_on.replace_person(old, new)


def _occupants(table: Table) -> list[Occupant]:
    game = [] if table.game is None else table.game.seats
    match = [] if table.match is None else table.match.seats
    return list(chain(game, match, table.roster))


def known_people(table: Table) -> set[str]:
    """The ids of all people of whom the table remembers something."""
    people = {table.host, table.owner, *table.watchers, *table.invitations}
    people |= set() if table.game is None else table.game.sitters
    for occupant in _occupants(table):
        people |= {occupant.person or "", occupant.replaced_person}
    return people - {""}
