"""The guest book: who has a name here, and how each proves it.  Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may come in.  The id is for ever, and is the address of mail."""

    id: str
    name: str
    is_guest: bool
