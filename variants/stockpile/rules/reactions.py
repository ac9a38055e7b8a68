"""What an effect card does, and who may answer it: Nice Try! and Reflection.

Rule 1: one seat is asked at a time, in a fixed order.  [SR-63]
Rule 2: a seat is asked because its hand shows an Indoor back, never because of the card under it;
        a seat without one is passed over in silence.  [G-12]
Rule 3: nobody may answer a card of a seat in Self-Isolation.  [SR-42]
Rule 4: a counter cancels exactly the card that it answers; whatever is live after that is asked
        about afresh.  [SR-57] [SR-58]
Rule 5: an effect is of the kind of the card that began it; a Reflection changes only its owner and
        its target.  [SR-60] [SR-67]
Rule 6: what an effect needs was checked when it was played or reflected.  Reactions move no supply
        and no player, so it still holds.
"""

from __future__ import annotations

from variants.contract import Seat
from variants.stockpile.data.cards import (
    INDOORS,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    TRADING_STATION,
    Card,
    supplies_of_kind,
)
from variants.stockpile.events import (
    Countered,
    CounterSettled,
    Looted,
    Passed,
    ReactionOpened,
    Reflected,
    Relocated,
    SuppliesDiscarded,
    Traded,
)
from variants.stockpile.rules import turns
from variants.stockpile.rules.transition import Transition


def apply_effect(transition: Transition) -> None:
    """The live effect takes place."""
    live = transition.state.effects[-1]
    name = transition.state.effects[0].card.name
    if name in LOOT_KINDS:
        assert live.take is not None
        transition.add(Looted(live.controller, live.target, live.take))
    elif name == TRADING_STATION:
        assert live.give is not None and live.take is not None
        transition.add(Traded(live.controller, live.target, live.give, live.take))
    elif name == NOSEY_NEIGHBOUR:
        found = supplies_of_kind(transition.player(live.target).stockpile, live.supply)
        transition.add(SuppliesDiscarded(live.target, live.controller, found))
    else:
        assert name == LOCATION_SWITCH, name
        _switch(transition, live.target)


def _switch(transition: Transition, target: Seat) -> None:
    """Turned over at once, and a duty to stay outside is gone.  [SR-38] [SR-39] [SR-40]

    Only a Reflection can turn it on the seat whose turn it is.  That seat plays on where it now
    is, stays there for its next turn, and chooses at the end of that.
    """
    to = OUTDOORS if transition.player(target).location == INDOORS else INDOORS
    skips = target == transition.state.turn
    transition.add(Relocated(target, to, "switch", is_bound=False, skips=skips))


def ask_or_apply(transition: Transition, first: int = 0) -> None:
    """Ask about the live effect, from asker *first* on; if nobody is left, it happens."""
    live = transition.state.effects[-1]
    for seat in transition.state.reaction_order[first:]:
        if _may_answer(transition, seat, live.controller):
            transition.add(ReactionOpened(seat, live.card, live.controller))
            return
    apply_effect(transition)
    turns.end_action(transition)


def pass_reaction(transition: Transition, seat: Seat) -> None:
    """*seat* lets the card stand that it was asked about."""
    transition.add(Passed(seat))
    if transition.state.counters:
        _settle(transition)
    else:
        ask_or_apply(transition, transition.state.asker + 1)


def counter(transition: Transition, seat: Seat, card: Card) -> None:
    """Against the live effect's card, or the last counter; its owner may answer that.  [SR-59]"""
    live, counters = transition.state.effects[-1], transition.state.counters
    if counters:
        against, owner = counters[-1].card, counters[-1].seat
    else:
        against, owner = live.card, live.controller
    transition.add(Countered(seat, card, against, owner))
    if _may_answer(transition, owner, seat):
        transition.add(ReactionOpened(owner, card, seat))
    else:
        _settle(transition)


def reflect(
    transition: Transition,
    seat: Seat,
    card: Card,
    target: Seat,
    give: Card | None,
    take: Card | None,
) -> None:
    """The effect is *seat*'s now, and goes to *target*.  [SR-60] [SR-61]"""
    transition.add(Reflected(seat, card, target, give, take))
    ask_or_apply(transition)


def _settle(transition: Transition) -> None:
    """Nobody answers the last counter: it stands, the one before falls, and so on."""
    effects = transition.state.effects
    stands = len(transition.state.counters) % 2 == 1
    left = effects[:-1] if stands else effects
    transition.add(CounterSettled(stands, effects[-1], left[-1] if left else None))
    if transition.state.effects:
        ask_or_apply(transition)
    else:
        turns.end_action(transition)  # [SR-65] the action is spent all the same


def _may_answer(transition: Transition, seat: Seat, owner: Seat) -> bool:
    shows_indoor_back = any(card.deck == INDOORS for card in transition.player(seat).hand)
    return shows_indoor_back and transition.player(owner).isolation is None
