"""The lessons of all games: every right way, every listed wrong one, every text."""

from __future__ import annotations

import re
import textwrap
import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest

from mudserver.commands.families import VERBS
from mudserver.commands.learn import LESSON_WORDS
from variants.catalogue import CATALOGUE, build_catalogue
from variants.contract import InvalidData, Refusal
from variants.kit.text import Style, plain_text
from variants.lesson import PUZZLE_TRIES, LessonRun, fault
from variants.lesson_file import Lesson, LessonInput, Wanted, parse_lesson

GAMES = tuple(name for name, game in CATALOGUE.items() if game.lesson)
LESSONS = {name: parse_lesson(CATALOGUE[name].lesson) for name in GAMES}
STYLES = [Style(width=w, suits="letters") for w in (40, 80, 120)] + [
    Style(width=80, suits="letters", is_linear=True)
]
TEXT_ROWS_MAX = 15  # at 40 columns
RANDOM_LINES = 300
LEARNERS, LEARNER_BYTES_MAX = 5, 60 * 1024  # docs/limits.md
every_lesson = pytest.mark.parametrize("name", GAMES)


def run_to(name: str, step: int, number: int) -> LessonRun:
    """A lesson at one of its inputs, reached by `show`."""
    run = LessonRun(CATALOGUE[name], LESSONS[name], step)
    for _ in range(number):
        assert run.show().is_right
    assert (step, number) == (run.step_number, run.input_number)
    return run


@every_lesson
def test_a_lesson_that_goes_on_at_an_input_is_where_show_leads_to(name):
    for step, number, _ in inputs(LESSONS[name]):
        run = run_to(name, step, number)
        again = LessonRun(CATALOGUE[name], LESSONS[name], step, number)
        assert (run.view, list(run.heard)) == (again.view, list(again.heard))
        assert legal_lines(run) == legal_lines(again)
        while not run.is_over and run.step_number == step:
            assert run.show() == again.show()


def inputs(lesson: Lesson) -> Iterator[tuple[int, int, LessonInput]]:
    for step, each in enumerate(lesson.steps):
        for number, asked in enumerate(each.inputs):
            yield step, number, asked


def finish_step(run: LessonRun, step: int) -> None:
    """What the others do and what the lesson shows next is legal."""
    while not run.is_over and run.step_number == step:
        assert run.show().is_right


def legal_lines(run: LessonRun) -> list[str]:
    return [run.game.phrase(a, run.view, run.names) for a in run.game.legal_actions(run.view)]


def meant(run: LessonRun, wanted: Wanted) -> list[str]:
    """The legal lines that an entry means; of a game that lists some only, its own line, too."""
    lines = legal_lines(run)
    if wanted.line:
        action = run.game.parse(wanted.line, run.view, run.names)
        run.game.check(run.view, action)
        return [wanted.line]
    return [line for line in lines if run._means(wanted, run.game.parse(line, run.view, run.names))]


# -- every way through -----------------------------------------------------------------------------


@every_lesson
def test_a_lesson_is_played_to_its_end_by_what_it_shows(name: str) -> None:
    run = LessonRun(CATALOGUE[name], LESSONS[name])
    for step, number, asked in inputs(LESSONS[name]):
        assert (step, number, asked) == (run.step_number, run.input_number, run.input)
        taught = run.show()
        assert taught.is_right and taught.after == asked.after
    assert run.is_over


@every_lesson
def test_every_right_way_leads_on_and_what_follows_is_legal(name: str) -> None:
    tried = 0
    for step, number, asked in inputs(LESSONS[name]):
        for wanted in asked.right:
            ways = meant(run_to(name, step, number), wanted)
            assert ways, (asked.say, wanted)
            for line in ways:
                run = run_to(name, step, number)
                assert run.type(line).is_right, line
                finish_step(run, step)
                tried += 1
    assert tried > len(list(inputs(LESSONS[name]))) - 2


@every_lesson
def test_every_wrong_way_has_its_sentence_and_changes_nothing(name: str) -> None:
    for step, number, asked in inputs(LESSONS[name]):
        for wanted in asked.wrong:
            run = run_to(name, step, number)
            ways = meant(run, wanted)
            assert ways, (asked.say, wanted)
            before, texts = run.view, set()
            for line in ways:
                action = run.game.parse(line, before, run.names)
                if any(run._means(right, action) for right in asked.right):
                    continue  # what is right comes first
                taught = run.type(line)
                assert not taught.is_right and run.input == asked
                assert run.view == before
                texts.add(taught.text)
            assert wanted.say in texts


@every_lesson
def test_what_is_to_be_refused_is_refused_and_leads_on(name: str) -> None:
    for step, number, asked in inputs(LESSONS[name]):
        for line in asked.refused:
            run = run_to(name, step, number)
            before = run.view
            with pytest.raises(Refusal) as refused:
                run.game.check(before, run.game.parse(line, before, run.names))
            taught = run.type(line)
            assert taught.is_right and taught.text == refused.value.format(run.names)
            if run.step_number == step:
                assert run.view == before or asked.then


@every_lesson
def test_each_step_begins_alike_by_itself_and_after_the_one_before(name: str) -> None:
    through = LessonRun(CATALOGUE[name], LESSONS[name])
    for step in range(len(LESSONS[name].steps)):
        there = LessonRun(CATALOGUE[name], LESSONS[name], step)
        assert there.view == through.view and there.heard[-3:] == through.heard[-3:]
        finish_step(through, step)


@every_lesson
def test_random_lines_change_nothing_but_when_they_are_right(name: str) -> None:
    rng = Random(f"lesson {name}")
    words = sorted({word for _, _, asked in inputs(LESSONS[name]) for word in asked.say.split()})
    run, right = LessonRun(CATALOGUE[name], LESSONS[name]), 0
    for _ in range(RANDOM_LINES):
        if run.is_over or rng.random() < 0.02:
            run.go_to(rng.randrange(len(LESSONS[name].steps)))
        legal = legal_lines(run)
        line = rng.choice(
            [" ".join(rng.choices(words, k=rng.randint(0, 4))), rng.choice(legal or [""])]
        )
        before = (run.view, run.step_number, run.input_number)
        taught = run.type(line)
        right += taught.is_right
        if not taught.is_right:
            assert before == (run.view, run.step_number, run.input_number), line
            assert taught.text
    assert right > 5


@every_lesson
def test_a_learner_takes_little_memory(name: str) -> None:
    LessonRun(CATALOGUE[name], LESSONS[name])  # what is read once is no learner's
    for step in range(len(LESSONS[name].steps)):
        tracemalloc.start()
        runs = [LessonRun(CATALOGUE[name], LESSONS[name], step) for _ in range(LEARNERS)]
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0 < taken / len(runs) < LEARNER_BYTES_MAX


# -- what is said ----------------------------------------------------------------------------------


@every_lesson
def test_texts_fit_and_name_commands_that_there_are(name: str) -> None:
    lesson, game = LESSONS[name], CATALOGUE[name]
    said = [lesson.intro, lesson.outro, *[s.title for s in lesson.steps]]
    said += [t for _, _, asked in inputs(lesson) for t in (asked.say, asked.after)]
    said += [wrong.say for _, _, asked in inputs(lesson) for wrong in asked.wrong]
    for text in said:
        assert len(textwrap.wrap(text, 40)) <= TEXT_ROWS_MAX, text
        for quoted in re.findall(r"(?<![a-z])'([a-z]+)(?: [a-zA-Z]+)?'", text):
            assert quoted in {*VERBS, *game.verbs, *game.questions, *WORDS_OF_MOVES}, text


WORDS_OF_MOVES = ("no", "lay", "make")  # other words for a verb, which a text names


@every_lesson
def test_every_position_is_shown_at_every_width(name: str) -> None:
    for step, number, _ in inputs(LESSONS[name]):
        run = run_to(name, step, number)
        for style in STYLES:
            rows = list(run.game.render(run.view, run.names, style))
            assert len(rows) > 3 and all(len(plain_text(row)) <= style.width for row in rows)


def test_no_game_has_a_move_called_like_a_word_of_a_lesson() -> None:
    for name in GAMES:
        assert not {*LESSON_WORDS} & {*CATALOGUE[name].verbs, *CATALOGUE[name].questions}


# -- what a line leads to --------------------------------------------------------------------------


def test_a_good_move_that_is_not_asked_for_is_not_made() -> None:
    run = run_to("elimination", 0, 0)
    taught = run.type("shuffle")
    assert not taught.is_right and taught.text.endswith("Type: draw")


def test_two_lines_that_nobody_can_read_are_answered_with_how_to_type_it() -> None:
    run = run_to("elimination", 0, 0)
    assert "Type it like this" not in run.type("what a mess").text
    assert run.type("blah blub").text.endswith("Type it like this: draw   (or skip)")
    run.type("shuffle")
    assert "Type it like this" not in run.type("what a mess").text


def test_a_puzzle_is_solved_after_some_wrong_moves() -> None:
    text = CATALOGUE["elimination"].lesson.replace(
        'kind = "Draw", say = "After', 'kind = "X", say = "A'
    )
    run = LessonRun(CATALOGUE["elimination"], parse_lesson(text), 2)
    assert run.input.is_puzzle
    said = [run.type("draw").text for _ in range(PUZZLE_TRIES)]
    why = "Not quite. Look for this: Milo gets a card that everybody sees, and you get none."
    assert said == [why, why, "Not quite. The solution is: force milo"]


def test_nobody_in_a_lesson_is_called_as_the_learner() -> None:
    lesson = parse_lesson(CATALOGUE["elimination"].lesson, "Juno")
    assert lesson.names == ("You", "Vera", "Milo")
    run = LessonRun(CATALOGUE["elimination"], lesson)
    assert "next vera" in lesson.steps[0].inputs[1].say and run.show().is_right


@pytest.mark.parametrize(
    ("was", "now", "reason"),
    [
        ('title = "Clear"', 'titel = "Clear"', "Step 5: there is no `titel`"),
        ('right = ["draw"]', "", "Step 1, input 1: it needs either `right` or `refused`"),
        ('show = "force milo"', "", "Step 3, input 1: `show` is needed"),
        ('seat = "Milo", line = "give q', 'seat = "Max", line = "give q', "`before`: `seat` is"),
        ("lesson = 1", "", "The lesson: `lesson` is missing"),
        ("minutes = 5", 'minutes = "5"', "The lesson: `minutes` is no int"),
        ("lesson = 1", "lesson = ", "The lesson is not TOML"),
        ('others = ["Juno", "Milo"]', "others = []", "The lesson: `others` are the names"),
        ('kind = "Give", to = "Milo" }', 'kind = "Give", line = "x" }', "either a `line` or"),
    ],
)  # fmt: skip
def test_a_fault_in_a_file_is_named_with_its_place(was: str, now: str, reason: str) -> None:
    text = CATALOGUE["elimination"].lesson
    assert was in text
    with pytest.raises(InvalidData, match=re.escape(reason)):
        parse_lesson(text.replace(was, now, 1))


def test_a_lesson_that_a_game_cannot_play_is_not_offered_and_the_host_is_told() -> None:
    game = CATALOGUE["elimination"]
    assert "" == fault(game, LESSONS["elimination"])
    twice = parse_lesson(game.lesson.replace('"9C", "KS"', '"9C", "9C"', 1))
    assert "9C" in fault(game, twice)
    unread = parse_lesson(game.lesson.replace('line = "give q you"', 'line = "give q nobody"'))
    assert fault(game, unread)
    files = {"words.removed": b"DOLL\n"}
    without = build_catalogue(files)["words"]
    assert "" == without.lesson and any("No lesson with these files" in n for n in without.notes)
    assert build_catalogue({"words.extra": b"QQQQ\n"})["words"].lesson
