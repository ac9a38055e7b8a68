"""Sanctions: what is in force on whom, by its own end alone."""

from __future__ import annotations

import pytest

from mudserver.errors import UserError
from mudserver.moderation.codec import decode, encode
from mudserver.moderation.events import SanctionChanged, SanctionEnded, SanctionSet
from mudserver.moderation.sanctions import Sanctions, parse_network

ENDED = SanctionEnded("lifted", "p1", "a mistake", 5)


def imposed(number: int = 1, **changes) -> Sanctions:
    sanctions = Sanctions()
    sanctions.apply(number, made(**changes))
    return sanctions


def made(kind="ban", target_kind="account", target="p7", until_ms=1_000, **changes) -> SanctionSet:
    return SanctionSet(
        kind, target_kind, target, until_ms, "spam", "p1", "moderator", 0, **changes
    )  # fmt: skip


def test_it_is_in_force_until_its_last_millisecond():
    sanctions = imposed()
    assert sanctions.ban_of_account("p7", "", 999) is not None
    assert sanctions.ban_of_account("p7", "", 1_000) is None
    assert imposed(until_ms=None).ban_of_account("p7", "", 10**15) is not None
    assert [1] == sanctions.expired(1_000) and [] == sanctions.expired(999)


def test_a_lifted_one_is_over_and_a_changed_one_has_its_new_end():
    sanctions = imposed()
    sanctions.apply(1, SanctionChanged(5_000, "longer", "p1", 3))
    held = sanctions.ban_of_account("p7", "", 4_000)
    assert held is not None and held.reason == "longer"
    sanctions.apply(1, ENDED)
    assert sanctions.ban_of_account("p7", "", 4_000) is None
    with pytest.raises(UserError, match="No sanction #1 is in force"):
        sanctions.find(1, 4_000)


def test_a_ban_counts_for_the_keys_that_it_names():
    sanctions = imposed(fingerprints=("SHA256:a", "SHA256:b"))
    assert sanctions.ban_of_account("p8", "SHA256:b", 1) is not None
    assert sanctions.ban_of_account("p8", "SHA256:c", 1) is None
    alone = imposed(target_kind="key", target="SHA256:c")
    assert alone.ban_of_account("p8", "SHA256:c", 1) is not None


def test_mutes_of_guests_are_by_source_and_those_of_accounts_by_id():
    guests = imposed(kind="mute", target_kind="guest", target="192.0.2.7")
    assert guests.mute_of("", "192.0.2.7", 1) is not None
    assert guests.mute_of("p7", "192.0.2.7", 1) is None
    assert imposed(kind="mute").mute_of("p7", "192.0.2.7", 1) is not None


@pytest.mark.parametrize(
    ("network", "source", "is_in"),
    [
        ("192.0.2.0/24", "192.0.2.7", True),
        ("192.0.2.0/24", "192.0.3.7", False),
        ("2001:db8:1::/48", "2001:db8:1:2::/64", True),
        ("2001:db8:1::/48", "2001:db8:2:2::/64", False),
        ("192.0.2.0/24", "2001:db8:1:2::/64", False),
        ("192.0.2.0/24", "local", False),
    ],
)
def test_a_network_holds_its_sources(network, source, is_in):
    sanctions = imposed(target_kind="network", target=network)
    assert (sanctions.ban_of_guest(source, 1) is not None) is is_in
    assert sanctions.ban_of_network(source, 1, is_hard=True) is None
    hard = imposed(target_kind="network", target=network, is_hard=True)
    assert (hard.ban_of_network(source, 1, is_hard=True) is not None) is is_in
    hard.apply(1, ENDED)
    assert hard.ban_of_guest(source, 1) is None


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("nonsense", "is no network"),
        ("8.0.0.0/8", "too wide"),
        ("2001::/16", "too wide"),
        ("127.0.0.1", "this server"),
        ("10.1.0.0/16", "this server"),
        ("100.64.3.0/24", "this server"),
        ("fe80::/64", "this server"),
        ("239.1.2.3", "this server"),
        ("198.51.100.0/24", "this server"),  # the proxy
        ("203.0.113.0/24", "your own network"),
    ],
)
def test_some_networks_cannot_be_banned(typed, why):
    with pytest.raises(UserError, match=why):
        parse_network(typed, "203.0.113.9", ["198.51.100.7/32"])


def test_a_network_is_stored_as_one_whatever_was_typed():
    assert "192.0.2.0/24" == parse_network("192.0.2.77/24", "", [])
    assert "192.0.2.77/32" == parse_network("192.0.2.77", "", [])


def test_a_forgotten_one_leaves_nothing_behind():
    sanctions = imposed(fingerprints=("SHA256:a",))
    sanctions.forget(1)
    assert not list(sanctions)
    assert sanctions.ban_of_account("p7", "SHA256:a", 1) is None
    assert sanctions.on("ban", "account", "p7", 1) is None


def test_records_read_as_they_were_written():
    events = (made(fingerprints=("SHA256:a",), note="third time"), ENDED)
    assert events == decode(encode(events))
