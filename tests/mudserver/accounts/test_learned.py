"""How far an account has come in a lesson: written a few times a day, found again by its title."""

from __future__ import annotations

from mudserver.accounts.account import DAY_MS
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.learned import LESSON_EVENTS_PER_DAY_MAX, LearnedLesson, step_to_continue

TITLES = ("Draw", "Give", "Clear")


def account() -> Accounts:
    accounts = Accounts()
    for event in accounts.open_account("p1", "ann", 1):
        accounts.apply(event)
    return accounts


def reach(accounts: Accounts, learned: LearnedLesson, at_ms: int = 5) -> bool:
    """Note it; whether that wrote anything."""
    events = accounts.note_lesson("p1", "words", learned, at_ms)
    for event in decode(encode(events)) if events else ():
        accounts.apply(event)
    return bool(events)


def test_the_last_step_is_remembered_and_that_a_lesson_was_finished_once():
    accounts = account()
    assert {} == accounts.lessons("p1") == accounts.lessons("nobody")
    assert reach(accounts, LearnedLesson(1, 2, "Clear"))
    assert {"words": LearnedLesson(1, 2, "Clear")} == accounts.lessons("p1")
    assert reach(accounts, LearnedLesson(1, is_finished=True))
    assert {"words": LearnedLesson(1, is_finished=True)} == accounts.lessons("p1")
    assert reach(accounts, LearnedLesson(1, 1, "Give"))
    assert LearnedLesson(1, 1, "Give", is_finished=True) == accounts.lessons("p1")["words"]


def test_after_so_many_on_one_day_nothing_is_written_until_the_next():
    accounts = account()
    for _ in range(LESSON_EVENTS_PER_DAY_MAX):
        assert reach(accounts, LearnedLesson(1, 0, "Draw"), DAY_MS)
    assert not reach(accounts, LearnedLesson(1, 1, "Give"), 2 * DAY_MS - 1)
    assert not reach(accounts, LearnedLesson(1, is_finished=True), 2 * DAY_MS - 1)
    assert reach(accounts, LearnedLesson(1, 1, "Give"), 2 * DAY_MS)
    assert [] == accounts.note_lesson("nobody", "words", LearnedLesson(1), 5)


def test_a_snapshot_holds_it():
    accounts, again = account(), Accounts()
    reach(accounts, LearnedLesson(3, 1, "Give"), 5 * DAY_MS)
    for event in decode(encode(accounts.snapshot("p1", 9))):
        again.apply(event)
    assert accounts.lessons("p1") == again.lessons("p1") != {}
    assert again.by_id("p1").lessons_on_day == (5, 1)


def test_a_step_is_found_again_in_another_edition_by_its_title():
    assert (1, False) == step_to_continue(LearnedLesson(1, 1, "Give"), 1, TITLES)
    assert (1, False) == step_to_continue(LearnedLesson(1, 5, "Give"), 2, TITLES)
    assert (0, True) == step_to_continue(LearnedLesson(1, 5, "Gone"), 2, TITLES)
    assert (0, False) == step_to_continue(None, 1, TITLES)
    assert (0, False) == step_to_continue(LearnedLesson(1, is_finished=True), 1, TITLES)
