"""All faults of a configuration are named at once, each with what was probably meant."""

from __future__ import annotations

import os

import pytest

from mudserver.__main__ import main
from mudserver.config import consistency, load, schema
from mudserver.config.setting_info import SETTINGS, with_values
from mudserver.config.sources import ConfigSources, variable_of
from mudserver.errors import ConfigError
from mudserver.protocols import LISTENERS

WRONG = """
login_s = 3
[server]
ssh = "0.0.0.0:2222"
telnet = "0.0.0.0:2222"
name = ""
tls = "0.0.0.0:2324"
tls_cert = "cert.pem"
tls_key = "key.pem"
[door]
proxy_from = ["10.0.0.0/99"]
idle_s = 600
[sources]
guests_per_source_max = 6
guests_per_network_max = 5
[session]
tick_ms = 0
[people]
names_denied = "denied.txt"
[dor]
login_s = 20
[moderation]
conduct = "absent.txt"
[games]
words_denied = "absent.txt"
stockpile_decks = "decks.json"
"""
FAULTS = (
    "login_s: unknown section; did you mean door.login_s?",
    'server.name = "": must be text, 1 to 40 characters',
    "server.telnet: 0.0.0.0:2222 is taken by server.ssh = 0.0.0.0:2222; choose another port",
    "sources.guests_per_source_max = 6 is more than sources.guests_per_network_max = 5: lower it,",
    "door.proxy_from: '10.0.0.0/99' does not appear to be an IPv4 or IPv6 network; write an",
    "door.idle_s: unknown key; did you mean session.idle_s?",
    "session.tick_ms = 0: must be a whole number: milliseconds, 1 to 200",
    "dor: unknown section; did you mean door?",
    "MUDSERVER_DOOR_LOGIN_S: is no setting; did you mean MUDSERVER_DOOR__LOGIN_S?",
    "people.names_denied: ",
    "moderation.conduct: ",
    "games.words_denied: ",
    "games.stockpile_decks: ",
    "cannot open the tls listener with server.tls_cert ",
)


def told(tmp_path, capfd, text: str) -> tuple[int, list[str]]:
    (tmp_path / "mudserver.toml").write_text(text)
    status = main(["check-config", str(tmp_path / "mudserver.toml")])
    return status, capfd.readouterr().err.splitlines()


def test_check_config_names_every_fault_in_one_run(tmp_path, capfd, monkeypatch):
    monkeypatch.setenv("MUDSERVER_DOOR_LOGIN_S", "20")
    (tmp_path / "decks.json").write_text("[]")
    status, lines = told(tmp_path, capfd, WRONG)
    assert 2 == status
    assert [] == [fault for fault in FAULTS if 1 != sum(fault in line for line in lines)]
    assert len(FAULTS) == len(lines) and all(line.startswith("mudserver: ") for line in lines)


def test_a_file_of_nothing_but_faults_is_named_in_a_hundred_lines(tmp_path, capfd):
    text = "[door]\n" + "".join(f"zz{number} = 1\n" for number in range(1_000))
    status, lines = told(tmp_path, capfd, text)
    assert 2 == status and load.FAULTS_MAX + 1 == len(lines)
    assert "mudserver: and 900 more faults" == lines[-1]


def refused(text: str = "", environment: dict[str, str] | None = None) -> list[str]:
    faults: list[str] = []
    if text:
        with pytest.raises(ConfigError) as found:
            load.parse_text(text)
        faults = list(found.value.lines)
    elif environment:
        faults = load.examine(ConfigSources(None, environment))[1]
    return faults


# -- what belongs together -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "is_fault"),
    [
        (("0.0.0.0:22", "0.0.0.0:22"), True),
        (("0.0.0.0:22", "127.0.0.1:22"), True),
        (("[::]:22", "[::1]:22"), True),
        (("localhost:22", "localhost:22"), True),
        (("127.0.0.1:22", "127.0.0.2:22"), False),
        (("0.0.0.0:22", "[::]:22"), False),  # a socket of each family
        (("127.0.0.1:0", "127.0.0.1:0"), False),  # any free port
        (("127.0.0.1:22", "127.0.0.1:23"), False),
        (("127.0.0.1:22", ""), False),
    ],
)
def test_two_listeners_cannot_have_one_port(addresses, is_fault):
    server = schema.ServerConfig(ssh=addresses[0], telnet=addresses[1])
    found = list(consistency.find_contradictions(schema.Config(server=server)))
    assert is_fault == bool(found)


def test_every_listener_and_the_figures_are_compared():
    text = '[server]\nssh = "127.0.0.1:9222"\n[metrics]\naddress = "127.0.0.1:9222"\n'
    (line,) = refused(text)
    assert "metrics.address: 127.0.0.1:9222 is taken by server.ssh" in line
    assert {*(f"server.{name}" for name in LISTENERS), "metrics.address", "wall.tls"} == {
        path for path, setting in SETTINGS.items() if setting.is_address
    }


@pytest.mark.parametrize("pair", [*consistency.ORDERED, *consistency.ORDERED_IF_SET])
def test_a_limit_above_the_one_that_ends_it_is_refused(pair):
    assert [] == list(consistency.find_contradictions(schema.Config(), given=SETTINGS))
    lower, higher = pair
    least, most = _ends(higher)[0], _ends(lower)[1]
    config = with_values(schema.Config(), {lower: most, higher: least})
    found = consistency.find_contradictions(config, given=pair)
    assert [f"{lower} = "] == [one.sentence[: len(lower) + 3] for one in found if one.paths == pair]


def _ends(path: str) -> tuple[float, float]:
    kind = SETTINGS[path].type
    return kind.ge if kind.ge is not None else kind.gt, kind.le


def test_a_default_that_never_applies_is_no_fault():
    for lowered in ("door.waiting_max", "tables.all_max", "people.sessions_max"):
        config = with_values(schema.Config(), {lowered: 1})
        assert [] == list(consistency.find_contradictions(config, given=[lowered]))


def test_a_record_larger_than_the_journal_is_refused():
    (line,) = refused("[journal]\nrecord_bytes_max = 100_000_000\nsize_mib_max = 64\n")
    assert "journal.record_bytes_max = 100_000_000 is more than journal.size_mib_max = 64" in line


def test_nothing_follows_from_a_value_that_is_wrong_itself():
    (line,) = refused('[server]\nssh = ""\ntelnet = ""\ntls = "nowhere"\n')
    assert "server.tls: 'nowhere' is no address" in line


# -- what was meant ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[door]\nidle_s = 1\n", "did you mean session.idle_s?"),
        ("[door]\nidel_s = 1\n", "did you mean session.idle_s?"),
        ("[door]\nlogins = 1\n", "did you mean login_s?"),
        ("[server]\nburst = 1\n", "did you mean chat.burst?"),
        ("[network]\nlogin_s = 1\n", "network: unknown section; did you mean door.login_s?"),
        ("[doors]\nlogin_s = 1\n", "doors: unknown section; did you mean door?"),
        ("[network]\nzzz = 1\n", "network: unknown section; there are server, door"),
        ("chat = 1\n", "chat: is a section; write [chat] and keys below it"),
    ],
)
def test_a_setting_that_stands_elsewhere_is_found(text, meant):
    (line,) = refused(text)
    assert meant in line


@pytest.mark.parametrize(
    "variable",
    [
        "MUDSERVER_DOOR_LOGIN_S",
        "mudserver_door__login_s",
        "MUDSERVER_DOOR_LOGINS",
        "MUDSERVER_DOOR_LOGIN",
        "MUDSERVERDOOR__LOGIN_S",
    ],
)
def test_a_variable_that_is_nearly_a_setting_is_a_fault(variable):
    (line,) = refused(environment={variable: "20"})
    assert f"{variable}: is no setting; did you mean MUDSERVER_DOOR__LOGIN_S?" == line


def test_every_setting_is_found_by_its_name_with_one_underscore():
    for setting in SETTINGS.values():
        nearly = variable_of(setting).replace("__", "_")
        (line,) = refused(environment={nearly: "1"})
        assert line.endswith(f"did you mean {variable_of(setting)}?")


def test_variables_of_others_are_left_alone():
    others = (
        "MUDSERVER_PORT", "MUDSERVER_PORT_2222_TCP_ADDR", "MUDSERVER_SERVICE_HOST",
        "MUDSERVER_SERVICE_PORT_SSH", "MUDSERVER_HOME", "MUDSERVER_VERSION", "DOOR_LOGIN_S",
    )  # fmt: skip
    assert [] == refused(environment=dict.fromkeys(others, "x"))


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tls_cert", "tls_key"])
def test_a_pipe_for_a_certificate_is_not_waited_for(tmp_path, capfd, name):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "other").write_text("x")
    files = {"tls_cert": "other", "tls_key": "other"} | {name: "pipe"}
    named = "".join(f'{key} = "{file}"\n' for key, file in files.items())
    status, (line,) = told(tmp_path, capfd, f'[server]\ntls = "127.0.0.1:2324"\n{named}')
    assert 2 == status and "it is no plain file" in line


def test_check_config_says_whose_names_are_kept_for_ever(tmp_path, capsys):
    file = tmp_path / "mudserver.toml"
    for days in (0, 1):
        file.write_text(f"[journal]\nkeep_days = {days}\n")
        assert 0 == main(["check-config", str(file)])
        said = capsys.readouterr().out
        assert f"{file}: ok" in said
        assert ("names of deleted accounts for ever" in said) is (days == 0)
