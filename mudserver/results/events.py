"""What is recorded of games, in the stream `results/1`.

Rule 1: a result holds public facts of a game that is over, and ids of accounts; no name of a
        person.
Rule 2: numbers count up from 1 without a gap, in the order of recording.
Rule 3: a field may be added with a default; none is removed or given another meaning.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Ending = Literal["finished", "draw", "aborted", "abandoned"]
SeatKind = Literal["person", "program", "computer", "guest"]
Fate = Literal["stayed", "left", "forfeit", "substitute", "replaced"]
"""What became of who had the seat.  "replaced": a computer player has had it since an earlier deal
of the match.  "substitute": somebody has taken it over from who left it; see `Substitute`."""


class ResultEvent(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Any of the events below."""

    at_ms: int  # UTC


class SeatResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """One seat of a game that is over."""

    kind: SeatKind
    person: str = ""  # id of an account; "": a computer player or a guest
    name: str = ""  # of a computer player
    level: str = ""  # the same
    place: int | None = None  # from 1; None: the game has no result
    score: int | None = None
    fate: Fate = "stayed"
    before: tuple[int, int] | None = None  # mu and sigma in 1/10,000; None: it is not rated
    after: tuple[int, int] | None = None  # the same
    games: int = 0  # rated ones in the pool, this one included
    anchor: float = 0.0  # mu of the computer player; 0: it played no part in ratings


class Substitute(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has taken over a seat, and had it at the end: that is in no rating."""

    seat: int
    kind: SeatKind
    person: str = ""  # id of an account; "": a guest
    place: int | None = None  # that of the seat; None: the game has no result
    score: int | None = None


class GameRecorded(ResultEvent, frozen=True, tag="game"):
    """A game has ended at *at_ms*."""

    number: int
    id: str  # table and game: `117.3`
    variant: str
    started_ms: int  # UTC
    first: int  # sequences in the table's stream: of the deal
    last: int  # and of the end
    end: Ending
    seats: tuple[SeatResult, ...]
    preset: str = ""
    options: str = ""  # as they could be typed
    data: str = ""  # fingerprint of the files the cards came from
    reason: str = ""  # why it ended, as the game said it; of an aborted game why
    pool: str = ""  # of its ratings; "": it is unrated
    why_unrated: str = ""
    match: str = ""  # id of its first deal
    deal: int = 0
    is_private: bool = False
    substitutes: tuple[Substitute, ...] = ()  # by seat
    tourney: int = 0  # number of the tournament; 0: of none
    round: int = 0  # of the tournament; 0: of none, or not kept

    def against(self, seat: int) -> str:
        """The level of all others, computer players of one level from the start; or ""."""
        others = [each for number, each in enumerate(self.seats) if number != seat]
        levels = {each.level for each in others}
        is_alone = all(each.kind == "computer" for each in others)
        return levels.pop() if is_alone and len(levels) == 1 else ""


class ScanBegun(ResultEvent, frozen=True, tag="scan_begun"):
    """Games that ended before *at_ms* at tables up to *until* are looked for, and recorded."""

    until: int  # number of a table


class Scanned(ResultEvent, frozen=True, tag="scanned"):
    """The games of the tables up to *table* that ended before the scan are recorded."""

    table: int


class GivenBack(msgspec.Struct, frozen=True):
    """What one account has got back, and its standing from then on."""

    person: str
    pool: str
    mu: int  # what the game had won or lost, in 1/10,000
    after: tuple[int, int]  # mu and sigma in 1/10,000
    games: int  # rated ones in the pool, this one still included
    last_ms: int  # of the last of them, UTC


class GameVoided(ResultEvent, frozen=True, tag="voided"):
    """The staff has taken back what a game made of ratings.  Why stands in the audit alone."""

    number: int
    by: str  # as in the audit
    given_back: tuple[GivenBack, ...]


class ParametersSet(ResultEvent, frozen=True, tag="parameters"):
    """By which the games behind it are rated; see `rating.py`."""

    version: int
    mu: float
    sigma: float
    beta: float
    tau: float
    provisional_sigma: float
    anchors: dict[str, dict[str, float]]  # mu, by game and level


class Counted(ResultEvent, frozen=True, tag="counted"):
    """Results up to one of *at_ms* are counted again.  Two servers that count at once conflict."""

    until: int  # the sequence of that one


AnyResultEvent = GameRecorded | GameVoided | ParametersSet | ScanBegun | Scanned | Counted

_decoder: msgspec.json.Decoder[AnyResultEvent] = msgspec.json.Decoder(AnyResultEvent)
_encoder = msgspec.json.Encoder()


def encode(event: AnyResultEvent) -> bytes:
    return _encoder.encode(event)


def decode(body: bytes) -> AnyResultEvent:
    """msgspec.DecodeError: this is no event, or one of a newer server."""
    return _decoder.decode(body)
