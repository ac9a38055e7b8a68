"""`ratings check`, `ratings rebuild` and `reindex`, on rated games, one of them void."""

from __future__ import annotations

import asyncio
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from mudserver.config import schema
from mudserver.journal import Entry, JournalInspector
from mudserver.journal.index import INDEX_TABLES, IndexRow
from mudserver.journal.sqlite import read_stream
from mudserver.journal.sqlite.journal import JOURNAL_FILE, SqliteJournal
from mudserver.journal.sqlite.reindex import reindex
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import (
    AnyResultEvent,
    GameRecorded,
    GameVoided,
    GivenBack,
    SeatResult,
    decode,
    encode,
)
from mudserver.results.rating import Standing
from mudserver.results.rows import index_rows
from mudserver.results.statistics import Tallies
from mudserver.service.rated_event import rated_event

GAMES = 30


def a_run(games: int = GAMES) -> list[AnyResultEvent]:
    """Rated games of six accounts; one of the games is void."""
    dice, standings, found = Random(5), dict[str, Standing](), list[AnyResultEvent]()
    for number in range(1, games + 1):
        people = dice.sample([f"p{n}" for n in range(1, 7)], 3)
        seats = tuple(SeatResult("person", it, place=dice.randint(1, 3)) for it in people)
        bare = GameRecorded(
            *(number * 10**10, number, f"{number}.1", "duel", 0, 1, 2, "finished", seats),
            pool="duel",
        )
        event = rated_event(bare, standings, {})
        found.append(event)
        for it in event.seats:
            assert it.after is not None
            standings[it.person] = Standing(*it.after, it.games, event.at_ms)
        if number == games - 2:
            given = []
            for it in event.seats:
                assert it.before is not None and it.after is not None
                own, mu = standings[it.person], it.before[0] - it.after[0]
                after = own._replace(mu=own.mu + mu)
                standings[it.person] = after
                given.append(
                    GivenBack(it.person, "duel", mu, after[:2], after.games, after.last_ms)
                )
            found.append(GameVoided(event.at_ms + 1, number, "console:0", tuple(given)))
    return found


@pytest.fixture
def directory(tmp_path):
    fill(tmp_path / "var", a_run())
    return tmp_path / "var"


def fill(directory: Any, events: list[AnyResultEvent]) -> None:
    async def run() -> None:
        journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
        tallies, entries, index = Tallies(is_whole=True), list[Entry](), list[IndexRow]()
        for sequence, event in enumerate(events, 1):
            entries.append(Entry(RESULT_STREAM, sequence, encode(event)))
            stored = decode(encode(event))
            index += [*index_rows(sequence, stored), *tallies.rows(sequence, stored)]
        await journal.append_all(entries, index=index)
        await journal.close()

    asyncio.run(run())


def held_bytes(work: Callable[[], object]) -> int:
    """The most that Python held at once because of *work*."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def change(directory: Any, *statements: str) -> None:
    with closing(sqlite3.connect(directory / JOURNAL_FILE, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def rows(directory: Any, table: str) -> list[Any]:
    with closing(sqlite3.connect(directory / JOURNAL_FILE)) as db:
        return sorted(db.execute(f"select * from {table}").fetchall(), key=repr)


def test_a_server_that_has_not_counted_all_yet_is_said(directory, told):
    [(last,)] = [row[1:] for row in rows(directory, "mark") if row[0] == "counted"]
    change(directory, "update mark set value = 7 where name = 'counted'")
    status, _, err = told("ratings", "check", "--data", directory)
    assert (1, f"index: counted are 7 of {last} results; a server goes on\n") == (status, err)
    assert 0 == told("reindex", "--data", directory)[0]
    assert 0 == told("ratings", "check", "--data", directory)[0]


def test_what_is_computed_again_is_what_is_stored(directory, told):
    status, out, err = told("ratings", "check", "--data", directory)
    assert (0, "games=30 ratings=6 faults=0\n", "") == (status, out, err)


def test_a_wrong_row_of_the_index_is_found_and_made_again(directory, told):
    before = rows(directory, "rating"), rows(directory, "void")
    change(
        directory,
        "update rating set mu = mu + 1 where person = 'p1'",
        "insert into rating values ('duel', 'p9', 1, 1, 1, 1)",
        "delete from void",
    )
    status, out, err = told("ratings", "check", "--data", directory)
    assert 1 == status and "faults=2" in out
    assert ["index: p1 in duel is not as recorded", "index: p9 in duel is not as recorded"] == (
        err.splitlines()
    )
    assert 0 == told("ratings", "rebuild", "--data", directory)[0]
    assert before == (rows(directory, "rating"), rows(directory, "void"))
    assert 0 == told("ratings", "check", "--data", directory)[0]


def test_statistics_that_are_short_are_found_and_made_again(directory, told):
    before = rows(directory, "tally")
    change(
        directory,
        "update tally set body = replace(body, '\"place_sum\":', '\"place_sum\":1')"
        " where person = 'p2'",
        "delete from tally where person = 'p3'",
    )
    status, out, err = told("ratings", "check", "--data", directory)
    assert 1 == status and "faults=2" in out
    assert [f"index: statistics of {who} in duel are not as recorded" for who in ("p2", "p3")] == (
        err.splitlines()
    )
    assert 0 == told("reindex", "--data", directory)[0]
    assert before == rows(directory, "tally")


def test_statistics_that_cannot_be_read_are_a_fault_like_another(directory, told):
    before = rows(directory, "tally")
    change(
        directory,
        "update tally set body = '{' where person = 'p2'",
        "update tally set body = '[]' where person = 'p3'",
        "insert into tally values ('p9', 'duel', '')",
    )
    status, out, err = told("ratings", "check", "--data", directory)
    assert 1 == status and "faults=3" in out
    assert [
        f"index: statistics of {who} in duel are not as recorded" for who in ("p2", "p3", "p9")
    ] == err.splitlines()
    assert 0 == told("reindex", "--data", directory)[0]
    assert before == rows(directory, "tally")


def test_an_index_that_is_lost_is_made_again(directory, told):
    tables = ("game", "game_seat", "rating", "void", "tally", "mark")
    before = [rows(directory, table) for table in tables]
    assert all(before)
    change(directory, *(f"delete from {table}" for table in tables))
    assert 0 == told("reindex", "--data", directory)[0]
    assert before == [rows(directory, table) for table in tables]


def test_who_is_interrupted_leaves_the_former_index(directory):
    def broken(journal: JournalInspector) -> Iterator[IndexRow]:
        assert any(journal.read_pieces(RESULT_STREAM))
        yield IndexRow("rating", ("duel", "p9", 1, 1, 1, 1))
        raise KeyboardInterrupt

    before = [rows(directory, table) for table in INDEX_TABLES]
    with pytest.raises(KeyboardInterrupt):
        reindex(directory / JOURNAL_FILE, INDEX_TABLES, broken)
    assert before == [rows(directory, table) for table in INDEX_TABLES]


@pytest.mark.parametrize("units", [2, 3])
def test_a_game_that_was_computed_otherwise_is_found(tmp_path, told, units):
    *others, last = a_run()
    assert isinstance(last, GameRecorded)
    first, *rest = last.seats
    assert first.after is not None
    wrong = replace(first, after=(first.after[0] + units, first.after[1]))
    fill(tmp_path / "var", [*others, replace(last, seats=(wrong, *rest))])
    status, _, err = told("ratings", "check", "--data", tmp_path / "var")
    assert (units > 2) is ("game 30 seat 0: computed otherwise" in err) is (status == 1)


@pytest.mark.parametrize("words", [("ratings", "check"), ("ratings", "rebuild"), ("reindex",)])
def test_results_are_held_piece_by_piece(tmp_path, told, monkeypatch, words):
    events: list[AnyResultEvent] = [
        replace(event, seats=event.seats[:2], pool="", options="x" * 5_000, number=number)
        for number, event in enumerate(it for it in 7 * a_run() if isinstance(it, GameRecorded))
    ]
    fill(tmp_path, events)
    size = sum(len(encode(event)) for event in events)

    def run() -> None:
        assert told(*words, "--data", tmp_path)[0] in (0, 1)

    run()  # what is loaded once is loaded now
    held = []
    for piece in (20, len(events)):
        monkeypatch.setattr(read_stream, "PIECE", piece)
        held.append(held_bytes(run))
    assert held[0] < held[1] - size / 2


def test_a_running_server_keeps_its_index(directory, told):
    journal = SqliteJournal.open(directory, lambda: 0, schema.JournalConfig())
    try:
        for words in (("ratings", "rebuild"), ("reindex",)):
            status, _, err = told(*words, "--data", directory)
            assert status and "another server" in err
    finally:
        asyncio.run(journal.close())
