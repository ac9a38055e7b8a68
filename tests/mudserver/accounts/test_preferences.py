from __future__ import annotations

import re

import pytest

from mudserver.accounts import time_zones
from mudserver.accounts.preferences import (
    DEFAULT_VALUE,
    PREFERENCES,
    check_preference,
    value_completions,
)
from mudserver.accounts.prompt import TEMPLATE_CHARS_MAX, check_template, fill_template
from mudserver.errors import UserError


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("color", "24bit", ("colour", "true")),
        ("rows", "30", ("height", "30")),
        ("height", "never", ("height", "0")),
        ("theme", "High Contrast", ("theme", "high-contrast")),
        ("theme", "colorblind", ("theme", "colour-blind")),
        ("charset", "IBM437", ("charset", "cp437")),
        ("tz", "berlin", ("timezone", "Europe/Berlin")),
        ("timezone", "america/new york", ("timezone", "America/New_York")),
        ("zone", "utc", ("timezone", "UTC")),
        ("prompt", "  [{table}]  {turn} > ", ("prompt", "[{table}] {turn}")),
        ("prompt", "Short", ("prompt", "short")),
        ("time", "on", ("timestamps", "on")),
    ],
)
def test_what_people_may_call_it(key, value, kept):
    assert kept == check_preference(key, value)


@pytest.mark.parametrize("key", PREFERENCES)
def test_every_setting_knows_the_way_back_and_what_may_stand_there(key):
    setting = PREFERENCES[key]
    assert (key, DEFAULT_VALUE) == check_preference(key, "Default")
    assert DEFAULT_VALUE in value_completions(key)
    assert (key, setting.default) == check_preference(key, setting.default)
    for value in setting.choices:
        assert (key, value) == check_preference(key, value.upper())


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("height", "4", "It can be auto, 0 or a number from 5 to 100."),
        ("theme", "pink", "It can be default, high-contrast, mono or colour-blind."),
        ("charset", "koi8-r", "It can be auto, utf-8, ascii, latin-1 or cp437."),
        ("pager", "maybe", "It can be auto, on or off."),
        ("timezone", "Europe/Berln", "Did you mean Europe/Berlin"),
        ("timezone", "../../etc/passwd", "It is a name such as Europe/Berlin"),
        ("timezone", "/etc/localtime", "It is a name such as Europe/Berlin"),
        ("timezone", "x" * 5_000, "It is a name such as Europe/Berlin"),
        ("prompt", "{table}>", "Without {turn} you would not see that it is your turn."),
        ("prompt", "", "Without {turn}"),
        ("prompt", "{turn} {person}", "Unknown field {person}. The fields are {table}, {turn}"),
        ("prompt", "{turn} {turn}", "{turn} stands twice in it."),
        ("prompt", "{turn} {0.__class__}", "Braces stand around a field only."),
        ("prompt", "{turn} }{", "Braces stand around a field only."),
        ("prompt", "Your  turn {turn}", 'Only {turn} says "your turn", when it is so.'),
        (
            "prompt",
            "{turn}" + "x" * TEMPLATE_CHARS_MAX,
            f"at most {TEMPLATE_CHARS_MAX} characters; this one has 46.",
        ),
    ],
)
def test_a_refusal_says_what_would_be_right(key, value, said):
    with pytest.raises(UserError) as refused:
        check_preference(key, value)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_time_zone_is_one_of_the_machine_s_own():
    names = time_zones.zone_names()
    assert "UTC" in names
    assert not {"localtime", "Factory", "posixrules"} & set(names)
    assert all(re.fullmatch(r"[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+)*", name) for name in names)
    assert all(name == time_zones.check_zone(name.upper()) for name in names)


def test_a_template_is_clean_whatever_is_typed():
    kept = check_template("\x1b[2J{turn}\u202e ♥")
    assert "[2J{turn} ♥" == kept


@pytest.mark.parametrize(
    ("template", "place", "turn", "prompt"),
    [
        ("full", "lobby", "", "lobby> "),
        ("full", "table 3", "", "table 3> "),
        ("full", "table 3", "your turn", "table 3, your turn> "),
        ("full", "table 3", "away", "table 3, away> "),
        ("short", "table 3", "", "> "),
        ("short", "lobby", "your turn", "your turn> "),
        ("{table} {turn} {time}", "table 3", "your turn", "table 3 your turn 14:03> "),
        ("{table} {turn} {time}", "table 3", "", "table 3 14:03> "),
        ("{turn}", "lobby", "", "> "),
        ("full", "lesson 2/6", "", "lesson 2/6> "),
        ("({time}) {turn}", "lobby", "your turn", "(14:03) your turn> "),
    ],
)
def test_a_prompt_says_that_one_is_asked_and_ends_as_prompts_do(template, place, turn, prompt):
    assert prompt == fill_template(template, place, turn, "14:03")
