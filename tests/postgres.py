"""A real PostgreSQL for tests: a fresh cluster of this process, and a database without records.

Rule 1: it is Debian's package `postgresql`, run as an unprivileged user, on a Unix socket alone.
Rule 2: where the package is missing, tests that need it are skipped with its name; with
        REQUIRE_POSTGRES=1 in the environment, as in CI, they fail.
Rule 3: the cluster keeps what it has confirmed (`fsync = on`), as the server demands.  It lies in
        memory where there is a place for that, so that this costs nothing; a proof of durability
        asks for the disk.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import asyncpg
import pytest

USER = "lockdown"
MEMORY = Path("/dev/shm")
START_S = 60.0
PR_SET_PDEATHSIG = 1
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "16MB",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
    "autovacuum_naptime": "10s",
    "log_min_messages": "fatal",
}

END_OTHERS = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()"""
TABLES = "select tablename from pg_tables where schemaname = 'lockdown' and tablename <> 'meta'"


def find_programs() -> Path | None:
    """The directory of `initdb` and `postgres`; None: the package is not installed."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_release)
    if on_path is not None:
        found.append(Path(on_path))
    return found[-1].parent if found else None


def _release(initdb: Path) -> float:
    return float(initdb.parts[4])


def require_programs() -> Path:
    programs = find_programs()
    if programs is None:
        reason = "install postgresql: apt-get install postgresql"
        if os.environ.get("REQUIRE_POSTGRES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return programs


class Cluster:
    """Args: in_memory: False: on the disk."""

    def __init__(self, programs: Path, *, in_memory: bool = True, **settings: str) -> None:
        self._programs = programs
        place = MEMORY if in_memory and os.access(MEMORY, os.W_OK) else None
        self.directory = Path(tempfile.mkdtemp(prefix="lockdown-pg-", dir=place))
        self._user = None  # this process's own
        if os.getuid() == 0:  # initdb refuses root
            self._user = next(name for name in ("postgres", "nobody") if _exists(name))
            os.chown(self.directory, pwd.getpwnam(self._user).pw_uid, -1)
        self._numbers, self._emptied = count(1), ""
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", self._data, "-U", USER, "-A", "trust", "-E", "UTF8",
                  "--locale=C", "--no-sync", f"--wal-segsize={1 if in_memory else 16}")  # fmt: skip
        lines = [f"{name} = '{value}'\n" for name, value in {**SETTINGS, **settings}.items()]
        lines.append(f"unix_socket_directories = '{self.directory}'\n")
        with open(f"{self._data}/postgresql.conf", "a") as file:
            file.writelines(lines)
        self.start()

    @property
    def _data(self) -> str:
        return str(self.directory / "data")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._programs / program, *arguments],
            cwd=self.directory, user=self._user, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._data],
            cwd=self.directory, user=self._user, preexec_fn=_die_with_parent,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            lines = Path(f"{self._data}/postmaster.pid")
            if lines.exists() and "ready" in lines.read_text():
                return
            assert self._process.poll() is None, "postgres has ended"
            time.sleep(0.02)
        raise AssertionError("postgres does not start")

    def set_up(self, **settings: str) -> None:
        """Change settings that need no start."""
        assert self._process is not None
        with open(f"{self._data}/postgresql.conf", "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self._run("pg_ctl", "reload", "-D", self._data)

    def give(self, directory: Path) -> None:
        """Let it have a directory, for a tablespace."""
        if self._user is not None:
            os.chown(directory, pwd.getpwnam(self._user).pw_uid, -1)

    def kill(self) -> None:
        """As after a crash: nothing is written back."""
        assert self._process is not None
        if self._process.poll() is None:
            self.thaw()
        self._process.send_signal(signal.SIGQUIT)  # as `pg_ctl stop -m immediate`
        self._process.wait()

    def freeze(self, sign: signal.Signals = signal.SIGSTOP) -> None:
        """It takes connections and does not answer, as a machine that hangs, until `thaw`."""
        assert self._process is not None
        pid = self._process.pid
        os.kill(pid, sign)
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(int(child), sign)

    def thaw(self) -> None:
        self.freeze(signal.SIGCONT)

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.directory)

    def address(self, database: str) -> str:
        return f"postgresql://{USER}@/{database}?host={self.directory}"

    async def make_database(self, like: str = "") -> str:
        """The address of an empty database, or of one like that at another address."""
        name = f"test_{next(self._numbers)}"
        connection = await asyncpg.connect(self.address("postgres"))
        try:
            await connection.execute(f"create database {name} template {_name(like)}")
        finally:
            await connection.close()
        return self.address(name)

    async def emptied_database(self) -> str:
        """The address of one that tests use by turns: its journal, if it is made, holds nothing."""
        if not self._emptied:
            self._emptied = await self.make_database()
        connection = await asyncpg.connect(self._emptied)
        try:
            await connection.execute(END_OTHERS)
            for (table,) in await connection.fetch(TABLES):
                await connection.execute(f"delete from lockdown.{table}")
        finally:
            await connection.close()
        return self._emptied

    async def drop_database(self, address: str) -> None:
        connection = await asyncpg.connect(self.address("postgres"))
        try:
            await connection.execute(f"drop database {_name(address)} with (force)")
        finally:
            await connection.close()


def _name(address: str) -> str:
    return address.split("/")[3].split("?")[0] if address else "template1"


def _exists(user: str) -> bool:
    return any(entry.pw_name == user for entry in pwd.getpwall())


def _die_with_parent() -> None:
    """Linux ends the child when this process is killed; it could not end it itself."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """The cluster of this process."""
    cluster = Cluster(require_programs())
    yield cluster
    cluster.remove()


@pytest.fixture
async def database(postgres: Cluster) -> str:
    """The address of a database without records."""
    return await postgres.emptied_database()
