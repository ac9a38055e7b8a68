"""A number that is a play: of the list that was read aloud last, and of nothing else."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.service.moves import moves_rows
from mudserver.service.numbered_moves import NumberedMoves
from mudserver.tables.summary import TurnOptions
from tests.mudserver.commands.test_help import read
from tests.variants.driver import ANN
from tests.variants.stockpile.driver import STOCKPILE, Driver
from variants.catalogue import CATALOGUE
from variants.stockpile.actions import Draw

NAMES = ("Ann", "Bob", "Cy")
OUT_OF_DATE = "in a list that is out of date. For a new list: moves"


def options_in(driver: Driver, game: int = 1) -> TurnOptions:
    """What Ann sees of the driver's game, and may type."""
    view, window = driver.view(ANN), STOCKPILE.open_window(driver.view())
    moves = tuple(STOCKPILE.phrase(a, view, NAMES) for a in STOCKPILE.legal_actions(view))
    key = None if window is None else window.key
    return TurnOptions(1, STOCKPILE.name, game, key, ANN, view, NAMES, moves)


def giving_up() -> Driver:
    """Ann has drawn what takes a supply of food, and says which: a bare 2 and a bare 3 answer."""
    driver = Driver(stockpiles={ANN: ["F2", "F3", "T1"]}, indoor_top=["Snack Attack"])
    driver.when(ANN, Draw())
    return driver


def numbered() -> NumberedMoves:
    return NumberedMoves(CATALOGUE)


def read_out(numbers: NumberedMoves, here: TurnOptions, begun: str = "") -> list[str]:
    return numbers.number_rows("ann", here, moves_rows(here.moves, begun))


def test_the_rows_have_numbers_and_each_number_is_its_play():
    here, numbers = (
        options_in(Driver(hands={ANN: ["Stock Up 2", "Nice Try!"]})),
        numbered(),
    )
    first, second, last = read_out(numbers, here)
    assert ["1: draw", "2: stock up 2"] == [first, second]
    assert last == "To make one of these moves, type its number."
    assert ["draw", "stock up 2"] == [numbers.move_by_number("ann", here, n) for n in "12"]


def test_a_shorter_list_takes_the_place_of_the_longer_one():
    here, numbers = options_in(Driver(hands={ANN: ["Stock Up 2"]})), numbered()
    read_out(numbers, here)
    assert "1: stock up 2" in read_out(numbers, here, "st")
    assert numbers.move_by_number("ann", here, "1") == "stock up 2"


@pytest.mark.parametrize("number", ["0", "3", "00", "9999", "1" * 5000])
def test_a_number_that_is_in_no_list_is_the_game_s(number):
    here, numbers = options_in(Driver(hands={ANN: ["Stock Up 2"]})), numbered()
    assert numbers.move_by_number("ann", here, number) is None
    read_out(numbers, here)
    assert numbers.move_by_number("ann", here, number) is None


def test_before_the_list_was_read_and_for_whom_it_was_not_a_number_is_the_game_s():
    here, numbers = options_in(Driver()), numbered()
    assert numbers.move_by_number("ann", here, "1") is None
    read_out(numbers, here)
    assert numbers.move_by_number("bob", here, "1") is None
    numbers.forget("ann")
    assert numbers.move_by_number("ann", here, "1") is None


@pytest.mark.parametrize("change", ["window", "game", "moves"])
def test_when_another_window_is_open_the_old_number_is_refused_once_and_plays_nothing(change):
    driver = Driver(hands={ANN: ["Stock Up 2"]})
    here, numbers = options_in(driver), numbered()
    read_out(numbers, here)
    if change == "window":
        driver.when(ANN, Draw())
        assert options_in(driver).window != here.window
    now = options_in(driver, game=2 if change == "game" else 1)
    if change == "moves":
        now = now._replace(moves=("draw",))
    with pytest.raises(UserError) as refused:
        numbers.move_by_number("ann", now, "2")
    assert str(refused.value) == f"2 was stock up 2 {OUT_OF_DATE}"
    assert numbers.move_by_number("ann", now, "2") is None


def test_where_the_game_means_something_else_by_a_number_the_list_says_so():
    here, numbers = options_in(giving_up()), numbered()
    assert [
        "1: give up food 2",
        "2: give up food 3",
        "To make one of these moves, type its number.",
        "The game itself reads 2 as give up food 2: type that in full.",
    ] == read_out(numbers, here)
    assert numbers.move_by_number("ann", here, "2") == "give up food 3"
    assert numbers.move_by_number("ann", here, "3") is None  # food 3, for the game to read


# -- in the server ---------------------------------------------------------------------------------

TABLE = ("open elimination pace=instant clocks=off", "bot", "bot", "start")


def test_read_aloud_a_number_is_a_play_until_the_next_window():
    *_, listed, played, again, game_s = read(*TABLE, "moves", "1", "1", "1", is_linear=True)
    assert listed.splitlines()[:2] == ["You can type", "1: draw"]
    assert "- " not in listed and "To make one of these moves, type its number." in listed
    assert played.startswith("You draw the ")
    assert " ".join(again.split()) == f"1 was draw {OUT_OF_DATE}"
    assert (
        game_s == "You can't choose yourself. Who plays next? Choose Juno or Otis."
    )  # the game's: its first seat


def test_a_number_is_no_play_for_who_reads_columns_or_has_not_asked():
    for is_linear in (True, False):
        *_, answer = read(*TABLE, "1", is_linear=is_linear)
        assert '"1"' in answer and "You draw" not in answer
    *_, listed, answer = read(*TABLE, "moves", "1")
    assert "- draw" in listed and '"1"' in answer
