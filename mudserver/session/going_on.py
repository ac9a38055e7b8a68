"""What a capsule says of time and person, for the process that takes it up."""

from __future__ import annotations

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.service.account_service import AccountService
from mudserver.wall.capsule import Capsule


def to_utc_ms(at_s: float, clock: Clock) -> int:
    """A time on this process's clock, for another process."""
    return clock.now_ms() - int((clock.monotonic() - at_s) * 1000)


def from_utc_ms(at_ms: int, clock: Clock) -> float:
    """The same time on this process's clock; never in the future."""
    return clock.monotonic() - max(0, clock.now_ms() - at_ms) / 1000


def person_of(capsule: Capsule, accounts: AccountService) -> Person | None:
    """Whose session it is now; None: nobody is logged in, or the account is gone."""
    if capsule.stage != "in":
        return None
    person = accounts.present_person(capsule.person)
    if person is None and capsule.is_guest:
        return Person(capsule.person, capsule.name, is_guest=True)
    return person
