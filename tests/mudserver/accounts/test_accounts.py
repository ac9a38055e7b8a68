"""Accounts: decisions and the fold."""

from __future__ import annotations

from base64 import b64encode

import msgspec
import pytest

from mudserver.accounts import events
from mudserver.accounts.accounts import KEYS_MAX, Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.names import NameRules
from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.errors import UserError


def key(number: int) -> str:
    kind = b"ssh-ed25519"
    blob = len(kind).to_bytes(4, "big") + kind + (32).to_bytes(4, "big") + bytes([number] * 32)
    return f"ssh-ed25519 {b64encode(blob).decode()} ann@home number {number}"


@pytest.fixture
def accounts():
    accounts = Accounts()
    applied(
        accounts,
        [*accounts.open_account("p1", "Alice", 5), events.PasswordSet("p1", "$argon2id$", 5)],
    )
    return accounts


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
    with pytest.raises(UserError, match="looks too much like Alice"):
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
    with pytest.raises(UserError, match="looks too much like Alice"):
        accounts.open_account("p9", "a-l-ice", 7)


def test_other_rules_for_names_apply_to_new_names_alone(accounts):
    accounts.name_rules = NameRules(denied=["lice"])
    assert accounts.find("alice")
    with pytest.raises(UserError, match="The name splice is not allowed here"):
        accounts.open_account("p2", "splice", 6)


def test_deciding_changes_nothing(accounts):
    before = encode(history(accounts))
    accounts.open_account("p2", "Bob", 6)
    accounts.add_key("p1", key(1), 6)
    accounts.set_preference("p1", "width", "60", 6)
    assert before == encode(history(accounts)) and 1 == len(accounts)


def history(accounts):
    """Events that make the same accounts."""
    made = []
    for account in accounts._by_id.values():
        made.append(events.AccountOpened(account.id, account.name, account.opened_ms))
        if account.password_hash:
            made.append(events.PasswordSet(account.id, account.password_hash, 0))
        made += [events.KeyAdded(account.id, k.key, f, 0) for f, k in account.keys.items()]
        made += [events.PreferenceSet(account.id, k, v, 0) for k, v in account.preferences.items()]
    return made


def test_a_key_opens_one_account_only(accounts):
    applied(accounts, accounts.open_account("p2", "Bob", 6))
    applied(accounts, accounts.add_key("p1", key(1), 7))
    fingerprint = parse_public_key(key(1))[1]
    assert accounts.has_key("p1", fingerprint) and not accounts.has_key("p2", fingerprint)
    with pytest.raises(UserError, match=r"opens another name here\. Use another key\.$"):
        accounts.add_key("p2", key(1), 8)
    with pytest.raises(UserError, match="opens your name already"):
        accounts.add_key("p1", key(1), 8)
    with pytest.raises(UserError, match="Use another key, or a password: ssh -o Pubkey"):
        accounts.first_key("p3", key(1), 8)


def test_a_removed_key_opens_nothing_and_is_free(accounts):
    applied(accounts, accounts.add_key("p1", key(1), 7))
    fingerprint = parse_public_key(key(1))[1]
    applied(accounts, accounts.remove_key("p1", fingerprint, 8))
    assert not accounts.has_key("p1", fingerprint)
    assert accounts.first_key("p2", key(1), 8)
    with pytest.raises(UserError, match="no key"):
        accounts.remove_key("p1", fingerprint, 9)


def test_the_last_way_in_cannot_be_removed():
    accounts = Accounts()
    applied(accounts, accounts.open_account("p1", "Ann", 1) + accounts.first_key("p1", key(1), 1))
    with pytest.raises(UserError, match="only way in"):
        accounts.remove_key("p1", parse_public_key(key(1))[1], 2)
    applied(accounts, accounts.add_key("p1", key(2), 3))
    applied(accounts, accounts.remove_key("p1", parse_public_key(key(1))[1], 4))


def test_an_account_has_so_many_keys_and_no_more(accounts):
    for number in range(KEYS_MAX):
        applied(accounts, accounts.add_key("p1", key(number), 1))
    with pytest.raises(UserError, match="that is the most"):
        accounts.add_key("p1", key(99), 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "no public key"),
        ("ssh-ed25519", "no public key"),
        ("ssh-dss AAAA", "no public key"),
        ("ssh-ed25519 " + "A" * 5_000, "no public key"),
        ("ssh-ed25519 AAAA", "damaged"),
        ("ssh-ed25519 not*base64", "damaged"),
        (key(1).replace("ssh-ed25519", "ssh-rsa"), "damaged"),
        (key(1)[:40], "damaged"),
        ("-----BEGIN OPENSSH PRIVATE KEY----- b3Blbn", "private key"),
    ],
)
def test_what_is_no_public_key_is_refused(line, reason):
    with pytest.raises(UserError, match=reason):
        parse_public_key(line)


def test_a_fingerprint_is_the_one_ssh_keygen_shows():
    import asyncssh

    made = asyncssh.generate_private_key("ssh-ed25519", comment="ann@home")
    line = made.export_public_key().decode()
    text, fingerprint = parse_public_key(line)
    assert made.get_fingerprint() == fingerprint
    assert text == line.removesuffix("ann@home\n").rstrip()


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
    applied(accounts, accounts.add_key("p1", key(1), 7))
    applied(accounts, accounts.set_preference("p1", "suits", "letters", 8))
    made = [*history(accounts), events.KeyRemoved("p1", "SHA256:x", 9)]
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
    assert body == encode(decode(body))
