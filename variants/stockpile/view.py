"""What one seat, or a watcher, may see.

Rule 1: nothing here knows the state.  Legality, the question and the time-out default follow
        from a view, so none of them can tell a hidden card.  [G-12]
Rule 2: only `hand` is the seat's own; everything else is the same for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from variants.contract import Seat, Window
from variants.kit.json_values import SINCE_2
from variants.stockpile.data.cards import (
    INDOORS,
    OUTDOORS,
    SUPPLIES,
    Card,
    Cards,
    Decks,
    Settings,
)


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody may know of one seat."""

    is_in: bool
    indoor: int  # Indoor backs in the hand
    outdoor: int  # Outdoor backs in the hand
    stockpile: Cards  # in order of arrival
    location: str  # "indoor" or "outdoor"
    is_bound: bool  # plays the whole next turn where it is  [SR-14]
    isolation: Card | None  # Self-Isolation in play

    @property
    def cards(self) -> int:
        """Cards in the hand."""
        return self.indoor + self.outdoor


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect that waits for reactions; of several the last is live, the others its parents."""

    card: Card  # the Effect card, or the Reflection that made this of its parent
    controller: Seat  # who profits
    target: Seat
    supply: str  # Loot, Nosey Neighbour: the kind; else ""
    give: Card | None  # Trading Station: of the controller
    take: Card | None  # Loot, Trading Station: of the target


@dataclass(frozen=True, slots=True)
class Counter:
    """A card against the live effect, or against the counter before it."""

    card: Card
    seat: Seat


@dataclass(frozen=True, slots=True)
class View:
    seat: Seat | None  # None: a watcher
    decks: Decks  # what was in the box
    seats: tuple[SeatView, ...]
    turn: Seat  # whose turn it is; the last one when the game is over
    number: int  # of the turn, from 1
    action: int  # 1, 2 or 3: the action that is open or being resolved
    asks: str  # "action" "give up" "reaction" "location"; "" when the game is over
    asked: Seat  # whose answer is awaited, where asks is not ""
    question: int  # windows opened so far in this game
    skips: bool  # LOCATION will be skipped this turn
    impact: Card | None  # the Impact card that takes a supply, where asks is "give up"
    effects: tuple[Effect, ...]  # first to last; empty unless asks is "reaction"
    counters: tuple[Counter, ...]  # first to last, against effects[-1]
    supplies: int  # cards left in the decks
    indoor: int
    outdoor: int
    discards: tuple[Cards, Cards, Cards]  # supplies, indoor, outdoor; oldest first
    fallen: tuple[Seat, ...]  # first to fall first
    ended: str  # "" while the game goes on, else GameEnded.reason
    winners: tuple[Seat, ...]
    hand: Cards = ()  # own, in order of arrival
    settings: Settings = field(default=Settings(), metadata=SINCE_2)

    def cards_left(self, deck: str) -> int:
        """Cards left in one deck."""
        return {SUPPLIES: self.supplies, INDOORS: self.indoor, OUTDOORS: self.outdoor}[deck]

    @property
    def is_final(self) -> bool:
        """Some deck is empty: this turn is the last.  [SR-50]"""
        return not (self.supplies and self.indoor and self.outdoor)

    @property
    def is_in_grace(self) -> bool:
        return is_in_grace(self.settings, self.number, len(self.seats))

    @property
    def answered_card(self) -> Card | None:
        """The card that a reaction would answer: the last counter, or the live effect's."""
        if not self.effects:
            return None
        return self.counters[-1].card if self.counters else self.effects[-1].card


def is_in_grace(settings: Settings, turn: int, seats: int) -> bool:
    """Whether an Infection that is drawn in this turn does nothing.  [SR-68]"""
    return turn <= settings.grace * seats


WINDOW_PROMPTS = {
    "action": "to play",
    "give up": "to choose a supply to give up",
    "reaction": "to answer",
    "location": "to choose a location",
}
WINDOW_CLOCKS = {
    "action": "action",
    "give up": "card",
    "reaction": "reaction",
    "location": "location",
}


def open_window(view: View) -> Window | None:
    """The open window, from the public view."""
    if not view.asks:
        return None
    turn = f"turn {view.number}"
    return Window(
        key=f"{turn} action {view.action} question {view.question}",
        turn=turn,
        seats=(view.asked,),
        clock_name=WINDOW_CLOCKS[view.asks],
        asks=WINDOW_PROMPTS[view.asks],
        counts_timeouts=view.asks != "reaction",  # [G-09] not answering is an ordinary pass
    )


def eliminated_seats(view: View) -> tuple[Seat, ...]:
    """Who has been infected, first to fall first."""
    return view.fallen


def targetable_seats(view: View, actor: Seat) -> list[Seat]:
    """Whom *actor*'s Effect cards may name: alive, not isolated, another.  Ascending.  [SR-42]"""
    return [
        Seat(n)
        for n, seat in enumerate(view.seats)
        if n != actor and seat.is_in and seat.isolation is None
    ]
