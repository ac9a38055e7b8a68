"""Messages about the reader's own account and session, as data for programs of protocol 2.

Rule 1: they are sent to the account alone that they are about.  What the staff reads of others
        (`sanctions`) holds what the page beside it shows to that reader.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mudserver.data_messages import AnswerId, PlayerKind, UnixMillis
from mudserver.messages import WireMessage

OrForEver = Annotated[UnixMillis | None, Meta(description="null: for ever")]


class WhoamiData(WireMessage, frozen=True, tag="whoami"):
    """The answer to `whoami`; a sentence says the same."""

    name: str
    person: Annotated[str, Meta(description="id, which never changes")]
    kind: PlayerKind
    session: Annotated[str, Meta(description="its id in the server's log; it is no secret")]
    code: Annotated[
        str | None, Meta(description="for `resume`: leads a guest back to the seat; secret")
    ]
    id: AnswerId = None


class Deletion(msgspec.Struct, frozen=True):
    """An account is about to be deleted."""

    due: UnixMillis
    is_by_staff: Annotated[bool, Meta(description="false: its owner has asked for it")]
    reason: Annotated[str, Meta(description='of the staff; "": none')]


class AccountData(WireMessage, frozen=True, tag="account"):
    """The answer to `account`; a sentence says the same."""

    name: str
    person: str
    since: UnixMillis
    role: Annotated[str, Meta(description="`player`, or what the staff calls itself")]
    is_program: Annotated[bool, Meta(description="it is declared one: `program on`")]
    deletion: Annotated[Deletion | None, Meta(description="null: the account stays")]
    id: AnswerId = None


class KeyRow(msgspec.Struct, frozen=True):
    """An SSH key of the reader's account."""

    number: Annotated[int, Meta(ge=1, description="for `keys label` and `keys remove`")]
    fingerprint: str
    kind: Annotated[str, Meta(description="`ed25519`, `rsa`, ...")]
    label: str
    added: UnixMillis
    used: Annotated[UnixMillis | None, Meta(description="the last day; null: never")]


class KeysData(WireMessage, frozen=True, tag="keys"):
    """The answer to `keys`: oldest first."""

    keys: tuple[KeyRow, ...]
    id: AnswerId = None


class SanctionRow(msgspec.Struct, frozen=True):
    """A mute or a ban that is in force."""

    number: Annotated[int, Meta(ge=1, description="to quote in an appeal")]
    kind: Literal["mute", "ban"]
    target: Annotated[str, Meta(description="whom or what it is on, as the reader may know it")]
    is_hard: Annotated[bool, Meta(description="of a network: accounts are kept out, too")]
    until: OrForEver
    reason: str
    by: Annotated[str | None, Meta(description="null: the reader is not of the staff")] = None
    note: Annotated[str | None, Meta(description="for the staff; null: the same")] = None
    report: Annotated[int | None, Meta(description="for which it was made; null: none")] = None


class SanctionsData(WireMessage, frozen=True, tag="sanctions"):
    """The answer to `sanctions`: newest first."""

    sanctions: tuple[SanctionRow, ...]
    id: AnswerId = None


class WarningRow(msgspec.Struct, frozen=True):
    """A warning of the staff to the reader."""

    number: int
    reason: str


class WarningsData(WireMessage, frozen=True, tag="warnings"):
    """The answer to `warnings`: those that were not read before, oldest first."""

    warnings: tuple[WarningRow, ...]
    id: AnswerId = None


class StaffRow(msgspec.Struct, frozen=True):
    """Somebody of the staff who is here."""

    name: str
    role: str


class StaffData(WireMessage, frozen=True, tag="staff"):
    """The answer to `staff`: by name."""

    staff: tuple[StaffRow, ...]
    id: AnswerId = None


class Display(msgspec.Struct, frozen=True):
    """What is shown on a terminal, and how."""

    name: str
    columns: int
    rows: int
    has_single_keys: Annotated[bool, Meta(description="false: it sends whole lines")]
    colours: str
    charset: str
    theme: str
    is_screen_reader: bool


class TerminalData(WireMessage, frozen=True, tag="terminal"):
    """The answer to `terminal`."""

    connection: Annotated[str, Meta(description="`ssh`, `telnet` or `telnet over TLS`")]
    display: Annotated[Display | None, Meta(description="null: a session of JSON has none")]
    id: AnswerId = None


Hour = Annotated[int, Meta(ge=0, le=23)]


class NotifyData(WireMessage, frozen=True, tag="notify"):
    """The answer to `notify`: what the reader is told outside the server, and of offered games."""

    topic: Annotated[str | None, Meta(description="null: nothing is sent")]
    events: tuple[Literal["moves", "invitations", "results"], ...]
    quiet_from: Hour
    quiet_to: Annotated[Hour, Meta(description="as `quiet_from`: no hour is quiet")]
    zone: Annotated[str, Meta(description="time zone of these hours")]
    is_on: Annotated[bool, Meta(description="false: the host sends nothing to anybody")]
    seeks: Annotated[
        tuple[str, ...], Meta(description="games: offers of these are told at a table, too")
    ] = ()
    id: AnswerId = None


BESIDE_A_SENTENCE: tuple[type[WireMessage], ...] = (WhoamiData, AccountData)
ACCOUNT_TYPES: tuple[type[WireMessage], ...] = (
    *BESIDE_A_SENTENCE,
    *(KeysData, SanctionsData, WarningsData, StaffData, TerminalData, NotifyData),
)
