"""Who is online, where, and chat.

Rule 1: nothing here waits, sends or reads a clock.  *now* is monotonic, in seconds; methods return
        their messages as deliveries: (person id, message) pairs.
Rule 2: chat reaches the people in the same place, the lobby or the speaker's table, except those
        who ignore the speaker.
Rule 3: refusals and lists show public facts: names, places, and the idle time of people in the
        lobby.  At a table the idle time would tell who has answered in secret.  [SEC-7]
Rule 4: a few arrivals and departures a second are announced one by one.  Beyond that they are
        counted and announced in one line, so that a storm of logins is no storm of messages.  In a
        large lobby they are not announced.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from heapq import nsmallest
from itertools import repeat

from mudserver.accounts import texts as account_texts
from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.names import guest_number
from mudserver.accounts.person import Person, is_guest_id
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby import texts
from mudserver.lobby.chat_limits import ChatRateLimit
from mudserver.lobby.elsewhere import PeopleElsewhere
from mudserver.lobby.guest_numbers import GuestNumbers
from mudserver.lobby.ignore_list import IgnoreList
from mudserver.lobby.presence import (
    AnyPresence,
    CarriedPresence,
    Presence,
    PresenceSummary,
    summary,
)
from mudserver.lobby.private_lines import (
    Attention,
    PrivateLine,
    private_message,
    span,
    told_private,
)
from mudserver.lobby.seek import Seek
from mudserver.lobby.standing import NAMES_ALONE, Standing, Strangers
from mudserver.messages import (
    Announcement,
    EmoteMessage,
    Message,
    Page,
    SayMessage,
)
from mudserver.outbox import Deliveries
from mudserver.rate_limit import TokenBucket
from mudserver.sanitize import sanitize
from variants.kit.text import join_words, quantity

NOTICES_PER_S, NOTICES_BURST = 3, 10  # arrivals and departures announced one by one
CHAT_LIMITS_MAX = 4_096  # people, online or not, whose chat is counted
IDLE_NOTICE_S = 300.0  # `tell` reports a recipient who is idle for longer
AWAY_CHARS_MAX = 80
NAMES_SHOWN_MAX = 5  # in a refusal
WHO_ROWS_MAX = 60  # people in one list
IDLE_SHOWN_S = 60.0  # lists show who is idle for longer, in minutes


class Lobby:
    def __init__(
        self,
        limits: schema.ChatLimits,
        account_name: Callable[[str], str | None] = lambda name: None,
        charge_source: Callable[[str, str], None] = lambda person_id, listener_id: None,
        standing: Standing = NAMES_ALONE,
        may_disturb: Callable[[str, str], bool] = lambda listener_id, speaker_id: False,
        former_name: Callable[[str], str | None] = lambda name: None,
    ) -> None:
        """Args:
        account_name: A name as typed -> the account's name; None: there is no account.
        charge_source: Called for each line that its speaker may say, with the ids of the speaker
            and of who alone hears it, if so.  UserError: this person may not.
        may_disturb: Whether somebody who is quiet still hears that speaker.
        former_name: A name that is held for whom it was, or of a guest who has registered -> how
            that account is called now; "": it is erased; None: nobody was called so.
        """
        self._may_disturb, self._quiet = may_disturb, set[str]()
        self._limits, self._account_name, self._former_name = limits, account_name, former_name
        self._charge_source, self._standing = charge_source, standing
        self.strangers = Strangers(limits, standing.is_regular)
        self._online: dict[str, Presence] = {}  # by id
        self._by_name: dict[str, str] = {}  # folded name -> id
        self._by_location: dict[int | None, dict[str, None]] = {None: {}}  # ids by table
        # By id, least recent first.
        self._chat_limits: OrderedDict[str, ChatRateLimit] = OrderedDict()
        self._ignore_list = IgnoreList()
        self._guest_numbers = GuestNumbers()
        self._notice_bucket = TokenBucket(NOTICES_PER_S, NOTICES_BURST, 0.0)
        self._held_arrivals = self._held_departures = 0  # not announced yet
        self.elsewhere = PeopleElsewhere()
        self.on_change: Callable[[str, bool], None] = lambda person_id, is_news: None
        """Told of who has come, left or changed here, and whether others are to be told that."""
        self.on_news: Callable[[str, Collection[str]], None] = lambda text, but: None
        """Told what everybody in the lobby is told."""
        self.on_seeks: Callable[[str], None] = lambda person_id: None
        """Told who offers other games than before."""

    def lobby_count(self) -> int:
        """People at no table."""
        return len(self._by_location[None])

    def __len__(self) -> int:
        return len(self._online)

    def reconfigure(self, limits: schema.ChatLimits, now: float) -> None:
        """Apply other limits from now on, also to people who have been talking."""
        self._limits = self.strangers.limits = limits
        for rate_limit in self._chat_limits.values():
            rate_limit.reconfigure(limits, now)

    # -- arrival and departure -----------------------------------------------------------------

    def enter(self, person: Person, now: float, *, is_silent: bool = False) -> Deliveries:
        """A person logs in.  Who is online already is neither away nor quiet any more.

        Args:
            is_silent: The session goes on in this process; nobody is told.
        """
        if (here := self._online.get(person.id)) is not None:
            here.away = ""
            self._quiet.discard(person.id)
            self.on_change(person.id, False)
            return []
        if person.is_guest and (number := guest_number(person.name)) is not None:
            self._guest_numbers.take(number)
        deliveries: Deliveries = []
        if not is_silent and not self.elsewhere.is_known(person.id):
            deliveries = self._announce_or_hold(texts.ARRIVED.format(person.name), now, came=1)
        self._online[person.id] = Presence(person, now, now)
        self._by_location[None][person.id] = None
        self._by_name[person.name.lower()] = person.id
        self.on_change(person.id, not is_silent)
        return deliveries

    def leave(self, person_id: str, now: float, *, is_silent: bool = False) -> Deliveries:
        """Args: is_silent: The session goes on on another server; nobody is told."""
        presence = self._online.pop(person_id, None)
        if presence is None:
            return []
        self._remove_from_location(presence)
        self._quiet.discard(person_id)
        self._by_name.pop(presence.person.name.lower(), None)
        self.strangers.forget(person_id)
        if presence.person.is_guest:
            self._ignore_list.clear(person_id)
            if (number := guest_number(presence.person.name)) is not None:
                self._guest_numbers.hold(number, now)
        self.on_change(person_id, not is_silent)
        if presence.seeks:
            self.on_seeks(person_id)
        if is_silent or person_id in self.elsewhere:
            return []
        return self._announce_or_hold(texts.LEFT.format(presence.person.name), now, left=1)

    def note_elsewhere(self, name: str, now: float, *, is_here: bool) -> Deliveries:
        """Somebody has come in on another server, or has left it."""
        text = texts.ARRIVED if is_here else texts.LEFT
        return self._announce_or_hold(text.format(name), now, came=is_here, left=not is_here)

    def replace_person(self, old: str, person: Person, now: float) -> Deliveries:
        """The person of id *old* is another now: a guest has registered, or has another name.

        Whatever concerns the person goes along: ignoring, limits of talk, and whom `reply` answers.
        """
        self._ignore_list.replace_person(old, person)
        self.strangers.replace_person(old, person.id)
        if old in self._chat_limits:
            self._chat_limits[person.id] = self._chat_limits.pop(old)
        for other in self._online.values():
            if other.last_teller is not None and other.last_teller.id == old:
                other.last_teller = person
        presence = self._online.pop(old, None)
        if presence is None:
            return []
        was, presence.person = presence.person, person
        if old in self._quiet:
            self._quiet.remove(old)
            self._quiet.add(person.id)
        self._by_name.pop(was.name.lower(), None)
        self._online[person.id], self._by_name[person.name.lower()] = presence, person.id
        here = self._by_location[presence.table]
        del here[old]
        here[person.id] = None
        self.on_change(old, False)
        self.on_change(person.id, False)
        if presence.seeks:
            self.on_seeks(person.id)
            self.on_seeks(old)
        if was.is_guest and (number := guest_number(was.name)) is not None:
            self._guest_numbers.hold(number, now)
        if presence.table is not None or self.lobby_count() > self._limits.arrivals_max:
            return []
        told = self.announce_in_lobby(texts.IS_NOW.format(was.name, person.name))
        return [it for it in told if it[0] != person.id]

    def set_location(self, person_id: str, table: int | None) -> None:
        """The person is at a table now, or in the lobby (None).  The table announces it."""
        if (presence := self._online.get(person_id)) is not None:
            self._remove_from_location(presence)
            presence.table = table
            self._by_location.setdefault(table, {})[person_id] = None
            self.on_change(person_id, False)

    def _remove_from_location(self, presence: Presence) -> None:
        people = self._by_location[presence.table]
        del people[presence.person.id]
        if not people and presence.table is not None:
            del self._by_location[presence.table]

    def on_input(self, person_id: str, now: float) -> None:
        """The person typed something."""
        if (presence := self._online.get(person_id)) is not None:
            was_idle = presence.idle_s(now) >= IDLE_SHOWN_S
            presence.last_input_at = now
            if was_idle:
                self.on_change(person_id, False)

    def flush_held_notices(self, now: float) -> Deliveries:
        """Announce the arrivals and departures that were held back, if the rate allows it now."""
        is_held = self._held_arrivals or self._held_departures
        if not is_held or not self._notice_bucket.try_consume(now):
            return []
        parts = []
        if self._held_arrivals:
            parts.append(f"{_people(self._held_arrivals)} arrived")
        if self._held_departures:
            parts.append(f"{_people(self._held_departures)} left")
        self._held_arrivals = self._held_departures = 0
        return self._to_lobby(Announcement(", ".join(parts) + "."))

    def _announce_or_hold(self, text: str, now: float, came: int = 0, left: int = 0) -> Deliveries:
        if self.lobby_count() > self._limits.arrivals_max:
            self._held_arrivals = self._held_departures = 0
            return []
        is_held = self._held_arrivals or self._held_departures
        if not is_held and self._notice_bucket.try_consume(now):
            return self._to_lobby(Announcement(text))
        self._held_arrivals += came
        self._held_departures += left
        return self.flush_held_notices(now)

    def _to_lobby(self, message: Message) -> Deliveries:
        return [(it, message) for it in self._by_location[None] if it not in self._quiet]

    def announce_in_lobby(self, text: str, but: Collection[str] = ()) -> Deliveries:
        """News from the tables, for everybody in the lobby.  Args: but: without them."""
        self.on_news(text, but)
        return self.hear_news(text, but)

    def hear_news(self, text: str, but: Collection[str] = ()) -> Deliveries:
        """The same from another server."""
        return [it for it in self._to_lobby(Announcement(text)) if it[0] not in but]

    def broadcast(self, notice: Message) -> Deliveries:
        """To everybody who is online, also at the tables."""
        return [(person_id, notice) for person_id in self._online]

    # -- chat ----------------------------------------------------------------------------------

    def say(self, person_id: str, text: str, now: float, *, is_watcher: bool = False) -> Deliveries:
        """Say something to everybody in the same place.

        Raises:
            UserError: The text is empty or too long; or the speaker is too fast, or muted.
        """
        speaker = self._online[person_id]
        text = self._checked_chat_text(speaker, text, now, "say")
        who, table, speaker_id = speaker.person.name, speaker.table, speaker.person.id
        message = SayMessage(who, text, table, speaker_id, is_watcher)
        return self._to_listeners(speaker, message)

    def say_as(self, person_id: str, who: str, text: str) -> Deliveries:
        """As `say` under another name: for staff, whom nobody ignores and nothing slows down."""
        table = self._online[person_id].table
        message = SayMessage(who, sanitize(text, "chat"), table)
        return [(person_id, message) for person_id in self._by_location[table]]

    def emote(
        self, person_id: str, text: str, now: float, *, is_watcher: bool = False
    ) -> Deliveries:
        """As `say`, for what a person does: `me waves`."""
        speaker = self._online[person_id]
        text = self._checked_chat_text(speaker, text, now, "me")
        who, table, speaker_id = speaker.person.name, speaker.table, speaker.person.id
        message = EmoteMessage(who, text, table, speaker_id, is_watcher)
        return self._to_listeners(speaker, message)

    def tell(self, person_id: str, name: str, text: str, now: float) -> Deliveries | PrivateLine:
        """Tell one person something; what is for another server is checked, and not told yet.

        UserError: also for an unknown name, and for guests, unless they tell it the staff.
        """
        speaker, recipient = self._online[person_id], self._find(name, now)
        if speaker.person.is_guest and not self._standing.is_staff(recipient.person):
            raise UserError(texts.GUEST_CANNOT_TELL)
        return self._send_private(speaker, recipient, text, now)

    def reply(self, person_id: str, text: str, now: float) -> Deliveries | PrivateLine:
        """Answer the last person who told one something.  Guests may, too.

        Raises:
            UserError: That very person is not here; whoever has the name now was not meant.
        """
        speaker = self._online[person_id]
        teller = speaker.last_teller
        if teller is None:
            raise UserError(texts.NO_MESSAGE_YET, "not_found")
        recipient = self._online.get(teller.id) or self.elsewhere.get(teller.id)
        if recipient is not None:
            return self._send_private(speaker, recipient, text, now)
        if teller.is_guest:
            raise UserError(texts.OTHER_GUEST.format(teller.name), "not_found")
        if teller.name == FORMER_PLAYER:
            raise UserError(texts.TELLER_ERASED, "not_found")
        raise UserError(texts.OFFLINE.format(teller.name), "not_found")

    def teller_of(self, person_id: str) -> Person | None:
        """Whom `reply` answers; None: nobody."""
        presence = self._online.get(person_id)
        return None if presence is None else presence.last_teller

    def restore_teller(self, person_id: str, teller: Person) -> None:
        """`reply` answers *teller*, unless somebody has told the person something already."""
        presence = self._online.get(person_id)
        if presence is not None and presence.last_teller is None:
            presence.last_teller = teller

    def _send_private(
        self, speaker: Presence, recipient: AnyPresence, text: str, now: float
    ) -> Deliveries | PrivateLine:
        own, other = speaker.person, recipient.person
        if other.id == own.id:
            raise UserError(texts.TELL_SELF, "usage")
        if ignored_as := self._ignore_list.ignored_as(own.id, other):
            raise UserError(texts.IGNORING.format(ignored_as), "declined")
        if isinstance(recipient, Presence):
            self._check_takes(other, own)
        self.strangers.check(own, other.id, now)
        text = self._checked_chat_text(speaker, text, now, "tell NAME", other.id)
        self.strangers.note(own.id, other.id, now)
        line = PrivateLine(own, other, text)
        if not isinstance(recipient, Presence):
            return line
        recipient.last_teller = own
        told: Deliveries = [(other.id, private_message(line)), *told_private(line)]
        return [*told, *self._attention(recipient, now).notices(line)]

    def hear_private(self, line: PrivateLine, now: float) -> tuple[Deliveries, Attention]:
        """Somebody on another server tells somebody here something.  UserError: who takes none."""
        recipient = self._online[line.listener.id]
        self._check_takes(recipient.person, line.speaker)
        self.strangers.note(line.speaker.id, line.listener.id, now)
        recipient.last_teller = line.speaker
        return [(line.listener.id, private_message(line))], self._attention(recipient, now)

    def _check_takes(self, listener: Person, speaker: Person) -> None:
        """UserError: the listener wants to hear nothing of the speaker now."""
        if self._ignore_list.ignored_as(listener.id, speaker):
            raise UserError(texts.IGNORED.format(listener.name), "declined")
        if self.is_quiet_for(listener.id, speaker.id):
            is_by_mail = not (listener.is_guest or speaker.is_guest)
            quiet = texts.QUIET if is_by_mail else texts.QUIET_GUEST
            raise UserError(quiet.format(listener.name), "declined")

    def _attention(self, recipient: Presence, now: float) -> Attention:
        idle_s = recipient.idle_s(now)
        return Attention(recipient.away, idle_s if idle_s > IDLE_NOTICE_S else 0.0)

    def is_quiet_for(self, person_id: str, speaker_id: str) -> bool:
        """Whether the person wants to hear nothing of the speaker now, but at the own table."""
        return person_id in self._quiet and not self._may_disturb(person_id, speaker_id)

    @property
    def quiet(self) -> AbstractSet[str]:
        """Ids of the people who are quiet."""
        return self._quiet

    def set_quiet(self, person_id: str, *, is_on: bool) -> None:
        (self._quiet.add if is_on else self._quiet.discard)(person_id)

    def checked_text(self, person_id: str, text: str, now: float, verb: str) -> str:
        """The sanitized text, which the person may say now, and which counts.

        UserError: as for `say`.
        """
        return self._checked_chat_text(self._online[person_id], text, now, verb)

    def listeners(self, ids: Iterable[str], speaker: Person) -> tuple[str, ...]:
        """Those of *ids* who do not ignore the speaker, who may be on another server."""
        return self._ignore_list.listeners(ids, speaker)

    def ignores(self, person_id: str, speaker: Person) -> bool:
        """Whether the person ignores that speaker, who may have left, or all guests."""
        return bool(self._ignore_list.ignored_as(person_id, speaker))

    @property
    def in_lobby(self) -> Collection[str]:
        """Ids of the people at no table."""
        return self._by_location[None].keys()

    @property
    def ids_by_name(self) -> Mapping[str, str]:
        """Of the people who are online, by their names in lower case."""
        return self._by_name

    def _to_listeners(self, speaker: Presence, message: Message) -> Deliveries:
        present = self._by_location[speaker.table]
        listeners = self._ignore_list.listeners(present, speaker.person)
        return list(zip(listeners, repeat(message)))

    def load_ignored(self, person_id: str, ignored: Mapping[str, str]) -> None:
        """Whom an account ignores, names by id."""
        self._ignore_list.load(person_id, ignored)

    def check_may_ignore(self, person_id: str, other: Person) -> None:
        """UserError: that is oneself, or too many are ignored."""
        self._ignore_list.check_may_add(person_id, other)

    def ignore(self, person_id: str, other: Person) -> None:
        """UserError: as for `check_may_ignore`."""
        self._ignore_list.add(person_id, other)

    def find_ignored(self, person_id: str, name: str) -> dict[str, str]:
        """Names by id of those ignored who are called so.  UserError: nobody is."""
        return self._ignore_list.find(person_id, sanitize(name, "name", 64))

    def unignore(self, person_id: str, others: Collection[str]) -> None:
        """Args: others: ids."""
        self._ignore_list.remove(person_id, others)

    def ignored(self, person_id: str) -> dict[str, str]:
        """The people whom the person ignores, names by id."""
        return self._ignore_list.of(person_id)

    def ignored_names(self, person_id: str) -> list[str]:
        """The names of the people whom the person ignores, online or not."""
        return self._ignore_list.names(person_id)

    def _checked_chat_text(
        self, speaker: Presence, text: str, now: float, verb: str, listener_id: str = ""
    ) -> str:
        """The sanitized text, counted against the limits of the speaker and of the source.

        What the speaker may not say costs the source nothing: nobody silences those next door.
        """
        text = sanitize(text, "chat")
        if not text:
            raise UserError(texts.SAY_WHAT.format(verb), "usage")
        if len(text) > self._limits.chars_max:
            raise UserError(texts.TOO_LONG.format(len(text), self._limits.chars_max), "usage")
        person = speaker.person
        listener = self._online.get(listener_id) or self.elsewhere.get(listener_id)
        is_to_staff = listener is not None and self._standing.is_staff(listener.person)
        rate_limit = self._chat_limit(person, now)
        rate_limit.check(now, is_to_staff=is_to_staff)
        self._charge_source(person.id, listener_id)
        rate_limit.charge(text, now, is_to_staff=is_to_staff)
        if speaker.away:
            speaker.away = ""
            self.on_change(person.id, False)
        return text

    def _chat_limit(self, person: Person, now: float) -> ChatRateLimit:
        while self._chat_limits and next(iter(self._chat_limits.values())).is_unused(now):
            self._chat_limits.popitem(last=False)
        is_new, rate_limit = self._standing.is_new(person), self._chat_limits.get(person.id)
        if rate_limit is None:
            rate_limit = ChatRateLimit(self._limits, is_new, now)
            self._chat_limits[person.id] = rate_limit
            if len(self._chat_limits) > CHAT_LIMITS_MAX:
                self._chat_limits.popitem(last=False)
        self._chat_limits.move_to_end(person.id)
        rate_limit.set_new(is_new, now)
        return rate_limit

    def carried(self, person_id: str, now: float) -> CarriedPresence:
        """What goes along with the session of somebody."""
        presence, rate_limit = self._online.get(person_id), self._chat_limits.get(person_id)
        if presence is None:
            return CarriedPresence()
        is_guest, ignored = presence.person.is_guest, self._ignore_list.of(person_id)
        return CarriedPresence(
            presence.away,
            person_id in self._quiet,
            None if rate_limit is None else rate_limit.spent(now),
            {k: name for k, name in ignored.items() if is_guest or is_guest_id(k)},
            seeks=presence.seeks,
        )

    def restore(self, person: Person, carried: CarriedPresence, now: float) -> None:
        """The session of *person*, who is online, goes on here."""
        self._online[person.id].away = carried.away
        self.on_change(person.id, False)
        self.set_quiet(person.id, is_on=carried.is_quiet)
        if carried.spent is not None:
            self._chat_limit(person, now).restore(carried.spent, now)

    def restore_ignored(self, person_id: str, ignored: Mapping[str, str]) -> None:
        """Args: ignored: Names by id, of a session elsewhere."""
        self._ignore_list.add_all(person_id, ignored)

    def set_away(self, person_id: str, text: str) -> None:
        """The person is away, and says why; "": no more.  UserError: that is too long."""
        said = sanitize(text, "chat")
        if len(said) > AWAY_CHARS_MAX:
            raise UserError(texts.AWAY_LENGTH.format(AWAY_CHARS_MAX), "usage")
        self._online[person_id].away = said
        self.on_change(person_id, False)

    def set_seeks(self, person_id: str, seeks: tuple[Seek, ...]) -> None:
        """The person offers these games now."""
        self._online[person_id].seeks = seeks
        self.on_seeks(person_id)
        self.on_change(person_id, False)

    # -- who is online -------------------------------------------------------------------------

    def has_typed(self, person_id: str, since: float) -> bool:
        """Whether the person is here and has typed anything, or come, since then; monotonic, s."""
        presence = self._online.get(person_id)
        return presence is not None and presence.last_input_at >= since

    def presence_of(self, person_id: str) -> PresenceSummary | None:
        """None: not online on any server."""
        presence = self._online.get(person_id) or self.elsewhere.get(person_id)
        return None if presence is None else summary(presence)

    def all_here(self) -> Collection[Presence]:
        """Those who are online here."""
        return self._online.values()

    def here(self, person_id: str) -> Presence | None:
        """None: not online here."""
        return self._online.get(person_id)

    def presence_by_name(self, name: str, now: float) -> PresenceSummary:
        """The person of that name, or the only one whose name begins so.  UserError: nobody."""
        return summary(self._find(name, now))

    def person_by_name(self, name: str, now: float) -> Person:
        """As `presence_by_name`: who that is."""
        return self._find(name, now).person

    def who_ignores(self, other_id: str) -> list[str]:
        """The ids of those who ignore the person, online or not."""
        return self._ignore_list.owners(other_id)

    def is_ignoring(self, person_id: str, speaker_id: str) -> bool:
        return self._ignore_list.is_ignoring(person_id, speaker_id)

    def free_guest_number(self, is_taken: Callable[[int], bool], now: float) -> int:
        """The number for a new guest.  Args: is_taken: by a guest who is here, or whose seat is."""
        return self._guest_numbers.lowest_free(is_taken, now)

    def is_guest_number_held(self, number: int | None, now: float) -> bool:
        """Whether the guest of that number left a short while ago, so that nobody else gets it."""
        return number is not None and self._guest_numbers.is_held(number, now)

    def is_named(self, name: str) -> bool:
        """Whether somebody is online under exactly this name, in any case of letters."""
        return name.lower() in self._by_name

    def online_names(self) -> list[str]:
        return [presence.person.name for presence in self._everybody().values()]

    def _everybody(self) -> Mapping[str, AnyPresence]:
        """By id, on all servers."""
        if not self.elsewhere:
            return self._online
        return {**{it.person.id: it for it in self.elsewhere}, **self._online}

    def names_of_all(self) -> Mapping[str, str]:
        """As `ids_by_name`, on all servers."""
        if not self.elsewhere:
            return self._by_name
        return {**self.elsewhere.ids_by_name, **self._by_name}

    def count_all(self) -> int:
        """People on all servers."""
        return len(self._online) + sum(it not in self._online for it in self.elsewhere.ids)

    def lobby_count_all(self) -> int:
        """People at no table, on all servers."""
        others = (it for it in self.elsewhere if it.person.id not in self._online)
        return self.lobby_count() + sum(it.table is None for it in others)

    def find(self, name: str, now: float) -> AnyPresence:
        """As `presence_by_name`, to be read."""
        return self._find(name, now)

    def _find(self, name: str, now: float) -> AnyPresence:
        """The person of that name, or the only one whose name begins so.

        Raises:
            UserError: Nobody (with similar names), a person who is not online, or several.
        """
        name = sanitize(name, "name", 64)
        wanted = name.lower()
        if (here := self._by_name.get(wanted)) is not None:
            return self._online[here]
        if (there := self.elsewhere.find(wanted)) is not None:
            return there
        # Before the prefixes: a message to Bo, who is not online or called otherwise now, must not
        # go to Bob, nor one to guest1, who has left, to guest12.
        now_called = self._former_name(name)
        if now_called:
            raise UserError(account_texts.IS_CALLED_NOW.format(name, now_called), "not_found")
        if self.is_guest_number_held(guest_number(wanted), now):
            raise UserError(texts.LEFT.format(wanted), "not_found")
        account_name = self._account_name(name)
        if account_name is not None:
            raise UserError(texts.OFFLINE.format(account_name), "not_found")
        by_name, everybody = self.names_of_all(), self._everybody()
        is_whole = now_called is not None or not wanted
        matches = [] if is_whole else sorted(it for it in by_name if it.startswith(wanted))
        if len(matches) == 1:
            return everybody[by_name[matches[0]]]
        if matches:
            names = self._format_names(matches)
            raise UserError(texts.AMBIGUOUS.format(name, names), "ambiguous")
        close = get_close_matches(wanted, by_name, 3)
        hint = f"Did you mean {self._format_names(close)}?" if close else "Type who for a list."
        raise UserError(texts.NOT_ONLINE.format(name, hint), "not_found")

    def _format_names(self, folded: list[str]) -> str:
        by_name, everybody = self.names_of_all(), self._everybody()
        names = [everybody[by_name[name]].person.name for name in folded]
        if len(names) > NAMES_SHOWN_MAX:
            listed, more = ", ".join(names[:NAMES_SHOWN_MAX]), len(names) - NAMES_SHOWN_MAX
            return f"{listed} or one of {more} more"
        return join_words(names, "or")

    def people(self) -> list[PresenceSummary]:
        """Everybody who is online, by name."""
        everybody = sorted(self._everybody().values(), key=lambda p: p.person.name.lower())
        return [summary(presence) for presence in everybody]

    def people_at(self, table: int) -> Collection[str]:
        """Ids of the people at that table."""
        return {*self._by_location.get(table, ()), *self.elsewhere.at(table)}

    def listed(self, among: Collection[str] | None = None) -> tuple[list[AnyPresence], int]:
        """The first who are online, by name, and how many there are.

        Args:
            among: Only those with one of these ids; None: everybody.
        """
        everybody = self._everybody()
        found = everybody if among is None else everybody.keys() & among
        people = (everybody[person_id] for person_id in found)
        return nsmallest(WHO_ROWS_MAX, people, key=lambda p: p.person.name.lower()), len(found)

    def who_page(
        self,
        now: float,
        among: Collection[str] | None = None,
        is_program: Callable[[str], bool] = lambda person_id: False,
    ) -> Page:
        """The same, with place and idle time; rows of 40 cells at most."""
        listed, total = self.listed(among)
        rows = []
        for presence in listed:
            where = "lobby" if presence.table is None else f"table {presence.table}"
            idle_s = presence.idle_s(now)
            idle = f"  idle {span(idle_s)}" if idle_s >= IDLE_SHOWN_S else ""
            if is_program(presence.person.id):
                idle = "  [program]"
            if presence.away:
                idle = "  away"
            rows.append(f"{presence.person.name:<16}  {where:<9}{idle}".rstrip())
        if total > len(rows):
            rows.append(texts.WHO_MORE.format(total - len(rows)))
        title = f"{_people(total)} {'is' if total == 1 else 'are'} here"
        if among is not None:
            title = texts.WHO_AMONG.format(_people(total), self.count_all())
        return Page(title, tuple(rows))


def _people(number: int) -> str:
    return quantity(number, "person", "people")
