"""Pages of terms at the widths that people have."""

from __future__ import annotations

import pytest

from mudserver.ui.page_layout import lay_out_page
from variants.kit.text import plain_text

ROWS = (
    "Tables:",
    "  sit TABLE\tSit down at a table before its game, if there is a seat that nobody has yet.",
    "  open\tOpen a table.",
    "",
    "See also: who",
)


def shown(cols: int, is_linear: bool = False, rows=ROWS) -> list[str]:
    return [plain_text(row) for row in lay_out_page(rows, cols, is_linear)]


def test_terms_share_a_column_and_what_is_said_of_them_another():
    assert [
        "Tables:",
        "  sit TABLE  Sit down at a table before its game,",
        "             if there is a seat that nobody has",
        "             yet.",
        "  open       Open a table.",
        " ",
        "See also: who",
    ] == shown(50)


def test_where_there_is_no_room_beside_a_term_its_sentence_stands_below():
    assert [
        "Tables:",
        "  sit TABLE",
        "      Sit down at a table before its game, if there is a seat that nobody has yet.",
        "  open",
        "      Open a table.",
        " ",
        "See also: who",
    ] == shown(36)


def test_read_aloud_a_term_begins_its_sentence():
    assert ["sit TABLE: Sit down.", "Then wait."] == shown(
        80, True, ("  sit TABLE\tSit down.", "Then wait.")
    )


@pytest.mark.parametrize("cols", range(20, 60, 3))
def test_no_word_is_lost_at_any_width(cols):
    words = " ".join(ROWS).split()
    assert words == " ".join(shown(cols)).split()


def test_a_term_of_which_nothing_is_said_stands_alone():
    assert ["bell"] == [row.rstrip() for row in shown(80, rows=("bell\t",))]
