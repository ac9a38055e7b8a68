"""Plays of stockpile as they can be read, and the one that the clock picks."""

from __future__ import annotations

from typing import Any

from tests.variants.stockpile.story import ANN, BOB, CY, DEE, Story
from variants.contract import Seat
from variants.kit.chance import ScriptedChance
from variants.stockpile.actions import Action
from variants.stockpile.data.cards import card_title
from variants.stockpile.legal_actions import default_action

PEOPLE = {ANN: "ann", BOB: "bob", CY: "cy", DEE: "dee"}


def told(story: Story, actions: list[Any]) -> list[str]:
    """Plays with names for ids, so that an order can be read: `Loot: Loot Food, bob, Food 3`."""
    cards = {card.id: card_title(card) for card in story.state.decks.all_cards}

    def shown(field: Any) -> str:
        if isinstance(field, bool):
            return "drawing" if field else "without"
        return PEOPLE[field] if isinstance(field, int) else cards.get(field, field)

    def one(action: Any) -> str:
        fields = [getattr(action, name) for name in type(action).__slots__]
        parts = ", ".join(shown(field) for field in fields if field is not None)
        return f"{type(action).__name__}: {parts}" if parts else type(action).__name__

    return [one(action) for action in actions]


def in_time(story: Story, seat: Seat, *draws: int) -> Action:
    """The time-out default, which asks for these draws and no other."""
    script = ScriptedChance(draws)
    action = default_action(story.view(seat), script)
    assert list(draws) == script.draws
    return action
