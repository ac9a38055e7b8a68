"""Keeping order: what staff and the console do to people, written first, with its audit entry.

Rule 1: every act is one transaction with its entry in the audit.  Only then is anybody told.
Rule 2: who acts and on whom is looked up when the act is decided, so a role that was taken away a
        moment ago counts no more.
Rule 3: a refusal by permission is in the audit if staff was refused; of others it is counted.
Rule 4: the person concerned is told what was done, until when and why; a note behind ` // ` is for
        the staff alone.
Rule 5: a sanction shows nothing to who has not proved who they are.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from mudserver import metrics
from mudserver.accounts.accounts import Account
from mudserver.accounts.events import AccountEvent, RoleSet, StoredWarning, Warned
from mudserver.accounts.person import Person
from mudserver.accounts.roles import GIVEN, RANK, Role
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.journal.streams import SANCTION_STREAMS
from mudserver.messages import Message, Notice, StaffMessage
from mudserver.moderation import texts
from mudserver.moderation.events import (
    SERVER,
    SanctionChanged,
    SanctionEnded,
    SanctionKind,
    SanctionSet,
    StaffAct,
    TargetKind,
)
from mudserver.moderation.permissions import (
    Actor,
    NotPermitted,
    check_new_role,
    check_target,
    check_time,
    check_verb,
    is_sanction_of_others,
    may_use,
)
from mudserver.moderation.sanctions import Sanction, parse_network
from mudserver.moderation.spans import parse_span
from mudserver.outbox import Outbox
from mudserver.sanitize import sanitize
from mudserver.service.account_service import AccountService
from mudserver.service.online_people import OnlinePeople
from mudserver.service.sanction_texts import (
    ban_text,
    in_force_text,
    muted_message,
    until_text,
    warning_message,
)
from mudserver.service.staff_streams import Change, StaffStreams
from mudserver.tables.manager import TableManager

log = logging.getLogger("staff")

REASON_MIN, REASON_MAX = 3, 200  # characters
NOTE_SEPARATOR = " // "
KICK_S = 300
GUESTS_KEPT_S = 3_600.0  # after a guest has left
GUESTS_KEPT_MAX = 10_000


class Login(NamedTuple):
    """Who types a staff command, and how that person came in."""

    id: str
    name: str
    has_key: bool
    source: str


class Banned(UserError):
    """Somebody is kept out; the text says until when and why."""


class Target(NamedTuple):
    """A person on whom somebody acts."""

    id: str
    name: str
    role: Role
    account: Account | None  # None: a guest
    source: str  # of a guest; "": unknown

    @property
    def kind(self) -> TargetKind:
        return "account" if self.account is not None else "guest"

    @property
    def key(self) -> str:
        """What a sanction is on."""
        return self.id if self.account is not None else self.source


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
    ) -> None:
        self._config, self._clock, self._streams = config, clock, streams
        self._account_service = account_service
        self._accounts = account_service.streams.accounts
        self._online, self._outbox, self._tables = online, outbox, tables
        self._left: OrderedDict[str, tuple[float, Person, str]] = OrderedDict()  # by folded name

    def reconfigure(self, config: Config) -> None:
        self._config = config

    def restore(self) -> None:
        self._streams.restore()

    # -- who may come in, and talk ---------------------------------------------------------------

    def check_login(self, person: Person, fingerprint: str, source: str) -> None:
        """Banned: the account, the key or the network is.  Called after the proof [rule 5]."""
        sanctions, now_ms = self._streams.sanctions, self._clock.now_ms()
        if person.is_guest:
            banned = sanctions.ban_of_guest(source, now_ms)
        else:
            banned = sanctions.ban_of_account(person.id, fingerprint, now_ms)
            is_staff = bool(fingerprint) and RANK[self.role_of(person)] > RANK["player"]
            if banned is None and not is_staff:
                banned = sanctions.ban_of_network(source, now_ms, is_hard=True)
        if banned is not None:
            metrics.REFUSALS.increment("banned")
            raise Banned(self._ban_text(banned))

    def check_registration(self, source: str) -> None:
        """Banned: no new names come from there."""
        banned = self._streams.sanctions.ban_of_guest(source, self._clock.now_ms())
        if banned is not None:
            metrics.REFUSALS.increment("banned")
            raise Banned(self._ban_text(banned))

    def check_may_talk(self, person: Person, source: str, listener_id: str) -> None:
        """UserError: the person is muted.  Args: listener_id: who alone hears it; "": several."""
        listener = self._accounts.by_id(listener_id)
        if listener is not None and RANK[listener.role] > RANK["player"]:
            return
        account_id = "" if person.is_guest else person.id
        muted = self._streams.sanctions.mute_of(account_id, source, self._clock.now_ms())
        if muted is not None:
            raise UserError(muted_message(muted).text)

    def _ban_text(self, banned: Sanction) -> str:
        return ban_text(banned, self._config.moderation.appeal)

    def role_of(self, person: Person) -> Role:
        return self.role_of_id(person.id)

    def role_of_id(self, person_id: str) -> Role:
        account = self._accounts.by_id(person_id)
        return "guest" if account is None else account.role

    def on_leave(self, person: Person, source: str) -> None:
        """Remember for an hour who a guest was."""
        if person.is_guest:
            now = self._clock.monotonic()
            self._left[person.name.lower()] = (now, person, source)
            self._left.move_to_end(person.name.lower())
            while len(self._left) > GUESTS_KEPT_MAX:
                self._left.popitem(last=False)

    # -- warnings --------------------------------------------------------------------------------

    def unread_warnings(self, person: Person) -> list[Message]:
        """What is shown at each login of warnings that the person has not confirmed."""
        unread = self._unread(person)
        warnings: list[Message] = [warning_message(it.number, it.reason) for it in unread]
        return [*warnings, Notice(texts.TO_CONFIRM)] if warnings else []

    def _unread(self, person: Person) -> list[StoredWarning]:
        account = self._accounts.by_id(person.id)
        return [] if account is None else [it for it in account.warnings if not it.is_read]

    async def confirm_warnings(self, person: Person) -> list[str]:
        """Note that all were read; returns the reasons."""
        unread = [f"#{it.number}\t{it.reason}" for it in self._unread(person)]
        if unread:
            await self._account_service.streams.change(
                person.id,
                lambda: self._accounts.read_warnings(person.id, self._clock.now_ms()),
            )
        return unread

    async def warn(self, login: Login, name: str, reason: str) -> str:
        reason, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            target = self.target(name)
            check_target(actor, target.id, target.role)
            change = self.change(number, actor, "warn", target.id, reason=reason)
            if target.account is not None:
                now_ms = change.act.at_ms
                warned = Warned(target.id, number, reason, actor.id, now_ms)
                change.accounts = {target.id: _always(warned)}
            return change

        change = await self.act(login, "warn", name, decide)
        self.tell(change.act.target, warning_message(change.act.id, reason))
        if self._accounts.by_id(change.act.target) is not None:
            self.tell(change.act.target, Notice(texts.TO_CONFIRM))
        return texts.WARNED.format(self.name(change.act.target, name), change.act.id)

    # -- mutes and bans --------------------------------------------------------------------------

    async def mute(self, login: Login, name: str, time: str, reason: str) -> str:
        return await self._sanction(login, "mute", name, parse_span(time), reason)

    async def ban(self, login: Login, name: str, time: str, reason: str) -> str:
        return await self._sanction(login, "ban", name, parse_span(time), reason)

    async def kick(self, login: Login, name: str, reason: str) -> str:
        return await self._sanction(login, "ban", name, KICK_S, reason, is_kick=True)

    async def _sanction(
        self,
        login: Login,
        kind: SanctionKind,
        name: str,
        time_s: int | None,
        typed_reason: str,
        *,
        is_kick: bool = False,
    ) -> str:
        reason, note = parse_reason(typed_reason)
        verb = "kick" if is_kick else kind

        def decide(number: int, actor: Actor) -> Change:
            target = self.target(name)
            check_target(actor, target.id, target.role)
            limited = "ban guest" if verb == "ban" and target.account is None else verb
            check_time(actor, limited, time_s)
            if not target.key:
                raise UserError(texts.GUEST_IS_GONE.format(target.name))
            wanted = SanctionSet(
                *(kind, target.kind, target.key, self._until_ms(time_s), reason),
                *(actor.id, actor.role, self._clock.now_ms()),
                fingerprints=self._keys_of(target, actor) if kind == "ban" else (),
                is_kick=is_kick,
                name=target.name,
                note=note,
            )
            return self._imposing(number, actor, verb, target.id, wanted)

        change = await self.act(login, verb, name, decide)
        return self._impose(change.act)

    async def ban_key(self, login: Login, fingerprint: str, time: str, reason: str) -> str:
        time_s = parse_span(time)
        said, note = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            check_time(actor, "ban key", time_s)
            for account in self._accounts.opened_by(fingerprint):
                check_target(actor, account.id, account.role)
            wanted = SanctionSet(
                *("ban", "key", fingerprint, self._until_ms(time_s), said),
                *(actor.id, actor.role, self._clock.now_ms()),
                note=note,
            )
            return self._imposing(number, actor, "ban", fingerprint, wanted)

        return self._impose((await self.act(login, "ban key", fingerprint, decide)).act)

    async def ban_network(
        self, login: Login, network: str, time: str, reason: str, *, is_hard: bool
    ) -> str:
        time_s = parse_span(time)
        said, note = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            check_time(actor, "ban network", time_s)
            target = parse_network(network, login.source, self._config.door.proxy_from)
            wanted = SanctionSet(
                *("ban", "network", target, self._until_ms(time_s), said),
                *(actor.id, actor.role, self._clock.now_ms()),
                is_hard=is_hard,
                note=note,
            )
            # No address stands in the audit: the sanction of this number has it.
            return self._imposing(number, actor, "ban", f"#{number}", wanted)

        return self._impose((await self.act(login, "ban network", "", decide)).act)

    def _imposing(
        self, number: int, actor: Actor, verb: str, target: str, wanted: SanctionSet
    ) -> Change:
        change = self.change(
            *(number, actor, verb, target, until_text(wanted.until_ms), wanted.reason)
        )
        change.add(SANCTION_STREAMS, number, wanted)
        held = self._streams.sanctions.on(
            wanted.kind, wanted.target_kind, wanted.target, wanted.at_ms
        )
        if held is not None:
            if wanted.is_kick or not held.is_kick:
                raise UserError(in_force_text(held))
            ended = SanctionEnded("replaced", actor.id, wanted.reason, wanted.at_ms)
            change.add(SANCTION_STREAMS, held.number, ended, closes=True)
        return change

    def _impose(self, act: StaffAct) -> str:
        """Tell whom it concerns, end their sessions; returns what the actor reads."""
        made = self._streams.sanctions.find(act.id, act.at_ms)
        if made.kind == "mute":
            self.tell(act.target, muted_message(made))
            return texts.MUTED.format(made.name, until_text(made.until_ms), made.number)
        for online in self._online.all():
            if self._is_kept_out(made, online.person, online.source):
                if not made.is_kick:
                    self._tables.give_up_seat(online.person.id)
                online.end_session(self._ban_text(made))
        named = made.name or made.target
        return texts.BANNED.format(named, until_text(made.until_ms), made.number)

    def _is_kept_out(self, made: Sanction, person: Person, source: str) -> bool:
        """Whether a new ban ends the session of somebody who is here."""
        sanctions, now_ms = self._streams.sanctions, self._clock.now_ms()
        account = self._accounts.by_id(person.id)
        if account is None:
            return sanctions.ban_of_guest(source, now_ms) == made
        if made.target_kind == "network":
            is_here = sanctions.ban_of_network(source, now_ms, is_hard=True) == made
            return is_here and account.role == "player"
        if made.target_kind == "key":
            return made.target in account.keys and account.role == "player"
        return made.target_kind == "account" and made.target == account.id

    async def unmute(self, login: Login, name: str, reason: str) -> str:
        def decide(number: int, actor: Actor) -> Change:
            target, now_ms = self.target(name), self._clock.now_ms()
            check_target(actor, target.id, target.role)
            held = self._streams.sanctions.on("mute", target.kind, target.key, now_ms)
            if held is None:
                raise UserError(texts.NOT_MUTED.format(target.name))
            if actor.role == "helper" and held.by != actor.id:
                raise NotPermitted(texts.NOT_YOUR_MUTE)
            return self._lifting(number, actor, "unmute", held, reason)

        change = await self.act(login, "unmute", name, decide)
        self._tell_unmuted(change)
        return texts.UNMUTED.format(self.name(change.act.target, name))

    async def unban(self, login: Login, which: str, reason: str) -> str:
        """Lift a sanction by its number."""
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            held = self._in_force(actor, which)
            return self._lifting(number, actor, "unban", held, said)

        change = await self.act(login, "unban", which, decide)
        self._tell_unmuted(change)
        return texts.LIFTED.format(change.act.arguments)

    async def change_sanction(self, login: Login, which: str, time: str, reason: str) -> str:
        """Give a sanction another end, counted from now."""
        time_s = parse_span(time)
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            held = self._in_force(actor, which)
            check_time(actor, held.verb, time_s)
            change = self.change(number, actor, "sanction", _target_of(held), which, said)
            until_ms = self._until_ms(time_s)
            changed = SanctionChanged(until_ms, said, actor.id, change.act.at_ms)
            return change.add(SANCTION_STREAMS, held.number, changed)

        change = await self.act(login, "sanction", which, decide)
        held = self._streams.sanctions.find(_number(which), self._clock.now_ms())
        if held.kind == "mute":
            self.tell(change.act.target, muted_message(held))
        return texts.CHANGED.format(held.number, until_text(held.until_ms))

    def _in_force(self, actor: Actor, which: str) -> Sanction:
        held = self._streams.sanctions.find(_number(which), self._clock.now_ms())
        if is_sanction_of_others(actor, held.by_role):
            raise NotPermitted(texts.OF_HIGHER_ROLE)
        if held.target_kind == "account" and (account := self._accounts.by_id(held.target)):
            check_target(actor, account.id, account.role)
        return held

    def _lifting(self, number: int, actor: Actor, verb: str, held: Sanction, reason: str) -> Change:
        change = self.change(number, actor, verb, _target_of(held), f"#{held.number}", reason)
        ended = SanctionEnded("lifted", actor.id, reason, change.act.at_ms)
        return change.add(SANCTION_STREAMS, held.number, ended, closes=True)

    def _tell_unmuted(self, change: Change) -> None:
        number = int(change.act.arguments.removeprefix("#"))
        lifted = next(it for it in self._streams.sanctions if it.number == number)
        if lifted.kind == "mute":
            self.tell(change.act.target, Notice(texts.YOU_CAN_TALK))

    def sanction_rows(self, login: Login, name: str | None) -> list[str]:
        """Those in force, of everybody or of one person; one's own without being staff."""
        now_ms = self._clock.now_ms()
        found = [it for it in self._streams.sanctions if it.is_in_force(now_ms)]
        actor = self.actor(login)
        if name is None and not actor.is_staff:
            own = [it for it in found if it.target in {login.id, login.source}]
            return [muted_message(it).text for it in own if it.kind == "mute"]
        check_verb(actor, "sanctions")
        if name is not None:
            target = self.target(name)
            found = [it for it in found if it.target == target.key]
        return [self._row(it, actor) for it in found]

    def _row(self, it: Sanction, actor: Actor) -> str:
        shows_address = RANK[actor.role] >= RANK["operator"]
        is_address = it.target_kind in ("network", "guest")
        target = it.name or (it.target if shows_address or not is_address else "a network")
        hard = " hard" if it.is_hard else ""
        note = f" // {it.note}" if it.note else ""
        until, by = until_text(it.until_ms), self.name(it.by, it.by)
        return f"#{it.number}\t{it.kind}{hard}  {target}  {until}  by {by}: {it.reason}{note}"

    # -- roles -----------------------------------------------------------------------------------

    async def set_role(self, login: Login, name: str, typed_role: str, reason: str) -> str:
        said, _ = parse_reason(reason)
        role: Role | None = next((it for it in GIVEN if it == typed_role.lower()), None)
        if role is None:
            raise UserError(texts.NOT_A_ROLE.format(typed_role[:20], ", ".join(GIVEN)))
        wanted: Role = role

        def decide(number: int, actor: Actor) -> Change:
            target = self.target(name)
            if target.account is None:
                raise UserError(texts.ONLY_ACCOUNTS.format(target.name))
            check_target(actor, target.id, target.role)
            check_new_role(actor, wanted)
            if target.role == wanted:
                raise UserError(texts.HAS_ROLE.format(target.name, wanted))
            if wanted != "player" and not any(k.proven for k in target.account.keys.values()):
                raise UserError(texts.NO_KEY_YET.format(target.name))
            if target.role == "owner" and self._owners() == [target.id]:
                raise UserError(texts.ONLY_OWNER)
            change = self.change(number, actor, "role", target.id, wanted, said)
            role_set = RoleSet(target.id, wanted, actor.id, said, change.act.at_ms)
            change.accounts = {target.id: _always(role_set)}
            return change

        change = await self.act(login, "role", name, decide)
        shown = self.name(change.act.target, name)
        self.tell(change.act.target, Notice(texts.YOUR_ROLE.format(_with_article(wanted))))
        return texts.ROLE_SET.format(shown, _with_article(wanted))

    def _owners(self) -> list[str]:
        return [account.id for account in self._accounts.staff() if account.role == "owner"]

    def staff_here(self) -> list[tuple[str, Role]]:
        """Who of the staff is here, by name."""
        here = [it.person for it in self._online.all() if not it.person.is_guest]
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
            self._tables.check_open(number)
            return self.change(act, actor, "close", f"table {number}", "", said)

        await self.act(login, "close", "", decide)
        self._tables.close_table(number, said)
        return texts.TABLE_CLOSED.format(number)

    async def announce(self, login: Login, text: str) -> None:
        """Tell everybody who is here."""
        await self._speak(login, "announce", text)
        said = StaffMessage(texts.STAFF_SPEAKER, "staff", sanitize(text, "chat"))
        for online in self._online.all():
            self._outbox.send(online.person.id, said)

    async def note_speech(self, login: Login, text: str) -> str:
        """Somebody speaks as staff; returns the name to be shown: `[moderator] cid`."""
        await self._speak(login, "modsay", text)
        actor = self.actor(login)
        return f"[{actor.role}] {actor.name}"

    async def _speak(self, login: Login, verb: str, text: str) -> None:
        if not sanitize(text, "chat"):
            raise UserError(texts.SAY_WHAT.format(verb))
        if len(text) > self._config.chat.chars_max:
            raise UserError(texts.SAID_TOO_LONG.format(self._config.chat.chars_max))
        await self.act(
            login, verb, "", lambda number, actor: self.change(number, actor, verb, "", "", text)
        )

    # -- the audit -------------------------------------------------------------------------------

    async def audit_rows(self, login: Login, about: str) -> list[str]:
        """The acts, the newest first: of everybody, about a person, a number or a verb."""
        check_verb(self.actor(login), "audit")
        acts = await self._streams.read_acts()
        wanted = about.strip().lower()
        if wanted.startswith("#"):
            acts = [it for it in acts if it.id == _number(wanted) or wanted in it.arguments.split()]
        elif wanted and (account := self._accounts.find(wanted)):
            acts = [it for it in acts if account.id in (it.by, it.target)]
        elif wanted:
            acts = [it for it in acts if it.verb == wanted]
        return [self._audit_row(it) for it in reversed(acts)]

    def _audit_row(self, act: StaffAct) -> str:
        done = "" if act.outcome == "done" else f" ({act.outcome})"
        what = " ".join(filter(None, (act.verb, self.name(act.target, act.target), act.arguments)))
        minute = until_text(act.at_ms).removeprefix("until ")
        by = self.name(act.by, act.by)
        return f"#{act.id}\t{minute}  {by}: {what}{done}{': ' * bool(act.reason)}{act.reason}"

    # -- inside ----------------------------------------------------------------------------------

    async def act(
        self,
        login: Login,
        verb: str,
        about: str,
        decide: Callable[[int, Actor], Change],
    ) -> Change:
        """Run one act of the staff: permission, decision, journal, log."""

        if not login.id.startswith("console:"):
            self._account_service.charge_change_of(login.id, login.source)

        def decide_now(number: int) -> Change:
            actor = self.actor(login)
            check_verb(actor, verb)
            return decide(number, actor)

        try:
            change = await self.write(decide_now)
        except NotPermitted:
            await self._note_refusal(login, verb, about)
            raise
        metrics.STAFF_ACTS.increment(change.act.verb)
        act = change.act
        log.info("staff act id=%s by=%s verb=%s target=%s", act.id, act.by, act.verb,
                 act.target if act.target[:1] in "pg#" else "-")  # fmt: skip
        return change

    async def write(self, decide: Callable[[int], Change]) -> Change:
        """As `StaffStreams.change`, to its end even if who asks has gone."""
        return await self._account_service.run_to_completion(self._streams.change(decide))

    async def _note_refusal(self, login: Login, verb: str, about: str) -> None:
        actor = self.actor(login)
        metrics.REFUSALS.increment("permission")
        if not actor.is_staff:
            return
        target = self._accounts.find(about)

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
        now_ms = self._clock.now_ms()
        return Change(
            StaffAct(
                *(number, actor.id, actor.role, verb, target, arguments, reason, outcome, now_ms)
            )
        )

    def actor(self, login: Login) -> Actor:
        if login.id.startswith("console:"):
            return Actor(login.id, login.name, "console")
        account = self._accounts.by_id(login.id)
        role: Role = "guest" if account is None else account.role
        return Actor(login.id, login.name, role, login.has_key)

    def target(self, name: str) -> Target:
        """The account or guest of exactly this name.  UserError: there is none."""
        name = sanitize(name, "name", 64)
        if account := self._accounts.find(name):
            return Target(account.id, account.name, account.role, account, "")
        person, source = None, ""
        if online := self._online.named(name):
            person, source = online.person, online.source
        elif gone := self._left.get(name.lower()):
            left_at, left, left_from = gone
            if self._clock.monotonic() - left_at <= GUESTS_KEPT_S:
                person, source = left, left_from
        if person is None:
            raise UserError(texts.NOBODY.format(name))
        return Target(person.id, person.name, "guest", None, source)

    def _keys_of(self, target: Target, actor: Actor) -> tuple[str, ...]:
        """The proven keys of an account, but for those of people on whom the actor cannot act."""
        if target.account is None:
            return ()
        proven = [key.fingerprint for key in target.account.keys.values() if key.proven]
        return tuple(key for key in proven if self._may_ban_key(key, actor))

    def _may_ban_key(self, fingerprint: str, actor: Actor) -> bool:
        others = self._accounts.opened_by(fingerprint)
        return actor.role == "console" or all(RANK[it.role] < RANK[actor.role] for it in others)

    def name(self, person_id: str, otherwise: str = "") -> str:
        """The name of an account, or of who is none; else *otherwise*."""
        if person_id == SERVER or person_id.startswith("console:"):
            return person_id
        account = self._accounts.by_id(person_id)
        return otherwise if account is None else account.name

    def _until_ms(self, time_s: int | None) -> int | None:
        return None if time_s is None else self._clock.now_ms() + time_s * 1_000

    def tell(self, person_id: str, message: Message) -> None:
        self._outbox.send(person_id, message)


def parse_reason(typed: str) -> tuple[str, str]:
    """What the person reads, and the note for the staff.  UserError: too short or too long."""
    said, _, note = sanitize(typed, "chat").partition(NOTE_SEPARATOR)
    said, note = said.strip(), note.strip()
    if not REASON_MIN <= len(said) <= REASON_MAX or len(note) > REASON_MAX:
        raise UserError(texts.REASON_LENGTH.format(REASON_MIN, REASON_MAX))
    return said, note


def _number(typed: str) -> int:
    digits = typed.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise UserError(texts.NOT_A_NUMBER.format(typed[:20]))
    return int(digits)


def _target_of(held: Sanction) -> str:
    return held.target if held.target_kind in {"account", "key"} else f"#{held.number}"


def _with_article(role: Role) -> str:
    return f"an {role}" if role[0] in "ao" else f"a {role}"


def _always(*events: AccountEvent) -> Callable[[], list[AccountEvent]]:
    return lambda: list(events)
