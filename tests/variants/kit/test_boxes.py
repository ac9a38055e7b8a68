"""Cards as boxes: in one row, or not at all."""

from __future__ import annotations

from variants.kit.boxes import CardBox, box_row
from variants.kit.text import plain_text


def rows(*boxes: CardBox, width: int = 72) -> list[str]:
    return [plain_text(row) for row in box_row(boxes, width)]


def test_boxes_stand_side_by_side_with_what_is_said_below_them():
    assert [
        " ┌───┐ ┌─────┐",
        " │ 9 │ │joker│",
        " │   │ │     │",
        " └───┘ └─────┘",
        "       not yet",
    ] == rows(CardBox((" 9 ",)), CardBox(("joker", "     "), "strong", "not yet"))


def test_boxes_that_do_not_fit_are_not_drawn():
    assert [] == rows()
    assert 9 * 8 == len(rows(*[CardBox(("     ",))] * 9)[0])
    assert [] == rows(*[CardBox(("     ",))] * 10)
