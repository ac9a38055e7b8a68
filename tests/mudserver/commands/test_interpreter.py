"""Where a typed line goes: to the server or to the game at the table."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from mudserver.accounts.person import Person
from mudserver.commands.families import VERBS
from mudserver.commands.interpreter import find_verb, interpret
from mudserver.errors import UserError
from mudserver.service.game_questions import GameQuestions
from mudserver.service.game_service import GameService
from mudserver.service.lessons import Lessons
from mudserver.service.replays import Replays
from mudserver.tables.manager import TableManager
from mudserver.tables.table import Table
from tests.mudserver.tables.driver import Driver
from tests.toys.multistep.game import MULTISTEP
from variants.catalogue import CATALOGUE
from variants.contract import Variant
from variants.kit.chance import SeededChance
from variants.kit.text import Style

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Finn", "Gus", "Hal")


def first_words(variant: Variant[Any, Any, Any, Any]) -> set[str]:
    """Of everything that `moves` lists in some random games."""
    words: set[str] = set()
    options = {option.name: option.default for option in variant.options}
    for number in range(6):
        random, chance = Random(number), SeededChance(bytes([number]) * 32)
        state: Any = None
        events = variant.deal(variant.seats[0] + number % 3, options, chance)
        for _ in range(60):
            for event in events:
                state = variant.evolve(state, event)
            window = variant.open_window(variant.observe(state, None))
            if window is None:
                break
            views = {seat: variant.observe(state, seat) for seat in window.seats}
            # In a sealed window some have answered already.
            seat = next(seat for seat in window.seats if variant.legal_actions(views[seat]))
            view, actions = views[seat], variant.legal_actions(views[seat])
            words |= {variant.phrase(action, view, NAMES).split()[0] for action in actions}
            events = variant.decide(state, seat, random.choice(actions), chance)
    return words


@pytest.mark.parametrize("variant", CATALOGUE.values(), ids=lambda v: v.name)
def test_a_play_whose_first_word_is_also_a_server_verb_reaches_the_game(
    variant: Variant[Any, Any, Any, Any],
) -> None:
    words = first_words(variant)
    assert len(words) > 1
    lost = {word for word in words if word in VERBS and word not in variant.verbs}
    assert set() == lost, "moves lists what the server would take for itself"


class TablesOfOne:
    """A `TableManager` of one table, where everybody is."""

    seat_status: Any = TableManager.seat_status
    accepts_empty_line: Any = TableManager.accepts_empty_line
    answer_question: Any = TableManager.answer_question
    reads: Any = TableManager.reads
    _game_and_seat: Any = TableManager._game_and_seat

    def __init__(self, table: Table) -> None:
        self.table = table
        self.places = SimpleNamespace(runner_of=lambda person: SimpleNamespace(is_busy=False))

    def table_at(self, person: str) -> Table:
        return self.table


class OneTable:
    """A service of one table: what it is asked to play lies in `lines`."""

    accepts_empty_line: Any = GameService.accepts_empty_line
    is_game_word: Any = GameService.is_game_word
    reads: Any = GameService.reads

    def __init__(self, table: Table) -> None:
        self._tables, self.lines = TablesOfOne(table), list[str]()
        self.catalogue = {table.variant.name: table.variant}
        clock: Any = SimpleNamespace(monotonic=float)
        self.game_questions = GameQuestions(self._tables, self.catalogue, clock, bytes)
        nowhere: Any = None
        self.lessons = Lessons(self.catalogue, clock, nowhere, nowhere, at_once=0)
        self.replays = Replays(clock, nowhere, nowhere, nowhere)

    def is_playing(self, person: Person) -> bool:
        return True

    def wait_text(self, person: Person) -> str:
        return ""

    def play(self, person: Person, line: str) -> None:
        self.lines.append(f"{person.name}: {line}")


def test_an_empty_line_is_a_play_only_where_the_open_window_takes_it_and_asks_its_sender() -> None:
    driver = Driver(variant=MULTISTEP).starts("b", "c")
    server = OneTable(driver.table)

    def everybody_presses_enter() -> list[str]:
        server.lines.clear()
        for id, name in (("a", "Ann"), ("b", "Bob"), ("d", "Dee")):
            context: Any = SimpleNamespace(
                service=server,
                lessons=server.lessons,
                replays=server.replays,
                person=Person(id, name, False),
            )
            assert interpret(context, "  ") is None
        return server.lines

    assert everybody_presses_enter() == []
    driver.plays("a", "ask Bob")
    assert everybody_presses_enter() == ["Bob: "]
    driver.plays("b", "answer")
    assert everybody_presses_enter() == []


@pytest.mark.parametrize(
    ("line", "is_play"),
    [
        ("look", False),  # a word of the server
        ("l", False),  # another word for look, though it begins a play
        ("L now", False),
        ("lo", True),  # begins words of both
        ("loot food", True),
        ("who", True),  # a word of both: the game's own
        ("w", False),
        ("h", False),
        ("/who", False),
        ("7", True),
    ],
)
def test_a_whole_word_wins_over_a_beginning_and_the_game_s_over_the_server_s(
    line: str, is_play: bool
) -> None:
    game = replace(MULTISTEP, verbs=("loot", "who", "home", "watchful"))
    server = OneTable(Driver(variant=game).starts("b", "c").table)
    ran: list[str] = []
    session = SimpleNamespace(style=Style(), has_numbered_moves=False, preference=lambda key: "off")
    ann = Person("a", "Ann", False)
    context: Any = SimpleNamespace(
        service=server,
        lessons=server.lessons,
        replays=server.replays,
        person=ann,
        table=7,
        session=session,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "mudserver.commands.interpreter.run_verb",
            lambda context, verb, rest: ran.append(verb.name),
        )
        interpret(context, line)
    assert (is_play, not is_play) == (server.lines == [f"Ann: {line}"], len(ran) == 1)


def test_a_beginning_of_several_verbs_is_answered_with_the_words_that_begin_so():
    nobody: Any = SimpleNamespace(table=7, service=SimpleNamespace(catalogue={}))
    with pytest.raises(UserError) as refused:
        find_verb("wh", nobody)
    assert '"wh" is ambiguous: whois, whisper, who or whoami?' == str(refused.value)


@pytest.mark.parametrize(
    ("word", "whole"), [("q", "quit"), ("log", "logout"), ("leav", "leave"), ("resi", "resign")]
)
def test_what_leads_out_wants_its_whole_word_even_behind_a_slash(word: str, whole: str) -> None:
    nobody: Any = SimpleNamespace(table=7, service=SimpleNamespace(catalogue={}))
    with pytest.raises(UserError) as refused:
        find_verb(word, nobody, is_server_command=True)
    assert f'For "{word}" type the whole word: {whole}' in str(refused.value)
    assert VERBS[whole] is find_verb(whole, nobody)


def test_what_works_only_at_a_table_makes_no_word_ambiguous_elsewhere():
    lobby: Any = SimpleNamespace(table=None, service=SimpleNamespace(catalogue={}))
    table: Any = SimpleNamespace(table=7, service=SimpleNamespace(catalogue={}))
    assert "open" == find_verb("op", lobby).name
    with pytest.raises(UserError, match='"op" is ambiguous: open or options'):
        find_verb("op", table)
