"""Games of any kind beside a second reading of their rules: each event, each list, each card.

Rule 1: a referee is written from the text alone, in `rules/referee.py` of its game.  Nothing that
        it knows stands here, and it takes nothing but types and data from the rule book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from tests.conformance.play import folded
from tests.games import AnyVariant
from variants.contract import Outcome, Seat, may_act
from variants.kit.chance import SeededChance

Likes = Mapping[type, float]
"""How much a kind of play is liked, where not 1."""
Tries = Callable[[Any, Any, Random], Iterator[str]]
"""(referee, state, random) -> what came of plays that were only tried."""


class Referee(Protocol):
    """Plays along with one game, from the events of its deal on; disagrees by AssertionError."""

    @property
    def owing(self) -> Sequence[int]:
        """The seats that have still to answer; none: the game is over."""

    def lists(self, seat: Seat, listed: Sequence[Any], /) -> None:
        """The rule book offers these to *seat*."""

    def follows(self, seat: Seat, action: Any, events: Sequence[Any], /) -> None:
        """The rule book says *events* of *action*."""

    def agrees(self, state: Any, outcome: Outcome | None, /) -> None:
        """The rule book has come to *state*."""


def beside(
    referee_of: Callable[[Sequence[Any]], Referee],
    game: AnyVariant,
    seats: int,
    options: Mapping[str, str],
    likes: Likes,
    number: int,
    *,
    played: list[Any] | None = None,
    tries: Tries = lambda referee, state, random: iter(()),
    always: Any = None,
) -> Iterator[Any]:
    """One game beside its referee: every event after the deal, and what *tries* found.

    Args:
        likes: Decide which kind of play is chosen.
        number: Makes another game of the same table and likes.
        played: Gets every play, of which it keeps the last ones, for *tries*.
        always: The play that is chosen wherever it is legal.
    """
    random = Random(f"{seats} {options} {[*likes.values()]} {number}")
    chance = SeededChance(b"%d" % number)
    events = game.deal(seats, options, chance)
    state, referee = folded(game, events), referee_of(events)
    referee.agrees(state, game.outcome(state))
    while (window := game.open_window(game.observe(state, None))) is not None:
        views = [game.observe(state, seat) for seat in window.seats]
        owing = [view for view in views if may_act(game, window, view)]
        assert [view.seat for view in owing] == list(referee.owing)
        view = random.choice(owing)
        listed = game.legal_actions(view)
        referee.lists(view.seat, listed)
        yield from tries(referee, state, random)
        action = always if always in listed else chosen(listed, likes, random)
        if played is not None:
            played[:] = [*played[-40:], action]
        events = game.decide(state, view.seat, action, chance)
        state = folded(game, events, state)
        referee.follows(view.seat, action, events)
        referee.agrees(state, game.outcome(state))
        yield from events
    assert not referee.owing


def chosen(listed: Sequence[Any], likes: Likes, random: Random) -> Any:
    kinds = sorted({type(action) for action in listed}, key=lambda kind: kind.__name__)
    kind = random.choices(kinds, [likes.get(kind, 1) for kind in kinds])[0]
    return random.choice([action for action in listed if type(action) is kind])
