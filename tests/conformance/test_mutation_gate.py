"""[SEC-12] The gate: a suite that lets one planted leak through proves nothing, and fails.

Every mutant meets the same twin worlds, in the same order, until one of them looks different.
`pytest -s` prints how many it took.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, islice
from random import Random
from typing import Any, Generic, TypeVar

import pytest

from tests.conformance.alterations import Alteration, secret_acts
from tests.conformance.knowledge import knowledge_of
from tests.conformance.mutants import IN_PASSING, ON_DEMAND, Mutation
from tests.conformance.observation import far_leaks, leaks, near_leaks
from tests.conformance.play import Game, Policy, Step, at_random, by_kind, folded, play
from tests.conformance.rigged import Rigged
from tests.conformance.settings import AnyVariant, Setting, fits, option_sets
from tests.conformance.twins import Diverged, Retelling, Twin, twin_of, twins
from tests.games import games, profile_of
from tests.slow_cases import slow_cases
from variants.contract import Refusal, Seat

TWINS_MAX = 300  # within so many every mutant must be dead
SECRET_GAMES, SECRET_TWINS = 4, 3  # of each
OPTIONS_MAX = 4  # sets of them, the usual one first
T = TypeVar("T")


SLOW = (
    "words-a_time_out_discards_what_nobody_else_wants",
    "stockpile-a_final_turn_ends_sooner_for_who_has_little_to_play",
    "stockpile-a_phrase_is_longer_against_who_would_answer",
    "words-a_time_out_draws_the_better_letter",
    "words-the_rules_refuse_by_what_they_know",
    "words-a_rare_letter_makes_its_line_longer",
    "words-a_manifest_is_shown_to_the_left_neighbour",
    "words-manifest_says_who_holds_what_is_missing",
    "words-everybody_sees_the_bonus_of_who_plays",
    "stockpile-a_time_out_looks_at_the_deck",
    "stockpile-backs_lie_in_the_order_in_which_they_came",
    "stockpile-the_next_supply_lies_open",
    "stockpile-the_fallen_lay_their_hand_down_as_it_came",
    "stockpile-a_supply_is_given_up_sooner_by_who_cannot_defend",
    "words-a_computer_knows_whether_the_next_could_end_the_round",
    "words-a_removal_closes_sooner_where_all_words_are_wanted",
    "words-a_new_round_keeps_the_order_of_the_old_letters",
    "words-who_offers_is_told_each_answer_as_it_comes",
    "words-an_answer_that_removes_nothing_does_not_count",
    "elimination-a_clear_lays_its_aces_as_they_came",
    "words-the_next_letter_lies_open",
    "words-who_has_no_use_for_it_is_not_asked_to_remove_a_letter",
    "words-removed_letters_fall_in_the_order_of_the_answers",
    "stockpile-a_kept_test_card_is_taken_for_another",
)
"""Found after many twins only, each of which has to be dealt and played."""


def planted() -> Iterator[Any]:
    for variant in games().values():
        profile = profile_of(variant.name)
        for how, mutations in (
            ("in passing", (*IN_PASSING, *profile.mutants)),
            ("on demand", (*ON_DEMAND, *profile.on_demand)),
            ("played anew", profile.rule_mutants),
        ):
            for mutation in mutations:
                name = f"{variant.name}-{mutation.__name__}"
                marks = [pytest.mark.prove] if name in SLOW else []
                yield pytest.param(variant, mutation, how, id=name, marks=marks)


class Kept(Generic[T]):
    """What an iterator gives, made when it is first asked for, for everybody who iterates."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source, self._made = source, list[T]()

    def __iter__(self) -> Iterator[T]:
        for at in count():
            if at == len(self._made):
                try:
                    self._made.append(next(self._source))
                except StopIteration:
                    return
            yield self._made[at]


@lru_cache(maxsize=4)
def worlds_to_try(name: str) -> Kept[Twin]:
    """The fixed twins of a variant: whole games, one of them rigged, several numbers of seats.

    Most mutants are dead after a few of them.
    """
    return Kept(islice(_worlds(games()[name]), TWINS_MAX))


def _worlds(variant: AnyVariant) -> Iterator[Twin]:
    most = variant.seats[-1]
    options = [o for o in option_sets(variant) if fits(variant, most, o)][:OPTIONS_MAX]
    seats = (min(4, most), min(3, most), min(6, most))
    sources = []
    for i in range(12):
        setting = Setting(variant, seats[i % 3], options[i % len(options)])
        sources.append(_twins(setting, 300 + i, by_kind if i % 2 else at_random))
    for rig in profile_of(variant.name).rigged:
        sources.append(_aimed(Setting(variant, seats[0], options[0]), rig))
    sources.append(_in_secret(variant))
    yield from _in_turn(sources)


def _twins(setting: Setting, number: int, policy: Policy) -> Iterator[Twin]:
    game, knowledge = play(setting, number, policy), knowledge_of(setting.variant)
    yield from twins(game, knowledge, Random(12), 40, everybody(setting))


def _in_secret(variant: AnyVariant) -> Iterator[Twin]:
    """Two who answer under a seal answer the other way round, the last ones of a game first."""
    knowledge = knowledge_of(variant)
    for number in range(SECRET_GAMES):
        setting = Setting(variant, variant.seats[-1], option_sets(variant)[0])
        game = play(setting, number, at_random)
        swaps = [alteration for alteration in secret_acts(game, knowledge)
                 if len(alteration.acts) == 2]  # fmt: skip
        found = (twin_of(game, None, swap, knowledge) for swap in reversed(swaps))
        yield from islice(filter(None, found), SECRET_TWINS)


def _aimed(setting: Setting, rig: Rigged) -> Iterator[Twin]:
    """Another observer of each game, then another again.

    The games are cut here and there, since some leaks are asked for after the last step only.
    """
    games = Kept(
        play(setting, 300 + n, rig.policy, rig.decisions_max - n % 5, rig.first)
        for n in range(rig.games)
    )
    observers = everybody(setting)
    for first in range(len(observers)):
        for number, game in enumerate(games, first):
            observer = observers[number % len(observers)]
            knowledge = knowledge_of(game.setting.variant)
            faces = rig.aim(game)
            twin = twin_of(game, observer, Alteration(0, faces), knowledge) if faces else None
            if twin is not None:
                yield twin


def everybody(setting: Setting) -> list[Seat | None]:
    return [None, *map(Seat, range(setting.seats))]


def _in_turn(sources: list[Iterator[Twin]]) -> Iterator[Twin]:
    """One of each, again and again, until all are used up."""
    while sources:
        for source in tuple(sources):
            twin = next(source, None)
            if twin is None:
                sources.remove(source)
            else:
                yield twin


class Dresser:
    """Twins with the events that a mutant of `deal` or `decide` makes of the same chance."""

    def __init__(self, mutant: AnyVariant) -> None:
        self._mutant = mutant
        self._worlds: dict[int, Game] = {}

    def dress(self, twin: Twin) -> Twin:
        game = self._worlds.get(id(twin.game))
        if game is None:
            setting = replace(twin.game.setting, variant=self._mutant)
            game = Game(setting, tuple(self._played(setting, twin.game.steps, None)))
            self._worlds[id(twin.game)] = game
        if twin.since > len(game.steps):
            return replace(twin, game=game, steps=())
        before = game.steps[twin.since - 1].state if twin.since else None
        steps = tuple(self._played(game.setting, twin.steps, before))
        return replace(twin, game=game, steps=steps[: len(game.steps) - twin.since])

    def _played(self, setting: Setting, steps: Sequence[Step], state: Any) -> Iterator[Step]:
        """Until the mutant has gone another way than the honest game."""
        for step in steps:
            chance = Retelling(step.drawn, {})
            try:
                if step.seat is None:
                    events = tuple(self._mutant.deal(setting.seats, setting.options, chance))
                else:
                    events = tuple(self._mutant.decide(state, step.seat, step.action, chance))
            except (Refusal, Diverged):
                return
            state = folded(self._mutant, events, state)
            yield replace(step, events=events, state=state)


def twins_to_kill(variant: AnyVariant, mutation: Mutation, how: str) -> tuple[int, str]:
    """How many twins it took, and what gave the mutant away; (0, "") if nothing did."""
    mutant = mutation(variant)
    dresser = Dresser(mutant)
    for number, twin in enumerate(worlds_to_try(variant.name), 1):
        if how == "on demand":
            found = far_leaks(mutant, twin, Random(number))
        else:
            found = near_leaks(mutant, dresser.dress(twin) if how == "played anew" else twin)
        for leak in found:
            return number, leak
    return 0, ""


@pytest.mark.parametrize("variant, mutation, how", list(planted()))
def test_a_planted_leak_is_found(variant: AnyVariant, mutation: Mutation, how: str) -> None:
    number, leak = twins_to_kill(variant, mutation, how)
    print(f"\n{mutation.__name__}: twin {number} ({leak.split(':')[0]})")
    assert number, f"{mutation.__name__} survived {TWINS_MAX} twin worlds"


@pytest.mark.parametrize("variant", games().values(), ids=lambda v: v.name)
@pytest.mark.parametrize("most", slow_cases((8, 100), ["100"]))
def test_the_honest_rule_book_passes_the_gate(most: int, variant: AnyVariant) -> None:
    tried = list(islice(worlds_to_try(variant.name), most))
    assert len(tried) == most
    for number, twin in enumerate(tried, 1):
        assert not list(leaks(variant, twin, Random(number))), twin.how
    dresser = Dresser(variant)
    for twin in tried[:20]:
        assert dresser.dress(twin) == twin
