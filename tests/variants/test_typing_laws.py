"""Laws of what is typed, for all games: what no line may ever play by mistake.

A game's `typed.py` says in which positions lines are typed, and which letters are known there.
"""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from tests.games import games, typed_of
from tests.variants.typed import Position, Typist

PLACES = {
    f"{game} {name}".strip(): (typed_of(game).TYPIST, position)
    for game in games()
    for name, position in typed_of(game).POSITIONS.items()
}
every_place = pytest.mark.parametrize(("typist", "at"), PLACES.values(), ids=PLACES)


@every_place
def test_one_letter_plays_only_what_it_is_known_for(typist: Typist, at: Position) -> None:
    plays = [letter for letter in ascii_lowercase if typist.plays(letter, at)]
    assert at.by_letter == "".join(plays)


@every_place
def test_one_letter_and_fillers_play_nothing(typist: Typist, at: Position) -> None:
    for letter in ascii_lowercase:
        for line in (f"{letter} the", f"{letter} of the card", f"the {letter}", f"{letter} to my"):
            assert not typist.plays(line, at) or (at.asks_name and letter in at.by_letter), line


@pytest.mark.parametrize(
    ("typist", "at", "line"),
    [
        pytest.param(typist, at, line, id=f"{place}-{line}")
        for place, (typist, at) in PLACES.items()
        for line in at.elsewhere
    ],
)
def test_no_word_that_names_a_place_is_a_filler(typist: Typist, at: Position, line: str) -> None:
    assert not typist.plays(line, at)
