"""What every rule book must keep, but for equal seats (`test_equal_seats.py`).

Written against `variants.contract` alone and repeated over all games, numbers of seats and option
sets.
"""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from tests.conformance.knowledge import knowledge_of
from tests.conformance.play import (
    Game,
    answerers,
    at_random,
    by_default,
    dawdling,
    digest,
    folded,
    play,
    typed,
    whole_game,
    window_of,
)
from tests.conformance.settings import NAMES, Setting, label, option_sets, settings
from tests.games import games
from tests.slow_cases import every_third
from variants.contract import IllegalAction, Refusal, Seat, may_act
from variants.kit.chance import SeededChance

every_setting = pytest.mark.parametrize("setting", every_third(settings()), ids=label)
every_variant = pytest.mark.parametrize("variant", games().values(), ids=lambda v: v.name)


def moments(game: Game, number: int) -> list[Any]:
    """States spread over a game, the first and the last among them."""
    last = len(game.steps) - 1
    return [game.steps[i].state for i in sorted({last * k // number for k in range(number + 1)})]


# -- total -----------------------------------------------------------------------------


@every_setting
def test_a_game_is_over_or_somebody_has_something_to_do(setting: Setting) -> None:
    variant, knowledge = setting.variant, knowledge_of(setting.variant)
    for step in whole_game(setting).steps:
        window, outcome = window_of(variant, step.state), variant.outcome(step.state)
        assert (window is None) == (outcome is not None)
        if window is None:
            continue
        assert list(window.seats) == sorted(set(window.seats)) != []
        assert not knowledge.out(step.state) & set(window.seats)
        assert window.clock_name in variant.default_clocks_s
        for seat in range(setting.seats):
            own = variant.observe(step.state, Seat(seat))
            is_to_act = seat in window.seats and may_act(variant, window, own)
            assert bool(variant.legal_actions(own)) == is_to_act
        assert answerers(variant, step.state, window)
        assert not variant.legal_actions(variant.observe(step.state, None))


@every_setting
def test_the_default_is_always_legal(setting: Setting) -> None:
    variant = setting.variant
    for i, step in enumerate(whole_game(setting).steps[:-1]):
        window = window_of(variant, step.state)
        assert window is not None
        for seat in answerers(variant, step.state, window):
            view = variant.observe(step.state, seat)
            action = variant.default_action(view, SeededChance(bytes([i % 256])))
            variant.check(view, action)
            assert variant.decide(step.state, seat, action, SeededChance(b"")) != ()
            if variant.lists_all:
                assert action in variant.legal_actions(view)


@every_setting
def test_a_window_keeps_its_key_only_while_it_stays_the_same(setting: Setting) -> None:
    """[TIME-5] At rule level: a key comes back only if it was held; nobody joins an open window."""
    variant, closed, open_window = setting.variant, set[str](), None
    for step in whole_game(setting).steps:
        window = window_of(variant, step.state)
        if open_window is not None and (window is None or window.key != open_window.key):
            if window is None or window.paused_window_key != open_window.key:
                closed.add(open_window.key)
        elif open_window is not None and window is not None:
            assert (
                window.clock_name == open_window.clock_name
                and window.is_sealed == open_window.is_sealed
            )
        assert window is None or window.key not in closed
        open_window = window


# -- a refusal is inert ----------------------------------------------------------------


def assert_refused(setting: Setting, state: Any, seat: Seat, action: Any) -> None:
    before, chance = digest(state), SeededChance(b"untouched")
    with pytest.raises(IllegalAction) as refused:
        setting.variant.decide(state, seat, action, chance)
    assert refused.value.format(setting.names).strip()
    assert digest(state) == before
    assert (chance.position, chance.draws) == (0, [])
    with pytest.raises(IllegalAction):
        setting.variant.check(setting.variant.observe(state, seat), action)


@every_setting
def test_foreign_and_stale_actions_are_refused_and_change_nothing(setting: Setting) -> None:
    variant, game, random = setting.variant, whole_game(setting), Random(2)
    actions = [step.action for step in game.steps[1:]]
    for state in moments(game, 6):
        window = window_of(variant, state)
        asked = window.seats if window else ()
        for seat in map(Seat, range(setting.seats)):
            if seat not in asked:
                for action in random.sample(actions, min(4, len(actions))):
                    assert_refused(setting, state, seat, action)


@every_setting
def test_an_answer_that_comes_twice_counts_once(setting: Setting) -> None:
    """The copy of an action that comes when its seat is no longer asked changes nothing."""
    variant, game, late = setting.variant, whole_game(setting), 0
    for step in game.steps[1:]:
        window = window_of(variant, step.state)
        assert step.seat is not None
        if window is None or step.seat not in window.seats:
            assert_refused(setting, step.state, step.seat, step.action)
            late += 1
    assert late > 0


@every_variant
@effort(max_examples=60, deadline=None, database=None, derandomize=True)
@given(data=st.data())
def test_any_text_is_a_play_or_a_sentence(variant: Any, data: st.DataObject) -> None:
    setting = Setting(variant, variant.seats[-1], option_sets(variant)[0])
    game = whole_game(setting)
    step = game.steps[data.draw(st.integers(0, len(game.steps) - 1))]
    words = [*NAMES, *variant.components(setting.options), *variant.verbs, "the", "to", "1", "9"]
    clean = st.characters(exclude_categories=("C", "Z"))  # a line comes without control characters
    word = st.one_of(st.sampled_from(words), st.text(clean, max_size=12))
    line = data.draw(st.lists(word, max_size=8).map(" ".join))[:512]
    seat = data.draw(st.sampled_from([None, *range(setting.seats)]))

    before, view = digest(step.state), variant.observe(step.state, seat)
    try:
        action = variant.parse(line, view, setting.names)
        assert isinstance(action, variant.action_types)
        variant.check(view, action)
    except Refusal as refusal:
        sentence = refusal.format(setting.names)
        assert sentence.strip() and sentence.isprintable()
    assert digest(step.state) == before


# -- listed is checked -----------------------------------------------------------------


@every_setting
def test_what_is_listed_is_accepted_and_can_be_typed(setting: Setting) -> None:
    variant = setting.variant
    for state in moments(whole_game(setting), 8):
        for seat in map(Seat, range(setting.seats)):
            view = variant.observe(state, seat)
            listed = list(variant.legal_actions(view))
            assert len({variant.phrase(action, view, setting.names) for action in listed}) == len(
                listed
            )
            for action in listed:
                variant.check(view, action)
                assert variant.decide(state, seat, typed(setting, state, seat, action), _chance())


@every_setting
def test_what_is_not_listed_is_refused(setting: Setting) -> None:
    """Fields of real actions are exchanged for others of their kind, possible and impossible.
    Where a variant lists samples only, what its check refuses is refused."""
    variant, random, refused = setting.variant, Random(3), 0
    game = whole_game(setting)
    actions = [step.action for step in game.steps[1:]]
    for state in moments(game, 8):
        window = window_of(variant, state)
        for seat in window.seats if window else ():
            view = variant.observe(state, seat)
            for action in random.sample(actions, min(6, len(actions))):
                for mutant in mutations(setting, action, random):
                    if not is_open(variant, view, mutant):
                        assert_refused(setting, state, seat, mutant)
                        refused += 1
    assert refused > 10


def is_open(variant: Any, view: Any, action: Any) -> bool:
    if variant.lists_all:
        return action in variant.legal_actions(view)
    try:
        variant.check(view, action)
    except IllegalAction:
        return False
    return True


def mutations(setting: Setting, action: Any, random: Random) -> list[Any]:
    """*action* with one field exchanged at a time; itself if it has none."""
    cards = [*random.sample(sorted(setting.variant.components(setting.options)), 4), "", "no card"]
    seats = [*range(setting.seats), -1, setting.seats, 99]
    mutants = [action]
    for field in fields(action):
        value = getattr(action, field.name)
        others: list[Any] = cards if isinstance(value, str) else seats
        if isinstance(value, bool):
            others = [not value]
        if isinstance(value, str | int):
            mutants += [replace(action, **{field.name: other}) for other in others]
    return mutants


def _chance() -> SeededChance:
    return SeededChance(b"any")


# -- ends ------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("policy", [at_random, by_default], ids=lambda p: p.__name__)
def test_every_game_ends_within_its_bound(setting: Setting, policy: Any) -> None:
    game = whole_game(setting) if policy is at_random else play(setting, 4, policy)
    assert setting.variant.outcome(game.state) is not None


@pytest.mark.parametrize("setting", every_third(settings(seats=(2, 4))), ids=label)
def test_a_table_that_tries_not_to_end_ends(setting: Setting) -> None:
    game = play(setting, 4, dawdling)
    assert setting.variant.outcome(game.state) is not None


# -- conservation ----------------------------------------------------------------------


@every_setting
def test_every_card_lies_in_exactly_one_zone(setting: Setting) -> None:
    box = sorted(setting.variant.components(setting.options))
    assert (len(box) > len(set(box)) > 0) is knowledge_of(setting.variant).HAS_COPIES
    for step in whole_game(setting).steps:
        zones = setting.variant.zones(step.state)
        assert sorted(card for cards in zones.values() for card in cards) == box


# -- places ----------------------------------------------------------------------------


@every_setting
def test_places_are_complete_and_ties_share_the_better_one(setting: Setting) -> None:
    for game in (whole_game(setting), play(setting, 6, by_default)):
        outcome = setting.variant.outcome(game.state)
        assert outcome is not None and outcome.reason
        assert len(outcome.places) == len(outcome.scores) == setting.seats
        for place in outcome.places:
            assert place == 1 + sum(1 for other in outcome.places if other < place)


@every_setting
def test_who_is_out_stays_out(setting: Setting) -> None:
    knowledge, out = knowledge_of(setting.variant), frozenset[Seat]()
    for step in whole_game(setting).steps:
        assert step.seat not in out
        assert out <= knowledge.out(step.state)
        out = knowledge.out(step.state)
        assert out == set(
            setting.variant.eliminated_seats(setting.variant.observe(step.state, None))
        )


@every_setting
def test_constants_are_the_same_for_every_reader_in_the_whole_game(setting: Setting) -> None:
    variant, seen = setting.variant, set[tuple[object, ...]]()
    for step in whole_game(setting).steps:
        for reader in (None, *map(Seat, range(setting.seats))):
            view = variant.observe(step.state, reader)
            seen.add(tuple([getattr(view, name) for name in variant.constants]))
    assert len(seen) == 1


# -- options matter --------------------------------------------------------------------


@every_variant
def test_options_are_declared_well(variant: Any) -> None:
    assert len({option.name for option in variant.options}) == len(variant.options)
    for option in variant.options:
        assert (option.number_range is None) == bool(option.choices)
        assert option.accepts(option.default) and all(map(option.accepts, option.samples))
        assert len(set(option.samples)) == len(option.samples)
        assert option.help and "\n" not in option.help
    variant.check_options({option.name: option.default for option in variant.options})


@every_variant
def test_every_option_set_makes_another_game(variant: Any) -> None:
    seats = variant.seats[len(variant.seats) // 2]
    same_chance = [
        digest(folded(variant, variant.deal(seats, chosen, _chance())))
        for chosen in option_sets(variant)
    ]
    assert len(set(same_chance)) == len(same_chance)


@every_variant
def test_a_game_needs_its_number_of_seats(variant: Any) -> None:
    assert variant.seats and variant.seats[0] >= 2 and variant.seats.step == 1
    chosen = option_sets(variant)[0]
    for seats in variant.seats:
        assert variant.decisions_max(seats) > 0
        assert len(whole_game(Setting(variant, seats, chosen)).steps) > 1
