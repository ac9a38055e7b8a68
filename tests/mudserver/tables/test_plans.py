"""Moves kept for later: what becomes of a list, and that nobody else learns of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from mudserver.data_messages import LaterData
from mudserver.errors import UserError
from mudserver.messages import EventMessage, Notice
from mudserver.session.json_protocol import to_objects
from mudserver.tables import plan_texts as texts
from mudserver.tables import plans
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.decide import decide, wake_ms
from mudserver.tables.ended_game import ended_game
from mudserver.tables.parked import may_park, parked
from mudserver.tables.planned import own_plan
from mudserver.tables.plans import CHANGES_MAX, LINE_CHARS_MAX, LINES_MAX, PAUSE_MS
from mudserver.tables.result import export_game
from tests.mudserver.tables.driver import NAMES, Driver, kinds, marks, seen
from tests.toys.duel.game import DUEL
from tests.toys.multistep.game import MULTISTEP
from variants.catalogue import CATALOGUE
from variants.contract import Refusal, Seat

MOST_S = PAUSE_MS[1] / 1000
OTHERS = ("a", "c", "w")
GAMES = (MULTISTEP, DUEL, CATALOGUE["elimination"])


def playing(*people: str, variant: Any = MULTISTEP) -> Driver:
    """Ann plays first; Wim watches."""
    driver = Driver({"move": "1d"}, variant=variant).starts(*people or ("b", "c"))
    driver.does(r.Watch("w", "Wim"))
    return driver


def keeps(driver: Driver, *lines: str, who: str = "b") -> Driver:
    for line in lines:
        driver.does(r.ChangePlan(who, line))
    return driver


def kept(driver: Driver, who: str = "b") -> tuple[str, ...]:
    return own_plan(driver.table, who).lines


def asks_bob(driver: Driver) -> Driver:
    """Ann's turn is over: Bob is asked."""
    driver.plays("a", "step")
    driver.plays("a", "step")
    return driver


def next_play(driver: Driver) -> f.Record:
    """Time passes until something is played."""
    while (due_ms := wake_ms(driver.table)) is not None:
        driver.now_ms = max(driver.now_ms, due_ms)
        if (record := driver.does(r.Tick(""))).has_play:
            return record
    raise AssertionError("nothing is due any more")


def notices(driver: Driver, who: str = "b") -> list[str]:
    return [message.text for message in driver.to(who, Notice)]


# -- a list, and what is played of it --------------------------------------------------------------


def test_the_first_move_that_fits_is_played_and_the_rest_stays_for_the_next_question():
    driver = asks_bob(keeps(playing(), "step now", "answer", "ask Cid", "fall"))
    asked_ms = driver.now_ms
    (record,) = driver.passes(MOST_S)
    played, rest = record.facts[:2]
    assert (1, "later") == (played.seat, played.by) and "ask" == played.events[0].verb
    assert f.PlanSet(1, ("fall",), is_rest=True) == rest and ("fall",) == kept(driver)
    assert PAUSE_MS[0] <= record.at_ms - asked_ms <= PAUSE_MS[1]
    driver.plays("c", "answer")
    asked_ms = driver.now_ms
    (record,) = [it for it in driver.passes(MOST_S) if it.facts]
    assert [f.Played, f.PlanEnded, f.Asked] == kinds(record)
    assert f.PlanEnded(1, "played") == record.facts[1] and {} == driver.table.game.plans.lines
    assert PAUSE_MS[0] <= record.at_ms - asked_ms <= PAUSE_MS[1]


def test_each_move_within_one_window_has_a_pause_of_its_own():
    driver = asks_bob(keeps(playing(), "step", "step"))
    first, second = [it.at_ms for it in driver.passes(2 * MOST_S) if it.has_play]
    assert PAUSE_MS[0] <= second - first <= PAUSE_MS[1] and (2,) == driver.table.game.window.seats


def test_if_none_fits_all_are_dropped_and_only_the_owner_is_told():
    driver = asks_bob(keeps(playing(), "answer", "xyzzy"))
    before = seen(driver.table, *OTHERS)
    (record,) = driver.passes(MOST_S)
    assert (f.PlanEnded(1, "unfit"),) == record.facts and () == kept(driver)
    assert [texts.UNFIT.format(7)] == notices(driver) and {"b"} == {
        to for to, _ in driver.deliveries
    }
    assert before == seen(driver.table, *OTHERS) and driver.table.question_of("b")


def test_who_was_elsewhere_reads_at_the_table_that_the_list_did_not_fit():
    driver = keeps(playing(), "answer")
    driver.does(r.StepOut("b"))
    asks_bob(driver).passes(MOST_S)
    driver.table = driver.restarted()
    driver.does(r.Reconnect("b"))
    assert texts.UNFIT.format(7) == notices(driver)[-1]
    driver.plays("b", "step")
    driver.does(r.StepOut("b"))
    driver.does(r.Reconnect("b"))
    assert not [text for text in notices(driver) if "later" in text]


def test_a_bug_in_a_grammar_costs_the_list_and_not_the_table():
    def parse(text: str, *about: Any) -> Any:
        if text == "boom":
            raise ZeroDivisionError
        return MULTISTEP.parse(text, *about)

    driver = keeps(playing(variant=replace(MULTISTEP, parse=parse)), "boom", "step")
    (record,) = asks_bob(driver).passes(MOST_S)
    assert "step" == record.facts[0].events[0].verb


def test_a_move_by_hand_ends_the_list_and_its_owner_reads_so():
    driver = asks_bob(keeps(playing(), "step", "fall"))
    record = driver.plays("b", "step")
    assert [f.Played] == kinds(record) and () == kept(driver)
    assert [texts.MOVED] == notices(driver)
    assert LaterData(7, "7.1", ()) == driver.to("b", LaterData)[0]
    assert [] == [it for it in driver.passes(MOST_S) if it.facts]


@pytest.mark.parametrize(
    "end",
    [
        lambda driver: driver.does(r.Leave("b")),
        lambda driver: driver.does(r.Leave("b", why="banned")),
        lambda driver: driver.does(r.ChangePlan("b", "")),
    ],
    ids=["leaving", "banned", "clear"],
)
def test_a_list_ends_with_the_seat_and_when_its_owner_says_so(end: Callable[[Driver], Any]):
    driver = keeps(playing(), "step")
    end(driver)
    assert {} == driver.table.game.plans.lines
    if driver.table.seat_of("b") is None:
        driver.does(r.Sit("b", "Bob"))
    assert () == kept(driver)


def test_a_list_ends_with_its_game():
    driver = keeps(playing("b"), "fall")
    driver.plays("a", "fall")
    assert not driver.table.is_playing and {} == driver.table.game.plans.lines
    driver.all_start()
    assert () == kept(driver)


def test_a_list_goes_on_under_another_name_of_its_owner():
    driver = keeps(playing(), "step")
    driver.does(r.ReplacePerson("b", "b", "Bobby"))
    assert ("step",) == kept(driver)


def test_to_pass_by_itself_leaves_the_list_alone():
    driver = keeps(playing(), "step")
    driver.does(r.SetAutopass("b", True))
    driver.plays("a", "ask Bob")
    driver.computer_plays(1)
    assert ("step",) == kept(driver)


def test_it_counts_as_a_decision_of_the_person():
    driver = playing("b")
    driver.passes(86_400)
    assert 1 == driver.table.game.seats[0].turns.missed
    keeps(driver, "step", who="a")
    driver.plays("b", "step")
    driver.plays("b", "step")
    assert "later" == next_play(driver).facts[0].by
    turns = driver.table.game.seats[0].turns
    assert (0, driver.table.game.turn) == (turns.missed, turns.decided_in)
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("consent"),))
    assert [True, True] == [seat.has_decided for seat in ended_game(driver.table, record).seats]


# -- what is refused -------------------------------------------------------------------------------


def refused(driver: Driver, line: str, who: str = "b") -> str:
    with pytest.raises(UserError) as caught:
        decide(driver.table, r.ChangePlan(who, line), driver.now_ms)
    return str(caught.value)


def test_a_live_table_keeps_nothing_for_later():
    driver = Driver(variant=MULTISTEP).starts("b")
    assert texts.LIVE == refused(driver, "step")


def test_who_is_asked_plays_instead():
    assert texts.ASKED == refused(playing(), "step", "a")


def test_nobody_else_keeps_anything():
    driver = playing()
    assert "You have no seat at table 7." == refused(driver, "step", "w")
    for person in "aabb":
        driver.plays(person, "step")
    driver.plays("c", "fall")
    assert texts.NOT_IN_A_GAME == refused(driver, "step", "c")


def test_a_list_has_so_many_moves_and_a_move_so_many_characters():
    driver = keeps(playing(), *["step"] * LINES_MAX)
    assert texts.FULL == refused(driver, "step")
    assert texts.TOO_LONG == refused(playing(), "x" * (LINE_CHARS_MAX + 1), "b")


def test_a_seat_changes_its_list_so_often_in_a_game_and_can_always_drop_it():
    driver = playing()
    for number in range(CHANGES_MAX):
        keeps(driver, "" if number % 3 == 2 else "step")
    assert CHANGES_MAX == driver.table.game.plans.changes[1]
    assert texts.TOO_MANY == refused(driver, "step")
    driver.table = driver.restarted()
    assert texts.TOO_MANY == refused(driver, "step")
    assert (f.PlanEnded(1, "cleared"),) == driver.does(r.ChangePlan("b", "")).facts
    assert () == driver.does(r.ChangePlan("b", "")).facts
    keeps(driver, "step", who="c")


# -- that nobody else learns of it -----------------------------------------------------------------


def test_nobody_else_is_sent_anything_when_a_list_changes():
    driver = playing()
    before = seen(driver.table, *OTHERS)
    for line in ("step", "fall", ""):
        driver.does(r.ChangePlan("b", line))
        assert {"b"} == {to for to, _ in driver.deliveries}
    assert before == seen(driver.table, *OTHERS)


def test_others_read_the_move_as_one_that_was_typed_then():
    told: list[list[Any]] = []
    for is_kept in (True, False):
        driver = playing()
        keeps(driver, "step") if is_kept else driver.passes(0)
        asks_bob(driver)
        if is_kept:
            (record,) = driver.passes(MOST_S)
            driver.now_ms = record.at_ms
            assert ["later"] == marks(driver.to("b", EventMessage))
        else:
            driver.now_ms = record.at_ms
            driver.plays("b", "step")
            assert [""] == marks(driver.to("b", EventMessage))
        told.append([one for one in driver.deliveries if one[0] in OTHERS])
        told[-1].append([seen(driver.table, *OTHERS), parked(driver.table, record.at_ms).own["a"]])
    assert told[0] == told[1]


@pytest.mark.parametrize("lines", [("step",), ("answer",), ("xyzzy", "fall")], ids=str)
@pytest.mark.parametrize("seed", [bytes([n] * 32) for n in range(8)], ids=range(8))
def test_a_table_wakes_and_parks_at_the_same_times_whatever_is_kept(lines, seed):
    """Until a move of the list is played."""
    times: list[list[object]] = []
    for chosen in (lines, ()):
        driver = Driver({"move": "1d"}, variant=MULTISTEP).sits("b", "c")
        driver.all_start(seed)
        keeps(driver, *chosen)
        asks_bob(driver)
        for person in "abc":
            driver.does(r.StepOut(person))
        woken: list[object] = [driver.now_ms]
        while (due_ms := wake_ms(driver.table)) is not None and len(woken) < 5:
            woken += [due_ms, may_park(driver.table, driver.now_ms)]
            driver.now_ms = due_ms
            if driver.does(r.Tick("")).has_play:
                break
        times.append(woken)
    assert 3 <= len(times[0]) and times[0] == times[1][: len(times[0])]
    assert "answer" in lines or times[0][-2] == times[1][1]


def test_the_pause_is_spread_evenly_and_another_one_for_each_question():
    game, drawn = plans.Plans(), list[float]()
    for number in range(2_000):
        game.note(f.Asked("turn", None), number)
        due_ms = {game.due_ms(seat, b"seed", is_sealed=False) for seat in (0, 1)}
        assert 2 == len(due_ms)
        drawn += [ms - number for ms in due_ms]
    low, high = PAUSE_MS
    assert low <= min(drawn) < low + 2_000 and high - 2_000 < max(drawn) <= high
    tenths = [int(10 * (pause - low) / (high - low + 1)) for pause in drawn]
    assert all(330 < tenths.count(tenth) < 470 for tenth in range(10))


def test_in_a_sealed_window_the_time_does_not_depend_on_who_has_answered():
    due: list[list[int | None]] = []
    for is_answered in (True, False):
        driver = playing(variant=DUEL)
        driver.passes(30)
        if is_answered:
            driver.plays("b")
        due.append([wake_ms(driver.table)])
        due[-1] += [it.at_ms for it in driver.passes(MOST_S)]
    assert due[0] == due[1]


def bids_again(*, is_kept: bool) -> tuple[Driver, list[Any]]:
    """Somebody bids in the second round from the own list, or types the same at that time.

    Returns:
        What all others are sent then.
    """
    driver = playing(variant=DUEL)
    for who in "abc":
        driver.plays(who)
    chooser = driver.table.game.window.seats[0]
    seat = (chooser + 1) % 3
    who, hand = "abc"[seat], driver.table.game.view(Seat(seat)).hand
    if is_kept:
        keeps(driver, f"bid {hand[0]}", who=who)
    driver.plays("abc"[chooser], "pass")
    due_ms = driver.table.game.plans.due_ms(seat, driver.table.game.seed, is_sealed=True)
    if is_kept:
        record = next_play(driver)
        assert ("later", due_ms) == (record.facts[0].by, record.at_ms)
        assert ["later"] == marks(driver.to(who, EventMessage))
    else:
        driver.now_ms = due_ms
        driver.plays(who, f"bid {hand[0]}")
    told = [driver.deliveries]
    for other in sorted(set("abc") - {who}):
        driver.plays(other)
        told.append(driver.deliveries)
    return driver, [one for each in told for one in each if one[0] != who]


def test_an_answer_in_secret_is_told_as_if_it_had_been_typed():
    (kept_one, told), (typed_one, told_of_typed) = (bids_again(is_kept=it) for it in (True, False))
    assert told == told_of_typed != []
    assert seen(kept_one.table, "w") == seen(typed_one.table, "w")


# -- what outlives the server, and the game --------------------------------------------------------


def test_a_restart_at_any_record_keeps_the_list_and_its_time():
    driver = asks_bob(keeps(playing(), "answer", "step", "step"))
    due_ms = wake_ms(driver.table)
    for upto in range(1, len(driver.bodies) + 1):
        driver.restarted(upto)
    driver.now_ms += 30_000
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", driver.now_ms))
    assert ("answer", "step", "step") == kept(driver) and due_ms == wake_ms(driver.table)
    (record,) = driver.passes(MOST_S)
    assert due_ms == record.at_ms and ("step",) == kept(driver)
    driver.table = driver.restarted()
    assert ("step",) == kept(driver)


def test_a_list_whose_time_came_while_the_server_was_down_is_played_then():
    driver = asks_bob(keeps(playing(), "step"))
    alive_ms, driver.now_ms = driver.now_ms, driver.now_ms + 3 * 86_400_000
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", alive_ms))
    (record,) = driver.passes(0)
    assert "later" == record.facts[0].by


def test_a_copy_of_the_game_has_lists_of_its_own():
    driver = keeps(playing(), "step")
    before = driver.table.game.copy()
    keeps(driver, "fall")
    assert ("step",) == before.plans.lines[1]


def test_the_record_after_the_end_says_later():
    driver = asks_bob(keeps(playing("b"), "step", "fall"))
    driver.passes(2 * MOST_S)
    assert not driver.table.is_playing
    plays = [json.loads(line) for line in export_game(driver.table.game).splitlines()]
    assert ["person", "person", "later", "later"] == [it["by"] for it in plays if it.get("by")]


# -- what is read ----------------------------------------------------------------------------------


def test_the_owner_reads_the_list_after_each_change_and_on_coming_back():
    driver = keeps(playing(), "step", "ask Cid")
    assert ["You keep for later: 1 step, 2 ask Cid."] == (notices(driver))
    assert [LaterData(7, "7.1", ("step", "ask Cid"))] == driver.to("b", LaterData)
    driver.does(r.StepOut("b"))
    driver.does(r.Reconnect("b"))
    assert notices(driver)[-1].startswith("You keep for later: 1 step, 2 ask Cid.")
    asks_bob(driver)
    assert [texts.WAITS.format("1 step, 2 ask Cid")] == notices(driver)
    driver.does(r.ChangePlan("b", ""))
    assert [texts.CLEARED] == notices(driver)


def test_programs_of_protocol_1_read_no_mark_that_they_do_not_know():
    driver = asks_bob(keeps(playing(), "step"))
    driver.passes(MOST_S)
    (event,) = driver.to("b", EventMessage)
    assert ["", "later"] == [mark_for(event, protocol) for protocol in (1, 2)]


def mark_for(event: EventMessage, protocol: Any) -> str:
    games = {"multistep": MULTISTEP}
    (told,) = to_objects(event, games, lambda view: ((), True), protocol)
    return told.mark


def test_a_watcher_never_reads_the_mark():
    driver = asks_bob(keeps(playing(), "step"))
    driver.passes(MOST_S)
    for who in OTHERS:
        assert [""] == marks(driver.to(who, EventMessage)), who
        assert "later" not in [m.mark for m in driver.table.history_for(who)]
    assert Seat(1) == driver.table.seat_of("b")


# -- anything in any order -------------------------------------------------------------------------


def random_life(number: int) -> int:
    """A game in which people keep moves, play, leave, and the server dies; how many were kept."""
    rng, driver = Random(number), Driver({"move": "1d"}, variant=GAMES[number % len(GAMES)])
    driver.sits("b", "c").all_start(rng.randbytes(32))
    for _ in range(60):
        game, who = driver.table.game, rng.choice("abc")
        if game is None or not driver.table.is_playing:
            break
        view = game.view(game.seat_of(who))
        actions, phrase = driver.variant.legal_actions(view), driver.variant.phrase
        legal = [phrase(action, view, game.names) for action in actions]
        requests: list[r.Request] = [
            *[r.ChangePlan(who, rng.choice(("step", "fall", "answer", "draw", "pass", "bid 3")))]
            * 6,
            *[r.Play(who, rng.choice(legal or ["step"]))] * 3,
            *(r.ChangePlan(who, ""), r.StepOut(who), r.Disconnect(who), r.Reconnect(who)),
            *(r.OwnerTyped(who), r.SetAutopass(who, rng.random() < 0.3)),
            *([r.Leave(who), r.Sit(who, NAMES[who])] if rng.random() < 0.1 else []),
        ]
        try:
            if driver.table.wants_to_know_of_typing(who):  # as the runner does
                driver.does(r.OwnerTyped(who))
            driver.does(rng.choice(requests))
        except (UserError, Refusal):
            pass
        if rng.random() < 0.3:
            driver.passes(rng.choice((30, 300, 900, 90_000)))
        if rng.random() < 0.1:
            alive_ms, driver.now_ms = driver.now_ms, driver.now_ms + rng.choice((1_000, 10**8))
            driver.table = driver.restarted()
            driver.does(r.GiveBackTime("", alive_ms))
        for seat, level in driver.table.automatic_turns():
            if rng.random() < 0.5 and (seat, level) in driver.table.automatic_turns():
                driver.computer_plays(seat)
        check_lists(driver)
    assert driver.table.game is not None
    return sum(isinstance(it, f.Played) and it.by == "later" for it in driver.table.game.plays)


def check_lists(driver: Driver) -> None:
    table, again = driver.table, driver.restarted()
    game, folded = table.game, again.game
    assert game is not None and folded is not None
    for each in ("lines", "changes", "unfit"):
        assert getattr(game.plans, each) == getattr(folded.plans, each), each
    assert seen(table, *NAMES, "w") == seen(again, *NAMES, "w")
    for seat, lines in game.plans.lines.items():
        occupant = game.seats[seat]
        assert 0 < len(lines) <= LINES_MAX and table.is_playing
        assert occupant.person is not None and not occupant.is_away
        assert game.plans.changes[seat] <= CHANGES_MAX + 1
    # Nobody who is asked keeps moves that have been looked up.
    window = game.window
    for seat in () if window is None else window.seats:
        due_ms = game.plans.due_ms(seat, game.seed, is_sealed=window.is_sealed)
        if game.may_act(seat) and due_ms <= table.looked_up_ms:
            assert seat not in game.plans.lines


def test_no_order_of_requests_leaves_a_list_where_it_does_not_belong():
    assert 5 < sum(map(random_life, range(9)))


@pytest.mark.prove
def test_no_order_of_requests_does_so_in_many_lives():
    assert 150 < sum(map(random_life, range(100, 400)))
