"""Computer players of elimination, by level.

Rule 1: a player is a function of its own view, what its seat has heard, and chance; in every
        world that looks the same to the seat it does the same.  [G-14]
Rule 2: easy and medium judge as hard does, but by what lies open now alone, and misjudge it.  Where
        nothing gets on they misjudge enough not to pass one card to and fro.  [ER-40]
Rule 3: hard counts (`estimate.py`) and plays what promises the largest share of the game, one
        action deep (`evaluation.py`).  Where nothing gets on it is content with less and less, or
        two players in danger pass a card to and fro until the game is drawn, while the others look
        on.  [ER-40]
Rule 4: expert looks several turns ahead in worlds that it imagines (`search.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from variants.contract import Chance
from variants.elimination.actions import Action
from variants.elimination.bots.estimate import SeatKnowledge
from variants.elimination.bots.evaluation import ActionEvaluator
from variants.elimination.bots.search import searched_action
from variants.elimination.events import Event
from variants.elimination.legal_actions import legal_actions
from variants.elimination.view import View
from variants.kit.misjudgement import misjudged_best

# Found by play: `python -m tests.bench.league`.
EASY_SPREAD, MEDIUM_SPREAD = 1.0, 0.3  # of misjudgement, as a part of an average share
IDLE = 8  # turns without progress; from then on ...
WEARY = 0.005  # ... each makes hard content with so much less, in shares
IDLE_SPREAD = 0.02  # ... and no player that misjudges does so by less, in shares
TIE = 1e-6
CLEAR = 0.02  # of a share: so much better is clearly better


def careless_player(spread: float, view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Easy and medium."""
    knowledge = SeatKnowledge(view, ())
    judge = ActionEvaluator(knowledge)
    worths = [(judge.score(action), action) for action in legal_actions(view)]
    reach = spread / (len(knowledge.others) + 1)
    return misjudged_best(worths, max(reach, IDLE_SPREAD) if view.idle > IDLE else reach, chance)


def counting_player(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Hard."""
    judge = ActionEvaluator(SeatKnowledge(view, seen))
    worths = [(judge.score(action), action) for action in legal_actions(view)]
    best = max(worth for worth, _ in worths)
    content = best - TIE - WEARY * max(0, view.idle - IDLE)
    good = [action for worth, action in worths if worth >= content]
    return good[chance.below(len(good))]


def better_action(view: View, seen: Sequence[Event], played: Action) -> tuple[Action, float] | None:
    """What hard clearly prefers, and how much more of the game that promises, in shares."""
    judge = ActionEvaluator(SeatKnowledge(view, seen))
    worths = [(judge.score(action), action) for action in legal_actions(view)]
    worth, best = max(worths, key=lambda it: it[0])
    gain = worth - judge.score(played)
    return (best, gain) if gain > CLEAR else None


def searching_player(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """Expert."""
    try:
        return searched_action(view, seen, chance)
    except ValueError:  # no world fits the view: no view of a game is like that
        return counting_player(view, seen, chance)


BOTS: Mapping[str, Callable[[View, Sequence[Event], Chance], Action]] = {
    "easy": partial(careless_player, EASY_SPREAD),
    "medium": partial(careless_player, MEDIUM_SPREAD),
    "hard": counting_player,
    "expert": searching_player,
}
ANCHORS: Mapping[str, float] = {"easy": 24.6, "medium": 26.8, "hard": 30.0, "expert": 34.1}
"""Skill in ratings (mu), of at least 1,000 games each: docs/ratings.md."""
STAND_IN = "hard"
SEARCHING = frozenset({"expert"})
