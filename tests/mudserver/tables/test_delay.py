"""Watchers of a game with a delay see the table as it was then, in all that they read.

[G-05, G-11, SEC-4]
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from mudserver import messages as m
from mudserver.data_messages import GameMessage
from mudserver.errors import UserError
from mudserver.service.clock_text import describe_clock
from mudserver.tables import advice, behind, notifications
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.held_back import LINES_MAX, HeldLine
from mudserver.tables.options import DELAY_OR_SUBSTITUTES
from mudserver.tables.program_data import table_row
from tests.mudserver.tables.driver import Driver, seen, views
from tests.slow_cases import slow_cases
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP, Fall
from variants.catalogue import CATALOGUE
from variants.contract import Refusal
from variants.kit.text import Style, plain_text

WATCHED = r.Watch("w", "Wim")
OF_CLOCKS = ("the connection", "connected again", "clock")


def late(delay: int = 2, variant: Any = MULTISTEP, **options: str) -> Driver:
    """Ann, Bob and Cid play; Wim has watched from before the start."""
    driver = Driver({"delay": str(delay), "clocks": "off", **options}, variant=variant)
    driver.sits("b", "c").does(WATCHED)
    driver.all_start()
    return driver


def live(variant: Any = MULTISTEP, **options: str) -> Driver:
    """The same where watchers see the game as it is."""
    return late(0, variant, substitutes="off", **options)


def steps(driver: Driver, count: int) -> None:
    """So many decisions of whoever is asked."""
    for _ in range(count):
        game = driver.table.game
        assert game is not None and game.window is not None
        person = game.seats[game.window.seats[0]].person
        assert person is not None
        driver.plays(person, "step")


# -- the same, later -------------------------------------------------------------------------------


def plain(told: Iterable[m.Message]) -> list[m.Message]:
    """What is told, without what a delay changes in it."""
    found: list[m.Message] = []
    for message in told:
        match message:
            case m.ViewMessage():
                found.append(replace(message, deadline_ms=None, window_ms=None, behind=0))
            case m.Announcement(text) | m.Notice(text):
                if not any(word in text for word in OF_CLOCKS):
                    words = [it for it in text.split() if "delay=" not in it]
                    found.append(replace(message, text=" ".join(words)))
            case GameMessage():
                found.append(replace(message, options={}, delay=0))
            case _:
                found.append(message)
    return found


def an_act(rng: Random, driver: Driver) -> r.Request:
    """Of somebody who plays, or has left."""
    game = driver.table.game
    assert game is not None and game.window is not None
    who = rng.choice("abc")
    acts: list[r.Request] = [
        r.Leave(who), r.Sit(who, driver.table.person_name(who) or who.upper()),
        r.Offer(who, "pause"), r.AnswerOffer(who, True), r.GoOn(who), r.OwnerTyped(who),
        r.Disconnect(who), r.Reconnect(who),
    ]  # fmt: skip
    if rng.random() < 0.25:
        return rng.choice(acts)
    seat = rng.choice([seat for seat in game.window.seats if game.may_act(seat)] or [0])
    person = game.seats[seat].person
    if person is None or game.seats[seat].is_away:
        return r.ComputerPlay("", seat, game.window.key, None, rng.randrange(100))
    options = driver.variant.legal_actions(game.view(seat))
    if not options:
        return r.GoOn(who)
    action = rng.choice(options)
    return r.Play(person, driver.variant.phrase(action, game.view(seat), game.names))


def same_life(variant: Any, number: int, delay: int, folds_each: int = 1) -> int:
    """Play the same in both ways; what Wim reads is compared after each record.

    Args: folds_each: So many turns lie between two in which the table is folded again.
    Returns: How many messages were compared.
    """
    rng, typed = Random(number), {"clocks": "on", "absence": rng_choice(number)}
    one, other = live(variant, **typed), late(delay, variant, **typed)
    read: list[m.Message] = []
    told: list[tuple[int | None, list[m.Message]]] = []
    for turn in range(120):
        game = one.table.game
        if not one.table.is_playing or game is None:
            break
        one.now_ms += rng.choice([100, 2_000, 30_000])
        other.now_ms = one.now_ms
        request: r.Request = an_act(rng, one)
        if one.table.deadline_ms is not None and one.table.deadline_ms <= one.now_ms:
            request = r.Tick("")
        try:
            one.does(request)
        except (UserError, Refusal):
            with pytest.raises((UserError, Refusal)):
                other.does(request)
            continue
        other.does(request)
        is_over = not one.table.is_playing
        made = None if is_over else one.table.game.told_decisions
        told.append((made, plain(one.to("w"))))
        read += plain(other.to("w"))
        shown = [it for at, it in told if is_over or at == 0 or at <= made - delay]
        assert read == [message for each in shown for message in each]
        if turn % folds_each == 0:
            assert seen(other.table, *"abcw") == seen(other.restarted(), *"abcw")
    return len(read)


def rng_choice(number: int) -> str:
    return ("computer", "pause", "forfeit")[number % 3]


@pytest.mark.parametrize("delay", [1, 4])
@pytest.mark.parametrize("number", range(12))
def test_a_watcher_reads_what_others_read_so_many_decisions_before(number, delay):
    compared = [same_life(variant, number, delay) for variant in (MULTISTEP, DUEL)]
    assert sum(compared) > 10


@pytest.mark.parametrize("number", slow_cases(range(3), ["1", "2"]))
@pytest.mark.parametrize("name", CATALOGUE)
def test_so_it_is_in_every_game(name, number):
    assert same_life(CATALOGUE[name], number, 3, folds_each=10) > 10


def test_the_start_is_shown_at_once_then_so_many_decisions_later():
    driver = late(2)
    assert [0, 0] == [driver.table.view_for(who).number - driver.table.view_for("w").number
                      for who in "ab"]  # fmt: skip
    steps(driver, 2)
    assert [] == driver.to("w")
    assert [] != driver.to("a", m.EventMessage)
    steps(driver, 1)
    assert 1 == len(driver.to("w", m.ViewMessage)) and driver.to("w", m.EventMessage)


def test_when_the_game_is_over_everything_is_shown():
    driver = late(20)
    steps(driver, 2)
    driver.does(r.Leave("c"))
    driver.plays("b", "fall")
    assert [] == driver.to("w")
    driver.does(r.Leave("b"))
    driver.does(r.ComputerPlay("", 2, driver.window, Fall(), 5))
    assert not driver.table.is_playing
    told = driver.to("w")
    assert [m.GameSummary] == [type(it) for it in told if isinstance(it, m.GameSummary)]
    assert "over" == views(told)[-1].why and 0 == views(told)[-1].behind
    assert any("left the game" in it.text for it in told if isinstance(it, m.Announcement))
    assert driver.table.behind is None
    assert seen(driver.table, "w") == seen(driver.restarted(), "w")


def test_who_begins_to_watch_is_as_far_behind():
    driver = late(2)
    before = driver.table.view_for("w")
    steps(driver, 2)
    driver.does(r.Watch("d", "Dee"))
    assert [replace(before, why="look")] == driver.to("d", m.ViewMessage)
    assert [] == driver.to("w") == driver.to("a")
    assert driver.table.watchers == driver.table.behind.watchers == {"w": "Wim", "d": "Dee"}
    driver.does(r.Unwatch("d"))
    assert [m.LocationMessage(None)] == driver.to("d")
    driver.does(r.Disconnect("w"))
    assert {} == driver.table.behind.watchers
    driver.does(r.Watch("w", "Wim"))
    steps(driver, 1)
    assert driver.to("w", m.EventMessage)


def test_a_session_that_goes_on_elsewhere_is_as_far_behind():
    driver = late(2)
    steps(driver, 3)
    shown = driver.table.seen_by("w").sequence
    assert shown < driver.table.sequence
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", driver.now_ms))
    driver.does(r.Watch("w", "Wim", goes_on=True, seen=shown))
    [known] = driver.to("w")
    assert isinstance(known, m.KnownPlace) and known.view == driver.table.view_for("w", "changed")
    assert known.shown_count == len(driver.table.history_for("w"))
    steps(driver, 1)
    assert driver.to("w", m.EventMessage) == driver.table.history_for("w")[known.shown_count :]


# -- all that can be asked -------------------------------------------------------------------------


def test_what_can_be_asked_is_as_far_behind():
    one, other = live(DUEL, clocks="on"), late(2, DUEL, clocks="on")
    style = Style()

    def asked(driver: Driver) -> tuple[Any, ...]:
        table = driver.table
        return (
            plain([table.view_for("w")]), table.history_for("w"), notifications.summary_of(table),
            replace(table_row(table), options={}),
            [plain_text(it) for it in advice.answer_question(table, "w", "score", style)]
            if "score" in DUEL.questions else None,
        )  # fmt: skip

    before = asked(one)
    one.plays("a"), other.plays("a")
    one.plays("b"), other.plays("b")
    assert before == asked(other) and before != asked(one)
    late_clock, clock = other.table.clock_status("w"), one.table.clock_status("w")
    assert (None, None, 2) == (late_clock.deadline_ms, late_clock.window_ms, late_clock.behind)
    told = describe_clock(late_clock, other.now_ms)
    assert "You watch 2 decisions behind, without the clock." == told
    assert clock.deadline_ms is not None and 0 == clock.behind
    assert other.table.clock_status("a").deadline_ms is not None


def test_lists_show_the_people_of_then():
    """Or whether somebody who goes has fallen just now would be seen there."""
    driver = late(2)
    before = notifications.summary_of(driver.table), table_row(driver.table)
    steps(driver, 1)
    driver.does(r.Leave("b"))
    assert before == (notifications.summary_of(driver.table), table_row(driver.table))
    driver.does(r.Watch("d", "Dee"))
    assert 2 == notifications.summary_of(driver.table).watchers == table_row(driver.table).watchers


# -- people ----------------------------------------------------------------------------------------


def test_who_is_out_has_no_delay():
    driver = late(3)
    driver.plays("a", "fall")
    assert driver.table.is_out("a") and driver.to("a", m.EventMessage)
    driver.plays("b", "step")
    [heard], [other] = driver.to("a", m.EventMessage), driver.to("c", m.EventMessage)
    assert (heard.event, heard.number) == (other.event, other.number)
    assert driver.table.view_for("a").number == driver.table.view_for("c").number


def test_who_has_left_is_a_watcher_with_the_delay():
    driver = late(2)
    steps(driver, 3)
    driver.does(r.Leave("b"))
    driver.does(r.Watch("b", "Bob"))
    assert driver.table.view_for("b").seat is None
    assert seen(driver.table, "b") == seen(driver.table, "w")
    for _ in range(4):
        while driver.table.automatic_turns():
            driver.computer_plays(driver.table.automatic_turns()[0][0])
            assert driver.to("b") == driver.to("w")
        steps(driver, 1)
        assert driver.to("b") == driver.to("w")
    assert {"b", "w"} == driver.table.watchers.keys()
    driver.does(r.Sit("b", "Bob"))
    assert driver.to("b", m.ViewMessage)[-1].seat == 1
    assert {"w"} == driver.table.watchers.keys() == driver.table.behind.watchers.keys()
    steps(driver, 3)
    driver.does(r.Leave("b"))
    driver.does(r.Watch("b", "Bob"))
    steps(driver, 1)  # behind, Bob sits down again and leaves
    assert {"b", "w"} == driver.table.behind.watchers.keys()
    assert m.LocationMessage(None) not in driver.to("b")


def test_somebody_who_was_back_at_a_seat_and_has_left_it_is_no_new_watcher_later():
    """Of the records that are shown later, who came and went then is left out."""
    driver = late(2, clocks="on", absence="pause")
    steps(driver, 1)
    seat = driver.table.game.window.seats[0]
    person = driver.table.game.seats[seat].person
    driver.does(r.Disconnect(person))
    driver.passes(400)
    record = driver.does(r.Reconnect(person))
    assert any(isinstance(it, f.ClockRuns) for it in record.facts)
    driver.does(r.Leave(person))
    driver.does(r.Watch(person, "Back"))
    for _ in range(4):
        while driver.table.automatic_turns():
            driver.computer_plays(driver.table.automatic_turns()[0][0])
            assert not driver.to(person, m.LocationMessage)
        steps(driver, 1)
        assert not driver.to(person, m.LocationMessage)


def test_no_refusal_tells_who_has_left_that_the_seat_has_fallen():
    """Who comes back to it is out, and sees what its seat sees."""
    driver = late(2)
    driver.does(r.Leave("a"))
    driver.does(r.Watch("a", "Ann"))
    game = driver.table.game
    driver.does(r.ComputerPlay("", 0, driver.window, Fall(), 5))
    assert game.is_out(0) and not driver.table.shown.game.is_out(0)
    driver.does(r.Sit("a", "Ann"))
    assert driver.table.is_out("a") and driver.table.view_for("a").seat == 0
    driver.does(r.Leave("a"))
    steps(driver, 2)
    with pytest.raises(UserError, match="Your seat is out of this game"):
        driver.does(r.Sit("a", "Ann"))


def test_watchers_with_another_name_or_another_id_read_on():
    driver = late(1)
    steps(driver, 1)
    driver.does(r.ReplacePerson("w", "w2", "Willem"))
    assert {"w2": "Willem"} == driver.table.behind.watchers
    driver.does(r.ReplacePerson("b", "b2", "Bea"))
    assert "Bob" in driver.table.view_for("w2").names
    steps(driver, 1)
    assert driver.to("w2", m.EventMessage)
    steps(driver, 1)
    assert "Bea" in driver.table.view_for("w2").names and {"w2"} == driver.table.watchers.keys()


def test_watchers_stay_for_the_next_game():
    driver = late(1)
    driver.does(r.Leave("c"))
    driver.does(r.Leave("b"))
    while driver.table.is_playing:
        turns = driver.table.automatic_turns()
        driver.computer_plays(turns[0][0]) if turns else driver.plays("a", "step")
    driver.sits("b")
    driver.all_start()
    assert {"w"} == driver.table.watchers.keys() == driver.table.behind.watchers.keys()
    assert driver.to("w", GameMessage) and driver.to("w", m.ViewMessage)
    game = driver.table.game
    driver.plays(game.seats[game.window.seats[0]].person, "step")
    assert [] == driver.to("w")


def test_a_table_that_closes_sends_its_watchers_away():
    driver = late(3)
    steps(driver, 2)
    driver.does(r.CloseByStaff("", "rude words"))
    told = driver.to("w")
    assert m.LocationMessage(None) == told[-1] and driver.table.behind is None
    assert 2 == len([it for it in told if isinstance(it, m.EventMessage)])


# -- answers in secret -----------------------------------------------------------------------------


def untold(is_first: bool) -> list[list[m.Message]]:
    """What Wim reads while Bob, or Cid, answers in secret: nobody is told any more who has."""
    driver = late(1, DUEL)
    driver.does(r.Leave("c"))
    driver.does(r.Watch("d", "Dee"))
    assert driver.table.game.hides_missing
    told = list[list[m.Message]]()

    def note() -> None:
        told.append([*driver.to("w")])
        told.append([driver.table.view_for("w"), *driver.table.history_for("w")])

    if is_first:
        driver.plays("b")
    note()
    driver.does(r.Sit("c", "Cid"))
    note()
    return told


def test_that_somebody_has_answered_is_not_told_by_what_is_shown_then():
    assert untold(True) == untold(False)


def test_a_planted_count_of_secret_answers_is_found(monkeypatch):
    monkeypatch.setattr(
        "mudserver.tables.game.Game.told_decisions", property(lambda game: len(game.plays) - 1)
    )
    assert untold(True) != untold(False)


# -- what players say ------------------------------------------------------------------------------


def a_line(text: str) -> HeldLine:
    said = m.SayMessage("Ann", text, 7, "a")
    return HeldLine(said, lambda watchers: [(it, said) for it in sorted(watchers)])


def says(driver: Driver, text: str) -> bool:
    return driver.table.held_back.hold(a_line(text), driver.table.game.told_decisions)


def test_what_players_say_is_heard_when_the_table_is_seen_as_it_was_then():
    driver = late(2)
    assert not says(driver, "hello"), "nothing was decided yet"
    steps(driver, 1)
    assert says(driver, "one")
    steps(driver, 1)
    assert says(driver, "two") and driver.table.held_back.has_line(a_line("two").message)
    assert [] == driver.to("w")
    steps(driver, 1)
    told = driver.to("w")
    assert ["one"] == [it.text for it in told if isinstance(it, m.SayMessage)]
    assert isinstance(told[-1], m.SayMessage), "it was said after that decision"
    driver.does(r.CloseByStaff("", ""))
    assert ["two"] == [it.text for it in driver.to("w", m.SayMessage)]


def test_of_many_lines_the_last_ones_are_kept():
    driver = late(2)
    steps(driver, 1)
    for number in range(LINES_MAX + 1):
        says(driver, str(number))
    steps(driver, 2)
    heard = [it.text for it in driver.to("w", m.SayMessage)]
    assert LINES_MAX == len(heard) and "1" == heard[0]


def test_what_was_dropped_of_many_lines_is_read_nowhere_until_the_game_is_over():
    """A place may keep more lines for others to read, and a new session reads them."""
    driver = late(2)
    steps(driver, 1)
    for number in range(LINES_MAX + 1):
        says(driver, str(number))
    assert driver.table.held_back.has_line(a_line("0").message)
    fresh = driver.restarted()
    fresh.adopt_presence(driver.table)
    assert fresh.held_back.has_line(a_line("0").message)
    steps(driver, 2)
    assert not driver.table.held_back.has_line(a_line("1").message)
    assert driver.table.held_back.has_line(a_line("0").message)


def test_what_was_taken_away_is_not_heard_later():
    driver = late(2)
    steps(driver, 1)
    says(driver, "rude words")
    driver.table.held_back.remove_of("a")
    steps(driver, 3)
    assert [] == driver.to("w", m.SayMessage)


# -- the option ------------------------------------------------------------------------------------


def test_the_delay_is_an_option_of_the_owner_before_a_game():
    driver = Driver({}, variant=MULTISTEP).sits("b")
    assert 0 == driver.table.options.delay
    driver.does(r.Configure("a", {"delay": "20"}))
    assert 20 == driver.table.options.delay and "off" == driver.table.options.substitutes
    assert "delay=20" in driver.table.options.assignments()
    with pytest.raises(UserError):
        driver.does(r.Configure("b", {"delay": "0"}))
    for wrong in ("21", "-1", "on"):
        with pytest.raises(UserError, match="delay must be a number from 0 to 20"):
            driver.does(r.Configure("a", {"delay": wrong}))
    driver.all_start()
    with pytest.raises(UserError):
        driver.does(r.Configure("a", {"delay": "0"}))


@pytest.mark.parametrize("typed", [{"delay": "1", "substitutes": "on"}, {"substitutes": "on"}])
def test_nobody_takes_over_a_seat_where_watchers_are_behind(typed):
    driver = Driver({"delay": "3"}, variant=MULTISTEP)
    with pytest.raises(UserError) as refused:
        driver.does(r.Configure("a", typed))
    assert DELAY_OR_SUBSTITUTES == str(refused.value)
    driver.does(r.Configure("a", {"delay": "0", "substitutes": "on"}))


def test_everybody_reads_how_far_watchers_are_behind():
    driver = late(3)
    assert [3, 3] == [driver.table.view_for(who).behind for who in "aw"]
    assert 0 == live().table.view_for("w").behind
    assert " delay=3" in notifications.describe_table(driver.table)


def test_nothing_else_than_the_game_falls_behind():
    driver = Driver({"delay": "3"}, variant=MULTISTEP)
    driver.does(WATCHED)
    driver.sits("b")
    assert driver.table.behind is None and driver.to("w", m.Announcement)
    assert behind.shown_decisions(driver.table) is None
    record = driver.does(r.Start("a"))
    assert any(isinstance(fact, f.Readied) for fact in record.facts) and driver.to("w")
