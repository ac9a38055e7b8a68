"""Invitations to tables: how many one person may send, and which one an answer means.

Rule 1: the tables keep the invitations; here are the limits of people and the time of endings.
Rule 2: `accept` alone takes nothing that is younger than three seconds, and nothing within three
        seconds of the end of another one: nobody agrees to what has just taken its place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from mudserver.errors import UserError
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.tables.summary import InvitationSummary
from variants.kit.text import join_words, quantity

INVITATIONS_MAX, INVITATIONS_S = 10, 600.0  # of one account in this time
OPEN_TO_ONE_MAX = 2  # from one account to the same person
SETTLE_MS = 3_000  # to read what is open now
PEOPLE_MAX = 10_000  # remembered
ANSWERS_MAX = 5  # named in one sentence


class Invitations:
    def __init__(self) -> None:
        self._buckets = KeyedTokenBuckets(
            INVITATIONS_MAX / INVITATIONS_S, INVITATIONS_MAX, PEOPLE_MAX
        )
        self._seen: OrderedDict[str, tuple[frozenset[int], int]] = OrderedDict()

    def check(
        self, person: str, name: str, theirs: Sequence[InvitationSummary], now_s: float
    ) -> None:
        """UserError: *person* may not invite somebody now.

        Args:
            name: Of that somebody, with the open invitations *theirs*.
        """
        if sum(each.by == person for each in theirs) >= OPEN_TO_ONE_MAX:
            raise UserError(f"{name} has not answered your last invitations yet.", "limit")
        if not self._buckets.try_consume(person, now_s):
            raise UserError(
                f"You can send {INVITATIONS_MAX} invitations in 10 min. Please wait a minute.",
                "limit",
            )

    def note(self, person: str, open_now: Sequence[InvitationSummary], now_ms: int) -> None:
        """Remember which are open, and when the last one ended."""
        tables = frozenset(each.table for each in open_now)
        before, ended_ms = self._seen.get(person, (tables, 0))
        if before - tables:
            ended_ms = now_ms
        self._seen[person] = tables, ended_ms
        self._seen.move_to_end(person)
        if len(self._seen) > PEOPLE_MAX:
            self._seen.popitem(last=False)

    def chosen(
        self,
        person: str,
        name: str | None,
        open_now: Sequence[InvitationSummary],
        now_ms: int,
    ) -> InvitationSummary:
        """The invitation that an answer means.

        Raises:
            UserError: There is none, there are several, or it is too new to have been read.
        """
        self.note(person, open_now, now_ms)
        if not open_now:
            raise UserError(
                "Nobody has invited you. Type tables to find a seat, or play.", "not_found"
            )
        if name is not None:
            for each in open_now:
                if each.by_name.casefold() == name.casefold():
                    return each
            raise UserError(f'"{name}" has not invited you. Type {answers(open_now)}', "not_found")
        if len(open_now) > 1:
            count = quantity(len(open_now), "invitation")
            raise UserError(f"You have {count}: {answers(open_now)}", "ambiguous")
        newest, (_, ended_ms) = open_now[0], self._seen[person]
        if now_ms - max(newest.since_ms, ended_ms) < SETTLE_MS:
            raise UserError(
                f"{newest.by_name} invites you to table {newest.table} ({newest.variant}). "
                f"Type {answers(open_now)}",
                "stale",
            )
        return newest


def answers(open_now: Sequence[InvitationSummary]) -> str:
    """What accepts each of them: `accept ann or accept bob`; not of too many."""
    names = list(dict.fromkeys(each.by_name for each in open_now))[:ANSWERS_MAX]
    return join_words([f"accept {name}" for name in names], "or")
