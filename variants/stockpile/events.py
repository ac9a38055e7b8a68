"""What happened.  Past tense and complete: folding needs no other source.

Rule 1: a field typed `... | None` with the remark "secret" is set to None by `redact`; what
        stands beside it is the public twin.  [G-04]  All else here is public: in this game only
        the cards of a hand and the order of a deck are hidden.
Rule 2: a window opens by an event of its own (`...Opened`), whose seat follows from public facts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from variants.contract import Seat
from variants.kit.json_values import SINCE_2
from variants.stockpile.data.cards import Card, Cards, Decks, Settings
from variants.stockpile.view import Effect


@dataclass(frozen=True, slots=True)
class GameBegun:
    decks: Decks  # the box, so that a journal outlives a change of the data file
    seats: int
    settings: Settings = field(default=Settings(), metadata=SINCE_2)


@dataclass(frozen=True, slots=True)
class Dealt:
    stockpiles: tuple[Cards, ...]  # by seat
    supplies: Cards | None  # secret; top first
    indoor: Cards | None  # secret
    outdoor: Cards | None  # secret
    counts: tuple[int, int, int]  # supplies, indoor, outdoor


@dataclass(frozen=True, slots=True)
class TurnStarted:
    seat: Seat
    number: int  # of the game, from 1


@dataclass(frozen=True, slots=True)
class IsolationEnded:
    """[SR-45] Own Self-Isolation goes to its discard pile before action 1."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class ActionOpened:
    seat: Seat
    action: int  # 1, 2 or 3


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A Stock Up or Effect card went to the hand."""

    seat: Seat
    back: str
    card: Card | None  # secret


@dataclass(frozen=True, slots=True)
class ImpactDrawn:
    """Drawn, and on its discard pile at once; what it does follows."""

    seat: Seat
    card: Card
    is_harmless: bool = field(default=False, metadata=SINCE_2)  # an Infection in the grace  [SR-68]


@dataclass(frozen=True, slots=True)
class GiveUpOpened:
    """Supplies of different values: the seat says which one goes.  [SR-12]"""

    seat: Seat
    supply: str  # a kind
    card: Card  # the Impact card that takes it


@dataclass(frozen=True, slots=True)
class SupplyLost:
    seat: Seat
    lost: Card
    card: Card  # the Impact card


@dataclass(frozen=True, slots=True)
class NothingLost:
    """The Impact card found nothing to take and does nothing more.  [SR-16] [SR-17]

    So does an Infection while the grace lasts.  [SR-68]
    """

    seat: Seat
    card: Card
    grace: int = field(default=0, metadata=SINCE_2)  # rounds of it; 0: not because of it


@dataclass(frozen=True, slots=True)
class Relocated:
    seat: Seat
    to: str
    why: str  # "impact" "switch" "chosen" "kept" (the LOCATION choice that changes nothing)
    is_bound: bool  # the whole next turn is played there  [SR-14]
    skips: bool  # LOCATION of this turn is skipped: third action, or a reflected switch  [SR-38]


@dataclass(frozen=True, slots=True)
class Tested:
    """The top card of the deck, on its discard pile; None: there was none left.  [SR-26]"""

    seat: Seat
    card: Card | None
    is_infected: bool


@dataclass(frozen=True, slots=True)
class TestKept:
    """A negative Stock Up or Effect card goes from the discard pile to the hand.  [SR-22]"""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Eliminated:
    """All the seat's cards go to the discard piles, open.  [SR-29]"""

    seat: Seat
    hand: Cards
    stockpile: Cards
    isolation: Card | None


@dataclass(frozen=True, slots=True)
class StartedAgain:
    """Infected, and not out: all the seat's cards go to the discard piles, open.  [SR-70]"""

    since = 2  # protocol 1 does not have it; the view that follows shows what it did
    seat: Seat
    hand: Cards
    stockpile: Cards
    isolation: Card | None


@dataclass(frozen=True, slots=True)
class StockPlayed:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class SupplyDrawn:
    """To the stockpile; Sold Out to the discard pile.  [SR-33]"""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class IsolationPlayed:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class SwapPlayed:
    seat: Seat
    card: Card
    other: Card  # discarded open, without effect  [SR-46]


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class EffectPlayed:
    """An Effect card on somebody; reactions come before it does anything."""

    seat: Seat
    card: Card
    target: Seat
    supply: str  # Loot, Nosey Neighbour: the kind; else ""
    give: Card | None  # Trading Station: of *seat*
    take: Card | None  # Loot, Trading Station: of *target*


@dataclass(frozen=True, slots=True)
class ReactionOpened:
    """*seat* may answer *card*, played by *by*.  Asked because of its backs, not its cards."""

    seat: Seat
    card: Card
    by: Seat


@dataclass(frozen=True, slots=True)
class Passed:
    seat: Seat


@dataclass(frozen=True, slots=True)
class Countered:
    """Nice Try!, or a Reflection that turns a counter away, against the card just asked about."""

    seat: Seat
    card: Card
    against: Card
    by: Seat  # who had played *against*


@dataclass(frozen=True, slots=True)
class Reflected:
    """The effect now comes from *seat* and goes to *target*."""

    seat: Seat
    card: Card
    target: Seat
    give: Card | None
    take: Card | None


@dataclass(frozen=True, slots=True)
class CounterSettled:
    """No more answers to the counters: does the first of them stand?

    If it does, the live effect is cancelled; if that was a Reflection, the effect that it
    reflected is live again.  If not, the live effect goes on.  Windows begin afresh.
    [SR-57] [SR-58]
    """

    stands: bool
    effect: Effect  # the last of State.effects, which the counters were about
    live: Effect | None  # what the windows that follow are about; None: nothing is left


@dataclass(frozen=True, slots=True)
class Looted:
    seat: Seat
    victim: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Traded:
    seat: Seat
    other: Seat
    gave: Card
    took: Card


@dataclass(frozen=True, slots=True)
class SuppliesDiscarded:
    """Nosey Neighbour: all cards of one kind."""

    seat: Seat  # whose they were
    by: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class DeckEmptied:
    """This turn is the final one.  [SR-50]"""

    deck: str
    seat: Seat  # whose turn it is
    is_first: bool = field(default=True, metadata=SINCE_2)  # False: the turn was final already


@dataclass(frozen=True, slots=True)
class LocationOpened:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    reason: str  # "survivor", or the deck that ran out first
    winners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PositionArranged:
    """A position set up by hand, for scenarios and tutorials; tuples of tuples are by seat."""

    decks: Decks
    turn: Seat
    number: int
    action: int  # the action that is open
    out: tuple[Seat, ...]  # first to fall first
    locations: tuple[str, ...]
    bound: tuple[Seat, ...]
    isolation: tuple[Card | None, ...]
    stockpiles: tuple[Cards, ...]
    hands: tuple[Cards | None, ...]  # secret but for the own
    backs: tuple[tuple[int, int], ...]  # by seat: Indoor, Outdoor backs in the hand
    discards: tuple[Cards, Cards, Cards]  # supplies, indoor, outdoor; oldest first
    supplies: Cards | None  # secret; top first
    indoor: Cards | None  # secret
    outdoor: Cards | None  # secret
    counts: tuple[int, int, int]
    settings: Settings = field(default=Settings(), metadata=SINCE_2)


Event = (
    GameBegun | Dealt | TurnStarted | IsolationEnded | ActionOpened | CardDrawn | ImpactDrawn
    | GiveUpOpened | SupplyLost | NothingLost | Relocated | Tested | TestKept | Eliminated
    | StockPlayed | SupplyDrawn | IsolationPlayed | SwapPlayed | CardDiscarded | EffectPlayed
    | ReactionOpened | Passed | Countered | Reflected | CounterSettled | Looted | Traded
    | SuppliesDiscarded | DeckEmptied | LocationOpened | GameEnded | PositionArranged
    | StartedAgain
)  # fmt: skip
EVENT_TYPES = (
    GameBegun, Dealt, TurnStarted, IsolationEnded, ActionOpened, CardDrawn, ImpactDrawn,
    GiveUpOpened, SupplyLost, NothingLost, Relocated, Tested, TestKept, Eliminated, StockPlayed,
    SupplyDrawn, IsolationPlayed, SwapPlayed, CardDiscarded, EffectPlayed, ReactionOpened, Passed,
    Countered, Reflected, CounterSettled, Looted, Traded, SuppliesDiscarded, DeckEmptied,
    LocationOpened, GameEnded, PositionArranged, StartedAgain,
)  # fmt: skip
