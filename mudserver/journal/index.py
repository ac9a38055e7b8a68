"""Index rows: what is looked up of records, written in the transaction of these records.

Rule 1: an index holds nothing that does not follow from records; it can be dropped and made anew.
Rule 2: a row is written whole and replaces the one with the same key.
Rule 3: statements are SQL that SQLite and PostgreSQL read alike.  Numbers are at most 64 bits;
        placeholders are `?`.

Measured with 1,000,000 games of 3 seats: docs/bench.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

Value = int | str | None


class IndexTable(NamedTuple):
    """One table of the index."""

    columns: tuple[tuple[str, str], ...]  # name and type
    key: tuple[str, ...]
    lookups: tuple[str, ...] = ()  # of further indexes: columns, and which rows

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)


class IndexRow(NamedTuple):
    """A row to be written."""

    table: str  # a key of INDEX_TABLES
    values: tuple[Value, ...]  # of all its columns


def _columns(**types: str) -> tuple[tuple[str, str], ...]:
    kinds = {"int": "bigint not null", "int?": "bigint", "text": "text not null"}
    return tuple((name, kinds[kind]) for name, kind in types.items())


INDEX_TABLES: Mapping[str, IndexTable] = {
    # One row for each recorded game.
    "game": IndexTable(
        _columns(
            number="int",
            id="text",
            variant="text",
            preset="text",
            pool="text",
            why_unrated="text",
            options="text",
            started_ms="int",
            ended_ms="int",
            ending="text",
            reason="text",
            first_sequence="int",
            last_sequence="int",
            match_id="text",
            deal="int",
            seats="int",
            is_private="int",
        ),
        ("number",),
        ("id",),
    ),
    # One row for each seat of such a game.  person: "" a computer player or a guest; against: the
    # level of all others, if they are computer players of one level.
    "game_seat": IndexTable(
        _columns(
            number="int",
            seat="int",
            person="text",
            kind="text",
            name="text",
            level="text",
            place="int?",
            score="int?",
            fate="text",
            against="text",
            variant="text",
            seats="int",
            pool="text",
            ended_ms="int",
            mu_before="int?",
            sigma_before="int?",
            mu_after="int?",
            sigma_after="int?",
        ),
        ("number", "seat"),
        # All that `stats` and `vs` read, so that they read nothing but this.
        (
            "person, number, variant, seats, place, fate, against, pool, ended_ms"
            " where person <> ''",
        ),
    ),
    # The rating of each account in each pool, mu and sigma in 1/10,000.
    "rating": IndexTable(
        _columns(pool="text", person="text", mu="int", sigma="int", games="int", last_ms="int"),
        ("pool", "person"),
        ("pool, mu",),
    ),
    # Games whose ratings were given back.
    "void": IndexTable(_columns(number="int", by="text", at_ms="int"), ("number",)),
    # The statistics of each account in each variant, as JSON: `results/statistics.py`.
    "tally": IndexTable(
        _columns(person="text", variant="text", body="text"), ("person", "variant")
    ),
    # What each account had in each pool at its last rated game of a season, with how many games of
    # the season it has played.
    "season": IndexTable(
        _columns(
            pool="text",
            season_ms="int",
            person="text",
            mu="int",
            sigma="int",
            games="int",
            last_ms="int",
        ),
        ("pool", "season_ms", "person"),
        ("pool, season_ms, mu",),
    ),
    # Accounts that have played rated games as programs.
    "program": IndexTable(_columns(person="text"), ("person",)),
    # Tables that are in no server's memory, as JSON: `tables/parked.py`; body: "" in memory again.
    "parked": IndexTable(
        _columns(number="int", body="text"), ("number",), ("number where body <> ''",)
    ),
    # Games of tournaments.
    "tourney_game": IndexTable(_columns(number="int", tourney="int", in_round="int"), ("number",)),
    # How far something has come, by its name.
    "mark": IndexTable(_columns(name="text", value="int"), ("name",)),
}


FIRST_TABLES = ("game", "game_seat", "rating", "void", "mark")
"""Those of the first index; what came later has steps of its own."""


def create_statements(tables: Iterable[str] = tuple(INDEX_TABLES)) -> list[str]:
    """Tables of the index, and what finds their rows."""
    found = []
    for name in tables:
        table = INDEX_TABLES[name]
        columns = ", ".join(f"{column} {kind}" for column, kind in table.columns)
        found.append(f"create table {name} ({columns}, primary key ({', '.join(table.key)}))")
        for each in table.lookups:
            columns, _, which = each.partition(" where ")
            where = f" where {which}" if which else ""
            found.append(f"create index {lookup_name(name, each)} on {name} ({columns}){where}")
    return found


PARKED = ("parked",)
TOURNEY_GAMES = ("tourney_game",)
FIRST_COUNTED, SEASONS = ("tally",), ("season", "program")
"""What is counted of all results after the step that adds it, for no mark says that it was.  A
later step of this kind deletes the mark `counted`."""


def lookup_name(table: str, lookup: str) -> str:
    """The name of a further index."""
    columns = lookup.partition(" where ")[0]
    return f"{table}_by_{columns.split(',')[0]}"


def upsert_statement(name: str) -> str:
    """Write a row whole.  Rule 2."""
    table = INDEX_TABLES[name]
    others = [column for column in table.names if column not in table.key]
    sets = ", ".join(f"{column} = excluded.{column}" for column in others)
    change = f"update set {sets}" if others else "nothing"
    return (
        f"insert into {name} ({', '.join(table.names)})"
        f" values ({', '.join('?' * len(table.columns))})"
        f" on conflict ({', '.join(table.key)}) do {change}"
    )


def check_rows(rows: Iterable[IndexRow]) -> None:
    """ValueError: a row that fits no table: a caller's bug."""
    for name, values in rows:
        if name not in INDEX_TABLES or len(values) != len(INDEX_TABLES[name].columns):
            raise ValueError(f"a row of {len(values)} values does not fit the index {name}")


def rows_by_table(rows: Iterable[IndexRow]) -> dict[str, list[tuple[Value, ...]]]:
    """The values of *rows*, in their order."""
    found: dict[str, list[tuple[Value, ...]]] = {}
    for name, values in rows:
        found.setdefault(name, []).append(values)
    return found


Row = Sequence[Value]
"""A row of an answer."""

ROWS_AT_ONCE = 5_000


def read_rows(name: str, fetch: Callable[[str, Sequence[Value]], Sequence[Row]]) -> Iterator[Row]:
    """All rows of a table, its columns in their order, by its key; read in pieces.

    Args:
        fetch: Asks a statement with values; meanwhile nobody writes.
    """
    table = INDEX_TABLES[name]
    key, places = ", ".join(table.key), [table.names.index(each) for each in table.key]
    marks = ", ".join("?" * len(places))
    read = f"select {', '.join(table.names)} from {name}{{}} order by {key} limit {ROWS_AT_ONCE}"
    piece = fetch(read.format(""), ())
    while piece:
        yield from map(tuple, piece)
        last = [piece[-1][place] for place in places]
        piece = fetch(read.format(f" where ({key}) > ({marks})"), last)
