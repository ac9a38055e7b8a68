"""A snapshot is the account that its events have made, wherever it stands."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mudserver.accounts import deletion
from mudserver.accounts import events as e
from mudserver.accounts.accounts import Accounts
from mudserver.accounts.codec import decode, encode
from mudserver.accounts.codes import HOUR_MS
from mudserver.accounts.learned import LearnedLesson
from mudserver.accounts.notify_choice import NotifyChoice
from mudserver.accounts.ssh_keys import parse_public_key
from mudserver.errors import UserError
from mudserver.journal.replacing import replaces_past


def key(number: int) -> str:
    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes([number + 7]) * 32
    return "ssh-ed25519 " + base64.b64encode(blob).decode()


PREFERENCES = st.tuples(
    st.just("set"),
    st.sampled_from(["width=60", "width=auto", "width=80", "bell=off", "bell=on", "theme=mono"]),
)
STEPS = st.one_of(
    PREFERENCES,
    st.tuples(st.just("key"), st.integers(0, 4)),
    st.tuples(st.just("pasted"), st.integers(0, 4)),  # by an older server
    st.tuples(st.just("code"), st.integers(0, 2)),
    st.tuples(st.just("login"), st.integers(0, 4)),
    st.tuples(st.just("label"), st.integers(0, 4)),
    st.tuples(st.just("hour"), st.just(0)),
    st.tuples(st.just("lesson"), st.integers(0, 4)),
    st.tuples(st.just("remove"), st.integers(0, 4)),
    st.tuples(st.just("password"), st.integers(0, 2)),
    st.tuples(st.just("delete"), st.integers(0, 1)),
    st.tuples(st.just("role"), st.sampled_from(["helper", None])),  # of somebody else
    st.tuples(st.just("channel"), st.integers(0, 3)),
    st.tuples(st.just("unknown"), st.integers(0, 2)),
    st.tuples(st.just("notify"), st.integers(0, 2)),
    st.tuples(st.just("rename"), st.sampled_from(["Ann", "ann", "Anna", "Nan", "a-nn"])),
    st.tuples(st.just("sweep"), st.just(0)),
)


def decided(accounts: Accounts, step: tuple[str, object], at_ms: int) -> list[e.AccountEvent]:
    """What the step writes; nothing where it is refused."""
    what, value = step
    try:
        match what:
            case "set":
                name, _, text = str(value).partition("=")
                return accounts.set_preference("p1", name, text, at_ms)
            case "key":
                return accounts.add_key(
                    accounts.by_id("p1").name, "code1", key(int(str(value))), at_ms
                )
            case "pasted":
                pasted = key(int(str(value)))
                return [e.KeyAdded("p1", pasted, parse_public_key(pasted)[1], at_ms)]
            case "code":
                lives_ms = HOUR_MS // 2
                return accounts.issue_key_code(
                    "p1", f"code{value}", at_ms + lives_ms, "", "new", at_ms
                )
            case "login":
                number = int(str(value))
                how, used = ("key", e_fingerprint(number)) if number else ("password", "")
                return accounts.note_login("p1", how, used, at_ms)
            case "label":
                held = accounts.by_id("p1").fingerprints
                return accounts.label_key("p1", held[int(str(value)) % len(held)], "so", at_ms)
            case "lesson":
                learned = LearnedLesson(1, int(str(value)), "so", is_finished=value == 4)
                return accounts.note_lesson("p1", "words", learned, at_ms)
            case "rename":
                held_ms = 3 * HOUR_MS
                return accounts.rename("p1", str(value), at_ms, by="p1", reason="", held_ms=held_ms)
            case "sweep":
                over = accounts.held_too_long(at_ms)
                return [it for _, key in over for it in accounts.end_hold("p1", key, at_ms)]
            case "channel":
                name, is_on = ("chat", "help")[int(str(value)) % 2], int(str(value)) > 1
                return accounts.set_channel("p1", name, at_ms, is_on=is_on)
            case "hour":
                return []
            case "notify":
                hours = int(str(value))
                choice = NotifyChoice(f"topic-of-{value}", ("moves",), 22, hours, "Europe/Berlin")
                return accounts.set_notify("p1", choice, at_ms)
            case "delete":
                account = accounts.by_id("p1")
                if value:
                    return deletion.ask(account, at_ms + HOUR_MS, "p1", "", at_ms)
                return deletion.withdraw(account, "p1", at_ms)
            case "role":
                note = e.StoredRoleNote(7, "p2", "player", value, "console:0", "so", at_ms)
                return [e.RoleNoted("p1", note, at_ms)]
            case "remove":
                held = accounts.by_id("p1").fingerprints
                return accounts.remove_key("p1", held[int(str(value)) % len(held)], at_ms)
            case "password":
                return accounts.set_password("p1", f"$hash {value}$", at_ms)
    except (UserError, ZeroDivisionError):
        return []
    return [e.PreferenceSet("p1", f"of another release {value}", "x", at_ms)]


def made(steps: list[tuple[str, object]]) -> list[bytes]:
    """The records of an account with this life."""
    accounts = Accounts()
    bodies = []

    def write(events: list[e.AccountEvent]) -> None:
        if events:
            bodies.append(encode(events))
            for event in events:
                accounts.apply(event)

    write([*accounts.open_account("p1", "Ann", 1, "g1f"), e.PasswordSet("p1", "$first$", 1)])
    at_ms = 2
    for step in steps:
        at_ms += HOUR_MS if step[0] == "hour" else 1
        write(decided(accounts, step, at_ms))
    return bodies


def fold(bodies: list[bytes], into: Accounts | None = None) -> Accounts:
    accounts = into or Accounts()
    for body in bodies:
        for event in decode(body):
            accounts.apply(event)
    return accounts


def face(accounts: Accounts) -> object:
    """Everything that the fold knows."""
    account = accounts.by_id("p1")
    assert account is not None
    assert account is accounts.find(account.name) and all(
        accounts.has_key("p1", f) for f in account.fingerprints
    )
    held = {f for f in map(e_fingerprint, range(5)) if accounts.has_key("p1", f)}
    assert held == set(account.fingerprints)
    proven = {each.fingerprint for each in account.keys if each.proven}
    assert proven == {f for f in map(e_fingerprint, range(5)) if accounts.opened_by(f)}
    found = {name: (accounts.find(name), accounts.former(name)) for name in ("ann", "anna", "nan")}
    assert account.person == accounts.present_person("g1f")
    return account, account.fingerprints, len(accounts), found


def e_fingerprint(number: int) -> str:
    return parse_public_key(key(number))[1]


@given(st.lists(STEPS, max_size=30), st.data())
def test_with_snapshots_and_trims_at_any_positions_the_account_is_the_same(steps, data):
    bodies = made(steps)
    positions = data.draw(st.sets(st.integers(1, len(bodies))))
    kept: list[bytes] = []
    for position, body in enumerate(bodies, 1):
        kept.append(body)
        if position in positions:
            kept.append(encode(fold(kept).snapshot("p1", position)))
            assert replaces_past(kept[-1])
            if data.draw(st.booleans()):
                kept = kept[-1:]  # the trim
    assert face(fold(bodies)) == face(fold(kept))


@given(st.lists(STEPS, max_size=12))
def test_a_snapshot_at_every_position_makes_the_account_anew_and_in_place(steps):
    bodies = made(steps)
    expected = face(fold(bodies))
    for position in range(1, len(bodies) + 1):
        snapshot = encode(fold(bodies[:position]).snapshot("p1", 99))
        assert expected == face(fold([snapshot, *bodies[position:]]))
        assert expected == face(fold([snapshot, *bodies[position:]], fold(bodies[:position])))


def test_a_record_of_events_replaces_nothing():
    accounts = fold(made([]))
    for events in (
        accounts.open_account("p2", "Bob", 5),
        accounts.issue_key_code("p1", "code", 9, "", "", 5),
        [*accounts.set_password("p1", "$x$", 5), *accounts.snapshot("p1", 5)],
    ):
        assert not replaces_past(encode(events))


@pytest.mark.parametrize("number", range(16))
def test_the_largest_account_fits_a_record(number):
    """Sixteen keys of 4,096 characters: 96 KiB at most, a snapshot may have 128."""
    accounts = fold(made([]))
    for n in range(number + 1):
        accounts.apply(e.KeyAdded("p1", "k" * 4_096, f"SHA256:{n:043}", n, True, "é" * 20))
    assert len(encode(accounts.snapshot("p1", 5))) < 96 * 1_024
