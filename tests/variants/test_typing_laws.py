"""Laws of what is typed, for all games: what no line may ever play by mistake.

A game's `typed.py` says in which positions lines are typed, and which letters are known there.

T-1: a move is made only if every word of the line was understood.
T-2: a single letter makes no move, but where a letter, a name or yes and no is all that is asked.
T-3: where a seat may pass on a response, `no` and the like do; `ok` and the like are asked back.
T-4: a line that fits a move and a command is asked back (`test_forgiving_input.py`).
T-5: a verb that would pick its only target is alone, or with fillers that belong to it.
T-6: `parse(phrase(action)) == action`, for every game in `tests/conformance`.
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


NONSENSE = "zzq"
PHRASES_MAX = 6  # moves of a position that are made nonsense of


@every_place
def test_a_line_with_a_word_that_nobody_knows_is_no_move(typist: Typist, at: Position) -> None:
    for phrase in typist.phrases(at)[:PHRASES_MAX]:
        words = phrase.split()
        for place in range(len(words) + 1):
            line = " ".join([*words[:place], NONSENSE, *words[place:]])
            assert not typist.plays(line, at), line


DECLINES = ("n", "no", "nope", "nothing", "let it happen", "allow", "don't")
CONSENTS = ("ok", "okay", "yes", "y", "sure")
responses = pytest.mark.parametrize(
    ("typist", "at"),
    [pytest.param(*each, id=place) for place, each in PLACES.items() if each[1].is_response],
)


@responses
@pytest.mark.parametrize("line", DECLINES)
def test_no_is_a_pass_where_a_seat_may_respond(typist: Typist, at: Position, line: str) -> None:
    assert "pass" == typist.phrase_of(line, at)


@responses
@pytest.mark.parametrize("line", ["", *CONSENTS])
def test_neither_consent_nor_an_empty_line_is_a_pass(
    typist: Typist, at: Position, line: str
) -> None:
    assert not typist.plays(line, at)
    assert not line or "let it happen (pass) or respond" in typist.answer(line, at)


@every_place
@pytest.mark.parametrize("word", ["accept", "decline", "offer", "ready", "leave"])
def test_no_game_uses_a_word_of_offers_and_seats(typist: Typist, at: Position, word: str) -> None:
    assert not typist.plays(word, at)
