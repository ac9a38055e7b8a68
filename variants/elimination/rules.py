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
from variants.elimination import turns
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data import HAND_SIZE, ORDER, PACKS, cards_of
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
from variants.elimination.locks import resolve
from variants.elimination.observe import observe
from variants.elimination.play import Play
from variants.elimination.state import State
from variants.elimination.view import check, clockwise


def decide(state: State, seat: Seat, action: Action, chance: Chance) -> Sequence[Event]:
    """Everything that follows from *action*; IllegalAction if the seat may not do it."""
    check(observe(state, seat), action)
    play = Play(state, chance)
    match action:
        case Next(chosen):
            turns.start_turn(play, chosen, "chosen", by=seat)
            return play.events
        case Draw():
            play.do(CardDrawn(seat, state.deck[0]))
            resolve(play, seat)
            affected = None
        case Give(card, to):
            play.do(CardGiven(seat, to, card))
            resolve(play, to)
            affected = to
        case Take(victim):
            hand = state.players[victim].hand
            play.do(CardTaken(seat, victim, hand[chance.below(len(hand))]))  # [ER-09] blind
            resolve(play, seat)
            affected = victim
        case Force(to):
            play.do(CardForced(seat, to, state.deck[0]))
            resolve(play, to)
            affected = to
        case Shuffle():
            _shuffle(play, seat)
            affected = None
        case Clear(with_):
            _clear(play, seat, with_)
            affected = None
    turns.end_turn(play, seat, affected)
    return play.events


def _shuffle(play: Play, actor: Seat) -> None:
    """All hands together and out again; then locks clockwise, the actor last.  [ER-29]"""
    players = play.state.players
    counts = tuple(len(player.hand) for player in players)
    pool: Sequence[str] = play.chance.shuffled([card for p in players for card in p.hand])
    hands: list[Cards] = []
    for count in counts:
        hands.append(tuple(pool[:count]))
        pool = pool[count:]
    play.do(HandsShuffled(actor, tuple(hands), counts))
    for seat in (*clockwise(players, actor), actor):
        resolve(play, seat)
        if len(play.live()) == 1:
            return


def _clear(play: Play, seat: Seat, with_: str) -> None:
    """[ER-34] Which suits leave does not matter: the first ones held do."""
    player, pack = play.player(seat), PACKS[play.state.pack]
    if with_ == "single":
        used = cards_of(player.hand, pack.single)[:1]
    else:
        used = cards_of(player.hand, pack.pair)[:2]
    used = tuple(sorted(used, key=ORDER.__getitem__))  # as they came would tell of the hand [E3]
    rest = [card for card in player.hand if card not in used]
    locked = [card for cards in (*player.pairs, *player.triplets) for card in cards]
    deck = play.chance.shuffled((*play.state.deck, *rest, *locked))
    hand, deck = deck[:HAND_SIZE], deck[HAND_SIZE:]  # [ER-37] what there is
    play.do(Cleared(seat, used, hand, deck, len(hand), len(deck)))
    resolve(play, seat)  # [ER-38]
