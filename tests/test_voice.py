"""The voice of the server: one way of speaking in everything that people read.

Rule 1: a sentence is a text literal of the product that has words in it, or the help of a command.
        What only operators read (configuration, files, metrics, logs) is left out.
Rule 2: each law has a breach planted here, so that a law that has stopped looking is found.
Rule 3: an exception names its sentence and a reason.
Rule 4: `voice_rows.txt` has the sentences that were agreed on, by number, as the product has them;
        `LEFT` the numbers that wait for something.  Whoever builds what one waits for moves it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from mudserver.commands.families import VERBS
from mudserver.commands.replay import REPLAY_WORDS
from tests.test_walls import tree_of
from variants.catalogue import CATALOGUE

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "mudserver/accounts", "mudserver/commands", "mudserver/lobby", "mudserver/service",
    "mudserver/session", "mudserver/tables", "mudserver/transport/login_deadline.py",
    "mudserver/transport/gate.py", "mudserver/transport/ssh/authentication.py",
    "mudserver/transport/ssh/session.py", "mudserver/source_budgets.py", "mudserver/ui/screen.py",
    "variants/kit/english.py", "variants/kit/matcher.py", "variants/kit/synonyms.py",
    "variants/words/lexicon/dictionary.py", "variants/words/manifests/utility_command.py",
    *[f"variants/{game}/{part}" for game in CATALOGUE
      for part in ("check.py", "game.py", "language", "rules/setup.py")],
)  # fmt: skip
NOT_READ = (
    "json_objects.py",
    "json_protocol.py",
    "json_schema.py",
    "mssp_status.py",
)  # for programs
WORDS_MAX = 20  # of one sentence


class Sentence(NamedTuple):
    where: str
    text: str  # with {} for what is filled in


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The text literals that are no part of another, no docstring and no assertion."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Assert):
            skipped.update(ast.walk(node) if isinstance(node, ast.Assert) else [node.value])
        if isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [v.value if isinstance(v, ast.Constant) else "{}" for v in node.values]
            yield node.lineno, "".join(map(str, parts))


def is_sentence(text: str) -> bool:
    return len(text.split()) > 1 and "%s" not in text and re.search("[a-z]{2}", text) is not None


@cache
def sentences() -> list[Sentence]:
    found = []
    for package in PACKAGES:
        path = ROOT / package
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if file.name in NOT_READ:
                continue
            for line, text in literals(tree_of(file)):
                if "|" in text:  # the words of a phrase, which somebody types
                    continue
                text = re.sub(r"\{\w*\}", "{}", text)
                if is_sentence(text):
                    found.append(Sentence(f"{file.relative_to(ROOT)}:{line}", text))
    for verb in {verb.name: verb for verb in VERBS.values()}.values():
        found += [Sentence(f"help {verb.name}", row) for row in verb.help.splitlines()]
    return found


# -- words that are not said ----------------------------------------------------------------------

FORBIDDEN = {
    r"\bis no play\b": "isn't a move",
    r"(?<!here )\bis no (?!longer\b)": "isn't a ...",
    r"\bthis line ends\b|\bthe line (ends|drops)\b": "connection",
    r"\bopens? (the|your|another) name\b": "belongs to an account",
    r"\bnobody has\b": "is free",
    r"\b([Tt]he|this|our) house\b": "server",
    r"\bcom(e|es|ing) in\b|\bcame in\b": "log in, is here",
    r"\bgo home\b": "disconnect",
    r"\bvisits?\b": "session",
    r"\boff line\b|\bon line\b": "lost the connection, is connected again",
    r"\bjust now\b": "right now",
    r"\b(a|no|of|one|more|these|further) plays?\b(?! (of|well))": "move",
    r"\b[Yy]ou may\b": "you can",
    r"\bcannot\b": "can't",
    r"\bon our side\b": "on the server",
}
EXCEPTIONS = {
    "nobody has this password": "hashed in place of a password, and never shown",
    "record {} cannot be read: {}": "for operators, in the log",
    "cannot be spelled with the letters of the box": "for operators, in a data file",
    "{} is off line.": "rows 113 and 114 come with the clocks",
    "{} is on line again.": "rows 113 and 114 come with the clocks",
}


def forbidden(text: str) -> list[str]:
    return [pattern for pattern in FORBIDDEN if re.search(pattern, text)]


def test_no_forbidden_word_is_said():
    said = [
        (one, found)
        for one in sentences()
        if (found := forbidden(one.text)) and one.text not in EXCEPTIONS
    ]
    assert [] == said


@pytest.mark.parametrize("text", [
    '"draw" is no play here.', '"{}" is no table.', "You came in from elsewhere; this line ends.",
    "Your key opens the name ann here.", "Type a name nobody has.", "The house is full.",
    "-- bob comes in.", "quit: go home", "This visit is {}.", "{} is off line.",
    "The server is full just now.", "There are more plays.", "You may draw.",
    "Guests cannot do that.", "Something went wrong on our side.",
])  # fmt: skip
def test_each_of_them_is_found(text):
    assert forbidden(text)


# -- short sentences ------------------------------------------------------------------------------

LONG: dict[str, str] = {}


def too_long(text: str) -> list[str]:
    parts = re.split(r"(?<=[.?!:;])\s+|[\t\n]", text)
    return [part for part in parts if len(part.split()) > WORDS_MAX]


def test_no_sentence_is_too_long():
    found = {part for one in sentences() for part in too_long(one.text)}
    assert [] == sorted(found - LONG.keys())
    assert [] == sorted(LONG.keys() - found), "an exception that is needed no more"


def test_a_sentence_of_21_words_is_too_long():
    assert too_long("word " * 21) and not too_long("word " * 20)


# -- what is to be typed --------------------------------------------------------------------------

TYPED = re.compile(r"""\b[Tt]ype:? (?!["{'/])([a-z]+)\b|: ([a-z]+) (?:[A-Z]{2,}\b|\{\}|\d)[^.]*$""")
NO_COMMANDS = {
    "its": "type its number", "only": "type only your name", "your": "type your name",
    "the": "type the whole word", "yes": "answers a question", "no": "answers one",
    "y": "confirms what was offered",
    "anything": "type anything to take over", "now": "to respond, type now",
    "it": "type it at a table of ...", "that": "type that in full",
}  # fmt: skip


def words_to_type() -> set[str]:
    words = {*VERBS, *REPLAY_WORDS, *NO_COMMANDS, *CATALOGUE, "ssh"}
    for game in CATALOGUE.values():
        words |= {*game.verbs, *game.questions}
        words |= {command.name_words[0] for command in game.utility_commands}
    return words


def typed_words(text: str) -> list[str]:
    return [first or second for first, second in TYPED.findall(text)]


def test_every_command_that_is_named_exists():
    known = words_to_type()
    unknown = [
        (one, word)
        for one in sentences()
        for word in typed_words(one.text)
        if word not in known and word not in NO_TYPED
    ]
    assert [] == unknown


NO_TYPED = {
    "is": "In a game, what you type is a move.",
    "first": "You can still type first.",
    "on": "a line to type on another machine",
    "keys": "To add one type keys add.",
    "colours": "a row of what the terminal says",
}


def test_a_command_that_does_not_exist_is_found():
    assert ["frobnicate"] == typed_words("Type frobnicate to see it.")
    assert ["frobnicate"] == typed_words("To see it: frobnicate NAME")
    assert "frobnicate" not in words_to_type()


def test_what_is_to_be_typed_at_the_end_has_no_full_stop_and_no_quotation_marks():
    assert [] == [one for one in sentences() if has_stop(one.text)]
    assert has_stop("To see it: look.") and has_stop('To see it, type: "look"')


def has_stop(text: str) -> bool:
    found = re.search(
        r"""\b(?:To [^.:]*|type): ["']?([a-z]+)(?: [A-Z]{2,})*["']?(\.|["'])$""", text
    )
    return found is not None and found[1] in VERBS


# -- keys -----------------------------------------------------------------------------------------


def keys(tree: ast.AST) -> Iterator[str]:
    """The first words of spans with the role of what is typed."""
    for node in ast.walk(tree):
        parts = node.elts if isinstance(node, ast.Tuple) else []
        if isinstance(node, ast.Call):
            parts = node.args
        match parts:
            case [ast.Constant(value=str(text)), ast.Constant(value="key")]:
                yield text.split()[0]
            case _:
                pass


def test_every_key_can_be_typed():
    words = {*VERBS}
    for game in CATALOGUE.values():
        words |= {*game.verbs, *game.questions}
    shown = [
        (path.name, word)
        for room in ("mudserver", "variants")
        for path in sorted((ROOT / room).rglob("*.py"))
        if '"key"' in (source := path.read_text("utf-8"))
        for word in keys(ast.parse(source))
    ]
    assert shown and [] == [each for each in shown if each[1] not in words]


def test_a_key_that_cannot_be_typed_is_found():
    assert ["frobnicate"] == list(keys(ast.parse('styled_line(("frobnicate NAME", "key"), ".")')))


# -- the sentences that were agreed on ------------------------------------------------------------

ROWS = Path(__file__).with_name("voice_rows.txt")


class Waits(NamedTuple):
    reason: str
    command: str = ""  # which, when it exists, makes the sentence due


LEFT: dict[int, Waits] = {
    27: Waits("a key may belong to several accounts, and its owner reads to which"),
    92: Waits("said by `tables/levels.py` with the levels that the game has"),
    97: Waits("to a screen reader on demand only", "seal"),
    98: Waits("the sentence after a game names review, to players alone"),
    171: Waits("the reason is stored in records that can be verified, and stays as it is"),
    156: Waits("in words where there is room; the legend comes with the boxes of the screens"),
    128: Waits("the moves that fit are offered, each as it can be typed"),
}  # fmt: skip
IN_PIECES = {105, 123, 133, 158, 159, 160}
"""Made of short pieces: the tests of the sentences of each game read them whole."""


def rows() -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for line in ROWS.read_text("utf-8").splitlines():
        number, _, text = line.partition(" | ")
        found.setdefault(int(number), []).append(text)
    return found


def stands(text: str, said: list[str]) -> bool:
    """Whether every piece of *text* between what is filled in is said somewhere."""
    pieces = [piece.strip(" .") for piece in text.split("{}")]
    return all(any(piece in one for one in said) for piece in pieces if " " in piece)


def test_every_sentence_that_was_agreed_on_is_said_or_waits():
    said = [one.text for one in sentences()]
    missing = [(n, text) for n, texts in rows().items() for text in texts if not stands(text, said)]
    assert [] == missing
    assert {*range(1, 187)} == {*rows()} | {*LEFT} | IN_PIECES


def test_a_sentence_waits_for_a_command_only_as_long_as_it_does_not_exist():
    due = [n for n, waits in LEFT.items() if waits.command in words_to_type() - {*NO_COMMANDS}]
    assert [] == due


def test_a_sentence_that_nobody_says_is_found():
    assert not stands("The moon is made of cheese.", [one.text for one in sentences()])
