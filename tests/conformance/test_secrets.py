"""What no rule book may let slip: the laws of secrecy at the level of rules and words.

The twin-world proof on bytes, silence, side doors and reconnection ([SEC-1], [SEC-4], [SEC-5],
[SEC-7]) are proved on the whole server, with the same twins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.conformance.alterations import alterations
from tests.conformance.knowledge import knowledge_of
from tests.conformance.observation import STYLES, heard, leaks
from tests.conformance.play import Game, Step, answerers, packed, play, whole_game, window_of
from tests.conformance.settings import Setting, label, settings
from tests.conformance.settings import quick_settings as quick
from tests.conformance.twins import Twin, twin_of, twins
from tests.counts import count
from tests.slow_cases import every_third, slow_cases
from variants.contract import IllegalAction, ParseError, Seat
from variants.kit.chance import SeededChance

quick_settings = pytest.mark.parametrize("setting", every_third(quick()), ids=label)
few_settings = pytest.mark.parametrize("setting", every_third(quick(seats=(2, 4, 6))), ids=label)

TRIES = 8  # alterations per setting in the ordinary run
ACCEPTED_MIN = 2  # of them; measured 24 to 83 of a hundred
ACCEPTED_LATE = 5  # of those that are altered after the deal
PARTED_ENOUGH = 6  # twins of which somebody learns


def everybody(setting: Setting) -> list[Seat | None]:
    return [None, *map(Seat, range(setting.seats))]


def twins_of(game: Game, number: int, tries: int) -> Iterator[Twin]:
    setting = game.setting
    return twins(game, knowledge_of(setting.variant), Random(number), tries, everybody(setting))


# -- [SEC-1, SEC-2, SEC-3, SEC-11] the twin worlds -------------------------------------


@quick_settings
def test_worlds_that_differ_only_in_secrets_look_and_sound_the_same(setting: Setting) -> None:
    """Views, events, sentences, screens, windows and clocks [SEC-2], plays offered, answers to
    typed lines [SEC-3], time-out plays, sampled worlds, computer players [SEC-11]."""
    accepted = 0
    for twin in twins_of(play(setting, 1, decisions_max=70), 1, TRIES):
        accepted += 1
        for leak in leaks(setting.variant, twin, Random(1)):
            pytest.fail(f"{setting.label}, {twin.observer}, {twin.how}: {leak}")
    assert accepted >= ACCEPTED_MIN, f"only {accepted} twins accepted: the proof proves little"


@pytest.mark.prove
def test_thousands_of_twin_worlds() -> None:
    accepted, steps, tried, late = 0, 0, 0, 0
    by_observer: Counter[str] = Counter()
    number = 100
    while accepted < count(10_000, 1_000):
        for setting in quick():
            game = play(setting, number)
            for twin in twins_of(game, number, 40):
                accepted, steps = accepted + 1, steps + len(twin.steps)
                late += twin.since > 0
                by_observer["watcher" if twin.observer is None else "seat"] += 1
                for leak in leaks(setting.variant, twin, Random(number)):
                    pytest.fail(f"{setting.label}, {twin.observer}, {twin.how}: {leak}")
            tried += 40
        number += 1
    print(
        f"\ntwin worlds: {accepted} accepted of {tried} tried, {late} altered after the deal, "
        f"{steps} steps compared, observers {dict(by_observer)}, no leak"
    )


# -- [SEC-3] legality is a function of the own view ------------------------------------


@few_settings
def test_a_play_is_decided_as_it_was_checked(setting: Setting) -> None:
    """The rules, who know everything, refuse exactly what the own view refuses, in its words."""
    variant, game, random = setting.variant, whole_game(setting), Random(3)
    actions = [step.action for step in game.steps[1:]]
    for step in random.sample(game.steps, min(30, len(game.steps))):
        for seat in map(Seat, range(setting.seats)):
            view = variant.observe(step.state, seat)
            for action in random.sample(actions, min(5, len(actions))):
                checked = said(setting, variant.check, view, action)
                assert said(setting, variant.decide, step.state, seat, action, CHANCE) == checked


CHANCE = SeededChance(b"any")


def said(setting: Setting, ask: Callable[..., Any], *about: Any) -> str:
    """The words of a refusal, "" if there is none."""
    try:
        ask(*about)
    except IllegalAction as refusal:
        return refusal.format(setting.names)
    return ""


# -- [SEC-6] watchers ------------------------------------------------------------------


@few_settings
def test_every_seat_knows_at_least_what_a_watcher_knows(setting: Setting) -> None:
    """What a watcher hears is public, so no seat is left out of it."""
    variant = setting.variant
    for event in whole_game(setting).events:
        if variant.redact(event, None) is not None:
            for seat in map(Seat, range(setting.seats)):
                assert variant.redact(event, seat) is not None, event


@few_settings
def test_a_watcher_has_no_plays_and_no_seat_sees_through_another(setting: Setting) -> None:
    """Redacting twice is redacting once: a second look at public news opens nothing."""
    variant = setting.variant
    for step in whole_game(setting).steps:
        assert not variant.legal_actions(variant.observe(step.state, None))
        for event in heard(variant, step.events, None):
            for seat in everybody(setting):
                assert variant.redact(event, seat) == event


# -- [SEC-8] nobody follows a card through a hidden shuffle ----------------------------


@few_settings
def test_nobody_can_follow_a_card_through_a_hidden_shuffle(setting: Setting) -> None:
    """Twins that differ from a later shuffle on, and in nothing before it."""
    knowledge, accepted, shuffles = knowledge_of(setting.variant), 0, 0
    for number in range(20, 28):
        game, random = play(setting, number), Random(number)
        late = any(d.items for step in game.steps[1:] for d in step.drawn)
        shuffles += late
        altered = (a for a in alterations(game, knowledge, random) if a.since > 0 and a.faces)
        for alteration in islice(altered, 5) if late else ():
            twin = twin_of(game, random.choice(everybody(setting)), alteration, knowledge)
            if twin is not None and any(d.items for d in twin.steps[0].drawn):
                accepted += 1
                assert not list(leaks(setting.variant, twin, Random(number))), twin.how
        if accepted >= ACCEPTED_LATE:
            break
    assert (shuffles > 0) is knowledge.SHUFFLES_LATER
    assert accepted >= ACCEPTED_LATE or not knowledge.SHUFFLES_LATER


# -- [SEC-9] nothing that may be known is kept back ------------------------------------


@quick_settings
def test_who_may_know_the_difference_is_told_it(setting: Setting) -> None:
    """The other half of the twin: at the step where declared knowledge parts, so does what the
    observer hears.  What was heard is kept, so it can be called up again."""
    knowledge, parted = knowledge_of(setting.variant), 0
    games = ((number, play(setting, number, decisions_max=70)) for number in (9, 10, 11))
    twins = ((game, twin) for number, game in games for twin in twins_of(game, number, 200))
    for game, twin in twins:
        if twin.parting is None:
            continue
        parted += 1
        one = words(setting, game.steps[twin.since + len(twin.steps)], twin.observer)
        other = words(setting, twin.parting, twin.observer)
        assert one[0] != other[0], twin.how
        # In words two cards of one kind may be the same: a joker is a joker.
        kinds = {(knowledge.kin(a), knowledge.kin(b)) for a, b in twin.alteration.faces.items()}
        if any(a != b for a, b in kinds):
            assert one[1] != other[1], twin.how
        if parted == PARTED_ENOUGH:
            return
    assert parted >= 5


def words(setting: Setting, step: Step, observer: Seat | None) -> tuple[Any, Any]:
    """What *observer* hears of a step, as events and as a person reads it and asks about it."""
    variant, names = setting.variant, setting.names
    events = heard(variant, step.events, observer)
    view = variant.observe(step.state, observer)
    told = [variant.describe_event(event, observer, names, STYLES[0]) for event in events]
    shown = [variant.render(view, names, STYLES[0])]
    for question in variant.questions:
        with suppress(ParseError):
            shown.append(variant.answer(question, view, events, names, STYLES[0]))
    return events, (told, shown)


def dealt_slowly() -> list[Setting]:
    quickly = set(map(label, quick()))
    return [setting for setting in settings() if setting.label not in quickly]


# -- [SEC-10] worlds -------------------------------------------------------------------


@pytest.mark.parametrize(
    "setting",
    every_third(quick()) + slow_cases(dealt_slowly(), map(label, dealt_slowly()), label),
    ids=label,
)
def test_sampled_worlds_fit_the_view_and_really_vary(setting: Setting) -> None:
    variant, game, random = setting.variant, whole_game(setting), Random(10)
    box, varied = sorted(variant.components(setting.options)), 0
    last = len(game.steps) - 2
    for i in sorted({0, last // 4, last // 2, last}):
        state = game.steps[i].state
        seat = random.choice(everybody(setting))
        view = variant.observe(state, seat)
        seen = heard(variant, [e for step in game.steps[: i + 1] for e in step.events], seat)
        sampled = list(islice(variant.sample_states(view, seen, SeededChance(b"worlds")), 4))
        for world in sampled:
            assert variant.observe(world, seat) == view
            zones = variant.zones(world)
            assert sorted(card for cards in zones.values() for card in cards) == box
            assert window_of(variant, world) == window_of(variant, state)
        varied += len({packed(world) for world in sampled}) > 1
        play_on(setting, sampled[0])
    assert varied >= 2, "the hidden faces never vary"


def play_on(setting: Setting, world: object) -> None:
    """A sampled world is a game: it can be played for a while."""
    variant, random = setting.variant, Random(11)
    chance = SeededChance(b"onwards")
    for _ in range(12):
        window = window_of(variant, world)
        if window is None:
            break
        seat = answerers(variant, world, window)[0]
        action = random.choice(variant.legal_actions(variant.observe(world, seat)))
        for event in variant.decide(world, seat, action, chance):
            world = variant.evolve(world, event)
    assert variant.observe(world, None) is not None
