from __future__ import annotations

import pytest

from mudserver.transport.known_networks import FILE_NAME, KEPT_MS, NETWORKS_MAX, KnownNetworks
from tests.mudserver.transport.server import HandClock

HOME, AWAY = "192.0.2.0/24", "2001:db8:1::/48"


def kept_in(directory, clock: HandClock) -> KnownNetworks:
    networks = KnownNetworks(clock)
    networks.load(directory, b"secret")
    return networks


def test_a_network_is_known_for_a_day_after_its_last_login(tmp_path):
    clock = HandClock()
    networks = kept_in(tmp_path, clock)
    networks.add(HOME)
    assert HOME in networks and AWAY not in networks
    clock.move(KEPT_MS / 1_000 - 1)
    assert HOME in networks
    clock.move(1)
    assert HOME not in networks


def test_a_restart_forgets_no_network_and_a_crash_a_minute_at_most(tmp_path):
    clock = HandClock()
    stopped, crashed = kept_in(tmp_path, clock), kept_in(tmp_path, clock)
    stopped.add(HOME)
    stopped.close()
    assert HOME in kept_in(tmp_path, clock)
    crashed.add(AWAY)
    clock.move(60)
    assert AWAY in kept_in(tmp_path, clock)
    clock.move(KEPT_MS / 1_000)
    assert not len(kept_in(tmp_path, clock))  # what is too old is not read


def test_the_file_names_no_network_and_nobody_else_reads_it(tmp_path):
    networks = kept_in(tmp_path, HandClock())
    networks.add(HOME)
    networks.close()
    file = tmp_path / FILE_NAME
    assert "192" not in file.read_text().split()[0] and 0o600 == file.stat().st_mode & 0o777
    other = KnownNetworks(HandClock())
    other.load(tmp_path, b"another secret")
    assert HOME not in other


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"x", b"x y", b"a 1 2", b"a 99999999999999x"]
)
def test_a_file_that_cannot_be_read_counts_as_empty(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)
    assert not len(kept_in(tmp_path, HandClock()))


def test_a_disk_that_refuses_stops_nothing(tmp_path, caplog):
    networks = kept_in(tmp_path / "absent", HandClock())
    networks.add(HOME)
    networks.close()
    assert HOME in networks and "known networks not written" in caplog.text


def test_so_many_are_kept_and_the_oldest_goes_first():
    networks = KnownNetworks(HandClock())
    for number in range(NETWORKS_MAX + 1):
        networks.add(f"10.{number // 256}.{number % 256}.0/24")
    assert "10.0.0.0/24" not in networks and "10.0.1.0/24" in networks
    assert NETWORKS_MAX == len(networks)
