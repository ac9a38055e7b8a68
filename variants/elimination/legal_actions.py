"""What the seat of a view may do now, and what is played when its time is up.

Rule 1: nothing here knows the state, so neither a list nor a default can tell a hidden card.
        [G-12]
"""

from __future__ import annotations

from variants.contract import Chance
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.data.cards import PACKS, cards_of_rank
from variants.elimination.view import View, others_clockwise


def legal_actions(view: View) -> list[Action]:
    """Everything this seat may do now: by kind, then card, then clockwise."""
    if view.seat is None or view.seat != view.turn or not view.asks:
        return []
    if view.asks == "next":
        return [Next(seat) for seat in view.candidates]
    others = others_clockwise(view.seats, view.seat)
    actions: list[Action] = [Draw()] if view.deck else []
    actions += [Give(card, to) for card in givable_cards(view) for to in others]
    actions += [Take(victim) for victim in others if view.seats[victim].cards]
    if view.deck:
        actions += [Force(to) for to in others]
    if can_shuffle(view):
        actions.append(Shuffle())
    actions += [Clear(with_) for with_ in clear_kinds(view)]
    return actions


def givable_cards(view: View) -> list[str]:
    """Own cards that no mark holds back.  [ER-17]"""
    marked = {card for card, _ in view.marks}
    return [card for card in view.hand if card not in marked]


def can_shuffle(view: View) -> bool:
    """[ER-28] Two live hands with cards at least: with one it would be a free pass."""
    return sum(1 for seat in view.seats if seat.is_in and seat.cards) >= 2


def clear_kinds(view: View) -> list[str]:
    """The kinds of Clear the own hand allows.  [ER-34] [ER-35]"""
    pack = PACKS[view.pack]
    kinds = ["single"] if cards_of_rank(view.hand, pack.single) else []
    if len(cards_of_rank(view.hand, pack.pair)) >= 2:
        kinds.append("pair")
    return kinds


def default_action(view: View, chance: Chance) -> Action:
    """What happens when the clock runs out.  Draws: take the victim; give the card, the player."""
    assert view.seat is not None
    if view.asks == "next":
        return Next(view.candidates[0])
    if view.deck:
        return Draw()
    if can_shuffle(view):
        return Shuffle()
    others = others_clockwise(view.seats, view.seat)
    if victims := [seat for seat in others if view.seats[seat].cards]:
        return Take(victims[chance.below(len(victims))])
    if cards := givable_cards(view):
        card = cards[chance.below(len(cards))]
        return Give(card, others[chance.below(len(others))])
    return Clear(clear_kinds(view)[0])
