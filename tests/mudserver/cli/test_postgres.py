"""`check`, `ratings` and `reindex` on a journal in PostgreSQL say what they say of SQLite."""

from __future__ import annotations

import asyncio
import os

import pytest

from mudserver.__main__ import main
from mudserver.accounts.accounts import Accounts
from mudserver.clock import Clock
from mudserver.config import schema
from mudserver.errors import JournalCorruptError
from mudserver.journal import Journal
from mudserver.journal.postgres import reading
from mudserver.journal.postgres.inspector import open_inspector
from mudserver.journal.streams import RESULT_STREAM
from mudserver.service.account_streams import AccountStreams
from tests.mudserver.cli.conftest import laid_in
from tests.mudserver.cli.test_move import address as empty
from tests.mudserver.cli.test_move import content, moved, run_sql, with_journal
from tests.mudserver.cli.test_ratings import a_run, fill

assert empty  # a fixture


@pytest.fixture(scope="module")
def moved_once(postgres, tmp_path_factory):
    """The address of a journal that was in a file, with rated games."""
    directory = laid_in(tmp_path_factory.mktemp("moved") / "var")
    fill(directory, a_run())
    made = asyncio.run(postgres.make_database())
    assert 0 == main(["move", "--from", str(directory), "--to", made])
    return made


@pytest.fixture
def address(postgres, moved_once):
    """Of a copy of it."""
    made = asyncio.run(postgres.make_database(moved_once))
    yield made
    asyncio.run(postgres.drop_database(made))


@pytest.fixture
def there(server, address):
    """The options that name it."""
    return ("--data", server, "--set", f"journal.postgres={address}")


def test_a_whole_journal_is_checked(server, address, there, told):
    status, out, err = told("check", *there)
    assert (0, "") == (status, err)
    assert out.startswith(f"{address} records=") and "tables=2 open=1 games=2 accounts=6" in out


def test_what_is_said_is_what_is_said_of_sqlite(server, empty, told):
    fill(server, a_run())
    words = (("check",), ("ratings", "check"), ("ratings", "rebuild"), ("reindex",))
    before = [told(*each, "--data", server) for each in words]
    moved(server, empty, told)
    options = ("--data", server, "--set", f"journal.postgres={empty}")
    for each, (status, out, err) in zip(words, before, strict=True):
        assert (status, out.replace(str(server), empty), err) == told(*each, *options), each
    assert [] == [line for line in before if line[0] or line[2]]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("update record set body = 'x' where stream = 'person/1' and sequence = 1",
         "journal broken stream=person/1 seq=1 reason='does not fit its hash'"),
        ("delete from record where stream = 'person/1'", "the last record is missing"),
        ("update stream set hash = 'x' where stream = 'person/1'",
         "it is not the record with which the stream ends"),
        ("insert into record values ('person/99', 1, 0, '', '')", "foreign: "),
        ("insert into stream (stream, last, hash) values ('odd/1', 0, '')",
         "foreign: a stream is called 'odd/1'"),
        ("create table diary (line text)", "foreign: diary is no part of a journal"),
        ("insert into claim values ('name', 'x', 'p1')", "p1 claims a name that is not its own"),
    ],
)  # fmt: skip
def test_what_somebody_has_changed_is_one_line_and_the_check_goes_on(
    server, address, there, told, change, fault
):
    run_sql(address, change)
    status, out, err = told("check", *there)
    assert 1 == status and fault in err and "tables=2 open=1 games=2" in out


def test_the_check_sees_one_moment_beside_a_server_that_plays(
    server, address, there, told, tmp_path
):
    async def play_and_check(journal: Journal) -> None:
        sequence = 0
        while sequence < 6:  # written beside checks
            checking = asyncio.ensure_future(asyncio.to_thread(told, "check", *there))
            while not checking.done():
                sequence += 1
                await journal.append("person/77", sequence, b"x")
            _, _, err = await checking
            assert "foreign" not in err and "broken" not in err

    with_journal(address, tmp_path / "var-2", play_and_check)


def test_names_that_servers_claim_are_right(server, address, there, told, tmp_path):
    """What a start adopts is what the check expects."""

    async def start(journal: Journal) -> None:
        config = schema.JournalConfig()
        await AccountStreams(
            journal, Accounts(), Clock(asyncio.get_running_loop()), config
        ).restore()

    with_journal(address, tmp_path / "var-2", start)
    assert 6 == run_sql(address, "select count(*) from claim")[0][0][0]
    assert 0 == told("check", *there)[0]


def test_a_wrong_index_is_found_and_made_again(server, address, there, told):
    assert 0 == told("reindex", *there)[0]  # the journal is older than some of its tables
    before = content(address)
    run_sql(address, "update rating set mu = mu + 1 where person = 'p1'", "delete from void",
            "delete from game_seat")  # fmt: skip
    status, out, err = told("ratings", "check", *there)
    assert 1 == status and "faults=1" in out and "index: p1 in duel is not as recorded" in err
    for words in (("ratings", "rebuild"), ("reindex",)):
        assert 0 == told(*words, *there)[0]
    assert before == content(address)


def test_results_are_read_in_pieces(there, address, monkeypatch):
    monkeypatch.setattr(reading, "PIECE", 7)
    with open_inspector(address) as journal:
        whole, pieces = journal.read(RESULT_STREAM), [*journal.read_pieces(RESULT_STREAM)]
        assert whole == [record for piece in pieces for record in piece] != []
        assert all(0 < len(piece) <= 7 for piece in pieces)


@pytest.mark.parametrize(
    "change",
    [
        "update record set body = 'x' where stream = 'results/1' and sequence = 9",
        "delete from record where stream = 'results/1' and sequence = 9",
        "delete from record where stream = 'results/1' and sequence = 31",
        "update stream set hash = 'x' where stream = 'results/1'",
    ],
)
def test_results_that_somebody_has_changed_end_the_reading(there, address, monkeypatch, change):
    monkeypatch.setattr(reading, "PIECE", 7)
    run_sql(address, change)
    with open_inspector(address) as journal, pytest.raises(JournalCorruptError):
        list(journal.read_pieces(RESULT_STREAM))


def test_a_server_that_plays_keeps_its_index(server, address, there, told, tmp_path):
    async def refuse(journal: Journal) -> None:
        for words in (("ratings", "rebuild"), ("reindex",)):
            status, out, err = await asyncio.to_thread(told, *words, *there)
            assert (1, "") == (status, out) and "the server g1 uses the journal" in err

    with_journal(address, tmp_path / "var-2", refuse)


def test_a_database_that_is_away_or_holds_no_journal_is_one_sentence(tmp_path, empty, told):
    for place, sentence in (
        (f"postgresql://nobody@/none?host={tmp_path}", "PostgreSQL cannot be reached"),
        (empty, "there is no journal in this database"),
    ):
        options = ("--data", tmp_path, "--set", f"journal.postgres={place}")
        for words in (("check",), ("ratings", "check"), ("reindex",)):
            status, out, err = told(*words, *options)
            assert status in (1, os.EX_DATAERR) and "" == out
            assert sentence in err and 1 == len(err.splitlines())


def test_another_schema_is_not_changed_by_a_check(address, there, told):
    run_sql(address, "update meta set value = '99' where key = 'schema'")
    status, _, err = told("check", *there)
    assert os.EX_DATAERR == status and "has schema 99" in err
    assert b"99" == run_sql(address, "select value from meta where key = 'schema'")[0][0][0]
