"""One person who is online, here or on another server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mudserver.accounts.person import Person
from mudserver.lobby.chat_limits import TalkSpent
from mudserver.lobby.seek import Seek


@dataclass(slots=True)
class Presence:
    """One person who is online here."""

    person: Person
    entered_at: float
    last_input_at: float  # monotonic, s
    table: int | None = None  # None: the lobby
    away: str = ""  # what the person says of it; "": not away
    last_teller: Person | None = None  # whom `reply` answers; never who has that name later
    seeks: tuple[Seek, ...] = ()  # oldest first

    def idle_s(self, now: float) -> float:
        """Since the last input line; 0 at a table, where the turn clock counts."""
        return 0.0 if self.table is not None else now - self.last_input_at


@dataclass(slots=True)
class PresenceElsewhere:
    """One person who is online on another server, as that one tells."""

    person: Person
    server: str
    since_ms: int  # UTC
    last_input_at: float  # on the clock of this server, to the minute
    table: int | None = None
    away: str = ""
    is_program: bool = False
    round: int = 0  # in which the server has told of it last
    seeks: tuple[Seek, ...] = ()

    def idle_s(self, now: float) -> float:
        return 0.0 if self.table is not None else now - self.last_input_at


AnyPresence = Presence | PresenceElsewhere


class CarriedPresence(NamedTuple):
    """What goes along when a session goes on in another process."""

    away: str = ""
    is_quiet: bool = False
    spent: TalkSpent | None = None  # None: nothing
    ignored: Mapping[str, str] = {}  # whom no account keeps as ignored, names by id
    channels: Mapping[str, bool] = {}  # a guest has joined them, or left them
    heard_ms: Mapping[str, int] = {}  # until when, of channels that are not heard any more
    seeks: tuple[Seek, ...] = ()


class PresenceSummary(NamedTuple):
    """What everybody may know of a person who is online."""

    name: str
    is_guest: bool
    table: int | None  # None: the lobby
    away: str = ""  # what the person says of it; "": not away


def summary(presence: AnyPresence) -> PresenceSummary:
    person = presence.person
    return PresenceSummary(person.name, person.is_guest, presence.table, presence.away)
