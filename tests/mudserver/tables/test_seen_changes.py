"""What was typed for the table as it was before starts no other game."""

import asyncio

from mudserver.messages import RefusalMessage
from mudserver.outbox import Inbox
from mudserver.tables import requests as r
from tests.mudserver.tables.world import World, run, texts

ADDED = "The table has changed: computer player Juno added. Type ready again."


def test_a_word_that_was_typed_before_a_change_by_somebody_else_is_void():
    async def driver():
        world = World()
        await world.opened("ann", "bob")
        world.tables.submit(1, r.Start("ann"))
        await world.settles()
        world.tables.submit(1, r.AddBot("ann"))
        world.tables.submit(1, r.Start("bob"))  # both lines cross
        await world.settles()
        first = texts(world.received("bob", RefusalMessage)), world.table().is_playing
        await world.all_start()
        return first, world.table().is_playing

    assert (([ADDED], False), True) == run(driver())


def test_a_word_for_the_own_change_counts_at_once():
    async def driver():
        world = World()
        await world.opened("ann")
        world.tables.submit(1, r.AddBot("ann"))
        world.tables.submit(1, r.Start("ann"))
        await world.settles()
        return world.table().is_playing

    assert run(driver())


def test_a_change_counts_as_read_when_the_session_has_taken_it():
    async def driver():
        world = World()
        await world.opened("ann", "bob")
        slow = Inbox(lambda _: None, None)  # a session that is busy
        world.outbox.attach("bob", slow)
        world.tables.submit(1, r.AddBot("ann"))
        await world.settles()
        world.tables.submit(1, r.Start("bob"))
        await world.settles()
        before = dict(world.table().readiness.marks)
        slow.take_all()
        world.tables.submit(1, r.Start("bob"))
        await world.settles()
        return before, list(world.table().readiness.marks)

    assert ({}, ["bob"]) == run(driver())


def test_other_options_take_two_seconds_to_be_read():
    async def driver():
        world = World()
        await world.opened("ann", "bob")
        world.tables.submit(1, r.Configure("ann", {"pace": "brisk"}))
        await asyncio.sleep(1.9)
        world.tables.submit(1, r.Start("bob"))
        world.tables.submit(1, r.Start("ann"))  # they are her own
        await world.settles()
        before = list(world.table().readiness.marks), texts(world.received("bob", RefusalMessage))
        await asyncio.sleep(0.1)
        world.tables.submit(1, r.Start("bob"))
        await world.settles()
        return before, world.table().is_playing

    sentence = "The table has changed: other options. Type ready again."
    assert ((["ann"], [sentence]), True) == run(driver())
