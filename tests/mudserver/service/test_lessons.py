"""`learn`: a lesson beside talk and commands, what is kept of it, and a game that comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from mudserver.accounts.learned import LearnedLesson
from mudserver.service.lessons import IDLE_S
from mudserver.service.shields import SHIELDED_S
from mudserver.tables.records import Played
from tests.simulation import virtual
from tests.simulation.server import Seatholder, SimServer, new_world
from variants.catalogue import CATALOGUE

Scene = Callable[[SimServer, Seatholder], Awaitable[None]]


async def _typed(person: Seatholder, *lines: str) -> str:
    """What a person reads who types these lines."""
    person.forget()
    for line in lines:
        person.type(line)
        await asyncio.sleep(0.5)
    return person.text


def played(scene: Scene, *, is_guest: bool = False, at_once: int = 200) -> SimServer:
    """A scene with somebody who has just come in."""

    async def play() -> SimServer:
        server = await SimServer(new_world(1)).open()
        server.app.lessons.at_once = at_once
        ann = server.guest() if is_guest else server.person("Ann")
        await asyncio.sleep(0.5)
        await scene(server, ann)
        return server

    return virtual.run(play())


def says(*lines: str, is_guest: bool = False, at_once: int = 200) -> str:
    found = []

    async def scene(server: SimServer, ann: Seatholder) -> None:
        found.append(await _typed(ann, *lines))

    played(scene, is_guest=is_guest, at_once=at_once)
    return found[0]


# -- the way in ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_guest", [False, True])
def test_three_lines_lead_to_the_first_own_move(is_guest):
    read = says("learn", "1", "draw", is_guest=is_guest)
    assert "Which game? 1 elimination (5 min), 2 stockpile (6 min), 3 words (8 min)" in read
    assert "You draw the 4 of spades." in read and "Two 4s: they lock" in read
    assert "lesson 1/6> " in read


def test_the_first_page_names_the_lesson_first_and_the_next_login_the_one_that_waits():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        assert "  learn" in ann.text.partition("  play ")[0]
        await _typed(ann, "learn words", "skip", "quit")
        again = server.person("Ann")
        await asyncio.sleep(0.5)
        assert "Lesson words: step 2 of 7. Type learn to continue." in again.text
        assert "Words, step 2 of 7: Parking" in await _typed(again, "learn")

    played(scene)


def test_who_has_finished_neither_a_game_nor_a_lesson_is_led_to_one_at_each_login():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        await _typed(ann, "quit")
        again = server.person("Ann")
        await asyncio.sleep(0.5)
        assert "Type learn for a lesson of about five minutes" in again.text
        await _typed(again, "learn elimination", *["skip"] * 6, "quit")
        once_more = server.person("Ann")
        await asyncio.sleep(0.5)
        assert "Welcome back" in once_more.text and "Type learn" not in once_more.text

    played(scene)


def test_the_lobby_of_the_full_screen_says_how_far_each_lesson_is():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        await _typed(ann, "learn elimination", *["skip"] * 6, "learn words", "skip", "stop")
        overview = server.app.service.lessons.overview(ann.link.handler.person)
        assert dict(overview) == {
            "elimination": "done", "stockpile": "6 min", "words": "step 2 of 7",
        }  # fmt: skip

    played(scene)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("learn chess", "chess"),
        ("learn words now", "Type learn GAME, or learn GAME again"),
        ("practice words\nlearn words", "You are in a game at table 1. Finish it, or type leave."),
    ],
)
def test_what_is_no_lesson_is_refused(line, reason):
    assert reason in says(*line.split("\n"))


def test_more_than_there_are_places_for_have_to_wait():
    assert "All lesson seats are taken." in says("learn words", at_once=0)


# -- in a lesson -----------------------------------------------------------------------------------


def test_lines_of_the_lesson_of_the_server_and_of_the_game_each_reach_their_own():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        bob = server.person("Bob")
        await asyncio.sleep(0.5)
        await _typed(ann, "learn elimination")
        assert "Elimination, step 1 of 6" in await _typed(ann, "")
        assert "Your hand: " in await _typed(ann, "look")
        assert "- take juno" in await _typed(ann, "moves take")
        assert "9♣" in await _typed(ann, "hand") and "9♣" in await _typed(ann, "my cards")
        assert "Bob" in await _typed(ann, "who")
        await _typed(ann, "'hi Bob", "/say and again")
        assert "Ann: hi Bob" in bob.text and "Ann: and again" in bob.text
        assert "This is the first step." in await _typed(ann, "back")
        assert "Unknown topic" not in await _typed(ann, "help learn")
        assert "A good move in a game" in await _typed(ann, "shuffle")
        assert "Elimination, step 2 of 6: The fourth card" in await _typed(ann, "skip")
        assert "step 1 of 6" in await _typed(ann, "back")
        assert "> draw" in (shown := await _typed(ann, "show")) and "You draw the 4" in shown
        assert 'Did you mean "next juno"' in await _typed(ann, "nxet juno")
        assert "Juno" in await _typed(ann, "y") and server.app.lessons.is_learning(_id(ann, server))
        assert "stopped at step 2 of 6. To go on: learn elimination" in await _typed(ann, "stop")
        assert "You aren't in a game" in await _typed(ann, "draw")
        assert not server.app.table_manager._runners

    played(scene)


def _id(person: Seatholder, server: SimServer) -> str:
    return next(s.person.id for s in server.app.session_manager.sessions
                if s.person is not None and s.person.name == person.name)  # fmt: skip


def test_enter_alone_passes_where_the_rules_have_it_and_else_repeats():
    read = says("learn words", "draw 2", "form ears", "done", "draw 2", "")
    assert "step 2 of 7: Parking" in read


def test_a_finished_lesson_is_written_before_it_is_said():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        read = await _typed(ann, "learn elimination", *["skip"] * 5, "show")
        assert "Lesson finished." in read and "starts a real game" in " ".join(read.split())
        learned = server.app.account_service._accounts.lessons(_id(ann, server))
        assert {"elimination": LearnedLesson(1, is_finished=True)} == learned
        assert "step 1 of 6" in await _typed(ann, "learn elimination", "stop")

    played(scene)


def test_other_words_lead_out_and_tab_completes_moves():
    assert "stopped at step 1 of 7" in says("learn stockpile", "leave game")
    assert "You lay EARS" in says("learn words", "draw 2", "play ears")
    assert "End of your turn" not in says("learn words", "?!")

    async def scene(server: SimServer, ann: Seatholder) -> None:
        await _typed(ann, "learn elimination")
        session = next(s for s in server.app.session_manager.sessions if s.person is not None)
        assert "juno" in session.complete("take ", 5).candidates
        assert "skip" in session.complete("sk", 2).candidates

    played(scene)


def test_a_guest_goes_on_where_the_lesson_was_left_as_long_as_the_guest_is_here():
    read = says("learn stockpile", "skip", "skip", "stop", "learn", is_guest=True)
    assert "Stockpile, step 3 of 7" in read.partition("stopped")[2]
    read = says("learn stockpile", "skip", "learn stockpile again", is_guest=True)
    assert read.count("step 1 of 7") == 2


def test_what_the_others_do_first_is_told():
    assert "Milo gives you the queen of clubs" in says("learn elimination", "skip", "skip", "skip")


# -- what ends it ----------------------------------------------------------------------------------


def test_a_game_that_begins_comes_first_and_is_not_played_by_the_lesson():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        bob = server.person("Bob")
        await asyncio.sleep(0.5)
        await _typed(ann, "open elimination clocks=off", "learn elimination")
        await _typed(bob, "sit 1", "start")
        ann.forget()
        ann.type("ready")
        await asyncio.sleep(0.2)
        assert "You play at table 1 now. The lesson is paused." in ann.text
        ann.type("draw")
        await asyncio.sleep(0.1)
        assert "The game has just started, so that was not played." in ann.text
        game = server.app.table_manager._runners[1].table.game
        assert game is not None and not any(isinstance(each, Played) for each in game.plays)
        await asyncio.sleep(0.1)
        ann.forget()
        ann.type("'sorry, was learning")
        ann.type("who")
        await asyncio.sleep(0.1)
        assert "Ann: sorry, was learning" in ann.text and "so that was not played" not in ann.text
        ann.type("")
        await asyncio.sleep(0.1)
        assert not server.app.lessons.is_shielded(_id(ann, server), "draw")

    played(scene)


def test_after_a_while_a_game_takes_every_line():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        await _typed(ann, "learn elimination", "practice elimination")
        await asyncio.sleep(SHIELDED_S)
        assert "so that was not played" not in await _typed(ann, "draw", "shuffle")

    played(scene)


def test_a_lesson_in_which_nothing_is_typed_ends_and_can_be_taken_up():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        await _typed(ann, "learn words")
        await asyncio.sleep(IDLE_S - 60)
        await _typed(ann, "repeat")
        await asyncio.sleep(IDLE_S - 60)
        assert server.app.lessons.count() == 1
        await asyncio.sleep(120)
        assert "Nothing was typed for 30 min, so the lesson has ended." in ann.text
        assert server.app.lessons.count() == 0

    played(scene)


def test_who_watches_a_game_takes_no_lesson_and_is_promised_no_seat():
    async def scene(server: SimServer, ann: Seatholder) -> None:
        bob = server.person("Bob")
        await asyncio.sleep(0.5)
        await _typed(bob, "open elimination clocks=off", "bot easy", "start")
        read = await _typed(ann, "learn words", "watch 1")
        assert "You are watching table 1. The lesson is paused." in read
        assert "To learn, first type unwatch" in await _typed(ann, "learn words")

    played(scene)


def test_nothing_is_left_of_who_has_gone():
    def timers() -> int:
        waiting = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        return sum(not handle.cancelled() for handle in waiting)

    async def scene(server: SimServer, ann: Seatholder) -> None:
        before = timers()
        await _typed(ann, *["learn words", "stop", "learn words"] * 5)
        assert before + 1 == timers()
        await _typed(ann, "quit")
        lessons = server.app.lessons
        assert not (lessons._learners or lessons._kept or lessons._shields)
        assert before >= timers()

    played(scene)


# -- what is known of the cards --------------------------------------------------------------------


def test_in_a_lesson_cards_are_those_of_its_position():
    """With a second 4 in the hand two are left; a game without a position has four of all."""
    read = says("learn elimination", "cards", "draw", "cards 4", "card joker")
    before, after = read.split("You draw the 4 of spades.")
    assert "4: 3 unseen of 4, 1 in your hand" in before
    assert "4: 2 unseen of 4, your pair" in after
    assert "To clear with it, type: clear joker" in after


def test_in_a_lesson_a_mistyped_card_is_offered_and_other_games_are_answered():
    read = says("learn stockpile", "card infction", "y", "cards words", "card xyzzyplugh")
    assert 'Did you mean "card infection"? Type y to run it.' in read
    assert "Infection: an Impact card." in read
    assert "Letters in the box:" in read
    assert 'There is no card "xyzzyplugh". Type cards for the list.' in read


@pytest.mark.parametrize("game", ["elimination", "stockpile", "words"])
def test_in_a_lesson_tips_and_rules_are_those_of_its_game(game):
    read = says(f"learn {game}", "tips", "rules", "tips words")
    assert f"Tips for {game}" in read and f"See also: rules {game}" in read
    assert CATALOGUE[game].guide[0][:40] in read and "Tips for words" in read
