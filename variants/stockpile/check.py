"""Why something may not be done.

Rule 1: refusals come in one order: not yours to play, against the open position, against the own
        cards.  The first two say the same whatever the seat holds; what a card is that the seat
        does not hold is said by the box, which is public.
Rule 2: a refusal says what is wrong, then what would be right, from the own view only.  [G-03]
Rule 3: what is not refused is legal: `check` lets pass what `legal_actions` lists and its equal
        copies, and nothing else.
"""

from __future__ import annotations

from variants.contract import IllegalAction, Seat
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
    STOCK_UPS,
    SWAP_SHOP,
    TRADING_STATION,
    card_title,
)
from variants.stockpile.legal_actions import can_draw, playable_actions, supplies_at_stake
from variants.stockpile.refusals import (
    MOVES_HINT,
    card_list,
    require_card,
    require_card_named,
    require_in_hand,
    require_reflection,
    require_supply,
    require_target,
    with_full_stop,
)
from variants.stockpile.view import WINDOW_PROMPTS, View

REACTION_TYPES = (Pass, NiceTry, Reflect)


def check(view: View, action: Action) -> None:
    """Raise IllegalAction: what is wrong, then what would be right."""
    me = _refuse_out_of_turn(view, action)
    match action:
        case GiveUp(card):
            _refuse_give_up(view, me, card)
        case Go(to) if to not in (INDOORS, OUTDOORS):
            raise IllegalAction("There are two places to be. Say in, out or stay.")
        case Draw() if not can_draw(view, me):
            _refuse_draw(view, me)
        case End() if not view.is_final:
            raise IllegalAction(  # [SR-03]
                "A turn is three actions; only when a deck is empty may you stop before."
                + MOVES_HINT
            )
        case Discard(card):
            _refuse_discard(view, me, card)
        case NiceTry(card):
            require_card_named(view, card, (NICE_TRY,), "a Nice Try! card")
            require_in_hand(view, card)
        case Reflect(card):
            require_card_named(view, card, (REFLECTION,), "a Reflection")
            require_reflection(view, me, action)
            require_in_hand(view, card)
        case Pass() | Go() | Draw() | End():
            pass
        case _:
            _refuse_play(view, me, action)


def _refuse_play(view: View, me: Seat, action: Action) -> None:
    """A card of the hand as an own action."""
    match action:
        case Stock(card):
            require_card_named(view, card, STOCK_UPS, "a Stock Up or Home Delivery")
            _refuse_empty(view, "so that card would bring nothing")  # [SR-31]
        case Loot(card, to, take):
            name = require_card_named(view, card, tuple(LOOT_KINDS), "a Loot card").name
            require_target(view, me, to, name)
            require_supply(view, to, take, LOOT_KINDS[name], name)
        case Trade(card, to, give, take):
            name = require_card_named(view, card, (TRADING_STATION,), "a Trading Station").name
            require_target(view, me, to, name)
            require_supply(view, me, give, None, name)
            require_supply(view, to, take, None, name)
        case Switch(card, to):
            require_card_named(view, card, (LOCATION_SWITCH,), "a Location Switch")
            require_target(view, me, to, LOCATION_SWITCH)
        case Nosey(card, to, kind):
            require_card_named(view, card, (NOSEY_NEIGHBOUR,), "a Nosey Neighbour")
            if kind not in NOSEY_KINDS:  # [SR-41]
                raise IllegalAction(
                    "Nosey Neighbour makes a player discard all Food or all Toilet Paper. "
                    "Say which of these two."
                )
            require_target(view, me, to, NOSEY_NEIGHBOUR, kind)
        case Isolate(card):
            require_card_named(view, card, (SELF_ISOLATION,), "a Self-Isolation")
            if view.seats[me].isolation is not None:  # [SR-44]
                raise IllegalAction(
                    "Your Self-Isolation is in play already, until your next turn begins."
                    + MOVES_HINT
                )
        case Swap(card, other, _):
            require_card_named(view, card, (SWAP_SHOP,), "a Swap Shop")
            _refuse_swap(view, card, other)
        case _:
            raise IllegalAction("That is no play of this game." + MOVES_HINT)
    require_in_hand(view, action.card)
    if isinstance(action, Swap):
        _refuse_other(view, action)


# -- not yours to play -----------------------------------------------------------------------------


def _refuse_out_of_turn(view: View, action: Action) -> Seat:
    if not view.asks:
        raise IllegalAction("The game is over. Look at the result, or start another one.")
    if view.seat is None:
        raise IllegalAction("You are watching. Sit down at a table to play.")
    if not view.seats[view.seat].is_in:
        raise IllegalAction("You are infected and out of this game. You can watch it to its end.")
    if view.seat != view.asked:
        now = f"{{}} is {WINDOW_PROMPTS[view.asks]}"
        if isinstance(action, REACTION_TYPES):  # [SR-56]
            raise IllegalAction(
                "You can answer only while you are asked, right after a card was played against "
                f"you. Now {now}.", view.asked,
            )  # fmt: skip
        if view.asks == "action":
            raise IllegalAction("It is {}'s turn. Wait until it is yours.", view.asked)
        raise IllegalAction(f"Now {now}. Wait until it is you.", view.asked)
    _refuse_other_question(view, action)
    return view.seat


def _refuse_other_question(view: View, action: Action) -> None:
    """The seat is asked, but something else."""
    if view.asks == "give up":
        if not isinstance(action, GiveUp):
            assert view.impact is not None
            raise IllegalAction(
                "{} takes one of your supplies first. Say which one: {}.",
                view.impact.name, card_list(supplies_at_stake(view), "or"),
            )  # fmt: skip
    elif view.asks == "location":
        if not isinstance(action, Go):
            raise IllegalAction(
                "Your actions are used. Now say where you will be in your next turn: in, out or "
                "stay."
            )
    elif view.asks == "reaction":
        if not isinstance(action, REACTION_TYPES):
            card, by = view.answered_card, view.effects[-1].controller
            if view.counters:
                by = view.counters[-1].seat
            raise IllegalAction(
                "{} played {} against you. Answer that first: pass, nice try or reflect.",
                by, card.name if card else "a card",
            )  # fmt: skip
    elif isinstance(action, GiveUp):
        raise IllegalAction("No card takes a supply from you now." + MOVES_HINT)
    elif isinstance(action, Go):
        raise IllegalAction(  # [SR-11]
            "You choose where to be at the end of your turn, after your last action." + MOVES_HINT
        )
    elif isinstance(action, Pass):
        raise IllegalAction("There is nothing to answer, and no action can be passed." + MOVES_HINT)
    elif isinstance(action, REACTION_TYPES):
        raise IllegalAction(
            "Nothing was played against you, so there is nothing to answer now." + MOVES_HINT
        )


# -- against the open position ---------------------------------------------------------------------


def _refuse_give_up(view: View, me: Seat, card: str) -> None:
    assert view.impact is not None
    if any(supply.id == card for supply in supplies_at_stake(view)):
        return
    named = next((c for c in view.decks.all_cards if c.id == card), None)
    kind, right = IMPACT_KINDS[view.impact.name], card_list(supplies_at_stake(view), "or")
    if any(supply.id == card for supply in view.seats[me].stockpile):
        wrong = f"{view.impact.name} takes {kind} only."
    elif named:
        wrong = f"You have no {card_title(named)} in your stockpile."
    else:
        wrong = "There is no such card."
    raise IllegalAction("{} You can give up {}.", wrong, right)


def _refuse_draw(view: View, me: Seat) -> None:
    if view.seats[me].cards >= HAND_MAX:  # [SR-06]
        raise IllegalAction(
            f"You hold {HAND_MAX} cards, and nobody may hold more: you cannot draw." + MOVES_HINT
        )
    deck, place = {
        INDOORS: ("Indoor", "Indoors"), OUTDOORS: ("Outdoor", "Outdoors"),
    }[view.seats[me].location]  # fmt: skip
    raise IllegalAction(  # [SR-52]
        f"The {deck} deck is empty, and {place} you draw from no other." + MOVES_HINT
    )


def _refuse_empty(view: View, so: str) -> None:
    if not view.supplies:
        raise IllegalAction("The Supplies deck is empty, {}." + MOVES_HINT, so)


def _refuse_swap(view: View, card: str, other: str) -> None:
    _refuse_empty(view, "so nobody can play Swap Shop")  # [SR-47]
    if card == other:
        raise IllegalAction("Swap Shop goes together with another Effect card. Name that one.")
    named = require_card(view, other)
    if named.sort != "effect":  # [SR-46]
        raise IllegalAction(
            "{} is no Effect card. Swap Shop goes together with another Effect card.",
            card_title(named),
        )  # fmt: skip


def _refuse_discard(view: View, me: Seat, card: str) -> None:
    """[SR-07] Only a full hand with nothing to play."""
    require_card(view, card)
    if view.seats[me].cards < HAND_MAX:
        raise IllegalAction(
            f"You may discard only with {HAND_MAX} cards in hand and nothing to play." + MOVES_HINT
        )
    require_in_hand(view, card)
    if playable_actions(view, me):
        raise IllegalAction("You can play a card, so you may not discard one." + MOVES_HINT)


# -- against the own cards -------------------------------------------------------------------------


def _refuse_other(view: View, action: Swap) -> None:
    """The card that goes with Swap Shop."""
    if any(card.id == action.other for card in view.hand):
        return
    others = [c for c in view.hand if c.sort == "effect" and c.id != action.card]
    if others:
        raise IllegalAction(
            "You hold no {} card. With Swap Shop you can discard {}",
            card_title(require_card(view, action.other)), with_full_stop(card_list(others, "or")),
        )  # fmt: skip
    raise IllegalAction(
        "Swap Shop goes together with another Effect card, and you hold none." + MOVES_HINT
    )
