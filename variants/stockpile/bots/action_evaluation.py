"""What share of the win each action promises, one action deep.

Rule 1: it follows from what the seat has worked out (`estimate.py`, `evaluation.py`), from nothing
        else.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Seat
from variants.stockpile.actions import (
    Action,
    Discard,
    Draw,
    End,
    GiveUp,
    Go,
    Isolate,
    Loot,
    NiceTry,
    Nosey,
    Pass,
    Reflect,
    Stock,
    Swap,
    Switch,
    Trade,
)
from variants.stockpile.bots.evaluation import Position, PositionEvaluator
from variants.stockpile.counted import may_be_held
from variants.stockpile.data.cards import (
    IMPACT_KINDS,
    INDOORS,
    INFECTION,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    PREVENTION,
    SUPPLIES,
    TRADING_STATION,
    Card,
)
from variants.stockpile.view import Effect, View

REACTION_RATE = 0.75  # how often who can react does
ATTACK_COST_PER_CARD = 0.12  # points that a card in another hand may cost us until our next turn
ISOLATION_VALUE_MAX = 1.5  # points that Self-Isolation keeps at most


def prune_dominated(view: View, actions: Sequence[Action]) -> list[Action]:
    """Of plays that differ only in the values they name, the best: theirs high, ours low.

    Trading Station alone has hundreds of plays; this leaves nine for each target at most.
    """
    named = {card.id: card for seat in view.seats for card in seat.stockpile}
    held = {card.id: card.name for card in view.hand}
    best: dict[object, tuple[int, Action]] = {}
    for number, action in enumerate(actions):
        key: object = number
        gain = 0
        if isinstance(action, Loot | Trade | Reflect) and action.take is not None:
            take, give = named[action.take], None
            if not isinstance(action, Loot) and action.give is not None:
                give = named[action.give]
            gain = take.number - (give.number if give else 0)
            key = (held[action.card], action.target, take.name, give.name if give else "")
        if key not in best or gain > best[key][0]:
            best[key] = (gain, action)
    return [action for _, action in best.values()]


class ActionEvaluator:
    """What share of the win each action of the seat that is asked promises."""

    def __init__(self, outlook: PositionEvaluator) -> None:
        self.outlook, self.known = outlook, outlook.known
        self.view, self.me = outlook.view, outlook.me
        self.cards = {card.id: card for card in self.view.hand}
        for seat in self.view.seats:
            self.cards |= {card.id: card for card in seat.stockpile}
        self.now = outlook.current_position()

    def score(self, action: Action) -> float:
        match action:
            case Draw():
                return self._draw()
            case Stock(card):
                return self.win_share(self._supplied(self._spent(card), self.cards[card].number))
            case Loot(card, target, take):
                return self._attack(card, target, self.cards[take].name, None, take)
            case Trade(card, target, give, take):
                return self._attack(card, target, "", give, take)
            case Switch(card, target):
                return self._attack(card, target, "", None, None)
            case Nosey(card, target, supply):
                return self._attack(card, target, supply, None, None)
            case Isolate(card):
                return self._isolate(card)
            case Swap(card, other, draws):
                spent = self._spent(card, other)
                return self.win_share(self._supplied(spent, 1) if draws else spent)
            case Discard(card):
                return self.win_share(self._spent(card))
            case End():
                return self.win_share(self.now.at_turn_end())
            case GiveUp(card):
                return self.win_share(self.now.with_supply_moved(self.me, None, self.cards[card]))
            case Go(to):
                return self.win_share(self.now.with_seat(self.me, location=to))
            case Pass():
                return self._settled(len(self.view.counters), self.now)
            case NiceTry(card):
                return self._counter(card)
            case Reflect(card, target, give, take):
                if target is None:
                    return self._counter(card)
                return self._reflect(card, target, give, take)

    def win_share(self, at: Position) -> float:
        return self.outlook.win_share(at)

    # -- own actions ---------------------------------------------------------------------------

    def _spent(self, *cards: str) -> Position:
        """An action later, and these cards out of the hand."""
        plays, bonus = self.outlook.evaluate_hand([c for c in self.view.hand if c.id not in cards])
        return self.now.after_action().with_seat(self.me, plays=plays, bonus=bonus)

    def _supplied(self, at: Position, number: int) -> Position:
        """So many Supplies off the deck."""
        drawn = min(number, self.view.supplies)
        known, mine = self.known, at.seats[self.me]
        return at.with_fewer_cards(SUPPLIES, drawn).with_seat(
            self.me,
            points=mine.points + drawn * known.supply_mean,
            shields=mine.shields + drawn * known.supply_share[PREVENTION],
            variance=mine.variance + drawn * known.supply_variance,
        )

    def _draw(self) -> float:
        deck = self.view.seats[self.me].location
        at = self.now.after_action().with_fewer_cards(deck, 1)
        met: dict[tuple[str, int], float] = {}
        drawn: dict[tuple[str, int], Card] = {}
        for card, odds in self.known.draw_odds[deck].items():
            key = (card.name, card.number)
            met[key] = met.get(key, 0.0) + odds
            drawn.setdefault(key, card)
        return sum(odds * self._drawn(at, deck, drawn[key]) for key, odds in met.items())

    def _drawn(self, at: Position, deck: str, card: Card) -> float:
        if may_be_held(card):
            plays, bonus = self.outlook.evaluate_hand([*self.view.hand, card])
            return self.win_share(at.with_seat(self.me, plays=plays, bonus=bonus))
        if self.known.is_harmless(card):
            return self.win_share(at)
        kind = IMPACT_KINDS[card.name]
        held = at.seats[self.me].supplies_of(kind)
        if held:
            return self.win_share(
                at.with_supply_moved(self.me, None, min(held, key=lambda c: c.number))
            )
        if card.name == INFECTION:
            infected = self.known.positive_test_odds(deck)
            again = self.win_share(self._restarted(at)) if self.outlook.restarts else 0.0
            return (1 - infected) * self.win_share(at) + infected * again
        if kind != PREVENTION and deck == INDOORS:  # [SR-13] [SR-17]
            return self.win_share(at.with_seat(self.me, location=OUTDOORS))
        return self.win_share(at)

    def _restarted(self, at: Position) -> Position:
        """[SR-70] Nothing is left of what the seat had."""
        return at.with_seat(
            self.me, stockpile=(), plays=(), bonus=0.0, points=0.0, shields=0.0, variance=0.0
        )

    def _isolate(self, card: str) -> float:
        """[SR-42] Nobody may attack us until our next turn, or answer our attacks in this."""
        at = self._spent(card)
        backs = sum(seat.cards for n, seat in enumerate(self.view.seats) if n != self.me)
        saved = min(ISOLATION_VALUE_MAX, ATTACK_COST_PER_CARD * backs)
        attacks = sorted(
            (
                self.outlook.card_value(held)
                for held in self.view.hand
                if held.name in LOOT_KINDS or held.name == TRADING_STATION
            ),
            reverse=True,
        )
        answered = max(
            (self.known.reaction_odds(Seat(n)) for n, seat in enumerate(self.view.seats)
             if n != self.me and seat.is_in),
            default=0.0,
        )  # fmt: skip
        saved += REACTION_RATE * answered * sum(attacks[: at.actions])
        return self.win_share(at.with_seat(self.me, points=at.seats[self.me].points + saved))

    def _attack(
        self, card: str, target: Seat, supply: str, give: str | None, take: str | None
    ) -> float:
        at = self._spent(card)
        effect = Effect(
            self.cards[card], self.me, target, supply,
            self.cards[give] if give else None, self.cards[take] if take else None,
        )  # fmt: skip
        return self._live((effect,), at)

    # -- effects and answers -------------------------------------------------------------------

    def _live(self, effects: tuple[Effect, ...], at: Position) -> float:
        """The last effect waits for whom it concerns to answer.  [SR-62]"""
        live = effects[-1]
        applied = self.win_share(self._applied(effects, at))
        if self.view.seats[live.controller].isolation is not None:
            return applied
        asked = {live.target}
        if len(effects) > 1:
            asked.add(effects[-2].controller)
        stands = 1.0
        for seat in asked - {self.me, live.controller}:
            stands *= 1 - REACTION_RATE * self.known.reaction_odds(seat)
        if stands >= 1.0:
            return applied
        return stands * applied + (1 - stands) * self._cancelled(effects, at)

    def _cancelled(self, effects: tuple[Effect, ...], at: Position) -> float:
        """[SR-57] The effect that it reflected is live again."""
        return self.win_share(self._applied(effects[:-1], at) if len(effects) > 1 else at)

    def _applied(self, effects: tuple[Effect, ...], at: Position) -> Position:
        name, live = effects[0].card.name, effects[-1]
        if live.take is not None:
            at = at.with_supply_moved(live.target, live.controller, live.take)
        if live.give is not None:
            at = at.with_supply_moved(live.controller, live.target, live.give)
        if name == LOCATION_SWITCH:
            is_in = at.seats[live.target].location == INDOORS
            at = at.with_seat(live.target, location=OUTDOORS if is_in else INDOORS)
        if name == NOSEY_NEIGHBOUR:
            for card in at.seats[live.target].supplies_of(live.supply):
                at = at.with_supply_moved(live.target, None, card)
        return at

    def _settled(self, counters: int, at: Position) -> float:
        """No more counters: the first of them stands if their number is odd."""
        effects = self.view.effects
        return self._cancelled(effects, at) if counters % 2 else self._live(effects, at)

    def _counter(self, card: str) -> float:
        view = self.view
        at = self._answered(card)
        other = view.counters[-1].seat if view.counters else view.effects[-1].controller
        turned = REACTION_RATE * self.known.reaction_odds(other)
        number = len(view.counters) + 1
        return (1 - turned) * self._settled(number, at) + turned * self._settled(number + 1, at)

    def _reflect(self, card: str, target: Seat, give: str | None, take: str | None) -> float:
        effects = self.view.effects
        effect = Effect(
            self.cards[card], self.me, target, effects[-1].supply,
            self.cards[give] if give else None, self.cards[take] if take else None,
        )  # fmt: skip
        return self._live((*effects, effect), self._answered(card))

    def _answered(self, card: str) -> Position:
        plays, bonus = self.outlook.evaluate_hand([c for c in self.view.hand if c.id != card])
        return self.now.with_seat(self.me, plays=plays, bonus=bonus)
