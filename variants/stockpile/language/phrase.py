"""Exactly what to type for an action.

Rule 1: `parse` reads what is written here as that very action, whatever people are called; two
        different plays are never written alike.
Rule 2: cheap: `moves` and completion write hundreds of plays for every line.
"""

from __future__ import annotations

from variants.contract import Seat, SeatNames
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
from variants.stockpile.data.cards import INDOORS, LOOT_ANY, Card, Cards
from variants.stockpile.language.offers import speaker
from variants.stockpile.language.slots import called
from variants.stockpile.language.spans import SHORT_KIND_NAMES, typed_name
from variants.stockpile.view import View


def phrase(action: Action, view: View, names: SeatNames) -> str:
    """Exactly what to type for *action*."""
    match action:
        case Stock(card) | Discard(card):
            verb = "discard " if isinstance(action, Discard) else ""
            return verb + typed_name(_found(card, view.hand, view))
        case Loot(card, to, take):
            loot, supply = _found(card, view.hand, view), _theirs(take, to, view)
            if loot.name == LOOT_ANY:
                return f"loot any {called(to, names)} {typed_name(supply)}"
            return f"{typed_name(loot)} {called(to, names)} {supply.number}"
        case Trade(_, to, give, take):
            return f"trade {called(to, names)} {_swapped(give, take, to, view)}"
        case Switch(_, to):
            return f"switch {called(to, names)}"
        case Nosey(_, to, kind):
            return f"nosey {called(to, names)} {SHORT_KIND_NAMES[kind].lower()}"
        case Swap(_, other, draws):
            no_draw = "" if draws else " without drawing"
            return f"swap {typed_name(_found(other, view.hand, view))}{no_draw}"
        case GiveUp(card):
            return f"give up {typed_name(_theirs(card, speaker(view), view))}"
        case Go(to):
            return "in" if to == INDOORS else "out"
        case Reflect(_, to, give, take):
            words = ["reflect"] if to is None else ["reflect", called(to, names)]
            if to is not None and give is not None and take is not None:
                words.append(_swapped(give, take, to, view))
            elif to is not None and take is not None:
                words.append(str(_theirs(take, to, view).number))
            return " ".join(words)
        case Draw() | End() | Pass() | Isolate():
            return type(action).__name__.lower()
        case NiceTry():
            return "nice try"


def _swapped(give: str, take: str, to: Seat, view: View) -> str:
    own = _theirs(give, speaker(view), view)
    return f"{typed_name(own)} for {typed_name(_theirs(take, to, view))}"


def _theirs(card: str, seat: Seat, view: View) -> Card:
    return _found(card, view.seats[seat].stockpile, view)


def _found(card: str, cards: Cards, view: View) -> Card:
    """The card of that id, looked for where it should lie, then in the whole box."""
    for known in cards:
        if known.id == card:
            return known
    return next(known for known in view.decks.all_cards if known.id == card)
