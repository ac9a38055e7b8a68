"""What an operator can get wrong is one clear line and no stack trace; the exit status says
whether a further try may help."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from mudserver.journal.sqlite import database, migrations
from mudserver.ops.control_socket import ServerNotRunning, send_request
from tests import few_words
from tests.e2e.client import START_S, Server
from tests.forked import run_forked
from tests.hostile.attack import until


def serve(home: Path, data: Path, *extra: str):
    ports = () if "--ssh" in extra else ("--ssh", "127.0.0.1:0")
    return run_forked(
        ["serve", "--data", str(data), *ports,
         *(() if "--telnet" in extra else ("--telnet", "127.0.0.1:0")), *extra],
        few_words.environment(home), START_S,
    )  # fmt: skip


def a_file(home: Path) -> Path:
    (home / "file").write_text("")
    return home / "file"


def below_a_file(home: Path) -> Path:
    return a_file(home) / "data"


def read_only(home: Path) -> Path:
    return Path("/proc/nowhere")  # where even root makes no directory


def a_foreign_database(home: Path) -> Path:
    with sqlite3.connect(home / "journal.db") as db:
        db.execute("create table recipes (cake text)")
    return home


def a_newer_database(home: Path) -> Path:
    database.create_database(home / "journal.db")
    with sqlite3.connect(home / "journal.db") as db:
        db.execute(f"pragma user_version = {migrations.newest_schema() + 1}")
    return home


def no_database(home: Path) -> Path:
    (home / "journal.db").write_bytes(b"dear diary, " * 1_000)
    return home


def an_empty_database(home: Path) -> Path:
    (home / "journal.db").write_bytes(b"")
    return home


def a_damaged_database(home: Path) -> Path:
    assert 0 == Server(home / "data").start().stop()
    path = home / "data" / "journal.db"
    raw = bytearray(path.read_bytes())
    raw[4_096:8_192] = os.urandom(4_096)
    path.write_bytes(raw)
    return home / "data"


def an_open_host_key(home: Path) -> Path:
    (home / "ssh_host_ed25519_key").write_text("x")
    (home / "ssh_host_ed25519_key").chmod(0o644)
    return home


def a_lost_host_key(home: Path) -> Path:
    assert 0 == Server(home / "data").start().stop()
    (home / "data" / "ssh_host_ed25519_key").unlink()
    return home / "data"


SLOW = pytest.mark.prove  # each of them is a start


@pytest.mark.parametrize(
    ("broken", "sentence", "status"),
    [
        (a_file, "no usable data directory", 1),
        pytest.param(below_a_file, "no usable data directory", 1, marks=SLOW),
        pytest.param(read_only, "no usable data directory", 1, marks=SLOW),
        (a_newer_database, "was written by a newer server", 65),
        pytest.param(a_foreign_database, "belongs to another program", 65, marks=SLOW),
        (no_database, "not a database", 65),
        pytest.param(an_empty_database, "is empty", 65, marks=SLOW),
        (a_damaged_database, "damaged", 65),
        (an_open_host_key, "chmod 600", 65),
        (a_lost_host_key, "host key is missing", 65),
    ],
)
def test_a_data_directory_that_cannot_be_used_is_one_clear_line(
    tmp_path, options, broken, sentence, status
):
    clear_line(serve(tmp_path, broken(tmp_path), *options), sentence, status)


def test_a_port_in_use_and_a_held_directory_are_one_clear_line(tmp_path):
    server = Server(tmp_path / "data").start()
    try:
        for option, port in (("--ssh", server.ssh_port), ("--telnet", server.telnet_port)):
            refused = serve(tmp_path, tmp_path / "two", option, f"127.0.0.1:{port}")
            clear_line(refused, "listening there")
        clear_line(serve(tmp_path, server.data), "in use by another server")
    finally:
        assert 0 == server.stop()


def test_a_wrong_file_of_a_game_is_one_clear_line_and_a_wrong_configuration(tmp_path):
    (tmp_path / "cards.json").write_bytes(b"\xff\xfe")
    (tmp_path / "server.toml").write_text('[games]\nstockpile_decks = "cards.json"\n')
    done = serve(tmp_path, tmp_path / "data", "--config", str(tmp_path / "server.toml"))
    clear_line(done, f"games.stockpile_decks: {tmp_path}/cards.json: it is no UTF-8", status=2)
    assert not (tmp_path / "data").exists()


def test_the_log_says_once_how_many_words_there_are_and_how_many_lines_were_skipped(tmp_path):
    words = few_words.few_words()
    (tmp_path / "own.txt").write_text(f"{words}\nno-word")
    (tmp_path / "server.toml").write_text('[games]\nwords_list = "own.txt"\n')
    config = ("--config", str(tmp_path / "server.toml"))
    server = Server(tmp_path / "data", *config, has_all_words=True).start()
    assert 0 == server.stop()
    said = [line for line in server.log_text().splitlines() if " words; " in line]
    counted = f"{len(words.splitlines()):,} words; 1 skipped (1 with other characters than A-Z)."
    assert [f"INFO mudserver words: {counted}"] == [line.partition(" ")[2] for line in said]


def clear_line(done: subprocess.CompletedProcess[str], sentence: str, status: int = 1) -> None:
    assert status == done.returncode, done.stderr
    assert "" == done.stdout
    told = done.stderr.splitlines(keepends=True)
    if "--split" in done.args:  # the game server has begun when the door finds what is wrong
        told = [row for row in told if " INFO " not in row]
    [row] = told
    assert sentence in row and row.startswith("mudserver: ") and row.endswith("\n"), told


def test_a_closed_standard_output_and_error_stop_nothing(tmp_path):
    data, (read, write) = tmp_path / "data", os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [sys.executable, "-m", "mudserver", "serve", "--data", str(data),
         "--ssh", "127.0.0.1:0", "--telnet", "127.0.0.1:0"],
        stdout=write, stderr=write, env=few_words.environment(tmp_path),
    )  # fmt: skip
    os.close(write)
    try:
        until(lambda: process.poll() is not None or is_running(data), START_S)
        assert process.poll() is None
    finally:
        process.terminate()
        assert 0 == process.wait(10)


def is_running(data: Path) -> bool:
    try:
        return bool(send_request(data, "status"))
    except ServerNotRunning:
        return False
