"""Whether there is a place for one more person.

Rule 1: who is in keeps the place; only who comes anew is counted and may be refused.
"""

from __future__ import annotations

from collections.abc import Collection

from mudserver import tally
from mudserver.config import People
from mudserver.errors import HouseError
from mudserver.people import Person
from variants.kit.text import counted


def check_place(
    person: Person, peer: str, here: Collection[tuple[str, str]], limits: People
) -> None:
    """HouseError: no place for *person* from *peer*.

    Args:
        here: Everybody who is in: the person's id, and where from.
    """
    if len(here) >= limits.sessions_max:
        tally.REFUSALS.add("full")
        raise HouseError("The house is full just now. Please come back a little later.")
    if not person.is_guest:
        return
    guests = [where for who, where in here if who.startswith("g")]
    if len(guests) >= limits.guests_max:
        tally.REFUSALS.add("guests")
        raise HouseError("All guest places are taken. Come in with a name of your own.")
    if guests.count(peer) >= limits.guests_per_source_max:
        tally.REFUSALS.add("guests")
        most = counted(limits.guests_per_source_max, "guest")
        raise HouseError(
            f"At most {most} may come from one address. Come in with a name of your own."
        )
