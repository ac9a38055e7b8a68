"""A server that does not run, and the commands that look at it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import asyncssh
import pytest

from mudserver.__main__ import main
from tests.samples.make import unpacked

ONE_TABLE = (
    """with recursive gone (id) as (
        select head from stream where name in ('table/2', 'table/3')
        union select previous from record join gone using (id))
    delete from record where id in gone""",
    "delete from stream where name in ('table/2', 'table/3')",
)
KEY = asyncssh.generate_private_key("ssh-ed25519").export_private_key().decode()


@pytest.fixture
def server(tmp_path):
    """The data directory of a server that does not run."""
    return laid_in(tmp_path / "var")


def laid_in(directory: Path) -> Path:
    """Of its games those of one table, for each check plays all of them again."""
    with closing(sqlite3.connect(unpacked(1, directory), isolation_level=None)) as db:
        for statement in ONE_TABLE:
            db.execute(statement)
    (directory / "ssh_host_ed25519_key").write_text(KEY)
    return directory


@pytest.fixture
def told(capfd):
    """Runs a command; answers its exit status, and what it says on both outputs."""

    def run(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(word) for word in words])
        return status, *capfd.readouterr()

    return run
