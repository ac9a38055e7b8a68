"""Deleting an account: who may ask, who may take it back, when it is inactive, what is left."""

from __future__ import annotations

import pytest

from mudserver.accounts import deletion, names
from mudserver.accounts import events as e
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.former import FORMER_PLAYER
from mudserver.accounts.played import PlayedGame
from mudserver.errors import UserError
from mudserver.journal.replacing import replaces_past
from tests.mudserver.accounts.test_snapshot import fold, key

DAY_MS = 86_400_000
NOW_MS = 10_000 * DAY_MS
KEY = names.claim_key("ann")


def life(*, plays: bool = True, renames: bool = False) -> list[bytes]:
    """The records of ann, who has all that an account can have."""
    accounts = Accounts()
    bodies: list[bytes] = []

    def write(events: list[e.AccountEvent]) -> None:
        bodies.append(encode(events))
        for event in events:
            accounts.apply(event)

    write([*accounts.open_account("p1", "ann", 1, was="g1"),
           *accounts.first_key("p1", key(1), 1)])  # fmt: skip
    write([e.RoleSet("p1", "helper", "console:0", "for the test", 2)])
    write(accounts.set_profile("p1", "Knits.", 3))
    write([e.Befriended("p1", "p9", 4), e.Ignored("p1", "p8", "zed", 4)])
    if plays:
        game = PlayedGame("words", 1, 1, "easy", 1, 2, 5)
        write(accounts.note_game("p1", game, ["easy"]))
    if renames:
        write(accounts.rename("p1", "rob", 6, by="p1", reason="", held_ms=DAY_MS))
    write(deletion.ask(accounts.by_id("p1"), NOW_MS, "p1", "", 7))
    return bodies


def erased(accounts: Accounts, held_ms: int = 365 * DAY_MS, *, is_shared: bool = False) -> e.Erased:
    account = accounts.by_id("p1")
    (event,) = deletion.erase(account, held_ms, "asked", NOW_MS, is_shared=is_shared)
    return event


def test_an_erased_account_is_in_no_list_and_its_name_is_held_as_a_hash():
    accounts = fold(life())
    event = erased(accounts)
    body = encode([event])
    assert replaces_past(body) and b"ann" not in body and (event,) == decode(body)
    assert ((KEY, NOW_MS + 365 * DAY_MS),) == event.held
    for whole in (accounts, Accounts()):  # in place, and after the trim
        whole.apply(event)
        assert (0, [], [], None, None) == (
            len(whole), whole.all(), whole.staff(), whole.find("ann"), whole.present_person("g1")
        )  # fmt: skip
        fingerprint = decode(life()[0])[1].fingerprint
        assert not whole.has_key("p1", fingerprint) and () == whole.opened_by(fingerprint)
        assert 0 == sum(it.early for it in whole.newcomers.values())
        found = whole.name_of("p1", "ann"), whole.name_of("g3", "guest3")
        assert (FORMER_PLAYER, "guest3") == found
        with pytest.raises(UserError, match="is taken"):
            whole.check_name_free("A_N_N")
        assert [] == whole.former_accounts.over(NOW_MS + 364 * DAY_MS)
        assert ["p1"] == whole.former_accounts.over(NOW_MS + 365 * DAY_MS)
        whole.former_accounts.forget("p1")
        whole.check_name_free("ann")


@pytest.mark.parametrize("at", range(1, 8))
def test_with_a_snapshot_anywhere_before_the_end_the_account_is_the_same(at):
    bodies = life(renames=True)
    snapshot = encode(fold(bodies[:at]).snapshot("p1", 99))
    whole, short = fold(bodies), fold([snapshot, *bodies[at:]])
    assert whole.by_id("p1") == short.by_id("p1") and whole.by_id("p1").deletion is not None
    assert erased(whole) == erased(short)


def test_former_names_that_are_held_stay_so_and_a_shared_one_goes_to_the_other():
    accounts = fold(life(renames=True))
    assert {KEY: 6 + DAY_MS, names.claim_key("rob"): NOW_MS + DAY_MS} == dict(
        erased(accounts, DAY_MS).held
    )
    assert {KEY: 6 + DAY_MS} == dict(erased(accounts, DAY_MS, is_shared=True).held)


def test_nothing_is_held_for_who_finished_no_game_or_where_the_host_holds_none():
    assert () == erased(fold(life(plays=False))).held
    assert () == erased(fold(life()), 0).held


def test_the_first_owner_of_a_held_name_keeps_it_when_another_goes():
    accounts = fold(life())
    accounts.apply(erased(accounts))
    accounts.apply(e.Erased("p2", (), "inactive", NOW_MS))
    assert accounts.former_accounts.holds("ann")
    accounts.former_accounts.forget("p2")
    assert accounts.former_accounts.holds("ann")


def test_who_asked_takes_it_back_and_the_staff_stands_above_the_owner():
    accounts = fold(life()[:-1])
    account = accounts.by_id("p1")

    def does(events: list[e.AccountEvent]) -> None:
        for event in events:
            accounts.apply(event)

    with pytest.raises(UserError, match="Nobody has asked"):
        deletion.withdraw(account, "p1", 1)
    does(deletion.ask(account, 100, "p1", "", 1))
    for by, sentence in (("p1", "already"),):
        with pytest.raises(UserError, match=sentence):
            deletion.ask(account, 100, by, "", 2)
    with pytest.raises(UserError, match="only ann can take it back"):
        deletion.withdraw(account, "p2", 2)
    does(deletion.ask(account, 200, "p2", "spam", 3))
    assert (200, "p2", "spam") == (
        account.deletion.due_ms, account.deletion.by, account.deletion.reason
    )  # fmt: skip
    with pytest.raises(UserError, match="The staff will delete"):
        deletion.withdraw(account, "p1", 4)
    with pytest.raises(UserError, match="already"):
        deletion.ask(account, 300, "p3", "spam", 4)
    does(deletion.withdraw(account, "p3", 5))
    assert account.deletion is None


@pytest.mark.parametrize(
    ("opened", "seen", "played", "noted", "is_over"),
    [  # days before now; 0: never
        (30, 0, 0, 9_000, True), (29.9, 0, 0, 9_000, False),
        (30, 29.5, 0, 9_000, True),  # seen on its first day alone
        (40, 39, 0, 9_000, False), (40, 0, 39, 9_000, False),
        (2_000, 1_095, 1_900, 9_000, True), (2_000, 1_094, 0, 9_000, False),
        (2_000, 1_900, 1_095, 9_000, True), (2_000, 1_900, 1_094, 9_000, False),
        (2_000, 0, 0, 29, False), (2_000, 0, 0, 30, True),
        (2_000, 1_999, 1_900, 1_094, False), (2_000, 1_999, 1_900, 1_095, True),
    ],
)  # fmt: skip
def test_an_account_is_inactive_at_the_edge_of_its_span(opened, seen, played, noted, is_over):
    def at(days: float) -> int:
        return int(NOW_MS - days * DAY_MS) if days else 0

    accounts = Accounts()
    accounts.apply(e.AccountOpened("p1", "ann", at(opened)))
    account = accounts.by_id("p1")
    account.seen_ms = at(seen)
    if played:
        accounts.apply(e.GamePlayed("p1", PlayedGame("words", 1, 1, "", 1, 2, at(played))))
    assert is_over is deletion.is_inactive(account, 1_095, 30, at(noted), NOW_MS)
    assert not deletion.is_inactive(account, 0, 0, at(noted), NOW_MS)
