"""The law of a turn: action, locks, who is next.  See RULES.md; numbers in brackets are rulings.

Rule 1: a decision is checked against the actor's own view before anything else.  [G-03]
Rule 2: what public facts leave no choice about is done at once: locks, eliminations, passes,
        the only candidate, the drawn game.  [G-07]
Rule 3: chance is asked in the order of the text: the card or the hands, then the shuffles of
        eliminations in the order they happen.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Chance, Seat
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.check import check
from variants.elimination.data.cards import CARD_ORDER, HAND_SIZE, PACKS, cards_of_rank
from variants.elimination.events import (
    CardDrawn,
    CardForced,
    CardGiven,
    Cards,
    CardTaken,
    Cleared,
    Event,
    HandsShuffled,
)
from variants.elimination.rules import turns
from variants.elimination.rules.locks import resolve_locks
from variants.elimination.rules.observe import observe
from variants.elimination.rules.transition import Transition
from variants.elimination.state import State
from variants.elimination.view import others_clockwise


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
    """Everything that follows from *action*; IllegalAction if the seat may not do it."""
    check(observe(state, seat), action)
    transition = Transition(state, chance)
    match action:
        case Next(chosen):
            turns.start_turn(transition, chosen, "chosen", by=seat)
            return transition.events
        case Draw():
            transition.add(CardDrawn(seat, state.deck[0]))
            resolve_locks(transition, seat)
            affected = None
        case Give(card, to):
            transition.add(CardGiven(seat, to, card))
            resolve_locks(transition, to)
            affected = to
        case Take(victim):
            hand = state.players[victim].hand
            transition.add(CardTaken(seat, victim, hand[chance.below(len(hand))]))  # [ER-09] blind
            resolve_locks(transition, seat)
            affected = victim
        case Force(to):
            transition.add(CardForced(seat, to, state.deck[0]))
            resolve_locks(transition, to)
            affected = to
        case Shuffle():
            _shuffle(transition, seat)
            affected = None
        case Clear(with_):
            _clear(transition, seat, with_)
            affected = None
    turns.end_turn(transition, seat, affected)
    return transition.events


def _shuffle(transition: Transition, actor: Seat) -> None:
    """All hands together and out again; then locks clockwise, the actor last.  [ER-29]"""
    players = transition.state.players
    counts = tuple(len(player.hand) for player in players)
    pool: Sequence[str] = transition.chance.shuffled([card for p in players for card in p.hand])
    hands: list[Cards] = []
    for count in counts:
        hands.append(tuple(pool[:count]))
        pool = pool[count:]
    transition.add(HandsShuffled(actor, tuple(hands), counts))
    for seat in (*others_clockwise(players, actor), actor):
        resolve_locks(transition, seat)
        if len(transition.live_seats()) == 1:
            return


def _clear(transition: Transition, seat: Seat, with_: str) -> None:
    """[ER-34] Which suits leave does not matter: the first ones held do."""
    player, pack = transition.player(seat), PACKS[transition.state.pack]
    if with_ == "single":
        used = cards_of_rank(player.hand, pack.single)[:1]
    else:
        used = cards_of_rank(player.hand, pack.pair)[:2]
    used = tuple(sorted(used, key=CARD_ORDER.__getitem__))  # as they came would tell of the hand
    rest = [card for card in player.hand if card not in used]
    locked = [card for cards in (*player.pairs, *player.triplets) for card in cards]
    deck = transition.chance.shuffled((*transition.state.deck, *rest, *locked))
    hand, deck = deck[:HAND_SIZE], deck[HAND_SIZE:]  # [ER-37] what there is
    transition.add(Cleared(seat, used, hand, deck, len(hand), len(deck)))
    resolve_locks(transition, seat)  # [ER-38]
