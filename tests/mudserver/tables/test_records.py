"""What the journal has of a table: folded again, proved, and under other data files."""

from dataclasses import replace
from typing import Any

import pytest

from mudserver.errors import UserError
from mudserver.tables import codec
from mudserver.tables.result import export_game
from tests.mudserver.tables.driver import Driver, seen, whole_game
from tests.toys.duel.game import DUEL, HAND, Bid, Dealt, Drawn
from variants.verify import InvalidRecord, Mismatch, verify


def test_the_journal_cut_anywhere_gives_every_reader_what_they_had_seen():
    driver = Driver().sits("b")  # [DUR-5, DUR-1]
    told = [seen(driver.table, "a", "b", "c")] * 3  # Ann is ready before Bob
    driver.all_start()
    told.append(seen(driver.table, "a", "b", "c"))
    while driver.table.is_playing:
        game = driver.table.game
        seat = next(s for s in game.window.seats if game.may_act(s))
        driver.plays(game.seats[seat].person)
        told.append(seen(driver.table, "a", "b", "c"))
    assert len(told) == len(driver.bodies)
    for upto, expected in enumerate(told, start=1):
        assert seen(driver.restarted(upto), "a", "b", "c") == expected, upto


def test_a_table_goes_on_after_a_restart_as_if_nothing_had_been():
    straight, cut = Driver().starts("b"), Driver().starts("b")
    cut.table = cut.restarted()
    for driver in (straight, cut):
        whole_game(driver)
    assert straight.table.game.plays == cut.table.game.plays


def test_a_finished_game_is_exported_so_that_it_can_be_proved():
    games = {"duel": DUEL}
    driver = Driver().starts("b")
    driver.passes(60)  # two defaults draw from the game's chance
    with pytest.raises(UserError, match="when it is over"):
        export_game(driver.table.game)
    text = export_game(whole_game(driver).table.game)
    assert verify(text.splitlines(), games).startswith("proved: 9 decisions")
    with pytest.raises(Mismatch):
        verify(text.replace('"by":"time"', '"by":""', 1).splitlines(), games)


def test_tables_and_records_of_an_option_that_was_renamed_are_read():
    options = [replace(it, name="length", old_name="rounds") for it in DUEL.options]

    def deal(seats: int, chosen: Any, chance: Any) -> list[Any]:
        return DUEL.deal(seats, {"rounds": chosen["length"]}, chance)

    renamed = replace(DUEL, options=tuple(options), deal=deal, check_options=lambda chosen: None)
    driver = whole_game(Driver().starts("b"))
    (opened, *_) = codec.decode(1, driver.bodies[0], renamed).facts
    assert driver.table.options.game["rounds"] == opened.options.game["length"]
    record = export_game(driver.table.game).splitlines()
    assert verify(record, {"duel": renamed}) == verify(record, {"duel": DUEL})


def duel_of(cards: range) -> Any:
    """The toy with other cards in the box, as from a data file."""

    def deal(seats: int, options: Any, chance: Any) -> list[Any]:
        drawn = chance.shuffled(tuple(map(str, cards)))
        hands = tuple(drawn[n * HAND : (n + 1) * HAND] for n in range(seats))
        return [Dealt(hands, drawn[seats * HAND :], int(options["rounds"]))]

    return replace(DUEL, deal=deal, data_fingerprint=f"cards {cards}")


OLD, NEW = duel_of(range(1, 21)), duel_of(range(101, 121))


def hands(driver: Driver) -> list[int]:
    return [int(card) for hand in driver.table.game.state.hands for card in hand]


def test_a_running_game_goes_on_with_its_cards_and_the_next_has_those_of_the_new_file():
    driver = Driver(variant=OLD).starts("b")
    driver.plays("a")
    driver.variant = NEW
    driver.table = driver.restarted()
    assert max(hands(driver)) <= 20
    assert driver.table.game.data == OLD.data_fingerprint
    old = export_game(whole_game(driver).table.game)
    driver.all_start()
    assert min(hands(driver)) > 100
    assert driver.table.game.data == NEW.data_fingerprint
    new = export_game(whole_game(driver).table.game)
    assert verify(old.splitlines(), {"duel": OLD}).startswith("proved: 9 decisions")
    assert verify(new.splitlines(), {"duel": NEW}).startswith("proved: 9 decisions")
    for record, games in ((old, {"duel": NEW}), (new, {"duel": OLD}), (new, {"duel": DUEL})):
        with pytest.raises(InvalidRecord, match="line 1: this game of duel was played by another"):
            verify(record.splitlines(), games)


def test_a_journal_from_before_there_were_data_files_is_read():
    driver = Driver().starts("b")
    assert b'"data"' not in b"".join(driver.bodies)
    assert driver.restarted().game.data == ""


def test_an_action_is_stored_by_the_name_of_its_class():
    driver = Driver().starts("b")
    record = driver.plays("a")
    played = codec.decode(record.sequence, driver.bodies[-1], DUEL).facts[0]
    assert isinstance(played.action, Bid)
    assert not isinstance(played.events[0], Drawn)
