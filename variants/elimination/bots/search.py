"""Looking several turns ahead in worlds that the seat may be in.

Rule 1: worlds come from `sampling.py`: what the seat sees and has heard, and chance.  [G-14]
Rule 2: all actions are tried in the same worlds with the same luck, so that they differ by nothing
        else.
Rule 3: the budget is a number of playouts, never a time: the same question with the same seed has
        the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from variants.contract import Chance
from variants.elimination.actions import Action, Clear, Draw, Force, Give, Next, Shuffle, Take
from variants.elimination.bots.estimate import SeatKnowledge
from variants.elimination.bots.evaluation import CERTAIN_KILL_MARGIN, ActionEvaluator
from variants.elimination.bots.policy import QuickChance, play_turn
from variants.elimination.bots.sampling import sample_layouts
from variants.elimination.bots.simulation import Simulation
from variants.elimination.data.cards import RANK_OF
from variants.elimination.events import Event
from variants.elimination.legal_actions import legal_actions
from variants.elimination.view import View

# Found by play: `python -m tests.bench.league`.
CANDIDATES_MAX = 10  # actions that are tried
WORLDS = 48
HALVED_AFTER = (12, 24, 36)  # worlds; then the better half of the actions is tried on
CANDIDATES_MIN = 2  # that are left by that
PLAYOUTS = 2  # of one action in one world
TURNS = 12  # of one playout, besides the action
WORTH_WEIGHT = 0.3  # of the worth one action deep, beside the share that the playouts bring
SEEDS = 1 << 62  # of playouts


@dataclass(slots=True)
class Candidate:
    action: Action
    worth: float  # one action deep
    share: float = 0.0  # of all its playouts together

    def promise(self, worlds: int) -> float:
        return self.share / (worlds * PLAYOUTS) + WORTH_WEIGHT * self.worth


def searched_action(view: View, seen: Sequence[Event], chance: Chance) -> Action:
    """The action that promises most.  ValueError: no world fits the view."""
    assert view.seat is not None
    left = candidates(view, seen)
    if len(left) == 1 or left[0].worth - left[1].worth >= CERTAIN_KILL_MARGIN:
        return left[0].action
    layouts = sample_layouts(view, seen, chance)
    for worlds in range(1, WORLDS + 1):
        world = Simulation(view, next(layouts), QuickChance(0))
        seeds = [chance.below(SEEDS) for _ in range(PLAYOUTS)]
        for candidate in left:
            for seed in seeds:
                candidate.share += _playout(world.copy(QuickChance(seed)), view, candidate.action)
        if worlds in HALVED_AFTER:
            left = better_half(left, worlds)
    return _by_promise(left, WORLDS)[0].action


def candidates(view: View, seen: Sequence[Event]) -> list[Candidate]:
    """The most worthwhile actions one deep; of cards that are alike only the first is given."""
    judge = ActionEvaluator(SeatKnowledge(view, seen))
    found: dict[object, Candidate] = {}
    for action in legal_actions(view):
        key = (RANK_OF[action.card], action.to) if isinstance(action, Give) else action
        if key not in found:
            found[key] = Candidate(action, judge.score(action))
    return sorted(found.values(), key=lambda candidate: -candidate.worth)[:CANDIDATES_MAX]


def _by_promise(candidates: Sequence[Candidate], worlds: int) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: -candidate.promise(worlds))


def better_half(candidates: Sequence[Candidate], worlds: int) -> list[Candidate]:
    kept = max(CANDIDATES_MIN, (len(candidates) + 1) // 2)
    return _by_promise(candidates, worlds)[:kept]


def _playout(world: Simulation, view: View, action: Action) -> float:
    """The share of the own seat some turns after *action*."""
    assert view.seat is not None
    act(world, view, action)
    for _ in range(TURNS):
        if world.ended or not world.is_in[view.seat]:
            break
        play_turn(world)
    return 1 / world.live if world.is_in[view.seat] else 0.0


def act(world: Simulation, view: View, action: Action) -> None:
    """Play *action*, which the seat of *view* may, in a world that fits that view."""
    match action:
        case Draw():
            world.draw()
        case Give(card, to):
            world.give(view.hand.index(card), to)
        case Take(victim):
            world.take(victim)
        case Force(to):
            world.force(to)
        case Shuffle():
            world.shuffle()
        case Clear(with_):
            world.clear(is_pair=with_ == "pair")
        case Next(seat):
            world.start_turn(seat)
