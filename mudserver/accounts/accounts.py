"""All accounts: a fold over events, and the decisions that lead to new events.

Rule 1: `Accounts.apply` accepts every event, and is the only method that changes anything.
Rule 2: a decision (`open_account`, `add_key`, ...) returns events or raises UserError, and changes
        nothing.  The caller writes the events to the journal before it applies them.
Rule 3: a name that somebody has, or that is held for whoever had it, is not free, nor is one that
        looks like it.
Rule 4: a key is added with a proof that its owner wants it: it opens a new account, or was signed
        with under a code of the account.  So it excludes nobody: it may open several accounts.
Rule 5: an account always keeps one way to log in.
Rule 6: a snapshot makes the account that the events before it have made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Literal

from msgspec.structs import replace

from mudserver.accounts import codes, names, texts
from mudserver.accounts.account import DAY_MS, NO_GAMES, NO_LESSONS, Account
from mudserver.accounts.events import (
    AccountEvent,
    AccountOpened,
    AccountSnapshot,
    Befriended,
    ChannelSet,
    CodeEnded,
    CodeIssued,
    CodePurpose,
    Erased,
    GamePlayed,
    HoldEnded,
    Ignored,
    KeyAdded,
    KeyLabelled,
    KeyProven,
    KeyRemoved,
    LessonFinished,
    LessonReached,
    NewsSeen,
    NotifySet,
    PasswordSet,
    PreferenceSet,
    ProfileSet,
    ProgramDeclared,
    Renamed,
    RoleSet,
    Seen,
    StoredAccount,
    StoredCode,
    StoredKey,
    Unfriended,
    Unignored,
    WarningRead,
)
from mudserver.accounts.former import FORMER_PLAYER, FormerAccounts, is_account_id
from mudserver.accounts.learned import LESSON_EVENTS_PER_DAY_MAX, LearnedLesson
from mudserver.accounts.name_index import NameIndex
from mudserver.accounts.notify_choice import NotifyChoice
from mudserver.accounts.person import Person
from mudserver.accounts.played import (
    NEVER_PLAYED,
    PER_DAY_MAX,
    PlayedGame,
    PlayedVariant,
    decided,
)
from mudserver.accounts.preferences import DEFAULT_VALUE, PREFERENCES, check_preference
from mudserver.accounts.roles import STAFF, Role
from mudserver.accounts.ssh_keys import check_label, parse_public_key
from mudserver.errors import UserError
from variants.kit.text import quantity

KEYS_MAX = 16  # of one account
ACCOUNTS_PER_KEY_MAX = 5
NEW_KEY_MS = 7 * DAY_MS  # how long a login tells of a key that was added
IGNORED_MAX, FRIENDS_MAX = 200, 100  # people, of one account
PROFILE_CHARS_MAX = 240
HELD_MAX = 32  # former names of one account


class Accounts:
    """Args: name_rules: what new names must fulfil; an account that exists keeps its name."""

    def __init__(self, name_rules: names.NameRules | None = None) -> None:
        self.name_rules = name_rules or names.NameRules()
        self._by_id: dict[str, Account] = {}
        self._names = NameIndex()
        self._by_guest: dict[str, Account] = {}  # by the id of the guest who registered
        # By fingerprint, oldest first; most keys open one account, which is kept without a tuple.
        self._by_proven_key: dict[str, Account | tuple[Account, ...]] = {}
        self.accounts_per_key_max = ACCOUNTS_PER_KEY_MAX
        self._staff: dict[str, Account] = {}  # by id
        self.former_accounts = FormerAccounts()
        self.newcomers: dict[str, PlayedVariant] = {}  # sums of the early games, by variant

    def __len__(self) -> int:
        return len(self._by_id)

    # -- reading -------------------------------------------------------------------------------

    def find(self, name: str) -> Account | None:
        """The account called *name*, in any case of letters; not one that only looks like it."""
        return self._names.find(name)

    def former(self, name: str) -> Account | None:
        """The account that was called *name*, while nobody else can have that."""
        return self._names.former(name)

    def owner_of(self, name: str) -> Account | None:
        """The account that somebody of this name logs in to, also by a former name."""
        return self._names.find(name) or self._names.former(name)

    def name_given(self, account_id: str) -> str:
        """Why the staff has given another name since the last login; "": it has not."""
        account = self._by_id.get(account_id)
        if account is None or account.given_ms <= account.seen_ms:
            return ""
        return account.given_reason

    def held_names(self) -> list[tuple[str, str]]:
        """The names that are held: `names.claim_key` of each, and the account's id."""
        held = [(key, account.id) for key, account in self._names.holders()]
        return [*held, *self.former_accounts.holders()]

    def held_too_long(self, now_ms: int) -> list[tuple[Account, str]]:
        """The former names whose time is over: the account, and `names.claim_key` of the name."""
        return self._names.over(now_ms)

    def present_person(self, person_id: str) -> Person | None:
        """Who a person is now: the account of that id, or that a guest has registered, or a former
        player."""
        account = self._by_id.get(person_id) or self._by_guest.get(person_id)
        if account is not None:
            return account.person
        is_former = is_account_id(person_id)
        return Person(person_id, FORMER_PLAYER, is_guest=False) if is_former else None

    def by_id(self, account_id: str) -> Account | None:
        return self._by_id.get(account_id)

    def name_of(self, person_id: str, otherwise: str) -> str:
        """The name of an account, or `former player`; of anybody else *otherwise*."""
        account = self._by_id.get(person_id)
        if account is not None:
            return account.name
        return FORMER_PLAYER if is_account_id(person_id) else otherwise

    def has_key(self, account_id: str, fingerprint: str) -> bool:
        account = self._by_id.get(account_id)
        return account is not None and account.key(fingerprint) is not None

    def opened_by(self, fingerprint: str) -> tuple[Account, ...]:
        """The accounts that the key has been proven to open, oldest first."""
        found = self._by_proven_key.get(fingerprint, ())
        return (found,) if isinstance(found, Account) else found

    def after(self, number: int, count: int) -> list[Account]:
        """The first *count* accounts with a higher number, by number."""
        later = ((int(each[1:]), each) for each in self._by_id)
        numbers = nsmallest(count, (it for it in later if it[0] > number))
        return [self._by_id[account_id] for _, account_id in numbers]

    def all(self) -> list[Account]:
        return list(self._by_id.values())

    def staff(self) -> list[Account]:
        """The accounts with a role."""
        return list(self._staff.values())

    def live_code(
        self, name: str, purpose: CodePurpose, code: str, now_ms: int
    ) -> tuple[Account, StoredCode] | None:
        """The account called *name* and its live code that *code* is; None: there is none."""
        account = self.find(name)
        stored = codes.live_code(account.codes if account else {}, purpose, code, now_ms)
        return (account, stored) if account is not None and stored is not None else None

    def preference(self, account_id: str, key: str) -> str:
        """The value the account chose, or the default."""
        chosen = self.own_preference(account_id, key)
        return chosen if chosen is not None else PREFERENCES[key].default

    def own_preference(self, account_id: str, key: str) -> str | None:
        account = self._by_id.get(account_id)
        return account.preferences.get(key) if account is not None else None

    def played(self, account_id: str, variant: str) -> PlayedVariant:
        account = self._by_id.get(account_id)
        return NEVER_PLAYED if account is None else account.played.get(variant, NEVER_PLAYED)

    def last_variant(self, account_id: str) -> str:
        """The variant of the account's last finished game; "": there was none."""
        account = self._by_id.get(account_id)
        return account.last_games[-1].variant if account and account.last_games else ""

    # -- decisions -----------------------------------------------------------------------------

    def check_name_free(self, name: str, own: Account | None = None) -> None:
        """UserError: the name is not free, and why.  Args: own: the account that will have it."""
        name = names.normalise(name)
        if self.find(name) not in (None, own):
            raise UserError(texts.NAME_TAKEN.format(name))
        self.name_rules.check(name)
        if others := [it for it in self._names.alike(name) if it is not own]:
            raise UserError(texts.NAME_TOO_SIMILAR.format(name, others[0].name))
        if self._names.holder(name) not in (None, own) or self.former_accounts.holds(name):
            raise UserError(texts.NAME_TAKEN.format(name))

    def open_account(
        self, account_id: str, name: str, at_ms: int, was: str = "", invite: str = ""
    ) -> list[AccountEvent]:
        """A new account; a password or a key must go into the same record.

        Args:
            was: The id of the guest who registers.
            invite: SHA-256 of the invitation that is used; "": none is.
        """
        self.check_name_free(name)
        assert account_id not in self._by_id, account_id
        if was in self._by_guest:
            raise UserError(texts.NAME_BEING_TAKEN.format(name), "busy")
        return [AccountOpened(account_id, names.normalise(name), at_ms, was, invite)]

    def rename(
        self, account_id: str, name: str, at_ms: int, *, by: str, reason: str, held_ms: int
    ) -> list[AccountEvent]:
        """Another name.  Nobody else can have the one before for *held_ms*.

        UserError: it is not free, or who took it away was not the account itself.
        """
        account, name = self._by_id[account_id], names.normalise(name)
        if name == account.name:
            raise UserError(texts.NAME_IS_SAME.format(name))
        self.check_name_free(name, account)
        key, key_before = names.claim_key(name), names.claim_key(account.name)
        back = account.held.get(key)
        if back is not None and back.by != account_id == by:
            raise UserError(texts.NAME_TAKEN_AWAY.format(name))
        others = [it for it in self._names.alike(account.name) if it is not account]
        is_held = held_ms > 0 and key != key_before and not others
        if is_held and len(account.held) - (back is not None) >= HELD_MAX:
            raise UserError(texts.NAMES_ARE_MANY.format(account.name, HELD_MAX), "limit")
        until_ms = at_ms + held_ms if is_held else None
        ended = [] if back is None else [HoldEnded(account_id, key, at_ms)]
        return [*ended, Renamed(account_id, name, account.name, until_ms, by, reason, at_ms)]

    def check_may_rename(self, account_id: str, rename_ms: int, now_ms: int) -> None:
        """UserError: the account has changed its name within the last *rename_ms*."""
        account = self._by_id[account_id]
        wait_ms = account.renamed_ms + rename_ms - now_ms
        if account.renamed_ms and wait_ms > 0:
            raise UserError(
                texts.RENAMED_LATELY.format(quantity(-(-wait_ms // DAY_MS), "day")), "limit"
            )

    def end_hold(self, account_id: str, key: str, at_ms: int) -> list[AccountEvent]:
        """A former name is free again; no event if it is not held, or not for long enough."""
        hold = self._by_id[account_id].held.get(key)
        is_over = hold is not None and hold.until_ms <= at_ms
        return [HoldEnded(account_id, key, at_ms)] if is_over else []

    def first_key(self, account_id: str, key: str, at_ms: int) -> list[AccountEvent]:
        """The first key of an account that is being created by its owner's signature."""
        key, fingerprint = parse_public_key(key)
        self.check_opens_nothing(fingerprint)
        return [KeyAdded(account_id, key, fingerprint, at_ms, proven=True)]

    def check_opens_nothing(self, fingerprint: str) -> None:
        """UserError: the key opens an account, so its owner hardly wants another one."""
        if accounts := self.opened_by(fingerprint):
            raise UserError(texts.KEY_HAS_ACCOUNT.format(name=accounts[0].name))

    def issue_key_code(
        self, account_id: str, code: str, expires_ms: int, key: str, label: str, at_ms: int
    ) -> list[AccountEvent]:
        """A code under which a key is added.

        Args:
            key: The only one that may be, as a line; "": any.
            label: What its owner will call it; "": nothing.
        """
        account = self._by_id[account_id]
        fingerprint = parse_public_key(key)[1] if key else ""
        self._check_key_wanted(account, fingerprint)
        codes.check_rate(account.issued_ms.get("key", ()), at_ms)
        issued = CodeIssued(
            account_id, codes.hash_code(code), "key", expires_ms, fingerprint, account_id, at_ms,
            check_label(label) if label else "",
        )  # fmt: skip
        return [*_ended(account, "key", at_ms), issued]

    def issue_recovery_code(
        self, account_id: str, code: str, expires_ms: int, by: str, at_ms: int
    ) -> list[AccountEvent]:
        """A code under which its owner comes back in; by whom of the staff."""
        account = self._by_id[account_id]
        too_many = texts.TOO_MANY_RECOVERY_CODES.format(account.name)
        codes.check_rate(account.issued_ms.get("recover", ()), at_ms, too_many)
        hashed = codes.hash_code(code)
        issued = CodeIssued(account_id, hashed, "recover", expires_ms, "", by, at_ms)
        return [*_ended(account, "recover", at_ms), issued]

    def recover(
        self, name: str, code: str, at_ms: int, *, hashed: str, key: str, keeps_keys: bool
    ) -> list[AccountEvent]:
        """Use a recovery code: a new password, a new key, or both; all codes have ended.

        Args:
            hashed: Of the new password; "": the old one stays.
            key: One that was signed with; "": none is added.
        """
        if (found := self.live_code(name, "recover", code, at_ms)) is None:
            raise UserError(texts.CODE_NOT_VALID, "not_found")
        account, issued = found
        decided: list[AccountEvent] = [
            CodeEnded(account.id, it.hash, "used" if it is issued else "revoked", at_ms)
            for it in account.codes.values()
        ]
        if not keeps_keys:
            own = parse_public_key(key)[1] if key else ""
            gone = [each for each in account.fingerprints if each != own]
            decided += [KeyRemoved(account.id, each, at_ms, by=account.id) for each in gone]
        if hashed:
            decided.append(PasswordSet(account.id, hashed, at_ms))
        if key:
            decided.append(self._added(account, key, "", at_ms))
        return decided

    def add_key(self, name: str, code: str, key: str, at_ms: int) -> list[AccountEvent]:
        """Add the key, which was signed with, to the account called *name*; the code has ended."""
        if (found := self.live_code(name, "key", code, at_ms)) is None:
            raise UserError(texts.CODE_NOT_VALID, "not_found")
        account, issued = found
        if issued.fingerprint not in ("", parse_public_key(key)[1]):
            raise UserError(texts.CODE_OF_OTHER_KEY)
        added = self._added(account, key, issued.label, at_ms)
        return [added, CodeEnded(account.id, issued.hash, "used", at_ms)]

    def _added(self, account: Account, key: str, label: str, at_ms: int) -> AccountEvent:
        """A key that was signed with becomes one of the account.  UserError: it cannot."""
        key, fingerprint = parse_public_key(key)
        self._check_key_wanted(account, fingerprint)
        if len(self.opened_by(fingerprint)) >= self.accounts_per_key_max:
            most = quantity(self.accounts_per_key_max, "account")
            raise UserError(texts.KEY_HAS_TOO_MANY.format(most), "limit")
        if account.key(fingerprint):
            return KeyProven(account.id, fingerprint, at_ms)
        return KeyAdded(account.id, key, fingerprint, at_ms, proven=True, label=label)

    def prove_key(self, account_id: str, fingerprint: str, at_ms: int) -> list[AccountEvent]:
        """Somebody logged in with the key; no event if it was proven before."""
        key = self._by_id[account_id].key(fingerprint)
        return [KeyProven(account_id, fingerprint, at_ms)] if key and not key.proven else []

    def new_keys(self, account_id: str, now_ms: int) -> list[StoredKey]:
        """The keys that were added since the last login, but not long ago."""
        account = self._by_id[account_id]
        since_ms = max(account.opened_ms, account.seen_ms, now_ms - NEW_KEY_MS)
        return [key for key in account.keys if key.proven and key.added_ms > since_ms]

    def recovery_since_login(self, account_id: str) -> int | None:
        """When the last recovery code was issued, UTC in ms; None: not since the last login."""
        account = self._by_id[account_id]
        issued_ms = account.issued_ms.get("recover", ())
        return issued_ms[-1] if issued_ms and issued_ms[-1] > account.seen_ms else None

    def note_login(
        self, account_id: str, how: Literal["key", "password"], fingerprint: str, at_ms: int
    ) -> list[AccountEvent]:
        """Somebody has logged in.

        No event if nothing is new: a login in the same way on this UTC day, the opening of the
        account and the adding of the key count as seen.

        Args:
            fingerprint: Of the key; "": it was the password.
        """
        account = self._by_id[account_id]
        key, noted = account.key(fingerprint), list[AccountEvent]()
        last_ms = max(account.password_used_ms, account.opened_ms)
        if fingerprint:
            if key is None:  # taken away meanwhile
                return []
            noted = self.prove_key(account_id, fingerprint, at_ms)
            last_ms = max(key.used_ms, key.added_ms) if key.proven else key.used_ms
        told = self.new_keys(account_id, at_ms), self.recovery_since_login(account_id)
        is_told = any(told) or bool(self.name_given(account_id) or account.role_notes)
        if last_ms // DAY_MS != at_ms // DAY_MS or is_told:
            noted.append(Seen(account_id, how, fingerprint, at_ms))
        return noted

    def label_key(
        self, account_id: str, fingerprint: str, label: str, at_ms: int
    ) -> list[AccountEvent]:
        """No event if the label stays the same."""
        key = self._own_key(account_id, fingerprint)
        label = check_label(label)
        return [] if key.label == label else [KeyLabelled(account_id, fingerprint, label, at_ms)]

    def remove_key(self, account_id: str, fingerprint: str, at_ms: int) -> list[AccountEvent]:
        account = self._by_id[account_id]
        self._own_key(account_id, fingerprint)
        if len(account.keys) == 1 and account.password_hash is None:
            raise UserError(texts.LAST_KEY)
        return [KeyRemoved(account_id, fingerprint, at_ms, by=account_id)]

    def _own_key(self, account_id: str, fingerprint: str) -> StoredKey:
        key = self._by_id[account_id].key(fingerprint)
        if key is None:
            raise UserError(texts.KEY_UNKNOWN.format(fingerprint), "not_found")
        return key

    @staticmethod
    def _check_key_wanted(account: Account, fingerprint: str) -> None:
        """UserError: the account has the key proven, or has no room for it."""
        held = account.key(fingerprint)
        if held is not None and held.proven:
            raise UserError(texts.KEY_ADDED_BEFORE.format(fingerprint, account.name))
        if held is None and len(account.keys) >= KEYS_MAX:
            raise UserError(texts.KEYS_ARE_MANY.format(account.name, KEYS_MAX), "limit")

    def set_password(self, account_id: str, hashed: str, at_ms: int) -> list[AccountEvent]:
        """Args:
        hashed: By `passwords.Passwords.hash`; the password has passed `check_new_password`.
        """
        assert account_id in self._by_id, account_id
        return [PasswordSet(account_id, hashed, at_ms)]

    def note_game(
        self, account_id: str, game: PlayedGame, levels: Sequence[str]
    ) -> list[AccountEvent]:
        """A game has ended.  Args: levels: of its computer players, weakest first."""
        account = self._by_id.get(account_id)
        if account is None:
            return []
        day, count = account.games_on_day
        if day == game.at_ms // DAY_MS and count >= PER_DAY_MAX:
            return []
        before = account.played.get(game.variant, NEVER_PLAYED)
        return [GamePlayed(account_id, decided(game, before, levels))]

    def lessons(self, account_id: str) -> Mapping[str, LearnedLesson]:
        """By variant, how far the account has come in its lesson."""
        account = self._by_id.get(account_id)
        return NO_LESSONS if account is None else account.lessons

    def note_lesson(
        self, account_id: str, variant: str, learned: LearnedLesson, at_ms: int
    ) -> list[AccountEvent]:
        """A step of a lesson has begun, or the lesson is finished.  No event when the day's are
        used up."""
        account = self._by_id.get(account_id)
        if account is None:
            return []
        day, count = account.lessons_on_day
        if day == at_ms // DAY_MS and count >= LESSON_EVENTS_PER_DAY_MAX:
            return []
        version = learned.version
        if learned.is_finished:
            return [LessonFinished(account_id, variant, version, at_ms)]
        return [LessonReached(account_id, variant, version, learned.step, learned.title, at_ms)]

    def set_preference(
        self, account_id: str, key: str, value: str, at_ms: int
    ) -> list[AccountEvent]:
        """No event if the value stays the same."""
        key, value = check_preference(key, value)
        if value == DEFAULT_VALUE:
            value = PREFERENCES[key].default
        if self.preference(account_id, key) == value:
            return []
        return [PreferenceSet(account_id, key, value, at_ms)]

    def read_warnings(self, account_id: str, at_ms: int) -> list[AccountEvent]:
        """The person has read all warnings; no event if that is known."""
        unread = [it.number for it in self._by_id[account_id].warnings if not it.is_read]
        return [WarningRead(account_id, number, at_ms) for number in unread]

    def see_news(self, account_id: str, number: int, at_ms: int) -> list[AccountEvent]:
        """The person has seen the news up to *number*; no event if that is known."""
        is_known = self._by_id[account_id].news_seen >= number
        return [] if is_known else [NewsSeen(account_id, number, at_ms)]

    # -- decisions about other people ------------------------------------------------------------

    def ignore(self, account_id: str, other: str, name: str, at_ms: int) -> list[AccountEvent]:
        """No event if that account is ignored already.  UserError: too many are."""
        ignored = self._by_id[account_id].ignored
        if other in ignored:
            return []
        if len(ignored) >= IGNORED_MAX:
            raise UserError(texts.IGNORE_FULL.format(IGNORED_MAX), "full")
        return [Ignored(account_id, other, name, at_ms)]

    def unignore(self, account_id: str, others: Iterable[str], at_ms: int) -> list[AccountEvent]:
        """Args: others: ids; those that are not ignored by the account make no event."""
        ignored = self._by_id[account_id].ignored
        return [Unignored(account_id, other, at_ms) for other in others if other in ignored]

    def befriend(self, account_id: str, other: Person, at_ms: int) -> list[AccountEvent]:
        """UserError: that is oneself, a guest, a friend already, or there are too many."""
        friends = self._by_id[account_id].friends
        if other.id == account_id:
            raise UserError(texts.FRIEND_SELF, "usage")
        if other.is_guest:
            raise UserError(texts.FRIEND_GUEST.format(other.name))
        if other.id in friends:
            raise UserError(texts.FRIEND_ALREADY.format(other.name))
        if len(friends) >= FRIENDS_MAX:
            raise UserError(texts.FRIENDS_FULL.format(FRIENDS_MAX), "full")
        return [Befriended(account_id, other.id, at_ms)]

    def unfriend(self, account_id: str, other: str, name: str, at_ms: int) -> list[AccountEvent]:
        """UserError: there is no such friend.  Args: name: as typed."""
        if other not in self._by_id[account_id].friends:
            raise UserError(texts.NO_FRIEND.format(name), "not_found")
        return [Unfriended(account_id, other, at_ms)]

    def drop(self, account_id: str, others: Iterable[str], at_ms: int) -> list[AccountEvent]:
        """People who are no more leave the lists of an account."""
        gone, account = set(others), self._by_id[account_id]
        events: list[AccountEvent] = self.unignore(account_id, gone, at_ms)
        friends = [friend for friend in account.friends if friend in gone]
        return [*events, *(Unfriended(account_id, friend, at_ms) for friend in friends)]

    def set_profile(self, account_id: str, text: str, at_ms: int) -> list[AccountEvent]:
        """No event if it stays the same."""
        if len(text) > PROFILE_CHARS_MAX:
            raise UserError(texts.PROFILE_LENGTH.format(PROFILE_CHARS_MAX, len(text)), "usage")
        is_same = self._by_id[account_id].profile == text
        return [] if is_same else [ProfileSet(account_id, text, at_ms)]

    def declare_program(self, account_id: str, at_ms: int, *, is_on: bool) -> list[AccountEvent]:
        """No event if it stays the same.  UserError: it has played as a program."""
        account = self._by_id[account_id]
        if account.is_program and not is_on and account.played:
            raise UserError(texts.PROGRAM_FOR_GOOD)
        is_same = account.is_program is is_on
        return [] if is_same else [ProgramDeclared(account_id, is_on, at_ms)]

    def set_notify(self, account_id: str, choice: NotifyChoice, at_ms: int) -> list[AccountEvent]:
        """No event if it stays the same."""
        if self._by_id[account_id].notify == choice:
            return []
        quiet = choice.quiet_from, choice.quiet_to
        what = choice.topic, choice.events, *quiet, choice.zone
        return [NotifySet(account_id, *what, at_ms, choice.seeks)]

    def set_channel(
        self, account_id: str, channel: str, at_ms: int, *, is_on: bool
    ) -> list[AccountEvent]:
        """Join a channel or leave it.  No event if the account has done so before."""
        is_same = self._by_id[account_id].channels.get(channel) is is_on
        return [] if is_same else [ChannelSet(account_id, channel, is_on, at_ms)]

    def snapshot(self, account_id: str, at_ms: int) -> list[AccountEvent]:
        """One event that replaces all events of the account so far."""
        return [AccountSnapshot(account_id, self._by_id[account_id].stored(), at_ms)]

    # -- the fold ------------------------------------------------------------------------------

    def apply(self, fact: AccountEvent) -> None:
        if isinstance(fact, AccountOpened):
            self._add(Account(fact.id, fact.name, fact.at_ms, was=fact.was, invite=fact.invite))
            return
        if isinstance(fact, AccountSnapshot):
            self._replace(fact.id, fact.account)
            return
        if isinstance(fact, Erased):
            self._erase(fact)
            return
        account = self._by_id[fact.id]
        match fact:
            case KeyAdded(key=key, fingerprint=fingerprint, at_ms=at_ms, label=label):
                held = account.key(fingerprint)
                is_first = at_ms == account.opened_ms  # in the same record as `opened`
                proven = fact.proven or is_first or (held is not None and held.proven)
                self._set_key(account, StoredKey(key, fingerprint, at_ms, proven, label))
            case KeyProven(fingerprint=fingerprint):
                self._change_key(account, fingerprint, proven=True)
            case KeyLabelled(fingerprint=fingerprint, label=label):
                self._change_key(account, fingerprint, label=label)
            case KeyRemoved(fingerprint=fingerprint):
                self._forget_key(account, fingerprint)
            case Seen(fingerprint=fingerprint, at_ms=at_ms):
                self._change_key(account, fingerprint, used_ms=at_ms)
            case GamePlayed(game=game):
                before = account.played.get(game.variant, NEVER_PLAYED)
                self._set_played(account, {**account.played, game.variant: before.after(game)})
            case RoleSet(role=role):
                self._set_role(account, role)
            case Renamed() | HoldEnded():
                self._names.remove(account)
        account.apply(fact)
        if isinstance(fact, Renamed | HoldEnded):
            self._names.add(account)

    def _replace(self, account_id: str, stored: StoredAccount) -> None:
        """Make the account of a snapshot, whatever is known of it."""
        account = self._by_id.get(account_id)
        if account is None:
            account = Account(account_id, stored.name, stored.opened_ms, was=stored.was)
        else:
            self._names.remove(account)
        for fingerprint in account.fingerprints:
            self._forget_key(account, fingerprint)
        for key in stored.keys:
            is_first = key.added_ms == stored.opened_ms
            is_changed = is_first and not key.proven  # a snapshot of an older server
            self._set_key(account, replace(key, proven=True) if is_changed else key)
        self._set_played(account, stored.played)
        self._set_role(account, stored.role)
        account.restore(stored)
        self._add(account)

    def _erase(self, fact: Erased) -> None:
        account = self._by_id.pop(fact.id, None)  # None: its records are trimmed
        if account is not None:
            self._names.remove(account)
            self._by_guest.pop(account.was, None)
            self._staff.pop(account.id, None)
            for fingerprint in account.fingerprints:
                self._forget_key(account, fingerprint)
            self._set_played(account, dict.fromkeys(account.played, NEVER_PLAYED))
        self.former_accounts.add(fact.id, fact.held)

    def has_alike(self, account: Account) -> bool:
        """Whether another account of an old journal has a name that looks the same."""
        return len(self._names.alike(account.name)) > 1

    def _set_role(self, account: Account, role: Role) -> None:
        account.role = role
        self._staff.pop(account.id, None)
        if role in STAFF:
            self._staff[account.id] = account

    def _set_played(self, account: Account, played: Mapping[str, PlayedVariant]) -> None:
        """Keep what was played, and count what is new of the early games."""
        for variant, now in played.items():
            was, total = account.played.get(variant, NEVER_PLAYED), self._early(variant)
            if now.early != was.early:
                self.newcomers[variant] = replace(
                    total,
                    early=total.early + now.early - was.early,
                    early_wins=total.early_wins + now.early_wins - was.early_wins,
                    early_fair=total.early_fair + now.early_fair - was.early_fair,
                )
        account.played = dict(played) or NO_GAMES

    def _early(self, variant: str) -> PlayedVariant:
        return self.newcomers.get(variant, NEVER_PLAYED)

    def _set_key(self, account: Account, key: StoredKey) -> None:
        """Keep a key, or what is new of it."""
        held = [key if it.fingerprint == key.fingerprint else it for it in account.keys]
        account.keys = tuple(held if key in held else [*held, key])
        opened = self.opened_by(key.fingerprint)
        if key.proven and all(each is not account for each in opened):
            self._by_proven_key[key.fingerprint] = (*opened, account) if opened else account

    def _change_key(self, account: Account, fingerprint: str, **changes: bool | str | int) -> None:
        if key := account.key(fingerprint):
            self._set_key(account, replace(key, **changes))

    def _forget_key(self, account: Account, fingerprint: str) -> None:
        account.keys = tuple(key for key in account.keys if key.fingerprint != fingerprint)
        others = tuple(each for each in self.opened_by(fingerprint) if each is not account)
        if others:
            self._by_proven_key[fingerprint] = others if len(others) > 1 else others[0]
        else:
            self._by_proven_key.pop(fingerprint, None)

    def _add(self, account: Account) -> Account:
        self._by_id[account.id] = account
        self._names.add(account)
        if account.was:
            self._by_guest[account.was] = account
        return account


def _ended(account: Account, purpose: CodePurpose, at_ms: int) -> list[AccountEvent]:
    """The code of that purpose is replaced; no event if there is none."""
    before = account.codes.get(purpose)
    if before is None:
        return []
    why: Literal["revoked", "expired"] = "revoked" if at_ms < before.expires_ms else "expired"
    return [CodeEnded(account.id, before.hash, why, at_ms)]
