import pytest
from msgspec.structs import replace

from mudserver.config.schema import PeopleLimits
from mudserver.source_budgets import Level, OverBudget, SourceBudgets
from mudserver.transport.gate import FailedLogin, Gate, Progress
from tests.mudserver.transport.server import HandClock, with_limits

PLENTY = {"new_per_s": 1e6} | {
    f"new_per_{level}_{what}": 1_000_000
    for level in ("source", "network")
    for what in ("per_s", "burst")
}

FAILED = FailedLogin("ann", "password", "telnet")


class FakeConnection:
    """A connection that the gate has admitted, or not."""

    def __init__(self, gate: Gate, peer: str) -> None:
        self.has_begun = self.is_evicted = False
        self.refusal: OverBudget | None = None
        try:
            self.slot = gate.admit(peer, self.begin)
            self.slot.end_connection = self.evict
        except OverBudget as exc:
            self.refusal = exc

    def begin(self, slot) -> None:
        self.has_begun = True
        slot.end_connection = self.evict

    def evict(self, sentence: str) -> None:
        self.is_evicted = True


def gate_with(**limits: float) -> tuple[Gate, HandClock]:
    config, clock = with_limits(**(PLENTY | limits)), HandClock()
    return Gate(config, clock, SourceBudgets(config, clock)), clock


def connections(gate: Gate, *peers: str) -> list[FakeConnection]:
    return [FakeConnection(gate, peer) for peer in peers]


def evicted(connections: list[FakeConnection]) -> list[int]:
    """Which of them had to make room, by position."""
    return [at for at, each in enumerate(connections) if each.is_evicted]


def test_the_oldest_of_the_same_source_makes_room():
    gate, _ = gate_with(waiting_per_source_max=2, waiting_max=4)
    crowd = connections(gate, "192.0.2.1", "192.0.2.9", "192.0.2.9", "192.0.2.9")
    assert [1] == evicted(crowd)
    assert 3 == len(gate.waiting) == gate.connections
    assert 1 == gate.counters.evicted


def test_the_oldest_of_the_same_network_makes_room():
    gate, _ = gate_with(waiting_per_network_max=2, waiting_max=4)
    crowd = connections(gate, "203.0.113.1", "192.0.2.1", "192.0.2.2", "192.0.2.3")
    assert [1] == evicted(crowd)


def test_when_all_places_are_taken_the_network_with_most_makes_room():
    gate, _ = gate_with(waiting_max=4)
    crowd = connections(gate, "203.0.113.1", *(f"192.0.2.{n}" for n in range(5)))
    assert [1, 2] == evicted(crowd)
    spread = connections(gate, *(f"198.51.{n}.1" for n in range(3)))
    assert not evicted(spread) and [0, 1, 2, 3, 4] == evicted(crowd)  # as many each: by age


def test_who_has_come_furthest_goes_last():
    gate, _ = gate_with(waiting_max=3)
    named, speaking, silent = connections(gate, "192.0.2.1", "192.0.2.2", "192.0.2.3")
    named.slot.note_progress(Progress.NAMED)
    named.slot.note_progress(Progress.SPEAKING)  # what was reached stays reached
    speaking.slot.note_progress(Progress.SPEAKING)
    crowd = [silent, speaking, named]
    for gone in range(1, 4):
        newer = FakeConnection(gate, f"198.51.{gone}.1")
        newer.slot.note_progress(Progress.NAMED)
        assert list(range(gone)) == evicted(crowd)


def test_tls_handshakes_have_few_places_of_their_own():
    gate, _ = gate_with(tls_handshakes_max=2)
    crowd = connections(gate, "192.0.2.1", "192.0.2.2", "203.0.113.1", "203.0.113.2")
    for each in crowd[:3]:
        each.slot.begin_handshake()
    assert [0] == evicted(crowd)
    crowd[1].slot.end_handshake()
    crowd[3].slot.begin_handshake()
    assert [0] == evicted(crowd)
    crowd[3].slot.release()
    assert [crowd[2].slot] == list(gate.handshakes)


def test_who_comes_from_a_known_network_goes_after_all_others():
    gate, _ = gate_with(waiting_max=3)
    gate.known_networks.add("192.0.2.0/24")
    crowd = connections(gate, "192.0.2.1", "192.0.2.2", "198.51.100.1")
    crowd[2].slot.note_progress(Progress.NAMED)
    FakeConnection(gate, "203.0.113.1")
    assert [2] == evicted(crowd)


@pytest.mark.parametrize("mine", ["203.0.113.5", "2001:db8:ffff::1", ""])
def test_a_flood_of_new_addresses_of_one_network_keeps_nobody_else_out(mine):
    gate, _ = gate_with(waiting_max=3)
    person = FakeConnection(gate, mine)
    flood = connections(gate, *(f"2001:db8:1:{n:x}::1" for n in range(199)))
    assert not person.is_evicted
    assert list(range(197)) == evicted(flood)


def test_who_is_logged_in_is_never_evicted():
    gate, _ = gate_with(waiting_max=1)
    first = FakeConnection(gate, "192.0.2.1")
    first.slot.mark_logged_in("ann", is_regular=False)
    connections(gate, "192.0.2.2", "192.0.2.3")
    assert not first.is_evicted
    assert (1, 2) == (len(gate.waiting), gate.connections)


def test_a_source_has_so_many_connections_and_gets_them_back():
    gate, _ = gate_with(connections_per_source_max=1, connections_per_network_max=500)
    first, *_, last = connections(gate, *["192.0.2.1"] * 5)
    assert "connections are open from your address" in str(last.refusal)
    first.slot.release()
    first.slot.release()  # twice counts once
    again, over = connections(gate, "192.0.2.1", "192.0.2.1")
    assert again.refusal is None and over.refusal is not None
    assert 2 == gate.counters.refused_full


def test_over_the_rate_of_its_source_a_connection_is_told_and_welcome_later():
    gate, clock = gate_with(new_per_source_burst=1, new_per_source_per_s=0.25)
    *first, over = connections(gate, *["192.0.2.1"] * 5)  # nobody waits: four times as many
    assert not any(each.refusal for each in first)
    assert Level.SOURCE is over.refusal.level
    assert FakeConnection(gate, "192.0.2.2").refusal is None
    clock.move(1.0)
    assert FakeConnection(gate, "192.0.2.1").refusal is None
    assert 1 == gate.counters.refused_rate


# -- turns ---------------------------------------------------------------------------------


def flooded(**limits: float) -> tuple[Gate, HandClock, list[FakeConnection]]:
    """A gate that serves one connection a second; 19 of one network wait."""
    gate, clock = gate_with(new_per_s=1.0, **limits)
    flood = connections(gate, *(f"198.51.100.{n}" for n in range(20)))
    return gate, clock, flood


def test_beyond_the_rate_in_all_nothing_is_dropped_and_networks_take_turns():
    gate, clock, flood = flooded()
    assert [1, 19] == [sum(each.has_begun for each in flood), gate.queued]
    person = FakeConnection(gate, "203.0.113.1")
    assert person.refusal is None and not person.has_begun
    clock.move(2.5)
    assert person.has_begun
    clock.move(20.0)
    assert all(each.has_begun for each in flood) and not gate.queued
    assert 21 == gate.counters.accepted and 20 == gate.counters.queued


def test_a_network_has_twenty_places_in_the_queue_and_the_next_is_told():
    gate, _, _ = flooded()
    last, over = connections(gate, "198.51.100.98", "198.51.100.99")
    assert last.refusal is None
    assert Level.NETWORK is over.refusal.level and 1 == gate.counters.refused_rate
    assert FakeConnection(gate, "203.0.113.1").refusal is None
    assert 22 == gate.connections  # who was refused holds nothing


def test_every_second_turn_is_for_networks_that_somebody_logged_in_from():
    gate, clock = gate_with(new_per_s=1.0)
    regular = FakeConnection(gate, "203.0.113.1")
    regular.slot.mark_logged_in("ann", is_regular=True)
    crowd = connections(gate, *(f"198.51.{n}.1" for n in range(50)))
    back = connections(gate, *["203.0.113.7"] * 5)
    clock.move(10.2)
    assert all(each.has_begun for each in back)
    assert 5 == sum(each.has_begun for each in crowd)


def test_who_hangs_up_while_waiting_takes_no_turn():
    gate, clock, flood = flooded()
    for each in flood[1:19]:
        each.slot.release()
    clock.move(1.1)
    assert flood[19].has_begun and not gate.queued
    assert 2 == gate.connections


# -- failed logins -------------------------------------------------------------------------


def test_a_source_that_guesses_has_no_try_left_until_it_is_forgiven():
    gate, clock = gate_with(failures_per_source_max=3)
    slot = FakeConnection(gate, "192.0.2.1").slot
    assert [True, True, False, False] == [slot.count_failure(FAILED) for _ in range(4)]
    again = FakeConnection(gate, "192.0.2.1")
    assert again.refusal is None  # a key may always be tried
    assert not again.slot.may_try("ann")
    assert FakeConnection(gate, "192.0.2.2").slot.may_try("ann")
    clock.move(3.9)
    assert not again.slot.may_try("ann")
    clock.move(0.2)
    assert again.slot.may_try("ann")
    assert (2, 4) == (gate.counters.refused_failures, gate.counters.failures)


def test_a_name_that_logged_in_from_here_keeps_three_tries_when_others_have_used_up_theirs():
    gate, clock = gate_with(failures_per_source_max=1)
    ann = FakeConnection(gate, "192.0.2.1").slot
    ann.mark_logged_in("Ann", is_regular=False)
    FakeConnection(gate, "192.0.2.1").slot.count_failure(FAILED._replace(name="bob"))
    slot = FakeConnection(gate, "192.0.2.1").slot
    assert slot.may_try("ann") and not slot.may_try("bob")
    assert [True, True, False] == [slot.count_failure(FAILED) for _ in range(3)]
    assert not slot.may_try("ann")
    clock.move(60.0)
    FakeConnection(gate, "192.0.2.1").slot.count_failure(FAILED._replace(name="bob"))
    assert slot.may_try("ann")


def test_a_network_that_guesses_has_no_try_left_either():
    gate, _ = gate_with(failures_per_network_max=5)
    for n in range(5):
        FakeConnection(gate, f"192.0.2.{n}").slot.count_failure(FAILED)
    assert not FakeConnection(gate, "192.0.2.99").slot.may_try("ann")
    assert FakeConnection(gate, "192.0.3.99").slot.may_try("ann")


def test_a_login_is_counted_once():
    gate, _ = gate_with()
    slot = FakeConnection(gate, "192.0.2.1").slot
    slot.mark_logged_in("ann", is_regular=False)
    slot.mark_logged_in("ann", is_regular=False)
    assert 1 == gate.counters.logged_in
    gone = FakeConnection(gate, "192.0.2.1").slot
    gone.release()
    gone.mark_logged_in("ann", is_regular=False)  # checked while the connection ended
    assert 1 == gate.counters.logged_in


def test_each_failed_login_that_costs_a_try_is_told_once():
    gate, clock = gate_with(failures_per_source_max=2, failure_forgiven_s=4.0)
    told = []
    gate.on_failure = lambda failed, left, source: told.append((failed.name, left, source))
    slot = FakeConnection(gate, "2001:db8:1:2:3:4:5:6").slot
    for _ in range(5):
        slot.count_failure(FAILED)
    assert [("ann", 1, "2001:db8:1:2::/64"), ("ann", 0, "2001:db8:1:2::/64")] == told
    clock.move(4.0)
    slot.count_failure(FAILED)
    assert 3 == len(told)


def test_when_the_queue_is_full_the_network_with_most_makes_room():
    gate, _ = gate_with(new_per_s=1.0, queue_max=4)
    first, *flood = connections(gate, *(f"192.0.2.{n}" for n in range(5)))
    person = FakeConnection(gate, "203.0.113.1")
    assert first.has_begun and [0] == evicted(flood) and not person.is_evicted
    assert 4 == gate.queued


def test_nobody_makes_room_in_the_queue_for_a_network_that_has_all_its_places():
    gate, _ = gate_with(new_per_s=1.0, queue_max=22)
    gate.known_networks.add("192.0.2.0/24")
    begun, *known = connections(gate, *(f"192.0.2.{n}" for n in range(21)))
    strangers = connections(gate, "198.51.100.1", "203.0.113.1")
    assert begun.has_begun and 22 == gate.queued
    over = FakeConnection(gate, "192.0.2.99")
    assert Level.NETWORK is over.refusal.level
    assert [] == evicted([*known, *strangers])


def full_gate(logged_in: int) -> tuple[Gate, list[FakeConnection]]:
    """A gate for 20 connections, and twenty that hold them, of as many networks."""
    config, clock = with_limits(**PLENTY), HandClock()
    config = replace(config, people=PeopleLimits(sessions_max=20))
    gate = Gate(config, clock, SourceBudgets(config, clock))
    crowd = connections(gate, *(f"10.{n}.0.1" for n in range(20)))
    for each in crowd[:logged_in]:
        each.slot.mark_logged_in("", is_regular=False)
    return gate, crowd


def test_when_the_server_is_full_who_has_not_logged_in_makes_room():
    gate, crowd = full_gate(logged_in=19)
    assert FakeConnection(gate, "203.0.113.1").refusal is None
    assert [19] == evicted(crowd) and 20 == gate.connections


def test_nobody_makes_room_for_a_network_that_has_no_place_in_the_queue():
    config, clock = with_limits(**PLENTY | {"new_per_s": 1.0}), HandClock()
    config = replace(config, people=PeopleLimits(sessions_max=25))
    gate = Gate(config, clock, SourceBudgets(config, clock))
    others = connections(gate, *(f"203.0.{n}.1" for n in range(5)))
    connections(gate, *(f"198.51.100.{n}" for n in range(20)))
    assert 25 == gate.connections  # all there may be
    assert Level.NETWORK is FakeConnection(gate, "198.51.100.99").refusal.level
    assert not evicted(others) and 25 == gate.connections


def test_people_stay_and_a_full_server_says_that_it_is_full():
    gate, crowd = full_gate(logged_in=20)
    refusal = FakeConnection(gate, "203.0.113.1").refusal
    assert "The server is full. Please try again in a few minutes." == str(refusal)
    assert not evicted(crowd)


def test_fifty_addresses_of_ten_networks_that_log_in_keep_no_newcomer_out():
    config, clock = with_limits(**PLENTY), HandClock()
    gate = Gate(config, clock, SourceBudgets(config, clock))
    for n in range(50):
        while (held := FakeConnection(gate, f"10.0.{n % 10}.{n // 10 + 1}")).refusal is None:
            held.slot.mark_logged_in("", is_regular=False)
    assert 1_600 == gate.connections
    newcomers = connections(gate, *(f"192.168.{n}.1" for n in range(100)))
    assert all(each.has_begun and each.refusal is None for each in newcomers)
    assert not evicted(newcomers)


def test_new_limits_apply_to_the_queue_at_once():
    gate, clock, flood = flooded()
    gate.reconfigure(with_limits(new_per_s=1e6).door)
    clock.move(1.1)
    assert all(each.has_begun for each in flood)


def test_when_the_server_closes_nobody_waits_for_a_turn():
    gate, clock, flood = flooded()
    gate.close()
    clock.move(60.0)
    assert [1, 19] == [sum(each.has_begun for each in flood), gate.queued]


def test_a_server_where_nobody_waits_closes_too():
    gate, _ = gate_with()
    gate.close()
    gate.close()
    assert not gate.queued
