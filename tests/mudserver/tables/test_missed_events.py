"""What a session that goes on has not been shown of its table, from what its reader may know."""

import asyncio

import pytest

from mudserver import messages as m
from mudserver.data_messages import GameMessage
from mudserver.outbox import Deliveries
from mudserver.tables import requests as r
from mudserver.tables.missed_events import shown_until
from tests.mudserver.tables.driver import Driver
from tests.mudserver.tables.test_sealed_words import trading
from tests.mudserver.tables.world import World, run


def goes_on(driver: Driver, person: str, seen: int) -> list[m.Message]:
    """What *person* is sent in the next process."""
    driver.table = driver.restarted()
    driver.does(r.GiveBackTime("", driver.now_ms))
    driver.does(r.Reconnect(person, is_silent=True, seen=seen))
    return driver.to(person)


def test_whoever_has_seen_all_is_sent_the_place_alone():
    driver = Driver().starts("b")
    (known,) = goes_on(driver, "b", driver.table.sequence)
    assert isinstance(known, m.KnownPlace) and known.view is not None
    assert (7, 1, True) == (known.location.table, known.location.seat, known.location.is_playing)
    assert len(driver.table.history_for("b")) == known.shown_count


@pytest.mark.parametrize("missed", [1, 2])
def test_the_records_behind_the_last_that_was_shown_are_told_as_history_has_them(missed):
    driver = Driver().starts("b")
    driver.plays("a")
    seen = driver.table.sequence
    for _ in range(missed):
        driver.plays("ab"[driver.table.game.window.seats[-1]])
    known, *events, view = goes_on(driver, "b", seen)
    history = driver.table.history_for("b")
    assert isinstance(known, m.KnownPlace) and known.view is None
    assert history == [*history[: known.shown_count], *events] and events
    why = "changed" if missed == 1 else "back"  # as if nothing had happened; or all of it
    assert isinstance(view, m.ViewMessage) and why == view.why


@pytest.mark.parametrize("seen", [0, 99])
def test_a_number_that_the_table_never_had_shows_all(seen):
    driver = Driver().starts("b")
    sent = goes_on(driver, "b", seen)
    assert [m.LocationMessage, m.Notice, GameMessage, m.ViewMessage] == [
        type(each) for each in sent
    ]


def test_a_table_before_its_game_is_described_again_if_somebody_has_come():
    driver = Driver().sits("b")
    seen = driver.table.sequence
    assert [m.KnownPlace] == [type(each) for each in goes_on(driver, "b", seen)]
    driver.sits("c")
    _, about = goes_on(driver, "b", seen)
    assert about.text.startswith("Table 7, duel. Players: Ann, Bob, Cid.")


def test_an_answer_in_secret_and_a_choice_of_ones_own_change_nothing_for_the_others():
    driver = Driver({"clock.bid": "600"}).starts("b", "c")
    driver.plays("b")
    driver.does(r.Leave("b"))  # from now on nobody is told how many answers are missing
    seen = driver.table.sequence
    driver.plays("a")
    assert driver.table.sequence > seen
    assert [m.KnownPlace] == [type(each) for each in goes_on(driver, "c", seen)]
    _, event, _ = goes_on(driver, "a", seen)
    assert isinstance(event, m.EventMessage) and event.is_own
    driver = trading()
    seen = driver.table.sequence
    driver.does(r.SetAutopass("b", True))
    assert driver.table.sequence > seen
    assert [m.KnownPlace] == [type(each) for each in goes_on(driver, "a", seen)]


def test_the_others_read_nothing_of_a_clock_that_stopped_for_a_restart():
    driver = Driver({"clock.bid": "600"}).starts("b")
    seen = driver.table.sequence
    goes_on(driver, "a", seen)
    driver.does(r.Reconnect("b", is_silent=True, seen=seen))
    assert [] == driver.to("a", m.Announcement)


def test_events_that_wait_are_not_shown_yet():
    driver = Driver().starts("b")
    driver.plays("b")
    first = driver.table.sequence
    driver.plays("a")
    last, more = driver.table.sequence, len(driver.to("b", m.EventMessage))
    assert first < last and more
    cases = (last, 0), (last, 1), (last, more + 1), (first, 1), (last, 99)
    until = [shown_until(driver.table, "b", taken, waiting) for taken, waiting in cases]
    assert [last, last - 1, first - 1, first - 1, 0] == until
    assert first - 1 == shown_until(driver.restarted(), "b", last, more + 1)


@pytest.mark.parametrize("is_watching", [False, True])
def test_a_record_on_its_way_to_the_disk_is_told_a_session_once_that_goes_on_meanwhile(is_watching):
    async def scenario() -> None:
        world, reader = World(), "cid" if is_watching else "ann"
        await world.started("ann", "bob")
        if is_watching:
            world.tables.submit(1, r.Watch("cid", world.person("cid").name))
            await world.settles()
        seen = world.table().sequence
        world.plays("bob")
        await world.settles()
        world.journal.delay_s = 0.2
        world.plays("ann")
        await asyncio.sleep(0.1)
        world.forget_messages()
        # The socket to the door has broken, and is there again.
        world.tables.on_reconnect(reader, is_silent=True, seen=seen)
        await asyncio.sleep(1)
        known, *missed = [it for it in world.messages[reader] if not isinstance(it, m.Notice)]
        assert isinstance(known, m.KnownPlace) and 1 == len(
            [it for it in missed if isinstance(it, m.ViewMessage)]
        )
        events = [it for it in missed if isinstance(it, m.EventMessage)]
        assert events and events == world.table().event_messages(
            world.table().reader_of(reader), len(world.table().game.plays) - 2
        )

    run(scenario())


def test_a_session_that_goes_on_counts_as_sent_only_what_it_was_sent():
    """What the record tells nobody else is in its inbox, and the events are not yet."""

    async def scenario() -> None:
        world = World()
        await world.started("ann", "bob")
        seen, runner = world.table().sequence, world.tables.places.runner_of("ann")
        world.plays("bob")
        world.plays("ann")
        world.tables.on_reconnect("ann", is_silent=True, seen=seen)
        sent, send_each = [], world.outbox.send_each

        def told(deliveries: Deliveries) -> None:
            sent.append((world.table().sequence, runner.sent_until("ann")))
            send_each(deliveries)

        world.outbox.send_each = told
        await world.settles()
        assert (seen + 1, seen) == sent[0]
        last = world.table().sequence
        assert last > seen + 1 and last == runner.sent_until("ann") == runner.sent_until("bob")
        settle_seats, known = runner._settle_seats, list[int]()

        async def looks(*args: object) -> None:  # what it missed is with the session
            known.append(runner.sent_until("ann"))
            await settle_seats(*args)

        runner._settle_seats = looks
        world.tables.on_reconnect("ann", is_silent=True, seen=seen)
        assert seen == runner.sent_until("ann")
        await world.settles()
        assert [last] == known

    run(scenario())


def test_the_end_of_a_game_is_told_who_goes_on_though_the_next_one_begins_at_once():
    async def scenario() -> None:
        world = World()
        await world.started("ann", "bob")
        while world.table().game.number == 1 and world.table().is_playing:
            game, seen = world.table().game, world.table().sequence
            seat = next(n for n in range(2) if game.may_act(n))
            world.journal.delay_s = 0.2
            world.plays(game.seats[seat].person)
            await asyncio.sleep(0.1)
            world.forget_messages()
            for person in ("ann", "bob"):  # refused, unless it is the last play
                world.tables.submit(1, r.Start(person))
            world.tables.on_reconnect("ann", is_silent=True, seen=seen)
            await asyncio.sleep(2)
        ends = [it for it in world.messages["ann"] if isinstance(it, m.GameOver)]
        assert (1, 2) == (len(ends), world.table().game.number)

    run(scenario())
