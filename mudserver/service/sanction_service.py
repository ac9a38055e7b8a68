"""Mutes and bans: who may come in and talk, and what staff and the console do about it.

Rule 1: a sanction shows nothing to who has not proved who they are.
Rule 2: the person concerned is told what was done, until when and why; a note behind ` // ` is for
        the staff alone.
Rule 3: a guest is sanctioned by source, so all guests from there are; each of them is told.  Behind
        a proxy that does not say who comes, a kick is of that guest alone.
Rule 4: who is banned leaves the seat in a game, which a crash puts off to the next start: tables
        ask when they are restored.  A ban says who was at a table then, so also one of a key, a
        network or a guest is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from mudserver import metrics
from mudserver.accounts.person import Person
from mudserver.accounts.roles import RANK
from mudserver.clock import Clock
from mudserver.config.schema import Config
from mudserver.data_account import SanctionRow
from mudserver.errors import UserError
from mudserver.journal.streams import SANCTION_STREAMS
from mudserver.messages import Notice, PageRow, QuotedRow, SanctionedMessage, Spoken, joined
from mudserver.moderation import texts
from mudserver.moderation.events import (
    SERVER,
    SanctionChanged,
    SanctionEnded,
    SanctionKind,
    SanctionSet,
    StaffAct,
    StaffEvent,
)
from mudserver.moderation.permissions import (
    Actor,
    NotPermitted,
    check_target,
    check_time,
    is_sanction_of_others,
)
from mudserver.moderation.sanctions import (
    Sanction,
    check_fingerprint,
    check_source,
    is_in_network,
    is_shared,
    parse_network,
)
from mudserver.moderation.spans import parse_span
from mudserver.service.listed import Listed, json_time
from mudserver.service.moderation import Login, Moderation, parse_number, parse_reason
from mudserver.service.online_people import OnlinePeople, OnlinePerson
from mudserver.service.sanction_texts import (
    ban_sentences,
    in_force_text,
    muted_message,
    sanctioned_message,
    until_text,
)
from mudserver.service.staff_streams import Change, StaffStreams
from mudserver.service.staff_targets import Target
from mudserver.tables.manager import TableManager

KICK_S = 300
SEATS_MAX = 100  # people in one ban who have to leave a table


class Banned(UserError):
    """Somebody is kept out; *sentences* say until when and why, and *data* says it to programs."""

    def __init__(
        self, sentences: Sequence[Spoken], data: SanctionedMessage, *, is_of_account: bool = False
    ) -> None:
        """Args: is_of_account: its data stay its owner's, who may export and delete them."""
        super().__init__(joined(*sentences))
        self.sentences, self.data, self.is_of_account = sentences, data, is_of_account


def sentences_of(refusal: UserError) -> Sequence[Spoken]:
    """What a terminal says of why somebody cannot come in."""
    return refusal.sentences if isinstance(refusal, Banned) else (str(refusal),)


class SanctionService:
    def __init__(
        self,
        config: Config,
        clock: Clock,
        moderation: Moderation,
        streams: StaffStreams,
        online: OnlinePeople,
        tables: TableManager,
    ) -> None:
        self._config, self._clock, self._moderation = config, clock, moderation
        self._sanctions, self._online, self._tables = streams.sanctions, online, tables
        self._accounts = moderation.accounts
        self.on_network_bans: Callable[[], None] = lambda: None
        """Called when the list of banned networks, or what they read, may be another."""

    def reconfigure(self, config: Config) -> None:
        self._config = config
        self.on_network_bans()

    # -- who may come in, and talk ---------------------------------------------------------------

    def check_login(self, person: Person, fingerprint: str, source: str) -> None:
        """Banned: the account, the key or the network is.  Called after the proof [rule 1]."""
        sanctions, now_ms = self._sanctions, self._clock.now_ms()
        if person.is_guest:
            banned = sanctions.ban_of_guest(source, now_ms, person.id)
        else:
            banned = sanctions.ban_of_account(person.id, fingerprint, now_ms)
            is_staff = bool(fingerprint) and self._moderation.is_staff(person)
            if banned is None and not is_staff:
                banned = sanctions.ban_of_network(source, now_ms, is_hard=True)
        if banned is not None:
            metrics.REFUSALS.increment("banned")
            is_of_account = not person.is_guest and banned.target_kind in {"account", "key"}
            data = sanctioned_message(banned)
            said = self._ban_sentences(banned, person.id)
            raise Banned(said, data, is_of_account=is_of_account)

    def check_registration(self, source: str) -> None:
        """Banned: no new names come from there."""
        banned = self._sanctions.ban_of_guest(source, self._clock.now_ms())
        if banned is not None:
            metrics.REFUSALS.increment("banned")
            raise Banned(self._ban_sentences(banned), sanctioned_message(banned))

    def hard_ban_of(self, source: str) -> Sequence[Spoken]:
        """Why nobody but staff comes in from there; (): they may."""
        banned = self._sanctions.ban_of_network(source, self._clock.now_ms(), is_hard=True)
        return () if banned is None else self._ban_sentences(banned)

    def hard_bans(self) -> list[tuple[str, int | None, Sequence[Spoken]]]:
        """Of each network that is banned hard its end and the sentences, the newest first."""
        hard = [it for it in self._in_force_now() if it.target_kind == "network" and it.is_hard]
        return [(it.target, it.until_ms, self._ban_sentences(it)) for it in hard]

    def opens_despite_ban(self, name: str, source: str) -> bool:
        """Whether a key of this name opens it from there: also from a banned network if it is one
        of the staff's."""
        account = self._accounts.owner_of(name)
        is_staff = account is not None and self._moderation.is_staff(account.person)
        return is_staff or not self.hard_ban_of(source)

    def check_may_talk(self, person: Person, source: str, listener_id: str) -> None:
        """UserError: the person is muted.  Args: listener_id: who alone hears it; "": several."""
        listener = self._accounts.by_id(listener_id)
        if listener is not None and RANK[listener.role] > RANK["player"]:
            return
        account_id = "" if person.is_guest else person.id
        muted = self._sanctions.mute_of(account_id, source, self._clock.now_ms())
        if muted is not None:
            raise UserError(muted_message(muted, self._zone(person.id)).text, "muted")

    def carry_mute(self, change: Change, number: int, source: str, account_id: str) -> None:
        """Add the mute of the guests of *source*, if there is one, for who registers there.

        Args:
            number: Of the act that *change* will be.
        """
        now_ms = self._clock.now_ms()
        muted = self._sanctions.mute_of("", source, now_ms)
        if muted is None:
            return
        arguments = f"{until_text(muted.until_ms)} #{muted.number}"
        change.made = StaffAct(
            *(number, SERVER, muted.by_role, "mute", account_id, arguments, muted.reason),
            *("done", now_ms),
        )
        carried = SanctionSet(
            *("mute", "account", account_id, muted.until_ms, muted.reason),
            *(muted.by, muted.by_role, now_ms),
            note=muted.note,
            report=muted.report,
        )
        change.add(SANCTION_STREAMS, number, carried)

    def _ban_sentences(self, banned: Sanction, reader: str = "") -> Sequence[Spoken]:
        return ban_sentences(banned, self._config.moderation.appeal, self._zone(reader))

    def _zone(self, reader: str) -> str:
        """The time zone of the person with that id."""
        return self._accounts.preference(reader, "timezone")

    def takes_seat(self, person_id: str, since_ms: int) -> bool:
        """As `Sanctions.takes_seat`."""
        return self._sanctions.takes_seat(person_id, since_ms, self._clock.now_ms())

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
            target = self._moderation.target(name)
            check_target(actor, target.id, target.role)
            limited = "ban guest" if verb == "ban" and target.account is None else verb
            check_time(actor, limited, time_s)
            if not is_kick and target.account is None and not target.source:
                raise UserError(texts.GUEST_ELSEWHERE.format(target.name), "not_found")
            key, proxies = target.key, self._config.door.proxy_from
            if limited == "ban guest":
                check_source(key, proxies)
            elif is_kick and target.account is None and is_shared(key, proxies):
                key = target.id
            wanted = SanctionSet(
                *(kind, target.kind, key, self._until_ms(time_s), reason),
                *(actor.id, actor.role, self._clock.now_ms()),
                fingerprints=self._keys_of(target, actor) if kind == "ban" else (),
                is_kick=is_kick,
                name=target.name,
                note=note,
            )
            return self._imposing(number, actor, verb, target.id, self._with_seats(wanted, target))

        return self._impose((await self._moderation.act(login, verb, name, decide)).act)

    async def ban_key(self, login: Login, fingerprint: str, time: str, reason: str) -> str:
        check_fingerprint(fingerprint)
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
            return self._imposing(number, actor, "ban", fingerprint, self._with_seats(wanted))

        return self._impose((await self._moderation.act(login, "ban key", fingerprint, decide)).act)

    async def ban_network(
        self, login: Login, network: str, time: str, reason: str, *, is_hard: bool
    ) -> str:
        await self._moderation.check_may(login, "ban network", "")
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
            return self._imposing(number, actor, "ban", f"#{number}", self._with_seats(wanted))

        act = (await self._moderation.act(login, "ban network", "", decide)).act
        self.on_network_bans()
        return self._impose(act)

    def _imposing(
        self, number: int, actor: Actor, verb: str, target: str, wanted: SanctionSet
    ) -> Change:
        change = self._moderation.change(
            *(number, actor, verb, target, until_text(wanted.until_ms), wanted.reason)
        )
        change.add(SANCTION_STREAMS, number, replace(wanted, report=change.act.report))
        held = self._sanctions.on(wanted.kind, wanted.target_kind, wanted.target, wanted.at_ms)
        if held is not None:
            if wanted.is_kick or not held.is_kick:
                raise UserError(in_force_text(held, self._shown(held), self._zone(actor.id)))
            ended = SanctionEnded("replaced", actor.id, wanted.reason, wanted.at_ms)
            change.add(SANCTION_STREAMS, held.number, ended, closes=True)
        return change

    def _with_seats(self, wanted: SanctionSet, target: Target | None = None) -> SanctionSet:
        """The same, with those whose seats a start takes if the server dies before a table does.

        Args:
            target: Whom it is on, here or not; None: nobody by name.
        """
        if wanted.kind != "ban" or wanted.is_kick:
            return wanted
        here = [it.person.id for it in self._online.all() if self._is_kept_out(wanted, it)]
        named = [] if target is None else [target.id]
        tables = self._tables
        may_sit = bool(tables.restorer.pending_count())  # at a table that is not known yet
        seated = [
            each for each in dict.fromkeys([*named, *here]) if may_sit or tables.places.all_of(each)
        ]
        return replace(wanted, seats=tuple(seated[:SEATS_MAX]))

    def _impose(self, act: StaffAct) -> str:
        """Tell whom it concerns, end their sessions; returns what the actor reads."""
        made = self._sanctions.find(act.id, act.at_ms)
        until = until_text(made.until_ms, self._zone(act.by))
        self._enforce(made)
        if made.kind == "mute":
            return texts.MUTED.format(made.name, until, made.number)
        return texts.BANNED.format(self._shown(made), until, made.number)

    def _enforce(self, made: Sanction) -> None:
        """A new one is in force on those who are here."""
        if made.kind == "mute":
            self._tell_muted(made)
            return
        here = self._online.all()
        gone = [it for it in here if self._is_kept_out(made, it)]
        if not made.is_kick:
            left = made.target, *made.seats, *(it.person.id for it in gone)
            for person in dict.fromkeys(left):
                self._tables.give_up_seat(person)  # also of an account that is not here
        for online in gone:
            self._moderation.tell(online.person.id, sanctioned_message(made))
            online.end_session(*self._ban_sentences(made, online.person.id))

    def note_elsewhere(self, number: int, events: Sequence[StaffEvent]) -> None:
        """Another server has written these of the sanction of that number."""
        made = self._sanctions.stored(number)
        if made is None:
            return
        self.on_network_bans()
        if not made.is_in_force(self._clock.now_ms()):
            if any(isinstance(it, SanctionEnded) and it.why == "lifted" for it in events):
                self._tell_may_talk(made)
        elif any(isinstance(it, SanctionSet) for it in events):
            self._enforce(made)
        elif made.kind == "mute":
            self._tell_muted(made)

    def _is_kept_out(self, made: Sanction | SanctionSet, online: OnlinePerson) -> bool:
        """Whether a new ban ends the session of somebody who is here."""
        account = self._accounts.by_id(online.person.id)
        is_from = made.target_kind == "network" and is_in_network(online.source, made.target)
        if account is None:
            return is_from or _concerns(made, online.person, online.source)
        if made.target_kind == "network":
            return is_from and made.is_hard and account.role == "player"
        if made.target_kind == "key":
            return made.target in account.fingerprints and account.role == "player"
        return made.target_kind == "account" and made.target == account.id

    async def unmute(self, login: Login, name: str, reason: str) -> str:
        def decide(number: int, actor: Actor) -> Change:
            target, now_ms = self._moderation.target(name), self._clock.now_ms()
            check_target(actor, target.id, target.role)
            held = self._sanctions.on("mute", target.kind, target.key, now_ms)
            if held is None:
                raise UserError(texts.NOT_MUTED.format(target.name), "not_found")
            if actor.role == "helper" and held.by != actor.id:
                raise NotPermitted(texts.NOT_YOUR_MUTE)
            return self._lifting(number, actor, "unmute", held, reason)

        change = await self._moderation.act(login, "unmute", name, decide)
        return texts.UNMUTED.format(self._shown(self._tell_lifted(change)))

    async def unban(self, login: Login, which: str, reason: str) -> str:
        """Lift a sanction by its number."""
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            held = self._in_force(actor, which)
            return self._lifting(number, actor, "unban", held, said)

        change = await self._moderation.act(login, "unban", which, decide)
        self.on_network_bans()
        return texts.LIFTED.format(f"#{self._tell_lifted(change).number}")

    async def change_sanction(self, login: Login, which: str, time: str, reason: str) -> str:
        """Give a sanction another end, counted from now."""
        time_s = parse_span(time)
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            held = self._in_force(actor, which)
            check_time(actor, held.verb, time_s)
            change = self._moderation.change(
                number, actor, "sanction", _target_of(held), which, said
            )
            until_ms = self._until_ms(time_s)
            changed = SanctionChanged(until_ms, said, actor.id, change.act.at_ms)
            return change.add(SANCTION_STREAMS, held.number, changed)

        await self._moderation.act(login, "sanction", which, decide)
        self.on_network_bans()
        held = self._sanctions.find(parse_number(which), self._clock.now_ms())
        if held.kind == "mute":
            self._tell_muted(held)
        return texts.CHANGED.format(held.number, until_text(held.until_ms, self._zone(login.id)))

    def _in_force(self, actor: Actor, which: str) -> Sanction:
        held = self._sanctions.find(parse_number(which), self._clock.now_ms())
        if is_sanction_of_others(actor, held.by_role):
            raise NotPermitted(texts.OF_HIGHER_ROLE)
        if held.target_kind == "account" and (account := self._accounts.by_id(held.target)):
            check_target(actor, account.id, account.role)
        return held

    def _lifting(self, number: int, actor: Actor, verb: str, held: Sanction, reason: str) -> Change:
        change = self._moderation.change(
            number, actor, verb, _target_of(held), f"#{held.number}", reason
        )
        ended = SanctionEnded("lifted", actor.id, reason, change.act.at_ms)
        return change.add(SANCTION_STREAMS, held.number, ended, closes=True)

    def _tell_lifted(self, change: Change) -> Sanction:
        number = parse_number(change.act.arguments)
        lifted = next(it for it in self._sanctions if it.number == number)
        self._tell_may_talk(lifted)
        return lifted

    def _tell_may_talk(self, lifted: Sanction) -> None:
        if lifted.kind == "mute":
            for person in self._concerned(lifted):
                self._moderation.tell(person.id, Notice(texts.YOU_CAN_TALK))

    def _tell_muted(self, muted: Sanction) -> None:
        for person in self._concerned(muted):
            self._moderation.tell(person.id, muted_message(muted, self._zone(person.id)))
            self._moderation.tell(person.id, sanctioned_message(muted))

    def _concerned(self, sanction: Sanction) -> list[Person]:
        """Of those who are here."""
        here = self._online.all()
        return [it.person for it in here if _concerns(sanction, it.person, it.source)]

    # -- reading ---------------------------------------------------------------------------------

    def count_in_force(self) -> dict[str, float]:
        """By kind."""
        kinds = [it.kind for it in self._in_force_now()]
        return {"mute": kinds.count("mute"), "ban": kinds.count("ban")}

    def own(self, person: Person, source: str) -> list[tuple[PageRow, SanctionRow]]:
        """What is in force on somebody who is here: nobody is who is banned."""
        found = [it for it in self._in_force_now() if _concerns(it, person, source)]
        return [self._own(it, person) for it in found if it.kind == "mute"]

    def _own(self, it: Sanction, person: Person) -> tuple[PageRow, SanctionRow]:
        told = muted_message(it, self._zone(person.id))
        data = SanctionRow(it.number, it.kind, person.name, it.is_hard, it.until_ms, it.reason)
        return QuotedRow(told.head, told.speaker, told.words), data

    async def listed(self, login: Login, name: str | None) -> list[Listed]:
        """Those in force, of everybody or of one person.  UserError: for others than staff."""
        actor = await self._moderation.reader(login, "sanctions")
        found = self._in_force_now()
        if name is not None:
            await self._moderation.targets.learn(name)
            target = self._moderation.target(name)
            found = [it for it in found if it.target in (target.key, target.id)]
        return [self._listed(it, actor) for it in found]

    def _in_force_now(self) -> list[Sanction]:
        now_ms = self._clock.now_ms()
        return [it for it in self._sanctions if it.is_in_force(now_ms)]

    def _listed(self, it: Sanction, actor: Actor) -> Listed:
        shows_address = RANK[actor.role] >= RANK["operator"]
        is_address = it.target_kind in ("network", "guest")
        target = self._shown(it) if shows_address or it.name or not is_address else "a network"
        hard = " hard" if it.is_hard else ""
        note = f" // {it.note}" if it.note else ""
        number = self._moderation.report_readers.number_for(actor, it.report, it.by_role)
        report = f" (report {number})" if number else ""
        until, by = until_text(it.until_ms), self._moderation.name(it.by, it.by)
        head = f"#{it.number}\t{it.kind}{hard}  {target}  {until}  by {by}{report}"
        data = {
            "sanction": it.number,
            "kind": it.kind,
            "is_hard": it.is_hard,
            "target_kind": it.target_kind,
            "target": target,
            "until": json_time(it.until_ms),
            "by": by,
            "by_id": it.by,
            "reason": it.reason,
            "note": it.note,
            "report": number or None,
        }
        shown = SanctionRow(
            *(it.number, it.kind, target, it.is_hard, it.until_ms, it.reason),
            *(by, it.note, number or None),
        )
        return Listed(QuotedRow(head, by, f"{it.reason}{note}"), data, shown)

    def _shown(self, sanction: Sanction) -> str:
        """The name of whom it is on, as it is now; else what it is on."""
        named = sanction.name or sanction.target
        is_account = sanction.target_kind == "account"
        return self._moderation.name(sanction.target, named) if is_account else named

    def _keys_of(self, target: Target, actor: Actor) -> tuple[str, ...]:
        """The proven keys of an account, but for those of people on whom the actor cannot act."""
        if target.account is None:
            return ()
        proven = [key.fingerprint for key in target.account.keys if key.proven]
        return tuple(key for key in proven if self._may_ban_key(key, actor))

    def _may_ban_key(self, fingerprint: str, actor: Actor) -> bool:
        others = self._accounts.opened_by(fingerprint)
        return actor.role == "console" or all(RANK[it.role] < RANK[actor.role] for it in others)

    def _until_ms(self, time_s: int | None) -> int | None:
        return None if time_s is None else self._clock.now_ms() + time_s * 1_000


def _concerns(sanction: Sanction | SanctionSet, person: Person, source: str) -> bool:
    """Whether a sanction of an account or of guests is one of this person."""
    if person.is_guest:
        return sanction.target_kind == "guest" and sanction.target in (source, person.id)
    return (sanction.target_kind, sanction.target) == ("account", person.id)


def _target_of(held: Sanction) -> str:
    """As it stands in the audit, where no address does."""
    return held.target if held.target_kind in {"account", "key"} else f"#{held.number}"
