"""What `check` says to a seat of stockpile that may not do something."""

from __future__ import annotations

from typing import Any

from tests.variants.stockpile.story import ANN, BOB, BOX, Story
from variants.contract import IllegalAction, Seat
from variants.stockpile.actions import Action, Loot
from variants.stockpile.check import check
from variants.stockpile.data.cards import card_title
from variants.stockpile.view import View

NAMES = ("Ann", "Bob", "Cy", "Dee")
MOVES = " Type moves to see what you can do."
OWN = ("You hold no ", "You can play a card, so", "Swap Shop goes together with another Effect")
"""How the refusals begin that depend on the own cards."""


def refusal(view: View, action: Action) -> str:
    """What is said of it; "" if it is legal."""
    try:
        check(view, action)
    except IllegalAction as refused:
        return refused.format(NAMES[: len(view.seats)])
    return ""


def said(story: Story, action: Action, seat: Seat = ANN) -> str:
    found = refusal(story.view(seat), action)
    assert found and "{" not in found
    return found


def box_id(name: str, deck: str = "") -> str:
    return next(c.id for c in BOX.all_cards if card_title(c) == name and deck in ("", c.deck))


def looted(**position: Any) -> Story:
    """Ann loots Food from Bob, who is asked."""
    hands = {ANN: ["Loot Food", "Nice Try!"], BOB: ["Nice Try!", "Reflection", "Swap Shop"]}
    story = Story(hands={**hands, **position.pop("hands", {})}, **position)
    story.when(ANN, Loot(story.held(ANN, "Loot Food"), BOB, story.owned(BOB, "Food 1")))
    return story
