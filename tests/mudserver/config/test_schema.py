"""The configuration: shipped file, refusals."""

from pathlib import Path

import msgspec
import pytest

from mudserver.__main__ import main
from mudserver.config import consistency, load, schema
from mudserver.config.setting_info import SETTINGS, to_toml
from mudserver.config.sources import ConfigSources
from mudserver.errors import ConfigError
from tests.certificate import certificate

SHIPPED = Path(__file__).parents[3] / "config" / "mudserver.toml"


def test_the_shipped_file_shows_every_key_at_its_default():
    shown = load.load(ConfigSources(SHIPPED))
    assert schema.Config() == shown.config
    assert list(SETTINGS) == list(shown.origins)


def test_the_shipped_file_says_of_every_key_what_it_may_be():
    section, seen = "", 0
    for line in SHIPPED.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, rest = line.partition(" = ")
            key, (value, _, comment) = SETTINGS[f"{section}.{name}"], rest.partition("  # ")
            assert (to_toml(key.default), key.comment) == (value, comment[: len(key.comment)])
            assert comment[len(key.comment) :][:2] in ("", "; "), line
            assert len(line) <= 100, line
            seen += 1
    assert len(SETTINGS) == seen


def test_every_range_has_two_ends_and_holds_its_default():
    for path, key in SETTINGS.items():
        assert key.range, path
        assert key.default == msgspec.convert(key.default, key.annotation), path


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        (
            "[door]\nwaiting_max = 0",
            "door.waiting_max",
            "a whole number: 1 to 1_000_000",
        ),
        ("[door]\nwating_max = 5", "door.wating_max", "did you mean waiting_max"),
        ("[kitchen]\n", "kitchen", "there are server, door, session"),
        ("[bots]\nzzz = 5", "bots.zzz", "there are decision_s, processes, queue_max"),
        ('[server]\nlog = "loud"', "server.log", "info or debug"),
        ('[server]\nssh = "nowhere"', "server.ssh", "HOST:PORT"),
        ('[server]\ntelnet = "host:99999"', "server.telnet", "HOST:PORT"),
        ('[server]\nssh = ""\ntelnet = ""', "server.ssh", "there is no listener"),
        ('[server]\ntls = "nowhere"', "server.tls", "HOST:PORT"),
        ('[server]\ntls = "0.0.0.0:2324"\ntls_cert = "x"', "server.tls", "tls_key"),
        ("[door]\noutput_lag_bytes = 32767", "door.output_lag_bytes", "32_768 to"),
        ("[wall]\ncapsule_bytes = 4095", "wall.capsule_bytes", "4_096 to"),
        (f'[wall]\nsocket = "/run/{"x" * 96}"', "wall.socket", "has 101 bytes, at most 100 fit"),
        ('[door]\nproxy_from = ["10.0.0.7/8"]', "door.proxy_from", "host bits"),
        ('[door]\nproxy_from = ["everybody"]', "door.proxy_from", "10.0.0.0/8"),
        ('[chat]\nchannels = ["lobby"]', "chat.channels", "'lobby' exists already; leave it out"),
        ('[chat]\nchannels = ["zoo", "zoo"]', "chat.channels", "twice; write it once"),
        ('[chat]\nchannels = ["The Zoo"]', "chat.channels", "a list of names"),
        (
            '[session]\ntick_ms = "fast"',
            "session.tick_ms",
            "a whole number: milliseconds, 1 to 200",
        ),
        ("door = 3", "door", "is a section"),
        ("[door", "configuration", "TOML"),
    ],
)
def test_a_wrong_configuration_names_key_and_reason(text, key, hint):
    with pytest.raises(ConfigError) as refused:
        load.parse_text(text)
    assert key in str(refused.value)
    assert hint in str(refused.value)


def test_check_config_exits_2_and_says_why(tmp_path, capsys):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[door]\nlogin_s = -1\n")
    assert 2 == main(["check-config", str(wrong)])
    assert "door.login_s" in capsys.readouterr().err
    assert 2 == main(["check-config", str(tmp_path / "absent.toml")])
    assert 0 == main(["check-config", str(SHIPPED)])


def test_check_config_knows_the_user_of_the_doors(tmp_path, capsys):
    file = tmp_path / "server.toml"
    file.write_text('[wall]\nsocket = "/run/mudserver/game.sock"\ndoor_user = "root"\n')
    assert 0 == main(["check-config", str(file)])
    file.write_text('[wall]\ndoor_user = "nobody-of-that-name"\n')
    assert 2 == main(["check-config", str(file)])
    assert "wall.door_user: there is no user nobody-of-that-name" in capsys.readouterr().err


def test_an_address_is_host_and_port():
    assert ("127.0.0.1", 2222) == schema.split_address("127.0.0.1:2222")
    assert ("::1", 0) == schema.split_address("[::1]:0")
    assert ("a" * 63, 22) == schema.split_address(f"{'a' * 63}:22")
    odd = ("a b:22", "a\x00:22", "a..b:22", f"{'a' * 64}:22")
    for wrong in ("2222", "::1:22", "host:", "host:99999", "", *odd):
        with pytest.raises(ConfigError):
            schema.split_address(wrong)


def test_the_files_of_the_tls_listener_lie_where_the_configuration_lies(tmp_path, capsys):
    made = tmp_path / "made.toml"
    made.write_text('[server]\ntls = "127.0.0.1:0"\ntls_cert = "server.crt"\ntls_key = "/k/e.y"\n')
    server = load.load_file(made).server
    assert (str(tmp_path / "server.crt"), "/k/e.y") == (server.tls_cert, server.tls_key)
    assert 2 == main(["check-config", str(made)])
    assert "server.crt" in capsys.readouterr().err
    certificate(tmp_path)
    made.write_text(made.read_text().replace("/k/e.y", "server.key"))
    assert 0 == main(["check-config", str(made)])


def test_settings_that_concern_postgres_are_checked():
    journal = schema.JournalConfig(
        postgres="postgresql://ann:secret@db/lockdown", server="G 1", lease_s=8
    )
    config = msgspec.structs.replace(
        schema.Config(), journal=journal, backup=schema.BackupConfig(directory="/backups")
    )
    found = {path for one in consistency.find_contradictions(config) for path in one.paths}
    wanted = {"journal.postgres", "journal.server", "journal.lease_s", "backup.directory"}
    assert wanted <= found
