"""Who may open one more table, and change one that waits for its game.

Rule 1: every refusal is a sentence that says which limit it is and what can be done.
Rule 2: a change of a waiting table is written and told to all who are there, so one person makes
        few of them: records come to an end (`folding.py`), and patience does before.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from mudserver.accounts import Person
from mudserver.config.schema import Tables as Settings
from mudserver.errors import UserError
from mudserver.rate_limit import KeyedTokenBuckets
from variants.kit.text import quantity

PEOPLE_MAX = 10_000  # whose last openings and changes are remembered

JOURNAL_FULL = (
    "The house has no room to keep another game just now; games that run go on. "
    "Please tell the people who keep this house."
)


class TableLimits:
    def __init__(self, settings: Settings) -> None:
        self.reconfigure(settings)

    def reconfigure(self, settings: Settings) -> None:
        """Other limits from now on; how quickly tables were opened and changed is forgotten."""
        self._settings = settings
        self._openings = _token_buckets(settings.opened_per_person_s, settings.opened_burst)
        self._changes = _token_buckets(settings.changed_per_person_s, settings.changed_burst)

    def check_open(self, person: Person, hosts: Mapping[int, str], now_s: float) -> None:
        """HouseError: *person* may not open one now.

        Args:
            hosts: Who opened which table, by number, of all that are open.
        """
        limits = self._settings
        if len(hosts) >= limits.all_max:
            raise UserError(f"All {limits.all_max} tables are taken. tables shows free seats.")
        most = limits.per_guest_max if person.is_guest else limits.per_person_max
        own = [number for number, host in hosts.items() if host == person.id]
        if len(own) >= most:
            tables = quantity(most, "table")
            raise UserError(
                f"You have opened {tables} that {'are' if most > 1 else 'is'} still there: "
                f"{', '.join(map(str, own))}. One closes when everybody has left it."
            )
        if self._openings is not None and not self._openings.try_consume(person.id, now_s):
            wait = quantity(ceil(limits.opened_per_person_s), "second")
            raise UserError(f"You open tables too quickly. Please wait {wait}.")

    def check_change(self, rate_limit_key: str, now_s: float) -> None:
        """HouseError: *payer* changed tables that wait, or the own place, too often lately."""
        if self._changes is not None and not self._changes.try_consume(rate_limit_key, now_s):
            wait = quantity(ceil(self._settings.changed_per_person_s), "second")
            raise UserError(
                f"Too many changes at tables at once. Please wait {wait}, then try again."
            )


def _token_buckets(span_s: float, burst: int) -> KeyedTokenBuckets | None:
    return KeyedTokenBuckets(1 / span_s, burst, PEOPLE_MAX) if span_s else None
