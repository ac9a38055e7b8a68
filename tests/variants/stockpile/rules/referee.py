"""A second set of rules for stockpile, written from the text alone, to check the first.

Rule 1: nothing here but types and the names of cards comes from the rule book under test.
Rule 2: the game is told as the text tells it: a turn is a loop, a reaction is a recursion, and a
        question is a `yield` that waits for the answer.  There is no state to fold.
Rule 3: chance decides nothing after the deal, so everything is worked out again: who is asked,
        what may be answered, where every card lies, and the order in which things are told.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.variants.stockpile.rules.referee_table import (
    FOOD,
    PAPER,
    PREVENTION,
    Ask,
    Table,
    kinds_of,
)
from variants.stockpile import actions as a
from variants.stockpile.data.cards import Card
from variants.stockpile.events import Dealt, GameBegun, TurnStarted

TAKES = {
    **dict.fromkeys(("Snack Attack", "Binge Watch", "Feed The Family", "Sourdough Solution"), FOOD),
    **dict.fromkeys(("Caught Short", "Feeling Flushed", "Dress To Impress", "Personal Space"),
                    PAPER),
    **dict.fromkeys(("Caught Red Handed", "Infection"), PREVENTION),
}  # fmt: skip
Told = Generator[Ask, Any, Any]
"""A piece of the game: yields questions, is sent the answers."""


class Over(Exception):
    """The game has ended."""


@dataclass(frozen=True)
class Live:
    """A live effect: (kind, controller, target, parameters), and what it reflects."""

    name: str  # of the Effect card that began it
    controller: int
    target: int
    supply: str = ""
    give: str | None = None
    take: str | None = None
    parent: Live | None = None


class Referee(Table):
    """Plays along with one game, from the cards as they were dealt."""

    def __init__(self, events: Sequence[Any]) -> None:
        begun = next(event for event in events if isinstance(event, GameBegun))
        dealt = next(event for event in events if isinstance(event, Dealt))
        first = next(event for event in events if isinstance(event, TurnStarted)).seat
        prevention = sum(card.name == PREVENTION for card in dealt.stockpiles[0])
        super().__init__(dealt, first, prevention)
        self.turns_of_grace = begun.settings.grace * len(self.people)
        self.plays_on = begun.settings.infected == "restart"
        self._driver = self._game(first)
        self._go_on(None)
        assert ["GameBegun", "Dealt", *self.said] == [type(event).__name__ for event in events]

    @property
    def owing(self) -> list[int]:
        return [] if self.ask is None else [self.ask.seat]

    def lists(self, seat: int, listed: Sequence[Any]) -> None:
        assert self.ask is not None and set(listed) == self.ask.legal

    def follows(self, seat: int, action: Any, events: Sequence[Any]) -> None:
        """The rule book tells of *action* what the text does, in order."""
        assert self.ask is not None and action in self.ask.legal, action
        self.said = []
        self._go_on(action)
        assert self.said == [type(event).__name__ for event in events]

    def _go_on(self, action: Any) -> None:
        try:
            self.ask = self._driver.send(action)
        except StopIteration:
            self.ask = None

    # -- the game, a turn, an action -----------------------------------------------------------

    def _game(self, seat: int) -> Told:
        try:
            while True:
                yield from self._turn(seat)
                seat = next(s for s in self._around(seat) if self.people[s].is_in)
        except Over:
            self.said.append("GameEnded")

    def _around(self, seat: int) -> list[int]:
        n = len(self.people)
        return [(seat + step) % n for step in range(1, n)]

    def _turn(self, me: int) -> Told:
        person, self.turn, self.skips = self.people[me], me, False
        self.number += 1
        self.said.append("TurnStarted")
        if person.isolation is not None:
            self.discard(person.isolation)
            person.isolation = None
            self.said.append("IsolationEnded")
        for self.action in (1, 2, 3):
            if self.is_final and not person.hand and not self.decks[person.location]:
                break
            self.said.append("ActionOpened")
            action = yield Ask(me, "action", frozenset(self.plays(me)))
            if isinstance(action, a.End):
                break
            yield from self._act(me, action)
            if not person.is_in:
                break
        if self.is_final:
            best = max(person.value for person in self.people if person.is_in)
            self.winners = [s for s, p in enumerate(self.people) if p.is_in and p.value == best]
            raise Over
        if person.is_in and not self.skips:
            self.said.append("LocationOpened")
            person.is_bound = False
            go = yield Ask(me, "location", frozenset({a.Go("indoor"), a.Go("outdoor")}))
            person.location = go.to
            self.said.append("Relocated")

    def _act(self, me: int, action: Any) -> Told:
        person = self.people[me]
        if isinstance(action, a.Draw):
            card = self.top(person.location)
            if card.sort == "impact":
                self.discard(card)
                self.tell_taken("ImpactDrawn", person.location)
                yield from self._impact(me, card)
            else:
                person.hand.append(card)
                self.tell_taken("CardDrawn", person.location)
            return
        card = self.from_hand(me, action.card)
        if isinstance(action, a.Isolate):
            person.isolation = card
            self.said.append("IsolationPlayed")
            return
        self.discard(card)
        match action:
            case a.Discard():
                self.said.append("CardDiscarded")
            case a.Stock():
                self.said.append("StockPlayed")
                for _ in range(card.number):
                    self.supply(me)
            case a.Swap():
                self.discard(self.from_hand(me, action.other))
                self.said.append("SwapPlayed")
                if action.draws:
                    self.supply(me)
            case _:
                self.said.append("EffectPlayed")
                take = getattr(action, "take", None)
                supply = getattr(action, "supply", "")
                if isinstance(action, a.Loot):
                    supply = self.supply_of(action.target, action.take).name
                give = getattr(action, "give", None)
                yield from self._resolve(Live(card.name, me, action.target, supply, give, take))

    # -- Impact cards and tests ----------------------------------------------------------------

    def _impact(self, me: int, card: Card) -> Told:
        person, kind = self.people[me], TAKES[card.name]
        mine = person.of(kind)
        if card.name == "Infection" and self.number <= self.turns_of_grace:
            self.said.append("NothingLost")
        elif not mine and card.name == "Infection":
            yield from self._test(me)
        elif not mine and kind != PREVENTION and person.location == "indoor":
            person.location = "outdoor"
            if self.action == 3:
                person.is_bound = self.skips = True
            self.said.append("Relocated")
        elif not mine:
            self.said.append("NothingLost")
        else:
            lost = mine[0]
            if len({c.number for c in mine}) > 1:
                self.said.append("GiveUpOpened")
                answers = frozenset(a.GiveUp(c.id) for c in kinds_of(mine))
                answer = yield Ask(me, "give up", answers)
                lost = next(c for c in mine if c.id == answer.card)
            person.stockpile.remove(lost)
            self.discard(lost)
            self.said.append("SupplyLost")

    def _test(self, me: int) -> Told:
        where = self.people[me].location
        if not self.decks[where]:
            self.said.append("Tested")
            self._eliminate(me)
            return
        card = self.top(where)
        self.discard(card)
        self.tell_taken("Tested", where)
        if card.test == "+":
            self._eliminate(me)
        elif card.sort == "impact":
            yield from self._impact(me, card)
        else:
            self.piles[where].remove(card)
            self.people[me].hand.append(card)
            self.said.append("TestKept")

    def _eliminate(self, me: int) -> None:
        person = self.people[me]
        left = [person.isolation] if person.isolation else []
        for card in (*person.hand, *person.stockpile, *left):
            self.discard(card)
        person.hand, person.stockpile, person.isolation = [], [], None
        if self.plays_on:
            self.said.append("StartedAgain")
            return
        person.is_in = person.is_bound = False
        self.fallen.append(me)
        self.said.append("Eliminated")
        alive = [seat for seat, other in enumerate(self.people) if other.is_in]
        if len(alive) == 1:
            self.winners = alive
            raise Over

    # -- reactions -----------------------------------------------------------------------------

    def _resolve(self, live: Live) -> Told:
        askers = [live.target]
        if live.parent is not None and live.parent.controller != live.target:
            askers.insert(0, live.parent.controller)
        while True:
            answer: Any = a.Pass()
            for p in askers:
                answer = yield from self._answer(p, live.controller, live)
                if not isinstance(answer, a.Pass):
                    break
            if isinstance(answer, a.NiceTry):
                stands = yield from self._stands(p, live.controller)
                self.said.append("CounterSettled")
                if stands and live.parent is not None:
                    return (yield from self._resolve(live.parent))
                if stands:
                    return None
            elif isinstance(answer, a.Reflect):
                assert answer.target is not None
                turned = Live(live.name, p, answer.target, live.supply, answer.give, answer.take,
                              live)  # fmt: skip
                return (yield from self._resolve(turned))
            else:
                self._apply(live)
                return None

    def _stands(self, p: int, q: int) -> Generator[Ask, Any, bool]:
        """Whether the card of *p* against *q* stays."""
        answer = yield from self._answer(q, p, None)
        if isinstance(answer, a.Pass):
            return True
        return not (yield from self._stands(q, p))

    def _answer(self, p: int, against: int, live: Live | None) -> Told:
        """What *p* says to a card of *against*: a counter, or (the card of) a live effect."""
        person = self.people[p]
        if self.people[against].isolation or not any(c.deck == "indoor" for c in person.hand):
            return a.Pass()
        legal: set[Any] = {a.Pass()}
        for card in kinds_of(person.hand):
            if card.name == "Nice Try!":
                legal.add(a.NiceTry(card.id))
            elif card.name == "Reflection" and live is None:
                legal.add(a.Reflect(card.id))
            elif card.name == "Reflection" and live is not None:
                for aim in self.aims(live.name, p, [live.supply], card.id):
                    give, take = getattr(aim, "give", None), getattr(aim, "take", None)
                    legal.add(a.Reflect(card.id, aim.target, give, take))
        self.said.append("ReactionOpened")
        answer = yield Ask(p, "reaction", frozenset(legal))
        if isinstance(answer, a.Pass):
            self.said.append("Passed")
        else:
            self.discard(self.from_hand(p, answer.card))
            is_new = isinstance(answer, a.Reflect) and live is not None
            self.said.append("Reflected" if is_new else "Countered")
        return answer

    def _apply(self, live: Live) -> None:
        mine, theirs = self.people[live.controller], self.people[live.target]
        if live.name == "Location Switch":
            theirs.location = "outdoor" if theirs.location == "indoor" else "indoor"
            theirs.is_bound = False
            self.skips = self.skips or live.target == self.turn
            self.said.append("Relocated")
        elif live.name == "Nosey Neighbour":
            for card in theirs.of(live.supply):
                theirs.stockpile.remove(card)
                self.discard(card)
            self.said.append("SuppliesDiscarded")
        else:
            assert live.take is not None
            taken = self.supply_of(live.target, live.take)
            theirs.stockpile.remove(taken)
            if live.give is not None:
                given = self.supply_of(live.controller, live.give)
                mine.stockpile.remove(given)
                theirs.stockpile.append(given)
            mine.stockpile.append(taken)
            self.said.append("Looted" if live.give is None else "Traded")
