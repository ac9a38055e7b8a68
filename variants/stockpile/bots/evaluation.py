"""How the game stands for one seat: its share of the win, as far as counting tells.

Rule 1: a position is judged by what the seat can see or work out.  [G-14]
Rule 2: what a stockpile will be worth is taken as normal around what it is now, what the hand
        promises and what the actions to come bring; the seats are taken as independent.
Rule 3: who is infected has no share; who outlives all others has the whole.  Where the infected
        start again they have no points.  [SR-70]

A share is 1 for the whole game, 1/n for each of n who share it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from variants.contract import Seat
from variants.stockpile.bots.estimate import SeatKnowledge
from variants.stockpile.counted import may_be_held
from variants.stockpile.data.cards import (
    ACTIONS_PER_TURN,
    DECKS,
    INDOORS,
    INFECTION,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    PREVENTION,
    REACTIONS,
    REFLECTION,
    SELF_ISOLATION,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    Cards,
    total_value,
)
from variants.stockpile.view import targetable_seats

# All in points of a stockpile, but for chances and rates.  Found by play: `tests.bench.league`.
EFFECT_VALUES: Mapping[str, float] = {
    **dict.fromkeys(LOOT_KINDS, 2.2),
    TRADING_STATION: 1.8,
    LOCATION_SWITCH: 0.4,
    NOSEY_NEIGHBOUR: 0.8,
    SELF_ISOLATION: 0.5,
    SWAP_SHOP: 1.0,
    NICE_TRY: 2.0,
    REFLECTION: 2.4,
}
"""What an Effect card brings when it is played, for whoever holds it."""
IMPACT_LOSSES: Mapping[str, float] = {INFECTION: 1.0}  # of an Impact card; where not named:
IMPACT_LOSS_DEFAULT = 0.9
HELD_CARD_FACTOR = 0.9  # of a card's worth while it is still to be played
FUTURE_DRAW_FACTOR = 0.6  # of what cards bring that are still to be drawn
ACTION_DEVIATION = 1.5  # standard deviation that one action adds
DRAWS_PER_TURN = 1.8  # cards off the location decks in a turn
SUPPLIES_PER_TURN = 0.95  # Supplies in a turn
PREVENTION_PER_ACTION = 0.08  # Infection Prevention that one action to come brings
OUTDOOR_SHARE_BY_PREVENTION = (
    0.25,
    0.45,
    0.65,
)  # how often seats with 0, 1, 2 of it will be Outdoors


@dataclass(frozen=True, slots=True)
class SeatForecast:
    """One seat."""

    is_in: bool
    stockpile: Cards
    location: str
    plays: tuple[float, ...]  # what each card brings that it can play, most first
    bonus: float = 0.0  # what the reactions in hand are worth while others still play
    points: float = 0.0  # supplies that are expected, but not in the stockpile yet
    shields: float = 0.0  # Infection Prevention among them
    variance: float = 0.0  # of points

    def supplies_of(self, kind: str) -> list[Card]:
        return [card for card in self.stockpile if card.name == kind]


@dataclass(frozen=True, slots=True)
class Position:
    seats: tuple[SeatForecast, ...]
    turn: Seat
    actions: int  # left in this turn
    left: tuple[float, float, float]  # cards in the decks

    def with_seat(self, seat: Seat, **changes: object) -> Position:
        side = replace(self.seats[seat], **changes)  # type: ignore[arg-type]
        return replace(self, seats=(*self.seats[:seat], side, *self.seats[seat + 1 :]))

    def with_supply_moved(self, giver: Seat, taker: Seat | None, card: Card) -> Position:
        """One supply goes from a stockpile to another, or to the discard pile."""
        stockpile = tuple([c for c in self.seats[giver].stockpile if c.id != card.id])
        moved = self.with_seat(giver, stockpile=stockpile)
        if taker is None:
            return moved
        return moved.with_seat(taker, stockpile=(*self.seats[taker].stockpile, card))

    def after_action(self) -> Position:
        """The open action is taken."""
        return replace(self, actions=self.actions - 1)

    def at_turn_end(self) -> Position:
        """The turn stops here."""
        return replace(self, actions=0)

    def with_fewer_cards(self, deck: str, count: float) -> Position:
        """So many cards off a deck."""
        at = DECKS.index(deck)
        left = [max(0.0, n - count) if i == at else n for i, n in enumerate(self.left)]
        return replace(self, left=(left[0], left[1], left[2]))


class PositionEvaluator:
    """Judges positions for one seat."""

    def __init__(self, known: SeatKnowledge) -> None:
        self.known, self.view, self.me = known, known.view, known.me
        self.restarts = self.view.settings.infected == "restart"
        self.infection = {deck: known.infection_odds(deck) for deck in (INDOORS, OUTDOORS)}
        self.positive = {deck: known.positive_test_odds(deck) for deck in (INDOORS, OUTDOORS)}
        self.draw_values = {deck: self._draw_brings(deck) for deck in (INDOORS, OUTDOORS)}
        self.playable_draw_odds = {
            deck: sum(odds for card, odds in known.draw_odds[deck].items() if self._is_play(card))
            for deck in (INDOORS, OUTDOORS)
        }
        self.unseen_card_values = {back: self._held(back) for back in (INDOORS, OUTDOORS)}
        self._worths: dict[tuple[str, int], float] = {}

    def current_position(self) -> Position:
        """The position of the view; the open action is still to be taken."""
        view = self.view
        sides = []
        for n, seat in enumerate(view.seats):
            if n == self.me:
                plays, bonus = self.evaluate_hand(view.hand)
            else:
                plays = (self.unseen_card_values[OUTDOORS],) * seat.outdoor + (
                    self.unseen_card_values[INDOORS],
                ) * seat.indoor
                bonus = 0.0
            sides.append(SeatForecast(seat.is_in, seat.stockpile, seat.location, plays, bonus))
        actions = (
            ACTIONS_PER_TURN - view.action + 1
            if view.asks == "action"
            else ACTIONS_PER_TURN - view.action
        )
        if view.asks == "location":
            actions = 0
        return Position(
            tuple(sides), view.turn, actions, (view.supplies, view.indoor, view.outdoor)
        )

    # -- cards ---------------------------------------------------------------------------------

    def _is_play(self, card: Card) -> bool:
        return may_be_held(card) and card.name not in REACTIONS

    def evaluate_hand(self, hand: Sequence[Card]) -> tuple[tuple[float, ...], float]:
        """(what the cards bring that can be played, what the reactions are worth)."""
        plays = [self.card_value(card) for card in hand if card.name not in REACTIONS]
        bonus = sum(self.card_value(card) for card in hand if card.name in REACTIONS)
        return tuple(sorted(plays, reverse=True)), bonus

    def card_value(self, card: Card) -> float:
        """What a card of the own hand brings."""
        key = (card.name, card.number)
        if key not in self._worths:
            self._worths[key] = self._worth(card)
        return self._worths[key]

    def _worth(self, card: Card) -> float:
        if card.sort == "stockup":
            return card.number * self.known.supply_mean
        if card.name in LOOT_KINDS:
            most = [
                supply.number
                for seat in targetable_seats(self.view, self.me)
                for supply in self.view.seats[seat].stockpile
                if supply.name in LOOT_KINDS[card.name]
            ]
            return 0.5 * EFFECT_VALUES[card.name] + 0.6 * max(most, default=0)
        return EFFECT_VALUES[card.name]

    def _draw_brings(self, deck: str) -> float:
        """What one card off *deck* brings, on average, once it is played or dealt with."""
        brings = 0.0
        for card, odds in self.known.draw_odds[deck].items():
            if card.sort == "stockup":
                brings += odds * card.number * self.known.supply_mean
            elif card.sort == "effect":
                brings += odds * EFFECT_VALUES[card.name]
            else:
                brings -= odds * self._impact_loss(card)
        return brings

    def _impact_loss(self, card: Card) -> float:
        if self.known.is_harmless(card):
            return 0.0
        return IMPACT_LOSSES.get(card.name, IMPACT_LOSS_DEFAULT)

    def _held(self, back: str) -> float:
        """What an unseen card of this back in a hand brings."""
        cards = [card for card in self.known.unseen[back] if may_be_held(card)]
        brings = sum(
            card.number * self.known.supply_mean
            if card.sort == "stockup"
            else EFFECT_VALUES[card.name]
            for card in cards
        )
        return brings / max(1, len(cards))

    # -- the share -----------------------------------------------------------------------------

    def win_share(self, at: Position) -> float:
        live = [Seat(n) for n, side in enumerate(at.seats) if side.is_in]
        if self.me not in live:
            return 0.0
        turns = self._turns(at, live)
        ordered = [s for s in live if s > at.turn] + [s for s in live if s <= at.turn]
        actions, means, lives = {}, {}, {}
        for place, seat in enumerate(ordered):
            coming = max(0.0, turns - place)
            rounds, rest = divmod(coming, len(ordered))
            actions[seat] = ACTIONS_PER_TURN * (rounds + min(1.0, rest))
            if seat == at.turn:
                actions[seat] += at.actions
            means[seat], lives[seat] = self._future(at, seat, actions[seat])
        share = lives[self.me]
        for seat in live:
            if seat == self.me:
                continue
            ahead = means[seat] - means[self.me]
            variance = ACTION_DEVIATION**2 * (actions[seat] + actions[self.me])
            variance += at.seats[seat].variance + at.seats[self.me].variance
            spread = math.sqrt(variance)
            if spread < 1e-6:
                behind = 0.5 if abs(ahead) < 1e-6 else float(ahead > 0)
            else:
                behind = 0.5 * (1 + math.erf(ahead / (spread * math.sqrt(2))))
            share *= 1 - lives[seat] * behind
        return share

    def _turns(self, at: Position, live: Sequence[Seat]) -> float:
        """How many turns are likely to come after this one."""
        if not all(n >= 0.5 for n in at.left):
            return 0.0
        outs = sum(self._out(at.seats[seat]) for seat in live) / len(live)
        indoor = DRAWS_PER_TURN * max(0.15, 1 - outs)
        outdoor = DRAWS_PER_TURN * max(0.15, outs)
        supplies, inside, outside = at.left
        return min(supplies / SUPPLIES_PER_TURN, inside / indoor, outside / outdoor)

    def _out(self, side: SeatForecast) -> float:
        """Which part of its turns to come the seat is likely to be Outdoors."""
        return 0.4 * (side.location == OUTDOORS) + 0.6 * self._habit(side)

    @staticmethod
    def _habit(side: SeatForecast) -> float:
        shields = len(side.supplies_of(PREVENTION)) + side.shields
        return OUTDOOR_SHARE_BY_PREVENTION[min(2, int(shields + 0.5))]

    def _future(self, at: Position, seat: Seat, actions: float) -> tuple[float, float]:
        """(points at the end, chance to live until then); with restarts nobody dies.  [SR-70]"""
        side = at.seats[seat]
        points = total_value(side.stockpile) + side.points + side.bonus * min(1.0, actions / 3)
        spare = actions
        for brings in side.plays:
            if spare <= 0:
                break
            points += HELD_CARD_FACTOR * brings * min(1.0, spare)
            spare -= 1
        if spare <= 0:
            return points, 1.0
        # The next turn is played where the seat is, later ones where such seats tend to be.
        soon = min(
            spare,
            float(at.actions or ACTIONS_PER_TURN) if seat == at.turn else float(ACTIONS_PER_TURN),
        )
        outs = (soon * (side.location == OUTDOORS) + (spare - soon) * self._habit(side)) / spare
        infections = 0.0
        positive = 0.0
        for deck, part in ((INDOORS, 1 - outs), (OUTDOORS, outs)):
            draws = part * spare / (1 + self.playable_draw_odds[deck])
            points += FUTURE_DRAW_FACTOR * draws * self.draw_values[deck]
            met = draws * self.infection[deck]
            infections += met
            positive += met * self.positive[deck]
        if infections <= 0:
            return points, 1.0
        shields = len(side.supplies_of(PREVENTION)) + side.shields + PREVENTION_PER_ACTION * spare
        lives = survival_odds(infections, shields, positive / infections)
        return (points * lives, 1.0) if self.restarts else (points, lives)


def survival_odds(infections: float, shields: float, positive: float) -> float:
    """How likely a seat lives that will meet so many infections on average (Poisson)."""
    whole = int(shields)
    part = shields - whole
    lives, chance = 0.0, math.exp(-infections)
    for met in range(12):
        fewer = (1 - positive) ** max(0, met - whole)
        more = (1 - positive) ** max(0, met - whole - 1)
        lives += chance * ((1 - part) * fewer + part * more)
        chance *= infections / (met + 1)
    return lives
