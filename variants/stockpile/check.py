"""Why something may not be done.

Rule 1: refusals come in one order: not yours to play, against the open position, against the own
        cards.  The first two say the same whatever the seat holds; what a card is that the seat
        does not hold is said by the box, which is public.
Rule 2: a refusal says what is wrong, then what would be right, from the own view only.  [G-03]
Rule 3: what is not refused is legal: `check` lets pass what `legal_actions` lists and its equal
        copies, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from variants.contract import IllegalAction, Seat
from variants.kit.text import join_words
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
    REACTIONS,
    REFLECTION,
    SELF_ISOLATION,
    STOCK_UPS,
    SWAP_SHOP,
    TRADING_STATION,
    Card,
    card_title,
    distinct_cards,
    is_same_card,
)
from variants.stockpile.language import texts
from variants.stockpile.legal_actions import (
    can_draw,
    playable_actions,
    possible_targets,
    reflect_targets,
    supplies_at_stake,
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
            raise IllegalAction(texts.LOCATIONS)
        case Draw() if not can_draw(view, me):
            _refuse_draw(view, me)
        case End() if not view.is_final:
            raise IllegalAction(texts.THREE_ACTIONS)  # [SR-03]
        case Discard(card):
            _refuse_discard(view, me, card)
        case NiceTry(card):
            _require_card_named(view, card, (NICE_TRY,), "a Nice Try! card")
            _require_in_hand(view, card)
        case Reflect(card):
            _require_card_named(view, card, (REFLECTION,), "a Reflection")
            _require_reflection(view, me, action)
            _require_in_hand(view, card)
        case Pass() | Go() | Draw() | End():
            pass
        case _:
            _refuse_play(view, me, action)


def _refuse_play(view: View, me: Seat, action: Action) -> None:
    """A card of the hand as an own action."""
    match action:
        case Stock(card):
            _require_card_named(view, card, STOCK_UPS, "a Stock Up or Home Delivery")
            _refuse_empty(view, texts.NO_GAIN)  # [SR-31]
        case Loot(card, to, take):
            name = _require_card_named(view, card, tuple(LOOT_KINDS), "a Loot card").name
            _require_target(view, me, to, name)
            _require_supply(view, to, take, LOOT_KINDS[name], name)
        case Trade(card, to, give, take):
            name = _require_card_named(view, card, (TRADING_STATION,), "a Trading Station").name
            _require_target(view, me, to, name)
            _require_supply(view, me, give, None, name)
            _require_supply(view, to, take, None, name)
        case Switch(card, to):
            _require_card_named(view, card, (LOCATION_SWITCH,), "a Location Switch")
            _require_target(view, me, to, LOCATION_SWITCH)
        case Nosey(card, to, kind):
            _require_card_named(view, card, (NOSEY_NEIGHBOUR,), "a Nosey Neighbour")
            if kind not in NOSEY_KINDS:  # [SR-41]
                raise IllegalAction(texts.NOSEY_KINDS)
            _require_target(view, me, to, NOSEY_NEIGHBOUR, kind)
        case Isolate(card):
            _require_card_named(view, card, (SELF_ISOLATION,), "a Self-Isolation")
            if view.seats[me].isolation is not None:  # [SR-44]
                raise IllegalAction(texts.ISOLATED_ALREADY)
        case Swap(card, other, _):
            _require_card_named(view, card, (SWAP_SHOP,), "a Swap Shop")
            _refuse_swap(view, card, other)
        case _:
            raise IllegalAction(texts.NOT_A_MOVE)
    _require_in_hand(view, action.card)
    if isinstance(action, Swap):
        _refuse_other(view, action)


# -- not yours to play -----------------------------------------------------------------------------


def _refuse_out_of_turn(view: View, action: Action) -> Seat:
    if not view.asks:
        raise IllegalAction(texts.GAME_OVER)
    if view.seat is None:
        raise IllegalAction(texts.WATCHING)
    if not view.seats[view.seat].is_in:
        raise IllegalAction(texts.OUT)
    if view.seat != view.asked:
        now = texts.OTHERS_WINDOW.format("{}", WINDOW_PROMPTS[view.asks])
        if isinstance(action, REACTION_TYPES):  # [SR-56]
            raise IllegalAction(texts.RESPOND_LATER.format(now), view.asked)
        raise IllegalAction(texts.OTHERS_TURN if view.asks == "action" else now, view.asked)
    _refuse_other_question(view, action)
    return view.seat


def _refuse_other_question(view: View, action: Action) -> None:
    """The seat is asked, but something else."""
    if view.asks == "give up":
        if not isinstance(action, GiveUp):
            assert view.impact is not None
            raise IllegalAction(
                texts.GIVE_UP_FIRST,
                view.impact.name, _card_list(supplies_at_stake(view), "or"),
            )  # fmt: skip
    elif view.asks == "location":
        if not isinstance(action, Go):
            raise IllegalAction(texts.LOCATION_NOW)
    elif view.asks == "reaction":
        if not isinstance(action, REACTION_TYPES):
            card, by = view.answered_card, view.effects[-1].controller
            if view.counters:
                by = view.counters[-1].seat
            raise IllegalAction(
                texts.RESPOND_FIRST,
                by, card.name if card else "a card",
            )  # fmt: skip
    elif isinstance(action, GiveUp):
        raise IllegalAction(texts.NOTHING_TO_GIVE_UP)
    elif isinstance(action, Go):
        raise IllegalAction(texts.LOCATION_LATER)  # [SR-11]
    elif isinstance(action, Pass):
        raise IllegalAction(texts.NO_SKIPPING)
    elif isinstance(action, REACTION_TYPES):
        raise IllegalAction(texts.NOTHING_TO_RESPOND)


# -- against the open position ---------------------------------------------------------------------


def _refuse_give_up(view: View, me: Seat, card: str) -> None:
    assert view.impact is not None
    if any(supply.id == card for supply in supplies_at_stake(view)):
        return
    named = next((c for c in view.decks.all_cards if c.id == card), None)
    kind, right = IMPACT_KINDS[view.impact.name], _card_list(supplies_at_stake(view), "or")
    if any(supply.id == card for supply in view.seats[me].stockpile):
        wrong = texts.GIVE_UP_KIND.format(view.impact.name, kind)
    elif named:
        wrong = texts.NOT_IN_STOCKPILE.format(card_title(named))
    else:
        wrong = texts.UNKNOWN_CARD
    raise IllegalAction(texts.GIVE_UP_THESE, wrong, right)


def _refuse_draw(view: View, me: Seat) -> None:
    if view.seats[me].cards >= HAND_MAX:  # [SR-06]
        raise IllegalAction(texts.HAND_FULL.format(HAND_MAX))
    deck, place = {
        INDOORS: ("Indoor", "Indoors"), OUTDOORS: ("Outdoor", "Outdoors"),
    }[view.seats[me].location]  # fmt: skip
    raise IllegalAction(texts.DECK_EMPTY.format(deck, place))  # [SR-52]


def _refuse_empty(view: View, so: str) -> None:
    if not view.supplies:
        raise IllegalAction(texts.SUPPLIES_EMPTY, so)


def _refuse_swap(view: View, card: str, other: str) -> None:
    _refuse_empty(view, texts.NO_SWAP)  # [SR-47]
    if card == other:
        raise IllegalAction(texts.SWAP_ANOTHER)
    named = _require_card(view, other)
    if named.sort != "effect":  # [SR-46]
        raise IllegalAction(
            texts.SWAP_NOT_EFFECT,
            card_title(named),
        )  # fmt: skip


def _refuse_discard(view: View, me: Seat, card: str) -> None:
    """[SR-07] Only a full hand with nothing to play."""
    _require_card(view, card)
    if view.seats[me].cards < HAND_MAX:
        raise IllegalAction(texts.DISCARD_ONLY.format(HAND_MAX))
    _require_in_hand(view, card)
    if playable_actions(view, me):
        raise IllegalAction(texts.DISCARD_NOT)


# -- against the own cards -------------------------------------------------------------------------


def _require_in_hand(view: View, card: str) -> None:
    """The card must be in the own hand."""
    if any(held.id == card for held in view.hand):
        return
    known = _require_card(view, card)
    wanted, alike = known.name, [known.name]
    if wanted in LOOT_KINDS:
        wanted, alike = "Loot", list(LOOT_KINDS)
    if any(held.name in alike for held in view.hand):  # one of these, but not that one
        wanted = card_title(known)
    raise IllegalAction(texts.NOT_HELD, wanted, _with_full_stop(_card_list(view.hand)))


def _refuse_other(view: View, action: Swap) -> None:
    """The card that goes with Swap Shop."""
    if any(card.id == action.other for card in view.hand):
        return
    others = [c for c in view.hand if c.sort == "effect" and c.id != action.card]
    if others:
        raise IllegalAction(
            texts.SWAP_NOT_HELD,
            card_title(_require_card(view, action.other)),
            _with_full_stop(_card_list(others, "or")),
        )
    raise IllegalAction(texts.SWAP_ALONE)


# -- what several plays name: a card, a target, a supply, a Reflection; public facts only ----------


def _require_card(view: View, card: str) -> Card:
    """The card of that id, which lies anywhere in the box."""
    for known in view.decks.all_cards:
        if known.id == card:
            return known
    raise IllegalAction(texts.NO_SUCH_CARD)


def _require_card_named(view: View, card: str, names: Sequence[str], what: str) -> Card:
    """The card of that id, if it is one of *names*."""
    known = _require_card(view, card)
    if known.name in names:
        return known
    if known.name in REACTIONS and view.asks == "action":
        raise IllegalAction(texts.IS_RESPONSE, known.name)
    raise IllegalAction(texts.NOT_THAT_KIND, card_title(known), what)


def _require_target(view: View, me: Seat, seat: Seat, name: str, kind: str = "") -> None:
    """Somebody whom the effect *name* can hit, with the seat *me* in control of it."""
    possible = possible_targets(view, me, name, kind)
    if seat in possible:
        return
    about: tuple[int | str, ...] = ()
    if not 0 <= seat < len(view.seats):
        wrong = texts.NO_SUCH_PLAYER
    elif seat == me:
        wrong = texts.NOT_ON_YOURSELF.format(name)
    else:
        wrong, about = _target_problem(view, me, seat, name, kind), (seat,)
    right = texts.CHOOSE_AMONG.format(join_words(["{}"] * len(possible), "or"))
    if not possible:
        right = texts.NOBODY_TO_HIT.format(name, f" for {kind}" if kind else "")
    raise IllegalAction(f"{wrong} {right}", *about, *possible)


def _target_problem(view: View, me: Seat, seat: Seat, name: str, kind: str) -> str:
    """Why not that other seat, as a sentence with its name to be filled in."""
    other = view.seats[seat]
    if not other.is_in:
        return texts.TARGET_OUT
    if other.isolation is not None:  # [SR-42]
        return texts.TARGET_ISOLATED
    if name == TRADING_STATION:  # [SR-37]
        is_theirs = view.seats[me].stockpile
        return texts.TARGET_HAS_NOTHING if is_theirs else texts.NOTHING_TO_TRADE
    if name == NOSEY_NEIGHBOUR and other.location != OUTDOORS:  # [SR-41]
        return texts.TARGET_INDOORS
    kinds = (kind,) if kind else LOOT_KINDS.get(name, ())
    return texts.TARGET_LACKS.format(join_words(kinds, "or"))  # [SR-35]


def _require_supply(
    view: View, owner: Seat, card: str, kinds: Sequence[str] | None, name: str
) -> None:
    """The supply must lie in *owner*'s stockpile and be of one of *kinds* (None: any)."""
    stockpile = view.seats[owner].stockpile
    fitting = [supply for supply in stockpile if kinds is None or supply.name in kinds]
    if any(supply.id == card for supply in fitting):
        return
    known = _require_card(view, card)
    is_own = owner == view.seat
    if any(supply.id == card for supply in stockpile):
        assert kinds is not None
        wrong = texts.TAKES_ONLY.format(name, join_words(kinds, "or"), card_title(known))
    elif is_own:
        wrong = texts.NOT_IN_STOCKPILE.format(card_title(known))
    else:
        raise IllegalAction(texts.OTHER_LACKS, owner, card_title(known), _card_list(fitting, "or"))
    verb = "give" if is_own else "take"
    raise IllegalAction(texts.YOU_CAN, wrong, verb, _card_list(fitting, "or"))


def _require_reflection(view: View, me: Seat, action: Reflect) -> None:
    """A target and supplies as the live effect needs them; none against a counter."""
    named = (action.target, action.give, action.take)
    if view.counters:
        if named != (None, None, None):  # [SR-59]
            raise IllegalAction(texts.REFLECT_ALONE, view.counters[-1].card.name)
        return
    name, kind = view.effects[0].card.name, view.effects[-1].supply
    possible = reflect_targets(view)
    if not possible:  # [SR-66]
        raise IllegalAction(texts.REFLECT_NOBODY, name)
    if action.target is None:
        right = join_words(["{}"] * len(possible), "or")
        raise IllegalAction(texts.REFLECT_WHOM + right + ".", name, *possible)
    _require_target(view, me, action.target, name, kind)
    trades, takes = name == TRADING_STATION, name == TRADING_STATION or name in LOOT_KINDS
    if (action.give is not None) != trades or (action.take is not None) != takes:
        needs = "the player" + (", your supply" if trades else "") + (
            " and the supply that you take" if takes else " alone"
        )  # fmt: skip
        raise IllegalAction(texts.REFLECT_NEEDS, name, needs)
    if action.give is not None:
        _require_supply(view, me, action.give, None, name)
    if action.take is not None:
        _require_supply(view, action.target, action.take, None if trades else (kind,), name)


# -- lists of cards --------------------------------------------------------------------------------


def _card_list(cards: Sequence[Card], last: str = "and") -> str:
    """`Food 1, Food 3 and Nice Try! (2)`; "nothing" when there are none."""
    if not cards:
        return "nothing"
    counted = []
    for card in distinct_cards(cards):
        copies = sum(1 for other in cards if is_same_card(card, other))
        counted.append(card_title(card) + (f" ({copies})" if copies > 1 and last == "and" else ""))
    return join_words(counted, last)


def _with_full_stop(text: str) -> str:
    """*text* with a full stop, unless the name of a card ends it already: `Nice Try!`."""
    return text if text.endswith("!") else text + "."
