"""What docs/hosting.md changes, its firewall and the files of docs/fail2ban/ do what it says."""

from __future__ import annotations

import configparser
import logging
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from mudserver.clock import format_instant
from mudserver.logs import LogLineFormatter
from mudserver.service.auth_log import AuthLog

DOCS = Path(__file__).parents[1] / "docs"
FAIL2BAN = DOCS / "fail2ban"
RULES = re.search(r"cat > /etc/nftables\.conf <<'END'\n(.*?)^END$",
                  (DOCS / "hosting.md").read_text("utf-8"), re.M | re.S)[1]  # fmt: skip
SOURCES = ("198.51.100.7", "2001:db8:1:2::/64")


def command(name: str, package: str) -> str:
    """The path of a program; CI must have it."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        if not os.environ.get("CI"):
            pytest.skip(f"{name} is missing: apt install {package}")
        pytest.fail(f"{name} is missing")
    return path


# -- the settings ---------------------------------------------------------------------------------


def test_each_change_of_a_setting_changes_that_one_alone(tmp_path):
    shipped = DOCS.parent / "config" / "mudserver.toml"
    settings = tmp_path / "mudserver.toml"
    shutil.copy(shipped, settings)
    guide = (DOCS / "hosting.md").read_text("utf-8").replace("\\\n", "")
    changes = re.findall(r"^sed -i .*/etc/mudserver/mudserver\.toml$", guide, re.M)
    assert changes
    for change in changes:
        here = change.replace("/etc/mudserver/mudserver.toml", str(settings))
        subprocess.run(["sh", "-ec", here], check=True)
    before, now = (tomllib.loads(file.read_text()) for file in (shipped, settings))
    changed = {
        (section, key): value
        for section, values in now.items()
        for key, value in values.items()
        if before[section][key] != value
    }
    assert {
        ("wall", "socket"): "/run/mudserver/game.sock",
        ("wall", "door_user"): "mudserver-door",
        ("server", "tls"): "[::]:992",
        ("server", "tls_cert"): "tls/cert.pem",
        ("server", "tls_key"): "tls/key.pem",
    } == changed


# -- the firewall --------------------------------------------------------------------------------


def test_nft_understands_the_firewall(tmp_path):
    nft, unshare = command("nft", "nftables"), command("unshare", "util-linux")
    replaced = "table inet filter\ndelete table inet filter"
    assert replaced in (DOCS / "hosting.md").read_text("utf-8")
    for number, rules in enumerate((RULES, RULES.replace("flush ruleset", replaced))):
        (tmp_path / f"{number}.conf").write_text(rules)
        # Twice: the second one replaces the table of the first.
        load = f"{nft} -f {tmp_path}/{number}.conf"
        done = subprocess.run(
            [unshare, "-rn", "sh", "-ec", f"{load}; {load}; {nft} list ruleset"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        if "unshare" in done.stderr:
            pytest.skip("this machine gives no network of its own")
        assert 0 == done.returncode, done.stderr
        assert 1 == done.stdout.count("table inet filter")
        assert "ip6 saddr fe80::/10 udp dport 546 accept" in done.stdout  # the answers of DHCPv6


def test_the_jail_guards_the_ports_that_the_firewall_opens_for_the_server():
    (ports,) = re.findall(r'tcp dport \{ ([\d, ]+) \} accept comment "Lockdown"', RULES)
    jail = configparser.ConfigParser()
    jail.read(FAIL2BAN / "jail.d" / "mudserver.conf")
    assert ports.split(", ") == jail["mudserver"]["port"].split(",")
    assert jail["sshd"]["port"] in RULES


# -- fail2ban ------------------------------------------------------------------------------------


@pytest.fixture
def log_rows(caplog):
    """Log lines of the server, by form: in a file, in journald, and without addresses."""
    rows: dict[str, list[str]] = {}
    caplog.set_level(logging.INFO, "auth")
    for form, has_addresses in (("file", True), ("journald", True), ("private", False)):
        caplog.clear()
        auth_log = AuthLog(has_addresses=has_addresses)
        for number, source in enumerate(SOURCES):
            auth_log.login_failed("password", "telnet", "ann", 11 - number, source)
            auth_log.login_failed("key", "ssh", None, 9, source)
            auth_log.account_opened("p12", "password", source)
            auth_log.account_changed("p12", "key-added", source)
        is_journald = form == "journald"
        as_line = LogLineFormatter(format_time=None if is_journald else format_instant)
        rows[form] = [as_line.format(record) for record in caplog.records]
    return rows


def test_each_failed_login_is_a_line_with_the_address_at_its_end(log_rows):
    assert [
        "INFO auth login failed how=password protocol=telnet name=ann left=11 from=198.51.100.7",
        "INFO auth login failed how=key protocol=ssh name=- left=9 from=198.51.100.7",
        "INFO auth account opened person=p12 what=password by=self from=198.51.100.7",
        "INFO auth account changed person=p12 what=key-added by=self from=198.51.100.7",
    ] == log_rows["journald"][:4]
    assert all(row.endswith(" from=-") for row in log_rows["private"])


@pytest.mark.parametrize("form", ["file", "journald", "private"])
def test_the_filter_finds_failed_logins_and_nothing_else(log_rows, form, tmp_path):
    program = command("fail2ban-regex", "fail2ban")
    rows = log_rows[form]
    if form == "journald":  # as journalctl prints it; fail2ban reads the time apart
        rows = [f"Nov 22 18:31:20 cards mudserver[711]: {row}" for row in rows]
    (tmp_path / "server.log").write_text("".join(f"{row}\n" for row in rows))
    done = subprocess.run(
        [program, "--print-all-matched", str(tmp_path / "server.log"),
         str(FAIL2BAN / "filter.d" / "mudserver.conf")],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    expected = 0 if form == "private" else 2 * len(SOURCES)
    assert f"Lines: {len(rows)} lines, 0 ignored, {expected} matched" in done.stdout, done.stdout
    matched = done.stdout.partition("|- Matched line(s):")[2].partition("`-")[0]
    assert expected == matched.count("login failed") == matched.count("from=")


def test_fail2ban_reads_the_jail_and_bans_a_64(tmp_path):
    program = command("fail2ban-client", "fail2ban")
    config = tmp_path / "fail2ban"
    shutil.copytree("/etc/fail2ban", config)
    for file in FAIL2BAN.glob("*/*.*"):
        shutil.copyfile(file, config / file.relative_to(FAIL2BAN))
    done = subprocess.run(
        [program, "-c", str(config), "-d"], capture_output=True, text=True, timeout=60
    )
    assert 0 == done.returncode, done.stderr
    rows = [row for row in done.stdout.splitlines() if "'mudserver'" in row]
    for said in ("'maxretry', 20]", "'findtime', '10m']", "'bantime', '1h']", "'systemd']"):
        assert 1 == sum(row.endswith(said) for row in rows), said
    # A set of nftables takes the /64 that the log has of IPv6 only as an interval.
    assert "['addr_type?family=inet6', 'ipv6_addr\\\\; flags interval']" in done.stdout


def test_the_page_names_the_files_of_fail2ban():
    page = (DOCS / "hosting.md").read_text("utf-8")
    assert "cp -r /opt/mudserver/share/mudserver/docs/fail2ban/* /etc/fail2ban/" in page
    folders = {"action.d", "filter.d", "jail.d"}
    assert folders == {path.name for path in FAIL2BAN.iterdir()}
    assert shlex.split(page.partition("fail2ban-regex systemd-journal ")[2].split("`")[0]) == [
        "/etc/fail2ban/filter.d/mudserver.conf"
    ]
