"""A tournament of people on two servers: one of them draws each round and opens its tables."""

from __future__ import annotations

import re

from tests.several_servers import come_in, hears, one_line, says, until


async def test_people_of_two_servers_play_in_one_tournament(several):
    one, other = servers = await several.open("g1"), await several.open("g2")
    await several.know_each_other()
    ann, bob = await come_in(one, "ann"), await come_in(one, "bob")
    cid, dee = await come_in(other, "cid"), await come_in(other, "dee")
    people = ann, bob, cid, dee
    await says(ann, "tourney open elimination Winter Cup seats=2", "You have opened tournament 1")
    for person in (bob, cid, dee):
        await hears(person, r"ann opened tournament 1 \(Winter Cup\)")
    await says(ann, "say who plays?", "ann: who plays")
    for person in (bob, cid, dee):  # what comes by the bus has come before it
        assert 1 == (await hears(person, "ann: who plays")).count("ann opened tournament 1")
    await says(ann, "tourney 1 join", "You play in tournament 1")
    await until(lambda: other.app.tourney_streams.all())
    for person in people[1:]:
        await says(person, "tourney 1 join", "You play in tournament 1")
    await says(dee, "tourney 1 start", "Only ann can do that")
    await says(ann, "tourney 1 start", "Tournament 1 starts")
    for person in people:
        await hears(person, r"Round 1 of tournament 1 \(Winter Cup\) has begun")

    def tables() -> list[dict[int, int]]:
        folds = [server.app.tourney_streams.all()[0] for server in servers]
        return [it.rounds[0].tables if it.rounds else {} for it in folds]

    await until(lambda: all(len(it) == 2 for it in tables()))
    first, second = tables()
    assert first == second and len(set(first.values())) == 2
    here = [server.app.table_manager for server in servers]
    opened = [sum(manager.rounds.is_here(it) for manager in here) for it in first.values()]
    assert [1, 1] == opened  # each by one server alone
    assert re.search(r"To take your seat: sit \d+", one_line(cid) + one_line(ann))
    await says(ann, "tourney 1 close The hall is closed", "Tournament 1 is closed")
    await hears(dee, "ann closed tournament 1")
    await until(lambda: all(s.app.tourney_streams.all()[0].phase == "closed" for s in servers))


async def test_by_correspondence_people_of_two_servers_are_told_and_go_to_their_tables(several):
    one, other = await several.open("g1"), await several.open("g2")
    await several.know_each_other()
    people = [await come_in(one, "ann"), await come_in(one, "bob")]
    people += [await come_in(other, "cid"), await come_in(other, "dee")]
    ann = people[0]
    opening = "tourney open elimination Slow Cup correspondence seats=2"
    await says(ann, opening, "You have opened tournament 1")
    await says(ann, "tourney 1 join", "You play in tournament 1")
    await until(lambda: other.app.tourney_streams.all())
    for person in people[1:]:
        await says(person, "tourney 1 join", "You play in tournament 1")
    await says(ann, "tourney 1 start", "Tournament 1 starts")
    for person in people:
        await hears(person, r"Round 1 of tournament 1 \(Slow Cup\) has begun")
        [number] = re.findall(r"You play at table (\d+)\. To go there: go \d+", one_line(person))
        is_here = one.app.table_manager.rounds.is_here(int(number)) == (person in people[:2])
        # Without a door nobody walks to another server.
        answer = "It belongs to tournament 1" if is_here else f"Table {number} is on another server"
        await says(person, f"go {number}", answer)
