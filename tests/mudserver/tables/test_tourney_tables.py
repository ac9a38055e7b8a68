"""A table of a tournament: its game begins with its first record, and nobody changes anything."""

from __future__ import annotations

import pytest

from mudserver.config.schema import TablesConfig
from mudserver.errors import UserError
from mudserver.messages import Announcement, LocationMessage
from mudserver.tables import records as f
from mudserver.tables import requests as r
from mudserver.tables.ended_game import ended_game
from mudserver.tables.permissions import NOT_OF_TOURNEYS, is_allowed
from mudserver.tables.program_data import game_message, table_row
from mudserver.tables.rated_start import rated_start
from mudserver.tables.summary import TourneyTable
from mudserver.tables.table import Table
from mudserver.tables.tourney_tables import shuffled
from tests.mudserver.tables.driver import NAMES, SEED, Driver, seen
from tests.mudserver.tables.world import World, run, texts
from tests.toys.duel.game import DUEL
from variants.catalogue import CATALOGUE, AnyVariant

PEOPLE = ("a", "b", "c")


class RoundDriver(Driver):
    """Of a table that a tournament opens."""

    def __init__(
        self, *, elsewhere: tuple[str, ...] = (), game: AnyVariant = DUEL, **options: str
    ) -> None:
        self.settings, self.now_ms = TablesConfig(), 1_000_000
        self.variant, self.table = game, Table(7, game, self.settings)
        self.bodies, self.deliveries = [], []
        entrants = tuple(r.Entrant(it, NAMES[it]) for it in PEOPLE)
        opening = r.OpenRound(
            "", 3, 2, 1, entrants, options, elsewhere=frozenset(elsewhere), seed=SEED
        )
        self.opened = self.does(opening)

    def end(self) -> f.Record:
        """The round is over."""
        return self.does(r.EndRound(""))


def test_the_first_record_opens_the_table_and_begins_its_game():
    driver = RoundDriver()
    opened = driver.opened.facts[0]
    assert (3, 2, 1) == (opened.tourney, opened.round, opened.place)
    assert driver.table.is_playing and {*PEOPLE} == {*driver.table.seated}
    for person in PEOPLE:
        [location] = driver.to(person, LocationMessage)
        assert location == LocationMessage(7, "duel", driver.table.seat_of(person), True)
        assert "joined the table" not in " ".join(driver.said(person))
    assert 1 == len(driver.bodies)
    assert seen(driver.restarted(), *PEOPLE) == seen(driver.table, *PEOPLE)
    assert TourneyTable(3, 2, 1) == driver.restarted().tourney


def test_seats_are_drawn_by_lot_and_the_cards_stay_those_of_the_seed():
    driver, usual = RoundDriver(), Driver().starts("b", "c")
    entrants = tuple(r.Entrant(it, NAMES[it]) for it in PEOPLE)
    assert 6 == len({shuffled(entrants, bytes([number] * 32)) for number in range(60)})
    assert driver.table.game.plays[0].draws == usual.table.game.plays[0].draws


def test_who_is_bound_elsewhere_has_left_the_seat_and_may_return():
    driver = RoundDriver(elsewhere=("b",))
    assert driver.table.seat_of("b") is None and not driver.to("b")
    said = [text for text in driver.said("a") if "not here yet" in text]
    assert 1 == len(said) and said[0].startswith("Bob is not here yet. ")
    driver.does(r.Sit("b", "Bob"))
    assert driver.table.seat_of("b") is not None
    assert seen(driver.restarted(), *PEOPLE) == seen(driver.table, *PEOPLE)


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("command", sorted(NOT_OF_TOURNEYS))
def test_nothing_else_is_done_there(command, is_over):
    driver = RoundDriver()
    if is_over:
        driver.end()
    assert not any(is_allowed(driver.table, person, command) for person in (*PEOPLE, "d"))
    with pytest.raises(UserError):
        driver.does(r.Sit("d", "Dee"))
    for refused in (r.AddBot("a"), r.Start("a", SEED), r.Configure("a", {"seats": "2"})):
        with pytest.raises(UserError, match="belongs to tournament 3"):
            driver.does(refused)


def test_who_is_taken_to_it_reads_nothing_more_of_the_table_before(monkeypatch):
    async def main() -> None:
        there = World()
        await there.opened("a", "b")
        with monkeypatch.context() as patch:  # the table before is slower to let the person go
            patch.setattr(there.tables.places, "leave", lambda person: None)
            entrants = tuple(r.Entrant(it, it.upper()) for it in ("a", "c"))
            request = r.OpenRound("", 3, 1, 1, entrants, {})
            assert 2 == there.tables.rounds.open("duel", request, is_slow=False)
            await there.settles()
        assert 2 == there.tables.table_of("a")
        there.forget_messages()
        there.tables.submit(1, r.Stand("a"))
        await there.settles()
        assert [] == there.received("a")
        assert ["A left the table."] == texts(there.received("b", Announcement))[:1]

    run(main())


def test_nobody_owns_it_whoever_leaves():
    driver = RoundDriver()
    record = driver.does(r.Leave("a"))
    assert not any(isinstance(fact, f.OwnerIs) for fact in record.facts)


def test_the_end_of_the_round_ends_the_game_and_those_who_are_in_share():
    driver = RoundDriver()
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("tourney"),))
    ended = ended_game(driver.table, record)
    assert ("aborted", "the round was over", (1, 1, 1)) == (
        ended.end, ended.reason, ended.cut_places,
    )  # fmt: skip
    assert TourneyTable(3, 2, 1) == ended.tourney
    driver.end()
    assert not driver.table.is_playing
    assert driver.said()[0] == "The round is over, so this game ends without a result."
    assert "rematch" not in " ".join(driver.said())
    assert driver.said()[-1].endswith("What comes next: tourney 3")
    assert () == driver.end().facts  # it is over already


def test_who_decided_nothing_and_is_away_was_not_there():
    driver = RoundDriver(elsewhere=("c",))
    driver.plays("a")
    driver.does(r.Disconnect("b"))
    driver.passes(130)  # offline too long: a computer player decides
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("tourney"),))
    ended = ended_game(driver.table, record)
    assert {"a": "stayed", "b": "noshow", "c": "noshow"} == {
        it.person: it.in_tourney for it in ended.seats
    }


def test_who_has_typed_nothing_is_away_until_that_changes():
    driver = RoundDriver()
    driver.does(r.NotCome("b"))
    assert driver.table.is_away("b")
    assert () == driver.does(r.NotCome("b")).facts  # already
    driver.does(r.OwnerTyped("b"))
    assert not driver.table.is_away("b")
    assert seen(driver.restarted(), *PEOPLE) == seen(driver.table, *PEOPLE)


def test_who_has_decided_came_whatever_was_typed_later():
    driver = RoundDriver()
    driver.plays("b")
    assert () == driver.does(r.NotCome("b")).facts
    assert not driver.table.is_away("b")


def test_who_comes_late_to_a_rated_game_has_left_nothing():
    driver = RoundDriver(elsewhere=("c",), rated="on")
    driver.does(r.Sit("c", "Cid"))
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("tourney"),))
    driver.table.game.is_rated = True  # as the record says that the runner writes
    fates = {it.person: it.fate for it in ended_game(driver.table, record).seats}
    assert {"a": "stayed", "b": "stayed", "c": "stayed"} == fates
    driver.now_ms += 5
    driver.does(r.Leave("c"))
    driver.does(r.Sit("c", "Cid"))
    fates = {it.person: it.fate for it in ended_game(driver.table, record).seats}
    assert "left" == fates["c"]


def test_who_comes_late_and_plays_was_there_and_who_goes_has_left():
    driver = RoundDriver(elsewhere=("c",))
    driver.does(r.Sit("c", "Cid"))
    for person in ("a", "b", "c"):
        driver.plays(person)
    driver.does(r.Leave("a"))
    record = f.Record(driver.table.sequence + 1, driver.now_ms, (f.Aborted("tourney"),))
    ended = ended_game(driver.table, record)
    assert {"a": "left", "b": "stayed", "c": "stayed"} == {
        it.person: it.in_tourney for it in ended.seats
    }


def test_a_rated_one_is_looked_at_before_its_cards():
    table = Table(7, DUEL, TablesConfig())
    driver = RoundDriver(rated="on")
    start = rated_start(table, driver.opened)
    assert {*PEOPLE} == {*start.accounts} and start.is_tourney and "duel" == start.variant
    assert rated_start(table, RoundDriver().opened) is None


def test_by_correspondence_nobody_is_taken_there_and_the_pool_is_its_own():
    driver = RoundDriver(game=CATALOGUE["elimination"], preset="correspondence", rated="on")
    assert set() == driver.table.online and not driver.deliveries
    start = rated_start(Table(7, driver.variant, TablesConfig()), driver.opened)
    assert start.is_slow and start.is_tourney and {*PEOPLE} == {*start.accounts}
    assert () == driver.opened.presence_changes


@pytest.mark.parametrize("first", [True, False])
def test_by_correspondence_who_misses_the_first_own_turn_is_away(first):
    driver = RoundDriver(move="1h")
    if not first:
        driver.plays("a")
    driver.passes(3 * 3600)  # the first turn of all ends meanwhile
    assert first == driver.table.is_away("a") and driver.table.is_away("b")
    assert seen(driver.restarted(), *PEOPLE) == seen(driver.table, *PEOPLE)


def test_programs_read_which_tournament_it_is_of():
    driver, usual = RoundDriver(), Driver().starts("b", "c")
    assert 3 == table_row(driver.table).tourney == game_message(driver.table).tourney
    assert table_row(usual.table).tourney is None is game_message(usual.table).tourney
