"""What help, settings and lists say, and that every row of them can be read."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from mudserver.commands import texts
from mudserver.commands.help import EXTRA_TOPICS, SAME_AS, help_page
from mudserver.commands.verb import TOPICS, all_verbs
from mudserver.config.schema import Config
from mudserver.errors import UserError
from mudserver.host_pages import load_host_pages
from tests.simulation import virtual
from tests.simulation.server import ANSI, SimServer, new_world, plain
from variants.catalogue import CATALOGUE

PAGES_OF_HOST = load_host_pages(Config())


def read(*lines: str, cols: int = 80, is_linear: bool = False) -> list[str]:
    """What somebody is answered who types *lines*."""

    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        terminal = replace(ANSI, cols=cols, is_screen_reader=is_linear)
        ann = server.person("Ann", terminal)
        answers = []
        for line in ("", *lines):
            ann.forget()
            ann.type(line)
            await asyncio.sleep(0.2)
            answers.append(_answer(ann.link.heard))
        return answers[1:]

    return virtual.run(scenario())


def _answer(heard: bytes) -> str:
    """What stands between the line that was typed and the next prompt."""
    return plain(heard.split(b"\n", 1)[1]).rpartition("\n")[0]


def test_what_is_called_otherwise_is_found():
    for word, verb in SAME_AS.items():
        assert f"Help: {verb}" == help_page(word, CATALOGUE, PAGES_OF_HOST).title


PAGES = ("help", "commands", "set", "tables", "rules", "about", "terminal", "who",
         *(f"rules {name}" for name in CATALOGUE),
         *(f"help {topic}" for topic in (*TOPICS, *EXTRA_TOPICS)))  # fmt: skip


@pytest.mark.parametrize("is_linear", [False, True], ids=["columns", "linear"])
@pytest.mark.parametrize("cols", [40, 80])
def test_no_row_of_a_page_is_wider_than_the_terminal(cols, is_linear):
    for page, text in zip(PAGES, read(*PAGES, cols=cols, is_linear=is_linear), strict=True):
        rows = text.splitlines()
        assert rows and max(map(len, rows)) <= cols, (page, text)
        assert "\t" not in text


def test_every_verb_has_a_page_that_says_how_to_type_it_and_where_to_read_on():
    for verb in all_verbs():
        if verb.name in TOPICS:  # its page is the topic's, where it has a row
            continue
        page = help_page(verb.name, CATALOGUE, PAGES)
        assert page.rows[0] == verb.usage
        assert page.rows[-1].startswith("See also: ")


def test_help_on_a_page_of_help_is_found_wherever_it_is_pointed_to():
    known = {verb.name for verb in all_verbs()}
    for verb in all_verbs():
        assert set(verb.see_also) <= known, verb.name


def test_the_sentences_of_a_help_text_go_on_over_the_lines_of_the_source():
    assert (
        "These options go with every game; rules GAME lists those of one game, with its clocks."
        in help_page("open", CATALOGUE, PAGES).rows
    )
    assert "clocks=off\tno time limits" in help_page("open", CATALOGUE, PAGES).rows


def test_a_guest_who_looks_for_a_name_reads_how_to_get_one():
    for word in ("guest", "name"):
        assert "type: register NAME" in "\n".join(map(str, help_page(word, CATALOGUE, PAGES).rows))
    assert "register NAME [CODE]" == help_page("register", CATALOGUE, PAGES).rows[0]


def test_help_shows_commands_of_the_staff_to_those_alone_who_may_use_them():
    def page(topic, may_use):
        return help_page(topic, CATALOGUE, PAGES, lambda v: not v.permission or may_use)

    for_staff = {v.name: v for v in all_verbs() if v.permission}
    others = {"guests": "Guests", "sanction": "Help: sanctions", "warn": "Help: warnings"}
    for name, each in for_staff.items():
        assert each.usage == page(name, True).rows[0]
        if name in others:  # what it is for everybody else
            assert others[name] == page(name, False).title
            continue
        with pytest.raises(UserError, match=f'No help on "{name}"') as refused:
            page(name, False)
        similar = re.search(r"topics: (.*?)\. ", str(refused.value))
        assert not similar or not {*similar[1].split(", ")} & for_staff.keys() - {"guests"}


def test_an_unknown_topic_is_answered_with_the_nearest():
    with pytest.raises(UserError, match=r'No help on "opne"\. Similar topics: open'):
        help_page("opne", CATALOGUE, PAGES)


def test_help_on_a_play_leads_to_the_rules_of_its_games():
    steal = "rules words\tsteal is a move of words; how it works"
    assert steal in help_page("steal", CATALOGUE, PAGES).rows
    plays = [row for row in help_page("draw", CATALOGUE, PAGES).rows if "draw is a move of" in row]
    assert len(plays) == len(CATALOGUE)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("sit", "sit: something is missing. Type it like this: sit TABLE [CODE]"),
        ("tell ann", "tell: something is missing. Type it like this: tell NAME TEXT..."),
        ("start", texts.NOT_AT_TABLE),
        ("q", 'For "q" type the whole word: quit'),
        ("sit 1 2 3", 'sit: I don\'t understand "3". Type it like this: sit TABLE [CODE]'),
        ("hello", "Hello, Ann! Nobody else is here right now. Type play or learn"),
        ("blah", "Unknown command \"blah\". Type help for a list, or ' to say it."),
        ("opne", 'Unknown command "opne". Did you mean "open"? Type y to run it.'),
        ("tabels", 'Unknown command "tabels". Did you mean "tables"? Type y to run it.'),
        ("draw", texts.NOT_IN_GAME),
        ("words", "Words is a game. Type play words to start one, learn words for a lesson."),
        ("rules chess", 'There is no game called "chess". There are: '
                        f"{', '.join(CATALOGUE)}."),
        ("set colour red", 'colour can\'t be "red". It can be auto, off, 16, 256 or true.'),
        ("set width 7", 'width can\'t be "7". It can be auto or a number from 40 to 300.'),
        ("finger zed", 'Nobody called "zed" is online. Type who for a list.'),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_with_what_can(typed, answer):
    assert [answer] == read(typed, cols=200)


def test_a_word_without_end_is_not_said_back_whole():
    (answer,) = read("x" * 400, cols=200)
    assert answer.startswith(f'Unknown command "{"x" * 40}...".')


def test_a_play_at_a_table_without_a_game_is_answered_with_start():
    waits = texts.NOT_STARTED
    assert [waits] == read("open elimination", "draw")[-1:]


def test_what_is_asked_at_a_table_of_another_game_is_said_to_be():
    (answer,) = read("open elimination", "reckoning")[-1:]
    assert '"reckoning" is a question at a table of words.' in answer


def test_who_comes_in_reads_how_to_find_a_seat():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        texts = []
        for name in ("Ann", "Bob"):
            person = server.person(name)
            await asyncio.sleep(0.2)
            texts.append(" ".join(plain(person.link.heard).split()))
            person.type("open elimination")
            await asyncio.sleep(0.2)
        return texts

    ann, bob = virtual.run(scenario())
    assert all("tables, who what is being played, and who is here" in text for text in (ann, bob))


def test_a_play_that_comes_too_late_begins_no_command():
    late = texts.NOT_STARTED
    table = ("open words", "pass", "add d to bob dates")
    assert [late.format("pass"), late.format("add")] == read(*table)[-2:]
    assert '"pass" is a play' not in read(*table[:1], "/pass")[-1]


def test_a_setting_that_is_asked_about_says_what_it_can_be():
    theme, width = read("set theme", "set width", cols=200)
    words = "default, high-contrast, mono or colour-blind"
    assert f"theme is default (default): which colours to use. It can be {words}." == theme
    assert width.endswith(": columns to write in: auto or 40 to 300.")


def test_the_words_for_a_screen_reader_of_the_greeting_work_inside_and_in_a_game():
    assert ["screenreader: on."] == read("screenreader on")
    table = ("open elimination pace=instant clocks=off", "bot", "start")
    assert ["screenreader: off."] == read(*table, "screenreader off")[-1:]


def test_a_game_is_known_by_the_beginning_of_its_name():
    assert read("rules elimination") == read("rules elim")


def test_moves_lists_the_plays_or_those_that_begin_as_is_said():
    table = ("open elimination pace=instant clocks=off", "bot", "bot", "start")
    plays, taking, upper, none = read(*table, "moves", "moves ta", "/moves TAKE o", "moves xyzzy")[
        len(table) :
    ]
    assert plays.splitlines()[:2] == ["You can type", "- draw"]
    takes = [row for row in plays.splitlines() if row.startswith("- take ")]
    asked = "At any time you can ask: hand, table, piles, cards, card"
    assert ["You can type", *takes, asked] == taking.splitlines()
    assert upper == f"You can type\n- take otis\n{asked}"
    assert " ".join(none.split()) == (
        'No move begins with "xyzzy". Moves begin with draw, give, take, force or shuffle.'
    )


def test_tab_completes_the_words_of_a_play_behind_moves():
    async def scenario() -> str:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann")
        for line in ("open elimination pace=instant clocks=off", "bot", "bot", "start"):
            ann.type(line)
            await asyncio.sleep(0.2)
        ann.press(b"moves ta\t")
        await asyncio.sleep(0.1)
        ann.press(b"ot\t\r")
        await asyncio.sleep(0.1)
        return ann.text

    assert "moves take otis" in virtual.run(scenario())


def test_tab_behind_moves_does_no_harm_where_there_is_nothing_to_play():
    async def scenario() -> list[str]:
        server = await SimServer(new_world(1)).open()
        ann = server.person("Ann")
        answers = []
        for line in ("about", "open elimination"):  # at no table, then before the first game
            ann.type(line)
            await asyncio.sleep(0.2)
            before = len(ann.text)
            ann.press(b"moves ta\t\t\x15who\r")
            await asyncio.sleep(0.2)
            answers.append(ann.text[before:])
        return answers

    assert all("Ann" in answer and "wrong" not in answer for answer in virtual.run(scenario()))


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_row_of_the_commands_is_a_sentence_and_a_table_s_own_come_with_its_verbs(game):
    typed = ("set pager off", "commands", f"open {game}", "commands")
    _, before, _, at_table = (page.splitlines() for page in read(*typed, cols=200))
    titles = [[row for row in page if row.endswith(":")] for page in (before, at_table)]
    shown = [title for topic, title in TOPICS.items() if topic != "staff"]
    server = [*(f"{title}:" for title in shown), "From the games:"]
    asks = server.index("At a table:") + 1
    assert [server, [*server[:asks], "Questions at this table, at any time; they are never a move:",
                    *server[asks:]]] == titles  # fmt: skip
    for row in at_table:
        if row.startswith("  "):
            _, said = re.split(r"\s{2,}", row.strip(), maxsplit=1)
            assert said[0].isupper() and said.endswith(".") and not said.endswith(".."), row


def test_a_table_without_a_game_says_that_it_has_no_history():
    assert ["No game has been played here yet. Type start to begin one."] == read(
        "open elimination", "history"
    )[1:]


def test_the_options_of_a_table_are_shown_and_changed_before_the_game_by_who_opened_it():
    async def scenario() -> tuple[str, str]:
        server = await SimServer(new_world(1)).open()
        ann, bob = server.person("Ann"), server.person("Bob")
        await asyncio.sleep(0.2)
        for person, line in (
            (bob, "options"),
            (ann, "open elimination seats=4 pace=instant"),
            (bob, "sit 1"),
            (bob, "options deck=50"),
            (ann, "options deck=51"),
            (ann, "options deck=50 seats=3"),
            (bob, "options"),
            *[(bob, "")] * 10,  # two seconds to read them
            (bob, "ready"),
            (ann, "start"),
            (ann, "options deck=54"),
        ):
            person.type(line)
            await asyncio.sleep(0.2)
        return " ".join(ann.text.split()), " ".join(bob.text.split())

    ann, bob = virtual.run(scenario())
    assert "You aren't at a table." in bob
    assert "Only Ann can change the options of this table." in bob
    assert "deck can be 54 or 50, not 51." in ann
    changed = "-- The options are now: deck=50"
    assert changed in ann and changed in bob
    assert "Options of table 1 deck=50" in bob and "seats=3" in bob
    assert "Options can't be changed during a game." in ann
