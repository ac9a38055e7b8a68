"""Invitations, seats that were left and codes lead to tables of other servers."""

from __future__ import annotations

import asyncio

from mudserver.cluster import asking
from tests.linked_servers import Linked, run, table_in

INVITED = "ann invites you to table {0} (words). Type accept ann, or decline ann"


def test_who_is_invited_on_another_server_reads_it_once_and_sits_down_by_accept():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = [
            await town.come(s, n) for s, n in (("g1", "ann"), ("g2", "bob"), ("g2", "cid"))
        ]
        number = table_in(await ann.types("open words who=invited code=on"))
        assert "ann invites bob." in await ann.types("invite bob")
        await asyncio.sleep(70)  # also after a round in which all is told anew
        assert 1 == bob.text.count(INVITED.format(number)) and "invites" not in cid.text
        assert "You are invited" not in cid.text
        assert "Nobody has invited you" in await cid.types("accept")
        assert "is private" in await cid.types(f"sit {number}")
        shown = await bob.types("accept")
        assert ["g2", "g1"] == bob.visited and f"table {number}>" in shown
        assert "bob joined the table" in ann.text and "restart" not in shown
        assert "bob has a seat here already" in await ann.types("invite bob")

    run(scenario)


def test_who_takes_none_on_another_server_is_not_invited():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        await ann.types("open words")
        for line, back in (
            ("set invitations off", "set invitations all"),
            ("quiet on", "quiet off"),
            ("ignore ann", "unignore ann"),
        ):
            await bob.types(line)
            assert "bob takes no invitations from you." in await ann.types("invite bob"), line
            await bob.types(back)
            await asyncio.sleep(60)
        town.deaf.add("g2")
        refused = await ann.types("invite bob", asking.ANSWER_S + 1)
        assert "bob can't be reached right now." in refused
        town.deaf.clear()
        assert "invites" not in bob.text
        assert "ann invites bob." in await ann.types("invite bob")
        assert "is invited already" in await ann.types("invite bob")

    run(scenario)


def test_an_invitation_of_another_server_is_declined_there_or_ends_by_itself():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        number = table_in(await ann.types("open words"))
        await ann.types("invite bob")
        said = await bob.types("decline ann not tonight")
        assert "You decline ann's invitation." in said and "You tell ann: not tonight" in said
        assert "bob declines the invitation." in ann.text and ["g2"] == bob.visited
        assert "bob tells you: not tonight" in ann.text
        assert "Nobody has invited you" in await bob.types("decline")
        await ann.types("invite bob")
        for _ in range(12):
            await ann.types("look", 60)
        assert f"ann's invitation to table {number} has ended." in bob.text
        assert "bob has not answered the invitation." in ann.text

    run(scenario)


def test_who_is_nowhere_is_invited_to_a_game_by_correspondence_and_reads_it_on_any_server():
    async def scenario(town: Linked) -> None:
        ann = await town.come("g1", "ann")
        bob, cid = await town.come("g2", "bob"), await town.come("g1", "cid")
        number = table_in(await ann.types("open words correspondence"))
        for name in ("bob", "dan", "eve"):
            assert f"{name} has 72 h to answer." in await ann.types(f"invite {name}")
        invites = f"ann invites you to table {number} (words by correspondence)."
        dan = await town.come("g2", "dan")
        assert invites in dan.text and invites in bob.text
        assert "dan joined the table" in await dan.types("accept")
        assert ["g2", "g1"] == dan.visited
        await cid.types(f"sit {number}")
        for person in (dan, cid, ann):
            await person.types("ready")
        ended = f"ann's invitation to table {number} has ended. The game has begun without you."
        assert ended in bob.text and ended not in dan.text
        assert "invites you" not in (await town.come("g2", "eve")).text

    run(scenario)


def test_an_invitation_of_a_table_that_is_gone_leads_nowhere():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        await ann.types("open words")
        await ann.types("invite bob")
        await ann.types("leave", 120)
        assert "Nobody has invited you" in await bob.types("accept ann")

    run(scenario)


def test_return_takes_back_a_seat_on_another_server():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = [
            await town.come(s, n) for s, n in (("g1", "ann"), ("g1", "bob"), ("g2", "cid"))
        ]
        number = table_in(await ann.types("open elimination clocks=off"))
        await bob.types(f"sit {number}")
        await ann.types("start")
        await bob.types("start", 5)
        await bob.types("leave now")
        other = table_in(await cid.types("open words seats=4"))
        assert f"table {other}>" in await bob.types(f"sit {other}")
        assert ["g1", "g2"] == bob.visited
        await bob.types("leave")
        shown = await bob.types("return", 3)
        assert ["g1", "g2", "g1"] == bob.visited and f"table {number}" in shown
        assert "You have your seat" in await bob.types("/return")
        assert "No seat waits for you" in await cid.types("return")

    run(scenario)


def test_a_seat_on_another_server_is_in_the_list_and_is_taken_over():
    async def scenario(town: Linked) -> None:
        ann = await town.come("g1", "ann", peer="198.51.100.8")  # of another address than cid
        bob = await town.come("g1", "bob", peer="198.51.100.9")
        cid = await town.come("g2", "cid")
        number = table_in(await ann.types("open elimination clocks=off"))
        await bob.types(f"sit {number}")
        await ann.types("start")
        await bob.types("start", 5)
        own = table_in(await cid.types("open words seats=4"))
        assert "No game is running" not in await cid.types(f"substitute {number}")
        assert ["g2"] == cid.visited and f"table {own}>" in await cid.types("look")
        await bob.types("leave now")
        assert "still waits for its player" in await cid.types(f"substitute {number}")
        assert ["g2"] == cid.visited
        await asyncio.sleep(70)
        seat = 1 if "seat 1 to take over" in await cid.types("tables") else 2
        refused = await cid.types(f"substitute {number} {3 - seat}")
        assert "can't be taken over" in refused and ["g2"] == cid.visited
        shown = await cid.types(f"substitute {number} {seat}", 3)
        assert ["g2", "g1"] == cid.visited and "You have bob's seat now" in shown
        assert "No seat waits for you" in await bob.types("return")

    run(scenario)


def test_the_code_of_a_private_table_is_enough_on_every_server():
    async def scenario(town: Linked) -> None:
        ann, bob, cid = [
            await town.come(s, n) for s, n in (("g1", "ann"), ("g2", "bob"), ("g2", "cid"))
        ]
        shown = await ann.types("open words code=on seats=4")
        number, code = table_in(shown), shown.split("with: sit ")[1].split()[0]
        assert "No table has this code" in await bob.types("sit abcdefgh")
        assert f"table {number}>" in await bob.types(f"sit {code}")
        assert f"table {number}>" in await cid.types(f"watch {code}")
        assert ["g2", "g1"] == bob.visited == cid.visited
        assert code not in " ".join(town.told)

    run(scenario)


def test_wrong_codes_are_counted_whichever_server_has_the_table():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        shown = await ann.types("open words code=on seats=4")
        code = shown.split("with: sit ")[1].split()[0]
        for _ in range(40):
            if "Too many wrong codes" in await bob.types("sit abcdefgh", 0.1):
                break
        assert "Too many wrong codes" in await bob.types(f"sit {code}") and ["g2"] == bob.visited

    run(scenario)


def test_a_guest_takes_the_seat_back_by_its_code_wherever_the_guest_comes_in():
    async def scenario(town: Linked) -> None:
        ann, guest = await town.come("g1", "ann"), await town.come("g1", "guest")
        number = table_in(await ann.types("open elimination clocks=off"))
        code = (await guest.types(f"sit {number}")).split("resume ")[1].split()[0]
        name = guest.called
        await ann.types("start")
        await guest.types("start", 5)
        guest.link.drop()
        await asyncio.sleep(1)
        again = await town.come("g2", "guest")
        assert name != again.called
        assert "That code doesn't match" in await again.types("resume aaaa-bbbb-cccc")
        shown = await again.types(f"resume {code}", 3)
        assert ["g2", "g1"] == again.visited and name == again.called
        assert f"table {number}" in shown
        assert 1 == sum(it.name == name for it in town.servers["g1"].app.service.list_people())

    run(scenario)


def test_nobody_gives_up_a_place_for_a_table_of_another_server_that_refuses():
    async def scenario(town: Linked) -> None:
        ann, bob = await town.come("g1", "ann"), await town.come("g2", "bob")
        cid = await town.come("g2", "cid")
        private = table_in(await ann.types("open words code=on seats=4"))
        own = table_in(await bob.types("open words seats=4"))
        assert "No table has this code" in await bob.types(f"sit {private} abcdefgh")
        assert "is private" in await bob.types(f"watch {private}")
        assert ["g2"] == bob.visited and f"table {own}>" in await bob.types("look")
        for _ in range(40):
            if "Too many wrong codes" in await bob.types(f"sit {private} abcdefgh", 0.2):
                break
        else:
            raise AssertionError("wrong codes are not counted")
        await cid.types("ignore bob")
        free = table_in(await ann.types("open stockpile seats=2"))
        assert f"table {free}>" in await bob.types(f"watch {free}")
        assert ["g2", "g1"] == bob.visited
        assert f"table {own}" not in await cid.types("tables")

    run(scenario)
