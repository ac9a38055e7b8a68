"""The guest book: decisions and the fold."""

from __future__ import annotations

from base64 import b64encode

import msgspec
import pytest

from mudserver.accounts import events
from mudserver.accounts.accounts import KEYS_MAX, Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.person import Person
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.errors import UserError


def key(number: int) -> str:
    kind = b"ssh-ed25519"
    blob = len(kind).to_bytes(4, "big") + kind + (32).to_bytes(4, "big") + bytes([number] * 32)
    return f"ssh-ed25519 {b64encode(blob).decode()} ann@home number {number}"


@pytest.fixture
def book():
    book = Accounts()
    applied(book, [*book.open_account("p1", "Alice", 5), events.PasswordSet("p1", "$argon2id$", 5)])
    return book


def applied(book, decided):
    for fact in decided:
        book.apply(fact)


def test_an_account_is_found_by_its_name_in_any_case(book):
    for name in ("Alice", "alice", "ALICE", "\uff41lice"):
        assert "p1" == book.find(name).id
    assert Person("p1", "Alice", is_guest=False) == book.by_id("p1").person
    assert book.find("a1ice") is None and book.find("bob") is None


@pytest.mark.parametrize("name", ["alice", "ALICE", "\uff41lice"])
def test_a_taken_name_is_taken(book, name):
    with pytest.raises(UserError, match="is taken"):
        book.open_account("p2", name, 6)


@pytest.mark.parametrize("name", ["a1ice", "allce"])
def test_a_name_that_looks_like_a_known_one_is_refused(book, name):
    with pytest.raises(UserError, match="looks too much like Alice"):
        book.open_account("p2", name, 6)


def test_deciding_changes_nothing(book):
    before = encode(history(book))
    book.open_account("p2", "Bob", 6)
    book.add_key("p1", key(1), 6)
    book.set_preference("p1", "width", "60", 6)
    assert before == encode(history(book)) and 1 == len(book)


def history(book):
    """The book as facts that make it again."""
    made = []
    for account in book._by_id.values():
        made.append(events.AccountOpened(account.id, account.name, account.opened_ms))
        if account.password_hash:
            made.append(events.PasswordSet(account.id, account.password_hash, 0))
        made += [events.KeyAdded(account.id, k, f, 0) for f, k in account.keys.items()]
        made += [events.PreferenceSet(account.id, k, v, 0) for k, v in account.preferences.items()]
    return made


def test_a_key_opens_one_account_only(book):
    applied(book, book.open_account("p2", "Bob", 6))
    applied(book, book.add_key("p1", key(1), 7))
    fingerprint = parse_public_key(key(1))[1]
    assert book.has_key("p1", fingerprint) and not book.has_key("p2", fingerprint)
    with pytest.raises(UserError, match=r"opens another name here\. Use another key\.$"):
        book.add_key("p2", key(1), 8)
    with pytest.raises(UserError, match="opens your name already"):
        book.add_key("p1", key(1), 8)
    with pytest.raises(UserError, match="Use another key, or a password: ssh -o Pubkey"):
        book.first_key("p3", key(1), 8)


def test_a_removed_key_opens_nothing_and_is_free(book):
    applied(book, book.add_key("p1", key(1), 7))
    fingerprint = parse_public_key(key(1))[1]
    applied(book, book.remove_key("p1", fingerprint, 8))
    assert not book.has_key("p1", fingerprint)
    assert book.first_key("p2", key(1), 8)
    with pytest.raises(UserError, match="no key"):
        book.remove_key("p1", fingerprint, 9)


def test_the_last_way_in_cannot_be_removed():
    book = Accounts()
    applied(book, book.open_account("p1", "Ann", 1) + book.first_key("p1", key(1), 1))
    with pytest.raises(UserError, match="only way in"):
        book.remove_key("p1", parse_public_key(key(1))[1], 2)
    applied(book, book.add_key("p1", key(2), 3))
    applied(book, book.remove_key("p1", parse_public_key(key(1))[1], 4))


def test_an_account_has_so_many_keys_and_no_more(book):
    for number in range(KEYS_MAX):
        applied(book, book.add_key("p1", key(number), 1))
    with pytest.raises(UserError, match="that is the most"):
        book.add_key("p1", key(99), 1)


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


def test_settings_are_checked_kept_and_have_defaults(book):
    assert "auto" == book.preference("p1", "width") == book.preference("nobody", "width")
    applied(book, book.set_preference("p1", "WIDTH", "060", 7))
    assert "60" == book.preference("p1", "width")
    assert [] == book.set_preference("p1", "width", "60", 8)
    applied(book, book.set_preference("p1", "color", "Off", 8))
    assert "off" == book.preference("p1", "colour")
    with pytest.raises(UserError, match=r"Did you mean width\?"):
        book.set_preference("p1", "widht", "60", 9)
    for value in ("39", "301", "-1", "x", "\u0666\u0660", "9" * 5_000):
        with pytest.raises(UserError, match="auto or a number from 40 to 300"):
            book.set_preference("p1", "width", value, 9)


def test_every_fact_comes_back_from_its_bytes_and_makes_the_same_book(book):
    applied(book, book.add_key("p1", key(1), 7))
    applied(book, book.set_preference("p1", "suits", "letters", 8))
    made = [*history(book), events.KeyRemoved("p1", "SHA256:x", 9)]
    assert tuple(made) == decode(encode(made))
    again = Accounts()
    applied(again, decode(encode(made)))
    assert history(book) == history(again)


def test_what_is_no_record_of_facts_is_refused():
    for body in (b"", b"{}", b'[{"type":"unheard of"}]', b'[{"type":"opened","id":"p1"}]'):
        with pytest.raises(msgspec.DecodeError):
            decode(body)


def test_a_record_of_the_first_release_is_read():
    body = b'[{"type":"opened","id":"p1","name":"Ann","at_ms":5}]'
    assert (events.AccountOpened("p1", "Ann", 5),) == decode(body)
    assert body == encode(decode(body))
