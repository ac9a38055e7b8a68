"""A person, registered or a guest."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """The id never changes, is never used again, and is the person's address in the outbox."""

    id: str
    name: str
    is_guest: bool


def is_guest_id(person_id: str) -> bool:
    return person_id.startswith("g")
