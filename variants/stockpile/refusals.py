"""The refusals that several plays share: a card, a target, a supply, a Reflection.

Rule 1: all but `require_in_hand` read public facts only.  See `check` for the order.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import IllegalAction, Seat
from variants.kit.text import join_words
from variants.stockpile.actions import Reflect
from variants.stockpile.data.cards import (
    LOOT_KINDS,
    NOSEY_NEIGHBOUR,
    OUTDOORS,
    REACTIONS,
    TRADING_STATION,
    Card,
    card_title,
    distinct_cards,
    is_same_card,
)
from variants.stockpile.legal_actions import possible_targets, reflect_targets
from variants.stockpile.view import View

MOVES_HINT = " Type moves to see what you can do."


def card_list(cards: Sequence[Card], last: str = "and") -> str:
    """`Food 1, Food 3 and Nice Try! (2)`; "nothing" when there are none."""
    if not cards:
        return "nothing"
    counted = []
    for card in distinct_cards(cards):
        copies = sum(1 for other in cards if is_same_card(card, other))
        counted.append(card_title(card) + (f" ({copies})" if copies > 1 and last == "and" else ""))
    return join_words(counted, last)


def with_full_stop(text: str) -> str:
    """*text* with a full stop, unless the name of a card ends it already: `Nice Try!`."""
    return text if text.endswith("!") else text + "."


# -- cards -----------------------------------------------------------------------------------------


def require_card(view: View, card: str) -> Card:
    """The card of that id, which lies anywhere in the box."""
    for known in view.decks.all_cards:
        if known.id == card:
            return known
    raise IllegalAction("There is no such card in this game." + MOVES_HINT)


def require_card_named(view: View, card: str, names: Sequence[str], what: str) -> Card:
    """The card of that id, if it is one of *names*."""
    known = require_card(view, card)
    if known.name in names:
        return known
    if known.name in REACTIONS and view.asks == "action":
        raise IllegalAction(
            "{} is an answer: you can play it when a card was played against you." + MOVES_HINT,
            known.name,
        )  # fmt: skip
    raise IllegalAction("{} is not {}." + MOVES_HINT, card_title(known), what)


def require_in_hand(view: View, card: str) -> None:
    """The card must be in the own hand."""
    if any(held.id == card for held in view.hand):
        return
    known = require_card(view, card)
    wanted, alike = known.name, [known.name]
    if wanted in LOOT_KINDS:
        wanted, alike = "Loot", list(LOOT_KINDS)
    if any(held.name in alike for held in view.hand):  # one of these, but not that one
        wanted = card_title(known)
    raise IllegalAction(
        "You hold no {} card. Your hand: {}", wanted, with_full_stop(card_list(view.hand))
    )


# -- targets and supplies --------------------------------------------------------------------------


def require_target(view: View, me: Seat, seat: Seat, name: str, kind: str = "") -> None:
    """Somebody whom the effect *name* can hit, with the seat *me* in control of it."""
    possible = possible_targets(view, me, name, kind)
    if seat in possible:
        return
    about: tuple[int | str, ...] = ()
    if not 0 <= seat < len(view.seats):
        wrong = "There is no such player."
    elif seat == me:
        wrong = f"You cannot play {name} on yourself."
    else:
        wrong, about = _target_problem(view, me, seat, name, kind), (seat,)
    right = "You can name " + join_words(["{}"] * len(possible), "or") + "."
    if not possible:
        right = f"There is nobody now whom {name} can hit{f' for {kind}' if kind else ''}."
    raise IllegalAction(f"{wrong} {right}", *about, *possible)


def _target_problem(view: View, me: Seat, seat: Seat, name: str, kind: str) -> str:
    """Why not that other seat, as a sentence with its name to be filled in."""
    other = view.seats[seat]
    if not other.is_in:
        return "{} is out of the game."
    if other.isolation is not None:  # [SR-42]
        return "{} is in Self-Isolation, where no Effect card can hit them."
    if name == TRADING_STATION:  # [SR-37]
        whose = "{} has" if view.seats[me].stockpile else "{} would trade, but you have"
        return f"{whose} no supplies to trade."
    if name == NOSEY_NEIGHBOUR and other.location != OUTDOORS:  # [SR-41]
        return "{} is Indoors, and Nosey Neighbour hits only who is Outdoors."
    kinds = (kind,) if kind else LOOT_KINDS.get(name, ())
    return f"{{}} has no {join_words(kinds, 'or')}."  # [SR-35]


def require_supply(
    view: View, owner: Seat, card: str, kinds: Sequence[str] | None, name: str
) -> None:
    """The supply must lie in *owner*'s stockpile and be of one of *kinds* (None: any)."""
    stockpile = view.seats[owner].stockpile
    fitting = [supply for supply in stockpile if kinds is None or supply.name in kinds]
    if any(supply.id == card for supply in fitting):
        return
    known = require_card(view, card)
    is_own = owner == view.seat
    if any(supply.id == card for supply in stockpile):
        assert kinds is not None
        wrong = f"{name} takes {join_words(kinds, 'or')} here, not {card_title(known)}."
    elif is_own:
        wrong = f"You have no {card_title(known)} in your stockpile."
    else:
        raise IllegalAction(
            "{} has no {}. You can take {}.", owner, card_title(known), card_list(fitting, "or")
        )
    verb = "give" if is_own else "take"
    raise IllegalAction("{} You can {} {}.", wrong, verb, card_list(fitting, "or"))


# -- Reflection ------------------------------------------------------------------------------------


def require_reflection(view: View, me: Seat, action: Reflect) -> None:
    """A target and supplies as the live effect needs them; none against a counter."""
    named = (action.target, action.give, action.take)
    if view.counters:
        if named != (None, None, None):  # [SR-59]
            raise IllegalAction(
                "A Reflection against {} only turns it away, and hits nobody. Type reflect alone.",
                view.counters[-1].card.name,
            )  # fmt: skip
        return
    name, kind = view.effects[0].card.name, view.effects[-1].supply
    possible = reflect_targets(view)
    if not possible:  # [SR-66]
        raise IllegalAction(
            "There is nobody whom {} could hit when you reflect it. You can pass, or play a "
            "Nice Try! if you hold one.", name,
        )  # fmt: skip
    if action.target is None:
        right = join_words(["{}"] * len(possible), "or")
        raise IllegalAction(
            "Say whom the reflected {} is to hit. You can name " + right + ".", name, *possible
        )
    require_target(view, me, action.target, name, kind)
    trades, takes = name == TRADING_STATION, name == TRADING_STATION or name in LOOT_KINDS
    if (action.give is not None) != trades or (action.take is not None) != takes:
        needs = "the player" + (", your supply" if trades else "") + (
            " and the supply that you take" if takes else " alone"
        )  # fmt: skip
        raise IllegalAction("To reflect {}, name {}." + MOVES_HINT, name, needs)
    if action.give is not None:
        require_supply(view, me, action.give, None, name)
    if action.take is not None:
        require_supply(view, action.target, action.take, None if trades else (kind,), name)
