"""`seek`, `seeks` and `match` as people type them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mudserver.config import schema
from tests.mudserver.commands.test_invitations import told
from tests.simulation import virtual
from tests.simulation.server import SimServer, new_world

SEEKS = "{} seeks a game: {}. To play: accept {}"


def last(read: str, line: str) -> str:
    """What was read after the last time that *line* was typed."""
    return read.rpartition(f"> {line}")[2]


def test_the_lobby_reads_of_an_offer_once_and_who_takes_it_sits_down_with_its_owner():
    read = told(
        "Cid> open stockpile", "Ann> seek words short rated target=100", "Bob> seeks",
        "Bob> accept 1", "5 s", "Bob> ready", "Ann> ready",
    )  # fmt: skip
    sought = SEEKS.format("Ann", "words short rated", 1)
    assert 1 == read["Bob"].count(sought) and sought not in read["Ann"] + read["Cid"]
    assert "You seek a game: words short rated (offer 1). It stands for 30 min" in read["Ann"]
    assert "Games that people seek 1 words short rated, Ann To play one" in read["Bob"]
    assert "Bob takes your offer 1 (words short rated), at table 2. To begin: ready" in read["Ann"]
    assert "You take Ann's offer (words short rated), at table 2." in read["Bob"]
    assert "Bob joined the table." in read["Ann"]
    assert "The game starts: words" in read["Ann"] and "The game starts: words" in read["Bob"]


def test_the_table_belongs_to_who_has_offered_the_game():
    read = told("Ann> seek elimination seats=2", "Bob> accept 1", "Bob> bot", "Ann> options")
    assert "Only Ann can" in last(read["Bob"], "bot")
    assert "seats=2" in last(read["Ann"], "options")


def test_those_who_come_to_the_table_are_not_asked_to_join_it():
    read = told("Ann> seek elimination", "Bob> accept 1")
    opened = "Ann opened table 1 (elimination)."
    assert f"{opened} Type sit 1 to join." in read["Cid"]
    assert "opened table" not in read["Ann"] + read["Bob"]
    read = told("Ann> seek elimination seats=2", "Bob> accept 1")
    assert f"{opened} Type watch 1 to watch." in read["Cid"], "no seat is left"
    read = told("Ann> match bob elimination")
    assert f"{opened} Type watch 1 to watch." in read["Cid"]
    assert "opened table" not in read["Ann"] + read["Bob"]


def test_of_two_who_take_an_offer_one_has_it_and_the_other_keeps_the_lobby():
    read = told("Ann> seek words", "Bob> accept 1", "Cid> accept 1", "Cid> accept 7", "Cid> seeks")
    assert "Bob joined the table." in read["Ann"] and "Cid joined" not in read["Ann"]
    assert 2 == read["Cid"].count("That offer is gone. To see all: seeks")
    assert "Nobody seeks a game right now." in read["Cid"] and "lobby>" in read["Cid"]


def test_an_offer_stands_until_its_person_ends_it_or_leaves_or_half_an_hour_is_over():
    read = told("Ann> seek words", "Ann> seek off", "Ann> seek off", "Bob> accept 1")
    assert "You seek no game any more." in read["Ann"]
    assert "You seek no game. To seek one: seek elimination" in read["Ann"]
    assert "That offer is gone." in read["Bob"]
    read = told("Ann> seek words", "Ann> quit", "Bob> accept 1", "Bob> seeks")
    assert "That offer is gone." in read["Bob"] and "Nobody seeks" in read["Bob"]
    typing = ["600 s", "Ann> who", "600 s", "Ann> who"]
    read = told("Ann> seek words short", *typing, "590 s", "Bob> seeks", "20 s", "Bob> accept 1")
    assert "1 words short, Ann" in last(read["Bob"], "seeks")
    assert "That offer is gone." in read["Bob"]
    assert "Your offer 1 (words short) has ended after 30 min. To repeat it: seek" in read["Ann"]


def test_who_sits_down_elsewhere_offers_live_games_no_more():
    read = told(
        "Ann> seek words", "Ann> seek words correspondence", "Cid> open stockpile", "Ann> watch 1",
        "Bob> seeks", "Ann> sit 1", "Bob> accept 1", "Bob> seeks",
    )  # fmt: skip
    first, second = read["Bob"].split("> seeks")[1:]
    assert "1 words, Ann 2 words correspondence, Ann" in first
    assert "That offer is gone." in read["Bob"]
    assert "1 words" not in second and "2 words correspondence, Ann" in second
    assert "You sit at a table, so your offers of live games have ended." in read["Ann"]


def test_of_a_preset_and_of_rated_games_nobody_reads_what_they_mean():
    read = told("Ann> seek words short rated", "Bob> accept 1", "Ann> set table rated=off",
                "Ann> look")  # fmt: skip
    assert "Players: Ann, Bob. Options: preset=short who=accounts rated=on." in read["Bob"]
    shown = last(read["Ann"], "look")
    assert "Options: preset=short who=accounts programs=off" in shown and "target" not in shown
    read = told("Ann> open words short target=150")
    assert "Options: preset=custom" not in read["Ann"] and "target=150 turn=90" in read["Ann"]


def test_that_other_offers_have_ended_is_read_behind_who_has_taken_one():
    read = told("Ann> seek words", "Ann> seek stockpile", "Bob> seek elimination", "Bob> accept 2")
    ended = "You sit at a table, so your offers of live games have ended."
    for name, taken in (("Ann", "Bob takes your offer 2"), ("Bob", "You take Ann's offer")):
        assert 1 == read[name].count(ended)
        assert -1 < read[name].find(taken) < read[name].find(ended)


def test_who_has_a_seat_offers_no_live_game():
    read = told("Ann> open words", "Ann> seek words", "Ann> seek words correspondence move=3d")
    assert "You have a seat at table 1. To give it up: leave" in read["Ann"]
    assert "You seek a game: words correspondence move=3d (offer 1)." in read["Ann"]


def test_a_game_by_correspondence_is_taken_when_its_person_can_come():
    read = told(
        "Ann> seek words correspondence move=3d", "Ann> practice elimination", "3 s",
        "Bob> accept 1", "Ann> /leave now", "3 s", "Bob> accept 1", "Bob> options", "Ann> seeks",
    )  # fmt: skip
    assert "Ann is busy at a table right now. The offer stands." in read["Bob"]
    assert "You take Ann's offer (words correspondence move=3d), at table 2." in read["Bob"]
    assert "move=3d" in last(read["Bob"], "options") and "Nobody seeks" in read["Ann"]


def test_of_two_offers_in_one_moment_the_other_stands_when_one_is_taken():
    both = "seek words correspondence move=2d\nseek words correspondence move=3d"
    read = told(f"Ann> {both}", "Bob> accept 1", "Bob> seeks")
    assert "2 words correspondence move=3d, Ann" in last(read["Bob"], "seeks")


def test_nobody_leaves_people_who_wait_to_take_an_offer():
    read = told("Ann> seek words", "Bob> open elimination", "Cid> sit 1", "Cid> accept 1",
                "Ann> seeks")  # fmt: skip
    assert "You have a seat at table 1. To give it up: leave" in read["Cid"]
    assert "1 words (yours)" in read["Ann"]


def test_the_own_offer_is_taken_by_others():
    assert "Offer 1 is your own." in told("Ann> seek words", "Ann> accept 1")["Ann"]


def test_three_offers_are_enough_and_none_is_made_twice():
    read = told("Ann> seek words", "Ann> seek words target=200", "Ann> seek words target=150",
                "Ann> seek stockpile", "Ann> seek elimination")["Ann"]  # fmt: skip
    assert "You seek that already (offer 1)." in last(read, "seek words target=200")
    assert "You seek 3 games already. To end that: seek off" in last(read, "seek elimination")


def test_ten_offers_in_ten_minutes_are_enough():
    read = told(*["Ann> seek words", "Ann> seek off", "3 s"] * 11)
    assert "You can seek 10 games in 10 min." in read["Ann"]
    assert 10 == read["Bob"].count("Ann seeks a game: words.")


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("seek", "seek GAME"),
        ("seek chess", 'There is no game called "chess".'),
        ("seek words quick", '"quick" is not a preset of words'),
        ("seek words target=9999", "target"),
        ("seek words who=invited", "who=invited and code=on don't fit. For one person: match NAME"),
        ("seek words code=on", "who=invited and code=on don't fit."),
        ("seek words rated target=55", "A rated table has"),
        ("seek words short long", "Give one preset."),
    ],
)
def test_what_contradicts_an_offer_is_refused(line, refusal):
    read = told(f"Ann> {line}", "Bob> seeks")
    assert refusal in read["Ann"] and "Nobody seeks" in read["Bob"] and "Ann seeks" not in str(read)


def test_a_guest_offers_and_takes_what_guests_can_play():
    read = told(
        "gus> seek words rated", "gus> seek words correspondence", "gus> seek words who=accounts",
        "gus> seek words", "Ann> seek words rated", "gus> accept 2", "Bob> accept 1",
        guests="gus",
    )  # fmt: skip
    assert "Guests have no ratings." in read["gus"]
    assert "Games by correspondence are for registered players." in read["gus"]
    assert "Guests can't open private tables." in read["gus"]
    assert "Offer 2 is for registered players." in read["gus"]
    assert "Bob takes your offer 1 (words), at table 1." in read["gus"]
    assert "resume " in read["gus"].partition("Bob takes your offer")[2]  # the code of the seat


def test_who_ignores_somebody_reads_of_no_offer_and_whom_one_ignores_takes_none():
    read = told("Bob> ignore ann", "Ann> ignore cid", "Ann> seek words", "Bob> seeks",
                "Cid> seeks", "Cid> accept 1")  # fmt: skip
    assert "Ann seeks" not in read["Bob"] and "Nobody seeks" in read["Bob"]
    assert "1 words, Ann" in read["Cid"] and "You can't take this offer." in read["Cid"]
    assert "takes your offer" not in read["Ann"]


def test_who_is_quiet_reads_of_no_offer():
    read = told("Bob> quiet on", "Ann> seek words", "Bob> seeks")
    assert "Ann seeks" not in read["Bob"] and "1 words, Ann" in read["Bob"]


def test_at_a_table_offers_are_read_by_who_wants_to_and_once_a_minute():
    read = told(
        "Bob> notify seeks words, stock", "Bob> notify", "Bob> open elimination", "Ann> seek words",
        "Ann> seek elimination", "Cid> seek words short", "Cid> seek stockpile", "30 s",
        "Cid> seek off", "Cid> seek words long", "Ann> seek stockpile", "20 s", "12 s",
    )  # fmt: skip
    assert "seeks stockpile, words" in last(read["Bob"], "notify")
    at_table = read["Bob"].partition("table 1>")[2]
    assert SEEKS.format("Ann", "words", 1) in at_table
    assert "Games are sought: 5 words long (Cid), 6 stockpile (Ann). To see all: seeks" in at_table
    assert "elimination. To play" not in at_table and "Cid seeks" not in at_table


@pytest.mark.parametrize("line", ["/ignore cid", "/quiet on", "/notify seeks off"])
def test_at_a_table_an_offer_that_waited_is_read_by_who_wants_to_read_it_still(line):
    start = ("Bob> notify seeks words", "Bob> open elimination", "Ann> seek words",
             "Cid> seek words short")  # fmt: skip
    assert "Cid seeks a game" in told(*start, "60 s")["Bob"]
    assert "Cid seeks a game" not in told(*start, f"Bob> {line}", "60 s")["Bob"]


def test_an_offer_that_waited_is_read_under_the_name_of_then_also_in_the_lobby():
    read = told("Bob> notify seeks words", "Bob> open elimination", "Ann> seek words",
                "Cid> seek words short", "Cid> rename Zoe", "Cid> Zoe", "Bob> leave",
                "60 s")  # fmt: skip
    assert 1 == read["Bob"].count("Zoe seeks a game: words short. To play: accept 2")
    assert "Cid seeks" not in read["Bob"]


def test_at_a_table_nobody_reads_of_offers_unasked():
    read = told("Bob> notify seeks all", "Bob> notify seeks off", "Bob> open words",
                "Ann> seek words", "90 s")  # fmt: skip
    assert "Ann seeks" not in read["Bob"]
    assert 'There is no game called "chess".' in told("Bob> notify seeks chess")["Bob"]


def test_an_offer_goes_along_with_a_new_name_and_a_registered_guest():
    read = told(
        "gus> seek words", "gus> register gustav", "gus> correct horse", "gus> correct horse",
        "2 s", "Bob> seeks", "Bob> accept 1", people="Ann Bob", guests="gus",
    )  # fmt: skip
    assert "1 words, gustav" in last(read["Bob"], "seeks")
    assert 1 == read["Ann"].count("seeks a game")
    assert "takes your offer 1" in read["gus"]


def settings_told(lines: list[str], **sections: object) -> str:
    """What Cid has read after *lines*, each typed by Ann, Bob and Cid in turn."""

    async def scenario() -> str:
        server = await SimServer(new_world(1, **sections)).open()
        people = [server.person(name) for name in ("Ann", "Bob", "Cid")]
        await asyncio.sleep(0.5)
        for person, line in zip(people, lines, strict=True):
            person.type(line)
            await asyncio.sleep(0.3)
        return " ".join(people[-1].text.split())

    result: Any = virtual.run(scenario())
    return result


def test_an_address_and_the_server_have_a_bound():
    lines = ["seek words", "seek stockpile", "seek elimination"]
    few = {"tables": schema.TablesConfig(seeks_max=2)}
    sources = schema.SourceLimits(seeks_per_source_max=1, seeks_per_network_max=2)
    read = settings_told(lines, **few, sources=sources)
    assert "seek a game already. Type seeks to find one of them." in read
    read = settings_told(["seek words", "seek off", "seek elimination"], **few, sources=sources)
    assert "Too many people" in read or "You seek a game: elimination" in read


def test_an_offer_stands_whose_table_cannot_be_opened_and_nobody_reads_why():
    async def scenario() -> tuple[str, str]:
        server = await SimServer(new_world(1, tables=schema.TablesConfig(all_max=1))).open()
        people = [server.person(name) for name in ("Ann", "Bob", "Cid")]
        await asyncio.sleep(0.5)
        for who, line in ((0, "seek words"), (2, "open words"), (1, "accept 1"), (1, "seeks")):
            people[who].type(line)
            await asyncio.sleep(0.3)
        ann, bob = [" ".join(person.text.split()) for person in people[:2]]
        return ann, bob

    ann, bob = virtual.run(scenario())
    assert "No table can be opened for Ann right now. The offer stands." in bob
    assert "1 words, Ann" in bob and "lobby>" in bob
    assert "takes your offer" not in ann and "tables are taken" not in ann + bob


def test_that_an_offer_is_taken_is_told_when_it_is_written():
    async def scenario() -> tuple[str, str]:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(0.5)
        ann.type("seek words")
        await asyncio.sleep(0.3)
        await server.journal.hold()
        bob.type("accept 1")
        await asyncio.sleep(0.3)
        before = ann.text + bob.text
        server.journal.resume()
        await asyncio.sleep(0.3)
        return before, ann.text + bob.text

    before, after = virtual.run(scenario())
    for said in ("Bob takes your offer 1", "You take Ann's offer"):
        assert said not in before and said in after


def test_where_the_table_cannot_be_written_both_are_in_the_lobby_again():
    async def scenario() -> dict[str, str]:
        server = await SimServer(new_world(1)).open()
        here = {name: server.person(name) for name in ("Ann", "Bob", "Cid", "Dan")}
        await asyncio.sleep(0.5)

        async def types(*lines: str) -> None:
            for line in lines:
                who, _, text = line.partition("> ")
                here[who].type(text)
                await asyncio.sleep(0.3)

        await types("Cid> open stockpile", "Ann> seek words", "Ann> watch 1", "Bob> watch 1")
        server.journal.fail_always()
        await types("Bob> accept 1")
        server.journal.fail_always(False)
        await types("Dan> say hello", "Dan> who", "Ann> say I am here")
        return {name: " ".join(person.text.split()) for name, person in here.items()}

    read = virtual.run(scenario())
    assert "Dan: hello" in read["Ann"] and "Dan: hello" in read["Bob"]
    assert "Ann: I am here" in read["Dan"] and "table 2" not in read["Dan"]
    assert "takes your offer" not in read["Ann"]


def test_behind_a_list_the_number_of_a_row_is_typed_alone():
    read = told("Ann> seek words", "Bob> seeks", "Bob> 1")
    assert "You take Ann's offer (words), at table 1." in read["Bob"]
    read = told("Ann> open words", "Bob> tables", "Bob> 1", "Bob> watchers")
    assert "Watchers of table 1 Bob" in read["Bob"]
    read = told("Ann> open words correspondence", "Bob> sit 1", "Bob> ready", "Ann> ready",
                "2 s", "Ann> lobby", "Bob> lobby", "Bob> go", "Ann> go", "Ann> 1", "Bob> 1",
                "2 s", "Ann> lobby", "Ann> games", "Ann> 1", "2 s")  # fmt: skip
    assert "1 Table 1, words." in last(read["Ann"], "games")
    assert "table 1" in last(read["Ann"], "go") and "table 1" in last(read["Bob"], "go")


@pytest.mark.parametrize("between", ["Bob> who", "Bob> 7", "61 s"])
def test_a_number_alone_means_nothing_later(between):
    read = told("Ann> seek words", "Bob> seeks", between, "Bob> 1")
    assert "takes your offer" not in read["Ann"] and 'Unknown command "1"' in read["Bob"]


def test_a_number_alone_gives_up_no_seat():
    read = told("Ann> open words", "Bob> open stockpile", "Bob> tables", "Bob> 1", "Bob> look")
    assert 'Unknown command "1"' in read["Bob"] and "Table 2, stockpile." in last(
        read["Bob"], "look"
    )


def test_who_plays_types_numbers_for_the_game():
    read = told("Ann> seek words", "Bob> practice elimination", "2 s", "Bob> /seeks", "Bob> 1")
    assert "takes your offer" not in read["Ann"] and "You play at table" not in read["Bob"]


# -- match -----------------------------------------------------------------------------------------


def test_a_match_is_a_table_for_two_and_an_invitation():
    read = told("Ann> match bob words short rated", "4 s", "Cid> sit 1", "Bob> accept",
                "Bob> options")  # fmt: skip
    assert "Table 1 is for people who were invited." in read["Cid"]
    assert "Ann invites you to table 1 (words). Type accept Ann, or decline Ann" in read["Bob"]
    assert "Bob joined the table." in read["Ann"]
    options = last(read["Bob"], "options")
    assert all(it in options for it in ("preset=short", "who=invited", "rated=on"))


def test_the_number_of_the_table_means_the_invitation_where_no_offer_has_it():
    read = told("Ann> match bob words", "Cid> accept 1", "Bob> accept 1", "2 s")
    assert "Bob joined the table." in read["Ann"] and "That offer is gone." in read["Cid"]
    read = told("Ann> match bob words", "Cid> seek elimination", "Bob> accept 1", "2 s")
    assert "You take Cid's offer (elimination), at table 2." in read["Bob"]


def test_who_declines_a_match_can_say_why():
    read = told("Ann> match bob elimination", "4 s", "Bob> decline ann after dinner")
    assert "Bob declines the invitation." in read["Ann"]
    assert "Bob tells you: after dinner" in read["Ann"]


def test_without_a_game_it_is_the_last_one_of_the_two():
    read = told(
        "Ann> match bob", "Ann> match bob elimination seats=2 pace=instant clocks=off", "4 s",
        "Bob> accept", "Ann> start", "Bob> start", "2 s", "Ann> draw", "Bob> draw", "2 s",
        "Ann> offer draw", "4 s", "Bob> /accept", "3 s", "Bob> leave", "Ann> leave", "2 s",
        "Ann> match bob", "Ann> match bob rated",
    )  # fmt: skip
    assert "You and Bob have no game in common yet. Name one, as in: match Bob" in read["Ann"]
    assert "Ann invites you to table 1 (elimination)." in read["Bob"]
    assert "Ann invites you to table 2 (elimination)." in read["Bob"]


def test_nobody_gets_a_table_for_a_match_that_is_refused():
    read = told(
        "Ann> match ann", "Ann> match dan", "Ann> match bob chess",
        "Ann> match bob words who=anyone",
        "Bob> set invitations off", "Ann> match bob words", "Ann> match gus words", "gus> who",
        "Cid> ignore ann", "Ann> match cid words", "Ann> tables", guests="gus",
    )  # fmt: skip
    assert "That is you. To seek somebody: seek GAME" in read["Ann"]
    assert 'There is no game called "chess".' in read["Ann"]
    assert "A match is for the person you name" in read["Ann"]
    assert "Bob takes no invitations from you." in read["Ann"]
    assert "Cid takes no invitations from you." in read["Ann"]
    assert "opened table" not in read["Ann"] and "table 1>" not in read["Ann"]


def test_a_match_that_a_guest_cannot_play_is_not_offered_to_one():
    read = told("Ann> match guest1 words rated", "Ann> match guest1 words correspondence",
                "Ann> match guest1 words", guests="gus")  # fmt: skip
    assert 2 == read["Ann"].count("guest1 is a guest, and this game is for registered players.")
    assert "Ann invites you to table 1 (words)." in read["gus"]
    read = told("gus> match ann words", guests="gus")
    assert "invites" not in read["Ann"] and "opened table" not in read["Ann"]


def test_friends_alone_can_invite_who_wants_that():
    read = told("Bob> set invitations friends", "Bob> friend ann", "Cid> match bob words",
                "Ann> match bob words")  # fmt: skip
    assert "Bob takes no invitations from you." in read["Cid"]
    assert "Ann invites you to table 1 (words)." in read["Bob"]


def test_who_plays_opens_no_match():
    read = told("Ann> open words", "Cid> sit 1", "Ann> match bob words")
    assert "You have a seat at table 1. To give it up: leave" in read["Ann"]
    assert "invites" not in read["Bob"]
