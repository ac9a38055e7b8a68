"""Rows of parked tables: on disk, and found by what is asked for."""

from __future__ import annotations

from msgspec.structs import replace

from mudserver.tables import requests as r
from mudserver.tables.parked import Parked, parked, row_of
from mudserver.tables.parked_rows import ParkedRows
from mudserver.tables.temporary_database import TemporaryDatabase
from tests.mudserver.tables.driver import Driver
from variants.catalogue import CATALOGUE


def empty() -> ParkedRows:
    return ParkedRows(TemporaryDatabase())


def row(number: int = 1, *, variant: str = "words") -> Parked:
    driver = Driver({"move": "14d"}, variant=CATALOGUE[variant]).starts("b", "c")
    driver.table.number = number
    while not {*"ab"} & {it for it in "abc" if driver.table.question_of(it)}:
        driver.passes(60)
    driver.does(r.Leave("c"))
    for person in "ab":
        driver.does(r.StepOut(person))
    return parked(driver.table, driver.now_ms)


def test_a_row_comes_back_as_it_was():
    for variant in CATALOGUE:
        each, rows = row(variant=variant), empty()
        rows.put(each)
        assert each == rows.get(1)


def test_lists_of_all_say_what_each_row_says():
    rows, every = empty(), [row(number) for number in (3, 1, 2)]
    rows.put(*every)
    by_number = sorted(every, key=lambda it: it.number)
    assert [1, 2, 3] == rows.numbers() and 3 == len(rows)
    assert [it.summary for it in by_number] == list(rows.summaries())
    assert list(map(row_of, by_number)) == list(rows.table_rows())
    rows.put(replace(every[1], code_hash="x" * 64))  # of table 1: it is private now
    assert [it.summary for it in by_number[1:]] == list(rows.public_summaries(9))
    assert [2] == [it.number for it in rows.public_summaries(1)]


def test_what_is_asked_for_a_person_or_a_code_is_found():
    rows = empty()
    rows.put(row(1))
    rows.put(replace(row(2), code_hash="x" * 64, is_live=True))
    for person, game in row().games.items():  # a live game asks only who is there
        assert ([1] if game.is_asked else []) == rows.asking(person)
    assert any(game.is_asked for game in row().games.values())
    assert [1, 2] == rows.left_by("c") == rows.knowing("b") == rows.knowing("c")
    assert [] == rows.left_by("b") == rows.knowing("d")
    assert [(2, "x" * 64)] == list(rows.code_hashes()) and [2] == rows.live_of([1, 2, 3])
    assert 1 in rows and 3 not in rows and rows.get(3) is None


def test_a_row_that_is_taken_leaves_nothing():
    rows = empty()
    rows.put(replace(row(2), code_hash="x" * 64, is_live=True))
    rows.put(row(1))
    assert 2 == getattr(rows.pop(2), "number", None) and rows.pop(2) is None
    assert [1] == rows.left_by("c") == rows.numbers() and [] == rows.live_of([2])
    rows.pop(1)
    tables = rows._db.column("select name from sqlite_master where type = 'table'")
    assert 3 == len(tables)
    assert [] == [it for name in tables for it in rows._db.rows(f"select * from {name}")]
