import pytest

from mudserver.config.schema import DoorLimits as Limits
from mudserver.transport.gate import (
    SWEEP_EVERY_CONNECTIONS,
    FailedLogin,
    Gate,
    network_of,
    source_of,
)
from tests.mudserver.transport.server import HandClock

FAILED = FailedLogin("ann", "password", "telnet")


class FakeConnection:
    def __init__(self, gate: Gate, peer: str) -> None:
        self.is_aborted = False
        self.ticket = gate.admit(peer, self.abort)

    def abort(self) -> None:
        self.is_aborted = True


def gate_with(**limits: float) -> tuple[Gate, HandClock]:
    clock = HandClock()
    return Gate(
        Limits(**({"new_per_s": 1e6, "new_per_source_burst": 1_000_000} | limits)), clock
    ), clock


@pytest.mark.parametrize(
    ("peer", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "local"),
    ],
)
def test_a_source_is_an_address_or_a_64(peer, source):
    assert source == source_of(peer)


def test_the_oldest_of_the_same_source_makes_room():
    gate, _ = gate_with(waiting_per_source_max=2)
    other, first, second, third = (
        FakeConnection(gate, peer) for peer in ("192.0.2.1", "192.0.2.9", "192.0.2.9", "192.0.2.9")
    )
    assert [False, True, False, False] == [x.is_aborted for x in (other, first, second, third)]
    assert 3 == len(gate.waiting) == gate.connections
    assert 1 == gate.counters.evicted


def test_the_oldest_of_all_makes_room_when_the_hall_is_full():
    gate, _ = gate_with(waiting_max=3)
    lines = [FakeConnection(gate, f"192.0.2.{n}") for n in range(5)]
    assert [True, True, False, False, False] == [line.is_aborted for line in lines]


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("", "local"),
    ],
)
def test_a_network_is_a_24_or_a_48(peer, network):
    assert network == network_of(source_of(peer))


@pytest.mark.parametrize("mine", ["203.0.113.5", "2001:db8:ffff::1", ""])
def test_a_flood_of_new_addresses_of_one_network_keeps_nobody_else_out(mine):
    gate, _ = gate_with(waiting_max=3)
    person = FakeConnection(gate, mine)
    flood = [FakeConnection(gate, f"2001:db8:1:{n:x}::1") for n in range(1_000)]
    assert not person.is_aborted
    assert [True] * 998 + [False] * 2 == [line.is_aborted for line in flood]
    spread = [
        FakeConnection(gate, f"198.51.{n}.1") for n in range(3)
    ]  # as many networks: by age again
    assert person.is_aborted and not any(line.is_aborted for line in spread)


def test_who_is_admitted_is_never_evicted():
    gate, _ = gate_with(waiting_max=1)
    first = FakeConnection(gate, "192.0.2.1")
    first.ticket.mark_logged_in()
    FakeConnection(gate, "192.0.2.2")
    FakeConnection(gate, "192.0.2.3")
    assert not first.is_aborted
    assert (1, 2) == (len(gate.waiting), gate.connections)


def test_a_source_has_so_many_connections_and_gets_them_back():
    gate, _ = gate_with(connections_per_source_max=2)
    first, second = FakeConnection(gate, "192.0.2.1"), FakeConnection(gate, "192.0.2.1")
    assert FakeConnection(gate, "192.0.2.1").ticket is None
    first.ticket.release()
    first.ticket.release()  # twice counts once
    assert FakeConnection(gate, "192.0.2.1").ticket is not None
    assert FakeConnection(gate, "192.0.2.1").ticket is None
    assert not second.is_aborted


def test_new_connections_are_refused_over_the_rate_and_welcome_later():
    gate, clock = gate_with(new_per_source_burst=2)
    assert [False, False, True] == [
        FakeConnection(gate, "192.0.2.1").ticket is None for _ in range(3)
    ]
    assert FakeConnection(gate, "192.0.2.2").ticket is not None
    clock.move(1.0)
    assert FakeConnection(gate, "192.0.2.1").ticket is not None
    assert 1 == gate.counters.refused_rate


def test_each_failed_login_that_costs_a_try_is_told_once():
    gate, clock = gate_with(failures_per_source_max=2, failure_forgiven_s=4.0)
    told = []
    gate.on_failure = lambda failed, left, source: told.append((failed.name, left, source))
    slot = FakeConnection(gate, "2001:db8:1:2:3:4:5:6").ticket
    for _ in range(5):
        slot.count_failure(FAILED)
    assert [("ann", 1, "2001:db8:1:2::/64"), ("ann", 0, "2001:db8:1:2::/64")] == told
    clock.move(4.0)
    slot.count_failure(FAILED)
    assert 3 == len(told)


def test_a_source_that_guesses_is_refused_until_it_is_forgiven():
    gate, clock = gate_with(failures_per_source_max=3)
    line = FakeConnection(gate, "192.0.2.1")
    assert [True, True, False, False] == [line.ticket.count_failure(FAILED) for _ in range(4)]
    assert FakeConnection(gate, "192.0.2.1").ticket is None
    assert FakeConnection(gate, "192.0.2.2").ticket is not None
    clock.move(3.9)
    assert FakeConnection(gate, "192.0.2.1").ticket is None
    clock.move(0.2)
    assert FakeConnection(gate, "192.0.2.1").ticket is not None
    assert (2, 4) == (gate.counters.refused_failures, gate.counters.failures)


def test_sources_at_rest_are_forgotten():
    gate, clock = gate_with()
    stays = FakeConnection(gate, "203.0.113.1")
    for n in range(SWEEP_EVERY_CONNECTIONS - 2):
        FakeConnection(gate, f"2001:db8:{n:x}::1").ticket.release()
    assert SWEEP_EVERY_CONNECTIONS - 1 == len(gate._sources)
    clock.move(60.0)
    FakeConnection(gate, "192.0.2.1")
    assert {"203.0.113.1", "192.0.2.1"} == set(gate._sources)
    assert not stays.is_aborted


def test_a_login_is_counted_once():
    gate, _ = gate_with()
    line = FakeConnection(gate, "192.0.2.1")
    line.ticket.mark_logged_in()
    line.ticket.mark_logged_in()
    assert 1 == gate.counters.logged_in
    gone = FakeConnection(gate, "192.0.2.1")
    gone.ticket.release()
    gone.ticket.mark_logged_in()  # the login was checked while the connection ended
    assert 1 == gate.counters.logged_in


def test_new_limits_apply_to_sources_that_are_known():
    gate, _ = gate_with(new_per_source_burst=2, failures_per_source_max=2)
    line = FakeConnection(gate, "192.0.2.1")
    assert line.ticket.count_failure(FAILED)
    gate.reconfigure(Limits(new_per_s=1e6, new_per_source_burst=4, failures_per_source_max=3))
    assert [True, False] == [line.ticket.count_failure(FAILED) for _ in range(2)]
    gate.reconfigure(Limits(new_per_s=1e6, new_per_source_burst=4, failures_per_source_max=9))
    assert [False, False, False, True] == [
        FakeConnection(gate, "192.0.2.1").ticket is None for _ in range(4)
    ]
