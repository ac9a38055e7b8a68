"""The events of an account: the records of the streams `person/...`.

Rule 1: a field is never renamed or given another meaning; a new field has a default.  Every release
        reads the records of all earlier ones.
Rule 2: a snapshot is alone in its record and replaces all records before it: they may be removed
        (`journal/replacing.py`).  So it holds everything that a later release may need of them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from mudserver.accounts.learned import LearnedLesson
from mudserver.accounts.notify_choice import NO_NOTICES, NotifyChoice, NotifyEvent
from mudserver.accounts.played import PlayedGame, PlayedVariant
from mudserver.accounts.roles import Role

CodePurpose = Literal["key", "recover"]
ErasedWhy = Literal["asked", "inactive", "operator"]


class AccountEvent(msgspec.Struct, frozen=True):
    """Any of the events below; each has *at_ms*, UTC, and behind it the fields that came later."""

    id: str  # of the account


class AccountOpened(AccountEvent, frozen=True, tag="opened"):
    name: str
    at_ms: int
    was: str = ""  # id of the guest who registered; "": nobody was
    invite: str = ""  # SHA-256 of the invitation that was used; "": none was


class Renamed(AccountEvent, frozen=True, tag="renamed"):
    name: str
    before: str
    held_until_ms: int | None  # nobody else can have *before* until then; None: nothing is held
    by: str  # person id, or `console:UID`
    reason: str
    at_ms: int


class HoldEnded(AccountEvent, frozen=True, tag="hold ended"):
    """A former name is free again, or the account has it again."""

    key: str  # `names.claim_key` of it
    at_ms: int


class PasswordSet(AccountEvent, frozen=True, tag="password"):
    hash: str  # argon2id, PHC string
    at_ms: int


class KeyAdded(AccountEvent, frozen=True, tag="key"):
    key: str  # "ssh-ed25519 AAAA...", without a comment
    fingerprint: str  # SHA256:...
    at_ms: int
    proven: bool = False  # a signature by it was checked; so it was for one added with `opened`
    label: str = ""


class KeyProven(AccountEvent, frozen=True, tag="key proven"):
    """A login with a key that an older server took without a signature."""

    fingerprint: str
    at_ms: int


class KeyLabelled(AccountEvent, frozen=True, tag="key labelled"):
    fingerprint: str
    label: str
    at_ms: int


class KeyRemoved(AccountEvent, frozen=True, tag="key removed"):
    fingerprint: str
    at_ms: int
    by: str = ""  # person id; "": an older server, so the owner


class CodeIssued(AccountEvent, frozen=True, tag="code issued"):
    """A code that opens this account once; it replaces the live one of its purpose."""

    hash: str  # SHA-256 of the code, hexadecimal
    purpose: CodePurpose
    expires_ms: int
    fingerprint: str  # of the only key that may use it; "": any
    by: str  # person id
    at_ms: int
    label: str = ""  # of the key that it will add


class CodeEnded(AccountEvent, frozen=True, tag="code ended"):
    hash: str
    why: Literal["used", "revoked", "expired"]
    at_ms: int


class Seen(AccountEvent, frozen=True, tag="seen"):
    """A login: the first of a UTC day by the password or by this key, or after a key was added."""

    how: Literal["key", "password"]
    fingerprint: str  # of the key; "" for the password
    at_ms: int


class PreferenceSet(AccountEvent, frozen=True, tag="setting"):
    key: str
    value: str
    at_ms: int


class GamePlayed(AccountEvent, frozen=True, tag="played"):
    """A game ended in which the account had kept its seat: one transaction with its end."""

    game: PlayedGame

    @property
    def at_ms(self) -> int:
        return self.game.at_ms


class LessonReached(AccountEvent, frozen=True, tag="lesson"):
    """A step of a lesson has begun."""

    variant: str
    version: int  # of the lesson
    step: int  # from 0
    title: str  # of the step
    at_ms: int


class LessonFinished(AccountEvent, frozen=True, tag="lesson finished"):
    variant: str
    version: int
    at_ms: int


class RoleSet(AccountEvent, frozen=True, tag="role"):
    role: Role
    by: str  # person id, or `console:UID`
    reason: str
    at_ms: int


class Warned(AccountEvent, frozen=True, tag="warned"):
    """By the staff; it is shown at each login until it was read."""

    number: int  # of the act in the audit
    reason: str
    by: str
    at_ms: int
    report: int = 0  # for which it was given; 0: none


class StoredRoleNote(msgspec.Struct, frozen=True):
    """Somebody of the staff has another role, or is gone; told to whoever owns the server."""

    number: int  # of the act in the audit
    about: str  # account id
    before: Role
    role: Role | None  # None: the account is erased
    by: str  # as in the audit
    reason: str
    at_ms: int


class RoleNoted(AccountEvent, frozen=True, tag="role noted"):
    """It is shown at the next login, which ends it."""

    note: StoredRoleNote
    at_ms: int


class WarningRead(AccountEvent, frozen=True, tag="warning read"):
    number: int
    at_ms: int


class NewsSeen(AccountEvent, frozen=True, tag="news seen"):
    number: int  # the highest there was
    at_ms: int


class Ignored(AccountEvent, frozen=True, tag="ignored"):
    other: str  # account id
    name: str  # then
    at_ms: int


class Unignored(AccountEvent, frozen=True, tag="unignored"):
    other: str
    at_ms: int


class Befriended(AccountEvent, frozen=True, tag="friend"):
    other: str  # account id
    at_ms: int


class Unfriended(AccountEvent, frozen=True, tag="unfriend"):
    other: str
    at_ms: int


class ProfileSet(AccountEvent, frozen=True, tag="profile"):
    text: str  # "": nothing
    at_ms: int


class ProgramDeclared(AccountEvent, frozen=True, tag="program"):
    """Whether a program plays under this name, for everybody to see."""

    is_on: bool
    at_ms: int


class NotifySet(AccountEvent, frozen=True, tag="notify"):
    """What is told outside the server, and of offered games; all of it, each time."""

    topic: str
    events: tuple[NotifyEvent, ...]
    quiet_from: int
    quiet_to: int
    zone: str
    at_ms: int
    seeks: tuple[str, ...] = ()  # games; of these offers are told at a table, too


class DeletionAsked(AccountEvent, frozen=True, tag="deletion asked"):
    """The account is erased when it is due, unless that is taken back before."""

    due_ms: int
    by: str  # person id, or `console:UID`
    reason: str  # of the staff; "": its owner asked
    at_ms: int


class DeletionWithdrawn(AccountEvent, frozen=True, tag="deletion withdrawn"):
    by: str
    at_ms: int


class Erased(AccountEvent, frozen=True, tag="erased"):
    """Closes the stream, and replaces all that is before it."""

    held: tuple[tuple[str, int], ...]
    """`names.claim_key` of names that nobody else can have, and until when."""
    why: ErasedWhy
    at_ms: int


class StoredDeletion(msgspec.Struct, frozen=True):
    """A deletion that was asked for, in a snapshot."""

    due_ms: int
    by: str
    reason: str


class ChannelSet(AccountEvent, frozen=True, tag="channel"):
    """The account has joined a channel, or has left it."""

    channel: str
    is_on: bool
    at_ms: int


class StoredWarning(msgspec.Struct, frozen=True):
    """A warning in a snapshot."""

    number: int
    reason: str
    at_ms: int
    is_read: bool = False
    report: int = 0


class StoredKey(msgspec.Struct, frozen=True, gc=False):
    """A key in a snapshot."""

    key: str
    fingerprint: str
    added_ms: int
    proven: bool = False
    label: str = ""
    used_ms: int = 0  # of the last `seen` with it


class StoredCode(msgspec.Struct, frozen=True):
    """A code in a snapshot, live or not yet known to have expired."""

    hash: str
    purpose: CodePurpose
    expires_ms: int
    fingerprint: str = ""
    label: str = ""


class StoredHold(msgspec.Struct, frozen=True):
    """A former name that nobody else can have, in a snapshot."""

    name: str
    until_ms: int
    by: str  # who took it away: the account itself, or one of the staff


class StoredAccount(msgspec.Struct, frozen=True):
    """A whole account in a snapshot."""

    name: str
    opened_ms: int
    password_hash: str | None
    keys: tuple[StoredKey, ...]  # oldest first
    preferences: dict[str, str]
    codes: tuple[StoredCode, ...] = ()  # at most one of each purpose
    issued_ms: dict[CodePurpose, tuple[int, ...]] = {}  # when the last few codes were issued
    seen_ms: int = 0  # of the last `seen`
    password_used_ms: int = 0  # of the last `seen` with the password
    played: dict[str, PlayedVariant] = {}  # by variant
    last_games: tuple[PlayedGame, ...] = ()  # oldest first
    games_on_day: tuple[int, int] = (0, 0)  # (UTC day since 1970, games), of the last `played`
    lessons: dict[str, LearnedLesson] = {}  # by variant
    lessons_on_day: tuple[int, int] = (0, 0)  # (UTC day, events), of the last of lessons
    role: Role = "player"
    warnings: tuple[StoredWarning, ...] = ()  # the last few, oldest first
    news_seen: int = 0  # the highest number that the person has seen
    ignored: dict[str, str] = {}  # names by account id
    friends: tuple[str, ...] = ()  # account ids
    profile: str = ""
    was: str = ""  # id of the guest who registered
    held: dict[str, StoredHold] = {}  # by `names.claim_key`
    renamed_ms: int = 0  # when its owner last changed the name
    given_ms: int = 0  # when the staff last gave it a name
    given_reason: str = ""
    deletion: StoredDeletion | None = None  # None: nobody has asked for it
    channels: dict[str, bool] = {}  # those that were joined, or left, by name
    invite: str = ""  # SHA-256 of the invitation that was used
    is_program: bool = False  # declared
    role_notes: tuple[StoredRoleNote, ...] = ()  # since the last login, oldest first
    notify: NotifyChoice = NO_NOTICES


class AccountSnapshot(AccountEvent, frozen=True, tag="snapshot"):
    account: StoredAccount
    at_ms: int
