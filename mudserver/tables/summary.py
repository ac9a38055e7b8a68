"""What the table manager answers: frozen values, never a live `Table` or `Game`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from variants.contract import Seat


class Reading(NamedTuple):
    """What a line is to the game of a seat."""

    kind: Literal["legal", "forbidden", "asked", ""]  # a move; a question back; "": nothing
    move: str = ""  # as it is written in full
    is_guess: bool = False  # it is nothing, and the game says what it may mean
    has_move: bool = False  # one of its sentences is a move


class TableSummary(NamedTuple):
    """A table as everybody may see it."""

    number: int
    variant: str
    phase: str  # "waiting", "playing", "over"
    people: str  # who sits there
    free_seats: int
    watchers: int
    is_private: bool = False
    is_rated: bool = False  # its games are to be rated
    is_slow: bool = False  # its games are by correspondence
    to_take_over: tuple[int, ...] = ()  # seats that were left, as they are typed

    def fits(self, only: Collection[str]) -> bool:
        """Args: only: `open`: with a free seat; `rated`."""
        return (self.free_seats > 0 or "open" not in only) and (
            self.is_rated or "rated" not in only
        )


class TablePeople(NamedTuple):
    """Who is at a table, and hears what."""

    opener: str  # id of the person who opened it
    players: frozenset[str]  # ids of the people who have a seat
    absent: frozenset[str]  # ids of those whose seat a computer player has, until they come back
    is_playing: bool
    has_kibitz: bool  # whether players hear remarks of watchers during a game
    is_rated: bool  # its games are to be rated


class InvitationSummary(NamedTuple):
    """An open invitation of one person."""

    table: int
    variant: str
    by_name: str
    by: str  # person
    since_ms: int  # UTC
    until_ms: int  # UTC
    options: Mapping[str, str]  # of the table, as `open` takes them

    @property
    def is_slow(self) -> bool:
        """Whether its games are by correspondence."""
        return "move" in self.options


class SeatStatus(NamedTuple):
    """Where one person sits or watches."""

    table: int
    variant: str
    is_playing: bool  # a game runs at the table
    seat: Seat | None  # None: no seat
    has_autopass: bool | None  # [G-12] None: no seat
    is_watching: bool
    given_up: tuple[int, int] | None  # by leaving: see `Table.given_up`
    is_bound: bool = False  # to the game: it has to be left before going elsewhere
    is_slow: bool = False  # the seat is kept by who goes elsewhere
    tourney: int = 0  # number of the tournament that the table belongs to; 0: to none


class TourneyTable(NamedTuple):
    """Which table of which tournament one is."""

    tourney: int  # 0: of none
    round: int
    place: int


NO_TOURNEY = TourneyTable(0, 0, 0)


class SlowGame(NamedTuple):
    """A table of games by correspondence where one person has a seat."""

    number: int
    variant: str
    phase: Literal["waiting", "playing", "over", "closed"]
    is_asked: bool  # the person is to move
    others: tuple[str, ...]  # the names of the other seats that are asked
    deadline_ms: int | None  # UTC; None: no game runs
    has_offer: bool = False  # an offer waits for the person's answer
    is_opener: bool = False  # the person has opened the table
    adjourned_for: tuple[str, ...] = ()  # for whom an adjourned game waits: `you`, names
    ends_ms: int | None = None  # when that ends without a result, UTC; None: it goes on then
    seek_ms: int = 0  # when the person offered it in the lobby, UTC; 0: it was not offered


class GameNow(NamedTuple):
    """The game of a table, for those who have a seat there and are elsewhere."""

    table: int
    variant: str
    game: int  # its number at the table; 0: there was none
    is_slow: bool  # nobody has to be there
    is_playing: bool
    people: frozenset[str]  # ids of those who have a seat
    asked: frozenset[str]  # of those who are to move, where nobody has to be there
    here: frozenset[str]  # of those who are there
    is_new: bool = False  # it has just begun, with its table


class FinishedGame(NamedTuple):
    """What accounts remember of a game that ends."""

    variant: str
    levels: tuple[str, ...]  # of the variant's computer players, weakest first
    table: int
    game: int
    level: str  # of all computer players in it; "": several levels, or there were none
    seats: int
    at_ms: int  # UTC
    places: dict[str, int]  # by the id of each account that has kept its seat


class EndedSeat(NamedTuple):
    """One seat of a game that ends."""

    person: str  # who began the game here; "": a computer player
    is_guest: bool
    name: str  # of the computer player
    level: str  # the same
    place: int | None  # None: the game has no result
    score: int | None
    fate: Literal["stayed", "left", "forfeit", "replaced"]
    has_decided: bool = False
    in_tourney: Literal["stayed", "left", "noshow"] = "stayed"  # who began, for a tournament


class EndedSubstitute(NamedTuple):
    """Who has taken over a seat of a game, and has it at the end."""

    seat: int
    person: str
    is_guest: bool
    place: int | None  # None: the game has no result
    score: int | None


class EndedGame(NamedTuple):
    """A game that ends in any way, as everybody may know it."""

    id: str  # table and game: `117.3`
    variant: str
    started_ms: int  # UTC
    ended_ms: int  # UTC
    first: int  # sequences in the table's stream: of the deal
    last: int  # and of the end
    end: Literal["finished", "draw", "aborted", "abandoned"]
    reason: str
    seats: tuple[EndedSeat, ...]
    preset: str
    options: str  # those of game, clocks and pace, as they could be typed
    data: str  # `Variant.data_fingerprint`
    match: str  # id of the first deal; "": it is no deal of a match
    deal: int
    is_private: bool
    has_decision: bool  # whether a person has decided anything
    is_rated: bool = False  # if every person has decided something
    why_unrated: str = ""
    substitutes: tuple[EndedSubstitute, ...] = ()  # by seat
    is_slow: bool = False  # by correspondence
    tourney: TourneyTable = NO_TOURNEY
    cut_places: tuple[int, ...] = ()  # by seat, where the end of a round has ended the game


class ClockStatus(NamedTuple):
    """The clock of a running game, as one person at the table is told of it."""

    is_asked: bool  # the person may still answer
    others: tuple[str, ...]  # the names of the other seats that are asked
    deadline_ms: int | None  # UTC; None: no clock runs
    window_ms: int | None  # how long the window is from its opening to the deadline
    paused_for: str = ""  # whom a stopped clock waits for
    until_ms: int | None = None  # when it runs again at the latest, UTC
    is_paused: bool = False  # by agreement: the whole game
    behind: int = 0  # the person watches so many decisions behind, without the clock


class TurnOptions(NamedTuple):
    """What one seat sees of the running or last game, and what it may type now."""

    table: int
    variant: str
    game_number: int
    window: str | None  # key of the open window; None: the game is over
    seat: Seat
    view: Any  # of that seat
    names: tuple[str, ...]
    moves: tuple[str, ...]  # empty: the seat is not asked
