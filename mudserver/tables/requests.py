"""The requests that a table settles.

Rule 1: a request is a frozen value: who asks, and for what.  It holds no future.
Rule 2: people's requests come from the service.  INTERNAL_REQUESTS come from the server itself; no
        rate limit refuses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from mudserver.tables.records import OfferKind
from variants.contract import Seat


@dataclass(frozen=True, slots=True)
class Request:
    person: str  # id; "" for the server itself


class TakenSeek(NamedTuple):
    """The offer in the lobby whose table it is."""

    kept_for: str = ""  # id of who takes it and is on the way from another server; "": nobody is
    since_ms: int = 0  # when it was made, UTC; 0: there was none


NO_SEEK = TakenSeek()


@dataclass(frozen=True, slots=True)
class Open(Request):
    """The first request of every table."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)  # as typed
    is_guest: bool = False
    has_autopass: bool = False
    source: str = ""  # of the session of a guest; filled in by the manager
    new_code: str = ""  # if the table is to be private; filled in by the runner
    is_play: bool = False
    is_practice: bool = False  # nobody else comes: a guest may open it, too
    taken: TakenSeek = NO_SEEK


class Entrant(NamedTuple):
    """Who plays at a table of a tournament."""

    person: str
    name: str
    has_autopass: bool = False


@dataclass(frozen=True, slots=True)
class OpenRound(Request):
    """The first request of a table of a tournament: its game begins with it."""

    tourney: int
    round: int  # from 1
    place: int  # in the round, from 1
    entrants: tuple[Entrant, ...]
    options: Mapping[str, str]  # as typed
    elsewhere: frozenset[str] = frozenset()  # who of them is bound to another game
    seed: bytes = b""  # filled in by the runner


@dataclass(frozen=True, slots=True)
class EndRound(Request):
    """The round of the tournament is over: the game ends without a result."""


@dataclass(frozen=True, slots=True)
class NotCome(Request):
    """The person has typed nothing since the round of the tournament began."""


@dataclass(frozen=True, slots=True)
class Configure(Request):
    """The owner changes options before the start; those not named keep their value."""

    options: Mapping[str, str]
    new_code: str = ""  # filled in by the runner


@dataclass(frozen=True, slots=True)
class Sit(Request):
    """Take a seat, or take the own one back in a running game.  [G-10]"""

    name: str
    is_guest: bool = False
    has_autopass: bool = False
    source: str = ""  # of the session of a guest; filled in by the manager
    code: str = ""  # of a private table, as typed
    is_program: bool = False
    is_play: bool = False


@dataclass(frozen=True, slots=True)
class Substitute(Request):
    """Take over the seat that somebody left in a running game."""

    name: str
    number: int | None = None  # of the seat, from 1, as typed; None: the only one
    is_guest: bool = False
    has_autopass: bool = False
    source: str = ""  # of the session of a guest; filled in by the manager
    is_program: bool = False


@dataclass(frozen=True, slots=True)
class Stand(Request):
    """Give up the seat while no game runs."""


@dataclass(frozen=True, slots=True)
class Leave(Request):
    """Leave the table, seated or watching; a computer player takes over a running game.  [G-10]"""

    game: int | None = None  # as of `Table.given_up`: leave only this one; None: whatever runs
    why: Literal["left", "banned", "deleted"] = "left"  # else the person's stay has ended


@dataclass(frozen=True, slots=True)
class CloseByStaff(Request):
    """The staff closes the table; a running game ends without a result."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReplacePerson(Request):
    """The person is *new* now, called *name*; the account knows it already."""

    new: str
    name: str


@dataclass(frozen=True, slots=True)
class Watch(Request):
    name: str
    code: str = ""  # of a private table, as typed
    goes_on: bool = False  # the same session, which has watched in another process
    seen: int | None = None  # then as of `Reconnect`


@dataclass(frozen=True, slots=True)
class Unwatch(Request):
    """Stop watching."""


@dataclass(frozen=True, slots=True)
class SetAutopass(Request):
    """Whether the own seat passes by itself from now on.  [G-12]"""

    is_on: bool


@dataclass(frozen=True, slots=True)
class AddBot(Request):
    level: str = ""  # as typed: a level, its number or a name; "": the usual one


@dataclass(frozen=True, slots=True)
class RemoveBot(Request):
    which: str = ""  # a name or a seat number counted from 1; "": the last one


@dataclass(frozen=True, slots=True)
class Unseat(Request):
    """The owner asks a person to leave the waiting table."""

    name: str
    new_code: str = ""  # of a private table; filled in by the runner


@dataclass(frozen=True, slots=True)
class Invite(Request):
    """Ask somebody to sit down, who may be offline where games are by correspondence."""

    whom: str  # person
    name: str


@dataclass(frozen=True, slots=True)
class Offer(Request):
    kind: OfferKind


@dataclass(frozen=True, slots=True)
class AnswerOffer(Request):
    is_accepted: bool


@dataclass(frozen=True, slots=True)
class GoOn(Request):
    """The person wants to go on with the paused game."""


@dataclass(frozen=True, slots=True)
class Decline(Request):
    """The person does not accept the invitation to this table."""


@dataclass(frozen=True, slots=True)
class SetOwner(Request):
    """The owner hands the table on to another person who sits here."""

    name: str


@dataclass(frozen=True, slots=True)
class Start(Request):
    """The person is ready for the game, which starts as soon as everybody is."""

    seed: bytes = b""  # 256 secret bits, filled in by the runner  [G-02]
    seen: int = 0  # changes of the table that were sent to the person; filled in by the manager
    unseen: str = ""  # a change by somebody else since then; filled in by the runner
    refusal: str = ""  # why no game can start now; filled in by the runner


@dataclass(frozen=True, slots=True)
class Unready(Request):
    """The person is not ready after all."""


@dataclass(frozen=True, slots=True)
class Play(Request):
    line: str  # sanitized
    question: str = ""  # the id of the question that it answers; "": whatever is open


@dataclass(frozen=True, slots=True)
class ChangePlan(Request):
    """Keep one move more for later, or none any more."""

    line: str  # sanitized; "": none any more


@dataclass(frozen=True, slots=True)
class MarkAnswered(Request):
    """Say when all that the person asked for before is settled: the session has numbered it."""

    line: int


@dataclass(frozen=True, slots=True)
class OwnerTyped(Request):
    """The owner of an away or late seat typed something.  [G-09]"""


@dataclass(frozen=True, slots=True)
class StepOut(Request):
    """The person goes elsewhere and keeps the seat, of a game by correspondence."""


@dataclass(frozen=True, slots=True)
class Disconnect(Request):
    """The person's last session has ended."""


@dataclass(frozen=True, slots=True)
class Reconnect(Request):
    """The person is online again, or has a newer session."""

    is_silent: bool = False  # the same session goes on: the others are not told
    seen: int | None = None  # the record up to which it has been shown the table; None: nothing


@dataclass(frozen=True, slots=True)
class ComputerPlay(Request):
    """A computer player's answer to one window; without an action the default is played.

    A seat that passes by itself does so with this request, too.
    """

    seat: Seat
    window: str
    action: Any | None
    seed: int  # of the chance of its own that a default draws from


@dataclass(frozen=True, slots=True)
class Tick(Request):
    """Time has passed: decide the most urgent thing that is due."""

    seed: bytes = b""  # for a game that starts by itself; filled in by the runner
    refusal: str = ""  # why none can; filled in by the runner
    elsewhere: frozenset[str] = frozenset()  # who plays on another server; likewise


@dataclass(frozen=True, slots=True)
class GiveBackTime(Request):
    """The server was down, or could not write, since *since_ms* (UTC; None: unknown).  [G-09]"""

    since_ms: int | None


@dataclass(frozen=True, slots=True)
class Park(Request):
    """Nobody has looked at the table for a while: it may leave memory (`parked.py`)."""


INTERNAL_REQUESTS = (
    *(Disconnect, Reconnect, ComputerPlay, Tick, GiveBackTime, CloseByStaff, ReplacePerson),
    *(MarkAnswered, StepOut, Park, OpenRound, EndRound, NotCome),
)
RATE_LIMITED_REQUESTS = (
    *(Sit, Watch, Substitute, SetAutopass, AddBot, RemoveBot, Configure),
    *(Unseat, SetOwner, Unready, Invite, Offer, AnswerOffer, GoOn, ChangePlan),
)
"""Requests that everybody at a table is told of and that cost the sender nothing."""
