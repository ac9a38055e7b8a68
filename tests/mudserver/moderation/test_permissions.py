"""Who may do what to whom: every cell, against the table of the specification written out here."""

from __future__ import annotations

import itertools

import pytest

from mudserver.accounts.roles import RANK, ROLES
from mudserver.commands.families import VERBS
from mudserver.errors import UserError
from mudserver.moderation.permissions import (
    PERMISSIONS,
    Actor,
    NotPermitted,
    check_new_role,
    check_target,
    check_time,
    check_verb,
    is_sanction_of_others,
    may_use,
)
from mudserver.moderation.spans import parse_span, span_text

M, H, D = 60, 3_600, 86_400
ANY, NO = None, 0
# The longest time in seconds by role, from guest to console; NO: may not; ANY: also for ever.
TABLE = {
    #              guest player helper moderator operator owner console
    "modsay":      (NO, NO, ANY, ANY, ANY, ANY, ANY),
    "warn":        (NO, NO, ANY, ANY, ANY, ANY, ANY),
    "mute":        (NO, NO, 15 * M, 7 * D, ANY, ANY, ANY),
    "unmute":      (NO, NO, ANY, ANY, ANY, ANY, ANY),
    "purge":       (NO, NO, ANY, ANY, ANY, ANY, ANY),
    "kick":        (NO, NO, NO, ANY, ANY, ANY, ANY),
    "ban":         (NO, NO, NO, 30 * D, ANY, ANY, ANY),
    "ban guest":   (NO, NO, NO, 1 * D, 30 * D, 30 * D, 30 * D),
    "ban network": (NO, NO, NO, NO, 30 * D, 365 * D, 365 * D),
    "ban key":     (NO, NO, NO, 30 * D, ANY, ANY, ANY),
    "unban":       (NO, NO, NO, ANY, ANY, ANY, ANY),
    "sanction":    (NO, NO, NO, ANY, ANY, ANY, ANY),
    "sanctions":   (NO, NO, NO, ANY, ANY, ANY, ANY),
    "reports":     (NO, NO, ANY, ANY, ANY, ANY, ANY),
    "reports NUMBER": (NO, NO, NO, ANY, ANY, ANY, ANY),
    "close":       (NO, NO, NO, ANY, ANY, ANY, ANY),
    "announce":    (NO, NO, NO, NO, ANY, ANY, ANY),
    "motd":        (NO, NO, NO, NO, ANY, ANY, ANY),
    "news":        (NO, NO, NO, NO, ANY, ANY, ANY),
    "registration": (NO, NO, NO, NO, ANY, ANY, ANY),
    "guests":      (NO, NO, NO, NO, ANY, ANY, ANY),
    "invitation":  (NO, NO, NO, ANY, ANY, ANY, ANY),
    "invitation revoke": (NO, NO, NO, ANY, ANY, ANY, ANY),
    "rename":      (NO, NO, NO, ANY, ANY, ANY, ANY),
    "lookup":      (NO, NO, NO, ANY, ANY, ANY, ANY),
    "recover":     (NO, NO, NO, NO, ANY, ANY, ANY),
    "delete":      (NO, NO, NO, NO, ANY, ANY, ANY),
    "keep":        (NO, NO, NO, NO, ANY, ANY, ANY),
    "erase":       (NO, NO, NO, NO, NO, ANY, ANY),
    "export":      (NO, NO, NO, NO, NO, NO, ANY),
    "role":        (NO, NO, NO, NO, ANY, ANY, ANY),
    "shutdown":    (NO, NO, NO, NO, ANY, ANY, ANY),
    "void":        (NO, NO, NO, NO, ANY, ANY, ANY),
    "audit":       (NO, NO, NO, ANY, ANY, ANY, ANY),
}  # fmt: skip
WITHOUT_KEY = {"warn": ANY, "mute": 15 * M}  # all others need a proven key


def actor(role: str, *, has_key: bool = True) -> Actor:
    return Actor("p1" if role != "console" else "console:0", "ann", role, has_key)  # type: ignore[arg-type]


def is_allowed(who: Actor, verb: str, time_s: int | None = 1) -> bool:
    try:
        check_verb(who, verb)
        check_time(who, verb, time_s)
    except NotPermitted:
        return False
    return True


def test_every_verb_of_the_staff_is_in_the_table():
    assert set(TABLE) == set(PERMISSIONS)
    assert {v.permission for v in VERBS.values() if v.permission} <= set(TABLE)


@pytest.mark.parametrize("verb", TABLE)
def test_each_role_may_what_the_table_says_up_to_its_last_second(verb):
    for role, most_s in zip(ROLES, TABLE[verb], strict=True):
        who = actor(role)
        assert may_use(role, verb) is (most_s != NO), role
        assert is_allowed(who, verb, 1) is (most_s != NO), role
        assert is_allowed(who, verb, None) is (most_s is ANY), role
        if most_s:
            assert is_allowed(who, verb, most_s) and not is_allowed(who, verb, most_s + 1), role


@pytest.mark.parametrize("verb", TABLE)
def test_without_a_key_staff_can_warn_and_mute_shortly(verb):
    for role, most_s in zip(ROLES, TABLE[verb], strict=True):
        who = actor(role, has_key=False)
        is_open = most_s != NO and verb in WITHOUT_KEY
        assert is_allowed(who, verb, 1) is is_open, role
        assert may_use(role, verb, has_key=False) is is_open, role
        if is_open and WITHOUT_KEY[verb]:
            assert is_allowed(who, verb, WITHOUT_KEY[verb])
            assert not is_allowed(who, verb, WITHOUT_KEY[verb] + 1)


def test_nobody_acts_on_the_own_role_or_above_or_on_oneself_but_the_console():
    for own, other in itertools.product(ROLES, ROLES):
        who = actor(own)
        if own == "console" or RANK[other] < RANK[own]:
            check_target(who, "p2", other)
        else:
            with pytest.raises(NotPermitted):
                check_target(who, "p2", other)
        if own != "console":
            with pytest.raises(NotPermitted):
                check_target(who, who.id, "guest")


def test_operators_make_moderators_and_owners_make_owners():
    for role in ("player", "helper", "moderator", "operator", "owner"):
        check_new_role(actor("owner"), role)
        check_new_role(actor("console"), role)
        if role in ("operator", "owner"):
            with pytest.raises(NotPermitted):
                check_new_role(actor("operator"), role)
        else:
            check_new_role(actor("operator"), role)


def test_a_moderator_changes_sanctions_of_moderators_and_helpers():
    for own, by in itertools.product(("moderator", "operator", "owner", "console"), ROLES):
        is_higher = by in ("operator", "owner", "console")
        assert is_sanction_of_others(actor(own), by) is (own == "moderator" and is_higher)


def test_a_refusal_names_who_may():
    with pytest.raises(UserError, match=r"^Only operators can use ban network\.$"):
        check_verb(actor("moderator"), "ban network")
    with pytest.raises(UserError, match=r"^Your longest time for mute is 7 days\.$"):
        check_time(actor("moderator"), "mute", 8 * D)


@pytest.mark.parametrize(
    ("typed", "span_s", "text"),
    [("10m", 10 * M, "10 minutes"), ("1h", H, "1 hour"), ("90m", 90 * M, "90 minutes"),
     ("7d", 7 * D, "7 days"), ("4W", 28 * D, "28 days")],
)  # fmt: skip
def test_times_are_typed_shortly_and_shown_in_words(typed, span_s, text):
    assert span_s == parse_span(typed)
    assert text == span_text(span_s)


@pytest.mark.parametrize("typed", ["", "0m", "10", "m", "-1h", "1.5h", "10s", "999999w", "h1"])
def test_what_is_no_time_is_refused(typed):
    with pytest.raises(UserError, match="10m, 2h, 7d, 4w or forever"):
        parse_span(typed)


def test_for_ever_is_a_time():
    assert parse_span("forever") is None
