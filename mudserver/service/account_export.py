"""The data of an account as one JSON document, for its owner.

Rule 1: it holds what is kept of the account and what concerns it; no hash of a password, no note of
        the staff, no report of others, and of games only those that are over.
Rule 2: keys are documented in `docs/privacy.md` and only added to.  Times are UTC.
Rule 3: it is made in pieces of PIECE records, so that nobody waits for it; an owner gets it once an
        hour.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from typing import Any, TypeVar

from mudserver.accounts.account import Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.person import Person
from mudserver.clock import Clock, format_instant
from mudserver.errors import UserError
from mudserver.journal import Row
from mudserver.moderation.sanctions import Sanction
from mudserver.rate_limit import KeyedTokenBuckets
from mudserver.results.queries import results_of
from mudserver.results.rows import SUBSTITUTES_AT
from mudserver.service import texts
from mudserver.service.mail_streams import MailStreams
from mudserver.service.result_streams import ResultStreams
from mudserver.service.staff_streams import StaffStreams

FORMAT = 1
PIECE = 100  # records in one turn of the loop
EVERY_S = 3_600
COUNTED_MAX = 10_000  # accounts that had theirs lately

T = TypeVar("T")
Document = dict[str, Any]


class AccountExport:
    def __init__(
        self,
        clock: Clock,
        accounts: Accounts,
        mail: MailStreams,
        staff: StaffStreams,
        results: ResultStreams,
    ) -> None:
        self._clock, self._accounts, self._mail, self._staff = clock, accounts, mail, staff
        self._results = results
        self._taken = KeyedTokenBuckets(1 / EVERY_S, 1, COUNTED_MAX)

    async def own_text(self, person: Person) -> str:
        """The document, as its owner gets it.  UserError: there is none, or none yet."""
        account = self._account(person.id)
        if not self._taken.try_consume(account.id, self._clock.monotonic()):
            raise UserError(texts.EXPORTED_LATELY, "limit")
        return json.dumps(await self.document(account.id), indent=2)

    async def document(self, account_id: str) -> Document:
        """UserError: there is no such account.  JournalWriteError: it cannot be read now."""
        account, now_ms = self._account(account_id), self._clock.now_ms()
        return {
            "format": FORMAT,
            "at": _time(now_ms),
            "account": _account(account),
            "keys": [
                {"key": key.key, "fingerprint": key.fingerprint, "label": key.label,
                 "added": _time(key.added_ms), "last_used": _time(key.used_ms)}
                for key in account.keys
            ],
            "settings": dict(account.preferences),
            "profile": account.profile,
            "is_program": account.is_program,
            "notify": {
                "topic": account.notify.topic, "events": list(account.notify.events),
                "quiet_from": account.notify.quiet_from, "quiet_to": account.notify.quiet_to,
                "zone": account.notify.zone, "seeks": list(account.notify.seeks),
            },
            "friends": [self._person(each) for each in account.friends],
            "ignored": [self._person(each, name) for each, name in account.ignored.items()],
            "channels": dict(account.channels),
            "mail": [
                {"from": self._person(mail.sender, mail.sender_name), "text": mail.text,
                 "at": _time(mail.at_ms), "read": _time(mail.read_ms)}
                for mail in self._mail.box(account.id)
            ],
            "warnings": [
                {"id": it.number, "reason": it.reason, "at": _time(it.at_ms), "is_read": it.is_read}
                for it in account.warnings
            ],
            "sanctions": [
                {"id": it.number, "kind": it.kind, "reason": it.reason, "at": _time(it.at_ms),
                 "until": _time(it.until_ms), "is_in_force": it.is_in_force(now_ms)}
                async for it in _in_pieces(self._staff.sanctions)
                if _concerns(it, account)
            ],
            "reports_filed": [
                {"id": it.number, "about": self._person(it.filed.accused, it.filed.accused_name),
                 "place": it.filed.place, "reason": it.filed.reason, "at": _time(it.filed.at_ms)}
                async for it in _in_pieces(self._staff.reports)
                if it.filed.reporter == account.id
            ],
            "games": [
                {"table": game.table, "game": game.game, "variant": game.variant,
                 "place": game.place, "at": _time(game.at_ms)}
                for game in account.last_games
            ],
            "results": [
                {"number": number, "variant": variant,
                 "seat": int(seat or 0) % SUBSTITUTES_AT, "place": place,
                 "score": score, "seats": seats, "fate": fate, "at": _time(int(ended_ms or 0))}
                async for number, variant, seat, place, score, seats, fate, ended_ms
                in self._recorded(account.id)
            ],
        }  # fmt: skip

    async def _recorded(self, account_id: str) -> AsyncIterator[Row]:
        after = 0
        while rows := await self._results.look_up(*results_of(account_id, after, PIECE)):
            for row in rows:
                yield row
            after = int(rows[-1][0] or 0)

    def _account(self, account_id: str) -> Account:
        account = self._accounts.by_id(account_id)
        if account is None:
            raise UserError(texts.NO_ACCOUNT_TO_EXPORT)
        return account

    def _person(self, person_id: str, otherwise: str = FORMER_PLAYER) -> Document:
        return {"id": person_id, "name": self._accounts.name_of(person_id, otherwise)}


def _account(account: Account) -> Document:
    return {
        "id": account.id,
        "name": account.name,
        "role": account.role,
        "registered": _time(account.opened_ms),
        "last_login": _time(account.seen_ms),
        "has_password": account.password_hash is not None,
        "former_names": [hold.name for hold in account.held.values()],
        "deleted_at": _time(account.deletion.due_ms) if account.deletion is not None else None,
        "games_finished": {name: it.finished for name, it in account.played.items()},
        "lessons": {name: it.is_finished for name, it in account.lessons.items()},
    }


def _concerns(sanction: Sanction, account: Account) -> bool:
    kind, target = sanction.target_kind, sanction.target
    return (
        target == account.id
        if kind == "account"
        else kind == "key" and target in account.fingerprints
    )


def _time(at_ms: int | None) -> str | None:
    """None: never, or for ever."""
    return format_instant(at_ms / 1000) if at_ms else None


async def _in_pieces(records: Iterable[T]) -> AsyncIterator[T]:
    for number, record in enumerate(records, 1):
        yield record
        if number % PIECE == 0:
            await asyncio.sleep(0)
