from dataclasses import dataclass

import msgspec
import pytest

from mudserver import source_budgets
from mudserver.config.schema import Config
from mudserver.source_budgets import (
    DAY_S,
    LOCAL,
    Kind,
    Level,
    OverBudget,
    SourceBudgets,
    network_of,
    source_of,
)
from tests.mudserver.transport.server import HandClock

TABLES, GUESTS, SCREENS = Kind.TABLES, Kind.GUESTS, Kind.FULL_SCREENS


@dataclass
class Accounts:
    budgets: SourceBudgets
    clock: HandClock

    def hold(self, kind: Kind, source: str, count: int = 1, **more: bool) -> list:
        return [self.budgets.hold(kind, source, **more) for _ in range(count)]

    def held_until_refused(self, kind: Kind, source: str) -> tuple[int, Level]:
        for count in range(10_000):
            try:
                self.budgets.hold(kind, source)
            except OverBudget as exc:
                return count, exc.level
        raise AssertionError("nothing is refused")

    def taken_until_refused(self, kind: Kind, source: str) -> tuple[int, Level]:
        for count in range(10_000):
            try:
                self.budgets.take(kind, source)
            except OverBudget as exc:
                return count, exc.level
        raise AssertionError("nothing is refused")

    def fill_to(self, kind: Kind, whole: int) -> None:
        """Others hold *whole* in all, one from each network."""
        for n in range(whole - self.budgets.held(kind)):
            self.budgets.hold(kind, f"10.{n >> 8}.{n & 255}.1")


def accounts(**sections: dict) -> Accounts:
    config = Config()
    for name, values in sections.items():
        section = msgspec.structs.replace(getattr(config, name), **values)
        config = msgspec.structs.replace(config, **{name: section})
    clock = HandClock()
    return Accounts(SourceBudgets(config, clock), clock)


@pytest.mark.parametrize(
    ("peer", "source", "network"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("", "local", "local"),
    ],
)
def test_a_source_is_an_address_or_a_64_and_its_network_a_24_or_a_48(peer, source, network):
    assert (source, network) == (source_of(peer), network_of(source_of(peer)))


def test_a_share_is_narrow_once_half_of_the_whole_is_in_use():
    at = accounts()
    at.fill_to(TABLES, 100)
    assert (10, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.1")
    assert (10, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.2")
    assert (0, Level.NETWORK) == at.held_until_refused(TABLES, "192.0.2.3")


def test_while_there_is_room_shares_are_four_times_as_large_and_stay_below_a_quarter():
    at = accounts()
    assert (40, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.1")
    assert (10, Level.NETWORK) == at.held_until_refused(TABLES, "192.0.2.2")  # 200 / 4


def test_what_was_granted_stays_when_the_shares_are_narrow_again():
    at = accounts()
    mine = at.hold(TABLES, "192.0.2.1", 40)
    at.fill_to(TABLES, 100)
    assert (0, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.1")
    for hold in mine[:31]:
        hold.release()
    at.fill_to(TABLES, 100)
    assert (1, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.1")


def test_the_last_fifth_is_for_networks_that_hold_none():
    at = accounts()
    at.fill_to(TABLES, 159)
    at.hold(TABLES, "192.0.2.1")
    with pytest.raises(OverBudget, match="All tables are taken") as refused:
        at.hold(TABLES, "192.0.2.2")
    assert Level.ALL is refused.value.level
    at.hold(TABLES, "198.51.100.1")
    at.fill_to(TABLES, 160)


def test_the_whole_is_never_exceeded():
    at = accounts(tables={"all_max": 10})
    at.fill_to(TABLES, 10)
    assert (0, Level.ALL) == at.held_until_refused(TABLES, "192.0.2.1")


def test_accounts_have_the_last_full_screens():
    at = accounts(session={"full_screens_max": 10})
    for n in range(8):
        at.hold(SCREENS, f"198.51.{n}.1")
    at.hold(SCREENS, "192.0.2.1")
    with pytest.raises(OverBudget):
        at.hold(SCREENS, "192.0.2.1")
    at.hold(SCREENS, "192.0.2.1", is_account=True)
    with pytest.raises(OverBudget):
        at.hold(SCREENS, "192.0.2.1", is_account=True)  # ten are ten


def test_what_is_given_back_twice_counts_once():
    at = accounts()
    hold, _ = at.hold(GUESTS, "192.0.2.1", 2)
    hold.release()
    hold.release()
    assert 1 == at.budgets.held(GUESTS)


def test_a_rate_counts_for_source_and_network_and_comes_back():
    at = accounts()
    assert (20, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "192.0.2.1")
    assert (20, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "192.0.2.2")
    assert (0, Level.NETWORK) == at.taken_until_refused(Kind.TALK, "192.0.2.3")
    assert (20, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "198.51.100.1")
    at.clock.move(0.9)
    assert (4, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "192.0.2.1")
    assert (4, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "192.0.2.2")


def test_a_refusal_spends_nothing():
    at = accounts()
    at.taken_until_refused(Kind.TALK, "192.0.2.1")
    for _ in range(100):
        with pytest.raises(OverBudget):
            at.budgets.take(Kind.TALK, "192.0.2.1")
    assert (20, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "192.0.2.2")


def test_of_the_last_registrations_a_network_has_one_a_day():
    at = accounts()
    for n in range(160):
        at.budgets.take(Kind.REGISTRATIONS, f"10.0.{n}.1")
    at.budgets.take(Kind.REGISTRATIONS, "192.0.2.1")
    assert (0, Level.ALL) == at.taken_until_refused(Kind.REGISTRATIONS, "192.0.2.2")
    assert (1, Level.ALL) == at.taken_until_refused(Kind.REGISTRATIONS, "198.51.100.1")
    at.clock.move(DAY_S)
    assert not at.budgets.used_up(Kind.REGISTRATIONS, "192.0.2.2")


def test_where_there_is_room_a_rate_is_wide_and_what_was_spent_stays_spent():
    at = accounts()
    is_quiet = True
    at.budgets.is_roomy[Kind.ARRIVALS] = lambda: is_quiet
    assert (120, Level.SOURCE) == at.taken_until_refused(Kind.ARRIVALS, "192.0.2.1")
    is_quiet = False
    assert (0, Level.SOURCE) == at.taken_until_refused(Kind.ARRIVALS, "192.0.2.1")
    at.clock.move(90.0)
    assert (0, Level.SOURCE) == at.taken_until_refused(Kind.ARRIVALS, "192.0.2.1")
    at.clock.move(2.0)
    assert (2, Level.SOURCE) == at.taken_until_refused(Kind.ARRIVALS, "192.0.2.1")


@pytest.mark.parametrize("mine", ["203.0.113.7", "2001:db8:1:2::/64"])
def test_a_source_that_is_exempt_has_no_share_but_the_whole(mine):
    at = accounts(
        sources={"exempt": ("203.0.113.0/24", "2001:db8:1::/48")}, tables={"all_max": 100}
    )
    assert (100, Level.SOURCE) == at.held_until_refused(TABLES, mine)
    assert not at.budgets.used_up(Kind.TALK, mine)


def test_entries_at_rest_are_forgotten_and_nothing_is_granted_free(monkeypatch):
    monkeypatch.setattr(source_budgets, "SOURCES_MAX", 50)
    at = accounts()
    at.hold(TABLES, "192.0.2.1", 40)
    for n in range(200):
        at.budgets.take(Kind.TALK, f"10.0.{n}.1")
        at.clock.move(1.0)
    assert 50 == len(at.budgets.sources)
    assert (0, Level.SOURCE) == at.held_until_refused(TABLES, "192.0.2.1")  # not forgotten


def test_when_all_entries_are_in_use_everybody_new_shares_one(monkeypatch):
    monkeypatch.setattr(source_budgets, "SOURCES_MAX", 50)
    at = accounts()
    for n in range(50):
        at.hold(TABLES, f"10.0.{n}.1")
    assert [20, 0, 0] == [at.taken_until_refused(Kind.TALK, f"10.1.{n}.1")[0] for n in range(3)]
    assert (20, Level.SOURCE) == at.taken_until_refused(Kind.TALK, "10.0.7.1")


def test_the_first_refusal_of_a_day_is_one_line_of_the_log(caplog):
    caplog.set_level("INFO")
    at = accounts()
    for _ in range(3):
        at.taken_until_refused(Kind.TALK, "192.0.2.1")
    lines = [record.getMessage() for record in caplog.records]
    assert ["budget used up kind=talk level=source from=192.0.2.1"] == lines


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_limits_and_a_sentence(kind):
    at = accounts()
    assert kind in at.budgets._limits
    assert str(OverBudget(kind, Level.NETWORK)).endswith(".")


# -- rates with debt -----------------------------------------------------------------------------

DECISIONS = Kind.DECISIONS


def debt_sentence(budgets: SourceBudgets, source: str, **more: bool) -> str:
    """The refusal of a new game; "": there is none."""
    try:
        budgets.check_debt(DECISIONS, source, **more)
    except OverBudget as exc:
        return str(exc)
    return ""


def test_a_source_in_debt_is_charged_all_the_same_and_waits_until_it_is_paid():
    at = accounts()
    budgets = at.budgets
    budgets.charge(DECISIONS, "192.0.2.1", 4_000)
    assert 0.0 == budgets.wait_s(DECISIONS, "192.0.2.1")
    budgets.charge(DECISIONS, "192.0.2.1", 2 * 240)
    assert 120.0 == budgets.wait_s(DECISIONS, "192.0.2.1")
    games = "Too many games have been played from "
    assert games + "your address. New games again in 2 minutes." == debt_sentence(
        budgets, "192.0.2.1"
    )
    assert games + "the address that opened this table. New games again in 2 minutes." == (
        debt_sentence(budgets, "192.0.2.1", is_own=False)
    )
    at.clock.now_s += 61
    assert debt_sentence(budgets, "192.0.2.1").endswith(" in 1 minute.")
    at.clock.now_s += 60
    assert "" == debt_sentence(budgets, "192.0.2.1") == debt_sentence(budgets, "192.0.2.2")


def test_a_delay_grows_with_the_debt_up_to_its_most():
    budgets = accounts().budgets
    budgets.charge(DECISIONS, "192.0.2.1", 4_000)
    delays = [budgets.delay_s(DECISIONS, "192.0.2.1")]
    for _ in range(3):
        budgets.charge(DECISIONS, "192.0.2.1", 120)
        delays.append(budgets.delay_s(DECISIONS, "192.0.2.1"))
    assert [0.0, 1.0, 2.0, 2.0] == delays


def test_what_a_source_may_spend_in_a_day_comes_back_at_midnight_utc():
    at = accounts()
    budgets = at.budgets
    for _ in range(50):
        assert "" == debt_sentence(budgets, "192.0.2.1")
        budgets.charge(DECISIONS, "192.0.2.1", 1_000)
        at.clock.now_s += 250
    midnight_s = DAY_S - at.clock.now_ms() / 1000 % DAY_S
    assert midnight_s == pytest.approx(budgets.wait_s(DECISIONS, "192.0.2.1"), abs=0.01)
    at.clock.now_s += midnight_s - 1
    assert debt_sentence(budgets, "192.0.2.1").endswith(" in 1 minute.")
    at.clock.now_s += 2
    assert "" == debt_sentence(budgets, "192.0.2.1")


def test_a_network_is_in_debt_for_those_of_its_sources_that_spent_much_on_the_day():
    at = accounts()
    budgets = at.budgets
    budgets.charge(DECISIONS, "192.0.2.9", 2_000)
    budgets.charge(DECISIONS, "192.0.2.8", 1_999)
    for n in range(1, 5):
        budgets.charge(DECISIONS, f"192.0.2.{n}", 4_000)
    assert "Too many games have been played from your network. New games again in 5 minutes." == (
        debt_sentence(budgets, "192.0.2.9")
    )
    assert "from the network that opened this table." in (
        debt_sentence(budgets, "192.0.2.9", is_own=False)
    )
    assert "" == debt_sentence(budgets, "192.0.2.8") == debt_sentence(budgets, "192.0.3.1")
    budgets.charge(DECISIONS, "192.0.2.8")
    assert "your network" in debt_sentence(budgets, "192.0.2.8")


def test_a_source_may_spend_four_times_as_much_while_there_is_room():
    budgets = accounts().budgets
    budgets.is_roomy[DECISIONS] = lambda: True
    budgets.charge(DECISIONS, "192.0.2.1", 16_000)
    assert "" == debt_sentence(budgets, "192.0.2.1")
    budgets.is_roomy[DECISIONS] = lambda: False
    assert 12_000 / 4 == budgets.wait_s(DECISIONS, "192.0.2.1")


@pytest.mark.parametrize("exempt", ["::1", "::1/128", "::/64"])
def test_an_exempt_ipv6_address_makes_its_source_exempt(exempt):
    budgets = accounts(sources={"exempt": (exempt,)}).budgets
    assert budgets.is_exempt(source_of("::1"))
    assert not any(map(budgets.is_exempt, (source_of("2001:db8::1"), "192.0.2.1", LOCAL)))


def test_an_exempt_source_is_never_in_debt():
    budgets = accounts(sources={"exempt": ("192.0.2.0/24",)}).budgets
    budgets.charge(DECISIONS, "192.0.2.1", 1_000_000)
    assert "" == debt_sentence(budgets, "192.0.2.1")


def test_what_was_spent_on_a_day_is_not_forgotten_while_others_come(monkeypatch):
    monkeypatch.setattr(source_budgets, "SOURCES_MAX", 4)
    at = accounts()
    budgets = at.budgets
    for source, amount in (("192.0.2.1", 50_000), ("192.0.2.2", 10)):
        budgets.charge(DECISIONS, source, amount)
    at.clock.now_s += 20_000  # the buckets are full again
    for n in range(5):
        budgets.charge(DECISIONS, f"198.51.100.{n}")
        at.clock.now_s += 1
    assert "192.0.2.1" in budgets.sources and "192.0.2.2" not in budgets.sources
    assert debt_sentence(budgets, "192.0.2.1")
    at.clock.now_s += DAY_S
    for n in range(10, 16):
        budgets.charge(DECISIONS, f"198.51.100.{n}")
        at.clock.now_s += 1
    assert "192.0.2.1" not in budgets.sources


class RunningClock(HandClock):
    """Time goes by between two readings, as it does outside of tests."""

    def monotonic(self) -> float:
        self.now_s += 0.000_01
        return self.now_s


def running(**sources: float) -> SourceBudgets:
    config = Config()
    limits = msgspec.structs.replace(config.sources, **sources)
    return SourceBudgets(msgspec.structs.replace(config, sources=limits), RunningClock())


@pytest.mark.parametrize("spender", ["192.0.2.1", "192.0.2.2"])
def test_debt_refuses_while_time_goes_by(spender):
    budgets = running(decisions_free_per_source_day=0)
    budgets.charge(Kind.DECISIONS, spender, 20_000)
    with pytest.raises(OverBudget, match="Too many games"):
        budgets.check_debt(Kind.DECISIONS, "192.0.2.1")


def test_a_burst_of_one_is_granted_at_once_while_time_goes_by():
    budgets = running(talk_per_source_burst=1, failures_per_source_max=1)
    budgets.take(Kind.TALK, "192.0.2.1")
    assert [] == budgets.used_up(Kind.FAILURES, "192.0.2.1")
