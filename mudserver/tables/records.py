"""What a table writes: facts, and the record that holds the facts of one decision.

Rule 1: one decision with everything it causes is one Record is one journal body: a torn tail
        loses a decision or nothing, never half a move.
Rule 2: whatever a crash must not lose is a `Fact`.  Who is watching and who is online is a
        `PresenceChange`: it is true until the next restart and never written.
Rule 3: a fact is complete: hidden cards, draws and the seed are in it.  It leaves the server only
        through `result.export_game`, after the game.
Rule 4: a field may be added with a default; none is ever removed or given another meaning,
        so that the journals of every released version replay.  [DUR-7]
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mudserver.tables.options import TableOptions

DecidedBy = Literal["", "person", "computer", "away", "time", "autopass", "later"]
"""Who decided: "" the deal, "computer" a computer's own seat, "away" a computer for an absent
person, "autopass" the default in a person's name [G-12], "time" the clock: then
`Variant.default_action` drew from the game's chance first [G-09], "later" a person, who had kept
the move for later (`plans.py`)."""

Draws = tuple[int | tuple[int, ...], ...]


OfferKind = Literal["draw", "abort", "pause", "adjourn"]
PauseKind = Literal["pause", "adjourn", "outage"]


class Fact(msgspec.Struct, frozen=True, tag=True, tag_field="fact", omit_defaults=True):
    """Any of the facts below."""


class Opened(Fact, frozen=True):
    number: int
    variant: str
    person: str  # the host
    name: str
    is_guest: bool
    options: TableOptions
    tourney: int = 0  # number of the tournament that has opened it, for nobody; 0: none
    round: int = 0  # of it, from 1
    place: int = 0  # in the round, from 1
    kept_for: str = ""  # id of who is on the way to a seat here; "": nobody
    seek_ms: int = 0  # when the game was offered that has been taken so, UTC; 0: it was not


class OptionsSet(Fact, frozen=True):
    options: TableOptions


class OwnerIs(Fact, frozen=True):
    """Who owns the table from now on, after the person who opened it."""

    person: str
    name: str


class Sat(Fact, frozen=True):
    person: str
    name: str
    is_guest: bool = False
    has_autopass: bool = False
    is_play: bool = False  # the person typed `play`


class Stood(Fact, frozen=True):
    person: str
    name: str
    is_gone: bool = False  # offline too long


class Unseated(Fact, frozen=True):
    """The owner has asked a person to leave the waiting table."""

    person: str
    name: str
    by: str  # person
    until_ms: int  # before that the person cannot sit here again, UTC


class Invited(Fact, frozen=True):
    """A person may sit down, whatever `who` and `code` say."""

    person: str
    name: str
    by: str  # person
    until_ms: int  # UTC
    since_ms: int = 0  # UTC; 0: written when all lasted ten minutes


class PersonReplaced(Fact, frozen=True):
    """The person *old*, at a seat or watching, is *new* now, called *name*: a guest who has
    registered, or, with the same id, an account with another name."""

    old: str
    new: str
    name: str


class InvitationEnded(Fact, frozen=True):
    person: str
    name: str
    why: Literal["declined", "expired", "started"]


class Readied(Fact, frozen=True):
    """A person agrees to start the game as the table is now; any change of it ends that."""

    person: str
    is_ready: bool


class AutopassSet(Fact, frozen=True):
    """A person's choice for the own seat, in this game and the next ones.  [G-12]"""

    person: str
    is_on: bool


class ComputerSat(Fact, frozen=True):
    name: str
    player: str = ""  # its level, a key of `Variant.bots`; "" in old records
    level: int = 0  # in old records, instead: see `levels.stored_level`


class ComputerLeft(Fact, frozen=True):
    seat: int
    name: str


class Started(Fact, frozen=True):
    game: int  # counts up from 1 at this table
    names: tuple[str, ...]
    seed: bytes  # secret until the game is over
    commitment: str  # sha256(seed), hexadecimal  [G-02]
    data: str = ""  # `Variant.data_fingerprint`: which files the cards came from
    match: str = ""  # "7.3": table and game of the first deal of a match; "": it is none
    deal: int = 0  # of the match, from 1
    rated: bool = False
    why_unrated: str = ""  # of a table that is rated otherwise


class Dealt(Fact, frozen=True):
    draws: Draws
    events: tuple[Any, ...]
    position: int  # of the chance, after


class Played(Fact, frozen=True):
    seat: int
    by: DecidedBy
    action: Any
    draws: Draws  # those of the default (by "time") before those of the play
    events: tuple[Any, ...]
    position: int


class Asked(Fact, frozen=True):
    """A new window opened.  [TIME-1, TIME-5]"""

    key: str
    deadline_ms: int | None  # UTC; None: no clock runs
    holds: str = ""  # key of the window that this one interrupts
    left_ms: int = 0  # what that one had left
    cut_ms: int = 0  # [G-09] by how much this one is shorter, because who is asked was late


class ClockStopped(Fact, frozen=True):
    """[G-09] pause: the clock waits for *seat*, at most until *until_ms*."""

    seat: int
    left_ms: int
    until_ms: int


class ClockRuns(Fact, frozen=True):
    deadline_ms: int
    seat: int
    paused_ms: int  # how much of this seat's allowance the stop has used


class TimeGivenBack(Fact, frozen=True):
    """[TIME-2] The clock after a restart, or after the journal could not be written."""

    deadline_ms: int | None = None
    until_ms: int | None = None
    offer_until_ms: int | None = None  # of the open offer; None: there is none
    pause_until_ms: int | None = None  # of a paused game, at the latest
    awaited: tuple[int, ...] = ()  # seats whose people are waited for when they are asked
    awaited_until_ms: int | None = None  # so long, UTC


class WentAway(Fact, frozen=True):
    seat: int
    why: Literal["time", "offline"]


class CameBack(Fact, frozen=True):
    seat: int


class TimeExtended(Fact, frozen=True):
    """[G-09] The owner of a late seat has typed: one window has its full time."""

    seat: int
    deadline_ms: int | None = None  # of the open window; None: it is the seat's next one


class HandedOver(Fact, frozen=True):
    """[G-10] A computer player has the seat, until its person returns or the game is over."""

    seat: int
    name: str  # of the computer
    left: str  # the name of the person who had the seat
    why: Literal["left", "forfeit", "banned", "deleted", "noshow"]
    player: str = ""  # as of `ComputerSat`
    level: int = 0
    person: str = ""  # who may return; "": nobody, in records of older servers


class SeatReturned(Fact, frozen=True):
    """[G-10] The person who left has taken the seat back from the computer player."""

    seat: int
    person: str
    name: str
    is_guest: bool = False
    has_autopass: bool = False


class PlanSet(Fact, frozen=True):
    """The moves that a person keeps for later, all of them.  Secret: see `plans.py`."""

    seat: int
    lines: tuple[str, ...]  # as typed, one at least
    is_rest: bool = False  # one of them has been played


class PlanEnded(Fact, frozen=True):
    """The person keeps no move for later any more.  Secret, too."""

    seat: int
    why: Literal["cleared", "played", "unfit"]


class Substituted(Fact, frozen=True):
    """Somebody else has the seat that a person left, for good."""

    seat: int
    person: str
    name: str
    is_guest: bool = False
    has_autopass: bool = False
    left: str = ""  # id of the person who left, and may return no more


class Gone(Fact, frozen=True):
    """The person of an eliminated seat has left.  Nobody takes the seat; its name and place stay.
    [G-05]"""

    seat: int
    name: str


class Ended(Fact, frozen=True):
    places: tuple[int, ...]  # by seat; forfeits counted
    scores: tuple[int | None, ...]
    reason: str
    end: Literal["finished", "draw"] = "finished"


class Offered(Fact, frozen=True):
    offer: int  # counts up from 1 in a game or match
    kind: OfferKind
    seat: int
    asked: tuple[int, ...]  # the other seats that must agree
    until_ms: int  # UTC


class Agreed(Fact, frozen=True):
    offer: int
    seat: int


class OfferEnded(Fact, frozen=True):
    offer: int
    why: Literal["declined", "expired", "changed"]


class Paused(Fact, frozen=True):
    """Nothing happens in the game until it goes on: all who are asked have agreed, or (`outage`)
    somebody is asked who is not back since the server was away."""

    kind: PauseKind
    left_ms: int | None  # of the open window; None: no clock runs
    until_ms: int  # when it goes on at the latest, UTC
    seat: int | None = None  # the clock had waited for this seat
    paused_ms: int = 0  # and has used so much of its allowance
    asked: tuple[int, ...] = ()  # the seats that are waited for; empty: those of the offer


class Resumed(Fact, frozen=True):
    """The paused game goes on."""

    kind: PauseKind
    deadline_ms: int | None  # UTC; None: no clock runs


class Aborted(Fact, frozen=True):
    """The game ends without a result."""

    # expired: nobody has played on by correspondence; tourney: the round is over
    why: Literal["consent", "expired", "tourney"]


class Abandoned(Fact, frozen=True):
    """[G-10] No person is left; there is no result."""


class Closed(Fact, frozen=True):
    """The last fact of a table."""

    why: Literal["empty", "alone", "abandoned", "fault", "full", "moderator"]
    ref: str = ""  # of the line in the log
    reason: str = ""  # what the staff says


AnyFact = (
    Opened | OptionsSet | OwnerIs | Sat | Stood | Unseated | Invited | InvitationEnded
    | Readied | AutopassSet | PersonReplaced
    | ComputerSat | ComputerLeft | Started | Dealt | Played | Asked | ClockStopped | ClockRuns
    | TimeGivenBack | WentAway | CameBack | TimeExtended | HandedOver
    | SeatReturned | Substituted | PlanSet | PlanEnded | Gone | Ended | Offered | Agreed
    | OfferEnded | Paused | Resumed | Aborted | Abandoned | Closed
)  # fmt: skip


UNTOLD = (
    Played | AutopassSet | PlanSet | PlanEnded | TimeExtended | Agreed | TimeGivenBack
    | ClockStopped | ClockRuns
)  # fmt: skip
"""Facts of which not everybody is told: the redacted events of a play say more, what one person
has chosen is that person's, and a restart stops clocks and lets them run again without a word."""


class PresenceChange(msgspec.Struct, frozen=True):
    """A change of presence: never written, lost when the process ends."""

    person: str


class CameOnline(PresenceChange, frozen=True):
    is_new_session: bool = False  # it has been shown nothing yet
    is_silent: bool = False  # only this process has not known it
    seen: int | None = None  # the record up to which it has been shown the table; None: nothing


class WentOffline(PresenceChange, frozen=True):
    """The person's last session has ended."""


class LeftRoom(PresenceChange, frozen=True):
    """The person has gone elsewhere and keeps the seat, of a game by correspondence."""


class StartedWatching(PresenceChange, frozen=True):
    name: str


class StoppedWatching(PresenceChange, frozen=True):
    """The person has stopped watching and is still online."""


class CameFrom(PresenceChange, frozen=True):
    """A guest sits down, whose session counts against *source*."""

    source: str


class CodeMade(PresenceChange, frozen=True):
    """The table has a new code.  Only its hash is written."""

    code: str


class CountdownStopped(PresenceChange, frozen=True):
    """The game cannot start by itself; *text* says why."""

    text: str


class WantsToGoOn(PresenceChange, frozen=True):
    """The person wants to go on with the paused game."""


class WantedTooLong(PresenceChange, frozen=True):
    """The others have not come in time to go on with the adjourned game."""


class ToldOfNobody(PresenceChange, frozen=True):
    """Who waits alone for a rated game has been told that nobody has come yet."""


class WarnedOfWaiting(PresenceChange, frozen=True):
    """The one person who is not ready has been told that all others wait."""


class StartRefused(PresenceChange, frozen=True):
    """Everybody was ready, but the game cannot start now; *text* says why."""

    text: str


class PlansLookedUp(PresenceChange, frozen=True):
    """What was kept for later is looked up, or nothing was kept: up to this record's time."""


class SeatOffered(PresenceChange, frozen=True):
    """Watchers read that the seat of somebody who left can be taken over."""

    seat: int


class WarnedOfClosing(PresenceChange, frozen=True):
    """The only person here has been told that the table closes."""


class Record(msgspec.Struct, frozen=True):
    """One decision.  Without facts it is not written and uses no sequence number."""

    sequence: int
    at_ms: int  # UTC
    facts: tuple[AnyFact, ...]
    presence_changes: tuple[PresenceChange, ...] = ()

    @property
    def closes(self) -> bool:
        """Whether this is the last record of its table."""
        return bool(self.facts) and isinstance(self.facts[-1], Closed)

    @property
    def has_play(self) -> bool:
        return any(isinstance(fact, Played) for fact in self.facts)
