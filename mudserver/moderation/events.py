"""The events of keeping order: the records of `sanction/N`, `report/N`, `audit/YYYYMM`, `site/1`.

Rule 1: a field is never renamed or given another meaning; a new field has a default.  Every release
        reads the records of all earlier ones.
Rule 2: `by` is the id of a person, `console:UID` for who administers the machine, or `server`.
Rule 3: addresses stand in sanctions of networks and guests, and in no other record.
Rule 4: times are UTC in ms.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from mudserver.accounts.roles import Role

SanctionKind = Literal["mute", "ban"]
TargetKind = Literal["account", "guest", "key", "network"]
Outcome = Literal["none", "warned", "sanctioned"]
RegistrationMode = Literal["open", "invite", "closed"]
SERVER = "server"  # who acts where nobody does


class StaffEvent(msgspec.Struct, frozen=True):
    """Any of the events below."""


# -- sanction/N: N is the number of the act that made it -------------------------------------------


class SanctionSet(StaffEvent, frozen=True, tag="set"):
    kind: SanctionKind
    target_kind: TargetKind
    target: str  # account id, source of a guest (or its id: `is_shared`), network, fingerprint
    until_ms: int | None  # None: for ever
    reason: str
    by: str
    by_role: Role
    at_ms: int
    fingerprints: tuple[str, ...] = ()  # keys of the account that may open nothing, either
    is_hard: bool = False  # of a network: accounts may not come in, either
    is_kick: bool = False  # a short ban, which the next one replaces
    name: str = ""  # of the person, then
    note: str = ""  # for the staff alone
    seats: tuple[str, ...] = ()  # ids of people who were at a table and have to leave it
    report: int = 0  # for which it was made; 0: none


class SanctionChanged(StaffEvent, frozen=True, tag="changed"):
    until_ms: int | None
    reason: str
    by: str
    at_ms: int


class SanctionEnded(StaffEvent, frozen=True, tag="ended"):
    """Closes the stream."""

    why: Literal["lifted", "expired", "replaced"]
    by: str
    reason: str
    at_ms: int


# -- report/N --------------------------------------------------------------------------------------


class EvidenceLine(msgspec.Struct, frozen=True):
    at_ms: int
    place: str  # `lobby`, `table 3`, `tell`
    text: str


class ReportFiled(StaffEvent, frozen=True, tag="filed"):
    reporter: str  # id
    reporter_name: str
    accused: str  # id
    accused_name: str
    place: str
    reason: str
    evidence: tuple[EvidenceLine, ...]
    at_ms: int


class ReportTaken(StaffEvent, frozen=True, tag="taken"):
    by: str
    at_ms: int


class ReportDecided(StaffEvent, frozen=True, tag="decided"):
    """Closes the stream."""

    by: str
    outcome: Outcome
    note: str
    at_ms: int
    sanction: int = 0  # what was made for it; 0: none


# -- audit/YYYYMM ----------------------------------------------------------------------------------


class StaffAct(StaffEvent, frozen=True, tag="act"):
    """What somebody of the staff did or was refused.  Numbers count on through the months."""

    id: int
    by: str
    role: Role
    verb: str
    target: str  # an id, a table, `#18`; never a name alone
    arguments: str
    reason: str
    outcome: str  # `done`, `refused`
    at_ms: int
    report: int = 0  # it is on whom this report is about, which the actor had taken; 0: none


class MonthEnded(StaffEvent, frozen=True, tag="month ended"):
    """Closes the stream: the acts go on in the next."""

    at_ms: int


# -- site/1 ----------------------------------------------------------------------------------------


class RegistrationSet(StaffEvent, frozen=True, tag="registration"):
    mode: RegistrationMode
    by: str
    at_ms: int


class GuestsSet(StaffEvent, frozen=True, tag="guests"):
    is_on: bool
    by: str
    at_ms: int


class InviteIssued(StaffEvent, frozen=True, tag="invite"):
    hash: str  # SHA-256 of the code, hexadecimal
    uses: int
    expires_ms: int
    by: str
    at_ms: int
    number: int = 0  # of the act in the audit; 0: not kept by older servers


class InviteRevoked(StaffEvent, frozen=True, tag="invite revoked"):
    hash: str
    by: str
    at_ms: int


class InviteUsed(StaffEvent, frozen=True, tag="invite used"):
    hash: str
    account: str
    at_ms: int


class NewsItem(msgspec.Struct, frozen=True):
    number: int
    title: str
    rows: tuple[str, ...]
    at_ms: int


class MotdSet(StaffEvent, frozen=True, tag="motd"):
    """The message of the day."""

    rows: tuple[str, ...]  # empty: there is none
    by: str
    at_ms: int


class NewsAdded(StaffEvent, frozen=True, tag="news"):
    item: NewsItem
    by: str
    at_ms: int


class NewsRemoved(StaffEvent, frozen=True, tag="news removed"):
    number: int
    by: str
    at_ms: int


class OwnersSet(StaffEvent, frozen=True, tag="owners"):
    """Who owns the server from now on: in one transaction with each change of it."""

    ids: tuple[str, ...]
    at_ms: int


class LoginsNoted(StaffEvent, frozen=True, tag="logins noted"):
    """Since when it is known who has logged in: nobody counts as inactive before."""

    at_ms: int


class SiteSnapshot(StaffEvent, frozen=True, tag="snapshot"):
    """Replaces all records before its own; events behind it in the same record go on from it."""

    registration: RegistrationMode | None
    has_guests: bool | None
    invites: dict[str, tuple[int, int]]  # by hash: uses that are left, end
    motd: tuple[str, ...] = ()  # rows
    news: tuple[NewsItem, ...] = ()  # oldest first
    last_news: int = 0  # the highest number so far
    owners: tuple[str, ...] | None = None
    logins_noted_ms: int | None = None
    invite_numbers: dict[str, int] = {}  # by hash: of the act in the audit


CLOSING = (SanctionEnded, ReportDecided, MonthEnded)
"""What ends its stream."""
