"""Who owns the server is told of every change of a role.

Rule 1: the note is kept with the change, in one transaction, for everybody who is an owner before
        or after it, who acts included, and for whom it concerns.
Rule 2: it is told to those who are here, and to everybody once more at the next login: so whoever
        has stolen an owner's account does not make others owners unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.events import AccountEvent, RoleNoted, StoredRoleNote
from mudserver.accounts.roles import Role
from mudserver.clock import format_minute_in_zone
from mudserver.messages import Message, Notice, QuotedNotice
from mudserver.moderation import texts
from mudserver.moderation.events import StaffAct
from mudserver.service.account_streams import Decide

NameOf = Callable[[str, str], str]
"""As `Moderation.name`."""


def note_of(act: StaffAct, before: Role, role: Role | None) -> StoredRoleNote:
    """Args: role: None: the account is erased."""
    return StoredRoleNote(act.id, act.target, before, role, act.by, act.reason, act.at_ms)


def notes_for(
    readers: Iterable[str], note: StoredRoleNote, accounts: Accounts
) -> dict[str, Decide]:
    """What is written for each reader who is not erased meanwhile, by account id."""

    def decide_for(reader: str) -> Decide:
        noted = RoleNoted(reader, note, note.at_ms)

        def decide() -> Sequence[AccountEvent]:
            return [noted] if accounts.by_id(reader) is not None else []

        return decide

    return {reader: decide_for(reader) for reader in readers}


def role_message(note: StoredRoleNote, name_of: NameOf, zone: str) -> Message:
    """What a reader is told.  Args: zone: of the reader."""
    by, at = name_of(note.by, note.by), format_minute_in_zone(note.at_ms, zone)
    before = with_article(note.before)
    if note.role is None:
        return Notice(texts.ROLE_ERASED.format(before, by, note.number, at))
    about, role = name_of(note.about, note.about), with_article(note.role)
    head = texts.ROLE_NEWS.format(by, about, role, before, note.number, at)
    return QuotedNotice(head, by, note.reason)


def with_article(role: Role) -> str:
    return f"an {role}" if role[0] in "ao" else f"a {role}"
