"""What was said before somebody came: the last lines of a place, and one's own private messages.

Rule 1: memory only; a restart forgets all of it but the private messages of sessions that go on.
Rule 2: at a table only who was there reads what was said meanwhile: whose connection was lost.
Rule 3: people are named as they are called when it is shown.
Rule 4: nobody is shown a line again that the same session has shown, or one of who is ignored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from mudserver.accounts.person import Person, is_guest_id
from mudserver.clock import Clock
from mudserver.config.schema import ChatLimits
from mudserver.data_people import TellRow, TellsData
from mudserver.errors import UserError
from mudserver.lobby.channels import LOBBY
from mudserver.lobby.lobby import Lobby
from mudserver.lobby.scrollback import Line, Place, Scrollback
from mudserver.messages import (
    EarlierTalk,
    Message,
    TalkMessage,
    TellMessage,
)
from mudserver.outbox import Deliveries
from mudserver.service import texts
from mudserver.service.online_people import OnlinePeople
from mudserver.tables.replaced_person import PresentPerson

Talk = TypeVar("Talk", bound=TalkMessage)

TELLS_MAX = 20  # private messages of one session, sent and received


class TalkHistory:
    def __init__(
        self,
        limits: ChatLimits,
        clock: Clock,
        lobby: Lobby,
        online: OnlinePeople,
        present_person: PresentPerson,
    ) -> None:
        self._present_person = present_person
        self._clock, self._lobby, self._online = clock, lobby, online
        self._scrollback = Scrollback(limits.scrollback_lines)
        self._tells: dict[str, deque[tuple[int, TellMessage]]] = {}  # by person
        self._tables: dict[str, tuple[int, int]] = {}  # by person: table, and since when, in ms
        self._heard_ms: dict[str, dict[str, int]] = {}  # by person and channel: until when
        self.is_held: Callable[[str, Line], bool] = lambda person_id, line: False
        """Whether the person may not read the line yet; for watchers of a game with a delay."""
        self.has_shown: Callable[[str, Line], bool] = lambda person_id, line: False
        """Whether the person's session has shown the line at another server."""

    def reconfigure(self, limits: ChatLimits) -> None:
        self._scrollback.lines_max = limits.scrollback_lines

    # -- people ----------------------------------------------------------------------------------

    def table_of(self, person_id: str) -> int | None:
        """Where the person is or was last, online or not; None: at no table."""
        return self._tables.get(person_id, (None, 0))[0]

    def move(self, person_id: str, table: int | None) -> None:
        """The person is at that table from now on, online or not; None: at none."""
        before = self._tables.get(person_id)
        if before is not None and before[0] == table:
            return
        if before is not None:
            del self._tables[person_id]
            if all(other != before[0] for other, _ in self._tables.values()):
                self._scrollback.forget(before[0])
        if table is not None:
            self._tables[person_id] = table, self._clock.now_ms()
            if before is None:
                self.note_heard(person_id, LOBBY)

    def leave(self, person_id: str) -> None:
        """The person's session is over."""
        self._tells.pop(person_id, None)
        self._heard_ms.pop(person_id, None)

    def replace_person(self, old: str, new: str) -> None:
        """The person of id *old* has another id now."""
        self._scrollback.replace_person(old, new)
        if old in self._tables:
            self._tables[new] = self._tables.pop(old)
        if old in self._tells:
            self._tells[new] = self._tells.pop(old)
        if old in self._heard_ms:
            self._heard_ms[new] = self._heard_ms.pop(old)

    def note_heard(self, person_id: str, channel: str) -> None:
        """The person hears no more of it from now on."""
        if self._online.get(person_id) is not None:
            self._heard_ms.setdefault(person_id, {})[channel] = self._clock.now_ms()

    def heard_ms(self, person_id: str) -> Mapping[str, int]:
        """Until when the session has heard channels that it hears no more, by channel."""
        return self._heard_ms.get(person_id, {})

    def restore_heard(self, person_id: str, heard_ms: Mapping[str, int]) -> None:
        """Args: heard_ms: Of a session that goes on here, or as another person, if it does."""
        if self._online.get(person_id) is not None:
            self._heard_ms[person_id] = dict(heard_ms)

    # -- lines -----------------------------------------------------------------------------------

    def note(self, place: Place, line: Line, at_ms: int | None = None) -> None:
        """Args: at_ms: None: now."""
        self._scrollback.add(place, self._clock.now_ms() if at_ms is None else at_ms, line)

    def carried(self) -> Iterator[tuple[str, int, Line]]:
        """What was said in the lobby and in channels, with places and times."""
        return self._scrollback.outside_tables()

    def lines(self, place: Place) -> list[tuple[int, Line]]:
        """All that was said there and is kept, with UTC times in ms: the same objects each time."""
        most, now_ms = self._scrollback.lines_max, self._clock.now_ms()
        return self._scrollback.last(place, most, now_ms, since_ms=0, is_heard=lambda line: True)

    def remove_of(self, person_id: str) -> int:
        """Remove what a person has said, everywhere; returns how many lines."""
        return self._scrollback.remove_of(person_id)

    def at_login(self, person: Person, shown_until_ms: int = 0) -> list[Message]:
        """The last lines where the person is now.

        Args:
            shown_until_ms: What was said until then stands on the person's screen.
        """
        presence = self._lobby.here(person.id)
        if presence is None or self._online.is_program(person.id):
            return []
        if presence.table is None:
            return self._earlier(person, LOBBY, shown_until_ms)
        table, since_ms = self._tables.get(person.id, (None, 0))
        return (
            []
            if table != presence.table
            else self._earlier(person, presence.table, max(since_ms, shown_until_ms))
        )

    def of_channel(self, person: Person, channel: str) -> list[Message]:
        """The last lines of a channel that the person has just joined."""
        heard_ms = self._heard_ms.get(person.id, {}).get(channel, 0)
        return self._earlier(person, channel, heard_ms)

    def since(self, person: Person, place: Place, since_ms: int) -> list[tuple[int, Line]]:
        """All lines of a place that were said later than *since_ms*, with their times."""
        return self._last(person, place, self._scrollback.lines_max, since_ms)

    def _earlier(self, person: Person, place: Place, since_ms: int) -> list[Message]:
        count = int(self._preference(person, "scrollback"))
        lines = tuple(self._last(person, place, count, since_ms))
        zone = self._preference(person, "timezone")
        return [EarlierTalk(texts.EARLIER, lines, zone)] if lines else []

    def _last(
        self, person: Person, place: Place, count: int, since_ms: int
    ) -> list[tuple[int, Line]]:
        lines = self._scrollback.last(
            place,
            count,
            self._clock.now_ms(),
            since_ms=since_ms,
            is_heard=partial(self._is_heard, person.id),
        )
        return [(at_ms, self._with_names(line)) for at_ms, line in lines]

    def _is_heard(self, person_id: str, line: Line) -> bool:
        if self._lobby.ignores(person_id, _speaker_of(line)):
            return False
        return not (self.is_held(person_id, line) or self.has_shown(person_id, line))

    def _with_names(self, line: Talk) -> Talk:
        """The same, where people are called as they are now."""
        if not line.speaker:  # by a role
            return line
        who = self._name(line.speaker, line.who)
        if isinstance(line, TellMessage) and line.to is not None:
            return replace(line, who=who, to=self._name(line.listener, line.to))
        return replace(line, who=who)

    def _name(self, person_id: str, otherwise: str) -> str:
        person = self._present_person(person_id)
        return otherwise if person is None else person.name

    def _preference(self, person: Person, key: str) -> str:
        online = self._online.get(person.id)
        assert online is not None, person
        return online.preference(key)

    # -- private messages ------------------------------------------------------------------------

    def with_tells(self, deliveries: Deliveries) -> Deliveries:
        """The same; what of it is a private message is remembered."""
        now_ms = self._clock.now_ms()
        for person_id, message in deliveries:
            if isinstance(message, TellMessage):
                kept = self._tells.setdefault(person_id, deque(maxlen=TELLS_MAX))
                kept.append((now_ms, message))
        return deliveries

    def restore_tells(self, person_id: str, told: Iterable[tuple[int, TellMessage]]) -> None:
        """Args: told: What a session has read that goes on here, with UTC times in ms."""
        if person_id not in self._tells and (kept := deque(told, maxlen=TELLS_MAX)):
            self._tells[person_id] = kept

    def tells(self, person: Person) -> Message:
        """The last private messages of the session, sent and received."""
        kept = self._tells.get(person.id)
        if not kept:
            raise UserError(texts.NO_TELLS, "not_found")
        named = tuple((at_ms, self._with_names(told)) for at_ms, told in kept)
        data = TellsData(tuple([_tell_row(at_ms, told) for at_ms, told in named]))
        return EarlierTalk(texts.TELLS, named, self._preference(person, "timezone"), data)


def _tell_row(at_ms: int, told: TalkMessage) -> TellRow:
    assert isinstance(told, TellMessage), told
    return TellRow(at_ms, told.who, told.to, told.text)


def _speaker_of(line: Line) -> Person:
    return Person(line.speaker, line.who, is_guest=is_guest_id(line.speaker))
