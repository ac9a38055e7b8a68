"""Keeping order: what staff and the console do to people, written first, with its audit entry.

Rule 1: every act is one transaction with its entry in the audit.  Only then is anybody told.
Rule 2: who acts and on whom is looked up when the act is decided, so a role that was taken away a
        moment ago counts no more.
Rule 3: a refusal by permission is in the audit if staff was refused; of others it is counted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeVar

from mudserver import metrics
from mudserver.accounts.account import Account
from mudserver.accounts.events import (
    AccountEvent,
    RoleNoted,
    RoleSet,
    StoredRoleNote,
    StoredWarning,
    Warned,
)
from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.person import Person, is_guest_id
from mudserver.accounts.roles import GIVEN, RANK, Role
from mudserver.clock import Clock, format_minute, format_minute_in_zone
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.journal.streams import REPORT_STREAMS, SITE_STREAMS, TABLE_STREAMS
from mudserver.messages import Message, Notice, QuotedNotice, QuotedRow
from mudserver.moderation import texts
from mudserver.moderation.events import (
    SERVER,
    OwnersSet,
    SanctionChanged,
    SanctionSet,
    StaffAct,
)
from mudserver.moderation.permissions import (
    Actor,
    NotPermitted,
    check_new_role,
    check_target,
    check_verb,
    may_use,
)
from mudserver.outbox import Outbox
from mudserver.sanitize import sanitize
from mudserver.service.account_service import AccountService
from mudserver.service.issued_code import IssuedCode
from mudserver.service.listed import Listed, json_time
from mudserver.service.network_tags import TagOf
from mudserver.service.online_people import OnlinePeople
from mudserver.service.report_readers import ReportReaders
from mudserver.service.role_news import note_of, notes_for, role_message, with_article
from mudserver.service.sanction_texts import name_message, warning_messages
from mudserver.service.staff_streams import Change, StaffStreams
from mudserver.service.staff_targets import StaffTargets, Target
from mudserver.tables.manager import TableManager
from variants.kit.text import quantity

log = logging.getLogger("staff")

T = TypeVar("T")

REASON_MIN, REASON_MAX = 3, 200  # characters
NOTE_SEPARATOR = " // "
OF_REPORT = "report "  # before a number: what was done for a report
AUDIT_ROWS_MAX = 200
SHUTDOWN_MINUTES_MAX = 60


class Login(NamedTuple):
    """Who types a staff command, and how that person came in."""

    id: str
    name: str
    has_key: bool
    source: str


class Countdown(Protocol):
    """The end of the server after some time, of which everybody is told."""

    def check_running(self) -> None: ...
    def schedule(self, in_s: float) -> str: ...
    def cancel(self) -> str: ...


class ElsewhereForStaff(NamedTuple):
    """What is known of the other servers."""

    people: Callable[[], Iterable[Person]] = lambda: ()
    has_table: Callable[[int], bool] = lambda number: False


class Moderation:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        account_service: AccountService,
        streams: StaffStreams,
        online: OnlinePeople,
        outbox: Outbox,
        tables: TableManager,
        tag_of: TagOf,
    ) -> None:
        self._config, self._clock, self._streams = config, clock, streams
        self.report_readers = ReportReaders(streams.reports, self.role_of_id)
        self._account_service = account_service
        self.accounts = account_service.streams.accounts
        self._online, self._outbox, self._tables = online, outbox, tables
        self._tag_of = tag_of
        self.countdown: Countdown | None = None  # set when the server has started
        self.targets = StaffTargets(clock, self.accounts, online)
        self.elsewhere = ElsewhereForStaff()

    def reconfigure(self, config: Config) -> None:
        self._config = config

    async def restore(self) -> None:
        await self._streams.restore()

    def role_of(self, person: Person) -> Role:
        return self.role_of_id(person.id)

    def role_of_id(self, person_id: str) -> Role:
        account = self.accounts.by_id(person_id)
        return "guest" if account is None else account.role

    def is_staff(self, person: Person) -> bool:
        return RANK[self.role_of(person)] > RANK["player"]

    # -- warnings --------------------------------------------------------------------------------

    def unread_warnings(self, person: Person) -> list[Message]:
        """What is shown at a login: a name that the staff has given since the last one, the roles
        that have changed, and at each the warnings that the person has not confirmed."""
        unread, reason = self._unread(person), self.accounts.name_given(person.id)
        given: list[Message] = [name_message(person.name, reason)] if reason else []
        account, zone = self.accounts.by_id(person.id), self._zone(person.id)
        notes = () if account is None else account.role_notes
        roles = [role_message(note, self.name, zone) for note in notes]
        warnings = [said for it in unread for said in warning_messages(it.number, it.reason)]
        return [*given, *roles, *warnings, *([Notice(texts.TO_CONFIRM)] if warnings else [])]

    def _unread(self, person: Person) -> list[StoredWarning]:
        account = self.accounts.by_id(person.id)
        return [] if account is None else [it for it in account.warnings if not it.is_read]

    async def confirm_warnings(self, person: Person) -> list[StoredWarning]:
        """Note that all were read; returns those that were not before."""
        unread = self._unread(person)
        if unread:
            confirmed = self._account_service.streams.change(
                person.id,
                lambda: self.accounts.read_warnings(person.id, self._clock.now_ms()),
            )
            await self.run_to_completion(confirmed)
        return unread

    async def warn(self, login: Login, name: str, reason: str) -> str:
        reason, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            target = self.target(name)
            check_target(actor, target.id, target.role)
            change = self.change(number, actor, "warn", target.id, reason=reason)
            if target.account is not None:
                now_ms = change.act.at_ms
                warned = Warned(
                    *(target.id, number, reason, actor.id, now_ms), report=change.act.report
                )
                change.accounts = {target.id: _always(warned)}
            return change

        change = await self.act(login, "warn", name, decide)
        for message in warning_messages(change.act.id, reason):
            self.tell(change.act.target, message)
        if self.accounts.by_id(change.act.target) is not None:
            self.tell(change.act.target, Notice(texts.TO_CONFIRM))
        return texts.WARNED.format(self.name(change.act.target, name), change.act.id)

    # -- roles -----------------------------------------------------------------------------------

    async def set_role(self, login: Login, name: str, typed_role: str, reason: str) -> str:
        said, _ = parse_reason(reason)
        role: Role | None = next((it for it in GIVEN if it == typed_role.lower()), None)
        if role is None:
            raise UserError(texts.NOT_A_ROLE.format(typed_role[:20], ", ".join(GIVEN)), "usage")
        wanted: Role = role

        def decide(number: int, actor: Actor) -> Change:
            target = self.account_of(name)
            check_target(actor, target.id, target.role)
            check_new_role(actor, wanted)
            if target.role == wanted:
                raise UserError(texts.HAS_ROLE.format(target.name, wanted))
            if wanted != "player" and not any(k.proven for k in target.keys):
                raise UserError(texts.NO_KEY_YET.format(target.name))
            self.check_not_only_owner(target)
            change = self.change(number, actor, "role", target.id, wanted, said)
            role_set = RoleSet(target.id, wanted, actor.id, said, change.act.at_ms)
            noted = RoleNoted(target.id, note_of(change.act, target.role, wanted), role_set.at_ms)
            self.note_role(change, noted.note)
            self.note_owners(change, target.id, is_owner=wanted == "owner")
            change.accounts = {**change.accounts, target.id: _always(role_set, noted)}
            return change

        change = await self.act(login, "role", name, decide)
        shown = self.name(change.act.target, name)
        self.tell(change.act.target, Notice(texts.YOUR_ROLE.format(with_article(wanted))))
        self.tell_role(change)
        return texts.ROLE_SET.format(shown, with_article(wanted))

    def note_role(self, change: Change, note: StoredRoleNote) -> None:
        """Add to a change of a role that the owners are to be told, but for whom it concerns."""
        others = [each for each in self._owners() if each != note.about]
        change.accounts = {**change.accounts, **notes_for(others, note, self.accounts)}

    def tell_role(self, change: Change) -> None:
        """Tell the owners who are here what was noted, but for who did it and whom it concerns."""
        for reader in change.accounts:
            account = self.accounts.by_id(reader)
            if account is None or reader in (change.act.by, change.act.target):
                continue
            zone = self._zone(reader)
            for note in account.role_notes:
                if note.number == change.act.id:
                    self.tell(reader, role_message(note, self.name, zone))

    def check_not_only_owner(self, account: Account) -> None:
        """UserError: there is no other owner."""
        if account.role == "owner" and not self.has_other_owner(account.id):
            raise UserError(texts.ONLY_OWNER)

    def account_of(self, name: str) -> Account:
        """UserError: nobody has exactly this name, or a guest has."""
        target = self.target(name)
        if target.account is None:
            raise UserError(texts.ONLY_ACCOUNTS.format(target.name))
        return target.account

    async def recover(self, login: Login, name: str) -> IssuedCode:
        """A code with which somebody comes back in who lost key and password."""
        code, expires_ms = self._account_service.recovery.new_code()

        def decide(number: int, actor: Actor) -> Change:
            target = self.account_of(name)
            check_target(actor, target.id, target.role)
            change = self.change(number, actor, "recover", target.id)
            change.accounts = {
                target.id: lambda: self.accounts.issue_recovery_code(
                    target.id, code, expires_ms, actor.id, change.act.at_ms
                )
            }
            return change

        change = await self.act(login, "recover", name, decide)
        shown = self.name(change.act.target, name)
        zone = self._zone(login.id)
        until = format_minute_in_zone(expires_ms, zone)
        return IssuedCode(
            texts.RECOVERY.format(f"{shown}+{code}", until),
            {"name": shown, "code": code, "expires": json_time(expires_ms)},
        )

    async def note_export(self, login: Login, name: str) -> str:
        """The data of an account are about to be copied; returns its id."""

        def decide(number: int, actor: Actor) -> Change:
            return self.change(number, actor, "export", self.account_of(name).id)

        change = await self.act(login, "export", name, decide)
        self.tell(change.act.target, Notice(texts.YOUR_DATA_EXPORTED))
        return change.act.target

    async def lookup(self, login: Login, name: str) -> str:
        """From where somebody is here: a tag of the network, for owners also the address."""

        def decide(number: int, actor: Actor) -> Change:
            target = self.target(name)
            check_target(actor, target.id, target.role)
            return self.change(number, actor, "lookup", target.id)

        act = (await self.act(login, "lookup", name, decide)).act
        target = self.target(name)
        source = target.source or self.targets.source_of(act.target)
        if not source:
            return texts.LOOKUP_GONE.format(target.name)
        if RANK[act.role] < RANK["owner"]:
            return texts.LOOKUP_TAG.format(target.name, self._tag_of(source))
        return texts.LOOKUP_ADDRESS.format(target.name, source, self._tag_of(source))

    def has_other_owner(self, account_id: str) -> bool:
        """Whether somebody else owns the server whose account nobody has asked to delete."""
        others = (self.accounts.by_id(each) for each in self._owners() if each != account_id)
        return any(other is not None and other.deletion is None for other in others)

    def note_owners(self, change: Change, account_id: str, *, is_owner: bool) -> None:
        """Add to a change of who owns the server who does afterwards."""
        before = self._owners()
        others = tuple(each for each in before if each != account_id)
        if is_owner is not (account_id in before):
            owners = (*others, account_id) if is_owner else others
            change.add(SITE_STREAMS, 1, OwnersSet(owners, change.act.at_ms))

    def _owners(self) -> Sequence[str]:
        noted = self._streams.site.owners
        if noted is not None:
            return noted
        return [account.id for account in self.accounts.staff() if account.role == "owner"]

    def staff_here(self) -> list[tuple[str, Role]]:
        """Who of the staff is here, by name."""
        own = (it.person for it in self._online.all())
        here = {it for it in (*own, *self.elsewhere.people()) if not it.is_guest}
        found = [(person.name, self.role_of(person)) for person in here]
        return sorted(it for it in found if it[1] != "player")

    def may_use(self, login: Login, verb: str) -> bool:
        """Whether lists and completion show a verb to this person."""
        actor = self.actor(login)
        return may_use(actor.role, verb, has_key=actor.has_key)

    # -- the place and everybody -----------------------------------------------------------------

    async def close_table(self, login: Login, number: int, reason: str) -> str:
        said, _ = parse_reason(reason)

        def decide(act: int, actor: Actor) -> Change:
            if not self.elsewhere.has_table(number):
                self._tables.check_open(number)
            return self.change(act, actor, "close", f"table/{number}", "", said)

        await self.act(login, "close", "", decide)
        if self._tables.lists.has(number):  # else its server does it
            self._tables.close_table(number, said)
        return texts.TABLE_CLOSED.format(number)

    async def shut_down(self, login: Login, minutes: str, reason: str) -> str:
        """End the server in so many minutes, or `cancel` that; everybody reads why."""
        said, _ = parse_reason(reason)
        countdown, is_cancelled = self.countdown, minutes.lower() == "cancel"
        in_min = int(minutes) if minutes.isascii() and minutes.isdecimal() else 0

        def decide(number: int, actor: Actor) -> Change:
            if countdown is None:
                raise UserError(texts.STILL_STARTING, "busy")
            if is_cancelled:
                countdown.check_running()
            elif not 1 <= in_min <= SHUTDOWN_MINUTES_MAX:
                raise UserError(texts.SHUTDOWN_HOW.format(SHUTDOWN_MINUTES_MAX), "usage")
            what = "cancel" if is_cancelled else quantity(in_min, "minute")
            return self.change(number, actor, "shutdown", "", what, said)

        await self.act(login, "shutdown", "", decide)
        assert countdown is not None
        done = countdown.cancel() if is_cancelled else countdown.schedule(60 * in_min)
        self._tell_all(said)
        return f"{done[0].upper()}{done[1:]}."

    async def announce(self, login: Login, text: str) -> None:
        """Tell everybody who is here."""
        await self._speak(login, "announce", text)
        self._tell_all(sanitize(text, "chat"))

    def _tell_all(self, words: str) -> None:
        """Everybody here, in the name of the staff."""
        said = QuotedNotice(texts.STAFF_SPEAKER, "staff", words)
        self._outbox.note_public(said, self._clock.now_ms())
        for online in self._online.all():
            self._outbox.send(online.person.id, said)

    def note_elsewhere(self, act: StaffAct) -> None:
        """Another server has written that somebody of the staff did this there."""
        if act.outcome != "done":
            return
        if act.verb == "announce":
            self._tell_all(sanitize(act.reason, "chat"))
        elif act.verb == "export":
            self.tell(act.target, Notice(texts.YOUR_DATA_EXPORTED))
        elif act.verb == "warn" and is_guest_id(act.target):
            for message in warning_messages(act.id, act.reason):
                self.tell(act.target, message)
        elif act.verb == "close":
            number = TABLE_STREAMS.number(act.target)
            if self._tables.lists.has(number):
                self._tables.close_table(number, act.reason)
        elif act.verb == "shutdown":
            self._follow_shutdown(act)

    def _follow_shutdown(self, act: StaffAct) -> None:
        """All servers end together.  One that hears of it too late to end with the others stays."""
        countdown, minutes = self.countdown, act.arguments.partition(" ")[0]
        if countdown is None:
            return
        if minutes == "cancel":
            with suppress(UserError):  # it does not end: it has started since
                countdown.cancel()
                self._tell_all(act.reason)
        elif (left_s := 60 * int(minutes) - (self._clock.now_ms() - act.at_ms) / 1_000) > 0:
            countdown.schedule(left_s)
            self._tell_all(act.reason)

    async def note_speech(self, login: Login, text: str) -> str:
        """Somebody speaks as staff; returns the name to be shown: `[moderator] cid`."""
        await self._speak(login, "modsay", text)
        actor = self.actor(login)
        return f"[{actor.role}] {actor.name}"

    async def _speak(self, login: Login, verb: str, text: str) -> None:
        if not sanitize(text, "chat"):
            raise UserError(texts.SAY_WHAT.format(verb), "usage")
        if len(text) > self._config.chat.chars_max:
            raise UserError(texts.SAID_TOO_LONG.format(self._config.chat.chars_max), "usage")
        await self.act(
            login, verb, "", lambda number, actor: self.change(number, actor, verb, "", "", text)
        )

    # -- the audit -------------------------------------------------------------------------------

    async def list_acts(
        self, login: Login, about: str, since_ms: int = 0, most: int = AUDIT_ROWS_MAX
    ) -> list[Listed]:
        """The last acts, the newest first: of everybody, about a person, a number or a verb."""
        actor = await self.reader(login, "audit")
        is_wanted = self._audit_filter(about.strip().lower())
        found: list[Listed] = []
        async for kept in self._streams.acts():
            if len(found) == most or kept.at_ms < since_ms:
                break
            act = self.report_readers.act_for(actor, kept)
            if act is not None and is_wanted(act):
                found.append(self._listed_act(act))
        return found

    def _audit_filter(self, wanted: str) -> Callable[[StaffAct], bool]:
        if wanted.startswith("#"):
            number = parse_number(wanted)
            return lambda act: act.id == number or wanted in act.arguments.split()
        if wanted.startswith(OF_REPORT):
            report = parse_number(wanted.removeprefix(OF_REPORT))
            stream = REPORT_STREAMS.name(report)
            return lambda act: act.report == report or act.target == stream
        if account := self.accounts.find(wanted):
            return lambda act: account.id in (act.by, act.target)
        return lambda act: not wanted or act.verb == wanted

    def _listed_act(self, act: StaffAct) -> Listed:
        done = "" if act.outcome == "done" else f" ({act.outcome})"
        target, by = self._audited_target(act), self._audited_name(act.by)
        report = f"(report {act.report})" if act.report else ""
        what = " ".join(filter(None, (act.verb, target, act.arguments, report)))
        head = f"#{act.id}\t{format_minute(act.at_ms)} UTC  {by}: {what}{done}"
        data = {
            "act": act.id,
            "at": json_time(act.at_ms),
            "by": by,
            "by_id": act.by,
            "role": act.role,
            "verb": act.verb,
            "target": target,
            "target_id": act.target,
            "arguments": act.arguments,
            "outcome": act.outcome,
            "reason": act.reason,
            "report": act.report or None,
        }
        return Listed(QuotedRow(head, by, act.reason) if act.reason else head, data)

    def _audited_target(self, act: StaffAct) -> str:
        """The name of whom it met, of a guest as far as it is known; the number of a report."""
        if REPORT_STREAMS.owns(act.target):
            return str(REPORT_STREAMS.number(act.target))
        if not is_guest_id(act.target):
            return self._audited_name(act.target)
        if (sanction := self._streams.sanctions.stored(act.id)) is not None:
            return sanction.name
        there = (it.name for it in self.elsewhere.people() if it.id == act.target)
        known = self.targets.name_of_guest(act.target) or next(there, "")
        return known or f"a guest ({act.target})"

    def _audited_name(self, person_id: str) -> str:
        """With the id of who has been erased: after a restore that is erased again by it."""
        name = self.name(person_id, person_id)
        return f"{name} ({person_id})" if name == FORMER_PLAYER else name

    # -- inside ----------------------------------------------------------------------------------

    async def act(
        self,
        login: Login,
        verb: str,
        about: str,
        decide: Callable[[int, Actor], Change],
    ) -> Change:
        """Run one act of the staff: permission, decision, journal, log."""
        await self.check_may(login, verb, about)
        self._charge(login)
        await self.targets.learn(about)

        def decide_now(number: int) -> Change:
            actor = self.actor(login)
            check_verb(actor, verb)  # again: the role may have been taken away meanwhile
            return decide(number, actor)

        try:
            change = await self.write(decide_now)
        except NotPermitted:
            await self._note_refusal(login, verb, about)
            raise
        metrics.STAFF_ACTS.increment(change.act.verb)
        act = change.act
        log.info(
            "staff act id=%s by=%s verb=%s target=%s%s",
            *(act.id, act.by, act.verb, act.target or "-", _until(change)),
        )
        return change

    async def reader(self, login: Login, verb: str) -> Actor:
        """Who reads a list of the staff's.  NotPermitted: that person may not, which is noted."""
        return await self.check_may(login, verb, "")

    async def check_may(self, login: Login, verb: str, about: str) -> Actor:
        """Who acts.  NotPermitted: that person may not use the verb, which is noted."""
        actor = self.actor(login)
        try:
            check_verb(actor, verb)
        except NotPermitted:
            if actor.is_staff:  # of others nothing is written
                self._charge(login)
            await self._note_refusal(login, verb, about)
            raise
        return actor

    def _charge(self, login: Login) -> None:
        """UserError: too many acts for now; so nobody fills the audit."""
        if not login.id.startswith("console:"):
            self._account_service.charge_change_of(login.id, login.source)

    async def run_to_completion(self, work: Coroutine[Any, Any, T]) -> T:
        """As `AccountService.run_to_completion`."""
        return await self._account_service.run_to_completion(work)

    async def write(self, decide: Callable[[int], Change]) -> Change:
        """As `StaffStreams.change`, to its end even if who asks has gone."""
        return await self.run_to_completion(self._streams.change(decide))

    async def _note_refusal(self, login: Login, verb: str, about: str) -> None:
        actor = self.actor(login)
        metrics.REFUSALS.increment("permission")
        if not actor.is_staff:
            return
        target = self.accounts.find(about)

        def decide(number: int) -> Change:
            target_id = target.id if target is not None else ""
            return self.change(number, actor, verb, target_id, outcome="refused")

        await self.write(decide)

    def change(
        self,
        number: int,
        actor: Actor,
        verb: str,
        target: str,
        arguments: str = "",
        reason: str = "",
        outcome: str = "done",
    ) -> Change:
        report = self._streams.reports.taken_about(actor.id, self.ids_of(target))
        act = StaffAct(
            *(number, actor.id, actor.role, verb, target, arguments, reason, outcome),
            *(self._clock.now_ms(), report),
        )
        return Change(act)

    def ids_of(self, person_id: str) -> set[str]:
        """Of a person, also as the guest who has registered."""
        account = self.accounts.by_id(person_id)
        return {person_id} if account is None else {person_id, account.was} - {""}

    def actor(self, login: Login) -> Actor:
        if login.id.startswith("console:"):
            return Actor(login.id, login.name, "console")
        account = self.accounts.by_id(login.id)
        role: Role = "guest" if account is None else account.role
        return Actor(login.id, login.name, role, login.has_key)

    def target(self, name: str) -> Target:
        """As `StaffTargets.find`."""
        return self.targets.find(name)

    def name(self, person_id: str, otherwise: str = "") -> str:
        """The name of an account, or `former player`; else *otherwise*.

        `server` and the console are called by their ids.
        """
        if person_id == SERVER or person_id.startswith("console:"):
            return person_id
        return self.accounts.name_of(person_id, otherwise)

    def _zone(self, reader: str) -> str:
        """The time zone of the person with that id."""
        return self.accounts.preference(reader, "timezone")

    def tell(self, person_id: str, message: Message) -> None:
        self._outbox.send(person_id, message)


def parse_reason(typed: str) -> tuple[str, str]:
    """What the person reads, and the note for the staff.  UserError: too short or too long."""
    said, _, note = sanitize(typed, "chat").partition(NOTE_SEPARATOR)
    said, note = said.strip(), note.strip()
    if not REASON_MIN <= len(said) <= REASON_MAX or len(note) > REASON_MAX:
        raise UserError(texts.REASON_LENGTH.format(REASON_MIN, REASON_MAX), "usage")
    return said, note


def parse_note(typed: str) -> str:
    """What the staff alone reads.  UserError: too long."""
    note = sanitize(typed, "chat").strip()
    if len(note) > REASON_MAX:
        raise UserError(texts.NOTE_LENGTH.format(REASON_MAX), "usage")
    return note


def parse_number(typed: str) -> int:
    digits = typed.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise UserError(texts.NOT_A_NUMBER.format(typed[:20]), "usage")
    return int(digits)


def _until(change: Change) -> str:
    """When the sanction ends that a change sets, for the log; "": it sets none."""
    for events in change.events.values():
        for event in events:
            if isinstance(event, SanctionSet | SanctionChanged):
                return f" until={json_time(event.until_ms) or 'never'}"
    return ""


def _always(*events: AccountEvent) -> Callable[[], list[AccountEvent]]:
    return lambda: list(events)
