"""Why a move is advised.

Rule 1: a reason follows from the own view and from what the reader can count (`counted.py`), and is
        true of the position, whoever advises the move.  [G-14]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from variants.contract import Seat
from variants.kit.reasons import ONLY_MOVE, REASONS_MAX, Reason, margin
from variants.kit.text import join_words, quantity
from variants.stockpile.actions import (
    Action,
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
from variants.stockpile.counted import next_card_odds
from variants.stockpile.data.cards import (
    INDOORS,
    INFECTION,
    OUTDOORS,
    PREVENTION,
    REACTIONS,
    Card,
    card_title,
    supplies_of_kind,
    total_value,
)
from variants.stockpile.events import Eliminated, Event, TurnStarted
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View

DRAWS_SUPPLIES = "It draws {} for your stockpile, and nothing else counts in the end."
SWAPS = "{} becomes a card of the Supplies deck."
LOOTS = "You get {1}, and {0} loses it."
TRADES = "You get {1} for {2}, whether {0} likes it or not."
NO_RESPONSE = "{} has no Indoor card to respond with."
SENT_OUT = "{} has to go Outdoors, without Infection Prevention."
SENT_OUT_SHIELDED = "{} has to go Outdoors, where there are more infections."
SENT_IN = "{} has to go Indoors, where there is less to get."
LOSES_ALL = "{0} loses {1}, worth {2}."
SHIELDS = "Nobody can play an Effect card on you, or respond to yours, until your next turn."
AHEAD = "The game ends, and you lead with {}."
LEAST = "None of these supplies is worth less."
SAFER_INDOORS = "The next card is an Infection with {} % Indoors, and with {} % Outdoors."
MORE_OUTDOORS = "You can keep the next card with {} % Outdoors, and with {} % Indoors."
GOOD_CARDS = "You can keep the next card with {} %. It is an Infection with {} %."
NOTHING_TO_SAY = "You have nothing to respond with."
SAVES_RESPONSE = "You keep {} for later."
STOPS = "Without it {}'s {} works."
INFECTED = "You were infected in turn {}, without Infection Prevention."
LAST_ALIVE = "Nobody else was left."
STAYED = "{} stayed in your hand."
TURNS_BACK = "{1} works on {0}, and for you."


def explain(view: View, seen: Sequence[Event], action: Action) -> tuple[Reason, ...]:
    """Reasons for *action*, the weightiest first; empty where none of these fits."""
    if view.asks != "reaction" and len(legal_actions(view)) == 1:
        return (ONLY_MOVE,)
    return tuple(islice(_reasons(view, seen, action), REASONS_MAX))


def explain_end(view: View, seen: Sequence[Event]) -> tuple[Reason, ...]:
    """How the reader was infected, or by how much the reader won or lost."""
    if not view.ended or view.seat is None:
        return ()
    if not view.seats[view.seat].is_in:
        turn = _turn_of_infection(view, seen)
        return (Reason("infected", INFECTED, (str(turn),)),)
    points = {n: total_value(it.stockpile) for n, it in enumerate(view.seats) if it.is_in}
    if len(points) == 1:
        return (Reason("last_alive", LAST_ALIVE),)
    reasons = [*margin(points, view.seat)]
    left = [card_title(card) for card in view.hand if card.sort == "stockup"]
    if points[view.seat] < max(points.values()) and left:
        reasons.append(Reason("left_in_hand", STAYED, (join_words(left),)))
    return tuple(reasons)


def _turn_of_infection(view: View, seen: Sequence[Event]) -> int:
    turn = 0
    for event in seen:
        if isinstance(event, TurnStarted):
            turn = event.number
        if isinstance(event, Eliminated) and event.seat == view.seat:
            break
    return turn


def _reasons(view: View, seen: Sequence[Event], action: Action) -> Iterator[Reason]:
    assert view.seat is not None
    held = {card.id: card for card in view.hand}
    lying = {card.id: card for seat in view.seats for card in seat.stockpile}
    match action:
        case Stock(card):
            drawn = quantity(min(held[card].number, view.supplies), "card")
            yield Reason("gains_supplies", DRAWS_SUPPLIES, (drawn,))
        case Swap(_, other, draws) if draws:
            yield Reason("gains_supplies", SWAPS, (card_title(held[other]),))
        case Loot(_, target, take):
            yield Reason("takes_supply", LOOTS, (target, card_title(lying[take])))
            yield from _no_response(view, target)
        case Trade(_, target, give, take):
            about = (target, card_title(lying[take]), card_title(lying[give]))
            yield Reason("takes_supply", TRADES, about)
            yield from _no_response(view, target)
        case Switch(_, target):
            yield Reason("costs_others", _sent(view, target), (target,))
        case Nosey(_, target, supply):
            lost = supplies_of_kind(view.seats[target].stockpile, supply)
            about = (target, quantity(len(lost), f"{supply} card"), str(total_value(lost)))
            yield Reason("costs_others", LOSES_ALL, about)
            yield from _no_response(view, target)
        case Isolate():
            yield Reason("shields", SHIELDS)
        case End() if _leads(view, view.seat):
            points = total_value(view.seats[view.seat].stockpile)
            yield Reason("ends_ahead", AHEAD, (quantity(points, "point"),))
        case GiveUp(card):
            asked = [lying[it.card].number for it in legal_actions(view) if isinstance(it, GiveUp)]
            if lying[card].number == min(asked):
                yield Reason("least_value", LEAST)
        case Draw():
            yield _of_next_card(view, seen, view.seats[view.seat].location)
        case Go(to):
            inside, outside = (_infection(view, seen, deck) for deck in (INDOORS, OUTDOORS))
            kept_in, kept_out = (_kept(view, seen, deck) for deck in (INDOORS, OUTDOORS))
            if to == OUTDOORS and kept_out > kept_in:
                percents = (_percent(kept_out), _percent(kept_in))
                yield Reason("deck_odds", MORE_OUTDOORS, percents)
            if to == INDOORS and inside < outside:
                yield Reason("deck_odds", SAFER_INDOORS, (_percent(inside), _percent(outside)))
        case Pass():
            yield _of_passing(view)
        case NiceTry() | Reflect(target=None):
            yield _of_stopping(view)
        case Reflect(target=target) if target is not None:
            title = card_title(view.effects[0].card)
            yield Reason("turns_back", TURNS_BACK, (target, title))


def _no_response(view: View, target: Seat) -> Iterator[Reason]:
    if not view.seats[target].indoor:
        yield Reason("no_response", NO_RESPONSE, (target,))


def _sent(view: View, target: Seat) -> str:
    it = view.seats[target]
    if it.location == OUTDOORS:
        return SENT_IN
    return SENT_OUT_SHIELDED if supplies_of_kind(it.stockpile, PREVENTION) else SENT_OUT


def _leads(view: View, me: Seat) -> bool:
    points = [total_value(it.stockpile) for it in view.seats if it.is_in]
    own = total_value(view.seats[me].stockpile)
    return own == max(points) and points.count(own) == 1


def _infection(view: View, seen: Sequence[Event], deck: str) -> float:
    odds = next_card_odds(view, seen, deck)
    return sum(odds[card] for card in odds if card.name == INFECTION)


def _of_next_card(view: View, seen: Sequence[Event], deck: str) -> Reason:
    about = _percent(_kept(view, seen, deck)), _percent(_infection(view, seen, deck))
    return Reason("deck_odds", GOOD_CARDS, about)


def _kept(view: View, seen: Sequence[Event], deck: str) -> float:
    odds = next_card_odds(view, seen, deck)
    return sum(odds[card] for card in odds if card.sort != "impact")


def _of_passing(view: View) -> Reason:
    responses = [card for card in view.hand if card.name in REACTIONS]
    if not responses:
        return Reason("saves_response", NOTHING_TO_SAY)
    return Reason("saves_response", SAVES_RESPONSE, (card_title(responses[0]),))


def _of_stopping(view: View) -> Reason:
    """Against the last counter, or the effect itself."""
    last = view.counters[-1] if view.counters else None
    seat = last.seat if last else view.effects[-1].controller
    card: Card | None = last.card if last else view.effects[-1].card
    assert card is not None
    return Reason("stops_card", STOPS, (seat, card_title(card)))


def _percent(odds: float) -> str:
    return str(round(100 * odds))
