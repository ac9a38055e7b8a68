"""What every rule book must remember, and must not: [DUR-1] to [DUR-4], [DUR-6] and [DUR-7].

[DUR-5], a process killed at every journal position, is proved on the whole server.  [DUR-6] is
proved for a snapshot taken here, by writing a state and reading it back: the server has none yet.
"""

from __future__ import annotations

import builtins
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from tests.conformance import golden
from tests.conformance.digest import SEATS, digest_of
from tests.conformance.observation import heard
from tests.conformance.play import digest, folded, whole_game
from tests.conformance.settings import Setting, label, settings
from tests.slow_cases import every_third
from variants.kit.chance import ScriptedChance

ROOT = Path(__file__).parents[2]
every_setting = pytest.mark.parametrize("setting", every_third(settings()), ids=label)


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:  # [DUR-1]
    environment = dict(os.environ) | {"PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-m", "tests.conformance.digest"]
    there = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    here = {setting.label: digest_of(setting) for setting in settings(seats=SEATS)}
    assert dict(row.split() for row in there.stdout.splitlines()) == here


# -- [DUR-2] no hidden inputs ----------------------------------------------------------


class Forbidden(Exception):
    """A rule book reached for the world outside."""


class NoEnvironment(dict[str, str]):
    def __getitem__(self, key: str) -> str:
        raise Forbidden(f"environment {key}")

    def get(self, key: str, default: Any = None) -> Any:
        raise Forbidden(f"environment {key}")


@pytest.fixture
def sealed_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No clock, no randomness, no disk, no environment."""

    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise Forbidden

    with monkeypatch.context() as patch:
        for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "sleep"):
            patch.setattr(time, name, refuse)
        for name in (
            "random",
            "randrange",
            "randint",
            "choice",
            "shuffle",
            "sample",
            "getrandbits",
        ):
            patch.setattr(random, name, refuse)
        patch.setattr(os, "urandom", refuse)
        patch.setattr(os, "environ", NoEnvironment())
        patch.setattr(builtins, "open", refuse)
        yield


@every_setting
def test_rules_need_nothing_from_outside(setting: Setting, sealed_off: None) -> None:
    variant, game = setting.variant, whole_game(setting)
    state = None
    for step in game.steps:
        chance = ScriptedChance([drawn.draw for drawn in step.drawn])
        if step.seat is None:
            events = variant.deal(setting.seats, setting.options, chance)
        else:
            events = variant.decide(state, step.seat, step.action, chance)
        assert tuple(events) == step.events
        state = folded(variant, events, state)
        assert state == step.state
        assert len(chance.draws) == len(step.drawn)


def _open() -> None:
    with open(__file__):
        pass


def test_the_seal_holds(sealed_off: None) -> None:
    home = partial(os.environ.__getitem__, "HOME")
    for reach in (time.time, random.random, partial(os.urandom, 1), home, _open):
        with pytest.raises(Forbidden):
            reach()


# -- [DUR-3] no aliasing ---------------------------------------------------------------


@every_setting
def test_earlier_states_and_views_keep_their_bytes_while_play_goes_on(setting: Setting) -> None:
    """Every third state is kept while the game goes on over it, and all is done to it again."""
    variant, kept = setting.variant, []
    state = None
    for number, step in enumerate(whole_game(setting).steps):
        state = folded(variant, step.events, state)
        if number % 3:
            continue
        seats = (None, *range(setting.seats))
        seen = [(variant.observe(state, s), heard(variant, step.events, s)) for s in seats]
        kept.append((digest(state, step.events, seen), state, step.events, seen))
        for view, _ in seen:
            variant.render(view, setting.names, golden.STYLE)
            variant.legal_actions(view)
    for before, state, events, seen in kept:
        assert digest(state, events, seen) == before


# -- [DUR-4] round trip ----------------------------------------------------------------


def assert_round_trip(value: Any, declared: type) -> None:
    assert type(value) is declared
    for codec in (msgspec.json, msgspec.msgpack):
        assert codec.decode(codec.encode(value), type=declared) == value


@every_setting
def test_everything_can_be_written_and_read_back(setting: Setting) -> None:
    variant, met = setting.variant, set[type]()
    for number, step in enumerate(whole_game(setting).steps):
        assert_round_trip(step.state, variant.state_type)
        if step.action is not None:
            assert type(step.action) in variant.action_types
            assert_round_trip(step.action, type(step.action))
        for event in step.events:
            met.add(type(event))
            assert type(event) in variant.event_types
            assert_round_trip(event, type(event))
        for seat in (None, *range(setting.seats)):
            if number % 5 == 0:
                assert_round_trip(variant.observe(step.state, seat), variant.view_type)
            for event in heard(variant, step.events, seat):
                assert_round_trip(event, type(event))
    assert met


# -- [DUR-6, DUR-7] folding ------------------------------------------------------------


@every_setting
def test_a_snapshot_and_the_tail_make_the_whole(setting: Setting) -> None:
    variant, game = setting.variant, whole_game(setting)
    assert folded(variant, game.events) == game.state
    for i in range(0, len(game.steps), 9):
        snapshot = msgspec.msgpack.encode(game.steps[i].state)
        state = msgspec.msgpack.decode(snapshot, type=variant.state_type)
        tail = [event for step in game.steps[i + 1 :] for event in step.events]
        assert folded(variant, tail, state) == game.state


def test_every_set_of_options_has_a_record() -> None:
    """If not: python -m tests.conformance.golden"""
    assert [] == [setting.label for setting in golden.missing()]


@pytest.mark.parametrize("name", golden.written())
def test_a_finished_game_of_the_released_version_still_folds(name: str) -> None:
    """The record was written once and is never written anew for a change of the code: if it no
    longer folds, the change breaks every journal there is."""
    setting, record = golden.written()[name], golden.read(name)
    events = golden.events_of(setting.variant, record)
    state = folded(setting.variant, events)
    assert golden.result_of(setting, state) == record["result"]
    assert golden.told(setting, events) == record["told"]
