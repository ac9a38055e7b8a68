"""Whether there is a place for one more person.

Rule 1: who is in keeps the place; only who comes anew is counted and may be refused.
"""

from __future__ import annotations

from collections.abc import Collection

from mudserver import metrics
from mudserver.accounts import Person
from mudserver.config.schema import People
from mudserver.errors import UserError
from variants.kit.text import quantity


def check_capacity(
    person: Person, peer: str, online: Collection[tuple[str, str]], limits: People
) -> None:
    """HouseError: no place for *person* from *peer*.

    Args:
        here: Everybody who is in: the person's id, and where from.
    """
    if len(online) >= limits.sessions_max:
        metrics.REFUSALS.increment("full")
        raise UserError("The house is full just now. Please come back a little later.")
    if not person.is_guest:
        return
    guests = [where for who, where in online if who.startswith("g")]
    if len(guests) >= limits.guests_max:
        metrics.REFUSALS.increment("guests")
        raise UserError("All guest places are taken. Come in with a name of your own.")
    if guests.count(peer) >= limits.guests_per_source_max:
        metrics.REFUSALS.increment("guests")
        most = quantity(limits.guests_per_source_max, "guest")
        raise UserError(
            f"At most {most} may come from one address. Come in with a name of your own."
        )
