"""Who is here and what they say.  Time is a number that the tests choose."""

from __future__ import annotations

import pytest
from msgspec import structs

from mudserver.accounts.person import Person
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.lobby.lobby import NOTICES_BURST, NOTICES_PER_S, WHO_ROWS_MAX, Lobby
from mudserver.messages import Announcement, Notice, Page, SayMessage, TellMessage

ANN, BOB, CID = (Person(name.lower(), name, is_guest=False) for name in ("Ann", "Bob", "Cid"))
GUEST = Person("g1", "guest1", is_guest=True)
LIMITS = schema.ChatLimits()


@pytest.fixture
def lobby():
    lobby = Lobby(LIMITS, {"zoe": "Zoe", "bo": "Bo"}.get)
    for person in (ANN, BOB, CID, GUEST):
        lobby.enter(person, 0.0)
    return lobby


def refusal(call, *arguments) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments)
    return str(caught.value)


# -- talk --------------------------------------------------------------------------------------


def test_what_is_said_is_heard_in_the_same_place_only(lobby):
    lobby.set_location("bob", 12)
    said = SayMessage("Ann", "hello all", None, "ann")
    assert [("ann", said), ("cid", said), ("g1", said)] == (lobby.say("ann", " hello  all ", 1.0))
    assert [("bob", SayMessage("Bob", "hm", 12, "bob"))] == (lobby.say("bob", "hm", 1.0))
    lobby.set_location("bob", None)
    assert 4 == len(lobby.emote("bob", "waves", 1.0))


def test_wherever_people_go_they_hear_who_is_there(lobby):
    at = dict.fromkeys(("ann", "bob", "cid", "g1"))
    going = (("bob", 1), ("ann", 1), ("bob", 2), ("cid", 2), ("ann", 1), ("bob", None), ("g1", 2))
    for second, (person, table) in enumerate(going):
        lobby.set_location(person, table)
        at[person] = table
        heard = {address for address, _ in (lobby.say("ann", f"line {second}", second * 9.0))}
        assert {name for name, place in at.items() if place == at["ann"]} == heard
    lobby.leave("ann", 70.0)
    assert {None: ["bob"], 2: ["cid", "g1"]} == {k: list(v) for k, v in lobby._by_location.items()}


def test_everybody_gets_the_same_object(lobby):
    assert 1 == len({id(message) for _, message in (lobby.say("ann", "hello", 1.0))})


def test_public_news_is_heard_in_the_lobby(lobby):
    lobby.set_location("bob", 12)
    news = Announcement("Bob opened table 12.")
    assert [("ann", news), ("cid", news), ("g1", news)] == (lobby.announce_in_lobby(news.text))


def test_what_is_told_is_heard_by_one_wherever_that_one_is(lobby):
    lobby.set_location("bob", 12)
    assert [
        ("bob", TellMessage("Ann", "psst", None, "ann", "bob")),
        ("ann", TellMessage("Ann", "psst", "Bob", "ann", "bob")),
    ] == lobby.tell("ann", "BOB", "psst", 1.0)
    assert ("ann", TellMessage("Bob", "what?", None, "bob", "ann")) == lobby.reply(
        "bob", "what?", 2.0
    )[0]
    assert "tell NAME TEXT" in refusal(lobby.reply, "cid", "hm", 2.0)


def test_the_teller_hears_that_the_other_is_idle(lobby):
    assert ("ann", Notice("Bob has been idle for 10 min and may not see this.")) == lobby.tell(
        "ann", "bob", "psst", 601.0
    )[-1]
    lobby.on_input("bob", 602.0)
    assert 2 == len(lobby.tell("ann", "bob", "psst again", 603.0))


def test_at_a_table_nobody_is_called_idle(lobby):
    """Or who has answered in secret would be seen from who typed last.  [SEC-7]"""
    lobby.set_location("bob", 12)
    assert 2 == len(lobby.tell("ann", "bob", "psst", 601.0))


def test_guests_answer_but_do_not_begin(lobby):
    assert "Guests can't" in refusal(lobby.tell, "g1", "ann", "psst", 1.0)
    lobby.tell("ann", "guest1", "hello", 1.0)
    assert ("ann", TellMessage("guest1", "thanks", None, "g1", "ann")) == lobby.reply(
        "g1", "thanks", 2.0
    )[0]


def test_a_reply_reaches_the_person_and_never_the_next_guest_of_that_name(lobby):
    lobby.tell("ann", "guest1", "hello", 1.0)
    lobby.reply("g1", "hello Ann", 2.0)
    lobby.leave("g1", 3.0)
    gone = "guest1 has left. The next guest1 is somebody else."
    assert gone == refusal(lobby.reply, "ann", "a secret", 4.0)
    lobby.enter(Person("g2", "guest1", is_guest=True), 3_604.0)
    assert gone == refusal(lobby.reply, "ann", "a secret", 3_605.0)
    assert ("g2", TellMessage("Ann", "who are you?", None, "ann", "g2")) == lobby.tell(
        "ann", "guest1", "who are you?", 3_606.0
    )[0]


def test_a_guest_who_took_the_seat_back_is_answered(lobby):
    lobby.tell("ann", "guest1", "hello", 1.0)
    lobby.reply("g1", "hello Ann", 2.0)
    lobby.leave("g1", 3.0)
    lobby.enter(GUEST, 4.0)
    assert ("g1", TellMessage("Ann", "you are back", None, "ann", "g1")) == lobby.reply(
        "ann", "you are back", 5.0
    )[0]
    assert lobby.tell("ann", "guest1", "good", 6.0)


def test_a_reply_to_an_account_waits_for_its_next_visit(lobby):
    lobby.tell("bob", "ann", "psst", 1.0)
    lobby.leave("bob", 2.0)
    assert "Bob is offline. Type mail Bob TEXT to leave a message." == refusal(
        lobby.reply, "ann", "what?", 3.0
    )
    lobby.enter(BOB, 4.0)
    assert ("bob", TellMessage("Ann", "what?", None, "ann", "bob")) == lobby.reply(
        "ann", "what?", 5.0
    )[0]


def test_what_is_told_to_a_guest_who_has_left_reaches_no_other_guest(lobby):
    lobby.enter(Person("g12", "guest12", is_guest=True), 1.0)
    lobby.leave("g1", 2.0)
    assert "guest1 has left." == refusal(lobby.tell, "ann", "GUEST1", "psst", 3.0)
    assert "guest1 has left." == refusal(lobby.person_by_name, "GUEST1", 3.0)
    assert "guest1 has left." == refusal(lobby.presence_by_name, "guest1", 3_601.9)
    assert "guest12" == lobby.presence_by_name("guest1", 3_602.0).name


def test_talk_is_cleaned(lobby):
    assert (
        SayMessage("Ann", "[2J boo", None, "ann")
        == lobby.say("ann", "\x1b[2J\r\nboo\u202e", 1.0)[0][1]
    )
    assert "Say what?" in refusal(lobby.say, "ann", " \x1b\u200b ", 1.0)


def test_too_long_a_line_is_refused_whole(lobby):
    assert "401 of 400 characters" in refusal(lobby.say, "ann", "x" * 401, 1.0)
    assert lobby.say("ann", "x" * 400, 1.0)


# -- limits ------------------------------------------------------------------------------------


def allowed(lobby, person_id: str, seconds: int) -> int:
    """How many of ten different lines a second get through."""
    count = 0
    for tenth in range(seconds * 10):
        try:
            lobby.say(person_id, f"line {tenth}", 100 + tenth / 10)
            count += 1
        except UserError as exc:
            assert "too fast" in str(exc)
    return count


def test_a_person_says_a_line_a_second_and_a_guest_one_in_three(lobby):
    assert 60 + LIMITS.burst - 1 <= allowed(lobby, "ann", 60) <= 60 + LIMITS.burst
    assert 20 + LIMITS.burst - 1 <= allowed(lobby, "g1", 60) <= 21 + LIMITS.burst


def test_the_same_again_and_again_mutes_for_a_minute_and_leaving_does_not_help(lobby):
    for second in range(3):
        lobby.say("ann", ("Buy!", "buy!", "BUY!")[second], 10.0 + second)
    assert "You can't talk for 60 s" in refusal(lobby.say, "ann", "buy!", 13.0)
    lobby.leave("ann", 14.0)
    lobby.enter(ANN, 15.0)
    assert "for 58 s more" in refusal(lobby.say, "ann", "something else", 15.0)
    assert "You can't talk" in refusal(lobby.tell, "ann", "bob", "psst", 72.9)
    assert lobby.say("ann", "buy!", 73.0)


def test_other_lines_between_do_not_hide_a_repetition(lobby):
    for second in range(3):
        lobby.say("ann", "Buy!", 10.0 + 10 * second)
        lobby.say("ann", f"line {second}", 12.0 + 10 * second)
    assert "That is the same message again." in refusal(lobby.say, "ann", "buy!", 69.9)
    assert "you said the same again and again" in refusal(lobby.say, "ann", "well", 70.0)


def test_the_same_word_a_minute_later_is_no_repetition(lobby):
    for minute in range(10):
        assert lobby.say("ann", "hello", 61.0 * minute)


# -- who is meant ------------------------------------------------------------------------------


def test_a_name_may_be_cut_short_where_only_one_fits(lobby):
    assert CID.name == lobby.presence_by_name("c", 1.0).name
    lobby.enter(Person("x", "Annabel", is_guest=False), 1.0)
    assert ANN.name == lobby.presence_by_name("ann", 1.0).name
    assert '"an" is ambiguous: Ann or Annabel?' == refusal(lobby.presence_by_name, "an", 1.0)


def test_who_is_out_is_not_mistaken_for_who_is_in(lobby):
    assert "Zoe is offline. Type mail Zoe TEXT to leave a message." == refusal(
        lobby.tell, "ann", "zoe", "psst", 1.0
    )
    assert "Bo is offline. Type mail Bo TEXT to leave a message." == refusal(
        lobby.tell, "ann", "bo", "psst", 1.0
    )


def test_a_mistyped_name_is_answered_with_the_nearest(lobby):
    assert 'Nobody called "bbo" is online. Did you mean Bob?' == refusal(
        lobby.presence_by_name, "bbo", 1.0
    )
    assert 'Nobody called "xyzzy" is online. Type who for a list.' == refusal(
        lobby.presence_by_name, "xyzzy", 1.0
    )
    assert 'Nobody called "" is online. Type who for a list.' == refusal(
        lobby.presence_by_name, "\x1b", 1.0
    )


def test_nobody_tells_himself(lobby):
    assert "That is you" in refusal(lobby.tell, "ann", "ann", "psst", 1.0)


def test_many_names_that_fit_are_not_all_listed():
    lobby = Lobby(LIMITS)
    for number in range(1_000):
        lobby.enter(Person(f"p{number}", f"ann{number:03}", is_guest=False), 0.0)
    assert (
        '"ann" is ambiguous: ann000, ann001, ann002, ann003, ann004 or one of 995 more?'
        in refusal(lobby.presence_by_name, "ann", 1.0)
    )


def test_the_list_shows_public_facts_in_forty_columns(lobby):
    lobby.set_location("bob", 200)
    lobby.on_input("ann", 4_000.0)
    page = lobby.who_page(4_000.0)
    assert (
        Page(
            "4 people are here",
            (
                "Ann               lobby",
                "Bob               table 200",
                "Cid               lobby      idle 66 min",
                "guest1            lobby      idle 66 min",
            ),
        )
        == page
    )
    assert all(len(row) <= 40 for row in page.rows)
    for person_id in ("bob", "cid", "g1"):
        lobby.leave(person_id, 5.0)
    assert "1 person is here" == lobby.who_page(5.0).title
    assert ["Ann"] == lobby.online_names()


def test_a_long_list_ends_with_how_many_more_and_how_to_find_them():
    lobby = Lobby(LIMITS)
    for number in range(WHO_ROWS_MAX + 412):
        lobby.enter(Person(f"p{number}", f"ann{number:03}", is_guest=False), 0.0)
    page = lobby.who_page(1.0)
    assert f"{WHO_ROWS_MAX + 412} people are here" == page.title
    assert [f"ann{number:03}" for number in range(60)] == [row.split()[0] for row in page.rows[:-1]]
    assert "... and 412 more: who A, who friends, who staff, who table 5" == page.rows[-1]
    few = lobby.who_page(1.0, ["p470", "p7", "p9999"])
    assert ("2 people of 472 who are here", ["ann007", "ann470"]) == (
        few.title, [row.split()[0] for row in few.rows]
    )  # fmt: skip


# -- comings and goings ------------------------------------------------------------------------


def test_the_lobby_hears_who_comes_and_goes_but_not_the_one_concerned(lobby):
    dan = Person("dan", "Dan", is_guest=False)
    lobby.set_location("bob", 12)
    news = Announcement("Dan is here.")
    assert [("ann", news), ("cid", news), ("g1", news)] == (lobby.enter(dan, 10.0))
    assert [] == lobby.enter(dan, 10.0)
    assert {Announcement("Dan has left.")} == {m for _, m in lobby.leave("dan", 11.0)}
    assert [] == lobby.leave("dan", 11.0)


def test_in_a_large_lobby_nobody_hears_who_comes_and_goes():
    lobby = Lobby(structs.replace(LIMITS, arrivals_max=3))
    people = [Person(f"p{number}", f"ann{number}", is_guest=False) for number in range(6)]
    told = [lobby.enter(person, number * 10.0) for number, person in enumerate(people)]
    assert [0, 1, 2, 3, 0, 0] == [len(deliveries) for deliveries in told]
    assert [] == lobby.leave("p5", 60.0) == lobby.leave("p4", 61.0)
    assert 3 == len(lobby.leave("p3", 62.0))


def test_a_storm_of_logins_is_told_in_few_lines_and_nobody_is_lost(lobby):
    lobby.reconfigure(structs.replace(LIMITS, arrivals_max=10_000), 0.0)
    heard = []

    def note(deliveries):
        heard.extend(message.text for address, message in deliveries if address == "ann")

    for number in range(8_000):
        note(lobby.enter(Person(f"p{number}", f"ann{number}", is_guest=False), number / 800))
        if number > 100:
            note(lobby.leave(f"p{number - 100}", number / 800))
    note(lobby.flush_held_notices(20.0))
    assert len(heard) <= NOTICES_BURST + 10 * NOTICES_PER_S + 1
    came = left = 0
    for line in heard:
        for part in line.rstrip(".").split(", "):
            words = part.split()
            if words[1:] == ["is", "here"]:
                came += 1
            elif words[1:] == ["has", "left"]:
                left += 1
            elif words[2:] == ["arrived"]:
                came += int(words[0])
            else:
                assert words[2:] == ["left"]
                left += int(words[0])
    assert (8_000, 7_899) == (came, left)
    assert [] == lobby.flush_held_notices(30.0)


def test_a_voice_is_forgotten_when_nothing_that_was_said_counts_any_more(lobby):
    for now in range(4):
        lobby.say("ann", f"line {now}", float(now))
    lobby.say("g1", "hello", 3.0)
    lobby.say("bob", "hm", 62.0)
    assert {"ann", "g1", "bob"} == set(lobby._chat_limits)
    lobby.say("bob", "well", 64.0)
    assert {"bob"} == set(lobby._chat_limits)
