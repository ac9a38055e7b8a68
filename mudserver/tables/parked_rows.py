"""The rows of parked tables that a server keeps: on disk, for there may be very many of them.

Rule 1: whoever asks for one table reads that one.  Lists of all read one after the other, and of
        each only what they show.
Rule 2: everything that is asked for a person or a code, and not for a table, is found without
        reading a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import msgspec

from mudserver.data_messages import TableRow
from mudserver.tables.parked import Parked, decode, encode
from mudserver.tables.summary import TableSummary
from mudserver.tables.temporary_database import TemporaryDatabase

SCHEMA = (
    # Without the row: what is asked of all of them has few pages.
    "create table parked (number integer primary key, is_live integer, code_hash text)",
    "create index private on parked (number) where code_hash <> ''",
    "create table parked_row (number integer primary key, body blob)",
    # has_left: a computer player has the seat.  is_asked: is to move, and need not be there.
    """create table parked_person (
        person text, number integer, has_left integer, is_asked integer,
        primary key (person, number)) without rowid""",
)
OF_PERSON = "select number from parked_person where person = ?"

T = TypeVar("T")


class _Summary(msgspec.Struct):
    summary: TableSummary


class _Row(msgspec.Struct):
    row: TableRow


class ParkedRows:
    def __init__(self, db: TemporaryDatabase) -> None:
        self._db = db
        db.write(*((sql, [()]) for sql in SCHEMA))

    def __contains__(self, number: int) -> bool:
        return self._db.value("select 1 from parked where number = ?", number) is not None

    def __len__(self) -> int:
        return self._count("1")

    def put(self, *rows: Parked) -> None:
        self._db.write(
            (
                "replace into parked values (?, ?, ?)",
                [(it.number, it.is_live, it.code_hash) for it in rows],
            ),
            ("replace into parked_row values (?, ?)", [(it.number, encode(it)) for it in rows]),
            (
                "replace into parked_person values (?, ?, ?, ?)",
                [
                    (person, it.number, person in it.left, _is_asked(it, person))
                    for it in rows
                    for person in _people(it)
                ],
            ),
        )

    def pop(self, number: int) -> Parked | None:
        """The row, which is forgotten; None: the table is not parked."""
        if (row := self.get(number)) is None:
            return None
        self._db.write(
            ("delete from parked where number = ?", [(number,)]),
            ("delete from parked_row where number = ?", [(number,)]),
            (
                "delete from parked_person where person = ? and number = ?",
                [(person, number) for person in _people(row)],
            ),
        )
        return row

    # -- of one table --------------------------------------------------------------------------

    def get(self, number: int) -> Parked | None:
        """The table as it was parked; None: it is not."""
        body = self._body(number)
        return None if body is None else decode(body)

    # -- of all --------------------------------------------------------------------------------

    def numbers(self) -> list[int]:
        return self._db.column("select number from parked order by number")

    def summaries(self) -> Iterator[TableSummary]:
        """By number."""
        return map(self.summary, self.numbers())

    def public_summaries(self, most: int) -> Iterator[TableSummary]:
        """The first *most* of the public ones, by number."""
        found = "select number from parked where code_hash = '' order by number limit ?"
        return map(self.summary, self._db.column(found, most))

    def summary(self, number: int) -> TableSummary:
        """Of a table that is parked."""
        return self._part(number, _Summary).summary

    def table_rows(self) -> Iterator[TableRow]:
        """By number."""
        return (self._part(number, _Row).row for number in self.numbers())

    def public_count(self) -> int:
        return len(self) - self.private_count()

    def private_count(self) -> int:
        return self._count("code_hash <> ''")

    def code_hashes(self) -> Iterable[tuple[int, str]]:
        """Of the private ones, by number."""
        found = "select number, code_hash from parked where code_hash <> '' order by number"
        return self._db.rows(found)

    # -- of people -----------------------------------------------------------------------------

    def left_by(self, person: str) -> list[int]:
        """Where a computer player has the seat of that person."""
        return self._db.column(f"{OF_PERSON} and has_left", person)

    def asking(self, person: str) -> list[int]:
        """Where that person is to move, but for live games."""
        return self._db.column(f"{OF_PERSON} and is_asked", person)

    def live_of(self, numbers: Iterable[int]) -> list[int]:
        """Those of *numbers* where a live game waits for its people, who are offline."""
        sql = "select is_live from parked where number = ?"
        return [it for it in numbers if self._db.value(sql, it)]

    def knowing(self, person: str) -> list[int]:
        """Those that remember anything of the person."""
        return self._db.column(OF_PERSON, person)

    # -- inside --------------------------------------------------------------------------------

    def _count(self, which: str) -> int:
        return int(self._db.value(f"select count(*) from parked where {which}"))

    def _body(self, number: int) -> Any:
        return self._db.value("select body from parked_row where number = ?", number)

    def _part(self, number: int, part: type[T]) -> T:
        return msgspec.json.decode(self._body(number), type=part)


def _people(row: Parked) -> set[str]:
    return {*row.people, *row.left, *row.games}


def _is_asked(row: Parked, person: str) -> bool:
    return not row.is_live and person in row.games and row.games[person].is_asked
