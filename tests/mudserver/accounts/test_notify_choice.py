"""What a person may choose to be told outside."""

from __future__ import annotations

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.notify_choice import (
    NO_NOTICES,
    NotifyChoice,
    check_events,
    check_hours,
    check_topic,
)
from mudserver.errors import UserError

CHOICE = NotifyChoice("Kz81-quiet-heron", ("moves", "results"), 22, 8, "Europe/Berlin")


@pytest.mark.parametrize("topic", ["abcdefgh", "Kz81-quiet_heron", "a" * 64])
def test_a_topic_has_letters_digits_and_two_signs(topic):
    assert topic == check_topic(topic)


@pytest.mark.parametrize("topic", ["abcdefg", "a" * 65, "a b c d e f", "../../etc/x", "schön-topic",
                                   "abcdefgh\n", "$(reboot)", "\u0661\u0662345678"])  # fmt: skip
def test_anything_else_is_refused(topic):
    with pytest.raises(UserError, match="8 to 64 characters"):
        check_topic(topic)


def test_events_are_stored_in_one_order():
    assert ("moves", "results") == check_events("results, MOVES,") == check_events("moves results")
    for wrong in ("", ",", "moves,all", "move"):
        with pytest.raises(UserError, match="moves, invitations or results"):
            check_events(wrong)


@pytest.mark.parametrize(
    ("typed", "hours"),
    [("22-08", (22, 8)), ("0-24", None), ("22:00-8:00", (22, 8)), ("13-24", (13, 0)),
     ("off", (0, 0)), ("8-8", None), ("25-8", None), ("22-", None), ("22:30-8", None),
     ("\u0662-3", None)],
)  # fmt: skip
def test_quiet_hours_are_whole_hours(typed, hours):
    if hours is not None:
        assert hours == check_hours(typed)
        return
    with pytest.raises(UserError, match="notify quiet 22-08"):
        check_hours(typed)


def test_quiet_hours_may_go_over_midnight():
    quiet = [hour for hour in range(24) if CHOICE.is_quiet_at(hour)]
    assert [*range(8), 22, 23] == quiet
    day = NotifyChoice("", (), 9, 11)
    assert [9, 10] == [hour for hour in range(24) if day.is_quiet_at(hour)]
    assert not any(NO_NOTICES.is_quiet_at(hour) for hour in range(24))


def test_the_choice_is_an_event_of_the_account_and_in_its_snapshot():
    accounts = Accounts()
    for event in accounts.open_account("p1", "Ann", 1):
        accounts.apply(event)
    assert NO_NOTICES == accounts.by_id("p1").notify
    events = accounts.set_notify("p1", CHOICE, 5)
    for event in decode(encode(events)):
        accounts.apply(event)
    assert CHOICE == accounts.by_id("p1").notify and [] == accounts.set_notify("p1", CHOICE, 6)
    again = Accounts()
    for event in decode(encode(accounts.snapshot("p1", 9))):
        again.apply(event)
    assert CHOICE == again.by_id("p1").notify
