"""A typed line becomes an action, and an action what to type."""

from __future__ import annotations

from variants.contract import Names, NotUnderstood
from variants.elimination.actions import Action
from variants.elimination.view import View, legal_actions


def parse(line: str, view: View, names: Names) -> Action:
    for action in legal_actions(view):
        if phrase(action, view, names) == line:
            return action
    raise NotUnderstood("That is no play now.")


def phrase(action: Action, view: View, names: Names) -> str:
    return str(action)
