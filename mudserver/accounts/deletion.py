"""Deleting accounts: who may ask for it and take it back, which are inactive, what is left.

Rule 1: a decision returns events or raises UserError, and changes nothing.
Rule 2: what the staff asked only the staff takes back, what the owner asked only the owner.
Rule 3: a name is held for an account that has finished a game, so that nobody plays under the name
        of somebody whom others knew.  Of another account nothing is held.
"""

from __future__ import annotations

from mudserver.accounts import names, texts
from mudserver.accounts.account import DAY_MS, Account
from mudserver.accounts.events import (
    AccountEvent,
    DeletionAsked,
    DeletionWithdrawn,
    Erased,
    ErasedWhy,
)
from mudserver.errors import UserError


def ask(account: Account, due_ms: int, by: str, reason: str, at_ms: int) -> list[AccountEvent]:
    """The account will be deleted.  UserError: it will be, already.

    Args:
        by: Its owner, or who of the staff asks; that replaces what the owner has asked.
    """
    asked = account.deletion
    if asked is not None and (by == account.id or asked.by != account.id):
        raise UserError(texts.DELETED_ALREADY.format(account.name))
    return [DeletionAsked(account.id, due_ms, by, reason, at_ms)]


def withdraw(account: Account, by: str, at_ms: int) -> list[AccountEvent]:
    """The account stays.  UserError: nobody has asked to delete it, or not *by* [rule 2]."""
    asked = account.deletion
    if asked is None:
        raise UserError(texts.NO_DELETION.format(account.name))
    if by == account.id != asked.by:
        raise UserError(texts.ASKED_BY_STAFF)
    if asked.by == account.id != by:
        raise UserError(texts.ASKED_BY_OWNER.format(account.name))
    return [DeletionWithdrawn(account.id, by, at_ms)]


def erase(
    account: Account, held_ms: int, why: ErasedWhy, at_ms: int, *, is_shared: bool
) -> list[AccountEvent]:
    """Nothing is left but the hashes of names that nobody else can have for *held_ms* [rule 3].

    Args:
        is_shared: Another account of an old journal has a name that looks the same.
    """
    held: dict[str, int] = {}
    if account.played and held_ms > 0:
        held = {key: hold.until_ms for key, hold in account.held.items()}
        if not is_shared:
            held[names.claim_key(account.name)] = at_ms + held_ms
    return [Erased(account.id, tuple(held.items()), why, at_ms)]


def is_inactive(
    account: Account, keep_days: int, keep_unused_days: int, noted_ms: int, now_ms: int
) -> bool:
    """Whether nobody has used the account for so long that it goes.

    Args:
        keep_days: Since the last login or game; 0: for ever.
        keep_unused_days: The same where nobody came back after the first day and no game was
            finished; 0: for ever.
        noted_ms: Since when this server notes logins: an older account counts from then.
    """
    begins_ms = max(account.opened_ms, noted_ms)
    games_ms = [game.at_ms for game in account.last_games]
    used_ms = max(begins_ms, account.seen_ms, *games_ms)
    if keep_days and now_ms - used_ms >= keep_days * DAY_MS:
        return True
    was_back = account.seen_ms - account.opened_ms >= DAY_MS
    is_unused = not (account.played or was_back)
    return bool(keep_unused_days) and is_unused and now_ms - begins_ms >= keep_unused_days * DAY_MS
