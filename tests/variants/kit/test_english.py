"""People in a sentence: "you" for the reader, a name for everybody else; and whom a name means."""

from __future__ import annotations

import pytest

from variants.contract import ParseError, Seat
from variants.kit.english import capitalize, find_seats, possessive
from variants.kit.text import plain_text, styled_line


@pytest.mark.parametrize(("reader", "told"), [(0, "Your hand"), (1, "ann's hand")])
def test_a_sentence_begins_with_a_capital_but_a_name_as_it_is_written(reader, told):
    hand = styled_line(possessive(Seat(0), Seat(reader), ("ann", "Bob")), " hand")
    assert told == plain_text(capitalize(hand))


# -- whom a question means -------------------------------------------------------------------------

PEOPLE = ("Ann", "Bob", "Bobby", "Cy")


@pytest.mark.parametrize(
    ("said", "meant"),
    [("", [0, 1, 2, 3]), ("ann", [0]), ("BOB", [1]), ("bobb", [2]), ("b", [1, 2]), ("me", [0])],
)
def test_a_whole_name_wins_and_a_beginning_means_all_who_begin_so(said, meant):
    assert meant == find_seats(said.split(), Seat(0), PEOPLE)


@pytest.mark.parametrize("said", ["zoe", "me", "bob b", "x" * 500])
def test_whoever_is_not_there_is_told_who_is(said):
    with pytest.raises(ParseError) as refused:
        find_seats(said.split(), None, PEOPLE)
    so = f'Nobody here is called "{said[:20]}". You can name: Ann, Bob, Bobby or Cy.'
    assert so == refused.value.format(PEOPLE)
