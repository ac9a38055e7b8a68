"""Rows never wider than asked for, with every word in them."""

from __future__ import annotations

from random import Random

import pytest

from variants.kit.text import Span, Style, plain_text, styled_line
from variants.kit.wrap import INDENT_CELLS, form_rows, wrap_parts, wrap_words

WORDS = ("a", "Ann", "Food 1 1 2", "Nice Try! x3", "Home Delivery 2 x2", "a-word-of-21-letters")


@pytest.mark.parametrize("width", [20, 26, 40, 80])
def test_plain_words_flow_as_parts_do(width):
    random, kinds = Random(width), set()
    for _ in range(300):
        words = random.choices(WORDS, k=random.randint(1, 12))
        head = styled_line(("Head" * random.randint(0, 4) + ": ", "title"))
        rows = wrap_words(head, words, width)
        parts = wrap_parts(head, [(Span(word),) for word in words], width, ", ")
        assert [plain_text(row) for row in parts] == [plain_text(row) for row in rows]
        assert max(len(plain_text(row)) for row in rows) <= width
        kinds.add(len(rows) > 1)
    assert True in kinds


def test_a_row_that_goes_on_is_indented_and_a_word_too_long_is_broken():
    rows = wrap_parts((Span("Long: "),), [(Span("x" * 30),), (Span("end"),)], 20, ", ")
    broken = "    " + "x" * 15
    assert ["Long:", broken, broken + ",", "    end"] == [plain_text(row) for row in rows]
    assert all(plain_text(row).startswith(" " * INDENT_CELLS) for row in rows[1:])


def test_what_follows_a_word_without_a_space_stays_beside_it():
    may = styled_line(
        "You may answer: ", ("nice try", "key"), ", ", ("reflect", "key"), " or pass."
    )
    rows = [[plain_text(row) for row in wrap_parts((), [may], width)] for width in (24, 25, 40)]
    assert [
        ["You may answer: nice", "    try, reflect or", "    pass."],
        ["You may answer: nice try,", "    reflect or pass."],
        ["You may answer: nice try, reflect or", "    pass."],
    ] == rows


def test_of_many_kinds_of_moves_six_are_listed():
    forms = [f"move {n}" for n in range(8)]
    assert not form_rows((), Style(80))
    (row,) = form_rows(forms[:7], Style(80))
    assert plain_text(row) == f"You can: {', '.join(forms[:7])}"
    (row,) = form_rows(forms, Style(80))
    assert plain_text(row) == f"You can: {', '.join(forms[:6])}, more: moves"
