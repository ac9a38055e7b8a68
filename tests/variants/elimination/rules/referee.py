"""A second set of rules for elimination, written from the text alone, to check the first.

Rule 1: nothing here but data and types comes from the rule book under test.
Rule 2: only what chance decided is read from the events (which card was taken, how cards came to
        lie); everything else is worked out again, and where the cards lie must add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from variants.contract import Outcome
from variants.elimination.actions import Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data.cards import PACKS, RANK_OF
from variants.elimination.events import (
    CardTaken,
    Cleared,
    Dealt,
    Eliminated,
    GameBegun,
    HandsShuffled,
)
from variants.elimination.state import State


class Referee:
    """Plays along with one game, from the cards as they were dealt."""

    def __init__(self, events: Sequence[Any]) -> None:
        begun = next(event for event in events if isinstance(event, GameBegun))
        dealt = next(event for event in events if isinstance(event, Dealt))
        self.pack, seats = PACKS[begun.pack], len(dealt.hands)
        self.enough_out = {"last": seats, "half": seats // 2, "first": 1}[begun.until]
        self.deck = list(dealt.deck or ())
        self.hands = [list(hand or ()) for hand in dealt.hands]
        self.sets: list[dict[str, list[str]]] = [{} for _ in range(seats)]
        self.free_at: dict[str, int] = {}  # cards in a hand that cannot be given before that turn
        self.turns, self.fallen, self.outside = [0] * seats, list[int](), list[str]()
        self.idle, self.number, self.is_over, self.asks = 0, 0, False, "action"
        self.has_progress, self.events = False, list[Any]()
        for seat in range(seats):
            self._lock(seat)
        self._begin(begun.dealer)

    # -- what may be done ----------------------------------------------------------------------

    def others(self, seat: int) -> list[int]:
        n = len(self.hands)
        around = [(seat + step) % n for step in range(1, n)]
        return [other for other in around if other not in self.fallen]

    def candidates(self, seat: int) -> list[int]:
        others = self.others(seat)
        holders = [o for o in others if any(len(cards) == 3 for cards in self.sets[o].values())]
        return holders or others

    @property
    def owing(self) -> list[int]:
        return [] if self.is_over else [self.turn]

    def lists(self, seat: int, listed: Sequence[Any]) -> None:
        assert set(listed) == self.legal()

    def legal(self) -> set[Any]:
        me = self.turn
        if self.asks == "next":
            return {Next(seat) for seat in self.candidates(me)}
        others, hand = self.others(me), self.hands[me]
        legal: set[Any] = {Draw()} if self.deck else set()
        legal |= {Force(o) for o in others if self.deck}
        legal |= {Take(o) for o in others if self.hands[o]}
        given = [card for card in hand if self.free_at.get(card, 0) <= self.turns[me]]
        legal |= {Give(card, o) for card in given for o in others}
        if sum(1 for o in (me, *others) if self.hands[o]) >= 2:
            legal.add(Shuffle())
        ranks = Counter(RANK_OF[card] for card in hand)
        legal |= {Clear("single")} if ranks[self.pack.single] else set()
        legal |= {Clear("pair")} if self.pack.pair and ranks[self.pack.pair] >= 2 else set()
        return legal

    # -- what happens --------------------------------------------------------------------------

    def follows(self, seat: int, action: Any, events: Sequence[Any]) -> None:
        me, self.has_progress, self.events = self.turn, False, list(events)
        fallen_before = len(self.fallen)
        affected: int | None = None
        match action:
            case Next(seat):
                self._begin(seat)
                return
            case Draw():
                self._draw(me)
                self._lock(me)
            case Give(card, to):
                affected = to
                self._move(card, me, to)
                self._lock(to)
            case Take(victim):
                affected = victim
                card = self._event(CardTaken).card
                assert card in self.hands[victim]
                self._move(card, victim, me)
                self._lock(me)
            case Force(to):
                affected = to
                self._draw(to)
                self._lock(to)
            case Shuffle():
                self._shuffle(me)
            case Clear(with_):
                self._clear(me, 1 if with_ == "single" else 2)
        fell = self.fallen[fallen_before:]
        if self._ends():
            return
        if me not in self.fallen and fell:
            self._begin(me)
        elif me in self.fallen:
            victim_is_next = isinstance(action, Take) and affected not in self.fallen
            self._begin(affected if victim_is_next and affected is not None
                        else self.candidates(me)[0])  # fmt: skip
        elif affected is not None:
            self._begin(affected)
        else:
            self._choose(me)

    def _ends(self) -> bool:
        """One left or enough out; then the turns without progress, and the dead position."""
        if len(self.fallen) >= min(self.enough_out, len(self.hands) - 1):
            self.is_over = True
            return True
        self.idle = 0 if self.has_progress else self.idle + 1
        self.is_over = self.idle == 60 or not (self.deck or any(self.hands))
        return self.is_over

    def _begin(self, seat: int) -> None:
        self.turn, self.asks = seat, "action"
        self.number += 1
        self.turns[seat] += 1
        if not self.legal():
            self.has_progress = False
            if not self._ends():
                self._choose(seat)

    def _choose(self, seat: int) -> None:
        named = self.candidates(seat)
        if len(named) == 1:
            self._begin(named[0])
        else:
            self.turn, self.asks = seat, "next"

    # -- cards ---------------------------------------------------------------------------------

    def _event(self, kind: type[Any]) -> Any:
        found = next(event for event in self.events if isinstance(event, kind))
        self.events.remove(found)
        return found

    def _receive(self, seat: int, card: str) -> None:
        self.hands[seat].append(card)
        self.free_at[card] = self.turns[seat] + 2

    def _draw(self, seat: int) -> None:
        self._receive(seat, self.deck.pop(0))
        self.has_progress = True

    def _move(self, card: str, giver: int, receiver: int) -> None:
        self.hands[giver].remove(card)
        self._receive(receiver, card)

    def _shuffle(self, me: int) -> None:
        hands = self._event(HandsShuffled).hands
        before, after = ([card for hand in dealt for card in hand] for dealt in (self.hands, hands))
        assert sorted(before) == sorted(after)
        assert [len(hand) for hand in self.hands] == [len(hand) for hand in hands]
        self.hands, self.free_at = [list(hand) for hand in hands], {}
        for seat in (*self.others(me), me):
            self._lock(seat)
            if len(self.fallen) == len(self.hands) - 1:
                return

    def _clear(self, me: int, count: int) -> None:
        event = self._event(Cleared)
        assert len(event.used) == count
        assert {RANK_OF[c] for c in event.used} == {
            self.pack.single if count == 1 else self.pack.pair
        }
        back = [card for card in self._all_of(me) if card not in event.used]
        assert sorted((*back, *self.deck)) == sorted((*event.hand, *event.deck))
        assert len(event.hand) == min(4, len(back) + len(self.deck))
        self.deck, self.hands[me], self.sets[me] = list(event.deck), [], {}
        self.outside += event.used
        for card in event.hand:
            self._receive(me, card)
        self.has_progress = True
        self._lock(me)

    def _all_of(self, seat: int) -> list[str]:
        return self.hands[seat] + [c for cards in self.sets[seat].values() for c in cards]

    def _lock(self, seat: int) -> None:
        ranks = {RANK_OF[card] for card in self.hands[seat]} & set(self.pack.lockable)
        mine = {rank: [c for c in self._all_of(seat) if RANK_OF[c] == rank] for rank in ranks}
        fatal = [card for cards in mine.values() if len(cards) == 4 for card in cards]
        if fatal:
            event = self._event(Eliminated)
            rest = [card for card in self._all_of(seat) if card not in fatal]
            assert (event.seat, sorted(event.cards)) == (seat, sorted(fatal))
            assert sorted(event.deck) == sorted((*rest, *self.deck))
            self.deck, self.hands[seat], self.sets[seat] = list(event.deck), [], {}
            self.outside += fatal
            self.fallen.append(seat)
            self.has_progress = True
            return
        for rank, cards in mine.items():
            if len(cards) >= 2:
                self.sets[seat][rank] = cards
                self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
                self.has_progress = True

    # -- the two beside each other -------------------------------------------------------------

    def agrees(self, state: State, outcome: Outcome | None) -> None:
        """Raise AssertionError where *state* differs from what the text makes of the game."""
        assert list(state.deck) == self.deck
        assert sorted(c for left in state.outside for c in left.cards) == sorted(self.outside)
        assert list(state.fallen) == self.fallen
        assert state.ended in ("last", "half", "first") or state.idle == self.idle
        assert state.number == self.number
        assert bool(state.ended) == (outcome is not None) == self.is_over
        if outcome is not None:
            behind = len(self.hands) - len(self.fallen)
            places = [1] * len(self.hands)
            for seat in reversed(self.fallen):
                behind += 1
                places[seat] = behind
            assert list(outcome.places) == places
        if not self.is_over:
            assert (state.turn, state.asks) == (self.turn, self.asks)
        for seat, player in enumerate(state.players):
            assert sorted(player.hand) == sorted(self.hands[seat])
            locked = [tuple(sorted(cards)) for cards in (*player.pairs, *player.triplets)]
            assert sorted(locked) == sorted(tuple(sorted(s)) for s in self.sets[seat].values())
            assert player.turns == self.turns[seat]
            held = {card for card in player.hand if self.free_at.get(card, 0) > player.turns}
            assert {card for card, free_at in player.marks if free_at > player.turns} == held
