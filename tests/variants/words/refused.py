"""What `check` says to a seat of the word game that may not do something."""

from __future__ import annotations

from tests.variants.words.story import ANN, Story, words_game
from variants.contract import IllegalAction, Seat
from variants.words.actions import Action
from variants.words.view import View

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
MOVES = " Type moves to see what you can do."


def refusal(view: View, action: Action) -> str:
    """What is said of it; "" if it is legal."""
    try:
        words_game().check(view, action)
    except IllegalAction as refused:
        return refused.format(NAMES[: len(view.seats)])
    return ""


def said(story: Story, action: Action, seat: Seat | None = ANN) -> str:
    found = refusal(story.view(seat), action)
    assert found
    return found
