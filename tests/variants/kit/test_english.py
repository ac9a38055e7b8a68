"""People in a sentence: "you" for the reader, a name for everybody else."""

from __future__ import annotations

import pytest

from variants.contract import Seat
from variants.kit.english import capitalize, possessive
from variants.kit.text import plain_text, styled_line


@pytest.mark.parametrize(("reader", "told"), [(0, "Your hand"), (1, "ann's hand")])
def test_a_sentence_begins_with_a_capital_but_a_name_as_it_is_written(reader, told):
    hand = styled_line(possessive(Seat(0), Seat(reader), ("ann", "Bob")), " hand")
    assert told == plain_text(capitalize(hand))
