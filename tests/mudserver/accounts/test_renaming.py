"""Names that change: what is held for whom, and for how long."""

from __future__ import annotations

import pytest

from mudserver.accounts import events as e
from mudserver.accounts import names
from mudserver.accounts.account import DAY_MS
from mudserver.accounts.accounts import HELD_MAX, Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.names import claim_key
from mudserver.errors import UserError

YEAR_MS = 365 * DAY_MS


def people(*given: str) -> Accounts:
    accounts = Accounts()
    for number, name in enumerate(given, 1):
        accounts.apply(e.AccountOpened(f"p{number}", name, number))
    return accounts


def renamed(accounts: Accounts, name: str, at_ms: int = 10, by: str = "p1", held_ms: int = YEAR_MS,
            account_id: str = "p1") -> list[e.AccountEvent]:  # fmt: skip
    decided = accounts.rename(account_id, name, at_ms, by=by, reason="", held_ms=held_ms)
    for event in decode(encode(decided)):
        accounts.apply(event)
    return decided


def refusal(accounts: Accounts, name: str, **more: object) -> str:
    with pytest.raises(UserError) as refused:
        renamed(accounts, name, **more)  # type: ignore[arg-type]
    return str(refused.value)


def test_a_former_name_is_held_and_its_owner_is_found_by_it():
    accounts = people("Bob", "Cid")
    decided = renamed(accounts, "rob")
    assert [e.Renamed("p1", "rob", "Bob", 10 + YEAR_MS, "p1", "", 10)] == decided
    assert "rob" == accounts.by_id("p1").name and "p1" == accounts.find("ROB").id
    assert accounts.find("bob") is None and "p1" == accounts.former("BOB").id
    assert accounts.former("b-ob") is None and accounts.former("cid") is None


@pytest.mark.parametrize("typed", ["bob", "BOB", "b_ob", "B0B"])
def test_nobody_else_gets_a_held_name_or_one_that_looks_like_it(typed):
    accounts = people("Bob", "Cid")
    renamed(accounts, "rob")
    taken = f"The name {typed} is taken. Please choose another one."
    assert taken == refusal(accounts, typed, account_id="p2", by="p2")
    with pytest.raises(UserError, match="is taken"):
        accounts.check_name_free(typed)


def test_going_back_ends_the_hold_and_holds_the_name_that_is_left():
    accounts = people("Bob")
    renamed(accounts, "rob")
    decided = renamed(accounts, "BOB", 20)
    expected = [
        e.HoldEnded("p1", claim_key("bob"), 20),
        e.Renamed("p1", "BOB", "rob", 20 + YEAR_MS, "p1", "", 20),
    ]
    assert expected == decided
    assert [claim_key("rob")] == list(accounts.by_id("p1").held)
    assert accounts.former("bob") is None and "p1" == accounts.former("rob").id


def test_a_name_that_only_looks_otherwise_holds_nothing():
    accounts = people("ann")
    assert [e.Renamed("p1", "Ann", "ann", None, "p1", "", 10)] == renamed(accounts, "Ann")
    assert [e.Renamed("p1", "ann", "Ann", None, "p1", "", 11)] == renamed(accounts, "ann", 11)
    assert not accounts.by_id("p1").held and "p1" == accounts.find("ann").id


def test_where_somebody_else_has_a_name_like_it_nothing_is_held():
    """Accounts of older servers can look alike: nobody new gets that name anyway."""
    accounts = people("alice", "al1ce")
    assert renamed(accounts, "bob")[-1].held_until_ms is None
    assert accounts.former("alice") is None
    with pytest.raises(UserError, match="too similar to al1ce"):
        accounts.check_name_free("alice")


def test_what_is_no_new_name_is_refused_with_a_reason():
    accounts = people("bob", "cid")
    assert "The name bob is already." not in refusal(accounts, "admin")
    assert "The name is bob already." == refusal(accounts, "bob")
    assert "The name CID is taken. Please choose another one." == refusal(accounts, "CID")
    assert "c1d is too similar to cid" in refusal(accounts, "c1d")
    assert "Names have 3 to 16 characters." == refusal(accounts, "b")


def test_a_name_that_the_staff_took_away_is_not_given_back_to_its_owner():
    accounts = people("rude", "cid")
    renamed(accounts, "bob", by="p2")
    assert "The staff took the name rude away" in refusal(accounts, "rude")
    renamed(accounts, "rude", by="p2")
    assert "rude" == accounts.by_id("p1").name


def test_whom_the_staff_gives_a_name_is_told_at_the_next_login_once():
    accounts = people("rude", "cid")
    decided = accounts.rename("p1", "bob", 10, by="p2", reason="no such names", held_ms=YEAR_MS)
    for event in decided:
        accounts.apply(event)
    assert "no such names" == accounts.name_given("p1") and "" == accounts.name_given("p2")
    assert "p1" == accounts.owner_of("rude").id == accounts.owner_of("BOB").id
    (seen,) = accounts.note_login("p1", "password", "", 20)
    accounts.apply(seen)
    assert "" == accounts.name_given("p1")


def test_one_changes_the_own_name_once_in_30_days_and_what_the_staff_does_counts_not():
    accounts = people("bob")
    accounts.check_may_rename("p1", 30 * DAY_MS, 5)
    renamed(accounts, "rob", 10, by="p2")
    accounts.check_may_rename("p1", 30 * DAY_MS, 11)
    renamed(accounts, "tom", 20)
    with pytest.raises(UserError, match=r"^You have changed your name lately.*in 1 day\.$"):
        accounts.check_may_rename("p1", 30 * DAY_MS, 19 + 30 * DAY_MS)
    accounts.check_may_rename("p1", 30 * DAY_MS, 20 + 30 * DAY_MS)


def test_a_hold_ends_when_its_time_is_over_and_not_before():
    accounts = people("bob")
    renamed(accounts, "rob")
    over_ms = 10 + YEAR_MS
    assert [] == accounts.held_too_long(over_ms - 1)
    ((account, key),) = accounts.held_too_long(over_ms)
    assert [] == accounts.end_hold("p1", key, over_ms - 1)
    (ended,) = accounts.end_hold(account.id, key, over_ms)
    accounts.apply(ended)
    accounts.check_name_free("bob")
    assert [] == accounts.held_too_long(over_ms) and [] == accounts.end_hold("p1", key, over_ms)


def test_the_former_names_of_an_account_are_bounded():
    accounts = people("bob")
    for number in range(HELD_MAX):
        renamed(accounts, f"bob{number}x", number + 10)
    assert f"has had {HELD_MAX} names" in refusal(accounts, "another")
    renamed(accounts, "bob", 99)  # going back needs no more room


def test_without_a_hold_a_former_name_is_free_at_once():
    accounts = people("bob")
    renamed(accounts, "rob", held_ms=0)
    accounts.check_name_free("bob")


def test_an_account_knows_the_guest_who_registered_it_also_from_a_snapshot():
    accounts = people()
    for event in accounts.open_account("p1", "ann", 1, "g1f"):
        accounts.apply(event)
    renamed(accounts, "anna")
    other = Accounts()
    for event in decode(encode(accounts.snapshot("p1", 20))):
        other.apply(event)
    for known in (accounts, other):
        assert known.by_id("p1").person == known.present_person("g1f") == known.present_person("p1")
        assert known.present_person("g2f") is None
        assert "p1" == known.former("ann").id and known.find("ann") is None
    with pytest.raises(UserError):
        accounts.open_account("p2", "bob", 3, "g1f")


def test_a_snapshot_of_another_server_brings_the_name_of_now():
    here, there = people("bob"), people("bob")
    renamed(there, "rob")
    for event in there.snapshot("p1", 20):
        here.apply(event)
    assert here.find("bob") is None and "p1" == here.find("rob").id == here.former("bob").id
    assert here.by_id("p1") == there.by_id("p1")
    assert names.skeleton("rob") != names.skeleton("bob")
