"""Channels, and what is said in the lobby and at tables beside its delivery to who is there.

Rule 1: what an account joins and leaves is written into it first.  A guest's list ends with the
        session.  A program is in no channel that it has not joined.
Rule 2: newcomers are in `help`, and so are guests and the staff, until they leave it; the staff is
        in `staff` likewise.  The role is looked up at each line.
Rule 3: all readers of a line read one object, but those at tables who have joined the lobby, and
        whose names are in it.
Rule 4: where a session goes on later than others it reads what they have said here meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from operator import itemgetter

from msgspec.structs import replace

from mudserver.accounts.account import DAY_MS, Account
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.events import AccountEvent
from mudserver.accounts.person import Person, is_guest_id
from mudserver.accounts.roles import STAFF as STAFF_ROLES
from mudserver.clock import Clock
from mudserver.config.schema import ChatLimits
from mudserver.data_people import ChannelRow, ChannelsData
from mudserver.errors import UserError
from mudserver.lobby import texts as lobby_texts
from mudserver.lobby.channels import HELP, LOBBY, STAFF, Channels
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.mentions import mentioned
from mudserver.lobby.scrollback import Line, Place
from mudserver.messages import EmoteMessage, Message, Notice, Page, QuotedNotice, SayMessage
from mudserver.moderation.events import StaffAct
from mudserver.moderation.permissions import Actor, check_target
from mudserver.outbox import Deliveries, Outbox
from mudserver.service import texts
from mudserver.service.account_service import AccountService
from mudserver.service.moderation import Login, Moderation, parse_reason
from mudserver.service.online_people import OnlinePeople
from mudserver.service.shown_elsewhere import ShownElsewhere
from mudserver.service.staff_streams import Change
from mudserver.service.talk_history import TalkHistory
from mudserver.source_budgets import LOCAL
from variants.kit.text import join_words, quantity

NEWCOMER_GAMES = 5  # finished, after which an account is no newcomer
NEWCOMER_MS = 7 * DAY_MS  # since it was opened, likewise


class ChannelService:
    def __init__(
        self,
        limits: ChatLimits,
        clock: Clock,
        account_service: AccountService,
        moderation: Moderation,
        lobby: Lobby,
        online: OnlinePeople,
        outbox: Outbox,
    ) -> None:
        self._clock, self._account_service, self._moderation = clock, account_service, moderation
        self._lobby, self._online, self._outbox = lobby, online, outbox
        self._channels = Channels(limits, clock.monotonic())
        self.on_said: Callable[[Line], None] = lambda line: None
        """Told what is said here in the lobby or in a channel."""
        self.on_purged: Callable[[str], None] = lambda person: None
        """Told whose lines were taken away."""
        self.readers_elsewhere: Callable[[str], int] = lambda name: 0  # of a channel
        self.history = TalkHistory(limits, clock, lobby, online, account_service.present_person)
        self.began_ms = clock.now_ms()  # UTC; since then somebody can be heard here
        self._expected: dict[str, tuple[int, int]] = {}  # by person: a table, and heard until, ms
        self._shown_elsewhere = ShownElsewhere(clock)
        self.history.has_shown = self._shown_elsewhere.has_shown

    def begin(self) -> None:
        """From now on somebody can say something."""
        self.began_ms = self._clock.now_ms()

    def reconfigure(self, limits: ChatLimits) -> None:
        """Apply other channels and limits; who is online joins new ones by typing so."""
        self._channels.reconfigure(limits, self._now())
        self.history.reconfigure(limits)

    @property
    def _accounts(self) -> Accounts:
        return self._moderation.accounts

    # -- membership ------------------------------------------------------------------------------

    def enter(self, person: Person) -> None:
        """Somebody is here now, or at another terminal."""
        self._channels.enter(
            person.id, (it for it in self._channels.names if self._wants(person, it))
        )

    def leave(self, person_id: str) -> None:
        self._expected.pop(person_id, None)
        self._shown_elsewhere.forget(person_id)
        self._channels.leave(person_id)
        self.history.leave(person_id)

    def move(self, person_id: str, table: int | None) -> None:
        """The person is at that table now; None: at none, and reads what the lobby has said."""
        before, online = self.history.table_of(person_id), self._online.get(person_id)
        self.history.move(person_id, table)
        expected, heard_ms = self._expected.pop(person_id, (None, 0))
        if online is not None and table is not None and table == expected:
            self._tell_since(online.person, (table,), heard_ms)
        is_back = before is not None and table is None and online is not None
        is_heard = person_id in self._channels.members(LOBBY) or person_id in self._lobby.quiet
        if is_back and not is_heard and not self._online.is_program(person_id):
            assert online is not None
            for message in self.history.of_channel(online.person, LOBBY):
                self._outbox.send(person_id, message)

    def heard_until_now(self, person_id: str) -> Mapping[str, int]:
        """As `TalkHistory.heard_ms`, of a session that hears nothing more as this person."""
        history, channels = self.history, self._channels
        heard = {name for name in channels.names if person_id in channels.members(name)}
        if history.table_of(person_id) is None and person_id not in self._lobby.quiet:
            heard.add(LOBBY)
        for name in heard:
            history.note_heard(person_id, name)
        return dict(history.heard_ms(person_id))

    def of_guest(self, guest_id: str) -> dict[str, bool]:
        """The channels that a guest has joined or left, by name, for the account of the guest."""
        names, is_program = self._channels.names, self._online.is_program(guest_id)
        given = set() if is_program else {HELP}
        chosen = {name: guest_id in self._channels.members(name) for name in names}
        return {name: is_on for name, is_on in chosen.items() if is_on is not (name in given)}

    def restore(self, guest_id: str, chosen: Mapping[str, bool]) -> None:
        """Args: chosen: As of `of_guest`, from another process; a channel may be gone."""
        for name in chosen.keys() & set(self._channels.names):
            (self._channels.join if chosen[name] else self._channels.part)(guest_id, name)

    def go_on(self, person: Person, heard_ms: int, table: int) -> None:
        """A session goes on here, to which nobody has told what was said later than *heard_ms*.

        Args: table: Where it was until then, and may be again soon; 0: the lobby.
        """
        here = self._lobby.here(person.id)
        assert here is not None
        places = list[Place]()
        if person.id not in self._lobby.quiet:
            places += [it for it in self.visible(person) if self._is_in(person, it)]
            if not table and here.table is None and LOBBY not in places:
                places.append(LOBBY)
        if table and here.table == table:
            places.append(table)
        elif table:
            self._expected[person.id] = table, heard_ms
        self._tell_since(person, places, heard_ms)

    def note_shown(
        self, person: Person, shown: Iterable[tuple[int, Line]], *, was_elsewhere: bool
    ) -> None:
        """A session goes on here that has shown these lines at another server, or here.

        Args: shown: In the lobby and in channels, with UTC times in ms.
        """
        shown = [*shown]
        names = {line.channel or LOBBY for _, line in shown} & {*self.visible(person)}
        heard = [it for name in sorted(names) for it in self.history.lines(name)]
        self._shown_elsewhere.note(person.id, shown, heard, may_come=was_elsewhere)

    def _tell_since(self, person: Person, places: Iterable[Place], heard_ms: int) -> None:
        lines = [it for place in places for it in self.history.since(person, place, heard_ms)]
        for _, line in sorted(lines, key=itemgetter(0)):
            is_lobby = line.table is None and not line.channel
            here = self._lobby.here(person.id)
            if is_lobby and here is not None and here.table is not None:
                line = replace(line, channel=LOBBY)
            self._outbox.send_each(self._with_mentions([(person.id, line)]))

    def replace_person(self, old: str, new: str) -> None:
        """The person of id *old* has another id now: a guest has registered."""
        if old != new:
            self._channels.replace_person(old, new)
            self._expected.pop(old, None)
            self._shown_elsewhere.forget(old)
            self.history.replace_person(old, new)

    def _wants(self, person: Person, name: str) -> bool:
        """Whether somebody who comes is in the channel [rule 2]."""
        account = self._accounts.by_id(person.id)
        chosen = None if account is None else account.channels.get(name)
        if chosen is not None:
            return chosen
        if self._online.is_program(person.id):
            return False
        if account is None or account.role in STAFF_ROLES:
            return name == HELP or (name == STAFF and account is not None)
        return name == HELP and self._is_newcomer(account)

    def _is_newcomer(self, account: Account) -> bool:
        finished = sum(played.finished for played in account.played.values())
        is_young = self._clock.now_ms() - account.opened_ms < NEWCOMER_MS
        return is_young and finished < NEWCOMER_GAMES

    def hears_staff(self, person_id: str) -> bool:
        """Whether the person is of the staff, and in its channel."""
        account, online = self._accounts.by_id(person_id), self._online.get(person_id)
        if account is None or online is None or account.role not in STAFF_ROLES:
            return False
        return self._wants(online.person, STAFF)

    def visible(self, person: Person) -> tuple[str, ...]:
        """The channels that there are for this person, the lobby first."""
        return self._channels.visible(is_staff=self._is_staff(person))

    def has(self, person: Person, typed: str) -> bool:
        """Whether *typed* names a channel, or begins one."""
        return self._channels.has(typed, is_staff=self._is_staff(person))

    async def join(self, person: Person, typed: str) -> list[Message]:
        """UserError: there is no such channel, or the person has joined it."""
        name = self._find(person, typed)
        account, is_in = self._accounts.by_id(person.id), self._is_in(person, name)
        if is_in and (account is None or account.channels.get(name)):
            raise UserError(texts.CHANNEL_ALREADY.format(name))
        await self._keep(person, name, is_on=True)
        if self._online.get(person.id) is None:
            return []
        self._channels.join(person.id, name)
        if name == LOBBY:
            is_new = person.id not in self._lobby.in_lobby
            told = texts.LOBBY_JOINED
        else:
            is_new, told = not is_in, texts.CHANNEL_JOINED.format(name)
        return [Notice(told), *(self.history.of_channel(person, name) if is_new else ())]

    async def part(self, person: Person, typed: str) -> str:
        """UserError: there is no such channel, or the person is not in it."""
        name = self._find(person, typed)
        if not self._is_in(person, name):
            raise UserError(texts.CHANNEL_NOT_IN.format(name))
        await self._keep(person, name, is_on=False)
        self._channels.part(person.id, name)
        self.history.note_heard(person.id, name)
        return texts.LOBBY_LEFT if name == LOBBY else texts.CHANNEL_LEFT.format(name)

    async def _keep(self, person: Person, name: str, *, is_on: bool) -> None:
        if person.is_guest:
            return

        def decide() -> list[AccountEvent]:
            return self._accounts.set_channel(person.id, name, self._clock.now_ms(), is_on=is_on)

        self._account_service.charge_change(person, self._online.source_of(person.id) or LOCAL)
        await self._account_service.run_to_completion(
            self._account_service.streams.change(person.id, decide)
        )

    def page(self, person: Person) -> Page:
        rows, data = [], []
        for name in self.visible(person):
            readers = self._count(name) + self.readers_elsewhere(name)
            joined = " (joined)" if self._is_in(person, name) else ""
            topic = lobby_texts.TOPICS.get(name, "")
            data.append(ChannelRow(name, topic, readers, bool(joined)))
            rows.append(f"{name}\t{readers} here{joined}{': ' * bool(topic)}{topic}")
        shown = (*rows, "", texts.CHANNELS_HOW)
        return Page(texts.CHANNELS, shown, data=ChannelsData(tuple(data)))

    def readers(self) -> dict[str, int]:
        """How many people here hear each channel."""
        return {name: self._count(name) for name in self._channels.names}

    def _count(self, name: str) -> int:
        readers = set(self._readers(name))
        return len(readers | set(self._lobby.in_lobby) if name == LOBBY else readers)

    def _find(self, person: Person, typed: str) -> str:
        return self._channels.find(typed, is_staff=self._is_staff(person))

    def _is_staff(self, person: Person) -> bool:
        return self._moderation.role_of(person) in STAFF_ROLES

    def _is_in(self, person: Person, name: str) -> bool:
        if name == STAFF:
            return self.hears_staff(person.id)
        return person.id in self._channels.members(name)

    def _readers(self, name: str) -> Iterable[str]:
        if name == STAFF:
            return [it.id for it in self._accounts.staff() if self.hears_staff(it.id)]
        return self._channels.members(name)

    # -- talk ------------------------------------------------------------------------------------

    def set_quiet(self, person: Person, *, is_on: bool) -> None:
        """The person hears the own table, friends and the staff alone."""
        self._lobby.set_quiet(person.id, is_on=is_on)

    def speak(self, person: Person, typed: str, text: str) -> None:
        """Say something in a channel, or what one does: `:waves` or `/me waves`.

        Raises:
            UserError: There is no such channel, the person is not in it, too much is said there;
                or as for `Lobby.say`.
        """
        name = self._find(person, typed)
        is_here = name == LOBBY and person.id in self._lobby.in_lobby
        if not (is_here or self._is_in(person, name)):
            refusal = lobby_texts.LOBBY_NOT_JOINED if name == LOBBY else lobby_texts.NOT_JOINED
            raise UserError(refusal.format(name))
        now, done = self._now(), _done_in(text)
        self._channels.check_busy(name, now)
        said = self._lobby.checked_text(person.id, done or text, now, f"#{name}")
        channel, kind = "" if name == LOBBY else name, EmoteMessage if done else SayMessage
        message = kind(person.name, said, None, person.id, channel=channel)
        ids = self._lobby.in_lobby if name == LOBBY else self._readers(name)
        deliveries: Deliveries = [(it, message) for it in self._listening(ids, person)]
        self.on_said(message)
        self._outbox.send_each(self._spread(message, deliveries))

    def hear(self, line: Line) -> None:
        """Somebody on another server has said it in the lobby or in a channel."""
        name = line.channel or LOBBY
        if name in self._channels.names:
            ids = self._lobby.in_lobby if name == LOBBY else self._readers(name)
            heard = self._listening(ids, _speaker_of(line))
            told = self._spread(line, [(it, line) for it in heard])
            self._outbox.send_each(self._shown_elsewhere.without_shown(told, line))

    def check_busy(self, person: Person) -> None:
        """UserError: the person is in the lobby, and too much is said there."""
        if person.id in self._lobby.in_lobby:
            self._channels.check_busy(LOBBY, self._now())

    def heard(self, deliveries: Deliveries, *, is_for_all: bool = True) -> Deliveries:
        """What somebody has said in a place: kept, and told to who else hears it.

        Args:
            is_for_all: Everybody there is to hear it; else it is not kept.
        """
        if not is_for_all:
            return self._with_mentions(deliveries)
        message = deliveries[0][1] if deliveries else None
        if not isinstance(message, SayMessage | EmoteMessage):
            return deliveries
        if message.table is None:
            quiet, speaker = self._lobby.quiet, message.speaker
            if quiet and speaker:
                deliveries = [it for it in deliveries if it[0] not in quiet or it[0] == speaker]
            self.on_said(message)
            return self._spread(message, deliveries)
        self.history.note(message.table, message)
        return self._with_mentions(deliveries)

    def _spread(self, message: Line, deliveries: Deliveries) -> Deliveries:
        """A line in the lobby or in a channel: kept, counted, and told at tables, too."""
        name = message.channel or LOBBY
        self.history.note(name, message)
        if name == LOBBY:
            at_tables = [it for it in self._readers(LOBBY) if it not in self._lobby.in_lobby]
            named = replace(message, channel=LOBBY)
            here = self._listening(at_tables, _speaker_of(message)) if at_tables else ()
            deliveries = [*deliveries, *((it, named) for it in here)]
        self._channels.charge(name, len(deliveries) - 1, self._now())
        return self._with_mentions(deliveries)

    def _listening(self, ids: Iterable[str], speaker: Person) -> Iterable[str]:
        """Those who neither ignore the speaker nor are quiet; nobody shuts out the staff."""
        if not speaker.id:
            return ids
        quiet, listeners = self._lobby.quiet, self._lobby.listeners(ids, speaker)
        if not quiet:
            return listeners
        return [it for it in listeners if it not in quiet or it == speaker.id]

    def _with_mentions(self, deliveries: Deliveries) -> Deliveries:
        """The same, but another object for those whose names are words of the line."""
        message = deliveries[0][1] if deliveries else None
        if not isinstance(message, SayMessage | EmoteMessage):
            return deliveries
        named = {*mentioned(message.text, self._lobby.ids_by_name)} - {message.speaker}
        return (
            [self._with_name(it) if it[0] in named else it for it in deliveries]
            if named
            else deliveries
        )

    def _with_name(self, delivery: tuple[str, Message]) -> tuple[str, Message]:
        person_id, message = delivery
        presence = self._lobby.here(person_id)
        assert presence is not None and isinstance(message, SayMessage | EmoteMessage)
        return person_id, replace(message, mention=presence.person.name)

    # -- keeping order ---------------------------------------------------------------------------

    async def purge(self, login: Login, name: str, reason: str) -> str:
        """Take what somebody has written away: the lines that are shown to who comes later, the
        words of who is away, and the profile."""
        said, _ = parse_reason(reason)

        def decide(number: int, actor: Actor) -> Change:
            target = self._moderation.target(name)
            check_target(actor, target.id, target.role)
            has_profile = target.account is not None and bool(target.account.profile)
            also = ("profile " * has_profile + "away" * self._says_why_away(target.id)).rstrip()
            change = self._moderation.change(number, actor, "purge", target.id, also, said)
            if has_profile:
                now_ms = change.act.at_ms
                emptied = partial(self._accounts.set_profile, target.id, "", now_ms)
                change.accounts = {target.id: emptied}
            return change

        act = (await self._moderation.act(login, "purge", name, decide)).act
        removed = self._take_away(act)
        shown = self._moderation.name(act.target, name)
        return texts.PURGED.format(join_words(removed), shown, act.id)

    def note_elsewhere(self, act: StaffAct) -> None:
        """Another server has written that somebody of the staff did this there."""
        if act.verb == "purge" and act.outcome == "done":
            self._take_away(act)

    def _take_away(self, act: StaffAct) -> list[str]:
        """What a purge has taken away here; the person is told, if here."""
        removed = [quantity(self.history.remove_of(act.target), "line")]
        self.on_purged(act.target)
        if "profile" in act.arguments:
            removed.append("the profile")
        if self._says_why_away(act.target):
            self._lobby.set_away(act.target, lobby_texts.BACK_LATER)
            removed.append("the words with away")
        number = f"#{act.id}"
        told = QuotedNotice(texts.PURGED_YOURS.format(number), number, act.reason)
        self._moderation.tell(act.target, told)
        return removed

    def _says_why_away(self, person_id: str) -> bool:
        here = self._lobby.here(person_id)
        return here is not None and here.away not in ("", lobby_texts.BACK_LATER)

    def _now(self) -> float:
        return self._clock.monotonic()


def _speaker_of(line: Line) -> Person:
    return Person(line.speaker, line.who, is_guest_id(line.speaker))


def _done_in(text: str) -> str:
    """What somebody does, by `:waves` or `/me waves`; "": it is said, as `:-)` is."""
    text = text.strip()
    if text[:1] == ":" and text[1:2].isalpha():
        return text[1:]
    return text[4:].lstrip() if text[:4].lower() == "/me " else ""
