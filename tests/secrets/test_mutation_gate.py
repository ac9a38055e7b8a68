"""[SEC-12] In the server: a suite that lets one planted leak through proves nothing, and fails.

`pytest -s` prints how many twin worlds each one took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from random import Random

import pytest

from tests.conformance.play import window_of
from tests.secrets.behaviour import may_have_panes
from tests.secrets.checks import findings
from tests.secrets.counterpart import counterparts, in_secret, leaks
from tests.secrets.planted import PLANTED, Plant
from tests.secrets.planted_capsules import PLANTED as PLANTED_CAPSULES
from tests.secrets.planted_people import PLANTED as PLANTED_PEOPLE
from tests.secrets.planted_people import PLANTED_WHILE_SECRET
from tests.secrets.planted_programs import PLANTED as PLANTED_PROGRAMS
from tests.secrets.planted_reactions import PLANTED as PLANTED_REACTIONS
from tests.secrets.planted_screens import PLANTED as PLANTED_SCREENS
from tests.secrets.planted_sealed import PLANTED as PLANTED_SEALED
from tests.secrets.planted_time import PLANTED as PLANTED_TIME
from tests.secrets.script import Script, script, sealed_scripts, social_scripts
from tests.secrets.scripted_server import PANES, has_door
from tests.slow_cases import slow_cases

TWINS_MAX = 400  # within so many accepted twins every mutant must be dead
SCRIPTS_MAX = 300
ASK_FIRST = (3, *range(11, SCRIPTS_MAX))  # of those between none asks for reactions
SLOW = (
    "one_reader_is_shown_what_was_painted_for_another", "watchers_hear_the_first_seat",
    "watchers_see_the_first_seat", "coming_back_one_is_told_too_much",
    "history_is_not_redacted", "a_computer_looks_at_everything",
    "completion_offers_what_the_asked_seat_can_play", "half_typed_words_are_seen_by_others",
    "moves_lists_what_the_asked_seat_can_play", "some_cards_take_longer_to_write_down",
    "a_refusal_quotes_a_hidden_card", "a_computer_pauses_longer_with_more_plays",
    "finger_tells_how_the_cards_lie", "a_sample_is_called_so_where_another_has_many_plays",
)  # fmt: skip
SLOW_REACTIONS = (
    "the_log_says_what_was_not_answered",
    "autopass_answers_where_it_can", "who_could_answer_is_asked_in_spite_of_autopass",
    "who_cannot_answer_passes_without_being_asked", "who_cannot_answer_has_less_time",
    "completion_offers_reflect_while_somebody_could", "all_are_told_that_somebody_could_answer",
)  # fmt: skip
SLOW_SCREENS = (
    "the_menu_offers_what_the_asked_seat_can_play", "the_bar_counts_what_the_asked_seat_can_play",
    "a_watchers_pane_shows_the_first_seat", "some_cards_take_a_beat_longer_to_draw",
)  # fmt: skip
SLOW_SEALED = (
    "a_watcher_asks_with_the_eyes_of_the_first_seat", "a_question_is_answered_for_whoever_is_asked",
    "a_turn_goes_on_with_more_time_after_some_trades",
)  # fmt: skip
SLOW_CAPSULES = (
    "a_capsule_keeps_what_the_asked_seat_can_play", "some_lines_are_done_later_for_some_cards",
)  # fmt: skip
SLOW_PEOPLE = (
    "who_ignores_is_told_how_the_cards_lie", "players_hear_remarks_when_it_suits_their_cards",
    "reports_show_how_the_cards_lie",
    "friends_tell_how_the_cards_lie", "the_numbers_of_two_tell_how_the_cards_lie",
    "a_game_by_number_tells_how_the_cards_lie", "who_goes_away_is_told_how_the_cards_lie",
    "offered_games_tell_how_the_cards_lie", "keeping_moves_tells_how_the_cards_lie",
    "the_list_of_games_shows_how_the_running_one_stands",
    "the_list_of_watchers_tells_how_the_cards_lie",
)  # fmt: skip
TWINS_PER_SCRIPT = 8  # tried, of each new script


def checks_to_kill(
    is_of_use: Callable[[Script], bool], numbers: Iterable[int] = range(1, SCRIPTS_MAX)
) -> tuple[int, str]:
    """How many twins it took, and what gave the mutant away; "" if nothing did."""
    twins = 0
    for number in numbers:
        told = script(number, decisions_max=24)
        for twin, found in findings(told, TWINS_PER_SCRIPT) if is_of_use(told) else ():
            twins += twin is not None
            if found:
                return twins, found[0]
            if twins >= TWINS_MAX:
                return twins, ""
    return twins, ""


def checks_among_people(scripts: Iterator[Script]) -> tuple[int, str]:
    """The same, of evenings in which people do much with each other."""
    twins = 0
    for told in islice(scripts, SCRIPTS_MAX):
        others = counterparts(told, Random(told.number), TWINS_PER_SCRIPT)
        for twin in chain(islice(in_secret(told), 3), others):
            twins += 1
            if found := leaks(twin):
                return twins, found[0]
            if twins >= TWINS_MAX:
                return twins, ""
    return twins, ""


def any_script(told: Script) -> bool:
    return True


def has_panes(told: Script) -> bool:
    return any(member.terminal is PANES for member in told.cast)


def asks_for_reactions(told: Script) -> bool:
    windows = [window_of(told.variant, step.state) for step in told.game.steps]
    return any(window is not None and not window.counts_timeouts for window in windows)


def name_of(plant: Plant) -> str:
    return plant.__name__


@pytest.mark.parametrize(
    "plant", slow_cases((*PLANTED, *PLANTED_TIME, *PLANTED_PROGRAMS), SLOW, name_of), ids=name_of
)
def test_a_leak_planted_in_the_server_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert_found(plant, *checks_to_kill(any_script))


@pytest.mark.parametrize("plant", slow_cases(PLANTED_PEOPLE, SLOW_PEOPLE, name_of), ids=name_of)
def test_a_leak_planted_in_what_people_do_with_each_other_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert_found(plant, *checks_among_people(social_scripts(400)))


@pytest.mark.prove  # one takes as long as ten of the others
@pytest.mark.parametrize("plant", PLANTED_WHILE_SECRET, ids=name_of)
def test_a_leak_planted_in_what_people_do_while_they_answer_in_secret_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert_found(plant, *checks_among_people(sealed_scripts(2_400, is_social=True)))


@pytest.mark.parametrize(
    "plant", slow_cases(PLANTED_REACTIONS, SLOW_REACTIONS, name_of), ids=name_of
)
def test_a_leak_planted_where_seats_are_asked_to_react_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert_found(plant, *checks_to_kill(asks_for_reactions, ASK_FIRST))


@pytest.mark.parametrize("plant", slow_cases(PLANTED_SCREENS, SLOW_SCREENS, name_of), ids=name_of)
def test_a_leak_planted_in_the_full_screen_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    numbers = filter(may_have_panes, range(1, SCRIPTS_MAX))
    assert_found(plant, *checks_to_kill(has_panes, numbers))


@pytest.mark.parametrize("plant", slow_cases(PLANTED_CAPSULES, SLOW_CAPSULES, name_of), ids=name_of)
def test_a_leak_planted_in_what_doors_are_told_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    numbers = filter(has_door, range(1, SCRIPTS_MAX))
    assert_found(plant, *checks_to_kill(any_script, numbers))


def checks_under_seal(twins_each: int) -> tuple[int, str]:
    """The same, of runs in which several answer in secret."""
    twins = 0
    for told in islice(sealed_scripts(900), SCRIPTS_MAX):
        others = findings(told, TWINS_PER_SCRIPT)
        secret = ((twin, leaks(twin)) for twin in islice(in_secret(told), twins_each))
        for twin, found in chain(secret, others):
            twins += twin is not None
            if found:
                return twins, found[0]
        if twins >= TWINS_MAX:
            break
    return twins, ""


@pytest.mark.parametrize("plant", slow_cases(PLANTED_SEALED, SLOW_SEALED, name_of), ids=name_of)
def test_a_leak_planted_where_answers_are_secret_is_found(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert_found(plant, *checks_under_seal(twins_each=3))


def assert_found(plant: Plant, twins: int, found: str) -> None:
    print(f"\n{plant.__name__}: {twins} twins ({found[:120]})")
    assert found, f"{plant.__name__} survived {twins} twin worlds"
