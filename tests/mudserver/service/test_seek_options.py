"""The options of an offer: its line reads back as what was offered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.accounts.person import Person
from mudserver.errors import UserError
from mudserver.lobby.seek import LINE_CHARS_MAX
from mudserver.service.seek_options import (
    check_guest,
    check_takes,
    line_of,
    read_match_line,
    read_seek_line,
)
from mudserver.tables.presets import presets_of
from variants.catalogue import CATALOGUE

COMMON = ("seats=2", "seats=3", "pace=brisk", "clocks=off", "kibitz=off", "who=accounts",
          "programs=off", "hints=on", "fill=easy", "bots=all", "absence=pause")  # fmt: skip
ANN, GUS = Person("p1", "ann", is_guest=False), Person("g1", "guest1", is_guest=True)


def lines(name: str) -> list[str]:
    variant = CATALOGUE[name]
    own = [f"{option.name}={it}" for option in variant.options for it in option.samples]
    return [*COMMON, *own, "move=3d", "deals=3", "rated", *presets_of(variant)]


@given(st.data())
def test_a_line_reads_back_as_the_same_options(data):
    name = data.draw(st.sampled_from(list(CATALOGUE)))
    words = data.draw(st.lists(st.sampled_from(lines(name)), max_size=4, unique=True))
    variant, is_program = CATALOGUE[name], data.draw(st.booleans())
    try:
        read = read_seek_line(variant, " ".join(words), is_program=is_program)
        line = line_of(variant, read)
    except UserError:
        return
    again = read_seek_line(variant, line)
    assert read.options == again.options and line == line_of(variant, again)
    assert len(line) <= LINE_CHARS_MAX


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("", ""),
        ("standard", ""),
        ("SHORT rated", "short rated"),
        ("rated=on", "rated"),
        ("target=150 short", "short target=150"),
        ("correspondence move=3d", "correspondence move=3d"),
        ("move=36h", "move=36h"),
    ],
)
def test_the_line_says_what_differs_from_the_preset(typed, line):
    variant = CATALOGUE["words"]
    assert line == line_of(variant, read_seek_line(variant, typed))


def test_a_rated_game_is_for_accounts_and_of_a_program_for_programs():
    words = CATALOGUE["words"]
    rated = read_seek_line(words, "rated").options
    assert ("accounts", "off") == (rated.who, rated.programs)
    program = read_seek_line(words, "rated", is_program=True).options
    assert ("accounts", "on") == (program.who, program.programs)
    with pytest.raises(UserError, match="programs=off"):
        read_seek_line(words, "programs=off", is_program=True)
    with pytest.raises(UserError, match="takes no programs"):
        check_takes(4, rated, ANN, is_program=True)
    with pytest.raises(UserError, match="registered"):
        check_takes(4, rated, GUS, is_program=False)
    check_takes(4, rated, ANN, is_program=False)


@pytest.mark.parametrize("typed", ["rated", "correspondence", "who=accounts"])
def test_guests_offer_none_of_these(typed):
    options = read_seek_line(CATALOGUE["words"], typed).options
    check_guest(ANN, options)
    with pytest.raises(UserError):
        check_guest(GUS, options)


def test_a_match_is_for_who_is_invited():
    words = CATALOGUE["words"]
    assert "invited" == read_match_line(words, "short rated").options.who
    with pytest.raises(UserError, match="stays invited"):
        read_match_line(words, "who=anyone")


def test_a_line_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("mudserver.service.seek_options.LINE_CHARS_MAX", 10)
    words = CATALOGUE["words"]
    with pytest.raises(UserError, match="too much"):
        line_of(words, read_seek_line(words, "short target=150"))
