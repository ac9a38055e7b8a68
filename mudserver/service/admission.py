"""Admission control: whether one more person may log in.

Rule 1: a person who is online is never sent away; only new logins are refused.
"""

from __future__ import annotations

from collections.abc import Collection

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.config.schema import PeopleLimits
from mudserver.errors import UserError
from variants.kit.text import quantity


def check_capacity(
    person: Person, peer: str, online: Collection[tuple[str, str]], limits: PeopleLimits
) -> None:
    """Raise UserError if there is no place for *person* from *peer*.

    Args:
        online: Everybody who is online: the person's id, and the address.
    """
    if len(online) >= limits.sessions_max:
        metrics.REFUSALS.increment("sessions_max")
        raise UserError("The server is full just now. Please come back a little later.")
    if not person.is_guest:
        return
    guests = [address for person_id, address in online if person_id.startswith("g")]
    if len(guests) >= limits.guests_max:
        metrics.REFUSALS.increment("guests")
        raise UserError("All guest places are taken. Come in with a name of your own.")
    if guests.count(peer) >= limits.guests_per_source_max:
        metrics.REFUSALS.increment("guests")
        most = quantity(limits.guests_per_source_max, "guest")
        raise UserError(
            f"At most {most} may come from one address. Come in with a name of your own."
        )
