"""Nice Try!, Reflection, and who may answer whom.  [S2.3]

Rule 1: one seat is asked at a time, in a fixed order.  [SR-63]
Rule 2: a seat is asked because its hand shows an Indoor back, never because of the card under
        it; a seat without one is passed over in silence.  [G-12]
Rule 3: nobody may answer a card of a seat in Self-Isolation.  [SR-42]
Rule 4: a counter cancels exactly the card that it answers; whatever is live after that is asked
        about afresh.  [SR-57] [SR-58]
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile import turns
from variants.stockpile.cards import INDOORS, Card
from variants.stockpile.effects import happen
from variants.stockpile.events import (
    Countered,
    CounterSettled,
    Passed,
    ReactionOpened,
    Reflected,
)
from variants.stockpile.play import Play


def resolve(play: Play, first: int = 0) -> None:
    """Ask about the live effect, from asker *first* on; if nobody is left, it happens."""
    live = play.state.effects[-1]
    for seat in play.state.askers[first:]:
        if _may_answer(play, seat, live.controller):
            play.do(ReactionOpened(seat, live.card, live.controller))
            return
    happen(play)
    turns.end_action(play)


def stand(play: Play, seat: Seat) -> None:
    """*seat* lets the card stand that it was asked about."""
    play.do(Passed(seat))
    if play.state.counters:
        _settle(play)
    else:
        resolve(play, play.state.asker + 1)


def counter(play: Play, seat: Seat, card: Card) -> None:
    """Against the live effect's card, or the last counter; its owner may answer that.  [SR-59]"""
    live, counters = play.state.effects[-1], play.state.counters
    if counters:
        against, owner = counters[-1].card, counters[-1].seat
    else:
        against, owner = live.card, live.controller
    play.do(Countered(seat, card, against, owner))
    if _may_answer(play, owner, seat):
        play.do(ReactionOpened(owner, card, seat))
    else:
        _settle(play)


def reflect(
    play: Play, seat: Seat, card: Card, target: Seat, give: Card | None, take: Card | None
) -> None:
    """The effect is *seat*'s now, and goes to *target*.  [SR-60] [SR-61]"""
    play.do(Reflected(seat, card, target, give, take))
    resolve(play)


def _settle(play: Play) -> None:
    """Nobody answers the last counter: it stands, the one before falls, and so on."""
    effects = play.state.effects
    stands = len(play.state.counters) % 2 == 1
    left = effects[:-1] if stands else effects
    play.do(CounterSettled(stands, effects[-1], left[-1] if left else None))
    if play.state.effects:
        resolve(play)
    else:
        turns.end_action(play)  # [SR-65] the action is spent all the same


def _may_answer(play: Play, seat: Seat, owner: Seat) -> bool:
    shows_indoor_back = any(card.deck == INDOORS for card in play.player(seat).hand)
    return shows_indoor_back and play.player(owner).isolation is None
