"""Accounts: decisions and the fold."""

from __future__ import annotations

import re
from base64 import b64encode

import msgspec
import pytest

from mudserver.accounts import events
from mudserver.accounts.accounts import KEYS_MAX, Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.names import NameRules
from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.accounts.texts import CODE_NOT_VALID
from mudserver.errors import UserError


def key(number: int) -> str:
    """Args: number: 0 to 199."""
    kind = b"ssh-ed25519"
    point = bytes([number + 7] * 32)
    blob = len(kind).to_bytes(4, "big") + kind + (32).to_bytes(4, "big") + point
    return f"ssh-ed25519 {b64encode(blob).decode()} ann@home number {number}"


@pytest.fixture
def accounts():
    accounts = Accounts()
    applied(
        accounts,
        [*accounts.open_account("p1", "Alice", 5), events.PasswordSet("p1", "$argon2id$", 5)],
    )
    return accounts


CODE = "k7w2m9pxqd"
LATER = 600_000


def fingerprint_of(number: int) -> str:
    return parse_public_key(key(number))[1]


def added(accounts, account_id, number, at_ms=6, label=""):
    """The events of a key that is added under a code, without the end of the code."""
    account = accounts.by_id(account_id)
    issued_ms, account.issued_ms = account.issued_ms, {}  # so many keys an hour
    applied(accounts, accounts.issue_key_code(account_id, CODE, at_ms + LATER, "", label, at_ms))
    decided = accounts.add_key(account.name, CODE, key(number), at_ms)
    applied(accounts, [decided[-1]])
    account.issued_ms = issued_ms
    return decided[:-1]


def applied(accounts, decided):
    for fact in decided:
        accounts.apply(fact)


def test_an_account_is_found_by_its_name_in_any_case(accounts):
    for name in ("Alice", "alice", "ALICE", "\uff41lice"):
        assert "p1" == accounts.find(name).id
    assert Person("p1", "Alice", is_guest=False) == accounts.by_id("p1").person
    assert accounts.find("a1ice") is None and accounts.find("bob") is None


@pytest.mark.parametrize("name", ["alice", "ALICE", "\uff41lice"])
def test_a_taken_name_is_taken(accounts, name):
    with pytest.raises(UserError, match="is taken"):
        accounts.open_account("p2", name, 6)


@pytest.mark.parametrize("name", ["a1ice", "allce", "al_ice", "a-lice"])
def test_a_name_that_looks_like_a_known_one_is_refused(accounts, name):
    with pytest.raises(UserError, match="is too similar to Alice"):
        accounts.open_account("p2", name, 6)


def test_accounts_of_an_older_server_keep_names_that_are_refused_today(accounts):
    opened = ("al_ice", "alice-", "Juno", "Admin1")
    for number, name in enumerate(opened, 2):
        accounts.apply(events.AccountOpened(f"p{number}", name, 6))
    assert "p1" == accounts.find("alice").id and "p2" == accounts.find("AL_ICE").id
    assert "p3" == accounts.find("alice-").id and "p4" == accounts.find("juno").id
    for name in opened:
        with pytest.raises(UserError, match=f"The name {name} is taken"):
            accounts.open_account("p9", name, 7)
    with pytest.raises(UserError, match="is too similar to Alice"):
        accounts.open_account("p9", "a-l-ice", 7)


def test_other_rules_for_names_apply_to_new_names_alone(accounts):
    accounts.name_rules = NameRules(denied=["lice"])
    assert accounts.find("alice")
    with pytest.raises(UserError, match="splice isn't allowed as a name here"):
        accounts.open_account("p2", "splice", 6)


def test_deciding_changes_nothing(accounts):
    before = encode(history(accounts))
    accounts.open_account("p2", "Bob", 6)
    accounts.issue_key_code("p1", CODE, 9, "", "", 6)
    accounts.set_preference("p1", "width", "60", 6)
    assert before == encode(history(accounts)) and 1 == len(accounts)


def history(accounts):
    """Events that make the same accounts."""
    made = []
    for account in accounts._by_id.values():
        made.append(events.AccountOpened(account.id, account.name, account.opened_ms))
        if account.password_hash:
            made.append(events.PasswordSet(account.id, account.password_hash, 0))
        made += [
            events.KeyAdded(account.id, k.key, k.fingerprint, 0, k.proven, k.label)
            for k in account.keys
        ]
        made += [events.PreferenceSet(account.id, k, v, 0) for k, v in account.preferences.items()]
    return made


def test_a_key_may_open_several_accounts(accounts):
    applied(accounts, accounts.open_account("p2", "Bob", 6))
    applied(accounts, added(accounts, "p1", 1))
    applied(accounts, added(accounts, "p2", 1))
    fingerprint = fingerprint_of(1)
    assert accounts.has_key("p1", fingerprint) and accounts.has_key("p2", fingerprint)
    assert not accounts.has_key("p3", fingerprint)
    assert ["Alice", "Bob"] == [each.name for each in accounts.opened_by(fingerprint)]
    with pytest.raises(UserError, match="belongs to Alice already"):
        added(accounts, "p1", 1)


def test_a_key_opens_so_many_accounts_and_no_more(accounts):
    accounts.accounts_per_key_max = 2
    for number in (2, 3):
        applied(accounts, accounts.open_account(f"p{number}", f"Bob{number}x", 6))
    applied(accounts, added(accounts, "p1", 1))
    applied(accounts, added(accounts, "p2", 1))
    with pytest.raises(UserError, match="This key belongs to 2 accounts here already"):
        added(accounts, "p3", 1)


def test_a_free_name_is_not_for_a_key_that_opens_another_and_it_is_said_which(accounts):
    applied(accounts, added(accounts, "p1", 1))
    with pytest.raises(UserError) as refused:
        accounts.first_key("p3", key(1), 8)
    assert (
        "Your key belongs to the account Alice: ssh Alice@HOST. To use it for another account too, "
        "register that one with a password first. Then type keys add" == str(refused.value)
    )


def test_a_strangers_public_key_that_was_pasted_long_ago_squats_nothing(accounts):
    """An older server took the line of a .pub file, which is no secret, for a proof."""
    accounts.apply(events.KeyAdded("p1", key(1), fingerprint_of(1), 7))
    assert () == accounts.opened_by(fingerprint_of(1))
    opened = accounts.open_account("p2", "Carla", 8) + accounts.first_key("p2", key(1), 8)
    applied(accounts, opened)
    assert ["Carla"] == [each.name for each in accounts.opened_by(fingerprint_of(1))]
    assert accounts.has_key("p1", fingerprint_of(1))  # as it did before
    assert accounts.by_id("p2").key(fingerprint_of(1)).proven


def test_a_key_of_an_older_server_is_proven_if_it_came_with_the_name_and_else_at_its_next_login():
    accounts = Accounts()
    applied(
        accounts,
        [
            events.AccountOpened("p1", "Ann", 5),
            events.KeyAdded("p1", key(1), fingerprint_of(1), 5),
            events.KeyAdded("p1", key(2), fingerprint_of(2), 9),
        ],
    )
    assert [True, False] == [each.proven for each in accounts.by_id("p1").keys]
    assert [] == accounts.prove_key("p1", fingerprint_of(1), 20)
    assert [] == accounts.prove_key("p1", fingerprint_of(3), 20)
    proven = accounts.prove_key("p1", fingerprint_of(2), 20)
    assert [events.KeyProven("p1", fingerprint_of(2), 20)] == proven
    applied(accounts, proven)
    assert [] == accounts.prove_key("p1", fingerprint_of(2), 21)
    assert 9 == accounts.by_id("p1").key(fingerprint_of(2)).added_ms


def test_a_pasted_key_that_is_added_under_a_code_is_proven_and_not_there_twice(accounts):
    accounts.apply(events.KeyAdded("p1", key(1), fingerprint_of(1), 7))
    decided = added(accounts, "p1", 1, at_ms=9)
    assert [events.KeyProven("p1", fingerprint_of(1), 9)] == decided


def test_a_removed_key_opens_nothing_here_and_still_its_other_accounts(accounts):
    applied(accounts, accounts.open_account("p2", "Bob", 6))
    applied(accounts, added(accounts, "p1", 1))
    applied(accounts, added(accounts, "p2", 1))
    removed = accounts.remove_key("p1", fingerprint_of(1), 8)
    assert [events.KeyRemoved("p1", fingerprint_of(1), 8, by="p1")] == removed
    applied(accounts, removed)
    assert not accounts.has_key("p1", fingerprint_of(1))
    assert ["Bob"] == [each.name for each in accounts.opened_by(fingerprint_of(1))]
    with pytest.raises(UserError, match="no key"):
        accounts.remove_key("p1", fingerprint_of(1), 9)
    applied(accounts, [events.KeyRemoved("p2", fingerprint_of(1), 9)])  # of an older server
    assert accounts.first_key("p4", key(1), 9)


def test_the_last_way_in_cannot_be_removed():
    accounts = Accounts()
    applied(accounts, accounts.open_account("p1", "Ann", 1) + accounts.first_key("p1", key(1), 1))
    with pytest.raises(UserError, match="only way to log in"):
        accounts.remove_key("p1", fingerprint_of(1), 2)
    applied(accounts, added(accounts, "p1", 2))
    applied(accounts, accounts.remove_key("p1", fingerprint_of(1), 4))


def test_an_account_has_so_many_keys_and_no_more(accounts):
    for number in range(KEYS_MAX):
        applied(accounts, added(accounts, "p1", number))
    with pytest.raises(UserError, match=r"Alice has 16 keys already, which is the limit\."):
        accounts.issue_key_code("p1", CODE, LATER, "", "", 6)


def test_a_key_has_the_label_of_its_code_until_it_is_given_another(accounts):
    applied(accounts, added(accounts, "p1", 1, label=" my   laptop "))
    assert "my laptop" == accounts.by_id("p1").key(fingerprint_of(1)).label
    assert [] == accounts.label_key("p1", fingerprint_of(1), "my laptop", 8)
    applied(accounts, accounts.label_key("p1", fingerprint_of(1), "old", 8))
    kept = accounts.by_id("p1").key(fingerprint_of(1))
    assert ("old", 6, True) == (kept.label, kept.added_ms, kept.proven)
    with pytest.raises(UserError, match="A label has 1 to 20 characters"):
        accounts.label_key("p1", fingerprint_of(1), "x" * 21, 8)
    with pytest.raises(UserError, match='You have no key "SHA256:nobodys"'):
        accounts.label_key("p1", "SHA256:nobodys", "x", 8)
    accounts.apply(events.KeyLabelled("p1", "SHA256:gone", "x", 9))  # changes nothing


# -- logins ---------------------------------------------------------------------------------------

DAY_MS = 86_400_000


def login(accounts, at_ms, number=None):
    """What a login by a key, or by the password, writes."""
    used = ("key", fingerprint_of(number)) if number is not None else ("password", "")
    decided = accounts.note_login("p1", *used, at_ms)
    applied(accounts, decided)
    return decided


def test_a_login_is_kept_once_a_day_for_each_way_in(accounts):
    applied(accounts, added(accounts, "p1", 1))
    accounts.by_id("p1").seen_ms = 6  # the key is no news
    assert [] == login(accounts, 50) == login(accounts, 50, 1)  # of the day of its opening
    assert [events.Seen("p1", "password", "", DAY_MS)] == login(accounts, DAY_MS)
    assert [events.Seen("p1", "key", fingerprint_of(1), DAY_MS + 1)] == login(
        accounts, DAY_MS + 1, 1
    )
    assert [] == login(accounts, DAY_MS + 2) == login(accounts, 2 * DAY_MS - 1, 1)
    assert login(accounts, 2 * DAY_MS, 1)
    assert 2 * DAY_MS == accounts.by_id("p1").key(fingerprint_of(1)).used_ms
    assert DAY_MS == accounts.by_id("p1").password_used_ms
    assert [] == login(accounts, 9 * DAY_MS, 2)  # a key that was taken away meanwhile


def test_a_pasted_key_is_proven_by_a_login_and_is_no_news(accounts):
    accounts.apply(events.KeyAdded("p1", key(1), fingerprint_of(1), 7))
    assert [] == accounts.new_keys("p1", 8)
    assert [events.KeyProven, events.Seen] == [
        type(each) for each in login(accounts, DAY_MS + 8, 1)
    ]
    assert [] == accounts.new_keys("p1", DAY_MS + 9)
    assert [] == login(accounts, DAY_MS + 9, 1)


def test_a_key_is_news_until_the_next_login_or_for_a_week(accounts):
    applied(accounts, added(accounts, "p1", 1, at_ms=1_000))
    assert [fingerprint_of(1)] == [each.fingerprint for each in accounts.new_keys("p1", 2_000)]
    assert [] == accounts.new_keys("p1", 1_000 + 7 * DAY_MS)
    assert [events.Seen("p1", "password", "", 2_000)] == login(accounts, 2_000)
    assert [] == accounts.new_keys("p1", 2_001)
    assert [] == login(accounts, 2_001)


# -- codes ----------------------------------------------------------------------------------------


def issued(accounts, code=CODE, at_ms=6, *, line="", expires_ms=LATER):
    return accounts.issue_key_code("p1", code, expires_ms, line, "", at_ms)


def test_a_code_is_kept_as_a_hash_and_works_once(accounts):
    decided = issued(accounts)
    assert CODE.encode() not in encode(decided)
    applied(accounts, decided)
    assert accounts.live_code("ALICE", "key", CODE.upper(), 7) is not None
    assert accounts.live_code("alice", "recover", CODE, 7) is None  # it was issued for a key
    used = accounts.add_key("alice", CODE, key(1), 7)
    assert [events.KeyAdded, events.CodeEnded] == [type(each) for each in used]
    assert "used" == used[1].why
    applied(accounts, used)
    with pytest.raises(UserError, match=f"^{re.escape(CODE_NOT_VALID)}$"):
        accounts.add_key("alice", CODE, key(2), 8)


@pytest.mark.parametrize(
    ("name", "code", "at_ms"),
    [("nobody", CODE, 7), ("Alice", "wrong", 7), ("Alice", "", 7), ("Alice", CODE, LATER)],
    ids=["name", "code", "no code", "late"],
)
def test_a_code_that_opens_nothing_has_one_sentence(accounts, name, code, at_ms):
    applied(accounts, issued(accounts))
    with pytest.raises(UserError, match=f"^{re.escape(CODE_NOT_VALID)}$"):
        accounts.add_key(name, code, key(1), at_ms)


def test_a_new_code_ends_the_one_before(accounts):
    applied(accounts, issued(accounts))
    ended, _ = second = issued(accounts, "secondcode", 8, expires_ms=2 * LATER)
    assert ("revoked", 8) == (ended.why, ended.at_ms)
    applied(accounts, second)
    assert accounts.live_code("alice", "key", CODE, 9) is None
    assert accounts.live_code("alice", "key", "secondcode", 9) is not None
    ended, _ = issued(accounts, "thirdcode", 2 * LATER)
    assert "expired" == ended.why


def test_a_code_for_one_key_adds_no_other(accounts):
    applied(accounts, issued(accounts, line=key(1)))
    with pytest.raises(UserError, match=r"^This code is for another key\.$"):
        accounts.add_key("alice", CODE, key(2), 8)
    assert accounts.add_key("alice", CODE, key(1), 8)


def test_codes_are_five_an_hour(accounts):
    for number in range(5):
        applied(accounts, issued(accounts, f"code{number}", 1_000 * number, expires_ms=9_999_999))
    with pytest.raises(UserError, match=r"^You have had 5 codes within an hour\. .* 60 minutes"):
        issued(accounts, at_ms=5_000)
    with pytest.raises(UserError, match=r"Please wait 1 minute\.$"):
        issued(accounts, at_ms=3_599_999)
    applied(accounts, issued(accounts, at_ms=3_600_000))
    with pytest.raises(UserError, match="5 codes"):
        issued(accounts, at_ms=3_600_001)


def test_settings_are_checked_kept_and_have_defaults(accounts):
    assert "auto" == accounts.preference("p1", "width") == accounts.preference("nobody", "width")
    applied(accounts, accounts.set_preference("p1", "WIDTH", "060", 7))
    assert "60" == accounts.preference("p1", "width")
    assert [] == accounts.set_preference("p1", "width", "60", 8)
    applied(accounts, accounts.set_preference("p1", "color", "Off", 8))
    assert "off" == accounts.preference("p1", "colour")
    with pytest.raises(UserError, match=r"Did you mean width\?"):
        accounts.set_preference("p1", "widht", "60", 9)
    for value in ("39", "301", "-1", "x", "\u0666\u0660", "9" * 5_000):
        with pytest.raises(UserError, match="auto or a number from 40 to 300"):
            accounts.set_preference("p1", "width", value, 9)


def test_every_fact_comes_back_from_its_bytes_and_makes_the_same_book(accounts):
    applied(accounts, added(accounts, "p1", 1, at_ms=7))
    applied(accounts, accounts.set_preference("p1", "suits", "letters", 8))
    made = [
        *history(accounts),
        events.KeyRemoved("p1", "SHA256:x", 9),
        events.KeyProven("p1", "SHA256:x", 9),
        events.KeyLabelled("p1", "SHA256:x", "laptop", 9),
        events.CodeIssued("p1", "ab" * 32, "recover", 99, "", "console:0", 9),
        events.CodeEnded("p1", "cd" * 32, "expired", 9),
        events.Seen("p1", "key", "SHA256:x", 9),
    ]
    assert tuple(made) == decode(encode(made))
    again = Accounts()
    applied(again, decode(encode(made)))
    assert history(accounts) == history(again)


def test_what_is_no_record_of_facts_is_refused():
    for body in (b"", b"{}", b'[{"type":"unheard of"}]', b'[{"type":"opened","id":"p1"}]'):
        with pytest.raises(msgspec.DecodeError):
            decode(body)


def test_a_record_of_the_first_release_is_read():
    body = b'[{"type":"opened","id":"p1","name":"Ann","at_ms":5}]'
    assert (events.AccountOpened("p1", "Ann", 5),) == decode(body)
    assert decode(body) == decode(encode(decode(body)))
    body = b'[{"type":"key","id":"p1","key":"ssh-ed25519 AA","fingerprint":"SHA256:x","at_ms":5},'
    body += b'{"type":"key removed","id":"p1","fingerprint":"SHA256:x","at_ms":6}]'
    assert (
        events.KeyAdded("p1", "ssh-ed25519 AA", "SHA256:x", 5, proven=False, label=""),
        events.KeyRemoved("p1", "SHA256:x", 6, by=""),
    ) == decode(body)
