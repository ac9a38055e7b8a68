"""What a capsule says of time and person, for the process that takes it up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from mudserver.accounts.person import Person
from mudserver.clock import Clock
from mudserver.service.account_service import AccountService
from mudserver.wall.capsule import VERSION, Capsule


class Carried(Protocol):
    """What of every session goes along."""

    id: str
    is_program: bool
    opened_at: float
    last_input_at: float
    is_warned_idle: bool
    auth_how: Literal["", "key", "password"]
    auth_key: str
    auth_at_ms: int


def capsule_of(
    session: Carried, person: Person, nonce: bytes, clock: Clock, settings: Mapping[str, str]
) -> Capsule:
    """Args: settings: Of this session alone."""
    return Capsule(
        VERSION,
        session.id,
        nonce,
        "json" if session.is_program else "terminal",
        clock.now_ms(),
        person=person.id,
        name=person.name,
        is_guest=person.is_guest,
        since_ms=to_utc_ms(session.opened_at, clock),
        heard_ms=to_utc_ms(session.last_input_at, clock),
        is_warned_idle=session.is_warned_idle,
        auth_how=session.auth_how,
        auth_key=session.auth_key,
        auth_at_ms=session.auth_at_ms,
        settings=dict(settings),
    )


def restore_times_and_proof(session: Carried, capsule: Capsule, clock: Clock) -> None:
    session.opened_at = from_utc_ms(capsule.since_ms, clock)
    session.last_input_at = from_utc_ms(capsule.heard_ms, clock)
    session.is_warned_idle = capsule.is_warned_idle
    session.auth_how, session.auth_key = capsule.auth_how, capsule.auth_key
    session.auth_at_ms = capsule.auth_at_ms


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
