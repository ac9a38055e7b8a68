"""`mudserver ratings check|rebuild` and `mudserver reindex`: what follows from results, made again.

Rule 1: `check` changes nothing, and works beside a running server, on a copy or one moment of it.
Rule 2: `rebuild` and `reindex` replace rows of the index, never records, while no server runs.
Rule 3: results are read in pieces: what is held grows with accounts, not with games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mudserver.cli.config import add_options, config_sources
from mudserver.cli.data import check_has_journal, locked, open_journal, with_cleanup
from mudserver.config import load
from mudserver.journal import JournalInspector, Row, Value
from mudserver.journal.index import INDEX_TABLES, IndexRow
from mudserver.journal.opening import require_postgres
from mudserver.journal.sqlite.journal import JOURNAL_FILE
from mudserver.journal.sqlite.reindex import reindex
from mudserver.journal.streams import RESULT_STREAM
from mudserver.results.events import AnyResultEvent, GameVoided, decode
from mudserver.results.rows import COUNTED, index_rows
from mudserver.results.statistics import Tallies
from mudserver.service.recompute import Recomputed

Key = tuple[Value, ...]

RATINGS = ("rating", "void", "season", "program")  # tables of the index


def add(commands: Any) -> None:
    ratings = commands.add_parser("ratings", help="check ratings, or make them again from results")
    verbs = ratings.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add(verbs, "check", _check, "compute ratings and statistics again, and compare")
    _add(verbs, "rebuild", _rebuild, "make the ratings in the index again; the server must not run")
    _add(commands, "reindex", _reindex, "make the index of results again; the server must not run")


def _add(commands: Any, name: str, run: Callable[[argparse.Namespace], int], does: str) -> None:
    parser = commands.add_parser(name, help=does, description=f"{does[0].upper()}{does[1:]}.")
    add_options(parser)
    parser.set_defaults(run=with_cleanup(run))


def _check(options: argparse.Namespace) -> int:
    with open_journal(load.load(config_sources(options)).config) as (_, journal):
        voided = {it.number for _, it in _events(journal) if isinstance(it, GameVoided)}
        again, tallies = Recomputed(voided), Tallies(is_whole=True)
        seasons: dict[Key, Key] = {}  # by pool, season and account
        last = 0
        for sequence, event in _events(journal):
            again.apply(event)
            rows = tallies.rows(sequence, event)
            seasons.update({row.values[:3]: row.values for row in rows if row.table == "season"})
            last = sequence
        faults = [*again.faults, *again.index_faults(journal.index_rows("rating"))]
        marks = {str(name): int(value or 0) for name, value in journal.index_rows("mark")}
        if (counted := marks.get(COUNTED, 0)) == last:
            faults += tallies.index_faults(journal.index_rows("tally"))
            faults += _season_faults(seasons, journal.index_rows("season"))
        else:
            faults.append(f"index: counted are {counted} of {last} results; a server goes on")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"games={again.games} ratings={len(again.standings)} faults={len(faults)}")
    return 1 if faults else 0


def _season_faults(wanted: Mapping[Key, Key], rows: Iterable[Row]) -> list[str]:
    """Where the index differs.  Args: rows: all of its table `season`."""
    found = {tuple(row[:3]): tuple(row) for row in rows}
    wrong = sorted(key for key in found.keys() | wanted if found.get(key) != wanted.get(key))
    return [f"index: {who} in {pool} is not as recorded of a season" for pool, _, who in wrong]


def _rebuild(options: argparse.Namespace) -> int:
    return _replace(options, RATINGS)


def _reindex(options: argparse.Namespace) -> int:
    return _replace(options, INDEX_TABLES)


def _replace(options: argparse.Namespace, tables: Collection[str]) -> int:
    config = load.load(config_sources(options)).config
    address, directory = config.journal.postgres, Path(config.server.data)
    if address:
        require_postgres()
        from mudserver.journal.postgres import reindex as postgres

        count = postgres.reindex(address, tables, _rows)
    else:
        check_has_journal(directory)
        with locked(directory):
            count = reindex(directory / JOURNAL_FILE, tables, _rows)
    print(f"{address or directory} rows={count}")
    return 0


def _rows(journal: JournalInspector) -> Iterator[IndexRow]:
    tallies = Tallies(is_whole=True)
    for sequence, event in _events(journal):
        yield from index_rows(sequence, event)
        yield from tallies.rows(sequence, event)


def _events(journal: JournalInspector) -> Iterator[tuple[int, AnyResultEvent]]:
    """Each with its sequence.  Rule 3."""
    for piece in journal.read_pieces(RESULT_STREAM):
        for stored in piece:
            yield stored.sequence, decode(stored.body)
