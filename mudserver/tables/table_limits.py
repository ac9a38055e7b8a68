"""Limits on opening tables, on changing tables that wait for their game, and on plays.

Rule 1: every refusal names the limit and what can be done.
Rule 2: a change of a waiting table is written, and announced to everybody at it.  One person may
        make few of them: the records of a table are bounded (`table.py`, rule 5), and so is the
        patience of people.
Rule 3: one person's plays are bounded as well, and the one that is refused is refused alone: all
        the others are taken at once, however much was played from that address.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.config.schema import Config, TablesConfig
from mudserver.errors import UserError
from mudserver.journal.levels import GUEST_TABLES_END, TABLES_END
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.tables import texts
from variants.kit.text import duration, quantity

PEOPLE_MAX = 10_000  # keys of the rate limits


def table_bytes_max(config: Config) -> int:
    """Bytes of one open table, so that all of them, which cannot be pruned, fill half at most."""
    return config.journal.size_mib_max * 1_048_576 // 2 // config.tables.all_max


def check_journal_room(person: Person, level: float) -> None:
    """UserError: the journal, so full, has no room for a table that *person* opens."""
    if level >= TABLES_END or (person.is_guest and level >= GUEST_TABLES_END):
        metrics.REFUSALS.increment("size")
        raise UserError(
            texts.SERVER_FULL if level >= TABLES_END else texts.GUESTS_OPEN_NO_TABLES, "full"
        )


class TableLimits:
    def __init__(self, config: TablesConfig) -> None:
        self.reconfigure(config)

    def reconfigure(self, config: TablesConfig) -> None:
        """Apply other limits; the rate limits start anew."""
        self._config = config
        self._openings = _token_buckets(config.opened_per_person_s, config.opened_burst)
        self._changes = _token_buckets(config.changed_per_person_s, config.changed_burst)
        self._plays = KeyedTokenBuckets(
            config.plays_per_person_per_s, config.plays_burst, PEOPLE_MAX
        )

    def check_open(self, person: Person, hosts: Mapping[int, str], now_s: float) -> None:
        """UserError: *person* may not open a table now.

        Args:
            hosts: The id of its host, by number, for each open table.
        """
        limits = self._config
        if len(hosts) >= limits.all_max:
            raise UserError(texts.ALL_TABLES_TAKEN.format(limits.all_max), "full")
        most = limits.per_guest_max if person.is_guest else limits.per_person_max
        own = [number for number, host in hosts.items() if host == person.id]
        if len(own) >= most:
            tables, span = quantity(most, "table"), duration(ceil(limits.empty_s))
            numbers = ", ".join(map(str, own))
            text = texts.OWN_TABLES.format(tables, numbers, span, own[0])
            raise UserError(text, "limit", tables=own)
        self._count_opening(person, now_s)

    def _count_opening(self, person: Person, now_s: float) -> None:
        limits = self._config
        if self._openings is not None and not self._openings.try_consume(person.id, now_s):
            wait_s = limits.opened_per_person_s
            text = texts.OPENS_TOO_FAST.format(duration(ceil(wait_s)))
            raise UserError(text, "limit", wait_s=wait_s)

    def check_correspondence(
        self, person: Person, seats: int, opened: int, open_now: int, now_s: float
    ) -> None:
        """UserError: *person* may not open a table of games by correspondence now.

        Args:
            seats: At such tables, of the person.
            opened: So many of these tables the person has opened.
            open_now: So many of all people are open: no source holds those of before a start.
        """
        if open_now >= self._config.correspondence_max:
            raise UserError(texts.NO_MORE_SLOW, "full")
        self.check_seats(seats)
        if opened >= (most := self._config.correspondence_opened_max):
            raise UserError(texts.OWN_SLOW_TABLES.format(quantity(most, "table")), "limit")
        self._count_opening(person, now_s)

    def check_seats(self, seats: int) -> None:
        """UserError: nobody has more *seats* in games by correspondence."""
        if seats >= (most := self._config.correspondence_per_person_max):
            raise UserError(texts.SLOW_SEATS.format(quantity(most, "game")), "limit")

    def check_change(self, rate_limit_key: str, now_s: float) -> None:
        """UserError: too many changes at waiting tables, or of the own place."""
        if self._changes is not None and not self._changes.try_consume(rate_limit_key, now_s):
            wait_s = self._config.changed_per_person_s
            text = texts.TOO_MANY_CHANGES.format(duration(ceil(wait_s)))
            raise UserError(text, "limit", wait_s=wait_s)

    def count(self, rate_limit_key: str, now_s: float, *, is_play: bool) -> None:
        """Count a request to a table.  UserError: it is a play, and there were too many."""
        if not self._plays.try_consume(rate_limit_key, now_s) and is_play:
            metrics.BUDGET_REFUSALS.increment("decisions,person")
            wait_s = 1 / self._config.plays_per_person_per_s
            raise UserError(texts.TOO_FAST, "limit", wait_s=wait_s, may_wait=True)


def _token_buckets(span_s: float, burst: int) -> KeyedTokenBuckets | None:
    return KeyedTokenBuckets(1 / span_s, burst, PEOPLE_MAX) if span_s else None
