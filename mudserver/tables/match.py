"""A match: several deals that the same seats play at one table.  State without I/O.

Rule 1: the seats, and who plays in them, stay for the whole match.
Rule 2: the points and the end of a match follow from the results of its deals.  They are never
        stored, and equal totals share the place.  [G-16]
Rule 3: what a seat has missed belongs to one deal; whether its owner is away, and who has left and
        may return, to the match.  A deal that is drawn counts as any other; one that is aborted
        ends the match.
Rule 4: how long the pause between two deals has lasted is presence: after a restart, or when nobody
        was there, it begins again in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from mudserver.messages import MatchStatus
from mudserver.tables import records as f
from mudserver.tables.levels import stored_level
from mudserver.tables.missed_turns import TurnCount
from mudserver.tables.result import places_with_forfeits
from mudserver.tables.seats import Occupant, handed_over, returned, substituted
from mudserver.tables.substituted_seats import renamed_for
from variants.catalogue import AnyVariant
from variants.contract import Outcome


@dataclass
class Match:
    id: str
    deals: int
    deal: int = 0  # the one that is played, or was played last, from 1
    seats: list[Occupant] = field(default_factory=list)  # between two deals
    points: tuple[int, ...] = ()  # by seat, of the deals that are over
    forfeits: frozenset[int] = frozenset()  # seats that have been given up
    is_pausing: bool = False  # a deal is over and the next one has not begun
    # -- presence
    pause_since_ms: int = 0  # UTC
    is_stopped: bool = False  # the next deal was refused
    is_restarted: bool = False  # the server was, in this pause

    @property
    def deals_left(self) -> int:
        """How many follow the one that is played, or was played last."""
        return self.deals - self.deal

    def status(self) -> MatchStatus:
        return MatchStatus(self.id, self.deal, self.deals, self.points)

    def places(self) -> tuple[int, ...]:
        """By seat, from the points; whoever has forfeited a seat comes last."""
        ranks = [1 + sum(other > own for other in self.points) for own in self.points]
        return places_with_forfeits(ranks, self.forfeits)

    # -- the fold ------------------------------------------------------------------------------

    def begin_deal(self, deal: int, seats: int) -> None:
        self.deal, self.is_pausing = deal, False
        self.points = self.points or (0,) * seats

    def end_deal(
        self, variant: AnyVariant, ended: f.Ended, seats: Sequence[Occupant], at_ms: int
    ) -> None:
        outcome = Outcome(ended.places, ended.scores, ended.reason)
        assert variant.match_points is not None, variant.name
        gained = variant.match_points(outcome)
        self.points = tuple([old + new for old, new in zip(self.points, gained, strict=True)])
        # Who has taken the seat back in this deal has not given it up.
        self.forfeits |= {
            seat for seat, each in enumerate(seats) if each.has_forfeited and each.person is None
        }
        self.seats = [replace(each, has_forfeited=False) for each in seats]
        self.is_pausing = self.deals_left > 0
        self.begin_pause(at_ms)
        self.is_restarted = False

    def begin_pause(self, at_ms: int) -> None:
        self.pause_since_ms, self.is_stopped = at_ms, False

    def hand_over(self, variant: AnyVariant, fact: f.HandedOver, at_ms: int) -> None:
        """A person leaves between two deals."""
        level = stored_level(variant, fact.player, fact.level)
        self.seats[fact.seat] = handed_over(self.seats[fact.seat], fact, level, at_ms)

    def take_seat(self, fact: f.SeatReturned | f.Substituted) -> None:
        """A person comes back between two deals, or somebody else takes over the seat."""
        before = self.seats[fact.seat]
        if isinstance(fact, f.SeatReturned):
            self.seats[fact.seat] = returned(before, fact, TurnCount())
        else:
            self.seats = renamed_for(self.seats, fact)
            self.seats[fact.seat] = substituted(before, fact, TurnCount())

    def come_back(self, seat: int) -> None:
        self.seats[seat] = replace(self.seats[seat], is_away=False)
