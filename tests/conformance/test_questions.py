"""What a game can be asked at the table, of every variant: from the own view, and no play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from mudserver.commands.families import VERBS
from mudserver.ui.width import cell_width
from tests.conformance.settings import NAMES
from tests.games import games
from variants.contract import ParseError, Seat
from variants.kit.chance import SeededChance
from variants.kit.text import Style, plain_text

STYLES = (Style(80), Style(40), Style(40, is_linear=True))
every_variant = pytest.mark.parametrize("variant", games().values(), ids=lambda v: v.name)


def heard(variant: Any, seats: int, number: int) -> Iterator[tuple[Any, list[Any]]]:
    """(view, events) of every reader, now and then in a random game and at its end."""
    random, chance = Random(number), SeededChance(bytes([number]) * 32)
    readers = [None, *map(Seat, range(seats))]
    seen: dict[Any, list[Any]] = {reader: [] for reader in readers}
    options = {option.name: option.default for option in variant.options}
    state: Any = None
    events = variant.deal(seats, options, chance)
    for decision in range(1, 2 * variant.decisions_max(seats)):
        for event in events:
            state = variant.evolve(state, event)
            for reader in readers:
                if (known := variant.redact(event, reader)) is not None:
                    seen[reader].append(known)
        window = variant.open_window(variant.observe(state, None))
        if decision % 68 == 1 or window is None:
            yield from ((variant.observe(state, reader), seen[reader]) for reader in readers)
        if window is None or decision > 300:
            return
        seat = next(s for s in window.seats if variant.legal_actions(variant.observe(state, s)))
        actions = variant.legal_actions(variant.observe(state, seat))
        events = variant.decide(state, seat, random.choice(actions), chance)


@every_variant
def test_every_question_has_an_answer_for_everybody_within_the_width(variant: Any) -> None:
    for seats in (variant.seats[0], variant.seats[-1]):
        for view, seen in heard(variant, seats, seats):
            for question in variant.questions:
                for style in STYLES:
                    rows = variant.answer(question, view, seen, NAMES[:seats], style)
                    assert rows and max(cell_width(plain_text(row)) for row in rows) <= style.width
                    assert rows == variant.answer(question, view, seen, NAMES[:seats], style)


@every_variant
def test_a_question_has_a_line_of_help_and_a_word_that_nothing_else_has(variant: Any) -> None:
    for question, text in variant.questions.items():
        assert question == question.lower() and len(question.split()) == 1
        assert text and "\n" not in text and not text.endswith(".")
        assert question not in VERBS and question not in variant.verbs


@every_variant
@pytest.mark.parametrize("text", ["", "xyzzy", "\N{SNOWMAN}", "x" * 500])
def test_what_is_no_question_is_not_understood(variant: Any, text: str) -> None:
    view, seen = next(heard(variant, variant.seats[0], 1))
    with pytest.raises(ParseError):
        variant.answer(text, view, seen, NAMES, Style())
