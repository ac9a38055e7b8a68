"""Computer players of stockpile, by level.

Rule 1: a player is a function of its own view, what its seat has heard, and chance; in every
        world that looks the same to the seat it does the same.  [G-14]
Rule 2: hard counts (`estimate.py`) and plays what promises the largest share of the win
        (`action_evaluation.py`), one action deep.
Rule 3: easy and medium judge as hard does, and misjudge it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from variants.contract import Chance
from variants.kit.misjudgement import misjudged_best
from variants.stockpile.actions import Action
from variants.stockpile.bots.action_evaluation import ActionEvaluator, prune_dominated
from variants.stockpile.bots.estimate import SeatKnowledge
from variants.stockpile.bots.evaluation import PositionEvaluator
from variants.stockpile.events import Event
from variants.stockpile.legal_actions import legal_actions
from variants.stockpile.view import View

# Found by play: `python -m tests.bench.league`.
EASY_SPREAD, MEDIUM_SPREAD = 1.0, 0.15  # of misjudgement, as a part of an average share
TIE = 1e-6
CLEAR = 0.02  # of a share: so much better is clearly better

Worths = list[tuple[float, Action]]


def careless_player(spread: float, view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Easy and medium."""
    worths = _worths(view, seen)
    live = sum(seat.is_in for seat in view.seats)
    return misjudged_best(worths, spread / live, chance) if len(worths) > 1 else worths[0][1]


def counting_player(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Hard."""
    worths = _worths(view, seen)
    if len(worths) == 1:
        return worths[0][1]
    best = max(worth for worth, _ in worths)
    good = [action for worth, action in worths if worth >= best - TIE]
    return good[chance.below(len(good))]


def better_action(view: View, seen: Sequence[Event], played: Action) -> tuple[Action, float] | None:
    """What hard clearly prefers, and how much more of the win that promises, in shares."""
    judge = ActionEvaluator(PositionEvaluator(SeatKnowledge(view, seen)))
    actions = prune_dominated(view, legal_actions(view))
    worth, best = max([(judge.score(it), it) for it in actions], key=lambda it: it[0])
    gain = worth - judge.score(played)
    return (best, gain) if gain > CLEAR else None


def _worths(view: View, seen: Sequence[Event]) -> Worths:
    """What each action worth a thought promises; a single one is not judged."""
    actions = prune_dominated(view, legal_actions(view))
    if len(actions) == 1:
        return [(0.0, actions[0])]
    judge = ActionEvaluator(PositionEvaluator(SeatKnowledge(view, seen)))
    return [(judge.score(action), action) for action in actions]


BOTS: Mapping[str, Callable[[View, Sequence[Event], Chance], Action]] = {
    "easy": partial(careless_player, EASY_SPREAD),
    "medium": partial(careless_player, MEDIUM_SPREAD),
    "hard": counting_player,
}
ANCHORS: Mapping[str, float] = {"easy": 23.9, "medium": 26.1, "hard": 27.2}
"""Skill in ratings (mu), of at least 1,000 games each: docs/ratings.md."""
STAND_IN = "hard"
