"""Everything about one game, hidden cards included.  Nobody is handed it."""

from __future__ import annotations

from dataclasses import dataclass, field

from variants.contract import Seat
from variants.stockpile.data.cards import (
    DECKS,
    INDOORS,
    OUTDOORS,
    SUPPLIES,
    Card,
    Cards,
    Decks,
    Settings,
)
from variants.stockpile.view import Counter, Effect, is_in_grace


@dataclass(frozen=True, slots=True)
class Player:
    hand: Cards = ()  # in order of arrival
    stockpile: Cards = ()  # in order of arrival
    location: str = INDOORS
    is_bound: bool = False  # [SR-14]
    isolation: Card | None = None
    is_in: bool = True


@dataclass(frozen=True, slots=True)
class State:
    decks: Decks
    players: tuple[Player, ...]
    turn: Seat  # whose turn it is
    asked: Seat  # whose answer is awaited, where asks is not ""
    supplies: Cards = ()  # top first
    indoor: Cards = ()
    outdoor: Cards = ()
    discards: tuple[Cards, Cards, Cards] = ((), (), ())  # supplies, indoor, outdoor; oldest first
    number: int = 0  # turns started so far
    action: int = 0
    asks: str = ""  # see View.asks
    question: int = 0  # windows opened so far
    skips: bool = False  # LOCATION of this turn is skipped
    impact: Card | None = None
    effects: tuple[Effect, ...] = ()
    counters: tuple[Counter, ...] = ()
    asker: int = 0  # index of the asker whose window is open, or was last, for effects[-1]
    fallen: tuple[Seat, ...] = ()
    emptied: str = ""  # the deck that ran out first; "" before the final turn
    ended: str = ""
    winners: tuple[Seat, ...] = ()
    settings: Settings = field(default=Settings())

    def cards_in_deck(self, deck: str) -> Cards:
        """What is left of one deck, top first."""
        return {SUPPLIES: self.supplies, INDOORS: self.indoor, OUTDOORS: self.outdoor}[deck]

    @property
    def is_final(self) -> bool:
        """Some deck is empty: this turn is the last.  [SR-50]"""
        return not all(self.cards_in_deck(deck) for deck in DECKS)

    @property
    def is_in_grace(self) -> bool:
        return is_in_grace(self.settings, self.number, len(self.players))

    @property
    def reaction_order(self) -> tuple[Seat, ...]:
        """Who may answer the live effect, in the order of asking.

        Whoever made the effect that a Reflection turned away first [SR-62] [SR-63], then the
        target; nobody else [SR-56].
        """
        live = self.effects[-1]
        if len(self.effects) > 1 and (countered := self.effects[-2].controller) != live.target:
            return (countered, live.target)
        return (live.target,)
