"""Whether a game of a rated table is rated: found before its cards are told.

Rule 1: the table says who is to play; why such a game is unrated is known outside of it.
Rule 2: what is told to two people alone stands in no record; others read that it is unrated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from mudserver.tables.records import ComputerSat, Opened, Record, Sat, Started
from mudserver.tables.table import Table

SHARED_ADDRESS = "address"
"""Why a game is unrated in which people share a network address."""
MET_TOO_OFTEN = "met"
"""Why a game is unrated of people who have had too many rated games of late."""
BETWEEN_TWO = (SHARED_ADDRESS, MET_TOO_OFTEN)
"""What is told to two people alone: nobody else learns which of these it is."""


class RatedStart(NamedTuple):
    """A game that is about to begin at a rated table."""

    variant: str
    accounts: tuple[str, ...]  # ids of the people who have one
    guests: int
    levels: tuple[str, ...]  # of computer players
    left: int  # seats of people who have left the match
    watchers: tuple[str, ...] = ()  # ids
    is_slow: bool = False  # by correspondence
    is_tourney: bool = False  # who meets whom was drawn


class Unrated(NamedTuple):
    """Why a game is unrated."""

    why: str  # for the record and for everybody; "": it is rated
    told: Mapping[str, str] = {}  # to some alone, by id


WhyUnrated = Callable[[RatedStart], Awaitable[Unrated]]


async def never_rated(start: RatedStart) -> Unrated:
    """There are no ratings."""
    return Unrated("there are no ratings here")


def rated_start(table: Table, record: Record) -> RatedStart | None:
    """The game that *record* starts; None: it starts none, or the table is not rated."""
    is_start, opened = False, None
    for fact in record.facts:
        is_start |= isinstance(fact, Started)
        opened = fact if isinstance(fact, Opened) else opened
    if not is_start:  # before all else: a new table has no options
        return None
    if opened is not None:  # of a tournament: all of it begins with one record
        sat = tuple(it.person for it in record.facts if isinstance(it, Sat))
        if opened.options.rated != "on":
            return None
        is_slow = opened.options.is_correspondence
        return RatedStart(table.variant.name, sat, 0, (), 0, is_slow=is_slow, is_tourney=True)
    if table.options.rated != "on":
        return None
    seats = table.seats
    computers = [it.player for it in record.facts if isinstance(it, ComputerSat)]
    return RatedStart(
        table.variant.name,
        tuple(o.person for o in seats if o.person is not None and not o.is_guest),
        sum(o.is_guest for o in seats),
        (*(o.level for o in seats if o.is_computer), *computers),
        sum(bool(o.replaced_person) for o in seats),
        tuple(table.watchers),
        table.options.is_correspondence,
    )


def with_rating(record: Record, why: str) -> Record:
    """*record*, which starts a game, with what was found.  Args: why: "": it is rated."""
    facts = tuple(
        replace(fact, rated=not why, why_unrated=why) if isinstance(fact, Started) else fact
        for fact in record.facts
    )
    return replace(record, facts=facts)


def rated_sentence(table: Table, fact: Started) -> list[str]:
    """What everybody at the table reads before the cards; nothing where it was not to be rated."""
    if fact.rated:
        return ["This game is rated."]
    if table.options.rated != "on":
        return []
    why = "" if fact.why_unrated in BETWEEN_TWO else f": {fact.why_unrated}"
    return [f"This game is unrated{why}."]
