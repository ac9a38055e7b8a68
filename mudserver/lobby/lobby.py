"""Who is here, where, and what they say to each other.

Rule 1: nothing here waits, sends or reads a clock: *now* is seconds that never go back, and what
        is to be told comes back as deliveries.
Rule 2: talk is heard where it is said: in the lobby, or at the speaker's table; but not by who
        ignores the speaker.
Rule 3: what a refusal or a list shows is public: names, places, and how long somebody in the
        lobby has been idle.  At a table that would tell who has answered in secret [SEC-7].
Rule 4: comings and goings are told a few a second; beyond that they are counted and told in one
        line, so that a storm of logins is not a storm of mail.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from mudserver.accounts import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby.chat_limits import ChatRateLimit
from mudserver.lobby.ignore_list import IgnoreList
from mudserver.messages import (
    Announcement,
    EmoteMessage,
    Message,
    Notice,
    Page,
    SayMessage,
    TellMessage,
)
from mudserver.outbox import Deliveries
from mudserver.rate_limit import TokenBucket
from mudserver.sanitize import sanitize
from variants.kit.text import join_words, quantity

NOTICES_PER_S, NOTICES_BURST = 3, 10  # comings and goings told one by one
CHAT_LIMITS_MAX = 4_096  # people, here or gone, whose last words are remembered
IDLE_NOTICE_S = 300.0  # who tells something to somebody idle for longer hears of it
NAMES_SHOWN_MAX = 5  # in a refusal


@dataclass(slots=True)
class Presence:
    """One person who is in."""

    person: Person
    entered_at: float
    last_input_at: float  # when the person last typed something
    table: int | None = None  # None: the lobby
    last_tell_from: str = ""  # whom `reply` answers

    def idle_s(self, now: float) -> float:
        """Since the last line typed; 0 at a table, whose own clock says for whom all wait."""
        return 0.0 if self.table is not None else now - self.last_input_at

    @property
    def location(self) -> str:
        """As messages name it: "" the lobby, "12" a table."""
        return "" if self.table is None else str(self.table)


class PresenceSummary(NamedTuple):
    """What everybody may know of a person who is online."""

    name: str
    is_guest: bool
    table: int | None  # None: the lobby


class Lobby:
    def __init__(
        self, limits: schema.Chat, account_name: Callable[[str], str | None] = lambda name: None
    ) -> None:
        """Args: known: a name as typed -> the name of the account, None if nobody has it."""
        self._limits, self._account_name = limits, account_name
        self._online: dict[str, Presence] = {}  # by id
        self._by_name: dict[str, str] = {}  # folded name -> id
        self._by_location: dict[int | None, dict[str, None]] = {
            None: {}
        }  # ids by table, as in _here
        self._chat_limits: OrderedDict[str, ChatRateLimit] = (
            OrderedDict()
        )  # by id, least recent first
        self._ignore_list = IgnoreList()
        self._notice_bucket = TokenBucket(NOTICES_PER_S, NOTICES_BURST, 0.0)
        self._held_arrivals = self._held_departures = 0  # not yet told

    def __len__(self) -> int:
        return len(self._online)

    def reconfigure(self, limits: schema.Chat, now: float) -> None:
        """Other limits from now on, also for who has been talking."""
        self._limits = limits
        for voice in self._chat_limits.values():
            voice.reconfigure(limits, now)

    # -- coming and going ----------------------------------------------------------------------

    def enter(self, person: Person, now: float) -> Deliveries:
        """A person comes into the lobby.  Who is in already stays as is."""
        if person.id in self._online:
            return []
        mail = self._announce_or_hold(f"{person.name} comes in.", now, came=1)
        self._online[person.id] = Presence(person, now, now)
        self._by_location[None][person.id] = None
        self._by_name[person.name.lower()] = person.id
        return mail

    def leave(self, person_id: str, now: float) -> Deliveries:
        presence = self._online.pop(person_id, None)
        if presence is None:
            return []
        self._remove_from_location(presence)
        self._by_name.pop(presence.person.name.lower(), None)
        if presence.person.is_guest:
            self._ignore_list.clear(person_id)
        return self._announce_or_hold(f"{presence.person.name} leaves.", now, left=1)

    def set_location(self, person_id: str, table: int | None) -> None:
        """The person is now at a table, or (None) in the lobby.  Nobody is told: tables do that."""
        if (presence := self._online.get(person_id)) is not None:
            self._remove_from_location(presence)
            presence.table = table
            self._by_location.setdefault(table, {})[person_id] = None

    def _remove_from_location(self, presence: Presence) -> None:
        at = self._by_location[presence.table]
        del at[presence.person.id]
        if not at and presence.table is not None:
            del self._by_location[presence.table]

    def on_input(self, person_id: str, now: float) -> None:
        """The person typed something."""
        if person_id in self._online:
            self._online[person_id].last_input_at = now

    def flush_held_notices(self, now: float) -> Deliveries:
        """What of the comings and goings was held back and may be told by now.  For a timer."""
        if not (
            self._held_arrivals or self._held_departures
        ) or not self._notice_bucket.try_consume(now):
            return []
        parts = []
        if self._held_arrivals:
            parts.append(f"{_people(self._held_arrivals)} came in")
        if self._held_departures:
            parts.append(f"{_people(self._held_departures)} left")
        self._held_arrivals = self._held_departures = 0
        return self._to_lobby(Announcement(", ".join(parts) + "."))

    def _announce_or_hold(self, text: str, now: float, came: int = 0, left: int = 0) -> Deliveries:
        if not (self._held_arrivals or self._held_departures) and self._notice_bucket.try_consume(
            now
        ):
            return self._to_lobby(Announcement(text))
        self._held_arrivals += came
        self._held_departures += left
        return self.flush_held_notices(now)

    def _to_lobby(self, message: Message) -> Deliveries:
        return [(person_id, message) for person_id in self._by_location[None]]

    def announce_in_lobby(self, text: str) -> Deliveries:
        """News from the tables, for everybody in the lobby."""
        return self._to_lobby(Announcement(text))

    def broadcast(self, text: str) -> Deliveries:
        """What the house has to say to everybody, also at the tables."""
        notice = Notice(text)
        return [(person_id, notice) for person_id in self._online]

    # -- talking -------------------------------------------------------------------------------

    def say(self, person_id: str, text: str, now: float) -> Deliveries:
        """Speak aloud.  HouseError: empty, too long, too fast, or muted."""
        speaker = self._online[person_id]
        text = self._checked_chat_text(speaker, text, now, "say")
        return self._to_listeners(speaker, SayMessage(speaker.person.name, text, speaker.location))

    def emote(self, person_id: str, text: str, now: float) -> Deliveries:
        """The same for what a person does: `me waves`."""
        speaker = self._online[person_id]
        text = self._checked_chat_text(speaker, text, now, "me")
        return self._to_listeners(
            speaker, EmoteMessage(speaker.person.name, text, speaker.location)
        )

    def tell(self, person_id: str, name: str, text: str, now: float) -> Deliveries:
        """A private line.  HouseError: also if nobody of that name is here, or a guest asks."""
        speaker = self._online[person_id]
        if speaker.person.is_guest:
            raise UserError(
                "Guests cannot send private lines. Say it aloud, or come in with your own name."
            )
        return self._send_private(speaker, self._find(name), text, now)

    def reply(self, person_id: str, text: str, now: float) -> Deliveries:
        """A private line to whoever told the last one.  A guest may answer."""
        speaker = self._online[person_id]
        if not speaker.last_tell_from:
            raise UserError("Nobody has told you anything yet. To begin: tell NAME TEXT")
        return self._send_private(speaker, self._find(speaker.last_tell_from), text, now)

    def _send_private(
        self, speaker: Presence, recipient: Presence, text: str, now: float
    ) -> Deliveries:
        if recipient is speaker:
            raise UserError("That is you. Choose somebody else to tell it to.")
        name, to = speaker.person.name, recipient.person.name
        if self._ignore_list.is_ignoring(speaker.person.id, recipient.person.id):
            raise UserError(f"You ignore {to}, who could not answer. First: unignore {to}")
        if self._ignore_list.is_ignoring(recipient.person.id, speaker.person.id):
            raise UserError(f"{to} ignores you, and did not hear that.")
        text = self._checked_chat_text(speaker, text, now, "tell NAME")
        recipient.last_tell_from = name
        deliveries: Deliveries = [
            (recipient.person.id, TellMessage(name, text)),
            (speaker.person.id, TellMessage(name, text, to)),
        ]
        if recipient.idle_s(now) > IDLE_NOTICE_S:
            idle = _span(recipient.idle_s(now))
            deliveries.append((speaker.person.id, Notice(f"{to} has been idle for {idle}.")))
        return deliveries

    def _to_listeners(self, speaker: Presence, message: Message) -> Deliveries:
        present = self._by_location[speaker.table]
        listeners = self._ignore_list.listeners(present, speaker.person.id)
        return [(person_id, message) for person_id in listeners]

    def ignore(self, person_id: str, name: str) -> str:
        """The whole name of who is not heard any more.  HouseError: nobody of that name is here."""
        other = self._find(name).person
        self._ignore_list.add(person_id, other)
        return other.name

    def unignore(self, person_id: str, name: str) -> str:
        return self._ignore_list.remove(person_id, sanitize(name, "name", 64))

    def ignored_names(self, person_id: str) -> list[str]:
        """The names of those whom the person ignores, here or gone."""
        return self._ignore_list.names(person_id)

    def _checked_chat_text(self, speaker: Presence, text: str, now: float, verb: str) -> str:
        """The text as it may be said, its cost paid."""
        text = sanitize(text, "chat")
        if not text:
            raise UserError(f"There is nothing to say. Write it behind the word: {verb} TEXT")
        if len(text) > self._limits.chars_max:
            raise UserError(
                f"That is too long: {len(text)} characters. Say at most {self._limits.chars_max}"
                " at once."
            )
        person = speaker.person
        while self._chat_limits and next(iter(self._chat_limits.values())).is_unused(now):
            self._chat_limits.popitem(last=False)
        voice = self._chat_limits.get(person.id)
        if voice is None:
            voice = self._chat_limits[person.id] = ChatRateLimit(self._limits, person.is_guest, now)
            if len(self._chat_limits) > CHAT_LIMITS_MAX:
                self._chat_limits.popitem(last=False)
        self._chat_limits.move_to_end(person.id)
        voice.charge(text, now)
        return text

    # -- who is here ---------------------------------------------------------------------------

    def presence_of(self, person_id: str) -> PresenceSummary | None:
        """None: not online."""
        presence = self._online.get(person_id)
        return None if presence is None else _summary(presence)

    def presence_by_name(self, name: str) -> PresenceSummary:
        """The person of that name, or the only one whose name begins so.  UserError: nobody."""
        return _summary(self._find(name))

    def online_names(self) -> list[str]:
        return [presence.person.name for presence in self._online.values()]

    def _find(self, name: str) -> Presence:
        """Who is here by that name, or the only one whose name begins so.

        Raises:
            HouseError: Nobody (with who might be meant), somebody who is not in, or several.
        """
        name = sanitize(name, "name", 64)
        wanted = name.lower()
        if wanted in self._by_name:
            return self._online[self._by_name[wanted]]
        # Before the abbreviations: what is meant for Bo, who is out, must not go to Bob.
        known = self._account_name(name)
        if known is not None:
            raise UserError(f"{known} is not here now.")
        begun = sorted(full for full in self._by_name if wanted and full.startswith(wanted))
        if len(begun) == 1:
            return self._online[self._by_name[begun[0]]]
        if begun:
            meant = self._format_names(begun)
            raise UserError(f'"{name}" could be {meant}. Type a little more.')
        close = get_close_matches(wanted, self._by_name, 3)
        hint = f"Did you mean {self._format_names(close)}?" if close else "Type who for a list."
        raise UserError(f'Nobody called "{name}" is here. {hint}')

    def _format_names(self, folded: list[str]) -> str:
        names = [self._online[self._by_name[name]].person.name for name in folded]
        shown = names[:NAMES_SHOWN_MAX]
        if len(names) > len(shown):
            return f"{', '.join(shown)} or one of {len(names) - len(shown)} more"
        return join_words(shown, "or")

    def who_page(self, now: float) -> Page:
        """Everybody by name, with place and idle time; no row is wider than 40 cells."""
        rows = []
        for presence in sorted(self._online.values(), key=lambda p: p.person.name.lower()):
            where = "lobby" if presence.table is None else f"table {presence.table}"
            idle_s = presence.idle_s(now)
            idle = f"  idle {_span(idle_s)}" if idle_s >= 60 else ""
            rows.append(f"{presence.person.name:<16}  {where:<9}{idle}".rstrip())
        is_one = len(rows) == 1
        return Page(f"{_people(len(rows))} {'is' if is_one else 'are'} here", tuple(rows))


def _summary(presence: Presence) -> PresenceSummary:
    return PresenceSummary(presence.person.name, presence.person.is_guest, presence.table)


def _people(number: int) -> str:
    return quantity(number, "person", "people")


def _span(seconds: float) -> str:
    minutes = int(seconds // 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // 1440} days"
