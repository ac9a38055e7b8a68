"""What is read in other words, on a grammar of two moves: go NAME, and stop."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from variants.contract import AmbiguousInput, IllegalAction, ParseError, Refusal
from variants.kit.synonyms import LINE_MAX, NOT_READ, Reader, Synonyms, plain, polite

NAMES = ("Ann", "Bob", "Hurry")
VIEW = SimpleNamespace(window="turn")
ROWS = Synonyms(
    first={"turn": (("go home|go back", "! Go to whom? Type go NAME"),)},
    rows={
        "turn": (
            (r"(?:visit|meet) (.+)", r"go \1"),
            (r"(?:halt|wait)", "stop"),
            (r"away", "? stop"),
            (r"(.+) is first", r"? go \1"),
            (r"(.+) is first", "! Nobody is first."),
            (r"(.+) or nobody", r"go \1"),
            (r"(.+) or nobody", "stop"),
        ),
        "other": ((r"rest", "stop"),),
    },
    verbs={"go": "travel", "stop": "brake"},
)


def grammar(line: str, view: Any, names: Any) -> str:
    words = line.lower().split()
    called = [name.lower() for name in names]
    if words == ["stop"] or (len(words) == 2 and words[0] == "go" and words[1] in called):
        return " ".join(words)
    if words == ["go"]:
        raise AmbiguousInput("Go to whom?")
    raise ParseError("What?")


def check(view: Any, move: str) -> None:
    if move == "go ann":
        raise IllegalAction("You are Ann.")


def guesses(line: str, view: Any, names: Any, verbs: Any) -> list[str]:
    """Whomever a line with `travel` names, and who is always there."""
    words = line.split()
    named = [name.lower() for name in names if name.lower() in words]
    return [f"go {name}" for name in named] * ("travel" in words or "go" in words)


READ: Reader[Any, str] = Reader(
    grammar, lambda move, view, names: move, check, lambda view: (view.window,), ROWS,
    lambda view: ("stop", "go"), guesses, lambda word, view: word == "shop",
)  # fmt: skip


def read(line: str) -> str:
    return READ(line, VIEW, NAMES)


def said(line: str) -> tuple[str, str]:
    """What is said to a line, and the line that it offers."""
    with pytest.raises(Refusal) as refused:
        read(line)
    return refused.value.format(NAMES), refused.value.suggestion


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("stop", "stop"),
        ("Visit Bob!", "go bob"),
        ("i'd like to visit bob, please", "go bob"),
        ("visit ann", "go ann"),  # for `check` to refuse
        ("wait", "stop"),
        ("ann or nobody", "stop"),  # of two meanings the one that is legal
        ("go hurry", "go hurry"),
    ],
)
def test_a_sentence_means_a_line_that_the_grammar_reads(line: str, move: str) -> None:
    assert move == read(line)


@pytest.mark.parametrize("line", ["visit", "visit bob later", "rest", "visit the", "x" * 300])
def test_a_word_that_says_nothing_is_never_passed_over(line: str) -> None:
    assert ("What?", "") == said(line)


def test_a_line_that_comes_first_is_asked_back_whatever_the_grammar_reads() -> None:
    assert ("Go to whom? Type go NAME", "") == said("go home")


def test_what_is_probably_meant_is_offered_with_the_whole_line() -> None:
    assert ('Did you mean "stop"? Type y to run it.', "stop") == said("away")
    assert ('Did you mean "go bob"? Type y to run it.', "go bob") == said("can i visit bob?")


def test_two_legal_meanings_are_asked_back_and_neither_is_offered_to_y() -> None:
    assert ('Did you mean "go bob" or "stop"?', "") == said("bob or nobody")


@pytest.mark.parametrize(
    ("line", "wrong", "offered"),
    [
        ("stpo", 'Unknown command "stpo".', "stop"),
        ("vist bob", 'Unknown command "vist".', "visit bob"),
        ("visit bbo", 'I don\'t understand "bbo".', "visit bob"),
    ],
)
def test_a_mistyped_word_is_offered_with_its_line(line: str, wrong: str, offered: str) -> None:
    assert (f'{wrong} Did you mean "{offered}"? Type y to run it.', offered) == said(line)


def test_of_several_moves_in_a_line_none_is_made() -> None:
    wanted = 'One move at a time. Did you mean "go bob" or "stop"?'
    assert (wanted, "") == said("go bob, then stop")
    assert "go ann" == read("go ann and then stop")  # for `check` to refuse
    assert "go bob" == said("go bob then sing")[1]


def test_what_is_forbidden_is_offered_after_all_else() -> None:
    assert ('Did you mean "go bob"? Type y to run it.', "go bob") == said("bob is first")
    assert ("Nobody is first.", "") == said("ann is first")


@pytest.mark.parametrize(
    ("line", "is_question", "is_talk"),
    [
        ("how far is it", True, True),
        ("visit whom?", True, False),
        ("bob, wait for me", False, True),  # who is called is talked to
        ("sing for bob", False, True),
        ("go to bob", False, False),
        ("visit the", False, False),
    ],
)
def test_a_question_and_talk_are_told_apart_from_moves(
    line: str, is_question: bool, is_talk: bool
) -> None:
    with pytest.raises(ParseError) as refused:
        read(line)
    assert (is_question, is_talk) == (refused.value.is_question, refused.value.is_talk)


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("quick travel over bob", '"go bob"? Type y to run it.'),
        ("quick travle over bob", '"go bob"? Type y to run it.'),  # mistyped, too
        ("hurry and bob must travel", '"go bob" or "go hurry"?'),
        ("ann and bob must travel", '"go bob"? Type y to run it.'),  # Ann is forbidden
        ("go with me all the long way now to bob", '"go bob"? Type y to run it.'),
    ],
)
def test_what_some_words_speak_for_is_offered_and_never_played(line: str, moves: str) -> None:
    with pytest.raises(ParseError) as refused:
        read(line)
    assert refused.value.is_guess
    assert f"{NOT_READ}Did you mean {moves}" == refused.value.format(NAMES)


@pytest.mark.parametrize("line", ["I won't travel to bob", "bob, travel well"])
def test_talk_and_a_denial_are_not_guessed_at(line: str) -> None:
    with pytest.raises(ParseError) as refused:
        read(line)
    assert not refused.value.is_guess


def test_of_a_forbidden_move_that_a_line_probably_means_the_reason_is_told() -> None:
    with pytest.raises(ParseError) as refused:
        read("let us travel to ann")
    assert refused.value.is_guess
    assert 'Did you mean "go ann"? You are Ann.' == refused.value.format(NAMES)


@pytest.mark.parametrize("form", ["travels", "travelling", "traveled"])
def test_a_verb_is_known_in_its_forms(form: str) -> None:
    assert "go bob" == said(f"quick {form} over bob")[1]


def test_a_word_that_stands_for_itself_is_not_mistyped() -> None:
    assert ("What?", "") == said("shop")


def test_what_is_polite_says_nothing_and_no_more_than_that() -> None:
    assert "draw" == polite(plain("I'd like to draw, please."))
    assert ["hi all", "high", "can i draw"] == [polite(x) for x in ("hi all", "high", "can i draw")]
    assert LINE_MAX >= 100
