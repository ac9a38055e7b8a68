"""Where a setting comes from: file, environment, command line; and what a running server takes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest

from mudserver.__main__ import main
from mudserver.config import load
from mudserver.config.setting_info import SETTINGS, value_of
from mudserver.config.sources import FILE_BYTES_MAX, ConfigSources
from mudserver.errors import ConfigError


def test_the_later_word_counts(tmp_path):
    server = tmp_path / "server.toml"
    server.write_text('[door]\nlogin_s = 10\nclose_s = 1.5\n[server]\nname = "Ours"\n')
    environment = {"MUDSERVER_DOOR__LOGIN_S": "20", "MUDSERVER_DOOR__CLOSE_S": "2", "HOME": "/"}
    loaded = load.load(ConfigSources(server, environment, ["door.login_s=30"]))
    assert (30.0, 2.0) == (loaded.config.door.login_s, loaded.config.door.close_s)
    assert {
        "door.login_s": "option",
        "door.close_s": "environment MUDSERVER_DOOR__CLOSE_S",
        "server.name": "file",
    } == loaded.origins


def test_a_text_stands_for_itself_and_the_rest_is_written_as_in_the_file():
    options = ["server.name=The = sign", 'door.proxy_from=["10.0.0.0/8"]', "session.idle_s = 1_800"]
    found = load.load(ConfigSources(command_line=options)).config
    assert ("The = sign", ("10.0.0.0/8",)) == (found.server.name, found.door.proxy_from)
    assert 1_800 == found.session.idle_s


@pytest.mark.parametrize(
    ("environment", "options", "said"),
    [
        ({}, ["door.login_s=-1"], "command line: door.login_s = -1: must be a number: seconds"),
        ({}, ["door.login_s=soon"], "command line: door.login_s = soon: must be a number"),
        ({}, ["door.login_s=nan"], "door.login_s = nan: must be a number: seconds, above 0"),
        ({}, ["door.logins=3"], "command line: door.logins: unknown key; did you mean login_s?"),
        ({}, ["dor.login_s=3"], "command line: dor: unknown section; did you mean door?"),
        ({}, ["login_s=3"], "write SECTION.KEY=VALUE"),
        ({}, ["door.login_s"], "write SECTION.KEY=VALUE"),
        ({}, ["server.name="], "server.name"),
        ({}, ["server.name=a\x1b[2J"], "server.name"),
        ({}, ["server.ssh=x"], "server.ssh: 'x' is no address"),
        ({}, ["server.log=loud"], 'server.log = "loud": must be info or debug'),
        ({}, ["server.tls=0.0.0.0:992"], "needs the files tls_cert and tls_key"),
        ({}, ["door.output_bytes_max=1000"], "output_lag_bytes"),
        ({}, [f"session.tick_ms={'9' * 5_000}"], "session.tick_ms"),
        ({"MUDSERVER_DOOR__LOGINS": "3"}, [], "MUDSERVER_DOOR__LOGINS: door.logins: unknown key"),
        ({"MUDSERVER_SESSION__TICK_MS": "0"}, [], "milliseconds, 1 to 200"),
    ],
)
def test_a_wrong_word_is_refused_with_its_key_and_what_it_may_be(environment, options, said):
    with pytest.raises(ConfigError) as refused:
        load.load(ConfigSources(None, environment, options))
    assert said in str(refused.value)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: None, "cannot be read: No such file"),
        (os.mkfifo, "it is no plain file"),
        (os.mkdir, "it is no plain file"),
        (lambda path: path.symlink_to(path), "cannot be read: Too many levels"),
        (lambda path: path.write_bytes(b"\xff"), "it is no UTF-8 text"),
        (lambda path: path.write_bytes(b"a = " + b"[" * 5_000), "not valid TOML"),
        (
            lambda path: path.write_bytes(b"#" * (FILE_BYTES_MAX + 1)),
            "it is longer than 1,048,576 bytes",
        ),
        (lambda path: path.write_text("[session]\nidle_s = 1979-05-27"), "= 1979-05-27: must be"),
    ],
)
def test_what_is_no_configuration_file_is_refused_at_once(tmp_path, make, why):
    make(tmp_path / "server.toml")
    with pytest.raises(ConfigError, match=why):
        load.load(ConfigSources(tmp_path / "server.toml"))


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path):
    server = tmp_path / "server.toml"
    server.write_text('[server]\nname = "Cards"\n', encoding="utf-8-sig")
    assert "Cards" == load.load_file(server).server.name


def test_a_name_that_no_disk_takes_and_an_escape_are_one_plain_line(tmp_path, capsys):
    assert 2 == main(["check-config", str(tmp_path / ("a" * 300))])
    assert "File name too long" in capsys.readouterr().err
    server = tmp_path / "server.toml"
    server.write_text('["do\\u001b[31mor"]\n')
    assert 2 == main(["check-config", str(server)])
    said = capsys.readouterr().err
    assert said.endswith("do\\x1b[31mor: unknown section; did you mean door?\n")


def test_variables_of_others_are_none_of_our_business():
    others = {"MUDSERVER_PORT": "tcp://10.0.0.1", "MUDSERVER_SERVICE_HOST": "x", "DOOR__X": "1"}
    assert {} == load.load(ConfigSources(None, others)).origins


def test_show_config_is_a_configuration_and_says_who_said_so(tmp_path, capsys, monkeypatch):
    server = tmp_path / "server.toml"
    server.write_text('[server]\ntls_cert = "server.crt"\n[chat]\nburst = 7\n')
    monkeypatch.setenv("MUDSERVER_CHAT__PER_S", "2.5")
    line = [
        "show-config",
        "--config",
        str(server),
        "--ssh",
        "127.0.0.1:0",
        "--set",
        "session.tick_ms=9",
    ]
    assert 0 == main(line)
    shown = capsys.readouterr().out
    raw = tomllib.loads(shown)
    assert list(SETTINGS) == [f"{section}.{key}" for section, table in raw.items() for key in table]
    assert f'tls_cert = "{tmp_path}/server.crt"  # file; default ""\n' in shown
    assert "burst = 7  # file; default 5\n" in shown
    assert "per_s = 2.5  # environment MUDSERVER_CHAT__PER_S; default 1.0\n" in shown
    assert 'ssh = "127.0.0.1:0"  # option; default "127.0.0.1:2222"\n' in shown
    assert "tick_ms = 9  # option; default 20\n" in shown
    assert "mute_s = 60.0  # default\n" in shown
    monkeypatch.delenv("MUDSERVER_CHAT__PER_S")
    again = tmp_path / "again.toml"
    again.write_text(shown)
    was, found = load.load_file(server), load.load_file(again)
    differing = {path for path in SETTINGS if value_of(found, path) != value_of(was, path)}
    assert {"server.ssh", "session.tick_ms", "chat.per_s"} == differing


def test_who_stops_reading_sees_no_stack_trace():
    command = [sys.executable, "-m", "mudserver", "show-config"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shown:
        assert shown.stdout is not None
        shown.stdout.close()
        assert shown.stderr is not None
        assert (b"", 0) == (shown.stderr.read(), shown.wait(20))


@pytest.mark.parametrize(
    ("output", "status", "said"),
    [(">/dev/full", 1, "mudserver: [Errno 28] No space left on device\n"), (">&-", 0, "")],
)
def test_an_output_that_takes_nothing_is_no_stack_trace(output, status, said):
    command = ["sh", "-c", f'exec "$@" {output}', "sh", sys.executable, "-m", "mudserver"]
    done = subprocess.run([*command, "show-config"], stderr=subprocess.PIPE, text=True, timeout=20)
    assert (status, said) == (done.returncode, done.stderr)
