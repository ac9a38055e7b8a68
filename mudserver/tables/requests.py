"""What can be asked of a table.

Rule 1: a request is a frozen value; it says who asks and what for, and holds no promise.
Rule 2: requests of people come from the house.  The others (`Tick`, `ComputerPlay`, `Disconnect`,
        `Reconnect`, `GiveBackTime`) come from the machinery and are never turned away for speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from variants.contract import Seat


@dataclass(frozen=True, slots=True)
class Request:
    person: str  # id of who asks; "" for the machinery


@dataclass(frozen=True, slots=True)
class Open(Request):
    """The first request of every table."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)  # as typed
    is_guest: bool = False
    has_autopass: bool = False


@dataclass(frozen=True, slots=True)
class Configure(Request):
    """The host changes options before the start; those not named keep their value."""

    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sit(Request):
    name: str
    is_guest: bool = False
    has_autopass: bool = False


@dataclass(frozen=True, slots=True)
class Stand(Request):
    """Give up the seat while no game runs."""


@dataclass(frozen=True, slots=True)
class Leave(Request):
    """Go, whatever one is doing here; a running game is left to a computer player.  [G-10]"""


@dataclass(frozen=True, slots=True)
class Watch(Request):
    name: str


@dataclass(frozen=True, slots=True)
class Unwatch(Request):
    """Stop watching."""


@dataclass(frozen=True, slots=True)
class SetAutopass(Request):
    """From now on the own seat passes by itself, or does not.  [G-12]"""

    is_on: bool


@dataclass(frozen=True, slots=True)
class AddBot(Request):
    level: int | None = None  # None: the level that also stands in for people


@dataclass(frozen=True, slots=True)
class RemoveBot(Request):
    which: str = ""  # a name or a seat number counted from 1; "": the last one


@dataclass(frozen=True, slots=True)
class Start(Request):
    seed: bytes = b""  # 256 secret bits, filled in by the runner  [G-02]


@dataclass(frozen=True, slots=True)
class Play(Request):
    line: str  # cleaned


@dataclass(frozen=True, slots=True)
class ReturnToSeat(Request):
    """The owner of an away seat typed something.  [G-09]"""


@dataclass(frozen=True, slots=True)
class Disconnect(Request):
    """The person's last line to the house is gone."""


@dataclass(frozen=True, slots=True)
class Reconnect(Request):
    """The person is in again, perhaps on a newer line."""


@dataclass(frozen=True, slots=True)
class ComputerPlay(Request):
    """A computer player's answer to one window; without an action the default is played.

    It is also how a seat passes by itself.
    """

    seat: Seat
    window: str
    action: Any | None
    seed: int  # of the foreign chance that a default draws from


@dataclass(frozen=True, slots=True)
class Tick(Request):
    """Time has passed: whatever is due happens, one thing at a time."""


@dataclass(frozen=True, slots=True)
class GiveBackTime(Request):
    """The server was away or could not write since *since_ms* (UTC; None: unknown).  [G-09]"""

    since_ms: int | None


INTERNAL_REQUESTS = (Disconnect, Reconnect, ComputerPlay, Tick, GiveBackTime)
RATE_LIMITED_REQUESTS = (Sit, Watch, SetAutopass, AddBot, RemoveBot, Configure)
"""What everybody at a table hears of, and may be asked without end."""
