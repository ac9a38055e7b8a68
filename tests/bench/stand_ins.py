"""Players that are no levels: measures for the league, and quick ones for the simulation.

`random` knows the rules: it picks a kind of action uniformly, then one of that kind.  `newcomer`
stands in for a person in the first games, who sees what is plain and overlooks the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from variants.contract import Bot, Chance, Variant
from variants.elimination import actions as elimination
from variants.elimination.data.cards import RANK_OF
from variants.stockpile import actions as stockpile
from variants.words.bots.skill import overlooking

AnyVariant = Variant[Any, Any, Any, Any]
AnyBot = Bot[Any, Any, Any]

KILLS_TEN = 8  # times of ten that a newcomer sees a sure elimination
OVERLOOKS = 40  # per cent of its printed words that a newcomer does not see in a turn


def any_kind(actions: Sequence[Any], chance: Chance) -> Any:
    """A kind of action uniformly, then one of that kind uniformly."""
    by_kind: dict[type, list[Any]] = {}
    for action in actions:
        by_kind.setdefault(type(action), []).append(action)
    kinds = list(by_kind.values())
    kind = kinds[chance.below(len(kinds))]
    return kind[chance.below(len(kind))]


def random_player(variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance) -> Any:
    return any_kind(variant.legal_actions(view), chance)


def random_stockpile(variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance) -> Any:
    """It takes what is free: no swap without its Supply."""
    listed = variant.legal_actions(view)
    return any_kind([a for a in listed if not isinstance(a, stockpile.Swap) or a.draws], chance)


def elimination_newcomer(
    variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance
) -> Any:
    """Random, but for a sure kill that it sees and for an own triplet that it clears."""
    listed = variant.legal_actions(view)
    for action in listed:
        if isinstance(action, elimination.Give):
            ranks = {RANK_OF[cards[0]] for cards in view.seats[action.to].triplets}
            if RANK_OF[action.card] in ranks and chance.below(10) < KILLS_TEN:
                return action
    clears = [action for action in listed if isinstance(action, elimination.Clear)]
    if clears and view.seats[view.seat].triplets:
        return clears[0]
    return any_kind(listed, chance)


def stockpile_newcomer(variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance) -> Any:
    """Random, but it plays every Nice Try! that it may."""
    for action in variant.legal_actions(view):
        if isinstance(action, stockpile.NiceTry):
            return action
    return random_stockpile(variant, view, seen, chance)


def always(where: str, variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance) -> Any:
    """The hard level of stockpile, but always there: `indoor` or `outdoor`."""
    if view.asks == "location":
        there = stockpile.Go(where)
        return there if there in variant.legal_actions(view) else variant.legal_actions(view)[0]
    return variant.bots["hard"](view, seen, chance)


def words_newcomer(variant: AnyVariant, view: Any, seen: Sequence[Any], chance: Chance) -> Any:
    """The easy level, but it overlooks many of its printed words."""
    return variant.bots["easy"](overlooking(OVERLOOKS, view), seen, chance)


STAND_INS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "elimination": {"random": random_player, "newcomer": elimination_newcomer},
    "stockpile": {
        "random": random_stockpile,
        "newcomer": stockpile_newcomer,
        "indoors": partial(always, "indoor"),
        "outdoors": partial(always, "outdoor"),
    },
    "words": {"newcomer": words_newcomer},
}


def players(variant: AnyVariant) -> dict[str, AnyBot]:
    """The levels of a game, and what is measured beside them."""
    measured = STAND_INS.get(variant.name, {})
    return {**variant.bots, **{name: partial(bot, variant) for name, bot in measured.items()}}


def quick_players(variant: AnyVariant) -> AnyVariant:
    """The game with random players in the place of those that think."""
    bot = players(variant).get("random") or next(iter(variant.bots.values()))
    return replace(variant, bots=dict.fromkeys(variant.bots, bot))
