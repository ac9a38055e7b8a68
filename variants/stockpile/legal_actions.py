"""What a seat may do now, whom a card can hit, and what happens when the clock runs out.

Rule 1: all follows from the own view; whom a card can hit follows from what is public in it.
Rule 2: a list has one order: draw; plays by hand card in drawing order, then target seat, then
        the supplies named in the order they came into the stockpile; discard; end.
Rule 3: a list names the oldest of several copies, and the oldest of several equal supplies.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import Chance, Seat
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
from variants.stockpile.data.cards import (
    HAND_MAX,
    IMPACT_KINDS,
    INDOORS,
    LOCATION_SWITCH,
    LOOT_KINDS,
    NICE_TRY,
    NOSEY_KINDS,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    REFLECTION,
    SELF_ISOLATION,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    Cards,
    distinct_cards,
    is_same_card,
    supplies_of_kind,
)
from variants.stockpile.view import View, targetable_seats


def legal_actions(view: View) -> list[Action]:
    """Everything this seat may do now."""
    if view.seat is None or view.seat != view.asked or not view.asks:
        return []
    if view.asks == "action":
        return _actions(view, view.seat)
    if view.asks == "give up":
        return [GiveUp(card.id) for card in distinct_cards(supplies_at_stake(view))]
    if view.asks == "location":
        return [Go(INDOORS), Go(OUTDOORS)]
    return _reaction_actions(view)


def _actions(view: View, me: Seat) -> list[Action]:
    found: list[Action] = [Draw()] if can_draw(view, me) else []
    playable = playable_actions(view, me)
    found += playable
    if not playable and len(view.hand) >= HAND_MAX:  # [SR-07]
        found += [Discard(card.id) for card in distinct_cards(view.hand)]
    if view.is_final:  # [SR-51]
        found.append(End())
    return found


def can_draw(view: View, seat: Seat) -> bool:
    """[SR-06] [SR-52] A public fact: backs are counted, and so are the decks."""
    me = view.seats[seat]
    return me.cards < HAND_MAX and view.cards_left(me.location) > 0


def supplies_at_stake(view: View) -> Cards:
    """The supplies of which the seat that is asked gives up one, in order of arrival.  [SR-12]"""
    assert view.impact is not None
    return supplies_of_kind(view.seats[view.asked].stockpile, IMPACT_KINDS[view.impact.name])


# -- plays of an own action ------------------------------------------------------------------------


def playable_actions(view: View, me: Seat) -> list[Action]:
    """Every card that can be played as an action, and how; answers are none of these."""
    return [play for card in distinct_cards(view.hand) for play in _plays_of(view, me, card)]


def _plays_of(view: View, me: Seat, card: Card) -> Sequence[Action]:
    name = card.name
    if card.sort == "stockup":
        return [Stock(card.id)] if view.supplies else []  # [SR-31]
    if name in LOOT_KINDS:
        return [Loot(card.id, to, take) for to, take in loot_choices(view, me, LOOT_KINDS[name])]
    if name == TRADING_STATION:
        return [Trade(card.id, to, give, take) for to, give, take in trade_choices(view, me)]
    if name == LOCATION_SWITCH:
        return [Switch(card.id, to) for to in targetable_seats(view, me)]
    if name == NOSEY_NEIGHBOUR:
        return [Nosey(card.id, to, kind) for to, kind in nosey_choices(view, me, NOSEY_KINDS)]
    if name == SELF_ISOLATION:
        return [Isolate(card.id)] if view.seats[me].isolation is None else []  # [SR-44]
    if name == SWAP_SHOP and view.supplies:  # [SR-47]
        others = distinct_cards([c for c in view.hand if c.sort == "effect" and c.id != card.id])
        return [Swap(card.id, other.id, draws) for other in others for draws in (True, False)]
    return []


def loot_choices(view: View, actor: Seat, kinds: Sequence[str]) -> list[tuple[Seat, str]]:
    """Whom *actor* may loot of what.  [SR-34] [SR-35]"""
    return [
        (seat, card.id)
        for seat in targetable_seats(view, actor)
        for card in distinct_cards(view.seats[seat].stockpile)
        if card.name in kinds
    ]


def trade_choices(view: View, actor: Seat) -> list[tuple[Seat, str, str]]:
    """Whom *actor* may trade with: an own supply, one of theirs.  [SR-37]"""
    own = [card.id for card in distinct_cards(view.seats[actor].stockpile)]
    found = []
    for seat in targetable_seats(view, actor):
        theirs = [card.id for card in distinct_cards(view.seats[seat].stockpile)]
        found += [(seat, give, take) for give in own for take in theirs]
    return found


def nosey_choices(view: View, actor: Seat, kinds: Sequence[str]) -> list[tuple[Seat, str]]:
    """Whom *actor*'s Nosey Neighbour may hit: Outdoors, with something of the kind.  [SR-41]"""
    return [
        (seat, kind)
        for seat in targetable_seats(view, actor)
        if view.seats[seat].location == OUTDOORS
        for kind in kinds
        if any(card.name == kind for card in view.seats[seat].stockpile)
    ]


def possible_targets(view: View, actor: Seat, name: str, kind: str = "") -> list[Seat]:
    """Whom the effect *name* can hit when *actor* controls it.  Ascending.

    Args:
        kind: Loot, Nosey Neighbour: the kind that a Reflection is bound to; "": any that the
            card allows.  [SR-36] [SR-67]
    """
    seats = view.seats
    found = targetable_seats(view, actor)
    if name == TRADING_STATION:
        has_some = bool(seats[actor].stockpile)
        return [seat for seat in found if has_some and seats[seat].stockpile]
    if name == LOCATION_SWITCH:
        return found
    kinds = (kind,) if kind else LOOT_KINDS.get(name, NOSEY_KINDS)
    if name == NOSEY_NEIGHBOUR:
        found = [seat for seat in found if seats[seat].location == OUTDOORS]
    return [seat for seat in found if any(card.name in kinds for card in seats[seat].stockpile)]


# -- answers ---------------------------------------------------------------------------------------


def _reaction_actions(view: View) -> list[Action]:
    found: list[Action] = [Pass()]
    for card in distinct_cards(view.hand):
        if card.name == NICE_TRY:
            found.append(NiceTry(card.id))
        elif card.name == REFLECTION:
            found += reflect_actions(view, card.id)
    return found


def reflect_actions(view: View, card: str) -> list[Reflect]:
    """All that the seat which is asked could do with a Reflection.

    Against a counter: turn it away, and name nobody [SR-59].  Against an effect: make it one's
    own, with another target and, where supplies are named, with these named anew; a Loot and a
    Nosey Neighbour keep their kind.  [SR-36] [SR-60] [SR-61] [SR-67]
    """
    if view.counters:
        return [Reflect(card)]
    me, name, kind = view.asked, view.effects[0].card.name, view.effects[-1].supply
    if name == TRADING_STATION:
        return [Reflect(card, to, give, take) for to, give, take in trade_choices(view, me)]
    if name in LOOT_KINDS:
        return [Reflect(card, to, take=take) for to, take in loot_choices(view, me, (kind,))]
    return [Reflect(card, to) for to in possible_targets(view, me, name, kind)]


def reflect_targets(view: View) -> list[Seat]:
    """Whom a Reflection of the live effect could hit.  [SR-66]"""
    name, kind = view.effects[0].card.name, view.effects[-1].supply
    return possible_targets(view, view.asked, name, kind)


# -- the clock has run out -------------------------------------------------------------------------


def default_action(view: View, chance: Chance) -> Action:
    """What happens when the clock runs out.  One draw at most: the play, or the discard."""
    assert view.seat is not None
    if view.asks == "give up":
        return GiveUp(
            min(supplies_at_stake(view), key=lambda card: card.number).id
        )  # [SR-12] the oldest
    if view.asks == "reaction":
        return Pass()
    if view.asks == "location":
        return Go(view.seats[view.seat].location)
    if view.is_final:
        return End()  # [SR-51]
    if can_draw(view, view.seat):
        return Draw()
    playable = playable_actions(view, view.seat)
    for kind in (Stock, Isolate):
        for play in playable:
            if isinstance(play, kind):
                return play
    playable = [play for play in playable if not isinstance(play, Swap) or play.draws]
    if playable:
        return playable[chance.below(len(playable))]
    drawn = view.hand[chance.below(len(view.hand))]
    return Discard(next(card.id for card in view.hand if is_same_card(card, drawn)))
