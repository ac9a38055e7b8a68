"""Who is here, where, and what they say to each other.

Rule 1: nothing here waits, sends or reads a clock: *now* is seconds that never go back, and what
        is to be told comes back as (addresses, message) pairs.
Rule 2: talk is heard where it is said: in the lobby, or at the speaker's table; but not by who
        ignores the speaker.
Rule 3: what a refusal or a list shows is public: names, places, and how long somebody in the
        lobby has been idle.  At a table that would tell who has answered in secret [L7].
Rule 4: comings and goings are told a few a second; beyond that they are counted and told in one
        line, so that a storm of logins is not a storm of mail.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from mudserver import config
from mudserver.budget import Budget
from mudserver.clean import clean
from mudserver.errors import HouseError
from mudserver.lobby.ignoring import Ignoring
from mudserver.lobby.voice import Voice
from mudserver.messages import Announced, Emoted, Message, Notice, Page, Said, Told
from mudserver.people import Person
from variants.kit.text import counted, series

Mail = list[tuple[Sequence[str], Message]]

NOTICES_PER_S, NOTICES_BURST = 3, 10  # comings and goings told one by one
VOICES_MAX = 4_096  # people, here or gone, whose last words are remembered
IDLE_S = 300.0  # who tells something to somebody idle for longer hears of it
NAMES_SHOWN_MAX = 5  # in a refusal


@dataclass(slots=True)
class Presence:
    """One person who is in."""

    person: Person
    since: float
    heard: float  # when the person last typed something
    table: int | None = None  # None: the lobby
    told_by: str = ""  # whom `reply` answers

    def idle_s(self, now: float) -> float:
        """Since the last line typed; 0 at a table, whose own clock says for whom all wait."""
        return 0.0 if self.table is not None else now - self.heard

    @property
    def place(self) -> str:
        """As messages name it: "" the lobby, "12" a table."""
        return "" if self.table is None else str(self.table)


class Parlour:
    def __init__(
        self, limits: config.Chat, known: Callable[[str], str | None] = lambda name: None
    ) -> None:
        """Args: known: a name as typed -> the name of the account, None if nobody has it."""
        self._limits, self._known = limits, known
        self._here: dict[str, Presence] = {}  # by id
        self._by_name: dict[str, str] = {}  # folded name -> id
        self._at: dict[int | None, dict[str, None]] = {None: {}}  # ids by table, as in _here
        self._voices: OrderedDict[str, Voice] = OrderedDict()  # by id, least recent first
        self._ignoring = Ignoring()
        self._notices = Budget(NOTICES_PER_S, NOTICES_BURST, 0.0)
        self._came = self._left = 0  # not yet told

    def __len__(self) -> int:
        return len(self._here)

    def take(self, limits: config.Chat, now: float) -> None:
        """Other limits from now on, also for who has been talking."""
        self._limits = limits
        for voice in self._voices.values():
            voice.take(limits, now)

    # -- coming and going ----------------------------------------------------------------------

    def enter(self, person: Person, now: float) -> Mail:
        """A person comes into the lobby.  Who is in already stays as is."""
        if person.id in self._here:
            return []
        mail = self._news(f"{person.name} comes in.", now, came=1)
        self._here[person.id] = Presence(person, now, now)
        self._at[None][person.id] = None
        self._by_name[person.name.lower()] = person.id
        return mail

    def leave(self, person_id: str, now: float) -> Mail:
        presence = self._here.pop(person_id, None)
        if presence is None:
            return []
        self._away_from(presence)
        self._by_name.pop(presence.person.name.lower(), None)
        if presence.person.is_guest:
            self._ignoring.forget(person_id)
        return self._news(f"{presence.person.name} leaves.", now, left=1)

    def moved(self, person_id: str, table: int | None) -> None:
        """The person is now at a table, or (None) in the lobby.  Nobody is told: tables do that."""
        if (presence := self._here.get(person_id)) is not None:
            self._away_from(presence)
            presence.table = table
            self._at.setdefault(table, {})[person_id] = None

    def _away_from(self, presence: Presence) -> None:
        at = self._at[presence.table]
        del at[presence.person.id]
        if not at and presence.table is not None:
            del self._at[presence.table]

    def heard(self, person_id: str, now: float) -> None:
        """The person typed something."""
        if person_id in self._here:
            self._here[person_id].heard = now

    def tick(self, now: float) -> Mail:
        """What of the comings and goings was held back and may be told by now.  For a timer."""
        if not (self._came or self._left) or not self._notices.take(now):
            return []
        parts = []
        if self._came:
            parts.append(f"{_people(self._came)} came in")
        if self._left:
            parts.append(f"{_people(self._left)} left")
        self._came = self._left = 0
        return self._to_lobby(Announced(", ".join(parts) + "."))

    def _news(self, text: str, now: float, came: int = 0, left: int = 0) -> Mail:
        if not (self._came or self._left) and self._notices.take(now):
            return self._to_lobby(Announced(text))
        self._came += came
        self._left += left
        return self.tick(now)

    def _to_lobby(self, message: Message) -> Mail:
        return [(tuple(self._at[None]), message)]

    def announce(self, text: str) -> Mail:
        """News from the tables, for everybody in the lobby."""
        return self._to_lobby(Announced(text))

    def proclaim(self, text: str) -> Mail:
        """What the house has to say to everybody, also at the tables."""
        return [(tuple(self._here), Notice(text))]

    # -- talking -------------------------------------------------------------------------------

    def say(self, person_id: str, text: str, now: float) -> Mail:
        """Speak aloud.  HouseError: empty, too long, too fast, or muted."""
        speaker = self._here[person_id]
        text = self._spoken(speaker, text, now, "say")
        return self._aloud(speaker, Said(speaker.person.name, text, speaker.place))

    def emote(self, person_id: str, text: str, now: float) -> Mail:
        """The same for what a person does: `me waves`."""
        speaker = self._here[person_id]
        text = self._spoken(speaker, text, now, "me")
        return self._aloud(speaker, Emoted(speaker.person.name, text, speaker.place))

    def tell(self, person_id: str, name: str, text: str, now: float) -> Mail:
        """A private line.  HouseError: also if nobody of that name is here, or a guest asks."""
        speaker = self._here[person_id]
        if speaker.person.is_guest:
            raise HouseError(
                "Guests cannot send private lines. Say it aloud, or come in with your own name."
            )
        return self._whisper(speaker, self.find(name), text, now)

    def reply(self, person_id: str, text: str, now: float) -> Mail:
        """A private line to whoever told the last one.  A guest may answer."""
        speaker = self._here[person_id]
        if not speaker.told_by:
            raise HouseError("Nobody has told you anything yet. To begin: tell NAME TEXT")
        return self._whisper(speaker, self.find(speaker.told_by), text, now)

    def _whisper(self, speaker: Presence, hearer: Presence, text: str, now: float) -> Mail:
        if hearer is speaker:
            raise HouseError("That is you. Choose somebody else to tell it to.")
        name, to = speaker.person.name, hearer.person.name
        if self._ignoring.is_deaf(speaker.person.id, hearer.person.id):
            raise HouseError(f"You ignore {to}, who could not answer. First: unignore {to}")
        if self._ignoring.is_deaf(hearer.person.id, speaker.person.id):
            raise HouseError(f"{to} ignores you, and did not hear that.")
        text = self._spoken(speaker, text, now, "tell NAME")
        hearer.told_by = name
        mail: Mail = [
            ((hearer.person.id,), Told(name, text)),
            ((speaker.person.id,), Told(name, text, to)),
        ]
        if hearer.idle_s(now) > IDLE_S:
            idle = _span(hearer.idle_s(now))
            mail.append(((speaker.person.id,), Notice(f"{to} has been idle for {idle}.")))
        return mail

    def _aloud(self, speaker: Presence, message: Message) -> Mail:
        here = self._at[speaker.table]
        return [(self._ignoring.listeners(here, speaker.person.id), message)]

    def ignore(self, person_id: str, name: str) -> str:
        """The whole name of who is not heard any more.  HouseError: nobody of that name is here."""
        other = self.find(name).person
        self._ignoring.add(person_id, other)
        return other.name

    def unignore(self, person_id: str, name: str) -> str:
        return self._ignoring.drop(person_id, clean(name, "name", 64))

    def ignored(self, person_id: str) -> list[str]:
        """The names of those whom the person ignores, here or gone."""
        return self._ignoring.names(person_id)

    def _spoken(self, speaker: Presence, text: str, now: float, verb: str) -> str:
        """The text as it may be said, its cost paid."""
        text = clean(text, "chat")
        if not text:
            raise HouseError(f"There is nothing to say. Write it behind the word: {verb} TEXT")
        if len(text) > self._limits.chars_max:
            raise HouseError(
                f"That is too long: {len(text)} characters. Say at most {self._limits.chars_max}"
                " at once."
            )
        person = speaker.person
        while self._voices and next(iter(self._voices.values())).is_at_rest(now):
            self._voices.popitem(last=False)
        voice = self._voices.get(person.id)
        if voice is None:
            voice = self._voices[person.id] = Voice(self._limits, person.is_guest, now)
            if len(self._voices) > VOICES_MAX:
                self._voices.popitem(last=False)
        self._voices.move_to_end(person.id)
        voice.spend(text, now)
        return text

    # -- who is here ---------------------------------------------------------------------------

    def presence(self, person_id: str) -> Presence | None:
        return self._here.get(person_id)

    def names(self) -> list[str]:
        return [presence.person.name for presence in self._here.values()]

    def find(self, name: str) -> Presence:
        """Who is here by that name, or the only one whose name begins so.

        Raises:
            HouseError: Nobody (with who might be meant), somebody who is not in, or several.
        """
        name = clean(name, "name", 64)
        wanted = name.lower()
        if wanted in self._by_name:
            return self._here[self._by_name[wanted]]
        # Before the abbreviations: what is meant for Bo, who is out, must not go to Bob.
        known = self._known(name)
        if known is not None:
            raise HouseError(f"{known} is not here now.")
        begun = sorted(full for full in self._by_name if wanted and full.startswith(wanted))
        if len(begun) == 1:
            return self._here[self._by_name[begun[0]]]
        if begun:
            meant = self._listed(begun)
            raise HouseError(f'"{name}" could be {meant}. Type a little more.')
        close = get_close_matches(wanted, self._by_name, 3)
        hint = f"Did you mean {self._listed(close)}?" if close else "Type who for a list."
        raise HouseError(f'Nobody called "{name}" is here. {hint}')

    def _listed(self, folded: list[str]) -> str:
        names = [self._here[self._by_name[name]].person.name for name in folded]
        shown = names[:NAMES_SHOWN_MAX]
        if len(names) > len(shown):
            return f"{', '.join(shown)} or one of {len(names) - len(shown)} more"
        return series(shown, "or")

    def who(self, now: float) -> Page:
        """Everybody by name, with place and idle time; no row is wider than 40 cells."""
        rows = []
        for presence in sorted(self._here.values(), key=lambda p: p.person.name.lower()):
            where = "lobby" if presence.table is None else f"table {presence.table}"
            idle_s = presence.idle_s(now)
            idle = f"  idle {_span(idle_s)}" if idle_s >= 60 else ""
            rows.append(f"{presence.person.name:<16}  {where:<9}{idle}".rstrip())
        is_one = len(rows) == 1
        return Page(f"{_people(len(rows))} {'is' if is_one else 'are'} here", tuple(rows))


def _people(number: int) -> str:
    return counted(number, "person", "people")


def _span(seconds: float) -> str:
    minutes = int(seconds // 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // 1440} days"
