"""Seats and their occupants.

Rule 1: a seat is a number; its occupant is a person or a computer player.
Rule 2: the name of a computer player differs from every other name at the table.
Rule 3: an occupant is a value; changing one makes another.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mudserver.tables import records as f
from mudserver.tables.levels import free_computer_name
from mudserver.tables.missed_turns import TurnCount
from variants.contract import Seat


class Occupant(msgspec.Struct, frozen=True):
    name: str
    person: str | None = None  # id; None: a computer player
    is_guest: bool = False
    level: str = ""  # of the computer player, a key of `Variant.bots`
    is_away: bool = False  # a computer decides until the owner types  [G-09]
    turns: TurnCount = TurnCount()  # which turns the owner has missed  [G-09]
    paused_ms: int = 0  # how long the clock has waited for this seat in this game
    replaced_name: str = ""  # the person whose seat this computer took over  [G-10]
    replaced_person: str = ""  # the id of that person, who may return
    returns: int = 0  # how often its person has taken the seat back in this game or match
    left_ms: int = 0  # when its person left it last, UTC
    substitutes: int = 0  # how often somebody else has taken it over in this game or match
    is_substitute: bool = False  # its person has not begun this game
    has_forfeited: bool = False
    has_autopass: bool = False  # passes by itself in windows that ask for a reaction  [G-12]
    autopass_set: int = 0  # how often its owner has changed that in this game
    is_vacant: bool = False  # eliminated, and its person left: the name stays

    @property
    def is_computer(self) -> bool:
        return self.person is None and not self.is_vacant

    @property
    def is_decided_by_computer(self) -> bool:
        return self.is_computer or self.is_away


def handed_over(occupant: Occupant, fact: f.HandedOver, level: str, at_ms: int = 0) -> Occupant:
    """A computer player has the seat.

    What its owner has missed goes on as it stood: nobody gains time by leaving.
    """
    return msgspec.structs.replace(
        occupant,
        name=fact.name,
        person=None,
        level=level,
        is_vacant=False,
        replaced_name=fact.left,
        replaced_person=fact.person,
        left_ms=at_ms,
        has_forfeited=occupant.has_forfeited or fact.why == "forfeit",
    )


def returned(occupant: Occupant, fact: f.SeatReturned, turns: TurnCount) -> Occupant:
    """The person who left has the seat again."""
    return msgspec.structs.replace(
        occupant,
        name=fact.name,
        person=fact.person,
        is_guest=fact.is_guest,
        level="",
        is_away=False,
        is_vacant=False,
        turns=turns,
        has_autopass=fact.has_autopass,
        replaced_name="",
        replaced_person="",
        returns=occupant.returns + 1,
    )


def substituted(occupant: Occupant, fact: f.Substituted, turns: TurnCount) -> Occupant:
    """Somebody else has the seat, who answers for nothing that its person did."""
    return msgspec.structs.replace(
        occupant,
        name=fact.name,
        person=fact.person,
        is_guest=fact.is_guest,
        level="",
        is_away=False,
        turns=turns,
        has_autopass=fact.has_autopass,
        autopass_set=0,
        replaced_name="",
        replaced_person="",
        returns=0,
        substitutes=occupant.substitutes + 1,
        is_substitute=True,
        has_forfeited=False,
    )


def for_next_game(occupant: Occupant, name: str, *, is_next_deal: bool) -> Occupant:
    """At the start of a game.  In a match who is away, has left or came back stays so."""
    fresh = msgspec.structs.replace(
        occupant,
        name=name,
        turns=TurnCount(),
        paused_ms=0,
        autopass_set=0,
        is_substitute=False,
    )
    if is_next_deal:
        return fresh
    changes = {"is_away": False, "replaced_person": "", "returns": 0}
    return msgspec.structs.replace(fresh, **changes, left_ms=0, substitutes=0)


def seat_of(occupants: Sequence[Occupant], person: str) -> Seat | None:
    """Where a person sits; None: nowhere here."""
    for seat, occupant in enumerate(occupants):
        if occupant.person == person:
            return Seat(seat)
    return None


def rotated_to(occupants: Sequence[Occupant], names: Sequence[str]) -> list[Occupant]:
    """*occupants* moved round the table until they sit in the order of *names*."""
    for shift in range(len(occupants)):
        moved = [*occupants[shift:], *occupants[:shift]]
        if [o.name for o in moved] == list(names):
            return moved
    return list(occupants)


def with_distinct_names(occupants: Sequence[Occupant], name: str) -> list[Occupant]:
    """*occupants*, with a computer player renamed if it is called *name* like a new person."""
    used_names = [name, *(o.name for o in occupants)]
    return [
        msgspec.structs.replace(o, name=free_computer_name(used_names, o.level))
        if o.person is None and o.name.casefold() == name.casefold()
        else o
        for o in occupants
    ]


def with_person_replaced(occupants: Sequence[Occupant], fact: f.PersonReplaced) -> list[Occupant]:
    """*occupants*, where a person has another id and name; so has who left a seat."""

    def now(occupant: Occupant) -> Occupant:
        if occupant.person == fact.old:
            return msgspec.structs.replace(
                occupant, person=fact.new, name=fact.name, is_guest=False
            )
        if occupant.replaced_person != fact.old:
            return occupant
        shown = "name" if occupant.is_vacant else "replaced_name"
        changes = {"replaced_person": fact.new, shown: fact.name}
        return msgspec.structs.replace(occupant, **changes)

    return [now(occupant) for occupant in occupants]


def with_autopass(occupants: Sequence[Occupant], person: str, is_on: bool) -> list[Occupant]:
    """*occupants*, with this person's choice for the own seat."""
    return [
        msgspec.structs.replace(o, has_autopass=is_on, autopass_set=o.autopass_set + 1)
        if o.person == person
        else o
        for o in occupants
    ]
