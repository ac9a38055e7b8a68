"""`top`: people, programs, seasons, from rows of the index that are made up."""

from __future__ import annotations

import asyncio

import pytest

from mudserver.accounts.accounts import Accounts
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import UserError
from mudserver.journal import IndexRow
from mudserver.results.seasons import season_start_ms
from mudserver.service.account_streams import AccountStreams
from mudserver.service.result_lookup import ResultLookup
from mudserver.service.result_pages import top_page
from mudserver.service.result_streams import ResultStreams
from tests.memory_journal import MemoryJournal
from tests.mudserver.service.test_results import come, duel_world, types
from tests.simulation import virtual
from tests.simulation.server import SimServer

SURE, UNSURE = 20_000, 80_000  # sigma


async def looked_up(*rows: IndexRow) -> tuple[ResultLookup, int]:
    """What answers, and when the present season began."""
    clock, journal = Clock(asyncio.get_running_loop()), MemoryJournal()
    await journal.append_all([], index=rows)
    accounts = Accounts()
    streams = AccountStreams(journal, accounts, clock, schema.JournalConfig())
    lookup = ResultLookup(clock, accounts, ResultStreams(journal, streams))
    return lookup, season_start_ms(clock.now_ms())


def rating(person: str, mu: int, sigma: int = SURE) -> IndexRow:
    return IndexRow("rating", ("duel", person, mu, sigma, 30, 2**52))


def in_season(person: str, season_ms: int, mu: int, games: int = 10, sigma: int = SURE) -> IndexRow:
    return IndexRow("season", ("duel", season_ms, person, mu, sigma, games, season_ms + 1))


async def test_people_and_programs_are_listed_apart_with_places_of_their_own():
    rows = [rating(f"p{n}", 250_000 + n) for n in range(1, 8)]
    programs = [IndexRow("program", (person,)) for person in ("p2", "p7")]
    lookup, _ = await looked_up(*rows, rating("p9", 999_999, UNSURE), *programs)
    people = await lookup.top("duel", "p1")
    assert ["p6", "p5", "p4", "p3", "p1"] == [person for person, _ in people.rows]
    assert people.own is not None and 5 == people.own[0]
    found = await lookup.top("duel", "p1", is_program=True)
    assert ["p7", "p2"] == [person for person, _ in found.rows] and found.own is None
    assert "Ratings: duel programs" == top_page(found, str).title
    own = (await lookup.top("duel", "p2", is_program=True)).own
    assert own is not None and 2 == own[0]


async def test_equal_ratings_share_a_place_also_from_page_to_page():
    rows = [rating(f"p{n:02}", 300_000 - n // 3) for n in range(24)]
    lookup, _ = await looked_up(*rows)
    first, second = [await lookup.top("duel", "p20", page) for page in (1, 2)]
    assert tuple(3 * (n // 3) + 1 for n in range(24)) == first.places + second.places
    assert second.own is not None and second.own[0] == second.places[0] == 19
    assert "19\tp20" in top_page(second, str).rows[0]


async def test_of_a_season_are_those_with_ten_games_in_it_by_their_last_rating_of_it():
    lookup, now_ms = await looked_up()
    before_ms = season_start_ms(now_ms - 1)
    rows = [in_season(f"p{n}", now_ms, 250_000 + n) for n in range(1, 25)]
    rows += [in_season("p30", now_ms, 400_000, 9), in_season("p31", now_ms, 400_000, 10, UNSURE)]
    rows += [in_season("p1", before_ms, 300_000, games=44), rating("p1", 123_456)]
    lookup, _ = await looked_up(*rows)
    first = await lookup.top("duel", "p30", 1, now_ms)
    assert [f"p{n}" for n in range(24, 4, -1)] == [person for person, _ in first.rows]
    assert 2 == first.pages and not first.is_own_established
    shown = " ".join(top_page(first, str).rows)
    assert "You: 2100, 9 games, not established" in shown and " season 20" in shown
    last = await lookup.top("duel", "p1", 2, now_ms)
    assert "p1" == last.rows[-1][0] and last.own is not None and 24 == last.own[0]
    former = await lookup.top("duel", "p1", 1, before_ms)
    assert [("p1", 44)] == [(person, standing.games) for person, standing in former.rows]
    with pytest.raises(UserError, match="last page is page 1"):
        await lookup.top("duel", "p1", 2, before_ms)


def test_the_words_behind_top_come_in_any_order_and_wrong_ones_are_refused():
    async def scenario() -> None:
        server = await SimServer(duel_world()).open()
        [ann] = await come(server, "Ann")
        for typed in ("", " duel", " programs page 1"):
            assert "Nobody is established yet" in await types(ann, f"top{typed}"), typed
        for typed in (" season", " duel season programs", " programs season page 1"):
            assert "has played ten rated games in it" in await types(ann, f"top{typed}"), typed
        read = await types(ann, "top season 2026-1 programs")
        assert "Ratings: duel season 2026-1 programs" in read
        for wrong in ("2026-5", "2999-1", "now-then"):
            assert "is no season until now" in await types(ann, f"top duel season {wrong}"), wrong
        assert "The last page is page 1." in await types(ann, "top page 2 duel season")
        assert "chess" in await types(ann, "top chess season")

    virtual.run(scenario())
